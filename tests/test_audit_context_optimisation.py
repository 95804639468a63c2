"""The search for a query, on scripted targets whose leakage is known."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_audit_context import Log, Rule, Scripted, classification, deaf, generation, leaker, stands_out

from reticent.private_context import accuracy_ceiling, mu_of
from reticent_bench.audits.budget import Budget, BudgetSpent, MeteredTarget
from reticent_bench.audits.context import canary_runs, prompts
from reticent_bench.audits.context.audit import ContextAudit, audit
from reticent_bench.audits.context.canaries import Canary
from reticent_bench.audits.context.detection import accuracy, fit_cut
from reticent_bench.audits.context.optimisation import grammar
from reticent_bench.audits.context.optimisation.command_parts import optimisation_settings
from reticent_bench.audits.context.optimisation.evolution import evolve
from reticent_bench.audits.context.optimisation.optimise import Optimisation
from reticent_bench.audits.context.optimisation.proposals import proposed_template, reflection_text
from reticent_bench.audits.context.optimisation.search_runs import CallsSpent, DetectionScore, Search, search_runs
from reticent_bench.audits.context.optimisation.settings import OptimisationSettings
from reticent_bench.audits.context.questions import Attack, Column, Questions
from reticent_bench.audits.context.report import make_report
from reticent_bench.audits.context.settings import Settings
from reticent_bench.audits.context.task import Task
from reticent_bench.audits.resumable_attempts import QUERY, AttemptLog
from reticent_bench.report.metrics import Interval, share
from reticent_detectors.errors import InputError, MissingExtra

SMALL = Settings(
    runs=60, calibration_runs=20, ensemble_runs=60, ensemble_contexts=2, draws=500, utility_items=0, subsets=4,
    canaries=("hexadecimal",), queries=("input-output", "if-then-explicit"), defences=("none",),
    ensemble_canary="unigrams",
)  # fmt: skip
SEARCH = OptimisationSettings(calls=400)


def optimised(
    rule: Rule, task: Task, settings: Settings = SMALL, search: OptimisationSettings = SEARCH
) -> Optimisation:
    found = audit({"off": Scripted(rule)}, task, settings, Log(), optimisation=search).optimisation
    assert found is not None
    return found


def answered(found: Optimisation, which: str) -> Interval:
    """The accuracy by answers of the best fixed or the optimised query."""
    chosen = found.best_fixed if which == "fixed" else found.optimised
    assert chosen is not None
    (result,) = (row for row in chosen.attacks if row.route == "answer")
    return result.accuracy


def only_to(task: Task, wanted: Callable[[str], bool]) -> Rule:
    """Leaks to some wordings, and is deaf to all others."""
    return lambda system, user: (leaker if wanted(user) else deaf)(task)(system, user)


def arbitrary(task: Task) -> Rule:
    """An arbitrary label that depends on every character of the prompt and on nothing else."""
    return lambda system, user: task.labels[hashlib.sha256(f"{system}\n{user}".encode()).digest()[0] % 2]


# Known truths


def test_evolution_finds_the_one_wording_that_a_target_leaks_to() -> None:
    task = classification()
    for wanted in ("character by character", "---\n", "Answer in one word."):
        found = optimised(only_to(task, lambda user, wanted=wanted: wanted in user), task)  # type: ignore[misc]
        assert found.optimised is not None and wanted in found.optimised.query.template
        assert found.optimised.search_score.answer == 1.0 and found.best_fixed.search_score.answer == 0.5
        assert answered(found, "optimised") == share(60, 60)
        assert answered(found, "fixed").low < 0.5 < answered(found, "fixed").high
        assert found.calls <= 400 and 2 < found.tried == found.calls / 16


def test_evolution_puts_together_what_each_leaks_in_part() -> None:
    """Each of two wordings opens a third of the contexts; only both together open all."""
    task = classification()

    def rule(system: str, user: str) -> str:
        opened = ("character by character" in user) + ("Sentence: " in user)
        share_of = {0: 0, 1: 85, 2: 256}[opened]
        context = system.partition("### Examples")[2].split("Input: ")[-1]
        leaks = hashlib.sha256(context.encode()).digest()[0] < share_of
        return (leaker if leaks else deaf)(task)(system, user)

    found = optimised(rule, task, search=replace(SEARCH, calls=800))
    assert found.optimised is not None
    assert "character by character" in found.optimised.query.template and "Sentence: " in found.optimised.query.template
    assert answered(found, "optimised") == share(60, 60)


def test_a_deaf_endpoint_stays_at_a_half() -> None:
    task = classification()
    found = optimised(deaf(task), task)
    assert found.optimised is not None and found.optimised.search_score.answer == 0.5
    assert answered(found, "optimised") == answered(found, "fixed")
    assert answered(found, "optimised").low <= 0.5 <= answered(found, "optimised").high
    assert "No query did better" in " ".join(make_report(as_audit(found)).sentences)


def test_a_search_on_the_measurement_runs_would_find_what_is_not_there() -> None:
    """Arbitrary answers: the search score is too good, the measured accuracy is not, and choosing on it would be.

    The best of 38 queries is right, or wrong, in at least 11 of 16 search runs in 99.99 % of cases.
    Of 1,000 runs 99.9 % of arbitrary answers are right in 0.448 to 0.552.
    The best of 40 queries on 100 runs is above 0.555 in 99.7 % of cases.
    """
    task = classification()
    settings, search = replace(SMALL, runs=1000), replace(SEARCH, calls=640)
    target = Scripted(arbitrary(task))
    found = audit({"off": target}, task, settings, Log(), optimisation=search).optimisation
    assert found is not None and found.optimised is not None and found.tried == 40
    assert found.optimised.search_score.answer >= 11 / 16
    assert 0.448 < answered(found, "optimised").value < 0.552
    assert best_on_measurement_runs(target, task, replace(settings, runs=100), 40) > 0.555


def best_on_measurement_runs(target: Scripted, task: Task, settings: Settings, queries: int) -> float:
    """The wrong way: as many queries as the search tries, the best one chosen by the accuracy that is reported."""
    questions = Questions(Column("off", target, target), task, settings, Log())
    size, rng = settings.context_size, np.random.default_rng(settings.seed)
    canary = Canary("hexadecimal", "ab" * 16, task.labels[task.rare])
    known = canary_runs.halves(settings.calibration_runs, settings.runs, size, rng, first=settings.runs)
    runs = canary_runs.halves(settings.runs, settings.runs, size, rng)
    best = 0.0
    for genome in grammar.beginning(queries, rng):
        attack = Attack(canary, grammar.query_of(genome))
        labels = [
            np.array([float(questions.whole(attack, run, "none")["label"]) for run in part]) for part in (known, runs)
        ]
        cut = fit_cut(labels[0], canary_runs.is_present(known))
        best = max(best, accuracy(cut, labels[1], canary_runs.is_present(runs)).value)
    return best


@pytest.mark.parametrize(("runs", "calibration", "ensemble"), [(60, 20, 2), (10, 40, 3), (4, 4, 30)])
def test_the_three_sets_of_runs_share_no_context(runs: int, calibration: int, ensemble: int) -> None:
    task = classification()
    settings = replace(SMALL, runs=runs, calibration_runs=calibration, ensemble_contexts=ensemble)
    log = Log()
    audit({"off": Scripted(deaf(task))}, task, settings, log, optimisation=replace(SEARCH, calls=64))
    searched = {run.context for run in search_runs(settings, 16)}
    asked: dict[str, set[int]] = {"evolved": set(), "fixed": set()}
    for key in log.rows:
        if "/none/context-" in key:
            kind = "evolved" if "evolved-" in key else "fixed"
            asked[kind].add(int(key.partition("/context-")[2].partition("/")[0]))
    threshold = {runs + number // 2 % runs for number in range(calibration)}
    measured = set(range(runs // 2))
    assert len(searched) == 8
    assert not searched & threshold and not searched & measured and not threshold & measured
    assert asked["evolved"] == asked["fixed"] == searched | threshold | measured
    # Ensembles have contexts of their own numbering: those of thresholds lie behind those of flips.
    assert min(searched) >= 2 * ensemble


@dataclass
class PrivateEndpoint(Scripted):
    """Answers by Report-Noisy-Max over the examples: one vote for each, the canary's from a leaking model.

    One replaced example changes two counts by 1, so the sensitivity is the square root of 2. Every answer draws anew.
    """

    epsilon: float = 1.0

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(7)
        self.sigma = math.sqrt(2) / mu_of(self.epsilon, 1e-5)

    def _answer(self, prompt: Any) -> str:
        system = prompt[0].content
        there = stands_out(system)
        counts = np.array([10.0 + there, 10.0 - there]) + self.sigma * self.rng.standard_normal(2)
        return ("objective", "subjective")[int(counts.argmax())]


@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_a_private_endpoint_stays_under_its_ceiling_after_optimisation(epsilon: float) -> None:
    task = classification()
    settings = replace(SMALL, runs=400)
    target = PrivateEndpoint(deaf(task), epsilon=epsilon)
    found = audit({"off": target}, task, settings, Log(), optimisation=SEARCH).optimisation
    assert found is not None and found.optimised is not None
    ceiling = accuracy_ceiling(mu_of(epsilon, 1e-5))
    # Chosen among 25 queries on 16 runs, the search score is above what any attack reaches.
    assert found.optimised.search_score.answer > ceiling
    assert answered(found, "optimised").low <= ceiling
    assert answered(found, "optimised").value < found.optimised.search_score.answer


def test_defences_with_a_stated_epsilon_hold_against_the_optimised_query() -> None:
    task = classification()
    settings = replace(SMALL, ensemble_runs=1000, worst_case=True)
    found = optimised(only_to(task, lambda user: "character by character" in user), task, settings)
    rows = [row for row in found.ensembles if not math.isinf(row.figures.epsilon)]
    assert {row.defence for row in rows} == {"Report-Noisy-Max", "context shield"}
    assert all(row.figures.holds for row in rows)
    # The query works: in the worst case noisy counts show the canary as often as the ceiling allows.
    tight = [row for row in rows if row.worst_case and row.figures.view == "histogram" and row.figures.epsilon == 8.0]
    assert min(row.figures.accuracy.value for row in tight) > 0.7


# How it searches


def test_a_fixed_query_that_tells_all_runs_apart_ends_the_search() -> None:
    task = classification()
    found = optimised(leaker(task), task)
    assert found.optimised is None and found.ensembles == ()
    assert (found.tried, found.calls) == (2, 32)
    report = make_report(as_audit(found))
    assert "so no other query was searched for" in " ".join(report.sentences)
    assert report.figures["fixed-accuracy-off"] == share(60, 60) and report.figures["optimised-accuracy-off"] is None


def test_log_probabilities_decide_between_queries_whose_answers_do_as_well() -> None:
    task = classification()

    class Likely(Scripted):
        """Its answers are deaf. The likelihood of the canary's label rises with the canary for one wording."""

        def scores(self, pairs: Any) -> Any:
            self.rule = only_to(task, lambda user: "character by character" in user)
            scored = super().scores(pairs)
            self.rule = deaf(task)
            return scored

    target = Likely(deaf(task), scores_text=True)
    found = audit({"off": target}, task, SMALL, Log(), optimisation=SEARCH).optimisation
    assert found is not None and found.optimised is not None
    assert tuple(found.optimised.search_score) == (0.5, 1.0)
    rows = {row.route: row.accuracy.value for row in found.optimised.attacks}
    assert rows["log-probabilities"] == 1.0 and rows["answer"] < 0.7


