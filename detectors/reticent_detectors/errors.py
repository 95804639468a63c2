"""Defines all errors that Reticent raises on purpose.

    ReticentError
    ├── InputError            an argument or an input file is not what was asked for (also a ValueError)
    │   ├── PolicyError       an unknown entity, action or field in a policy
    │   └── WrongType         an argument is of another type than was asked for (also a TypeError)
    ├── MissingExtra          an optional dependency is not installed (also an ImportError)
    ├── HostError             the model cannot be guarded
    │   ├── UnsupportedHost   no recognisable layers, norm or head; an encoder-decoder; a failed attach check
    │   └── TokenizerMismatch the tokenizer does not belong to the model
    ├── BundleError           the detector bundle cannot be used
    │   ├── BundleCorrupt     truncated, edited or incomplete files
    │   ├── BundleMismatch    an intact bundle, but for another host
    │   └── BundleUntrusted   not signed by the key that was asked for
    ├── ShardError            a feature shard is cut short or was written by other settings
    ├── CaptureError          hidden states are missing for a position that has to be judged
    └── Blocked               generation was stopped and the policy asks for an error

Messages say what was expected, what came, and what to do. They never contain user text.
"""

from __future__ import annotations

from typing import Any


class ReticentError(Exception):
    """The base of all errors that Reticent raises on purpose."""


class InputError(ReticentError, ValueError):
    """Says that an argument or an input file is not what was expected."""


class PolicyError(InputError):
    """Says that a policy names an unknown entity, origin, action or field."""


class WrongType(InputError, TypeError):
    """Says that an argument is of another type than expected, and what to pass."""


class MissingExtra(ReticentError, ImportError):
    """An optional dependency, or another part of Reticent, is missing; the message names the install line."""

    def __init__(self, module: str, extra: str) -> None:
        from reticent_detectors.install_form import install_line  # looks at what is installed

        super().__init__(
            f"{module} is not installed, and this feature needs it. "
            f"Install it in a clone of Reticent with: {install_line(extra, module=module)}"
        )


class HostError(ReticentError):
    """Says that the model cannot be guarded."""


class UnsupportedHost(HostError):
    """Says that no decoder layers, final norm or head were found, or that the check of attaching failed.

    Encoder-decoder models are not supported.
    """


class TokenizerMismatch(HostError):
    """Says that the tokenizer does not belong to the model."""


class BundleError(ReticentError):
    """Says that the detector bundle cannot be used."""


class BundleCorrupt(BundleError):
    """Says that files of the bundle are missing, truncated or edited."""


class BundleMismatch(BundleError):
    """Says that the bundle is intact, but was made for another model."""


class BundleUntrusted(BundleError):
    """Says that the bundle was not signed by the trusted key."""


class ShardError(ReticentError):
    """Says that a feature shard is cut short, or was written with other settings."""


class CaptureError(ReticentError):
    """Says that hidden states are missing for a position that must be judged."""


class Blocked(ReticentError):
    """Says that the policy stopped the generation and asks for an error.

    Attributes:
        report: what was decided, a `Report`.
    """

    def __init__(self, message: str, report: Any = None) -> None:
        super().__init__(message)
        self.report = report
