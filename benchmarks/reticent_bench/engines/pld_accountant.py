"""dp-accounting's PLD accountant, JSON in and JSON out. It runs in the environment of `make accountants`.

In: {"delta": d, "mechanisms": [{"noise_multiplier", "sample_rate", "steps"}, ...]}.
Out: {"epsilons": [...], "version": v}.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from typing import Any


def epsilon(mechanism: dict[str, Any], delta: float) -> float:
    """Epsilon of a Poisson-sampled Gaussian mechanism, composed over its steps, for added or removed texts."""
    import dp_accounting
    from dp_accounting import pld

    accountant = pld.PLDAccountant(dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE)
    step = dp_accounting.PoissonSampledDpEvent(
        mechanism["sample_rate"], dp_accounting.GaussianDpEvent(mechanism["noise_multiplier"])
    )
    accountant.compose(step, mechanism["steps"])
    return float(accountant.get_epsilon(delta))


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    found = [epsilon(mechanism, asked["delta"]) for mechanism in asked["mechanisms"]]
    json.dump({"epsilons": found, "version": version("dp-accounting")}, sys.stdout)
