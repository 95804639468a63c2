"""Numbers that an authority, a bank or a clinic gives: what their rows say, and the recogniser that reads the rows.

A number is found by its form where form and check digits leave little to chance. Otherwise it is found only behind
words that announce it. An announced number needs no check digits, for the words are surer: a misread or invented
number is still said to be somebody's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

import regex
from stdnum import iban

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.fields.field_ends import field_at

LABEL_CHARS = 96
_LEAST, _MOST = 5, 64  # characters of a run

_NUMBER_WORD = (
    r"(?:[\s_-]?(?:numbers?|num|no|nr|nro|n(?:\.?[°ºo])?|id|code|cards?|holder|nummer|num[ée]ro|número)(?!\p{L})\.?"
    r"|\s?#)"
)
_GAP = (
    r"(?:,?\s(?:of|for|on|in|from|under|belonging|we|I|you|to|de|del|der|des|du|von|für|pour|di|della|da|do|para)"
    r"(?!\p{L})[^?!;|\n\d]{0,40}?)"
)
_TIE = (
    r"(?:[\"'*_`»]{0,3}\s*[:=|>–—-]{1,2}"
    r"|,?\s(?:is|was|are|reads|being|as|ist|war|lautet|est|était|es|era|è|sono|é|foi|of)(?!\p{L})"
    r"(?:\s(?:now|(?:listed|recorded|given|registered|on\sfile)\s(?:as|under)))?:?)"
)
MARKS = r"[\s\"'“”„«»‘’*_`(\[>#]{0,6}"
LINK = rf"(?:['’]s)?{_NUMBER_WORD}{{0,3}}(?:\s?\([^)\n\d]{{0,24}}\))?{_GAP}?{_TIE}?{MARKS}"


@lru_cache(maxsize=256)
def label(names: str, link: str = LINK) -> Any:
    """Return a pattern of text that ends in an announcement: one of `names`, "number", "of Jane Roe", "is", and marks.

    Args:
        names: alternatives of a pattern, matched without regard to case.
        link: what may stand between the name and the value.
    """
    pattern = _announcement(names, link)
    if link == LINK:
        _NAMES[names] = None
        _LINKED.add(pattern)
    return pattern


def any_label(names: Sequence[str]) -> Any:
    """Return a pattern of text that ends in any of several announcements."""
    for each in names:
        label(each)
    pattern = _announcement("|".join(names), LINK)
    _LINKED.add(pattern)
    return pattern


def _announcement(names: str, link: str) -> Any:
    return regex.compile(rf"(?ri)(?<!\p{{L}})(?:{names}){link}")


# The names of all announcements with the usual link, and their patterns.
_NAMES = dict[str, None]()
_LINKED = set[Any]()


@lru_cache(maxsize=1)
def _every_label(count: int) -> Any:
    """Return one pattern for the first so many names. Nearly everywhere it tells that nothing is announced."""
    return _announcement("|".join(list(_NAMES)[:count]), LINK)


def announces(announcement: Any, position: Position) -> bool:
    """Tell whether the 96 characters before the position end in the announcement."""
    if announcement in _LINKED and not position.ends_with(_every_label(len(_NAMES)), LABEL_CHARS):
        return False
    return position.ends_with(announcement, LABEL_CHARS)


# What says that digits are a number of another sort, so that a lucky check digit proves nothing.
_OTHER_NAMES = (
    r"(?:tele|cell\s?|mobile\s?)?phone|tel|mobile|fax|cell|order|tracking|parcel|shipment|invoice|account|acct"
    r"|reference|ref|ticket"
    r"|suite|apt|apartment|unit|box|room|floor|case|serial|isbn|ean|upc|sku|imei|part|model|version|page|telefon"
    r"|handy|téléphone|teléfono|telefono|telefone"
)


# Short numbers that are called at a service whose name identity numbers have, too ("NHS 111", "UIDAI: 1947").
_LINES = re.compile(r"\d{1,2}|0(?:00|60)|1(?:0[158]|1\d|2[02]|3[35]|9\d)|9(?:11|88|9\d)|1947|3646|13 ?20 ?11|132 ?011")
# No word for "number", and no verb: "her NHS number 943", "the NHS number is".
_SERVICE = rf"(?:\s(?:in|across|for)\s[\p{{L}} ]{{1,24}}?)?(?:[\"'*_`»]{{0,3}}\s?[:=|–—-]|\s(?:on|at|au|al))?{MARKS}"


def inside_number(text: str, p: int) -> bool:
    """Tell whether the digits at p go on a number that began before: "1.234", "2024-05", "12:30"."""
    return p > 1 and text[p - 1] in ".,-/:–‑" and text[p - 2].isdigit()


_DATE_LIKE = re.compile(
    r"(?:1[5-9]|20)\d\d(?:[-/]\d\d|[-/](?:1[5-9]|20)\d\d|([-/.])\d{1,2}\1\d{1,2})"
    r"|\d{1,2}([-/.])\d{1,2}\2(?:\d\d|(?:1[5-9]|20)\d\d)"
)


_SHAPE_END = r"(?!\w|[-/]\w|\.\d)"


@dataclass(frozen=True, slots=True)
class Form:
    """One row: a form of number.

    Args:
        name: the country and the number's usual short name; "announced": any code that the kind's words announce.
        shape: a pattern, matched without regard to case, over text whose spaces and hyphens are plain.
        names: what the number is called where it is announced; "" where it is found by its form only.
        check: whether a number of this shape is valid. An announced number is not checked.
        chance: the share of random numbers of this shape that pass `check`; a digit stands for a digit, a letter for a
            letter. None: the number is found only where it is announced.
        unique: whether no other number has this shape, so that it is found whatever number is announced.
        service: whether one of `names` is also a service with short telephone numbers.
    """

    name: str
    shape: str = field(repr=False)
    names: str = field(default="", repr=False)
    check: Callable[[str], bool] | None = field(default=None, repr=False)
    chance: float | None = None
    unique: bool = False
    service: bool = False
    _shape: Any = field(init=False, repr=False, compare=False)
    _label: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "_shape", re.compile(rf"(?ai:{self.shape}){_SHAPE_END}"))
        put(self, "_label", label(self.names) if self.names else None)

    def end(self, run: str, position: Position, otherwise: Any, by_noun: bool = False) -> int:
        """Return the length of the number that `run` begins with; 0: there is none.

        Args:
            run: the characters at the position.
            position: what stands around it.
            otherwise: the pattern that announces other numbers.
            named: whether a noun of the sentence names the kind, which suffices for a row without a check.
        """
        match = self._shape.match(run)
        if match is None:
            return 0
        is_named = (
            (by_noun and self.check is None and self.chance is None) or self.announced(position)
        ) and not _DATE_LIKE.fullmatch(match[0])
        if is_named or (self._by_form(match[0], position, otherwise) and not _in_row(match, position)):
            return int(match.end())
        return 0

    def announced(self, position: Position) -> bool:
        return self._label is not None and announces(self._label, position)

    def begun(self, run: str, position: Position) -> bool:
        """Tell whether the end of the text may have cut short an announced number of this form; `run`: what is left."""
        if not self.announced(position):
            return False
        return not (self.service and _LINES.fullmatch(run) and announces(label(self.names, _SERVICE), position))

    def _by_form(self, value: str, position: Position, otherwise: Any) -> bool:
        if self.chance is None or (self.check is not None and not self.check(value)):
            return False
        return self.unique or any(c.isalpha() for c in value) or not announces(otherwise, position)


def _in_row(match: re.Match[str], position: Position) -> bool:
    """Tell whether groups stand in a longer row of numbers, where some happen to have the right check digit."""
    after = match.string[match.end() : match.end() + 2]
    return " " in match[0] and _AFTER.match(after) is not None and _BEFORE.search(position.before) is not None


_BEFORE, _AFTER = re.compile(r"\d[ ]$"), re.compile(r"[ ]\d")
_SEP = " \u00a0\u202f./+\u2010\u2011\u2013-"
# The separators of groups, as shapes have them.
PLAIN = str.maketrans("\u00a0\u202f\u2010\u2011\u2013", "  ---")
# Letters and digits in groups. In all groups but the first, letters are capitals, so that prose ends the run at once.
_RUN = re.compile(rf"(?a:[A-Za-z0-9]{{1,40}}+)(?:[{_SEP}](?a:[A-Z0-9]{{1,40}}+)){{0,12}}+")
# A digit within the first letters; or, at the end of the text, letters that a digit may still follow.
_GATE = re.compile(r"[0-9]|[A-Za-z]{1,9}(?:[0-9]|\Z)|[A-Z]{1,3}[ -](?:[0-9]|\Z)|[A-Z]{3} [A-Z]{1,3}(?: ?\Z| [0-9])")


# What a noun of the sentence may name: at least 4 digits, and neither a year nor an amount.
_CODE = re.compile(r"(?!(?:1[89]|20)\d\d(?!\w)|\d{1,3}[., ]\d{1,3}(?!\d))(?=(?:[A-Za-z./ -]{0,8}\d){4})")
_IBAN = re.compile(r"[A-Za-z]{2}\d\d")
_CELL = re.compile(
    r"(?:(?=(?:[A-Za-z./ -]{0,8}\d){3})[A-Za-z0-9]|(?=[A-Z]{0,9}\d)[A-Z0-9](?=[A-Z0-9]{5}))"
    r"(?:[ ./_-]{0,2}[A-Za-z0-9]){2,39}"
)
_MOST_IN_CELL = 120


_REFERENCE = re.compile(r"\\([1-9])")


def any_shape(shapes: Sequence[str]) -> re.Pattern[str]:
    """Return one pattern for all shapes; each refers to its own groups."""
    before, numbered = 0, list[str]()
    for shape in shapes:
        literal, *rest = _REFERENCE.split(shape)
        pairs = zip(rest[::2], rest[1::2], strict=True)
        numbered.append(literal + "".join(rf"(?:\{int(number) + before}){then}" for number, then in pairs))
        before += re.compile(shape).groups
    return re.compile(f"(?ai:{'|'.join(f'(?:{shape})' for shape in numbered) or '(?!)'}){_SHAPE_END}")


@dataclass(frozen=True, slots=True)
class Numbers:
    """All numbers of one kind: the longest form that fits at the position.

    It waits for the end of the run of groups that the number stands in, so a cut changes nothing. A run is cut at 64
    characters, and one of fewer than 5 holds no number.

    Args:
        part: how a number looks that the end of the text cut short and that nothing announces.
        others: tables of other kinds. What one of their names announces is not this kind because of its form.
    """

    name: str
    entity: Entity
    forms: tuple[Form, ...] = field(repr=False)
    part: str = field(default="(?!)", repr=False)
    others: tuple[tuple[Form, ...], ...] = field(default=(), repr=False)
    start_classes: str = "dul"
    fallback: bool = False
    plain_word_starts: str = "u"
    value_run: ClassVar[str] = rf"[A-Za-z0-9_{_SEP}]{{1,{_MOST_IN_CELL}}}"
    _part: Any = field(init=False, repr=False, compare=False)
    _otherwise: Any = field(init=False, repr=False, compare=False)
    _in_cells: bool = field(init=False, repr=False, compare=False)
    # One pattern for all rows: of nearly all runs it says that no row can have them.
    _labels: Any = field(init=False, repr=False, compare=False)
    _shapes: Any = field(init=False, repr=False, compare=False)
    _any_shape: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        names = [_OTHER_NAMES, *dict.fromkeys(form.names for forms in self.others for form in forms if form.names)]
        object.__setattr__(self, "_part", re.compile(self.part))
        object.__setattr__(self, "_otherwise", any_label(names))
        # The numbers of other kinds all have one shape.
        object.__setattr__(self, "_in_cells", any(form.name == "announced" for form in self.forms))
        labels = dict.fromkeys(form.names for form in self.forms if form.names)
        object.__setattr__(self, "_labels", any_label(list(labels)) if labels else None)
        object.__setattr__(self, "_shapes", any_shape([form.shape for form in self.forms if form.chance is not None]))
        object.__setattr__(self, "_any_shape", any_shape([form.shape for form in self.forms]))

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        shared = position.number_run
        if shared is None:
            shared = position.number_run = _shared_run(text, p, closed)
        if isinstance(shared, int):
            return shared
        end, plain = shared
        cell = self._cell(text, p, position, closed) if self._in_cells else NONE
        if cell:
            return cell
        if not closed and (end == len(text) or (end + 1 == len(text) and text[end] in _SEP)):
            return OPEN
        if end - p < _LEAST or end - p < position.least:
            return NONE
        if end - p == position.least and not self._any_shape.fullmatch(plain, 0, position.least):
            return NONE
        length = 0
        if self._any_shape.match(plain) and (
            self._shapes.match(plain) or (self._labels is not None and announces(self._labels, position))
        ):
            length = max(form.end(plain, position, self._otherwise) for form in self.forms)
        if length or not _CODE.match(plain):
            return p + length if length else NONE
        named: Entity | int | None = self.entity if position.says(self.entity) else None
        if named is None and position.code is None and not (_IBAN.match(plain) and iban.is_valid(text[p:end])):
            named = position.behind(end, closed)
            if named == OPEN:
                return OPEN
        if named is self.entity:
            length = max(form.end(plain, position, self._otherwise, True) for form in self.forms)
        return p + length if length else NONE

    def _cell(self, text: str, p: int, position: Position, closed: bool) -> int:
        """Return the end of a field that a form, a table or code calls so, if it is a number; OPEN, or 0."""
        end = field_at(text, p, position, self.entity, closed)
        return end if end == OPEN or (end and _CELL.fullmatch(text, p, end)) else NONE

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return len(word) <= 3 and word.isascii() and word.isupper()

    def may_begin_with(self, head: str) -> bool:
        run = _RUN.match(head)
        if run is None or len(head) - run.end() < 1 + (head[run.end() : run.end() + 1] in _SEP):
            return True
        return run.end() >= _LEAST

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        run = _RUN.match(text, p, p + _MOST)
        if run is None or len(text) - run.end() > 1 or inside_number(text, p):
            return False
        if self._part.match(text, p):
            return True
        plain = run[0].translate(PLAIN)
        return any(c.isdigit() for c in plain) and any(form.begun(plain, position) for form in self.forms)


def _shared_run(text: str, p: int, closed: bool) -> tuple[int, str] | int:
    """Return where the run of groups at p ends and what shapes look at; NONE or OPEN: so do all kinds answer."""
    gate = _GATE.match(text, p)
    if gate is None:
        return NONE
    if not "0" <= text[gate.end() - 1] <= "9":
        return NONE if closed else OPEN
    run = _RUN.match(text, p, p + _MOST)
    if run is None or inside_number(text, p):
        return NONE
    end = run.end()
    # A shape may ask only whether a letter or a mark stands behind the run.
    behind = "".join("_" if c.isalnum() else c for c in text[end : end + 2])
    return end, (text[p:end] + behind).translate(PLAIN)


def grouped(*sizes: int, sep: str = "[ .-]") -> str:
    """Return the shape of digits in groups, each perhaps set apart: grouped(3, 3, 4) is "943 476 5919"."""
    return f"{sep}?".join(rf"\d{{{size}}}" for size in sizes)


def with_digits(least: int) -> str:
    """Return the shape of a code of letters and digits, in groups or not, that holds at least so many digits."""
    return (
        rf"(?=(?:[A-Z./-]{{0,8}}\d){{{least}}})(?:[A-Z]{{1,3}} (?=\d))?[A-Z\d]{{1,20}}(?:[./-][A-Z\d]{{1,12}}){{0,4}}"
        r"|\d{2,4}(?: \d{2,4}){2,4}"
    )
