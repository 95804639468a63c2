"""The old name of `reticent.policy.presets`."""

from warnings import warn

from reticent.policy.presets import (
    CARE,
    COMMON_IN_CODE,
    PLACES_OF_CARE,
    PRESETS,
    PUBLIC_IN_CODE,
    clinic_rag,
    code,
    default,
    sealed,
)

__all__ = [
    "CARE",
    "COMMON_IN_CODE",
    "PLACES_OF_CARE",
    "PRESETS",
    "PUBLIC_IN_CODE",
    "clinic_rag",
    "code",
    "default",
    "sealed",
]

warn(f"{__name__} is now reticent.policy.presets.", DeprecationWarning, stacklevel=2)
