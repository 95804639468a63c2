"""Tokens of typed events: `/v1/responses` gives them on request, to judge values by; `/v1/messages` gives none."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import logprob_server as server
import pytest
import serve_events as events
import serve_golden as golden
from test_serve_logprobs import REMEMBERED, ask, detector, digits

from reticent.demo import assets
from reticent.hosted.loading import read_prompts
from reticent.hosted.shadow import Shadow
from reticent.policy.policy import AfterRedaction, Policy
from reticent.policy.verdict import Origin, Tier
from reticent.serve.api.chat import ChatFormat
from reticent.serve.judging.detector_protocols import ALTERNATIVES, Detector
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.options import Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.settings import ShadowSettings
from reticent.serve.stream.reader import Reader
from reticent.serve.stream.stream_guard import StreamGuard
from reticent_detectors.bundle.format import Bundle

OTHER = [{"role": "user", "content": "Hello!"}]
TOKENS = "message.output_text.logprobs"
SHOW = frozenset({Permission.LOGPROBS})


def reader(
    route: str = "responses", by: Detector | None = None, allowed: frozenset[Permission] = frozenset(), **body: Any
) -> Reader:
    dialect, by = events.DIALECTS[route], by or detector()
    given = {"input": REMEMBERED} if route == "responses" else {}
    asked = dialect.parse_request({**events.ASKS[route], "model": "small", **given, **body}, allowed, False, Bounds())
    policy = replace(by.with_thresholds(Policy()), after_redaction=AfterRedaction.CONTINUE, hold=golden.LONG)
    request = GuardedRequest(policy, golden.FINDER, asked.views, None, Bounds(), by, by.open(asked))
    return dialect.reader(request, asked, allowed)


def response_events(answer: server.ServedAnswer) -> list[dict[str, Any]]:
    """A response's events; every text of them with its tokens, as OpenAI's servers tell them."""
    found = events.message_events([text for text, _, _ in answer.tokens])
    every = server.chat_logprobs(answer.tokens)["content"]
    number = 0
    for event in found:
        if event["type"].endswith("text.delta"):
            event["logprobs"], number = [every[number]], number + 1
        elif event["type"].endswith("text.done"):
            event["logprobs"] = every
        elif event["type"].endswith("_part.done"):
            event["part"]["logprobs"] = every
    found[-1]["item"]["content"][0]["logprobs"] = every
    return events.streamed(found, include=[TOKENS], top_logprobs=ALTERNATIVES)


def run(read: Reader, pieces: Iterable[bytes]) -> bytes:
    guard = StreamGuard(read)
    return b"".join(guard.feed(piece, 0.0) for piece in pieces) + guard.finish(0.0)


def verdicts(read: Reader) -> list[Any]:
    return [record.decision.verdict for record in read.choices[0].report().spans]


def test_the_server_is_asked_for_what_a_detector_needs_and_the_client_hears_what_it_asked_for() -> None:
    body = {"include": ["reasoning.encrypted_content"], "top_logprobs": 0}
    asked = events.DIALECTS["responses"].parse_request({**events.ASKS["responses"], **body}, SHOW, False, Bounds())
    sent = events.DIALECTS["responses"].with_logprobs(asked, ALTERNATIVES, ids=True)
    assert (sent["include"], sent["top_logprobs"]) == (["reasoning.encrypted_content", TOKENS], ALTERNATIVES)
    assert asked.alternatives is None and asked.body["include"] == ["reasoning.encrypted_content"]
    out = events.frames(run(reader(allowed=SHOW, **body), [events.numbered(response_events(ask(REMEMBERED)))]))
    assert [(f["response"]["include"], f["response"]["top_logprobs"]) for f in out if "response" in f] == [
        (["reasoning.encrypted_content"], 0)
    ] * 3


def test_a_remembered_value_is_stopped_and_one_the_model_is_unsure_of_passes_however_the_stream_is_cut() -> None:
    said = ask(REMEMBERED)
    stream = events.numbered(response_events(said))
    cuts = [[stream[at : at + 1] for at in range(len(stream))]]
    cuts += [[stream[:at], stream[at:]] for at in range(0, len(stream), 97)]
    outs = set()
    for pieces in cuts:
        read = reader()
        outs.add(run(read, pieces))
        assert [(v.origin, v.tier) for v in verdicts(read)] == [(Origin.MEMORIZED, Tier.LOGPROBS)]
    assert len(outs) == 1
    shown = outs.pop()
    assert "<PHONE_NUMBER>" in events.said(shown) and digits(events.said(shown)) == 0
    assert b'"token"' not in shown  # nobody asked for them
    unsure = run(reader(), [events.numbered(response_events(server.perplexed(said, 3.0)))])
    assert events.said(unsure) == said.text and b'"token"' not in unsure


def test_a_whole_answer_is_judged_alike() -> None:
    said = ask(REMEMBERED)
    for answer, stopped in ((said, True), (server.perplexed(said, 3.0), False)):
        body = response_events(answer)[-1]["response"]
        read = reader()
        shown = json.loads(read.judge_body(json.dumps(body).encode(), 0.0))["output"][0]["content"][0]
        assert (digits(shown["text"]) == 0) is stopped and shown["logprobs"] == []
        assert [v.tier for v in verdicts(read)] == [Tier.LOGPROBS]


def test_a_client_that_may_gets_as_many_alternatives_as_it_asked_for_and_none_of_what_is_hidden() -> None:
    said = server.ServedAnswer(
        (*server.perplexed(ask(REMEMBERED), 0.0).tokens, (" So", -0.1, ((" So", -0.1), (" But", -2.0))))
    )
    read = reader(allowed=SHOW, include=[TOKENS], top_logprobs=1)
    out = events.frames(run(read, [events.numbered(response_events(said))]))
    deltas = [row for frame in out if frame["type"].endswith("text.delta") for row in frame["logprobs"]]
    assert [row["token"] for row in deltas] == [" So"] and [len(row["top_logprobs"]) for row in deltas] == [1]
    final = out[-1]["response"]["output"][0]["content"][0]["logprobs"]
    assert final == deltas
    assert digits(json.dumps([row["token"] for row in final])) == 0


def test_tokens_of_a_text_are_not_those_of_the_next() -> None:
    """Thoughts behind a text, without tokens of their own, are unknown, though the text's tokens spell them."""
    said = ask(REMEMBERED)
    tokens = server.chat_logprobs((("So. ", -0.1, ()), *said.tokens))["content"]
    here = {"output_index": 0, "content_index": 0}
    read = reader()
    thoughts = {"item_id": events.RS, **here, "output_index": 1, "delta": said.text}
    run(read, [events.bare([
        {"type": "response.output_text.delta", "item_id": events.MSG, **here, "delta": "So. ", "logprobs": tokens},
        {"type": "response.reasoning_text.delta", **thoughts},
    ])])  # fmt: skip
    assert [v.origin for v in verdicts(read)] == [Origin.UNKNOWN]


