"""A coercer in Python behind callfit's wire, by the kit `callfit_kit.py` beside it."""

import re

from callfit_kit import Refused, serve


def coerce(schema, arguments):
    """Your coercer in place of this one, which knows integers and booleans at the top."""
    if not isinstance(arguments, dict):
        raise Refused("the arguments are no object")
    properties = member(schema, "properties")
    return {name: convert(member(properties, name), value) for name, value in arguments.items()}


def convert(schema, value):
    wanted = member(schema, "type")
    if isinstance(value, str):
        if wanted == "integer" and re.fullmatch(r"-?(0|[1-9][0-9]{0,4000})", value):
            return int(value)
        if wanted == "boolean" and value in ("true", "false"):
            return value == "true"
    return value


def member(value, name):
    return value.get(name) if isinstance(value, dict) else None


serve("my-coercer", "https://my-coercer.example", version="1.0.0", coerce=coerce)
