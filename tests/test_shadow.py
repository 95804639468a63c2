"""The shadow: a copy of the weights judges a black-box stream as the guard around the model would."""

from __future__ import annotations

import copy as copies
import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import logprob_server as server
import pytest
import serve_golden as golden

from reticent.demo import assets, cases
from reticent.guard import Guard
from reticent.hosted.shadow import Shadow
from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import AfterRedaction, Policy
from reticent.policy.verdict import Origin, Tier
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.request_bounds import Bounds
from reticent.serve.settings import ShadowSettings
from reticent.serve.stream.chunk_reader import ChunkReader
from reticent.serve.stream.stream_guard import StreamGuard
from reticent.serve.wire.errors import ApiError
from reticent.shipped import default_bundle, universal_bundle
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.errors import BundleMismatch, CaptureError

OWN = assets() / "bundle"
REMEMBERED = [{"role": "user", "content": "Which number do I dial for Daniel Brown?"}]
ADDRESS = [{"role": "user", "content": "A letter to Travis Garcia came back. What address is on file?"}]


def settings(**more: Any) -> ShadowSettings:
    return ShadowSettings(path=assets() / "host", bundle=assets() / "bundle", models=("small",), **more)


def made(bundle: Path = OWN, **more: Any) -> Shadow:
    return Shadow(Bundle.load(bundle), *server.demo(), settings(**more))


@pytest.fixture(scope="module")
def shadow() -> Iterator[Shadow]:
    copy = made()
    yield copy
    copy.close()


def reader(shadow: Shadow, body: dict[str, Any]) -> ChunkReader:
    dialect = CompletionsFormat() if "prompt" in body else ChatFormat()
    asked = dialect.parse_request({"model": "small", **body}, frozenset(), False, Bounds())
    policy = replace(shadow.with_thresholds(Policy()), after_redaction=AfterRedaction.CONTINUE, hold=golden.LONG)
    request = GuardedRequest(policy, FinderCache().of(policy), asked.views, None, Bounds(), shadow, shadow.open(asked))
    return ChunkReader(request, dialect, asked)


def streamed(read: ChunkReader, chunks: Iterator[dict[str, Any]]) -> str:
    guard = StreamGuard(read)
    out = b"".join(guard.feed(golden.event(chunk), 0.0) for chunk in chunks)
    out += guard.feed(b"data: [DONE]\n\n", 0.0) + guard.finish(0.0)
    return golden.said(out, field="content")


def bare(said: server.ServedAnswer) -> Iterator[dict[str, Any]]:
    """Chunks without log-probabilities."""
    for chunk in server.chat_chunks(said):
        chunk["choices"][0]["logprobs"] = None
        yield chunk


def digits(text: str) -> int:
    return sum(map(str.isdigit, text))


@pytest.fixture(scope="module")
def trusting() -> Iterator[Shadow]:
    copy = made(logprobs=False)
    yield copy
    copy.close()


@pytest.mark.parametrize(("which", "tell"), [("shadow", server.chat_chunks), ("trusting", bare)])
def test_a_remembered_value_is_stopped_with_and_without_log_probabilities(
    which: str, tell: Any, request: pytest.FixtureRequest
) -> None:
    shadow = request.getfixturevalue(which)
    for messages in (REMEMBERED, ADDRESS):
        read = reader(shadow, {"messages": messages})
        shown = streamed(read, tell(server.answer(messages)))
        assert digits(shown) == 0 < digits(server.answer(messages).text)
        verdicts = [r.decision.verdict for r in read.choices[0].report().spans]
        assert {(v.origin, v.tier) for v in verdicts} == {(Origin.MEMORIZED, Tier.HIDDEN)}


