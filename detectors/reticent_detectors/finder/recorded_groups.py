"""Finds recorded numbers whose groups of digits stand apart, in whatever order, and e-mail addresses without their @.

    The last four are 5309, the first six 415867.        {"domain": "northwind-mail.com", "local": "mara.ilves"}

Within `WINDOW` characters all groups of one number must stand, each as a whole number of its own. What is found is the
last part, as the others may have left already: one part less is no value. Groups that stand together as the number are
none of these parts: they are found whole, and leave nothing that others could complete.
"""

from __future__ import annotations

import re
import string
from collections import deque
from itertools import combinations, permutations
from typing import NamedTuple

from reticent_detectors.finder.recorded_lookup import Hit, Known, Records

WINDOW = 200
"""How far apart the first and the last part may begin, in characters."""
_GROUP = re.compile(r"[0-9]+")
_LONGEST_GROUP, _LONGEST_PART = 24, 128
_PART_MARKS = "._%+-"
_PART_CHARS = string.ascii_letters + string.digits + _PART_MARKS
_PART = re.compile(r"(?<![A-Za-z0-9._%+-])[A-Za-z]{0,63}[0-9._%+-][A-Za-z0-9._%+-]{1,127}")
"""What has a digit or a mark within, as all that is recorded of an address has."""
_AFTER_AT = re.compile(r"@([A-Za-z0-9-]{1,63})(?![A-Za-z0-9-])")
_BESIDE = re.compile(r"[\W_]{0,4}")
"""What stands between groups of a number that stand together."""
_DECIMALS = re.compile(r"\.([0-9]*)|,([0-9]{2})(?= ?(?:[€$£]|EUR|Euro|CHF|z|\Z))")
_WHOLE_BEFORE = re.compile(r"(?<=[^0-9\n])([0-9]+)\.\Z")
_ESCAPED = re.compile(r"\[[0-9;]{1,12}m\Z")
_MOST_NEAR, _MOST_PARTNERS = 24, 8


class _Part(NamedTuple):
    start: int
    end: int
    text: str


class RecordedGroups:
    """Finds recorded numbers by their groups."""

    def __init__(self, records: Records) -> None:
        self._records, self._counts = records, records.group_counts
        self._is_group, self._is_pair = Known(records.has_group), Known(records.has_groups)

    def __repr__(self) -> str:
        return "RecordedGroups()"

    def scan(self, text: str, start: int, closed: bool) -> Hit | int:
        """Return the next group from `start` on that makes a recorded number whole, or how far there is none."""
        size = len(text)
        if not self._counts or _GROUP.search(text, start) is None:
            return size
        near = deque[_Part](maxlen=_MOST_NEAR)
        for match in _GROUP.finditer(text, _whole_from(text, max(0, start - 2 * WINDOW))):
            p, end = match.span()
            if end == size and not closed:
                return p if end - p <= _LONGEST_GROUP else size
            if end - p > _LONGEST_GROUP or not self._is_group(match[0]) or not _is_whole(text, p, end):
                continue
            after = _DECIMALS.match(text, end)
            if after is not None and after.end() == size and not closed:
                return p
            if self._is_decimal(text, p, after):
                continue
            part = _Part(p, end, match[0])
            if p >= start and (hit := self._completed(part, near)) is not None:
                return hit
            near.append(part)
            self._drop_whole(text, near)
        return size

    def _is_decimal(self, text: str, p: int, after: re.Match[str] | None) -> bool:
        """Tell whether digits at p are of a decimal number whose other half is of no recorded number."""
        before = _WHOLE_BEFORE.search(text, max(0, p - _LONGEST_GROUP), p)
        halves = [half for found in (before, after) if found is not None for half in found.groups() if half]
        halves = [half for half in halves if half.strip("0")]
        return not all(map(self._is_group, halves))

    def _drop_whole(self, text: str, near: deque[_Part]) -> None:
        """Drop the last parts if they stand together as a recorded number."""
        last = list(near)[-self._counts[-1] :]
        for at in range(len(last) - 1, 0, -1):
            if _BESIDE.fullmatch(text, last[at - 1].end, last[at].start) is None:
                return
            groups = [part.text for part in last[at - 1 :]]
            if self._records.kind_of_digits("".join(groups)) is not None:
                for _ in groups:
                    near.pop()
                return

    def _completed(self, last: _Part, near: deque[_Part]) -> Hit | None:
        partners = dict[str, _Part]()
        for part in reversed(near):
            if part.start < last.start - WINDOW or len(partners) == _MOST_PARTNERS:
                break
            if part.text != last.text and part.text not in partners and self._is_pair(part.text, last.text):
                partners[part.text] = part
        for count in self._counts:
            for others in combinations(partners.values(), count - 1):
                found = (*others, last)
                kind = self._records.kind_of_groups(tuple(part.text for part in found))
                if kind is not None:
                    return Hit(kind, last.start, last.end, self._in_order(found))
        return None

    def _in_order(self, parts: tuple[_Part, ...]) -> tuple[tuple[int, int], ...]:
        """Return where the parts are, in the order of the number."""
        for order in permutations(parts) if len(parts) <= 5 else ():
            if self._records.kind_of_digits("".join(part.text for part in order)) is not None:
                return tuple((part.start, part.end) for part in order)
        return tuple((part.start, part.end) for part in sorted(parts))


