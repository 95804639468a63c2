"""A value that comes in pieces: over parts, strings and numbers of one message, and over fields, items and frames."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import serve_events as events
import serve_golden as golden
from serve_golden import RECORDED, REDACT, compact

from reticent.records.index import RecordsIndex

NUMBER = "650-555-0142"
PIECES = ["650-", "555-", "0142"]
INDEX = RecordsIndex.build([("PHONE_NUMBER", NUMBER)], key=b"k" * 32)
TIERS = {"records": (RECORDED, INDEX), "unknown": (REDACT, None)}
every_tier = pytest.mark.parametrize("tier", TIERS)


def is_hidden(shown: Any) -> bool:
    """Whether no half of the number's digits stands in what is shown, in its order."""
    digits = re.sub(r"\D", "", json.dumps(shown))
    return not any("6505550142"[at : at + 5] in digits for at in range(6))


def whole(message: dict[str, Any], tier: str, **more: Any) -> Any:
    policy, index = TIERS[tier]
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop", **more}
    return golden.whole({"choices": [choice]}, policy, index=index)["choices"][0]


FORMS: dict[str, Any] = {
    "strings": PIECES,
    "parts": [{"type": "text", "text": piece} for piece in PIECES],
    "parts of another type": [{"type": "note", "text": piece} for piece in PIECES],
    "parts without a text": [{"type": "x", "value": piece} for piece in PIECES],
    "parts within parts": [{"type": "x", "content": [{"type": "text", "text": piece}]} for piece in PIECES],
    "one of each": ["650-", {"type": "text", "text": "555-"}, ["0142"]],
    "numbers among strings": ["Dial ", 650, "-", 555, "-", "0142"],
    "single characters": list(NUMBER),
    "one object": {"type": "text", "text": NUMBER},
    "an object of pieces": {"a": "650-", "b": "555-", "c": "0142"},
    "numbers": [650, 555, 142],
}


@every_tier
@pytest.mark.parametrize("name", FORMS)
def test_pieces_of_one_message_are_one_text(name: str, tier: str) -> None:
    shown = whole({"content": FORMS[name]}, tier)
    assert is_hidden(shown["message"]), shown
    policy, index = TIERS[tier]
    form = FORMS[name]
    forms = form if isinstance(form, list) else [form]
    for deltas in ([form], [[each] for each in forms]):
        chunks = [compact({"choices": [{"index": 0, "delta": {"content": each}}]}) for each in deltas]
        chunks += [compact({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}), b"data: [DONE]\n\n"]
        frames = golden.frames(golden.run(chunks, policy, index=index))
        assert is_hidden([choice.get("delta") for frame in frames for choice in frame["choices"]])


@every_tier
def test_harmless_pieces_leave_as_they_came(tier: str) -> None:
    for content in (["Ask ", "at the ", "desk."], [{"type": "text", "text": "Ask"}, "at 5", 5], ["a", None, True]):
        assert whole({"content": content}, tier)["message"]["content"] == content


@every_tier
@pytest.mark.parametrize("where", ["content", "summary"])
def test_parts_of_one_item_are_one_text(where: str, tier: str) -> None:
    policy, index = TIERS[tier]
    kind = {"content": "output_text", "summary": "summary_text"}[where]
    parts = [{"type": kind, "text": piece} for piece in PIECES]
    item = {"type": "message" if where == "content" else "reasoning", "id": "msg_1", where: parts}
    body = {"id": "resp_1", "object": "response", "status": "completed", "model": "small", "output": [item]}
    assert is_hidden(events.whole(body, policy, "responses", index=index)["output"])


@every_tier
def test_blocks_of_text_are_one_text(tier: str) -> None:
    policy, index = TIERS[tier]
    for kind in ("text", "thinking"):
        blocks = [{"type": kind, kind: piece} for piece in PIECES]
        body = {**events.begun(), "content": blocks, "stop_reason": "end_turn"}
        assert is_hidden(events.whole(body, policy, "messages", index=index)["content"])
        stream = events.message_stream(*(maker([piece]) for piece in PIECES for maker in [events.text_block]))
        out = events.run([events.bare(stream)], policy, "messages", index=index)
        assert is_hidden(events.said(out))


NUMERIC: dict[str, Any] = {
    "an object": {"a": 650, "b": 555, "c": 142},
    "digits": {chr(97 + at): int(digit) for at, digit in enumerate("6505550142")},
    "a nested object": {"a": {"x": 650}, "b": {"y": {"z": 555}}, "c": [{"w": 142}]},
    "floats": {"a": 650.5, "b": 550.142},
    "one float": {"a": 6.505550142},
    "texts of digits": {"a": "650", "b": "555", "c": "0142"},
    "texts and numbers": {"a": "650-", "b": 555, "c": "0142"},
    "a mixed list": [{"a": 650}, 555, {"b": "0142"}],
    "negative": {"a": 650, "b": -555, "c": -142},
}


@every_tier
@pytest.mark.parametrize("name", NUMERIC)
def test_short_numbers_at_unknown_places_are_read_together(name: str, tier: str) -> None:
    policy, index = TIERS[tier]
    choice = {"index": 0, "message": {"role": "assistant", "content": "Here."}, "finish_reason": "stop"}
    for body in (
        {"choices": [choice], "facts": NUMERIC[name]},
        {"choices": [choice | {"facts": NUMERIC[name]}]},
        {"choices": [choice | {"message": {"role": "assistant", "content": "x", "facts": NUMERIC[name]}}]},
    ):
        out = golden.whole(body, policy, index=index)
        shown = [out.get("facts"), out["choices"][0].get("facts"), out["choices"][0]["message"].get("facts")]
        digits = re.sub(r"\D", "", json.dumps(shown))
        assert not re.search("650555|6505550142|650550142", digits), shown


@every_tier
def test_a_number_a_frame_spells_nothing(tier: str) -> None:
    policy, index = TIERS[tier]
    for numbers in ([650, 555, 142], list(map(int, "6505550142"))):
        for place in ("top", "choice", "delta"):
            chunks = []
            for number in numbers:
                delta = {"content": "x"} | ({"fact": number} if place == "delta" else {})
                choice = {"index": 0, "delta": delta} | ({"fact": number} if place == "choice" else {})
                chunks.append(compact({"choices": [choice]} | ({"fact": number} if place == "top" else {})))
            frames = golden.frames(golden.run([*chunks, b"data: [DONE]\n\n"], policy, index=index))
            shown = [
                {"t": f.get("fact"), "c": c.get("fact"), "d": c["delta"].get("fact")}
                for f in frames
                for c in f["choices"]
            ]
            assert "650555" not in re.sub(r"\D", "", json.dumps(shown)), (place, shown)


@every_tier
def test_what_servers_are_known_to_count_passes(tier: str) -> None:
    policy, index = TIERS[tier]
    usage = {"prompt_tokens": 650, "completion_tokens": 555, "total_tokens": 142, "details": {"x": 650, "y": 555}}
    choice = {"index": 0, "message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}
    body = {"choices": [choice], "usage": usage, "metrics": {"queue_time": 0.25, "total_time": 12.5}, "cost": 0.0125}
    assert golden.whole(body, policy, index=index) == body
    settings = {"temperature": 0.7, "top_p": 0.95, "top_k": 40, "seed": 1234}
    assert golden.whole(body | settings, policy, index=index) == body | settings
