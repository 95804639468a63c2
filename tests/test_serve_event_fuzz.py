"""Any stream of typed events ends well, leaks nothing, and gives the same however it is cut."""

from __future__ import annotations

import itertools
import json
from typing import Any

import serve_events as events
from hypothesis import given, settings
from hypothesis import strategies as st
from serve_events import frames, named
from serve_golden import BLOCK, EMAIL, INSTEAD, REDACT, REFUSE, STOP, compact
from stream_pieces import fed, texts

from reticent.policy.policy import Policy
from reticent.serve.stream.stream_guard import StreamGuard

VALUE = f" {EMAIL}"  # a word of its own: what is glued to another word is the finder's to see
PIECES = st.sampled_from(
    [
        "",
        " ",
        "Hello",
        " 42",
        VALUE,
        " jane",
        ".roe",
        "@example",
        ".com",
        " and ",
        ".",
        "Yes",
        "\u00fc",
        "\n",
        '{"to": "',
        '"}',
    ]
)
ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | PIECES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "text", "index", "id", "type", "logprobs"]), inner, max_size=3)
    ),
    max_leaves=5,
)
TYPES = st.sampled_from(["message", "reasoning", "function_call", "custom_tool_call", "web_search_call", "novelty"])
PART_TYPES = st.sampled_from(["output_text", "refusal", "reasoning_text", "summary_text", "novelty"])
IDS = st.sampled_from([events.MSG, events.RS])
STEPS = ["added", "delta", "done", "odd"]
FAMILIES = [
    *("output_item", "content_part", "reasoning_part", "reasoning_summary_part", "output_text", "refusal"),
    *("reasoning_text", "reasoning_summary_text", "function_call_arguments", "custom_tool_call_input"),
    *("code_interpreter_call_code", "novelty", "output_text.annotation"),
]


@st.composite
def items(draw: st.DrawFn) -> dict[str, Any]:
    part = st.fixed_dictionaries(
        {"type": PART_TYPES}, optional={"text": PIECES | ODD, "refusal": PIECES, "logprobs": ODD}
    )
    return draw(
        st.fixed_dictionaries(
            {"type": TYPES, "id": IDS},
            optional={
                "content": st.lists(part, max_size=2) | PIECES,
                "summary": st.lists(part, max_size=2),
                "name": PIECES,
                "arguments": PIECES,
                "input": PIECES,
                "action": ODD,
                "status": PIECES,
            },
        )
    )


@st.composite
def responses(draw: st.DrawFn) -> bytes:
    """An event of a response."""
    if draw(st.integers(0, 9)) == 0:
        return draw(
            st.sampled_from([b": x\n\n", b"data: {\n\n", b"event: x\n\n", b'data: {"error": {"message": "x"}}\n\n'])
        )
    kind = draw(st.sampled_from(["family"] * 9 + ["created", "completed", "incomplete"]))
    body: dict[str, Any] = {"sequence_number": draw(st.integers(0, 99))}
    for name, most in (("output_index", 2), ("content_index", 1), ("summary_index", 1)):
        if draw(st.booleans()):
            body[name] = draw(st.integers(0, most))
    if draw(st.booleans()):
        body["item_id"] = draw(IDS)
    if kind == "family":
        body["type"] = f"response.{draw(st.sampled_from(FAMILIES))}.{draw(st.sampled_from(STEPS))}"
        values = {
            "delta": PIECES,
            "text": PIECES,
            "arguments": PIECES,
            "input": PIECES,
            "code": PIECES,
            "item": items(),
        }
        values |= {"part": items(), "annotation": ODD, "logprobs": ODD, "x": ODD}
        for name, value in values.items():
            if draw(st.integers(0, 3)):
                body[name] = draw(value if draw(st.integers(0, 9)) else ODD)
    else:
        output = draw(st.lists(items(), max_size=2))
        body |= {
            "type": f"response.{kind}",
            "response": {"id": events.RS, "output": output, "status": kind, "x": draw(ODD)},
        }
    return named(body)


