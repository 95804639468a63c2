"""Decide whether words are about somebody: by a name, or a word for whose somebody or something is."""

from __future__ import annotations

import regex

from reticent_detectors.finder.forms.words import words_of
from reticent_detectors.finder.names_data import fold, look_up

_WORD = regex.compile(r"\p{L}[\p{L}'’]*+")
_NEAR_WORDS, _SURE = 3, 2


def people_words(text: str) -> list[str]:
    """Return the words of a text as they stand, with apostrophes inside."""
    return [str(word) for word in _WORD.findall(text)]


def names_somebody(words: list[str]) -> bool:
    """Tell whether a name, or a word for whose somebody or something is, stands among the words."""
    owners = words_of("owners", "people")
    return any(word.lower() in owners or _is_name(word) for word in words)


def names_firm(words: list[str]) -> bool:
    """Tell whether a word for a firm or a product stands among the words."""
    return any(word.lower() in words_of("firms", "people") for word in words)


def ends_with_pronoun(words: list[str]) -> bool:
    """Tell whether a pronoun for somebody is one of the last words: "he", "he currently"; "il" only at the end."""
    near = [word.lower() for word in words[-_NEAR_WORDS:]]
    pronouns, articles = words_of("pronouns", "people"), words_of("articles", "people")
    return bool(near) and (near[-1] in pronouns or not (pronouns - articles).isdisjoint(near))


def _is_name(word: str) -> bool:
    known = look_up(fold(word.removesuffix("'s").removesuffix("’s")))
    return word[0].isupper() and not known.ordinary and max(known.given, known.family) >= _SURE
