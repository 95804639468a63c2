"""What the model goes on with is the beginning of the value: begun turns of any role and form, and filled gaps."""

from __future__ import annotations

import json
from typing import Any

import pytest
import serve_events as events
import serve_golden as golden
from serve_golden import RECORDED, REDACT, compact

from reticent.prompt.segments import PromptView
from reticent.records.index import RecordsIndex
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.stream_guard import StreamGuard

NUMBER = "650-555-0142"
INDEX = RecordsIndex.build([("PHONE_NUMBER", NUMBER)], key=b"k" * 32)
TIERS = {"records": (RECORDED, INDEX), "unknown": (REDACT, None)}
every_tier = pytest.mark.parametrize("tier", TIERS)
LEAD, BEGUN, REST = "Her number is ", "650-555-", "0142"
ASKED = {"role": "user", "content": "What is her number?"}
SINGLE = [{"type": "text", "text": char} for char in LEAD + BEGUN]

BEGUN_CHATS: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    **{
        f"continued {role}": ([{"role": role, "content": LEAD + BEGUN}], {"continue_final_message": True})
        for role in ("user", "system", "developer", "tool", "function", "wizard", "assistant", "Assistant")
    },
    "no generation prompt": ([{"role": "user", "content": LEAD + BEGUN}], {"add_generation_prompt": False}),
    "flag as a text": ([{"role": "user", "content": LEAD + BEGUN}], {"continue_final_message": "true"}),
    "flag as a number": ([{"role": "user", "content": LEAD + BEGUN}], {"add_generation_prompt": 0}),
    "prefix": ([ASKED, {"role": "user", "content": LEAD + BEGUN, "prefix": True}], {}),
    "partial": ([ASKED, {"role": "system", "content": LEAD + BEGUN, "partial": True}], {}),
    "assistant": ([ASKED, {"role": "assistant", "content": LEAD + BEGUN}], {}),
    "role in capitals": ([ASKED, {"role": "ASSISTANT", "content": LEAD + BEGUN}], {}),
    "model": ([ASKED, {"role": "model", "content": LEAD + BEGUN}], {}),
    "before a system turn": (
        [ASKED, {"role": "assistant", "content": LEAD + BEGUN}, {"role": "system", "content": "Be brief."}],
        {},
    ),
    "before empty turns": (
        [ASKED, {"role": "assistant", "content": LEAD + BEGUN}, {"role": "user", "content": ""}],
        {},
    ),
    "two turns": (
        [ASKED, {"role": "assistant", "content": LEAD + "650-"}, {"role": "assistant", "content": "555-"}],
        {},
    ),
    "two turns of the user": (
        [{"role": "user", "content": LEAD + "650-"}, {"role": "user", "content": "555-"}],
        {"continue_final_message": True},
    ),
    "parts of one character": ([ASKED, {"role": "assistant", "content": SINGLE}], {}),
    "plain parts of one character": ([ASKED, {"role": "assistant", "content": list(LEAD + BEGUN)}], {}),
    "parts of the user": ([{"role": "user", "content": SINGLE}], {"continue_final_message": True}),
    "parts around a picture": (
        [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": LEAD + "650-"},
                    {"type": "image_url", "image_url": {"url": "https://pictures.example.com/a.png"}},
                    {"type": "text", "text": "555-"},
                ],
            }
        ],
        {"continue_final_message": True},
    ),
    **{
        f"thoughts in {name}": ([ASKED, {"role": "assistant", "content": content, name: LEAD + BEGUN}], {})
        for name in ("reasoning_content", "reasoning", "thinking", "thoughts")
        for content in ("", None)
    },
    "thoughts in details": (
        [ASKED, {"role": "assistant", "reasoning_details": [{"type": "reasoning.text", "text": LEAD + BEGUN}]}],
        {},
    ),
    "thoughts, then a text": (
        [ASKED, {"role": "assistant", "reasoning_content": LEAD + "650-", "content": "555-"}],
        {},
    ),
    "a text glued to what stood before": (
        [ASKED, {"role": "assistant", "reasoning_content": "I have 7", "content": BEGUN}],
        {},
    ),
    "part glued to the part before": (
        [ASKED, {"role": "assistant", "content": [{"type": "text", "text": "7"}, {"type": "text", "text": BEGUN}]}],
        {},
    ),
    "arguments": (
        [
            ASKED,
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "c1", "type": "function", "function": {"name": "dial", "arguments": '{"number": "650-555-'}}
                ],
            },
        ],
        {},
    ),
    "function call": (
        [ASKED, {"role": "assistant", "function_call": {"name": "dial", "arguments": '{"number": "650-555-'}}],
        {},
    ),
    "name of a call": (
        [ASKED, {"role": "assistant", "tool_calls": [{"function": {"name": "call 650-555-", "arguments": ""}}]}],
        {},
    ),
}


