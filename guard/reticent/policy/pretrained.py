"""Decides when the base model finds a value likely enough to have known it, and which values then pass.

The base is the model before it was tuned on private records. A value that the detector would stop is `pretrained` if
the base gives it a mean log-probability per token of at least a threshold. Such a value was known before the private
tuning. That is a label and no release, as public training data names private persons as well. The module uses the
standard library alone.
"""

from __future__ import annotations

from reticent_detectors.entities import Entity

BASE_THRESHOLD = -0.7
"""Mean log-probability per token (nats) from which the base counts as sure, where neither policy nor bundle has one.

It is a geometric mean probability of 0.5 for each token of the value. No taught value of three copies of real models
reaches -1.0 (`docs/decisions/asking-the-base.md`).
"""

PRETRAINED_CUE = 0.3
"""Cue from which no value is pretrained, as the base may have copied it from the prompt."""

ROUNDING_NATS = 1e-3
"""Most nats above 0 that rounding may give. A larger number is no log-probability and counts as not measured."""

PASSES = frozenset(
    {
        Entity.JOB_TITLE, Entity.EMPLOYER, Entity.HOSPITAL, Entity.LOCATION, Entity.ORGANIZATION,
        Entity.TRANSACTION_AMOUNT, Entity.APPOINTMENT_DATE,
    }
)  # fmt: skip
"""Kinds that pass by default if they are pretrained: offices, companies, places, prices and dates of history.

An amount or an appointment that a base knows by heart is hardly ever a private person's.
"""

PASSES_FOR_PUBLIC_SUBJECTS = frozenset({Entity.DATE_OF_BIRTH, Entity.DATE_TIME})
"""Kinds that pass by default only where a listed public person is the subject."""


def says_as_surely(base: float | None, threshold: float) -> bool:
    """Says whether the base's mean log-probability reaches the threshold (both in nats); NaN and infinity do not."""
    return base is not None and threshold <= base <= ROUNDING_NATS
