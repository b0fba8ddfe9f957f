"""A whole callfit plug-in: makes integers of top-level text like "5"."""

import json
import re
import sys


def coerce(schema, arguments):
    for name, value in arguments.items():
        wanted = schema.get("properties", {}).get(name)
        if isinstance(wanted, dict) and wanted.get("type") == "integer":
            if isinstance(value, str) and re.fullmatch(r"-?(0|[1-9][0-9]*)", value):
                arguments[name] = int(value)
    return {"arguments": arguments}


about = {"protocol": 1, "implementation": {"name": "minimal-python"}, "methods": ["coerce"]}

for line in sys.stdin.buffer:
    request = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": request["id"]}
    if request["method"] == "initialize":
        answer["result"] = about
    elif request["method"] == "coerce":
        answer["result"] = coerce(**request["params"])
    else:
        answer["error"] = {"code": -32601, "message": "not offered"}
    print(json.dumps(answer), flush=True)