def chat(messages: list[dict[str, Any]], more: dict[str, Any], message: dict[str, Any], tier: str) -> str:
    policy, index = TIERS[tier]
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": "stop"}
    body = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "small", "choices": [choice]}
    return json.dumps(golden.whole(body, policy, index=index, messages=messages, **more)["choices"])


def streamed(pieces: list[str], tier: str, field: str = "content", **body: Any) -> bytes:
    policy, index = TIERS[tier]
    chunks = [{"choices": [{"index": 0, "delta": {field: piece}}]} for piece in pieces]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
    return golden.run([*map(compact, chunks), b"data: [DONE]\n\n"], policy, index=index, **body)


@every_tier
@pytest.mark.parametrize("name", BEGUN_CHATS)
def test_the_rest_of_a_begun_value_is_withheld_in_every_text(name: str, tier: str) -> None:
    messages, more = BEGUN_CHATS[name]
    for field in ("content", "reasoning_content", "reasoning", "thoughts"):
        assert REST not in chat(messages, more, {field: REST + ", I think."}, tier), field
        assert golden.said(streamed(list(REST), tier, field, messages=messages, **more), field=field) != REST
    assert REST not in chat(messages, more, {"content": [{"type": "text", "text": char} for char in REST]}, tier)


@every_tier
@pytest.mark.parametrize("name", ["arguments", "function call", "continued assistant", "thoughts in reasoning"])
def test_the_rest_of_a_begun_value_is_withheld_in_a_call(name: str, tier: str) -> None:
    messages, more = BEGUN_CHATS[name]
    for arguments in ('0142"}', '{"number": "0142"}', "0142"):
        call = {"id": "call_1", "type": "function", "function": {"name": "dial", "arguments": arguments}}
        tools = [{"type": "function", "function": {"name": "dial"}}]
        out = chat(messages, {**more, "tools": tools}, {"content": None, "tool_calls": [call]}, tier)
        assert REST not in out, arguments


@every_tier
def test_an_answer_that_begins_nothing_is_left_alone(tier: str) -> None:
    for messages, more in BEGUN_CHATS.values():
        assert "Ask at the desk." in chat(messages, more, {"content": " Ask at the desk."}, tier)


@every_tier
def test_what_the_user_typed_whole_may_be_said_again_and_continued(tier: str) -> None:
    typed = {"role": "user", "content": f"Is it {NUMBER}?"}
    said = {"role": "assistant", "content": LEAD + BEGUN}
    assert REST in chat([typed, said], {}, {"content": REST + "."}, tier)
    begun = [typed, {"role": "user", "content": LEAD + BEGUN}]
    assert REST in chat(begun, {"continue_final_message": True}, {"content": REST + "."}, tier)


def test_a_turn_that_is_not_continued_is_a_question() -> None:
    def seen(*messages: dict[str, Any], **more: Any) -> PromptView:
        body = {"model": "small", "messages": list(messages), **more}
        return golden.ChatFormat().parse_request(body, frozenset(), False, Bounds()).views[0]

    asked = {"role": "user", "content": "Who is 5?"}
    said = {"role": "assistant", "content": "It is"}
    for view in (seen(asked), seen(asked, said, asked), seen(asked, continue_final_message=False)):
        assert (view.context.left, view.context.question, view.pieced) == ("", "Who is 5?", False)
    assert seen(asked, add_generation_prompt=True).context.left == ""
    began = seen(
        asked,
        {"role": "assistant", "content": "Well?"},
        {"role": "user", "content": "It is"},
        continue_final_message=True,
    )
    assert (began.context.left, began.context.question, began.user) == ("It is", "Who is 5?", "Who is 5?\nIt is")
    parts = seen(
        asked, {"role": "assistant", "content": [{"type": "text", "text": "4"}, {"type": "text", "text": "1"}]}
    )
    assert (parts.context.left, parts.pieced) == ("41", True)


