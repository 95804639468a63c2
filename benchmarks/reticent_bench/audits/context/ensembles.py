"""Attacks on defences with a stated epsilon, and what these defences leave of the task (ContextLeak, section 4.2)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reticent_bench.audits.context import canary_runs, mechanisms, utility, votes
from reticent_bench.audits.context.mechanisms import Mechanism
from reticent_bench.audits.context.questions import Attack, Questions
from reticent_bench.audits.context.replay import Replay, replay
from reticent_bench.audits.context.utility import Usefulness
from reticent_bench.audits.context.votes import ReadVote, Votes
from reticent_bench.report.metrics import Interval

_CALIBRATION, _TEST, _NOISE, _UTILITY = 3, 4, 5, 6


@dataclass(frozen=True, slots=True)
class EnsembleResult:
    """One defence at one epsilon, seen in one way.

    Attributes:
        column: name of the target's column.
        defence: name of the defence.
        worst_case: whether the other subsets were arranged so that one vote decides.
        contexts: different contexts among the runs.
        figures: stated epsilon, noise, ceiling and the attack's accuracy.
        utility: share of right labels or mean ROUGE-1 at this epsilon; None where it is not measured or means nothing.
    """

    column: str
    defence: str
    worst_case: bool
    contexts: int
    figures: Replay
    utility: Interval | None


@dataclass(frozen=True, slots=True)
class _Row:
    """A defence with the votes that it is attacked on."""

    mechanism: Mechanism
    epsilons: Sequence[float]
    calibration: Votes
    tested: Votes
    worst_case: bool


def attack_ensembles(questions: Questions, attack: Attack, useful: Usefulness | None) -> list[EnsembleResult]:
    """Every defence that fits the task, at every epsilon and in every view of the settings.

    Votes are collected once. Each epsilon and view has its own draw of noise.
    """
    settings = questions.settings
    results = []
    for number, row in enumerate(_rows(questions, attack)):
        for step, epsilon in enumerate(row.epsilons):
            measured = _utility(questions, row.mechanism, epsilon, useful, (settings.seed, _UTILITY, number, step))
            for look, view in enumerate(settings.views):
                figures = replay(
                    row.mechanism,
                    row.calibration,
                    row.tested,
                    epsilon,
                    settings.delta,
                    view,
                    settings.draws,
                    np.random.default_rng([settings.seed, _NOISE, number, step, look]),
                )
                results.append(
                    EnsembleResult(
                        column=questions.column.name,
                        defence=row.mechanism.name,
                        worst_case=row.worst_case,
                        contexts=min(settings.ensemble_contexts, settings.ensemble_runs // 2),
                        figures=figures,
                        utility=None if row.worst_case else measured,
                    )
                )
    return results


def _rows(questions: Questions, attack: Attack) -> Iterator[_Row]:
    settings, labels = questions.settings, len(questions.task.labels)
    m, wanted = settings.subsets, settings.wanted_votes
    if not labels:
        questions.ask_all([questions.candidate_task(attack, n) for n in range(settings.candidates)])
        public = np.array([questions.candidate(attack, n)["embedding"] for n in range(settings.candidates)])
        ours = mechanisms.embedding_space(settings.embedding_bound, m, public)
        yield _Row(ours, settings.epsilons, *_collected(questions, attack, votes.embedding, None), False)
        names = len(questions.keywords(attack))
        counted = mechanisms.keyword_space(settings.keyword_bound, m, names, settings.keywords_released)
        yield _Row(counted, settings.epsilons, *_collected(questions, attack, votes.keywords, None), False)
        return
    odd = m - 1 + m % 2  # an even number of votes cannot be one vote away from a tie
    tie, boundary = (odd, (odd - 1) // 2), (m, wanted - 1)
    shield, plain = mechanisms.context_shield(labels, wanted), mechanisms.plain_agreement(labels, wanted)
    for worst_case in (False, True) if settings.worst_case else (False,):
        read = votes.one_hot(labels)
        known = _collected(questions, attack, read, tie if worst_case else None)
        yield _Row(mechanisms.report_noisy_max(labels), settings.epsilons, *known, worst_case)
        known = _collected(questions, attack, read, boundary) if worst_case else known
        yield _Row(shield, settings.shield_epsilons, *known, worst_case)
        yield _Row(plain, (math.inf,), *known, worst_case)


def _collected(
    questions: Questions, attack: Attack, read: ReadVote, worst_case: tuple[int, int] | None
) -> tuple[Votes, Votes]:
    """Votes for setting thresholds, and votes to attack; in the worst case of so many subsets and holders."""
    settings = questions.settings
    contexts, size = settings.ensemble_contexts, settings.context_size
    of_runs, of_calibration = (np.random.default_rng([settings.seed, each]) for each in (_TEST, _CALIBRATION))
    tested = canary_runs.halves(settings.ensemble_runs, contexts, size, of_runs)
    calibration = canary_runs.halves(settings.calibration_runs, contexts, size, of_calibration, first=contexts)
    if worst_case is None:
        return votes.collect(questions, attack, calibration, read), votes.collect(questions, attack, tested, read)
    return (
        votes.collect_worst_case(questions, attack, calibration, read, *worst_case),
        votes.collect_worst_case(questions, attack, tested, read, *worst_case),
    )


def _utility(
    questions: Questions, mechanism: Mechanism, epsilon: float, useful: Usefulness | None, seed: Sequence[int]
) -> Interval | None:
    if useful is None or not useful.resolvable:
        return None
    if questions.task.labels:
        return utility.of_labels(useful, mechanism, epsilon, questions.settings.delta, seed)
    if mechanism.name == mechanisms.KEYWORD_SPACE:
        return None  # its keywords are no text that could be compared
    return utility.of_texts(useful, mechanism, epsilon, questions.settings.delta, seed)
