"""Speaks callfit's wire for the detectors of the published sglang; an argument names one."""

import json
import logging
import re
import sys
import types
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import NamedTuple

from callfit_kit import Refused, Unsupported, serve, text_of

# Imported as usual, sglang loads torch and all a server needs, and its `utils` numpy and IPython.
# No detector uses any of that: these two modules are the only ones that are not the package's.
package = types.ModuleType("sglang")
package.__path__ = find_spec("sglang").submodule_search_locations
utils = types.ModuleType("sglang.utils")
utils.convert_json_schema_to_str = None
sys.modules |= {"sglang": package, "sglang.utils": utils}

from sglang.srt.entrypoints.openai.protocol import Function, Tool  # noqa: E402


class Dialect(NamedTuple):
    """How a model writes a call of `tool`, and what reads it."""

    detector: str
    start: str
    # One argument, its name and its text; none where the arguments are JSON.
    argument: str | None
    end: str


DIALECTS = {
    "sglang-glm45": Dialect(
        "glm4_moe_detector:Glm4MoeDetector",
        "<tool_call>tool\n",
        "<arg_key>{}</arg_key>\n<arg_value>{}</arg_value>\n",
        "</tool_call>",
    ),
    "sglang-glm47": Dialect(
        "glm47_moe_detector:Glm47MoeDetector",
        "<tool_call>tool",
        "<arg_key>{}</arg_key><arg_value>{}</arg_value>",
        "</tool_call>",
    ),
    "sglang-k2-v3": Dialect(
        "k2_v3_detector:K2V3Detector",
        "<ifm|tool_calls>\n<ifm|tool_call>",
        None,
        "</ifm|tool_call>\n</ifm|tool_calls>",
    ),
    "sglang-minimax-m2": Dialect(
        "minimax_m2:MinimaxM2Detector",
        '<minimax:tool_call>\n<invoke name="tool">\n',
        '<parameter name="{}">{}</parameter>\n',
        "</invoke>\n</minimax:tool_call>",
    ),
    "sglang-qwen3-coder": Dialect(
        "qwen3_coder_detector:Qwen3CoderDetector",
        "<tool_call>\n<function=tool>\n",
        "<parameter={}>\n{}\n</parameter>\n",
        "</function>\n</tool_call>",
    ),
}

VARIANT = sys.argv[1]
DIALECT = DIALECTS[VARIANT]
MODULE, CLASS = DIALECT.detector.split(":")
DETECTOR = getattr(import_module(f"sglang.srt.function_call.{MODULE}"), CLASS)

# What a detector logs tells why it found no call.
LOGGED = []
KEEPER = logging.Handler()
KEEPER.emit = LOGGED.append
logging.getLogger("sglang").addHandler(KEEPER)


def coerce(schema, arguments):
    """Has the detector find the one call in a model's answer, as the server has it."""
    # Without the kit's numbers, whose type the detectors do not know.
    schema = json.loads(json.dumps(schema))
    tool = Tool(type="function", function=Function(name="tool", parameters=schema))
    LOGGED.clear()
    calls = DETECTOR().detect_and_parse(answer(arguments), [tool]).calls
    if calls:
        return json.loads(calls[0].parameters)
    why = "; ".join(record.getMessage() for record in LOGGED) or "no call was found"
    # What a detector logs as an error is an exception that it caught, and no decision.
    decided = all(record.levelno < logging.ERROR for record in LOGGED)
    raise (Refused if decided else RuntimeError)(why)


def answer(arguments):
    """The model's answer: a call with these arguments."""
    _, start, argument, end = DIALECT
    if argument is None:
        body = text_of({"name": "tool", "arguments": arguments})
        refuse_marks(body)
    elif isinstance(arguments, dict):
        body = "".join(written(argument, *member) for member in arguments.items())
    else:
        raise Unsupported("this dialect has names and values: arguments are an object")
    text = start + body + end
    if not text.isascii() and re.search("[\ud800-\udfff]", text):
        raise Unsupported("a model's answer holds no lone surrogates")
    return text


def written(argument, name, value):
    """One argument: text as it is, anything else as JSON."""
    text = value if isinstance(value, str) else text_of(value)
    refuse_marks(name, text)
    _, between, _ = argument.split("{}")
    if between.strip() in name:
        raise Unsupported(f"this dialect ends a name with {between.strip()}")
    return argument.format(name, text)


def refuse_marks(*texts):
    """Refuses what the dialect, which has no escapes, cannot tell from its own marks."""
    _, start, argument, end = DIALECT
    for mark in re.findall(r"</?[^<>{}\s]+", start + (argument or "") + end):
        if any(mark in text for text in texts):
            raise Unsupported(f"this dialect cannot write {mark} in a name or value")


serve(
    VARIANT,
    "https://github.com/sgl-project/sglang",
    coerce=coerce,
    version=version("sglang"),
    exact_numbers=True,
)
