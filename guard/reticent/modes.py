"""The old name of `reticent.policy.options`."""

from warnings import warn

from reticent.policy.options import AfterRedaction, FailMode, HoldLimits, OnBlock, SecondLooks, Stage, choose, nearest

__all__ = ["AfterRedaction", "FailMode", "HoldLimits", "OnBlock", "SecondLooks", "Stage", "choose", "nearest"]

warn(f"{__name__} is now reticent.policy.options.", DeprecationWarning, stacklevel=2)
