"""What policies were given to decide on, where whatever a detector judged reaches the threshold."""

from __future__ import annotations

import pytest

from reticent.core import failure_log
from reticent.policy.policy import Evidence, Policy
from reticent.policy.verdict import Decision


def noted_evidence(monkeypatch: pytest.MonkeyPatch) -> list[Evidence]:
    """A list that each decision adds its evidence to."""
    seen, decide = list[Evidence](), Policy.decide

    def noted(
        policy: Policy, entity: str, given: Evidence, value: str | None = None, fragment: bool = False
    ) -> Decision:
        seen.append(given)
        return decide(policy, entity, given, value, fragment)

    monkeypatch.setattr(Policy, "decide", noted)
    monkeypatch.setattr(Policy, "threshold", lambda policy, entity: 0.0)
    monkeypatch.setattr(failure_log, "_logged_kinds", set())
    return seen
