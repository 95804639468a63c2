"""Frames: choices, channels, tool calls, log-probabilities, usage, blocks, errors, the default for unknown fields."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
import serve_events as events
import serve_golden as golden
from serve_golden import BLOCK, EMAIL, IBAN, INDEX, INSTEAD, PHONE, RECORDED, REDACT, REFUSE, STOP, compact, run, whole

from reticent.policy.options import HoldLimits
from reticent.policy.policy import DEFAULT, Policy, Rule
from reticent.policy.redaction import RedactionStyle
from reticent.policy.verdict import Action, Origin
from reticent.records.index import RecordsIndex
from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.stream_guard import StreamGuard
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.sse import DONE_EVENT, FrameError

TOP = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1732200000, "model": "small"}
TOOLS = [{"type": "function", "function": {"name": "send", "parameters": {}}}]


def chunk(delta: dict[str, Any], index: int = 0, reason: str | None = None, **more: Any) -> bytes:
    return compact({**TOP, "choices": [{"index": index, "delta": delta, "finish_reason": reason, **more}]})


def text(content: str, index: int = 0, **more: Any) -> bytes:
    return chunk({"content": content}, index, **more)


def end(reason: str = "stop", index: int = 0) -> bytes:
    return chunk({}, index, reason)


USAGE = compact({**TOP, "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}})
WANTED = {"stream": True, "stream_options": {"include_usage": True}}


def message(**fields: Any) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", **fields}, "logprobs": None, "finish_reason": "stop"}
    return {**TOP, "object": "chat.completion", "choices": [choice]}


def content_of(body: Any) -> Any:
    return body["choices"][0]["message"]["content"]


# What leaves when


def test_the_role_leaves_at_once_and_only_text_is_held() -> None:
    guard = StreamGuard(golden.reader())
    first = chunk({"role": "assistant", "content": ""})
    assert guard.feed(first, 0.0) == first
    assert guard.feed(text("Call +1 212"), 0.0) == b""
    more = text(" times, we walked on")  # the tagger waits for eight words
    assert guard.feed(more, 0.0) == text("Call +1 212")
    assert guard.feed(end() + DONE_EVENT, 0.0) == more + end()
    assert guard.done
    assert guard.finish(0.0) == DONE_EVENT


def test_a_value_over_frames_stands_in_the_frame_in_which_it_begins() -> None:
    stream = [text("Mail "), text("jane.roe", x=1), text("@example."), text("com now"), end(), DONE_EVENT]
    assert run(stream) == b"".join([text("Mail "), text("<EMAIL_ADDRESS>", x=1), text(" now"), end(), DONE_EVENT])


def test_the_rest_of_a_changed_frame_stays() -> None:
    odd = {**json.loads(text(f"Mail {EMAIL}.")[6:]), "x": {"y": [1, True, None, "fine"]}}
    out = golden.frames(run([compact(odd), end(), DONE_EVENT]))[0]
    assert out["x"] == odd["x"]
    assert out["choices"][0]["delta"]["content"] == "Mail <EMAIL_ADDRESS>."


def test_frames_that_say_nothing_any_more_are_dropped() -> None:
    stream = [chunk({"role": "assistant", "content": piece}) for piece in ("It is ", *IBAN, " ok")]
    out = golden.frames(run([*stream, end(), DONE_EVENT]))
    assert [f["choices"][0]["delta"].get("content") for f in out] == ["It is ", "<IBAN_CODE>", " ok", None]


def test_what_is_held_too_long_is_redacted_not_flushed() -> None:
    policy = replace(REDACT, hold=HoldLimits(max_seconds=2.0))
    guard = StreamGuard(golden.reader(policy))
    assert guard.feed(text("Mail jane.roe@"), 1.0) == b""
    assert guard.deadline == 3.0
    assert guard.expire(2.9) == b""
    assert b"jane" not in (out := guard.expire(3.0))
    assert out == text("Mail <UNDECIDED>")


def test_a_held_choice_is_decided_in_time_while_another_talks_on() -> None:
    policy = replace(REDACT, hold=HoldLimits(max_seconds=2.0))
    guard = StreamGuard(golden.reader(policy, n=2))
    out = guard.feed(b"".join(two(text("Mail jane.roe@", 0))), 0.0)
    for second in (1.0, 1.9):
        out += guard.feed(text(" so,", 1), second)
    assert golden.said(out + DONE_EVENT) == golden.said(out + DONE_EVENT, 1) == ""
    out += guard.feed(text(" so,", 1), 2.0)
    assert golden.said(out + DONE_EVENT) == "Mail <UNDECIDED>"
    assert golden.said(out + DONE_EVENT, 1).startswith(" so, so")


def test_reasoning_that_ends_in_a_number_does_not_hold_the_answer() -> None:
    guard = StreamGuard(golden.reader())
    thought = chunk({"reasoning_content": "So it is 42"})
    assert guard.feed(thought, 0.0) == b""
    assert guard.feed(text("The answer"), 0.0).startswith(thought)


def test_a_value_split_by_another_channel_is_seen_where_it_goes_on() -> None:
    stream = [text("Call +1 212"), chunk({"reasoning": "hm"}), text(" 555 0123 now"), end(), DONE_EVENT]
    out = golden.said(run(stream, RECORDED, index=INDEX))
    assert "0123" not in out


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content", "refusal", "thinking"])
def test_every_text_of_a_message_is_a_channel(field: str) -> None:
    stream = [chunk({field: piece}) for piece in golden.leaking(EMAIL)]
    out = run([*stream, end(), DONE_EVENT])
    assert golden.said(out, field=field) == "You can use <EMAIL_ADDRESS>, which is it."
    assert (
        whole(message(**{"content": None, field: f"Mail {EMAIL}."}))["choices"][0]["message"][field]
        == "Mail <EMAIL_ADDRESS>."
    )


def test_typed_content_is_read() -> None:
    parts = [
        {"type": "text", "text": f"Mail {EMAIL}."},
        {"type": "thinking", "thinking": [{"type": "text", "text": PHONE}]},
    ]
    out = content_of(whole(message(content=parts)))
    assert out[0] == {"type": "text", "text": "Mail <EMAIL_ADDRESS>."}
    assert PHONE not in json.dumps(out)


# Several choices


def two(*more: bytes) -> list[bytes]:
    return [chunk({"role": "assistant", "content": ""}, i) for i in (0, 1)] + list(more)


def test_one_choice_is_blocked_and_the_other_lives() -> None:
    stream = two(
        text("It is ", 0), text("Fine", 1), text(IBAN, 0), text(" weather", 1), text(" then", 0), text(" today", 1)
    )
    out = run([*stream, end("stop", 0), end("length", 1), USAGE, DONE_EVENT], BLOCK, n=2, **WANTED)
    assert [golden.said(out, 0), golden.said(out, 1)] == ["It is ", "Fine weather today"]
    assert [golden.reasons(out, 0), golden.reasons(out, 1)] == [["content_filter"], ["length"]]
    assert golden.frames(out)[-1]["usage"]["total_tokens"] == 3


def test_when_all_choices_are_blocked_nothing_more_is_wanted() -> None:
    guard = StreamGuard(golden.reader(BLOCK, n=2))
    guard.feed(b"".join(two(text(f"{IBAN}, all right", 0))), 0.0)
    assert not guard.done
    guard.feed(text(f"{PHONE}, all right", 1), 0.0)
    assert guard.done


def test_a_frame_with_two_choices_loses_only_the_blocked_one() -> None:
    entries = [
        {"index": i, "delta": {"content": t}, "finish_reason": None} for i, t in ((0, f"{IBAN} x"), (1, "Sunny days"))
    ]
    out = run([compact({**TOP, "choices": entries}), end("stop", 0), end("stop", 1), DONE_EVENT], BLOCK, n=2)
    assert [golden.said(out, 0), golden.said(out, 1)] == ["", "Sunny days"]
    assert [golden.reasons(out, 0), golden.reasons(out, 1)] == [["content_filter"], ["stop"]]


def test_a_value_stopped_in_one_choice_is_stopped_in_the_other() -> None:
    spelled = "jane.roe (at) example.com"
    stream = two(text(f"Mail {EMAIL} now", 0), text(f"Or {spelled} now", 1), end("stop", 0), end("stop", 1), DONE_EVENT)
    out = run(stream, RECORDED, n=2, index=INDEX)
    assert "example" not in golden.said(out, 1)


@pytest.mark.parametrize("index", [2, -1, True, "0", 1.0])
def test_a_choice_that_was_not_asked_for_is_an_error(index: Any) -> None:
    out = run([text("Hi there you"), chunk({"content": EMAIL}, index), DONE_EVENT], n=2)
    assert golden.frames(out)[-1]["error"]["code"] == "upstream_unreadable"
    assert EMAIL.encode() not in out


def test_after_its_finish_reason_a_choice_says_nothing() -> None:
    assert run([text("Hi"), end(), text(EMAIL), end(), DONE_EVENT]) == text("Hi") + end() + DONE_EVENT


def test_nothing_after_done_is_read() -> None:
    assert run([text("Hi"), end(), DONE_EVENT + text(EMAIL)]) == text("Hi") + end() + DONE_EVENT


# Blocks


def test_block_styles_streamed() -> None:
    stream = [chunk({"role": "assistant", "content": ""}), text("It is "), text(IBAN), text(" ok"), end(), DONE_EVENT]
    ended = chunk({}, 0, "content_filter", logprobs=None)

    def without_order(out: bytes) -> list[dict[str, Any]]:
        return golden.frames(out)

    assert without_order(run(stream, BLOCK)) == golden.frames(b"".join([*stream[:2], ended, DONE_EVENT]))
    instead = chunk({"content": "I may not say that."}, logprobs=None)
    assert without_order(run(stream, INSTEAD)) == golden.frames(b"".join([*stream[:2], instead, ended, DONE_EVENT]))
    out = golden.frames(run(stream, REFUSE))
    assert out[:2] == golden.frames(b"".join([*stream[:2], DONE_EVENT]))
    assert [frame["error"]["code"] for frame in out[2:]] == ["content_filter"]


def test_block_styles_whole() -> None:
    body = message(content=f"It is {IBAN} ok", reasoning_content="Well, then")
    out = whole(body, BLOCK)["choices"][0]
    assert (out["finish_reason"], out["message"]["content"]) == ("content_filter", "It is ")
    out = whole(body, INSTEAD)["choices"][0]
    assert (out["finish_reason"], out["message"]) == (
        "content_filter",
        {"role": "assistant", "content": "I may not say that."},
    )
    with pytest.raises(ApiError) as refused:
        whole(body, REFUSE)
    assert (refused.value.status, refused.value.code) == (400, "content_filter")


def test_a_stop_in_the_reasoning_ends_the_whole_answer() -> None:
    out = whole(message(content="Write to her.", reasoning_content=f"It is {EMAIL} ok"), STOP)["choices"][0]
    assert out["message"] == {"role": "assistant", "content": "", "reasoning_content": "It is <EMAIL_ADDRESS>"}
    assert out["finish_reason"] == "content_filter"


# Usage


def test_usage_is_waited_for_where_it_was_asked_for() -> None:
    guard = StreamGuard(golden.reader(BLOCK, **WANTED))
    out = guard.feed(text(f"It is {IBAN}, all right"), 1.0)
    assert not guard.done
    assert guard.deadline == 6.0
    out += guard.feed(text("more ") + end() + USAGE, 2.0)
    assert guard.done
    out += guard.finish(2.0)
    assert golden.frames(out)[-1]["usage"]["total_tokens"] == 3
    assert golden.reasons(out) == ["content_filter"]


def test_usage_is_not_waited_for_longer_because_the_upstream_talks_on() -> None:
    guard = StreamGuard(golden.reader(BLOCK, **WANTED))
    guard.feed(text(f"It is {IBAN}, all right"), 1.0)
    for second in (2.0, 5.9):
        assert guard.feed(text(" more"), second) == b""
        assert not guard.done
    guard.feed(text(" more"), 6.0)
    assert guard.done


def test_nothing_is_read_after_the_time_at_which_the_stream_ended() -> None:
    guard = StreamGuard(golden.reader(BLOCK, **WANTED))
    guard.feed(text(f"It is {IBAN}, all right"), 1.0)
    assert guard.feed(b"data: \xff\n\n", 6.0) == b"" and guard.done and guard.fault is None
    assert b'"error"' not in guard.finish(6.0)


def test_usage_that_does_not_come_is_not_made_up() -> None:
    guard = StreamGuard(golden.reader(BLOCK, **WANTED))
    out = guard.feed(text(f"It is {IBAN}, all right"), 1.0) + guard.expire(6.0)
    assert guard.done
    out += guard.finish(6.0)
    last = golden.frames(out)[-1]
    assert (last["choices"], last["usage"], last["id"]) == ([], None, "chatcmpl-1")


def test_no_usage_where_none_was_asked_for() -> None:
    out = run([text(f"It is {IBAN} ok"), end(), USAGE, DONE_EVENT], BLOCK)
    assert not any("usage" in frame for frame in golden.frames(out))
    plain = [text("Hi"), end(), USAGE, DONE_EVENT]
    assert run(plain) == b"".join(plain)  # the upstream's own is not ours to drop


# Errors in a stream

ERRORS: Sequence[tuple[str, bytes, Any]] = [
    (
        "vllm",
        compact({"error": {"message": "Out of room", "type": "BadRequestError", "param": None, "code": 400}}),
        400,
    ),
    ("openai", compact({"error": {"message": "Try later", "type": "server_error", "param": None, "code": None}}), None),
    ("llama.cpp", b'error: {"message":"Out of room","type":"server_error","code":500}\n\n', 500),
]


@pytest.mark.parametrize(("name", "frame", "code"), ERRORS, ids=[row[0] for row in ERRORS])
def test_an_error_in_a_stream_is_passed_on_once(name: str, frame: bytes, code: Any) -> None:
    out = run([text("Mail jane.ro"), frame, text("e@example.com"), DONE_EVENT])
    found = golden.frames(out)
    assert [f["error"]["code"] for f in found if "error" in f] == [code]
    assert "error" in found[-1]
    assert "jane" not in golden.said(b"".join(compact(f) for f in found[:-1]) + DONE_EVENT)
    leaky = frame.replace(b"Out of room", EMAIL.encode()).replace(b"Try later", EMAIL.encode())
    assert EMAIL.encode() not in run([text("Hi"), leaky])


# Tool calls


def call(arguments: str, index: int = 0, **first: Any) -> bytes:
    function = {"name": first.pop("name")} if "name" in first else {}
    return chunk({"tool_calls": [{"index": index, **first, "function": {**function, "arguments": arguments}}]})


def calling(*values: str, ends: bool = True) -> list[bytes]:
    out = [chunk({"role": "assistant", "content": None})]
    for index, value in enumerate(values):
        whole = json.dumps({"to": value, "n": 3})
        out.append(call("", index, id=f"call_{index}abcdefgh", type="function", name="send"))
        out += [call(whole[at : at + 5], index) for at in range(0, len(whole), 5)]
    return [*out, *([end("tool_calls"), DONE_EVENT] if ends else [])]


def test_harmless_calls_leave_as_they_came_and_when_they_are_complete() -> None:
    stream = calling("Bob", "lunch")
    assert run(stream, tools=TOOLS) == b"".join(stream)
    guard = StreamGuard(golden.reader(tools=TOOLS))
    first, *rest = calling("Bob", ends=False)
    assert guard.feed(first, 0.0) == first
    assert [guard.feed(each, 0.0) for each in rest] == [b""] * len(rest)
    assert guard.feed(end("tool_calls"), 0.0) == b"".join([*rest, end("tool_calls")])


@pytest.mark.parametrize("value", [EMAIL, PHONE, IBAN])
@pytest.mark.parametrize("policy", [REDACT, STOP, BLOCK], ids=["redact", "stop", "block"])
def test_a_call_with_a_stopped_value_never_arrives(value: str, policy: Policy) -> None:
    out = run(calling("Bob", value, "Cy"), policy, tools=TOOLS)
    calls = [c for f in golden.frames(out) for e in f["choices"] for c in e["delta"].get("tool_calls", [])]
    assert {each["index"] for each in calls} == {0}
    assert golden.reasons(out) == ["content_filter"]
    assert value[4:10] not in out.decode()


def test_a_value_in_escapes_is_seen() -> None:
    escaped = "".join(f"\\u{ord(char):04x}" for char in EMAIL)
    lines = IBAN.replace(" ", "\\n")  # seen only in what the escapes stand for
    for arguments in (f'{{"to": "{escaped}"}}', f'{{"{escaped}": 1}}', f'{{"to": "{lines}"}}', f'{{"to": "{lines}'):
        out = run([call(arguments, id="call_1", name="send"), end("tool_calls"), DONE_EVENT], tools=TOOLS)
        assert golden.frames(out)[0]["choices"][0] == {
            "index": 0, "delta": {}, "logprobs": None, "finish_reason": "content_filter",
        }  # fmt: skip


def test_a_number_and_a_name_in_a_call_are_judged() -> None:
    for function in ({"arguments": '{"phone": 12125550123}', "name": "send"}, {"arguments": "{}", "name": EMAIL}):
        body = message(content=None, tool_calls=[{"id": "call_1", "type": "function", "function": function}])
        out = whole(body, tools=TOOLS)["choices"][0]
        assert (out["message"].get("tool_calls", []), out["finish_reason"]) == ([], "content_filter")


@pytest.mark.parametrize("arguments", [{"to": EMAIL}, [EMAIL]])
def test_arguments_that_are_no_text_are_judged_too(arguments: Any) -> None:
    body = message(content=None, function_call={"name": "send", "arguments": arguments})
    out = whole(body, functions=[{"name": "send"}])["choices"][0]
    assert ("function_call" in out["message"], out["finish_reason"]) == (False, "content_filter")


def test_redacted_arguments_stay_json() -> None:
    reader = golden.reader(tools=TOOLS)
    reader._on_stopped_call = OnStoppedCall.REDACT
    guard = StreamGuard(reader)
    out = b"".join(guard.feed(piece, 0.0) for piece in calling(f"Jo <{EMAIL}>, or {PHONE}", "Bob")) + guard.finish(0.0)
    calls = [c for f in golden.frames(out) for e in f["choices"] for c in e["delta"].get("tool_calls", [])]
    arguments = ["".join(c["function"]["arguments"] for c in calls if c["index"] == index) for index in (0, 1)]
    assert [json.loads(each) for each in arguments] == [
        {"to": "Jo <<EMAIL_ADDRESS>>, or <PHONE_NUMBER>", "n": 3},
        {"to": "Bob", "n": 3},
    ]
    assert golden.reasons(out) == ["tool_calls"]


def test_a_number_cannot_be_redacted_so_the_call_is_withheld() -> None:
    reader = golden.reader(tools=TOOLS)
    reader._on_stopped_call = OnStoppedCall.REDACT
    guard = StreamGuard(reader)
    out = guard.feed(call('{"phone": 12125550123}', name="send") + end("tool_calls"), 0.0) + guard.finish(0.0)
    assert golden.reasons(out) == ["content_filter"]


def test_a_call_beyond_the_bound_is_withheld() -> None:
    bounds = Bounds(call_chars=100)
    stream = [call("", name="send"), *[call("abc ")] * 40, end("tool_calls"), DONE_EVENT]
    out = run(stream, bounds=bounds, tools=TOOLS)
    assert golden.reasons(out) == ["content_filter"]
    assert b"abc" not in out


# Log-probabilities


def tokens(*texts: str, best: str = EMAIL) -> dict[str, Any]:
    def one(token: str) -> dict[str, Any]:
        return {"token": token, "logprob": -0.5, "bytes": list(token.encode())}

    return {"content": [{**one(t), "top_logprobs": [one(t), one(best)]} for t in texts], "refusal": None}


def test_what_tells_how_much_of_a_prompt_was_kept_is_shown_by_permission_alone() -> None:
    """A server keeps answers as well: their count of kept tokens grows with each right guess of a redacted value."""
    body = message(content="Hello there")
    body["usage"] = {"prompt_tokens": 40, "total_tokens": 43, "prompt_tokens_details": {"cached_tokens": 32}}
    body["timings"] = {"cache_n": 32, "prompt_n": 8, "prompt_ms": 1.5, "predicted_n": 3}
    hidden = whole(body, cache_counts=False)
    assert hidden["usage"] == {**body["usage"], "prompt_tokens_details": {"cached_tokens": None}}
    assert hidden["timings"] == {"cache_n": None, "prompt_n": None, "prompt_ms": None, "predicted_n": 3}
    assert whole(body) == body
    chunk = {**TOP, "choices": [], "usage": {"prompt_tokens": 40, "prompt_tokens_details": {"cached_tokens": 0}}}
    stream = [text("Hello there"), end(), golden.event(chunk), DONE_EVENT]
    usage = golden.frames(run(stream, cache_counts=False, stream_options={"include_usage": True}))[-1]["usage"]
    assert usage["prompt_tokens_details"] == {"cached_tokens": None}


def test_the_count_of_a_messages_prompt_has_the_kept_part_by_permission_alone() -> None:
    """Anthropic's `input_tokens` lack what was kept."""
    counts = {"input_tokens": 8, "cache_read_input_tokens": 32, "cache_creation_input_tokens": 0, "output_tokens": 3}
    body = {
        "id": "msg_01XFDUDYJgAACzvnptvVoYEL", "type": "message", "role": "assistant", "model": "small",
        "content": [{"type": "text", "text": "Hello"}], "stop_reason": "end_turn", "stop_sequence": None,
        "usage": counts,
    }  # fmt: skip
    hidden = events.whole(body, route="messages", cache_counts=False)["usage"]
    assert hidden == {
        "input_tokens": 40, "cache_read_input_tokens": None, "cache_creation_input_tokens": None, "output_tokens": 3
    }  # fmt: skip
    assert events.whole(body, route="messages")["usage"] == counts


