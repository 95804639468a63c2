"""What the field that begins at a place is called, and so which kinds its value may be.

The name stands directly before it ("employer: ", `"employer": "`), or elsewhere: at the head of its column or list, in
the element or call around it, on the line above. Only the whole name of a field counts: "the city: " is a place's
field, "sister city: " is none. The names are in `finder/data/fields`, one kind a file, in the
notation of `forms.labels`.

Only the 1,024 characters to the left are read, so that nothing that follows or was cut off can change an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import regex
import yaml

from reticent_detectors.finder.forms.kinds import shipped
from reticent_detectors.finder.forms.labels import WORDS, Labels, fold, sentence_words
from reticent_detectors.finder.forms.named import Named, Sort, Strength
from reticent_detectors.finder.forms.tables import ROW_CHARS, Tables

FOLDER = Path(__file__).parent.parent / "data" / "fields"
QUOTES = {'"': '"', "'": "'", "“": "”", "«": "»", "`": "`"}
_LINE_CHARS = 160
_NAME_CHARS = 100
_JOINS = frozenset(" _-'’/°º")
_STOP = regex.compile(r"\.[\"'”»)]?\s")
# What lies between a name and its value.
_MARK = regex.compile(r"(?r)(?:(?:^| )[-–—]|[-=]>|:=|[:=|→⇒➜➔➡])")
_PLAIN = "td|th|dd|dt|li|p|div|span|b|strong|i|em|br|tr|a|label|font|center|code|pre"
_TAGS = regex.compile(rf"(?r)(?:</(?:{_PLAIN})>\s*)(?:<(?:{_PLAIN})(?:\s[^<>]{{0,60}})?>\s*)?$")
_ELEMENT = regex.compile(rf"(?r)<(?!(?i:{_PLAIN})[\s>])([\w:.-]{{1,40}})(?:\s[^<>\n]{{0,60}})?>\s*$")
_BESIDE = regex.compile(
    r"(?r)<[\w-]{1,16}(?:\s[^<>]{0,60})?>\s*([^<>\n:]{1,48})\s*:?\s*</[\w-]{1,16}>\s*:?\s*"
    r"(?:<(?!th\b)[^<>/]{1,60}>\s*){1,2}$"
)
_KEY = r"[\w .°º/'’-]{1,48}"
_INNER = regex.compile(
    rf"(?ri)[\"']?({_KEY})[\"']?\s*[:=]\s*\{{[^{{}}]{{0,120}}?[\"']?\b(?:name|value|title|text|display|label|wert"
    r"|valeur|valor|valore|nombre|nome|nom)[\"']?\s*[:=]\s*[\"']$"
)
_SETTER = regex.compile(r"(?r)\b(?i:set|with|add|update)_?(\w{1,40})\(\s*[\"']$")
_PAIR = regex.compile(rf"(?r)[(\[]\s*[\"']({_KEY})[\"']\s*,\s*[\"']$")
_ABOVE = regex.compile(r"(?r)(?:^|\n)[ \t]*(?:#{1,6} +|\*\*|__)?([^\n#*:|.,;!?\d]{1,48}?)(?:\*\*|__)?:?[ \t]*\n\s*$")
_BULLET = regex.compile(r"[ \t]*(?:[-*+•]|\d{1,2}[.)])\s")
_RULE = regex.compile(r"[\s|:+=-]+")
_SPOKEN = regex.compile(r"[«»„“”?!—]|[.] |[.][\"']?$")
_TABLE_MARKS = "|\t;,"


@lru_cache(maxsize=1)
def field_words() -> Mapping[str, frozenset[str]]:
    """Return the words of `finder/data/fields/words` by what they do."""
    rows = yaml.safe_load((FOLDER / "words" / "words.yaml").read_text(encoding="utf-8"))
    return {name: frozenset(str(row).split()) for name, row in rows.items()}


class Field(NamedTuple):
    """A field that begins at a place.

    Attributes:
        kinds: those that its name means.
        ends: the marks at which it ends, besides the line's end.
        allows_prose: whether steps and advice may stand there as well, so that words without a form are no value.
    """

    kinds: frozenset[str]
    ends: str = ""
    allows_prose: bool = False


class FieldNames(Labels):
    """The names of fields; each counts only as a whole."""

    def named(self, label: str) -> Named | None:
        """Return what a field of this name holds; None where more stands in the name than words for a kind."""
        found = self._whole(label[-_NAME_CHARS:])
        return None if found is None else Named(found[0], Strength.TIGHT, True)

    def is_name(self, text: str) -> bool:
        """Tell whether a text is a name of a field, with nothing before it."""
        found = self._whole(text) if len(text) <= _NAME_CHARS else None
        return found is not None and found[1] == 0

    def _whole(self, label: str) -> tuple[dict[str, Sort], int] | None:
        """Return the kinds that the whole name at the end of a label means, and the place of its first word."""
        matches = list(WORDS.finditer(label))
        if not matches:
            return None
        words = [fold(match[0]) for match in matches]
        ends = [*(match.start() for match in matches[1:]), len(label)]
        gaps = [label[match.end() : end] for match, end in zip(matches, ends, strict=True)]
        last = len(words) - 1
        while last > 0 and words[last].isdigit():
            last -= 1
        joined = [_joined(gap, word) for gap, word in zip(gaps, words, strict=True)]
        for i in (last, last - 1) if last and words[last] in field_words()["after"] else (last,):
            found = self.ending(words, joined, i) or self.ending(_without_umlauts(words), joined, i)
            if found is not None and _begins(words, gaps, found[1]):
                return dict(found[0]), found[1]
        return None


def _joined(gap: str, word: str) -> str:
    """Return the gap after a word as labels read it. "Nachname, Vorname" is one name, "her name. Patient" is none."""
    if gap.strip(" \"'") in ("", ","):
        return " "
    return ";" if _STOP.match(gap) and word not in sentence_words()["short"] else gap


def _begins(words: list[str], gaps: list[str], first: int) -> bool:
    """Tell whether nothing but somebody's "her" or a word of code stands before the word of a label."""
    if not first or _parts(words, gaps, first - 1):
        return True
    before = words[first - 1]
    if before in field_words()["code"]:
        return True
    return before in sentence_words()["owners"] and (first == 1 or _parts(words, gaps, first - 2))


