"""Reports on guarded answers: decisions, counts and hold-back, without any text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reticent.core.stream_machine import StreamMachine
from reticent.core.stream_types import SpanRecord


@dataclass(frozen=True, slots=True)
class Report:
    """Records one answer in offsets, probabilities and counts. It holds no text and is safe to log.

    Attributes:
        spans: every decided span, in order.
        generated_chars: characters of the answer before redaction.
        released_chars: characters of the answer after redaction.
        most_held_chars: most characters that were held back at a time.
        most_held_tokens: most tokens that were held back at a time.
        most_held_seconds: longest time that text was held back.
        failures: pairs of a stage (`find`, `judge`, `redact`, `base`) and how often it failed.
        changed: whether anything was withheld.
        blocked: whether the policy stopped the answer.
        cut: whether the answer ended before the model did.
        second_looks_taken: doubtful spans that were read again under other names.
        second_looks_skipped: doubtful spans for which the policy's budget was spent.
    """

    spans: tuple[SpanRecord, ...]
    generated_chars: int
    released_chars: int
    most_held_chars: int
    most_held_tokens: int
    most_held_seconds: float
    failures: tuple[tuple[str, int], ...]
    changed: bool
    blocked: bool
    cut: bool
    second_looks_taken: int = 0
    second_looks_skipped: int = 0

    @classmethod
    def of(cls, machine: StreamMachine) -> Report:
        """Reports on a stream machine, usually a finished one."""
        chars, tokens, seconds = machine.most_held
        return cls(
            spans=machine.records,
            generated_chars=machine.generated_chars,
            released_chars=machine.released_chars,
            most_held_chars=chars,
            most_held_tokens=tokens,
            most_held_seconds=seconds,
            failures=tuple(sorted(machine.failures.items())),
            changed=machine.changed,
            blocked=machine.blocked,
            cut=machine.cut,
        )

    @classmethod
    def combined(cls, parts: Sequence[Report], spans: tuple[SpanRecord, ...]) -> Report:
        """Combines the reports of an answer's segments. `spans` have offsets into the whole answer."""
        failures: Counter[str] = Counter()
        for part in parts:
            failures.update(dict(part.failures))
        return cls(
            spans=spans,
            generated_chars=sum(part.generated_chars for part in parts),
            released_chars=sum(part.released_chars for part in parts),
            most_held_chars=max(part.most_held_chars for part in parts),
            most_held_tokens=max(part.most_held_tokens for part in parts),
            most_held_seconds=max(part.most_held_seconds for part in parts),
            failures=tuple(sorted(failures.items())),
            changed=any(part.changed for part in parts),
            blocked=parts[-1].blocked,
            cut=parts[-1].cut,
        )

    @property
    def counts(self) -> Counter[tuple[str, str, str]]:
        """Counts spans by entity, origin and action."""
        return Counter((r.entity, str(r.decision.verdict.origin), str(r.decision.action)) for r in self.spans)

    @property
    def would_stop(self) -> int:
        """Counts spans that passed only because of `monitor: true`."""
        return sum(record.decision.monitored_action is not None for record in self.spans)

    @property
    def overflows(self) -> int:
        """Counts how often held text reached its bound."""
        return sum(record.decision.reason == "overflow" for record in self.spans)

    def as_dict(self) -> dict[str, object]:
        """Gives the report in plain types, for JSON."""
        return {
            "spans": [_as_json(record) for record in self.spans],
            "generated_chars": self.generated_chars,
            "released_chars": self.released_chars,
            "most_held": {
                "chars": self.most_held_chars,
                "tokens": self.most_held_tokens,
                "seconds": self.most_held_seconds,
            },
            "failures": dict(self.failures),
            "overflows": self.overflows,
            "second_looks": {"taken": self.second_looks_taken, "skipped": self.second_looks_skipped},
            "would_stop": self.would_stop,
            "changed": self.changed,
            "blocked": self.blocked,
            "cut": self.cut,
        }


def _as_json(record: SpanRecord) -> dict[str, object]:
    decision, verdict = record.decision, record.decision.verdict
    return {
        "decision_id": record.decision_id,
        "entity": record.entity,
        "start": record.start,
        "end": record.end,
        "fragment": record.fragment,
        "recognizer": record.recognizer,
        "action": str(decision.action),
        "reason": str(decision.reason),
        "would": None if decision.monitored_action is None else str(decision.monitored_action),
        "origin": str(verdict.origin),
        "probability": verdict.probability,
        "cue": verdict.cue,
        "tier": str(verdict.tier),
        "base": verdict.base,
        "held_chars": record.held_chars,
        "held_tokens": record.held_tokens,
        "held_seconds": record.held_seconds,
    }