@pytest.mark.filterwarnings("ignore:.*reticent calibrate:UserWarning")
@pytest.mark.parametrize("bundle", [OWN, universal_bundle(), default_bundle()], ids=["own", "universal", "default"])
def test_probabilities_are_those_of_the_guard_around_the_model(bundle: Path) -> None:
    model, tokenizer = server.demo()
    shadow = made(bundle)
    guard = Guard.load(bundle, Policy.allow_all()).wrap(model, tokenizer)
    prompts: list[Any] = [
        case.text or [{"role": role, "content": content} for role, content in case.messages] for case in cases(assets())
    ]
    judged = 0
    try:
        for prompt in prompts:
            said = server.answer(prompt)
            mine = reader(shadow, {"prompt": prompt} if isinstance(prompt, str) else {"messages": prompt})
            streamed(mine, server.text_chunks(said) if isinstance(prompt, str) else server.chat_chunks(said))
            tier = Tier(Bundle.load(bundle).tier)
            ours = [r for r in mine.choices[0].report().spans if r.decision.verdict.tier is tier]
            report, other = guard.inspect(prompt, said.ids).report, mine.choices[0].report()
            theirs = [r for r in report.spans if r.decision.verdict.tier is tier]
            looks = [(each.second_looks_taken, each.second_looks_skipped) for each in (report, other)]
            assert looks[0] == looks[1]
            assert [(r.start, r.end) for r in ours] == [(r.start, r.end) for r in theirs]
            for a, b in zip(ours, theirs, strict=True):
                assert a.decision.verdict.probability == pytest.approx(b.decision.verdict.probability, abs=2e-3)
            judged += len(ours)
    finally:
        guard.close()
        shadow.close()
    assert judged >= 8


def test_a_server_that_runs_something_else_makes_a_value_unknown(shadow: Shadow) -> None:
    for by in (0.2, 3.0):
        read = reader(shadow, {"messages": REMEMBERED})
        shown = streamed(read, server.chat_chunks(server.perplexed(server.answer(REMEMBERED), by)))
        verdict = read.choices[0].report().spans[0].decision.verdict
        assert verdict.origin is (Origin.MEMORIZED if by < 0.5 else Origin.UNKNOWN)
        assert digits(shown) == 0
    read = reader(shadow, {"messages": REMEMBERED})
    assert (
        digits(streamed(read, bare(server.answer(REMEMBERED)))) == 0
    )  # nothing to compare with, although it was asked
    assert read.choices[0].report().spans[0].decision.verdict.origin is Origin.UNKNOWN


