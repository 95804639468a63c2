"""Decisions as OCSF events: each is valid by OCSF's own schema of the class, and says what the log says."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator
from test_incidents import FIELDS, decision_line

from reticent import __version__
from reticent.observability.ocsf import CLASS, VERSION, data_security_finding
from reticent.policy.verdict import Action, Origin, Reason, Tier

ocsf = pytest.importorskip("ocsf_json_schema", reason="it brings OCSF's schema, and dev brings it")


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """The class with the objects that it names, as the schema of OCSF defines them. It allows no other attributes."""
    whole = ocsf.OcsfJsonSchemaEmbedded(ocsf.get_ocsf_schema(version=VERSION))
    name = whole.lookup_class_name_from_uid(CLASS)
    found: dict[str, Any] = whole.get_class_schema(name, profiles=["security_control"])
    return found


def test_every_decision_is_a_valid_event(schema: dict[str, Any]) -> None:
    validator = Draft202012Validator(schema)
    for action, origin, reason, tier in product(Action, Origin, Reason, Tier):
        for would in (None, *([Action.REDACT, Action.BLOCK] if action is Action.ALLOW else [])):
            line = decision_line(action=action, origin=origin, reason=reason, tier=tier, would=would)
            event = json.loads(json.dumps(data_security_finding(line)))
            assert list(validator.iter_errors(event)) == []
    unknown = {"probability": None, "threshold": None, "cue": None, "policy": ""}
    for more in (unknown, {"start": -4, "fragment": True}, {"bundle": "bb", "base": -0.5}):
        assert validator.is_valid(data_security_finding(decision_line(**more)))


def test_the_schema_refuses_what_is_no_event(schema: dict[str, Any]) -> None:
    """So a valid event says something."""
    validator, event = Draft202012Validator(schema), data_security_finding(decision_line())
    for name, value in {"class_uid": 2004, "time": "noon", "disposition_id": 77, "entity": "X", "policy": {}}.items():
        assert not validator.is_valid({**event, name: value}), name
    for name in ("finding_info", "metadata", "severity_id", "time", "type_uid"):
        assert not validator.is_valid({key: value for key, value in event.items() if key != name}), name


def test_captions_are_those_of_the_schema() -> None:
    attributes = ocsf.get_ocsf_schema(version=VERSION)["classes"]["data_security_finding"]["attributes"]
    for action, would in [*((each, None) for each in Action), (Action.ALLOW, Action.BLOCK)]:
        event = data_security_finding(decision_line(action=action, would=would))
        for name in ("action", "disposition", "severity", "status"):
            caption = attributes[f"{name}_id"]["enum"][str(event[f"{name}_id"])]["caption"]
            assert caption == ("Other" if event[name] == "Redacted" else event[name])
        assert attributes["type_uid"]["enum"][str(event["type_uid"])]["caption"] == event["type_name"]


def test_an_event_says_what_the_log_says() -> None:
    event = data_security_finding(decision_line())
    assert (event["class_uid"], event["type_uid"], event["time"]) == (2006, 200601, 1_898_596_800_000)
    assert (event["action"], event["disposition"], event["severity"]) == ("Modified", "Redacted", "Medium")
    assert event["metadata"]["uid"] == event["finding_info"]["uid"] == FIELDS["id"]
    assert event["metadata"]["correlation_uid"] == FIELDS["request"]
    assert event["metadata"]["product"] == {"name": "Reticent", "vendor_name": "Reticent", "version": __version__}
    assert (event["policy"], event["confidence_score"]) == ({"uid": "aa", "is_applied": True}, 90)
    assert event["finding_info"]["types"] == ["PHONE_NUMBER"]
    assert event["message"] == (
        "PHONE_NUMBER in a model's answer. "
        "It was redacted, because the policy's rule for this entity and origin says so."
    )
    assert event["unmapped"]["origin"] == "memorized" and event["unmapped"]["held_tokens"] == 3


@pytest.mark.parametrize(
    ("action", "would", "expected"),
    [
        ("allow", None, ("Allowed", "Allowed", "Informational", False)),
        ("flag", None, ("Allowed", "Alert", "Low", True)),
        ("block", None, ("Denied", "Blocked", "Medium", True)),
        ("allow", "redact", ("Observed", "Detected", "High", True)),
    ],
)
def test_what_happened_and_how_grave_it_is(action: str, would: str | None, expected: tuple[Any, ...]) -> None:
    event = data_security_finding(decision_line(action=action, would=would))
    assert tuple(event[name] for name in ("action", "disposition", "severity", "is_alert")) == expected
    assert event["policy"]["is_applied"] is (would is None)
