"""What a cell, an item, an inserted field or a nested value is called: by its head, or by the keys around it.

Lines are read once, as they end. Looked at are at most `ROW_CHARS` of a line, and as many characters before a value.
"""

from __future__ import annotations

import re

import regex

from reticent_detectors.finder.forms.labels import Labels
from reticent_detectors.finder.forms.named import Named, Strength

ROW_CHARS = 1024
_CELL_CHARS = 48
_ITEM_CHARS, _ITEM_HEAD = 200, 12
_MOST_CELLS, _KEYED = 40, 2
_RULE = re.compile(r"[\s|:+=-]+")
_BULLET = re.compile(r"[ \t]*(?:[-*+•]|\d{1,2}[.)])\s")
_HEADING = re.compile(
    r"[ \t]*(?:[-*+•]\s|\d{1,2}[.)]\s)?(?:#{1,6}\s+|\*\*|__)?([^\n#*:|]{1,48}?)(?:\*\*|__)?:(?:\*\*|__)?[ \t]*$"
)
_HASHED = re.compile(
    r"[ \t]*(?:#{1,6}\s+|(?:[-*+•]|\d{1,2}[.)])\s+(?=\*\*|__))(?:\*\*|__)?([^\n#*:|]{1,48}?)(?:\*\*|__)?\s*$"
)
_KEY = r"[\w .°º/'’-]{1,48}"
_ITEM = regex.compile(rf"(?r)(?<![\w])[\"']?({_KEY})[\"']?\s*(?:[:=]|=>)\s*\[[^\[\]{{}}:=]{{0,160}}")
_OPEN_KEY = re.compile(rf"([ \t]*)(-[ \t]+)?[\"']?(?=\S)({_KEY}?)[\"']?[ \t]*:[ \t]*[{{\[]?[ \t]*")
"""Matches a line with a key alone, which the lines below it, farther in, belong to."""
_OWN_KEY = re.compile(rf"([ \t]*)(-[ \t]+)?[\"']?(?=\S)({_KEY}?)[\"']?[ \t]*:[ \t]*[\"']?")
_MEMBER = regex.compile(
    rf"(?r)(?<![\w])[\"']?({_KEY})[\"']?\s*(?:[:=]|=>)\s*\{{[^{{}}]{{0,160}}?[\"']?(?<![\w])({_KEY})[\"']?"
    r"\s*(?:[:=]|=>)\s*[\"']?"
)
"""Matches the name of an object and the key of one of its members before the value."""
_KEY_CHARS, _MOST_KEYS, _LEADING = 96, 8, "\"' :="
_OF_ANY_KEY = "PASSWORD"
"""Of this kind all that stands under a key that names it may be values: `passwords:`, `  db: ...`."""
_INSERT = regex.compile(
    r"(?i)insert\s+into\s+[\w.\"`\[\]]{1,60}\s*\(([^()]{1,400})\)\s*values\s*(?:\([^()]{0,300}\)\s*,\s*){0,20}+\("
)