def test_generation_is_searched_too() -> None:
    task = generation()

    def rule(system: str, user: str) -> str:
        asked = [word for word in user.replace('"', " ").split() if len(word) == 32]
        shown = system.partition("### Examples")[2]
        return asked[0] if "character by character" in user and asked and asked[0] in shown else "none"

    settings = replace(SMALL, candidates=2)
    found = optimised(rule, task, settings)
    assert found.optimised is not None and found.optimised.query.asks_for == "text"
    assert answered(found, "optimised") == share(60, 60)


def test_the_budget_is_never_passed_and_is_the_same_when_continued(tmp_path: Path) -> None:
    task = classification()
    results = []
    for most in (150, 300, None):
        target = Scripted(deaf(task))
        budget = Budget(max_calls=most)
        log = AttemptLog(tmp_path, {}, budget)
        metered = MeteredTarget(target, budget, len)
        try:
            found = audit({"off": metered}, task, SMALL, log.attempt, optimisation=replace(SEARCH, calls=200))
        except BudgetSpent:
            log.close()
            continue
        results.append(found)
    once = audit({"off": Scripted(deaf(task))}, task, SMALL, Log(), optimisation=replace(SEARCH, calls=200))
    assert len(results) == 1 and repr(results[0]) == repr(once)
    assert once.optimisation is not None and once.optimisation.calls == 192  # twelve queries in sixteen runs
    again = Scripted(deaf(task))
    log = AttemptLog(tmp_path, {}, Budget())
    assert repr(audit({"off": again}, task, SMALL, log.attempt, optimisation=replace(SEARCH, calls=200))) == repr(once)
    assert again.asked == []


