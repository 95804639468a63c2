"""Defines the releases of a stream, their offset mappings, decided spans and suppressed values.

Only `Release.text` and `Suppressed.value` can hold text, and no `repr` shows it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from reticent.policy.verdict import Action, Decision, Origin, Verdict


class OffsetMapping(NamedTuple):
    """Maps characters `start` to `end` of the answer to `length` characters of a release.

    `replaced` says whether the text differs.
    """

    start: int
    end: int
    length: int
    replaced: bool


@dataclass(frozen=True, slots=True)
class Release:
    """Holds text that leaves now. After `blocked` nothing leaves. `mappings` gives its offsets in the answer."""

    text: str
    blocked: bool = False
    mappings: tuple[OffsetMapping, ...] = ()

    def __repr__(self) -> str:
        return f"Release(text=<{len(self.text)} chars>, blocked={self.blocked}, pieces={len(self.mappings)})"


@dataclass(frozen=True, slots=True)
class SpanRecord:
    """Records a decided span, without its text.

    Attributes:
        entity: its kind, a name of `Entity` or one of your own.
        start: first character in the answer. It is negative where the span begins in the prompt.
        end: first character behind it.
        fragment: whether the end of the answer cut the value short.
        recognizer: what found it.
        decision: what was decided, and why.
        held_chars: characters that were held back when it was decided.
        held_tokens: tokens that were held back then.
        held_seconds: how long its text had waited.
        decision_id: random name of the decision, in logs and reports and for `reticent explain`.
    """

    entity: str
    start: int
    end: int
    fragment: bool
    recognizer: str
    decision: Decision
    held_chars: int
    held_tokens: int
    held_seconds: float
    decision_id: str = ""

    @property
    def origin(self) -> Origin:
        """Says where the value came from."""
        return self.decision.verdict.origin

    @property
    def probability(self) -> float | None:
        """Gives the probability, 0 to 1, that the weights remembered it; None if nothing measured that."""
        return self.decision.verdict.probability

    @property
    def action(self) -> Action:
        """Says what happened to it."""
        return self.decision.action


@dataclass(frozen=True, slots=True)
class Suppressed:
    """Holds a value that no choice of the request may repeat. Lives as long as the request."""

    entity: str
    value: str
    verdict: Verdict

    def __repr__(self) -> str:
        return f"Suppressed(entity={self.entity!r}, value=<{len(self.value)} chars>)"
