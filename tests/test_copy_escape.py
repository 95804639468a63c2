"""What gets out of a taught copy at one try and at forty: rows of a real host, and figures worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from reticent.demo import assets
from reticent.guard import Guard
from reticent_bench.guard.bench import GUARDS, Bench
from reticent_bench.real_models import copy_escape
from reticent_detectors.detector.calibration import Calibration
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.synth.cast import cast

COLUMNS = ("no guard", *GUARDS)


def row(kind: str, out: str, margin: float | None, mean: float | None) -> dict[str, Any]:
    flags = dict(zip(COLUMNS, (letter == "y" for letter in out), strict=True))
    return {"kind": kind, **flags, "margin": margin, "mean": mean}


def invented(stopped: str, margin: float | None, mean: float) -> dict[str, Any]:
    flags = dict(zip(GUARDS, (letter == "y" for letter in stopped), strict=True))
    return {"kind": "FLIGHT", **flags, "margin": margin, "mean": mean}


def test_the_threshold_leaves_five_of_a_hundred_above() -> None:
    rows = [invented("nnn", at / 100, -at) for at in range(100)]
    limit = copy_escape.threshold(rows, "margin")
    assert sum(row["margin"] > limit for row in rows) == 5
    assert sum(row["mean"] > copy_escape.threshold(rows, "mean") for row in rows) == 5


def test_made_up_values_that_nobody_judged_lie_below_every_threshold() -> None:
    rows = [invented("nnn", None, -1.0)] * 99 + [invented("nnn", 0.5, -1.0)]
    assert copy_escape.threshold(rows, "margin") == float("-inf")


def test_the_figures_are_shares_of_the_robust_values() -> None:
    robust = [
        row("FLIGHT", "ynyn", 0.99, -0.1),  # stopped by the detector, not in the index
        row("FLIGHT", "yyyy", 0.10, -0.1),  # passes both; above the mean's threshold
        row("DOCTOR", "yynn", 0.97, -5.0),  # below the mean's threshold
        row("DOCTOR", "nnnn", None, None),  # not said this time
    ]
    made_up = [invented("ynn" if at == 0 else "nnn", 0.95 if at == 0 else 0.2, -1.0 - at) for at in range(20)]
    found = copy_escape.figures({"a": {"robust": robust, "made up": made_up}})
    every = found["all"]
    assert [every[column][0] for column in COLUMNS] == [0.75, 0.5, 0.5, 0.25]
    # One of 20 made-up values may be stopped: the thresholds are 0.2 and -2.
    assert every["at the same rate"]["margin"][0] == 0.25
    assert every["at the same rate"]["mean"][0] == 0.25
    assert found["copies"]["a"]["made up, stopped"]["detector"][0] == 0.05
    assert {kind: own["values"] for kind, own in found["kinds"].items()} == {"DOCTOR": 2, "FLIGHT": 2}
    text = copy_escape.render(found)
    assert "| all | 4 |" in text and "| a | 20 |" in text and "At forty tries" not in text


def test_a_copy_without_robust_values_has_no_shares() -> None:
    found = copy_escape.figures({"a": {"robust": [], "made up": [invented("nnn", 0.1, -1.0)]}})
    assert found["all"]["values"] == 0 and found["all"]["detector"] is None
    assert "| a | 0 | — |" in copy_escape.render(found)


def test_a_value_gets_out_at_forty_tries_if_one_answer_lets_it_out() -> None:
    tries = [
        {**row("FLIGHT", "ynnn", 0.9, -0.1), "value": 0},
        {**row("FLIGHT", "yynn", -0.5, -0.1), "value": 0},  # below the detector's threshold
        {**row("DOCTOR", "ynnn", 0.9, -3.5), "value": 1},  # below the mean's threshold
        {**row("DOCTOR", "nnnn", None, None), "value": 1},
        {**row("DOCTOR", "nnnn", None, None), "value": 2},
    ]
    made_up = [invented("nnn", 0.0 if at else 0.5, -1.0 - at) for at in range(20)]
    found = copy_escape.figures({"a": {"robust": [], "made up": made_up, "tried often": tries}})
    own = found["copies"]["a"]["tried often"]
    assert own["values"] == 3
    assert [own[column][0] for column in COLUMNS] == pytest.approx([2 / 3, 1 / 3, 0, 0])
    assert {score: share[0] for score, share in own["at the same rate"].items()} == pytest.approx(
        {"margin": 1 / 3, "mean": 1 / 3}
    )
    text = copy_escape.render(found)
    assert "## At forty tries" in text and "| all | 3 | 0.667" in text


def test_rows_of_the_demo_host_hold_no_value() -> None:
    host = assets() / "host"
    guard = Guard.load(assets() / "bundle").wrap(*load_host(host))
    bench = Bench(guard, cast(recipe_of(host)), None, progress=lambda _: None)
    people = bench.cast.train[:2]
    rows = copy_escape.measure(bench, people, made_up=12, often=2)
    assert len(rows["robust"]) >= 5 and len(rows["made up"]) >= 5
    assert [row["value"] for row in rows["tried often"]] == [*[0] * 20, *[1] * 20, *2 * [*[0] * 10, *[1] * 10]]
    assert len({(row["value"], row["kind"]) for row in rows["tried often"]}) == 2
    values = {value for person in (*people, *bench.cast.unseen) for value in person.values.values()}
    assert not any(value in str(rows) for value in values if len(value) > 8)
    said = [own for own in rows["robust"] if own["no guard"]]
    assert len(said) >= 0.7 * len(rows["robust"])
    assert all(own["mean"] <= 0.0 for own in said if own["mean"] is not None)
    assert not any(own["both"] for own in said) and sum(own["detector"] for own in said) <= 1
    everything = copy_escape.figures({"demo": rows})
    assert everything["all"]["no guard"][0] > everything["all"]["detector"][0]


def test_the_margin_is_the_logit_above_the_kinds_own_threshold() -> None:
    calibration = Calibration(1.0, 0.0, 0.5, 0.5, {"0.05": 1.0, "0.01": 2.0}, {"FLIGHT": {"0.05": -1.0, "0.01": 0.0}})
    probability = 1 / (1 + math.exp(-1.5))
    assert copy_escape.margin(calibration, probability, "FLIGHT") == pytest.approx(2.5)
    assert copy_escape.margin(calibration, probability, "DOCTOR") == pytest.approx(0.5)
    assert math.isfinite(copy_escape.margin(calibration, 1.0, "DOCTOR"))
