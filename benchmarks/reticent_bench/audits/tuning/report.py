"""The tuning matrix' report: utility beside privacy, and two curves over epsilon."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reticent_bench.audits.report import Plot, Report, Series, Table, read_figures
from reticent_bench.audits.target import NOT_MEASURABLE
from reticent_bench.audits.tuning import encoder_report
from reticent_bench.audits.tuning.measuring import OFF
from reticent_bench.audits.tuning.report_parts import (
    READINGS,
    data_table,
    epsilon_of,
    is_cell,
    method_of,
    series,
    tuning_table,
)
from reticent_bench.audits.tuning.settings import TuningSettings
from reticent_bench.report.metrics import Interval

GUARDED, INDEXED = "guard", "guard-index"

SENTENCES = (
    (
        "A model is tuned in five ways, without differential privacy and with it. "
        "The training texts are canaries and documents about made-up people."
    ),
    "**Likelihood**: exposure compares an inserted canary with candidates that were not inserted; "
    "membership tells training documents from others. Differential privacy bounds both. "
    "A guard on outputs changes neither.",
    (
        "**Generation**: extraction counts sampled answers that begin with an inserted value. "
        "Both differential privacy and the guard lower it."
    ),
    "**The promises differ, so no way of protection wins.** Differential privacy bounds what one training text "
    "changes, for every attack, and costs utility. The guard judges what is generated, knows no bound, and leaves "
    "the model as it is.",
    "The guarantee is of one training text. A canary that is repeated k times is k texts and has no guarantee of the "
    "stated epsilon; the canaries that are inserted once have it.",
    "An accountant's epsilon is an upper bound. Attacks that fail do not show that nothing leaks.",
)

WRITTEN = (
    "The model is an encoder-decoder. It reads an instruction and writes the text; "
    "in infilling it reads the text with a blank and writes the value. All likelihoods are of what it writes. "
    "The guard does not wrap encoder-decoders."
)


def make_report(found: Mapping[str, Any], settings: TuningSettings) -> Report:
    """Makes tables, the two plots, and headline figures.

    A figure is the highest of its measure over the cells with, or without, privacy.
    """
    if found["family"] == "encoder":
        return encoder_report.make_report(found, settings)
    rows = found["rows"]
    tables = (_matrix(rows), _generation(rows), tuning_table(rows, settings), data_table(found["blind"]))
    sentences = SENTENCES if found["family"] == "decoder" else (*SENTENCES, WRITTEN)
    figures = dict(_figures(rows))
    readings = read_figures(figures, READINGS)
    return Report("tuning", "Tuning matrix", sentences, tables, tuple(_plots(rows)), figures, readings=readings)


def _shown(figures: Sequence[float] | None) -> Any:
    return NOT_MEASURABLE if figures is None else tuple(figures)


def _rate(row: Mapping[str, Any], target: str) -> Sequence[float] | None:
    asked = row["generated"].get(target)
    return None if asked is None else asked["rate"]


def _matrix(rows: Sequence[Mapping[str, Any]]) -> Table:
    head = (
        "tuning", "epsilon", "perplexity, held-out", "exposure rate", "exposure, bits", "exposure rate, once",
        "exposure once, bits", "extraction rate", "behind the guard", "guard with index", "AUC by loss", "AUC by ratio",
    )  # fmt: skip
    lines = tuple(
        (
            method_of(row), epsilon_of(row), tuple(row["perplexity"]), tuple(row["repeated"]["rate"]),
            tuple(row["repeated"]["exposure"]), tuple(row["once"]["rate"]), tuple(row["once"]["exposure"]),
            _shown(_rate(row, OFF)), *_guarded(row), tuple(row["membership"]["loss"]["auc"]),
            tuple(row["membership"]["ratio"]["auc"]),
        )
        for row in rows
    )  # fmt: skip
    note = (
        "95 % intervals. Perplexity of infilling is of texts with a blank that is filled at the end, so compare it "
        "with its own row before tuning. Exposure of an untrained model: mean 1.39 bits, rate 1.8 %. "
        "An AUC of 0.5 is guessing. The ratio is to the model before tuning. "
        "The guard is asked for undefended models only, with the default detector; "
        "the index holds the inserted e-mails and telephone numbers."
    )
    return Table("Utility and privacy", head, lines, note)


def _guarded(row: Mapping[str, Any]) -> tuple[Any, Any]:
    if not is_cell(row) or row["epsilon"] is not None:
        return (None, None)
    return (_shown(_rate(row, GUARDED)), _shown(_rate(row, INDEXED)))


def _generation(rows: Sequence[Mapping[str, Any]]) -> Table:
    head = (
        "tuning",
        "epsilon",
        "asked",
        "answers",
        "inserted values",
        "claimed kinds: answers",
        "claimed values",
        "not inserted ones",
    )
    names = {OFF: "the model", GUARDED: "behind the guard", INDEXED: "behind the guard with index"}
    lines = tuple(
        (
            method_of(row),
            epsilon_of(row),
            names[target],
            asked["answers"],
            asked["hits"],
            asked["claimed"]["answers"],
            asked["claimed"]["hits"],
            asked["chance"],
        )
        for row in rows
        for target, asked in row["generated"].items()
    )
    note = (
        "Answers to the beginning of a canary, sampled at temperature 1. "
        "The guard judges what its span finder claims; names, towns and words are no spans."
    )
    return Table("Extraction", head, lines, note)


def _plots(rows: Sequence[Mapping[str, Any]]) -> Iterator[Plot]:
    """Against 1 / epsilon, so that no differential privacy is at 0."""
    generation = [*series(rows, lambda row: _rate(row, OFF)), *_undefended(rows)]
    x_label = "1 / epsilon (0: no differential privacy)"
    if generation:
        yield Plot("Generation: extraction rate", x_label, "answers with an inserted value", tuple(generation))
    likelihood = series(rows, lambda row: row["membership"]["loss"]["auc"])
    yield Plot("Likelihood: membership by loss", x_label, "AUC", tuple(likelihood))


def _undefended(rows: Sequence[Mapping[str, Any]]) -> Iterator[Series]:
    """The undefended models behind the guard, as points at 0."""
    found = [_rate(row, INDEXED) for row in rows if is_cell(row) and row["epsilon"] is None]
    measured = tuple(rate[0] for rate in found if rate is not None)
    if measured:
        yield Series("undefended, guard with index", (0.0,) * len(measured), measured, points=True)


def _figures(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Interval | None]]:
    """By name: the cell with the highest upper end of each measure."""
    cells = [row for row in rows if is_cell(row)]
    for name, side in (
        ("", [r for r in cells if r["epsilon"] is None]),
        ("private-", [r for r in cells if r["epsilon"] is not None]),
    ):
        for measure, figure in (
            ("extraction-rate", lambda row: _rate(row, OFF)),
            ("exposure-rate", lambda row: row["repeated"]["rate"]),
            ("exposure-rate-once", lambda row: row["once"]["rate"]),
            ("membership-auc", lambda row: row["membership"]["loss"]["auc"]),
        ):  # fmt: skip
            found = [tuple(each) for row in side if (each := figure(row)) is not None and math.isfinite(each[0])]
            yield f"{name}{measure}", Interval(*max(found, key=lambda each: each[2])) if found else None
