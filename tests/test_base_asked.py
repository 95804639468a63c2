"""When the guard asks the base how likely it finds a value, what it reads it behind, and what becomes of failures."""

from __future__ import annotations

import gc
import logging
import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_hosts
import torch
from prometheus_client import CollectorRegistry
from test_base_model import Between, Passes, adapted, expected, saved
from test_compiled import compiled
from tiny_hosts import QUESTION, SAYS, SECRET, STOP_ALL

from reticent import AfterRedaction, Guard, Origin, Policy
from reticent.core import failure_log as failures
from reticent.core.asking_the_base import NEAR, near
from reticent.huggingface.batch_scoring import BaseScoreRequest, ScoreResult, ScoringSteps, run_batched
from reticent.huggingface.guarded_model import GuardedModel
from reticent.observability.metrics import Metrics
from reticent.policy.policy import Evidence
from reticent.policy.verdict import Decision
from reticent_detectors.alignment import without_lists
from reticent_detectors.errors import CaptureError, InputError, WrongType

# PEFT asks transformers for a name that is on its way out.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # torch's own, while it loads its compiler
    pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning"),
]

TOKENIZER = tiny_hosts.tokenizer()
OTHER = "212-555-0187"
MENU = f"{QUESTION[0]['content']} Choose one: {OTHER}; 313-555-0166; {SECRET}; 617-555-0123; 702-555-0190."


def wrapped(folder: Path, model: Any, base: Any = None, **more: Any) -> GuardedModel:
    return Guard.load(tiny_hosts.bundle(folder, model), **more).wrap(model, TOKENIZER, base=base)


@pytest.fixture(scope="module")
def lora(tmp_path_factory: pytest.TempPathFactory) -> GuardedModel:
    return wrapped(tmp_path_factory.mktemp("bundles") / "one", adapted("lora"))


@pytest.fixture(autouse=True)
def evidence(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Evidence]]:
    """All that policies were given to decide on."""
    seen: list[Evidence] = []
    decide = Policy.decide

    def noted(
        policy: Policy, entity: str, given: Evidence, value: str | None = None, fragment: bool = False
    ) -> Decision:
        seen.append(given)
        return decide(policy, entity, given, value, fragment)

    monkeypatch.setattr(Policy, "decide", noted)
    monkeypatch.setattr(failures, "_logged_kinds", set())
    yield seen


def chat(guard: GuardedModel, says: str, user: str = QUESTION[0]["content"], **options: Any) -> Any:
    messages = [{"role": "user", "content": user}]
    script = tiny_hosts.Script(TOKENIZER, says, guard.chat_ids(messages).shape[1])
    return guard.chat(messages, **{"policy": STOP_ALL, "max_new_tokens": 90} | options, logits_processor=[script])


def mean(guard: GuardedModel, prompt: list[int], says: str, value: str = SECRET) -> float:
    """What the model without its adapter finds of the value's tokens, by the definition."""
    ids = TOKENIZER(says, add_special_tokens=False)["input_ids"]
    texts = [TOKENIZER.decode(ids[:at]) for at in range(len(ids) + 1)]
    first = max(at for at, text in enumerate(texts) if len(text) <= says.index(value))
    last = min(at for at, text in enumerate(texts) if len(text) >= says.index(value) + len(value))
    with guard.model.disable_adapter():
        return float(expected(guard.model, [*prompt, *ids[:first]], ids[first:last]).mean())


def prompt_of(guard: GuardedModel, user: str = QUESTION[0]["content"]) -> list[int]:
    ids: list[int] = guard.chat_ids([{"role": "user", "content": user}])[0].tolist()
    return ids


WAYS: dict[str, Any] = {
    "greedy": {},
    "sampled": {"do_sample": True, "temperature": 1.3},
    "no cache": {"use_cache": False},
    "compiled": compiled(),
}


@pytest.mark.parametrize("way", WAYS)
def test_a_value_that_would_be_stopped_comes_with_what_the_base_finds(
    lora: GuardedModel, evidence: list[Evidence], way: str
) -> None:
    answer = chat(lora, SAYS, **WAYS[way])
    assert answer.text == SAYS.replace(SECRET, "<PHONE_NUMBER>")
    assert [each.base for each in evidence] == [pytest.approx(mean(lora, prompt_of(lora), SAYS), abs=1e-4)]


