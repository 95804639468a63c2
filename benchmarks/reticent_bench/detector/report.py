"""Compares how detectors tell remembered from made-up values: ours, the paper's, baselines and token probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from reticent_bench.detector.parts import TOKEN_SCORES, ScoredRows
from reticent_bench.report.metrics import (
    Flags,
    Interval,
    Scores,
    auroc,
    balanced_accuracy,
    best_balanced_accuracy,
    headroom,
    paired_bootstrap,
    recall_at,
)  # fmt: skip
from reticent_bench.report.result import table
from reticent_detectors.detector.calibration import expected_calibration_error

RATES = (0.001, 0.01, 0.05)
PAPER = "paper"
CLOSED = "share closed of the distance to auroc 1"
MISSES = f"misses at {RATES[-1]:.1%} false positives"


def column(mine: Scores, positive: Flags, threshold: float | None, probability: bool = False) -> dict[str, Any]:
    """Measures one score on the rows of one part.

    Args:
        mine: scores [rows].
        positive: which rows hold a remembered value [rows].
        threshold: the frozen one; None takes the best on these rows.
        probability: the scores are probabilities, so their calibration is measured.
    """
    out: dict[str, Any] = {
        "positives": int(positive.sum()),
        "negatives": int((~positive).sum()),
        "auroc": auroc(mine, positive),
    }
    for rate in RATES:
        out[recall_name(rate)] = recall_at(mine, positive, rate)
    if threshold is None:
        out["balanced accuracy"] = best_balanced_accuracy(mine, positive)
    else:
        decided = mine >= threshold
        out["balanced accuracy"] = balanced_accuracy(decided, positive)
        out["recall, frozen threshold"] = float(decided[positive].mean()) if positive.any() else float("nan")
        out["false positives, frozen threshold"] = (
            float(decided[~positive].mean()) if (~positive).any() else float("nan")
        )
        if probability and len(mine):
            out["calibration error"] = expected_calibration_error(mine, positive)
    return out


def recall_name(rate: float) -> str:
    """Names the column of recall at a false-positive rate."""
    return f"recall at {rate:.1%} false positives"


def measure(tested: ScoredRows, main: str = "ours") -> dict[str, Any]:
    """Measures every bundle, baseline and token score on every part and by kind.

    Where both classes have rows, `main` is compared with the best token score, every other bundle and every baseline.
    The bundle 'paper' has the paper's features.
    """
    rows, right, people = tested.rows, tested.right, tested.rows.labels["person_key"]
    figures: dict[str, Any] = {"parts": {}, "comparisons": {}, "entities": {}}
    figures["baselines"] = {
        name: {"setting": b.setting, "validation auroc": b.validation_auroc, "validation rows": b.validation_rows}
        for name, b in tested.baselines.items()
    }
    for part_name, part in tested.parts.items():
        there = {name: scores[part] for name, scores in tested.on(part_name).items()}
        positive = right[part]
        figures["parts"][part_name] = {
            name: column(s, positive, tested.thresholds.get(name), name in tested.bundles) for name, s in there.items()
        }
        if positive.all() or not positive.any():
            continue
        best = max(TOKEN_SCORES, key=lambda name: auroc(there[name], positive))
        others = (*tested.bundles, *tested.baselines)
        against = {"best token score": best} | {name: name for name in others if name in there and name != main}
        compared: dict[str, Any] = {
            label: {
                "baseline": name,
                "auroc difference": paired_bootstrap(there[main], there[name], positive, people[part]),
            }
            for label, name in against.items()
        }
        if PAPER in compared:
            room = headroom(there[main], there[PAPER], positive, people[part], RATES[-1])
            compared[PAPER] |= {
                CLOSED: room.closed,
                MISSES: {"paper": room.misses, "ours": room.misses_ours, "cut by": room.cut},
            }
        figures["comparisons"][part_name] = compared
    everything = tested.parts["test phrasings"]
    for entity in sorted(set(rows.labels["entity"])):
        part = everything & (rows.labels["entity"] == entity)
        positive = right[part]
        figures["entities"][entity] = {
            "positives": int(positive.sum()), "negatives": int((~positive).sum()),
            **{name: auroc(s[part], positive) for name, s in tested.everywhere.items()},
        }  # fmt: skip
    return figures


def headline(figures: Mapping[str, Any]) -> str:
    """Writes the first line, which says where our detector does not beat token probabilities."""
    if not figures["comparisons"]:
        return "Nothing is compared: no part has enough rows of both classes."
    behind, level, rivals = [], [], []
    for part, by in figures["comparisons"].items():
        value, low, high = by["best token score"]["auroc difference"]
        if value <= 0:
            behind.append(f"{part} ({value:+.3f})")
        elif low <= 0:
            level.append(f"{part} ({value:+.3f}, interval from {low:+.3f} to {high:+.3f})")
        for name in figures.get("baselines", {}):
            value, low, high = by.get(name, {"auroc difference": (1.0, 1.0, 1.0)})["auroc difference"]
            if low <= 0:
                rivals.append(f"{name} on {part} ({value:+.3f}, interval from {low:+.3f} to {high:+.3f})")
    text = ""
    if figures.get("baselines"):
        text = f"**Baselines that ours does not clearly beat:** {'; '.join(rivals) or 'none'}. "
    if not behind and not level:
        text += (
            "Our detector beats the best single token-probability score in every column; all intervals lie above zero."
        )
    if behind:
        text += f"**Our detector does NOT beat the best single token-probability score on:** {'; '.join(behind)}. "
    if level:
        text += f"**No clear difference to it on:** {'; '.join(level)}."
    return (text.strip() + _against_paper(figures)).strip()


def _against_paper(figures: Mapping[str, Any]) -> str:
    """Says how much of the paper's errors ours avoids on each part; empty without that bundle."""
    lines = [
        f"{part} {_percent(by[PAPER][CLOSED])} and {_percent(by[PAPER][MISSES]['cut by'])}"
        for part, by in figures["comparisons"].items()
        if CLOSED in by.get(PAPER, {})
    ]
    if not lines:
        return ""
    return (
        " **Ours closes the paper's distance to AUROC 1.0, and cuts its misses at "
        f"{RATES[-1]:.0%} false positives, by:** {'; '.join(lines)}."
    )