class RecordedMailParts:
    """Finds recorded e-mail addresses by the part before the @ and the domain, where these stand apart."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._is_local, self._is_domain = Known(records.has_mail_local), Known(records.has_mail_domain)

    def __repr__(self) -> str:
        return "RecordedMailParts()"

    def scan(self, text: str, start: int, closed: bool) -> Hit | int:
        """Return the next part from `start` on that makes a recorded address whole, or how far there is none."""
        size = len(text)
        if not self._records.has_mail:
            return size
        near = deque[tuple[_Part, bool]](maxlen=_MOST_NEAR)
        stop = size if closed else size - _begun_size(text)
        begins = len(text[max(0, start - _LONGEST_PART) : start].rstrip(_PART_CHARS)) + max(0, start - _LONGEST_PART)
        if _PART.search(text, begins, stop) is None:
            return max(start, stop)
        for match in _PART.finditer(text, max(0, start - WINDOW), stop):
            p, end = match.span()
            name = match[0].lstrip(_PART_MARKS)
            p, name = end - len(name), name.rstrip(_PART_MARKS)
            is_domain = "." in name and self._is_domain(name.casefold())
            if not is_domain and match[0][0] == "." and (whole := self._domain_with(name, text, match.start())):
                is_domain, name = True, whole
            if not (is_domain or self._is_local(name.casefold())) or _is_of_address(text, p, end):
                continue
            part = _Part(p, min(end, p + len(name)), name)
            if p >= start:
                for other, is_other_domain in reversed(near):
                    if other.start < p - WINDOW:
                        break
                    local, domain = (other, part) if is_domain else (part, other)
                    if is_domain != is_other_domain and (
                        kind := self._records.kind_of_mail(f"{local.text}@{domain.text}")
                    ):
                        return Hit(kind, p, part.end, ((local.start, local.end), (domain.start, domain.end)))
            near.append((part, is_domain))
        return max(start, stop)

    def _domain_with(self, end: str, text: str, p: int) -> str:
        """Return the recorded domain whose last part stands at p, and whose first part stands after an @ before it."""
        labels = _AFTER_AT.findall(text, max(0, p - WINDOW), p)
        return next(
            (f"{label}.{end}" for label in reversed(labels) if self._is_domain(f"{label}.{end}".casefold())), ""
        )


def _whole_from(text: str, start: int) -> int:
    """Return the first place from `start` on that is not within a group of digits."""
    while start and start < len(text) and "0" <= text[start - 1] <= "9" and "0" <= text[start] <= "9":
        start += 1
    return start


def _begun_size(text: str) -> int:
    """Return the size of the part of an address with which a text ends; 0 if it is too long for one."""
    tail = text[-_LONGEST_PART:]
    size = len(tail) - len(tail.rstrip(_PART_CHARS))
    return size if size < _LONGEST_PART else 0


def _is_whole(text: str, p: int, end: int) -> bool:
    """Tell whether digits are a number of their own, also behind a colour of a terminal."""
    if p and text[p - 1].isalpha() and not _ESCAPED.search(text[max(0, p - 16) : p]):
        return False
    return not text[end : end + 1].isalpha()


def _is_of_address(text: str, p: int, end: int) -> bool:
    """Tell whether a part stands directly beside the @ of an address."""
    return text[end : end + 1] == "@" or (p > 1 and text[p - 1] == "@" and text[p - 2] in _PART_CHARS)
