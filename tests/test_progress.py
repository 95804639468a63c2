"""What a long run shows of itself where there is no terminal, and on one."""

from __future__ import annotations

import io
from itertools import pairwise

import pytest

from reticent_detectors.long_runs.progress import ProgressLines, duration, pace, shown
from reticent_detectors.long_runs.save_timer import SaveTimer


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_line_at_the_start_soon_after_and_about_every_half_minute() -> None:
    clock, lines = Clock(), list[str]()
    show = ProgressLines("step", lines.append, clock)
    at = []
    for step in range(1, 101):
        clock.now += 2.1
        before = len(lines)
        show("tune", step, 100, f"loss {step / 100:.2f}")
        at += [step] * (len(lines) - before)
    assert lines[0] == "tune 1/100 steps, loss 0.01"
    assert lines[1] == "tune 4/100 steps, loss 0.04, 2.1 s a step, about 3 min left"
    assert lines[-1] == "tune 100/100 steps, loss 1.00, 2.1 s a step, took 3 min"
    assert [b - a for a, b in pairwise(at[1:-1])] == [15] * 6


def test_the_rate_of_a_run_that_goes_on_is_of_its_own_steps() -> None:
    clock, lines = Clock(), list[str]()
    show = ProgressLines("prompt", lines.append, clock)
    show("ask", 900, 1000)
    clock.now += 10
    show("ask", 950, 1000)
    assert lines == ["ask 900/1,000 prompts", "ask 950/1,000 prompts, 5.0 prompts a second, about 10 s left"]


@pytest.mark.parametrize(("unit", "words"), [("step", "2.0 s a step"), ("attempt", "2.0 s an attempt")])
def test_a_rate_has_the_article_of_its_unit(unit: str, words: str) -> None:
    assert pace(2.0, unit) == words


def test_each_phase_begins_anew() -> None:
    clock, lines = Clock(), list[str]()
    show = ProgressLines("step", lines.append, clock)
    show("base", 1, 50)
    clock.now += 40
    show("private", 1, 2)
    clock.now += 1.5
    show("private", 2, 2)
    assert lines[1:] == ["private 1/2 steps", "private 2/2 steps, 1.5 s a step, took 2 s"]


@pytest.mark.parametrize(
    ("seconds", "expected"), [(0.2, "0 s"), (90, "90 s"), (560, "9 min"), (5000, "83 min"), (9000, "2.5 h")]
)
def test_lengths_of_time_have_two_digits(seconds: float, expected: str) -> None:
    assert duration(seconds) == expected


def test_fast_steps_are_counted_by_the_second() -> None:
    assert pace(1.25, "step") == "1.2 s a step" and pace(0.2, "step") == "5.0 steps a second"


def test_a_file_gets_whole_lines_and_a_terminal_a_bar() -> None:
    stream, clock = io.StringIO(), Clock()
    with shown("step", stream=stream, clock=clock) as advance:
        advance("tune", 1, 9, "loss 0.5" + "0" * 100)
    assert stream.getvalue() == "tune 1/9 steps, loss 0.5" + "0" * 100 + "\n"

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    with shown("step", stream=terminal, clock=clock) as advance:
        advance("tune", 9, 9, "loss 0.5")
    assert "tune loss 0.5" in terminal.getvalue() and "9/9" in terminal.getvalue()


def test_at_most_five_minutes_are_between_two_saves() -> None:
    for step in (0.5, 7.0, 55.0, 61.0, 130.0, 299.0):
        clock = Clock()
        timer, last = SaveTimer(clock), clock.now
        for _ in range(2000):
            clock.now += step
            if timer.due():
                assert clock.now - last <= 300
                assert clock.now - last >= min(240, 300 - step - 1e-9) or clock.now - last + step > 300
                last = clock.now
            assert clock.now - last < 300


def test_a_step_longer_than_five_minutes_is_saved_after_itself() -> None:
    clock = Clock()
    timer = SaveTimer(clock)
    clock.now += 400
    assert timer.due()
