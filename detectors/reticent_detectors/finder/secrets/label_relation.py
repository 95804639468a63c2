"""Values that only a label tells: how labels and values stand to each other.

A label and its value form a *field* (in a form, a configuration), or the value is *assigned* (in code) or stands
behind a *command* or its option. Or both stand in a *sentence* ("his password is ...") or *beside* each other ("log in
as ..."). Values look different in each way, so the test of a value is given the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.left_context import PIECES
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, OPEN

LABEL_CHARS = 120
_AHEAD = 16


class Way(Enum):
    """How a label announces its value."""

    FIELD = "field"
    ASSIGNED = "assigned"
    SENTENCE = "sentence"
    BESIDE = "beside"
    COMMAND = "command"


class Found(NamedTuple):
    """What stands behind a label: the text up to the closing quote or the next blank, and 16 characters behind it."""

    text: str
    way: Way
    quoted: bool
    ahead: str
    owned: bool
    lead: str
    label: str


_QUOTE = r"(?P<quote>\\?[\"'“‘`«]|&quot;|\*{1,2}|)"
_TYPE = r"(?::\s?[A-Za-z][\w.]{0,24}(?:\[[\w ,|]{1,24}\])?(?:\s?\|\s?\w{1,12})?\s?)?"
_IS = (
    r"(?:['’]s|is|was|are|reads|remains|=|ist|war|lautet|est|était|es|era|è|é|foi|är|er|jest|będzie|это|byl|este)"
    r"(?:\s(?:now|currently|still|set\sto|set\sas|just|simply|probably|actually|called|nun|jetzt|maintenant|ahora|ora"
    r"|agora))?:?"
)
_MIDDLE = (
    r"(?:\s(?:for|of|to|on|at|that|which|you|he|she|we|they|I|used|von|für|pour|de|del|di|da|para|per|do)(?!\w)"
    r"[^\n;:=|\"?!<>]{0,44}?)?"
)
_OWNER = regex.compile(
    r"(?ri)(?:(?<!\w)(?:his|her|my|their|your|our|its|mein|dein|sein|ihr|mon|ma|sa|son|ton|votre|mi|su|tu|mio|suo|tuo"
    r"|minha|sua|meu|seu)e?"
    r"|['’]s|s['’])(?:\s[\w-]{1,20}){0,3}\s"
)
_PAIRS = {
    '"': '"',
    "'": "'",
    "“": "”",
    "‘": "’",
    "`": "`",
    "«": "»",
    '\\"': "\\",
    "\\'": "\\",
    "&quot;": "&",
    "*": "*",
    "**": "*",
}
_BARE = regex.compile(r"[^\s\"“”`<>]{1,128}+")
_INSIDE = {
    close: regex.compile(rf"[^\n{regex.escape(close)}]{{0,128}}+") for close in sorted(set(_PAIRS.values()) - {"\\"})
} | {"\\": regex.compile(r"(?:[^\n\\\"']|\\(?![\"'])){0,128}+")}


_LINK_WORDS = word_set(
    """is was are reads remains now currently still just simply probably actually called to as ist war lautet est était
    es era è é 's ’s foi är er jest będzie это byl este nun jetzt maintenant ahora ora agora"""
)
# Before these stands a label of the table, however far: seen at once, where the pattern tries every place.
_ENGLISH_LINKS = word_set("is was are reads remains")
_MARKS = frozenset(":=>|：-\"'*–—")


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A value behind a label.

    Args:
        fields: names of a field whose value counts in a form ("Password: x") as well as in code.
        assigned: names that count only with a quoted value or an equals sign (`user="x"`): "User: hello" is talk.
        sentences: what may be subject of "is".
        beside: what stands directly before a value.
        options: what a command line has before a value.
        value: the length of the value in what was found; 0: there is none.
        last: the last word of every label that a blank may follow, links ("is") left out.
        skips: whether what was found can be no value, however it goes on.
        value_run: see `ByRun`.
    """

    name: str
    entity: Entity
    start_classes: str
    fields: str = field(repr=False)
    assigned: str = field(repr=False)
    sentences: str = field(repr=False)
    beside: str = field(repr=False)
    options: str = field(repr=False)
    value: Callable[[Found], int] = field(repr=False)
    last: frozenset[str] = field(repr=False)
    skips: Callable[[Found], bool] | None = field(default=None, repr=False)
    fallback: bool = False
    plain_word_starts: str = "ul"
    value_run: str = field(default=r"[^\n]{1,128}", repr=False)
    _own: frozenset[str] = field(init=False, repr=False, compare=False)
    _label: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        key = r"[\"'\]`*_)]{0,3}"
        object.__setattr__(self, "_own", frozenset(piece for word in self.last for piece in PIECES.findall(word)))
        object.__setattr__(self, "last", self.last | _LINK_WORDS)
        either = rf"(?:{self.fields}|{self.assigned})"
        label = rf"""(?ri)(?:
            (?<![^\W_])(?P<field>{self.fields})\d?{key}(?:\s?\([^)\n]{{0,24}}\))?{_MIDDLE}\s?(?::|：|->|=>|\||\s[–—-])
            [*_]{{0,2}}\s*{_QUOTE}
          | (?:^|(?<=\s))--?(?P<option>[\w-]*{either})[=\s]{_QUOTE}
          | (?<![^\W_])(?P<assigned>{either})\d?{key}\s*{_TYPE}(?:=|:=|==|=>|!=|:(?=\s*[\"'])|>)\s*[rbf]?{_QUOTE}
          | (?P<command>{self.options}){_QUOTE}
          | (?<![^\W_])(?P<sentence>{self.sentences})(?:\s\([^)\n]{{0,24}}\))?{_MIDDLE}\s?{_IS}\s{_QUOTE}
          | (?<![^\W_])(?P<beside>{self.beside}){_QUOTE}
        )(?P<skipped>[^\w\s\"'`“‘«<(\[\{{,;]{{0,4}})"""
        packed = regex.sub(r"\n\s+(\| )?", lambda m: "|" if m[1] else "", label)
        object.__setattr__(self, "_label", regex.compile(packed))

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        # Most words are passed here.
        before = position.word_before
        if before is not None and before not in self.last:
            return NONE
        label = self._announced(text, p, position)
        if label is None:
            return NONE
        close = _PAIRS.get(label["quote"])
        run = (_BARE if close is None else _INSIDE[close]).match(text, p)
        if run is None:
            return NONE
        end = int(run.end())
        if not closed and (end == len(text) or (len(text) - end < _AHEAD and "\n" not in text[end:])):
            return OPEN
        if close is not None and text[end : end + 1] != close:
            return NONE
        found = self._found(label, run[0], text, end, position)
        length = 0 if self.skips is not None and self.skips(found) else self.value(found)
        return p + length if length else NONE

    def may_follow(self, before: str) -> bool:
        return before in self.last

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        label = self._announced(text, p, position)
        if label is None or not (run := _BARE.match(text, p)) or run.end() != len(text):
            return False
        if self.skips is not None and self.skips(self._found(label, run[0], text, run.end(), position)):
            return False
        # "Her password is sunflower-garden-": no word of prose ends so.
        sure = label["quote"] or label["sentence"] is None or any(c.isdigit() for c in run[0]) or run[0][-1] == "-"
        return bool(sure) and (label["beside"] is None or any(c.isdigit() for c in run[0]))

    def _announced(self, text: str, p: int, position: Position) -> Any:
        if p < 3:
            return None
        mark = text[p - 1]
        if mark == " ":
            if text[p - 2] == ".":
                return None  # no label reaches into the next sentence
            if text[p - 2] not in _MARKS and not self._ends_label(text[max(0, p - 24) : p - 1]):
                return None
        elif mark.isalnum() or mark in ")],;!?\n":
            return None
        if position.word_before in _ENGLISH_LINKS and self._own.isdisjoint(position.words_before):
            return None
        label = position.ending_with(self._label, LABEL_CHARS)
        return label if label is not None and ". " not in label[0] else None

    def _ends_label(self, before: str) -> bool:
        word = before.split()[-1].lower().lstrip("\"'*_(`-[|“‘") if before.strip() else ""
        return word in self.last or any(c in "_-./'’" or c.isdigit() for c in word)

    def _found(self, label: Any, value: str, text: str, end: int, position: Position) -> Found:
        ahead = text[end : end + _AHEAD].partition("\n")
        if label["field"] is not None:
            way = Way.FIELD
        elif label["sentence"] is not None:
            way = Way.SENTENCE
        elif label["beside"] is not None:
            way = Way.BESIDE
        else:
            way = Way.COMMAND if label["command"] is not None else Way.ASSIGNED
        before = position.before[-LABEL_CHARS:]
        owned = bool(_OWNER.match(before[: label.start()]))
        quoted = bool(label["quote"]) and label["quote"][0] != "*"
        return Found(value, way, quoted, ahead[0] + ahead[1], owned, label["skipped"], label[0][:32])