def test_log_probabilities_are_nulled_where_they_are_not_allowed() -> None:
    body = message(content="Hello there")
    body["choices"][0] |= {"logprobs": tokens("Hello", " there"), "token_ids": [1, 2], "prompt_token_ids": [3]}
    body |= {"prompt_logprobs": [None, {"5": {"decoded_token": EMAIL}}]}
    out = whole(body)
    assert EMAIL not in json.dumps(out)
    assert [out["choices"][0][name] for name in ("logprobs", "token_ids", "prompt_token_ids")] == [None] * 3
    legacy = {"tokens": ["Hi"], "token_logprobs": [-1.0], "top_logprobs": [{EMAIL: -1.0}], "text_offset": [0]}
    done = {**TOP, "choices": [{"index": 0, "text": "Hi", "logprobs": legacy, "finish_reason": "stop"}]}
    assert whole(done, route="completions")["choices"][0]["logprobs"] is None
    stream = [text("Hello there", logprobs=tokens("Hello", " there")), end(), DONE_EVENT]
    assert golden.frames(run(stream))[0]["choices"][0]["logprobs"] is None


def test_allowed_log_probabilities_lose_what_is_hidden_and_the_alternatives_in_every_span() -> None:
    allowed = (Permission.LOGPROBS, Permission.TOKEN_IDS)
    words = ["Mail ", "jane.roe", "@example.com", " or ", "+1 212 555 0199", " now"]
    plain = tokens(*words, best="x")
    body = message(content="".join(words))
    body["choices"][0] |= {"logprobs": plain, "token_ids": [1, 2]}
    out = whole(body, RECORDED, index=INDEX, allowed=allowed)["choices"][0]
    assert out["message"]["content"] == "Mail <EMAIL_ADDRESS> or +1 212 555 0199 now"
    shown = out["logprobs"]["content"]
    assert [each["token"] for each in shown] == ["Mail ", " or ", "+1 212 555 0199", " now"]
    assert [bool(each["top_logprobs"]) for each in shown] == [True, True, False, True]
    assert out["token_ids"] is None
    harmless = message(content="Hello there")
    harmless["choices"][0] |= {"logprobs": tokens("Hello", " there", best="x"), "token_ids": [1, 2]}
    assert whole(harmless, allowed=allowed) == harmless


