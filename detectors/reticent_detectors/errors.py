"""Every error that the house raises on purpose.

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
    """Base of all errors raised on purpose by Reticent."""


class InputError(ReticentError, ValueError):
    """An argument or an input file is not what was asked for."""


class PolicyError(InputError):
    """A policy names an unknown entity, origin, action or field."""


class WrongType(InputError, TypeError):
    """An argument is of another type than was asked for; the message says what to pass."""


class MissingExtra(ReticentError, ImportError):
    """An optional dependency is missing; the message names its extra and the install line."""

    def __init__(self, module: str, extra: str) -> None:
        super().__init__(
            f"{module} is not installed, and this feature needs it. Install it with: pip install 'reticent[{extra}]'"
        )


class HostError(ReticentError):
    """The host model cannot be guarded."""


class UnsupportedHost(HostError):
    """No recognisable decoder layers, final norm or head, an encoder-decoder, or a failed attach check."""


class TokenizerMismatch(HostError):
    """The tokenizer does not belong to the model."""


class BundleError(ReticentError):
    """The detector bundle cannot be used."""


class BundleCorrupt(BundleError):
    """Files of the bundle are missing, truncated or were edited."""


class BundleMismatch(BundleError):
    """The bundle is intact but was made for another host."""


class BundleUntrusted(BundleError):
    """The bundle was not signed by the trusted key."""


class ShardError(ReticentError):
    """A feature shard is cut short, or was written with other settings."""


class CaptureError(ReticentError):
    """Hidden states are missing for a position that has to be judged (layers, steps or ring)."""


class Blocked(ReticentError):
    """Generation was stopped by the policy, and the policy asks for an error. `report` says what was decided."""

    def __init__(self, message: str, report: Any = None) -> None:
        super().__init__(message)
        self.report = report
