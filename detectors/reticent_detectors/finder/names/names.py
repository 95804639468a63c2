"""Names of people, places, organisations and groups in running text, without a model.

A chunk of capitalised words (`capitalised_words`) is cut into names by three things: what is known of its words
(`names_data`), words that name a kind ("University", "River", "Prize"; `headed_names`, `listed_names`), and the nearest
words on both sides (`name_kinds`, `name_evidence`).
It reads at most 160 characters to the left, and to the right of a name its chunk and two words.

Not covered: names in scripts without capitals, and most names in small letters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from reticent_detectors.entities import Entity
from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Recognizer
from reticent_detectors.finder.names import name_words as words
from reticent_detectors.finder.names.capitalised_words import Token, Undecided, chunk_at
from reticent_detectors.finder.names.headed_names import named_by_head
from reticent_detectors.finder.names.listed_names import named_by_list
from reticent_detectors.finder.names.lowercase_names import LowercaseNames, groups, people, places
from reticent_detectors.finder.names.name_edges import without_article
from reticent_detectors.finder.names.name_evidence import Name
from reticent_detectors.finder.names.name_kinds import add_name
from reticent_detectors.finder.names_data import look_up


def names(text: str, p: int, closed: bool) -> list[Name]:
    """Gives the names in its part of a chunk to which the word at p belongs.

    A part goes from one word that no name has to the next.

    Raises:
        Undecided: more text could change them.
    """
    if p > 1 and text[p - 1] in "'’-." and text[p - 2].isalpha() and (text[p - 1] != "." or text[p - 2].isupper()):
        return []
    tokens = chunk_at(text, p, closed)
    at = next((i for i, token in enumerate(tokens) if token.start == p), None)
    if at is None or _breaks(tokens, at):
        return []
    first, last = at, at + 1
    while first and not _breaks(tokens, first - 1):
        first -= 1
    while last < len(tokens) and not _breaks(tokens, last):
        last += 1
    found: list[Name] = []
    _label(text, tokens[first:last], closed, found)
    return found


def _breaks(tokens: list[Token], i: int) -> bool:
    """Whether a word is part of no name: "The", "Monday", but not "Will Smith" and "April Hughes"."""
    token = tokens[i]
    if token.sort == "P" or (token.folded not in words.FUNCTION and token.folded not in words.CALENDAR):
        return False
    if 0 < i < len(tokens) - 1 and tokens[i - 1].known.given > 1 and token.known.given > 1:
        return False
    return not (
        i + 1 < len(tokens)
        and token.known.given > 0
        and tokens[i + 1].known.family > 1
        and tokens[i + 1].known.ordinary < 2
    )


def _label(text: str, run: list[Token], closed: bool, found: list[Name]) -> None:
    while run and run[0].sort == "P":
        run = run[1:]
    while run and run[-1].sort == "P":
        run = run[:-1]
    run = without_article(text, run)
    if not run or (len(run) > 1 and not any(token.sort == "C" for token in run)):
        return
    cut = (named_by_head(run) if len(run) > 1 else None) or named_by_list(text, run)
    if cut is None and len(run) == 1:
        if run[0].folded.rpartition("-")[2].rstrip(".") not in words.TITLES or not _is_title(run, 0):
            add_name(text, run, False, closed, found)
        return
    if cut is not None:
        first, last, entity = cut
        _label(text, run[:first], closed, found)
        if entity is not None:
            found.append(Name(run[first].start, run[last - 1].end, entity))
        _label(text, run[last:], closed, found)
        return
    titled = False
    piece: list[Token] = []
    for i, token in enumerate(run):
        if token.folded.rstrip(".") in _UNITS and _counted(text, token, closed):
            add_name(text, piece, titled, closed, found)
            piece, titled = [], False
        elif token.folded.rpartition("-")[2].rstrip(".") in words.TITLES and _is_title(run, i):
            add_name(text, piece, titled, closed, found)
            piece, titled = [], True
        elif token.folded in ("of", "and", "for", "the", "&", "in", "on") and token.sort == "P":
            add_name(text, piece, titled, closed, found)
            piece, titled = [], False
        else:
            piece.append(token)
    add_name(text, piece, titled, closed, found)


_UNITS = frozenset({"suite", "ste", "apt", "apartment", "unit", "flat", "floor", "room", "box"})


def _counted(text: str, token: Token, closed: bool) -> bool:
    """Whether a number follows the word, as in an address."""
    at = token.end + text.startswith(".", token.end) + 1
    if at >= len(text) and not closed:
        raise Undecided
    return text[at : at + 1].isdigit()


def _is_title(run: list[Token], i: int) -> bool:
    """Whether the word is a title here, and not a family name ("Martin King", "Larry King")."""
    token = run[i]
    if i + 1 < len(run) and run[i + 1].folded.rstrip(".") not in words.SUFFIXES:
        return not (i > 0 and run[i - 1].known.given == 3 and token.known.family == 3 and run[i - 1].known.ordinary < 2)
    return i == 0 or not (token.known.family >= 2 and run[i - 1].known.given >= 2)


@cache
def _idle() -> frozenset[str]:
    """Words that begin no name although a capital begins them."""
    found = {word for word in words.FUNCTION if not look_up(word).given}
    return frozenset(case for word in found for case in (word.capitalize(), word.upper()))


def _read(text: str, p: int, closed: bool) -> list[Name] | None:
    """Gives the names at a position; None: not yet known."""
    end = text.find(" ", p, p + 16)
    if end > 0 and text[p:end].rstrip(",") in _idle():
        return []
    try:
        return names(text, p, closed)
    except Undecided:
        return None


_KEYS = ("names so far", "names")
_UNREAD: list[Name] = []


@dataclass(frozen=True, slots=True)
class Names:
    """Recognises one kind of name. What it reads is kept on the `Position` for the next one that asks."""

    name: str
    entity: Entity
    start_classes: str = "u"
    fallback: bool = False
    plain_word_starts: str = "u"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        kept = position.read
        found: list[Name] | None = kept.get(_KEYS[closed], _UNREAD)
        if found is _UNREAD:
            found = kept[_KEYS[closed]] = _read(text, p, closed)
        if not found:
            return OPEN if found is None else NONE
        for name in found:
            if name.start == p and name.entity is self.entity:
                return name.end
        return NONE

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return mark not in (" ", ",") or len(word) > 14 or word not in _idle()

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        """Whether the text ends inside a name."""
        return self.at(text, p, position, True) == len(text)


PEOPLE: Sequence[Recognizer] = (Names("person", Entity.PERSON), LowercaseNames("small-person", Entity.PERSON, people))
PLACES: Sequence[Recognizer] = (Names("place", Entity.LOCATION), LowercaseNames("small-place", Entity.LOCATION, places))
ORGANIZATIONS: Sequence[Recognizer] = (Names("organization", Entity.ORGANIZATION),)
GROUPS: Sequence[Recognizer] = (Names("group", Entity.NRP), LowercaseNames("small-group", Entity.NRP, groups))
