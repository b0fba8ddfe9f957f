"""Speaks callfit's wire for the published agentscope, by the function its toolkit reads calls with."""

from agentscope._utils._common import _json_loads_with_repair
from agentscope.exception import ToolJSONDecodeError
from callfit_kit import Refused, serve, text_of


def coerce(schema, arguments):
    """Reads the arguments as the text that a model writes."""
    text = arguments if isinstance(arguments, str) else text_of(arguments)
    try:
        return _json_loads_with_repair(text, schema)
    except ToolJSONDecodeError as fault:
        raise Refused(fault) from fault


serve(
    "agentscope",
    "https://github.com/agentscope-ai/agentscope",
    coerce=coerce,
    exact_numbers=True,
)
