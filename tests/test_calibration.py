"""Calibration: probabilities at a prevalence, thresholds at false-positive rates."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent.demo import assets
from reticent.policy.rules import FALSE_POSITIVES
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.detector.calibration import (
    FALSE_POSITIVE_RATES,
    Calibration,
    expected_calibration_error,
    fit_calibration,
    logit_of,
    sigmoid,
    threshold_at,
)
from reticent_detectors.errors import InputError


def sample(rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Logits that are over-confident by a factor of 3 and shifted by 2."""
    random = np.random.default_rng(seed)
    truth = random.normal(0, 2, rows)
    positive = random.random(rows) < sigmoid(truth)
    entities = np.where(random.random(rows) < 0.95, "PHONE_NUMBER", "FLIGHT")
    return 3 * truth + 2, positive, entities


def test_fitting_undoes_scale_and_shift() -> None:
    logits, positive, entities = sample(20_000)
    fitted = fit_calibration(logits, positive, entities, prevalence=float(positive.mean()))
    assert fitted.slope == pytest.approx(1 / 3, rel=0.05)
    assert fitted.intercept == pytest.approx(-2 / 3, abs=0.08)
    assert fitted.error is not None and fitted.error < 0.02
    assert expected_calibration_error(sigmoid(logits), positive) > 0.1


def test_prevalence_moves_probabilities_as_bayes_does_and_thresholds_stop_the_same() -> None:
    logits, positive, entities = sample(20_000)
    fitted = fit_calibration(logits, positive, entities, prevalence=0.5)
    rare = fitted.at_prevalence(0.05)
    odds = rare.probability(logits) / (1 - rare.probability(logits))
    expected = fitted.probability(logits) / (1 - fitted.probability(logits)) * (0.05 / 0.95)
    np.testing.assert_allclose(odds, expected, rtol=1e-6)
    for entity in (None, "FLIGHT", "NEVER_SEEN"):
        stops = [c.probability(logits) >= c.threshold(0.01, entity) for c in (fitted, rare)]
        np.testing.assert_array_equal(*stops)
    # At the stated prevalence the mean probability is that prevalence.
    weight = np.where(positive, 0.05 / positive.mean(), 0.95 / (1 - positive.mean()))
    assert np.average(rare.probability(logits), weights=weight) == pytest.approx(0.05, rel=0.03)


def test_a_policy_may_ask_for_the_rates_that_are_fitted() -> None:
    assert (min(FALSE_POSITIVE_RATES), max(FALSE_POSITIVE_RATES)) == FALSE_POSITIVES
    for name in ("universal", "bundle", "token-score", "bundle-logprobs"):
        calibration = Bundle.load(assets() / name).calibration
        for table in (calibration.thresholds, *calibration.entity_thresholds.values()):
            assert {min(map(float, table)), max(map(float, table))} == set(FALSE_POSITIVES), name


@given(
    scores=st.lists(st.floats(-20, 20, width=32), min_size=1, max_size=300),
    rate=st.sampled_from([0.0, 0.001, 0.01, 0.05, 0.3]),
)
def test_a_threshold_keeps_its_rate_and_is_the_lowest_that_does(scores: list[float], rate: float) -> None:
    negatives = np.array(scores)
    threshold = threshold_at(negatives, rate)
    assert (negatives >= threshold).sum() <= rate * len(negatives) + 1e-9
    below = np.nextafter(threshold, -np.inf)
    assert (negatives >= below).sum() > rate * len(negatives) - 1e-9


def test_thresholds_hold_on_fresh_rows() -> None:
    reached: dict[float, list[float]] = {
        0.001: [],
        0.01: [],
        0.025: [],
        0.05: [],
    }  # the third lies between two of the table
    for seed in range(6):
        fitted = fit_calibration(*sample(20_000, seed), prevalence=0.3)
        logits, positive, _ = sample(20_000, seed + 100)
        for rate, found in reached.items():
            found.append(float((fitted.probability(logits[~positive]) >= fitted.threshold(rate)).mean()))
    for rate, found in reached.items():
        assert np.mean(found) == pytest.approx(rate, rel=0.15, abs=5e-4)


