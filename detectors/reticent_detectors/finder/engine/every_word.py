"""Every word that no recogniser claims: for personal data without a form that nothing announces.

    SpanFinder((*recognizers(), EVERY_WORD))          # or `every_token: true` in a policy

All tokens of such a word are scored together.
The commonest small words of English are passed, as everywhere in the finder.
The detector is far less certain of a word than of a value, and every word costs a projection.
`benchmarks/results/every-token.md` has both figures.
"""

from __future__ import annotations

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN

WORD_CHARS = 64
LEAST_CHARS = 3
_RUN = regex.compile(rf"[^\W_](?:[^\W_]|['’.@:/+-](?=[^\W_])|['’.@:/+-]\Z){{0,{WORD_CHARS - 1}}}+")


class EveryWord:
    """A word of at least three letters or digits, with the marks inside it."""

    name = "every-word"
    entity = Entity.OTHER
    start_classes = "dul"
    fallback = True
    plain_word_starts = "ul"

    def __repr__(self) -> str:
        return "EveryWord()"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        """Gives the end of the word at p, NONE, or OPEN while it grows."""
        run = _RUN.match(text, p)
        if run is None:
            return NONE
        end = int(run.end())
        if end == len(text) and not closed and end - p < WORD_CHARS:
            return OPEN
        while not text[end - 1].isalnum():
            end -= 1
        return end if end - p >= LEAST_CHARS else NONE

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        """Whether text[p:] is a word that the end of the text may have cut short."""
        run = _RUN.match(text, p)
        return run is not None and run.end() == len(text) and run.end() - p >= LEAST_CHARS


EVERY_WORD = EveryWord()
