"""What a value is called in data and code: the head of its column, the key of its list, the field that is inserted.

Only the text to the left counts, at most 1,024 characters. It is read only where the line so far looks like a row, a
list or a call. Keys directly before their value need nothing from here.
"""

from __future__ import annotations

from typing import NamedTuple

import regex

from reticent_detectors.finder.context.word_sets import word_set

ROW_CHARS = 1024
_CELL_CHARS = 64
QUOTES = {'"': '"', "'": "'", "“": "”", "«": "»", "`": "`"}
_KEY = r"[\w .°º/'’-]{1,48}"
_ITEM = regex.compile(rf"(?r)(?<![\w])[\"']?({_KEY})[\"']?\s*(?:[:=]|=>)\s*\[[^\[\]{{}}:=]{{0,160}}$")
_INNER = regex.compile(
    rf"(?ri)[\"']?({_KEY})[\"']?\s*[:=]\s*\{{[^{{}}]{{0,120}}?[\"']?\b(?:name|value|title|text|display|label|wert"
    r"|valeur|valor|valore|nombre|nome|nom)[\"']?\s*[:=]\s*[\"']?$"
)
_SETTER = regex.compile(r"(?r)\b(?i:set|with|add|update)_?(\w{1,40})\(\s*[\"']$")
_PAIR = regex.compile(rf"(?r)[(\[]\s*[\"']({_KEY})[\"']\s*,\s*[\"']$")
_ELEMENT = regex.compile(r"(?r)<([\w:.-]{1,40})(?:\s[^<>]{0,60})?>\s*$")
_BULLET = r"[ \t]*(?:[-*+•]|\d{1,2}[.)])"
_LISTED = regex.compile(
    rf"(?r)(?:^|\n)(?:{_BULLET} )?[ \t]*[\"'*_#]*([^\n:*_\"#]{{1,48}})[\"'*_]*:[*_]*[ \t]*\n\n?"
    rf"(?:{_BULLET} [^\n]{{0,79}}[^\n:*]\n)*{_BULLET} [\"'*_]*$"
)
_HEAD = (
    rf"(?:^|\n)(?:{_BULLET} )?[ \t]*(?:(?:#{{1,6}} +|\*\*|__)([^\n#*:|]{{1,48}}?)(?:\*\*|__)?:?[ \t]*"
    rf"|([^\n#*:|]{{1,48}})\n(?:-{{3,}}|={{3,}})[ \t]*)\n"
)
_HEADING = regex.compile(rf"(?r){_HEAD}\s*$")
_LINE_ABOVE = regex.compile(r"(?r)(?:^|\n)[ \t]*([^\n#*:|.,;!?\d]{1,32})[ \t]*\n{1,2}[ \t]*$")
_HEADED_LIST = regex.compile(rf"(?r){_HEAD}\n?(?:{_BULLET} [^\n]{{0,79}}[^\n:*]\n)*{_BULLET} [\"'*_`]*$")
_BESIDE = regex.compile(
    r"(?r)<[\w-]{1,16}(?:\s[^<>]{0,60})?>\s*([^<>\n:]{1,48})\s*:?\s*</[\w-]{1,16}>\s*:?\s*"
    r"(?:<(?!th\b)[^<>]{1,60}>\s*){1,2}$"
)
_PLAIN_ELEMENTS = word_set("td th dd dt li p div span b strong i em br tr a label font center")
_INSERT = regex.compile(r"(?i)insert\s+into\s+[\w.\"`\[\]]+\s*\(([^()]{1,400})\)\s*values\s*")
_RULE = regex.compile(r"[\s|:+-]+")


class NamedField(NamedTuple):
    """Where a value begins: what it is called, and the characters at which it ends ("" for the end of the line).

    `allows_prose`: steps and advice may stand there as well, so that only what has the form of a value is one.
    """

    label: str
    ends: str
    allows_prose: bool = False


