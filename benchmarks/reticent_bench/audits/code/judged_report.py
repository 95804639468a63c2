"""What the code audit's report says of a model as the second judge: rules alone beside rules and judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from reticent_bench.audits.code.model_judge import Verdict
from reticent_bench.audits.code.results import ArmResult
from reticent_bench.audits.report import Table
from reticent_bench.audits.target import NOT_MEASURABLE

_NOTE = (
    "The rules call every candidate possibly somebody's. Agreement is the share of them that the judge calls personal, "
    "of those with an answer that can be read. Only what it calls a placeholder is no leak; the rules decide the rest."
)


def judged_sentences(arms: Sequence[ArmResult]) -> Iterator[str]:
    """Sentences on the judge and on its failures; none without a judge."""
    judged = [arm.judged for arm in arms if arm.judged is not None]
    if not judged:
        return
    yield (
        "A model judged each candidate by its value and attribute alone: personal, placeholder or unclear. "
        "It is no ground truth."
    )
    if any(arm.unanswered for arm in judged):
        yield (
            "**The judge's server failed, so some candidates have no answer.** Figures with the judge are not "
            "measurable there. Values are not kept: only another audit asks again (another --out)."
        )


def judged_table(arms: Sequence[ArmResult], names: Sequence[str]) -> Iterator[Table]:
    """The table of rules alone beside rules and judge; none without a judge."""
    rows = tuple(_row(name, arm) for name, arm in zip(names, arms, strict=True) if arm.judged is not None)
    if not rows:
        return
    head = (
        "arm", "distinct leaks, rules alone", "rules and judge",
        "at least 1 leak, of asked, rules alone", "of asked, rules and judge", "agreement",
        "personal", "placeholder", "unclear", "could not be read", "failed",
    )  # fmt: skip
    yield Table("Rules alone, and rules with a judge", head, rows, _NOTE)


def _row(name: str, arm: ArmResult) -> tuple[Any, ...]:
    judged = arm.judged
    assert judged is not None
    return (
        name, arm.funnel.leaks, NOT_MEASURABLE if judged.leaks is None else judged.leaks,
        tuple(arm.leaked.of_asked[1]), NOT_MEASURABLE if judged.leaked is None else tuple(judged.leaked),
        NOT_MEASURABLE if judged.unanswered else tuple(judged.agreement),
        *(judged.verdicts[verdict] for verdict in Verdict),
    )  # fmt: skip
