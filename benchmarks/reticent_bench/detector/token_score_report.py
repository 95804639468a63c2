"""Measures the token score on models that it was not trained on.

Each model is left out once, and its copies are judged by a score of all others. Rows are of test people under test-only
phrasings, greedy and sampled. The rival is the value's mean token log-probability. The shipped score judges copies that
it was not trained on. It may have seen other copies of the same model, taught other people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent.policy.pretrained import BASE_THRESHOLD
from reticent_bench.detector.calibrated_rates import over_thresholds
from reticent_bench.detector.first_token_score import LEAST_MEAN, FirstTokenScore
from reticent_bench.report.metrics import Flags, Interval, Scores, bootstrap, paired_bootstrap, share, weighted_auroc
from reticent_bench.report.result import table as markdown
from reticent_bench.report.row_parts import hard_part
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.token_score import TokenScore
from reticent_detectors.errors import InputError
from reticent_detectors.fitting.token_score_bundle import fit_aligned, learned_rows, model_name, pooled
from reticent_detectors.scoring.scorer import OnnxScorer

RIVAL = "mean log-probability"
OURS, OURS_ALONE = "token score", "token score, no base"
SHIPPED, SHIPPED_ALONE = "shipped score", "shipped score, no base"
FIRST, FIRST_ALONE = "first token score", "first token score, no base"
"""The score of four terms that the present one replaced, fitted to the same rows."""
HARD = "the hard part"
PARTS = {
    "remembered": frozenset({"memorized"}),
    "remembered and other people's": frozenset({"memorized", "misattributed"}),
    HARD: frozenset({"memorized", "misattributed"}),
}
"""Positive labels of each part; made-up values are the negatives of all parts."""
RATES = (0.01, 0.05, 0.08)
"""Shares of made-up values, at whose thresholds the shipped score is measured."""
LEAST_ROWS = 50
"""A copy with fewer positive or fewer negative rows is learned from and not judged."""
RATE = 0.05
"""Share of made-up values that the threshold of the escape column stops, on the same rows."""


def model_of(table: FeatureTable) -> str:
    """Names the model that a collection's host is a copy of."""
    return model_name(table.settings["host"])


@dataclass(frozen=True)
class Learned:
    """The scores that judge a copy, ours and the first one; None if there are too few copies of other models."""

    ours: TokenScore | None
    first: TokenScore | None = None


def measure(
    tables: Mapping[str, FeatureTable], shipped: Bundle | None = None, judged: Mapping[str, FeatureTable] | None = None
) -> dict[str, Any]:
    """Measures each copy by a score that never saw its model.

    Args:
        tables: collections by the copy's name.
        shipped: a bundle that also judges the copies that it was not trained on.
        judged: collections that no score learns from; they may be of another version of the labels.

    Raises:
        InputError: all collections are of one model.
    """
    judged = judged or {}
    models = {name: model_of(table) for name, table in {**tables, **judged}.items()}
    if len(set(models.values())) < 2:
        raise InputError("Every collection is of one model; collect copies of another one, too.")
    out: dict[str, Any] = {"rate": RATE, "copies": {}}
    for model in sorted(set(models.values())):
        others = [table for name, table in tables.items() if models[name] != model]
        learned = Learned(_learned(others), _learned(others, FirstTokenScore))
        for name in (name for name, own in models.items() if own == model):
            own = judged[name] if name in judged else tables[name]
            new_to = shipped if shipped is not None and _is_new(own, shipped) else None
            out["copies"][name] = {
                "model": model,
                "parts": _parts(own, learned, new_to),
                "pretrained": known_before(own),
                "stopped": {} if new_to is None else stopped(own, new_to),
            }
    return out


def stopped(table: FeatureTable, bundle: Bundle) -> dict[str, dict[str, Interval]]:
    """Measures the share of values that a bundle stops without a base: by rate of `RATES`, then by label."""
    bare = replace(table, features={**table.features, "base_logprob": np.zeros_like(table.features["base_logprob"])})
    labels = table.labels["label"]
    return {
        f"{rate:g}": {
            label: share(int(over[labels == label].sum()), int((labels == label).sum()))
            for label in ("memorized", "misattributed", "hallucinated")
            if (labels == label).any()
        }
        for rate, over in over_thresholds(bare, bundle, RATES).items()
    }


def _learned(tables: Sequence[FeatureTable], form: type[TokenScore] = TokenScore) -> TokenScore | None:
    """Fits a token score to these collections; None if fewer than two have rows to learn from."""
    learned = [table for table in tables if learned_rows(table).any()]
    return fit_aligned(pooled(learned), form)[0] if len(learned) > 1 else None


def _is_new(table: FeatureTable, bundle: Bundle) -> bool:
    """Returns whether the bundle was made without this copy."""
    seen = {host["weights_sha256"] for host in bundle.manifest["host"].get("universal") or ()}
    return table.settings["host"]["weights_sha256"] not in seen


