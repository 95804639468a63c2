"""The plain text of an answer and of what stands before it, and where spans in it are in the answer as it stands."""

from __future__ import annotations

from reticent_detectors.finder.disguises.families import CHARACTERS, PREFIX
from reticent_detectors.finder.plain_text import PlainText
from reticent_detectors.spans import FindContext, Scan, Span

_LEFT_CHARS = 4096
"""How much of the text before the answer is read, in characters: more than any recogniser looks at."""


class PlainAnswer:
    """Reads the growing answer to a context. An escape may begin before the answer and end in it.

    Args:
        context: what stands before the answer as it stands.
    """

    def __init__(self, context: FindContext) -> None:
        left = PlainText()
        left.read(context.left[-_LEFT_CHARS:])
        self._left = left
        # Not the context itself, which keeps this object: a cycle would keep the prompt.
        self._decoded: FindContext | None = None
        self._begun = context.left[-_LEFT_CHARS:][left.read_chars :]
        self._answer = PlainText()
        if not left.is_source:
            chars = len(left.text) - left.offset(left.read_chars - min(context.model_chars, left.read_chars))
            self._decoded = context.behind(left.text, chars)

    def __repr__(self) -> str:
        return f"PlainAnswer({self._left!r}, {self._answer!r})"

    @classmethod
    def of(cls, context: FindContext) -> PlainAnswer:
        """Gives what was read of a context's answer so far."""
        read = context.read.get("plain")
        if not isinstance(read, PlainAnswer):
            read = context.read["plain"] = PlainAnswer(context)
        return read

    def plain_context(self, context: FindContext) -> FindContext:
        """Gives what stands before the answer as plain text, of the context that this was made for."""
        return context if self._decoded is None else self._decoded

    def read(self, answer: str, closed: bool) -> PlainText:
        """Gives the plain text of the answer so far."""
        source = self._begun + answer if self._begun else answer
        if closed:
            return self._answer.closed(source)
        self._answer.read(source)
        return self._answer

    def offset(self, text: PlainText, at: int) -> int:
        """Gives the offset in a plain text of an offset in the answer. The answer's beginning is that of the text."""
        return text.offset(at + len(self._begun)) if at else 0

    def scan(self, text: PlainText, scan: Scan) -> Scan:
        """Gives a scan of a plain text as one of the answer as it stands."""
        if text.is_source and self._left.is_source:
            return scan
        if scan.span is None:
            return Scan(None, max(0, text.source_start(scan.frontier) - len(self._begun)))
        span = self.span(text, scan.span)
        return Scan(span, span.end)

    def span(self, text: PlainText, span: Span) -> Span:
        """Gives a span of a plain text as one of the answer as it stands."""
        end = text.source_end(span.end) - len(self._begun)
        if span.start >= 0:
            start = text.source_start(span.start) - len(self._begun)
            written = text.is_written(span.start, span.end)
        else:
            before = len(self._left.text) + span.start
            start = self._left.source_start(before) - self._left.read_chars - len(self._begun)
            written = self._left.is_written(before, len(self._left.text)) and text.is_written(0, span.end)
        name = span.recognizer if written or span.recognizer.startswith(PREFIX) else CHARACTERS
        return Span(span.entity, start, end, name, span.fragment)
