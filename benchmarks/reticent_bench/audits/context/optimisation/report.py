"""What the context audit's report says about an optimised query."""

from __future__ import annotations

from collections.abc import Iterator

from reticent_bench.audits.context.attacks import AttackResult, Route
from reticent_bench.audits.context.optimisation.optimise import ChosenQuery, Optimisation
from reticent_bench.audits.report import Table
from reticent_bench.audits.target import NOT_MEASURABLE
from reticent_bench.report.metrics import Interval

_METHODS = {"evolution": "evolution", "gepa": "DSPy's GEPA"}
_FIGURES: tuple[tuple[Route, str], ...] = (("answer", ""), ("log-probabilities", "-log-probabilities"))


def sentences(found: Optimisation) -> list[str]:
    """How the query was searched for, and on which runs."""
    runs = found.best_fixed.attacks[0].runs if found.best_fixed.attacks else 0
    lines = [
        f"Query optimisation by {_METHODS[found.method]}: {found.tried} queries were tried on the column "
        f"{found.column}, {found.fixed} of them fixed, with {found.calls} calls. "
        f"Search on {found.search_runs} runs, threshold from {found.threshold_runs} others, accuracy on {runs} "
        "others. No run is in two of these sets.",
    ]
    if found.optimised is None and found.best_fixed.search_score.answer == 1.0:
        lines.append("The answers to a fixed query tell all search runs apart, so no other query was searched for.")
    elif found.optimised is None:
        lines.append("Not measurable: an optimised query. None was found that could be asked in all search runs.")
    elif found.optimised.search_score <= found.best_fixed.search_score:
        lines.append("No query did better in the search than the best fixed one.")
    return lines


def tables(found: Optimisation) -> Iterator[Table]:
    """The accuracies of the best fixed and the optimised query, and their wordings."""
    chosen = [("best fixed", found.best_fixed), ("optimised", found.optimised)]
    given = [(name, each) for name, each in chosen if each is not None]
    head = ("query", "guard", "canary", "defence", "seen by the attacker", "runs", "accuracy", "epsilon")
    rows = tuple(
        (
            name, row.column, row.canary, row.defence, row.route, row.runs, tuple(row.accuracy), tuple(row.epsilon),
        )
        for name, each in given
        for row in each.attacks
    )  # fmt: skip
    note = (
        "Both queries were chosen on the search runs, the accuracies are of others. "
        "So another fixed query may stand higher in the table above: it is the best there by hindsight, or the "
        "search runs were too few to find it."
    )
    yield Table("Best fixed and optimised query", head, rows, note)
    scored = any(row.route == "log-probabilities" for row in found.best_fixed.attacks)
    wordings = tuple(
        (
            name, each.query.name, each.search_score.answer,
            each.search_score.log_probabilities if scored else NOT_MEASURABLE, _one_line(each.query.template),
        )
        for name, each in given
    )  # fmt: skip
    yield Table(
        "Wordings of the chosen queries",
        ("query", "name", "search score by answers", "by log-probabilities", "wording"),
        wordings,
        "A search score is the best of many on the same runs, and too good. "
        "{canary} stands for the canary, {present} and {absent} for what to answer, / for the end of a line.",
    )


def figures(found: Optimisation) -> dict[str, Interval | None]:
    """`fixed-accuracy-COLUMN` and `optimised-accuracy-COLUMN` without a defence, by what the attacker sees.

    None for the optimised query where none was found.
    """
    made: dict[str, Interval | None] = {}
    for row in found.best_fixed.attacks:
        if row.defence == found.best_fixed.attacks[0].defence:
            suffix = f"{row.column}{dict(_FIGURES)[row.route]}"
            made[f"fixed-accuracy-{suffix}"] = row.accuracy
            made[f"optimised-accuracy-{suffix}"] = _same(found.optimised, row)
    return made


def _one_line(template: str) -> str:
    """A wording as a cell of a table, in Markdown too."""
    return template.replace("\n", " / ").replace("|", "\\|")


def _same(chosen: ChosenQuery | None, like: AttackResult) -> Interval | None:
    """The accuracy of a query in the same column, under the same defence and by the same route."""
    rows = () if chosen is None else chosen.attacks
    same = (
        row.accuracy for row in rows if (row.column, row.defence, row.route) == (like.column, like.defence, like.route)
    )
    return next(same, None)
