"""Finds recorded values wherever they stand: within others, beside letters, over several fields.

A recogniser knows a value by its form and by what stands around it. Of a recorded value every character is known. So it
is found without either: a number by its digits, another value by its letters and digits, an e-mail address by its
domain, whatever stands between and beside. The records say which they are (`Records`), and hold hashes alone.

Between two groups of digits may stand marks, blanks and a few words: the name of a field, tags, code. Each second or
third group may be a counter. A number of fewer than nine digits has to be all digits of its groups. Letters and digits
may be parted by marks, and by blanks where the part before is no ordinary word.

Values of words and days are found by `recorded_words`. Not covered: digits in words.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable

from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.finder.recorded_birthdays import RecordedBirthdays
from reticent_detectors.finder.recorded_groups import RecordedGroups, RecordedMailParts
from reticent_detectors.finder.recorded_letters import RecordedLetters, initial_of
from reticent_detectors.finder.recorded_lookup import BEGINNING_CHARS, Hit, Known, Records
from reticent_detectors.finder.recorded_names import RecordedNames
from reticent_detectors.finder.recorded_parts import GROUP, REACH, Links, place_of
from reticent_detectors.finder.recorded_pieces import RecordedPieces
from reticent_detectors.finder.recorded_spelled import RecordedSpelled
from reticent_detectors.finder.recorded_words import RecordedWords

RECORDED = "recorded"
"""Recogniser name of such spans."""
LEAST_DIGITS = 7
LEAST_RUN, MOST_RUN = 7, 64
_SURE_DIGITS = 9
_STRIDES = (1, 2, 3)
_CODE = re.compile(
    r"[A-Za-z0-9]{0,64}[0-9][A-Za-z0-9]{0,64}|[A-Z]{2,64}|[A-Za-z0-9]{1,64}(?=[^\w\s]|_)"
    r"|(?<![A-Za-z0-9])[A-Za-z](?![A-Za-z0-9])"
)
_LOCAL = "A-Za-z0-9._%+-"
_LOCAL_CHARS = string.ascii_letters + string.digits + "._%+-"
_MOST_LOCAL, _LEAST_DOMAIN, _MOST_DOMAIN = 64, 3, 128
_BEFORE_AT = re.compile(rf"[{_LOCAL}]{{1,{_MOST_LOCAL}}}@")
_DOMAIN = re.compile(rf"[A-Za-z0-9.-]{{{_LEAST_DOMAIN},{_MOST_DOMAIN}}}")
_AT = re.compile(rf"[{_LOCAL}](?=@[A-Za-z0-9.-]{{{_LEAST_DOMAIN}}})")
_BEGUN = re.compile(rf"[{_LOCAL}]{{1,{_MOST_LOCAL}}}(?:@[A-Za-z0-9.-]{{0,{_MOST_DOMAIN}}})?\Z")
_MOST_KNOWN = 1024


class RecordedValues:
    """Finds the values of records; holds none of them."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self._counts, self._sizes, self._has_mail = records.digit_counts, records.run_sizes, records.has_mail
        self._most_digits, self._most_run = max(self._counts, default=0), max(self._sizes, default=0)
        self._may_begin = Known(records.may_begin)
        self._reads_runs = self._has_mail or bool(self._sizes)
        self._known_domains: dict[str, list[str]] = {}
        words, groups, mail = RecordedWords(records), RecordedGroups(records), RecordedMailParts(records)
        self.scans: tuple[Callable[[str, int, bool], Hit | int], ...] = (
            *(self._scan_marked, words.scan),
            *(groups.scan, mail.scan, RecordedNames(records).scan, RecordedBirthdays(records).scan),
            RecordedSpelled(records).scan,
        )
        """The ways in which values are looked for, each from a place of a text on."""
        self.readers: tuple[RecordedPieces | RecordedLetters, ...] = (
            *(RecordedPieces(records), RecordedLetters(records)),
            RecordedLetters(records, initial_of, 0),
        )
        """The ways that keep what they read of a text."""

    def __repr__(self) -> str:
        return "RecordedValues()"

    def _scan_marked(self, text: str, start: int, closed: bool) -> Hit | int:
        """Gives the next value with digits or an @ from `start` on, or how far there is none, whatever follows."""
        return self._scan(text, start, Links(text, closed))

    def _scan(self, text: str, start: int, links: Links) -> Hit | int:
        p = start
        while (p := self._next_start(text, p, links)) >= 0:
            kind, end = self._at(text, p, links)
            if end == OPEN:
                return p
            if end > NONE:
                return Hit(kind, p, end)
            p += 1
        return len(text)

    def holds(self, value: str, kind: str) -> bool:
        """Says whether a value is recorded as it stands."""
        return self.records.contains(value, kind)

    def first_in(self, text: str) -> str | None:
        """Gives the kind of a recorded value in a complete text, of the first by the first way that finds one."""
        for scan in self.scans:
            if isinstance(found := scan(text, 0, True), Hit):
                return found.kind
        for reader in self.readers:
            if isinstance(found := reader.found_in(text), Hit):
                return found.kind
        return None

    def _next_start(self, text: str, p: int, links: Links) -> int:
        digit = GROUP.search(text, p) if self._counts else None
        if digit is not None and digit.start() == p:
            return p
        limit = digit.start() if digit else len(text)
        best = limit if digit else -1
        if self._sizes and (code := self._next_code(text, p, limit)) >= 0:
            best = limit = code
        if self._has_mail and text.find("@", p, limit + _MOST_LOCAL + 1) >= 0:
            for match in _AT.finditer(text, p, limit + _MOST_LOCAL + 1 + _LEAST_DOMAIN):
                start = links.mail_starts.get(match.end(), NONE)
                if start == NONE:
                    start = links.mail_starts[match.end()] = self._mail_start(text, match.end())
                if p <= start < limit:
                    best = limit = start
        if self._reads_runs and p <= (begun := _begun(text, p)) < limit:
            best = begun
        return best

    def _next_code(self, text: str, p: int, limit: int) -> int:
        """Gives the next letter or digit of what is no ordinary word."""
        if p and text[p - 1].isascii() and text[p - 1].isalnum() and text[p : p + 1].isalnum():
            start = p - 1
            while start > max(0, p - MOST_RUN) and text[start - 1].isascii() and text[start - 1].isalnum():
                start -= 1
            match = _CODE.match(text, start)
            if match is not None and match.end() > p:
                return p
        match = _CODE.search(text, p, min(len(text), limit + MOST_RUN))
        return -1 if match is None or match.start() >= limit else match.start()

    def _at(self, text: str, p: int, links: Links) -> tuple[str, int]:
        kind, end = "", NONE
        if self._counts and "0" <= text[p] <= "9":
            kind, end = self._number(text, p, links)
            if end == OPEN:
                return "", OPEN
        if self._reads_runs and not links.closed and _BEGUN.match(text, p):
            return "", OPEN  # the run or address may go on
        for read in (self._run, self._mail) if self._reads_runs else ():
            other = read(text, p, links)
            if other[1] == OPEN:
                return "", OPEN
            if other[1] > end:
                kind, end = other
        return kind, end

    def _number(self, text: str, p: int, links: Links) -> tuple[str, int]:
        found = self._number_over(text, p, links, False)
        if found[1] == NONE and text.find("<", p, p + REACH) >= 0:
            found = self._number_over(text, p, links, True)
        return found

    def _number_over(self, text: str, p: int, links: Links, whole_tags: bool) -> tuple[str, int]:
        whole = not (p and "0" <= text[p - 1] <= "9")
        groups, is_open = links.groups(p, self._most_digits * (_STRIDES[-1] if whole else 1), whole_tags)
        best = "", NONE
        for stride in _STRIDES if whole else _STRIDES[:1]:
            chosen = groups[::stride]
            digits = "".join([text[start:end] for start, end in chosen])
            if len(digits) >= BEGINNING_CHARS and not self._may_begin(digits[:BEGINNING_CHARS]):
                continue
            if is_open and len(digits) < self._most_digits:
                return "", OPEN
            ends, size = {}, 0
            for start, end in chosen:
                size += end - start
                ends[size] = end
            for count in reversed(self._counts):
                if count > size:
                    continue
                end = ends.get(count, NONE) if whole else NONE
                if end == NONE and (count < _SURE_DIGITS or stride > 1):
                    continue
                if kind := self.records.kind_of_digits(digits[:count]):
                    end = end if end > NONE else place_of(chosen, count)
                    best = max(best, (kind, end), key=lambda found: found[1])
                    break
        return best

    def _run(self, text: str, p: int, links: Links) -> tuple[str, int]:
        if not self._sizes or not (text[p].isascii() and text[p].isalnum()) or text[p - 1 : p + 1].isdecimal():
            return "", NONE
        chunks, is_open = links.chunks(p, self._most_run, BEGINNING_CHARS, self._may_begin)
        if is_open:
            return "", OPEN
        chars = "".join([text[start:end] for start, end in chunks])
        if not chunks or not (any(map(str.isdecimal, chars)) or "@" in text[p : chunks[-1][1]]):
            return "", NONE
        for size in reversed(self._sizes):
            if size <= len(chars) and (kind := self.records.kind_of_run(chars[:size])):
                return kind, place_of(chunks, size)
        return "", NONE

    def _mail_start(self, text: str, at: int) -> int:
        """Gives where the recorded address around an @ begins; -1 if there is none."""
        for domain in self._domains(text, at):
            before = text[max(0, at - _MOST_LOCAL) : at]
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

    def _mail(self, text: str, p: int, links: Links) -> tuple[str, int]:
        match = _BEFORE_AT.match(text, p) if self._has_mail else None
        if match is None:
            return "", NONE
        for domain in self._domains(text, match.end() - 1):
            if kind := self.records.kind_of_mail(match[0] + domain):
                return kind, match.end() + len(domain)
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
