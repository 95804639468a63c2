"""What the guard adds to a real checkpoint, by four sorts of answers.

They are prose without a span, one value judged by its states, one of which the base is asked, and one read again under
other names.

    reticent bench overhead --model DIR [--bundle BUNDLE]

The answers are forced, so both runs give the same tokens (checked). The detector's range of doubt decides how a value
is read. Ratios are of pairs of calls in turns, so a slow moment of the machine meets both. A decoding step is the
model's own time for each further token.
"""

from __future__ import annotations

import statistics
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch

from reticent.guard import Guard
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.options import AfterRedaction
from reticent.policy.policy import Policy
from reticent_bench.overhead.hosts import seconds_of, verdicts
from reticent_bench.overhead.own import PROSE, Prose
from reticent_bench.report.parts import JsonRow
from reticent_detectors.features.derived_features import BASE
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.host.load import load_host

QUESTION = "What is the phone number of Jane Roe?"
VALUE = "468-749-1093"
BASED = "one value, base asked"
"""The threshold is put right above the value's probability: the base is asked, and the detector scores the value again.

There is no such row without a base, or with a detector that ignores the base.
"""
LOOKED = "one value, second look"
"""A detector that reads no value under other names has no such row."""
_SURE, _DOUBTFUL = (2.0, 2.0), (0.0, 1.0)
SORTS = {
    "no spans": (PROSE, _SURE),
    "one value": (VALUE, _SURE),
    BASED: (VALUE, _SURE),
    LOOKED: (VALUE, _DOUBTFUL),
}
"""The forced text, and the probabilities between which the detector asks for a second look."""


class Checkpoint:
    """A model of a folder under a guard, loaded at first use. The default `bundle` is the one for any model."""

    def __init__(self, folder: Path, bundle: Path | None, device: torch.device) -> None:
        self.folder, self._bundle, self._device = folder, bundle, device
        self._made: GuardedModel | None = None

    def rows(self, sort: str, rounds: int, tokens: int) -> list[JsonRow]:
        """One row of the table of models."""
        if self._made is None:
            model, tokenizer = load_host(self.folder, str(self._device))
            self._made = Guard.load(self._bundle).wrap(model, tokenizer)
        made = self._made
        if sort == BASED and (made.base is None or BASE not in made.guard.scorer.shapes):
            return []
        if sort == LOOKED and not FeatureSpec.of(made.guard.bundle.feature_options).names:
            return []
        return [{"model": self.folder.name, **added(made, sort, rounds, tokens)}]


def added(guard: GuardedModel, sort: str, rounds: int, tokens: int) -> JsonRow:
    """Measures what is added to answers of one sort.

    That is a share of the model's own time, and the delay of verdicts in decoding steps.

    Args:
        guard: the model under its guard.
        sort: one of `SORTS`.
        rounds: pairs of calls; the delay has as many samples, if there is a value.
        tokens: of an answer without spans.
    """
    text, second_look_range = SORTS[sort]
    said = guard.tokenizer(text, add_special_tokens=False)["input_ids"]
    length = tokens if sort == "no spans" else len(said) + 1
    eos = guard.tokenizer.eos_token_id
    prompt = _prompt(guard).to(guard.model.device)
    policy = replace(Policy.allow_all(), after_redaction=AfterRedaction.REWIND)
    if sort == BASED:
        policy = replace(policy, score_threshold=_right_above(guard, said))
    options: dict[str, Any] = {
        "do_sample": False, "attention_mask": torch.ones_like(prompt), "eos_token_id": eos,
        "logits_processor": [Prose(said if sort == "no spans" else [*said, eos], prompt.shape[1])],
    }  # fmt: skip
    plain, first, ours, answers = list[float](), list[float](), list[float](), list[Answer]()
    host = partial(guard.model.generate, prompt, **options)
    guarded = partial(guard.generate, prompt, policy=policy, on_answer=answers.append, max_new_tokens=length, **options)
    with patch.object(guard.guard.scorer, "_second_look_range", second_look_range), verdicts() as taken:
        for number in range(rounds + 1):
            if number == 1:  # the first is to warm up
                for seen in (plain, first, ours, taken):
                    seen.clear()
            first.append(seconds_of(prompt, lambda: host(max_new_tokens=1))[0])
            seconds, wanted = seconds_of(prompt, lambda: host(max_new_tokens=length))
            plain.append(seconds)
            seconds, got = seconds_of(prompt, guarded)
            ours.append(seconds)
            assert torch.equal(wanted, got)
    step = (statistics.median(plain) - statistics.median(first)) / (length - 1)
    shares = sorted(b / a - 1 for a, b in zip(plain, ours, strict=True))
    delays = statistics.quantiles([t / step for t in taken], n=20, method="inclusive") if len(taken) > 1 else None
    report = answers[-1].report
    return {
        "sort": sort,
        "answers": rounds,
        "tokens": length,
        "spans": len(report.spans),
        "second looks": report.second_looks_taken,
        "step ms": 1000 * step,
        "added share": statistics.median(shares),
        "added share, least": shares[0],
        "added share, most": shares[-1],
        "verdict steps, p50": delays and delays[9],
        "verdict steps, p95": delays and delays[18],
    }


def _right_above(guard: GuardedModel, said: list[int]) -> float:
    """A threshold just above the probability of the value in the forced text."""
    asked: Any = [{"role": "user", "content": QUESTION}] if _chats(guard) else f"{QUESTION}\n"
    (span,) = guard.inspect(asked, said, policy=Policy.allow_all()).report.spans
    probability = span.decision.verdict.probability
    assert probability is not None
    odds = 1.05 * probability / max(1.0 - probability, 1e-9)
    return odds / (1.0 + odds)


def _prompt(guard: GuardedModel) -> torch.Tensor:
    """The question as a chat, or as running text for a model without a template."""
    return guard.chat_ids([{"role": "user", "content": QUESTION}]) if _chats(guard) else guard.text_ids(f"{QUESTION}\n")


def _chats(guard: GuardedModel) -> bool:
    return getattr(guard.tokenizer, "chat_template", None) is not None
