"""Responses and messages of six servers through the guard, at every cut.

They are byte-equal where nothing is found, and leak nothing where something is. All events of a text agree.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import serve_events as events
import serve_golden as golden
from serve_events import ALL, MESSAGES, RESPONSES, frames, named, route_of, run, said, tellings
from serve_golden import BLOCK, EMAIL, HARMLESS, IBAN, INDEX, INSTEAD, PHONE, RECORDED, REFUSE, SECRETS, STOP, Policy

from reticent.policy.options import HoldLimits
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.stream_guard import StreamGuard

TAGS = {IBAN: "<IBAN_CODE>", PHONE: "<PHONE_NUMBER>", EMAIL: "<EMAIL_ADDRESS>"}


def has_any(stream: bytes, value: str) -> bool:
    """Whether any six characters of a value stand in a stream, or any four of its letters and digits in the text."""
    raw, form, text = stream.decode(), golden.letters(value), golden.letters(said(stream))
    return any(value[at : at + 6] in raw for at in range(len(value) - 5)) or any(
        form[at : at + 4] in text for at in range(len(form) - 3)
    )


@pytest.mark.parametrize("name", ALL)
def test_a_harmless_stream_is_byte_equal(name: str) -> None:
    stream = ALL[name](HARMLESS)
    assert run([stream], route=route_of(name), index=INDEX) == stream
    assert run((bytes([byte]) for byte in stream), route=route_of(name)) == stream  # every byte is a cut


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("value", SECRETS)
def test_a_value_does_not_leak(name: str, value: str) -> None:
    stream = ALL[name](golden.leaking(value))
    expected = run([stream], route=route_of(name))
    assert not has_any(expected, value)
    assert said(expected) == f"You can use {TAGS[value]}, which is it."
    assert run((bytes([byte]) for byte in stream), route=route_of(name)) == expected


@pytest.mark.parametrize("name", RESPONSES)
@pytest.mark.parametrize("value", SECRETS)
def test_every_telling_of_a_text_agrees(name: str, value: str) -> None:
    stream = RESPONSES[name](golden.leaking(value))
    came, went = tellings(stream), tellings(run([stream]))
    assert {len(texts) for texts in came.values()} <= {1, 2}
    for how, texts in came.items():
        assert went[how] == [text.replace(value, TAGS[value]) for text in texts], how


@pytest.mark.parametrize("name", ["responses_llama_cpp", "messages_vllm"])
def test_at_every_cut_a_short_stream_gives_the_same(name: str) -> None:
    stream = ALL[name](["Use ", PHONE, " now"])
    expected = run([stream], route=route_of(name))
    for cut in range(0, len(stream) + 1, 7):
        assert run([stream[:cut], stream[cut:]], route=route_of(name)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("pieces", [HARMLESS, *map(golden.leaking, SECRETS)], ids=["harmless", *TAGS.values()])
def test_at_every_cut_every_stream_gives_the_same(name: str, pieces: list[str]) -> None:
    stream = ALL[name](pieces)
    expected = run([stream], route=route_of(name))
    assert (expected == stream) == (pieces is HARMLESS)
    for cut in range(len(stream) + 1):
        assert run([stream[:cut], stream[cut:]], route=route_of(name)) == expected


@pytest.mark.parametrize("name", ALL)
def test_the_records_tier_stops_what_a_record_holds_and_nothing_else(name: str) -> None:
    route = route_of(name)
    out = run([ALL[name](golden.leaking(PHONE))], RECORDED, route, index=INDEX)
    assert said(out) == "You can use <PHONE_NUMBER>, which is it."
    other = ALL[name](golden.leaking("+1 212 555 0187"))
    assert run([other], RECORDED, route, index=INDEX) == other


@pytest.mark.parametrize("name", ALL)
def test_what_the_user_typed_comes_back_untouched(name: str) -> None:
    stream = ALL[name](golden.leaking(EMAIL))
    typed = f"Is {EMAIL} all right?"
    asked: dict[str, Any] = (
        {"input": typed} if name in RESPONSES else {"messages": [{"role": "user", "content": typed}]}
    )
    assert run([stream], route=route_of(name), **asked) == stream


def test_only_changed_events_are_written_anew() -> None:
    stream = events.messages_anthropic(golden.leaking(EMAIL))
    came, went = stream.split(b"\n\n"), run([stream], route="messages").split(b"\n\n")
    kept = [each for each in went if each in came]
    assert len(kept) == len(went) - 1  # but for the event in which the value began
    assert kept == [each for each in came if each in kept]


# Blocks

SAID = {"stop": "You can use <IBAN_CODE>", "block": "You can use ", "instead": "You can use I may not say that."}
POLICIES = {"stop": STOP, "block": BLOCK, "instead": INSTEAD}


@pytest.mark.parametrize("name", RESPONSES)
@pytest.mark.parametrize("how", POLICIES)
def test_an_ended_response_is_closed_once_and_says_the_same_everywhere(name: str, how: str) -> None:
    stream = RESPONSES[name](golden.leaking(IBAN))
    out = run([stream], POLICIES[how])
    found = frames(out)
    assert not has_any(out, IBAN)
    assert [frame["type"] for frame in found[-4:]] == [
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.incomplete",
    ]
    versions = tellings(out)
    assert {how: texts[-1] for how, texts in versions.items()} == dict.fromkeys(versions, SAID[how])
    last = found[-1]["response"]
    assert (last["status"], last["incomplete_details"]) == ("incomplete", {"reason": "content_filter"})
    assert [item["status"] for item in last["output"][1:]] == [found[-2]["item"]["status"]] == ["incomplete"]
    assert {key: last[key] for key in frames(stream)[0]["response"].keys() - {"status", "output", "usage"}} == {
        **{
            key: found[0]["response"][key]
            for key in frames(stream)[0]["response"].keys() - {"status", "output", "usage"}
        },
        **(
            {"incomplete_details": {"reason": "content_filter"}} if "incomplete_details" in found[0]["response"] else {}
        ),
    }
    assert out.count(b"response.incomplete\n") == 1
    numbers = [frame.get("sequence_number") for frame in found]
    assert numbers == sorted(set(numbers)) if name != "responses_llama_cpp" else set(numbers) == {None}
    assert run((bytes([byte]) for byte in stream), POLICIES[how]) == out


@pytest.mark.parametrize("name", MESSAGES)
@pytest.mark.parametrize("how", POLICIES)
def test_an_ended_message_is_closed_once(name: str, how: str) -> None:
    stream = MESSAGES[name](golden.leaking(IBAN))
    out = run([stream], POLICIES[how], "messages")
    found = frames(out)
    assert not has_any(out, IBAN)
    assert said(out) == SAID[how]
    assert found[-2]["delta"] == {"stop_reason": "refusal", "stop_sequence": None}
    assert found[-2]["usage"] == found[0]["message"]["usage"]
    assert [frame["type"] for frame in found[-3:]] == ["content_block_stop", "message_delta", "message_stop"]
    opened = [frame["index"] for frame in found if frame["type"] == "content_block_start"]
    closed = [frame["index"] for frame in found if frame["type"] == "content_block_stop"]
    assert (opened, sorted(closed)) == ([0, 1], [0, 1])
    assert run((bytes([byte]) for byte in stream), POLICIES[how], "messages") == out


@pytest.mark.parametrize("name", ALL)
def test_a_block_as_an_error_is_the_last_event(name: str) -> None:
    out = run([ALL[name](golden.leaking(IBAN))], REFUSE, route_of(name))
    *before, last = frames(out)
    assert said(out) == "You can use "
    assert last["type"] == "error"
    assert last["error"]["message"] == "The answer was withheld by the operator's privacy policy."
    if name in RESPONSES:
        assert (last["code"], last["param"], last["message"]) == ("content_filter", None, last["error"]["message"])
        assert last.get("sequence_number") == (
            None if name == "responses_llama_cpp" else before[-1]["sequence_number"] + 1
        )
    else:
        assert last == {"type": "error", "error": {**last["error"], "type": "invalid_request_error"}}
    assert b"[DONE]" not in out


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("policy", [STOP, BLOCK, INSTEAD])
def test_a_value_in_the_thoughts_ends_the_answer_there(name: str, policy: Policy) -> None:
    stream = ALL[name](["Yes", "."]).replace(b" me see", f" mail {EMAIL} so".encode())
    stream = stream.replace(b" well.", f" mail {EMAIL} so".encode())
    out = run([stream], policy, route_of(name))
    assert not has_any(out, EMAIL)
    assert said(out) == ("I may not say that." if policy is INSTEAD else "")
    assert frames(out)[-1]["type"] == ("response.incomplete" if name in RESPONSES else "message_stop")


# What leaves when


@pytest.mark.parametrize("name", ALL)
def test_only_text_is_held(name: str) -> None:
    guard = StreamGuard(events.reader(route=route_of(name)))
    stream = ALL[name](["Call +1 212", " times."])
    start = stream.index(b"Call +1 212")
    end = stream.index(b"\n\n", start) + 2
    first = stream[: stream.rindex(b"event:", 0, start)]
    assert guard.feed(stream[:end], 0.0) == first
    assert guard.feed(stream[end:], 0.0) + guard.finish(0.0) == stream[len(first) :]


def test_where_another_item_begins_the_open_end_of_a_text_is_judged() -> None:
    search = {"id": "ws_67ccf190ca3881909d433c50b1f6357e", "type": "web_search_call", "status": "in_progress"}
    for first in (
        events.call_events("{}", 1)[0],
        {"type": "response.output_item.added", "output_index": 1, "item": search},
    ):
        guard = StreamGuard(events.reader())
        begun = events.streamed(events.message_events(["So it is 42"]))[:-1]
        assert b"42" not in guard.feed(events.bare(begun), 0.0)
        assert b"42" in guard.feed(named(first), 0.0)
    guard = StreamGuard(events.reader(route="messages"))
    begun = events.message_stream(events.text_block(["So it is 42"]))[:-2]
    assert b"42" not in guard.feed(events.bare(begun), 0.0)
    assert b"42" in guard.feed(named(events.tool_block({}, 1)[0]), 0.0)


def test_a_text_is_known_again_under_another_number_and_id() -> None:
    policy = golden.replace(golden.REDACT, hold=HoldLimits(max_seconds=2.0))
    guard = StreamGuard(events.reader(policy))
    text = "Mail jane.roe@"
    *begun, end = events.streamed(events.summary_events(["Hm."]), events.message_events([text], 1))
    guard.feed(events.bare(begun), 1.0)
    guard.expire(3.0)
    other = {**end, "response": {**end["response"], "output": [events.message(text, name="msg_2")]}}
    out = guard.feed(named(other), 3.0)
    assert frames(out)[-1]["response"]["output"][0]["content"][0]["text"] == "Mail <UNDECIDED>"


def test_what_is_held_too_long_is_decided_and_stays_so_ever_after() -> None:
    policy = golden.replace(golden.REDACT, hold=HoldLimits(max_seconds=2.0))
    guard = StreamGuard(events.reader(policy))
    *begun, end = events.streamed(events.message_events(["Mail jane.roe@"]))
    guard.feed(events.bare(begun), 1.0)
    assert guard.deadline == 3.0
    assert b"<UNDECIDED>" in guard.expire(3.0)
    assert b"Mail <UNDECIDED>" in guard.feed(named(end), 3.0)


def test_a_block_wants_nothing_more_of_the_upstream() -> None:
    for name in ("responses_openai", "messages_anthropic"):
        guard = StreamGuard(events.reader(BLOCK, route_of(name)))
        stream = ALL[name](golden.leaking(IBAN))
        out = guard.feed(stream[: stream.index(b"which")], 0.0)
        assert guard.done is False
        out += guard.feed(stream[stream.index(b"which") :][:900], 0.0)
        assert guard.done
        assert guard.finish(0.0) == b""
        assert frames(out)[-1]["type"] in ("response.incomplete", "message_stop")


# Ends and errors


@pytest.mark.parametrize("name", ALL)
def test_a_stream_that_breaks_off_ends_in_one_error(name: str) -> None:
    stream = ALL[name](["Mail ", EMAIL[:9], "and"])
    cut = stream[: stream.index(b"and")]
    out = run([cut], route=route_of(name))
    last = frames(out)[-1]
    assert (last["type"], last["error"]["message"]) == ("error", "The model server broke off its answer.")
    assert EMAIL[:9] not in out.decode()
    assert said(out).startswith("Mail ")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    "junk", [b"data: {oops}\n\n", b'data: "jane"\n\n', b'data: {"a": "\xff"}\n\n', b"data: [1]\n\n"]
)
def test_what_cannot_be_read_ends_the_stream(name: str, junk: bytes) -> None:
    stream = ALL[name](["Hi there ", EMAIL[:9], "and"])
    cut = stream.index(b"event:", stream.index(EMAIL[:9].encode()))
    out = run([stream[:cut] + junk + stream[cut:]], route=route_of(name))
    assert frames(out)[-1]["error"]["message"].endswith("could not be read, so it was withheld.")
    assert b"jane" not in out
    assert b"oops" not in out


@pytest.mark.parametrize("name", ALL)
def test_nothing_after_the_end_is_read_but_done(name: str) -> None:
    stream = ALL[name](["Hi."]).removesuffix(b"data: [DONE]\n\n")
    extra = ALL[name]([EMAIL]).removesuffix(b"data: [DONE]\n\n")
    assert run([stream + extra], route=route_of(name)) == stream
    assert run([stream + extra + b"data: [DONE]\n\n"], route=route_of(name)) == stream + b"data: [DONE]\n\n"


ERRORS = {
    "openai": ("responses", {"type": "error", "code": "server_error", "message": "Try later", "param": None}),
    "openai, nested": ("responses", {"type": "error", "error": {"code": "x", "message": "Try later", "param": None}}),
    "vllm": ("responses", {"error": {"message": "Try later", "type": "BadRequestError", "param": None, "code": 400}}),
    "anthropic": ("messages", {"type": "error", "error": {"type": "overloaded_error", "message": "Try later"}}),
}


@pytest.mark.parametrize(("route", "error"), ERRORS.values(), ids=ERRORS)
def test_an_error_in_a_stream_is_passed_on_once_and_judged(route: str, error: dict[str, Any]) -> None:
    name = "responses_openai" if route == "responses" else "messages_anthropic"
    stream = ALL[name](["Hi.", "and"])
    begun = stream[: stream.rindex(b"event:", 0, stream.index(b"and"))]
    frame = named(error) if "type" in error else golden.compact(error)
    out = run([begun + frame + stream], route=route)
    assert out == begun + frame
    out = run([begun + frame.replace(b"Try later", EMAIL.encode())], route=route)
    leaky = json.loads(out.rpartition(b"data: ")[2])
    assert EMAIL not in str(leaky)
    for shown, came in ((leaky, error), (leaky.get("error", {}), error.get("error", {}))):
        if "message" in came:
            assert shown["message"] == "The model server answered with an error."
            assert {name: shown.get(name) for name in came} == {**came, "message": shown["message"]}


def test_frames_that_wait_are_bounded() -> None:
    held = events.call_events('{"to": "' + "x" * 5000, 0)[:-2]
    out = run([events.bare(held)], bounds=Bounds(held_bytes=4000))
    assert frames(out)[-1]["error"]["code"] == "upstream_unreadable"
