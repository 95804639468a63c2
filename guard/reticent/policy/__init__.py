"""Decides what happens to a value: the policy, its options, presets and files, and its rules.

The names below are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reticent.lazy_names import lazy_name

if TYPE_CHECKING:
    from reticent.policy.checked_settings import nearest
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
    "nearest": "reticent.policy.checked_settings",
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
    return lazy_name(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return sorted(__all__)