def test_a_lower_rate_never_has_the_lower_threshold() -> None:
    crossed = Calibration(1.0, 0.0, 0.5, 0.5, {"0": 9.0, "0.001": 3.0, "0.05": 0.9, "0.08": 1.0})
    found = [crossed.threshold(rate) for rate in (0.001, 0.01, 0.05, 0.06, 0.08)]
    assert found == sorted(found, reverse=True) and found[2] == found[-1] == pytest.approx(float(sigmoid(1.0)))


def test_an_entity_with_few_negatives_leans_on_the_others() -> None:
    random = np.random.default_rng(0)
    negatives = np.concatenate([random.normal(0, 1, 5000), random.normal(5, 1, 20), random.normal(5, 1, 20_000)])
    entities = np.array(["FLIGHT"] * 5000 + ["DOCTOR"] * 20 + ["ADDRESS"] * 20_000)
    logits = np.concatenate([negatives, np.full(100, 12.0)])
    positive = np.arange(len(logits)) >= len(negatives)
    fitted = fit_calibration(logits, positive, np.append(entities, ["FLIGHT"] * 100), prevalence=0.5)
    overall = fitted.thresholds["0.01"]
    own = {name: table["0.01"] for name, table in fitted.entity_thresholds.items()}
    assert own["FLIGHT"] == pytest.approx(0.91 * 2.33 + 0.09 * overall, abs=0.3)  # 50 negatives beyond: its own, mostly
    assert own["DOCTOR"] == pytest.approx(overall, abs=0.2)  # 0.2 beyond: the overall one, mostly
    assert fitted.negatives == {"": 25_020, "ADDRESS": 20_000, "DOCTOR": 20, "FLIGHT": 5000}


def test_separable_rows_stay_finite() -> None:
    logits = np.concatenate([np.full(50, -10.0), np.full(50, 10.0)])
    fitted = fit_calibration(logits, logits > 0, ["FLIGHT"] * 100, prevalence=0.5)
    assert fitted.probability(10.0) == pytest.approx(51 / 52, abs=1e-3)


def test_json_round_trip() -> None:
    fitted = fit_calibration(*sample(2000), prevalence=0.1)
    assert Calibration.from_json(json.loads(json.dumps(fitted.to_json()))) == fitted
    content = fitted.to_json()
    for broken in ({**content, "slope": -1.0}, {**content, "prevalence": 1.0}, {**content, "thresholds": None}, {}):
        with pytest.raises(InputError):
            Calibration.from_json(broken)


def test_bad_input() -> None:
    logits, positive, entities = sample(200)
    with pytest.raises(InputError, match="contradict"):
        fit_calibration(-logits, positive, entities, prevalence=0.5)
    with pytest.raises(InputError, match="10 rows of each class"):
        fit_calibration(logits, np.ones(200, bool), entities, prevalence=0.5)
    with pytest.raises(InputError, match="same length"):
        fit_calibration(logits, positive[1:], entities, prevalence=0.5)
    with pytest.raises(InputError, match="finite"):
        fit_calibration(np.append(logits[1:], np.nan), positive, entities, prevalence=0.5)
    with pytest.raises(InputError, match="between 0 and 1"):
        fit_calibration(logits, positive, entities, prevalence=0.0)
    for rate in (0.0009, 0.081):
        with pytest.raises(InputError, match=r"no threshold for .* from 0\.001 to 0\.08"):
            fit_calibration(logits, positive, entities, prevalence=0.5).threshold(rate)
    with pytest.raises(InputError, match="between 0 and 1"):
        logit_of(1.0)


def test_calibration_error_of_known_numbers() -> None:
    assert expected_calibration_error([0.2] * 10, [1, 1] + [0] * 8, bins=1) == pytest.approx(0)
    assert expected_calibration_error([0.9] * 10, [1] * 5 + [0] * 5, bins=1) == pytest.approx(0.4)
    assert expected_calibration_error([0.5] * 2, [1, 0], bins=1, weight=[3, 1]) == pytest.approx(0.25)
