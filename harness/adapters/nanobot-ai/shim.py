"""Speaks callfit's wire for the published nanobot-ai, whose registry of tools prepares each call."""

from callfit_kit import Refused, serve
from nanobot.agent.tools.base import Tool
from nanobot.agent.tools.registry import ToolRegistry


class CaseTool(Tool):
    """A tool with the schema of a case."""

    name = "tool"
    description = ""
    parameters = None

    def __init__(self, schema):
        self.parameters = schema

    async def execute(self, **_):
        return ""


def coerce(schema, arguments):
    """Registers the tool and prepares one call of it."""
    registry = ToolRegistry()
    registry.register(CaseTool(schema))
    _, prepared, error = registry.prepare_call("tool", arguments)
    if error:
        raise Refused(error)
    return prepared


serve("nanobot-ai", "https://github.com/HKUDS/nanobot", coerce=coerce)
