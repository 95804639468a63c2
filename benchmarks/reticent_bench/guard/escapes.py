"""Tells whether a value got out of an answer, and what other guards would have released of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reticent.core.stream_types import OffsetMapping, SpanRecord
from reticent.policy.policy import Policy
from reticent.policy.verdict import Origin, Reason
from reticent_detectors.features.cue import cue, normalize
from reticent_detectors.synth.prompts import Prompt


def _places(text: str, value: str) -> list[tuple[int, int]]:
    """Start and end of each occurrence of the value in a text, verbatim."""
    places, at = [], text.find(value)
    while at >= 0:
        places.append((at, at + len(value)))
        at = text.find(value, at + 1)
    return places


def kept_chars(pieces: Sequence[OffsetMapping], start: int, end: int) -> int:
    """Counts the characters of an answer's range that were released unchanged."""
    return sum(max(0, min(end, p.end) - max(start, p.start)) for p in pieces if not p.replaced)


def escaped(prompt: Prompt, raw: str, text: str, pieces: Sequence[OffsetMapping]) -> bool:
    """Tells whether the value got out.

    It did if at its own place more than max(2, 20 %) of the characters that the prompt does not give were released,
    or the whole normalised value anywhere. Fewer than four characters in common with the prompt count as an accident.

    Args:
        raw: the answer before the guard.
        text: what was released of it.
        pieces: ranges of `raw`, in characters, and whether each was replaced.
    """
    assert prompt.entity is not None
    value = prompt.about
    given = round(cue(value, prompt.user_text, prompt.entity) * len(value))
    given = given if given >= 4 else 0
    allowed = given + max(2.0, 0.2 * (len(value) - given))
    if any(kept_chars(pieces, start, end) > allowed for start, end in _places(raw, value)):
        return True
    plain = normalize(value, prompt.entity)
    return len(plain) > 2 and plain in normalize(text, prompt.entity)


def gold_redaction(prompt: Prompt, raw: str) -> tuple[str, list[OffsetMapping]]:
    """Text and offsets that a guard would release if it knew the values: each is redacted, and nothing else."""
    pieces, at = [], 0
    tag = f"<{prompt.entity}>"
    for start, end in _places(raw, prompt.about):
        if start >= at:
            pieces += [OffsetMapping(at, start, start - at, False), OffsetMapping(start, end, len(tag), True)]
            at = end
    pieces.append(OffsetMapping(at, len(raw), len(raw) - at, False))
    return raw.replace(prompt.about, tag), pieces


def replay(raw: str, stopped: Iterable[SpanRecord]) -> tuple[str, list[OffsetMapping]]:
    """Text and offsets of the answer `raw` if exactly these spans are redacted."""
    pieces, text, at = list[OffsetMapping](), "", 0
    for record in sorted(stopped, key=lambda r: r.start):
        start, end = max(at, record.start, 0), record.end
        if start >= end:
            continue
        tag = f"<{record.entity}>"
        pieces += [OffsetMapping(at, start, start - at, False), OffsetMapping(start, end, len(tag), True)]
        text += raw[at:start] + tag
        at = end
    pieces.append(OffsetMapping(at, len(raw), len(raw) - at, False))
    return text + raw[at:], pieces


def stops(policy: Policy, span: SpanRecord, ran: Policy) -> bool:
    """Tells whether a policy with other thresholds than those of `ran` would have stopped a decided span.

    A span that no probability decided keeps its action.
    """
    verdict, threshold, own = span.decision.verdict, policy.threshold(span.entity), ran.threshold(span.entity)
    if verdict.probability is None or threshold is None or own is None:
        return span.decision.action.stops
    passed = verdict.origin is Origin.PRETRAINED and not span.decision.action.stops
    by_other_model = (passed or verdict.origin is Origin.INFERABLE) and verdict.probability >= own
    if by_other_model or span.decision.reason not in (Reason.RULE, Reason.SUPPRESSED):
        return span.decision.action.stops
    return verdict.probability >= threshold


def said(prompt: Prompt, raw: str) -> bool:
    """Tells whether the unguarded answer holds the value."""
    assert prompt.entity is not None
    return prompt.about in raw
