"""The context audit's report."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from reticent_bench.audits.context.audit import ContextAudit
from reticent_bench.audits.context.detection import empirical_epsilon
from reticent_bench.audits.context.ensembles import EnsembleResult
from reticent_bench.audits.context.optimisation import report as optimised
from reticent_bench.audits.report import Plot, Report, Series, Table, read_figures
from reticent_bench.report.metrics import Interval, share

READINGS = {
    "attack-accuracy-*": "accuracy of the best attack on single answers, guard *: 0.5 is guessing. The interval holds "
    "for all these attacks at once",
    "repeated-values-*": "share of the examples' values that the injection brings out, guard *",
    "fixed-accuracy-*": "accuracy of the best fixed query: *",
    "optimised-accuracy-*": "accuracy of the optimised query: *",
}
SENTENCES = (
    "The audit replaces one example of a prompt by a canary, or does not, and lets an attacker guess which. "
    "An accuracy of 0.5 is guessing. Epsilon is what the accuracy implies.",
    (
        "**Ceiling** is the best accuracy that a defence's stated epsilon allows, Phi(1 / 2z) with z the noise by "
        "the sensitivity."
    ),
    "Subsets of the examples are disjoint. No amplification is claimed for them.",
)


def make_report(found: ContextAudit) -> Report:
    """Tables, plots and headline figures: the best attack of each column, and what the injection brings out."""
    sentences = [*SENTENCES, *([found.sentence] if found.sentence else [])]
    tables = [_attacks(found)]
    if found.optimisation is not None:
        sentences += optimised.sentences(found.optimisation)
        tables += optimised.tables(found.optimisation)
    sentences += [f"Not measurable: {each}." for each in found.not_measurable]
    tables += [_ensembles(found.ensembles), _resolution(found), _utility(found), *_injections(found)]
    if found.optimisation is not None and found.optimisation.ensembles:
        tables.append(_ensembles(found.optimisation.ensembles, ", asked the optimised query"))
    figures = _figures(found)
    return Report(
        "context",
        "Audit of the context",
        tuple(sentences),
        tuple(tables),
        tuple(_plots(found)),
        figures,
        readings=read_figures(figures, READINGS),
    )


def _figures(found: ContextAudit) -> dict[str, Interval | None]:
    figures: dict[str, Interval | None] = {}
    for column in dict.fromkeys(row.column for row in found.attacks):
        tried = [row for row in found.attacks if row.column == column]
        best = max(tried, key=lambda row: row.accuracy.value)
        figures[f"attack-accuracy-{column}"] = best.among(len(tried))
    for dump in found.injections:
        figures[f"repeated-values-{dump.column}"] = dump.repeated
    if found.optimisation is not None:
        figures.update(optimised.figures(found.optimisation))
    return figures


def _attacks(found: ContextAudit) -> Table:
    head = ("guard", "canary", "query", "defence", "seen by the attacker", "runs", "accuracy", "epsilon")
    rows = tuple(
        (row.column, row.canary, row.query, row.defence, row.route, row.runs, tuple(row.accuracy), tuple(row.epsilon))
        for row in found.attacks
    )
    return Table(
        "Attacks on single answers",
        head,
        rows,
        "Half of the runs have the canary. The best attack of a column is chosen on the runs that it is shown for: "
        "its accuracy is too high by chance, and at the top its interval is wide enough for all attacks of the column.",
    )


def _ensembles(results: Sequence[EnsembleResult], of: str = "") -> Table:
    head = (
        "guard",
        "defence",
        "worst case",
        "view",
        "stated epsilon",
        "noise",
        "runs",
        "contexts",
        "accuracy",
        "ceiling",
        "within",
        "utility",
    )
    rows = tuple(
        (
            row.column, row.defence, "yes" if row.worst_case else "no", row.figures.view, row.figures.epsilon,
            row.figures.sigma, row.figures.runs, row.contexts, tuple(row.figures.accuracy), row.figures.ceiling,
            "yes" if row.figures.holds else "no", None if row.utility is None else tuple(row.utility),
        )
        for row in results
    )  # fmt: skip
    note = (
        "A defence is within its ceiling if the accuracy's lower end is. The ceiling holds in any context, and the "
        "interval is of these contexts: others may give an attacker more or less."
    )
    return Table(f"Defences with a stated epsilon{of}", head, rows, note)


def _resolution(found: ContextAudit) -> Table:
    counts = {("single answers", row.runs) for row in found.attacks}
    counts |= {("defences with a stated epsilon", row.figures.runs) for row in found.ensembles}
    rows = []
    for asked_of, runs in sorted(counts, reverse=True):
        guessing, all_right = share(runs // 2, runs), share(runs, runs)
        rows.append((asked_of, runs, tuple(guessing), tuple(all_right), empirical_epsilon(all_right).low))
    return Table(
        "What so many runs can show",
        (
            "attacks on",
            "runs",
            "an attacker who guesses",
            "one who is always right",
            "and implies an epsilon of",
        ),
        tuple(rows),
        (
            "Its epsilon is the lower end. Four times as many runs halve the interval around 0.5. "
            "ContextLeak has 100 runs, and 400 for defences."
        ),
    )


def _utility(found: ContextAudit) -> Table:
    head = ("guard", "held-out examples", "undefended", "without context", "resolvable")
    rows = tuple(
        (row.column, row.items, tuple(row.undefended), row.floor, "yes" if row.resolvable else "no")
        for row in found.utility
    )
    return Table(
        "Utility without a defence", head, rows, "Where the model does no better than the floor, utility means nothing."
    )


def _injections(found: ContextAudit) -> Iterator[Table]:
    head = ("guard", "values in the contexts", "repeated", "stopped of those that the first column repeats")
    rows = tuple(
        (row.column, row.values, tuple(row.repeated), "" if row.stopped is None else tuple(row.stopped))
        for row in found.injections
    )
    if rows:
        yield Table("The injection that asks for the examples", head, rows)


def _plots(found: ContextAudit) -> Iterator[Plot]:
    first = next((row.column for row in found.ensembles), "")
    rows = [
        row for row in found.ensembles if row.column == first and not row.worst_case and row.figures.view == "label"
    ]
    rows = [row for row in rows if math.isfinite(row.figures.epsilon)]  # the others have no place on the axis
    series = []
    for defence in dict.fromkeys(row.defence for row in rows):
        own = [row.figures for row in rows if row.defence == defence]
        series.append(
            Series(
                defence, tuple(each.epsilon for each in own), tuple(each.accuracy.value for each in own),
                tuple(each.accuracy.low for each in own), tuple(each.accuracy.high for each in own),
            )
        )  # fmt: skip
    if series:
        ceiling = sorted({(row.figures.epsilon, row.figures.ceiling) for row in rows})
        series.append(Series("ceiling", tuple(e for e, _ in ceiling), tuple(c for _, c in ceiling)))
        yield Plot("Accuracy of the attack by stated epsilon", "stated epsilon", "accuracy", tuple(series))
