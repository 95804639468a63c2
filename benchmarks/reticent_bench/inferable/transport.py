"""The value that another person would have by the same rule: `ada.bruck@x.example` of Ada Bruck is
`noel.varga@x.example` of Noel Varga.

Only e-mail addresses have a rule. The letters of the local part must be made of the name alone: whole words, their
initials, or beginnings of at least three letters. Separators, digits and the case of letters stay. So does the domain,
but for labels that are made of the name as well. Accents are written as the address writes them (`mueller`, `muller`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, takewhile

from reticent_detectors.finder.word_sets import word_set

LEAST_BEGINNING = 3
"""Letters of a word's beginning that count as a part of the name; fewer may be a coincidence. One is an initial."""
PARTICLES: frozenset[str] = word_set(
    "af al ap bin binti d da das de degli dei del della den der di do dos du el ibn la las le les lo los o op san "
    "ten ter tot van vom von y zu zum zur"
)
_LETTERS = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
_UMLAUTS = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
_SEPARATORS = "._-+"
_RUN = re.compile(r"[^\W\d_]+|[\d\W_]+")
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class NameWords:
    """The words of a name in order, small letters: given names, particles ("van der") and family names.

    A comma turns the order round ("Bruck, Ada"). Hyphens and apostrophes part words. A single name is a given one.
    """

    given: tuple[str, ...]
    particles: tuple[str, ...]
    family: tuple[str, ...]

    @classmethod
    def of(cls, name: str) -> NameWords:
        before, comma, behind = unicodedata.normalize("NFKC", name).partition(",")
        if comma:
            name = f"{behind} {before}"
        chunks = [_WORD.findall(chunk.lower()) for chunk in name.split()]
        chunks = [chunk for chunk in chunks if chunk]
        if len(chunks) < 2:
            return cls(tuple(chunks[0]) if chunks else (), (), ())
        *front, last = chunks
        family, given, particles = [*last], list[str](), list[str]()
        while len(family) > 1 and family[0] in PARTICLES:  # O'Brien, d'Arc
            particles.append(family.pop(0))
        while front and all(word in PARTICLES for word in front[-1]) and len(front) > 1:
            particles = [*front.pop(), *particles]
        for chunk in front:
            given += chunk
        return cls(tuple(given), tuple(particles), tuple(family))

    def __repr__(self) -> str:
        return f"NameWords({len(self.given)}, {len(self.particles)}, {len(self.family)})"

    def words(self) -> list[tuple[str, int]]:
        """Role and place of each word."""
        return [(role, at) for role in ("given", "particles", "family") for at in range(len(getattr(self, role)))]

    def word(self, role: str, at: int) -> str | None:
        """The word of a role at a place; None if the name has none there."""
        own: tuple[str, ...] = getattr(self, role)
        return own[at] if at < len(own) else None


@dataclass(frozen=True, slots=True)
class _Piece:
    """A part of a local part: its word, how much of it (None: all), in which spelling and case; or text as it is."""

    role: str = ""
    at: int = 0
    length: int | None = None
    spell: Callable[[str], str] = str
    case: Callable[[str], str] = str
    text: str = ""


def transported(value: str, name: str, other: str) -> str | None:
    """An e-mail address of `name` as `other` would have it by the same rule; None if the name does not make it.

    Where the other name lacks a word (a particle, a second given name), it is left out, and a separator with it where
    nothing else is between two of them.
    """
    local, at, domain = value.rpartition("@")
    mine, theirs = NameWords.of(name), NameWords.of(other)
    pieces = _parsed(local, mine) if at else None
    if not pieces or not any(piece.role for piece in pieces):
        return None
    written = _written(pieces, theirs)
    labels = [_label(label, mine, theirs) for label in domain.split(".")]
    return None if not written else f"{written}@{'.'.join(labels)}"


def _label(label: str, mine: NameWords, theirs: NameWords) -> str:
    """A label of a domain, rewritten if whole words of the name alone make it."""
    pieces = _parsed(label, mine)
    if not pieces or not any(p.role for p in pieces) or any(p.role and p.length is not None for p in pieces):
        return label
    return _written(pieces, theirs) or label