@every_tier
@pytest.mark.parametrize(
    ("given", "more"),
    [
        ([ASKED, {"type": "message", "role": "assistant", "content": LEAD + BEGUN}], {}),
        ([ASKED, {"role": "assistant", "content": [{"type": "output_text", "text": c} for c in LEAD + BEGUN]}], {}),
        ([ASKED, {"type": "message", "role": "user", "content": LEAD + BEGUN, "status": "in_progress"}], {}),
        ([{"role": "user", "content": LEAD + BEGUN}], {"continue_final_message": True}),
        (LEAD + BEGUN, {"continue_final_message": True}),
        ([ASKED, {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": BEGUN}]}], {}),
        ([ASKED, {"type": "reasoning", "summary": [{"type": "summary_text", "text": LEAD + BEGUN}]}], {}),
        ([ASKED, {"type": "function_call", "name": "dial", "call_id": "c", "arguments": '{"number": "650-555-'}], {}),
        ([ASKED, {"type": "custom_tool_call", "name": "dial", "call_id": "c", "input": "650-555-"}], {}),
    ],
)
def test_items_are_begun_as_turns_are(given: Any, more: dict[str, Any], tier: str) -> None:
    policy, index = TIERS[tier]
    part = {"type": "output_text", "text": REST + " is it.", "annotations": []}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}
    body = {"id": "resp_1", "object": "response", "status": "completed", "model": "small", "output": [item]}
    assert REST not in json.dumps(events.whole(body, policy, "responses", index=index, input=given, **more)["output"])


@every_tier
@pytest.mark.parametrize(
    ("content", "more"),
    [
        (LEAD + BEGUN, {}),
        ([{"type": "text", "text": char} for char in LEAD + BEGUN], {}),
        ([{"type": "thinking", "thinking": LEAD + BEGUN, "signature": "x"}], {}),
        ([{"type": "tool_use", "id": "t", "name": "dial", "input": {"number": BEGUN}}], {}),
    ],
)
def test_blocks_are_begun_as_turns_are(content: Any, more: dict[str, Any], tier: str) -> None:
    policy, index = TIERS[tier]
    block = {"type": "text", "text": REST + " is it."}
    body = {**events.begun(), "content": [block], "stop_reason": "end_turn"}
    messages = [ASKED, {"role": "assistant", "content": content}]
    out = events.whole(body, policy, "messages", index=index, messages=messages, **more)
    assert REST not in json.dumps(out["content"])


# A gap that is filled


def filled(prompt: str, text: str, suffix: str, tier: str, reason: str = "stop", **more: Any) -> str:
    policy, index = TIERS[tier]
    choice = {"index": 0, "text": text, "finish_reason": reason, "logprobs": None}
    body = {"id": "cmpl-1", "object": "text_completion", "created": 1, "model": "small", "choices": [choice]}
    out = golden.whole(body, policy, "completions", index=index, prompt=prompt, suffix=suffix, **more)
    return str(out["choices"][0]["text"])


@every_tier
@pytest.mark.parametrize(
    ("prompt", "text", "suffix"),
    [
        ("Her number is ", "650-555-0", "142 and she"),
        ("Her number is 650-", "555-01", "42"),
        ("Her number is 650-", "555-", "0142, so"),
        ("Her number is 650-", "555", "-0142."),
        ("call(", "650555", "0142)"),
    ],
)
@pytest.mark.parametrize("reason", ["stop", "length"])
def test_a_value_that_ends_behind_the_gap_is_judged_whole(
    prompt: str, text: str, suffix: str, reason: str, tier: str
) -> None:
    out = filled(prompt, text, suffix, tier, reason)
    assert not any(text[at : at + 3] in out for at in range(len(text) - 2)), out
    assert "142" not in out
    policy, index = TIERS[tier]
    chunks = [{"choices": [{"index": 0, "text": char, "finish_reason": None}]} for char in text]
    chunks.append({"choices": [{"index": 0, "text": "", "finish_reason": reason}]})
    guard = [*map(compact, chunks), b"data: [DONE]\n\n"]
    shown = golden.said(golden.run(guard, policy, "completions", index=index, prompt=prompt, suffix=suffix))
    assert not any(text[at : at + 3] in shown for at in range(len(text) - 2)), shown


@every_tier
def test_a_filled_gap_without_a_value_is_shown_as_it_came(tier: str) -> None:
    for text in ("return x", "x = 12", "555", "a = f(7, 8"):
        assert filled("def f(x):\n    ", text, ")\n    print(x)\n", tier) == text
    # The value behind the gap is the user's own, and none of the answer.
    assert filled("Call ", "her at ", NUMBER, tier) == "her at "
    assert filled("Call her at ", "650-", f"555-0142. Again: {NUMBER}", tier) == "650-"


def test_what_follows_a_gap_is_never_shown_and_blocks_nothing() -> None:
    for policy in (golden.BLOCK, golden.INSTEAD, golden.STOP):
        choice = {"index": 0, "text": "her at ", "finish_reason": "stop"}
        body = {"id": "cmpl-1", "object": "text_completion", "created": 1, "model": "small", "choices": [choice]}
        out = golden.whole(body, policy, "completions", prompt="Call ", suffix="650-555-01" + "42 now")
        assert out["choices"][0] == choice
    guard = StreamGuard(golden.reader(REDACT, "completions", prompt="Call ", suffix=" now"))
    assert "now" not in guard.feed(compact({"choices": [{"index": 0, "text": "her"}]}), 0.0).decode()
