"""What an author of an adapter sees of the kit: each test writes a shim and talks to it.

`python3 -B -m unittest discover harness/adapters/kit`
"""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

KIT = Path(__file__).resolve().parent / "callfit_kit.py"


class Kit(unittest.TestCase):
    def ask(self, shim, *requests):
        """Runs a shim over these lines; gives back its answers, and what it said on stderr."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(KIT, folder)
            Path(folder, "shim.py").write_text("from callfit_kit import *\n" + shim)
            ended = subprocess.run(
                [sys.executable, "-s", "-E", f"{folder}/shim.py"],
                input="".join(f"{request}\n" for request in requests).encode(),
                capture_output=True,
            )
        self.assertEqual(ended.returncode, 0, ended.stderr.decode())
        return ended.stdout.decode().splitlines(), ended.stderr.decode()

    def ask_coerce(self, function, *arguments, options=""):
        """The answers of a shim with this `coerce` to calls with these arguments, as JSON text."""
        introduced = "'mine', 'https://mine.example', version='1', coerce=coerce"
        shim = f"{function}\nserve({introduced}{options})"
        lines, _ = self.ask(shim, *(request(one, at) for at, one in enumerate(arguments)))
        # Not as integers, because one of the answers has a longer one than Python reads.
        identities = [json.loads(line, parse_int=str)["id"] for line in lines]
        self.assertEqual(identities, [str(at) for at in range(len(arguments))])
        return lines

    def test_it_introduces_itself_and_gives_each_method_its_result(self):
        shim = """serve(
            "mine", "https://mine.example", version="1.2", features=["restore-keys"],
            coerce=lambda schema, arguments: [schema, arguments],
            resolve=lambda schema, node: [node, schema],
            sanitize=lambda schema: {"was": schema})"""
        calls = [
            ("initialize", {"protocol": 1, "harness": {"name": "callfit", "version": "0"}}),
            ("coerce", {"schema": True, "arguments": {"a": 1}}),
            ("resolve", {"schema": True, "node": {}}),
            ("sanitize", {"schema": False}),
        ]
        lines, _ = self.ask(
            shim,
            *(json.dumps({"id": 7, "method": name, "params": params}) for name, params in calls),
        )
        introduced, *results = [json.loads(line)["result"] for line in lines]
        implementation = {
            "name": "mine",
            "version": "1.2",
            "language": "python",
            "homepage": "https://mine.example",
        }
        self.assertEqual(introduced["implementation"], implementation)
        self.assertEqual(introduced["protocol"], 1)
        self.assertEqual(introduced["methods"], ["coerce", "resolve", "sanitize"])
        self.assertEqual(introduced["features"], ["restore-keys"])
        self.assertEqual(
            results,
            [{"arguments": [True, {"a": 1}]}, {"node": [{}, True]}, {"schema": {"was": False}}],
        )

    def test_what_is_not_offered_is_told_apart_from_a_fault(self):
        shim = """
def coerce(schema, arguments): raise Unsupported("no such signature")
serve("mine", "https://mine.example", version="1", coerce=coerce)"""
        lines, _ = self.ask(
            shim,
            '{"id": 1, "method": "resolve", "params": {}}',
            '{"id": 2, "method": "nonsense", "params": {}}',
            request("{}", 3),
        )
        errors = [json.loads(line)["error"] for line in lines]
        self.assertEqual([error["code"] for error in errors], [-32601, -32601, -32601])
        self.assertEqual(
            [error["message"] for error in errors],
            ["no method resolve", "no method nonsense", "no such signature"],
        )

    def test_noise_does_not_get_between_the_answers(self):
        shim = """
import os, subprocess, sys
def coerce(schema, arguments):
    print("printed")
    os.write(1, b"written\\n")
    subprocess.run([sys.executable, "-c", "print('by a child')"])
    return [sys.stdin.read(), os.environ["HOME"] == HOME]
print("a banner")
serve("mine", "https://mine.example", version="1", coerce=coerce)"""
        lines, noise = self.ask(shim, request("{}", 1), "", request("{}", 2))
        self.assertEqual(
            [json.loads(line)["result"]["arguments"] for line in lines], [["", True], ["", True]]
        )
        for said in ("a banner", "printed", "written", "by a child"):
            self.assertIn(said, noise)

    def test_whatever_is_raised_is_an_answer_and_the_next_call_has_its_own(self):
        function = """
import sys
class Mute(Exception):
    def __str__(self): raise ValueError