def test_a_value_below_the_threshold_costs_no_pass(lora: GuardedModel, evidence: list[Evidence]) -> None:
    passes = Passes(lora.base)
    assert chat(lora, SAYS, policy=Policy(score_threshold=1.0)).text == SAYS
    assert [each.base for each in evidence] == [None] and not passes.shapes


def test_what_the_text_before_it_gives_away_is_not_asked(lora: GuardedModel, evidence: list[Evidence]) -> None:
    """The value in the answer already, in an earlier turn of the model's, and a good part of it in the question."""
    passes = Passes(lora.base)
    again = f"It is {SECRET}. Yes, it is {SECRET}."
    watch = replace(STOP_ALL, monitor=True)
    chat(lora, again, policy=watch)
    assert [each.base is None for each in evidence] == [False, True]
    evidence.clear()
    turns = [*QUESTION, {"role": "assistant", "content": f"It is {SECRET}."}, {"role": "user", "content": "Again?"}]
    script = tiny_hosts.Script(TOKENIZER, f"It is {SECRET}.", lora.chat_ids(turns).shape[1])
    lora.chat(turns, policy=watch, logits_processor=[script], max_new_tokens=60)
    assert [(each.base, each.cue < 0.3) for each in evidence] == [(None, True)]
    assert len(passes.shapes) == 1
    evidence.clear()
    chat(lora, f"It is {SECRET}.", f"Her phone number begins with {SECRET[:7]}. How does it go on?")
    assert [(each.base, each.inferable) for each in evidence] == [(None, None)]


def test_a_selection_is_asked_as_if_nothing_had_been_offered(lora: GuardedModel, evidence: list[Evidence]) -> None:
    chat(lora, f"It is {SECRET}.", MENU)
    bare = without_lists(
        TOKENIZER, prompt_of(lora, MENU), [SECRET, OTHER, "313-555-0166", "617-555-0123", "702-555-0190"]
    )
    assert SECRET not in TOKENIZER.decode(bare)
    assert [each.base for each in evidence] == [pytest.approx(mean(lora, bare, f"It is {SECRET}."), abs=1e-4)]


def test_a_later_value_reads_what_is_new(lora: GuardedModel, evidence: list[Evidence]) -> None:
    says = f"Jane Roe has {OTHER}. John Poe has {SECRET}."
    passes = Passes(lora.base)
    chat(lora, says, policy=replace(STOP_ALL, monitor=True))
    first, second = (columns for _, columns in passes.shapes)
    assert first > len(prompt_of(lora)) and second < len(TOKENIZER(says)["input_ids"])
    wanted = [mean(lora, prompt_of(lora), says, value) for value in (OTHER, SECRET)]
    assert [each.base for each in evidence] == [pytest.approx(each, abs=1e-4) for each in wanted]
    gc.collect()  # of earlier tests, whose frames an error may still hold
    assert lora.base is not None and lora.base.kept_tokens == 0  # let go with the call


def test_rows_that_wait_are_read_in_one_pass(lora: GuardedModel, evidence: list[Evidence]) -> None:
    given = torch.tensor([prompt_of(lora)])
    passes = Passes(lora.base)
    says = tiny_hosts.Script(TOKENIZER, SAYS, given.shape[1])
    lora.generate(
        given, policy=STOP_ALL, logits_processor=[says], max_new_tokens=90, do_sample=True, num_return_sequences=2
    )
    assert [rows for rows, _ in passes.shapes] == [2]
    assert [each.base for each in evidence] == [pytest.approx(mean(lora, prompt_of(lora), SAYS), abs=1e-4)] * 2


def test_answers_that_are_read_again_and_overlapped_ones_ask_as_well(tmp_path: Path, evidence: list[Evidence]) -> None:
    model = adapted("lora")
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", model)).wrap(model, TOKENIZER, overlap=True)
    chat(guard, SAYS)
    chat(guard, SAYS, num_beams=2)
    guard.inspect(QUESTION, SAYS, policy=STOP_ALL)
    wanted = mean(guard, prompt_of(guard), SAYS)
    assert [each.base for each in evidence] == [pytest.approx(wanted, abs=1e-4)] * 3


