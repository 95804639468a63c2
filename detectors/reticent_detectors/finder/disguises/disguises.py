"""Values that a model writes in another form, so that no recogniser of plain values sees them.

Each family reads a bounded candidate at a position as plain text with a map back to the original.
It reads once no more text can change the candidate.
The recognisers of plain values judge that text; what they find there is found in the original.

characters:
    circled and raised letters and digits; look-alikes of other alphabets; combining marks between others; other dashes;
    line breaks; HTML, percent and quoted-printable escapes; emphasis and HTML tags inside. Escapes with a backslash and
    characters whose normal form is plain are decoded before (`finder.plain_text`)
spaced:
    single characters with the same gap of at most three characters between them
words:
    digits and letters as words, "dot" and "at", in six languages
chain:
    web addresses, keys and numbers whose dots and slashes are words or stand in brackets; `hxxps[:]//x[.]y`
cells:
    groups of a value that was asked for, in cells of JSON one after the other
base64, hex:
    runs of at most 256 characters that are text, taken as one piece; a value behind them is not seen
reversed, rot13:
    by characters; ROT13 of letters only, so that it hides no number

Not covered: a code inside a code (base64 of full-width digits; escapes of escapes), other shifts and substitutions,
arithmetic, Morse, binary, octal and decimal codes, Roman and Chinese numerals, dates in words, numbers above 99 in
words and tens other than English ones, upside-down letters, leetspeak, a first letter of each word, values scattered
over a sentence, Base32, Base85, compressed or encrypted text.
A value of letters alone, and a name, has no form to find.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from reticent_detectors.entities import Entity
from reticent_detectors.finder.disguises import encodings, json_cells
from reticent_detectors.finder.disguises.candidate import REGION_CHARS, is_amid, is_odd, region
from reticent_detectors.finder.disguises.families import PREFIX, READERS, whole_readings
from reticent_detectors.finder.disguises.ordinary_words import TWO_WORDS, is_ordinary
from reticent_detectors.finder.disguises.reading import Reading, all_readings, as_called, read_plain
from reticent_detectors.finder.disguises.spelling_words import MARKS, OPENERS, may_spell
from reticent_detectors.finder.engine.position import LEFT_CHARS, Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import FormScan, Strength
from reticent_detectors.spans import Span

CELLS = "cells"
"""The family whose labels name parts of a value, each its own."""
_OPENED = re.compile(r"(?:<[a-z]{1,6}(?: [^<>\n]{0,60})?>|[*`]{1,3}|__|~~){1,3}$")
_MORE_TURNED = 4
"""How many characters longer than a plain value a reversed one must be."""
_CUT_CHARS = 12
"""The part of a spelled character that a cut may leave."""
_HOLDS_VALUE = re.compile(
    r"@|://|(?:[0-9][^0-9]{0,40}){3}|[A-Za-z0-9_-]{16}|[Ww]{3}\.|[A-Za-z0-9]\.[A-Za-z]{2}|(?:[0-9A-Fa-f]{2}[:-]){3}"
    r"|[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]{2}"
)
# Their forms are those of any words, dates and sums: they count only as they stand.
_NOT_DISGUISED = frozenset({Entity.FLIGHT, Entity.TRANSACTION_AMOUNT, Entity.UTILITY_BILL, Entity.APPOINTMENT_DATE})
# Words of any look and of one line: what stands in the next one is none of theirs, and turned round none is known.
_IN_ONE_LINE = frozenset({Entity.USERNAME, Entity.PASSWORD, Entity.PIN})
# What a line break leaves over of a value that stands whole before it, and what stands behind.
_REST = re.compile(r"(?=.*[0-9/])[^\s,;|]{3,}(?: [0-9][0-9A-Z]{0,4})*")
_NEXT_CELL = re.compile(r"[,;|](?! )|\t")
_HEX = re.compile(r"[0-9A-Fa-f-]+")
_CLOSED = re.compile(r"[.,;!?)\]\"'”»*_`]*(?:\s|\Z)")
_MARKS_BEHIND = ".,;:!?)]\"'”»*_`"
# More digits than any value has.
_DIGITS_ALONE = re.compile(r"[0-9]{48}")
_WORD_START = re.compile(r"(?<![^\W_])[^\W_]|[$€£+(]")


class Found(NamedTuple):
    """A disguised value: its entity, where it ends in the original, and what the span's recogniser is called."""

    entity: str
    end: int
    name: str


