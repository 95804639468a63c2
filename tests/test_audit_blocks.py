"""Blocks of attempts: what is in one, what is kept of it, and audits that are killed inside one."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from test_audit_rounds import Recording, asked

from reticent_bench.audits import blocks
from reticent_bench.audits.blocks import KeyedAsk, cut, in_blocks
from reticent_bench.audits.budget import Budget, BudgetSpent, MeteredTarget
from reticent_bench.audits.planning import CostedTarget, Plan, PlanningTarget
from reticent_bench.audits.resumable_attempts import AttemptLog
from reticent_bench.audits.rounds import GatheredTarget
from reticent_bench.audits.target import Prompt
from reticent_detectors.errors import InputError


@pytest.fixture(autouse=True)
def of_four(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 4)


def questions(target: Any, names: Sequence[str], calls: int = 1) -> list[KeyedAsk]:
    """Attempts of some calls each; an outcome is how long the answers are."""

    def ask(name: str) -> dict[str, Any]:
        return {"lengths": [len(target.generate([name * (n + 1)], 8)[0]) for n in range(calls)]}

    return [(name, lambda name=name: ask(name)) for name in names]  # type: ignore[misc]


def lines(log: AttemptLog) -> list[list[str]]:
    """The keys of each line of a log."""
    rows = [json.loads(line) for line in log.path.read_text().splitlines()]
    return [[each["key"] for each in row.get("block", [row])] for row in rows if row.keys() & {"block", "key"}]


def test_a_block_follows_from_the_order_and_has_each_key_once() -> None:
    tasks: list[KeyedAsk] = [(key, dict) for key in "abacdeaf"]
    assert [[key for key, _ in block] for block in cut(tasks, "")] == [list("abcd"), list("ef")]
    assert [[key for key, _ in block] for block in cut(tasks, "bd")] == [list("acef")]
    assert cut([], "") == []


def test_a_plain_function_is_asked_one_by_one() -> None:
    inner = Recording()
    assert in_blocks(lambda key, ask: {key: ask()["lengths"]}, questions(GatheredTarget(inner), "ab")) == [
        {"a": [2]},
        {"b": [2]},
    ]
    assert asked(inner) == [("a", 8), ("b", 8)]


def test_a_block_is_asked_at_once_and_kept_in_one_line(tmp_path: Path) -> None:
    inner, budget, reported = Recording(), Budget(), list[int]()
    target = GatheredTarget(MeteredTarget(inner, budget, len))
    log = AttemptLog(tmp_path, {}, budget)
    tasks = questions(target, "abcdefa", calls=2)
    assert log.attempts(tasks, lambda: reported.append(log.asked)) == [{"lengths": [2, 3]}] * 7
    assert asked(inner) == [("a b c d", 8), ("aa bb cc dd", 8), ("e f", 8), ("ee ff", 8)]
    assert (lines(log), reported, len(log), budget.calls) == ([list("abcd"), list("ef")], [4, 6], 6, 12)
    assert log.attempts(questions(target, "fgc")) == [{"lengths": [2, 3]}, {"lengths": [2]}, {"lengths": [2, 3]}]
    assert asked(inner)[4:] == [("g", 8)]
    again = AttemptLog(tmp_path, {}, Budget())
    assert again.attempts(tasks) == [{"lengths": [2, 3]}] * 7 and again.asked == 0


def test_what_is_killed_inside_a_block_asks_it_whole_and_ends_alike(tmp_path: Path) -> None:
    def run(out: Path, dies_at: int | None) -> list[tuple[str, int]]:
        def dies(prompts: Sequence[Prompt]) -> None:
            if len(inner.batches) == dies_at:
                raise KeyboardInterrupt

        inner = Recording(dies)
        log = AttemptLog(out, {}, Budget())
        tasks = questions(GatheredTarget(inner), "abcdef", calls=2)
        if dies_at is None:
            log.attempts(tasks)
        else:
            with pytest.raises(KeyboardInterrupt):
                log.attempts(tasks)
        return asked(inner)

    whole = run(tmp_path / "whole", None)
    for batch in (1, 2):
        run(tmp_path / "cut", batch)
        assert lines(AttemptLog(tmp_path / "cut", {}, Budget())) == []
    assert run(tmp_path / "cut", 4) == whole
    assert run(tmp_path / "cut", None) == whole[2:]
    logs = [(tmp_path / name / "attempts.jsonl").read_text() for name in ("whole", "cut")]
    kept = [[json.loads(line).get("block") for line in text.splitlines()] for text in logs]
    assert kept[0] == kept[1]


@pytest.mark.parametrize("cut_off", [1, 20, 60])
def test_a_line_that_was_cut_off_loses_its_block(tmp_path: Path, cut_off: int) -> None:
    log = AttemptLog(tmp_path, {}, Budget())
    log.attempts(questions(GatheredTarget(Recording()), "abcdef"))
    log.path.write_bytes(log.path.read_bytes()[:-cut_off])
    inner, again = Recording(), AttemptLog(tmp_path, {}, Budget())
    assert len(again) == 4
    again.attempts(questions(GatheredTarget(inner), "abcdef"))
    assert asked(inner) == [("e f", 8)] and lines(again) == [list("abcd"), list("ef")]


def test_of_a_block_that_is_kept_in_part_the_rest_is_asked(tmp_path: Path) -> None:
    log = AttemptLog(tmp_path, {}, Budget())
    for key in "ac":
        log.attempt(key, lambda: {"lengths": [0]})
    inner, again = Recording(), AttemptLog(tmp_path, {}, Budget())
    lengths = [outcome["lengths"] for outcome in again.attempts(questions(GatheredTarget(inner), "abcde"))]
    assert lengths == [[0], [2], [0], [2], [2]]
    assert asked(inner) == [("b d", 8), ("e", 8)]


def test_a_budget_that_is_spent_inside_a_block_whose_cost_is_unknown_counts_what_was_asked(tmp_path: Path) -> None:
    budget, inner = Budget(max_calls=14), Recording()
    log = AttemptLog(tmp_path, {}, budget)
    tasks = questions(GatheredTarget(MeteredTarget(inner, budget, len)), "abcdefgh", calls=2)
    with pytest.raises(BudgetSpent, match="14 calls"):
        log.attempts(tasks)
    log.close()
    assert (len(log), budget.calls, budget.tokens) == (4, 12, 96)
    assert asked(inner) == [("a b c d", 8), ("aa bb cc dd", 8), ("e f g h", 8)]
    later = Budget(max_calls=20)
    again = AttemptLog(tmp_path, {}, later)
    again.attempts(questions(GatheredTarget(MeteredTarget(inner, later, len)), "abcdefgh", calls=2))
    assert (len(again), later.calls) == (8, 20)


@pytest.mark.parametrize("unit", ["calls", "tokens"])
def test_a_block_is_cut_so_that_it_fits_into_the_budget(unit: str, tmp_path: Path) -> None:
    """Two calls of eight tokens each: a budget of n calls pays for n // 2 attempts, in whatever blocks they are."""
    plan = Plan()
    plan.attempts(questions(CostedTarget(Recording(), plan, len), "abcdefgh", calls=2))
    assert plan.costs == dict.fromkeys("abcdefgh", (2, 16))
    each = {"calls": 1, "tokens": 8}[unit]
    batches = list[str]()
    for most, kept in ((1, 0), (3, 1), (7, 3), (14, 7), (15, 7), (16, 8)):
        budget, inner = Budget(**{f"max_{unit}": most * each}), Recording()
        log = AttemptLog(tmp_path, {}, budget, costs=plan.costs)
        tasks = questions(GatheredTarget(MeteredTarget(inner, budget, len)), "abcdefgh", calls=2)
        if kept < 8:
            with pytest.raises(BudgetSpent, match=f"{most * each} {unit}"):
                log.attempts(tasks)
        else:
            assert log.attempts(tasks) == [{"lengths": [2, 3]}] * 8
        log.close()
        batches += [prompts for prompts, _ in asked(inner)]
        assert (len(log), budget.calls) == (kept, 2 * kept), most  # nothing is asked in vain
    assert batches == ["a", "aa", "b c", "bb cc", "d", "dd", "e f g", "ee ff gg", "h", "hh"]


