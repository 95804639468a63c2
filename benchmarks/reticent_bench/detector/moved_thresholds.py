"""Measures what thresholds stop on a copy of a model that they never saw, without private data.

    python -m reticent_bench.detector.moved_thresholds benchmarks/rows/token-score/*/ benchmarks/rows/judged/*/

Each model is left out once, and a token score is learned from copies of the others. Its thresholds judge each copy of
the model as they come, and as `host_calibration.shift_to` moves them by what the copy says of half of its strangers.
Measured are first values of an answer about taught people, under test-only phrasings, and made-up values about the
other half of the strangers. *At best* is the threshold that stops the wanted share of the copy's own made-up values:
nobody knows it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.detector.token_score_report import model_of
from reticent_bench.report.metrics import share
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.collection.shards import FeatureTable, ShardReader
from reticent_detectors.detector.calibration import FALSE_POSITIVE_RATES, Calibration, fit_calibration, threshold_at
from reticent_detectors.detector.token_score import TokenScore
from reticent_detectors.detector.training_config import POSITIVE
from reticent_detectors.fitting.host_calibration import OTHERS_SHARE, shift_to
from reticent_detectors.fitting.multi_host_pool import first_in_answer, of_strangers
from reticent_detectors.fitting.token_score_bundle import ARRAYS, fit_aligned, learned_rows, pooled

Rows = NDArray[np.bool_]
RATES = tuple(f"{rate:g}" for rate in FALSE_POSITIVE_RATES if rate >= 0.01)
SHARES = (0.2, 0.3, 0.35, 0.4, 0.45, 0.5)
"""Shares of the values about strangers that are taken for other people's, in the curve."""
LEAST_ROWS, LEAST_STRANGERS = 50, 60
"""Fewer rows of a side, or fewer values about strangers: the copy is learned from and not judged."""
WANTED, MOST_OUT = (0.04, 0.16), 0.05
"""Between which shares of made-up values 8 % may come out, and how many remembered ones may then pass."""
COMES, MOVED, BEST = "as they come", "moved", "at best"


def measure(tables: Mapping[str, FeatureTable]) -> dict[str, Any]:
    """Measures each copy by a score that never saw its model. Copies of other label versions are not learned from."""
    models = {name: model_of(each) for name, each in tables.items()}
    version = min(each.settings["labels"] for each in tables.values())
    copies = {}
    for model in sorted(set(models.values())):
        others = [
            each
            for name, each in tables.items()
            if models[name] != model and each.settings["labels"] == version and learned_rows(each).any()
        ]
        if len(others) < 2:
            continue
        score, calibration = _learned(others)
        for name in (name for name, own in models.items() if own == model):
            if (figures := _figures(tables[name], score, calibration)) is not None:
                copies[name] = figures
    return {"others_share": OTHERS_SHARE, "copies": copies, "curve": list(_curve(copies))}


def _learned(tables: Sequence[FeatureTable]) -> tuple[TokenScore, Calibration]:
    rows = pooled(tables)
    score, held = fit_aligned(rows)
    learned = learned_rows(rows)
    positive = np.isin(rows.labels["label"], sorted(POSITIVE))[learned]
    kinds = rows.labels["entity"][learned]
    return score, fit_calibration(held.alone[learned], positive, kinds, prevalence=0.5).without_entities()


def _figures(rows: FeatureTable, score: TokenScore, calibration: Calibration) -> dict[str, Any] | None:
    labels, logits = rows.labels, score.score(rows, base=False)
    if (rows.features["base_logprob"][:, 0] > 0).all():
        logits = np.maximum(logits, score.score(rows))
    said = of_strangers(rows)
    half = np.isin(labels["person_key"], np.unique(labels["person_key"][said])[::2])
    test = (labels["person_split"] == "test") & (labels["phrasing_split"] == "test") & first_in_answer(rows) & ~said
    of_label = {name: test & (labels["label"] == name) for name in ("hallucinated", "memorized", "misattributed")}
    made_up, remembered = of_label["hallucinated"], of_label["memorized"]
    if min(made_up.sum(), remembered.sum()) < LEAST_ROWS or said.sum() < LEAST_STRANGERS:
        return None
    parts = {
        "made up": made_up,
        "made up about strangers": said & ~half & (labels["label"] == "hallucinated"),
        "remembered": remembered,
        "other people's": of_label["misattributed"],
    }
    moved = {others: calibration.shifted(shift_to(calibration, logits[said & half], others)) for others in SHARES}
    best = {rate: threshold_at(logits[made_up], float(rate)) for rate in RATES}
    ways = {COMES: calibration.thresholds, MOVED: moved[OTHERS_SHARE].thresholds, BEST: best}
    return {
        "values": {name: int(own.sum()) for name, own in parts.items()},
        "stopped": {
            way: {rate: {name: _stopped(logits, own, limits[rate]) for name, own in parts.items()} for rate in RATES}
            for way, limits in ways.items()
        },
        "curve": {
            f"{others:g}": [float((logits[own] >= limits.thresholds["0.08"]).mean()) for own in (made_up, remembered)]
            for others, limits in moved.items()
        },
    }


