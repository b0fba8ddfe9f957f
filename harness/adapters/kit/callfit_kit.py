"""The author's kit for adapters in Python: all of a plug-in but the call of the coercer.

A whole adapter:

    from callfit_kit import Refused, serve
    from package import CallError, prepare

    def coerce(schema, arguments):
        try:
            return prepare(schema, arguments)
        except CallError as fault:
            raise Refused(fault) from fault

    serve("package", "https://package.example", coerce=coerce)

Import it before the package. On import it gives the package a home of its own beside this file, an empty stdin, and stderr for stdout, so that nothing the package keeps, reads or prints gets in the way. It needs Python 3.11 and nothing else.
"""

import importlib.metadata
import json
import os
import re
from pathlib import Path

__all__ = ["HOME", "Number", "Refused", "Unsupported", "serve", "text_of"]

# Where the package finds its home: settings, logs and caches stay in this folder.
HOME = str(Path(__file__).resolve().parent / "home")


class Refused(Exception):
    """Raised by a method: the call is refused, and the tool never runs."""


class Unsupported(Exception):
    """Raised by a method: the implementation has no way to be asked this."""


class Number(float):
    """A number that is no plain integer, as `exact_numbers` reads it: a double, and its `text`."""

    def __new__(cls, text):
        number = super().__new__(cls, text)
        number.text = text
        return number


def serve(
    name,
    homepage,
    *,
    coerce,
    resolve=None,
    sanitize=None,
    features=(),
    version=None,
    exact_numbers=False,
):
    """Answers requests until stdin ends.

    The methods are functions: `coerce(schema, arguments)` returns the arguments, `resolve(schema, node)` the node, `sanitize(schema)` the schema. What they raise is the answer: `Refused` and `Unsupported` as they say, anything else as an error with its name and message.

    `version` is that of the installed package `name`, if none is given.

    Numbers are read and written by Python's json, as agents do it. With `exact_numbers` an integer is an `int` of up to 4,300 digits, as ever, any other number a `Number`, and each `Number` that comes back is written with the text it had.
    """
    functions = {"coerce": coerce, "resolve": resolve, "sanitize": sanitize}
    offered = {method: function for method, function in functions.items() if function}
    about = {
        "protocol": 1,
        "implementation": {
            "name": name,
            "version": version or importlib.metadata.version(name),
            "language": "python",
            "homepage": homepage,
        },
        "methods": list(offered),
        "features": list(features),
    }

    def result(request):
        method = request["method"]
        if method == "initialize":
            return about
        if method not in offered:
            raise Unsupported(f"no method {method}")
        return {_RESULTS[method]: offered[method](**request["params"])}

    read, write = (_read_exactly, text_of) if exact_numbers else (json.loads, _write)
    for line in _REQUESTS:
        if line.strip():
            _ANSWERS.write(_answer(line, read, result, write).encode() + b"\n")
            _ANSWERS.flush()


def text_of(value):
    """The JSON text of a value, each `Number` in it with the text it had.

    With `exact_numbers`, `text_of(arguments)` is what a package wants that reads the model's text itself.
    """
    if isinstance(value, Number):
        return value.text
    if isinstance(value, dict):
        members = (f"{_key(key)}: {text_of(member)}" for key, member in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(text_of, value)) + "]"
    return _write(value)


# Under which name a method's result is sent.
_RESULTS = {"coerce": "arguments", "resolve": "node", "sanitize": "schema"}


def _answer(line, read, result, write):
    """The answer to one request, as a line of ASCII."""
    # Found without the reader, so that a request too deep for it still gets its answer.
    identity = re.search(rb'"id"\s*:\s*(\d+)', line)
    head = {"jsonrpc": "2.0", "id": int(identity[1]) if identity else None}
    try:
        request = read(line)
        head["id"] = request["id"]
        return write({**head, "result": result(request)})
    except KeyboardInterrupt:
        raise
    except Refused as refusal:
        error = {"code": 1, "message": str(refusal)}
    except Unsupported as reason:
        error = {"code": -32601, "message": str(reason)}
    # Not only `Exception`: neither `sys.exit` nor a panic in a Rust extension raises one.
    except BaseException as fault:
        error = {"code": -32603, "message": _told(fault)}
    return write({**head, "error": error})


def _told(fault):
    name = type(fault).__name__
    try:
        return f"{name}: {fault}"
    except Exception:
        return name


def _write(value):
    # NaN and Infinity are no JSON, and become an error.
    return json.dumps(value, allow_nan=False)


def _key(key):
    if isinstance(key, str):
        return json.dumps(key)
    raise TypeError(f"the key {key!r} is no text")


def _read_exactly(line):
    return json.loads(line, parse_float=Number, parse_int=_integer)


def _integer(text):
    try:
        return int(text)
    except ValueError:
        # More digits than Python reads.
        return Number(text)


def _stand_apart():
    """Gives the package a home, a stdin and a stdout that are not the real ones."""
    for name in ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"):
        os.environ[name] = HOME
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        os.environ[name] = HOME
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(requests, "rb"), os.fdopen(answers, "wb")


_REQUESTS, _ANSWERS = _stand_apart()
