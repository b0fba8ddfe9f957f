"""Speaks callfit's wire for the published lmdeploy's parser of Qwen3-Coder's tool calls."""

import json
import re
import sys
import types
from importlib.util import find_spec

from callfit_kit import Unsupported, serve, text_of

# Imported as usual, each of these loads torch and what else a server needs.
folder = find_spec("lmdeploy").submodule_search_locations[0]
for name in (
    "lmdeploy",
    "lmdeploy.serve",
    "lmdeploy.serve.parsers",
    "lmdeploy.serve.parsers.tool_parser",
):
    package = types.ModuleType(name)
    package.__path__ = ["/".join([folder, *name.split(".")[1:]])]
    sys.modules[name] = package

from lmdeploy.serve.openai.protocol import ChatCompletionRequest  # noqa: E402
from lmdeploy.serve.parsers.tool_parser.qwen3coder_tool_parser import (  # noqa: E402
    Qwen3CoderToolParser,
)

# The dialect has no escapes: what it cannot tell from its own marks it cannot carry.
MARK = re.compile("</?(function|parameter|tool_call)")


def coerce(schema, arguments):
    """Has the parser read a call with these arguments, which arrives in one piece."""
    # Without the kit's numbers, which are no part of a request.
    schema = json.loads(json.dumps(schema))
    tool = {"type": "function", "function": {"name": "tool", "parameters": schema}}
    text = written(arguments)
    parser, deltas = Qwen3CoderToolParser(), []
    parser.adjust_request(ChatCompletionRequest(model="model", messages=[], tools=[tool]))
    parser.begin_tool_block()
    parser.feed_tool_block(text, deltas, final=True)
    (call,) = parser.build_tool_calls(deltas)
    return json.loads(call.function.arguments)


def written(arguments):
    """A model's call with these arguments, after the opening tag, which the server takes away."""
    if not isinstance(arguments, dict):
        raise Unsupported("this dialect has names and values: arguments are an object")
    body = ""
    for name, value in arguments.items():
        value = value if isinstance(value, str) else text_of(value)
        if MARK.search(name) or MARK.search(value) or ">" in name:
            raise Unsupported("this dialect cannot write its own marks in a name or value")
        body += f"<parameter={name}>\n{value}\n</parameter>\n"
    if re.search("[\ud800-\udfff]", body):
        raise Unsupported("a model's answer holds no lone surrogates")
    return f"\n<function=tool>\n{body}</function>\n</tool_call>"


serve("lmdeploy", "https://github.com/InternLM/lmdeploy", coerce=coerce, exact_numbers=True)
