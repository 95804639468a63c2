"""What the recognisers find at a position, the disguised ones among them."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from reticent_detectors.between_steps import between_steps
from reticent_detectors.entities import UNDECIDED, Entity
from reticent_detectors.finder.answer_window import AnswerWindow
from reticent_detectors.finder.context.announcements import Strength
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.disguises.disguises import Disguised
from reticent_detectors.finder.disguises.families import says_nothing
from reticent_detectors.finder.disguises.spelling_words import may_spell
from reticent_detectors.finder.engine.dispatch import SORTS, Dispatch, character_class
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Pattern, Recognizer
from reticent_detectors.finder.engine.waiting import Waiting
from reticent_detectors.finder.touching import touchable, touching_number
from reticent_detectors.finder.word_starts import GROWING_WORD, PLAIN_WORD, REDACTION_TAG, WORD_START, begins_nothing

# Recognisers that find keys by their look alone: sentences in base64 look so, too.
_RANDOM = frozenset({"random-key", "ethereum"})
_NOTHING_MORE = regex.compile(r"[\s.!\"'`*\]}]*")
_FOR_UTILITIES = regex.compile(
    r"(?i) (?:for|on|towards?|in) (?:(?:the|his|her|their|my|your) )?"
    r"(?:utilit(?:y|ies)|electric(?:ity)?|gas|water|power|energy|heating)\b"
)


class RecognizerMatches:
    """The recognisers of a finder, and their best match at a position: the longest, then the first recogniser's.

    Args:
        recognizers: in the order that decides between matches of one length.
    """

    def __init__(self, recognizers: Sequence[Recognizer]) -> None:
        self.recognizers = tuple(recognizers)
        self._disguised = tuple(r for r in recognizers if isinstance(r, Disguised))
        self.dispatch = Dispatch(recognizers, [r for r in recognizers if not isinstance(r, Disguised)])
        self._touchable = touchable(recognizers)
        self._by_class = {sort: [r for r in self.recognizers if sort in r.start_classes] for sort in SORTS}
        self.dates = any(r.entity is Entity.DATE_TIME for r in recognizers)

    def begun(self, view: AnswerWindow, p: int) -> tuple[str, str] | None:
        """Gives kind and recogniser of a value at p that the end of the text cut short; None if there is none.

        None within a word, as most numbers there are no values.
        """
        known = view.decisions.begun
        if p not in known:
            known[p] = self._begun(view, p) if WORD_START.match(view.text, p) else None
        return known[p]

    def _begun(self, view: AnswerWindow, p: int) -> tuple[str, str] | None:
        position, sort = view.position(p), character_class(view.text[p])
        for recognizer in self._by_class[sort]:
            if recognizer.could_be_cut_value(view.text, p, position):
                return _begun(recognizer, position), recognizer.name
        return None

    def best(self, view: AnswerWindow, p: int, closed: bool) -> tuple[bool, tuple[str, int, str] | None]:
        """Gives (whether it is not yet known, the best match at p)."""
        decisions = view.decisions
        if p in decisions.final:
            return False, decisions.final[p]
        if closed and p in decisions.closed:
            return False, decisions.closed[p]
        between_steps()
        open_, match = self._best(view, p, closed)
        if not open_:
            (decisions.closed if closed else decisions.final)[p] = match
        return open_, match

    def _best(self, view: AnswerWindow, p: int, closed: bool) -> tuple[bool, tuple[str, int, str] | None]:  # noqa: C901, PLR0912 - each part would cost a call at every word
        text = view.text
        if p and text[p - 1] == "<" and (tag := REDACTION_TAG.match(text, p, partial=not closed)):
            return tag.partial, None
        if not WORD_START.match(text, p):
            return self._touching(view, p, closed)
        plain = PLAIN_WORD.match(text, p)
        if plain is not None:
            if not closed and text[plain.end() :] in ("", ".", ":"):
                return True, None
            if begins_nothing(plain[0], self.dates):
                return False, None
            growing = None if closed or len(text) - plain.end() > 40 else GROWING_WORD.match(text, plain.end())
            if growing is not None and may_spell(growing[1]):
                return True, None
        position, sort, waiting = view.position(p), character_class(text[p]), view.waiting
        if waiting is not None:
            waiting = waiting.take(position) if waiting.p == p else None
        announced = frozenset(position.announced)
        if plain is None:
            strict, fallback = self.dispatch.elsewhere(text, p, sort, announced)
        else:
            mark = text[plain.end() : plain.end() + 1]
            strict, fallback = self.dispatch.at_word(plain[0], mark, position.word_before, sort, announced)
        if waiting is not None and (asked := waiting.opened_by) is not None:
            if any(r is asked for r in (*strict, *self._disguised)) and asked.at(text, p, position, closed) == OPEN:
                return True, None
            waiting.opened_by = None
        open_, best = self._longest(strict, view, p, position, closed, waiting)
        if open_:
            return True, None
        hidden: tuple[str, int, str] | None = None
        for disguised in self._disguised:
            found = disguised.found(text, p, position, closed, "" if best is None else text[p : best[1]])
            if not isinstance(found, int):
                hidden = found.entity, found.end, found.name
            elif found == OPEN:
                if waiting is not None:
                    waiting.opened_by = disguised
                return True, None
        if hidden is None and best is not None and best[2] in _RANDOM and says_nothing(text, p, best[1]):
            best = None
        if hidden is not None:
            return False, hidden if best is None or best[1] < hidden[1] else best
        if best is not None:
            return False, best
        open_, best = self._longest(fallback, view, p, position, closed)
        return (open_, best) if open_ or best is not None or plain is not None else self._touching(view, p, closed)

    def _touching(self, view: AnswerWindow, p: int, closed: bool) -> tuple[bool, tuple[str, int, str] | None]:
        """Gives (whether it is not yet known, the number at p that a letter or an underscore touches)."""
        found = touching_number(view.text, p, closed, view.question, self._touchable)
        return (found == OPEN, None) if isinstance(found, int) else (False, found)

    def _longest(
        self,
        group: tuple[Recognizer, ...],
        view: AnswerWindow,
        p: int,
        position: Position,
        closed: bool,
        waiting: Waiting | None = None,
    ) -> tuple[bool, tuple[str, int, str] | None]:
        """Gives (whether it is not yet known, the longest match of a group)."""
        text = view.text
        best: tuple[int, str, str] | None = None
        for recognizer in group:
            end = recognizer.at(text, p, position, closed)
            if end == OPEN:
                if waiting is not None:
                    waiting.opened_by = recognizer
                return True, None
            if end == NONE:
                continue
            if self._is_announced_by_another_question(recognizer, position):
                if not _NOTHING_MORE.fullmatch(text, end):
                    continue
                if not closed:
                    return True, None
            if best is None or end > best[0]:
                best = (end, self._entity(recognizer, view, position, end), recognizer.name)
        return False, None if best is None else (best[1], best[0], best[2])

    def _is_announced_by_another_question(self, recognizer: Recognizer, position: Position) -> bool:
        """Whether only an earlier question makes a number one of its kind ("1572 people live there")."""
        if not (isinstance(recognizer, Pattern) and recognizer.needs_announcement) or recognizer.entity is None:
            return False
        return position.kinds.get(recognizer.entity) is Strength.ASKED and recognizer.entity in position.question.others

    def _entity(self, recognizer: Recognizer, view: AnswerWindow, position: Position, end: int) -> str:
        """Gives the kind of a match, where the words around it decide."""
        if recognizer.entity is None:
            return str(_amount(view, position, end))
        if self.dates and recognizer.entity is Entity.APPOINTMENT_DATE and recognizer.entity not in position.kinds:
            return str(Entity.DATE_TIME)
        return str(recognizer.entity)


def _begun(recognizer: Recognizer, position: Position) -> str:
    """Gives the kind of a value that the end of the text cut short."""
    if isinstance(recognizer, Disguised):
        return UNDECIDED
    return str(recognizer.entity or position.amount())


def _amount(view: AnswerWindow, position: Position, end: int) -> Entity:
    return Entity.UTILITY_BILL if _FOR_UTILITIES.match(view.text, end, end + 48) else position.amount()
