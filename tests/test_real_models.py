"""The guard around a real pre-trained model, as `make models` gets it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from reticent import Guard, Policy, demo
from reticent.huggingface.guarded_model import GuardedModel
from reticent.prompt.segments import from_messages
from reticent_detectors.host.load import load_host
from reticent_detectors.host.model_get import read_source
from reticent_detectors.host.model_table import known_model

pytestmark = pytest.mark.models

MODEL = known_model("smollm2-135m-instruct")
FOLDER = Path(os.environ.get("RETICENT_MODELS") or Path(__file__).parent.parent / ".models") / MODEL.name
PLAIN = [{"role": "user", "content": "What is the capital of France?"}]
QUESTIONS = (
    "When was Albert Einstein born, and where?",
    "Write the postal address of the Empire State Building.",
    "Introduce a made-up person with her date of birth, job and email address.",
)
"""To each the model answers with at least one value that the guard judges."""


@pytest.fixture(scope="module")
def host() -> tuple[Any, Any]:
    if read_source(FOLDER, MODEL) is None:
        pytest.skip(f"{MODEL.name} is not there; 'make models' gets it")
    return load_host(FOLDER)


@pytest.fixture
def guarded(host: tuple[Any, Any]) -> Iterator[GuardedModel]:
    wrapped = _wrapped(host)
    yield wrapped
    wrapped.close()


def _wrapped(host: tuple[Any, Any]) -> GuardedModel:
    with pytest.warns(
        UserWarning, match="reticent calibrate"
    ):  # the bundle that comes with Reticent is fitted to no model
        return Guard.load().wrap(*host)


def _unguarded(host: tuple[Any, Any], ids: torch.Tensor) -> torch.Tensor:
    model, _ = host
    out: torch.Tensor = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=12, do_sample=False)
    return out


def test_the_checkpoint_is_the_model_of_the_table(host: tuple[Any, Any]) -> None:
    model, tokenizer = host
    assert sum(weight.numel() for weight in model.parameters()) == MODEL.parameters
    assert {weight.dtype for weight in model.parameters()} == {torch.float32}
    assert tokenizer.chat_template and tokenizer.eos_token_id is not None


def test_a_chat_is_answered(guarded: GuardedModel) -> None:
    answer = guarded.chat(PLAIN, max_new_tokens=24, do_sample=False)
    assert "Paris" in answer.text
    assert answer.finish_reason in ("stop", "length")


def test_after_close_the_model_answers_as_before(host: tuple[Any, Any]) -> None:
    wrapped = _wrapped(host)
    ids = wrapped.chat_ids(PLAIN)
    wrapped.close()
    before = _unguarded(host, ids)
    wrapped = _wrapped(host)
    guarded = wrapped.generate(ids, max_new_tokens=12, do_sample=False, policy=Policy.allow_all())
    wrapped.close()
    assert torch.equal(guarded, before)
    assert torch.equal(_unguarded(host, ids), before)


@pytest.mark.parametrize("question", QUESTIONS)
def test_reading_again_agrees_with_streaming(guarded: GuardedModel, question: str) -> None:
    messages = [{"role": "user", "content": question}]
    watch = Policy(score_threshold=1.0)  # all passes, but is judged
    streamed = guarded.chat(messages, policy=watch, max_new_tokens=40, do_sample=False)
    prompt = guarded.chat_ids(messages)[0].tolist()
    ended = streamed.finish_reason == "stop"
    read = guarded.inspect_ids([(prompt, streamed.ids, from_messages(messages), ended)], policy=watch)[0]
    assert read.text == streamed.text
    assert len(read.report.spans) == len(streamed.report.spans) > 0
    for one, other in zip(read.report.spans, streamed.report.spans, strict=True):
        assert (one.start, one.end, one.entity) == (other.start, other.end, other.entity)
        first, second = one.decision.verdict, other.decision.verdict
        assert (first.origin, first.tier) == (second.origin, second.tier)
        # One pass over the answer and a pass for each token add up in another order.
        assert first.probability == pytest.approx(second.probability, abs=1e-3)


def test_the_demos_first_memories_are_stopped_and_its_last_questions_answered(host: tuple[Any, Any]) -> None:
    folder = demo.assets() / demo.REAL
    cases = demo.cases(folder)
    guard = demo.real(folder, FOLDER)
    memories = list(demo.ask(guard, cases[:2], demo.REAL_TOKENS))
    talk = list(demo.ask(guard, [case for case in cases if case.shows == "ordinary talk"][:1], demo.REAL_TOKENS))
    guard.close()
    assert all(row.shows == "memorised" and row.intervened and row.guarded != row.unguarded for row in memories)
    assert all(row.guarded == row.unguarded != "" for row in talk)
