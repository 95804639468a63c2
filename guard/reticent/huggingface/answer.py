"""Defines a guarded answer, as `generate`, `chat` and `inspect` return it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reticent.core.report import Report
from reticent.core.stream_types import OffsetMapping


@dataclass(frozen=True, slots=True)
class Answer:
    """Holds a guarded answer. Its `repr` shows no text.

    Attributes:
        text: what may be shown.
        report: what was decided.
        finish_reason: `stop`, `length` or `content_filter`; `abort` of a stream that was closed before its end.
        seconds: time spent in the guard itself, without the model's own.
        mappings: which characters of the model's answer were released, and which were replaced. After a rewind, that
            answer is all segments in order, without the characters that the rewind took back.
        ids: the token ids that `generate` returns for it, without padding.
        stage_seconds: time spent in the guard, by stage.
        rewinds: how often the model was set back.
    """

    text: str
    report: Report
    finish_reason: str
    seconds: float
    mappings: tuple[OffsetMapping, ...] = ()
    ids: tuple[int, ...] = field(default=(), repr=False)
    stage_seconds: Mapping[str, float] = field(default_factory=dict)
    rewinds: int = 0

    def __repr__(self) -> str:
        return f"Answer(<{len(self.text)} chars>, finish_reason={self.finish_reason!r}, spans={len(self.report.spans)})"
