"""What a guarded answer went through: decisions, counts and hold-back, without a character of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reticent.release import SpanRecord
from reticent.stream import StreamMachine


@dataclass(frozen=True, slots=True)
class Report:
    """The record of one answer, in offsets, probabilities and counts; safe to log.

    `generated_chars` and `released_chars` count the answer before and after redaction. `most_held_*` is what was held
    back after any call at most. `second_looks_*` are doubtful spans of which the host was asked again under other names, and
    those for which the policy's budget was spent. `failures` counts by stage (`find`, `judge`, `redact`, `base`). `cut`: the answer ended before
    the model did.
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
        """The report of a stream machine, usually a finished one."""
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
    def joined(cls, parts: Sequence[Report], spans: tuple[SpanRecord, ...]) -> Report:
        """The report of an answer that was told in several segments; `spans` with offsets into all of it."""
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
        """Number of spans by entity, origin and action."""
        return Counter((r.entity, str(r.decision.verdict.origin), str(r.decision.action)) for r in self.spans)

    @property
    def would_stop(self) -> int:
        """Spans that only monitoring let pass."""
        return sum(record.decision.would is not None for record in self.spans)

    @property
    def overflows(self) -> int:
        """How often the hold-back met its bound."""
        return sum(record.decision.reason == "overflow" for record in self.spans)

    def as_dict(self) -> dict[str, object]:
        """Plain types, for JSON."""
        return {
            "spans": [_plain(record) for record in self.spans],
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


def _plain(record: SpanRecord) -> dict[str, object]:
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
        "would": None if decision.would is None else str(decision.would),
        "origin": str(verdict.origin),
        "probability": verdict.probability,
        "cue": verdict.cue,
        "tier": str(verdict.tier),
        "base": verdict.base,
        "held_chars": record.held_chars,
        "held_tokens": record.held_tokens,
        "held_seconds": record.held_seconds,
    }
