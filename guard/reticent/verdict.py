"""The old name of `reticent.policy.verdict`."""

from warnings import warn

from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier, Verdict

__all__ = ["Action", "Decision", "Origin", "Reason", "Tier", "Verdict"]

warn(f"{__name__} is now reticent.policy.verdict.", DeprecationWarning, stacklevel=2)
