"""What stands in place of a redacted span.

A style is a function of the span and its decision, never of the text. Of a span that begins in the prompt only the
answer's part is replaced: `Call 555-` answered with `0100` becomes `Call 555-<PHONE_NUMBER>`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType

from reticent.verdict import Decision
from reticent_detectors.spans import Span

Redact = Callable[[Span, Decision], str]

UNDECIDED = "UNDECIDED"
"""Stands as entity of text that was held back up to the bound, or that no span finder could read."""


class RedactionStyle(StrEnum):
    """How a redacted span looks."""

    TAG = "tag"


def tag(span: Span, decision: Decision) -> str:
    """The entity's name in angle brackets, as Presidio's users know it: `<EMAIL_ADDRESS>`."""
    return f"<{span.entity}>"


STYLES: Mapping[RedactionStyle, Redact] = MappingProxyType({RedactionStyle.TAG: tag})