def test_log_probabilities_that_tell_another_text_are_nulled() -> None:
    body = message(content="Hello there")
    for logprobs in (tokens(EMAIL), tokens("Hello"), {"content": [EMAIL]}, {"odd": EMAIL}, EMAIL):
        body["choices"][0]["logprobs"] = logprobs
        assert EMAIL not in json.dumps(whole(body, allowed=[Permission.LOGPROBS]))


def test_legacy_log_probabilities_stay_aligned() -> None:
    words = ["Mail ", EMAIL, " or ", PHONE[:-2] + "99", " now"]
    lists = {
        "tokens": words,
        "token_logprobs": [-1.0, -2.0, -3.0, -4.0, -5.0],
        "top_logprobs": [{w: -1.0, "x": -2.0} for w in words],
        "text_offset": [0, 5, 25, 29, 44],
    }
    body = {**TOP, "choices": [{"index": 0, "text": "".join(words), "logprobs": lists, "finish_reason": "length"}]}
    out = whole(body, RECORDED, route="completions", index=INDEX, allowed=[Permission.LOGPROBS])
    assert out["choices"][0]["logprobs"] == {
        "tokens": ["Mail ", " or ", words[3], " now"],
        "token_logprobs": [-1.0, -3.0, -4.0, -5.0],
        "top_logprobs": [{"Mail ": -1.0, "x": -2.0}, {" or ": -1.0, "x": -2.0}, None, {" now": -1.0, "x": -2.0}],
    }


