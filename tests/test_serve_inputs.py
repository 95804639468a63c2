"""Whose text is whose in a chat's typed parts: the same on all three routes that carry turns."""

from __future__ import annotations

from typing import Any

import pytest

from reticent.prompt.segments import PromptView
from reticent.serve.api.api_format import ApiFormat
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.messages.api_format import MessagesFormat
from reticent.serve.api.responses.api_format import ResponsesFormat
from reticent.serve.request_bounds import Bounds
from reticent.serve.wire.errors import ApiError

ROUTES: dict[str, tuple[ApiFormat, str]] = {
    "chat": (ChatFormat(), "messages"),
    "responses": (ResponsesFormat(), "input"),
    "messages": (MessagesFormat(), "messages"),
}
every_route = pytest.mark.parametrize("route", ROUTES)


def view(route: str, *turns: dict[str, Any]) -> PromptView:
    dialect, field = ROUTES[route]
    return dialect.parse_request({"model": "small", field: list(turns)}, frozenset(), False, Bounds()).views[0]


def turn(role: str, *content: Any) -> dict[str, Any]:
    return {"role": role, "content": list(content)}


@every_route
@pytest.mark.parametrize("kind", ["text", "input_text"])
def test_a_users_text_is_the_users_own(route: str, kind: str) -> None:
    seen = view(route, turn("user", "Hello.", {"type": kind, "text": "Is it 5?"}))
    assert (seen.user, seen.operator) == ("Hello.\nIs it 5?", "")
    assert seen.context.question == "Hello.\nIs it 5?"


@every_route
@pytest.mark.parametrize(
    "part",
    [
        {"type": "document", "text": "Tel. 6"},
        {"type": "retrieved", "text": "Tel. 6", "score": 0.5},
        {"type": "output_text", "text": "Tel. 6"},
        {"type": ["text"], "text": "Tel. 6"},
        {"text": "Tel. 6"},
        {"type": "document", "document": {"title": "Deed", "text": "Tel. 6"}},
        {"type": "text", "text": {"value": "Tel. 6"}},
    ],
)
def test_text_of_another_type_in_a_users_turn_is_the_operators(route: str, part: dict[str, Any]) -> None:
    seen = view(
        route, turn("user", {"type": "text", "text": "Read this:"}, part, {"type": "text", "text": "Who is it?"})
    )
    assert seen.user == "Read this:\nWho is it?"
    assert "Tel. 6" in seen.operator
    assert seen.context.question == "Who is it?"


@every_route
def test_pictures_and_sounds_are_no_text(route: str) -> None:
    sound = {"type": "input_audio", "input_audio": {"data": "UklGRiQA", "format": "wav"}}
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD"}}
    seen = view(route, turn("user", sound, picture, {"type": "text", "text": "Who is it?"}))
    assert (seen.user, seen.operator) == ("Who is it?", "")


@every_route
@pytest.mark.parametrize("role", ["assistant", "model"])
def test_the_models_turns_are_nobodys(route: str, role: str) -> None:
    said = {"type": "text", "text": "It is 46"}
    asked = turn("user", {"type": "text", "text": "How old?"})
    earlier = view(route, asked, turn(role, said), asked)
    assert (earlier.user, earlier.operator) == ("How old?\nHow old?", "")
    assert view(route, asked, turn(role, said)).context.left == "It is 46"


@every_route
@pytest.mark.parametrize("role", ["system", "developer", "tool", "wizard"])
def test_all_other_turns_are_the_operators(route: str, role: str) -> None:
    seen = view(route, turn(role, {"type": "text", "text": "Be brief."}), turn("user", "Who?"))
    assert (seen.user, seen.operator) == ("Who?", "Be brief.")


@every_route
def test_content_that_is_neither_text_nor_parts_is_refused(route: str) -> None:
    for content in (7, {"type": "text", "text": "x"}, [7], [None]):
        with pytest.raises(ApiError) as refused:
            view(route, {"role": "user", "content": content})
        assert (refused.value.code, refused.value.param) == ("invalid_type", ROUTES[route][1])


@every_route
@pytest.mark.parametrize(
    "field",
    [
        {"tools": [{"type": "function", "name": "dial", "description": "Dials. The desk is Tel. 6"}]},
        {"notes_for_staff": {"desk": ["Tel. 6"]}},
    ],
)
def test_descriptions_of_tools_and_fields_that_no_api_names_are_the_operators(
    route: str, field: dict[str, Any]
) -> None:
    dialect, turns_of = ROUTES[route]
    body = {"model": "Tel. 7", turns_of: [{"role": "user", "content": "Who is it?"}], "user": "Tel. 8", **field}
    seen = dialect.parse_request(body, frozenset(), False, Bounds()).views[0]
    assert seen.user == "Who is it?"
    assert "Tel. 6" in seen.operator and "Tel. 7" not in seen.operator and "Tel. 8" not in seen.operator
