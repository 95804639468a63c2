"""Says whether redacting spans of source code makes it harder to parse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reticent_bench.audits.code.language import Language, parse_errors
from reticent_detectors.errors import InputError
from reticent_detectors.spans import Span

REDACTED = "<REDACTED>"


@dataclass(frozen=True, slots=True)
class ParseCheck:
    """Numbers of ERROR and MISSING nodes of a source before and after redaction."""

    before: int
    after: int

    @property
    def adds_errors(self) -> bool:
        """Whether redaction adds such nodes."""
        return self.after > self.before


def redact(source: str, spans: Sequence[Span], replacement: str | Callable[[Span], str] = REDACTED) -> str:
    """Replaces the spans of a source text.

    Raises:
        InputError: a span is outside the text, or two of them overlap.
    """
    out, at = [], 0
    for span in sorted(spans, key=lambda span: (span.start, span.end)):
        if not at <= span.start <= span.end <= len(source):
            raise InputError(
                f"spans must lie within {len(source)} characters and not overlap, got {span.start}:{span.end} "
                f"behind {at}; sort and merge them first"
            )
        out += [source[at : span.start], replacement if isinstance(replacement, str) else replacement(span)]
        at = span.end
    return "".join([*out, source[at:]])


def check_redaction(
    source: str, language: Language, spans: Sequence[Span], replacement: str | Callable[[Span], str] = REDACTED
) -> ParseCheck:
    """Parses a source before and after its spans are redacted.

    Args:
        source: code without Markdown fences.
        language: its language.
        spans: what to redact, in characters.
        replacement: what replaces each span, or a function of the span such as a redactor's.

    Raises:
        InputError: a span is outside the text, two overlap, or the language is unknown.
        MissingExtra: tree-sitter or the grammar is not installed.
    """
    return ParseCheck(parse_errors(source, language), parse_errors(redact(source, spans, replacement), language))