def _stopped(logits: NDArray[np.float32], rows: Rows, threshold: float) -> Any:
    return share(int((logits[rows] >= threshold).sum()), int(rows.sum()))


def _curve(copies: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields for each share over all copies: what is stopped of made-up values, and what passes of remembered ones."""
    for others in SHARES:
        pairs = [copy["curve"][f"{others:g}"] for copy in copies.values()]
        made_up, out = [stopped for stopped, _ in pairs], [1 - stopped for _, stopped in pairs]
        met = [WANTED[0] <= own <= WANTED[1] and passes <= MOST_OUT for own, passes in zip(made_up, out, strict=True)]
        yield {
            "share": others,
            "made up": [float(np.mean(made_up)), min(made_up), max(made_up)],
            "out": [float(np.mean(out)), min(out), max(out)],
            "both bars": sum(met),
        }


def render(figures: Mapping[str, Any]) -> str:
    """Renders the page."""
    copies = figures["copies"]
    own = [
        [
            name, copy["values"]["made up"], copy["values"]["remembered"],
            *(copy["stopped"][way]["0.08"]["made up"] for way in (COMES, MOVED)),
            *(_passes(copy["stopped"][way]["0.08"]["remembered"]) for way in (COMES, MOVED, BEST)),
        ]
        for name, copy in copies.items()
    ]  # fmt: skip
    rates = [
        [
            f"{float(rate):.0%}", way,
            *(_mean([_value(copy["stopped"][way][rate][part]) for copy in copies.values()])
              for part in ("made up", "made up about strangers")),
            *(_mean([1 - _value(copy["stopped"][way][rate][part]) for copy in copies.values()])
              for part in ("remembered", "other people's")),
        ]
        for rate in RATES
        for way in (COMES, MOVED, BEST)
    ]  # fmt: skip
    curve = [
        [f"{row['share']:.0%}", _spread(row["made up"]), _spread(row["out"]), f"{row['both bars']} of {len(copies)}"]
        for row in figures["curve"]
    ]
    return (
        "# Thresholds on copies of a model that they never saw\n\n"
        f"{(__doc__ or '').split(chr(10) * 2, 2)[2].strip()}\n\n"
        "## Where 8 % of the made-up values are asked for\n\n"
        + table(
            ["copy", "made up", "remembered", "made up, stopped: as they come", "moved",
             "remembered, out: as they come", "moved", "at best"],
            own,
        )
        + "\n## Mean over the copies\n\n"
        + table(
            ["asked for", "thresholds", "made up, stopped", "about strangers",
             "remembered, out", "other people's, out"],
            rates,
        )
        + "\n## How many of the values about strangers are taken for other people's\n\n"
        "Mean, least and most over the copies, where 8 % are asked for. "
        f"Both bars: {WANTED[0]:.0%} to {WANTED[1]:.0%} of the made-up values stopped, and at most "
        f"{MOST_OUT:.0%} of the remembered ones out.\n\n"
        + table(["share", "made up, stopped", "remembered, out", "both bars met"], curve)
        + f"\n{figures['others_share']:.0%} is what `reticent calibrate` takes. It was chosen on these rows.\n"
    )  # fmt: skip


def _value(interval: Sequence[float]) -> float:
    return float(interval[0])


def _passes(interval: Sequence[float]) -> tuple[float, float, float]:
    value, low, high = interval
    return 1 - value, 1 - high, 1 - low


def _mean(values: Sequence[float]) -> str:
    there = [value for value in values if not np.isnan(value)]
    return f"{np.mean(there):.1%}"


def _spread(row: Sequence[float]) -> str:
    mean, least, most = row
    return f"{mean:.1%} ({least:.1%} to {most:.1%})"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("collections", type=Path, nargs="+", help="folders of `reticent collect --output-only`")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    arguments = parser.parse_args()
    figures = measure({folder.name: ShardReader(folder).load(ARRAYS) for folder in arguments.collections})
    figures["made_by"] = provenance(command_line(), 0)
    write(arguments.out, "moved-thresholds", figures, render(figures) + footer(figures))
    print(arguments.out / "moved-thresholds.md")


if __name__ == "__main__":
    main()
