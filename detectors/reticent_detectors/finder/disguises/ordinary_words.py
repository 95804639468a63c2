"""Ordinary words and numbers at a position: there no disguised value begins, and no reader need be asked."""

from __future__ import annotations

import re

from reticent_detectors.finder.disguises.months import is_month, may_be_month
from reticent_detectors.finder.disguises.plain_characters import LATIN, OTHER_LETTERS
from reticent_detectors.finder.disguises.spelling_words import ANY_MARK, MARKS, OPENERS, may_spell

_RAISED = "\u00b2\u00b3\u00b9\u2070-\u209f\u2460-\u249b\u24ea-\u24ff\u2776-\u2793"
_CLOSE = r"[,;:!?.)\]\"”“»]{0,3}"
# An ordinary word, the gap after it, and the next word, which shows that nothing is spelled here.
_ORDINARY = re.compile(
    rf"([{LATIN}][a-z\u00df-\u00f6\u00f8-\u024f]{{1,29}}|[{LATIN}]{{2,11}}|[{OTHER_LETTERS}]{{2,30}})"
    rf"(?:['’][{LATIN}]{{1,3}}|(?:-(?!{ANY_MARK})[{LATIN}]{{2,30}}){{1,3}})?"
    rf"(?: (?=[,;!?]))?{_CLOSE}\s{{1,3}}[\"'“‘«„(\[*_]{{0,2}}((?:(?![{_RAISED}])[^\W\d_])+|[0-9])"
)
# The commonest of them: two words, the second in small letters.
TWO_WORDS = re.compile(r"([A-Za-z][a-z]{1,29})[,.;:]? ([a-z]+)(?![^\W_])")
_LETTER = re.compile(
    rf"([{LATIN}{OTHER_LETTERS}]) ([{LATIN}]{{2,40}}|[{OTHER_LETTERS}]{{2,40}}|[0-9]{{2,10}})(?![^\W_])"
)
_NUMBER = re.compile(r"([0-9])(?:[0-9]{0,3}s?|[0-9]{0,2}[.,][0-9]{1,2})[%,;:.)]{0,2} ([A-Z]?[a-z]{1,30})(?![^\W_])")
_BRACKET = re.compile(rf"(\()[\"'“‘«„]?(?:[{LATIN}]{{2,30}}|[{OTHER_LETTERS}]{{2,30}}){_CLOSE}\s()")
_UNSPACED = re.compile(r"[\u3040-\u9fff\uac00-\ud7af\u0e01-\u0e4f]")


def may_begin(text: str, p: int) -> bool:
    """Whether a disguised value may begin at p. False is final once the word at p and the next one are closed."""
    return not is_ordinary(text, p, True)


def is_ordinary(text: str, p: int, closed: bool) -> bool:
    """Whether an ordinary word or number stands at p: then every reader of this package reads nothing there."""
    char = text[p]
    match = _ORDINARY.match(text, p) if char.isalpha() else None
    # Whatever follows, this is settled, unless it is a word that stands for a character.
    settled = match is not None and not may_spell(match[2])
    if char.isalpha():
        match = match or _LETTER.match(text, p)
    elif char == "(":
        match = _BRACKET.match(text, p)
    else:
        match = _NUMBER.match(text, p)
    if match is None:
        return bool(_UNSPACED.match(text, p))
    if match.end() == len(text) and not (closed or settled):
        return False
    word, following = match.groups()
    following = following.lower()
    if following in MARKS:
        return False
    word = word.lower()
    if "\n" in text[match.end(1) : match.start(2)] and may_be_month(word):
        # The name of a month that a line breaks.
        growing = match.end() == len(text) and not closed
        if is_month(word + following) or (growing and may_be_month(word + following)):
            return False
    if text[match.end() : match.end() + 1] == "\n" and word.isdigit() and may_be_month(following):
        return False
    if len(word) > 1 and word not in OPENERS:
        # "AB 12 34 56 C" may be the number of an identity card.
        return not (following.isdigit() and len(word) == 2 and match[1].isupper())
    if following in ("of", "de"):
        return not word.isdigit()
    return len(following) != 1 and following not in OPENERS and text[match.end(1)] != "-"
