"""The text that a scan looks at: the answer with the end of the text before it, and what was read of both."""

from __future__ import annotations

import re
from typing import NamedTuple

from reticent_detectors.entities import Entity
from reticent_detectors.finder.engine.decisions import Decisions, Match
from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.form_reading import FormReading
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import Asked, asked_kinds
from reticent_detectors.finder.forms.asked_words import asked_value
from reticent_detectors.finder.forms.cut_short import leads
from reticent_detectors.finder.forms.worded import worded
from reticent_detectors.finder.tagger import TagNetwork, TagReading, TagValue, asking_sentences
from reticent_detectors.finder.tagger.reading import SAID_ANYWHERE, SAID_IF_SURE, SURE, WORDED
from reticent_detectors.spans import FindContext

_CONTEXT_CHARS = 256
_ANSWER_CHARS, _ANSWER_WORDS, _POLITE_WORDS = 160, 6, 3
"""Where an answer to a question may begin: within so much of the model's turn, after short sentences ("Of course.")."""
_SENTENCE_END = re.compile(r"[.!?…](?=\s)|\n")
TABLE_CHARS = 1024
"""How far back the head of a table is looked for."""


class AnswerWindow(NamedTuple):
    """The answer with the end of the text before it.

    Attributes:
        text: `text[offset:]` is the answer.
        offset: where the answer begins, in characters.
        turn_chars: how much of the model's turn stands before the answer, in characters.
        asked: what the user asked for.
        scan_start: where spans may begin.
        forms: what the forms found in the answer; None without them.
        only: kinds with a form that count.
        tags: what the tagger read of the answer; None without a tagger.
        answer: the answer alone.
        decisions: what was decided at positions so far.
        is_cut: whether the end of the text may cut a value short, so that a word is taken for one sooner.
    """

    text: str
    offset: int
    turn_chars: int
    asked: Asked
    scan_start: int
    forms: FormReading | None
    only: frozenset[str]
    tags: TagReading | None
    answer: str
    decisions: Decisions
    is_cut: bool = False

    def form_at(self, p: int, closed: bool) -> Match | int:
        """Give the value with a form at p, of a kind that counts or not; NONE; OPEN while more text decides."""
        if self.forms is None:
            return NONE
        found = self.forms.end_at(p - self.offset, closed)
        if isinstance(found, int):
            return found
        return found[0], found[1] + self.offset, found[2]

    def next_form(self, p: int, limit: int, closed: bool) -> int:
        """Give where the next value with a form begins at or after p and before `limit` (-1: anywhere), else it."""
        if self.forms is None:
            return limit
        found = self.forms.next_start(p - self.offset, closed)
        return limit if found is None or 0 <= limit < found + self.offset else found + self.offset

    def decided(self, p: int) -> int:
        """Give p, or where before it a value with a form may still begin."""
        return p if self.forms is None else min(p, self.forms.decided + self.offset)

    def form_begun(self, p: int) -> str:
        """Give the kind of the value with a form at p that the end of the text cut short; "" for none."""
        kind = "" if self.forms is None else self.forms.begun(p - self.offset)
        return kind if kind in self.only else ""

    def asked_words(self, p: int, closed: bool) -> tuple[str, int]:
        """Give the value at p that a question asks for by how it is written, and its end; NONE; OPEN."""
        if not self.asked.worded or p < self.offset:
            return "", NONE
        kind, end = asked_value(self.answer, p - self.offset, self.asked, closed)
        if kind == Entity.JOB_TITLE and not self._may_answer(p):
            return "", NONE  # any two words with a comma look like one
        return kind, end if end in (NONE, OPEN) else end + self.offset

    def tagged(self, p: int, closed: bool) -> TagValue:
        """Give the tagger's value at p: of a kind that it says without a question, or what answers one."""
        if self.tags is None:
            return TagValue("", NONE)
        found = self.tags.value_at(self.answer, p - self.offset, closed, self.is_cut)
        if found.end != OPEN and not self._is_said(found, p):
            found = TagValue("", NONE)
            if p < self.offset or self._may_answer(p):
                found = self.tags.answer_at(self.answer, p - self.offset, closed, self.asked.kinds)
                if found.kind and found.kind not in WORDED:
                    found = self._if_alone(found, p, closed)
                elif found.kind and self.is_cut and found.kind not in self.asked.worded:
                    found = TagValue("", NONE)
        if found.end in (NONE, OPEN):
            return found
        announced = found.announced or found.kind in self.asked.worded or found.kind in worded().before(self.text, p)
        return found._replace(end=found.end + self.offset, announced=announced)

    def _is_said(self, found: TagValue, p: int) -> bool:
        """Tell whether the tagger says a value that no question asked for.

        What a value with a form is that begins the model's turn, a question alone can tell.
        """
        if self.is_cut:
            return found.kind in WORDED
        if found.kind in SAID_IF_SURE:
            return found.lead >= SURE and not self._begins_turn(p)
        return found.kind in SAID_ANYWHERE

    def _if_alone(self, found: TagValue, p: int, closed: bool) -> TagValue:
        """Give a value with a form that a question names if no words follow at once ("1572 people")."""
        if p < self.offset:
            return TagValue("", NONE)
        after = self.answer[found.end : found.end + 2]
        if len(after) < 2 and not closed:
            return TagValue("", OPEN)
        return TagValue("", NONE) if after[1:].isalnum() and after[0] == " " else found

    def _may_answer(self, p: int) -> bool:
        """Tell whether the model's turn begins at p, or but for few words that lead there: "Sure! It is"."""
        begins = self.offset - self.turn_chars
        if p - begins > _ANSWER_CHARS:
            return False
        *before, said = _SENTENCE_END.split(self.text[max(0, begins) : p])
        if any(len(sentence.split()) > _POLITE_WORDS for sentence in before):
            return False
        return not any(map(str.isalnum, said)) or (said.count(" ") <= _ANSWER_WORDS and leads(said))

    def _begins_turn(self, p: int) -> bool:
        """Tell whether the model's turn has neither letters nor figures before p."""
        begins = max(0, self.offset - self.turn_chars)
        return p - begins <= _ANSWER_CHARS and not any(map(str.isalnum, self.text[begins:p]))

    def position(self, p: int) -> Position:
        """Give the position p, as recognisers are shown it."""
        read = self.decisions.read
        if p not in read:
            read[p] = Position(self.text, p, self.asked, self.decisions.kept(p), self.offset - self.turn_chars)
        found: Position = read[p]
        return found