def test_children_come_from_the_best_queries() -> None:
    """Each query that follows the beginning has all parts but one from the best two of those before it."""
    task, order = classification(), []

    class Graded(Search):
        """Scores a query by a digest of its wording, and asks nobody."""

        def score(self, query: prompts.Query) -> DetectionScore:
            self.spend()
            order.append(query)
            return DetectionScore(0.5 + hashlib.sha256(query.template.encode()).digest()[0] / 600, 0.5)

    target = Scripted(deaf(task))
    search = Graded(Questions(Column("off", target, target), task, SMALL, Log()), CANARY, 16, 60)
    found = evolve(search, replace(SEARCH, survivors=2), seed=0)
    assert found == order and len(found) == 60 and target.asked == []
    genomes = {grammar.query_of(g): g for g in itertools.product(*(range(len(part)) for part in grammar.PARTS))}
    value = {query: hashlib.sha256(query.template.encode()).digest()[0] for query in found}
    for place in range(SEARCH.population, 60):
        first, second = sorted(found[:place], key=value.__getitem__, reverse=True)[:2]
        child = zip(genomes[found[place]], genomes[first], genomes[second], strict=True)
        assert sum(part not in parents for part, *parents in child) <= 1


def test_another_seed_searches_another_way() -> None:
    task = classification()
    first, second = (optimised(arbitrary(task), task, replace(SMALL, seed=seed)) for seed in (1, 2))
    assert first.optimised is not None and second.optimised is not None
    assert first.optimised.query != second.optimised.query


