"""Which schemas are ordinary, and which could force a value out digit by digit or piece by piece."""

from __future__ import annotations

import json
from typing import Any

import pytest
from test_serve_asked import asked, refused

from reticent.serve.api.forcing_schemas import forces_values
from reticent.serve.options import Permission


def an_object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
FREE: dict[str, Any] = {
    "nothing": {},
    "texts and numbers": an_object(name=TEXT, age=WHOLE, height={"type": "number"}, is_new={"type": "boolean"}),
    "optional": an_object(name={"anyOf": [TEXT, {"type": "null"}]}, phone={"type": ["string", "null"]}),
    "lists": an_object(names={"type": "array", "items": TEXT, "minItems": 1, "maxItems": 5}),
    "nested": an_object(person=an_object(name=TEXT, address=an_object(street=TEXT, city=TEXT))),
    "words": an_object(colour={"type": "string", "enum": ["red", "green"]}, kind={"const": "person"}),
    "words with marks": an_object(state={"enum": ["in_progress", "not-started", "N/A", "s\u00ed", None, True]}),
    "options": an_object(answer={"enum": ["A", "B", "C", "D"]}),
    "how many": an_object(number={"enum": ["none", "one", "many"]}),
    "formats": an_object(mail={"type": "string", "format": "email"}, day={"type": "string", "format": "date"}),
    "long texts": an_object(note={"type": "string", "minLength": 1, "maxLength": 200}),
    "a range": an_object(percent={"type": "integer", "minimum": 0, "maximum": 100}),
    "half a range": an_object(year={"type": "integer", "minimum": 1900}),
    "years": an_object(year={"type": "integer", "minimum": 1900, "maximum": 2100}),
    "64 bits": an_object(x={"type": "integer", "minimum": -(2**63), "maximum": 2**63 - 1}),
    "a share": an_object(confidence={"type": "number", "minimum": 0, "maximum": 1}),
    "an optional share": an_object(confidence={"type": ["number", "null"], "minimum": 0, "maximum": 1}),
    "definitions": {"$defs": {"P": an_object(name=TEXT)}, **an_object(p={"$ref": "#/$defs/P"})},
    "a tree": {"$defs": {"N": an_object(next={"$ref": "#/$defs/N"})}, "$ref": "#/$defs/N"},
    "itself": an_object(child={"anyOf": [{"$ref": "#"}, {"type": "null"}]}),
    "keywords as names": an_object(pattern=TEXT, enum=TEXT, const=TEXT, maxLength=WHOLE, format=TEXT),
    "numbered names": an_object(address1=TEXT, address_2=TEXT, utf8=TEXT, iso8601=TEXT),
    "coordinates": an_object(x={"type": "number"}, y={"type": "number"}),
    "linked data": {"type": "object", "properties": {"@type": TEXT, "@id": TEXT}},
    "free names": {"type": "object", "additionalProperties": TEXT},
    "a default": an_object(n={"type": "integer", "default": 5, "examples": [1, 2]}),
    "described": {"title": "P", "description": "Her number 1234", "$schema": "http://json-schema.org/draft-07/schema#"},
}  # fmt: skip
DIGIT = {"enum": list("0123456789")}
FORCING: dict[str, Any] = {
    "digits": an_object(a=DIGIT),
    "numbers": an_object(a={"enum": [1, 2, 3]}),
    "a number": an_object(a={"const": 7}),
    "a fraction": an_object(a={"const": 0.5}),
    "a begun value": an_object(a={"const": "650-555-"}),
    "a begun address": an_object(a={"const": "jane.roe@"}),
    "other digits": an_object(a={"enum": ["\u0661", "\u0662"]}),
    "circled digits": an_object(a={"enum": ["\u2460", "\u2461"]}),
    "roman digits": an_object(a={"enum": ["\u2160", "\u2161"]}),
    "digits in objects": an_object(a={"enum": [{"b": "1"}]}),
    "digits in lists": an_object(a={"const": [["6"], ["5"]]}),
    "names in objects": an_object(a={"enum": [{"1": None}]}),
    "letters": an_object(a={"enum": list("abcdefghij")}),
    "letters apart": an_object(**{f"f{at}": {"const": char} for at, char in enumerate("janero")}),
    "words for digits": an_object(a={"enum": ["zero", "one", "two", "three"]}),
    "German words": an_object(a={"enum": ["Null", "Eins", "Zwei", "Drei"]}),
    "phrases of digits": an_object(a={"const": "six five oh"}),
    "any of": an_object(a={"anyOf": [{"const": "1"}, {"const": "2"}]}),
    "one of": an_object(a={"oneOf": [{"const": 1}]}),
    "not": an_object(a={"not": {"enum": ["1"]}}),
    "if": an_object(a={"if": TEXT, "then": {"const": "1"}}),
    "a pattern": an_object(a={"type": "string", "pattern": "^[0-9]$"}),
    "a harmless pattern": an_object(a={"type": "string", "pattern": "^[a-z]+$"}),
    "names by pattern": {"type": "object", "patternProperties": {"^[0-9]$": TEXT}},
    "names by enum": {"type": "object", "propertyNames": {"enum": ["1", "2"]}},
    "names by pattern within": {"type": "object", "propertyNames": {"pattern": "^[0-9]$"}},
    "one character": an_object(a={"type": "string", "maxLength": 1}),
    "three characters": an_object(a={"type": "string", "minLength": 3, "maxLength": 3}),
    "one character with a format": an_object(a={"type": "string", "format": "x", "maxLength": 1}),
    "one character without a type": an_object(a={"maxLength": 1}),
    "a length that is a text": an_object(a={"type": "string", "maxLength": "1"}),
    "list of characters": {"type": "array", "items": {"type": "string", "maxLength": 1}},
    "a tuple": {"type": "array", "prefixItems": [DIGIT, DIGIT]},
    "an old tuple": {"type": "array", "items": [DIGIT, DIGIT]},
    "additional items": {"type": "array", "items": [], "additionalItems": DIGIT},
    "unevaluated": {"type": "object", "unevaluatedProperties": DIGIT},
    "contained": {"type": "array", "contains": DIGIT},
    "one digit": an_object(a={"type": "integer", "minimum": 0, "maximum": 9}),
    "one digit without a type": an_object(a={"minimum": 0, "maximum": 9}),
    "one digit below": an_object(a={"type": "integer", "exclusiveMaximum": 10, "exclusiveMinimum": -1}),
    "no lower bound": an_object(a={"type": "integer", "maximum": 9}),
    "a list of digits": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 9}},
    "one of two kinds": an_object(a={"type": ["integer", "string"], "maximum": 9}),
    "whole by its step": an_object(a={"type": "number", "multipleOf": 1, "minimum": 0, "maximum": 9}),
    "a last digit": an_object(a={"type": "integer", "minimum": 6505550140, "maximum": 6505550149}),
    "last digits": an_object(a={"type": "integer", "minimum": 6505550000, "maximum": 6505559999}),
    "last digits below": an_object(a={"type": "integer", "minimum": -6505559999, "maximum": -6505550000}),
    "a bound that is a text": an_object(a={"type": "integer", "maximum": "9"}),
    "names of digits": {"type": "object", "properties": {str(at): TEXT for at in range(10)}},
    "names of letters": {"type": "object", "properties": dict.fromkeys("abcdefgh", TEXT)},
    "a begun name": {"type": "object", "properties": {"her number 650-555": TEXT}},
    "required digits": {"type": "object", "required": ["1"]},
    "a begun address as a name": {"type": "object", "properties": {"jane.roe@": TEXT}},
    "referred": {"$defs": {"D": DIGIT}, **an_object(a={"$ref": "#/$defs/D"})},
    "referred within a map": {"properties": {"enum": ["1", "2"]}, "items": {"$ref": "#/properties"}},
    "referred within an example": {"examples": [{"enum": ["1"]}], "items": {"$ref": "#/examples/0"}},
    "referred by an escaped name": {"odd/name": {"enum": ["1"]}, "items": {"$ref": "#/odd~1name"}},
    "referred elsewhere": an_object(a={"$ref": "https://schemas.example.com/digit.json"}),
    "referred by an anchor": an_object(a={"$ref": "#digit"}),
    "referred nowhere": an_object(a={"$ref": "#/$defs/D"}),
    "a dynamic reference": an_object(a={"$dynamicRef": "#digit"}),
    "deep": an_object(a={"allOf": [{"anyOf": [an_object(b={"items": {"properties": {"c": DIGIT}}})]}]}),
    "an unknown keyword": {"x-any": [{"enum": ["1"]}]},
    "guidance": an_object(a=TEXT) | {"x-guidance": {"item_separator": "[0-9]"}},
    "no schema": ["x"],
    "no JSON": "{",
    "a name twice": '{"type": "object", "type": "string"}',
}  # fmt: skip


