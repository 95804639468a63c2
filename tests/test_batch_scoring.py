"""What several answers ask the detector at a time is scored together; what goes wrong with one span is no other's."""

from __future__ import annotations

import gc
import inspect
import re
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
import tiny_hosts
import torch
from test_decoding import PROMPTS, say
from test_generate import Sink
from tiny_hosts import SECRET, STOP_ALL

from reticent import AfterRedaction, Policy
from reticent.core import failure_log as failures
from reticent.huggingface import call_sessions, guarded_model
from reticent.huggingface.answer import Answer
from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.batch_scoring import ScoreRequest, ScoreResult, ScoringSteps, StateSource, run_batched
from reticent.huggingface.guarded_model import GuardedModel
from reticent.huggingface.model_call_context import ModelCallContext
from reticent.huggingface.reread_answers import reread_answers
from reticent.policy.verdict import Reason
from reticent.prompt.segments import from_ids
from reticent_detectors.capture import Ring, SpanStates
from reticent_detectors.errors import CaptureError
from reticent_detectors.scoring.state_scorer import ReadSpan

WATCH = Policy(score_threshold=1.0, after_redaction=AfterRedaction.CONTINUE)
PHONES = [SECRET, "555-010-7788", "212-867-5309"]
TEXTS = [f"The phone number of Jane Roe is {phone}. Good." for phone in PHONES]
AT_THE_END = [f"The phone number of Jane Roe is {phone}" for phone in PHONES]


@pytest.fixture(scope="module", params=[False, True], ids=["", "overlap"])
def llama(request: pytest.FixtureRequest, tmp_path_factory: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / "one", seed=1, overlap=request.param)


@pytest.fixture
def batches(llama: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many spans were scored together, each time."""
    counts = list[int]()

    def score(spans: Sequence[ReadSpan], spent: dict[str, float] | None = None) -> list[float]:
        counts.append(len(spans))
        return unwatched(spans, spent)

    unwatched = llama.score
    monkeypatch.setattr(llama, "score", score)
    return counts


class Clock:
    """Stands in for `time.perf_counter`: it goes on by a microsecond a reading, and by what passes."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1e-6
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "perf_counter", clock)
    return clock


def probabilities(answers: Sequence[Any]) -> list[float]:
    return [r.decision.verdict.probability for answer in answers for r in answer.report.spans]


# ---- a running generation ----------------------------------------------------------------------


@pytest.mark.parametrize("texts", [TEXTS, AT_THE_END], ids=["while it goes on", "when it ends"])
def test_spans_that_become_final_together_are_scored_together(
    llama: GuardedModel, batches: list[int], texts: list[str]
) -> None:
    _, answers, _ = say(llama, texts, WATCH)
    assert batches == [3]
    together = probabilities(answers)
    batches.clear()
    alone = []
    for row in range(3):  # the others say nothing
        _, answers, _ = say(llama, [text if at == row else "Hi." for at, text in enumerate(texts)], WATCH)
        alone += probabilities(answers)
    assert batches == [1, 1, 1]
    assert together == pytest.approx(alone, abs=1e-6)
    assert len(set(together)) == 3


def test_redactions_in_one_step_are_each_rows_own(llama: GuardedModel, batches: list[int]) -> None:
    _, answers, _ = say(llama, TEXTS, STOP_ALL)
    assert [answer.text for answer in answers] == ["The phone number of Jane Roe is <PHONE_NUMBER>. Good."] * 3
    assert batches == [3]