class Disguised:
    """Finds a disguised value at a position, which has a form in plain characters.

    Args:
        forms: those that count.
    """

    name = "disguised"
    entity: Entity | None = None
    start_classes = "duls"
    fallback = False
    plain_word_starts = "ul"

    def __init__(self, forms: FormValues) -> None:
        self._forms = forms

    def __repr__(self) -> str:
        return "Disguised()"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        """Gives the end of the disguised value at p, NONE, or OPEN."""
        found = self.found(text, p, position, closed)
        return found if isinstance(found, int) else found.end

    def found(self, text: str, p: int, position: Position, closed: bool, plain: str | None = None) -> Found | int:
        """Gives the disguised value at p; NONE; OPEN while more text could lengthen or change it.

        `plain` is the value that stands there without a disguise, "" if none does; looked for if it is not given.
        """
        match = TWO_WORDS.match(text, p)
        if (
            match is not None
            and (closed or match.end() < len(text) or not may_spell(match[2]))
            and match[2] not in MARKS
            and match[1].lower() not in OPENERS
        ) or is_ordinary(text, p, closed):
            return NONE
        end = region(text, p, closed, position.kept.setdefault("groups", []))
        if end == OPEN:
            return OPEN
        amid = end > NONE and is_amid(text, p)
        odd = end > NONE and not amid and is_odd(text, p, end)
        if end == NONE and not text[p].isalnum():
            return NONE
        value = self._read(text, p, end if odd else NONE, position, closed)
        if value is not None:
            return value
        if json_cells.may_be_cells(text, p, position.asked):
            cells = json_cells.cell_readings(text, p, closed)
            if isinstance(cells, int):
                return OPEN
            for reading in cells:
                value = self._judge(text, p, position, reading, CELLS)
                if value is not None and json_cells.counts(text, p, reading, value.entity, position.asked):
                    return value
        if end > NONE and not amid and (odd or encodings.may_turn(text, p, end)):
            return self._turned(text, p, end, position, plain) or NONE
        return NONE

    def _read(self, text: str, p: int, end: int, position: Position, closed: bool) -> Found | int | None:
        """Gives the value that a family reads at p, or OPEN; `end` is that of an odd candidate, NONE if there is none.

        What a family found does not change, so it is not asked again when the text has grown.
        """
        passed: set[str] = position.kept.setdefault("passed", set())
        if end > NONE and "characters" not in passed:
            value = self._characters(text, p, end, position)
            if value is not None:
                return value
            passed.add("characters")
        for family, read in READERS.items():
            if family in passed:
                continue
            found = read(text, p, closed)
            if isinstance(found, int):
                return OPEN
            called = [again for reading in found for again in as_called(reading)] if family == "words" else []
            for reading in (*found, *called):
                value = self._judge(text, p, position, reading, family)
                if value is not None:
                    return value
            passed.add(family)
        return None

    def _characters(self, text: str, p: int, end: int, position: Position) -> Found | None:
        first = read_plain(text, p, end)
        if _is_cell_of_line(text, p, first):
            return None
        if text.startswith(first.plain, p) and self._match(text, p, position, first.plain, 0) is not None:
            return None
        best: Found | None = None
        for reading in all_readings(text, p, first):
            value = self._judge(text, p, position, reading, "characters")
            if value is None or (best is not None and value.end <= best.end):
                continue
            if reading.broken > 0 and (
                value.entity in _IN_ONE_LINE
                or (value.entity == Entity.SECRET_KEY and not _is_one_key(reading, value.end))
            ):
                continue
            if value.entity == Entity.SECRET_KEY and reading.plain != first.plain:
                continue  # a letter that stands for a digit is one in numbers only
            if not self._is_plain_before_break(text, p, position, reading, value.end):
                best = value
        return best

    def _turned(self, text: str, p: int, end: int, position: Position, plain: str | None) -> Found | None:
        """Gives a value in reverse or in ROT13, where none stands as it is."""
        if not encodings.may_stand_turned(text, p) or encodings.amid_hex(text, p):
            return None
        first = read_plain(text, p, end)
        if first.broken >= 0 or not encodings.may_turn(first.plain, 0, len(first.plain)):
            return None
        if plain is None:
            match = self._match(text, p, position, first.plain, 0)
            plain = "" if match is None else first.plain[: match[0]]
        least = len(plain) + _MORE_TURNED if plain and ("@" not in plain or encodings.common_tld(plain)) else 0
        if least and first.ends[-1] < p + least:
            return None
        for family, found in (
            ("reversed", encodings.turned_readings(first)),
            ("rot13", encodings.rot13_readings(first)),
        ):
            for reading in found:
                if reading.ends[-1] < p + least:
                    continue
                whole = len(reading.plain) if family == "reversed" else bisect_left(reading.ends, p + least) + 1
                match = self._match(text, p, position, reading.plain, 0, whole)
                if match is None or match[1] in _IN_ONE_LINE:
                    continue
                value_text = reading.plain[: match[0]]
                if plain and not least and not encodings.common_tld(value_text):
                    continue
                if "@" in value_text and not encodings.common_tld(value_text):
                    continue
                return Found(match[1], reading.ends[match[0] - 1], PREFIX + family)
        return None

    def _is_plain_before_break(self, text: str, p: int, position: Position, reading: Reading, end: int) -> bool:
        """Whether a plain value ends at the line break, and what follows up to `end` is not its rest."""
        if reading.broken < 1:
            return False
        head = reading.plain[: reading.broken]
        if _is_next_label(reading, end):
            return True
        if self._match(text, p, position, head, 0, len(head.rstrip(_MARKS_BEHIND))) is None:
            return False
        length = bisect_right(reading.ends, end)
        rest, word = reading.plain[reading.broken : length], reading.plain[reading.broken :]
        return not (
            _REST.fullmatch(rest)
            and _CLOSED.match(word, len(rest))
            and self._match(text, p, position, f"{reading.plain[: reading.broken]}\n{word}", reading.broken + 1) is None
        )

    def _judge(self, text: str, p: int, position: Position, reading: Reading, family: str) -> Found | None:
        """Gives the value that begins a reading and is not plain in the original, or one anywhere in a piece."""
        if not reading.whole:
            least = _undisguised(text, p, reading) + 1
            match = self._match(text, p, position, reading.plain, 0, least, family == CELLS)
            if match is None or _as_it_stands(text, p, reading, match[0]):
                return None
            return Found(match[1], reading.ends[match[0] - 1], PREFIX + family)
        for start in _WORD_START.finditer(reading.plain):
            match = self._match(text, p, position, reading.plain, start.start())
            if match is not None:
                return Found(match[1], reading.ends[-1], PREFIX + family)
        return None

    def _match(
        self, text: str, p: int, position: Position, plain: str, q: int, least: int = 1, alone: bool = False
    ) -> tuple[int, str] | None:
        """Gives (end in `plain`, entity) of the longest value at `plain[q]`, with `plain` in the place of text[p:].

        A value of fewer than `least` characters does not count. `alone`: nothing that stands before names it.
        """
        if q + least > len(plain) or _DIGITS_ALONE.match(plain, q):
            return None
        holds = _HOLDS_VALUE.search(plain, q) is not None
        if not holds and q == 0 and not self._is_led(text, p, position):
            return None
        scan, at = self._placed(text, p, position, plain, q, alone)
        span = scan.value_at(at)
        if span is None or span.end - at < least or not self._counts(span, scan, position, holds):
            return None
        return span.end - at + q, span.entity

    def _is_led(self, text: str, p: int, position: Position) -> bool:
        """Tell whether a label stands directly before p."""
        kept = position.kept
        if "led" not in kept:
            named = self._forms.kinds.labels.before(text, p)
            kept["led"] = named is not None and named.strength is Strength.TIGHT
        return bool(kept["led"])

    def _counts(self, span: Span, scan: FormScan, position: Position, holds: bool) -> bool:
        """Tell whether a value of a reading counts: it has a form, or a label stands directly before it."""
        if span.entity not in self._forms.only:
            return False
        if span.entity in _NOT_DISGUISED and span.entity not in position.asked.kinds:
            return False
        if holds:
            return True
        named = scan.named(span.start)
        return named is not None and named.strength is Strength.TIGHT and span.entity in named.kinds

    def _placed(
        self, text: str, p: int, position: Position, plain: str, q: int, alone: bool = False
    ) -> tuple[FormScan, int]:
        """Give a scan of `plain` in the place of the text from p on, and where its character q is."""
        if alone:
            scan = FormScan(self._forms.kinds, position.asked)
            scan.take(plain)
            return scan, q
        left = position.kept.get("unopened")
        if left is None:
            left = position.kept["unopened"] = _OPENED.sub("", text[max(0, p - LEFT_CHARS) : p])
        begins = p - len(left)
        scan = FormScan(self._forms.kinds, position.asked, position.turn - begins)
        scan.take(left + plain)
        return scan, len(left) + q

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        """Whether text[p:], which the end of the text cut short, looks like the beginning of a disguised value."""
        if len(text) - p > REGION_CHARS:
            return False
        return any(self._begins(text, p, position, reading) for reading in whole_readings(text, p))

    def _begins(self, text: str, p: int, position: Position, reading: Reading) -> bool:
        if (
            not reading.ends
            or reading.ends[-1] < len(text) - _CUT_CHARS
            or _as_it_stands(text, p, reading, len(reading.plain))
        ):
            return False
        starts = [m.start() for m in _WORD_START.finditer(reading.plain)] if reading.whole else [0]
        for q in starts:
            scan, at = self._placed(text, p, position, reading.plain, q)
            kind = scan.begun(at)
            if kind in self._forms.only and kind not in _NOT_DISGUISED:
                return True
        return False


