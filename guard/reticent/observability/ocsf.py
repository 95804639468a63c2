"""Writes a decision of the log as an event of OCSF 1.8.0, for a SIEM: the class Data Security Finding (2006).

That class is for findings of data loss prevention, which this is: https://schema.ocsf.io/1.8.0/classes/data_security_finding
with the profile `security_control`. `unmapped` has the log's fields for which the class has no attribute.

| decision | `action_id` | `disposition_id` | `severity_id` |
|---|---|---|---|
| let pass | 1 Allowed | 1 Allowed | 1 Informational |
| flagged | 1 Allowed | 19 Alert | 2 Low |
| redacted | 4 Modified | 99 Other, "Redacted" | 3 Medium |
| blocked | 2 Denied | 2 Blocked | 3 Medium |
| let pass by `monitor: true`, which the policy would have stopped | 3 Observed | 15 Detected | 4 High |

There is no value in it, as there is none in the log.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from reticent._version import __version__
from reticent.observability.decision_lines import DecisionLine
from reticent.observability.decision_sentences import sentences
from reticent.policy.verdict import Action, Tier

VERSION = "1.8.0"
CLASS = 2006
_PRODUCT = {"name": "Reticent", "vendor_name": "Reticent", "version": __version__}
_LEARNING, _INDEXED, _RULE = 4, 11, 1
_ANALYTICS = {Tier.HIDDEN: _LEARNING, Tier.LOGPROBS: _LEARNING, Tier.RECORDS: _INDEXED, Tier.TEXT: _RULE}
"""`type_id` of what a verdict rests on."""
_UNMAPPED = (
    *("origin", "reason", "tier", "would", "route", "choice", "cue", "base", "threshold", "fragment"),
    *("start", "end", "chars", "held_chars", "held_tokens", "bundle"),
)


class _Outcome(NamedTuple):
    action_id: int
    action: str
    disposition_id: int
    disposition: str
    severity_id: int
    severity: str


_OUTCOMES = {
    Action.ALLOW: _Outcome(1, "Allowed", 1, "Allowed", 1, "Informational"),
    Action.FLAG: _Outcome(1, "Allowed", 19, "Alert", 2, "Low"),
    Action.REDACT: _Outcome(4, "Modified", 99, "Redacted", 3, "Medium"),
    Action.BLOCK: _Outcome(2, "Denied", 2, "Blocked", 3, "Medium"),
}
_MONITORED = _Outcome(3, "Observed", 15, "Detected", 4, "High")


def data_security_finding(line: DecisionLine) -> dict[str, Any]:
    """Gives the event of a decision, in plain types for JSON. Its id is the decision's."""
    outcome = _OUTCOMES[line.action] if line.would is None else _MONITORED
    said = line.model_dump(mode="json")
    words = sentences(said)
    milliseconds = round(line.time.timestamp() * 1000)
    event: dict[str, Any] = {
        "activity_id": 1,
        "activity_name": "Create",
        "category_uid": 2,
        "category_name": "Findings",
        "class_uid": CLASS,
        "class_name": "Data Security Finding",
        "type_uid": CLASS * 100 + 1,
        "type_name": "Data Security Finding: Create",
        "time": milliseconds,
        **outcome._asdict(),
        "is_alert": line.wanted is not Action.ALLOW,
        "status_id": 1,
        "status": "New",
        "message": f"{line.entity} in a model's answer. {words[1]}",
        "metadata": {
            "version": VERSION,
            "product": _PRODUCT,
            "profiles": ["security_control"],
            "log_name": "decision log",
            "uid": line.id,
            "correlation_uid": line.request,
            "sequence": line.n,
            "original_time": said["time"],
        },
        "finding_info": {
            "uid": line.id,
            "title": f"{line.entity} in a model's answer: {line.wanted}",
            "desc": " ".join(words),
            "types": [str(line.entity)],
            "created_time": milliseconds,
            "analytic": {"name": f"reticent {line.tier}", "type_id": _ANALYTICS[line.tier]},
        },
        "data_security": {
            "category_id": 1,
            "category": "Personal",
            "data_lifecycle_state_id": 2,
            "data_lifecycle_state": "Data in-Transit",
            "detection_system_id": 10,
            "detection_system": "Application-Level DLP",
            "detection_pattern": line.entity,
        },
        "unmapped": {name: said[name] for name in _UNMAPPED if said[name] is not None},
    }
    if line.policy:
        event["policy"] = {"uid": line.policy, "is_applied": line.would is None}
    if line.probability is not None:
        event["confidence_score"] = round(100 * line.probability)
    return event
