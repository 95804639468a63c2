"""Recorded answers through the guard, at every cut: byte-equal where nothing is stopped, no leak where something is."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
import serve_events
import serve_golden as golden
import serve_recorded
from serve_golden import BLOCK, LONG, REDACT, STOP
from serve_recorded import ENGINES, Recording, recordings
from serve_upstream import Scripted, proxied, reply, says
from stream_pieces import fed

from reticent.policy.policy import DEFAULT, Policy, Rule
from reticent.policy.verdict import Action, Origin
from reticent.serve.options import Permission
from reticent.serve.stream.stream_guard import StreamGuard

SHOW = Policy(rules={DEFAULT: {Origin.UNKNOWN: Rule(Action.ALLOW)}}, hold=LONG)
NUMBER, ACCOUNT = "437-446-5262", "FGIY31148582778825"
"""What the demo host says of its synthetic people when it is asked as it was recorded."""
ANSWERS = serve_recorded.guarded_answers()
SPELT = [each for each in ANSWERS if "logprobs" in each.name]
TYPED = serve_recorded.guarded_answers(serve_recorded.TYPED)
PLAIN = [each for each in ANSWERS if "logprobs" not in each.name]
ERRORS = [
    each
    for engine in ENGINES
    for each in recordings(engine).values()
    if each.status >= 400 and each.path in serve_recorded.ROUTES
]


def ids(every: list[Recording]) -> list[str]:
    return [each.id for each in every]


def replay(recording: Recording, pieces: Iterable[bytes], policy: Policy, stripped: bool = False) -> bytes:
    """What a client gets of the recorded answer when it comes in these pieces."""
    allowed = () if stripped else tuple(Permission)
    asks = {name: each for name, each in recording.request.items() if not (stripped and "logprobs" in name)}
    if stripped:
        asks = {
            name: each for name, each in asks.items() if name in ("model", "messages", "prompt", "stream", "n", "stop")
        }
    reader = golden.reader(policy, recording.route, allowed=allowed, **asks)
    reader.request.id = "0" * 16  # an id that looks like a value is replaced by one with this in it
    if not recording.streamed:
        return reader.judge_body(b"".join(pieces), 0.0)
    return fed(StreamGuard(reader), pieces)


def every_byte(recording: Recording) -> Iterable[bytes]:
    return (bytes([byte]) for byte in recording.body)


def bodies(recording: Recording, answer: bytes) -> list[dict[str, Any]]:
    return golden.frames(answer) if recording.streamed else [json.loads(answer)]


def said(recording: Recording, answer: bytes) -> str:
    """All that the choices of an answer say, one after the other."""
    out: dict[int, str] = {}
    for body in bodies(recording, answer):
        for choice in body.get("choices", []):
            part = choice.get("delta", choice.get("message", choice))
            calls = "".join(call["function"].get("arguments") or "" for call in part.get("tool_calls") or [])
            text = (part.get("content") or part.get("text") or "") + calls
            out[choice["index"]] = out.get(choice["index"], "") + text
    return "\n".join(out.values())


def spelling(recording: Recording, answer: bytes) -> list[tuple[str, float | None]]:
    """The tokens and their log-probabilities that an answer tells."""
    out: list[tuple[str, float | None]] = []
    for body in bodies(recording, answer):
        for choice in body.get("choices", []):
            logprobs = choice.get("logprobs") or {}
            out += zip(logprobs.get("tokens") or [], logprobs.get("token_logprobs") or [], strict=True)
            out += [(each["token"], each["logprob"]) for each in logprobs.get("content") or []]
    return out


def leaks(recording: Recording, answer: bytes) -> bool:
    """Whether four letters or digits of a value stand together in an answer's texts or among its tokens."""
    tokens = "".join(token for token, _ in spelling(recording, answer))
    letters = golden.letters(said(recording, answer) + "\n" + tokens)
    return any(v[at : at + 4] in letters for v in map(golden.letters, (NUMBER, ACCOUNT)) for at in range(len(v) - 3))


LEAKY = [each for each in ANSWERS if leaks(each, each.body)]


def test_there_are_recordings_of_both_servers() -> None:
    assert ENGINES == ("llama-cpp", "vllm")
    assert {(each.engine, each.route, each.streamed) for each in ANSWERS} == {
        (engine, route, streamed)
        for engine in ENGINES
        for route in ("chat", "completions")
        for streamed in (False, True)
    }


