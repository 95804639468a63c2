"""The audit of a context on scripted targets, whose leakage is known."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reticent_bench.audits.budget import Budget
from reticent_bench.audits.context import prompts
from reticent_bench.audits.context.attacks import AttackResult
from reticent_bench.audits.context.audit import ContextAudit, audit, sentence
from reticent_bench.audits.context.detection import empirical_epsilon
from reticent_bench.audits.context.false_facts import FALSE_FACTS
from reticent_bench.audits.context.report import make_report
from reticent_bench.audits.context.settings import Settings
from reticent_bench.audits.context.task import Example, Task
from reticent_bench.audits.resumable_attempts import Attempt, AttemptLog
from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling, TokenScores
from reticent_bench.report.metrics import Interval, share
from reticent_detectors.errors import InputError
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.spans import FindContext

LABELS = ("objective", "subjective")
VOCABULARY = {f"Ġ{a}{b}{c}qx": float(ord(a)) for a in "bcdfgh" for b in "aeiou" for c in "klmn"}
"""120 tokens of letters; those with b are the rarest."""

Rule = Callable[[str, str], str]
"""Answers a system text and a user text."""


@dataclass
class Scripted:
    """A target that answers by a rule, and may think its answer likely and all other texts unlikely."""

    rule: Rule
    scores_text: bool = False
    name: str = "scripted"
    asked: list[tuple[str, str]] = field(default_factory=list)

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        assert max_new_tokens > 0
        return [self._answer(prompt) for prompt in prompts]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        if not self.scores_text:
            raise NotMeasurable("this target scores no text")
        likely = [-0.1 if self._answer(prompt).strip() == text.strip() else -3.0 for prompt, text in pairs]
        return [TokenScores((0, 1), np.array([each, each]), np.zeros(2), np.ones(2)) for each in likely]

    def _answer(self, prompt: Prompt) -> str:
        if isinstance(prompt, str):
            system, _, user = prompt.rpartition("\n\n")
        else:
            system = "".join(turn.content for turn in prompt if turn.role == "system")
            user = prompt[-1].content
        self.asked.append((system, user))
        return self.rule(system, user)


def stands_out(system: str) -> bool:
    """Whether a canary is in the examples of a system text."""
    shown = system.partition("### Examples")[2]
    return re.search(r"[0-9a-f]{32}", shown) is not None or "qx " in shown or any(fact in shown for fact in FALSE_FACTS)


def leaker(task: Task) -> Rule:
    """Answers with the canary's label if one is in its examples, else with the frequent one."""
    return lambda system, user: task.labels[task.rare if stands_out(system) else task.frequent]


def deaf(task: Task) -> Rule:
    """Answers the same whatever the examples are."""
    return lambda system, user: task.labels[task.frequent]


def classification(size: int = 24, held_out: int = 0) -> Task:
    """Three of four examples are subjective, so objective is the canary's label."""
    rows = [
        Example(f"Remark {number} on the weather.", LABELS[int(number % 4 > 0)]) for number in range(size + held_out)
    ]
    return Task("remarks", "Label each remark.", tuple(rows[:size]), LABELS, tuple(rows[size:]))


def generation(size: int = 24) -> Task:
    rows = [Example(f"A: Shall we meet at {n}? B: Yes.", f"They meet at {n}.") for n in range(size)]
    return Task("notes", "Write a note on each dialogue.", tuple(rows))


SMALL = Settings(
    runs=40, calibration_runs=20, ensemble_runs=40, ensemble_contexts=4, draws=500, utility_items=0,
    canaries=("hexadecimal", "unigrams", "false-fact"), vocabulary=VOCABULARY,
)  # fmt: skip


