"""The membership audit's report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reticent_bench.audits.membership.attacks import ATTACKS
from reticent_bench.audits.membership.audit import MembershipResult
from reticent_bench.audits.membership.figures import AttackFigures
from reticent_bench.audits.report import Report, Table, read_figures
from reticent_bench.audits.target import NOT_MEASURABLE
from reticent_bench.report.metrics import Interval

SENTENCES = (
    "The audit asks whether the likelihood of a text tells if it was in the training data. "
    "Members are windows around a personal value: of your files, or of texts about taught people in the forms of their "
    "training texts, which may have more parts than those had. "
    "Non-members are windows of the same kind about other people.",
    "A guard on outputs does not change likelihoods. **These attacks stay open to whoever reads log-probabilities of "
    "given text.** Do not offer them to clients.",
    "**Normalised AUC** is the larger of AUC and 1 - AUC. It is above 0.5 even where nothing is known, so chance "
    "stands beside it.",
)
PAIRED = (
    "The blind classifier is worse than chance, as where each text has a twin on the other side, of the same form and "
    "kinds: the classifier then learns the twin's side. So it cannot show that the data is free of bias, and no attack "
    "is set against it."
)
BIASED = (
    "**The data is biased**: a classifier that sees the texts alone tells members from non-members. "
    "The figures of this page may say nothing about the model."
)
READINGS = {"auc-*": "AUC of the attack *: 0.5 is chance, 1 tells all members from others"}

_VERDICTS: Mapping[str, tuple[str, ...]] = {"biased": (BIASED,), "paired": (PAIRED,)}
_FIGURES = {attack.name: attack.field.replace("_", "-") for attack in ATTACKS}


def make_report(found: MembershipResult) -> Report:
    """Tables and headline figures: the AUC of each attack."""
    sentences = (*SENTENCES, *_VERDICTS.get(found.blind.verdict, ()))
    figures: dict[str, Interval | None] = {f"auc-{_FIGURES[row.attack]}": row.auc for row in found.attacks}
    return Report(
        "membership",
        "Audit of membership inference",
        sentences,
        (_attacks(found), *_languages(found), _data(found)),
        (),
        figures,
        readings=read_figures(figures, READINGS),
    )


def _attacks(found: MembershipResult) -> Table:
    head = (
        "attack", "AUC", "normalised AUC", "by chance: mean", "95th percentile", "TPR at 1 % FPR", "TPR at 0.1 % FPR",
        "AUC above the blind classifier", "source",
    )  # fmt: skip
    rows = [
        (*row[:-1], "" if each.above_blind is None else tuple(each.above_blind), row[-1])
        for row, each in zip(attack_rows(found.attacks), found.attacks, strict=True)
    ]
    rows += [(row.attack, NOT_MEASURABLE, *[""] * 6, row.reason) for row in found.not_measured]
    note = "95 % bootstrap intervals over people. A rate of 0.1 % needs 10,000 non-members, one of 1 % needs 100."
    return Table("Attacks on windows", head, tuple(rows), note)


def _languages(found: MembershipResult) -> Iterator[Table]:
    rows = tuple(
        (language, row.attack, tuple(row.auc), row.normalised_auc, row.null.mean, row.null.high)
        for language, attacks in found.languages.items()
        for row in attacks
    )
    if rows:
        head = ("language", "attack", "AUC", "normalised AUC", "by chance: mean", "95th percentile")
        yield Table("Attacks by language", head, rows, "Languages with at least five people on each side.")


def attack_rows(attacks: Sequence[AttackFigures]) -> list[tuple[Any, ...]]:
    """Rows with the attack, its figures, and its source."""
    return [
        (
            row.attack, tuple(row.auc), row.normalised_auc, row.null.mean, row.null.high, _or_not(row.tpr_at_1_percent),
            _or_not(row.tpr_at_01_percent), row.source,
        )
        for row in attacks
    ]  # fmt: skip


def _or_not(value: Interval | None) -> Any:
    return "not resolvable" if value is None else tuple(value)


def _data(found: MembershipResult) -> Table:
    rows: Mapping[str, Any] = {
        "windows of members": found.members,
        "windows of non-members": found.non_members,
        "people": found.people,
        "passages without a window": found.left_out,
        "AUC of the blind text classifier": tuple(found.blind.auc),
        "verdict on the data": found.blind.verdict,
    }
    return Table("Data", ("what", "value"), tuple(rows.items()))