def render(figures: Mapping[str, Any], main: str = "ours") -> str:
    """Renders the headline and all tables as Markdown."""
    text = f"{headline(figures)}\n\n# Detectors on test people\n"
    for part, by in figures["parts"].items():
        first = next(iter(by.values()))
        base = first["positives"] / max(1, first["positives"] + first["negatives"])
        text += f"\n## {part}\n\n{first['positives']} remembered, {first['negatives']} not; base rate {base:.3f}.\n\n"
        keys = [k for k in by[main] if k not in ("positives", "negatives")]
        comparisons = figures["comparisons"].get(part, {})
        differences = {name: _signed(comparisons[name]["auroc difference"]) for name in by if name in comparisons}
        text += table(
            ["score", *keys, "auroc, ours minus it"],
            [[name, *[row.get(k) for k in keys], differences.get(name)] for name, row in by.items()],
        )
        for label, comparison in comparisons.items():
            if label not in figures["baselines"]:
                text += (
                    f"\nOurs minus {label} ({comparison['baseline']}): AUROC "
                    f"{_signed(comparison['auroc difference'])}, 95 % paired bootstrap over people.\n"
                )
        if CLOSED in (paper := comparisons.get(PAPER, {})):
            misses = paper[MISSES]
            text += f"\nOf the paper's distance to AUROC 1.0 ours closes {_percent(paper[CLOSED])}.\n"
            text += (
                f"\nMisses at {RATES[-1]:.0%} false positives: paper {_percent(misses['paper'])}, ours "
                f"{_percent(misses['ours'])}; cut by {_percent(misses['cut by'])}.\n"
            )
    names = [k for k in next(iter(figures["entities"].values()), ()) if k not in ("positives", "negatives")]
    text += "\n## AUROC by kind, test-only phrasings\n\n"
    text += table(
        ["kind", "remembered", "not", *names],
        [[e, r["positives"], r["negatives"], *[r[n] for n in names]] for e, r in figures["entities"].items()],
    )
    text += (
        "\nBalanced accuracy of bundles: frozen threshold (probability 0.5); "
        "of baselines: threshold from validation rows; "
        "of token scores: the best of all thresholds, chosen on these rows, which flatters them.\n"
    )
    if figures["baselines"]:
        text += "\n## Baselines' settings, chosen on validation rows\n\n"
        text += table(
            ["baseline", "setting", "validation auroc", "validation rows"],
            [
                [name, b["setting"] or None, b["validation auroc"], b["validation rows"]]
                for name, b in figures["baselines"].items()
            ],
        )
    return text


def _signed(interval: tuple[float, float, float]) -> str:
    value, low, high = interval
    return f"{value:+.4f} [{low:+.4f}, {high:+.4f}]"


def _percent(interval: Interval) -> str:
    value, low, high = (100 * end for end in interval)
    return "not defined" if math.isnan(value) else f"{value:.1f} % [{low:.1f}, {high:.1f}]"
