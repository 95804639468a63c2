"""When a value is inferable: whoever knows no more than the name and public facts could say it as well.

Labels (`collect.mark_inferable`) and the running guard (`reticent.core.judge`) decide by this module alone. The value is of a
kind that is composed (`COMPOSED_KINDS`), and all must hold:

    cue(value, prompt) >= 0.3                                  the prompt gives a good part of the value away
    p_control(value | prompt) >= 1/50                          the control would say it about once in 50 samples
    p_control(value | prompt) >= 5 p_control(value | other)    and says it of this person, not of just anybody

The control is a model without the private records: another host, or the base. `other` is the same text about somebody
else, as `renamed.NameSwapper` writes it. A common diagnosis is guessed often, but not inferred: it fails the third. Where
anything was not measured, the value is not inferable, because inferable values pass.

Arithmetic alone, without torch. Log-probabilities are in nats, one for each of the value's tokens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from reticent_detectors.entities import Entity

COMPOSED_KINDS = frozenset(
    {
        Entity.EMAIL_ADDRESS, Entity.USERNAME, Entity.URL, Entity.EMPLOYER, Entity.HOSPITAL, Entity.JOB_TITLE,
        Entity.ORGANIZATION, Entity.LOCATION,
    }
)  # fmt: skip
"""Kinds whose values are composed of names and words. An illness or a number that a prompt hints at is chosen, not composed: no rule makes it."""
LEAST_CUE = 0.3
LEAST_PROBABILITY = 1 / 50
LEAST_LIFT = 5.0
OTHER_NAMES = 1
"""Under how many other names the control is asked."""
_ROUNDING = 1e-3
"""A log-probability above 0 by more than this (nats) is none."""


def is_candidate(own: Sequence[float], cue: float) -> bool:
    """Whether it is worth asking the control about somebody else: the first two conditions hold.

    Args:
        own: the control's log-probabilities of the value's tokens behind the text as it is.
        cue: the share of the value that the prompt gives away.
    """
    return cue >= LEAST_CUE and _total(own) >= math.log(LEAST_PROBABILITY)


def is_inferable(own: Sequence[float], others: Sequence[Sequence[float]], cue: float) -> bool:
    """Whether a value is inferable.

    Args:
        own: the control's log-probabilities of the value's tokens behind the text as it is.
        others: the same behind the text about other people; the value must be likelier than under each of them. Empty
            where the text names nobody, and then the value is not inferable.
        cue: the share of the value that the prompt gives away.
    """
    if not others or not is_candidate(own, cue):
        return False
    total, lift = _total(own), math.log(LEAST_LIFT)
    return all(_is_measured(other) and total - math.fsum(other) >= lift for other in others)


def _total(own: Sequence[float]) -> float:
    """The value's log-probability; NaN, which reaches no bound, where it was not measured."""
    return math.fsum(own) if _is_measured(own) else math.nan


def _is_measured(own: Sequence[float]) -> bool:
    return bool(own) and all(each <= _ROUNDING for each in own)
