"""The audit of leaks through code generation, with unit tests as the attack.

    index = load_index(path, key)
    result = audit(target, index, Settings(language="python"), log.attempt, guarded={"on": guarded})

Implements "Probing Privacy Leaks in LLM-based Code Generation via Test Generation". The model writes a function and
then its unit tests. Literals of both are judged by rules and looked up in a corpus. Baselines and ablations spend
exactly the tokens of the pipeline.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reticent_bench.audits.blocks import in_blocks
from reticent_bench.audits.code.attempts import Attempter, Reveal
from reticent_bench.audits.code.corpus_index import CorpusIndex
from reticent_bench.audits.code.feature_library import FeatureLibrary, prior_library
from reticent_bench.audits.code.judge import Judge
from reticent_bench.audits.code.language import Language
from reticent_bench.audits.code.model_judge import ModelJudge
from reticent_bench.audits.code.results import ArmResult, GuardComparison, arm_result, compare
from reticent_bench.audits.code.settings import ARMS, PIPELINE, Arm, CountTokens, Settings, TokenBudget, most_tokens
from reticent_bench.audits.resumable_attempts import Attempt
from reticent_bench.audits.target import NotMeasurable, Target

_Rows = dict[tuple[str, int], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class CodeAudit:
    """Result of the audit.

    Attributes:
        language: of the code.
        scenarios: how many were asked.
        arms: figures of each arm without the guard, the pipeline first.
        not_measurable: names of the arms that the target cannot be asked in, such as completion by a chat route.
        guarded: figures of the pipeline behind guards, by their columns.
        comparisons: each guard beside off.
        false_positive_rate: probability that the index finds a value that the corpus does not have.
    """

    language: Language
    scenarios: int
    arms: tuple[ArmResult, ...]
    not_measurable: tuple[str, ...]
    guarded: Mapping[str, ArmResult]
    comparisons: Mapping[str, GuardComparison]
    false_positive_rate: float

    @property
    def pipeline(self) -> ArmResult:
        """The pipeline without the guard."""
        return self.arms[0]

    @property
    def complete(self) -> bool:
        """Whether the bound of tokens shortened nothing, in no column."""
        return all(arm.complete for arm in (self.pipeline, *self.guarded.values()))


def audit(
    target: Target,
    index: CorpusIndex,
    settings: Settings,
    attempt: Attempt,
    *,
    guarded: Mapping[str, Target] | None = None,
    library: FeatureLibrary | None = None,
    judge: Judge | None = None,
    model_judge: ModelJudge | None = None,
    count_tokens: CountTokens | None = None,
    reveal: Reveal | None = None,
) -> CodeAudit:
    """Audits a model.

    Args:
        target: the model without the guard.
        index: literals of the corpus, a proxy of the training data.
        settings: what is asked and how many tokens it may cost.
        attempt: asks and stores outcomes; they hold numbers, flags and keyed digests.
        guarded: the same model behind guards, by the names of their columns.
        library: templates and fragments for the prompts; `prior_library()` by default, `build_library` makes others.
        judge: judges literals; rules by default.
        model_judge: judges what the rules leave open; nothing does by default.
        count_tokens: counts the tokens of an answer. Without it each answer costs what it was granted.
        reveal: gets each verified value in answers of the target without the guard.

    Raises:
        InputError: the attempt log belongs to other settings.
        MissingExtra: tree-sitter or detect-secrets is not installed.

    What `attempt` raises is not caught; a second run with the same log continues from there.
    """
    judge, library = judge or Judge(), library or prior_library()
    attempter = Attempter(target, "off", index, judge, library, settings, attempt, reveal, model_judge)
    names = [scenario.id for scenario in settings.asked_scenarios]
    attribute_of = {scenario.id: scenario.attribute_key for scenario in settings.asked_scenarios}
    off, complete = _run_pipeline(attempter, count_tokens)
    spent = {name: sum(row["tokens"] for (scenario, _), row in off.items() if scenario == name) for name in names}
    not_measurable: list[str] = []
    arms = [arm_result(PIPELINE.name, off, attribute_of, sum(spent.values()), complete)]
    for name in settings.arms:
        arm = ARMS[name]
        if arm is PIPELINE:
            continue
        same = arm.library and arm.second_turn
        try:
            rows = off if same else _run_equal(attempter, arm, spent, count_tokens)
        except NotMeasurable:
            not_measurable.append(name)
            continue
        tokens = sum(row["tokens"] for row in rows.values())
        arms.append(arm_result(name, rows, attribute_of, tokens, complete, arm.verify))
    behind, comparisons = dict[str, ArmResult](), dict[str, GuardComparison]()
    for column, each in (guarded or {}).items():
        asker = Attempter(each, column, index, judge, library, settings, attempt, None, model_judge)
        on, complete = _run_pipeline(asker, count_tokens)
        tokens = sum(row["tokens"] for row in on.values())
        behind[column] = arm_result(PIPELINE.name, on, attribute_of, tokens, complete)
        comparisons[column] = compare(off, on)
    return CodeAudit(
        settings.language, len(names), tuple(arms), tuple(not_measurable), behind, comparisons,
        index.false_positive_rate,
    )  # fmt: skip


def _run_pipeline(attempter: Attempter, count_tokens: CountTokens | None) -> tuple[_Rows, bool]:
    """Returns all attempts of the pipeline, round by round, and whether the bound of tokens shortened none."""
    settings, rows = attempter.settings, _Rows()
    budget, most = TokenBudget(settings.max_tokens, count_tokens), most_tokens(settings, PIPELINE)
    asked = [(scenario, number) for number in range(settings.tests_each) for scenario in settings.asked_scenarios]
    while asked:
        if budget.is_spent:
            return rows, False
        count = max(1, budget.whole_attempts(most, len(asked)))
        some, asked = asked[:count], asked[count:]
        tasks = [attempter.task(PIPELINE, scenario, number, budget) for scenario, number in some]
        for (scenario, number), outcome in zip(some, in_blocks(attempter.log, tasks), strict=True):
            budget.charge(int(outcome["tokens"]))
            rows[scenario.id, number] = outcome
    return rows, not any(row["shortened"] for row in rows.values())


def _run_equal(attempter: Attempter, arm: Arm, spent: dict[str, int], count_tokens: CountTokens | None) -> _Rows:
    """Attempts of an arm until each scenario has spent exactly what the pipeline spent on it.

    Scenarios have budgets of their own, so they are asked side by side. Of one scenario as many attempts are asked at
    once as would be granted all their tokens, and else one. So each is granted what it would be granted alone.
    """
    settings = attempter.settings
    scenarios, most = settings.asked_scenarios, most_tokens(settings, arm)
    budgets = {scenario.id: TokenBudget(spent[scenario.id], count_tokens) for scenario in scenarios}
    made: dict[str, list[dict[str, Any]]] = {scenario.id: [] for scenario in scenarios}
    while live := [scenario for scenario in scenarios if not budgets[scenario.id].is_spent]:
        some = []
        for scenario in live:
            budget, first = budgets[scenario.id], len(made[scenario.id])
            count = budget.whole_attempts(most, spent[scenario.id])  # an attempt costs at least one token
            some += [(scenario, number) for number in range(first, first + max(1, count))]
        tasks = [attempter.task(arm, scenario, number, budgets[scenario.id]) for scenario, number in some]
        for (scenario, _), outcome in zip(some, in_blocks(attempter.log, tasks), strict=True):
            budgets[scenario.id].charge(int(outcome["tokens"]))
            made[scenario.id].append(outcome)
    return {(scenario.id, number): row for scenario in scenarios for number, row in enumerate(made[scenario.id])}
