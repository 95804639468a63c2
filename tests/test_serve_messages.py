"""`/v1/messages` in detail: requests, roles of texts, blocks and calls, whole answers, unknown types and fields."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import serve_events as events
from serve_events import (
    DIALECTS,
    SIGNED,
    bare,
    frames,
    message_stream,
    named,
    said,
    text_block,
    thinking_block,
    tool_block,
)
from serve_golden import BLOCK, EMAIL, IBAN, INDEX, INSTEAD, PHONE, RECORDED, REDACT, REFUSE, STOP, Policy, compact

from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.stream_guard import StreamGuard
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import FrameError
from reticent_detectors.spans import FindContext

TOOLS = [{"name": "send", "input_schema": {"type": "object"}}]


def run(stream: bytes, policy: Policy = REDACT, **more: Any) -> bytes:
    return events.run([stream], policy, "messages", **more)


def whole(body: Any, policy: Policy = REDACT, **more: Any) -> Any:
    return events.whole(body, policy, "messages", **more)


def answer(*blocks: dict[str, Any], reason: str = "end_turn", **more: Any) -> dict[str, Any]:
    return {**events.begun(), "content": list(blocks), "stop_reason": reason, **more}


def text(said: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **more}


def use(given: dict[str, Any], name: str = "send", kind: str = "tool_use") -> dict[str, Any]:
    return {"type": kind, "id": "toolu_01T1x1fJ34qAmk2tNTrN7Up6", "name": name, "input": given}


# What may be asked for


def asked(allowed: frozenset[Permission] = frozenset(), **body: Any) -> ParsedRequest:
    return DIALECTS["messages"].parse_request({"model": "small", "max_tokens": 9, **body}, allowed, False, Bounds())


USER = [{"role": "user", "content": "Hi"}]


@pytest.mark.parametrize(
    "field",
    ["logprobs", "prompt_logprobs", "return_token_ids", "logit_bias", "vllm_xargs", "guided_regex", "echo", "store"],
)
def test_what_needs_a_permission_is_refused(field: str) -> None:
    with pytest.raises(ApiError) as refused:
        asked(messages=USER, **{field: {"1": 1}})
    assert (refused.value.status, refused.value.code, refused.value.param) == (400, "not_allowed", field)
    asked(frozenset(Permission), messages=USER, **{field: {"1": 1}})


@pytest.mark.parametrize(
    "messages",
    [None, "x", [], [1], [{"content": "x"}], [{"role": "user", "content": 7}], [{"role": "user", "content": [7]}]],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(messages: Any) -> None:
    with pytest.raises(ApiError) as refused:
        asked(messages=messages)
    assert (refused.value.code, refused.value.param) == ("invalid_type", "messages")
    with pytest.raises(ApiError):
        asked(messages=USER, system=7)


def test_whose_text_is_whose() -> None:
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": [text("Tel. 5"), {"type": "image"}]}
    document = {
        "type": "document",
        "title": "Deed",
        "source": {"type": "text", "media_type": "text/plain", "data": "Tel. 6"},
    }
    found = {"type": "search_result", "source": "https://a.example", "title": "Page", "content": [text("Tel. 7")]}
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}}
    view = asked(
        system=[text("Be kind.", cache_control={"type": "ephemeral"})],
        output_config={"format": {"type": "json_schema", "schema": {"enum": ["Milan"]}}},
        messages=[
            {"role": "user", "content": [document, found, image, text("Who is it?")]},
            {
                "role": "assistant",
                "content": [{"type": "thinking", "thinking": "Bea?"}, text("Ann."), use({"who": "Cy"})],
            },
            {"role": "user", "content": [result, {"type": "tool_result", "content": "Tel. 8"}, text("And now?")]},
        ],
    ).views[0]
    assert view.user == "Who is it?\nAnd now?"
    operator = ("Be kind.", "Milan", "Deed", "Tel. 5", "Tel. 6", "Page", "Tel. 7", "Tel. 8")
    assert [each for each in operator if each not in view.operator] == []
    assert [each for each in ("Ann", "Bea", "Cy", "QUJD", "toolu_1") if each in view.operator] == []
    assert view.context.behind("") == FindContext("", "And now?", view.context.earlier)


def test_a_prefilled_turn_is_gone_on_with() -> None:
    begun = [{"role": "user", "content": "His IBAN?"}, {"role": "assistant", "content": [text("It is DE89 3704 00")]}]
    assert asked(messages=begun).views[0].context == FindContext(
        "It is DE89 3704 00", "His IBAN?", "It is DE89 3704 00"
    )
    stream = bare(message_stream(text_block(["44 0532 0130 00", " it", " is."])))
    assert said(run(stream, messages=begun)) == "<IBAN_CODE> it is."


def test_what_the_operator_said_is_known_as_such() -> None:
    body = answer(text(f"Mail {EMAIL}."))
    mine = [{"role": "user", "content": f"Is it {EMAIL}?"}]
    assert whole(body, RECORDED, index=INDEX, messages=mine) == body
    result = [{"role": "user", "content": [{"type": "tool_result", "content": EMAIL}]}]
    for more in ({"system": f"Say {EMAIL}."}, {"messages": result}):
        assert whole(body, RECORDED, index=INDEX, **more)["content"] == [text("Mail <EMAIL_ADDRESS>.")]


# Whole answers


def test_a_harmless_answer_keeps_its_bytes() -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": SIGNED}
    body = answer(
        thought, {"type": "redacted_thinking", "data": SIGNED}, text("Fine.", citations=None), use({"to": "Bob"})
    )
    raw = json.dumps(body, indent=2).encode()
    assert events.reader(route="messages", tools=TOOLS).judge_body(raw, 0.0) == raw


def test_every_text_of_an_answer_is_redacted() -> None:
    thought = {"type": "thinking", "thinking": f"It is {IBAN}.", "signature": SIGNED}
    cited = {"type": "char_location", "cited_text": f"So: {PHONE}.", "document_title": "Deed", "document_index": 0}
    out = whole(answer(thought, text(f"Mail {EMAIL}.", citations=[cited])))
    assert out["content"][0] == {"type": "thinking", "thinking": "It is <IBAN_CODE>.", "signature": ""}
    assert out["content"][1] == text(
        "Mail <EMAIL_ADDRESS>.", citations=[{**cited, "cited_text": "So: <PHONE_NUMBER>."}]
    )
    assert (out["stop_reason"], out["usage"]) == ("end_turn", events.begun()["usage"])


def test_block_styles_whole() -> None:
    body = answer({"type": "thinking", "thinking": "Hm."}, text(f"It is {IBAN} ok"), text("More"))
    for policy, left in ((BLOCK, "It is "), (STOP, "It is <IBAN_CODE>")):
        out = whole(body, policy)
        assert (out["content"][1:], out["stop_reason"]) == ([text(left)], "refusal")
    out = whole(body, INSTEAD)
    assert (out["content"], out["stop_reason"], out["usage"]) == (
        [text("I may not say that.")],
        "refusal",
        body["usage"],
    )
    with pytest.raises(ApiError) as refused:
        whole(body, REFUSE)
    assert (refused.value.status, refused.value.code) == (400, "content_filter")


def test_an_end_in_the_thoughts_leaves_nothing_behind_it() -> None:
    thought = {"type": "thinking", "thinking": f"It is {EMAIL} ok", "signature": SIGNED}
    out = whole(answer(thought, text("Write to her.")), STOP)
    assert out["content"] == [{"type": "thinking", "thinking": "It is <EMAIL_ADDRESS>", "signature": ""}]


@pytest.mark.parametrize(
    "body",
    [[], {"content": "x"}, {"content": [1]}, {"content": [use([])]},  # type: ignore[arg-type]
     {"content": [use({}, name=[1])]}, {}],  # type: ignore[arg-type]
)  # fmt: skip
def test_an_answer_that_cannot_be_read_is_an_error(body: Any) -> None:
    with pytest.raises(FrameError):
        whole(body)


@pytest.mark.parametrize(("reason", "left"), [("max_tokens", "<PHONE_NUMBER>"), ("end_turn", "+1 212 555")])
def test_an_answer_that_was_cut_short_is_judged_as_such(reason: str, left: str) -> None:
    assert whole(answer(text("It is +1 212 555"), reason=reason), RECORDED, index=INDEX)["content"] == [
        text(f"It is {left}")
    ]
    stream = bare(message_stream(text_block(["It is ", "+1 212 555"]), reason=reason))
    assert said(run(stream, RECORDED, index=INDEX)) == f"It is {left}"


def test_where_the_client_may_stop_the_answer_its_end_is_judged_as_cut_short() -> None:
    body = answer(text("It is +1 212 555"), stop_sequence=" 0")
    out = whole({**body, "stop_reason": "stop_sequence"}, RECORDED, index=INDEX, stop_sequences=[" 0"])
    assert (out["content"], out["stop_sequence"]) == ([text("It is <PHONE_NUMBER>")], " 0")
    assert whole(body, RECORDED, index=INDEX, stop_sequences=["x"])["content"] == [text("It is <PHONE_NUMBER>")]


def test_a_stop_sequence_is_the_clients_or_judged() -> None:
    body = answer(text("Hi"), reason="stop_sequence", stop_sequence=EMAIL)
    assert whole(body, stop_sequences=[EMAIL])["stop_sequence"] == EMAIL
    assert whole(body)["stop_sequence"] is None


# Calls


def test_harmless_calls_leave_as_they_came_and_when_they_are_complete() -> None:
    stream = message_stream(text_block(["Now."]), tool_block({"to": "Bob"}, 1), tool_block({}, 2), reason="tool_use")
    assert run(bare(stream), tools=TOOLS) == bare(stream)
    guard = StreamGuard(events.reader(route="messages", tools=TOOLS))
    begins = stream.index(tool_block({"to": "Bob"}, 1)[0])
    ends = stream.index({"type": "content_block_stop", "index": 1})
    assert guard.feed(bare(stream[:ends]), 0.0) == bare(stream[:begins])
    assert guard.feed(named(stream[ends]), 0.0) == bare(stream[begins : ends + 1])


@pytest.mark.parametrize("value", [EMAIL, PHONE, IBAN])
@pytest.mark.parametrize("policy", [REDACT, STOP, BLOCK], ids=["redact", "stop", "block"])
def test_a_call_with_a_stopped_value_never_arrives(value: str, policy: Policy) -> None:
    given = [{"to": to} for to in ("Bob", value, "Cy")]
    blocks = [tool_block(each, at + 1) for at, each in enumerate(given)]
    out = run(bare(message_stream(text_block(["Now."]), *blocks, reason="tool_use")), policy, tools=TOOLS)
    found = frames(out)
    assert [f["content_block"]["type"] for f in found if f["type"] == "content_block_start"] == ["text", "tool_use"]
    assert found[-2]["delta"]["stop_reason"] == "refusal"
    assert value[4:10] not in out.decode()
    body = whole(answer(text("Now."), *map(use, given), reason="tool_use"), policy, tools=TOOLS)
    assert (body["content"], body["stop_reason"]) == ([text("Now."), use(given[0])], "refusal")


@pytest.mark.parametrize("given", [{EMAIL: 1}, {"to": [{"who": EMAIL}]}, {"phone": 12125550123}])
@pytest.mark.parametrize("kind", ["tool_use", "server_tool_use", "mcp_tool_use"])
def test_names_numbers_and_depths_of_a_call_are_judged(given: dict[str, Any], kind: str) -> None:
    assert whole(answer(use(given, kind=kind)), tools=TOOLS)["content"] == []
    block = {**use(given, kind=kind)}
    stream = bare(
        message_stream(
            [
                {"type": "content_block_start", "index": 0, "content_block": block},
                {"type": "content_block_stop", "index": 0},
            ]
        )
    )
    assert [f["type"] for f in frames(run(stream, tools=TOOLS))] == ["message_start", "message_delta", "message_stop"]


def test_a_stopped_call_may_be_redacted_instead() -> None:
    more = {"tools": TOOLS, "on_stopped_call": OnStoppedCall.REDACT}
    found = frames(run(bare(message_stream(tool_block({"to": EMAIL, "n": 3}), reason="tool_use")), **more))
    pieces = [f["delta"]["partial_json"] for f in found if f["type"] == "content_block_delta"]
    assert json.loads("".join(pieces)) == {"to": "<EMAIL_ADDRESS>", "n": 3}
    assert found[-2]["delta"]["stop_reason"] == "tool_use"
    body = whole(answer(use({"to": EMAIL, "n": 3}), reason="tool_use"), **more)
    assert body["content"] == [use({"to": "<EMAIL_ADDRESS>", "n": 3})]


def test_a_call_that_never_ends_is_judged_with_the_answer() -> None:
    *begun, _ = tool_block({"to": EMAIL})
    out = run(bare(message_stream(begun, reason="tool_use")), tools=TOOLS)
    assert [f["type"] for f in frames(out)] == ["message_start", "message_delta", "message_stop"]
    again = [*tool_block({"to": "Bob"}), *tool_block({"to": EMAIL})]  # the same block a second time
    assert EMAIL[:6].encode() not in run(bare(message_stream(again)), tools=TOOLS)


# Blocks


def test_a_signature_goes_with_the_thoughts_that_it_signs() -> None:
    out = run(bare(message_stream(thinking_block(["Mail ", EMAIL, " now"]), text_block(["Hi."], 1))))
    assert said(out, "thinking") == "Mail <EMAIL_ADDRESS> now"
    assert said(out, "signature") == ""
    fine = bare(message_stream(thinking_block(["Hm"]), text_block(["Hi."], 1)))
    assert run(fine) == fine


def test_what_is_cited_is_judged_and_does_not_break_the_text() -> None:
    def cite(cited: str) -> dict[str, Any]:
        return {
            "type": "citations_delta",
            "citation": {"type": "char_location", "cited_text": cited, "document_index": 0},
        }

    start = {"type": "text", "text": "", "citations": []}
    first, second = ({"type": "text_delta", "text": piece} for piece in ("So it is +1 212", " times."))
    stream = bare(message_stream(events.block_events(0, start, [first, cite("It was so."), second])))
    assert run(stream, RECORDED, index=INDEX) == stream
    leaky = bare(message_stream(events.block_events(0, start, [first, cite(f"It was {EMAIL}."), second])))
    found = [f["delta"] for f in frames(run(leaky)) if f["type"] == "content_block_delta"]
    assert found == [first, cite("It was <EMAIL_ADDRESS>."), second]


def test_what_tools_of_the_server_found_is_redacted_in_place() -> None:
    page = {
        "type": "web_search_result",
        "title": f"Of {EMAIL}",
        "url": "https://a.example",
        "encrypted_content": SIGNED,
    }
    block = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_01WYG3ziw53XMcoyKL4XcZmE", "content": [page]}
    run_code = {"type": "code_execution_result", "stdout": f"{IBAN}\n", "stderr": "", "return_code": 0, "content": []}
    code = {
        "type": "code_execution_tool_result",
        "tool_use_id": "srvtoolu_01WYG3ziw53XMcoyKL4XcZmE",
        "content": run_code,
    }
    out = whole(answer(block, code, text("Done.")))
    assert out["content"] == [
        {**block, "content": [{**page, "title": "Of <EMAIL_ADDRESS>", "url": "<URL>"}]},
        {**code, "content": {**run_code, "stdout": "<IBAN_CODE>\n"}},
        text("Done."),
    ]


@pytest.mark.parametrize(
    "block",
    [{"type": "novelty", "x": {"y": EMAIL}}, {"type": EMAIL}, {"x": EMAIL},
     {"type": "novelty", "x": [74, 97, 110, 101, 46]}],
)  # fmt: skip
def test_a_block_that_nobody_knows_is_shown_whole_or_not_at_all(block: dict[str, Any]) -> None:
    out = whole(answer(text("Now."), block, text("More.")))
    assert (out["content"], out["stop_reason"]) == ([text("Now.")], "refusal")
    stream = run(
        bare(message_stream(text_block(["Now."]), events.block_events(1, block, []), text_block(["More."], 2)))
    )
    assert (said(stream), frames(stream)[-2]["delta"]["stop_reason"]) == ("Now.", "refusal")
    assert EMAIL.encode() not in stream
    fine = bare(
        message_stream(text_block(["Now."]), events.block_events(1, {"type": "novelty", "x": {"y": "fine"}}, []))
    )
    assert run(fine) == fine


# Usage


def test_usage_is_kept() -> None:
    found = frames(run(bare(message_stream(text_block(["Mail ", EMAIL, " now"])))))
    assert (found[0]["message"]["usage"], found[-2]["usage"]) == (
        {"input_tokens": 25, "output_tokens": 1},
        {"output_tokens": 15},
    )
    stopped = frames(run(bare(message_stream(text_block(["Mail ", EMAIL, " now, please"]))), BLOCK))
    assert stopped[-2]["usage"] == {"input_tokens": 25, "output_tokens": 1}  # the last that the server sent


# Places that nobody knows

DELTA = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hi"}}
START = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
END = {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {}}
PLANTED: dict[str, Callable[[str], dict[str, Any]]] = {
    "type": lambda v: {**DELTA, "type": v},
    "no type": lambda v: {"x": v},
    "unknown event": lambda v: {"type": "novelty", "x": {"y": [v]}},
    "unknown delta": lambda v: {"type": "novelty_delta", "delta": {"x": v}},
    "unknown name": lambda v: {**DELTA, v: 1},
    "unknown field": lambda v: {**DELTA, "x": v},
    "ping": lambda v: {"type": "ping", "x": v},
    "delta's type": lambda v: {**DELTA, "delta": {"type": v, "text": "Hi"}},
    "delta's field": lambda v: {**DELTA, "delta": {**DELTA["delta"], "x": v}},
    "delta's name": lambda v: {**DELTA, "delta": {**DELTA["delta"], v: 1}},
    "unknown kind of delta": lambda v: {**DELTA, "delta": {"type": "novelty_delta", "x": [v]}},
    "text as object": lambda v: {**DELTA, "delta": {"type": "text_delta", "text": {"x": v}}},
    "text as list": lambda v: {**DELTA, "delta": {"type": "thinking_delta", "thinking": [v]}},
    "two texts": lambda v: {**DELTA, "delta": {**DELTA["delta"], "thinking": v}},
    "signature": lambda v: {**DELTA, "delta": {"type": "signature_delta", "signature": v}},
    "signature's other": lambda v: {**DELTA, "delta": {"type": "signature_delta", "signature": "", "x": v}},
    "citation": lambda v: {**DELTA, "delta": {"type": "citations_delta", "citation": {"cited_text": v}}},
    "JSON's other": lambda v: {**DELTA, "delta": {"type": "input_json_delta", "partial_json": "{}", "x": v}},
    "JSON": lambda v: {**DELTA, "delta": {"type": "input_json_delta", "partial_json": json.dumps({"x": v})}},
    "block's type": lambda v: {**START, "content_block": {"type": v}},
    "block's text": lambda v: {**START, "content_block": {"type": "text", "text": v}},
    "block's text as object": lambda v: {**START, "content_block": {"type": "text", "text": {"x": v}}},
    "block's field": lambda v: {**START, "content_block": {**START["content_block"], "x": v}},
    "block's citations": lambda v: {**START, "content_block": {**START["content_block"], "citations": [{"x": v}]}},
    "sealed": lambda v: {**START, "content_block": {"type": "redacted_thinking", "data": v}},
    "tool's name": lambda v: {**START, "content_block": use({}, name=v)},
    "tool's id": lambda v: {**START, "content_block": {**use({}), "id": v}},
    "tool's field": lambda v: {**START, "content_block": {**use({}), "x": v}},
    "tool's caller": lambda v: {**START, "content_block": {**use({}), "caller": {"type": v}}},
    "result": lambda v: {**START, "content_block": {"type": "x_tool_result", "content": [{"type": v, "x": v}]}},
    "beside the block": lambda v: {**START, "x": v},
    "stop": lambda v: {"type": "content_block_stop", "index": 0, "x": v},
    "reason": lambda v: {**END, "delta": {"stop_reason": v}},
    "stop sequence": lambda v: {**END, "delta": {"stop_reason": "stop_sequence", "stop_sequence": v}},
    "stop sequence as object": lambda v: {**END, "delta": {"stop_reason": "end_turn", "stop_sequence": {"x": v}}},
    "stop details": lambda v: {**END, "delta": {"stop_reason": "refusal", "stop_details": {"explanation": v}}},
    "usage": lambda v: {**END, "usage": {"x": v}},
    "end's field": lambda v: {**END, "x": v},
    "the last event": lambda v: {"type": "message_stop", "x": v},
    "message's id": lambda v: {"type": "message_start", "message": events.begun(id=v)},
    "message's model": lambda v: {"type": "message_start", "message": events.begun(model=v)},
    "message's role": lambda v: {"type": "message_start", "message": events.begun(role=v)},
    "message's text": lambda v: {"type": "message_start", "message": events.begun(content=[text(v)])},
    "message's field": lambda v: {"type": "message_start", "message": events.begun(x={"y": v})},
    "an error": lambda v: {"type": "error", "error": {"type": "api_error", "message": v}, "request_id": v},
}


@pytest.mark.parametrize("place", PLANTED)
def test_a_value_planted_anywhere_never_arrives(place: str) -> None:
    begun = named({"type": "message_start", "message": events.begun()})

    def planted(value: str) -> bytes:
        body = PLANTED[place](value)
        return named(body) if "type" in body else compact(body)

    for value in (EMAIL, "+12125550123"):
        for stream in (planted(value), begun + planted(value), begun + named(START) + planted(value)):
            out = run(stream, allowed=[Permission.LOGPROBS]).decode()
            assert value not in out
            assert value[4:] not in out
    assert run(planted("nothing"))  # the stream ends well


@pytest.mark.parametrize("field", ["x", "id", "model", "role", "stop_reason", "stop_sequence", "container", "usage"])
def test_a_value_planted_in_a_whole_answer_never_arrives(field: str) -> None:
    body = answer(text("Hi"))
    for value in (EMAIL, {"x": EMAIL}, [EMAIL]):
        assert EMAIL not in json.dumps(whole({**body, field: value}))
