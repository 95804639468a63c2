"""Every baseline on the rows of one collection: fitted on training rows, its setting chosen on validation rows, scored on all.

The parts are those of our own detector's training (`split_rows`): people and phrasings held out, test people in none of them. A
setting is chosen by AUROC on the validation rows that the tables' classes have, and the threshold is the one with the best
balanced accuracy there. What is dear was gathered for a random part of the prompts; being untrained, it is chosen on all drawn rows of
people who are held out, whatever the phrasing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from reticent_bench.metrics import Flags, Scores, auroc
from reticent_detectors.baselines.rows import Rows
from reticent_detectors.baselines.table import BASELINES, DRAWN, Baseline
from reticent_detectors.shards import FeatureTable, ShardReader
from reticent_detectors.training import POSITIVE, TrainingConfig, row_weights, split_rows
from reticent_detectors.universal import ASKED

TESTED = ("memorized", "misattributed", "hallucinated", "inferable")


@dataclass(frozen=True)
class Scored:
    """A baseline under its chosen setting: scores [rows], NaN where nothing was gathered, and the threshold from validation."""

    scores: Scores
    threshold: float
    setting: str
    validation_auroc: float
    validation_rows: int


def asked(rows: FeatureTable) -> Flags:
    """Whole values that people were asked for; right, misattributed, inferable or made up."""
    labels = rows.labels
    kept: Flags = ~labels["fragment"] & np.isin(labels["form"], ASKED) & np.isin(labels["label"], TESTED)
    return kept


def best_threshold(scores: Scores, positive: Flags) -> float:
    """The threshold with the best balanced accuracy on these rows, half way to the next score below."""
    order = np.argsort(-scores)
    ordered = scores[order]
    hits = positive[order].cumsum() / max(1, positive.sum())
    misses = (~positive[order]).cumsum() / max(1, (~positive).sum())
    # A threshold cannot stand between equal scores.
    able = np.append(ordered[1:] < ordered[:-1], True)
    best = int(np.argmax(np.where(able, hits - misses, -np.inf)))
    return float((ordered[best] + ordered[min(best + 1, len(ordered) - 1)]) / 2)


def choose(baseline: Baseline, rows: Rows, chosen_on: Flags) -> Scored:
    """The setting with the best AUROC on the rows `chosen_on`; of equal ones the first."""
    best: Scored | None = None
    positive = rows.positive[chosen_on]
    for setting, scores in baseline.variants(rows):
        reached = auroc(scores[chosen_on], positive)
        if best is None or reached > best.validation_auroc:
            threshold = best_threshold(scores[chosen_on], positive)
            best = Scored(scores, threshold, setting, reached, int(chosen_on.sum()))
    assert best is not None
    return best


def score_baselines(reader: ShardReader, progress: Callable[[str], None] = lambda line: None) -> dict[str, Scored]:
    """All baselines whose features the collection holds; none for one that was made without `--baselines`.

    Other people's values weigh 0.3, as in the default training of our detector. Raises what reading the collection raises.
    """
    names = frozenset(reader.shapes)
    if DRAWN not in names:
        return {}
    table = reader.load([DRAWN])
    config = TrainingConfig()
    config = replace(config, label_weight={**config.label_weight, "misattributed": 0.3})
    split = split_rows(table.labels, config)
    rows = Rows(
        lru_cache(maxsize=4)(lambda name: reader.load([name]).features[name]),
        names,
        table.labels,
        np.isin(table.labels["label"], sorted(POSITIVE)),
        split.train,
        row_weights(table.labels, split.train, config),
    )
    drawn = table.features[DRAWN][:, 0] > 0
    tested = asked(table)
    validation, held = np.zeros_like(tested), np.zeros_like(tested)
    validation[split.validation] = held[split.validation] = held[split.mixed] = True
    out = {}
    for baseline in BASELINES:
        if not all(any(name.startswith(need) for name in names) for need in baseline.needs):
            progress(f"{baseline.name}: not gathered")
            continue
        scored = choose(baseline, rows, tested & (held & drawn if baseline.dear else validation))
        if baseline.dear:
            scored = replace(scored, scores=np.where(drawn, scored.scores, np.nan))
        progress(f"{baseline.name}: {scored.setting or 'one setting'}, validation AUROC {scored.validation_auroc:.3f}")
        out[baseline.name] = scored
    return out