# Every other field


def planted(value: Any) -> list[tuple[str, dict[str, Any]]]:
    """Whole answers and chunks with a value in one of their fields."""
    out: list[tuple[str, dict[str, Any]]] = []
    for place in ("id", "object", "model", "system_fingerprint", "service_tier", "provider", "warning", "created"):
        out.append((f"top.{place}", {**message(content="Hi there"), place: value}))
    out += [
        ("top list", {**message(content="Hi"), "notes": [{"a": [value]}]}),
        ("top name", {**message(content="Hi"), str(value): 1}),
        ("top deep name", {**message(content="Hi"), "meta": {"x": {str(value): 1}}}),
        ("usage", {**message(content="Hi"), "usage": {"prompt_tokens": value}}),
        ("usage details", {**message(content="Hi"), "usage": {"prompt_tokens_details": {"note": value}}}),
        ("timings", {**message(content="Hi"), "timings": {"prompt_n": value}}),
        ("prompt_logprobs", {**message(content="Hi"), "prompt_logprobs": [value]}),
        ("prompt_filter", {**message(content="Hi"), "prompt_filter_results": [{"detected": value}]}),
    ]
    for place in (
        "finish_reason",
        "native_finish_reason",
        "stop_reason",
        "matched_stop",
        "logprobs",
        "token_ids",
        "content_filter_results",
    ):
        body = message(content="Hi")
        body["choices"][0][place] = value
        out.append((f"choice.{place}", body))
    body = message(content="Hi")
    body["choices"][0]["seen"] = {"deep": [{"er": value}]}
    out.append(("choice deep", body))
    for place in ("role", "refusal", "reasoning", "reasoning_content", "annotations", "context", "name", "prefix"):
        out.append((f"message.{place}", message(content="Hi", **{place: value})))
    out += [
        ("audio data", message(content="Hi", audio={"id": "a", "data": value, "transcript": ""})),
        ("audio transcript", message(content="Hi", audio={"transcript": value})),
        ("reasoning details", message(content="Hi", reasoning_details=[{"type": "reasoning.text", "text": value}])),
        ("signature", message(content="Hi", reasoning_details=[{"type": "x", "signature": value}])),
        ("citation", message(content="Hi", annotations=[{"url_citation": {"title": value}}])),
        ("message name", message(content="Hi", **{str(value): "x"})),
    ]
    for place in ("id", "type", "index", "extra"):
        item = {"id": "call_1", "type": "function", "function": {"name": "send", "arguments": "{}"}} | {place: value}
        out.append((f"call.{place}", message(content=None, tool_calls=[item])))
    for place in ("name", "arguments", "extra"):
        function = {"name": "send", "arguments": "{}"} | {place: value}
        item = {"id": "call_1", "type": "function", "function": function}
        out.append((f"function.{place}", message(content=None, tool_calls=[item])))
    out.append(
        (
            "custom",
            message(
                content=None, tool_calls=[{"id": "c", "type": "custom", "custom": {"name": "send", "input": value}}]
            ),
        )
    )
    out.append(("odd calls", message(content=None, tool_calls=[value])))
    out.append(("odd content", message(content={"x": value})))
    return out