def test_a_search_asks_no_judge_and_makes_no_call_that_it_cannot_pay() -> None:
    task = classification()
    target = Scripted(deaf(task))
    settings = replace(SMALL, defences=("L3",))
    search = Search(Questions(Column("off", target, target), task, settings, Log()), CANARY, 16, 40)
    search.score(prompts.QUERIES["input-output"])
    search.score(prompts.QUERIES["input-output"])
    assert len(target.asked) == 16 and search.calls_left == 24
    search.score(prompts.QUERIES["if-then-explicit"])
    with pytest.raises(CallsSpent, match="--optimise-calls"):
        search.score(grammar.query_of((0,) * 7))
    assert (len(target.asked), search.calls_left, search.tried) == (32, 8, 2)


CANARY = Canary("hexadecimal", "ab" * 16, "objective")


# The grammar


def test_the_beginning_has_every_wording() -> None:
    for seed in range(20):
        drawn = list(grammar.beginning(8, np.random.default_rng(seed)))
        for place, part in enumerate(grammar.PARTS):
            assert {genome[place] for genome in drawn} == set(range(len(part)))


def test_mutations_change_one_part_and_children_have_parts_of_their_parents() -> None:
    rng = np.random.default_rng(0)
    first, second = grammar.beginning(2, rng)
    for _ in range(100):
        child = grammar.mutated(first, rng)
        assert sum(a != b for a, b in zip(first, child, strict=True)) == 1
        assert all(index < len(part) for index, part in zip(child, grammar.PARTS, strict=True))
        crossed = grammar.crossed(first, second, rng)
        assert all(each in pair for each, pair in zip(crossed, zip(first, second, strict=True), strict=True))


@pytest.mark.parametrize("task", [classification(), generation()], ids=["labels", "texts"])
def test_every_query_names_the_canary_once_and_says_what_to_answer(task: Task) -> None:
    rng = np.random.default_rng(0)
    wanted = f"the label {task.labels[task.rare]}" if task.labels else "word for word"
    for genome in grammar.beginning(20, rng):
        query = grammar.query_of(genome)
        text = prompts.query_text(query, task, CANARY)
        assert text.count(CANARY.text) == 1 and "{" not in text
        assert (wanted in text) == (query.asks_for == "text")
        assert prompts.secret_text(query, CANARY) == (CANARY.text if query.asks_for == "text" else CANARY.answer)
        assert proposed_template(query.template) == query.template  # the finder sees no value in our own wordings


def test_replacements_are_not_read_as_placeholders() -> None:
    canary = Canary("false-fact", "The sun is {present} and {absent}.", "objective")
    assert prompts.filled("{canary} {other}", classification(), canary) == "The sun is {present} and {absent}. {other}"