@pytest.mark.parametrize("name", FREE)
def test_an_ordinary_schema_is_free(name: str) -> None:
    assert not forces_values(FREE[name])
    assert not forces_values(json.dumps(FREE[name]))


@pytest.mark.parametrize("name", FORCING)
def test_a_schema_that_could_force_a_value_is_told(name: str) -> None:
    assert forces_values(FORCING[name])
    assert forces_values(FORCING[name] if isinstance(FORCING[name], str) else json.dumps(FORCING[name]))


def forms(schema: Any) -> list[tuple[str, str, Any]]:
    """Every way to ask for an answer of a schema: route, field, value."""
    named = {"name": "x", "schema": schema}
    ways = [
        ("response_format", {"type": "json_schema", "json_schema": named | {"strict": True}}),
        ("response_format", {"type": "json_schema", "json_schema": schema}),
        ("response_format", {"type": "json_schema", "schema": schema}),
        ("response_format", {"type": "json_schema", "json_schema": json.dumps(schema)}),
        ("response_format", {"type": "json_object", "schema": schema}),
        ("json_schema", schema),
        ("json_schema", json.dumps(schema)),
        ("format", schema),
    ]
    return [
        *((route, *way) for route in ("chat", "completions") for way in ways),
        ("responses", "text", {"format": {"type": "json_schema", **named}, "verbosity": "low"}),
        ("responses", "response_format", ways[0][1]),
        ("messages", "output_format", {"type": "json_schema", "schema": schema}),
        ("messages", "output_config", {"format": {"type": "json_schema", "schema": schema}, "effort": "low"}),
    ]


