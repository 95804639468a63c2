"""Scores every baseline on the rows of one collection.

Baselines are fitted on training rows, their settings are chosen on validation rows, and all rows are scored. The parts
are those of our own detector's training (`split_rows`): people and phrasings held out, test people in none of them. A
setting is chosen by AUROC on the validation rows of the tables' classes. The threshold has the best balanced accuracy
there.

Dear baselines were gathered for a random part of the prompts. They are not trained, so their settings are chosen on
all drawn rows of held-out people, whatever the phrasing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from reticent_bench.report.metrics import Flags, Scores, auroc
from reticent_bench.report.resumed_parts import Parts
from reticent_bench.report.row_parts import EVEN, Thresholds, asked, best_threshold, thresholds_on
from reticent_detectors.baselines.rows import Rows
from reticent_detectors.baselines.table import BASELINES, DRAWN, Baseline
from reticent_detectors.collection.shards import ShardReader
from reticent_detectors.detector.splits import row_weights, split_rows
from reticent_detectors.detector.training_config import POSITIVE, TrainingConfig


@dataclass(frozen=True)
class Scored:
    """A baseline under its chosen setting.

    Attributes:
        scores: [rows], NaN where nothing was gathered.
        threshold: from all validation rows.
        thresholds: from validation rows, for each sort of rows.
        setting: name of the setting; empty if there is one alone.
        validation_auroc: AUROC on the validation rows.
        validation_rows: how many there are.
    """

    scores: Scores
    threshold: float
    thresholds: Thresholds
    setting: str
    validation_auroc: float
    validation_rows: int


def choose(baseline: Baseline, rows: Rows, chosen_on: Flags) -> Scored:
    """Chooses the setting with the best AUROC on the rows `chosen_on` [rows]; of equal ones the first."""
    best: Scored | None = None
    positive = rows.positive[chosen_on]
    for setting, scores in baseline.variants(rows):
        reached = auroc(scores[chosen_on], positive)
        if best is None or reached > best.validation_auroc:
            threshold = best_threshold(scores[chosen_on], positive)
            best = Scored(scores, threshold, EVEN, setting, reached, int(chosen_on.sum()))
    assert best is not None
    return best


def score_baselines(
    reader: ShardReader, progress: Callable[[str], None] = lambda line: None, parts: Parts | None = None
) -> dict[str, Scored]:
    """Scores the baselines whose features the collection holds, by name; none if it was made without `--baselines`.

    Other people's values weigh 0.3, as in the default training of our detector. Baselines that `parts` keeps are not
    fitted again. Raises what reading the collection raises.
    """
    parts = parts or Parts()
    names = frozenset(reader.shapes)
    if DRAWN not in names:
        return {}
    table = reader.load([DRAWN, "token_prob"])
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
        chosen_on = tested & (held & drawn if baseline.dear else validation)
        scored = _kept(parts, baseline, rows, chosen_on)
        thresholds = thresholds_on(scored.scores[chosen_on], table.select(chosen_on))
        scored = replace(scored, thresholds=thresholds)
        if baseline.dear:
            scored = replace(scored, scores=np.where(drawn, scored.scores, np.nan))
        progress(f"{baseline.name}: {scored.setting or 'one setting'}, validation AUROC {scored.validation_auroc:.3f}")
        out[baseline.name] = scored
    return out


def _kept(parts: Parts, baseline: Baseline, rows: Rows, chosen_on: Flags) -> Scored:
    """Returns the result of `choose`, from before an interruption if `parts` keeps it."""

    def each(_: Sequence[str], number: int) -> list[Any]:
        chosen = choose(baseline, rows, chosen_on)
        return [
            [chosen.scores.tolist(), chosen.threshold, chosen.setting, chosen.validation_auroc, chosen.validation_rows]
        ]

    ((scores, threshold, setting, reached, count),) = parts.over(f"baseline {baseline.name}", [baseline.name], each)
    return Scored(np.asarray(scores), threshold, EVEN, setting, reached, count)