@pytest.mark.parametrize("value", [IBAN, EMAIL, PHONE, IBAN.replace(" ", ""), 12125550123, f"x {EMAIL} y"], ids=str)
def test_a_value_planted_in_any_field_never_arrives(value: Any) -> None:
    arrived = []
    for name, body in planted(value):
        for streamed in (False, True):
            if streamed:
                (choice,) = body["choices"]
                body = {
                    **body,
                    "choices": [{**{k: v for k, v in choice.items() if k != "message"}, "delta": choice["message"]}],
                }
                out = run([compact(body), end(), DONE_EVENT], tools=TOOLS).decode()
            else:
                try:
                    out = json.dumps(whole(body, tools=TOOLS))
                except FrameError:
                    out = ""
            if (IBAN if value == IBAN else str(value))[2:] in out or (isinstance(value, str) and EMAIL in out):
                arrived.append((name, streamed))
    assert arrived == []
    assert len(planted(value)) >= 45


SERVERS_IDS = [
    "chatcmpl-BkA1b2C3d4E5f6G7h8I9j0KlMnOpQ",
    "chatcmpl-0f8fad5b-d9cb-469f-a165-70867728950e",
    "chatcmpl-417",
    "cmpl-9c1185a5c5e9fc54612808977ee8f548",
    "0f8fad5b-d9cb-469f-a165-70867728950e",
    "gen-1732200000-aB3dE5fG7hJ9kL1mN2pQ",
    "c1",
    "msg_12",
    "",
]


