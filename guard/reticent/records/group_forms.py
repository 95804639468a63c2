"""Decides into which groups of digits a recorded number may fall where it is told in prose, in whatever order.

As written, and as numbers of its length are usually said. Groups of one or two digits alone are too common: two groups
must have three digits or more, and seven together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from reticent_detectors.entities import Entity
from reticent_detectors.finder.plain_text import plain_form_of

_DIGITS = re.compile("[0-9]+")
_USUAL = {
    16: ((12, 4), (6, 6, 4), (8, 8), (4, 12)),
    10: ((3, 3, 4), (6, 4), (3, 7)),
    9: ((3, 2, 4), (5, 4), (3, 6), (3, 3, 3)),
}
_LEAST_SIZE, _LEAST_DIGITS, _MOST_GROUPS = 3, 7, 8


def group_forms(value: str, entity: str, national: Iterator[str]) -> Iterator[list[str]]:
    """Yields the different groups of a recorded number in ascending order, in each way in which it may fall into some.

    `national`: the number as it is dialled at home.
    """
    text = plain_form_of(value)
    compact = "".join(filter(str.isalnum, text))
    own = _DIGITS.findall(text)
    digits = "".join(own)
    if 2 * len(digits) < len(compact):
        return
    ways = [own]
    if entity == Entity.PHONE_NUMBER:
        if text.lstrip().startswith("+"):
            ways.append(own[1:])
        ways += (_cut(number, sizes) for number in national for sizes in _USUAL.get(len(number), ()))
    elif entity != Entity.COORDINATES:
        if digits == compact:
            ways += (_cut(digits, sizes) for sizes in _USUAL.get(len(digits), ()))
            ways.append(_cut(digits, (3,) * (len(digits) // 3)))
        ways.append([group for four in _cut(compact, (4,) * (len(compact) // 4)) for group in _DIGITS.findall(four)])
    seen = set[tuple[str, ...]]()
    for way in ways:
        groups = sorted(set(way))
        sure = [group for group in groups if len(group) >= _LEAST_SIZE]
        is_enough = len(sure) > 1 and sum(map(len, sure)) >= _LEAST_DIGITS and len(groups) <= _MOST_GROUPS
        if is_enough and tuple(groups) not in seen:
            seen.add(tuple(groups))
            yield groups


def _cut(text: str, sizes: tuple[int, ...]) -> list[str]:
    """Cuts a text into pieces of these sizes, and the rest."""
    pieces, start = list[str](), 0
    for size in sizes:
        pieces.append(text[start : start + size])
        start += size
    return [piece for piece in (*pieces, text[start:]) if piece]