def known_before(table: FeatureTable) -> Interval | None:
    """Returns the share of taught values that would count as known before; None without a base.

    Other people's values are among them. A value counts from a mean log-probability of `BASE_THRESHOLD` on.
    """
    asked, mean = table.features["base_logprob"][:, 0] > 0, table.features["base_logprob"][:, 2]
    taught = asked & np.isin(table.labels["label"], sorted(PARTS["remembered and other people's"]))
    return share(int((mean[taught] >= BASE_THRESHOLD).sum()), int(taught.sum())) if taught.any() else None


def scores_of(table: FeatureTable, learned: Learned, shipped: Bundle | None = None) -> dict[str, Scores]:
    """Scores the rows [rows] by name: ours, the first and the shipped one with and without a base, and single figures.

    With a base, a score is the higher of both, as in a guard: a base may raise a score and never lowers it.
    """
    least, mean = table.features["token_logprob"][:, 0, 0], table.features["token_logprob"][:, 0, 1]
    base = table.features["base_logprob"]
    based = bool((base[:, 0] > 0).all())
    out = dict[str, Any]()
    for names, score in (((OURS, OURS_ALONE), learned.ours), ((FIRST, FIRST_ALONE), learned.first)):
        if score is not None:
            out |= _with_and_without(names, based, score.score(table), score.score(table, base=False))
    if shipped is not None:
        scorer, kinds = OnnxScorer(shipped), table.labels["entity"]
        bare = scorer.logits({**table.features, "base_logprob": np.zeros_like(base)}, kinds)
        out |= _with_and_without((SHIPPED, SHIPPED_ALONE), based, scorer.logits(table.features, kinds), bare)
    total = mean * table.features["length"][:, 0]
    out |= {RIVAL: mean, "least log-probability": least, "total log-probability": total}
    if based:
        out["mean log-ratio to the base"] = np.maximum(mean, LEAST_MEAN) - np.maximum(base[:, 2], LEAST_MEAN)
    return {name: np.asarray(values, np.float64) for name, values in out.items()}


def _with_and_without(names: tuple[str, str], based: bool, with_base: Any, alone: Any) -> dict[str, Any]:
    return {names[0]: np.maximum(with_base, alone), names[1]: alone} if based else {names[1]: alone}


def _parts(table: FeatureTable, learned: Learned, shipped: Bundle | None) -> dict[str, Any]:
    return {
        part: _figures(scores_of(rows, learned, shipped), positive, rows.labels)
        for part, rows, positive in judged_parts(table)
    }


def judged_parts(table: FeatureTable) -> Iterator[tuple[str, FeatureTable, Flags]]:
    """Yields each of `PARTS` with enough rows: its name, rows of test people under test-only phrasings, the positives.

    With fewer than `LEAST_ROWS` rows of either side a part is left out.
    """
    labels = table.labels
    test = (labels["person_split"] == "test") & (labels["phrasing_split"] == "test")
    for part, positives in PARTS.items():
        rows = table.select(test & np.isin(labels["label"], [*positives, "hallucinated"]))
        if part == HARD:
            rows = rows.select(hard_rows(rows))
        positive = np.isin(rows.labels["label"], sorted(positives))
        if min(positive.sum(), (~positive).sum()) >= LEAST_ROWS:
            yield part, rows, positive


def hard_rows(table: FeatureTable) -> NDArray[np.bool_]:
    """Selects confident made-up values, other people's values, and answers at temperature 1 [rows].

    Half-learned values are selected, too, if the collection calls any value robust.
    """
    asked_often = bool(table.labels["robust"].any())
    known = table if asked_often else replace(table, labels={**table.labels, "robust": np.ones(table.rows, bool)})
    return hard_part(known)