def answer_window(
    text: str, start: int, context: FindContext, tagger: TagNetwork | None, forms: FormValues | None, owner: object
) -> AnswerWindow:
    """Give the window of a scan of `text` from `start` on; `context.read` keeps what was read of the context.

    `owner` decides about values: its recognisers.
    """
    kinds, tags, read = _asked(context), _tags(context, tagger), None
    if forms is not None:
        read = _forms(context, forms, kinds).follow(text, start)
    only = frozenset[str]() if forms is None else forms.only
    if not context.left or start >= TABLE_CHARS:
        decisions = _decisions(context).follow(text, start, 0, owner)
        return AnswerWindow(text, 0, context.model_chars, kinds, 0, read, only, tags, text, decisions)
    left = context.left[-TABLE_CHARS:]
    scan_start = max(0, len(left) - _CONTEXT_CHARS)
    begins, whole = start + len(left) if start else scan_start, left + text
    decisions = _decisions(context).follow(whole, begins, len(left), owner)
    turn = context.model_chars
    return AnswerWindow(whole, len(left), turn, kinds, scan_start, read, only, tags, text, decisions)


def _decisions(context: FindContext) -> Decisions:
    """Give what was decided of a context's text."""
    decisions = context.read.get("decisions")
    if not isinstance(decisions, Decisions):
        decisions = context.read["decisions"] = Decisions()
    return decisions


def _forms(context: FindContext, forms: FormValues, asked: Asked) -> FormReading:
    """Give what the forms found in the answer so far."""
    reading = context.read.get("forms")
    if not isinstance(reading, FormReading) or reading.kinds is not forms.kinds:
        reading = context.read["forms"] = FormReading(forms.kinds, asked, context.left, context.model_chars)
    return reading


def _tags(context: FindContext, tagger: TagNetwork | None) -> TagReading | None:
    """Give what the tagger read of the answer so far."""
    if tagger is None:
        return None
    tags = context.read.get("tags")
    if not isinstance(tags, TagReading) or tags.network is not tagger:
        foreign = len(context.left) - context.model_chars
        left = context.left[max(0, foreign - _CONTEXT_CHARS) : foreign]
        tags = context.read["tags"] = TagReading(
            tagger, context.left[foreign:], asking_sentences(context), left, context.states
        )
    return tags


def _asked(context: FindContext) -> Asked:
    """Give what the user asked for, read once for a context."""
    kinds = context.read.get("asked")
    if not isinstance(kinds, Asked):
        kinds = context.read["asked"] = asked_kinds(context.question, context.earlier)
    return kinds
