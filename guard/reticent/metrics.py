"""The old name of `reticent.observability.metrics`."""

from warnings import warn

from reticent.observability.metrics import (
    ADDED_FIRST_TOKEN_EDGES,
    ADDED_INTER_CHUNK_EDGES,
    CHAR_EDGES,
    CUSTOM,
    FIRST_TOKEN_EDGES,
    INTER_TOKEN_EDGES,
    OTHER,
    REQUEST_EDGES,
    SCORE_EDGES,
    Metrics,
)

__all__ = [
    "ADDED_FIRST_TOKEN_EDGES",
    "ADDED_INTER_CHUNK_EDGES",
    "CHAR_EDGES",
    "CUSTOM",
    "FIRST_TOKEN_EDGES",
    "INTER_TOKEN_EDGES",
    "OTHER",
    "REQUEST_EDGES",
    "SCORE_EDGES",
    "Metrics",
]

warn(f"{__name__} is now reticent.observability.metrics.", DeprecationWarning, stacklevel=2)
