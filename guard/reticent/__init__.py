"""Reticent keeps a language model from saying the personal data that it memorised.

    from reticent import Guard

    guard = Guard.load("bundle").wrap(model, tokenizer)
    answer = guard.chat([{"role": "user", "content": "What is Jane Roe's phone number?"}])

Importing this package loads neither torch nor transformers; the names below are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._version import __version__
from .lazy_names import lazy_name

if TYPE_CHECKING:
    from reticent.core.report import Report
    from reticent.guard import Guard
    from reticent.huggingface.answer import Answer
    from reticent.huggingface.guarded_model import GuardedModel
    from reticent.huggingface.text_stream import TextStream
    from reticent.observability.decision_log import DecisionLog
    from reticent.observability.metrics import Metrics
    from reticent.policy.loading import load_policy
    from reticent.policy.options import AfterRedaction
    from reticent.policy.policy import Policy, Rule
    from reticent.policy.redaction import RedactionStyle
    from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
    from reticent.prompt.segments import Role, Segment
    from reticent.records.index import RecordsIndex
    from reticent.text_guard import GuardedText, TextGuard
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
    "Action": "reticent.policy.verdict",
    "AfterRedaction": "reticent.policy.options",
    "Answer": "reticent.huggingface.answer",
    "Blocked": "reticent_detectors.errors",
    "BundleCorrupt": "reticent_detectors.errors",
    "BundleError": "reticent_detectors.errors",
    "BundleMismatch": "reticent_detectors.errors",
    "BundleUntrusted": "reticent_detectors.errors",
    "CaptureError": "reticent_detectors.errors",
    "Decision": "reticent.policy.verdict",
    "DecisionLog": "reticent.observability.decision_log",
    "Entity": "reticent_detectors.entities",
    "Guard": "reticent.guard",
    "GuardedModel": "reticent.huggingface.guarded_model",
    "GuardedText": "reticent.text_guard",
    "HostError": "reticent_detectors.errors",
    "InputError": "reticent_detectors.errors",
    "Metrics": "reticent.observability.metrics",
    "MissingExtra": "reticent_detectors.errors",
    "Origin": "reticent.policy.verdict",
    "Policy": "reticent.policy",
    "PolicyError": "reticent_detectors.errors",
    "RecordsIndex": "reticent.records",
    "RedactionStyle": "reticent.policy.redaction",
    "Report": "reticent.core.report",
    "ReticentError": "reticent_detectors.errors",
    "Role": "reticent.prompt",
    "Rule": "reticent.policy",
    "Segment": "reticent.prompt",
    "ShardError": "reticent_detectors.errors",
    "TextGuard": "reticent.text_guard",
    "TextStream": "reticent.huggingface.text_stream",
    "Tier": "reticent.policy.verdict",
    "TokenizerMismatch": "reticent_detectors.errors",
    "UnsupportedHost": "reticent_detectors.errors",
    "Verdict": "reticent.policy.verdict",
    "WrongType": "reticent_detectors.errors",
    "load_policy": "reticent.policy.loading",
}

_AROUND_A_MODEL = frozenset({"Answer", "Guard", "GuardedModel", "TextStream"})

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
    return lazy_name(__name__, _HOMES, name, "model" if name in _AROUND_A_MODEL else None)


def __dir__() -> list[str]:
    return sorted(__all__)