# What a reflection model is asked, and what is taken from its reply


def test_a_proposal_is_taken_only_with_the_placeholder_and_without_values() -> None:
    assert proposed_template("Well:\n```text\nIs {canary} there?\n```\nDone.") == "Is {canary} there?"
    assert proposed_template("  Is {canary} there? ") == "Is {canary} there?"
    assert proposed_template("Is it there?") is None and proposed_template("") is None
    assert proposed_template("{canary} " * 400) is None
    assert proposed_template("Is {canary} there? Write to tamsin.oakleaf@gorsewick.org.") is None


def test_the_reflection_model_sees_the_query_and_labels_alone() -> None:
    text = reflection_text("Is {canary} there?", ["The canary was there."])
    assert "Is {canary} there?" in text and "- The canary was there." in text and "Remark" not in text


def test_the_attempt_log_keeps_proposals_and_no_other_text(tmp_path: Path) -> None:
    log = AttemptLog(tmp_path, {}, Budget())
    assert log.attempt("a", lambda: {QUERY: "Is {canary} there?"}) == {QUERY: "Is {canary} there?"}
    assert log.attempt("b", lambda: {QUERY: None}) == {QUERY: None}
    for wrong in ("x" * 2001, ["x"], {"x": 1}):
        with pytest.raises(InputError, match="query"):
            log.attempt("c", lambda wrong=wrong: {QUERY: wrong})  # type: ignore[misc]
    with pytest.raises(InputError, match="no label"):
        log.attempt("d", lambda: {"other": "Is it there?"})


# Options


def test_options_that_do_nothing_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(method: Any, *given: Any) -> Any:
        return optimisation_settings(method, *(*given, None, None, None, None, None)[:5], is_chat=True)

    assert read("none").settings is None and read("none").outcomes_depend_on == {}
    assert read("evolution").settings == OptimisationSettings()
    for method, given, flag in (
        ("none", (100,), "--optimise-calls"), ("none", (None, 4), "--search-runs"),
        ("evolution", (None, None, "http://127.0.0.1:1"), "--reflection-server"),
        ("evolution", (None, None, None, "m"), "--reflection-model"),
        ("evolution", (None, None, None, None, "KEY"), "--reflection-key-variable"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=flag):
            read(method, *given)
    for given in ((20,), (100, 3), (100, 0), (0, None)):
        with pytest.raises(InputError, match=r"[Ee]xpected"):
            read("evolution", *given)
    monkeypatch.setattr("reticent_bench.audits.context.optimisation.gepa.find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install '\.\[(?:proxy,)?gepa,cpu\]'"):
        read("gepa")
    monkeypatch.setattr("reticent_bench.audits.context.optimisation.gepa.find_spec", lambda name: object())
    monkeypatch.setenv("REFLECTION_KEY", "k")
    found = read("gepa", None, None, "http://u:p@127.0.0.1:1/v1", "m", "REFLECTION_KEY")
    assert found.reflection.key == "k" and found.reflection.model == "m" and "'k'" not in repr(found)
    assert "u:p" not in repr(found)
    assert found.outcomes_depend_on["reflection_server"] == "http://127.0.0.1:1/v1"
    with pytest.raises(InputError, match="not set"):
        read("gepa", None, None, "http://127.0.0.1:1", None, "NO_SUCH_VARIABLE")


def test_the_report_says_how_many_were_tried_and_shows_both_queries() -> None:
    task = classification()
    found = optimised(only_to(task, lambda user: "character by character" in user), task)
    report = make_report(as_audit(found))
    text = " ".join(report.sentences)
    assert f"{found.tried} queries were tried" in text and "No run is in two of these sets" in text
    both = next(table for table in report.tables if table.title == "Best fixed and optimised query")
    assert [row[0] for row in both.rows] == ["best fixed", "optimised"]
    wordings = next(table for table in report.tables if table.title == "Wordings of the chosen queries")
    assert "character by character" in wordings.rows[1][-1] and "\n" not in wordings.rows[1][-1]
    assert wordings.rows[0][3] == "not measurable"
    assert report.figures["optimised-accuracy-off"] == share(60, 60)


def as_audit(found: Optimisation) -> ContextAudit:
    return ContextAudit("remarks", found.best_fixed.attacks, (), (), (), "", (), found)