@st.composite
def messages(draw: st.DrawFn) -> bytes:
    """An event of a message."""
    if draw(st.integers(0, 9)) == 0:
        return draw(
            st.sampled_from(
                [b": x\n\n", b"data: [DONE]\n\n", b"data: {\n\n", b'event: ping\ndata: {"type": "ping"}\n\n']
            )
        )
    block = st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "thinking", "tool_use", "x_tool_result", "novelty"])},
        optional={
            "text": PIECES | ODD,
            "thinking": PIECES,
            "name": PIECES,
            "input": ODD,
            "content": ODD,
            "signature": PIECES,
        },
    )
    delta = st.fixed_dictionaries(
        {
            "type": st.sampled_from(
                ["text_delta", "thinking_delta", "input_json_delta", "signature_delta", "citations_delta", "novelty"]
            )
        },
        optional={
            "text": PIECES | ODD,
            "thinking": PIECES,
            "partial_json": PIECES,
            "signature": PIECES,
            "citation": ODD,
        },
    )
    kind = draw(
        st.sampled_from(["start", "delta", "delta", "delta", "stop", "message_start", "message_delta", "message_stop"])
    )
    body: dict[str, Any] = {"index": draw(st.integers(0, 2))}
    match kind:
        case "start":
            body |= {"type": "content_block_start", "content_block": draw(block)}
        case "delta":
            body |= {"type": "content_block_delta", "delta": draw(delta)}
        case "stop":
            body |= {"type": "content_block_stop"}
        case "message_start":
            body = {"type": kind, "message": events.begun(content=draw(st.lists(block, max_size=2)), x=draw(ODD))}
        case "message_delta":
            body = {"type": kind, "delta": {"stop_reason": draw(PIECES), "x": draw(ODD)}, "usage": draw(ODD)}
        case _:
            body = {"type": kind}
    return named(body) if draw(st.integers(0, 9)) else compact(body)


def ran(pieces: list[bytes], policy: Policy, route: str) -> bytes:
    reader = events.reader(policy, route)
    reader.request.id = "1f" * 8  # ids of our own are made of it
    return fed(StreamGuard(reader), pieces)


def check(came: list[bytes], policy: Policy, route: str, data: st.DataObject) -> None:
    stream = b"".join(came)
    out = ran([stream], policy, route)
    found = [json.loads(line[6:]) for line in out.splitlines() if line.startswith(b"data: {")]
    assert sum(frame.get("type") == "error" for frame in found) <= 1
    said: dict[Any, str] = {}
    for frame in found:
        assert not [text for text in texts(frame) if EMAIL in text]
        delta = frame.get("delta")
        if isinstance(delta, str):
            at = frame["type"], frame.get("item_id"), frame.get("output_index"), frame.get("content_index")
            said[at] = said.get(at, "") + delta
        elif isinstance(delta, dict):
            for name, text in delta.items():
                if isinstance(text, str):
                    said[name] = said.get(name, "") + text
    assert not [text for text in said.values() if EMAIL in text]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=5)))
    edges = [0, *cuts, len(stream)]
    assert ran([stream[a:b] for a, b in itertools.pairwise(edges)], policy, route) == out


POLICIES = st.sampled_from([REDACT, STOP, BLOCK, INSTEAD, REFUSE])


@settings(max_examples=80)
@given(st.lists(responses(), max_size=9), POLICIES, st.data())
def test_any_response_ends_once_and_leaks_nothing(came: list[bytes], policy: Policy, data: st.DataObject) -> None:
    check(came, policy, "responses", data)


@settings(max_examples=80)
@given(st.lists(messages(), max_size=9), POLICIES, st.data())
def test_any_message_ends_once_and_leaks_nothing(came: list[bytes], policy: Policy, data: st.DataObject) -> None:
    check(came, policy, "messages", data)


@settings(max_examples=30)
@given(
    st.sampled_from([*events.ALL]),
    st.lists(
        st.sampled_from(["Hello", " jane", ".roe@", "example.com", VALUE, ", so ", " and ", ".", " Yes"]),
        min_size=1,
        max_size=9,
    ),
    POLICIES,
)
def test_any_answer_of_any_server_says_the_same_in_every_event(name: str, pieces: list[str], policy: Policy) -> None:
    route = events.route_of(name)
    out = ran([events.ALL[name](pieces)], policy, route)
    assert EMAIL.encode() not in out
    if route == "responses" and policy is not REFUSE:
        versions = events.tellings(out)
        for how, spoken in versions.items():
            assert [*filter(None, spoken)][-1:] == [*filter(None, versions["pieces"])][-1:], how
    assert frames(out)
