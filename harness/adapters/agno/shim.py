"""Speaks callfit's wire for the published agno, by the function that reads a model's tool call."""

from agno.tools.function import Function
from agno.utils.functions import get_function_call
from callfit_kit import Refused, serve, text_of


def coerce(schema, arguments):
    """Reads the call of a tool with this schema, declared as an MCP server's tool is."""
    text = arguments if isinstance(arguments, str) else text_of(arguments)
    tool = Function.model_construct(
        name="tool", parameters=schema, entrypoint=print, skip_entrypoint_processing=True
    )
    call = get_function_call("tool", text, functions={"tool": tool})
    if call.error:
        raise Refused(call.error)
    # Without arguments there is none: the tool is called with nothing.
    return call.arguments or {}


serve("agno", "https://github.com/agno-agi/agno", coerce=coerce, exact_numbers=True)
