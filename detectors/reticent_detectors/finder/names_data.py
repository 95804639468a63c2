"""What is known of a word: is it a given name, a family name, a place, an ordinary word?

The table is one file, made by `make_names`: a line of counts, then compressed words and one byte of levels for each.
It is read on the first look-up, not at import.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

TABLE = "names.bin"
GIVEN, FAMILY, PLACE, ORDINARY = 0, 2, 4, 6
"""Where the two bits of each level lie in a byte."""


class Lexeme(NamedTuple):
    """Levels from 0 (not known as such) to 3 (surely, or often).

    `ordinary`: how often the word stands in small letters in prose: 1 seldom, 2 now and then, 3 often.
    """

    given: int
    family: int
    place: int
    ordinary: int


_LEXEMES = tuple(
    Lexeme(byte >> GIVEN & 3, byte >> FAMILY & 3, byte >> PLACE & 3, byte >> ORDINARY & 3) for byte in range(256)
)
_UNKNOWN = _LEXEMES[0]
_LETTERS = str.maketrans(
    {
        "’": "'",
        "ı": "i",
        "ł": "l",
        "ø": "o",
        "đ": "d",
        "ð": "d",
        "þ": "th",
        "æ": "ae",
        "œ": "oe",
        "ß": "ss",
        "ə": "e",
    }
)


def fold(word: str) -> str:
    """Gives the word as the table has it: small letters without accents."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFD", word.lower().translate(_LETTERS))
    return "".join(c for c in parts if not unicodedata.combining(c))


def pack(levels: dict[str, int]) -> bytes:
    """Gives the file of a table from folded words (or words with blanks between) to bytes of levels."""
    words = sorted(levels)
    return zlib.compress("\n".join(words).encode() + b"\0" + bytes(levels[word] for word in words), 9)


def unpack(data: bytes) -> dict[str, int]:
    """Gives the inverse of `pack`."""
    words, _, levels = zlib.decompress(data).partition(b"\0")
    return dict(zip(words.decode().split("\n"), levels, strict=True))


@lru_cache(maxsize=1)
def _table() -> dict[str, int]:
    return unpack(resources.files(__package__).joinpath("data", TABLE).read_bytes())


def known_words() -> Iterator[tuple[str, Lexeme]]:
    """All that the table has."""
    return ((word, _LEXEMES[byte]) for word, byte in _table().items())


def look_up(folded: str) -> Lexeme:
    """Gives what is known of a folded word, or of several with single blanks between."""
    byte = _table().get(folded)
    return _UNKNOWN if byte is None else _LEXEMES[byte]