class Tables:
    """The head of the table or list in which a text stands.

    Args:
        labels: the wordings of the kinds.
    """

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self.line_start = 0
        """Where the line begins that has not ended."""
        self._head_end = 0
        self._mark = ""
        self._columns: list[Named | None] = []
        self._listed: Named | None = None
        self._keys: tuple[tuple[int, str], ...] = ()
        """The keys that are open, with the blanks before each."""

    def shift(self, count: int) -> None:
        """Say that so many characters were cut off the text's front."""
        self.line_start -= count
        self._head_end -= count

    def advance(self, text: str, end: int) -> None:
        """Read the lines that end before `end`."""
        while (stop := text.find("\n", max(0, self.line_start), end)) >= 0:
            columns, listed = self._columns, self._listed
            self._read(text[max(0, self.line_start) : stop][:ROW_CHARS])
            self.line_start = stop + 1
            if self._columns is not columns or self._listed is not listed:
                self._head_end = stop + 1

    def _read(self, line: str) -> None:
        if not line or line.isspace():
            return
        self._nest(line)
        if self._mark and self._mark in line:
            return
        heading = _HEADING.match(line) or _HASHED.match(line)
        if heading is not None:
            self._listed = self._labels.named(heading[1])
        elif self._listed is not None and not _BULLET.match(line):
            self._listed = None
        self._mark = ""
        mark = next((mark for mark in "|\t;," if mark in line), "")
        if not mark or (mark != "|" and any(c in line for c in ":={}()")) or _RULE.fullmatch(line):
            return
        cells = self._cells(line, mark)
        framed = mark == "|" and line.strip()[:1] == line.strip()[-1:] == "|"
        if not (1 if framed else 2) <= len(cells) <= _MOST_CELLS:
            return
        if any(len(cell) > _CELL_CHARS or cell[:1].isdigit() for cell in cells):
            return
        self._mark, self._columns = mark, [self._labels.named(cell) if cell else None for cell in cells]

    def _nest(self, line: str) -> None:
        indent = len(line) - len(line.lstrip())
        item = line[indent : indent + 2] == "- "
        self._keys = tuple(key for key in self._keys if key[0] < indent + item)[-_MOST_KEYS:]
        opened = _OPEN_KEY.fullmatch(line)
        if opened is not None:
            self._keys = (*self._keys, (indent + len(opened[2] or ""), opened[3]))

    def _nested(self, text: str, start: int, p: int) -> Named | None:
        """Return what the keys say around the one before p, whose line begins at `start`, if that says nothing."""
        own = _OWN_KEY.fullmatch(text, start, p) if self._keys and p - start <= _KEY_CHARS else None
        if own is not None and p >= self.line_start:
            indent = len(own[1]) + bool(own[2])
            return self._of_keys([key for at, key in self._keys if at < indent], own[3])
        before = text[max(start, p - _ITEM_CHARS) : p]
        member = _MEMBER.match(before) if "{" in before and before[-1:] in _LEADING else None
        return None if member is None else self._of_keys([member[1]], member[2])

    def _of_keys(self, around: list[str], own: str) -> Named | None:
        """Return what the keys around say of a value whose own key says nothing: `passport:`, `  number: ...`."""
        named = self._labels.named
        if not around or ((said := named(own)) is not None and said.counts):
            return None
        whole = named(" ".join((*around, own)))
        name, above = next(((key, said) for key in reversed(around) if (said := named(key)) is not None), ("", None))
        if above is None:
            return whole
        for said in (whole, named(f"{name} {own}")):
            if said is not None and not above.kinds.keys().isdisjoint(said.kinds):
                return said
        return Named(above.kinds, Strength.LOOSE if _OF_ANY_KEY in above.kinds else Strength.NEAR)

    @staticmethod
    def _cells(line: str, mark: str) -> list[str]:
        return [cell.strip(' "*_`') for cell in _inner(line, mark).split(mark)]

    @property
    def in_table(self) -> bool:
        """Tell whether the line may be a row of a table with a head."""
        return bool(self._mark)

    def column(self, text: str, p: int) -> Named | None:
        """Return what the head of the column, the list or the statement around p names."""
        start = max(0, self.line_start if p >= self.line_start else text.rfind("\n", 0, p) + 1)
        headed = p >= self._head_end
        if headed and self._mark and p - start <= ROW_CHARS:
            row = text[start:p]
            if self._mark in row or (self._mark != "|" and not row.strip(" \"'")):
                number = _count(row, self._mark)
                if self._mark == "|" and row.lstrip()[:1] == "|":
                    number -= 1
                named = self._columns[number] if 0 <= number < len(self._columns) else None
                if number == 1 and len(self._columns) == _KEYED:
                    named = self._labels.named(self._cells(row, self._mark)[0]) or named
                return None if named is None else named._replace(ends=self._mark)
        bullet = _BULLET.match(text, start) if headed and self._listed is not None and p - start < _ITEM_HEAD else None
        if bullet is not None:
            worded = any(map(str.isalpha, text[bullet.end() : p]))
            return (self._labels.before(text, p) if worded else None) or self._listed
        before = text[max(0, p - _ITEM_CHARS) : p]
        if "[" in before and before[-1:] in "\"'[, ":
            found = _ITEM.match(before)
            if found is not None:
                return self._labels.named(found[1])
        if "(" in before and before[-1:] in "\"'(, ":
            return self._inserted(text[max(0, p - ROW_CHARS) : p])
        return self._nested(text, start, p)

    def _inserted(self, left: str) -> Named | None:
        """Return what the column of `INSERT INTO t (columns) VALUES (..., ` is called that comes next."""
        if "VALUES" not in left and "values" not in left:
            return None
        begun = max(left.rfind("INSERT"), left.rfind("insert"))
        found = _INSERT.match(left, begun) if begun >= 0 else None
        if found is None or ")" in left[found.end() :]:
            return None
        columns = found[1].split(",")
        number = _count(left[found.end() :], ",")
        return self._labels.named(columns[number].strip(' "`[]')) if number < len(columns) else None


def _inner(line: str, mark: str) -> str:
    """Return a line without the bars at its ends."""
    return line.strip().strip("|") if mark == "|" else line


def _count(row: str, mark: str) -> int:
    """Return how many cells end in it; a mark between quotation marks belongs to its cell."""
    for quote in "\"'":
        if quote in row and row.count(quote) > 1:
            row = re.sub(rf"{quote}[^{quote}\n]*{quote}", "", row)
    return row.count(mark)
