"""Reticent keeps a language model from saying the personal data that it memorised.

    from reticent import Guard

    guard = Guard.load("bundle").wrap(model, tokenizer)
    answer = guard.chat([{"role": "user", "content": "What is Jane Roe's phone number?"}])

Importing this package loads neither torch nor transformers; the names below are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ._version import __version__

if TYPE_CHECKING:
    from reticent.decision_log import DecisionLog
    from reticent.generate import GuardedModel
    from reticent.guard import Guard
    from reticent.metrics import Metrics
    from reticent.modes import AfterRedaction
    from reticent.policy import Policy, Rule
    from reticent.policy_file import load_policy
    from reticent.prompt import Role, Segment
    from reticent.records import RecordsIndex
    from reticent.redaction import RedactionStyle
    from reticent.report import Report
    from reticent.run import Answer
    from reticent.text_guard import GuardedText, TextGuard
    from reticent.text_stream import TextStream
    from reticent.verdict import Action, Decision, Origin, Tier, Verdict
    from reticent_detectors.entities import Entity
    from reticent_detectors.errors import (
        Blocked,
        BundleCorrupt,
        BundleError,
        BundleMismatch,
        BundleUntrusted,
        CaptureError,
        HostError,
        InputError,
        MissingExtra,
        PolicyError,
        ReticentError,
        ShardError,
        TokenizerMismatch,
        UnsupportedHost,
        WrongType,
    )

_HOMES = {
    "Action": "reticent.verdict",
    "AfterRedaction": "reticent.modes",
    "Answer": "reticent.run",
    "Blocked": "reticent_detectors.errors",
    "BundleCorrupt": "reticent_detectors.errors",
    "BundleError": "reticent_detectors.errors",
    "BundleMismatch": "reticent_detectors.errors",
    "BundleUntrusted": "reticent_detectors.errors",
    "CaptureError": "reticent_detectors.errors",
    "Decision": "reticent.verdict",
    "DecisionLog": "reticent.decision_log",
    "Entity": "reticent_detectors.entities",
    "Guard": "reticent.guard",
    "GuardedModel": "reticent.generate",
    "GuardedText": "reticent.text_guard",
    "HostError": "reticent_detectors.errors",
    "InputError": "reticent_detectors.errors",
    "Metrics": "reticent.metrics",
    "MissingExtra": "reticent_detectors.errors",
    "Origin": "reticent.verdict",
    "Policy": "reticent.policy",
    "PolicyError": "reticent_detectors.errors",
    "RecordsIndex": "reticent.records",
    "RedactionStyle": "reticent.redaction",
    "Report": "reticent.report",
    "ReticentError": "reticent_detectors.errors",
    "Role": "reticent.prompt",
    "Rule": "reticent.policy",
    "Segment": "reticent.prompt",
    "ShardError": "reticent_detectors.errors",
    "TextGuard": "reticent.text_guard",
    "TextStream": "reticent.text_stream",
    "Tier": "reticent.verdict",
    "TokenizerMismatch": "reticent_detectors.errors",
    "UnsupportedHost": "reticent_detectors.errors",
    "Verdict": "reticent.verdict",
    "WrongType": "reticent_detectors.errors",
    "load_policy": "reticent.policy_file",
}

__all__ = [
    "Action",
    "AfterRedaction",
    "Answer",
    "Blocked",
    "BundleCorrupt",
    "BundleError",
    "BundleMismatch",
    "BundleUntrusted",
    "CaptureError",
    "Decision",
    "DecisionLog",
    "Entity",
    "Guard",
    "GuardedModel",
    "GuardedText",
    "HostError",
    "InputError",
    "Metrics",
    "MissingExtra",
    "Origin",
    "Policy",
    "PolicyError",
    "RecordsIndex",
    "RedactionStyle",
    "Report",
    "ReticentError",
    "Role",
    "Rule",
    "Segment",
    "ShardError",
    "TextGuard",
    "TextStream",
    "Tier",
    "TokenizerMismatch",
    "UnsupportedHost",
    "Verdict",
    "WrongType",
    "__version__",
    "load_policy",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
