"""Which recognisers are asked at a position.

Its first character, its word, the word before and what is announced decide.
Most words come again, so what is chosen for a word or a number is remembered.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from reticent_detectors.entities import Entity
from reticent_detectors.finder.engine.recognizers import Recognizer

Group = tuple[Recognizer, ...]
SORTS = "duls"
_MOST_REMEMBERED = 4096
# A short number and what follows it.
_NUMBER_HEAD = re.compile(r"\d{1,4}\D[\s\S]")


def character_class(char: str) -> str:
    """Gives the class of a character, as in `Recognizer.start_classes`: d(igit), u(pper), l(ower case), s(ymbol)."""
    if char.isdigit():
        return "d"
    if char.isupper():
        return "u"
    return "l" if char.isalpha() else "s"


class Dispatch:
    """Chooses recognisers in two groups: those asked first, and those asked where the first found nothing.

    Args:
        order: all recognisers of the finder, in the order in which they win.
        asked: those to choose from.
    """

    def __init__(self, order: Sequence[Recognizer], asked: Sequence[Recognizer]) -> None:
        self._order = {id(r): i for i, r in enumerate(order)}
        self._followers_of = [r for r in order if hasattr(r, "may_follow")]
        self._by_class = {
            sort: tuple(
                tuple(r for r in asked if sort in r.start_classes and r.fallback is last) for last in (False, True)
            )
            for sort in SORTS
        }
        self._unannounced = {
            sort: tuple(tuple(r for r in group if not needs_announcement(r)) for group in groups)
            for sort, groups in self._by_class.items()
        }
        self._word_starters = {
            sort: tuple(tuple(r for r in group if sort in r.plain_word_starts) for group in self._by_class[sort])
            for sort in SORTS
        }
        self._by_word = dict[tuple[str, str, bool], tuple[_WordGroup, _WordGroup]]()
        self._by_number = dict[str, tuple[Group, ...]]()
        self._by_lead = dict[str, frozenset[int]]()
        self._by_kinds = dict[tuple[str, frozenset[Entity]], tuple[Group, ...]]()

    def elsewhere(self, text: str, p: int, sort: str, announced: frozenset[Entity]) -> tuple[Group, ...]:
        """Those that may find something at p, where no plain word begins."""
        if announced:
            return self._by_class[sort]
        head = _NUMBER_HEAD.match(text, p) if sort == "d" else None
        return self._unannounced[sort] if head is None else self._at_number(head[0])

    def at_word(
        self, word: str, mark: str, before: str | None, sort: str, announced: frozenset[Entity]
    ) -> tuple[Group, ...]:
        """Those that may find something at a plain word; `before` is the word before it."""
        strict, fallback = self._unannounced_at_word(word, mark, before, sort)
        if not announced:
            return strict, fallback
        more, more_fallback = self._announced(sort, announced)
        return self._merge_in_table_order(strict, more), self._merge_in_table_order(fallback, more_fallback)

    def _unannounced_at_word(self, word: str, mark: str, before: str | None, sort: str) -> tuple[Group, Group]:
        strict, fallback = self._groups(word, mark, before is not None, sort)
        if before is None or not (strict.after or fallback.after):
            return strict.all, fallback.all
        after = self._followers(before)
        if not after:
            return strict.alone, fallback.alone
        return strict.behind(after), fallback.behind(after)

    def _at_number(self, head: str) -> tuple[Group, ...]:
        groups = self._by_number.get(head)
        if groups is None:
            if len(self._by_number) >= _MOST_REMEMBERED:
                self._by_number.clear()
            groups = self._by_number[head] = tuple(
                tuple(r for r in group if (begins := getattr(r, "may_begin_with", None)) is None or begins(head))
                for group in self._unannounced["d"]
            )
        return groups

    def _groups(self, word: str, mark: str, led: bool, sort: str) -> tuple[_WordGroup, _WordGroup]:
        groups = self._by_word.get((word, mark, led))
        if groups is None:
            if len(self._by_word) >= _MOST_REMEMBERED:
                self._by_word.clear()
            strict, fallback = (_word_group(group, word, mark, led) for group in self._word_starters[sort])
            groups = self._by_word[word, mark, led] = strict, fallback
        return groups

    def _followers(self, before: str) -> frozenset[int]:
        """Recognisers that may find something behind this word, among those that ask for it."""
        after = self._by_lead.get(before)
        if after is None:
            if len(self._by_lead) >= _MOST_REMEMBERED:
                self._by_lead.clear()
            after = frozenset(id(r) for r in self._followers_of if r.may_follow(before))
            self._by_lead[before] = after
        return after

    def _announced(self, sort: str, kinds: frozenset[Entity]) -> tuple[Group, ...]:
        """Those of these kinds that find something at a plain word because their kind is announced."""
        groups = self._by_kinds.get((sort, kinds))
        if groups is None:
            if len(self._by_kinds) >= _MOST_REMEMBERED:
                self._by_kinds.clear()
            groups = self._by_kinds[sort, kinds] = tuple(
                tuple(r for r in group if not kinds.isdisjoint(announced_kinds(r)))
                for group in self._word_starters[sort]
            )
        return groups

    def _merge_in_table_order(self, some: Group, others: Group) -> Group:
        if not some or not others:
            return some or others
        every = {id(r): r for r in (*some, *others)}
        return tuple(every[key] for key in sorted(every, key=self._order.__getitem__))


class _WordGroup:
    """Recognisers that a word leaves: all, those that the word before leaves as well, and whether there are others."""

    __slots__ = ("_behind", "after", "all", "alone")

    def __init__(self, every: Iterable[Recognizer]) -> None:
        self.all = tuple(every)
        self.alone = tuple(r for r in self.all if not hasattr(r, "may_follow"))
        self.after = len(self.alone) < len(self.all)
        self._behind = dict[frozenset[int], Group]()

    def behind(self, leads: frozenset[int]) -> Group:
        """Those of all that the word before leaves: they know no such word, or are among `leads`."""
        if not self.after:
            return self.all
        found = self._behind.get(leads)
        if found is None:
            if len(self._behind) >= _MOST_LEADS:
                self._behind.clear()
            found = self._behind[leads] = tuple(r for r in self.all if id(r) in leads or not hasattr(r, "may_follow"))
        return found


_MOST_LEADS = 64


def _word_group(group: Sequence[Recognizer], word: str, mark: str, led: bool) -> _WordGroup:
    return _WordGroup(
        r
        for r in group
        if not needs_announcement(r) and ((begins := getattr(r, "may_begin", None)) is None or begins(word, mark, led))
    )


def needs_announcement(recognizer: Recognizer) -> bool:
    """Whether it finds nothing where no kind of value is announced (`ByAnnouncement`)."""
    return bool(getattr(recognizer, "needs_announcement", False))


def announced_kinds(recognizer: Recognizer) -> frozenset[Entity]:
    """Gives the kinds of which it needs one announced, unless its words alone decide (`ByAnnouncement`)."""
    kinds: frozenset[Entity] = getattr(recognizer, "announced_kinds", frozenset())
    return kinds