@pytest.mark.parametrize("name", SERVERS_IDS)
def test_ids_that_servers_make_pass(name: str) -> None:
    stream = [text("Hi").replace(b"chatcmpl-1", name.encode()), end(), DONE_EVENT]
    assert run(stream) == b"".join(stream)


def test_a_value_in_an_id_is_replaced_by_one_that_the_stream_keeps() -> None:
    stream = [text(piece).replace(b"chatcmpl-1", EMAIL.encode()) for piece in ("It is ", IBAN, ", all right", " then")]
    ids = {frame["id"] for frame in golden.frames(run([*stream, DONE_EVENT], BLOCK))}
    assert len(ids) == 1
    assert all(each.startswith("id-") for each in ids)


def test_a_models_name_is_the_servers_or_the_clients() -> None:
    names = {"small": "small", "small-2024-08-06": "small-2024-08-06", EMAIL: "small", "org/other-7b": "org/other-7b"}
    for came, shown in names.items():
        assert whole({**message(content="Hi"), "model": came})["model"] == shown


def test_a_value_in_numbers_never_arrives() -> None:
    numbers = list(EMAIL.encode())
    shown = []
    for body in (
        {**message(content="Hi"), "odd": numbers},
        {**message(content="Hi"), "hidden_states": [[0.1] * 9]},
        message(content="Hi", odd=[numbers]),
        message(content=[{"type": "text", "text": "Hi", "tokens": numbers}]),
    ):
        shown.append(json.dumps(whole(body)))
    assert not [each for each in shown if "106, 97, 110" in each or "0.1" in each]


@pytest.mark.parametrize("field", ["provider", "thoughts"])
def test_a_value_in_pieces_in_an_unknown_field_is_stopped(field: str) -> None:
    stream = [compact({**json.loads(text(f"w{at} ")[6:]), field: EMAIL[at : at + 4]}) for at in range(0, len(EMAIL), 4)]
    shown = "".join(frame.get(field) or "" for frame in golden.frames(run([*stream, end(), DONE_EVENT])))
    assert "@example.com" not in shown
    assert "example" not in shown


def test_a_constant_in_an_unknown_field_is_left_alone() -> None:
    stream = [
        compact({**json.loads(text(piece)[6:]), "provider": "DeepInfra", "tier": "b"}) for piece in golden.HARMLESS
    ]
    assert run([*stream, end(), DONE_EVENT]) == b"".join([*stream, end(), DONE_EVENT])


def test_a_constant_in_a_message_holds_nothing_and_hides_nothing() -> None:
    stream = [chunk({"content": piece, "name": "assistant", "kind": "x"}) for piece in golden.HARMLESS * 2]
    guard = StreamGuard(golden.reader())
    left = b"".join(guard.feed(each, 0.0) for each in stream)
    assert left and b"".join(stream).startswith(left)
    leaky = [chunk({"content": piece, "name": EMAIL}) for piece in golden.HARMLESS]
    assert EMAIL.encode() not in run([*leaky, end(), DONE_EVENT])


