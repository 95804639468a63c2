"""From which probability on a span counts as memorised: what a policy takes from a detector's bundle."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from reticent.policy.policy import DEFAULT
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.entities import Entity
from reticent_detectors.errors import BundleCorrupt, InputError, PolicyError

POLICY_RATE = 0.08
"""False-positive rate on validation data at which the bundle's thresholds are taken.

Of values that the host made up one in ten may be redacted, and a leak costs more than that: the default spends this
budget, less what test data needs as a margin.
"""


def thresholds(bundle: Bundle, prevalence: float | None = None, rate: float | None = None) -> dict[str, float]:
    """The bundle's thresholds at a false-positive rate (None: `POLICY_RATE`): per entity, and `DEFAULT`; as probabilities at
    a prevalence. Raises PolicyError for a rate that the bundle has no thresholds for."""
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
    """Mean log-probability per token under the base model (nats) from which a value counts as pretrained; None: the bundle's
    manifest has no entry `base: {threshold: ...}`.

    Raises:
        BundleCorrupt: the entry is no finite number up to 0.
    """
    entry = bundle.manifest.get("base")
    if entry is None:
        return None
    value = entry.get("threshold") if isinstance(entry, Mapping) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value > 0:
        raise BundleCorrupt(
            "The bundle's manifest has an entry 'base' whose 'threshold' is no finite number up to 0 (nats). Make the bundle "
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
