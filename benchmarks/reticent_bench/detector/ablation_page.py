"""Renders the ablation of the token score as Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticent_bench.detector.ablation_report import ARMS, DIFFERENCES
from reticent_bench.detector.bounded_correction import BOUNDS, LEAST_GAIN, RIDGE
from reticent_bench.detector.inner_statistics import DEPTHS
from reticent_bench.detector.token_score_report import LEAST_ROWS, PARTS, RIVAL
from reticent_bench.report.result import table as markdown


def render(figures: Mapping[str, Any]) -> str:
    """Renders the figures of `ablation_report.measure`."""
    copies = figures["copies"]
    return "\n".join(
        [
            *_explanation(figures["rate"]),
            _copies_section(copies),
            _verdict(copies),
            *(_part_section(part, copies) for part in PARTS if any(part in copy["parts"] for copy in copies.values())),
            _bounds_section(figures["bounds"]),
        ]
    )


def _explanation(rate: float) -> list[str]:
    return [
        "# What base, other names and inner layers add to the token score\n",
        "Each model was left out once: every arm learned from the copies of the other models alone. "
        "Test people under test-only phrasings; 95 % intervals by a bootstrap over people, paired for differences. "
        f"Passes: remembered values below the threshold that stops {rate:.0%} of the made-up ones, on the same rows. "
        f"A copy with fewer than {LEAST_ROWS} test rows of either side is learned from and not judged. "
        "Other names and inner layers correct the token score's logit by b * tanh((v @ z + c) / b), "
        f"with a ridge of {RIDGE:g} on v. The bound b was chosen among {', '.join(f'{b:g}' for b in BOUNDS)} "
        "on training rows that were left out, of another model where there are two. "
        f"It is 0, so the features are not used, unless it gains {LEAST_GAIN:g} mean AUROC there. "
        f"Inner layers are read at {', '.join(f'{d:g}' for d in DEPTHS)} of the depth. "
        "The last layer gives the same statistics of the model's own output, to compare with. "
        "Arms with a base are left out where none was asked.\n",
    ]


def _copies_section(copies: Mapping[str, Any]) -> str:
    rows = [
        (name, copy["model"], copy["rows"], copy["learned rows"], copy["rows with a base"], len(copy["parts"]) > 0)
        for name, copy in copies.items()
    ]
    head = ("copy", "model", "values", "learned from", "with a base", "judged")
    return f"\n## Copies\n\n{markdown(head, [(*row[:-1], 'yes' if row[-1] else 'no') for row in rows])}"


def _verdict(copies: Mapping[str, Any]) -> str:
    """Counts by part of the rows and by difference how many copies' intervals are above, around and below 0."""
    rows = []
    for part in PARTS:
        for name in DIFFERENCES:
            found = [
                own["difference"][name]
                for copy in copies.values()
                if (own := copy["parts"].get(part)) is not None and name in own["difference"]
            ]
            above, below = sum(i.low > 0 for i in found), sum(i.high < 0 for i in found)
            if found:
                rows.append((part, name, above, len(found) - above - below, below))
    head = ("rows", "added", "better", "neither", "worse")
    return (
        "\n## On how many copies a part adds to AUROC\n\n"
        f"Better and worse: the interval of the difference is without 0.\n\n{markdown(head, rows)}"
    )


def _part_section(part: str, copies: Mapping[str, Any]) -> str:
    judged = {name: copy for name, copy in copies.items() if part in copy["parts"]}
    arms = [
        (name, copy["model"], own["positive"], own["negative"], score, own["auroc"][score], own["passes"][score])
        for name, copy in judged.items()
        for score in (RIVAL, *ARMS)
        if score in (own := copy["parts"][part])["auroc"]
    ]
    added = [
        (name, difference, value)
        for name, copy in judged.items()
        for difference, value in copy["parts"][part]["difference"].items()
    ]
    first = markdown(("copy", "model", "remembered", "made up", "score", "AUROC", "passes"), arms)
    second = markdown(("copy", "added", "difference in AUROC"), added)
    return f"\n## {part[0].upper()}{part[1:]}, against made-up values\n\n{first}\n{second}"


def _bounds_section(bounds: Mapping[str, Any]) -> str:
    rows = [
        (model, name, own["left out"], f"{own['bound']:g}", *(own["held out"].get(f"{bound:g}") for bound in BOUNDS))
        for model, arms in bounds.items()
        for name, own in arms.items()
    ]
    head = ("left-out model", "arm", "chosen by", "bound", *(f"AUROC with {bound:g}" for bound in BOUNDS))
    return (
        "\n## Chosen bounds\n\n"
        "Mean AUROC on training rows that were left out once each: by model, by copy or by people. "
        "The model that the arm is judged on has no part in it. "
        f"Bounds that were chosen by people of one copy say nothing about another model.\n\n{markdown(head, rows)}"
    )
