"""Speaks callfit's wire for the published mcp SDK, whose tools are Python functions.

The SDK never reads a schema: it makes one of a function's signature. So this writes, for a case's schema, the signature that an author would have written for it, and has the SDK prepare a call of that function.
"""

import inspect
import keyword
import re
from typing import Annotated, Any, ForwardRef, Literal, Union

from callfit_kit import Refused, Unsupported, serve
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolRequestParams
from pydantic import BaseModel, Field, TypeAdapter, ValidationError, create_model

# What is said to people and to validators. It is left out of the signature.
SILENT = {
    *("$comment", "$id", "$schema", "default", "deprecated", "description", "examples", "example"),
    *("readOnly", "title", "writeOnly", "discriminator"),
    *("format", "maxItems", "maxLength", "maxProperties", "maximum", "minItems", "minLength"),
    *("minProperties", "minimum", "multipleOf", "pattern", "uniqueItems"),
    *("exclusiveMaximum", "exclusiveMinimum", "contentEncoding", "contentMediaType"),
}
# Makes dicts of models, and changes nothing else.
PLAIN = TypeAdapter(Any)
SCALARS = {"integer": int, "number": float, "string": str, "boolean": bool, "null": None}


def coerce(schema, arguments):
    """Registers a function as an author does, and prepares one call of it."""
    function = Signature(schema).function()
    tool = Tool.from_function(function, name="tool")
    try:
        sent = CallToolRequestParams(name="tool", arguments=arguments).arguments or {}
        prepared = tool.fn_metadata.validate_arguments(sent)
    except ValidationError as fault:
        raise Refused(fault) from fault
    # What was not sent is left to the function's own defaults.
    prepared = {name: value for name, value in prepared.items() if name in sent}
    return PLAIN.dump_python(prepared, by_alias=True, exclude_unset=True)