@pytest.mark.parametrize(
    ("own", "other", "origin", "texts"),
    [
        (-0.1, -9.0, Origin.INFERABLE, 2),
        (-0.1, -0.2, Origin.MEMORIZED, 2),  # it says the value of anybody
        (-9.0, -9.0, Origin.MEMORIZED, 1),  # no candidate: nobody else is asked about
    ],
)
def test_what_the_base_says_of_this_name_alone_is_inferable(
    lora: GuardedModel, monkeypatch: pytest.MonkeyPatch, own: float, other: float, origin: Origin, texts: int
) -> None:
    """Asked where the prompt gives a good part of the value, and then the base decides."""
    read: list[str] = []

    def tells(reader: Any, reads: Any) -> list[torch.Tensor]:
        ((before, _),) = reads
        read.append(TOKENIZER.decode(before))
        return [torch.tensor([own if "Jane Roe" in read[-1] else other])]

    monkeypatch.setattr("reticent_detectors.capture.base_model.BaseReader.log_probabilities", tells)
    answer = chat(lora, "It is jane.roe@example.org.", "What is the email of Jane Roe at example.org?")
    assert answer.report.spans[0].decision.verdict.origin is origin
    assert ["Jane Roe" in text for text in read] == [True, False][:texts]


# ---- which base --------------------------------------------------------------------------------


def test_a_model_without_an_adapter_has_none_unless_it_is_named(tmp_path: Path, evidence: list[Evidence]) -> None:
    model = tiny_hosts.host("llama", TOKENIZER)
    none = wrapped(tmp_path / "b", model)
    assert none.base is None
    chat(none, SAYS)
    folder = saved(tmp_path / "before", tiny_hosts.host("llama", TOKENIZER, seed=1))
    named = wrapped(tmp_path / "c", model, folder)
    assert named.base is not None and not named.base.is_host
    chat(named, SAYS)
    assert [each.base is None for each in evidence] == [True, False]


def test_a_model_that_is_its_own_base_needs_no_other_pass(tmp_path: Path, evidence: list[Evidence]) -> None:
    """Its tokens' own probabilities are known, but for a reading without the lists of the prompt."""
    model = tiny_hosts.host("llama", TOKENIZER)
    guard = wrapped(tmp_path / "b", model, "self")
    passes = Passes(guard.base)
    assert guard.base is not None and guard.base.is_host
    chat(guard, SAYS)
    assert not passes.shapes
    chat(guard, f"It is {SECRET}.", MENU)
    assert len(passes.shapes) == 1
    ids = TOKENIZER(SAYS, add_special_tokens=False)["input_ids"]
    (first,) = (at for at in range(len(ids)) if TOKENIZER.decode(ids[:at]) == SAYS[: SAYS.index(SECRET) - 1])
    last = next(at for at in range(len(ids)) if SECRET in TOKENIZER.decode(ids[:at]))
    own = expected(model, [*prompt_of(guard), *ids[:first]], ids[first:last])
    wanted = {float(own.mean()), float(own[1:].mean())}  # whether the blank before the value is a token of its own
    assert any(evidence[0].base == pytest.approx(each, abs=1e-4) for each in wanted)
    evidence.clear()
    chat(guard, f"It is {SECRET}.", f"Her phone number begins with {SECRET[:7]}. How does it go on?")
    assert evidence[0].base is not None and evidence[0].own_base and evidence[0].cue > 0.3
    evidence.clear()
    guard.inspect([{"role": "user", "content": MENU}], f"It is {SECRET}.", policy=STOP_ALL)
    assert evidence[0].base is not None


def test_bad_bases_are_refused_when_the_model_is_wrapped(tmp_path: Path) -> None:
    model = tiny_hosts.host("llama", TOKENIZER)
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", model))
    for given, error in (("missing", InputError), (3, WrongType), (saved(tmp_path / "same", model), InputError)):
        with pytest.raises(error):
            guard.wrap(model, TOKENIZER, base=given)  # type: ignore[arg-type]


# ---- failures ----------------------------------------------------------------------------------


