"""The span finder: personal data in a growing text, from left to right.

At every position where a value could begin, each recogniser says what matches there, or that more text could still
change it. Then the scan stops, and the next call resumes at that position: so a text gives the same spans
however it was cut. It is rule-based: it finds the kinds and wordings that its recognisers list, and no others.

Most words cannot begin a value, and the work is to see that cheaply. A word is not looked at before the character behind
it is known. Then it is *plain*, letters with a blank or a mark behind, and only recognisers that can begin with such a
word are asked (`Recognizer.plain`); the commonest words in small letters are passed unasked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import regex

from reticent_detectors.entities import UNDECIDED, Entity
from reticent_detectors.finder import cues
from reticent_detectors.finder.disguises import STARTS, Disguised
from reticent_detectors.finder.recognizers import NONE, OPEN, Recognizer
from reticent_detectors.finder.relations import ANNOUNCED, LEFT_CHARS, Question, Site, Strength
from reticent_detectors.finder.suppressed import Suppressed
from reticent_detectors.finder.table import recognizers as all_recognizers
from reticent_detectors.spans import FindContext, Scan, Span

_CONTEXT_CHARS = 256
TABLE_CHARS = 1024
"""How far back the head of a table is looked for."""
# Scripts that are written without blanks: there every letter stands alone, and a value may follow one directly.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
# Where a word begins, also behind the underscores of an emphasis, and symbols that values begin with. regex's search takes
# time in proportion to the rest of the text here.
_START = re.compile(
    rf"(?:(?<![^\W{_UNSPACED}])|(?<=(?<!\w)_)|(?<=(?<!\w)__))[^\W_{_UNSPACED}]|[$€£+({STARTS}]|(?<![\w:]):(?=:|\Z)"
)
# A word whose letters are followed by a blank or a mark that no value has inside.
_PLAIN = re.compile(rf"[^\W\d_{_UNSPACED}]{{1,64}}(?=[\s,;!?)\]}}\"”»…、。，！？；{_UNSPACED}]|$)")
# Words with which no value begins, whatever stands before them.
_INERT = cues.words(
    """about above after again all also although an and any are as at be because been before being below between both but by
    can cannot could did do does doing done during each either else ever every few for from further get gets got had has have
    having he her here hers herself him himself his how however if in into is it its itself just less let made make many may me
    might mine more most much must my myself neither nor not of off often on once only or other our ours out over own quite
    rather said same say says she should since so some such than that the their theirs them themselves then there these they
    this those though through thus to too under until up upon us very was we well were what when where whether which while who
    whom whose why will with within without would yet you your yours"""
)
# Of these, the words with which dates begin ("this morning", "many years ago").
_DATED = cues.words("about after before during every few last many some the these this")
_FOR_UTILITIES = regex.compile(
    r"(?i) (?:for|on|towards?|in) (?:(?:the|his|her|their|my|your) )?(?:utilit(?:y|ies)|electric(?:ity)?|gas|water|power|energy|heating)\b"
)


class _View(NamedTuple):
    """The answer with the end of the text before it: `text[offset:]` is the answer; spans begin at `first` or later."""

    text: str
    offset: int
    left: int
    question: Question
    first: int

    def site(self, p: int) -> Site:
        said = p - self.offset + self.left
        return Site(self.text, p, said if said <= 2 * LEFT_CHARS else None, self.question)


class SpanFinder:
    """Finds personal data from left to right; at one position the longest match wins, then the order of the recognisers.

    Args:
        recognizers: what can be found; all but the general kinds (`finder.recognizers()`) if not given.
        suppressed: values to be found anywhere, in any spelling.
    """

    def __init__(self, recognizers: Sequence[Recognizer] | None = None, suppressed: Sequence[Suppressed] = ()) -> None:
        self._recognizers = recognizers = tuple(all_recognizers() if recognizers is None else recognizers)
        self._suppressed = tuple(suppressed)
        self._disguised = tuple(r for r in recognizers if isinstance(r, Disguised))
        self._by_first = {
            (sort, plain): tuple(
                tuple(
                    r
                    for r in recognizers
                    if sort in (r.plain if plain else r.first) and r.loose is loose and not isinstance(r, Disguised)
                )
                for loose in (False, True)
            )
            for sort in "duls"
            for plain in (False, True)
        }
        self._dates = any(r.entity is Entity.DATE_TIME for r in recognizers)

    def __repr__(self) -> str:
        return f"SpanFinder({len(self._recognizers)} recognizers, {len(self._suppressed)} suppressed values)"

    def with_suppressed(self, entity: str, value: str) -> SpanFinder:
        """A finder that also finds `value` anywhere, in any spelling, as kind `entity`.

        Re-spelled: without regard to case, up to 3 other characters between its letters and digits. A value of fewer than 4
        letters and digits is found as it stands only, and only where no letter or digit touches it.
        """
        return SpanFinder(self._recognizers, (*self._suppressed, Suppressed(entity, value)))

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        """The next final span at or after `start`, or how far the text is decided.

        Args:
            text: the answer so far, all of it.
            start: 0, or the frontier of the last scan of a shorter or equal text.
            context: what stands before the answer.
            closed: whether the text is complete.

        Offsets are in characters. Only a scan from 0 reports spans that begin in `context.left`.
        """
        view = _view(text, start, context)
        p = view.first if start == 0 else start + view.offset
        while (p := self._next_start(view.text, p)) >= 0:
            entity, end, name = self._decide(view, p, closed)
            if end == OPEN:
                return Scan(None, max(0, p - view.offset))
            if end > view.offset:
                return Scan(Span(entity, p - view.offset, end - view.offset, name), end - view.offset)
            p = end if end else p + 1
        return Scan(None, len(text))

    def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
        """The first value in a tail that the end of the stream left undecided; None if all the rest is plain talk.

        Call it with the last frontier, then again from the span's end, until it returns None. A value that reaches the end of the
        text counts as cut (`fragment=True`), whether or not it is whole.
        """
        view = _view(text, start, context)
        p = view.first if start == 0 else start + view.offset
        while (p := self._next_start(view.text, p)) >= 0:
            entity, end, name = self._decide(view, p, True)
            if end != len(view.text):
                site = view.site(p)
                for recognizer in self._recognizers:
                    if recognizer.begins(view.text, p, site):
                        entity, end, name = _begun(recognizer, site), len(view.text), recognizer.name
                        break
                for value in self._suppressed:
                    if value.begins(view.text, p):
                        entity, end, name = value.entity, len(view.text), value.name
            if end > view.offset:
                return Span(entity, p - view.offset, end - view.offset, name, fragment=end == len(view.text))
            p = end if end else p + 1
        return None

    def _next_start(self, text: str, p: int) -> int:
        """The next position where any recogniser may begin; -1 if there is none."""
        match = _START.search(text, p)
        nearest = match.start() if match else -1
        for value in self._suppressed:
            other = value.next_start(text, p)
            if other >= 0 and (nearest < 0 or other < nearest):
                nearest = other
        return nearest

    def _decide(self, view: _View, p: int, closed: bool) -> tuple[str, int, str]:
        """(entity, end, recogniser) of what begins at p; end is NONE or OPEN if nothing does, or if it is not yet known."""
        text = view.text
        entity, end, name = "", NONE, ""
        for value in self._suppressed:
            found = value.at(text, p, closed)
            if found == OPEN:
                return "", OPEN, ""
            if found > end:
                entity, end, name = value.entity, found, value.name
        if _START.match(text, p):
            open_, other = self._recognize(view, p, closed)
            if open_:
                return "", OPEN, ""
            if other is not None and other[1] > end:
                entity, end, name = other if not name else (entity, other[1], name)
        # A value that must not be said again may stand inside: then the whole is such a value, to its farther end.
        inside = p + 1
        while self._suppressed and inside < end:
            for value in self._suppressed:
                found = value.at(text, inside, closed)
                if found == OPEN:
                    return "", OPEN, ""
                if found > NONE:
                    entity, end, name = value.entity, max(end, found), value.name
            inside += 1
        return entity, end, name

    def _recognize(self, view: _View, p: int, closed: bool) -> tuple[bool, tuple[str, int, str] | None]:
        """(whether it is not yet known, the best match)."""
        text = view.text
        plain = _PLAIN.match(text, p)
        if plain is not None:
            if plain.end() == len(text) and not closed:
                return True, None
            if plain[0] in _INERT and not (self._dates and plain[0] in _DATED):
                return False, None
        site = view.site(p)
        hidden: tuple[str, int, str] | None = None
        for disguised in self._disguised:
            found = disguised.found(text, p, site, closed)
            if not isinstance(found, int):
                hidden = found.entity, found.end, found.name
            elif found == OPEN:
                return True, None
        for group in self._by_first[_sort(text[p]), plain is not None]:
            best: tuple[int, bool, str, str] | None = None
            for recognizer in group:
                entity, end = recognizer.entity, recognizer.at(text, p, site, closed)
                if end == OPEN:
                    return True, None
                if end == NONE:
                    continue
                if isinstance(entity, Entity) and entity in ANNOUNCED and site.kinds.get(entity) is Strength.ASKED:
                    if end + 2 > len(text) and not closed:
                        return True, None
                    if not site.is_answer(entity, end):
                        continue
                rank = (end, entity in ANNOUNCED and site.question.entity is entity)
                if best is None or rank > best[:2]:
                    best = (*rank, self._entity(recognizer, view, site, end), recognizer.name)
            if best is not None and (hidden is None or best[0] >= hidden[1]):
                return False, (best[2], best[0], best[3])
            if hidden is not None:
                break
        return False, hidden

    def _entity(self, recognizer: Recognizer, view: _View, site: Site, end: int) -> str:
        """The kind of a match, where the words around it decide."""
        if recognizer.entity is None:
            return str(_amount(view, site, end))
        if self._dates and recognizer.entity is Entity.APPOINTMENT_DATE and recognizer.entity not in site.kinds:
            return str(Entity.DATE_TIME)
        return str(recognizer.entity)


def _view(text: str, start: int, context: FindContext) -> _View:
    question = _question(context)
    if not context.left or start >= TABLE_CHARS:
        return _View(text, 0, len(context.left), question, 0)
    left = context.left[-TABLE_CHARS:]
    return _View(left + text, len(left), len(context.left), question, max(0, len(left) - _CONTEXT_CHARS))


def _question(context: FindContext) -> Question:
    """The question, read once for a context."""
    question = context.read.get("question")
    if not isinstance(question, Question):
        question = context.read["question"] = Question(context.question)
    return question


def _begun(recognizer: Recognizer, site: Site) -> str:
    """The kind of a value that the end of the text cut short."""
    if isinstance(recognizer, Disguised):
        return UNDECIDED
    return str(recognizer.entity or site.amount())


def _sort(char: str) -> str:
    if char.isdigit():
        return "d"
    if char.isupper():
        return "u"
    return "l" if char.isalpha() else "s"


def _amount(view: _View, site: Site, end: int) -> Entity:
    return Entity.UTILITY_BILL if _FOR_UTILITIES.match(view.text, end, end + 48) else site.amount()
