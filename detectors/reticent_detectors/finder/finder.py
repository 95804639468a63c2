"""The span finder: personal data in a growing text, from left to right.

At every position where a value could begin, each recogniser says what matches there, or that more text could still
change it. Then the scan stops, and the next call resumes at that position: so a text gives the same spans
however it was cut. It is rule-based: it finds the kinds and wordings that its recognisers list, and no others.

Most words cannot begin a value, and the work is to see that cheaply. A word is not looked at before the character behind
it is known. Then it is *plain*, letters with a blank or a mark behind, and only recognisers that can begin with such a
word are asked (`Recognizer.plain`); the commonest words in small letters are passed unasked.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import NamedTuple

import regex

from reticent_detectors.entities import UNDECIDED, Entity
from reticent_detectors.finder.announced.phrase_ends import NOTHING_MORE
from reticent_detectors.finder.context.announcements import ANNOUNCED, Strength
from reticent_detectors.finder.context.left_context import LEFT_CHARS
from reticent_detectors.finder.context.question import Question
from reticent_detectors.finder.context.site import Site
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.disguises.disguises import Disguised
from reticent_detectors.finder.disguises.escapes import STARTS
from reticent_detectors.finder.disguises.families import says_nothing
from reticent_detectors.finder.disguises.spelling_words import may_spell
from reticent_detectors.finder.engine.dispatch import Dispatch, character_class
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Pattern, Recognizer
from reticent_detectors.finder.engine.suppressed import Suppressed
from reticent_detectors.finder.engine.waiting import Waiting
from reticent_detectors.finder.engine.word_cache import WordCache
from reticent_detectors.finder.languages.wordings import Known
from reticent_detectors.finder.span_check import Check
from reticent_detectors.finder.table import recognizers as all_recognizers
from reticent_detectors.finder.tagger import TAGGER, TagNetwork, TagReading
from reticent_detectors.finder.tagger.names import name_end
from reticent_detectors.finder.tagger.reading import is_piece, may_be
from reticent_detectors.spans import FindContext, Scan, Span

_CONTEXT_CHARS = 256
_TAIL_CHARS = 32
TABLE_CHARS = 1024
"""How far back the head of a table is looked for."""
# Scripts that are written without blanks: there every letter stands alone, and a value may follow one directly.
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
# Where a word begins, also behind the underscores of an emphasis, and symbols that values begin with. regex's search takes
# time in proportion to the rest of the text here.
START = re.compile(
    rf"(?:(?<![^\W{UNSPACED}])|(?<=(?<!\w)_)|(?<=(?<!\w)__))(?:[^\W_{UNSPACED}]|(?<!\d)\d)|[$€£+({STARTS}]|(?<![\w.,:/-])[-−](?=\d|\Z)|(?<![\w:]):(?=:|\Z)"
)
# A word of letters, also with an apostrophe or a hyphen inside, before a blank or a mark that no value has inside.
_PLAIN = re.compile(
    rf"[^\W\d_{UNSPACED}]{{1,64}}(?:['’-][^\W\d_{UNSPACED}]{{1,32}}){{0,3}}(?=[\s,;!?)\]}}\"”»…、。，！？；{UNSPACED}]|[.:](?:\s|$)|$)"
)
# What stands behind such a word while the next word may still grow.
_GROWING = re.compile(r"[\s,;!?)\]}\"”»….:]{1,4}([^\W_]{0,32})\Z")
# What stands in place of a value that was redacted.
_TAG = regex.compile(rf"(?:{'|'.join([*Entity, UNDECIDED])})(?:_[0-9a-f]{{6}})?>")
# Words with which no value begins, whatever stands before them.
_INERT = word_set(
    """about above after again all also although an and any are as at be because been before being below between both but by
    can cannot could did do does doing done during each either else ever every few for from further get gets got had has have
    having he her here hers herself him himself his how however if in into is it its itself just less let made make many may me
    might mine more most much must my myself neither nor not of off often on once only or other our ours out over own quite
    rather said same say says she should since so some such than that the their theirs them themselves then there these they
    this those though through thus to too under until up upon us very was we well were what when where whether which while who
    whom whose why will with within without would yet you your yours
    able across against ago almost alone already always among another answered anything appeared asked away became become began
    begin behind believe beside besides better beyond bring brought called came carried caught certainly close come comes coming cried decided
    drew enough especially even everyone everything except fell felt find followed found full gave getting give given gives giving glad
    go goes going gone grew happened hardly hear heard held indeed instead keep kept knew know known knows laughed learned leave like liked likely
    lived looked looking lost makes making maybe mean meant nearly need needed never next nice nobody nothing now nowhere opened
    ought passed perhaps pleased presently probably put quickly ran reached really remained remember replied returned sat saw see seem seemed
    seems seen sent shall simply sit sitting slowly somebody somehow someone something sometimes somewhere soon sorry spoke standing
    started still stood stopped struck suddenly suppose take taken takes taking tell thing things think thinking thought
    together told took toward towards tried trying turned turning understand understood used usually walked want wanted wants went
    wished wondered yes"""
)
# Of these, the words with which dates begin ("this morning", "many years ago").
_DATED = word_set("about after before during every few last many next now some the these this")
# What finds keys by their look alone: sentences in base64 look so, too.
_RANDOM = frozenset({"random-key", "ethereum"})
# Marks and blanks that no value of the tagger ends with.
_NO_END = " \t\n,;:.!?-–—([{\"'“„«*_|"
# Kinds without a form, of which the tagger often sees the end or the beginning better than recognisers do.
_LENGTHENED = frozenset(
    {Entity.JOB_TITLE, Entity.EMPLOYER, Entity.DIAGNOSIS, Entity.DOCTOR, Entity.HOSPITAL, Entity.PRESCRIPTION}
)
_FOR_UTILITIES = regex.compile(
    r"(?i) (?:for|on|towards?|in) (?:(?:the|his|her|their|my|your) )?(?:utilit(?:y|ies)|electric(?:ity)?|gas|water|power|energy|heating)\b"
)


_SAMPLE = "Her doctor is Jo Day. He lives at 12 High Street, Leeds: +1 415 555 0132, jo@example.org."


class _AnswerWindow(NamedTuple):
    """The answer with the end of the text before it: `text[offset:]` is the answer; spans begin at `first` or later."""

    text: str
    offset: int
    said: int
    question: Question
    first: int
    known: dict[int, Known]
    tags: TagReading | None
    answer: str
    waiting: Waiting | None = None

    def tagged(self, p: int, closed: bool) -> tuple[str, int]:
        """The kind and the end of what the tagger finds at p; the end is NONE or OPEN if it finds nothing, or not yet."""
        if self.tags is None or p < self.offset:
            return "", NONE
        kind, end = self.tags.value_at(self.answer, p - self.offset, closed)
        return kind, end if end in (NONE, OPEN) else end + self.offset

    def site(self, p: int) -> Site:
        said = p - self.offset + self.said
        return Site(self.text, p, said if said <= 2 * LEFT_CHARS else None, self.question, self.known)


class SpanFinder:
    """Finds personal data from left to right. The longest match at a position wins, then the first recogniser.

    Args:
        recognizers: what can be found; None takes all but the general kinds.
        suppressed: values that are found anywhere, in any spelling.
        check: drops proposals that are unlikely to be values of their kind; None keeps all.
        tagger: finds values that nothing announces; None leaves them out.
    """

    def __init__(
        self,
        recognizers: Sequence[Recognizer] | None = None,
        suppressed: Sequence[Suppressed] = (),
        check: Check | None = None,
        tagger: TagNetwork | None = None,
    ) -> None:
        self._check, self._tagger = check, tagger
        self._recognizers = recognizers = tuple(all_recognizers() if recognizers is None else recognizers)
        self._suppressed = tuple(suppressed)
        self._disguised = tuple(r for r in recognizers if isinstance(r, Disguised))
        self._dispatch = Dispatch(recognizers, [r for r in recognizers if not isinstance(r, Disguised)])
        self._dates = any(r.entity is Entity.DATE_TIME for r in recognizers)

    def __repr__(self) -> str:
        return f"SpanFinder({len(self._recognizers)} recognizers, {len(self._suppressed)} suppressed values)"

    def warm(self) -> None:
        """Builds the tables that are otherwise built when first asked for, so that no first answer waits for them (0.2 s)."""
        context, start = FindContext(question="Who is her doctor?"), 0
        while (scan := self.next_span(_SAMPLE, start, context=context, closed=True)).span is not None:
            start = scan.frontier

    def with_suppressed(self, entity: str, value: str) -> SpanFinder:
        """A finder that also finds `value` anywhere, in any spelling, as kind `entity`.

        Re-spelled: without regard to case, up to 3 other characters between its letters and digits. A value of fewer than 4
        letters and digits is found as it stands only, and only where no letter or digit touches it.
        """
        finder = copy.copy(self)
        finder._suppressed = (*self._suppressed, Suppressed(entity, value))
        return finder

    def untagged(self) -> SpanFinder:
        """A finder by recognisers alone, for what no model wrote as running text: prompts, ids, codes."""
        finder = copy.copy(self)
        finder._tagger = None
        return finder

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        """Finds the next final span at or after `start`, or says how far the text is decided.

        Offsets are in characters. Only a scan from 0 reports spans that begin in `context.left`.

        Args:
            text: the answer so far, all of it.
            start: 0, or the frontier of the last scan of a shorter or equal text.
            context: what stands before the answer.
            closed: whether the text is complete.
        """
        known = None if closed or self._suppressed else self._between_words(text, start)
        if known is not None:
            return Scan(None, known)
        view = self._view(text, start, context)
        waiting = None if closed else _waiting(context)
        view = view._replace(waiting=waiting)
        p = view.first if start == 0 else start + view.offset
        while (p := self._next_start(view.text, p)) >= 0:
            if waiting is not None:
                waiting.resume(view.text, p, view.offset, self._dispatch)
            entity, end, name = self._decide(view, p, closed)
            if end == OPEN:
                if waiting is not None:
                    waiting.keep(view.text, view.offset, self._dispatch)
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
        view = self._view(text, start, context)
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
            if name == TAGGER:
                end = self._up_to_begun(view, p, entity, end)
            if end > view.offset:
                return Span(entity, p - view.offset, end - view.offset, name, fragment=end == len(view.text))
            p = end if end else p + 1
        return None

    def _view(self, text: str, start: int, context: FindContext) -> _AnswerWindow:
        question, words, tags = _question(context), context.read.get("words"), self._tags(context)
        if not isinstance(words, WordCache):
            words = context.read["words"] = WordCache()
        if not context.left or start >= TABLE_CHARS:
            return _AnswerWindow(text, 0, context.said, question, 0, words.of(text, 0, start), tags, text)
        left = context.left[-TABLE_CHARS:]
        first = max(0, len(left) - _CONTEXT_CHARS)
        known = words.of(left + text, len(left), start + len(left) if start else first)
        return _AnswerWindow(left + text, len(left), context.said, question, first, known, tags, text)

    def _up_to_begun(self, view: _AnswerWindow, p: int, kind: str, end: int) -> int:
        """Where what the tagger found at p ends, if a recogniser's value begins within it that the end of the text cut short."""
        q = p
        while (match := START.search(view.text, q + 1)) is not None and (q := match.start()) < end:
            site = view.site(q)
            for recognizer in self._recognizers:
                if recognizer.begins(view.text, q, site):
                    same = _begun(recognizer, site) == kind
                    return len(view.text) if same else p + len(view.text[p:q].rstrip(_NO_END))
        return end

    def _tags(self, context: FindContext) -> TagReading | None:
        """What the tagger read of the answer so far."""
        if self._tagger is None:
            return None
        tags = context.read.get("tags")
        if not isinstance(tags, TagReading) or tags.network is not self._tagger:
            before = context.left[-context.said :] if context.said else ""
            tags = context.read["tags"] = TagReading(self._tagger, before)
        return tags

    def _between_words(self, text: str, start: int) -> int | None:
        """How far a text that ends in one or two words of letters is decided, where that takes no look at them; else None."""
        tail = text[start : start + _TAIL_CHARS]
        if not start or text[start - 1] != " " or len(tail) == _TAIL_CHARS or not tail.isascii():
            return None
        word, blank, rest = tail.partition(" ")
        if not word.isalpha() or (rest and not rest.isalpha()):
            return None
        if blank and self._begins_nothing(word):
            return start + len(word) + 1
        return start if may_spell(rest) else None

    def _next_start(self, text: str, p: int) -> int:
        """The next position where any recogniser may begin; -1 if there is none."""
        match = START.search(text, p)
        nearest = match.start() if match else -1
        for value in self._suppressed:
            other = value.next_start(text, p)
            if other >= 0 and (nearest < 0 or other < nearest):
                nearest = other
        return nearest

    def _decide(self, view: _AnswerWindow, p: int, closed: bool) -> tuple[str, int, str]:
        """(entity, end, recogniser) of what begins at p; end is NONE or OPEN if nothing does, or if it is not yet known."""
        text = view.text
        entity, end, name = "", NONE, ""
        for value in self._suppressed:
            found = value.at(text, p, closed)
            if found == OPEN:
                return "", OPEN, ""
            if found > end:
                entity, end, name = value.entity, found, value.name
        if START.match(text, p):
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

    def _recognize(self, view: _AnswerWindow, p: int, closed: bool) -> tuple[bool, tuple[str, int, str] | None]:
        """(whether it is not yet known, the best match).

        What recognisers find stays as it is: the tagger adds what they leave, and lengthens their matches of the kinds `_LENGTHENED`.
        """
        waiting = view.waiting
        if waiting is not None and waiting.decided:
            open_, best = False, waiting.best
        else:
            open_, best = self._by_recognizers(view, p, closed)
            if waiting is not None and not open_:
                waiting.decided, waiting.best = True, best
        if open_ or view.tags is None or (best is not None and best[0] not in _LENGTHENED):
            return open_, best
        if best is None and self._is_inert(view.text, p):
            return False, None
        kind, end = view.tagged(p, closed)
        if end == OPEN:
            return True, None
        if best is not None and (kind != best[0] or end <= best[1]):
            return False, best
        return self._up_to_others(view, p, kind, end, closed, best) if end else (False, None)

    def _up_to_others(
        self, view: _AnswerWindow, p: int, kind: str, end: int, closed: bool, best: tuple[str, int, str] | None
    ) -> tuple[bool, tuple[str, int, str] | None]:
        """What the tagger found at p, cut off where another match of recognisers begins within it; `best` is theirs at p."""
        text, q = view.text, p if best is None else best[1] - 1
        if best is None and kind == Entity.DOCTOR:
            end = name_end(text, end, closed)
            if end == OPEN:
                return True, None
        while (match := START.search(text, q + 1)) is not None and (q := match.start()) < end:
            open_, other = self._by_recognizers(view, q, closed)
            if open_:
                return True, None
            if other is None:
                continue
            if other[0] == kind and kind in _LENGTHENED:
                end = max(end, other[1])
            else:
                end = p + len(text[p:q].rstrip(_NO_END))
                break
            q = other[1] - 1
        if best is not None:
            return False, (kind, end, best[2]) if end > best[1] else best
        cut = closed and end == len(text)
        if end <= p or is_piece(kind, text, p):
            return False, None
        return False, (kind, end, TAGGER) if cut or may_be(kind, text[p:end]) else None

    def _is_inert(self, text: str, p: int) -> bool:
        """Whether a word with which no value begins, or what stands in place of a redacted value, is at p."""
        if p and text[p - 1] == "<" and _TAG.match(text, p):
            return True
        plain = _PLAIN.match(text, p)
        return plain is not None and self._begins_nothing(plain[0])

    def _begins_nothing(self, word: str) -> bool:
        return word in _INERT and not (self._dates and word in _DATED)

    def _by_recognizers(self, view: _AnswerWindow, p: int, closed: bool) -> tuple[bool, tuple[str, int, str] | None]:  # noqa: C901, PLR0912 - each part would cost a call at every word
        """The same of recognisers alone."""
        text = view.text
        if p and text[p - 1] == "<" and (tag := _TAG.match(text, p, partial=not closed)):
            return tag.partial, None
        plain = _PLAIN.match(text, p)
        if plain is not None:
            if not closed and text[plain.end() :] in ("", ".", ":"):
                return True, None
            if self._begins_nothing(plain[0]):
                return False, None
            growing = None if closed or len(text) - plain.end() > 40 else _GROWING.match(text, plain.end())
            if growing is not None and may_spell(growing[1]):
                return True, None
        site, sort, waiting = view.site(p), character_class(text[p]), view.waiting
        if waiting is not None:
            waiting = waiting.take(site) if waiting.p == p else None
        announced = frozenset((*site.announced, *site.framed))
        if plain is None:
            strict, loose = self._dispatch.elsewhere(text, p, sort, announced)
        else:
            mark = text[plain.end() : plain.end() + 1]
            strict, loose = self._dispatch.at_word(plain[0], mark, site.word_before, sort, announced)
        if waiting is not None and (asked := waiting.opened_by) is not None:
            if any(r is asked for r in strict) and asked.at(text, p, site, closed) == OPEN:
                return True, None
            waiting.opened_by = None
        open_, best = self._longest(strict, view, p, site, closed, waiting)
        if open_:
            return True, None
        hidden: tuple[str, int, str] | None = None
        for disguised in self._disguised:
            found = disguised.found(text, p, site, closed, "" if best is None else text[p : best[1]])
            if not isinstance(found, int):
                hidden = found.entity, found.end, found.name
            elif found == OPEN:
                return True, None
        if hidden is None and best is not None and best[2] in _RANDOM and says_nothing(text, p, best[1]):
            best = None
        if hidden is not None:
            return False, hidden if best is None or best[1] < hidden[1] else best
        return (False, best) if best is not None else self._longest(loose, view, p, site, closed)

    def _longest(
        self,
        group: tuple[Recognizer, ...],
        view: _AnswerWindow,
        p: int,
        site: Site,
        closed: bool,
        waiting: Waiting | None = None,
    ) -> tuple[bool, tuple[str, int, str] | None]:
        """(whether it is not yet known, the longest match of a group)."""
        text = view.text
        best: tuple[int, bool, str, str] | None = None
        for recognizer in group:
            entity, end = recognizer.entity, recognizer.at(text, p, site, closed)
            if end == OPEN:
                if waiting is not None:
                    waiting.opened_by = recognizer
                return True, None
            if end == NONE:
                continue
            if isinstance(entity, Entity) and entity in ANNOUNCED and site.kinds.get(entity) is Strength.ASKED:
                if end + 2 > len(text) and not closed:
                    return True, None
                if not site.is_answer(entity, end):
                    continue
            if self._is_told_by_another_question(recognizer, site):
                if not NOTHING_MORE.fullmatch(text, end):
                    continue
                if not closed:
                    return True, None
            rank = (end, entity in ANNOUNCED and site.question.entity is entity)
            if best is None or rank > best[:2]:
                kind = self._entity(recognizer, view, site, end)
                if not self._is_refused(kind, recognizer.name, view, p, end, site):
                    best = (*rank, kind, recognizer.name)
        return False, None if best is None else (best[2], best[0], best[3])

    def _is_refused(self, kind: str, name: str, view: _AnswerWindow, p: int, end: int, site: Site) -> bool:
        """Whether the check drops a match. What a label names ("Gas bill: ...") stays."""
        if self._check is None or site.kinds.get(kind) is Strength.LABEL:  # type: ignore[call-overload]
            return False
        return self._check.refuses(kind, name, view.text, p, end, view.offset)

    def _is_told_by_another_question(self, recognizer: Recognizer, site: Site) -> bool:
        """Whether nothing but a question that is not the last one makes a number one of its kind ("1572 people live there")."""
        if not (isinstance(recognizer, Pattern) and recognizer.cued) or recognizer.entity is None:
            return False
        return site.kinds.get(recognizer.entity) is Strength.ASKED and recognizer.entity in site.question.others

    def _entity(self, recognizer: Recognizer, view: _AnswerWindow, site: Site, end: int) -> str:
        """The kind of a match, where the words around it decide."""
        if recognizer.entity is None:
            return str(_amount(view, site, end))
        if self._dates and recognizer.entity is Entity.APPOINTMENT_DATE and recognizer.entity not in site.kinds:
            return str(Entity.DATE_TIME)
        return str(recognizer.entity)


def _waiting(context: FindContext) -> Waiting:
    """What is kept of the position at which the scan of a context's text waits."""
    waiting = context.read.get("waiting")
    if not isinstance(waiting, Waiting):
        waiting = context.read["waiting"] = Waiting()
    return waiting


def _question(context: FindContext) -> Question:
    """The question, read once for a context."""
    question = context.read.get("question")
    if not isinstance(question, Question):
        question = context.read["question"] = Question(context.question, context.earlier)
    return question


def _begun(recognizer: Recognizer, site: Site) -> str:
    """The kind of a value that the end of the text cut short."""
    if isinstance(recognizer, Disguised):
        return UNDECIDED
    return str(recognizer.entity or site.amount())


def _amount(view: _AnswerWindow, site: Site, end: int) -> Entity:
    return Entity.UTILITY_BILL if _FOR_UTILITIES.match(view.text, end, end + 48) else site.amount()