def _parts(words: list[str], gaps: list[str], i: int) -> bool:
    """Tell whether a mark sets what stands after word i apart from it."""
    return not _JOINS.issuperset(gaps[i]) and not (gaps[i].rstrip() == "." and words[i] in sentence_words()["short"])


def _without_umlauts(words: list[str]) -> list[str]:
    return [word.replace("ae", "a").replace("oe", "o").replace("ue", "u") for word in words]


class _Heads(Tables):
    """The head of the table or list in which a text stands; rows after a rule, or sentences with a comma, are none."""

    def __init__(self, labels: Labels) -> None:
        super().__init__(labels)
        self._in_rows = False
        self.is_chapter = False
        """Tell whether the list stands under a heading without a colon, under which steps may stand as well."""

    @property
    def mark(self) -> str:
        """The mark between the cells of the table; empty outside a table."""
        return self._mark

    def _read(self, line: str) -> None:
        if line.strip() and not _BULLET.match(line):
            self.is_chapter = not line.rstrip(" *_").endswith(":")
        if "|" not in line:
            self._in_rows = False
        elif self._in_rows:
            return
        elif not self._mark and _RULE.fullmatch(line):
            self._in_rows = True
        is_row = bool(self._mark) and self._mark in line
        super()._read(line)
        if not is_row and self._mark == "," and _SPOKEN.search(line):
            self._mark = ""


@lru_cache(maxsize=1)
def field_names() -> FieldNames:
    """Return the names of `finder/data/fields` and those of addresses, read at the first call."""
    names = FieldNames()
    for file in sorted(FOLDER.glob("*.yaml")):
        rows = yaml.safe_load(file.read_text(encoding="utf-8"))
        for wordings in rows.values():
            names.add(wordings, file.stem, Sort.LABEL)
    names.add(shipped().kinds["ADDRESS"].labels[Sort.LABEL], "ADDRESS", Sort.LABEL)
    return names