def place(text: str, p: int) -> NamedField | None:
    """Gives the cell, item or argument at p (behind its quotation mark), if something far from it names it."""
    if p == 0:
        return None
    q = p - 1
    mark = text[q]
    if mark == " ":
        if q == 0:
            return None
        mark = text[q - 1]
        if mark.isalnum() or mark in "!?" or (mark in ".)" and not text[max(0, q - 2)].isdigit()):
            return None
    elif mark.isalnum():
        return None
    quote = QUOTES.get(text[q], "")
    left = text[max(0, p - ROW_CHARS) : p]
    if quote:
        return _quoted(left, quote)
    if mark == ">":
        found = _ELEMENT.match(left)
        if found is None or found[1].lower() not in _PLAIN_ELEMENTS:
            return NamedField(found[1], "<") if found else None
        beside = _BESIDE.match(left)
        return NamedField(beside[1], "<") if beside else None
    if mark in ",;|\t\n":
        found_cell = _cell(left)
        if found_cell is not None:
            return found_cell
    if mark in "\n*-+•.)_":
        listed = _LISTED.match(left)
        headed = listed or (_HEADED_LIST.match(left) if mark != "\n" else _HEADING.match(left))
        found = headed or (_LINE_ABOVE.match(left) if mark == "\n" else None)
        allows_prose = found is not listed and (mark != "\n" or headed is None)
        return NamedField(next(name for name in found.groups() if name), "\n", allows_prose) if found else None
    if mark in "[":
        found = _ITEM.match(left)
        return NamedField(found[1], ",]") if found else None
    return None


def _quoted(left: str, quote: str) -> NamedField | None:
    """Reads a string: an item of a list, a value of an object, an argument, a cell, or a value of an INSERT."""
    bare = left[:-1].rstrip()
    last = bare[-1:]
    if last in "[,":
        found = _ITEM.match(left)
        if found:
            return NamedField(found[1], quote)
    if last in ":=":
        found = _INNER.match(left)
        return NamedField(found[1], quote) if found else None
    if last == "(" or last == ",":
        name = _inserted(left)
        if name:
            return NamedField(name, quote)
        found = _SETTER.match(left) or _PAIR.match(left)
        if found:
            return NamedField(found[1], quote)
    if last in ",;|" or left[-2:-1] in "\t\n":
        cell = _cell(left[:-1])
        return NamedField(cell.label, quote) if cell else None
    if last == "-":
        found = _LISTED.match(left) or _HEADED_LIST.match(left)
        return NamedField(next(name for name in found.groups() if name), quote) if found else None
    return None


def _inserted(left: str) -> str:
    """Gives the column of `INSERT INTO t (columns) VALUES (..., ` that comes next."""
    if "VALUES" not in left and "values" not in left:
        return ""
    inserts = list(_INSERT.finditer(left))
    if not inserts:
        return ""
    insert = inserts[-1]
    columns = insert[1].split(",")
    count, inside, quote = 0, False, ""
    for char in left[insert.end() :]:
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "(":
            count, inside = 0, True
        elif char == ")":
            inside = False
        elif char == "," and inside:
            count += 1
    return columns[count].strip(' "`[]') if inside and count < len(columns) else ""


def _cell(left: str) -> NamedField | None:
    """Gives the head of the column in which `left` ends, if its last lines are rows of a table with a head."""
    start = left.rfind("\n") + 1
    if start == 0:
        return None
    row = left[start:]
    above = left[: start - 1]
    head_end = len(above)
    line = above[above.rfind("\n") + 1 :]
    table = row.lstrip().startswith("|") or ("|" in row and "|" in line)
    marks = "|" if table else next((m for m in "\t;," if m in row or (not row.strip() and m in line)), "")
    if not marks or marks not in line:
        return None
    head = line
    while True:
        start = above.rfind("\n", 0, max(0, head_end)) + 1
        line = above[start:head_end]
        if marks not in line:
            break
        head = line
        head_end = start - 1
        if head_end < 0:
            break
    if table and not row.strip():
        return None
    names = _split(head.strip() if table else head, marks)
    place_ = len(_split(row.strip() if table else row, marks)) - 1
    if any(mark in head for mark in ":={}()"):
        return None
    if (
        len(names) < 2
        or place_ >= len(names)
        or _RULE.fullmatch(head)
        or any(len(name) > _CELL_CHARS for name in names)
    ):
        return None
    return NamedField(names[place_].strip(' "*_'), marks)


def _split(line: str, mark: str) -> list[str]:
    """Gives the cells of a row; a mark between quotation marks belongs to its cell."""
    if '"' not in line:
        return line.split(mark)
    cells, quoted, begin = [], False, 0
    for i, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == mark and not quoted:
            cells.append(line[begin:i])
            begin = i + 1
    cells.append(line[begin:])
    return cells
