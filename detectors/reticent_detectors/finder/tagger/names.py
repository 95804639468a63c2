"""Where a doctor's name ends of which the tagger saw the first words: it continues over the capitals that follow.

Employers and hospitals stay as the tagger saw them, for their names may have one word. An index of records could not
cut off what a client makes the model say in capitals behind such a name.
"""

from __future__ import annotations

import regex

from reticent_detectors.finder.engine.recognizers import OPEN
from reticent_detectors.finder.forms.labels import fold
from reticent_detectors.finder.word_sets import NO_START, word_set

_MOST_WORDS = 2
_AHEAD_CHARS = 48
_WORD = r"(?P<word>\p{Lu}[\p{L}\p{M}\p{N}]{0,24}+(?:['’-][\p{L}\p{M}]{1,20}+){0,2}+)"
_NEXT = regex.compile(rf"(?:(?<=(?<!\p{{L}})\p{{Lu}})\. | ){_WORD}")
# German nouns have capitals as well.
_NOUN = regex.compile(r"\p{Lu}\p{Ll}+(?:ung|ungen|heit|keit|schaft|ion|ionen|tät|nis|tum|ment|er|erin|en)$")
# No name goes on with one of these words.
_NONE = NO_START | word_set(
    """monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december"""
)


def name_end(text: str, end: int, closed: bool) -> int:
    """Return the end of a doctor's name whose first words end at `end`; OPEN while more text could lengthen it."""
    if end and text[end - 1] not in "'’.-" and not text[end - 1].isalnum():
        return end
    for _ in range(_MOST_WORDS):
        if not closed and len(text) - end < _AHEAD_CHARS and text[end : end + 1] in ("", " ", "."):
            found = _NEXT.match(text, end, partial=True)
            if found is not None and (found.partial or found.end() + 1 >= len(text)):
                return OPEN
        found = _NEXT.match(text, end)
        if (
            found is None
            or text[found.end() : found.end() + 1] == ":"
            or fold(found["word"]) in _NONE
            or _NOUN.match(found["word"])
        ):
            return end
        end = found.end()
    return end