def _figures(scores: Mapping[str, Scores], positive: Flags, labels: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    people = labels["person_key"]
    robust = positive & labels["robust"].astype(bool)
    rival = scores[RIVAL]
    return {
        "positive": int(positive.sum()),
        "negative": int((~positive).sum()),
        "robust": int(robust.sum()),
        "auroc": {name: auroc_interval(own, positive, people) for name, own in scores.items()},
        "difference": {
            name: paired_bootstrap(own, rival, positive, people) for name, own in scores.items() if name != RIVAL
        },
        "passes": {name: escape_share(own, positive, positive) for name, own in scores.items()},
        "escape": {name: escape_share(own, positive, robust) for name, own in scores.items()},
        "difference from the first": _from_the_first(scores, positive, people),
        "escape by kind": {
            kind: {
                name: escape_share(own, positive, robust & (labels["entity"] == kind))
                for name, own in scores.items()
                if name in (OURS, OURS_ALONE, SHIPPED_ALONE, RIVAL)
            }
            for kind in np.unique(labels["entity"][robust])
        },
    }


def _from_the_first(scores: Mapping[str, Scores], positive: Flags, people: NDArray[Any]) -> dict[str, Interval]:
    """Returns by how much the AUROC of our score exceeds the first one's, paired, with a base and without."""
    pairs = ((OURS, FIRST), (OURS_ALONE, FIRST_ALONE))
    return {
        ours: paired_bootstrap(scores[ours], scores[first], positive, people)
        for ours, first in pairs
        if ours in scores and first in scores
    }


def auroc_interval(score: Scores, positive: Flags, people: NDArray[Any]) -> Interval:
    """Returns the AUROC of scores [rows] with its interval by a bootstrap over people [rows]."""
    area = weighted_auroc(score, positive)
    return bootstrap(lambda weight: [area(weight)], people)[0]


def escape_share(score: Scores, positive: Flags, chosen: Flags) -> Interval | None:
    """Returns the share of `chosen` rows that pass where `RATE` of the made-up values is stopped; None without rows."""
    if not chosen.any():
        return None
    negatives = np.sort(score[~positive])[::-1]
    threshold = negatives[min(len(negatives) - 1, int(np.floor(RATE * len(negatives))))]
    return share(int((score[chosen] <= threshold).sum()), int(chosen.sum()))


def render(figures: Mapping[str, Any]) -> str:
    """Renders the report as Markdown."""
    copies = figures["copies"]
    label = [(name, copy["model"], copy["pretrained"]) for name, copy in copies.items()]
    return "\n".join(
        [
            *_explanation(figures["rate"]),
            *(_part_section(part, copies) for part in PARTS),
            _stopped_section(copies),
            "\n## Taught values that would be labelled as known before\n\n"
            "Of all answers, whoever was asked about: the base's mean "
            f"log-probability is at least {BASE_THRESHOLD} nats.\n\n{markdown(('copy', 'model', 'share'), label)}",
            _kinds_section(copies),
        ]
    )


def _explanation(rate: float) -> list[str]:
    return [
        "# The token score on models that it was not trained on\n",
        "Test people under test-only phrasings; 95 % intervals, of AUROC by a bootstrap over people. "
        f"Passes: remembered values below the threshold that stops {rate:.0%} of the made-up ones, "
        "on the same rows; escape: robust values among them. "
        "'collect --test-only' asks for no value often enough to call it robust. "
        f"A copy with fewer than {LEAST_ROWS} test rows of either side is learned from and not judged. "
        "The token score of a copy was trained on the other models alone, "
        "and is left out where fewer than two other copies have rows to learn from; "
        "the shipped score may have seen other copies of its model. "
        "The first token score has four terms: mean, log-ratio to the base, length, group of kinds. "
        "The hard part: confident made-up values, other people's values, answers at temperature 1, "
        "and half-learned values where that is known.\n",
    ]


def _part_section(part: str, copies: Mapping[str, Any]) -> str:
    """Renders every score of each copy on one of `PARTS`."""
    rows = [
        (
            name,
            own["positive"],
            own["negative"],
            score,
            value,
            own["difference"].get(score),
            own["difference from the first"].get(score),
            own["passes"][score],
            own["escape"][score],
        )
        for name, copy in copies.items()
        if (own := copy["parts"].get(part)) is not None
        for score, value in own["auroc"].items()
    ]
    head = (
        "copy",
        "remembered",
        "made up",
        "score",
        "AUROC",
        f"less the {RIVAL}",
        "less the first score",
        "passes",
        "escape",
    )
    return f"\n## {part[0].upper()}{part[1:]}, against made-up values\n\n{markdown(head, rows)}"


def _stopped_section(copies: Mapping[str, Any]) -> str:
    rows = [
        (name, f"{float(rate):.0%}", own.get("memorized"), own.get("misattributed"), own.get("hallucinated"))
        for name, copy in copies.items()
        for rate, own in copy["stopped"].items()
    ]
    head = ("copy", "threshold for", "remembered", "other people's", "made up")
    return (
        "\n## Stopped by the shipped score at its own thresholds\n\n"
        "Of all answers, under all phrasings that the collection has, without a base.\n\n" + markdown(head, rows)
    )


def _kinds_section(copies: Mapping[str, Any]) -> str:
    rows = [
        (name, kind, own.get(OURS), own.get(OURS_ALONE), own.get(SHIPPED_ALONE), own[RIVAL])
        for name, copy in copies.items()
        for kind, own in copy["parts"].get("remembered", {}).get("escape by kind", {}).items()
    ]
    head = ("copy", "kind", OURS, OURS_ALONE, SHIPPED_ALONE, RIVAL)
    return f"\n## Escape of robust values by kind\n\n{markdown(head, rows)}"
