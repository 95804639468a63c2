"""The audit: every shadow's confidences through `attempt`, then the attacks, the control and the blind classifier."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reticent_bench.audits.labelled_texts import LabelledTexts, complementary_halves
from reticent_bench.audits.membership.blind import BlindCheck, blind_check, blind_scores
from reticent_bench.audits.membership.figures import AttackFigures
from reticent_bench.audits.membership.lira import LEAST_PROBABILITY
from reticent_bench.audits.resumable_attempts import Attempt, Outcome
from reticent_bench.audits.shadows.figures import Flags, Floats, each_auc, lira_scores, measure_targets, shuffled
from reticent_bench.audits.shadows.settings import ShadowSettings
from reticent_bench.report.metrics import Interval

LIRA_LOGIT, LIRA_MIRRORED, LOSS, CONTROL = (
    "LiRA, log(p / (1 - p))",
    "LiRA, -log(1 - p)",
    "loss",
    "control: LiRA with members shuffled",
)
_CARLINI, _YEOM = "Carlini et al. 2022, online", "Yeom et al. 2018"

TrainShadow = Callable[[int, Flags], Outcome]
"""Trains shadow number i on the flagged records.

Gives `confidences` of the true class [records] and `right` [records].
"""


@dataclass(frozen=True, slots=True)
class ShadowResult:
    """What the audit found.

    Attributes:
        records: texts, half of which each shadow was trained on.
        shadows: models, each of which was the target once.
        attacks: LiRA by both statistics, the loss, and the control.
        each: AUC of each target, by attack [targets].
        accuracy: mean over shadows on texts that they were not trained on, with an interval over shadows.
        accuracy_members: the same on those that they were trained on.
        noise_multiplier: of differential privacy; None without.
        blind: the classifier that sees the texts alone, for the first shadow's halves.
    """

    records: int
    shadows: int
    attacks: tuple[AttackFigures, ...]
    each: dict[str, Floats]
    accuracy: Interval
    accuracy_members: Interval
    noise_multiplier: float | None
    blind: BlindCheck

    def __repr__(self) -> str:
        return f"ShadowResult({self.shadows} shadows, {self.records} records)"


def audit(data: LabelledTexts, settings: ShadowSettings, attempt: Attempt, train: TrainShadow) -> ShadowResult:
    """Trains shadows and attacks each of them with the others.

    Args:
        data: the texts.
        settings: of shadows and attacks.
        attempt: keeps the outcome of each shadow under its key, or gives back the one that is kept.
        train: trains one shadow.
    """
    halves = complementary_halves(len(data), settings.shadows, settings.seed)
    people = np.arange(len(data)).astype(np.str_)
    blind = blind_scores(data.texts, halves[0], people, settings.seed)  # first: texts that it cannot read end here
    outcomes = [
        attempt(f"shadow/{number}", lambda number=number: train(number, halves[number]))  # type: ignore[misc]
        for number in range(settings.shadows)
    ]
    confidences = np.array([outcome["confidences"] for outcome in outcomes], dtype=np.float64)
    right = np.array([outcome["right"] for outcome in outcomes], dtype=np.float64)
    mixed = shuffled(halves, settings.seed)
    least = np.log(np.clip(confidences, LEAST_PROBABILITY, 1.0))
    scored = (
        (LIRA_LOGIT, _CARLINI, lira_scores(confidences, halves, "logit"), halves),
        (LIRA_MIRRORED, _CARLINI, lira_scores(confidences, halves, "negative log complement"), halves),
        (LOSS, _YEOM, least, halves),
        (CONTROL, "", lira_scores(confidences, mixed, "logit"), mixed),
    )
    how = {"rounds": settings.rounds, "null_rounds": settings.null_rounds, "seed": settings.seed}
    return ShadowResult(
        len(data), settings.shadows,
        tuple(measure_targets(name, source, scores, member, **how) for name, source, scores, member in scored),
        {name: each_auc(scores, member) for name, _, scores, member in scored},
        _over_shadows(right, ~halves, settings), _over_shadows(right, halves, settings),
        outcomes[0]["noise_multiplier"], blind_check(blind, halves[0], people, seed=settings.seed),
    )  # fmt: skip


def _over_shadows(right: Floats, used: Flags, settings: ShadowSettings) -> Interval:
    """Mean share of used records that are right, with an interval over draws of shadows."""
    shares = (right * used).sum(axis=1) / used.sum(axis=1)
    rng = np.random.default_rng([settings.seed, 24])
    draws = shares[rng.integers(0, len(shares), (settings.rounds, len(shares)))].mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    return Interval(float(shares.mean()), float(low), float(high))
