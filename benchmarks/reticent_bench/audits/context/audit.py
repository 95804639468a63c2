"""The audit of a context: attacks, defences, utility and the injection, for one or two columns of a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from reticent_bench.audits.context import canaries, injection, utility
from reticent_bench.audits.context.attacks import AttackResult, attack_answers
from reticent_bench.audits.context.canaries import Canary, CanaryKind
from reticent_bench.audits.context.ensembles import EnsembleResult, attack_ensembles
from reticent_bench.audits.context.injection import InjectionResult
from reticent_bench.audits.context.optimisation.optimise import Optimisation, optimise
from reticent_bench.audits.context.optimisation.settings import OptimisationSettings
from reticent_bench.audits.context.questions import Attack, Column, Questions
from reticent_bench.audits.context.settings import Settings
from reticent_bench.audits.context.task import Task
from reticent_bench.audits.context.utility import Usefulness
from reticent_bench.audits.resumable_attempts import Attempt
from reticent_bench.audits.target import Target, scores_behind
from reticent_bench.report.metrics import Interval
from reticent_detectors.errors import InputError

_CANARY = 7


@dataclass(frozen=True, slots=True)
class UtilityResult:
    """What the model does with the whole context in its prompt: share of right labels, or mean ROUGE-1.

    Attributes:
        column: name of the target's column.
        items: held-out examples.
        undefended: without any defence.
        floor: what needs no context; see `utility.Usefulness`.
        resolvable: whether the undefended model beats the floor. Else no utility of a defence is reported.
    """

    column: str
    items: int
    undefended: Interval
    floor: float
    resolvable: bool


@dataclass(frozen=True, slots=True)
class ContextAudit:
    """All results.

    `sentence` is what a report says about the channel of bare labels; empty for generation. `optimisation` is None if
    no query was searched for.
    """

    task: str
    attacks: tuple[AttackResult, ...]
    ensembles: tuple[EnsembleResult, ...]
    utility: tuple[UtilityResult, ...]
    injections: tuple[InjectionResult, ...]
    sentence: str
    not_measurable: tuple[str, ...]
    optimisation: Optimisation | None = None


def audit(
    targets: Mapping[str, Target],
    task: Task,
    settings: Settings,
    attempt: Attempt,
    *,
    judge: Target | None = None,
    values: Sequence[str] = (),
    optimisation: OptimisationSettings | None = None,
    reflection: Target | None = None,
) -> ContextAudit:
    """Audits what a target gives away about single examples of its prompt.

    Args:
        targets: columns by name, such as `{"off": ..., "on": ...}`. The first is the one without a guard.
        task: the task and its examples.
        settings: how much is run.
        attempt: every question goes through it, under a key that is the same in every run with the same settings and
            task. Outcomes hold figures and flags, no text.
        judge: decides under L3 whether an answer shows examples; by default the column's own target.
        values: values of synthetic people that examples hold; the injection is tried only where there are some.
        optimisation: how a query is searched for, with the first canary; by default none is.
        reflection: the model that proposes queries for GEPA; by default the first column's target.

    Raises:
        InputError: there is no column, or the pool of examples is smaller than a context.
        MissingExtra: GEPA is asked for, and DSPy is not installed.
    """
    if not targets:
        raise InputError("targets: expected at least one column, such as off, got none.")
    made = make_canaries(task, settings)
    missing = [_UNIGRAMS] if "unigrams" in _wanted(settings) and "unigrams" not in made else []
    attacks: list[AttackResult] = []
    ensembles: list[EnsembleResult] = []
    usefulness: list[UtilityResult] = []
    dumps: dict[str, injection.Repeated] = {}
    columns = {
        name: Questions(Column(name, target, judge or target), task, settings, attempt)
        for name, target in targets.items()
    }
    voting: dict[str, Usefulness | None] = {}
    for name, target in targets.items():
        questions = columns[name]
        for kind in settings.canaries:
            for query in settings.queries if kind in made else ():
                attacks += attack_answers(questions, Attack(made[kind], query))
        useful = (
            utility.collect(questions) if utility.items(task, settings) and _votes(target, task, settings) else None
        )
        if useful is not None:
            usefulness.append(_utility_result(name, useful))
        if _votes(target, task, settings):
            voting[name] = useful
        if settings.ensemble_canary in made and name in voting:
            attack = Attack(made[settings.ensemble_canary], settings.ensemble_query)
            ensembles += attack_ensembles(questions, attack, useful)
        if values:
            dumps[name] = injection.dump(questions, values)
        missing += _missing(name, target, task, settings, useful)
    searched = None
    canary = next((made[kind] for kind in settings.canaries if kind in made), None)
    if optimisation is not None and canary is not None and settings.queries:
        searched = optimise(columns, canary, optimisation, voting, reflection)
    return ContextAudit(
        task=task.name,
        attacks=tuple(attacks),
        ensembles=tuple(ensembles),
        utility=tuple(usefulness),
        injections=injection.results(dumps),
        sentence=sentence(attacks) if task.labels else "",
        not_measurable=tuple(missing),
        optimisation=searched,
    )


def sentence(attacks: Sequence[AttackResult]) -> str:
    """What a report says about bare labels: the strongest attack on undefended answers, in every column.

    Empty if no answers without a defence were attacked.
    """
    plain = [result for result in attacks if result.defence == "none" and result.route == "answer"]
    if not plain:
        return ""
    first = [result for result in plain if result.column == plain[0].column]
    best = max(first, key=lambda result: result.accuracy.value)
    same = [result for result in plain if (result.canary, result.query) == (best.canary, best.query)]
    found = [(result.column, result.among(len(first))) for result in same]
    figures = "; ".join(f"{column}: {value:.3f} [{low:.3f}, {high:.3f}]" for column, (value, low, high) in found)
    return (
        "A guard on outputs cannot close this channel: the attacker's query types the canary, and the answer is a bare "
        f"label. Accuracy of the attack ({best.canary}, {best.query}, {best.runs} runs), guard {figures}."
    )


_UNIGRAMS = "unigrams: not measurable without the vocabulary of the target's tokenizer"


def _wanted(settings: Settings) -> set[CanaryKind]:
    return {*settings.canaries, settings.ensemble_canary}


def make_canaries(task: Task, settings: Settings) -> dict[CanaryKind, Canary]:
    """The canaries that can be made; unigrams need a vocabulary."""
    order: tuple[CanaryKind, ...] = ("hexadecimal", "unigrams", "false-fact")
    return {
        kind: canaries.canary(
            kind, task, np.random.default_rng([settings.seed, _CANARY, order.index(kind)]), settings.vocabulary
        )
        for kind in order
        if kind in _wanted(settings) and (kind != "unigrams" or settings.vocabulary is not None)
    }


def _votes(target: Target, task: Task, settings: Settings) -> bool:
    return settings.votes == "answer" or scores_behind(target, settings.chat) or not task.labels


def _utility_result(column: str, useful: Usefulness) -> UtilityResult:
    return UtilityResult(column, len(useful.truth), useful.undefended, useful.floor, useful.resolvable)


def _missing(column: str, target: Target, task: Task, settings: Settings, useful: Usefulness | None) -> list[str]:
    missing = []
    why = f"the target scores no text behind {'chats' if settings.chat else 'running text'}"
    if task.labels and not scores_behind(target, settings.chat):
        missing.append(f"{column}: log-probabilities of labels are not measurable; {why}")
    if not _votes(target, task, settings):
        missing.append(f"{column}: votes by likelihood are not measurable; {why}")
    if settings.worst_case and not task.labels:
        missing.append(f"{column}: no context is known that makes aggregated texts their worst case")
    if useful is not None and not useful.resolvable:
        missing.append(f"{column}: utility is not resolvable; the undefended model does not beat the floor")
    return missing