def test_a_base_that_fails_leaves_the_value_stopped_and_is_counted(
    tmp_path: Path, evidence: list[Evidence], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    metrics = Metrics(CollectorRegistry())
    guard = wrapped(tmp_path / "b", adapted("lora"), observers=[metrics])

    def fails(*args: Any) -> Any:
        raise CaptureError("Gone.")

    monkeypatch.setattr("reticent_detectors.capture.base_model.BaseModel.read", fails)
    caplog.set_level(logging.DEBUG, "reticent.core.failure_log")
    for says, user in (
        (SAYS, QUESTION[0]["content"]),
        ("It is jane.roe@example.org.", "Jane Roe's email at example.org?"),
    ):
        answer = chat(guard, says, user)
        assert "<" in answer.text and dict(answer.report.failures) == {"base": 1}
        assert (evidence[-1].base, evidence[-1].inferable, evidence[-1].probability is None) == (None, None, False)
        assert answer.report.spans[0].decision.verdict.origin is Origin.MEMORIZED
    assert "judged as if there was no base" in caplog.text and "Gone." in caplog.text and SECRET not in caplog.text
    assert b'reticent_failures_total{mode="closed",stage="base"} 2.0' in metrics.render()[0]


class Readers:
    """A reader that finds of every value what its ids say, and fails at 13."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def log_probabilities(self, reads: Any) -> list[torch.Tensor]:
        self.asked.append(len(reads))
        if any(13 in value for _, value in reads):
            raise InputError("Not this one.")
        return [-torch.tensor(value).float() for _, value in reads]


def test_one_value_that_cannot_be_read_fails_alone() -> None:
    first, second = Readers(), Readers()

    def asks(reader: Any, value: int) -> ScoringSteps[ScoreResult]:
        return (yield BaseScoreRequest(reader, [1, 2], [value]))

    steps = [asks(first, 1), asks(second, 2), asks(first, 13), asks(first, 4)]
    results = run_batched(steps, lambda spans, spent: [])  # type: ignore[arg-type]
    assert [list(each.base) for each in results] == [[-1.0], [-2.0], [], [-4.0]]
    assert [each.error for each in results] == [None, None, "InputError: Not this one.", None]
    assert (first.asked, second.asked) == ([3, 1, 1, 1], [1])
    assert repr(BaseScoreRequest(first, [1, 2], [44])) == "BaseScoreRequest(<1 tokens>)"  # type: ignore[arg-type]


def test_guarded_calls_in_threads_ask_at_once_as_alone(lora: GuardedModel, evidence: list[Evidence]) -> None:
    wanted = mean(lora, prompt_of(lora), SAYS)
    given = torch.tensor([prompt_of(lora)])
    with torch.no_grad():
        direct = lora.model(input_ids=given).logits
    same: list[bool] = []

    def other() -> None:
        with torch.no_grad():
            same.append(torch.equal(lora.model(input_ids=given).logits, direct))

    threads = [threading.Thread(target=chat, args=(lora, SAYS)) for _ in range(3)]
    for thread in threads:
        thread.start()
    with Between(other, 40):
        chat(lora, SAYS)
    for thread in threads:
        thread.join(120)
    assert len(evidence) == 4 and all(each.base == pytest.approx(wanted, abs=1e-4) for each in evidence)
    assert same and all(same)


def test_a_rewound_answer_goes_on_and_asks_again(lora: GuardedModel, evidence: list[Evidence]) -> None:
    chat(lora, SAYS, policy=replace(STOP_ALL, after_redaction=AfterRedaction.REWIND))
    assert evidence and evidence[0].base is not None


# ---- what the base adds to the score -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def scored() -> GuardedModel:
    """The tiny host with an adapter, under the token score, which reads the base."""
    with pytest.warns(UserWarning, match="reticent calibrate"):
        return Guard.load().wrap(adapted("lora"), TOKENIZER)


def below(probability: float, logits: float) -> Policy:
    """A policy under which a value of that probability passes, so many logits below the threshold."""
    odds = probability / (1 - probability) * math.exp(logits)
    return Policy(score_threshold=odds / (1 + odds))


def alone(guard: GuardedModel, evidence: list[Evidence]) -> float:
    chat(guard, SAYS, policy=Policy(score_threshold=1.0))
    (found,) = evidence
    evidence.clear()
    assert found.probability is not None
    return found.probability


def likely(monkeypatch: pytest.MonkeyPatch, guard: GuardedModel, each: float, of: str = "") -> list[int]:
    """A base that finds every token of a value so likely, in nats, behind texts that hold `of`, and -9 behind others.

    The list gets the length of each value that it was asked of.
    """
    asked: list[int] = []

    def answer(reader: Any, wanted: Any) -> list[torch.Tensor]:
        asked.extend(len(value) for _, value in wanted)
        likelihoods = (each if of in TOKENIZER.decode(before) else -9.0 for before, _ in wanted)
        return [torch.full((len(value),), nats) for nats, (_, value) in zip(likelihoods, wanted, strict=True)]

    assert guard.base is not None
    monkeypatch.setattr(type(guard.base.open()), "log_probabilities", answer)
    return asked


def test_a_value_near_the_threshold_is_scored_again_with_what_the_base_says(
    scored: GuardedModel, evidence: list[Evidence], monkeypatch: pytest.MonkeyPatch
) -> None:
    probability = alone(scored, evidence)
    asked = likely(monkeypatch, scored, -90.0)
    seen: list[Any] = []
    score = type(scored.guard.scorer).score

    def noted(scorer: Any, features: Any, entities: Any) -> Any:
        seen.append({name: array.copy() for name, array in features.items()})
        return score(scorer, features, entities)

    monkeypatch.setattr(type(scored.guard.scorer), "score", noted)
    chat(scored, SAYS, policy=below(probability, 1.9))
    (found,), (first, second) = evidence, seen
    assert len(asked) == 1 and first["base_logprob"].tolist() == [[0, 0, 0, 0]]
    assert second["base_logprob"].tolist() == [[1, -90, -90, -90]]
    assert all((first[name] == second[name]).all() for name in first if name != "base_logprob")
    (wanted,) = score(scored.guard.scorer, second, ["PHONE_NUMBER"])
    assert found.probability == pytest.approx(max(probability, wanted))


@pytest.mark.parametrize(("logits", "passes"), [(2.1, 0), (1.9, 1), (0.1, 1)])
def test_only_near_the_threshold_is_the_base_asked(
    scored: GuardedModel, evidence: list[Evidence], monkeypatch: pytest.MonkeyPatch, logits: float, passes: int
) -> None:
    probability = alone(scored, evidence)
    asked = likely(monkeypatch, scored, -0.01)
    assert (
        chat(scored, SAYS, policy=below(probability, logits)).text == SAYS
    )  # what the base guesses as well does not rise
    assert len(asked) == passes
    assert [each.probability for each in evidence] == [pytest.approx(probability)]


def test_a_base_never_lets_pass_what_is_stopped_without_it(
    scored: GuardedModel, evidence: list[Evidence], monkeypatch: pytest.MonkeyPatch
) -> None:
    probability = alone(scored, evidence)
    asked = likely(monkeypatch, scored, -1.0)
    answer = chat(scored, SAYS, policy=below(probability, -0.1))
    assert SECRET not in answer.text and len(asked) == 1
    assert [(each.probability, each.base) for each in evidence] == [(pytest.approx(probability), pytest.approx(-1.0))]


def test_a_value_that_rose_is_asked_once(
    scored: GuardedModel, evidence: list[Evidence], monkeypatch: pytest.MonkeyPatch
) -> None:
    probability = alone(scored, evidence)
    asked = likely(monkeypatch, scored, -90.0)
    monkeypatch.setattr(
        type(scored.guard.scorer),
        "score",
        lambda scorer, features, entities: (
            np.full(1, 0.5 * (1 + probability)) if features["base_logprob"].any() else np.full(1, probability)
        ),
    )
    answer = chat(scored, SAYS, policy=below(probability, 0.05))
    assert SECRET not in answer.text and len(asked) == 1
    assert [each.base for each in evidence] == [pytest.approx(-90.0)]


def test_a_model_that_is_its_own_base_adds_nothing(evidence: list[Evidence]) -> None:
    model = tiny_hosts.host("llama", TOKENIZER)
    with pytest.warns(UserWarning, match="reticent calibrate"):
        guard = Guard.load().wrap(model, TOKENIZER, base="self")
    probability = alone(guard, evidence)
    passes = Passes(guard.base)
    assert chat(guard, SAYS, policy=below(probability, 1.0)).text == SAYS
    assert not passes.shapes and [each.base for each in evidence] == [None]


def test_how_near_is_near() -> None:
    for threshold in (1e-6, 0.3, 0.5, 0.97):
        lower = near(threshold)
        assert math.log(threshold / (1 - threshold)) - math.log(lower / (1 - lower)) == pytest.approx(NEAR)
    assert near(1.0) == 1.0 and near(0.0) == 0.0
