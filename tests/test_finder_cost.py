"""The measurement of what the finder costs a token: figures that are computed by hand."""

from __future__ import annotations

import warnings
from itertools import count
from pathlib import Path

import pytest

from reticent.demo import assets
from reticent_bench.real_answers import finder_cost as cost
from reticent_bench.real_answers import finder_in_generate as inside
from reticent_detectors.errors import InputError
from reticent_detectors.finder import SpanFinder

ANSWERS = Path("benchmarks/real_answers")


def test_a_token_costs_what_the_clock_says() -> None:
    ticks = count(0, 3000)
    costs = list(cost.token_costs(SpanFinder(()), "Who?", "Jo Day lives", lambda: next(ticks)))
    assert costs == [3.0, 3.0, 3.0]


def test_figures_are_those_of_the_tokens() -> None:
    figures = cost.summary([float(n) for n in range(1, 1001)])
    assert figures == pytest.approx({"mean": 500.5, "median": 500.5, "p99": 990.01, "p99.9": 999.001})


def test_the_median_of_each_figure_is_taken_by_itself() -> None:
    runs = [{"mean": 1.0, "p99": 9.0}, {"mean": 3.0, "p99": 7.0}, {"mean": 2.0, "p99": 8.0}]
    assert cost.medians(runs) == {"mean": 2.0, "p99": 8.0}


def test_as_many_answers_of_each_model() -> None:
    chosen = cost.read_part(ANSWERS, 5)
    assert len(chosen) == 5
    assert all(question and answer for question, answer in chosen)
    assert len(set(chosen)) == 5


def test_more_answers_than_there_are() -> None:
    with pytest.raises(InputError, match="read answers"):
        cost.read_part(ANSWERS, 5000)


def test_the_report_shows_goals_and_runs() -> None:
    run = {"mean": 40.0, "median": 9.0, "p99": 500.0, "p99.9": 1900.0}
    text = cost.render({"answers": 2, "tokens": 30, "runs": [run, run], "median of the runs": run})
    assert "| mean | 40.000 | 50.000 | 40.000 | 40.000 |" in text
    assert "30 tokens" in text


def test_between_the_steps_of_a_model_only_steps_without_a_verdict_count() -> None:
    said = [
        ("Who is Ana?", "She likes tea and long walks."),
        ("And his PIN?", "His PIN is 4711. He likes tea and walks."),
    ]
    tick = count(0, 3000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the shipped detector was not calibrated for this host
        figures = inside.measure(assets() / "host", said, 40, clock=lambda: next(tick))
    assert 0 < figures["without a verdict"] < figures["steps"]
    assert figures["mean"] == figures["p99.9"] == 3.0  # microseconds between two readings of this clock
    page = cost.render({"answers": 1, "tokens": 1, "runs": [], "median of the runs": {}, "inside": figures})
    assert "## Between two steps of host" in page and "| mean | 3.000 |" in page
