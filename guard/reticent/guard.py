"""The front door: a detector bundle, a policy, and the model that they are put around."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from reticent.policy import DEFAULT, Policy
from reticent_detectors.bundle import Bundle
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.scorer import OnnxScorer

if TYPE_CHECKING:
    from reticent.generate import GuardedModel

POLICY_RATE = 0.05
"""False-positive rate on validation data at which the bundle's thresholds are taken.

At 1 % the embedded guard let 13 % of robustly memorised values out in one try and stopped 1.4 % of made-up ones; a leak
costs more than a made-up number that is redacted, so the default trades some of those for the others.
"""


class Guard:
    """A detector with a policy, not yet around a model.

        guard = Guard.load("bundle").wrap(model, tokenizer)
        guard.generate(**inputs, max_new_tokens=64)

    Args:
        bundle: the detector.
        policy: what to do about spans; the default redacts what is memorised, context or could not be judged.
        finder: finds the spans.
        threads: CPU threads for one call of the detector.
    """

    def __init__(
        self, bundle: Bundle, policy: Policy | None = None, *, finder: SpanFinder | None = None, threads: int = 1
    ) -> None:
        self.bundle = bundle
        self.policy = (policy or Policy.default()).bound(thresholds(bundle))
        self.finder = finder or SpanFinder()
        self.scorer = OnnxScorer(bundle, threads=threads)

    @classmethod
    def load(cls, bundle: str | os.PathLike[str], policy: Policy | str | os.PathLike[str] | None = None) -> Guard:
        """Loads a bundle folder and, if it is given as a path, a policy file.

        Raises:
            BundleCorrupt, BundleError: the bundle is damaged or of another format version.
            PolicyError: the policy names something unknown.
        """
        if policy is not None and not isinstance(policy, Policy):
            from reticent.policy_file import load_policy

            policy = load_policy(policy)
        return cls(Bundle.load(bundle), policy)

    def wrap(self, model: Any, tokenizer: Any) -> GuardedModel:
        """Attaches to a transformers model, after checking that the bundle was made for it.

        Raises:
            UnsupportedHost, TokenizerMismatch: this model cannot be guarded.
            BundleMismatch: the bundle was made for another host.
        """
        from reticent.generate import GuardedModel

        return GuardedModel(self, model, tokenizer)

    def __repr__(self) -> str:
        return f"Guard({self.bundle.path.name!r})"


def thresholds(bundle: Bundle) -> dict[str, float]:
    """The bundle's thresholds at `POLICY_RATE`: per entity, and `DEFAULT`."""
    calibration = bundle.calibration
    out = {DEFAULT: calibration.threshold(POLICY_RATE)}
    return out | {str(entity): calibration.threshold(POLICY_RATE, str(entity)) for entity in Entity}
