"""Speaks callfit's wire for the published hermes-agent, whose coercer is called as it is."""

import os

from callfit_kit import HOME, serve

os.environ["HERMES_HOME"] = HOME

import tools.registry  # noqa: E402

# Importing the coercer's module loads each tool of the agent as well. None of them is needed here.
tools.registry.discover_builtin_tools = lambda *_, **__: []

from model_tools import coerce_tool_args  # noqa: E402


def coerce(schema, arguments):
    """Registers a tool as an MCP server's is registered, and prepares one call of it."""
    described = {"name": "tool", "description": "", "parameters": schema}
    tools.registry.registry.register(
        name="tool", toolset="mcp-callfit", schema=described, handler=lambda *_, **__: ""
    )
    try:
        return coerce_tool_args("tool", arguments)
    finally:
        tools.registry.registry.deregister("tool")


serve("hermes-agent", "https://github.com/NousResearch/hermes-agent", coerce=coerce)
