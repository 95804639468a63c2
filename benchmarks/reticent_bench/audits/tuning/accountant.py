"""Privacy accounting of DP-SGD with Poisson sampling, by two libraries.

Opacus' accountant (PRV: Gopi et al. 2021) sets the noise. It runs in this process. dp-accounting's (PLD: Koskela et al.
2020) needs an older attrs than this project has, so it runs in an environment of its own and only checks.
Both take two data sets as neighbours if one has one training text more.
"""

from __future__ import annotations

import json
import os
import subprocess
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from reticent_detectors.errors import InputError, MissingExtra

DELTA = 1e-5


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A run of DP-SGD as an accountant sees it.

    Attributes:
        noise_multiplier: standard deviation of the noise over the clip.
        sample_rate: probability with which each training text is in a step.
        steps: number of steps.

    Raises:
        InputError: a number is out of its range.
    """

    noise_multiplier: float
    sample_rate: float
    steps: int

    def __post_init__(self) -> None:
        if not self.noise_multiplier > 0 or not 0 < self.sample_rate <= 1 or self.steps < 1:
            raise InputError(
                "Expected a noise multiplier above 0, a sampling rate above 0 and at most 1, and at least one step."
            )


def prv_epsilon(mechanism: Mechanism, delta: float = DELTA) -> float:
    """Upper end of epsilon by Opacus' PRV accountant.

    Raises:
        MissingExtra: opacus is not installed.
    """
    try:
        from opacus.accountants import PRVAccountant
    except ImportError as error:
        raise MissingExtra("opacus", "dp") from error
    accountant = PRVAccountant()
    accountant.history = [(mechanism.noise_multiplier, mechanism.sample_rate, mechanism.steps)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the RDP bound, which only says how wide a grid has to be
        return float(accountant.get_epsilon(delta))


@lru_cache(maxsize=64)
def noise_multiplier(epsilon: float, sample_rate: float, steps: int, delta: float = DELTA) -> float:
    """The least noise multiplier, to 0.1 %, whose epsilon is at most `epsilon` by `prv_epsilon`.

    Raises:
        InputError: epsilon is not a positive number.
        MissingExtra: opacus is not installed.
    """
    if not 0 < epsilon < float("inf"):
        raise InputError(f"Expected an epsilon above 0 and below infinity, got {epsilon:g}.")
    low, high = 0.05, 1.0
    while prv_epsilon(Mechanism(high, sample_rate, steps), delta) > epsilon:
        low, high = high, 2 * high
        if high > 4096:
            raise InputError(f"An epsilon of {epsilon:g} needs too much noise; take a larger one or fewer steps.")
    while high - low > 1e-3 * high:
        middle = (low + high) / 2
        if _is_within(epsilon, middle, sample_rate, steps, delta):
            high = middle
        else:
            low = middle
    return high


def _is_within(epsilon: float, noise: float, sample_rate: float, steps: int, delta: float) -> bool:
    try:
        return prv_epsilon(Mechanism(noise, sample_rate, steps), delta) <= epsilon
    except (RuntimeError, ValueError, MemoryError):  # so little noise that the accountant's grid does not hold it
        return False


def pld_epsilons(mechanisms: Sequence[Mechanism], delta: float = DELTA, python: Path | None = None) -> list[float]:
    """Epsilon of each mechanism by dp-accounting's PLD accountant, in its own environment.

    Args:
        mechanisms: what is accounted.
        delta: of the guarantee.
        python: of the environment; that of `make accountants` if not given.

    Raises:
        InputError: the environment is not there, or the accountant failed in it.
    """
    from reticent_bench.engines.servers import ACCOUNTANTS, ROOT

    if python is None and not ACCOUNTANTS.is_there:
        raise InputError("dp-accounting is not installed; make its environment with 'make accountants'.")
    asked = json.dumps({"delta": delta, "mechanisms": [asdict(each) for each in mechanisms]})
    ended = subprocess.run(
        [python or ACCOUNTANTS.python, "-m", "reticent_bench.engines.pld_accountant"], input=asked, text=True,
        capture_output=True, check=False, timeout=600, env={**os.environ, "PYTHONPATH": str(ROOT / "benchmarks")},
    )  # fmt: skip
    if ended.returncode:
        raise InputError(f"dp-accounting failed with exit code {ended.returncode}; make its environment again.")
    return [float(each) for each in json.loads(ended.stdout)["epsilons"]]