def test_messages_tell_no_tokens_and_what_is_unknown_is_redacted() -> None:
    text = ask(REMEMBERED).text
    question = {"messages": [{"role": "user", "content": REMEMBERED}]}
    read = reader("messages", **question)
    out = run(read, [events.messages_anthropic([text])])
    assert digits(events.said(out)) == 0 < digits(text)
    assert [(v.origin, v.probability) for v in verdicts(read)] == [(Origin.UNKNOWN, None)]


@pytest.mark.parametrize(
    "more", [{}, {"input": [{"role": "user", "content": [{"type": "input_text", "text": REMEMBERED}]}]}]
)
def test_a_copy_of_the_weights_reads_responses_as_it_reads_chats(more: dict[str, Any]) -> None:
    settings = ShadowSettings(path=assets() / "host", bundle=assets() / "bundle", models=("small",))
    shadow = Shadow(Bundle.load(assets() / "bundle"), *server.demo(), settings)
    try:
        read = reader(by=shadow, **more)
        run(read, [events.numbered(response_events(ask(REMEMBERED)))])
        assert [(v.origin, v.tier) for v in verdicts(read)] == [(Origin.MEMORIZED, Tier.HIDDEN)]
        other = reader(by=shadow, instructions="Speak of the weather.", **more)  # not what the server was asked
        run(other, [events.numbered(response_events(ask(REMEMBERED)))])
        assert verdicts(other)[0].probability != verdicts(read)[0].probability
    finally:
        shadow.close()


def test_a_copy_reads_what_the_route_reads() -> None:
    """Fields of other routes are none of the server's; a system prompt is."""
    tokenizer = server.demo()[1]

    def prompt(dialect: Any, **body: Any) -> list[list[int]]:
        asked = dialect.parse_request({"model": "small", **body}, SHOW, False, Bounds())
        return read_prompts(asked, tokenizer)

    chat = prompt(ChatFormat(), messages=OTHER)
    assert prompt(ChatFormat(), messages=OTHER, input=REMEMBERED, prompt=REMEMBERED, system="Be brief.") == chat
    messages, briefly = events.DIALECTS["messages"], [{"role": "system", "content": "Be brief."}, *OTHER]
    assert prompt(messages, messages=OTHER, max_tokens=9) == chat
    for system in ("Be brief.", [{"type": "text", "text": "Be brief."}]):
        assert prompt(messages, messages=OTHER, system=system, max_tokens=9) == prompt(ChatFormat(), messages=briefly)
    assert prompt(events.DIALECTS["responses"], input=OTHER, instructions="Be brief.") == prompt(
        ChatFormat(), messages=briefly
    )
