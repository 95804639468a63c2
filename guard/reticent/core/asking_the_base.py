"""Decides of which values the base is asked: those near the threshold or above it that nothing gave away.

The order, and what follows from the answer, are the judge's (`core/judge.py`).
"""

from __future__ import annotations

import math

from reticent.policy.pretrained import PRETRAINED_CUE
from reticent_detectors.features.cue import PromptIndex

NEAR = 2.0
"""Distance below the threshold, in logits, within which the base is asked and may still have a value stopped.

On three copies of two real models, asking about every value lets as much escape (`docs/decisions/asking-the-base.md`).
"""


def may_ask_base(value: str, entity: str, prompt: PromptIndex, text: str, cue: float | None = None) -> bool:
    """Says whether the base's score of a value tells about its weights, as neither prompt nor answer gave it away.

    Args:
        prompt: what the base would read before the answer.
        text: the answer before the value.
        cue: the share of the value that the prompt gives away, 0 to 1. None computes it from `prompt`.
    """
    given = prompt.cue(value, entity) if cue is None else cue
    return given < PRETRAINED_CUE and not (prompt.contains(value, entity) or PromptIndex(text).contains(value, entity))


def near(threshold: float) -> float:
    """Gives the probability that is `NEAR` logits below a threshold between 0 and 1."""
    odds = threshold * math.exp(-NEAR)
    return odds / (odds + (1.0 - threshold))
