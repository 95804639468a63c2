"""Keeps the end of what came of a choice, over all its texts, as one of them may name whom a value in another is of."""

from __future__ import annotations

from collections import deque

from reticent.suppressions.active import BEFORE_CHARS


class ChoiceTexts:
    """Keeps the last `BEFORE_CHARS` characters of a choice as they came, and which text each belongs to."""

    def __init__(self) -> None:
        self._pieces = deque[tuple[str, str]]()
        self._chars = 0

    def __repr__(self) -> str:
        return f"ChoiceTexts(<{self._chars} chars>)"

    def add(self, name: str, text: str) -> None:
        """Takes a piece of the text of this name."""
        if not text:
            return
        self._pieces.append((name, text[-BEFORE_CHARS:]))
        self._chars += len(self._pieces[-1][1])
        while self._chars - len(self._pieces[0][1]) >= BEFORE_CHARS:
            self._chars -= len(self._pieces.popleft()[1])

    def beside(self, name: str) -> tuple[str, ...]:
        """Gives what is kept of all texts but that of this name."""
        texts = dict[str, list[str]]()
        for each, text in self._pieces:
            if each != name:
                texts.setdefault(each, []).append(text)
        return tuple(map("".join, texts.values()))
