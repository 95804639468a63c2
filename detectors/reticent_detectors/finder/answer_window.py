"""The text that a scan looks at: the answer with the end of the text before it, and what was read of both."""

from __future__ import annotations

from typing import NamedTuple

from reticent_detectors.finder.context.left_context import LEFT_CHARS
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.question import Question
from reticent_detectors.finder.engine.decisions import Decisions
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.engine.waiting import Waiting
from reticent_detectors.finder.engine.word_cache import WordCache
from reticent_detectors.finder.languages.wordings import WordReading
from reticent_detectors.finder.tagger import TagNetwork, TagReading, TagValue, asked
from reticent_detectors.finder.tagger.reading import TAGGED_ANYWHERE, WORDED
from reticent_detectors.spans import FindContext

_CONTEXT_CHARS = 256
TABLE_CHARS = 1024
"""How far back the head of a table is looked for."""


class AnswerWindow(NamedTuple):
    """The answer with the end of the text before it.

    Attributes:
        text: `text[offset:]` is the answer.
        offset: where the answer begins, in characters.
        turn_chars: how much of the model's turn stands before the answer, in characters.
        question: the user's question.
        scan_start: where spans may begin.
        known: what was read of words so far, by position.
        tags: what the tagger read of the answer; None without a tagger.
        answer: the answer alone.
        decisions: what was decided at positions so far.
        waiting: the position at which an open scan waits.
        is_cut: whether the end of the text may cut a value short, so that a word is taken for one sooner.
    """

    text: str
    offset: int
    turn_chars: int
    question: Question
    scan_start: int
    known: dict[int, WordReading]
    tags: TagReading | None
    answer: str
    decisions: Decisions
    waiting: Waiting | None = None
    is_cut: bool = False

    def tagged(self, p: int, closed: bool) -> TagValue:
        """Give the tagger's value at p: of a kind without a form, or what answers a question."""
        if self.tags is None:
            return TagValue("", NONE)
        found = self.tags.value_at(self.answer, p - self.offset, closed, self.is_cut)
        if found.end != OPEN and found.kind not in (WORDED if self.is_cut else TAGGED_ANYWHERE):
            found = TagValue("", NONE)
            if p < self.offset or self.position(p).leads:
                found = self.tags.answer_at(self.answer, p - self.offset, closed)
                if found.kind and found.kind not in WORDED:
                    found = self._if_asked(found, p, closed)
        if found.end in (NONE, OPEN):
            return found
        announced = found.announced or found.kind in self.question.kinds or found.kind in self.position(p).kinds
        return TagValue(found.kind, found.end + self.offset, announced)

    def _if_asked(self, found: TagValue, p: int, closed: bool) -> TagValue:
        """Give a value with a form if a question names its kind, and no words follow at once ("1572 people")."""
        if p < self.offset or found.kind not in self.question.kinds:
            return TagValue("", NONE)
        after = self.answer[found.end : found.end + 2]
        if len(after) < 2 and not closed:
            return TagValue("", OPEN)
        return TagValue("", NONE) if after[1:].isalnum() and after[0] == " " else found

    def position(self, p: int) -> Position:
        turn_chars = p - self.offset + self.turn_chars
        near = turn_chars if turn_chars <= 2 * LEFT_CHARS else None
        return self.decisions.at(Position(self.text, p, near, self.question, self.known), p)


def answer_window(
    text: str, start: int, context: FindContext, tagger: TagNetwork | None, owner: object
) -> AnswerWindow:
    """Gives the window of a scan of `text` from `start` on; `context.read` keeps what was read of the context.

    `owner` decides about values: its recognisers and their check.
    """
    question, words, tags = _question(context), context.read.get("words"), _tags(context, tagger)
    if not isinstance(words, WordCache):
        words = context.read["words"] = WordCache()
    if not context.left or start >= TABLE_CHARS:
        known, decisions = words.of(text, 0, start), _decisions(context).follow(text, start, 0, owner)
        return AnswerWindow(text, 0, context.model_chars, question, 0, known, tags, text, decisions)
    left = context.left[-TABLE_CHARS:]
    scan_start = max(0, len(left) - _CONTEXT_CHARS)
    begins, whole = start + len(left) if start else scan_start, left + text
    known, decisions = words.of(whole, len(left), begins), _decisions(context).follow(whole, begins, len(left), owner)
    return AnswerWindow(whole, len(left), context.model_chars, question, scan_start, known, tags, text, decisions)


def _decisions(context: FindContext) -> Decisions:
    """Gives what was decided of a context's text."""
    decisions = context.read.get("decisions")
    if not isinstance(decisions, Decisions):
        decisions = context.read["decisions"] = Decisions()
    return decisions


def _tags(context: FindContext, tagger: TagNetwork | None) -> TagReading | None:
    """Gives what the tagger read of the answer so far."""
    if tagger is None:
        return None
    tags = context.read.get("tags")
    if not isinstance(tags, TagReading) or tags.network is not tagger:
        foreign = len(context.left) - context.model_chars
        left = context.left[max(0, foreign - _CONTEXT_CHARS) : foreign]
        tags = context.read["tags"] = TagReading(tagger, context.left[foreign:], asked(context), left)
    return tags


def waiting_of(context: FindContext) -> Waiting:
    """Gives what is kept of the position at which the scan of a context's text waits."""
    waiting = context.read.get("waiting")
    if not isinstance(waiting, Waiting):
        waiting = context.read["waiting"] = Waiting()
    return waiting


def _question(context: FindContext) -> Question:
    """Gives the question, read once for a context."""
    question = context.read.get("question")
    if not isinstance(question, Question):
        question = context.read["question"] = Question(context.question, context.earlier)
    return question
