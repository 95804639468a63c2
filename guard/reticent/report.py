"""The old name of `reticent.core.report`."""

from warnings import warn

from reticent.core.report import Report

__all__ = ["Report"]

warn(f"{__name__} is now reticent.core.report.", DeprecationWarning, stacklevel=2)
