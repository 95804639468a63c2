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
    from reticent.generate import GuardedModel
    from reticent.guard import Guard
    from reticent.modes import AfterRedaction
    from reticent.policy import Policy, Rule
    from reticent.policy_file import load_policy
    from reticent.prompt import Role, Segment
    from reticent.redaction import RedactionStyle
    from reticent.report import Report
    from reticent.run import Answer
    from reticent.verdict import Action, Decision, Origin, Tier, Verdict
    from reticent_detectors.entities import Entity
    from reticent_detectors.errors import Blocked, ReticentError

_HOMES = {
    "Action": "reticent.verdict",
    "AfterRedaction": "reticent.modes",
    "Answer": "reticent.run",
    "Blocked": "reticent_detectors.errors",
    "Decision": "reticent.verdict",
    "Entity": "reticent_detectors.entities",
    "Guard": "reticent.guard",
    "GuardedModel": "reticent.generate",
    "Origin": "reticent.verdict",
    "Policy": "reticent.policy",
    "RedactionStyle": "reticent.redaction",
    "Report": "reticent.report",
    "ReticentError": "reticent_detectors.errors",
    "Role": "reticent.prompt",
    "Rule": "reticent.policy",
    "Segment": "reticent.prompt",
    "Tier": "reticent.verdict",
    "Verdict": "reticent.verdict",
    "load_policy": "reticent.policy_file",
}

__all__ = [
    "Action",
    "AfterRedaction",
    "Answer",
    "Blocked",
    "Decision",
    "Entity",
    "Guard",
    "GuardedModel",
    "Origin",
    "Policy",
    "RedactionStyle",
    "Report",
    "ReticentError",
    "Role",
    "Rule",
    "Segment",
    "Tier",
    "Verdict",
    "__version__",
    "load_policy",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