def is_name(text: str) -> bool:
    """Tell whether a text is, as a whole, the name of a field or a label of any kind."""
    if field_names().is_name(text):
        return True
    words = [fold(word) for word in WORDS.findall(text)]
    found = shipped().labels.ending(words, [" "] * len(words), len(words) - 1) if words else None
    return found is not None and found[1] == 0


def field_before(text: str, p: int) -> Field | None:
    """Return the field that begins at p, after a mark or a mark and a blank; None where no name tells of one."""
    return _field(text[max(0, p - ROW_CHARS) : p])


@lru_cache(maxsize=2)
def _field(left: str) -> Field | None:
    """Return the field that begins after `left`. The rows of a table ask one after the other at the same place."""
    last = left[-1:]
    quote = QUOTES.get(last, "")
    if last == "'" and left[-2:-1].isalnum():
        quote = ""
    if quote and left[-2:-1] == last:
        return None  # a quotation mark in a value, or an empty one
    return _elsewhere(left, quote) or _direct(left, quote)


def _elsewhere(left: str, quote: str) -> Field | None:
    """Return the field that is named by the head of its column or list, or by what stands around it."""
    names = field_names()
    last = (left[:-1] if quote else left).rstrip(" ")[-1:]
    if last in (":", "="):
        inner = _INNER.match(left) if quote else None
        return None if inner is None else _of(names.named(inner[1]), quote)
    if last == ">" and not quote:
        element = _ELEMENT.match(left) or _BESIDE.match(left)
        return None if element is None else _of(names.named(element[1]), "<")
    line_start = left.rfind("\n") + 1
    row = left[line_start:]
    heads = _heads(left, line_start)
    if (named := heads.column(left, len(left))) is not None:
        if not quote and heads.mark and (heads.mark in row or not row.strip()):
            return _of(named, heads.mark)
        if not _BULLET.match(row):
            return _of(named, quote or ",])")
        return Field(frozenset(named.kinds), quote, heads.is_chapter)
    if quote:
        call = _SETTER.match(left) or _PAIR.match(left)
        return None if call is None else _of(names.named(call[1]), quote)
    if not row.strip() and (above := _ABOVE.match(left)) is not None:
        found = _of(names.named(above[1]), "")
        return None if found is None else found._replace(allows_prose=True)
    return None


def _heads(left: str, line_start: int) -> _Heads:
    """Return the head of the table or list that `left` ends in, if it stands in there."""
    heads = _Heads(field_names())
    if len(left) >= ROW_CHARS:
        # The first whole line may be a row of a table whose head lies further back.
        start = stop = left.find("\n") + 1
        mark = next((mark for mark in _TABLE_MARKS if mark in left[start : left.find("\n", start)]), "")
        while mark and stop < line_start and mark in left[stop : left.find("\n", stop)]:
            stop = left.find("\n", stop) + 1
        heads.line_start = min(stop, line_start)
    heads.advance(left, len(left))
    return heads


def _direct(left: str, quote: str) -> Field | None:
    """Return the field whose name stands before the mark that `left` ends with."""
    line = left[left.rfind("\n") + 1 :][-_LINE_CHARS:]
    ends = quote
    if quote:
        line = line[:-1]
    elif (tags := _TAGS.search(line)) is not None:
        line, ends = line[: tags.start()], "<"
    line = line.rstrip(' *_`"')
    mark = _MARK.match(line)
    if mark is None:
        return None
    name = line[: mark.start()].rstrip(" \"'”»`*_)]\\")
    if mark[0].strip() == "|":
        if "|" in name.lstrip(" |"):
            return None  # a later cell of its row
        ends = ends or "|"
    elif mark[0] == "=" and "?" in line and not quote:
        ends = "&"
    named = field_names().named(name)
    if named is None and mark[0] == "=" and "<" in name:
        named = field_names().named(name[name.rfind(" ") + 1 :])  # an attribute of an element
    return _of(named, ends)


def _of(named: Named | None, ends: str) -> Field | None:
    return None if named is None else Field(frozenset(named.kinds), ends)