def test_minutes_end_an_audit_before_a_block_that_asks_nothing(tmp_path: Path) -> None:
    budget = Budget(max_minutes=1, seconds=61)
    with pytest.raises(BudgetSpent, match="1 minutes"):
        AttemptLog(tmp_path, {}, budget).attempts([("a", dict)])


def test_an_outcome_that_could_hold_a_value_is_refused_and_its_block_is_not_kept(tmp_path: Path) -> None:
    log = AttemptLog(tmp_path, {}, Budget())
    with pytest.raises(InputError, match="no label"):
        log.attempts([("a", dict), ("b", lambda: {"x": "Jane Roe"})])
    with pytest.raises(InputError, match="key of lower-case"):
        log.attempts([("Jane", dict)])
    assert len(log) == 0


def test_a_plan_counts_in_the_same_batches() -> None:
    plan, inner = Plan(), Recording()
    target = GatheredTarget(PlanningTarget(inner, plan, len))
    plan.attempts(questions(target, "abcdefa", calls=2))
    plan.attempts(questions(target, "f"))
    assert (plan.planned, plan.answers, plan.new_tokens) == (6, 12, 96)
    (shape,) = plan.shapes.values()
    assert (shape.answers, shape.batches, shape.new_tokens, shape.prompts) == (12, 4, 8, tuple("abcd"))
    assert not inner.batches


