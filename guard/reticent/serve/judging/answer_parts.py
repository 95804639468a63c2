"""Keeps what is shown of an answer's parts, so that each is read together with those beside it.

A *part* is a running text, or what a tool call says. Parts have three orders: the one in which those of a choice came,
the one in which all came, and the one in which a client shows them (thoughts, texts, calls, one choice after another).
Only the beginning and the end of a part can hold a piece of a value that goes on in another one, so nothing else of it
is kept.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections import deque
from typing import NamedTuple

from reticent_detectors.finder.recorded_parts import REACH

BESIDE = 1 << 30
"""Number in place of a choice's for what stands beside all choices."""
THOUGHT, MAIN, TEXT, CALL = range(4)
"""Places of a choice's parts, in the order in which they are shown."""
_JOINT = "-"
"""Stands between two parts. Both sides of it may be one number, one key or one address."""
_MOST_PARTS = REACH
"""Parts of a choice that are kept in the order in which they came. Each has a character or more."""


class Neighbours(NamedTuple):
    """Holds what stands beside a part in one of the two orders: before it, and behind it.

    `begun` is what stands directly before it, as one text with it.
    """

    before: str
    begun: str
    behind: str

    def __repr__(self) -> str:
        return f"Neighbours(before=<{len(self.before)} chars>, behind=<{len(self.behind)} chars>)"


class _Ends:
    """Holds the beginning and the end of a text, and whether it may go on.

    What is shown of an open text begins no value that may go on: such a text is held. So it is read together with what
    stands behind it when it is closed.
    """

    def __init__(self) -> None:
        self.head = self.tail = ""
        self.is_open = True

    def add(self, text: str) -> None:
        if len(self.head) < REACH:
            self.head = (self.head + text)[:REACH]
        self.tail = (self.tail + text[-REACH:])[-REACH:]


_Channel = tuple[int, int, int]
"""Choice, place in it, and the number of the channel."""


class AnswerParts:
    """Keeps the parts of one response, of all its choices."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int, str], _Channel] = {}
        self._channels: dict[_Channel, _Ends] = {}
        self._shown: list[_Channel] = []
        self._came: dict[int, deque[_Ends]] = {}
        self._came_at_all = deque[_Ends](maxlen=_MOST_PARTS)
        self.version = 0

    def __repr__(self) -> str:
        return f"AnswerParts(channels={len(self._channels)})"

    def open(self, choice: int, place: int, channel: str, said: str = "", begun: str = "") -> AnswerPart:
        """Begins a part.

        Args:
            choice: the number of its choice.
            place: `THOUGHT`, `MAIN`, `TEXT` or `CALL`.
            channel: its name. Parts of one name are one text.
            said: what the model said in earlier turns.
            begun: the text of an earlier turn with which its channel begins.
        """
        key = self._numbers.get((choice, place, channel))
        if key is None:
            key = self._numbers[choice, place, channel] = choice, place, len(self._numbers)
            self._channels[key] = _Ends()
            insort(self._shown, key)
            earlier = begun
        else:
            earlier, begun = self._channels[key].tail, ""
        if choice not in self._came:
            self._came[choice] = deque(maxlen=_MOST_PARTS)
            if said:
                turns = _Ends()
                turns.add(said)
                turns.is_open = False
                self._came[choice].append(turns)
        self._channels[key].is_open = True
        self.version += 1
        part = AnswerPart(self, key, self._channels[key], (earlier[-REACH:], begun[-REACH:]))
        self._came[choice].append(part.ends)
        self._came_at_all.append(part.ends)
        return part

    def open_next(self) -> AnswerPart:
        """Begins a part that stands behind all others."""
        return self.open(BESIDE, CALL, f"{len(self._numbers)}")

    def neighbours(self, key: _Channel, ends: _Ends, begun: tuple[str, str], closed: bool) -> list[Neighbours]:
        """Gives what stands beside a part, in each order in which anything does.

        `begun` is what stands directly before it, in the order of what is shown and in that of what came. What stands
        behind it is given if it is `closed`.
        """
        at = bisect(self._shown, key)
        others = [self._channels[each] for each in self._shown]
        found = [Neighbours(_before(others[: at - 1]), begun[0], _behind(others[at:]) if closed else "")]
        for each_came in (self._came[key[0]], self._came_at_all) if len(self._came) > 1 else (self._came[key[0]],):
            came = list(each_came)
            own = next((number for number, each in enumerate(came) if each is ends), len(came))
            found.append(Neighbours(_before(came[:own]), begun[1], _behind(came[own + 1 :]) if closed else ""))
        return [each for each in dict.fromkeys(found) if each.before or each.behind]


class AnswerPart:
    """Keeps the beginning and the end of one part.

    Args:
        parts: all of them.
        key: its channel.
        channel: what is shown of the channel.
        begun: what stands directly before it, in the order of what is shown and in that of what came.
    """

    def __init__(self, parts: AnswerParts, key: _Channel, channel: _Ends, begun: tuple[str, str]) -> None:
        self._parts, self._key, self._channel, self._begun = parts, key, channel, begun
        self.begun = begun[0]
        self.ends = _Ends()
        self._known: list[Neighbours] = []
        self._version = -1

    def __repr__(self) -> str:
        return f"AnswerPart(choice={self._key[0]}, place={self._key[1]})"

    def add(self, text: str) -> None:
        """Takes what is shown of it."""
        if text:
            self.ends.add(text)
            self._channel.add(text)

    def close(self) -> None:
        """Says that nothing more of it comes."""
        self.ends.is_open = self._channel.is_open = False
        self._parts.version += 1

    def neighbours(self, closed: bool) -> list[Neighbours]:
        """Gives what stands beside it now: before it, and behind it if it is `closed`."""
        if closed:
            return self._parts.neighbours(self._key, self.ends, self._begun, True)
        if self._parts.version != self._version:
            self._version = self._parts.version
            self._known = self._parts.neighbours(self._key, self.ends, self._begun, False)
        return self._known


def _before(others: list[_Ends]) -> str:
    texts: list[str] = []
    size = 0
    for each in reversed(others):
        if each.is_open:
            break
        if each.tail:
            texts.append(each.tail)
            size += len(each.tail) + 1
        if size >= REACH:
            break
    return "".join(text + _JOINT for text in reversed(texts))[-REACH:]


def _behind(others: list[_Ends]) -> str:
    texts: list[str] = []
    size = 0
    for each in others:
        if each.head:
            texts.append(each.head)
            size += len(each.head) + 1
        if size >= REACH:
            break
    return "".join(_JOINT + text for text in texts)[:REACH]
