"""Which parts of a text may belong to one recorded value: groups of digits, and runs of letters and digits."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import regex

from reticent_detectors.finder.match_ends import NONE, OPEN

REACH = 256
"""The longest written value, in characters."""
_MARKS = r"[\W_]"
_GAP: Any = regex.compile(
    # code, tags, names of fields
    rf"(?:\s*+[^\w\s,.;:!?)](?:{_MARKS}{{0,120}}+[^\W\d_]{{1,24}}+){{0,8}}+{_MARKS}{{0,120}}+"
    rf"|(?:{_MARKS}{{0,120}}+[^\W\d_]{{1,24}}+){{0,3}}+{_MARKS}{{0,120}}+)(?=[0-9])"
)
_TAGS: Any = regex.compile(rf"(?:[^\w<]{{0,16}}+</?[A-Za-z][^<>]{{0,100}}+>){{1,4}}+{_MARKS}{{0,24}}+(?=[0-9])")
"""Tags as a whole, with the digits in them."""
GROUP = re.compile(r"[0-9]{1,256}")
_CHUNK = re.compile(r"[A-Za-z0-9]{1,256}")
_JOINTS: list[Any] = [
    regex.compile(pattern)
    for pattern in (
        r"(?:[^\w\n]{0,4}\n[ \t]{0,8}[0-9]{1,3}[.):\]][^\w\n]{1,4}){1,3}",  # the number of an item
        r"(?:[\W_]{0,8}</?[A-Za-z][^<>]{0,60}>){1,4}[\W_]{0,8}",  # tags
        r"[\W_]{0,4}/\*[^*]{0,60}\*/[\W_]{0,4}",  # a comment
        r"[\W_]{0,12}[\"'&][\W_]{0,4}[A-Za-z]\w{0,23}[\"']?[ \t]{0,4}[:=][\W_]{0,8}",  # the name of a field
        r"[\W_]{0,8}[\"'+|\[\](){}<>/\\@,][\W_]{0,12}|[^\w\s]{1,100}|_{1,3}",
    )
]
"""What may stand between two runs. The first that fits counts, so while one may still fit, those after it wait."""
_BLANKS = re.compile(r"[\W_]{1,40}")
_FIRST_SIGN = 32
"""Letters within which a run shows a digit or an @."""
_RUN_REACH = 1024
"""The longest written run, in characters: each letter may stand in a cell of its own."""


class Links:
    """What may follow groups of digits and runs of letters and digits in a text, read once."""

    def __init__(self, text: str, closed: bool) -> None:
        self._text, self.closed = text, closed
        self._after_group = dict[tuple[int, bool], int]()
        self._after_chunk = dict[tuple[int, bool], int]()
        self.mail_starts = dict[int, int]()
        """Where the recorded address around an @ begins; -1: none does."""

    def may_grow(self, end: int) -> bool:
        """Says whether what ends at a place may go on with more text."""
        return end == len(self._text) and not self.closed

    def groups(self, p: int, most: int, whole_tags: bool) -> tuple[list[tuple[int, int]], bool]:
        """Gives the groups of digits from p on, up to `most` digits, and whether more text may bring others.

        `whole_tags`: digits within tags are none.
        """
        text, found, at, count = self._text, list[tuple[int, int]](), p, 0
        while at < p + REACH and count < most:
            group = GROUP.match(text, at)
            assert group is not None
            found.append((at, group.end()))
            count += group.end() - at
            key = group.end(), whole_tags
            following = self._after_group.get(key)
            if following is None:
                following = self._after_group[key] = self._next_group(*key)
            if following == OPEN:
                return found, len(text) < p + REACH
            if following == NONE:
                break
            at = following
        return found, False

    def _next_group(self, end: int, whole_tags: bool) -> int:
        if end == len(self._text):
            return NONE if self.closed else OPEN
        gap = _TAGS.match(self._text, end, partial=not self.closed) if whole_tags else None
        gap = gap or _GAP.match(self._text, end, partial=not self.closed)
        if gap is None:
            return NONE
        return OPEN if gap.partial else int(gap.end())

    def chunks(
        self, p: int, most: int, least: int, begins: Callable[[str], bool]
    ) -> tuple[list[tuple[int, int]], bool]:
        """Gives runs of letters and digits from p on that may be one value, and whether more text may bring others.

        None if no value `begins` with their first `least` characters. Ordinary words go on for a while alone.
        """
        text, found, at, count, has_sign, first = self._text, list[tuple[int, int]](), p, 0, False, ""
        while at < p + _RUN_REACH and count < most and (has_sign or count < _FIRST_SIGN):
            chunk = _CHUNK.match(text, at)
            if chunk is None:
                break
            found.append((at, chunk.end()))
            count += chunk.end() - at
            if len(first) < least and (at == p or not self.may_grow(chunk.end())):
                first += chunk[0]
                if len(first) >= least and not begins(first[:least]):
                    return [], False
            has_sign = has_sign or any(map(str.isdecimal, chunk[0])) or "@" in text[p : chunk.end()]
            key = chunk.end(), _is_code(chunk[0])
            following = self._after_chunk.get(key)
            if following is None:
                following = self._after_chunk[key] = self._next_chunk(*key)
            if following == OPEN:
                return found, len(text) < p + _RUN_REACH
            if following == NONE:
                break
            at = following
        return found, False

    def _next_chunk(self, end: int, is_code: bool) -> int:
        text, unknown = self._text, NONE if self.closed else OPEN
        joint = None
        for each in _JOINTS:
            # One that has begun again may go on, though what stands there fits already.
            if not self.closed and each.fullmatch(text, end, partial=True):
                return OPEN
            if (joint := each.match(text, end)) is not None:
                break
        at = end if joint is None else int(joint.end())
        if at == len(text):
            return unknown
        if joint is not None and text[at].isascii() and text[at].isalnum():
            return at
        blanks = _BLANKS.match(text, end) if is_code else None
        if blanks is None:
            return NONE
        if blanks.end() == len(text):
            return unknown
        following = _CHUNK.match(text, blanks.end())
        if following is None:
            return NONE
        if following.end() == len(text) and not self.closed:
            return OPEN
        return blanks.end() if _is_code(following[0]) else NONE


def place_of(parts: list[tuple[int, int]], count: int) -> int:
    """Gives where the first so many characters of some parts of a text end."""
    for start, end in parts:
        if count <= end - start:
            return start + count
        count -= end - start
    return parts[-1][1]


def _is_code(chunk: str) -> bool:
    return len(chunk) == 1 or any(map(str.isdigit, chunk)) or (chunk.isupper() and len(chunk) <= 8)
