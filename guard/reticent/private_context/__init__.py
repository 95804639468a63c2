"""Private examples in a prompt: labels are released by a noisy threshold, and a budget is kept.

`ContextShield` answers from private examples, `Accountant` keeps the budget that its answers share. `mu_of`,
`epsilon_of`, `noise_scale` and `accuracy_ceiling` are the analytic Gaussian mechanism (Balle and Wang 2018).
The standard library alone.
"""

from __future__ import annotations

from reticent.private_context.accountant import Accountant, BudgetSpent
from reticent.private_context.gaussian import accuracy_ceiling, delta_of, epsilon_of, mu_of, noise_scale, normal_cdf
from reticent.private_context.noisy_threshold import release_probabilities, released, sensitivity
from reticent.private_context.shield import ContextShield, Example, Messages, few_shot_messages, read_label

__all__ = [
    "Accountant",
    "BudgetSpent",
    "ContextShield",
    "Example",
    "Messages",
    "accuracy_ceiling",
    "delta_of",
    "epsilon_of",
    "few_shot_messages",
    "mu_of",
    "noise_scale",
    "normal_cdf",
    "read_label",
    "release_probabilities",
    "released",
    "sensitivity",
]
