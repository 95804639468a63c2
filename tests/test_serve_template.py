"""Chunks that differ in nothing but their text: read once, and judged as if each had been read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import serve_golden as golden
from hypothesis import example, given
from hypothesis import strategies as st
from serve_golden import EMAIL

from reticent.policy.policy import Action, Policy
from reticent.policy.verdict import Tier
from reticent.serve.api.chat import ChatFormat
from reticent.serve.judging.detector_protocols import ForEveryModel, SpanLocation, WithoutBase
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.token_alignment import Token
from reticent.serve.options import Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.chunk_reader import ChunkReader
from reticent.serve.stream.chunk_template import TOKENS, ChunkTemplate
from reticent.serve.stream.stream_guard import StreamGuard
from reticent.serve.wire.parsed_request import ParsedRequest

POLICIES = [golden.REDACT, golden.STOP, golden.BLOCK, golden.INSTEAD, golden.REFUSE]
PLAIN = replace(Policy.default(), hold=golden.LONG)


def chunk(text: str, index: int = 0, **more: Any) -> dict[str, Any]:
    choice = {"index": index, "delta": {"content": text}, "logprobs": None, "finish_reason": None, **more}
    return {
        "id": "chatcmpl-0a1b2c3d4e5f6071",
        "object": "chat.completion.chunk",
        "created": 1732200000,
        "model": "small",
        "choices": [choice],
    }


def said(texts: list[str], *, remember: bool, n: int = 1, policy: Policy = golden.REDACT, **more: Any) -> bytes:
    reader = golden.reader(policy, n=n)
    if not remember:
        reader._remember = lambda frame: None  # type: ignore[method-assign]
    guard = StreamGuard(reader)
    out = b""
    for number, text in enumerate(texts):
        out += guard.feed(golden.event(chunk(text, number % n, **more)), 0.0)
    for index in range(n):
        out += guard.feed(golden.event(chunk("", index, finish_reason="stop")), 0.0)
    return out + guard.feed(b"data: [DONE]\n\n", 0.0) + guard.finish(0.0)


PIECES = st.text('ab 1\\"\n{}:,@.\u00fc\u2028\U0001f600', max_size=12) | st.sampled_from(
    [EMAIL, "jane.", "roe@", "example.com ", "."]
)


@given(st.lists(PIECES, max_size=12), st.integers(1, 3))
def test_the_client_sees_the_same_with_templates_and_without(texts: list[str], n: int) -> None:
    assert said(texts, remember=True, n=n) == said(texts, remember=False, n=n)


@given(
    st.lists(PIECES, max_size=12),
    st.integers(1, 3),
    st.sampled_from(POLICIES),
    st.integers(1, 2000),
    st.booleans(),
    st.booleans(),
)
def test_the_client_sees_the_same_however_many_chunks_come_together(
    texts: list[str], n: int, policy: Policy, size: int, usage: bool, finished: bool
) -> None:
    events = [golden.event(chunk(text, number % n)) for number, text in enumerate(texts)]
    events += [golden.event(chunk("", index, finish_reason="stop")) for index in range(n * finished)]
    events += [golden.event({**chunk(""), "choices": [], "usage": {"total_tokens": 3}})] * usage
    stream = b"".join([*events, b"data: [DONE]\n\n"])
    more = {"stream_options": {"include_usage": True}} if usage else {}
    together = [stream[at : at + size] for at in range(0, len(stream), size)]
    apart = [*events, b"data: [DONE]\n\n"]
    assert golden.run(together, policy, n=n, **more) == golden.run(apart, policy, n=n, **more)


def test_texts_that_came_together_are_held_no_longer_than_one_by_one() -> None:
    """A value at their end is all that is held, not the words before it."""
    policy = replace(golden.REDACT, hold=replace(golden.LONG, max_tokens=8), on_overflow=Action.ALLOW)
    texts = [*["la "] * 40, "jane.", "roe", "@exam", "ple.com ", "is it."]
    events = [golden.event(chunk(text)) for text in texts]
    events += [golden.event(chunk("", finish_reason="stop")), b"data: [DONE]\n\n"]
    for number in range(len(events)):
        out = golden.run([b"".join(events[:number]), b"".join(events[number:])], policy)
        assert golden.said(out) == "la " * 40 + "<EMAIL_ADDRESS> is it."


def test_what_goes_with_a_text_goes_with_it() -> None:
    """Token ids and log-probabilities of a text that is hidden are hidden, however often they are the same."""
    logprobs = {"content": [{"token": "x", "logprob": -0.5, "bytes": None, "top_logprobs": []}]}
    for more in ({"token_ids": [7]}, {"logprobs": logprobs}):
        stream = b"".join(golden.event(chunk(text, **more)) for text in ("la ", "la ", f"{EMAIL} ", "and ", "so "))
        out = golden.frames(golden.run([stream, b"data: [DONE]\n\n"], allowed=tuple(Permission)))
        (hidden,) = [f["choices"][0] for f in out if "<" in f["choices"][0]["delta"].get("content", "")]
        assert not hidden.get("token_ids") and not (hidden.get("logprobs") or {}).get("content")


def test_what_comes_with_the_end_of_a_blocked_answer_is_left_out() -> None:
    usage = golden.event({**chunk(""), "choices": [], "usage": {"total_tokens": 3}})
    stream = b"".join([*(golden.event(chunk(text)) for text in ("la ", "la ", f"{EMAIL} ", "and ")), usage])
    out = golden.run([stream], golden.REFUSE, stream_options={"include_usage": True})
    assert b"total_tokens" not in out and golden.said(out) == "la la "


def test_a_value_stopped_elsewhere_is_known_before_the_next_chunk_is_judged() -> None:
    """The end of the reasoning is judged when the answer goes on. The text of that chunk must not be judged before."""
    value, respelled = f"{golden.IBAN} ", golden.IBAN.replace(" ", "...") + " "
    reasoning = {**chunk(""), "choices": [{"index": 0, "delta": {"reasoning": value}, "finish_reason": None}]}
    events = [chunk("la "), reasoning, chunk("so "), chunk(respelled), chunk("end. "), chunk("", finish_reason="stop")]
    out = golden.run([b"".join(map(golden.event, events)), b"data: [DONE]\n\n"], golden.RECORDED, index=golden.INDEX)
    assert golden.said(out) == "la so <IBAN_CODE> end. "


@pytest.mark.parametrize("pieces", [golden.HARMLESS, golden.leaking(EMAIL), golden.leaking(golden.IBAN)])
def test_values_are_found_over_chunks_that_were_not_read_again(
    pieces: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = []
    read = ChunkReader.read
    monkeypatch.setattr(ChunkReader, "read", lambda self, raw, text, now: reads.append(1) or read(self, raw, text, now))
    out = said(pieces, remember=True)
    assert len(reads) <= 3 < len(pieces)
    assert golden.said(out) == golden.said(said(pieces, remember=False))
    assert not golden.leaked(out, EMAIL) and not golden.leaked(out, golden.IBAN)


@pytest.mark.parametrize(
    "more",
    [
        {"provider_note": "the sky"},
        {"extra": {"x": 12}},
        {"delta": {"content": "la", "reasoning": "so"}},
        {"finish_reason": "stop"},
    ],
)
def test_chunks_with_more_than_a_text_are_always_read(more: dict[str, Any]) -> None:
    guard = StreamGuard(golden.reader(PLAIN))
    event = golden.event(chunk("la", **more))
    guard.feed(event, 0.0)
    assert not guard._reader.take_templated(event, 0.0)


def test_a_chunk_with_nothing_but_a_text_is_read_once() -> None:
    guard = StreamGuard(golden.reader(PLAIN))
    guard.feed(golden.event(chunk("la")), 0.0)
    assert guard._reader.take_templated(golden.event(chunk("la la")), 0.0)


def test_a_value_in_another_field_is_seen_although_the_text_stays_the_same() -> None:
    guard = StreamGuard(golden.reader(golden.REDACT))
    out = b"".join(guard.feed(golden.event(chunk("la ")), 0.0) for _ in range(4))
    out += guard.feed(golden.event({**chunk("la "), "note": EMAIL}), 0.0)
    out += guard.feed(golden.event(chunk("la ", stop_reason=EMAIL)), 0.0)
    out += guard.feed(golden.event({**chunk("la "), "id": EMAIL}), 0.0)
    out += guard.feed(b"data: [DONE]\n\n", 0.0) + guard.finish(0.0)
    assert EMAIL.encode() not in out and golden.said(out) == "la " * 7


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b'data: {"choices":[{"text":"one"}]}\n\n', "one"),
        (b'data: {"choices":[{"text":"a\\u0062\\n"}]}\n\n', "ab\n"),
        ('data: {"choices":[{"text":"ü"}]}\n\n'.encode(), "ü"),
        (b'data: {"choices":[{"text": "one"}]}\n\n', None),
        (b'data: {"choices":[{"text":""}]}\n\n', None),
        (b'data: {"choices":[{"text":7}]}\n\n', None),
        (b'data: {"choices":[{"text":"a\nb"}]}\n\n', None),
        (b'data: {"choices":[{"text":"a","text":"b"}]}\n\n', None),
        (b'data: {"choices":[{"text":"\xfc"}]}\n\n', None),
        (b'data: {"choices":[{"text":"a"}]} \n\n', None),
        (b'data: {"choices":[{"text":"a","x":1}]}\n\n', None),
        (b'data: {"choices":[{"text":"', None),
    ],
)
def test_a_text_is_taken_only_where_all_else_is_the_same(data: bytes, text: str | None) -> None:
    new = ChunkTemplate(golden.compact({"choices": [{"text": "zero"}]}), {"choices": [{"text": "zero"}]}, "", "text", 0)
    found = new.read(data)
    assert (found and found.text) == text


TOLD = b'data: {"choices":[{"text":"%b","logprobs":%b,"token_ids":[5]}]}\n\n'


@pytest.mark.parametrize(
    ("data", "tokens"),
    [
        (TOLD % (b"a", b'{"tokens":["a"]}'), {"logprobs": {"tokens": ["a"]}, "token_ids": [5]}),
        (TOLD % (b"a", b"null"), {"logprobs": None, "token_ids": [5]}),
        (TOLD % (b"a", b"[NaN]"), None),
        (TOLD % (b"a", b"[\n1]"), None),
        (TOLD % (b"a", b"[" * 70 + b"]" * 70), None),
        (TOLD.replace(b"5", b"5,") % (b"a", b"null"), None),
        (TOLD.replace(b"}]", b',"x":1}]') % (b"a", b"null"), None),
    ],
)
def test_what_a_chunk_tells_of_its_tokens_is_read_with_its_text(data: bytes, tokens: dict[str, Any] | None) -> None:
    shown = {"choices": [{"text": "zero", "logprobs": None, "token_ids": None}]}
    template = ChunkTemplate(TOLD % (b"zero", b"{}"), shown, "", "text", 0, True, TOKENS)
    new = template.read(data)
    assert (new and new.tokens) == tokens
    assert template.written('"') == golden.compact({"choices": [{**shown["choices"][0], "text": '"'}]})


@pytest.mark.parametrize("choice", [{"b": {"text": "c"}, "text": "a"}, {"content": "a"}])
def test_a_chunk_whose_text_is_not_plain_to_see_is_no_template(choice: dict[str, Any]) -> None:
    body = {"choices": [choice]}
    assert not ChunkTemplate(golden.compact(body), body, "", "text", 0).usable


# With a detector that waits for a server: the chunks tell of tokens, and only values are judged in a thread.


class Waiting(ForEveryModel, WithoutBase):
    """A detector that may be asked only where it may wait."""

    tier, reads_text, wants_logprobs, wants_token_ids, digest, about, prevalence = (
        Tier.LOGPROBS, True, True, True, "", "it waits", 0.5,
    )  # fmt: skip
    needs_thread = True

    def __init__(self) -> None:
        self.may_wait, self.asked = True, list[tuple[str, list[Token]]]()

    def with_thresholds(self, policy: Policy) -> Policy:
        return policy.with_thresholds({"DEFAULT": 0.5})

    def open(self, asked: ParsedRequest) -> Waiting:
        return self

    def close(self) -> None:
        pass

    def probability(self, location: SpanLocation) -> float | None:
        assert self.may_wait
        tokens = location.track.between(location.start, location.end)
        self.asked.append((location.text[location.start : location.end], tokens))
        return 0.9 if len(self.asked) % 2 else 0.1


def told(text: str, number: int, **more: Any) -> dict[str, Any]:
    tops = [{"token": each, "logprob": -1.5, "bytes": list(each.encode())} for each in (text, "x")]
    return chunk(text, logprobs={"content": [{**tops[0], "top_logprobs": tops}]}, token_ids=[number], **more)


def judged(texts: list[str], policy: Policy, way: str) -> tuple[bytes, list[tuple[str, list[Token]]]]:
    """What the client sees of a stream, and what the detector was asked."""
    detector = Waiting()
    parsed = ChatFormat().parse_request(golden.request_body(stream=True), frozenset(), False, Bounds())
    policy = detector.with_thresholds(replace(policy, rules={}))
    request = GuardedRequest(policy, golden.FINDER, parsed.views, None, Bounds(), detector, detector)
    reader = ChunkReader(request, ChatFormat(), parsed)
    if way == "read":
        reader._remember = lambda frame: None  # type: ignore[method-assign]
    guard, out = StreamGuard(reader), b""
    events = [golden.event(told(text, number)) for number, text in enumerate(texts)]
    events += [golden.event(chunk("", finish_reason="stop")), b"data: [DONE]\n\n"]
    for piece in [events[0], b"".join(events[1:])] if way == "together" else events:
        detector.may_wait = guard.takes_long or way == "read"
        out += guard.feed(piece, 0.0, may_take_long=detector.may_wait)
        while guard.waits and not guard.done:
            assert guard.takes_long
            detector.may_wait = True
            out += guard.feed(b"", 0.0)
    return out + guard.finish(0.0), detector.asked


@example(["la ", "la ", EMAIL, " and ", "jo@", "example.org ", "so ", "la "], golden.REDACT, "together")
@given(
    st.lists(PIECES.filter(bool), max_size=16),
    st.sampled_from([golden.REDACT, golden.STOP]),
    st.sampled_from(["apart", "together"]),
)
def test_only_values_are_waited_for_where_chunks_tell_of_their_tokens(
    texts: list[str], policy: Policy, way: str
) -> None:
    assert judged(texts, policy, way) == judged(texts, policy, "read")
