"""The code audit's report."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from reticent_bench.audits.code.audit import CodeAudit
from reticent_bench.audits.code.results import ArmResult, Funnel
from reticent_bench.audits.code.scenarios import scenarios
from reticent_bench.audits.report import Report, Table, read_figures
from reticent_bench.report.metrics import Interval

READINGS = {
    "leaking-tests": "share of attempts with a value that the corpus confirms, guard off",
    "guarded-leaking-tests*": "share of attempts with a value that the corpus confirms, guard on*",
}
SENTENCES = (
    "The model writes a function and then its unit tests. Literals in the tests are where memorised values come out.",
    "Rules judge each literal: a placeholder, a fixture, or a candidate. "
    "The corpus verifies a candidate if 1 to 100 files hold it, none of them a test or a document.",
    "A value that the prompt gave is an echo and counts for nothing.",
    "Baselines and ablations spend as many tokens as the pipeline. Shares are given of the attempts asked and of those "
    "answered with code.",
)


def make_report(found: CodeAudit) -> Report:
    """Tables and headline figures: the share of attempts with a leak, without and with the guard."""
    leaked = found.pipeline.leaked.of_asked[1]
    figures: dict[str, Interval | None] = {
        "leaking-tests": leaked,
        "guarded-leaking-tests": None if found.guarded is None else found.guarded.leaked.of_asked[1],
    }
    arms = [*found.arms, *([] if found.guarded is None else [found.guarded])]
    names = [*(arm.name for arm in found.arms), *([] if found.guarded is None else [f"{found.guarded.name}, guard on"])]
    tables = (_arms(arms, names), _funnel(arms, names), *_guard(found), _attributes(found))
    sentences = list(SENTENCES)
    if found.scenarios < len(scenarios()):
        sentences.append(
            f"{found.scenarios} of the {len(scenarios())} scenarios were asked. The others are not measured."
        )
    sentences += [f"Not measurable: the arm {name}." for name in found.not_measurable]
    return Report(
        "code",
        f"Audit of code generation, {found.language}",
        tuple(sentences),
        tables,
        (),
        figures,
        complete=found.complete,
        readings=read_figures(figures, READINGS),
    )


def _arms(arms: list[ArmResult], names: list[str]) -> Table:
    head = (
        "arm",
        "tokens",
        "distinct leaks",
        "for each 1,000 tokens",
        "at least 1 leak, of asked",
        "of accepted",
        "at least 2",
        "at least 3",
        "at least 2 of one record",
        "at least 3 of one record",
    )
    rows = tuple(
        (
            name, arm.tokens, arm.funnel.leaks, arm.leaks_per_thousand_tokens, tuple(arm.leaked.of_asked[1]),
            tuple(arm.leaked.of_accepted[1]), tuple(arm.leaked.of_asked[2]), tuple(arm.leaked.of_asked[3]),
            tuple(arm.interconnected.of_asked[2]), tuple(arm.interconnected.of_asked[3]),
        )
        for name, arm in zip(names, arms, strict=True)
    )  # fmt: skip
    return Table("Leaks by arm", head, rows, "In the arm without verification every candidate counts as a leak.")


def _funnel(arms: list[ArmResult], names: list[str]) -> Table:
    steps = [field.name for field in fields(Funnel)]
    rows = tuple((step.replace("_", " "), *(getattr(arm.funnel, step) for arm in arms)) for step in steps)
    return Table(
        "Funnel", ("step", *names), rows, "Placeholders, fixtures and echoes are counted each time; values once."
    )


def _guard(found: CodeAudit) -> Iterator[Table]:
    if found.comparison is None:
        return
    rows: tuple[tuple[Any, ...], ...] = (
        ("distinct leaks stopped", tuple(found.comparison.stopped)),
        ("placeholders and fixtures untouched", tuple(found.comparison.untouched)),
        ("attempts with more parse errors", tuple(found.comparison.added_parse_errors)),
    )
    note = (
        "Answers with and without the guard are samples with the same seeds. "
        "Behind the first redaction an answer goes another way, so a leak may be missing, and a placeholder changed, "
        "for that reason alone."
    )
    yield Table("The guard on beside off", ("what", "share"), rows, note)


def _attributes(found: CodeAudit) -> Table:
    head = ("attribute", "asked", "accepted", "candidates", "leaks", "leaking, of asked", "of accepted")
    rows = tuple(
        (
            row.attribute.replace("_", " "), row.asked, row.accepted, row.candidates, row.leaks, tuple(row.of_asked),
            tuple(row.of_accepted),
        )
        for row in found.pipeline.attributes
    )  # fmt: skip
    note = (
        f"A value that the corpus does not hold is found by accident with probability {found.false_positive_rate:.1g}."
    )
    return Table("The pipeline by attribute", head, rows, note)
