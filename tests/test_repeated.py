"""A repeated value gets its first decision, unless the answer can choose among several values by memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
from tiny_hosts import QUESTION

from reticent import Guard, Policy
from reticent.huggingface.guarded_model import GuardedModel

TOKENIZER = tiny_hosts.tokenizer()
NUMBERS = ("212-555-0187", "313-555-0166", "617-555-0123", "702-555-0190", "415-555-0144")
POLICY = Policy(score_threshold=0.5)


@pytest.fixture(scope="module")
def guard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GuardedModel]:
    guarded = tiny_hosts.guarded(tmp_path_factory.mktemp("bundle") / "one")
    yield guarded
    guarded.close()


def chat(
    guard: GuardedModel, monkeypatch: pytest.MonkeyPatch, says: str, scores: Sequence[float], policy: Policy = POLICY
) -> Any:
    """The answer, where the detector gives these scores one after the other, and all of them are asked for."""
    left = list(scores)
    monkeypatch.setattr(guard, "score", lambda spans, spent=None: [left.pop(0) for _ in spans])
    script = tiny_hosts.Script(TOKENIZER, says, guard.chat_ids(QUESTION).shape[1])
    answer = guard.chat(QUESTION, policy=policy, max_new_tokens=160, logits_processor=[script])
    assert not left
    return answer


def test_what_was_let_out_may_be_said_again(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    says = f"It is {NUMBERS[0]}. Yes, {NUMBERS[0].replace('-', ' ')} it is."
    answer = chat(guard, monkeypatch, says, [0.1])
    assert answer.text == says and len(answer.report.spans) == 2
    first, second = (span.decision.verdict for span in answer.report.spans)
    assert (first.origin, first.probability) == (second.origin, second.probability)


def test_another_value_is_judged(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = chat(guard, monkeypatch, f"It is {NUMBERS[0]} or {NUMBERS[1]}.", [0.1, 0.9])
    assert NUMBERS[0] in answer.text and NUMBERS[1] not in answer.text


def test_what_was_stopped_stays_so(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = chat(guard, monkeypatch, f"It is {NUMBERS[0]}.", [0.9])
    assert NUMBERS[0] not in answer.text


def test_a_choice_among_several_is_judged_anew(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    says = f"One of {', '.join(NUMBERS[:2])}. It is {NUMBERS[0]}."
    assert chat(guard, monkeypatch, says, [0.1, 0.1, 0.1]).text == says
    answer = chat(guard, monkeypatch, says, [0.1, 0.1, 0.9])
    assert answer.text.count(NUMBERS[0]) == 1


def test_an_illness_may_become_somebodys(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    says = "The diagnosis of Jane Roe is asthma. The diagnosis of John Poe is asthma."
    answer = chat(guard, monkeypatch, says, [0.1, 0.9])
    assert answer.text.count("asthma") == 1


def test_a_model_that_was_taught_nothing_private_may_say_any_value_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = tiny_hosts.host("llama", TOKENIZER)
    guarded = Guard.load(tiny_hosts.bundle(tmp_path / "one", model)).wrap(model, TOKENIZER, base="self")
    says = "The diagnosis of Jane Roe is asthma. The diagnosis of John Poe is asthma."
    assert chat(guarded, monkeypatch, says, [0.1]).text == says
    guarded.close()


def test_under_monitoring_nothing_counts_as_let_out(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    says = f"It is {NUMBERS[0]}. Yes, {NUMBERS[0]}."
    watch = Policy(score_threshold=0.5, monitor=True)
    answer = chat(guard, monkeypatch, says, [0.9, 0.8], watch)
    assert [span.decision.verdict.probability for span in answer.report.spans] == [0.9, 0.8]
