"""Finds recorded values wherever they stand: within others, beside letters, over several fields.

A recogniser knows a value by its form and by what stands around it. Of a recorded value every character is known. So it
is found without either: a number by its digits, whatever stands between them, and an e-mail address within any run of
characters. The records say which they are (`Records`), and hold hashes alone.

    finder = SpanFinder().with_records(index)

Between two groups of digits may stand marks and blanks, up to two words, the name of a field, or tags. A number of
fewer than nine digits has to be all digits of its groups.

Not covered: values without digits and @, of which a name or a diagnosis has no end that could be seen; digits in words
between digits.
"""

from __future__ import annotations

import re
import string
from typing import Any, NamedTuple, Protocol

import regex

from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.plain_text import plain_form_of

RECORDED = "recorded"
"""Recogniser name of such spans."""
REACH = 256
"""The longest written value, in characters."""
LEAST_DIGITS = 7
_SURE_DIGITS = 9
_MARKS = r"[\W_]"
_GAP: Any = regex.compile(
    rf"(?:{_MARKS}{{0,24}}+[^\W\d_][\w-]{{0,23}}+[\"']? {{0,4}}+[:=]{_MARKS}{{0,24}}+"  # the name of a field
    rf"|{_MARKS}{{0,24}}?[\"'][^\"'\n]{{1,32}}+[\"'] {{0,4}}+:{_MARKS}{{0,24}}+"
    rf"|(?:[^\w<]{{0,8}}+</?[A-Za-z][^<>]{{0,40}}+>){{1,4}}+{_MARKS}{{0,24}}+"  # tags
    rf"|(?:{_MARKS}{{0,16}}+[^\W\d_]{{1,12}}+){{0,2}}+{_MARKS}{{0,24}}+)(?=[0-9])"
)
_LOCAL = "A-Za-z0-9._%+-"
_MOST_LOCAL, _MOST_DOMAIN = 64, 128
_BEFORE_AT = re.compile(rf"[{_LOCAL}]{{1,{_MOST_LOCAL}}}@")
_LOCAL_CHARS = string.ascii_letters + string.digits + "._%+-"
_LEAST_DOMAIN = 3
_DOMAIN = re.compile(rf"[A-Za-z0-9.-]{{{_LEAST_DOMAIN},{_MOST_DOMAIN}}}")
_AT = re.compile(rf"[{_LOCAL}](?=@[A-Za-z0-9.-]{{{_LEAST_DOMAIN}}})")
_MOST_KNOWN = 1024
_BEGUN = re.compile(rf"[{_LOCAL}]{{1,{_MOST_LOCAL}}}(?:@[A-Za-z0-9.-]{{0,{_MOST_DOMAIN}}})?\Z")
LEAST_RUN, MOST_RUN = 7, 64
_RUN = re.compile(rf"(?=[0-9]{{0,63}}[A-Za-z])(?=[A-Za-z]{{0,63}}[0-9])[A-Za-z0-9]{{{LEAST_RUN},{MOST_RUN}}}")
_GROUP = re.compile(r"[0-9]+")
_DIGIT = re.compile(r"[0-9]")
_LEAST_BEGUN = 6


class Records(Protocol):
    """Says which values are recorded."""

    @property
    def digit_counts(self) -> tuple[int, ...]:
        """Gives how many digits recorded numbers have, in ascending order; from `LEAST_DIGITS` on."""
        ...

    @property
    def has_mail(self) -> bool:
        """Says whether any e-mail address is recorded."""
        ...

    def contains(self, value: str, entity: str) -> bool:
        """Says whether a value is recorded as one of a kind."""
        ...

    def kind_of_digits(self, digits: str) -> str | None:
        """Gives the kind of a recorded number that has these digits and no others."""
        ...

    @property
    def run_sizes(self) -> tuple[int, ...]:
        """Gives the sizes of recorded values of letters and digits, in characters, in ascending order."""
        ...

    def kind_of_run(self, run: str) -> str | None:
        """Gives the kind of a recorded value of these letters and digits."""
        ...

    def kind_of_mail(self, address: str) -> str | None:
        """Gives the kind of a recorded e-mail address."""
        ...

    def has_mail_domain(self, domain: str) -> bool:
        """Says whether any recorded e-mail address has this domain."""
        ...