class Panic(BaseException): pass
def coerce(schema, arguments):
    match arguments:
        case "refuse": raise Refused("n: expected an integer")
        case "fault": return {}["n"]
        case "exit": sys.exit(3)
        case "panic": raise Panic("at the disco")
        case "deep": return coerce(schema, arguments)
        case "mute": raise Mute
    return arguments"""
        words = ["refuse", "fault", "exit", "panic", "deep", "mute", "well"]
        lines = self.ask_coerce(function, *map(json.dumps, words))
        *errors, last = map(json.loads, lines)
        told = [(error["error"]["code"], error["error"]["message"]) for error in errors]
        self.assertEqual(told[0], (1, "n: expected an integer"))
        self.assertEqual(told[1], (-32603, "KeyError: 'n'"))
        self.assertEqual(told[2], (-32603, "SystemExit: 3"))
        self.assertEqual(told[3], (-32603, "Panic: at the disco"))
        self.assertEqual(told[4][0], -32603)
        self.assertTrue(told[4][1].startswith("RecursionError: "), told[4])
        self.assertEqual(told[5], (-32603, "Mute"))
        self.assertEqual(last["result"]["arguments"], "well")

    def test_a_request_too_deep_for_python_is_answered_under_its_id(self):
        deep = "[" * 100_000 + "]" * 100_000
        function = "def coerce(schema, arguments): return arguments"
        for options in ("", ", exact_numbers=True"):
            lines = self.ask_coerce(function, deep, "{}", options=options)
            first, second = map(json.loads, lines)
            self.assertTrue(first["error"]["message"].startswith("RecursionError: "), first)
            self.assertEqual(second["result"], {"arguments": {}})

    def test_an_answer_too_deep_to_write_is_an_error(self):
        function = """
def coerce(schema, arguments):
    for _ in range(100_000): arguments = [arguments]
    return arguments"""
        for options in ("", ", exact_numbers=True"):
            (line,) = self.ask_coerce(function, "{}", options=options)
            self.assertIn("RecursionError", json.loads(line)["error"]["message"])

    def test_nan_and_infinity_are_never_written(self):
        function = "def coerce(schema, arguments): return {'x': [float(arguments)]}"
        for options in ("", ", exact_numbers=True"):
            lines = self.ask_coerce(function, '"nan"', '"-inf"', '"1"', options=options)
            *errors, last = map(json.loads, lines)
            for error in errors:
                self.assertEqual(error["error"]["code"], -32603)
                self.assertTrue(error["error"]["message"].startswith("ValueError: "), error)
            self.assertEqual(last["result"]["arguments"], {"x": [1.0]})

    def test_numbers_are_pythons_or_exact(self):
        function = "def coerce(schema, arguments): return arguments"
        long = "1" * 5000
        numbers = ["1.0", "1.10", "1E5", "1e-400", "9007199254740993", "1e400", long]
        plain = self.ask_coerce(function, *numbers)
        self.assertEqual(
            [json.loads(line, parse_float=str).get("result") for line in plain[:5]],
            [{"arguments": value} for value in ("1.0", "1.1", "100000.0", "0.0", 9007199254740993)],
        )
        for line in plain[5:]:
            self.assertTrue(json.loads(line)["error"]["message"].startswith("ValueError: "), line)
        exact = self.ask_coerce(function, *numbers, options=", exact_numbers=True")
        for line, number in zip(exact, numbers, strict=True):
            self.assertTrue(line.endswith(f'"result": {{"arguments": {number}}}}}'), line[:200])

    def test_an_exact_number_is_a_double_and_keeps_its_text_in_copies(self):
        function = """
import copy
def coerce(schema, arguments):
    number = copy.deepcopy(arguments)["n"]
    return [number + 1, isinstance(number, float), text_of({"a": [number, (True, "\\u00e9")]})]"""
        (line,) = self.ask_coerce(function, '{"n": 1.50}', options=", exact_numbers=True")
        self.assertEqual(
            json.loads(line)["result"]["arguments"],
            [2.5, True, '{"a": [1.50, [true, "\\u00e9"]]}'],
        )


def request(arguments, identity):
    """A call with these arguments, given as JSON text."""
    return (
        f'{{"jsonrpc":"2.0","id":{identity},"method":"coerce",'
        f'"params":{{"schema":{{}},"arguments":{arguments}}}}}'
    )


if __name__ == "__main__":
    unittest.main()
