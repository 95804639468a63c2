"""Announced words that something behind them must confirm: a second word of the announcement, or the answer's end."""

from __future__ import annotations

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import names_data
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.forms import FORMS
from reticent_detectors.finder.languages.vocabulary import AMBIGUOUS_ILLNESSES
from reticent_detectors.finder.languages.wordings import fold

_FRAME_CHARS = 30
_FRAME_END = regex.compile(r"[.;!?\n](?=\s)|\n|, ")
NOTHING_MORE = regex.compile(r"[\s.!\"'`*\]}]*")
LETTERS = regex.compile(r"\p{L}+")


def end_if_completed(text: str, end: int, position: Position, entity: Entity, languages: int, closed: bool) -> int:
    """Gives the end, if a word that completes the announcement follows in the sentence ("wurde X verschrieben").

    NONE if none does, OPEN while it is unknown.
    """
    limit = end + _FRAME_CHARS
    tail = text[end:limit]
    stop = _FRAME_END.search(tail)
    whole = closed or len(text) >= limit
    rest = tail[: stop.start()] if stop else tail if whole else tail[: max(tail.rfind(" "), 0)]
    frames = lexicon().frames(languages, entity)
    if any(fold(word) in frames for word in LETTERS.findall(rest)):
        return end
    return NONE if stop or whole else OPEN


def end_of_whole_answer(entity: Entity, text: str, p: int, end: int, closed: bool) -> int:
    """Gives the end of words that are the whole answer; NONE, or OPEN.

    Ordinary words alone are no value ("You're welcome!"), unless they end like one ("Higher education careers adviser")
    or all have capitals.
    """
    if not NOTHING_MORE.fullmatch(text, end):
        return NONE
    words = [word for word in LETTERS.findall(text[p:end]) if len(word) > 1]
    last = fold(words[-1]) if words else ""
    like = (entity in FORMS and FORMS[entity].match(last)) or (
        entity is Entity.DIAGNOSIS and last in AMBIGUOUS_ILLNESSES
    )
    unusual = (word for word in words if len(word) > 2 and fold(word) not in lexicon().lead)
    likely = like or not all(names_data.look_up(names_data.fold(word)).ordinary for word in unusual)
    named = text[p:end].istitle() and len(words) > 1
    return (end if closed else OPEN) if likely or named else NONE
