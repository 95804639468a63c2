"""The span finder: personal data in a growing text, from left to right.

At every position where a value could begin, each recogniser gives its match, or OPEN: more text could change it.
At OPEN the scan stops, and the next call resumes there. So a text gives the same spans however it was cut.
Recognisers find what has a form, or stands in a field that says its kind. A tagger finds words without one.

Most words cannot begin a value, and the finder must see that cheaply.
It looks at a word once the character behind the word is known.
A *plain* word is of letters with a blank or a mark behind. Only recognisers that can begin with it are asked
(`Recognizer.plain_word_starts`). The commonest words in small letters are passed without asking any.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence

from reticent_detectors.entities import Entity
from reticent_detectors.finder.answer_window import AnswerWindow, answer_window
from reticent_detectors.finder.disguises.spelling_words import may_spell
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Recognizer
from reticent_detectors.finder.engine.suppressed import Suppressed, SuppressedValues
from reticent_detectors.finder.forms.asked_words import ASKED_WORDS
from reticent_detectors.finder.plain_answer import PlainAnswer
from reticent_detectors.finder.plain_text import plain_form_of
from reticent_detectors.finder.recognizer_matches import RecognizerMatches
from reticent_detectors.finder.recorded import RecordedValues
from reticent_detectors.finder.recorded_lookup import Records
from reticent_detectors.finder.recorded_scan import RecordedScan, merged
from reticent_detectors.finder.table import recognizers as all_recognizers
from reticent_detectors.finder.tagger import TAGGER, TAGGER_ANNOUNCED, TagNetwork, TagValue, shipped
from reticent_detectors.finder.tagger.likely import is_piece, is_told, may_be, may_be_name
from reticent_detectors.finder.tagger.names import name_end
from reticent_detectors.finder.word_starts import START, begins_nothing, is_inert
from reticent_detectors.spans import FindContext, Scan, Span

_TAIL_CHARS = 32
# Marks and blanks with which no value of the tagger ends.
_NO_END = " \t\n,;:.!?-–—([{\"'“„«*_|"
_SAMPLE = (
    "Her doctor is Jo Day. He lives at 12 High Street, Leeds: +1 415 555 0132, jo@example.org or jo@example.museum."
)


class SpanFinder:
    """Finds personal data from left to right. The longest match at a position wins, then the first recogniser.

    Args:
        recognizers: what can be found; None takes all but the general kinds, and the tagger of the package.
        suppressed: values that are found anywhere, in any spelling.
        tagger: finds values without a form, beside `recognizers`.

    Raises:
        MissingExtra: the tagger's ONNX Runtime is not installed.
    """

    def __init__(
        self,
        recognizers: Sequence[Recognizer] | None = None,
        suppressed: Sequence[Suppressed] = (),
        tagger: TagNetwork | None = None,
    ) -> None:
        rows = tuple(all_recognizers() if recognizers is None else recognizers)
        self._matches = RecognizerMatches(rows)
        self._recognizers, self._suppressed = self._matches.recognizers, SuppressedValues(tuple(suppressed))
        self._recorded: RecordedValues | None = None
        self._tagger = shipped() if recognizers is None and tagger is None else tagger

    def __repr__(self) -> str:
        return f"SpanFinder({len(self._recognizers)} recognizers, {len(self._suppressed)} suppressed values)"

    def warm(self) -> None:
        """Builds the tables that are otherwise built at first use, so that no first answer waits for them (0.2 s)."""
        context, start = FindContext(question="Who is her doctor?"), 0
        while (scan := self.next_span(_SAMPLE, start, context=context, closed=True)).span is not None:
            start = scan.frontier

    def with_suppressed(self, entity: str, value: str) -> SpanFinder:
        """Gives a finder that also finds `value` anywhere, in any spelling, as kind `entity`.

        Any spelling: without regard to case, with up to 3 other characters between its letters and digits.
        A value of fewer than 4 letters and digits is found only as written, with no letter or digit beside it.
        """
        finder = copy.copy(self)
        finder._suppressed = self._suppressed.and_value(Suppressed(entity, plain_form_of(value)))
        return finder

    def with_records(self, records: Records) -> SpanFinder:
        """Gives a finder that also finds recorded values wherever they stand, within other values too."""
        finder = copy.copy(self)
        finder._recorded = RecordedValues(records)
        return finder

    def untagged(self) -> SpanFinder:
        """Gives a finder by recognisers alone, for what no model wrote as running text: prompts, ids, codes."""
        finder = copy.copy(self)
        finder._tagger = None
        return finder

    def decided_without_tagger(self, text: str, start: int, *, context: FindContext) -> int:
        """Return how far a text is decided if the tagger does not wait for the end of its segment, in characters.

        What a recogniser waits for stays undecided, and so does what the tagger would take for a value now.

        Args:
            text, start, context: as of the last scan of the open text.
        """
        decided = self.untagged().next_span(text, start, context=context, closed=False)
        tagged = self.next_span(text, start, context=context, closed=True)
        return min(each.frontier if each.span is None else each.span.answer_start for each in (decided, tagged))

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        """Finds the next final span at or after `start`, or gives how far the text is decided.

        Offsets are in characters. Only a scan from 0 reports spans that begin in `context.left`.

        Args:
            text: the answer so far, all of it.
            start: 0, or the frontier of the last scan of a shorter or equal text.
            context: what stands before the answer.
            closed: whether the text is complete.
        """
        if self._recorded is None:
            return self._ordinary(text, start, context, closed)
        recorded = RecordedScan.of(context)
        known = recorded.known(text, start, self._matches, self._suppressed, self._tagger)
        if known.span is None:
            known = self._ordinary(text, known.frontier, context, closed)
            if not closed:
                recorded.keep(text, known, self._matches, self._suppressed, self._tagger)
        return merged(known, recorded.next_span(self._recorded, text, start, closed), self._recorded, text)

    def _ordinary(self, text: str, start: int, context: FindContext, closed: bool) -> Scan:
        """Scans without looking for recorded values."""
        answer = PlainAnswer.of(context)
        plain = answer.read(text, closed)
        before = answer.plain_context(context)
        scan = answer.scan(plain, self._next_span(plain.text, answer.offset(plain, start), before, closed))
        # What looked like the beginning of an escape may have been decided.
        return Scan(None, max(start, scan.frontier)) if scan.span is None else scan

    def _next_span(self, text: str, start: int, context: FindContext, closed: bool) -> Scan:
        known = None if closed or self._suppressed else self._between_words(text, start)
        if known is not None:
            return Scan(None, known)
        view = self._view(text, start, context)
        p = view.scan_start if start == 0 else start + view.offset
        while (p := self._next_start(view, p, closed)) >= 0:
            entity, end, name = self._decide(view, p, closed)
            if end == OPEN:
                return Scan(None, max(start, view.decided(p) - view.offset))
            if end > view.offset:
                return Scan(Span(entity, p - view.offset, end - view.offset, name), end - view.offset)
            p = end if end else p + 1
        return Scan(None, len(text) if closed else max(start, view.decided(len(view.text)) - view.offset))

    def _view(self, text: str, start: int, context: FindContext) -> AnswerWindow:
        return answer_window(text, start, context, self._tagger, self._matches.forms, self._matches)

    def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
        """Gives the first value in a tail that the end of the stream left undecided; None if there is none.

        Call it with the last frontier, then again from the span's end, until it returns None.
        A value that reaches the end of the text counts as cut (`fragment=True`), whether or not it is whole.
        """
        answer = PlainAnswer.of(context)
        plain = answer.read(text, True)
        found = self._fragment(plain.text, answer.offset(plain, start), answer.plain_context(context))
        span = None if found is None else answer.span(plain, found)
        if self._recorded is None:
            return span
        recorded = RecordedScan.of(context).next_span(self._recorded, text, start, True)
        return merged(Scan(span, len(text) if span is None else span.end), recorded, self._recorded, text).span

    def _fragment(self, text: str, start: int, context: FindContext) -> Span | None:
        view = self._view(text, start, context)._replace(is_cut=True)
        p = view.scan_start if start == 0 else start + view.offset
        held = p if self._tagger is None else self._held(view, text, start, context)
        while (p := self._next_start(view, p, True)) >= 0:
            entity, end, name = self._decide(view, p, True)
            if end != len(view.text) or name in (TAGGER, TAGGER_ANNOUNCED):
                begun = self._matches.begun(view, p) if p >= held else None
                if begun is not None:
                    entity, end, name = begun[0], len(view.text), begun[1]
            if end != len(view.text) and self._suppressed:
                value = self._suppressed.cut_at(view.text, p)
                if value is not None:
                    entity, end, name = value.entity, len(view.text), value.name
            if name in (TAGGER, TAGGER_ANNOUNCED):
                end = self._up_to_begun(view, p, entity, end)
            if end > view.offset:
                return Span(entity, p - view.offset, end - view.offset, name, fragment=end == len(view.text))
            p = end if end else p + 1
        return None

    def _held(self, view: AnswerWindow, text: str, start: int, context: FindContext) -> int:
        """Return where recognisers alone would wait for more text, in the window: before it they saw no value begin."""
        alone, at = self.untagged(), start
        while (scan := alone._next_span(text, at, context, False)).span is not None:
            at = scan.frontier
        return scan.frontier + view.offset if scan.frontier else view.scan_start

    def _up_to_begun(self, view: AnswerWindow, p: int, kind: str, end: int) -> int:
        """Cuts the tagger's value at p before a recogniser's value within it that the end of the text cut short."""
        q = p
        while (match := START.search(view.text, q + 1)) is not None and (q := match.start()) < end:
            begun = self._matches.begun(view, q)
            if begun is not None:
                return len(view.text) if begun[0] == kind else p + len(view.text[p:q].rstrip(_NO_END))
        return end

    def _between_words(self, text: str, start: int) -> int | None:
        """Gives how far a text is decided that ends in one or two words of letters.

        None if these words must be read for that.
        """
        tail = text[start : start + _TAIL_CHARS]
        if not start or text[start - 1 : start] != " " or len(tail) == _TAIL_CHARS or not tail.isascii():
            return None
        word, blank, rest = tail.partition(" ")
        if not word.isalpha() or (rest and not rest.isalpha()):
            return None
        if blank and begins_nothing(word):
            return start + len(word) + 1
        return start if may_spell(rest) else None

    def _next_start(self, view: AnswerWindow, p: int, closed: bool) -> int:
        """Gives the next position where any recogniser may begin; -1 if there is none."""
        match = START.search(view.text, p)
        nearest = view.next_form(p, match.start() if match else -1, closed)
        if not self._suppressed:
            return nearest
        other = self._suppressed.next_start(view.text, p, nearest if nearest >= 0 else None)
        return other if other >= 0 else nearest

    def _decide(self, view: AnswerWindow, p: int, closed: bool) -> tuple[str, int, str]:
        """Gives (entity, end, recogniser) of a value at p; the end is NONE without one, OPEN while it is unknown."""
        text = view.text
        entity, end, name = self._suppressed.at(text, p, closed) if self._suppressed else ("", NONE, "")
        if end == OPEN:
            return "", OPEN, ""
        if START.match(text, p) or view.next_form(p, -1, closed) == p:
            open_, other = self._recognize(view, p, closed)
            if open_:
                return "", OPEN, ""
            if other is not None and other[1] > end:
                entity, end, name = other if not name else (entity, other[1], name)
        # A suppressed value inside makes the whole a suppressed value, to the farther end.
        inside = p + 1
        while self._suppressed and (inside := self._suppressed.next_start(text, inside, end)) >= 0:
            other_entity, found, other_name = self._suppressed.at(text, inside, closed)
            if found == OPEN:
                return "", OPEN, ""
            if found > NONE:
                entity, end, name = other_entity, max(end, found), other_name
            inside += 1
        return entity, end, name

    def _recognize(self, view: AnswerWindow, p: int, closed: bool) -> tuple[bool, tuple[str, int, str] | None]:
        """Return whether it is not yet known, and the best match. The tagger adds what recognisers leave."""
        open_, best = self._matches.best(view, p, closed)
        if open_ or best is not None or view.tags is None or is_inert(view.text, p):
            return open_, best
        kind, end = view.asked_words(p, closed)
        if end != NONE:
            return end == OPEN, None if end == OPEN else (kind, end, ASKED_WORDS)
        found = view.tagged(p, closed)
        if found.end == OPEN:
            return True, None
        return self._up_to_others(view, p, found, closed) if found.kind else (False, None)

    def _up_to_others(
        self, view: AnswerWindow, p: int, found: TagValue, closed: bool
    ) -> tuple[bool, tuple[str, int, str] | None]:
        """Cuts the tagger's value at p where a recogniser's match begins within it."""
        text, q, end = view.text, p, found.end
        if found.kind == Entity.DOCTOR:
            end = name_end(text, end, closed)
            if end == OPEN:
                return True, None
        while (match := START.search(text, q + 1)) is not None and (q := match.start()) < end:
            open_, other = self._matches.best(view, q, closed)
            if open_:
                return True, None
            if other is not None:
                end = p + len(text[p:q].rstrip(_NO_END))
                break
        if end <= p or is_piece(found.kind, text, p) or not may_be_name(found.kind, text, p, end):
            return False, None
        if not may_be(found.kind, text[p:end]) or not (view.is_cut or is_told(found, text[p:end])):
            return False, None
        return False, (found.kind, end, TAGGER_ANNOUNCED if found.announced else TAGGER)
