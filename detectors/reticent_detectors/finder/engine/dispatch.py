"""Which recognisers are asked at a position: by its first character, its word, and whether a word stands before it.

Most words come again, so what is chosen for a word or a number is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from reticent_detectors.finder.engine.recognizers import Recognizer

Group = tuple[Recognizer, ...]
SORTS = "duls"
_MOST_REMEMBERED = 4096
# A short number and what follows it.
_NUMBER_HEAD = re.compile(r"\d{1,4}\D[\s\S]")


def character_class(char: str) -> str:
    """Give the class of a character, as in `Recognizer.start_classes`: d(igit), u(pper), l(ower case), s(ymbol)."""
    if char.isdigit():
        return "d"
    if char.isupper():
        return "u"
    return "l" if char.isalpha() else "s"


class Dispatch:
    """Choose recognisers in two groups: those asked first, and those asked where the first found nothing.

    Args:
        asked: those to choose from, in the order in which they win.
    """

    def __init__(self, asked: Sequence[Recognizer]) -> None:
        self._by_class = {
            sort: tuple(
                tuple(r for r in asked if sort in r.start_classes and r.fallback is last) for last in (False, True)
            )
            for sort in SORTS
        }
        self._word_starters = {
            sort: tuple(tuple(r for r in group if sort in r.plain_word_starts) for group in self._by_class[sort])
            for sort in SORTS
        }
        self._by_word = dict[tuple[str, str, bool], tuple[Group, ...]]()
        self._by_number = dict[str, tuple[Group, ...]]()

    def elsewhere(self, text: str, p: int, sort: str) -> tuple[Group, ...]:
        """Return those that may find something at p, where no plain word begins."""
        head = _NUMBER_HEAD.match(text, p) if sort == "d" else None
        return self._by_class[sort] if head is None else self._at_number(head[0])

    def at_word(self, word: str, mark: str, led: bool, sort: str) -> tuple[Group, ...]:
        """Return those that may find something at a plain word; `led`: a word and a blank stand before it."""
        starters = self._word_starters[sort]
        if not starters[0] and not starters[1]:
            return starters
        key = word, mark, led
        groups = self._by_word.get(key)
        if groups is None:
            if len(self._by_word) >= _MOST_REMEMBERED:
                self._by_word.clear()
            groups = self._by_word[key] = tuple(
                tuple(r for r in group if _may_begin(r, word, mark, led)) for group in starters
            )
        return groups

    def _at_number(self, head: str) -> tuple[Group, ...]:
        groups = self._by_number.get(head)
        if groups is None:
            if len(self._by_number) >= _MOST_REMEMBERED:
                self._by_number.clear()
            groups = self._by_number[head] = tuple(
                tuple(r for r in group if (begins := getattr(r, "may_begin_with", None)) is None or begins(head))
                for group in self._by_class["d"]
            )
        return groups


def _may_begin(recognizer: Recognizer, word: str, mark: str, led: bool) -> bool:
    """Tell whether a recogniser may find a value that begins with a plain word."""
    begins = getattr(recognizer, "may_begin", None)
    return begins is None or begins(word, mark, led)
