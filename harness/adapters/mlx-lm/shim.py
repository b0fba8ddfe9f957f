"""Speaks callfit's wire for the published mlx-lm's tool parsers; the first argument names one."""

import json
import re
import sys
import types
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import NamedTuple

from callfit_kit import Refused, Unsupported, serve, text_of

# Imported as usual, mlx_lm loads models and what runs them. Its tool parsers use none of that.
package = types.ModuleType("mlx_lm")
package.__path__ = find_spec("mlx_lm").submodule_search_locations
sys.modules["mlx_lm"] = package


class Dialect(NamedTuple):
    """How a model writes a call of `tool`, in the outermost tags that the server takes away."""

    module: str
    start: str
    # One argument: its name and its text.
    argument: str
    end: str


DIALECTS = {
    "mlx-lm-minimax-m2": Dialect(
        "minimax_m2",
        '\n<invoke name="tool">\n',
        '<parameter name="{}">{}</parameter>\n',
        "</invoke>\n",
    ),
    "mlx-lm-qwen3-coder": Dialect(
        "qwen3_coder",
        "\n<function=tool>\n",
        "<parameter={}>\n{}\n</parameter>\n",
        "</function>\n",
    ),
}

VARIANT = sys.argv[1]
DIALECT = DIALECTS[VARIANT]
PARSER = import_module(f"mlx_lm.tool_parsers.{DIALECT.module}")
MARKS = re.findall(r"</?[^<>{}\s]+", PARSER.tool_call_end + "".join(DIALECT[1:]))


def coerce(schema, arguments):
    """Has the parser read a call with these arguments, as the server has it."""
    # Without the kit's numbers, which are no part of a request.
    schema = json.loads(json.dumps(schema))
    tool = {"type": "function", "function": {"name": "tool", "parameters": schema}}
    text = written(arguments)
    try:
        return PARSER.parse_tool_call(text, [tool])["arguments"]
    except ValueError as fault:
        # The server logs it and leaves the call out.
        raise Refused(f"{type(fault).__name__}: {fault}") from fault


def written(arguments):
    """The text of a call with these arguments: text as it is, anything else as JSON."""
    if not isinstance(arguments, dict):
        raise Unsupported("this dialect has names and values: arguments are an object")
    _, start, argument, end = DIALECT
    _, between, _ = argument.split("{}")
    body = ""
    for name, value in arguments.items():
        value = value if isinstance(value, str) else text_of(value)
        for mark in MARKS:
            # The dialect has no escapes.
            if mark in name or mark in value:
                raise Unsupported(f"this dialect cannot write {mark} in a name or value")
        if between.strip() in name:
            raise Unsupported(f"this dialect ends a name with {between.strip()}")
        body += argument.format(name, value)
    if re.search("[\ud800-\udfff]", body):
        raise Unsupported("a model's answer holds no lone surrogates")
    return start + body + end


serve(
    VARIANT,
    "https://github.com/ml-explore/mlx-lm",
    coerce=coerce,
    version=version("mlx-lm"),
    exact_numbers=True,
)
