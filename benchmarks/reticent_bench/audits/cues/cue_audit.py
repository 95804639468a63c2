"""The audit of cue-controlled memorisation.

After "Do LLMs Really Memorize Personally Identifiable Information? Revisiting PII Leakage with a Cue-Controlled
Memorization Framework".

`audit` asks about planted and held-out people and gives tables.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reticent_bench.audits.blocks import KeyedAsk, in_blocks
from reticent_bench.audits.cues.answers import ValueIndex
from reticent_bench.audits.cues.decision import class_counts, hits
from reticent_bench.audits.cues.free import FreeResult, free_results
from reticent_bench.audits.cues.guarded import guard_cells, guard_low_cue
from reticent_bench.audits.cues.people import Subject, check_people
from reticent_bench.audits.cues.prompts import Question, questions
from reticent_bench.audits.cues.questions import Reading, ask, ask_answer
from reticent_bench.audits.cues.result import CueAudit
from reticent_bench.audits.cues.rows import Readings, pairs, row_of
from reticent_bench.audits.cues.settings import CueSettings
from reticent_bench.audits.cues.tables import collisions, groups, language_lines, long_values, template_lines
from reticent_bench.audits.report import of_column
from reticent_bench.audits.resumable_attempts import Attempt, Outcome
from reticent_bench.audits.target import Target
from reticent_detectors.errors import InputError


def audit(
    target: Target, planted: Sequence[Subject], held_out: Sequence[Subject], settings: CueSettings, attempt: Attempt,
    *, control: Target | None = None, guarded: Mapping[str, Target] | None = None,
) -> CueAudit:  # fmt: skip
    """Asks about all people and counts.

    Args:
        target: the model under audit.
        planted: people whose values it was trained on.
        held_out: people of the same making whose values it never saw; best drawn together with the planted ones, in the
            same order, with a coin for who is planted (see `rows.pairs`).
        settings: what is asked and how it is decided.
        attempt: keeps the outcome of each question by its key. Outcomes hold numbers and flags.
        control: a model that never saw the values, such as the one before training.
        guarded: the target behind guards, by the names of their columns.

    Raises:
        InputError: the people cannot be audited (see `people.check_people`), or no prompt fits them.
    """
    check_people(planted, held_out)
    people = [*planted, *held_out]
    facts = [fact for person in people for fact in person.facts]
    values = ValueIndex(facts)
    asking = _Asking(values, settings, attempt, f"{_population(people)}/")
    partners = pairs(planted, held_out)
    planted_keys = {person.key for person in planted}
    asked = _questions(people, settings)
    rows = []
    for (place, question), readings in zip(
        asked, asking.readings([each for _, each in asked], target, control, guarded or {}), strict=True
    ):
        key = question.subject.key
        rows.append(row_of(question, readings, partners[key], key in planted_keys, place))
    found = hits(rows, [frozenset(values.owners(fact)) for fact in facts], settings.limits)
    free: list[FreeResult] = []
    if settings.free_draws:
        is_planted = [person.key in planted_keys for person in people for _ in person.facts]
        languages = [person.language for person in people]
        free = free_results(target, facts, is_planted, languages, attempt, settings, asking.prefix)
    return CueAudit(
        target=target.name,
        planted=len(planted),
        held_out=len(held_out),
        questions=len(rows),
        likelihoods=sum(row.target.log_likelihood is not None for row in rows),
        unknown_lengths=sum(row.target.tokens is None for row in rows),
        groups=tuple(groups(rows, settings)),
        long_values=tuple(long_values(rows)),
        templates=tuple(template_lines(rows)),
        languages=tuple(language_lines(rows)),
        collisions=tuple(collisions(rows)),
        hits=tuple(found),
        classes=tuple(class_counts(found, {True: len(planted), False: len(held_out)})),
        guard={name: guard_cells(rows, settings.thresholds, name) for name in guarded or ()},
        guard_low_cue={name: guard_low_cue(rows, settings.limits.low_cue, name) for name in guarded or ()},
        free=tuple(free),
    )


@dataclass(frozen=True)
class _Asking:
    """Sends questions through the attempt log."""

    values: ValueIndex
    settings: CueSettings
    attempt: Attempt
    prefix: str

    def readings(
        self, asked: Sequence[Question], target: Target, control: Target | None, guarded: Mapping[str, Target]
    ) -> list[Readings]:
        """What the target, the control and the guarded targets say to each question, asked in blocks."""
        read = self._all([self._scored("target", target, each) for each in asked])
        its: Sequence[Reading | None] = [None] * len(asked)
        if control is not None:
            its = self._all([self._scored("control", control, each) for each in asked])
        behind = {
            name: self._all([self._answered(name, each, *what) for what in zip(asked, read, strict=True)])
            for name, each in guarded.items()
        }
        each_behind = [{name: said[place] for name, said in behind.items()} for place in range(len(asked))]
        return list(zip(read, its, each_behind, strict=True))

    def _all(self, tasks: Sequence[KeyedAsk]) -> list[Reading]:
        return [Reading.of(outcome) for outcome in in_blocks(self.attempt, tasks)]

    def _scored(self, role: str, target: Target, question: Question) -> KeyedAsk:
        def asks() -> Outcome:
            return ask(target, question, self.values, self.settings.lengths)

        return self._key(role, question), asks

    def _answered(self, column: str, target: Target, question: Question, unguarded: Reading) -> KeyedAsk:
        def asks() -> Outcome:
            lengths = self.settings.lengths
            return ask_answer(target, question, self.values, lengths, unguarded.tokens, unguarded.said)

        return self._key(of_column("guarded", column), question), asks

    def _key(self, role: str, question: Question) -> str:
        return f"{self.prefix}{role}/{question.key}"


def _questions(people: Sequence[Subject], settings: CueSettings) -> list[tuple[int, Question]]:
    """All questions, each with the place of its fact."""
    owners = [(person.key, fact.kind) for person in people for fact in person.facts]
    places = {owner: place for place, owner in enumerate(owners)}
    asked = questions(people, settings.families, settings.wordings, settings.chat)
    if not asked:
        raise InputError(
            "No prompt fits these people: verbatim prompts need prefixes, triplets a company, "
            "and `known` two values a person."
        )
    return [(places[each.subject.key, each.fact.kind], each) for each in asked]


def _population(people: Sequence[Subject]) -> str:
    """Names who is asked about, in keys. Outcomes hold places of facts, which mean nothing for other people."""
    digest = hashlib.blake2s(digest_size=6)
    for person in people:
        digest.update(f"{person.key}:{','.join(fact.kind for fact in person.facts)};".encode())
    return digest.hexdigest()
