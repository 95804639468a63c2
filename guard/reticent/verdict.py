"""The old name of `reticent.core.verdict`."""

from warnings import warn

from reticent.core.verdict import Action, Decision, Origin, Reason, Tier, Verdict

__all__ = ["Action", "Decision", "Origin", "Reason", "Tier", "Verdict"]

warn(f"{__name__} is now reticent.core.verdict.", DeprecationWarning, stacklevel=2)
