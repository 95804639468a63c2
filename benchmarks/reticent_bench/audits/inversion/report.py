"""The inversion audit's report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticent_bench.audits.inversion.audit import (
    BLIND,
    CONSTANT,
    CONTROL,
    HASHES,
    SHAPE,
    SHUFFLED,
    SURFACES,
    VECTORS,
    InversionResult,
)
from reticent_bench.audits.inversion.figures import Difference, attacker_figures, difference
from reticent_bench.audits.inversion.settings import InversionSettings
from reticent_bench.audits.inversion.what_surfaces_hold import FIELDS
from reticent_bench.audits.report import Report, Table, read_figures
from reticent_bench.report.metrics import Interval

SENTENCES = (
    "The audit asks what can be read from vectors that stand for texts. "
    "A small decoder learns texts of some people from their vectors. It is tested on vectors of other people.",
    "F1 counts tokens that the inverted text and the text have in common, as multisets, over all texts. A value is "
    "recovered if the inverted text holds it whole.",
    "The **blind** attacker is the same decoder, and gets the vector of another text. "
    "The **shape** attacker sees kinds, offsets and lengths of the values, and the length of the text. "
    "The **control** sees how often each token is in the text.",
)
OF_SURFACES = (
    (
        "Each answer of the host was inspected by the guard. Attackers get what the guard exposes or keeps of it, "
        "and the shape."
    ),
    "A surface is compared with the better of two attackers who know the shape: one has nothing else, the other has "
    "that surface of another text of the same kinds and like lengths. Keyed hashes are compared with the first.",
    "Hidden states, which `reticent collect --baselines` stores, are exempt: they are embeddings of the text. "
    "**Keep such a collection as you keep the texts.**",
    "The released text and the times at which a stream is released are not part of this audit. "
    "An attacker who has the model can test a guess by computing its features; this decoder does not do so.",
)
WEAK = (
    "**The control is not surely better than the {reference} and than the best constant answer.** "
    "So this attacker is too weak here, or the texts are too few: where it finds nothing, that shows nothing. "
    "Give more people or more steps."
)
READINGS = {
    "f1": "F1 of the tokens that are read from the vectors",
    "f1-above-blind": "F1 above that of the blind attacker",
    "values-recovered": "share of values that are read whole from the vectors",
    "values-above-blind": "share of values read whole, above that of the blind attacker",
    **{
        f"{arm}-{part}above-{SHAPE}": f"{words} that the guard's {arm.replace('-', ' ')} adds to the shape"
        for arm in (*SURFACES, HASHES)
        for part, words in (("", "F1 of tokens"), ("values-", "share of values read whole"))
    },
}
NAMES: Mapping[str, str] = {
    CONSTANT: "constant: the best answer that is always the same",
    BLIND: "blind: the vector of another text",
    SHAPE: "shape: kinds, offsets and lengths",
    CONTROL: "control: all tokens, without their order",
    VECTORS: "vectors",
    HASHES: "keyed hashes: known ones looked up, else the shape",
}


def make_report(found: InversionResult, settings: InversionSettings) -> Report:
    """Tables and headline figures.

    Figures of vectors are `f1`, `values-recovered` and what both have above the blind attacker. Figures of the guard's
    surfaces are what each has above the shape, in F1 and in values recovered.
    """
    surfaces = found.source == "surfaces"
    arms = (*SURFACES, HASHES) if surfaces else (VECTORS,)
    reference = SHAPE if surfaces else BLIND
    figures: dict[str, Interval | None] = {}
    for arm in arms:
        above = _difference(found, arm, _reference(found, arm, reference, settings), settings)
        prefix = f"{arm}-" if surfaces else "f1-"
        if not surfaces:
            own = _figures(found, arm, settings)
            figures["f1"] = None if own is None else own.f1
            figures["values-recovered"] = None if own is None else own.values
        figures[f"{prefix}above-{reference}"] = None if above is None else above.f1
        name = f"{arm}-values-above-{reference}" if surfaces else f"values-above-{reference}"
        figures[name] = None if above is None else above.values
    sentences = [*SENTENCES, *(OF_SURFACES if surfaces else ())]
    weak = any(
        above is not None and not above.f1.low > 0
        for above in (_difference(found, CONTROL, other, settings) for other in (reference, CONSTANT))
    )
    if weak:
        sentences.append(WEAK.format(reference=reference))
    if surfaces and found.counts:
        sentences += [
            _verdict(arm, _difference(found, arm, _reference(found, arm, SHAPE, settings), settings), weak)
            for arm in arms
        ]
    tables = [_attackers(found, arms, settings), _data(found, settings), *([_held()] if surfaces else [])]
    return Report(
        "inversion",
        "Audit of inversion",
        tuple(sentences),
        tuple(tables),
        (),
        figures,
        readings=read_figures(figures, READINGS),
    )


def _reference(found: InversionResult, arm: str, otherwise: str, settings: InversionSettings) -> str:
    """What an attacker is compared with: for a surface, the better of the two who know the shape."""
    if arm not in SHUFFLED or SHUFFLED[arm] not in found.counts:
        return otherwise
    return max((otherwise, SHUFFLED[arm]), key=lambda each: _figures(found, each, settings).f1.value)


def _figures(found: InversionResult, arm: str, settings: InversionSettings) -> Any:
    if arm not in found.counts:
        return None
    return attacker_figures(found.counts[arm], found.people, settings.rounds, settings.seed)


def _difference(found: InversionResult, arm: str, other: str, settings: InversionSettings) -> Difference | None:
    if arm not in found.counts:
        return None
    return difference(found.counts[arm], found.counts[other], found.people, settings.rounds, settings.seed)


def _verdict(arm: str, above: Difference | None, weak: bool) -> str:
    name = arm.replace("-", " ").capitalize()
    if above is None:
        return f"{name}: not measured."
    if above.f1.low > 0 or above.values.low > 0:
        return f"**{name}: tells the attacker more than the shape does.**"
    if weak:
        return f"{name}: nothing was found, by an attacker that is too weak to show more."
    return (
        f"{name}: not shown to tell more than the shape. At most {max(0.0, above.f1.high):.3f} of F1 and "
        f"{max(0.0, above.values.high):.3f} of the values are left open by the intervals."
    )


def _attackers(found: InversionResult, arms: tuple[str, ...], settings: InversionSettings) -> Table:
    head = (
        "attacker", "precision", "recall", "F1", "values recovered", "F1 above blind", "F1 above shape",
        "values above blind", "values above shape",
    )  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    others = [SHUFFLED[arm] for arm in arms if arm in SHUFFLED]
    for arm in (CONSTANT, BLIND, SHAPE, *arms, *others, CONTROL):
        own = _figures(found, arm, settings)
        if own is None:
            continue
        above = [_difference(found, arm, other, settings) for other in (BLIND, SHAPE)]
        cells: list[Any] = [() if each is None else tuple(each.f1) for each in above]
        cells += [() if each is None else tuple(each.values) for each in above]
        own_name = NAMES.get(arm, arm.replace("-", " "))
        cells = ["" if arm == other else cell for cell, other in zip(cells, (BLIND, SHAPE) * 2, strict=True)]
        rows.append((own_name, *(tuple(each) for each in own), *cells))
    note = (
        "95 % bootstrap intervals over people and trainings of the attacker; differences are paired by people. "
        "An interval that holds 0 shows no difference."
    )
    return Table("Attackers", head, tuple(rows), note)


def _data(found: InversionResult, settings: InversionSettings) -> Table:
    rows: dict[str, Any] = {
        "target": found.target,
        "texts that the attacker learns from": found.texts["attack"],
        "people in them": found.texts["attack_people"],
        "texts tested": found.texts["test"],
        "people in those": found.texts["test_people"],
        "tokens that count": "all" if settings.counted == "all" else "those of values",
        "trainings of each attacker": settings.trainings,
        "steps of a training": settings.decoder.steps,
    }
    return Table("Data", ("what", "value"), tuple(rows.items()))


def _held() -> Table:
    rows = tuple((field.surface, ", ".join(field.names), field.holds, field.given) for field in FIELDS)
    note = (
        "The test suite compares this table with what the guard writes, and looks for values and plain digests of "
        "them in it."
    )
    return Table(
        "What the guard's surfaces hold", ("surface", "fields", "what they hold", "what attackers get"), rows, note
    )
