"""Decide whether words are about somebody: by a name, or a word for whose somebody or something is."""

from __future__ import annotations

import regex

from reticent_detectors.finder.forms.words import words_of
from reticent_detectors.finder.names_data import fold, look_up

_WORD = regex.compile(r"\p{L}[\p{L}'’]*+")
_PART = r"\p{Lu}(?=[\p{L}'’-]*\p{Ll})[\p{L}'’-]+"
_FULL_NAME = regex.compile(
    rf"(?<![\p{{L}}'’-])({_PART})(?: \p{{Lu}}\.)?(?: (?:van|von|de|da|di|del|della|du|do|dos|la|le))? ({_PART})"
)
_SURE, _OFTEN = 2, 3


def people_words(text: str) -> list[str]:
    """Return the words of a text as they stand, with apostrophes inside."""
    return [str(word) for word in _WORD.findall(text)]


def names_somebody(words: list[str]) -> bool:
    """Tell whether a name, or a word for whose somebody or something is, stands among the words."""
    owners = words_of("owners", "people")
    return any(word.lower() in owners or _is_name(word) for word in words)


def has_full_name(text: str) -> bool:
    """Tell whether two words in a row are somebody's names: with capitals, no ordinary words, and one a known name."""
    return any(_may_be_full_name(found[1], found[2]) for found in _FULL_NAME.finditer(text, overlapped=True))


def _may_be_full_name(*words: str) -> bool:
    whole = [look_up(fold(_bare(word))) for word in words]
    if whole[0].given >= _SURE and whole[1].family and whole[0].ordinary < _OFTEN:
        return True
    if any(known.ordinary and max(known.given, known.family) < known.ordinary + 1 for known in whole):
        return False
    parts = [look_up(part) for word in words for part in fold(_bare(word)).split("-")]
    names = max(max(known.given, known.family) for known in parts)
    if whole[0].place >= _SURE and max(known.given for known in parts) < _SURE:
        return False
    return names > 0


def _bare(word: str) -> str:
    """Return a word without the ending of whose something is."""
    return word.removesuffix("'s").removesuffix("’s")


def _is_name(word: str) -> bool:
    known = look_up(fold(_bare(word)))
    return word[0].isupper() and not known.ordinary and max(known.given, known.family) >= _SURE