def _as_it_stands(text: str, p: int, reading: Reading, length: int) -> bool:
    """Whether the first `length` characters of a reading are those of the text, so that nothing is disguised."""
    return (
        length <= len(reading.plain)
        and reading.ends[length - 1] == p + length
        and text.startswith(reading.plain[:length], p)
    )


def _is_cell_of_line(text: str, p: int, reading: Reading) -> bool:
    """Tell whether other cells of a table stand between p and a line break, with nothing odd before it."""
    broken = reading.broken
    return (
        broken > 0
        and _NEXT_CELL.search(reading.plain, 0, broken) is not None
        and text.startswith(reading.plain[:broken], p)
    )


def _is_next_label(reading: Reading, end: int) -> bool:
    """Tell whether figures end at the line break, and a word of letters comes after it, with a colon or a blank."""
    length = bisect_right(reading.ends, end)
    head, word = reading.plain[: reading.broken], reading.plain[reading.broken : length].strip()
    return not any(map(str.isalpha, head)) and len(word) > 1 and word.isalpha() and reading.plain[length:][:1] in " :"


def _is_one_key(reading: Reading, end: int) -> bool:
    """Tell whether a key goes on after its line break: hexadecimal digits with others of their sort alone."""
    head, rest = reading.plain[: reading.broken], reading.plain[reading.broken : bisect_right(reading.ends, end)]
    return _HEX.fullmatch(head) is None or _HEX.fullmatch(rest) is not None


def _undisguised(text: str, p: int, reading: Reading) -> int:
    """Gives how many characters of a reading are those of the text."""
    count = 0
    for char, end in zip(reading.plain, reading.ends, strict=True):
        if end != p + count + 1 or text[p + count] != char:
            break
        count += 1
    return count
