"""The longest common substring of one text and many values, in time linear in each.

A suffix automaton of the reversed text has at most 2n states, and is built in O(n) steps. A value of m characters then
costs O(m) steps, however often its characters occur in the text. The text is reversed because the walk over a value
finds where matches *end*; reversed, it finds where they begin, and a match may be asked to begin at a word.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence


class SubstringIndex:
    """A text that is asked for the longest substring that it shares with a value.

    Args:
        text: characters, or any hashable symbols [n].
        starts: offsets at which a shared substring may begin; every one if not given.
        breaks: offsets that no shared substring may cross.
    """

    def __init__(
        self, text: Sequence[Hashable], starts: Collection[int] | None = None, breaks: Collection[int] = ()
    ) -> None:
        self._next: list[dict[Hashable, int]] = [{}]
        self._link, self._length = [-1], [0]
        allowed = None if starts is None else frozenset(starts)
        borders = frozenset(breaks)
        ends: list[int] = []
        last = 0
        for offset in range(len(text) - 1, -1, -1):
            last = self._extend(last, text[offset])
            if allowed is None or offset in allowed:
                ends.append(last)
            if offset in borders and offset:
                # A symbol that no value holds, so that no match crosses it.
                last = self._extend(last, _Border())
        self._usable = self._usable_lengths(ends)

    def __repr__(self) -> str:
        return f"SubstringIndex({len(self._length)} states)"

    def longest(self, value: Sequence[Hashable], starts: Collection[int] | None = None) -> int:
        """Length of the longest shared substring.

        Args:
            value: symbols [m].
            starts: offsets in `value` at which the substring may begin; every one if not given.
        """
        state, length, best = 0, 0, 0
        for offset in range(len(value) - 1, -1, -1):
            symbol = value[offset]
            while state and symbol not in self._next[state]:
                state = self._link[state]
                length = self._length[state]
            state = self._next[state].get(symbol, 0)
            length = length + 1 if state else 0
            if starts is None or offset in starts:
                best = max(best, min(length, self._usable[state]))
        return best

    def _extend(self, last: int, symbol: Hashable) -> int:
        """Appends a symbol; returns the state of the whole text so far (Blumer et al., 1985)."""
        new = self._add({}, self._length[last] + 1, 0)
        state = last
        while state >= 0 and symbol not in self._next[state]:
            self._next[state][symbol] = new
            state = self._link[state]
        if state < 0:
            return new
        target = self._next[state][symbol]
        if self._length[target] == self._length[state] + 1:
            self._link[new] = target
            return new
        clone = self._add(dict(self._next[target]), self._length[state] + 1, self._link[target])
        while state >= 0 and self._next[state].get(symbol) == target:
            self._next[state][symbol] = clone
            state = self._link[state]
        self._link[target] = self._link[new] = clone
        return new

    def _add(self, following: dict[Hashable, int], length: int, link: int) -> int:
        self._next.append(following)
        self._length.append(length)
        self._link.append(link)
        return len(self._length) - 1

    def _usable_lengths(self, ends: Sequence[int]) -> list[int]:
        """For each state the longest of its suffixes that ends at an allowed place (0: none)."""
        usable = [False] * len(self._length)
        for end in ends:
            state = end
            while state > 0 and not usable[state]:
                usable[state] = True
                state = self._link[state]
        lengths = [0] * len(self._length)
        for state in sorted(range(1, len(lengths)), key=self._length.__getitem__):
            lengths[state] = self._length[state] if usable[state] else lengths[self._link[state]]
        return lengths


class _Border:
    """Equals nothing but itself."""

    __slots__ = ()
