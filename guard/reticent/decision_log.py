"""The old name of `reticent.observability.decision_log`."""

from warnings import warn

from reticent.observability.decision_log import DecisionLog, Verification, read_key, verify

__all__ = ["DecisionLog", "Verification", "read_key", "verify"]

warn(f"{__name__} is now reticent.observability.decision_log.", DeprecationWarning, stacklevel=2)
