"""Speaks callfit's wire for the published vllm, which corrects the types of arguments."""

import json
import sys
import types
from importlib.util import find_spec

from callfit_kit import Number, serve, text_of


class Absent(types.ModuleType):
    """Stands in for a module whose names are imported by what is called here, and never called."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})


# Imported as usual, each of these loads torch and the rest of the server.
folder = find_spec("vllm").submodule_search_locations[0]
for name in ("vllm", "vllm.parser", "vllm.tool_parsers"):
    package = types.ModuleType(name)
    package.__path__ = ["/".join([folder, *name.split(".")[1:]])]
    sys.modules[name] = package
for name in (
    "vllm.entrypoints.generate.base.protocol",
    "vllm.entrypoints.openai.chat_completion.protocol",
    "vllm.parser.abstract_parser",
    "vllm.renderers.chat_utils",
):
    sys.modules[name] = Absent(name)

from openai.types.responses import FunctionTool  # noqa: E402
from vllm.parser.engine.parser_engine import ParserEngine  # noqa: E402


def coerce(schema, arguments):
    """Has types corrected in the text of arguments, as every parser of the engine does last."""
    # Without the kit's numbers, which are no part of a request.
    schema = json.loads(json.dumps(schema))
    # Finding the call in a model's answer is left out, and with it the tokenizer that it takes.
    parser = object.__new__(ParserEngine)
    parser._tools = [FunctionTool(type="function", name="tool", parameters=schema, strict=False)]
    fixed = parser._fix_arg_types(text_of(arguments), "tool")
    return json.loads(fixed, parse_float=Number, parse_int=Number)


serve("vllm", "https://github.com/vllm-project/vllm", coerce=coerce, exact_numbers=True)
