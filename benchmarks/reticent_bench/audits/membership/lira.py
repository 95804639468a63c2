"""The likelihood-ratio attack (LiRA) on classifiers, from the confidences of shadow models.

"Membership Inference Attacks From First Principles" (Carlini et al. 2022), and "PrivLM-Bench", appendix B.1.
The latter's equations 2, 5 and 6 lost the negation: their "-t" has to be read "not t".
As printed, both sides have the same moments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from reticent_detectors.errors import InputError

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAST_PROBABILITY = 2.0**-53
"""The least distance of a confidence from 0 and 1: half the spacing of float64 numbers at 1."""

_LEAST_DEVIATION = 1e-6


def logit(confidences: Floats, least: float = LEAST_PROBABILITY) -> Floats:
    """log(p / (1 - p)), of the same shape; p is clipped to [least, 1 - least] first.

    Args:
        confidences: probabilities of the true class.
        least: 2**-24 for probabilities that a model gave in float32, whose nearest number to 1 is that far away.

    Raises:
        InputError: a confidence is not a number from 0 to 1.
    """
    p = _clipped(confidences, least)
    return np.log(p) - np.log1p(-p)


def negative_log_complement(confidences: Floats, least: float = LEAST_PROBABILITY) -> Floats:
    """-log(1 - p), of the same shape; p is clipped to [least, 1 - least] first.

    It is the cross-entropy loss -log p mirrored at p = 1/2. It tells confident answers apart, where the loss does not.

    Raises:
        InputError: a confidence is not a number from 0 to 1.
    """
    return -np.log1p(-_clipped(confidences, least))


STATISTICS: Mapping[str, Callable[[Floats, float], Floats]] = {
    "logit": logit,
    "negative log complement": negative_log_complement,
}
"""What the Gaussians are fitted to."""


def lira(
    confidences: Floats,
    trained_on: Flags,
    target: Floats,
    *,
    form: Literal["online", "offline"] = "online",
    statistic: str = "logit",
    variance: Literal["fixed", "per record"] = "fixed",
    least: float = LEAST_PROBABILITY,
) -> Floats:
    """A score for each record that is higher for members of the target's training data.

    With s the statistic of the target's confidence and N the normal density:
    online: log N(s; mean_in, deviation_in) - log N(s; mean_out, deviation_out).
    offline: z = (s - mean_out) / deviation_out. The paper's 1 - P(Z > s) is Phi(z); it ranks alike and saturates at 1.

    Args:
        confidences: probability of the true class by each shadow model [shadows, records].
        trained_on: whether the shadow was trained on the record [shadows, records].
        target: probability of the true class by the target [records].
        form: "online" compares with shadows that saw the record and shadows that did not, "offline" with the latter.
        statistic: a key of `STATISTICS`.
        variance: "fixed" pools the squared deviations from each record's mean over all records and divides by
            their degrees of freedom; for fewer than some 64 shadows. "per record" is equation 4.
        least: see `logit`.

    Returns:
        Scores [records], all finite.

    Raises:
        InputError: shapes disagree, a confidence is no probability, a setting is unknown, or a record has too few
            shadows.
    """
    if statistic not in STATISTICS or form not in ("online", "offline") or variance not in ("fixed", "per record"):
        raise InputError(
            f"Expected a form (online, offline), a variance (fixed, per record) and a statistic "
            f"({', '.join(STATISTICS)}), got {form!r}, {variance!r} and {statistic!r}. Correct the setting."
        )
    if trained_on.shape != confidences.shape or confidences.ndim != 2 or target.shape != confidences.shape[1:]:
        raise InputError(
            f"Expected confidences and membership [shadows, records] and a target [records], got "
            f"{confidences.shape}, {trained_on.shape} and {target.shape}. Correct the shapes."
        )
    if trained_on.dtype != np.bool_:
        raise InputError(f"Expected membership as booleans, got {trained_on.dtype}. Convert it with astype(bool).")
    transform = STATISTICS[statistic]
    shadows, seen = transform(confidences, least), transform(target, least)
    mean_out, deviation_out = _moments(shadows, ~trained_on, variance)
    if form == "offline":
        return (seen - mean_out) / deviation_out
    mean_in, deviation_in = _moments(shadows, trained_on, variance)
    ratio = norm.logpdf(seen, mean_in, deviation_in) - norm.logpdf(seen, mean_out, deviation_out)
    return np.asarray(ratio, dtype=np.float64)


def _moments(values: Floats, used: Flags, variance: str) -> tuple[Floats, Floats]:
    """Mean and deviation of the used shadows' values [records]."""
    counts = used.sum(axis=0)
    fewest = 1 if variance == "fixed" else 2
    if (counts < fewest).any():
        raise InputError(
            f"Expected at least {fewest} shadows on each side of every record, got {int(counts.min())} for one. "
            f"Train more shadows, each on a random half."
        )
    means = np.where(used, values, 0.0).sum(axis=0) / counts
    squares = np.where(used, (values - means) ** 2, 0.0).sum(axis=0)
    if variance == "per record":
        return means, np.maximum(np.sqrt(squares / counts), _LEAST_DEVIATION)
    freedom = int(counts.sum()) - len(counts)
    if freedom < 1:
        raise InputError("Expected more shadows than records for one variance, got one a record. Train more shadows.")
    pooled = max(float(np.sqrt(squares.sum() / freedom)), _LEAST_DEVIATION)
    return means, np.full(len(means), pooled)


def _clipped(confidences: Floats, least: float) -> Floats:
    p = np.asarray(confidences, dtype=np.float64)
    if not ((p >= 0) & (p <= 1)).all():
        raise InputError(
            "Expected confidences from 0 to 1, got others. Give probabilities of the true class, no logits."
        )
    return np.clip(p, least, 1 - least)
