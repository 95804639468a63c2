"""English jobs whose own word stands behind another noun: "company secretary", "trade mark attorney"."""

from __future__ import annotations

from typing import Any

from reticent_detectors.entities import Entity
from reticent_detectors.finder.announced.field_ends import WORD
from reticent_detectors.finder.context.left_context import ENGLISH
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.languages import lexicon
from reticent_detectors.finder.languages.forms import FORMS
from reticent_detectors.finder.languages.wordings import fold


def end_of_compound_job(entity: Entity, text: str, head: Any, closed: bool, first: int = 1) -> int:
    """Gives the end of a job's own word among the three behind a noun, from the `first` of them on; NONE, or OPEN.

    "company secretary", "trade mark attorney". English only: elsewhere the job's word stands in front.
    """
    words, end = lexicon(), head.end()
    plain = fold(head[0])
    if entity is not Entity.JOB_TITLE or plain in words.person or plain in words.links or plain in words.stop(ENGLISH):
        return NONE
    for count in range(1, 4):
        if not closed and len(text) - end < 2:
            return OPEN
        following = WORD.match(text, end + 1) if text[end : end + 1] == " " else None
        if following is None:
            return NONE
        if not closed and following.end() >= len(text) - 1:
            return OPEN
        plain = fold(following[0])
        if plain in words.stop(ENGLISH):
            return NONE
        if count >= first and FORMS[Entity.JOB_TITLE].match(plain):
            return following.end()
        end = following.end()
    return NONE