@pytest.mark.parametrize("recording", PLAIN, ids=ids(PLAIN))
def test_an_answer_in_which_nothing_is_stopped_is_byte_equal(recording: Recording) -> None:
    assert replay(recording, [recording.body], SHOW) == recording.body
    assert replay(recording, every_byte(recording), SHOW) == recording.body


@pytest.mark.parametrize("recording", SPELT, ids=ids(SPELT))
def test_log_probabilities_that_are_shown_are_the_servers(recording: Recording) -> None:
    """Those of spans lose their alternatives, and those that are not the text of their frame go."""
    shown = replay(recording, [recording.body], SHOW)
    assert said(recording, shown) == said(recording, recording.body)
    theirs = iter(spelling(recording, recording.body))
    assert all(each in theirs for each in spelling(recording, shown))
    assert replay(recording, every_byte(recording), SHOW) == shown
    assert spelling(recording, replay(recording, [recording.body], SHOW, stripped=True)) == []


@pytest.mark.parametrize("policy", [REDACT, STOP, BLOCK], ids=["redact", "stop", "block"])
@pytest.mark.parametrize("recording", LEAKY, ids=ids(LEAKY))
def test_nothing_of_a_value_leaks(recording: Recording, policy: Policy) -> None:
    shown = replay(recording, [recording.body], policy)
    assert not leaks(recording, shown)
    assert not leaks(recording, replay(recording, [recording.body], policy, stripped=True))
    if policy is REDACT:
        assert replay(recording, every_byte(recording), policy) == shown


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["chat-stop-stream", "completions-usage-stream"])
def test_at_many_cuts_a_short_stream_gives_the_same(engine: str, name: str) -> None:
    recording = recordings(engine)[name]
    body = recording.body
    for policy in (SHOW, REDACT):
        expected = replay(recording, [body], policy)
        for cut in range(0, len(body) + 1, 11):
            assert replay(recording, [body[:cut], body[cut:]], policy) == expected


STREAMS = [each for each in ANSWERS if each.streamed]


@pytest.mark.slow
@pytest.mark.parametrize("recording", STREAMS, ids=ids(STREAMS))
def test_at_every_cut_every_answer_gives_the_same(recording: Recording) -> None:
    for policy in (SHOW, REDACT):
        expected = replay(recording, [recording.body], policy)
        for cut in range(len(recording.body) + 1):
            assert replay(recording, [recording.body[:cut], recording.body[cut:]], policy) == expected


@pytest.mark.parametrize("recording", ERRORS, ids=ids(ERRORS))
def test_an_error_keeps_its_status_and_comes_in_openais_shape(recording: Recording) -> None:
    upstream = Scripted()
    upstream.script = says(reply(recording.body, recording.content_type, recording.status))
    try:
        with proxied(upstream.url) as running:
            response = running.post(golden.request_body(recording.route))
    finally:
        upstream.close()
    assert (response.status_code, set(response.json()["error"])) == (
        recording.status,
        {"message", "type", "param", "code"},
    )
    assert response.json()["error"]["message"]


def replay_typed(recording: Recording, pieces: Iterable[bytes], policy: Policy) -> bytes:
    """The same for events with types of their own."""
    if recording.streamed:
        return serve_events.run(pieces, policy, recording.route, **recording.request)
    reader = serve_events.reader(policy, recording.route, **recording.request)
    return reader.judge_body(b"".join(pieces), 0.0)


@pytest.mark.parametrize("recording", TYPED, ids=ids(TYPED))
def test_typed_events_are_byte_equal_or_say_nothing_of_the_value(recording: Recording) -> None:
    body, value = recording.body, golden.letters(NUMBER)
    assert replay_typed(recording, [body], SHOW) == body
    assert replay_typed(recording, every_byte(recording), SHOW) == body
    shown = replay_typed(recording, [body], REDACT)
    text = serve_events.said(shown) if recording.streamed else shown.decode()
    assert "<PHONE_NUMBER>" in text
    assert not any(value[at : at + 5] in golden.letters(shown.decode()) for at in range(len(value) - 4))
    assert replay_typed(recording, every_byte(recording), REDACT) == shown
