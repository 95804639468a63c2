"""What is found at a position: values with a form, disguised ones, and what other recognisers find."""

from __future__ import annotations

from collections.abc import Sequence

from reticent_detectors.between_steps import between_steps
from reticent_detectors.entities import UNDECIDED, Entity
from reticent_detectors.finder.answer_window import AnswerWindow
from reticent_detectors.finder.disguises.disguises import Disguised
from reticent_detectors.finder.disguises.families import says_nothing
from reticent_detectors.finder.disguises.spelling_words import may_spell
from reticent_detectors.finder.engine.decisions import Match
from reticent_detectors.finder.engine.dispatch import SORTS, Dispatch, character_class
from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Recognizer
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.redactions import REDACTION_TAG
from reticent_detectors.finder.touching import touching_number
from reticent_detectors.finder.word_starts import GROWING_WORD, PLAIN_WORD, WORD_START, begins_nothing


class RecognizerMatches:
    """The recognisers of a finder, and the best match at a position: the longest, then the first recogniser's.

    Args:
        recognizers: in the order that decides between matches of one length.
    """

    def __init__(self, recognizers: Sequence[Recognizer]) -> None:
        self.recognizers = tuple(recognizers)
        self._disguised = tuple(r for r in recognizers if isinstance(r, Disguised))
        self.forms = next((r for r in recognizers if isinstance(r, FormValues)), None)
        others = [r for r in recognizers if not isinstance(r, Disguised | FormValues)]
        at = len(recognizers) if self.forms is None else list(recognizers).index(self.forms)
        self._before_forms = frozenset(r.name for r in recognizers[:at])
        self.dispatch = Dispatch(others)
        self._by_class = {sort: [r for r in others if sort in r.start_classes] for sort in SORTS}

    def begun(self, view: AnswerWindow, p: int) -> tuple[str, str] | None:
        """Give kind and recogniser of a value at p that the end of the text cut short; None if there is none.

        None within a word, as most numbers there are no values.
        """
        known = view.decisions.begun
        if p not in known:
            begun = self._begun(view, p) if WORD_START.match(view.text, p) else None
            known[p] = None if begun is None else (begun[0], len(view.text), begun[1])
        found = known[p]
        return None if found is None else (found[0], found[2])

    def _begun(self, view: AnswerWindow, p: int) -> tuple[str, str] | None:
        kind = view.form_begun(p)
        if kind:
            return kind, f"form-{kind.lower()}"
        position = view.position(p)
        for recognizer in (*self._by_class[character_class(view.text[p])], *self._disguised):
            if recognizer.could_be_cut_value(view.text, p, position):
                return str(recognizer.entity or UNDECIDED), recognizer.name
        return None

    def best(self, view: AnswerWindow, p: int, closed: bool) -> tuple[bool, Match | None]:
        """Give (whether it is not yet known, the best match at p)."""
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

    def _best(self, view: AnswerWindow, p: int, closed: bool) -> tuple[bool, Match | None]:
        text = view.text
        if p and text[p - 1] == "<" and (tag := REDACTION_TAG.match(text, p, partial=not closed)):
            return tag.partial, None
        plain = PLAIN_WORD.match(text, p)
        if plain is not None and (said := _nothing_yet(text, plain[0], plain.end(), closed)) is not None:
            return said, None
        form = view.form_at(p, closed)
        if form == OPEN:
            return True, None
        found = None if isinstance(form, int) else form
        best: Match | None = found if found is not None and found[0] in view.only else None
        if not WORD_START.match(text, p):
            return (False, best) if best is not None else self._touching(view, p, closed)
        position, sort = view.position(p), character_class(text[p])
        if plain is None:
            strict, fallback = self.dispatch.elsewhere(text, p, sort)
        else:
            mark = text[plain.end() : plain.end() + 1]
            strict, fallback = self.dispatch.at_word(plain[0], mark, position.is_led, sort)
        open_, other = _longest(strict, text, position, closed)
        if open_:
            return True, None
        if other is not None and (best is None or self._wins(other, best)):
            best = other
        hidden: Match | None = None
        # What is of another kind as it stands is no disguise of one that counts.
        for disguised in self._disguised if found is None or best is not None else ():
            read = disguised.found(text, p, position, closed, "" if best is None else text[p : best[1]])
            if not isinstance(read, int):
                hidden = read.entity, read.end, read.name
            elif read == OPEN:
                return True, None
        if hidden is None and best is not None and best[0] == Entity.SECRET_KEY and says_nothing(text, p, best[1]):
            best = None
        if hidden is not None:
            return False, hidden if best is None or best[1] < hidden[1] else best
        if best is not None:
            return False, best
        open_, best = _longest(fallback, text, position, closed)
        return (open_, best) if open_ or best is not None or plain is not None else self._touching(view, p, closed)

    def _wins(self, other: Match, form: Match) -> bool:
        """Tell whether another recogniser's match counts before that of a form: the longer, else the first."""
        return other[1] > form[1] or (other[1] == form[1] and other[2] in self._before_forms)

    def _touching(self, view: AnswerWindow, p: int, closed: bool) -> tuple[bool, Match | None]:
        """Give (whether it is not yet known, the number at p that a letter or an underscore touches)."""
        if self.forms is None:
            return False, None
        found = touching_number(view.text, p, closed, self.forms, view.asked)
        return (found == OPEN, None) if isinstance(found, int) else (False, found)


def _nothing_yet(text: str, word: str, end: int, closed: bool) -> bool | None:
    """Tell of a plain word whether more text decides (True) or nothing begins with it (False); None: look at it."""
    if not closed and text[end:] in ("", ".", ":"):
        return True
    if begins_nothing(word):
        return False
    growing = None if closed or len(text) - end > 40 else GROWING_WORD.match(text, end)
    return True if growing is not None and may_spell(growing[1]) else None


def _longest(group: tuple[Recognizer, ...], text: str, position: Position, closed: bool) -> tuple[bool, Match | None]:
    """Give (whether it is not yet known, the longest match of a group)."""
    best: Match | None = None
    for recognizer in group:
        end = recognizer.at(text, position.p, position, closed)
        if end == OPEN:
            return True, None
        if end != NONE and (best is None or end > best[1]):
            best = (str(recognizer.entity), end, recognizer.name)
    return False, best
