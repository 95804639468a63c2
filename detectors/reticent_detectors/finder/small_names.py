"""Names in small letters, where words announce them or where no ordinary word can be meant."""

from __future__ import annotations

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder import name_words as words
from reticent_detectors.finder.capitals import Undecided
from reticent_detectors.finder.name_evidence import Name
from reticent_detectors.finder.names_data import fold, look_up

_LOWER_WORD = regex.compile(r"[\p{Ll}][\p{L}\p{M}]{0,30}+(?:['’-]\p{L}[\p{L}\p{M}]{0,30}+){0,2}+")
_ANNOUNCED = regex.compile(
    r"(?ri)(?<!\w)(?:name(?:['’]s| is| was| ?[:=])|called|named|signed|regards,|i am|i['’]m|this is|dear|hello|hi|hey|(?:mr|mrs|ms|miss|dr|prof)\.?|wife|husband|son|daughter|brother|sister)\s{1,2}"
)


def small_names(text: str, p: int, closed: bool) -> list[Name]:
    """A name in small letters: after words that announce one, or a given and a family name that are no ordinary words."""
    match = _LOWER_WORD.match(text, p)
    if match is None or (p > 1 and text[p - 1] in "'’-" and text[p - 2].isalpha()):
        return []
    end = match.end()
    if not closed and end >= len(text):
        raise Undecided
    word = fold(match[0])
    known = look_up(word)
    if known.ordinary > 1 or not (known.given or known.family or known.place == 3):
        return []
    if (
        word in words.FUNCTION
        or word in words.TITLES
        or word in words.CALENDAR
        or (text[end : end + 1] in tuple("@_.") and text[end + 1 : end + 2].isalnum())
    ):
        return []
    announced = bool(_ANNOUNCED.match(text[max(0, p - 24) : p]))
    last, count, sure = end, 1, known.given >= 2 and not known.ordinary
    while count < 4 and text.startswith(" ", last):
        if last + 1 >= len(text) and not closed:
            raise Undecided
        following = _LOWER_WORD.match(text, last + 1)
        if following is None:
            break
        if not closed and following.end() >= len(text):
            raise Undecided
        other = fold(following[0])
        more = look_up(other)
        if other in words.PARTICLES and other not in ("e", "y", "do", "as", "st") and count < 3:
            last, count = following.end(), count + 1
            continue
        if more.ordinary > (1 if announced else 0) or not (more.given or more.family) or other in words.FUNCTION:
            break
        last, count = following.end(), count + 1
        end = last
    long = end > match.end()
    if long and (announced or (sure and known.place != 3)):
        return [Name(p, end, Entity.PERSON)]
    if not long and announced and max(known.given, known.family) >= 2:
        return [Name(p, end, Entity.PERSON)]
    if not long and known.place == 3 and not known.ordinary and known.given < 2 and known.family < 2:
        return [Name(p, end, Entity.LOCATION)]
    return []
