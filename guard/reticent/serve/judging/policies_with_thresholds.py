"""Holds policies with the thresholds of the bundles that judge under them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from reticent.policy.policy import Policy
from reticent.serve.judging.detector_protocols import Detector
from reticent_detectors.errors import PolicyError

Bind = Callable[[Policy], Policy]
"""Gives a policy with a bundle's thresholds. Raises PolicyError: it does not fit the bundle."""


class BoundPolicies(Mapping[str, Policy]):
    """Maps names to policies with the thresholds of one bundle, and finds those with another one's.

    Args:
        policies: by name.
        bind: sets the thresholds. None leaves the policies as they are.

    Raises:
        PolicyError: a policy, which is named, does not fit the bundle.
    """

    def __init__(self, policies: Mapping[str, Policy], bind: Bind | None = None) -> None:
        self._policies = dict(policies) if bind is None else _bind(policies, bind)
        self._rebound: dict[tuple[int, str], Policy] = {}

    @classmethod
    def by(cls, policies: Mapping[str, Policy], detector: Detector) -> BoundPolicies:
        """Binds policies to a detector's bundle, and to those of single models. Raises PolicyError."""
        bound = cls(policies, detector.with_thresholds)
        for other in detector.others:
            for name, policy in _bind(policies, other.with_thresholds).items():
                bound._rebound[id(bound[name]), other.digest] = policy
        return bound

    def __repr__(self) -> str:
        return f"BoundPolicies({list(self._policies)})"

    def __getitem__(self, name: str) -> Policy:
        return self._policies[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._policies)

    def __len__(self) -> int:
        return len(self._policies)

    def under(self, detector: Detector | None, policy: Policy) -> Policy:
        """Gives one of these policies with the thresholds of a detector's bundle."""
        return policy if detector is None else self._rebound.get((id(policy), detector.digest), policy)


def _bind(policies: Mapping[str, Policy], bind: Bind) -> dict[str, Policy]:
    out = {}
    for name, policy in policies.items():
        try:
            out[name] = bind(policy)
        except PolicyError as error:
            raise PolicyError(f"Policy {name!r}: {error}") from None
    return out
