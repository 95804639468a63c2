"""Streams that no server would send: however they are made and cut, they end once, leak nothing and raise nothing."""

from __future__ import annotations

import itertools
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from serve_golden import BLOCK, EMAIL, INSTEAD, REDACT, REFUSE, STOP, Policy, compact, frames, reader
from stream_pieces import fed, texts

from reticent.serve.stream.stream_guard import StreamGuard
from reticent.serve.wire.sse import DONE_EVENT

TOP = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1732200000, "model": "small"}
VALUE = " jane.roe@example.com"  # a word of its own: what is glued to another word is the finder's to see
PIECES = st.sampled_from(
    ["Hello", " there", " ok.", "", " 42", "\n", VALUE, " jane.roe", "@example", ".com", " and ", "gr\u00fcn"]
)
FIELDS = st.sampled_from(["content", "content", "content", "reasoning_content", "refusal", "thoughts"])
ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | PIECES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "text", "index", "id"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@st.composite
def entries(draw: st.DrawFn) -> dict[str, Any]:
    kind = draw(st.sampled_from(["text", "text", "text", "call", "end", "odd"]))
    index = draw(st.sampled_from([0, 0, 0, 1]))
    delta: dict[str, Any] = {}
    if kind == "text":
        delta = {draw(FIELDS): draw(PIECES)}
    elif kind == "call":
        function = {"arguments": draw(st.sampled_from(['{"to": "', VALUE, '"}', "Bob", ""]))}
        delta = {"tool_calls": [{"index": draw(st.integers(0, 1)), "function": function}]}
    elif kind == "odd":
        delta = {draw(st.sampled_from(["content", "tool_calls", "function_call", "role", "x"])): draw(ODD)}
    reason = draw(st.sampled_from(["stop", "length", "tool_calls"])) if kind == "end" else None
    return {"index": index, "delta": delta, "finish_reason": reason}


@st.composite
def events(draw: st.DrawFn) -> bytes:
    kind = draw(st.sampled_from(["chunk"] * 8 + ["two", "usage", "comment", "error", "odd", "junk"]))
    if kind == "comment":
        return b": " + draw(PIECES).encode().replace(b"\n", b"") + b"\n\n"
    if kind == "junk":
        return draw(
            st.sampled_from([b"\n", b"data\n\n", b"data: {\n\n", b"\xff\n\n", b"data: 1\n\n", b"event: x\r\n\r\n"])
        )
    if kind == "odd":
        return compact({**TOP, draw(st.sampled_from(["choices", "usage", "x", "error"])): draw(ODD)})
    if kind == "error":
        return compact({"error": {"message": draw(PIECES), "code": 1}})
    if kind == "usage":
        return compact({**TOP, "choices": [], "usage": {"total_tokens": 3}})
    return compact({**TOP, "choices": [draw(entries()) for _ in range(2 if kind == "two" else 1)]})


def ran(pieces: list[bytes], policy: Policy, usage: bool) -> bytes:
    body: dict[str, Any] = {"stream_options": {"include_usage": True}} if usage else {}
    return fed(StreamGuard(reader(policy, n=2, stream=True, **body)), pieces)


@settings(max_examples=120)
@given(
    st.lists(events(), max_size=9),
    st.booleans(),
    st.booleans(),
    st.sampled_from([REDACT, STOP, BLOCK, INSTEAD, REFUSE]),
    st.data(),
)
def test_any_stream_ends_once_and_leaks_nothing(
    came: list[bytes], done: bool, usage: bool, policy: Policy, data: st.DataObject
) -> None:
    stream = b"".join(came) + (DONE_EVENT if done else b"")
    out = ran([stream], policy, usage)
    assert out.count(b"data: [DONE]") == 1
    assert out.endswith((b"[DONE]\n\n", b"[DONE]\r\n\r\n"))
    found = frames(out)
    assert sum("error" in frame and frame["error"] is not None for frame in found) <= 1
    whole: dict[tuple[int, str], str] = {}
    ended: set[int] = set()
    for frame in found:
        assert not [text for text in texts(frame) if EMAIL in text]
        for choice in frame.get("choices") or []:
            assert choice["index"] not in ended
            for name, text in (choice.get("delta") or {}).items():
                if isinstance(text, str):
                    whole[choice["index"], name] = whole.get((choice["index"], name), "") + text
            if choice.get("finish_reason"):
                ended.add(choice["index"])
    assert not [text for text in whole.values() if EMAIL in text]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=5)))
    edges = [0, *cuts, len(stream)]
    assert ran([stream[a:b] for a, b in itertools.pairwise(edges)], policy, usage) == out


@settings(max_examples=60)
@given(st.binary(max_size=200))
@example(b"\n")
@example(b"\n\n\n")
@example(b":\r\n")
def test_any_bytes_end_in_an_error_or_in_nothing(stream: bytes) -> None:
    out = ran([stream, b"\n\n"], REDACT, False)
    assert out.count(b"[DONE]") == 1
    if b"[DONE]" not in stream:
        assert out.endswith(DONE_EVENT)
        assert frames(out)[-1]["error"]["type"] == "upstream_error"
