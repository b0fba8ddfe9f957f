"""Speaks callfit's wire for the published lmdeploy's tool parsers; the first argument names one."""

import json
import re
import sys
import types
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import NamedTuple

from callfit_kit import Unsupported, serve, text_of

# Imported as usual, each of these loads torch and what else a server needs.
folder = find_spec("lmdeploy").submodule_search_locations[0]
for name in ("lmdeploy", "lmdeploy.serve", "lmdeploy.serve.parsers"):
    package = types.ModuleType(name)
    package.__path__ = ["/".join([folder, *name.split(".")[1:]])]
    sys.modules[name] = package

from lmdeploy.serve.openai.protocol import ChatCompletionRequest  # noqa: E402


class Dialect(NamedTuple):
    """How a model writes a call of `tool`, after the opening tag, which the server takes away."""

    parser: str
    start: str
    # One argument: its name and its text.
    argument: str
    end: str


DIALECTS = {
    "lmdeploy-glm47": Dialect(
        "glm47_tool_parser:Glm47ToolParser",
        "tool",
        "<arg_key>{}</arg_key><arg_value>{}</arg_value>",
        "</tool_call>",
    ),
    "lmdeploy-qwen3-coder": Dialect(
        "qwen3coder_tool_parser:Qwen3CoderToolParser",
        "\n<function=tool>\n",
        "<parameter={}>\n{}\n</parameter>\n",
        "</function>\n</tool_call>",
    ),
}

VARIANT = sys.argv[1]
DIALECT = DIALECTS[VARIANT]
MODULE, CLASS = DIALECT.parser.split(":")
PARSER = getattr(import_module(f"lmdeploy.serve.parsers.tool_parser.{MODULE}"), CLASS)
MARKS = re.findall(r"</?[^<>{}\s]+", "".join(DIALECT[1:]))


def coerce(schema, arguments):
    """Has the parser read a call with these arguments, which arrives in one piece."""
    # Without the kit's numbers, which are no part of a request.
    schema = json.loads(json.dumps(schema))
    tool = {"type": "function", "function": {"name": "tool", "parameters": schema}}
    text = written(arguments)
    request = ChatCompletionRequest(model="model", messages=[], tools=[tool])
    parser, deltas = PARSER(), []
    parser.adjust_request(request)
    parser.begin_tool_block()
    parser.feed_tool_block(text, deltas, final=True)
    (call,) = parser.build_tool_calls(deltas)
    return json.loads(call.function.arguments)


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
    "https://github.com/InternLM/lmdeploy",
    coerce=coerce,
    version=version("lmdeploy"),
    exact_numbers=True,
)
