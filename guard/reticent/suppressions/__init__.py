"""Keeps what a person asked to have forgotten out of what a guarded model says.

It is suppression at the output. The model's weights stay as they are, and so do copies, caches, logs and backups.

The names below are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reticent.lazy_names import lazy_name

if TYPE_CHECKING:
    from reticent.suppressions.store import SuppressionStore
    from reticent.suppressions.watched import Suppressions

_HOMES = {
    "SuppressionStore": "reticent.suppressions.store",
    "Suppressions": "reticent.suppressions.watched",
}

__all__ = ["SuppressionStore", "Suppressions"]


def __getattr__(name: str) -> object:
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted(__all__)
