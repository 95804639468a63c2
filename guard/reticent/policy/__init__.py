"""Decides what happens to a value: the policy, its options, presets and files, and its rules.

The names below are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reticent.policy.policy import (
        DEFAULT,
        INFERABLE_CUE,
        AfterRedaction,
        Evidence,
        FailMode,
        HoldLimits,
        OnBlock,
        Policy,
        Rule,
        SecondLooks,
        Stage,
        nearest,
    )

_HOMES = {
    "AfterRedaction": "reticent.policy.policy",
    "DEFAULT": "reticent.policy.policy",
    "Evidence": "reticent.policy.policy",
    "FailMode": "reticent.policy.policy",
    "HoldLimits": "reticent.policy.policy",
    "INFERABLE_CUE": "reticent.policy.policy",
    "OnBlock": "reticent.policy.policy",
    "Policy": "reticent.policy.policy",
    "Rule": "reticent.policy.policy",
    "SecondLooks": "reticent.policy.policy",
    "Stage": "reticent.policy.policy",
    "nearest": "reticent.policy.policy",
}

__all__ = [
    "DEFAULT",
    "INFERABLE_CUE",
    "AfterRedaction",
    "Evidence",
    "FailMode",
    "HoldLimits",
    "OnBlock",
    "Policy",
    "Rule",
    "SecondLooks",
    "Stage",
    "nearest",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