def _parsed(text: str, name: NameWords) -> list[_Piece] | None:
    """The pieces of a text whose letters the name makes, fewest and surest first; None if it does not."""
    pieces: list[_Piece] = []
    used: frozenset[tuple[str, int]] = frozenset()
    for run in _RUN.findall(unicodedata.normalize("NFC", text)):
        if not run[0].isalpha():
            pieces.append(_Piece(text=run))
            continue
        best = _best(run, name, used)
        if best is None:
            return None
        pieces += best
        used |= {(piece.role, piece.at) for piece in best}
    return pieces


def _best(run: str, name: NameWords, used: frozenset[tuple[str, int]]) -> list[_Piece] | None:
    """The cheapest way to write a run of letters with words of the name that no piece before has used."""

    @lru_cache(maxsize=512)
    def rest(start: int, spent: frozenset[tuple[str, int]]) -> tuple[int, tuple[_Piece, ...]] | None:
        if start == len(run):
            return 0, ()
        best: tuple[int, tuple[_Piece, ...]] | None = None
        for cost, length, piece in _fitting(run, start, name, spent):
            behind = rest(start + length, spent | {(piece.role, piece.at)})
            if behind is not None and (best is None or cost + behind[0] < best[0]):
                best = cost + behind[0], (piece, *behind[1])
        return best

    found = rest(0, used)
    return None if found is None else list(found[1])


def _fitting(
    run: str, start: int, name: NameWords, spent: frozenset[tuple[str, int]]
) -> Iterator[tuple[int, int, _Piece]]:
    """Pieces that may begin at a place of a run, with what each costs and its length."""
    for place, (role, at) in enumerate(name.words()):
        if (role, at) in spent:
            continue
        word = name.word(role, at)
        assert word is not None
        for spell in (str, _folded, _umlauts):
            spelled = spell(word)
            left = run[start : start + len(spelled)]
            alike = takewhile(lambda pair: pair[0] == pair[1], zip(left.lower(), spelled, strict=False))
            common = min(len(list(alike)), len(left))
            if common == len(spelled):
                yield place, common, _Piece(role, at, None, spell, _case(left[:common]))
            for length in range(LEAST_BEGINNING, min(common, len(spelled) - 1) + 1):
                yield 100 + place, length, _Piece(role, at, length, spell, _case(left[:length]))
            if common:
                yield 1000 + place, 1, _Piece(role, at, 1, spell, _case(left[:1]))


def _written(pieces: Sequence[_Piece], name: NameWords) -> str:
    """The pieces with another name's words; a run of letters that comes out empty takes a separator along."""
    runs = [(lettered, list(run)) for lettered, run in groupby(pieces, lambda piece: bool(piece.role))]
    out: list[str] = []
    drops = False
    for lettered, run in runs:
        text = "".join(_rewritten(piece, name) for piece in run)
        if drops and not lettered:
            text = text.lstrip(_SEPARATORS)
        drops = lettered and not text
        out.append(text)
    written = "".join(out)
    return written.rstrip(_SEPARATORS) if drops else written


def _rewritten(piece: _Piece, name: NameWords) -> str:
    if not piece.role:
        return piece.text
    word = name.word(piece.role, piece.at)
    return "" if word is None else piece.case(piece.spell(word)[: piece.length])


def _case(text: str) -> Callable[[str], str]:
    if len(text) > 1 and text.isupper():
        return str.upper
    if text[:1].isupper():
        return str.capitalize
    return str.lower


def _folded(word: str) -> str:
    """Without accents: `josé` is `jose`, `ł` is `l`."""
    plain = "".join(_LETTERS.get(c, c) for c in word)
    return "".join(c for c in unicodedata.normalize("NFD", plain) if not unicodedata.combining(c))


def _umlauts(word: str) -> str:
    """Umlauts as two letters: `müller` is `mueller`; other accents go."""
    return _folded("".join(_UMLAUTS.get(c, c) for c in unicodedata.normalize("NFC", word)))
