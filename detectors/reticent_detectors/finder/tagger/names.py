"""Where a name ends of which the tagger saw the first words: it goes on over the capitals that follow."""

from __future__ import annotations

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context import cues
from reticent_detectors.finder.engine.recognizers import OPEN
from reticent_detectors.finder.languages.wordings import fold

_MOST_WORDS = 3
_AHEAD_CHARS = 48
_WORD = r"(?P<word>\p{Lu}[\p{L}\p{M}\p{N}]{0,24}+(?:['’-][\p{L}\p{M}]{1,20}+){0,2}+)"
_NEXT = {
    Entity.DOCTOR: regex.compile(rf"(?:(?<=(?<!\p{{L}})\p{{Lu}})\. | ){_WORD}"),
    Entity.EMPLOYER: regex.compile(rf" (?:& )?{_WORD}"),
    Entity.HOSPITAL: regex.compile(
        rf" (?:(?:de la|de los|della|dell'|d[aeiou]|des|del|dos|das|of the|of|zum|zur|am|St\.) ?)?{_WORD}"
    ),
}
# German nouns have capitals as well.
_NOUN = regex.compile(r"\p{Lu}\p{Ll}+(?:ung|ungen|heit|keit|schaft|ion|ionen|tät|nis|tum|ment|er|erin|en)$")
_NONE = cues.NO_START | cues.DAYS | cues.MONTHS


def name_end(kind: str, text: str, end: int, closed: bool) -> int:
    """The end of a name of a doctor, an employer or a hospital whose first words end at `end`; OPEN while more text could lengthen it."""
    if end and text[end - 1] not in "'’.-" and not text[end - 1].isalnum():
        return end
    pattern = _NEXT[Entity(kind)]
    for _ in range(_MOST_WORDS):
        if not closed and len(text) - end < _AHEAD_CHARS and text[end : end + 1] in ("", " ", "."):
            found = pattern.match(text, end, partial=True)
            if found is not None and (found.partial or found.end() + 1 >= len(text)):
                return OPEN
        found = pattern.match(text, end)
        if (
            found is None
            or text[found.end() : found.end() + 1] == ":"
            or fold(found["word"]) in _NONE
            or _NOUN.match(found["word"])
        ):
            return end
        end = found.end()
    return end