def test_long_lists_of_what_nobody_knows_are_read_one_by_one() -> None:
    body = {
        **message(content="Hi", annotations=[{"url_citation": {"title": f"Part {x}x"}} for x in "abcdefgh" * 5]),
        "citations": ["https://a.example/b"] * 50,
    }
    assert whole(body, Policy()) == body


@pytest.mark.parametrize(("reason", "more"), [("length", {}), ("stop", {"stop": ["01"]})])
def test_a_value_that_the_end_cuts_short_is_no_text(reason: str, more: dict[str, Any]) -> None:
    out = run([text("Mail jane.roe@exam"), end(reason), DONE_EVENT], **more)
    assert golden.said(out) == "Mail <EMAIL_ADDRESS>"
    assert golden.reasons(out) == [reason]


def test_a_dropped_connection_after_the_last_word_is_no_error() -> None:
    guard = StreamGuard(golden.reader())
    out = guard.feed(text("Hi there.") + end(), 0.0) + guard.finish(0.0, ApiError(502, "x", code="x"))
    assert out == text("Hi there.") + end() + DONE_EVENT


def test_comments_and_names_of_events_are_judged() -> None:
    leaky = [f": {EMAIL}\n\n".encode(), f"event: {EMAIL}\n".encode() + text(" you")]
    kept = [b": fine\n\n", b"event: chunk\n" + text("Hi")]
    assert run([*kept, *leaky, end(), DONE_EVENT]) == b"".join([*kept, text(" you"), end(), DONE_EVENT])


def test_what_another_reader_may_take_for_data_is_withheld() -> None:
    marked = [b"\xef\xbb\xbf" + text(part) for part in ("jane.r", "oe@exam", "ple.com")]
    assert run([text("Hi"), *marked, end(), DONE_EVENT]) == text("Hi") + end() + DONE_EVENT
    beside = b" data: x\n" + text(" you")
    assert run([text("Hi"), beside, end(), DONE_EVENT]) == text("Hi") + text(" you") + end() + DONE_EVENT


def test_bytes_that_are_not_those_of_their_token_are_withheld() -> None:
    token = {"token": "Hi", "logprob": -0.1, "bytes": list(b"Hi"), "top_logprobs": []}
    wanted = {"allowed": [Permission.LOGPROBS], "logprobs": True}
    for spelt, shown in ((list(b"Hi"), [token]), (None, [token | {"bytes": None}]), (list(EMAIL.encode()), None)):
        stream = [text("Hi", logprobs={"content": [token | {"bytes": spelt}]}), end(), DONE_EVENT]
        first = golden.frames(run(stream, **wanted))[0]["choices"][0]
        assert first["logprobs"]["content"] == shown


def test_every_name_of_an_event_is_judged() -> None:
    twice = f"event: {EMAIL}\nevent: chunk\n".encode() + text(" you")
    alone = f"event: {EMAIL}\n\n".encode()
    assert run([text("Hi"), twice, alone, end(), DONE_EVENT]) == b"".join([text("Hi"), text(" you"), end(), DONE_EVENT])


@pytest.mark.parametrize("place", ["usage", "timings", "x", "stop_reason", "delta"])
def test_a_text_in_numbers_is_withheld_wherever_it_stands(place: str) -> None:
    body = json.loads(text("Hi")[6:])
    numbers = {"tokens": [68, 69, 56, 57, 51]} if place in ("usage", "timings") else {"pairs": [[68, 69], [56]]}
    if place == "stop_reason":
        body["choices"][0][place] = [68, 69, 56, 57, 51]
    elif place == "delta":
        body["choices"][0]["delta"] |= numbers
    else:
        body[place] = numbers
    out = run([compact(body), end(), DONE_EVENT])
    assert golden.said(out) == "Hi"
    assert b"68" not in out
    assert b"56" not in out


# Values that are cut short, where only whole ones can be looked up


STARTS = [IBAN[:-3], IBAN[:8], PHONE[:-3], EMAIL[:-3]]


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    ("reason", "more"), [("length", {}), ("stop", {"stop": ["01"]}), ("stop", {"stop_token_ids": [7]}), (None, {})]
)
def test_the_begin_of_a_recorded_value_is_not_shown(start: str, reason: str | None, more: dict[str, Any]) -> None:
    stream = [text(f"It is {start}"), *([end(reason), DONE_EVENT] if reason else [])]
    guard = StreamGuard(golden.reader(RECORDED, index=INDEX, **more))
    out = b"".join(guard.feed(piece, 0.0) for piece in stream) + guard.finish(0.0)
    assert start[:6] not in golden.said(out)
    (span,) = [r for choice in guard._reader.choices.values() for r in choice.report().spans]
    assert span.decision.verdict.origin is Origin.UNKNOWN  # nobody looked it up


def test_the_begin_of_a_recorded_value_is_not_shown_when_another_channel_goes_on() -> None:
    stream = [text(f"It is {IBAN[:17]}"), chunk({"reasoning_content": "Hm."}), text(f"{IBAN[17:]} ok."), end()]
    out = golden.said(run([*stream, DONE_EVENT], RECORDED, index=INDEX))
    assert (IBAN[:6] in out, out.endswith(" ok.")) == (False, True)


def test_half_a_call_with_the_begin_of_a_recorded_value_is_withheld() -> None:
    half = [call(f'{{"to": "{IBAN[:17]}', name="send"), end("length"), DONE_EVENT]
    assert IBAN[:6].encode() not in run(half, RECORDED, index=INDEX, tools=TOOLS)


