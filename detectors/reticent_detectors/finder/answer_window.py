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
from reticent_detectors.finder.tagger import TagNetwork, TagReading
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

    def tagged(self, p: int, closed: bool) -> tuple[str, int]:
        """Gives kind and end of the tagger's value at p; the end is NONE if there is none, OPEN while it is unknown."""
        if self.tags is None or p < self.offset:
            return "", NONE
        kind, end = self.tags.value_at(self.answer, p - self.offset, closed)
        return kind, end if end in (NONE, OPEN) else end + self.offset

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
        before = context.left[-context.model_chars :] if context.model_chars else ""
        tags = context.read["tags"] = TagReading(tagger, before)
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
