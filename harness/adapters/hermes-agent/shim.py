"""Speaks callfit's wire for the published hermes-agent, whose coercer is called as it is."""

import json
import os
import re
import sys
from importlib.metadata import version
from pathlib import Path

# What the package may keep (settings, logs, caches) stays beside this file, out of the user's home.
HOME = str(Path(__file__).resolve().parent / "home")
for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "HERMES_HOME"):
    os.environ[name] = HOME
for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ[name] = HOME

# Answers go to a copy of stdout; whatever the package prints on the real one goes to stderr.
WIRE = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)

import tools.registry  # noqa: E402

# Importing the coercer's module loads each tool of the agent as well. None of them is needed here.
tools.registry.discover_builtin_tools = lambda *_, **__: []

from model_tools import coerce_tool_args  # noqa: E402

ABOUT = {
    "protocol": 1,
    "implementation": {
        "name": "hermes-agent",
        "version": version("hermes-agent"),
        "language": "python",
        "homepage": "https://github.com/NousResearch/hermes-agent",
    },
    "methods": ["coerce"],
    "features": [],
}


def coerce(schema, arguments):
    """Registers a tool as an MCP server's is registered, and prepares one call of it."""
    described = {"name": "tool", "description": "", "parameters": schema}
    tools.registry.registry.register(
        name="tool", toolset="mcp-callfit", schema=described, handler=lambda *_, **__: ""
    )
    try:
        return {"arguments": coerce_tool_args("tool", arguments)}
    finally:
        tools.registry.registry.deregister("tool")


METHODS = {"initialize": lambda **_: ABOUT, "coerce": coerce}


def answer(line):
    """The answer to one request, as a line of ASCII."""
    # Read before the rest, so that a request too deep for Python's reader still gets its answer.
    identity = re.search(rb'"id"\s*:\s*(\d+)', line)
    head = {"jsonrpc": "2.0", "id": int(identity[1]) if identity else None}
    try:
        request = json.loads(line)
        method = METHODS.get(request["method"])
        if method is None:
            error = {"code": -32601, "message": f"no method {request['method']}"}
            return json.dumps({**head, "error": error})
        return json.dumps({**head, "result": method(**request["params"])}, allow_nan=False)
    except Exception as fault:
        error = {"code": -32603, "message": f"{type(fault).__name__}: {fault}"}
        return json.dumps({**head, "error": error})


for line in sys.stdin.buffer:
    if line.strip():
        WIRE.write(answer(line).encode() + b"\n")
        WIRE.flush()
