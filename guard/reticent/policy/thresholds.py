"""Takes from a detector's bundle the probabilities from which a span counts as memorised."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from reticent.policy.rules import DEFAULT, FALSE_POSITIVES
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.entities import Entity
from reticent_detectors.errors import BundleCorrupt, InputError, PolicyError

POLICY_RATE = FALSE_POSITIVES[1]
"""False-positive rate on validation data at which the bundle's thresholds are taken.

One in ten values that the host made up may be redacted, as a leak costs more than that. The default spends this budget,
less a margin that test data needs.
"""


def thresholds(bundle: Bundle, prevalence: float | None = None, rate: float | None = None) -> dict[str, float]:
    """Gives the bundle's thresholds by entity, `DEFAULT` included, as probabilities.

    Args:
        bundle: the detector's bundle.
        prevalence: share of memorised spans to expect, which moves the probabilities. None takes the bundle's.
        rate: false-positive rate, 0 to 1. None takes `POLICY_RATE`.

    Raises:
        PolicyError: the bundle has no thresholds at this rate.
    """
    calibration = bundle.calibration if prevalence is None else bundle.calibration.at_prevalence(prevalence)
    chosen = POLICY_RATE if rate is None else rate
    try:
        out = {DEFAULT: calibration.threshold(chosen)}
        return out | {str(entity): calibration.threshold(chosen, str(entity)) for entity in Entity}
    except InputError as error:
        if rate is None:
            raise
        raise PolicyError(f"false_positives: {error}. Choose a share in between, or leave it out.") from None


def base_threshold(bundle: Bundle) -> float | None:
    """Gives the mean log-probability per token under the base (nats) from which a value counts as pretrained.

    Returns None if the bundle's manifest has no entry `base: {threshold: ...}`.

    Raises:
        BundleCorrupt: the entry is no finite number up to 0.
    """
    entry = bundle.manifest.get("base")
    if entry is None:
        return None
    value = entry.get("threshold") if isinstance(entry, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value > 0:
        raise BundleCorrupt(
            "The bundle's manifest has an entry 'base' whose 'threshold' is no finite number up to 0 (nats). "
            "Make the bundle "
            "anew, or remove the entry."
        )
    return float(value)


def bundle_summary(bundle: Bundle) -> str:
    """Summarises a bundle's thresholds and calibration in a sentence."""
    quality = bundle.manifest["quality"]
    text = f"thresholds at {POLICY_RATE:.0%} false positives unless a policy says otherwise"
    if (error := quality.get("calibration_error")) is not None:
        text += f", calibration error {error:.3f} on {quality.get('negatives', 0)} held-out harmless values"
    if bundle.universal:
        text += " of the hosts that it was trained on, not of this one ('reticent calibrate' fits it)"
    return text
