"""Two accountants, written by different people, agree on the same runs of DP-SGD. Run by `make accountants`."""

from __future__ import annotations

import math

import pytest

from reticent_bench.audits.tuning import accountant
from reticent_bench.audits.tuning.accountant import Mechanism, noise_multiplier, pld_epsilons, prv_epsilon
from reticent_bench.audits.tuning.agreement import SETTINGS, compare
from reticent_bench.engines.servers import ACCOUNTANTS
from reticent_detectors.errors import InputError, MissingExtra


@pytest.fixture
def opacus() -> None:
    pytest.importorskip("opacus", reason="opacus is not installed; the extra dp brings it")


@pytest.mark.engines
@pytest.mark.skipif(not ACCOUNTANTS.is_there, reason="dp-accounting is not installed; `make accountants` does it")
@pytest.mark.usefixtures("opacus")
def test_prv_and_pld_agree_within_one_percent_and_prv_is_the_upper_bound() -> None:
    rows = compare(SETTINGS)
    assert len(rows) >= 3
    for row in rows:
        assert abs(row["prv"] / row["pld"] - 1) <= 0.01
        assert row["prv"] >= row["pld"]


@pytest.mark.usefixtures("opacus")
def test_more_noise_gives_less_epsilon_and_more_steps_more() -> None:
    by_noise = [prv_epsilon(Mechanism(noise, 0.05, 100)) for noise in (0.7, 1.0, 2.0)]
    by_steps = [prv_epsilon(Mechanism(1.0, 0.05, steps)) for steps in (50, 100, 200)]
    by_rate = [prv_epsilon(Mechanism(1.0, rate, 100)) for rate in (0.02, 0.05, 0.1)]
    assert by_noise == sorted(by_noise, reverse=True)
    assert by_steps == sorted(by_steps)
    assert by_rate == sorted(by_rate)


@pytest.mark.usefixtures("opacus")
def test_one_step_with_all_texts_is_the_gaussian_mechanism() -> None:
    # Balle and Wang 2018: delta(e) = Phi(1 / 2s - e s) - exp(e) Phi(-1 / 2s - e s).
    noise, delta = 2.0, 1e-5
    epsilon = prv_epsilon(Mechanism(noise, 1.0, 1), delta)
    phi = lambda x: 0.5 * math.erfc(-x / math.sqrt(2))  # noqa: E731
    spent = lambda e: phi(0.5 / noise - e * noise) - math.exp(e) * phi(-0.5 / noise - e * noise)  # noqa: E731
    assert spent(epsilon) <= delta <= spent(epsilon - 0.03)


@pytest.mark.usefixtures("opacus")
def test_the_noise_is_the_least_that_keeps_the_epsilon() -> None:
    noise = noise_multiplier(8.0, 0.05, 100)
    assert prv_epsilon(Mechanism(noise, 0.05, 100)) <= 8.0
    assert prv_epsilon(Mechanism(0.99 * noise, 0.05, 100)) > 8.0
    assert noise < noise_multiplier(4.0, 0.05, 100)


def test_noise_is_searched_for_with_any_accountant(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        accountant, "prv_epsilon", lambda mechanism, delta: mechanism.steps / mechanism.noise_multiplier
    )
    noise_multiplier.cache_clear()
    assert noise_multiplier(5.0, 0.1, 35) == pytest.approx(7.0, rel=2e-3)
    assert noise_multiplier(500.0, 0.1, 35) == pytest.approx(0.07, rel=2e-3)
    noise_multiplier.cache_clear()


@pytest.mark.parametrize("epsilon", [0.0, -1.0, math.inf, math.nan])
def test_an_epsilon_that_needs_no_accountant_is_refused(epsilon: float) -> None:
    with pytest.raises(InputError, match="epsilon above 0"):
        noise_multiplier(epsilon, 0.1, 10)


@pytest.mark.parametrize("numbers", [(0.0, 0.1, 1), (1.0, 0.0, 1), (1.0, 1.1, 1), (1.0, 0.1, 0)])
def test_impossible_mechanisms_are_refused(numbers: tuple[float, float, int]) -> None:
    with pytest.raises(InputError, match="noise multiplier above 0"):
        Mechanism(*numbers)


def test_missing_libraries_say_how_to_get_them(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opacus.accountants", None)
    with pytest.raises(MissingExtra, match=r"\.\[(?:proxy,)?dp,cpu\]"):
        prv_epsilon(Mechanism(1.0, 0.1, 10))
    monkeypatch.setattr("reticent_bench.engines.servers.ENVIRONMENTS", tmp_path)
    with pytest.raises(InputError, match="make accountants"):
        pld_epsilons([Mechanism(1.0, 0.1, 10)])
