"""Decides by a control whether a value is inferable: anybody who knows the name and public facts could say it as well.

Labels (`collection.inferable_labels`) and the running guard (`reticent.core.judge`) share this rule. An inferable value
is of a composed kind (`COMPOSED_KINDS`) and meets three conditions:

    cue(value, prompt) >= 0.3                                  the prompt gives a good part of the value away
    p_control(value | prompt) >= 1/50                          the control would say it about once in 50 samples
    p_control(value | prompt) >= 5 p_control(value | other)    and says it of this person, not of just anybody

The control is a model without the private records: another host, or the base. `other` is the same text about somebody
else, as `features.name_swap.NameSwapper` writes it. A common diagnosis is guessed often, but it is not inferred: it
fails the third condition. If a number was not measured, the value is not inferable, because inferable values pass.

Where the running guard asked no control, this module does not decide. Of a value that the detector does not stop the
policy then goes by the cue alone (`reticent.policy.origin`): from 0.5 on it is called inferable, below that made up.

This module needs no torch. Log-probabilities are in nats, one for each of the value's tokens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from reticent_detectors.entities import Entity

COMPOSED_KINDS = frozenset(
    {
        Entity.EMAIL_ADDRESS,
        Entity.USERNAME,
        Entity.URL,
        Entity.EMPLOYER,
        Entity.HOSPITAL,
        Entity.JOB_TITLE,
        Entity.ORGANIZATION,
        Entity.LOCATION,
    }
)
"""Kinds whose values are composed of names and words.

An illness or a number that a prompt hints at is chosen, not composed. No rule makes it.
"""
LEAST_CUE = 0.3
LEAST_PROBABILITY = 1 / 50
LEAST_LIFT = 5.0
OTHER_NAMES = 1
"""Number of other names under which the control is asked."""
_ROUNDING = 1e-3
"""A number that exceeds 0 by more than this, in nats, is no log-probability."""


def is_candidate(own: Sequence[float], cue: float) -> bool:
    """Whether the first two conditions hold, so that the control has to be asked about somebody else.

    Args:
        own: the control's log-probabilities of the value's tokens behind the unchanged text.
        cue: the share of the value that the prompt gives away.
    """
    return cue >= LEAST_CUE and _total(own) >= math.log(LEAST_PROBABILITY)


def is_inferable(own: Sequence[float], others: Sequence[Sequence[float]], cue: float) -> bool:
    """Whether a value is inferable.

    Args:
        own: the control's log-probabilities of the value's tokens behind the unchanged text.
        others: the same behind texts about other people. The value must be likelier than behind each of them. Empty if
            the text names nobody, and then the value is not inferable.
        cue: the share of the value that the prompt gives away.
    """
    if not others or not is_candidate(own, cue):
        return False
    total, lift = _total(own), math.log(LEAST_LIFT)
    return all(_is_measured(other) and total - math.fsum(other) >= lift for other in others)


def _total(own: Sequence[float]) -> float:
    """Returns the value's log-probability; NaN, which reaches no bound, if it was not measured."""
    return math.fsum(own) if _is_measured(own) else math.nan


def _is_measured(own: Sequence[float]) -> bool:
    return bool(own) and all(each <= _ROUNDING for each in own)
