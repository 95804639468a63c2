"""The audit of membership inference: windows, questions, attacks and figures, in this order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from reticent_bench.audits.blocks import in_blocks
from reticent_bench.audits.membership.attacks import Attack
from reticent_bench.audits.membership.blind import FOLDS, BlindCheck, blind_check, blind_scores
from reticent_bench.audits.membership.figures import AttackFigures, People, check_sides, measure
from reticent_bench.audits.membership.questions import (
    MembershipSettings,
    Sources,
    ask_window,
    check_scoring,
    choose_attacks,
    fingerprint,
    logged_score,
    question_key,
)
from reticent_bench.audits.membership.windows import Passage, cut_window
from reticent_bench.audits.resumable_attempts import Attempt
from reticent_bench.audits.target import Target
from reticent_bench.report.metrics import Flags, Scores
from reticent_detectors.errors import InputError


class NotMeasured(NamedTuple):
    """An attack without figures, and why."""

    attack: str
    reason: str


@dataclass(frozen=True, slots=True)
class MembershipResult:
    """What the audit found.

    Attributes:
        target: name of the model under audit.
        members: windows of members.
        non_members: windows of non-members.
        people: people of both sides.
        left_out: passages that are too short for a window, or whose value is too long for one.
        attacks: a row for each attack that was run.
        not_measured: attacks that were not, with the reason.
        blind: the blind text classifier; where it is "biased", the rows say nothing about the target.
        languages: the rows of each language that has at least five people on each side.
    """

    target: str
    members: int
    non_members: int
    people: int
    left_out: int
    attacks: tuple[AttackFigures, ...]
    not_measured: tuple[NotMeasured, ...]
    blind: BlindCheck
    languages: Mapping[str, tuple[AttackFigures, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Rows:
    """The windows of both sides, members first, and how many passages gave none."""

    windows: list[Passage]
    member: Flags
    people: People
    left_out: int


def audit(
    target: Target,
    members: Sequence[Passage],
    non_members: Sequence[Passage],
    attempt: Attempt,
    sources: Sources | None = None,
    settings: MembershipSettings | None = None,
) -> MembershipResult:
    """Run the attacks on windows of members and of non-members.

    The windows are scored one question each, through `attempt`. A log belongs to one list of passages: keys hold the
    index, length and offsets of a window, not its text.

    Args:
        target: the model under audit.
        members: passages of its training data.
        non_members: passages of the same kind that it never saw, of other people.
        attempt: called with the key of each question and a function that asks it; returns the outcome.
        sources: what attacks need besides the target.
        settings: numbers of the audit.

    Raises:
        NotMeasurable: the target, or another model of the sources, does not score text. Nothing was asked then.
        InputError: a side has fewer than five people, or a person or a window is on both sides.
    """
    sources, settings = sources or Sources(), settings or MembershipSettings()
    check_scoring([target, *sources.models()])
    rows = _rows(members, non_members, sources, settings)
    attacks, reasons = choose_attacks(sources)
    outcomes = _outcomes(target, rows, attempt, sources, settings, attacks)
    texts = [window.text for window in rows.windows]
    blind = blind_scores(texts, rows.member, rows.people, settings.seed)
    for attack in attacks:
        missing = sum(logged_score(outcome, attack) is None for outcome in outcomes)
        if missing:
            reasons[attack.name] = f"the target does not give what it needs for {missing} windows"
    measured = [attack for attack in attacks if attack.name not in reasons]
    check = blind_check(blind, rows.member, rows.people, settings.blind_margin, settings.rounds, settings.seed)
    is_paired = check.verdict == "paired"  # then it is below chance, and every attack would seem to be above it
    return MembershipResult(
        target.name,
        int(rows.member.sum()),
        int((~rows.member).sum()),
        len(np.unique(rows.people)),
        rows.left_out,
        tuple(_figures(attack, outcomes, rows, None if is_paired else blind, settings) for attack in measured),
        tuple(NotMeasured(attack, reason) for attack, reason in reasons.items()),
        check,
        {
            language: tuple(_figures(attack, mine, own, None if is_paired else its, settings) for attack in measured)
            for language, (mine, own, its) in _by_language(rows, outcomes, blind)
        },
    )


def _by_language(
    rows: _Rows, outcomes: Sequence[dict[str, Any]], blind: Scores
) -> Iterator[tuple[str, tuple[list[dict[str, Any]], _Rows, Scores]]]:
    """The outcomes, rows and blind scores of each language with enough people on each side."""
    spoken = np.array([window.language for window in rows.windows], dtype=np.str_)
    for language in sorted(set(spoken.tolist()) - {""}):
        mine = np.flatnonzero(spoken == language).tolist()
        member, people = rows.member[mine], rows.people[mine]
        if min(len(np.unique(people[side])) for side in (member, ~member)) >= FOLDS:
            windows = [rows.windows[row] for row in mine]
            yield language, ([outcomes[row] for row in mine], _Rows(windows, member, people, 0), blind[mine])


def _figures(
    attack: Attack,
    outcomes: Sequence[dict[str, Any]],
    rows: _Rows,
    blind: Scores | None,
    settings: MembershipSettings,
) -> AttackFigures:
    return measure(
        attack.name,
        attack.source,
        np.array([logged_score(outcome, attack) for outcome in outcomes], dtype=np.float64),
        rows.member,
        rows.people,
        blind=blind,
        rounds=settings.rounds,
        null_rounds=settings.null_rounds,
        seed=settings.seed,
    )


def _outcomes(
    target: Target,
    rows: _Rows,
    attempt: Attempt,
    sources: Sources,
    settings: MembershipSettings,
    attacks: Sequence[Attack],
) -> list[dict[str, Any]]:
    settings_print = fingerprint(target, sources, settings)
    tasks = []
    for row, (window, member) in enumerate(zip(rows.windows, rows.member.tolist(), strict=True)):
        # The index counts within a side, so that more members do not change the keys of the non-members.
        index = row if member else row - int(rows.member.sum())

        def ask(index: int = index, window: Passage = window, member: bool = member) -> dict[str, Any]:
            rng = np.random.default_rng([settings.seed, int(member), index])
            return ask_window(target, sources, settings, attacks, window, rng)

        tasks.append((question_key(settings_print, member, index, window), ask))
    return in_blocks(attempt, tasks)


def _rows(
    members: Sequence[Passage], non_members: Sequence[Passage], sources: Sources, settings: MembershipSettings
) -> _Rows:
    sides = []
    for passages in (members, non_members):
        cut = [cut_window(p, settings.least_tokens, settings.most_tokens, sources.tokenize) for p in passages]
        sides.append([window for window in cut if window is not None])
    windows = [*sides[0], *sides[1]]
    member = np.arange(len(windows)) < len(sides[0])
    people = np.array([window.person for window in windows], dtype=np.str_)
    check_sides(member, people)
    fewest = min(len({window.person for window in side}) for side in sides)
    if fewest < FOLDS:
        raise InputError(
            f"Expected windows of at least {FOLDS} people on each side, got {fewest}. "
            f"Give more people or longer passages."
        )
    both = {window.text for window in sides[0]} & {window.text for window in sides[1]}
    if both:
        raise InputError(
            f"Expected windows of one side only, got {len(both)} on both sides. Remove them from the non-members."
        )
    return _Rows(windows, member, people, len(members) + len(non_members) - len(windows))
