"""The report of LiRA on a classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from reticent_bench.audits.membership.report import BIASED, attack_rows
from reticent_bench.audits.report import Report, Table, read_figures
from reticent_bench.audits.shadows.audit import CONTROL, LIRA_LOGIT, LIRA_MIRRORED, LOSS, ShadowResult
from reticent_bench.audits.shadows.settings import ShadowSettings
from reticent_bench.report.metrics import Interval

SENTENCES = (
    "The audit asks whether a classifier's confidence tells if a text was in its training data. "
    "It trains shadow models of one recipe on random halves of the texts. "
    "Each shadow is the target once, and the others are its shadows.",
    "**LiRA** compares the target's confidence with those of shadows that saw the text and of shadows that did not, "
    "by a Gaussian for each. The target and its twin, which saw the other half, are left out of its own shadows.",
    "**The attacker knows a lot**: the recipe, and many texts of the same kind. "
    "The figures are of this recipe on these texts, not of a model that was trained elsewhere.",
    "**The control** is LiRA with the members shuffled. It has to be near 0.5, or the figures are wrong.",
    "**Normalised AUC** is the larger of AUC and 1 - AUC. It is above 0.5 even where nothing is known, so chance "
    "stands beside it.",
    "A guard on outputs changes no confidence of a classifier.",
)
READINGS = {
    "auc-lira-mirrored": "AUC of LiRA on -log(1 - p): 0.5 is chance, 1 tells all members from others",
    "auc-lira": "AUC of LiRA on log(p / (1 - p)): 0.5 is chance, 1 tells all members from others",
    "auc-loss": "AUC of the loss alone: 0.5 is chance, 1 tells all members from others",
}
NAMES = ("auc-lira", "auc-lira-mirrored", "auc-loss")
"""Headline figures."""


def make_report(found: ShadowResult, settings: ShadowSettings, start: str, classes: int, repeated: int) -> Report:
    """Tables and headline figures: the AUC of each attack.

    Args:
        found: the result.
        settings: of the shadows.
        start: what the shadows begin as, in words.
        classes: number of classes.
        repeated: lines left out because an earlier one has the same text.
    """
    by_name = {row.attack: row for row in found.attacks}
    figures: dict[str, Interval | None] = {
        name: by_name[attack].auc for name, attack in zip(NAMES, (LIRA_LOGIT, LIRA_MIRRORED, LOSS), strict=True)
    }
    sentences = (*SENTENCES, *([BIASED] if found.blind.verdict == "biased" else []))
    tables = (_attacks(found), _targets(found), _recipe(found, settings, start), _data(found, classes, repeated))
    return Report(
        "lira", "LiRA on a classifier", sentences, tables, (), figures, readings=read_figures(figures, READINGS)
    )


def _attacks(found: ShadowResult) -> Table:
    head = (
        "attack", "AUC", "normalised AUC", "by chance: mean", "95th percentile", "TPR at 1 % FPR", "TPR at 0.1 % FPR",
        "source",
    )  # fmt: skip
    note = (
        "Means over targets, with 95 % bootstrap intervals over texts and pairs of targets, widened for the small "
        "number of pairs. Shadows that targets share are not drawn anew. "
        "A rate of 0.1 % needs 10,000 non-members of each target, one of 1 % needs 100."
    )
    return Table("Attacks", head, tuple(attack_rows(found.attacks)), note)


def _targets(found: ShadowResult) -> Table:
    def row(name: str, values: Sequence[float]) -> tuple[Any, ...]:
        return (name, float(np.min(values)), float(np.median(values)), float(np.max(values)))

    rows = tuple(row(name, found.each[name].tolist()) for name in (LIRA_LOGIT, LIRA_MIRRORED, LOSS, CONTROL))
    return Table("AUC of single targets", ("attack", "least", "median", "greatest"), rows)


def _recipe(found: ShadowResult, settings: ShadowSettings, start: str) -> Table:
    private = "none"
    if settings.epsilon is not None:
        private = (
            f"epsilon {settings.epsilon:g}, delta {settings.delta:g}, clip {settings.clip:g}, noise multiplier "
            f"{found.noise_multiplier:.3f}"
        )
    rows: Mapping[str, Any] = {
        "model": start,
        "tuning": settings.method,
        "shadows": found.shadows,
        "epochs": settings.epochs,
        "texts of a step": settings.batch,
        "learning rate": f"{settings.rate:g}",
        "differential privacy": private,
        "accuracy on texts not trained on": tuple(found.accuracy),
        "accuracy on members": tuple(found.accuracy_members),
    }
    note = (
        "AdamW, Poisson sampling, no dropout. Accuracy is a mean over shadows, with a 95 % bootstrap interval over "
        "them."
    )
    return Table("Shadows", ("what", "value"), tuple(rows.items()), note)


def _data(found: ShadowResult, classes: int, repeated: int) -> Table:
    rows: Mapping[str, Any] = {
        "texts": found.records,
        "classes": classes,
        "members of each shadow": found.records // 2,
        "lines with a text that was there already": repeated,
        "AUC of the blind text classifier": tuple(found.blind.auc),
        "verdict on the data": found.blind.verdict,
    }
    note = "Halves are drawn at random, so the blind classifier has to be near 0.5. It sees the first shadow's halves."
    return Table("Data", ("what", "value"), tuple(rows.items()), note)
