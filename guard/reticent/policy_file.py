"""The old name of `reticent.policy.loading`."""

from warnings import warn

from reticent.policy.loading import load_policy, parse_policy, policy_from

__all__ = ["load_policy", "parse_policy", "policy_from"]

warn(f"{__name__} is now reticent.policy.loading.", DeprecationWarning, stacklevel=2)
