"""Speaks callfit's wire for the published json-repair, which is handed the text of the arguments."""

from callfit_kit import Refused, serve, text_of
from json_repair import repair_json


def coerce(schema, arguments):
    """Repairs the arguments as the text that a model writes."""
    text = arguments if isinstance(arguments, str) else text_of(arguments)
    try:
        return repair_json(text, schema=schema, return_objects=True)
    except ValueError as fault:
        # How it says that a value cannot be made to fit, or that a schema is none.
        raise Refused(fault) from fault
    except BaseException as fault:
        # It refuses what overflows the stack. Whether that strikes in Python or in jsonschema's Rust
        # extension, which panics, is chance: it differs from one version of Python to the next.
        if "RecursionError" not in str(fault):
            raise
        raise Refused("the stack overflows") from fault


serve(
    "json-repair",
    "https://github.com/mangiucugna/json_repair",
    coerce=coerce,
    exact_numbers=True,
)
