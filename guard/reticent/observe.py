"""The old name of `reticent.observability.observers`."""

from warnings import warn

from reticent.observability.observers import (
    CanaryResult,
    LookResult,
    Observation,
    Observer,
    Outcome,
    Route,
    TimedStage,
    WireStage,
    notify,
)
from reticent.observability.observers import ReadinessCheck as Part

__all__ = [
    "CanaryResult",
    "LookResult",
    "Observation",
    "Observer",
    "Outcome",
    "Part",
    "Route",
    "TimedStage",
    "WireStage",
    "notify",
]

warn(f"{__name__} is now reticent.observability.observers.", DeprecationWarning, stacklevel=2)