def test_a_span_without_states_withholds_itself_alone(llama: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(ring: Any, wanted: Sequence[tuple[Sequence[int], int]]) -> list[SpanStates]:
        if any(row == 1 for _, row in wanted):
            raise CaptureError("The state is not usable.")
        return spans(ring, wanted)

    spans = Ring.spans
    _, before, _ = say(llama, TEXTS, WATCH)
    monkeypatch.setattr(Ring, "spans", broken)
    _, answers, _ = say(llama, TEXTS, WATCH)
    assert [answer.report.failures for answer in answers] == [(), (("judge", 1),), ()]
    assert [phone in answer.text for phone, answer in zip(PHONES, answers, strict=True)] == [True, False, True]
    kept = [before[0], before[2]]
    assert probabilities([answers[0], answers[2]]) == pytest.approx(probabilities(kept), abs=1e-6)


def test_a_rows_time_is_its_own(llama: GuardedModel, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    def slow(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
        clock.passes(0.6)
        spent["detector"] += 0.6
        return [0.0] * len(spans)

    monkeypatch.setattr(llama, "score", slow)
    _, answers, _ = say(llama, TEXTS, WATCH)
    for answer in answers:
        assert answer.stage_seconds["detector"] == pytest.approx(0.2)
        assert sum(answer.stage_seconds.values()) == pytest.approx(answer.seconds)
        assert 0.2 < answer.seconds < 0.21 and min(answer.stage_seconds.values()) >= 0


def test_why_a_span_was_not_scored_is_logged(
    llama: GuardedModel, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
        raise RuntimeError(PHONES[0])

    monkeypatch.setattr(llama, "score", broken)
    monkeypatch.setattr(failures, "_logged_kinds", set())
    say(llama, TEXTS, WATCH)
    (record,) = [r for r in caplog.records if r.levelname == "WARNING"]
    assert re.search(
        r"'judge' failed.*The span was not scored \(RuntimeError at test_batch_scoring.py:\d+\)", record.message
    )


def test_time_spent_on_what_failed_is_that_of_its_stage(
    llama: GuardedModel, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    def broken(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
        spent["detector"] += 0.2
        clock.passes(0.2)
        raise CaptureError("broken")

    monkeypatch.setattr(llama, "score", broken)
    _, (answer, *_), _ = say(llama, [TEXTS[0], "Hi.", "Hi."], WATCH)
    assert answer.stage_seconds["detector"] == pytest.approx(0.2)
    assert sum(answer.stage_seconds.values()) == pytest.approx(answer.seconds)
    assert 0.2 < answer.seconds < 0.21 and min(answer.stage_seconds.values()) >= 0


@pytest.mark.parametrize(("text", "waits"), [(f"{SECRET} is it. Good.", True), (f"It is {SECRET}. Good.", False)])
def test_the_first_text_waits_for_what_stands_before_it_alone(
    llama: GuardedModel, monkeypatch: pytest.MonkeyPatch, clock: Clock, text: str, waits: bool
) -> None:
    def slow(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
        clock.passes(0.2)
        return [0.0] * len(spans)

    results = list[AnswerSession]()
    monkeypatch.setattr(llama, "score", slow)
    monkeypatch.setattr(call_sessions, "notify_observers", lambda _, session, *given, **named: results.append(session))
    started = clock()
    say(llama, [text, "Hi.", "Hi."], WATCH)
    took = results[0].first_release_seconds
    assert took is not None and 0 < took < clock() - started
    assert (took > 0.2) == waits


def test_a_run_whose_call_was_interrupted_counts_its_own_time_alone(llama: GuardedModel, clock: Clock) -> None:
    ids = llama.text_ids(PROMPTS[0])[0].tolist()
    session = AnswerSession(ModelCallContext(llama.guard, llama, WATCH, False), from_ids(llama.tokenizer, ids), ids)
    session.attach(Source(), 0, 0)
    two = llama.tokenizer(f"{PHONES[0]}, or {PHONES[1]}. Good.", add_special_tokens=False)["input_ids"]
    steps = session.feed_answer(two, True)
    next(steps)
    clock.passes(0.3)  # others are judged
    steps.send(ScoreResult(0.5))
    clock.passes(0.3)
    steps.close()
    assert 0 < session.seconds < 0.01
    assert sum(session.stages.values()) == pytest.approx(session.seconds)
    run_batched([session.finish()], lambda spans, spent: [0.5] * len(spans))  # type: ignore[arg-type]
    assert 0 < session.seconds < 0.01


def test_a_choice_from_a_list_is_read_anew_in_the_batch_of_the_others(
    llama: GuardedModel, batches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    anew = list[int]()

    def read(before: Sequence[int], said: Sequence[int]) -> StateSource:
        anew.append(len(said))
        return unwatched(before, said)

    unwatched = llama.read
    monkeypatch.setattr(llama, "read", read)
    listed = [
        "Where does she work: at Brightwell Ltd, Corvus Ltd, Dorado Ltd, Emerald Ltd or Fernbank Ltd?",
        *PROMPTS[1:],
    ]
    texts = ["She works at Dorado Ltd", *AT_THE_END[1:]]
    _, answers, _ = say(llama, texts, WATCH, listed)
    assert (batches, len(anew)) == ([3], 1)
    together = probabilities(answers)
    alone = []
    for row in range(3):
        _, answers, _ = say(llama, [text if at == row else "Hi." for at, text in enumerate(texts)], WATCH, listed)
        alone += probabilities(answers)
    assert together == pytest.approx(alone, abs=1e-6)
    assert len(set(together)) == 3


def test_what_one_row_is_stopped_at_no_other_may_say_later(
    llama: GuardedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[int]()

    def sure_once(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
        asked.append(len(spans))
        return [1.0 if len(asked) == 1 else 0.0] * len(spans)

    monkeypatch.setattr(llama, "score", sure_once)
    later = f"It took a while to find it, but here: the phone number of Jane Roe is {SECRET}. Good."
    _, answers, _ = say(llama, [TEXTS[0], later, "Hi."], replace(STOP_ALL, score_threshold=0.5))
    assert asked == [1]
    assert [answer.text.count("<PHONE_NUMBER>") for answer in answers] == [1, 1, 0]
    assert not any(SECRET in answer.text for answer in answers)


@pytest.mark.parametrize("policy", [STOP_ALL, WATCH], ids=["stop all", "watch"])
def test_an_interrupted_batch_leaves_every_row_judged_once(
    llama: GuardedModel, monkeypatch: pytest.MonkeyPatch, policy: Policy
) -> None:
    sizes, failed = list[int](), list[AnswerSession]()

    def interrupted(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
        sizes.append(len(spans))
        if len(sizes) == 1:
            raise KeyboardInterrupt
        return [0.5] * len(spans)

    monkeypatch.setattr(llama, "score", interrupted)
    monkeypatch.setattr(guarded_model, "notify_observers", lambda _, session, *given, **named: failed.append(session))
    with pytest.raises(KeyboardInterrupt):
        say(llama, TEXTS, policy)
    assert sizes == [3, 1, 1, 1]
    for session, phone in zip(failed, PHONES, strict=True):
        assert session.machine.finished and len(session.report().spans) == 1
        released = "".join(session._released)
        assert (phone in released) == (policy is WATCH)
        assert released.count("The phone number") == 1


# ---- finished answers --------------------------------------------------------------------------


def test_answers_to_several_people_are_read_together(llama: GuardedModel, batches: list[int]) -> None:
    items, alone = [], []
    for question, text in zip(PROMPTS, TEXTS, strict=True):
        ids = llama.text_ids(question)[0].tolist()
        said = llama.tokenizer(text, add_special_tokens=False)["input_ids"]
        items.append((ids, said, from_ids(llama.tokenizer, ids), True))
        alone += llama.inspect_ids([items[-1]], policy=WATCH)
    assert batches == [1, 1, 1]
    batches.clear()
    answers = llama.inspect_ids(items, policy=WATCH)
    assert batches == [3]
    assert probabilities(answers) == pytest.approx(probabilities(alone), abs=1e-6)
    assert [answer.text for answer in answers] == TEXTS


def test_a_later_choice_of_one_call_may_not_say_what_an_earlier_one_was_stopped_at(
    llama: GuardedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[int]()

    def once(spans: Sequence[ReadSpan], spent: dict[str, float] | None = None) -> list[float]:
        asked.append(len(spans))
        return [1.0] + [0.0] * (len(spans) - 1) if len(asked) == 1 else [0.0] * len(spans)

    monkeypatch.setattr(llama, "score", once)
    ids = llama.text_ids(PROMPTS[0])[0].tolist()
    request = ModelCallContext(llama.guard, llama, replace(STOP_ALL, score_threshold=0.5), False)
    sessions = [AnswerSession(request, from_ids(llama.tokenizer, ids), ids, choice) for choice in range(2)]
    others = ModelCallContext(llama.guard, llama, request.policy, False)
    sessions.append(AnswerSession(others, from_ids(llama.tokenizer, ids), ids))
    said = llama.tokenizer(TEXTS[0], add_special_tokens=False)["input_ids"]
    reread_answers(llama, sessions, [said] * 3, [True] * 3)
    assert asked == [1, 1]
    assert [PHONES[0] in session.answer().text for session in sessions] == [False, False, True]


@pytest.mark.parametrize("streamed", [False, True])
def test_where_nobody_reads_along_nothing_is_withheld_for_its_time(
    llama: GuardedModel, monkeypatch: pytest.MonkeyPatch, streamed: bool
) -> None:
    seconds = count(step=10.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))
    ids = llama.text_ids(PROMPTS[0])
    script = tiny_hosts.Script(llama.tokenizer, TEXTS[0], ids.shape[1])
    answers: list[Answer] = []
    more: dict[str, Any] = {"streamer": Sink()} if streamed else {}
    llama.generate(
        ids,
        policy=WATCH,
        on_answer=answers.append,
        max_new_tokens=80,
        logits_processor=[script],
        do_sample=False,
        **more,
    )
    assert (PHONES[0] in answers[0].text) != streamed
    reasons = {record.decision.reason for record in answers[0].report.spans}
    assert (Reason.OVERFLOW in reasons) == streamed


@contextmanager
def without_collector() -> Iterator[None]:
    """What is let go here is let go at once, or not at all."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


# ---- the rounds themselves ---------------------------------------------------------------------


class Source:
    """States of one token each, which tell whose they are by their id."""

    compile_seconds = 0.0

    def __init__(self, broken: frozenset[int] = frozenset()) -> None:
        self.broken, self.calls = broken, list[int]()

    def beginning(self, row: int) -> None:
        pass

    def spans(self, wanted: Sequence[tuple[Sequence[int], int]]) -> list[SpanStates]:
        self.calls.append(len(wanted))
        if any(row in self.broken for _, row in wanted):
            raise CaptureError("broken")
        return [SpanStates(torch.zeros(1, 1, 1), torch.tensor([row]), torch.ones(1)) for _, row in wanted]


def score(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
    spent["detector"] += 6.0
    return [float(span.states.ids[0]) for span in spans]


def asks(source: Source, row: int, times: int, results: list[ScoreResult]) -> ScoringSteps[int]:
    for _ in range(times):
        results.append((yield ScoreRequest(source, [0], row, "PIN", [])))
    return row


def test_each_gets_its_own_answer_and_an_equal_share_of_the_time() -> None:
    source, results = Source(), [list[ScoreResult]() for _ in range(4)]
    steps = [asks(source, row, times, results[row]) for row, times in enumerate([1, 3, 0, 2])]
    assert run_batched(steps, score) == [0, 1, 2, 3]  # type: ignore[arg-type]
    assert source.calls == [3, 2, 1]
    for row, got in enumerate(results):
        assert all(one.probability == row and one.error is None for one in got)
    assert [one.seconds["detector"] for one in results[1]] == [2.0, 3.0, 6.0]


@pytest.mark.parametrize("broken", [{0}, {4}, {1, 2}, set(range(5))])
def test_what_breaks_is_reported_to_whom_it_concerns(broken: set[int]) -> None:
    source, results = Source(frozenset(broken)), [list[ScoreResult]() for _ in range(5)]
    assert run_batched([asks(source, row, 1, results[row]) for row in range(5)], score) == list(range(5))  # type: ignore[arg-type]
    for row, (got,) in enumerate(results):
        assert got.error == ("CaptureError: broken" if row in broken else None)
        assert row in broken or got.probability == row


def test_spans_of_several_sources_are_one_batch() -> None:
    sources, sizes = [Source(), Source()], list[int]()

    def counted(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
        sizes.append(len(spans))
        return score(spans, spent)

    results = [list[ScoreResult]() for _ in range(4)]
    run_batched([asks(sources[row % 2], row, 1, results[row]) for row in range(4)], counted)  # type: ignore[arg-type]
    assert sizes == [4]
    assert [source.calls for source in sources] == [[2], [2]]
    assert [got[0].probability for got in results] == [0, 1, 2, 3]


def test_too_few_answers_are_none() -> None:
    results = [list[ScoreResult]() for _ in range(3)]
    steps = [asks(Source(), row, 1, results[row]) for row in range(3)]
    run_batched(steps, lambda spans, spent: [0.5])  # type: ignore[arg-type]
    assert [got[0].probability for got in results] == [0.5] * 3  # asked one by one
    results = [[], []]
    run_batched([asks(Source(), row, 1, results[row]) for row in range(2)], lambda spans, spent: [])  # type: ignore[arg-type]
    assert all((got[0].error or "").startswith("InputError: Expected a probability") for got in results)


def test_what_failed_batches_took_is_charged_to_their_spans() -> None:
    def slow(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
        spent["detector"] += 6.0
        if len(spans) > 1 or int(spans[0].states.ids[0]) == 2:
            raise CaptureError("broken")
        return [0.5] * len(spans)

    results = [list[ScoreResult]() for _ in range(3)]
    run_batched([asks(Source(), row, 1, results[row]) for row in range(3)], slow)  # type: ignore[arg-type]
    assert [got[0].seconds["detector"] for got in results] == [8.0, 11.0, 11.0]  # 6 of three, 6 of two, 6 of each
    assert [got[0].probability for got in results] == [0.5, 0.5, None]


def test_reading_that_failed_took_time_as_well(clock: Clock) -> None:
    class Slow(Source):
        def spans(self, wanted: Sequence[tuple[Sequence[int], int]]) -> list[SpanStates]:
            clock.passes(0.01)
            raise CaptureError("broken")

    results = [list[ScoreResult]() for _ in range(2)]
    run_batched([asks(Slow(), row, 1, results[row]) for row in range(2)], score)  # type: ignore[arg-type]
    assert all(got[0].seconds["lens"] >= 0.01 for got in results)


@pytest.mark.parametrize("fails", [lambda size: size > 1, lambda size: True], ids=["batches", "every span"])
def test_what_a_batch_took_of_the_memory_is_let_go_before_the_next(fails: Callable[[int], bool]) -> None:
    class Big:
        pass

    alive = list[weakref.ref[Big]]()

    def large(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
        assert all(one() is None for one in alive)
        big = Big()
        alive.append(weakref.ref(big))
        try:
            raise MemoryError
        except MemoryError as error:
            if fails(len(spans)):
                raise CaptureError("no room") from error
        return [0.5]

    results = [list[ScoreResult]() for _ in range(4)]
    with without_collector():
        run_batched([asks(Source(), row, 2, results[row]) for row in range(4)], large)  # type: ignore[arg-type]
    assert len(alive) == 14
    assert [one.probability for got in results for one in got] == [None if fails(1) else 0.5] * 8


def test_a_run_keeps_nothing_of_what_failed(llama: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    alive = list[weakref.ref[torch.Tensor]]()

    def broken(spans: Sequence[ReadSpan], spent: dict[str, float]) -> list[float]:
        assert all(one() is None for one in alive)
        big = torch.zeros(1)
        alive.append(weakref.ref(big))
        raise MemoryError

    monkeypatch.setattr(llama, "score", broken)
    with without_collector():
        _, answers, _ = say(llama, [f"{TEXTS[0]} {TEXTS[1]}", TEXTS[2], "Hi."], WATCH)
    assert [answer.report.failures for answer in answers] == [(("judge", 2),), (("judge", 1),), ()]
    assert len(alive) == 4  # two together, each of them, and the later one


def test_an_error_ends_them_all() -> None:
    def waits() -> ScoringSteps[None]:
        yield ScoreRequest(Source(), [0], 0, "PIN", [])

    def fails() -> ScoringSteps[None]:
        raise KeyError
        yield

    steps = [waits(), fails(), waits()]
    with pytest.raises(KeyError):
        run_batched(steps, score)  # type: ignore[arg-type]
    assert [inspect.getgeneratorstate(step) for step in steps] == [inspect.GEN_CLOSED] * 3
    assert run_batched([], score) == []  # type: ignore[arg-type, var-annotated]


def test_what_is_asked_shows_no_text() -> None:
    assert repr(ScoreRequest(Source(), [0, 1], 0, "PIN", [42, 43])) == "ScoreRequest(PIN, <2 tokens>)"
