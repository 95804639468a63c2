"""The old name of `reticent.policy.redaction`."""

from warnings import warn

from reticent.policy.redaction import (
    LEAST_KEY_BYTES,
    MASK_CHAR,
    MASK_LENGTH,
    Redact,
    RedactionStyle,
    Redactor,
    check_mask_char,
    tag,
)

__all__ = [
    "LEAST_KEY_BYTES",
    "MASK_CHAR",
    "MASK_LENGTH",
    "Redact",
    "RedactionStyle",
    "Redactor",
    "check_mask_char",
    "tag",
]

warn(f"{__name__} is now reticent.policy.redaction.", DeprecationWarning, stacklevel=2)