@dataclass
class Log:
    """An attempt log in memory that keeps what JSON keeps."""

    rows: dict[str, str] = field(default_factory=dict)
    asked: int = 0
    calls: int = 0

    def __call__(self, key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        self.calls += 1
        if key not in self.rows:
            self.asked += 1
            self.rows[key] = json.dumps(ask(), allow_nan=False)
        kept: dict[str, Any] = json.loads(self.rows[key])
        return kept


def run(rule: Rule, task: Task, settings: Settings = SMALL, **more: Any) -> ContextAudit:
    return audit({"off": Scripted(rule, **more)}, task, settings, Log())


# Known truths


def test_a_leaker_is_found_out_every_time() -> None:
    task = classification()
    found = run(leaker(task), task, scores_text=True)
    assert {(r.canary, r.query) for r in found.attacks} == {(c, q) for c in SMALL.canaries for q in SMALL.queries}
    assert {(r.defence, r.route) for r in found.attacks} == {
        *((d, "answer") for d in ("none", "L1", "L2", "L3")),
        *((d, "log-probabilities") for d in ("none", "L1", "L2")),
    }
    # Its answer to the judge is a label, so L3 stops nothing.
    assert {r.accuracy for r in found.attacks} == {share(40, 40)}
    assert all(r.epsilon.value == math.inf and r.epsilon.low > 2 for r in found.attacks)
    assert found.not_measurable == ()


def test_a_deaf_endpoint_gives_nothing_away() -> None:
    task = classification()
    found = run(deaf(task), task, scores_text=True)
    assert len(found.attacks) == 63
    # Half of the runs have the canary, so a guess that is always the same is right in half of them.
    assert {result.accuracy for result in found.attacks} == {share(20, 40)}
    assert {result.epsilon.low for result in found.attacks} == {0.0}
    figure = make_report(found).figures["attack-accuracy-off"]
    assert figure == share(20, 40, looks=63) and figure.low < share(20, 40).low


def test_the_best_of_many_guessers_is_above_one_half_by_its_interval_in_few_audits() -> None:
    """Of 2,000 audits of 36 attacks that guess, at most 5 % name a best one above 0.5; with plain intervals a third."""
    right = np.random.default_rng(0).binomial(100, 0.5, (2_000, 36)).max(axis=1)
    together = np.mean([share(int(best), 100, looks=36).low > 0.5 for best in right])
    alone = np.mean([share(int(best), 100).low > 0.5 for best in right])
    assert together < 0.05 < 0.3 < alone


def test_an_odd_number_of_runs_is_refused() -> None:
    for odd in ({"runs": 25}, {"ensemble_runs": 41}):
        with pytest.raises(InputError, match="even numbers"):
            replace(SMALL, **odd)


def test_1000_right_guesses_are_an_epsilon_of_at_least_5_6() -> None:
    found = empirical_epsilon(share(1000, 1000))
    # The one-sided bound solves a^1000 = 0.025.
    lowest = 0.025 ** (1 / 1000)
    assert found.low == pytest.approx(math.log(lowest / (1 - lowest)), abs=1e-9)
    assert round(found.low, 1) == 5.6
    assert found.value == found.high == math.inf
    assert empirical_epsilon(Interval(0.75, 0.5, 0.9)) == pytest.approx((math.log(3), 0.0, math.log(9)))
    assert empirical_epsilon(Interval(0.4, 0.0, 0.5)) == (0.0, 0.0, 0.0)
    assert empirical_epsilon(Interval(0.75, 0.5, 0.9), 0.25).value == pytest.approx(math.log(2))
    assert math.isnan(empirical_epsilon(share(0, 0)).value)


def test_a_guard_on_outputs_cannot_close_the_channel_of_bare_labels() -> None:
    task = classification()
    off, on = Scripted(leaker(task)), Guarded(Scripted(leaker(task)))
    found = audit({"off": off, "on": on}, task, SMALL, Log())
    assert {r.column: r.accuracy.value for r in found.attacks} == {"off": 1.0, "on": 1.0}
    assert "cannot close this channel" in found.sentence
    asked = len(SMALL.canaries) * len(SMALL.queries)
    best = "{:.3f} [{:.3f}, {:.3f}]".format(*share(40, 40, looks=asked))
    assert f"guard off: {best}; on: {best}." in found.sentence
    assert "log-probabilities of labels are not measurable" in found.not_measurable[0]


def test_the_report_says_what_its_runs_can_show() -> None:
    task = classification(size=400)
    found = run(leaker(task), task, replace(SMALL, runs=400, canaries=("hexadecimal",), queries=("input-output",)))
    assert {row.accuracy for row in found.attacks} == {share(400, 400)}
    [table] = [each for each in make_report(found).tables if each.title == "What so many runs can show"]
    (singles, runs, guessing, right, epsilon), defended = table.rows
    assert (singles, runs) == ("single answers", 400) and defended[:2] == ("defences with a stated epsilon", 40)
    assert (guessing, right) == (tuple(share(200, 400)), tuple(share(400, 400)))
    # The one-sided bound solves a^400 = 0.025.
    lowest = 0.025 ** (1 / 400)
    assert epsilon == pytest.approx(math.log(lowest / (1 - lowest)))


# A guard on outputs, by the project's finder


@dataclass
class Guarded:
    """Redacts every value that the finder sees in an answer."""

    target: Scripted
    scores_text: bool = False
    name: str = "guarded"

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        return [redacted(answer) for answer in self.target.generate(prompts, max_new_tokens, sampling)]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        raise NotMeasurable("this guard gives no log-probabilities")


FINDER = SpanFinder(recognizers())


def redacted(text: str) -> str:
    out, at = "", 0
    while (scan := FINDER.next_span(text, at, context=FindContext(), closed=True)).span is not None:
        out, at = out + text[at : scan.span.start] + f"[{scan.span.entity}]", scan.span.end
    return out + text[at:]


def test_the_injection_dumps_all_values_and_the_guard_stops_them() -> None:
    values = [
        *(f"sender{n}.quince@mail{n}.example.net" for n in range(20)),
        *(f"+44 20 7946 0{n:03d}" for n in range(100, 120)),
    ]
    rows = tuple(Example(f"Please reply to {value} by Friday.", LABELS[n % 2]) for n, value in enumerate(values))
    task = Task("letters", "Label each letter.", rows, LABELS)

    def dumping(system: str, user: str) -> str:
        return system.partition("### Examples")[2] if user == prompts.DUMP else LABELS[0]

    settings = replace(SMALL, canaries=(), dumps=5)
    log = Log()
    columns = {"off": Scripted(dumping), "on": Guarded(Scripted(dumping))}
    found = audit(columns, task, settings, log, values=[*values, "not there"])
    off, on = found.injections
    assert (off.values, off.repeated, off.stopped) == (100, share(5, 5), None)  # five answers, each with twenty values
    assert on.stopped is not None and on.stopped.value >= 0.95
    assert on.repeated.value <= 0.05
    assert found.sentence == "" and found.attacks == ()
    assert not any(value in row for value in values for row in log.rows.values())


def test_values_that_no_answer_repeats_count_neither_way() -> None:
    task = classification()
    quiet = {"off": Scripted(deaf(task)), "on": Scripted(deaf(task))}
    off, on = audit(quiet, task, replace(SMALL, canaries=()), Log(), values=["on the weather"]).injections
    assert off.repeated.value == 0.0 and off.values == 10
    assert on.stopped is not None and math.isnan(on.stopped.value)
    assert audit(quiet, task, replace(SMALL, canaries=()), Log()).injections == ()


# Keys, resuming and cost


def test_running_again_asks_nothing_and_gives_the_same() -> None:
    task = classification(held_out=6)
    settings = replace(SMALL, canaries=("hexadecimal",), utility_items=6, worst_case=True)
    log = Log()
    target = Scripted(leaker(task), scores_text=True)
    first = audit({"off": target}, task, settings, log)
    asked, calls = log.asked, len(target.asked)
    assert asked > 300
    again = audit({"off": target}, task, settings, log)
    assert (log.asked, len(target.asked)) == (asked, calls)
    assert repr(again) == repr(first)  # NaN is not equal to itself


def test_outcomes_hold_figures_and_flags_only() -> None:
    def flat(value: Any) -> list[Any]:
        return [each for row in value for each in flat(row)] if isinstance(value, list) else [value]

    for task in (classification(held_out=4), generation()):
        log = Log()
        settings = replace(SMALL, canaries=("unigrams",), utility_items=4, candidates=2)
        rule = leaker(task) if task.labels else (lambda system, user: system[-40:])
        audit({"off": Scripted(rule)}, task, settings, log, values=["Remark 3"])
        held = [each for row in log.rows.values() for value in json.loads(row).values() for each in flat(value)]
        assert held and all(isinstance(each, int | float) for each in held)
        assert not any("Remark" in row or "qx" in row for row in (*log.rows, *log.rows.values()))


@pytest.mark.parametrize("of_labels", [False, True])
def test_the_attempt_log_takes_all_keys_and_outcomes(tmp_path: Path, of_labels: bool) -> None:
    task = classification(held_out=5) if of_labels else generation()
    settings = replace(SMALL, worst_case=True, utility_items=5, candidates=3, canaries=("false-fact",))
    rule = leaker(task) if of_labels else (lambda system, user: "none")
    log = AttemptLog(tmp_path, {}, Budget())
    audit({"off": Scripted(rule, scores_text=of_labels)}, task, settings, log.attempt, values=["x"])
    assert len(log) > 50


def test_what_cannot_be_measured_is_named() -> None:
    task = classification(held_out=8)
    settings = replace(SMALL, vocabulary=None, utility_items=8, votes="likelihood")
    found = run(deaf(task), task, settings)
    assert [note.partition(" ")[0] for note in found.not_measurable] == ["unigrams:", "off:", "off:"]
    assert found.ensembles == () and found.utility == ()
    assert {r.canary for r in found.attacks} == {"hexadecimal", "false-fact"}
    found = run(deaf(task), task, replace(settings, votes="answer"))
    assert "utility is not resolvable" in found.not_measurable[-1]
    assert found.utility[0].undefended.value == found.utility[0].floor == 0.75
    assert {r.utility for r in found.ensembles} == {None}


@pytest.mark.parametrize(
    "wrong",
    [
        {"subsets": 1}, {"subsets": 21}, {"runs": 0}, {"calibration_runs": 1}, {"ensemble_contexts": 0},
        {"agreement": 11}, {"agreement": 0}, {"dumps": 0}, {"utility_items": -1},
    ],
)  # fmt: skip
def test_wrong_settings_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(InputError, match="expected"):
        Settings(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="at least one column"):
        audit({}, classification(), SMALL, Log())
    with pytest.raises(InputError, match="others"):
        Task("remarks", "", (Example("a", "unknown"),), LABELS)
    with pytest.raises(InputError, match="at least two"):
        Task("remarks", "", (), ("one",))


def test_the_sentence_is_about_the_strongest_undefended_attack() -> None:
    def result(column: str, query: str, defence: Any, hits: int) -> AttackResult:
        right = share(hits, 100)
        return AttackResult(column, "hexadecimal", query, defence, "answer", 100, right, empirical_epsilon(right))

    rows = [result(c, q, d, h) for c, q, d, h in (
        ("off", "input-output", "none", 60), ("off", "if-then-explicit", "none", 90), ("off", "input-output", "L1", 99),
        ("on", "input-output", "none", 95), ("on", "if-then-explicit", "none", 88),
    )]  # fmt: skip
    text = sentence(rows)
    assert "(hexadecimal, if-then-explicit, 100 runs), guard off: 0.900 [" in text and "; on: 0.880 [" in text
    assert sentence([]) == ""


def test_running_text_is_asked_where_there_is_no_chat_template() -> None:
    task = classification()
    settings = replace(SMALL, chat=False, canaries=("hexadecimal",), queries=("if-then-explicit",), defences=("none",))
    found = run(leaker(task), task, settings, scores_text=True)
    assert [r.accuracy.value for r in found.attacks] == [1.0, 1.0]
    log: Attempt = Log()
    assert log("a", lambda: {"b": 1}) == {"b": 1}
