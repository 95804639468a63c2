"""Looks up names of public persons word by word: the shipped ones and those of a policy's `allow_subjects`.

`data/public_subjects.txt` holds well-known rulers, scientists, authors and artists, one person a line. Names are
compared without regard to case, accents, hyphens and apostrophes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

from reticent_detectors.finder.names_data import fold

SUFFIXES = frozenset({"jr", "sr", "junior", "senior", "ii", "iii", "iv"})
"""Suffixes of names, which distinguish namesakes."""

_LETTER = r"(?:[^\W\d_]|[\u0300-\u036f])"
_WORD = re.compile(rf"{_LETTER}+(?:['’]{_LETTER}+)*")
_POSSESSIVE = re.compile(r"['’]s?$")
_NUMERAL = re.compile(r"[ivx]+")
_NO_SURNAME_BEFORE = frozenset({"the", "of"})  # "the Great", "of Arc": an epithet
_MOST_LISTS = 16  # policies whose names are kept ready


class Word(NamedTuple):
    """Holds a word of a text: its range, its folded form, and whether it may be a name by its first letter."""

    start: int
    end: int
    folded: str
    capital: bool


def words(text: str) -> list[Word]:
    """Gives the words of a text in order. In scripts without capitals every word may be a name."""
    out = []
    for match in _WORD.finditer(text):
        first = match[0][0]
        folded = fold(_POSSESSIVE.sub("", match[0])).replace("'", "").replace("’", "")
        out.append(Word(*match.span(), folded, first.isupper() or first.upper() == first.lower()))
    return out


@dataclass(frozen=True, slots=True)
class PublicNames:
    """Indexes names. A person is a number that all names of the person share.

    `forms` maps a name's first word to all names that begin so, the longest first. `surnames` and `initials` belong to
    persons who have a given name and a surname.
    """

    forms: dict[str, list[tuple[tuple[str, ...], int]]] = field(repr=False)
    surnames: dict[int, str] = field(repr=False)
    initials: dict[int, frozenset[str]] = field(repr=False)

    @classmethod
    def of(cls, people: Iterable[Sequence[str]]) -> PublicNames:
        """Indexes people, each with one or several full names."""
        forms: dict[str, dict[tuple[str, ...], int]] = {}
        surnames: dict[int, str] = {}
        initials: dict[int, frozenset[str]] = {}
        for person, names in enumerate(people):
            spelled = [tuple(word.folded for word in words(name)) for name in names]
            for form in filter(None, spelled):
                forms.setdefault(form[0], {}).setdefault(form, person)
            parts = [form for form in map(_without_suffix, spelled) if _has_surname(form)]
            if parts:
                surnames[person] = parts[0][-1]
                initials[person] = frozenset("".join(word[0] for word in form[:-1]) for form in parts)
        ordered = {first: sorted(of.items(), key=lambda row: -len(row[0])) for first, of in forms.items()}
        return cls(ordered, surnames, initials)

    def at(self, text: str, found: Sequence[Word], i: int) -> tuple[int, int] | None:
        """Finds the person whose full name begins with word `i`, and the index behind its last word.

        The longest wins.
        """
        for form, person in self.forms.get(found[i].folded, ()):
            end = i + len(form)
            if end <= len(found) and all(
                found[k].folded == form[k - i] and adjacent(text, found[k - 1], found[k]) for k in range(i + 1, end)
            ):
                return person, end
        return None


def adjacent(text: str, left: Word, right: Word) -> bool:
    """Says whether two words stand side by side, as those of one name do."""
    between = text[left.end : right.start]
    if not between.strip(" \u00a0'’-‐‑–"):
        return len(between) <= 2
    if between.strip() == "." and "\n" not in between:
        return len(left.folded) == 1 or left.folded in ("st", "dr")
    return right.folded in SUFFIXES and between.strip() == "," and "\n" not in between


@lru_cache(maxsize=_MOST_LISTS)
def public_names(more: frozenset[str]) -> PublicNames:
    """Indexes the shipped names and those of a policy."""
    return PublicNames.of([*shipped(), *([name] for name in sorted(more))])


def shipped() -> list[list[str]]:
    """Reads the people of the shipped list, each with one or several names."""
    text = resources.files("reticent").joinpath("data", "public_subjects.txt").read_text(encoding="utf-8")
    return [row.split("|") for row in text.splitlines() if row and not row.startswith("#")]


def _without_suffix(form: tuple[str, ...]) -> tuple[str, ...]:
    return form[:-1] if form and form[-1] in SUFFIXES else form


def _has_surname(form: tuple[str, ...]) -> bool:
    return len(form) > 1 and form[-2] not in _NO_SURNAME_BEFORE and not _NUMERAL.fullmatch(form[-1])