Killed = type("Killed", (BaseException,), {})


def killed_often(out: Path, inner: Any, audit: Callable[[Any, AttemptLog], Any], every: int) -> tuple[Any, int]:
    """The result of an audit that is killed after so many batches until it ends, and how often it was killed."""
    for kills in range(200):
        left = [every]

        class Dies:
            name, scores_text = inner.name, inner.scores_text

            def generate(self, *given: Any, left: list[int] = left) -> list[str]:
                self._once(left)
                answers: list[str] = inner.generate(*given)
                return answers

            def scores(self, pairs: Any, left: list[int] = left) -> Any:
                self._once(left)
                return inner.scores(pairs)

            def _once(self, left: list[int]) -> None:
                left[0] -= 1
                if left[0] < 0:
                    raise Killed

        try:
            return audit(GatheredTarget(Dies()), AttemptLog(out, {}, Budget())), kills
        except Killed:
            continue
    raise AssertionError("it does not end")


def test_a_cue_audit_that_is_killed_inside_blocks_ends_like_one_that_asks_one_by_one(tmp_path: Path) -> None:
    import test_audit_cues_hosts as cues

    settings = cues.CueSettings(families=("twin",), wordings=("english",), rounds=20)
    people = cues.PLANTED[:6], cues.HELD_OUT[:6]

    def audit(target: Any, attempt: Any) -> Any:
        return cues.audit(
            target, *people, settings, attempt, control=cues.CONTROL, guarded={"on": target, "texts": target}
        )

    found, kills = killed_often(tmp_path, cues.PLANTED_HOST, audit, 5)
    assert kills > 3
    assert repr(found) == repr(audit(cues.PLANTED_HOST, cues.straight))


def test_a_context_audit_that_is_killed_inside_blocks_ends_like_one_that_asks_one_by_one(tmp_path: Path) -> None:
    import test_audit_context as context

    task = context.classification(held_out=4)
    settings = context.Settings(
        runs=6, calibration_runs=4, ensemble_runs=4, ensemble_contexts=2, draws=100, utility_items=4, worst_case=True,
        canaries=("hexadecimal",), ensemble_canary="hexadecimal", queries=("if-then-explicit",), subsets=3, dumps=2,
    )  # fmt: skip

    def audit(target: Any, attempt: Any) -> Any:
        return context.audit({"off": target}, task, settings, attempt, values=["Remark 3"])

    inner = context.Scripted(context.leaker(task), scores_text=True)
    found, kills = killed_often(tmp_path, inner, audit, 7)
    assert kills > 3
    assert repr(found) == repr(audit(inner, context.Log()))


@pytest.mark.parametrize("bound", [None, 200])
def test_a_code_audit_that_is_killed_inside_blocks_grants_the_same_tokens(tmp_path: Path, bound: int | None) -> None:
    import test_audit_code as code

    def answer(text: str) -> str:
        # Answers of many lengths, so that the last one of an arm has to be cut.
        return code.leaks_in_second_turn(text) + "\n# more" * (len(text) % 7)

    settings = code.replace(code.SETTINGS, function_tokens=13, test_tokens=17, tests_each=2, max_tokens=bound)

    def audit(target: Any, attempt: Any) -> Any:
        return code.audit(target, code.corpus(), settings, attempt, library=code.NO_HINTS, count_tokens=code.words)

    found, kills = killed_often(tmp_path, code.ScriptedTarget(answer), audit, 9)
    alone = code.ScriptedTarget(answer)
    one_by_one = audit(alone, code.Log().attempt)
    assert kills > 3
    assert code.figures(found) == code.figures(one_by_one)
    assert found.complete == one_by_one.complete == (bound is None)
    batched = code.ScriptedTarget(answer)
    audit(GatheredTarget(batched), AttemptLog(tmp_path / "b", {}, Budget()))
    assert sorted(zip(batched.granted, batched.written, strict=True)) == sorted(
        zip(alone.granted, alone.written, strict=True)
    )
