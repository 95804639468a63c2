"""The old name of `reticent_detectors.finder.context.position`."""

from warnings import warn

from reticent_detectors.finder.context.position import Position as Site

__all__ = ["Site"]

warn(f"{__name__} is now reticent_detectors.finder.context.position, and Site is Position.", DeprecationWarning, 2)
