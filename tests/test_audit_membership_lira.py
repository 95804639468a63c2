"""LiRA against hand-computed Gaussians and against its known area under the ROC curve."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from reticent_bench.audits.membership.lira import lira, logit, negative_log_complement
from reticent_bench.report.metrics import auroc, recall_at
from reticent_detectors.errors import InputError


def p(*logits: float) -> NDArray[np.float64]:
    return np.array([1 / (1 + math.exp(-x)) for x in logits])


# One record: two shadows saw it, with logits 2 and 4, and two did not, with -1 and 1. The target has 3.
SHADOWS = p(2.0, 4.0, -1.0, 1.0)[:, None]
SAW = np.array([True, True, False, False])[:, None]


def test_online_by_hand() -> None:
    # Means 3 and 0, deviations 1 and 1: ((3 - 0)^2 - (3 - 3)^2) / 2. Raw odds p / (1 - p) would give another number.
    assert lira(SHADOWS, SAW, p(3.0), variance="per record")[0] == pytest.approx(4.5)
    # One variance: squares 2 and 2, one degree of freedom each.
    assert lira(SHADOWS, SAW, p(3.0))[0] == pytest.approx(9 / (2 * 2))


def test_different_deviations_by_hand() -> None:
    shadows = p(1.0, 5.0, -1.0, 1.0)[:, None]
    # Means 3 and 0, deviations 2 and 1, target 1: -log 2 - (1 - 3)^2 / 8 + (1 - 0)^2 / 2.
    found = lira(shadows, SAW, p(1.0), variance="per record")[0]
    assert found == pytest.approx(-math.log(2) - 0.5 + 0.5)


def test_offline_by_hand() -> None:
    assert lira(SHADOWS, SAW, p(3.0), form="offline", variance="per record")[0] == pytest.approx(3.0)
    # It does not look at shadows that saw the record.
    other = SHADOWS.copy()
    other[:2] = 0.5
    assert lira(other, SAW, p(3.0), form="offline", variance="per record")[0] == pytest.approx(3.0)


def test_one_variance_pools_deviations_within_records() -> None:
    # Both records have squares of 2 within; their means are 20 logits apart, which is no variance.
    shadows = np.hstack([SHADOWS, p(-18.0, -16.0, -21.0, -19.0)[:, None]])
    found = lira(shadows, np.hstack([SAW, SAW]), p(3.0, -17.0))
    assert found == pytest.approx([9 / (2 * 2), 9 / (2 * 2)], rel=1e-6)


def test_the_mirrored_loss() -> None:
    assert negative_log_complement(np.array([0.75, 0.5])) == pytest.approx([math.log(4), math.log(2)])
    x = np.array([0.1, 0.4, 0.9])
    assert negative_log_complement(x) == pytest.approx(-np.log(1 - x))
    assert logit(x) == pytest.approx(negative_log_complement(x) - negative_log_complement(1 - x))


def test_the_mirrored_loss_by_hand() -> None:
    # -log(1 - p) of 1, 3 against 0.5, 1.5: means 2 and 1, deviations 1 and 0.5; the target has 2.
    shadows = 1 - np.exp(-np.array([1.0, 3.0, 0.5, 1.5]))[:, None]
    target = 1 - np.exp(-np.array([2.0]))
    found = lira(shadows, SAW, target, statistic="negative log complement", variance="per record")
    assert found[0] == pytest.approx(0.0 + math.log(0.5) + (2.0 - 1.0) ** 2 / (2 * 0.25))


@pytest.mark.parametrize("statistic", ["logit", "negative log complement"])
@pytest.mark.parametrize("form", ["online", "offline"])
@pytest.mark.parametrize("variance", ["fixed", "per record"])
def test_confidences_of_nought_and_one_stay_finite_and_in_order(statistic: str, form: Any, variance: Any) -> None:
    shadows = np.tile(p(2.0, 2.2, -0.1, 0.1)[:, None], (1, 4))
    saw = np.tile(SAW, (1, 4))
    target = np.array([0.0, 0.3, 0.9, 1.0])
    found = lira(shadows, saw, target, statistic=statistic, form=form, variance=variance)
    assert np.isfinite(found).all()
    # Densities of the first two underflow to 0. A ratio of minus infinity must not be sent to the highest score.
    if variance == "fixed" or form == "offline":
        assert (np.diff(found) > 0).all()
    zeros = np.where(saw, 1.0, 0.0)
    assert np.isfinite(lira(zeros, saw, target, statistic=statistic, form=form, variance=variance)).all()


def test_far_from_both_gaussians_but_nearer_to_the_second_is_the_lowest_score() -> None:
    # Deviation 0.01: both densities of the first record are 0 in float64.
    shadows = np.tile(p(5.0, 5.02, 0.0, 0.02)[:, None], (1, 3))
    target = p(-5.0, 0.01, 5.01)
    assert norm.pdf(-5.0, 0.01, 0.01) == norm.pdf(-5.0, 5.01, 0.01) == 0.0
    found = lira(shadows, np.tile(SAW, (1, 3)), target)
    assert found.argmin() == 0 and np.isfinite(found).all()


def spread(count: int, mean: float) -> NDArray[np.float64]:
    """Evenly spread quantiles of a Gaussian of deviation one."""
    return np.asarray(norm.ppf((np.arange(count) + 0.5) / count) + mean, dtype=np.float64)


@pytest.mark.parametrize("form", ["online", "offline"])
@pytest.mark.parametrize("variance", ["fixed", "per record"])
def test_gaussians_one_sigma_apart_give_0_760(form: Any, variance: Any) -> None:
    records = 2000
    logits = np.concatenate([spread(16, 1.0), spread(16, 0.0)])
    shadows = np.tile((1 / (1 + np.exp(-logits)))[:, None], (1, 2 * records))
    saw = np.tile((np.arange(32) < 16)[:, None], (1, 2 * records))
    target = 1 / (1 + np.exp(-np.concatenate([spread(records, 1.0), spread(records, 0.0)])))
    member = np.arange(2 * records) < records
    scores = lira(shadows, saw, target, form=form, variance=variance)
    # Phi(1 / sqrt 2), and at 1 % Phi(1 - 2.3263).
    assert auroc(scores, member) == pytest.approx(0.760, abs=5e-4)
    assert recall_at(scores, member, 0.01) == pytest.approx(norm.cdf(1 - norm.ppf(0.99)), abs=0.004)


def test_drawn_shadows_come_near_it_and_untrained_ones_to_a_half() -> None:
    rng = np.random.default_rng(0)
    saw = rng.permuted(np.tile((np.arange(64) < 32)[:, None], (1, 3000)), axis=0)
    member = rng.random(3000) < 0.5
    hardness = rng.normal(size=3000) * 2
    for gap, expected in ((1.0, 0.76), (0.0, 0.5)):
        shadows = 1 / (1 + np.exp(-(hardness + gap * saw + rng.normal(size=saw.shape))))
        target = 1 / (1 + np.exp(-(hardness + gap * member + rng.normal(size=3000))))
        assert auroc(lira(shadows, saw, target), member) == pytest.approx(expected, abs=0.03)
        # Without shadows the hardness of the records hides most of it.
        assert gap == 0.0 or auroc(target, member) < 0.65


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"confidences": SHADOWS * 3}, "confidences"),
        ({"target": np.array([math.nan])}, "confidences"),
        ({"target": np.array([0.5, 0.5])}, "shadows, records"),
        ({"trained_on": np.ones((4, 1), dtype=np.bool_)}, "side of every record"),
        ({"trained_on": np.array([[1], [1], [0], [0]])}, "booleans"),
        ({"statistic": "odds"}, "statistic"),
        ({"form": "both"}, "form"),
        ({"variance": "none"}, "variance"),
    ],
)
def test_what_is_refused(change: dict[str, Any], says: str) -> None:
    arguments: dict[str, Any] = {"confidences": SHADOWS, "trained_on": SAW, "target": p(3.0)}
    settings = {**arguments, **change}
    with pytest.raises(InputError, match=says):
        lira(settings.pop("confidences"), settings.pop("trained_on"), settings.pop("target"), **settings)
    one = np.array([True, False, False, False])[:, None]
    with pytest.raises(InputError, match="2 shadows"):
        lira(SHADOWS, one, p(3.0), variance="per record")
