"""Finds lists without delimiters: values in the same words or marks, one after the other.

"Maybe it is A. Maybe it is B.", "A ~ B ~ C", `{"k1": "A", "k2": "B"}`, "candidate: A", "A then B then C".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_PART = re.compile(r"[^\W_]+|[^\w\s]|[_\t]")
_REACH = 64
_WINDOW = 8000
"""Longest distance between items of a list, in characters."""
_ITEM_CHARS = 80
_BLANKS = r"\s{0,8}"
_WORDS = 3
"""Words before a value that are a frame, if they precede other values as well."""
_LABELS = frozenset(":=→>")
_SENTENCE = frozenset(".,;!?'\"’“”")
"""Marks that are frequent in prose, and those that delimit lists (`echo`). Alone they are no frame."""
_ITEM_END = re.compile(r"[.?!,;](?!\S)|\n|[\"”]")


def neighbours_in_frames(text: str, places: Iterable[tuple[int, int]], most: int) -> dict[str, str]:
    """Finds other values in the same frame as a value and of its shape. Maps folded forms to written ones.

    Args:
        text: the prompt.
        places: ranges of the value in the prompt.
        most: it ends early with more values than this. The value itself is one.
    """
    found: dict[str, str] = {}
    read: dict[str, int] = {}
    for start, end in places:
        value = text[start:end]
        found.setdefault(" ".join(value.split()).casefold(), value)
        frames = (_frame(text, start, end), _between(text, start, end))
        for frame in (each for each in frames if each is not None):
            if start < read.get(frame.pattern, 0):
                continue  # the window around an earlier place covers this one
            read[frame.pattern] = start + _WINDOW // 2
            for item in _items(text, frame, max(0, start - _WINDOW), end + _WINDOW):
                words = item.split()[: len(value.split())]
                if len(words) == len(value.split()) and _has_shape(words, value):
                    found.setdefault(" ".join(words).casefold(), " ".join(words))
                if len(found) > most:
                    return found
    return found


def _items(text: str, frame: re.Pattern[str], low: int, high: int) -> Iterator[str]:
    """Yields the items of a frame, each up to the next frame or the end of a sentence."""
    for match in frame.finditer(text, low, high):
        item = text[match.end() : match.end() + _ITEM_CHARS]
        following, stop = frame.search(item), _ITEM_END.search(item)
        yield item[: min([len(item), *(m.start() for m in (following, stop) if m is not None)])]


def _has_shape(words: list[str], value: str) -> bool:
    """Says whether words have a value's shape: digits where it has some, a capital where it has one."""
    written = " ".join(words)
    digits = any(map(str.isdigit, value)) == any(map(str.isdigit, written))
    return digits and (not any(map(str.isupper, value)) or any(map(str.isupper, written)))


def _between(text: str, start: int, end: int) -> re.Pattern[str] | None:
    """Makes the pattern of the separator behind a value that is a list's first item, or has "=" on both sides."""
    behind = _PART.search(text, end, end + 8)
    if behind is None or text[end : behind.start()].strip(" "):
        return None
    mark, word = behind.group(), behind.group().isalnum()
    before = _PART.findall(text, max(0, start - _REACH), start)
    same = bool(before) and before[-1] == mark
    if word or mark in _SENTENCE or mark in ")]}>" or (mark in _LABELS and not same):
        return None
    return re.compile(re.escape(mark) + r"\s*")


def _frame(text: str, start: int, end: int) -> re.Pattern[str] | None:
    """Makes the pattern of the words or marks before a value; None if they distinguish nothing."""
    parts = [match.group() for match in _PART.finditer(text, max(0, start - _REACH), start)]
    if not parts:
        return None
    if not parts[-1].isalnum():
        return _marks(parts)
    words: list[str] = []
    while parts and parts[-1].isalnum() and len(words) < _WORDS:
        words.insert(0, parts.pop())
    behind = _PART.search(text, end, end + 24)
    if behind is not None and behind.group().casefold() == words[-1].casefold():
        words = words[-1:]  # "A then B then C"
    elif len(words) < _WORDS:
        return None
    spoken = r"\W+".join(map(re.escape, words))
    return re.compile(rf"(?<!\w){spoken}(?!\w)\W*", re.IGNORECASE) if words else None


def _marks(parts: list[str]) -> re.Pattern[str] | None:
    """Makes the pattern of the marks before a value: alone, or behind a label without its number."""
    marks: list[str] = []
    while parts and not parts[-1].isalnum():
        marks.insert(0, parts.pop())
    label = ""
    if _LABELS.intersection(marks):
        name = re.sub(r"\d+", "", parts[-1]) if parts else ""
        label = rf"(?<!\w){re.escape(name)}\d{{0,8}}{_BLANKS}" if len(name) > 1 else rf"(?<!\w)[^\W_]{{1,6}}{_BLANKS}"
        while marks[0] in "\"'" and len(marks) > 1:
            marks.pop(0)
            label += rf"[\"']?{_BLANKS}"
    elif _SENTENCE.issuperset(marks):
        return None
    return re.compile(label + _BLANKS.join(map(re.escape, marks)) + _BLANKS, re.IGNORECASE)