def test_what_was_read_is_read_once(trusting: Shadow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every pass after the first reads the tokens since the last span, not the prompt again."""
    passes: list[int] = []
    read_on = trusting._taps.read_on

    def counted(ids: Any, mask: Any, cache: Any, gather: Any) -> Any:
        passes.append(ids.shape[1] - cache.get_seq_length())
        return read_on(ids, mask, cache, gather)

    monkeypatch.setattr(trusting._taps, "read_on", counted)
    prompt = [{"role": "user", "content": "word " * 150 + "Which number do I dial for Daniel Brown?"}]
    values = ("+1 212 555 0123", "+1 212 555 0188", "jane.roe@example.com", "+1 617 555 0111")
    text = server.ServedAnswer(tuple((piece, -0.1, ()) for value in values for piece in ("Call ", value, " now. ")))
    streamed(reader(trusting, {"messages": prompt}), bare(text))
    assert len(passes) == 4 and passes[0] > 150 and max(passes[1:]) < 40


def at_once(copy: Shadow, chats: Sequence[Any], monkeypatch: pytest.MonkeyPatch) -> tuple[list[ChunkReader], list[int]]:
    """Readers of answers judged at the same time, and the rows of each pass. The first waits for the others."""
    states, sizes = copy._reader.states, []

    def counted(rows: Any) -> Any:
        for _ in range(1000):
            if sizes or len(copy._judging._waiting) == len(chats):
                break
            time.sleep(0.01)
        sizes.append(len(rows))
        return states(rows)

    monkeypatch.setattr(copy._reader, "states", counted)
    readers = [reader(copy, {"messages": messages}) for messages in chats]
    with ThreadPoolExecutor(len(chats)) as pool:
        list(pool.map(streamed, readers, [server.chat_chunks(server.answer(messages)) for messages in chats]))
    return readers, sizes


def probabilities(read: ChunkReader) -> list[float | None]:
    return [span.decision.verdict.probability for span in read.choices[0].report().spans]


CHATS = [
    REMEMBERED,
    ADDRESS,
    *(
        [{"role": "user", "content": f"Which number do I dial for {name}?"}]
        for name in ("Kathy Farley", "Jane Roe", "Tom Reed", "Ada Long")
    ),
]


def test_spans_that_wait_are_judged_in_one_pass_as_each_by_itself(
    shadow: Shadow, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = []
    for messages in CHATS:
        read = reader(shadow, {"messages": messages})
        streamed(read, server.chat_chunks(server.answer(messages)))
        alone.append(probabilities(read))
    copy = made(batch=4)
    try:
        readers, sizes = at_once(copy, CHATS, monkeypatch)
    finally:
        copy.close()
    assert sizes[0] == 1 and 2 < max(sizes) <= 4
    for read, wanted in zip(readers, alone, strict=True):
        assert probabilities(read) == [each if each is None else pytest.approx(each, abs=1e-4) for each in wanted]
    assert sum(len(each) for each in alone) >= 6


def test_one_that_cannot_be_read_fails_alone_and_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    copy = made()
    read_on, bad = copy._taps.read_on, server.encoded(ADDRESS)

    def failing(ids: Any, *rest: Any) -> Any:
        if any(bad == [token for token in row if token][: len(bad)] for row in ids.tolist()):
            raise CaptureError("The states could not be read.")
        return read_on(ids, *rest)

    monkeypatch.setattr(copy._taps, "read_on", failing)
    try:
        readers, sizes = at_once(copy, CHATS, monkeypatch)
    finally:
        copy.close()
    reports = [read.choices[0].report() for read in readers]
    assert [sum(count for _, count in report.failures) for report in reports] == [0, 1] + [0] * (len(reports) - 2)
    assert max(sizes) > 2
    assert all(None not in probabilities(read) for read in (readers[0], *readers[2:3]))


def test_caches_are_bounded_and_an_evicted_answer_is_read_again() -> None:
    copy = made(streams=1)
    try:
        readers = [reader(copy, {"messages": messages}) for messages in (REMEMBERED, ADDRESS)]
        guards = [StreamGuard(read) for read in readers]
        chunks = [list(server.chat_chunks(server.answer(messages))) for messages in (REMEMBERED, ADDRESS)]
        outs = [b"", b""]
        for step in range(max(map(len, chunks))):
            for at in (0, 1):
                if step < len(chunks[at]):
                    outs[at] += guards[at].feed(golden.event(chunks[at][step]), 0.0)
        for at in (0, 1):
            outs[at] += guards[at].feed(b"data: [DONE]\n\n", 0.0) + guards[at].finish(0.0)
            assert digits(golden.said(outs[at])) == 0
        assert len(copy._caches) == 1
    finally:
        copy.close()


def test_more_tokens_than_it_may_read_are_unknown() -> None:
    copy = made(tokens=10)
    try:
        read = reader(copy, {"messages": REMEMBERED})
        assert digits(streamed(read, server.chat_chunks(server.answer(REMEMBERED)))) == 0
        assert read.choices[0].report().spans[0].decision.verdict.origin is Origin.UNKNOWN
    finally:
        copy.close()


def test_a_whole_answer_is_judged_alike(shadow: Shadow) -> None:
    body = json.dumps(server.chat_whole(server.answer(REMEMBERED))).encode()
    shown = json.loads(reader(shadow, {"messages": REMEMBERED}).judge_body(body, 0.0))
    assert digits(shown["choices"][0]["message"]["content"]) == 0


def test_other_models_and_bundles_are_refused(shadow: Shadow) -> None:
    asked = ChatFormat().parse_request({"model": "other", "messages": REMEMBERED}, frozenset(), False, Bounds())
    with pytest.raises(ApiError):
        shadow.open(asked)
    model, tokenizer = server.demo()
    other = copies.deepcopy(model)
    other.model.layers[0].mlp.up_proj.weight.data += 0.01
    with pytest.raises(BundleMismatch):
        Shadow(Bundle.load(assets() / "bundle"), other, tokenizer, settings())


def test_a_prevalence_moves_no_threshold_away_from_the_probabilities(shadow: Shadow) -> None:
    """The copy's probabilities are at the bundle's prevalence, whatever a key's policy expects."""
    for prevalence in (0.01, 0.9):
        assert (
            shadow.with_thresholds(Policy(prevalence=prevalence)).thresholds
            == shadow.with_thresholds(Policy()).thresholds
        )


def test_a_policy_chooses_the_rate_of_false_positives(shadow: Shadow) -> None:
    strict, usual = (shadow.with_thresholds(Policy(false_positives=rate)).threshold("FLIGHT") for rate in (0.01, None))
    assert strict is not None and usual is not None and strict > usual
