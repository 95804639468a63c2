"""A universal detector on hosts that it never saw: each host is left out once and judged by detectors of the others.

Detectors are trained in memory as `reticent universal` trains them, and kept in `RUNS/NAME-travel`. Delete it after a
change of the code. They are fitted to the host that was left out as `reticent calibrate` fits them, by made-up people
who are in nobody's collection.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.detector.parts import SPLITS, token_scores
from reticent_bench.paper.detectors import Detector, kept_detector
from reticent_bench.paper.hosted import Hosted
from reticent_bench.paper.lines import cell, signed
from reticent_bench.paper.scores import ACCURACY, AUROC, Method, differences, figures, over_seeds
from reticent_bench.paper.variants import OURS
from reticent_bench.report.metrics import Flags, Interval, Scores, auroc
from reticent_bench.report.result import table
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.defaults import ensemble_of, universal_config
from reticent_detectors.features.derived_features import derive
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.fitting.host_calibration import ask_strangers, shift_to
from reticent_detectors.fitting.multi_host_pool import pool
from reticent_detectors.host.load import load_host

RATES = (0.01, 0.05, 0.08)
AS_IT_COMES, FITTED, OWN = "universal", "universal, calibrated", OURS


@dataclass(frozen=True)
class Away:
    """A host that was left out: its test rows, its answers about strangers, and the detectors of the other hosts.

    There is one detector for each seed, as it comes and fitted to the host.
    """

    host: Hosted
    said: FeatureTable
    detectors: tuple[Detector, ...]
    fitted: tuple[Detector, ...]


def said_of_strangers(runs: Path, name: str, spec: FeatureSpec, people: int, device: str) -> FeatureTable:
    """What the host `runs/name` says of made-up people; kept in `runs/name-strangers`."""
    model, tokenizer = load_host(runs / name, device)
    return ask_strangers(model, tokenizer, runs / f"{name}-strangers", spec, people=people)


def leave_out(
    hosts: Sequence[Hosted],
    seeds: int,
    asked: Callable[[Hosted], FeatureTable],
    say: Callable[[str], None] = lambda line: None,
) -> list[Away]:
    """Each host with what was learned of all others. Raises InputError for fewer than three hosts, see `pool`."""
    out = []
    for host in hosts:
        others = pool([other.learned for other in hosts if other is not host])
        folder = host.cache.with_name(f"{host.name}-travel")
        detectors = tuple(
            kept_detector(
                folder, others, ensemble_of(universal_config(seed=seed)), f"without {host.name}, seed {seed}", say
            )
            for seed in range(seeds)
        )
        said = asked(host)
        out.append(Away(host, said, detectors, tuple(fit(detector, said) for detector in detectors)))
    return out


def fit(detector: Detector, said: FeatureTable) -> Detector:
    """Fits a detector to a host by its answers about strangers, as `host_calibration.adapt` does."""
    shift = shift_to(detector.calibration, _logits(detector, said))
    # What is in doubt goes by probability, so its logits move with them.
    second_look_range = (
        None
        if detector.second_look_range is None
        else (detector.second_look_range[0] + shift, detector.second_look_range[1] + shift)
    )
    return replace(detector, calibration=detector.calibration.shifted(shift), second_look_range=second_look_range)


def _logits(detector: Detector, table: FeatureTable) -> NDArray[np.float32]:
    network = detector.network
    return network.logits(derive(table.features, table.labels["entity"], network.options.entities))


def parts_of(host: Hosted) -> dict[str, Flags]:
    split = host.rows.labels["phrasing_split"]
    out = {f"{name} phrasings": host.easy & (split == name) for name in SPLITS}
    return out | {f"{name} phrasings, hard": host.hard & (split == name) for name in SPLITS}


def measure(aways: Sequence[Away], own: Callable[[Hosted], tuple[Scores, ...]]) -> dict[str, Any]:
    """Figures by host and part. `own` gives the scores of the detectors that were trained on the host itself."""
    out: dict[str, Any] = {"hosts": {}}
    for away in aways:
        host = away.host
        rows, right, people = host.rows, host.right, host.rows.labels["person_key"]
        found = {
            AS_IT_COMES: Method(tuple(d.probabilities(rows) for d in away.detectors)),
            FITTED: Method(tuple(d.probabilities(rows) for d in away.fitted)),
            OWN: Method(own(host)),
        }
        tokens = token_scores(rows)
        parts: dict[str, Any] = {}
        for name, part in parts_of(host).items():
            positive = right[part]
            if positive.all() or not positive.any():
                continue
            best = max(tokens, key=lambda score: auroc(tokens[score][part], positive))
            cut = {key: method.on(part) for key, method in found.items()}
            rival = {best: Method((tokens[best][part],), None)}
            parts[name] = {
                "remembered": int(positive.sum()),
                "not": int((~positive).sum()),
                "best token score": best,
                "methods": {key: figures(method, positive) for key, method in (cut | rival).items()},
                "difference": {
                    key: differences(cut[key], rival, positive, people[part], (AUROC,))[best][AUROC]
                    for key in (AS_IT_COMES, FITTED)
                },
            }
        made_up = host.easy & ~right
        out["hosts"][host.name] = {
            "architecture": host.outline.architecture,
            "layers": host.outline.layers,
            "values said of strangers": away.said.rows,
            "parts": parts,
            "false positives": {
                f"{rate:g}": {
                    AS_IT_COMES: stopped(away.detectors, rows.select(made_up), rate),
                    FITTED: stopped(away.fitted, rows.select(made_up), rate),
                }
                for rate in RATES
            },
            "seconds": sum(detector.seconds for detector in away.detectors),
        }
    return out


def stopped(detectors: Sequence[Detector], made_up: FeatureTable, rate: float) -> Interval:
    """Share of the made-up values of test people that the frozen thresholds of their kinds stop.

    Mean over seeds, least and most.
    """
    shares = []
    for detector in detectors:
        kinds = [detector.calibration.threshold(rate, str(entity)) for entity in made_up.labels["entity"]]
        shares.append(float(np.mean(detector.probabilities(made_up) >= np.array(kinds))))
    return over_seeds(shares)


def headline(figures: Mapping[str, Any]) -> str:
    """Where the detector of the other hosts does not clearly beat the best token score."""
    behind = [
        f"{name}, {part} ({difference[0]:+.3f}, interval from {difference[1]:+.3f} to {difference[2]:+.3f})"
        for name, by in figures["hosts"].items()
        for part, found in by["parts"].items()
        if (difference := found["difference"][AS_IT_COMES])[1] <= 0
    ]
    if not behind:
        return (
            "A detector that never saw the host beats the best single token score on every host and part; "
            "all intervals lie above zero."
        )
    return "**Not clearly better than the best single token score on:** " + "; ".join(behind) + "."


def render(figures: Mapping[str, Any], seeds: int) -> str:
    """Markdown."""
    text = f"{headline(figures)}\n\n# A detector on hosts that it never saw\n\n"
    text += (
        "Each host is left out once; `universal` was trained on the others, `ours` on the host itself. "
        "Test people of the host; some bear names that another host was taught. "
        f"{seeds} {'seed' if seeds == 1 else 'seeds: means with the least and the most'}; "
        "differences are universal, as it comes, minus the best single token score, with 95 % intervals from draws "
        "of people.\n"
    )
    for name, by in figures["hosts"].items():
        text += (
            f"\n## {name}\n\n"
            f"{by['architecture']}, {by['layers']} layers; calibrated by {by['values said of strangers']} values "
            "said of strangers.\n\n"
        )
        heads = ["part", "remembered", "not", "best token score, auroc", AS_IT_COMES, "difference", OWN]
        rows = []
        for part, found in by["parts"].items():
            areas = {key: figure[AUROC] for key, figure in found["methods"].items()}
            best = found["best token score"]
            rows.append(
                [
                    part,
                    found["remembered"],
                    found["not"],
                    f"{areas[best][0]:.3f} ({best})",
                    cell(areas[AS_IT_COMES]),
                    signed(found["difference"][AS_IT_COMES]),
                    cell(areas[OWN]),
                ]
            )
        text += table(heads, rows) + "\nBalanced accuracy at the frozen threshold:\n\n"
        names = (AS_IT_COMES, FITTED, OWN)
        text += table(
            ["part", *names],
            [[part, *[cell(found["methods"][n][ACCURACY]) for n in names]] for part, found in by["parts"].items()],
        )
        text += "\nMade-up values of test people that a threshold for so many false positives stops:\n\n"
        text += table(
            ["threshold", AS_IT_COMES, FITTED],
            [
                [f"{float(rate):.0%}", cell(s[AS_IT_COMES]), cell(s[FITTED])]
                for rate, s in by["false positives"].items()
            ],
        )
    return text
