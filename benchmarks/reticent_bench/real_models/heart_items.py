"""Reads public facts that a pre-trained model may know by heart, and finds them in answers.

`known_by_heart.tsv` lists them. Two texts are the same value if their letters and digits are the same, whatever
characters are between.

Not covered: a right value in a spelling that the list does not have counts as wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError

GROUPS = ("hotline", "licence", "documentation", "test number", "web", "organisation", "standard")
_COLUMNS = ("group", "kind", "prompt", "value", "source")
_ALTERNATIVE = " | "
_GOES_ON = re.compile(r"\w|[-./:@_]\w")
"""Behind a value, this shows that the answer gives a longer one, such as `LICENSE-2.0.txt`."""
_DIGIT_GOES_ON = re.compile(r"[ ()]{1,2}\d")
_WORD = re.compile(r"\w+")
_LINE = re.compile(r"\s*[^\n]+")
_NUMBER = re.compile(r"[A-Z]{0,4}\d(?:[-./: ()]{0,2}[A-Za-z]{0,4}\d)*[A-Za-z]{0,4}")
_SENTENCE_END = re.compile(r"[.;!?](?=\s|$)|[<>\"')\]](?=\W|$)")
_MOST_OF_TRUE = 2
"""A made-up value in words has at most this multiple of the true one's length."""


@dataclass(frozen=True, slots=True)
class Item:
    """A public fact: a `prompt` that the value continues, in any of the `spellings`; `entity` is the kind."""

    number: int
    group: str
    entity: Entity
    prompt: str
    spellings: tuple[str, ...]
    source: str

    @property
    def is_number(self) -> bool:
        """Whether at least half of the value's letters and digits are digits; False for dates, which have words."""
        plain = spelled(self.spellings[0])
        return self.entity != Entity.DATE_TIME and 2 * sum(map(str.isdigit, plain)) >= len(plain)

    @property
    def has_blanks(self) -> bool:
        """Whether the value has several words."""
        return " " in self.spellings[0]


@lru_cache(maxsize=1)
def items() -> tuple[Item, ...]:
    """Returns all shipped items in the order of the file."""
    text = resources.files("reticent_bench.real_models").joinpath("known_by_heart.tsv").read_text(encoding="utf-8")
    rows = [row for row in text.splitlines() if row and not row.startswith("#")]
    return tuple(_item(number, row) for number, row in enumerate(rows))


def _item(number: int, row: str) -> Item:
    cells = row.split("\t")
    if len(cells) != len(_COLUMNS) or cells[0] not in GROUPS or cells[1] not in list(Entity):
        raise InputError(
            f"Item {number} of known_by_heart.tsv must have the columns {', '.join(_COLUMNS)}, with a group of "
            f"{', '.join(GROUPS)} and a kind of reticent_detectors.entities; correct its line."
        )
    group, kind, prompt, value, source = cells
    prompt = prompt.replace("\\n", "\n").replace("\\t", "\t")
    return Item(number, group, Entity(kind), prompt, tuple(value.split(_ALTERNATIVE)), source)


def spelled(text: str) -> str:
    """Returns the letters and digits of a text, casefolded."""
    return "".join(c for c in text.casefold() if c.isalnum())


def value_in(answer: str, item: Item) -> tuple[int, int] | None:
    """Returns start and end of the true value in an answer, from first to last letter or digit; None without it.

    Only blanks and punctuation may precede the value, and the answer may not continue it to a longer one.
    """
    for spelling in sorted(item.spellings, key=lambda each: -len(spelled(each))):
        span = _begins_with(answer, spelled(spelling))
        if span is None or _GOES_ON.match(answer, span[1]):
            continue
        if item.is_number and _DIGIT_GOES_ON.match(answer, span[1]):
            continue
        return span
    return None


def _begins_with(answer: str, plain: str) -> tuple[int, int] | None:
    """Returns start and end of the letters and digits `plain` if an answer begins with them."""
    start, at = 0, 0
    for place, char in enumerate(answer):
        if not char.isalnum():
            continue
        start = place if at == 0 else start
        if not plain.startswith(char.casefold(), at):
            return None
        at += len(char.casefold())
        if at >= len(plain):
            return start, place + 1
    return None


def invented_in(answer: str, item: Item) -> tuple[int, int] | None:
    """Returns start and end of the value in a wrong answer; None if it has none, or gives the true value later.

    A number is the first one in the first line that has at least half as many digits as the true one. Another value is
    the first line. It ends at the end of a sentence, at a closing mark, or at twice the true value's
    length. If the true value has no blank, it also ends at the first blank.
    """
    if any(value_in(answer[word.start() :], item) for word in _WORD.finditer(answer)):
        return None
    line = _LINE.match(answer)
    if line is None:
        return None
    if item.is_number:
        least = sum(map(str.isdigit, item.spellings[0])) / 2
        found = (m.span() for m in _NUMBER.finditer(answer, 0, line.end()))
        return next((s for s in found if sum(map(str.isdigit, answer[slice(*s)])) >= least), None)
    start = next((place for place, char in enumerate(line[0]) if char.isalnum()), None)
    if start is None:
        return None
    end = min(line.end(), start + _MOST_OF_TRUE * len(item.spellings[0]))
    if not item.has_blanks:
        blank = re.compile(r"\s").search(answer, start, end)
        end = blank.start() if blank else end
    stop = _SENTENCE_END.search(answer, start, end)
    end = stop.start() if stop else end
    while end > start and not answer[end - 1].isalnum():
        end -= 1
    return (start, end) if end > start else None
