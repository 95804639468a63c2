"""The JSON schema of an answer: when its mask sets nothing but syntax, and whose words its texts are."""

from __future__ import annotations

from typing import Any

import pytest

from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.bounds import Bounds
from reticent.serve.options import Permission
from reticent.serve.wire.parsed_request import ParsedRequest

USER = [{"role": "user", "content": "Which number do I dial?"}]


def asked(**fields: Any) -> ParsedRequest:
    body = {"model": "small", "messages": USER, **fields}
    return ChatFormat().parse_request(body, frozenset({Permission.GRAMMAR}), False, Bounds())


def schema(value: Any) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": value, "strict": True}}


def named(**properties: Any) -> dict[str, Any]:
    return schema({"type": "object", "properties": properties})


FREE = [
    {"type": "json_object"},
    named(),
    named(name={"type": "string", "description": "a full name"}, born={"type": ["string", "null"]}),
    named(people={"type": "array", "items": {"type": "object", "properties": {"street": {"type": "string"}}}}),
    schema(
        {"$schema": "x", "title": "T", "type": "object", "required": ["phone_number"], "additionalProperties": False}
    ),
    schema(
        {
            "$defs": {"Person": {"properties": {"name": {"anyOf": [{"type": "string"}, {"type": "null"}]}}}},
            "properties": {"person": {"$ref": "#/$defs/Person"}},
        }
    ),
    schema(True),
]
BOUND = [
    *(named(phone={"type": "string", keyword: value}) for keyword, value in (
        ("enum", ["555-0100"]), ("const", "555-0100"), ("pattern", "^555-01[0]0$"), ("minLength", 8),
        ("format", "ipv4"), ("anyOf", [{"const": "555-0100"}]), ("anyOf", {}), ("$ref", "#/examples/0"),
        ("$ref", "https://a.example/#/$defs/phone"), ("$ref", 1), ("$defs", {"phone": {"const": "555-0100"}}),
        ("unheard_of", 1), ("type", {"const": 1}), ("type", [["string"]]), ("items", {"enum": ["555-0100"]}),
    )),
    named(pin={"type": "integer", "minimum": 4821, "maximum": 4821}),
    named(**{"555_0100": {}}), named(**{"Acme Hospital": {}}), named(phone=7),
    schema({"type": "object", "required": ["555-0100"]}), schema({"additionalProperties": {"enum": ["555-0100"]}}),
    schema({"properties": ["phone"]}), schema(None), schema([]),
    {"type": "json_schema"}, {"type": "json_schema", "json_schema": []}, {"type": "text"}, {"type": "structural_tag"},
]  # fmt: skip


@pytest.mark.parametrize("form", FREE, ids=str)
def test_names_and_types_are_syntax(form: dict[str, Any]) -> None:
    assert asked(response_format=form).masks_syntax
    prompt = {"model": "small", "prompt": "Dial", "response_format": form}
    assert CompletionsFormat().parse_request(prompt, frozenset(), False, Bounds()).masks_syntax
    # Another grammar beside it may spell out anything.
    assert not asked(response_format=form, structured_outputs={"regex": "555-0100"}).masks_syntax


@pytest.mark.parametrize("form", BOUND, ids=str)
def test_whatever_may_spell_a_value_out_is_more(form: dict[str, Any]) -> None:
    assert not asked(response_format=form).masks_syntax


def test_without_a_schema_and_beside_pictures_nothing_is_asked_again() -> None:
    assert not asked().masks_syntax and not asked(response_format=None).masks_syntax
    deep: dict[str, Any] = {"type": "string"}
    for _ in range(20):
        deep = {"type": "array", "items": deep}
    assert not asked(response_format=schema(deep)).masks_syntax
    text, image = {"type": "text", "text": "Dial?"}, {"type": "image_url", "image_url": {"url": "https://a.example"}}
    for parts, is_text in (([text], True), ([text, image], False), ([image], False)):
        turns = [{"role": "user", "content": parts}]
        assert asked(messages=turns, response_format=FREE[0]).masks_syntax is is_text


def test_texts_of_a_schema_are_the_operators() -> None:
    form = named(phone={"type": "string", "enum": ["555-0100"], "description": "as it is dialled"})
    view = asked(response_format=form).views[0]
    assert view.user == "Which number do I dial?"
    assert "555-0100" in view.operator and "as it is dialled" in view.operator
    prompt = {"model": "small", "prompt": "Dial", "response_format": form}
    view = CompletionsFormat().parse_request(prompt, frozenset(), False, Bounds()).views[0]
    assert view.user == "Dial" and "555-0100" in view.operator