class Signature:
    """The signature for a schema; raises `Unsupported` where none says what the schema says."""

    def __init__(self, schema):
        self.root = schema
        self.definitions = {}
        self.models = {}

    def function(self):
        """A function whose parameters are the properties of the schema."""
        try:
            parameters = [
                inspect.Parameter(
                    name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
                )
                for name, (annotation, default) in self.parameters(self.root).items()
            ]
            for model in self.models.values():
                model.model_rebuild(_types_namespace=self.models)
        except RecursionError as fault:
            raise Unsupported("nobody writes types nested so deep") from fault

        def tool(**_):
            """A tool."""

        tool.__signature__ = inspect.Signature(parameters)
        return tool

    def parameters(self, schema):
        only(
            *(schema, "type", "properties", "required", "additionalProperties"),
            *("$defs", "definitions"),
        )
        if schema.get("type", "object") != "object" or "properties" not in schema:
            raise Unsupported("a signature is an object with properties")
        if schema.get("additionalProperties", False) is not False:
            raise Unsupported("a signature has no further keys")
        return self.fields(schema, named_by=str.isidentifier, nothing=inspect.Parameter.empty)

    def fields(self, schema, named_by, nothing):
        """Names with their annotation and default, for a signature or a model."""
        properties, required = schema.get("properties", {}), schema.get("required", [])
        if not isinstance(properties, dict) or not isinstance(required, list):
            raise Unsupported("`properties` is no object, or `required` no list")
        if not all(isinstance(name, str) and name in properties for name in required):
            raise Unsupported("what is required has no type")
        fields = {}
        for at, (name, value) in enumerate(properties.items()):
            annotation = self.annotation(value)
            if name == "":
                raise Unsupported("no parameter is called nothing")
            spelled = name
            if not named_by(name) or keyword.iskeyword(name) or name.startswith("_"):
                spelled = f"parameter_{at}"
                annotation = Annotated[annotation, Field(alias=name)]
            fields[spelled] = (annotation, nothing if name in required else None)
        return fields

    def annotation(self, schema):
        """The annotation for what a schema admits."""
        if schema is True:
            return Any
        if not isinstance(schema, dict):
            raise Unsupported(f"no type is written {schema!r}")
        told = schema.keys() - SILENT
        if told == {"$ref"}:
            return self.definition(schema["$ref"])
        if told in ({"anyOf"}, {"oneOf"}):
            return self.union(schema[told.pop()])
        if told == {"allOf"} and isinstance(schema["allOf"], list) and len(schema["allOf"]) == 1:
            return self.annotation(schema["allOf"][0])
        kind = schema.get("type")
        if "enum" in told or "const" in told:
            only(schema, "enum", "const", "type")
            return literal(schema.get("enum", [schema.get("const")]), kind)
        if isinstance(kind, list):
            return self.union([{**schema, "type": one} for one in kind])
        if not told:
            return Any
        if told == {"type"} and isinstance(kind, str) and kind in SCALARS:
            return SCALARS[kind]
        if kind == "array":
            return self.array(schema)
        if kind == "object":
            return self.object(schema, f"Model{len(self.models)}")
        raise Unsupported(f"no type is written with {', '.join(sorted(told)) or 'nothing'}")

    def union(self, branches):
        if not isinstance(branches, list) or not branches:
            raise Unsupported("a union without branches")
        return Union[tuple(self.annotation(branch) for branch in branches)]  # noqa: UP007

    def array(self, schema):
        only(schema, "type", "items", "prefixItems")
        if "prefixItems" not in schema:
            return list[self.annotation(schema.get("items", True))]
        prefix = schema["prefixItems"]
        sizes = schema.get("minItems"), schema.get("maxItems")
        if not isinstance(prefix, list) or not prefix or sizes != (len(prefix), len(prefix)):
            raise Unsupported("a tuple has as many items as types")
        return tuple[tuple(self.annotation(one) for one in prefix)]

    def object(self, schema, name):
        only(schema, "type", "properties", "required", "additionalProperties")
        further = schema.get("additionalProperties")
        if "properties" not in schema:
            if further is False:
                raise Unsupported("a model has fields")
            return dict[str, self.annotation(True if further is None else further)]
        if further not in (None, True, False):
            raise Unsupported("a model's further keys have no type")
        # While its fields are read, the model can be spoken of already.
        self.models[name] = None
        named_by = lambda name: name.isidentifier() and not hasattr(BaseModel, name)  # noqa: E731
        fields = self.fields(schema, named_by, nothing=...)
        extra = {None: "ignore", True: "allow", False: "forbid"}[further]
        self.models[name] = create_model(name, __config__={"extra": extra}, **fields)
        return self.models[name]

    def definition(self, reference):
        """What stands behind a reference of the kind that pydantic writes."""
        path = re.fullmatch(r"#/(\$defs|definitions)/([\w.-]+)", str(reference))
        group = self.root.get(path[1]) if path else None
        if not isinstance(group, dict) or path[2] not in group:
            raise Unsupported(f"no class is called {reference}")
        if reference not in self.definitions:
            name = f"Definition{len(self.definitions)}"
            self.definitions[reference] = ForwardRef(name)
            schema = group[path[2]]
            kind = schema.get("type") if isinstance(schema, dict) else None
            if kind == "object" and "properties" in schema:
                self.definitions[reference] = self.object(schema, name)
            else:
                self.definitions[reference] = self.annotation(schema)
        found = self.definitions[reference]
        if isinstance(found, ForwardRef) and found.__forward_arg__ not in self.models:
            raise Unsupported(f"{reference} leads back to itself without a class between")
        return found


def only(schema, *keywords):
    """Raises `Unsupported` unless a schema says no more than these keywords do."""
    if not isinstance(schema, dict):
        raise Unsupported(f"no type is written {schema!r}")
    if further := schema.keys() - SILENT - set(keywords):
        raise Unsupported(f"no type is written with {', '.join(sorted(further))}")


def literal(members, kind):
    if not isinstance(members, list) or not members:
        raise Unsupported("a literal without members")
    kinds = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
    for member in members:
        if type(member) not in kinds:
            raise Unsupported("literals are strings, integers, booleans and None")
        if kind and kinds[type(member)] not in (kind if isinstance(kind, list) else [kind]):
            raise Unsupported(f"{member!r} is not of the type {kind}")
    return Literal[tuple(members)]


serve("mcp", "https://github.com/modelcontextprotocol/python-sdk", coerce=coerce)