def test_a_schema_is_checked_wherever_it_stands() -> None:
    for name in ("digits", "referred", "one digit", "a pattern"):
        for route, field, value in forms(FORCING[name]):
            error = refused(route, **{field: value})
            assert (error.code, error.param) == ("not_allowed", field), (route, field)
            assert "'grammar'" in error.message
            assert asked(route, Permission.GRAMMAR, **{field: value}).body[field] == value
            left = asked(route, strip=True, **{field: value}).body.get(field)
            assert left in (None, {"verbosity": "low"}, {"effort": "low"})
    for name in ("texts and numbers", "definitions", "words", "itself"):
        for route, field, value in forms(FREE[name]):
            assert asked(route, **{field: value}).body[field] == value


@pytest.mark.parametrize(
    "value",
    [
        {"type": "regex", "value": "[0-9]"},
        {"type": "grammar", "grammar": "root ::= [0-9]"},
        {"type": "structural_tag", "structures": []},
        {"type": "json", "value": {}},
        {"type": ["text"]},
        {"json_schema": {"schema": {}}},
        ["json_schema"],
        "regex",
        7,
    ],
)
def test_a_format_of_another_type_needs_the_permission(value: Any) -> None:
    for route in ("chat", "completions", "messages"):
        assert refused(route, response_format=value).param == "response_format"
        asked(route, Permission.GRAMMAR, response_format=value)
    if isinstance(value, dict):
        assert refused("responses", text={"format": value}).param == "text"
        assert refused("messages", output_format=value).param == "output_format"


def test_plain_formats_are_free() -> None:
    for value in ({"type": "text"}, {"type": "json_object"}, None):
        asked("chat", response_format=value)
        asked("responses", text={"format": value})
    for value in ("json", "", None):
        asked("chat", format=value)


def tools(schema: Any, strict: bool) -> list[tuple[str, str, list[dict[str, Any]]]]:
    more = {"strict": True} if strict else {}
    return [
        ("chat", "tools", [{"type": "function", "function": {"name": "f", "parameters": schema, **more}}]),
        ("responses", "tools", [{"type": "function", "name": "f", "parameters": schema, **more}]),
        ("messages", "tools", [{"name": "f", "input_schema": schema, **more}]),
        *([] if strict else [("chat", "functions", [{"name": "f", "parameters": schema}])]),
    ]


def test_a_tools_schema_is_checked_where_it_binds_the_server() -> None:
    for route, field, offered in tools(FORCING["digits"], strict=True):
        assert (refused(route, **{field: offered}).param, refused(route, strip=True, **{field: offered}).status) == (
            field,
            400,
        )
        asked(route, Permission.GRAMMAR, **{field: offered})
    for route, field, offered in tools(FORCING["digits"], strict=False):
        for chosen in (None, "auto", "none", {"type": "auto"}):
            asked(route, **{field: offered}, tool_choice=chosen)
        for chosen in ("required", "any", {"type": "any"}, {"type": "tool", "name": "f"}, {"type": "function"}):
            assert refused(route, **{field: offered}, tool_choice=chosen).param == field
    for chosen in ({"name": "f"}, "f"):
        assert refused("chat", functions=[{"name": "f", "parameters": FORCING["digits"]}], function_call=chosen)
    for route, field, offered in tools(FREE["words"], strict=True):
        asked(route, **{field: offered}, tool_choice="required")


def test_a_tools_grammar_needs_the_permission() -> None:
    for how in ({"type": "grammar", "syntax": "regex", "definition": "[0-9]"}, {"type": "new"}, "grammar"):
        tool = {"type": "custom", "name": "f", "format": how}
        assert refused("responses", tools=[tool]).param == "tools"
        assert refused("chat", tools=[{"type": "custom", "custom": tool}]).param == "tools"
        asked("responses", Permission.GRAMMAR, tools=[tool])
