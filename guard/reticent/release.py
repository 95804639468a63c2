"""The old name of `reticent.core.release`."""

from warnings import warn

from reticent.core.release import OffsetMapping as Piece
from reticent.core.release import Release, SpanRecord, Suppressed

__all__ = ["Piece", "Release", "SpanRecord", "Suppressed"]

warn(f"{__name__} is now reticent.core.release.", DeprecationWarning, stacklevel=2)
