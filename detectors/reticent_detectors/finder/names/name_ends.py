"""Where a person's name ends that has a comma inside: "Roe, J. R.", "Roe, Jr.", "ROE, Jane"."""

from __future__ import annotations

import regex

from reticent_detectors.finder.names.capitalised_words import Token, Undecided, starts_sentence
from reticent_detectors.finder.names_data import fold, look_up

_LISTED = regex.compile(r" ?, ?(?:\p{Lu}\.[ -]?){1,3}")
_OPEN_SUFFIX = regex.compile(r",? (?:Jr|Sr|III|II|IV)[\s\S]{0,2}")
_SUFFIX = regex.compile(r",? (?:Jr\.?|Sr\.?|III|II|IV)(?![\p{L}\p{N}])")


def end_with_suffix(text: str, piece: list[Token], closed: bool) -> int:
    """Gives the end of a person's name with what may follow a comma: "Roe, J. R.", "Roe, Jr."."""
    end = piece[-1].end
    if end == len(text):
        if not closed:
            raise Undecided
        return end
    following = end + 1 + text.startswith(", ", end)
    if text[end] not in ", " or text[following : following + 1].islower():
        return end
    if not closed and _OPEN_SUFFIX.fullmatch(text, end, min(end + 7, len(text)), partial=True) and end + 7 > len(text):
        raise Undecided
    suffix = _SUFFIX.match(text, end, end + 10)
    if suffix:
        return suffix.end()
    if text.startswith((",", " ,"), end) and sum(t.sort == "C" for t in piece) == 1:
        if not closed and end + 15 > len(text) and _LISTED.fullmatch(text, end, partial=True):
            raise Undecided
        match = _LISTED.match(text, end, end + 14)
        if match:
            stop = match.end()
            if stop == len(text) and not closed:
                raise Undecided
            while text[stop - 1] in " -":
                stop -= 1
            return end if text[match.end() : match.end() + 1].isupper() else stop
    return end


def end_of_turned_name(text: str, token: Token, closed: bool) -> int:
    """Gives the end of "ROE, Jane", and of "Roe, Jane" where a line or a cell begins; 0 if it is none."""
    if not text.startswith(", ", token.end):
        if not closed and token.end + 2 > len(text):
            raise Undecided
        return 0
    if token.known.ordinary > 1 or not (
        token.shouted or (starts_sentence(text, token.start) and token.known.family > 1 and token.known.place < 2)
    ):
        return 0
    if not closed and len(text) < token.end + 40 and _OPEN_GIVEN.fullmatch(text, token.end, partial=True):
        raise Undecided
    match = _GIVEN.match(text, token.end)
    if match is None:
        return 0
    first = look_up(fold(match["word"]))
    ends = match.end() == len(text) or text[match.end()] in ";\n|)(.:" or token.shouted or bool(match["more"])
    return match.end() if first.given >= 2 and first.ordinary < 2 and ends else 0


_GIVEN_NAME = r", (?P<word>\p{Lu}[\p{L}\p{M}-]{1,24}+)(?P<more> \p{Lu}\.)?"
_OPEN_GIVEN = regex.compile(rf"{_GIVEN_NAME}[\s\S]?")
_GIVEN = regex.compile(rf"{_GIVEN_NAME}(?![\p{{L}}'’])")