def test_the_begin_of_a_value_is_shown_where_a_whole_one_would_be() -> None:
    stream = [text(f"It is {IBAN[:8]}"), end("length"), DONE_EVENT]
    flagged = replace(RECORDED, rules={DEFAULT: {Origin.MEMORIZED: Rule(Action.FLAG)}})
    assert run(stream, flagged, index=INDEX) == b"".join(stream)
    assert run(stream, RECORDED) == b"".join(stream)


def test_of_a_name_that_stands_twice_only_what_was_judged_leaves() -> None:
    twice = text("Hello there").replace(b'"content":', f'"content":"{EMAIL}","content":'.encode())
    assert run([twice, end(), DONE_EVENT]) == text("Hello there") + end() + DONE_EVENT


def test_more_than_may_be_held_is_an_error() -> None:
    bounds = Bounds(held_bytes=2_000)
    stream = [call("", name="send"), *[call("x")] * 40]
    out = run(stream, bounds=bounds, tools=TOOLS)
    assert golden.frames(out)[-1]["error"]["code"] == "upstream_unreadable"


NAMES = [f"user{number}x@example{number}.com" for number in range(6)]
MANY = RecordsIndex.build([("EMAIL_ADDRESS", each) for each in NAMES], key=b"k" * 32)
BUSY: dict[str, Any] = {"index": MANY, "bounds": Bounds(stopped=4)}


def test_an_answer_that_is_stopped_at_too_many_values_is_withheld_from_there_on() -> None:
    few = run([*[text(f"{each} , ") for each in NAMES[:4]], end(), DONE_EVENT], RECORDED, **BUSY)
    assert golden.reasons(few) == ["stop"]
    out = run([*[text(f"{each} , ") for each in NAMES], end(), DONE_EVENT], RECORDED, **BUSY)
    assert golden.frames(out)[-1]["error"]["code"] == "upstream_unreadable"
    assert b"@" not in out
    with pytest.raises(FrameError):
        whole(message(content=" , ".join(NAMES)), RECORDED, **BUSY)


def test_a_call_that_could_not_be_judged_to_its_end_is_withheld() -> None:
    stream = [call(json.dumps({"to": NAMES}), name="send"), end("tool_calls"), DONE_EVENT]
    out = run(stream, RECORDED, tools=TOOLS, **BUSY)
    assert (b"@" in out, b"send" in out) == (False, False)
    before = [text(f"{each} , ") for each in NAMES[:4]]
    late = [call('{"to": "', name="send"), call(f'{NAMES[4]}"}}'), end("tool_calls"), DONE_EVENT]
    out = run([*before, *late], RECORDED, tools=TOOLS, **BUSY)
    assert (b"@" in out, b"send" in out) == (False, False)


def test_more_spans_than_a_request_may_have_are_redacted_unjudged() -> None:
    out = golden.said(
        run([text(f"{EMAIL} and {PHONE} ok"), end(), DONE_EVENT], Policy(hold=golden.LONG), bounds=Bounds(spans=1))
    )
    assert PHONE not in out


def test_too_many_channels_are_an_error() -> None:
    body = message(content="Hi", **{f"field_{letter}": "some text" for letter in "abcdef"})
    with pytest.raises(FrameError):
        whole(body, bounds=Bounds(channels=5))


def test_records_say_nothing_of_what_the_user_typed() -> None:
    messages = [{"role": "user", "content": f"My address is {EMAIL}."}]
    stream = [text(f"Write {EMAIL}."), end(), DONE_EVENT]
    assert run(stream, RECORDED, index=INDEX, messages=messages) == b"".join(stream)


def test_padding_is_no_value() -> None:
    noise = ["nK3p9QmZx7Lw2", "aB1cD2", "", "Zq8"]
    stream = [compact({**json.loads(text(" so")[6:]), "obfuscation": padding}) for padding in noise]
    assert run([*stream, end(), DONE_EVENT]) == b"".join([*stream, end(), DONE_EVENT])
    odd = compact({**json.loads(text(" so")[6:]), "obfuscation": EMAIL})
    assert golden.frames(run([odd, end(), DONE_EVENT]))[0]["obfuscation"] is None


def test_much_that_is_held_takes_long_to_judge() -> None:
    """A tool call is held until it is complete and judged at once, by an event that may be short."""
    guard = StreamGuard(golden.reader(tools=[{"type": "function", "function": {"name": "send"}}]))
    part = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "send", "arguments": '{"to": "'}}
    for _ in range(200):
        chunk = {"choices": [{"index": 0, "delta": {"tool_calls": [part]}, "finish_reason": None}]}
        assert guard.feed(golden.event(chunk), 0.0) == b""
        part = {"index": 0, "function": {"arguments": "x"}}
    assert guard.takes_long
    end = {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    assert guard.feed(golden.event(end), 0.0) and not guard.takes_long


def test_hashes_are_keyed_by_request() -> None:
    """All choices of a request share a key, and two requests have none in common, whoever asks."""
    policy = replace(REDACT, redaction=RedactionStyle.HASH)
    said = {"role": "assistant", "content": f"Write to {EMAIL}."}
    choices = [{"index": at, "message": said, "finish_reason": "stop"} for at in range(2)]
    body = {"object": "chat.completion", "choices": choices}
    texts = [choice["message"]["content"] for _ in range(2) for choice in whole(body, policy, n=2)["choices"]]
    assert all(text.startswith("Write to <EMAIL_ADDRESS_") for text in texts)
    assert texts[0] == texts[1] != texts[2] == texts[3]