class Digits(NamedTuple):
    """Holds digits with their places in a text, and whether they begin and end a group."""

    digits: str
    places: list[int]
    group_ends: frozenset[int]


class RecordedValues:
    """Finds the values of records; holds none of them."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self._counts = records.digit_counts
        self._most = max(self._counts, default=0)
        self._has_mail, self._run_sizes = records.has_mail, records.run_sizes
        self._reads_runs = self._has_mail or bool(self._run_sizes)
        self._known_domains: dict[str, list[str]] = {}

    def __repr__(self) -> str:
        return "RecordedValues()"

    def may_begin(self, text: str, p: int) -> bool:
        """Says whether a recorded number may begin at p."""
        return bool(self._counts) and "0" <= text[p : p + 1] <= "9"

    def next_start(self, text: str, p: int, before: int = -1) -> int:
        """Gives the next position at which a recorded value could begin, before another one; -1 if there is none."""
        limit = len(text) if before < 0 else before
        digit = _DIGIT.search(text, p, limit) if self._counts else None
        nearest = digit.start() if digit else -1
        if self._reads_runs:
            inside = self._next_inside(text, p, limit if nearest < 0 else nearest)
            nearest = inside if inside >= 0 else nearest
        return nearest

    def at(self, text: str, p: int, closed: bool) -> tuple[str, int]:
        """Gives kind and end of the recorded value at p; the end is NONE, or OPEN while more text could make it one."""
        kind, end = "", NONE
        if self._counts and "0" <= text[p] <= "9":
            kind, end = self._number(text, p, closed)
            if end == OPEN:
                return "", OPEN
        if self._reads_runs and not closed and _BEGUN.match(text, p):
            return "", OPEN  # the run or address may go on
        for read in (self._mail, self._run) if self._reads_runs else ():
            other = read(text, p)
            if other[1] > end:
                kind, end = other
        return kind, end

    def holds(self, value: str, kind: str) -> bool:
        """Says whether a value is recorded as it stands."""
        return self.records.contains(value, kind)

    def could_be_cut_value(self, text: str, p: int) -> bool:
        """Whether the text ends, from p on, with at least six digits of one number."""
        if not self._counts or not "0" <= text[p] <= "9" or (p and "0" <= text[p - 1] <= "9"):
            return False
        found = read_digits(text, p, self._most, True)
        behind = text[found.places[-1] + 1 :] if isinstance(found, Digits) else ""
        return (
            isinstance(found, Digits)
            and _LEAST_BEGUN <= len(found.digits) < self._most
            and not any(map(str.isalnum, behind))
            and len(behind) <= 2
        )

    def _number(self, text: str, p: int, closed: bool) -> tuple[str, int]:
        found = read_digits(text, p, self._most, closed)
        if isinstance(found, int):
            return "", OPEN
        digits, places, group_ends = found
        begins_group = not (p and "0" <= text[p - 1] <= "9")
        for count in reversed(self._counts):
            if count > len(digits):
                continue
            if count < _SURE_DIGITS and not (begins_group and count - 1 in group_ends):
                continue
            kind = self.records.kind_of_digits(digits[:count])
            if kind is not None:
                return kind, places[count - 1] + 1
        return "", NONE

    def _next_inside(self, text: str, p: int, limit: int) -> int:
        """Gives where the next address or run begins that is recorded, or that may grow into one; -1: none sooner."""
        best = -1
        if self._has_mail and text.find("@", p, limit + _MOST_LOCAL + 1) >= 0:
            for match in _AT.finditer(text, p, limit + _MOST_LOCAL + 1 + _LEAST_DOMAIN):
                start = self._mail_start(text, match.end(), p)
                if p <= start < limit:
                    best, limit = start, start
        if self._run_sizes:
            for run in _RUN.finditer(text, p, min(len(text), limit + MOST_RUN)):
                for start in range(max(p, run.start()), min(run.end(), limit)):
                    if self._run(text, start)[1] > NONE:
                        best, limit = start, start
                        break
        if limit >= len(text) - _MOST_LOCAL - _MOST_DOMAIN and p <= (begun := _begun(text, p)) < limit:
            best = begun
        return best

    def _mail_start(self, text: str, at: int, p: int) -> int:
        """Gives where the recorded address around an @ begins, from p on; -1 if there is none."""
        for domain in self._domains(text, at):
            before = text[max(p, at - _MOST_LOCAL) : at]
            for start in range(at - len(before) + len(before.rstrip(_LOCAL_CHARS)), at):
                if self.records.kind_of_mail(text[start : at + 1] + domain):
                    return start
        return -1

    def _domains(self, text: str, at: int) -> list[str]:
        """Gives the recorded domains with which the text behind an @ begins, the longest first."""
        match = _DOMAIN.match(text, at + 1)
        if match is None:
            return []
        known = self._known_domains.get(match[0])
        if known is None:
            sizes = range(len(match[0]), _LEAST_DOMAIN - 1, -1)
            known = [part for size in sizes if self.records.has_mail_domain(part := match[0][:size])]
            if len(self._known_domains) < _MOST_KNOWN:
                self._known_domains[match[0]] = known
        return known

    def _mail(self, text: str, p: int) -> tuple[str, int]:
        match = _BEFORE_AT.match(text, p)
        if match is None:
            return "", NONE
        for domain in self._domains(text, match.end() - 1):
            if kind := self.records.kind_of_mail(match[0] + domain):
                return kind, match.end() + len(domain)
        return "", NONE

    def _run(self, text: str, p: int) -> tuple[str, int]:
        match = _RUN.match(text, p)
        if match is None:
            return "", NONE
        for size in reversed(self._run_sizes):
            if size <= len(match[0]) and (kind := self.records.kind_of_run(match[0][:size])):
                return kind, p + size
        return "", NONE


def _begun(text: str, p: int) -> int:
    """Gives where the address or run begins, from p on, with which the text ends."""
    tail = text[max(p, len(text) - _MOST_LOCAL - _MOST_DOMAIN - 1) :]
    before = tail.rstrip(_LOCAL_CHARS)
    size = len(tail) - len(before)
    if before.endswith("@") and size <= _MOST_DOMAIN:
        local = before[:-1]
        size += 1 + min(len(local) - len(local.rstrip(_LOCAL_CHARS)), _MOST_LOCAL)
        return len(text) - size
    return len(text) - min(size, _MOST_LOCAL)


def read_digits(text: str, p: int, most: int, closed: bool) -> Digits | int:
    """Reads up to `most` digits from p on, over what may stand between; OPEN while more text may bring others."""
    limit = min(len(text), p + REACH)
    more = not closed and limit == len(text) and limit < p + REACH
    pieces, places, ends, at = list[str](), list[int](), set[int](), p
    while True:
        group = _GROUP.match(text, at, min(limit, at + most - len(places)))
        assert group is not None
        pieces.append(group[0])
        places.extend(range(at, group.end()))
        at = group.end()
        if at >= limit and more:
            return OPEN
        if at >= limit or not "0" <= text[at] <= "9":
            ends.add(len(places) - 1)
        gap = _GAP.match(text, at, limit, partial=more) if len(places) < most and at < limit else None
        if gap is None:
            return Digits("".join(pieces), places, frozenset(ends))
        if gap.partial:
            return OPEN
        at = gap.end()


def plain_recorded(text: str) -> str:
    """Gives the value that a span of `RECORDED` holds."""
    text = plain_form_of(text)
    if "@" in text or not text[:1].isdecimal() or text.isalnum():
        return text
    found = read_digits(text, 0, len(text), True)
    return text if isinstance(found, int) else found.digits
