"""Opacus' PRV accountant beside dp-accounting's PLD: `python -m reticent_bench.audits.tuning.agreement`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reticent_bench.audits.tuning.accountant import DELTA, Mechanism, pld_epsilons, prv_epsilon
from reticent_bench.engines.servers import ACCOUNTANTS
from reticent_bench.report.result import footer, provenance, table, write

SETTINGS = (
    Mechanism(1.0, 0.01, 500),
    Mechanism(0.7, 0.05, 100),
    Mechanism(0.8, 0.05, 100),
    Mechanism(2.0, 0.2, 125),
    Mechanism(0.5, 0.05, 100),
)
"""From few texts a step to many, and from little noise to much."""


def compare(settings: Sequence[Mechanism]) -> list[dict[str, Any]]:
    """Epsilon of each setting by both accountants at delta 1e-5.

    Raises:
        MissingExtra: opacus is not installed.
        InputError: dp-accounting's environment is not there.
    """
    pld = pld_epsilons(settings)
    return [
        {
            "noise_multiplier": each.noise_multiplier, "sample_rate": each.sample_rate, "steps": each.steps,
            "prv": prv_epsilon(each), "pld": other,
        }
        for each, other in zip(settings, pld, strict=True)
    ]  # fmt: skip


def main(out: Path) -> Path:
    """Writes accountants.md and accountants.json."""
    rows = compare(SETTINGS)
    made_by = provenance("python -m reticent_bench.audits.tuning.agreement", 0, ("opacus", "scipy"))
    made_by["versions"]["dp-accounting"] = ACCOUNTANTS.version("dp-accounting")
    figures: dict[str, Any] = {"delta": DELTA, "rows": rows, "made_by": made_by}
    head = ("noise multiplier", "sampling rate", "steps", "epsilon, PRV", "epsilon, PLD", "PRV above PLD")
    lines = [
        (
            f"{row['noise_multiplier']:g}", f"{row['sample_rate']:g}", row["steps"], row["prv"], row["pld"],
            f"{100 * (row['prv'] / row['pld'] - 1):.2f} %",
        )
        for row in rows
    ]  # fmt: skip
    text = (
        "# Two accountants of DP-SGD\n\n"
        "Poisson sampling, Gaussian noise, neighbours by one text more or less, delta 1e-5. "
        "PRV is Opacus' upper end, which adds the error that it allows itself (0.01). "
        "PLD is dp-accounting's pessimistic estimate. `reticent bench tuning` uses PRV.\n\n"
    )
    write(out, "accountants", figures, text + table(head, lines) + footer(figures))
    return out / "accountants.md"


if __name__ == "__main__":
    print(main(Path(sys.argv[1] if len(sys.argv) > 1 else "benchmarks/results")))
