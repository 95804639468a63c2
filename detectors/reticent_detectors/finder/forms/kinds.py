"""The kinds of value that have a form, read from files: one kind a file, `finder/data/forms/KIND.yaml`.

    kind: US_SSN
    labels:
      en:
        - ssn
        - social security number/no?
    forms:
      - pattern: '[0-9]{3}-[0-9]{2}-[0-9]{4}'
      - {pattern: '[0-9]{9}', needs: label}
    examples: ['My SSN is [[992-28-5346]].']
    others: ['Call 992 28 5346.']

A form is a `pattern` (`finder.pattern_cost` says what may stand in it) or the name of a `reader` (`readers.READERS`).
More may have to hold. It `needs` a label. It needs one of the words of `context`, in the 100 characters before or in
the question. It passes a `check` (`checks.CHECKS`); one of check digits does not count beside a label, for models get
digits wrong. It has at least so many `digits` or `letters`. A recogniser of a policy (pattern, context, check,
examples) is such a form as it stands (`read_form`).

In `examples` the values between `[[` and `]]` are found, and nothing else of the kind. One without brackets is a value.
In the texts of `others` nothing of the kind is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import regex
import yaml

from reticent_detectors.errors import InputError
from reticent_detectors.finder.forms.checks import CHECKS, MAY_BE_WRONG
from reticent_detectors.finder.forms.labels import DATA, Labels, fold
from reticent_detectors.finder.forms.named import Sort, Strength
from reticent_detectors.finder.forms.readers import READERS, Reader
from reticent_detectors.finder.pattern_cost import check_pattern

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "other")
_SORTS = {"labels": Sort.LABEL, "weak": Sort.WEAK, "beside": Sort.BESIDE, "verbs": Sort.VERB}
_KIND_KEYS = {"kind", "forms", "asks", "examples", "others", *_SORTS}
_FORM_KEYS = {"pattern", "reader", "needs", "context", "check", "digits", "letters", "sure", "asked", "examples"}
_LEAST_UNCHECKED = 4
"""Digits of a value that a label names and whose check digits do not count."""
# A value ends where no letter or digit follows, and no mark that its figures go on with.
_TAIL = r"(?![\p{L}\p{N}_]|[-./:]\p{N}|%)"


class Needs(StrEnum):
    """What must name the kind where a form is to be a value: nothing, or a label so sure (`Strength`).

    `field` is `direct` with a colon or the like between.
    """

    NOTHING = "nothing"
    NEAR = "near"
    LABEL = "label"
    DIRECT = "direct"
    FIELD = "field"


STRENGTHS = {
    Needs.NEAR: Strength.NEAR,
    Needs.LABEL: Strength.LOOSE,
    Needs.DIRECT: Strength.TIGHT,
    Needs.FIELD: Strength.TIGHT,
}


@dataclass(frozen=True)
class Form:
    """One way in which values of a kind are written.

    Args:
        kind: the kind.
        pattern: a regular expression; empty where `reader` is given.
        reader: a name of `READERS`.
        needs: what must name the kind.
        context: words of which one must stand near, folded.
        check: a name of `CHECKS`; empty for none.
        digits, letters: least numbers of these.
        sure: whether the form is worth more than a label that says otherwise.
        asked: whether a question for the kind suffices in place of the label.
    """

    kind: str
    pattern: str = field(default="", repr=False)
    reader: str = ""
    needs: Needs = Needs.NOTHING
    context: tuple[str, ...] = ()
    check: str = ""
    digits: int = 0
    letters: int = 0
    sure: bool = False
    asked: bool = True

    @cached_property
    def compiled(self) -> Any:
        """The pattern, with what may follow."""
        return regex.compile(f"(?:{_widened(self.pattern)}){_TAIL}")

    @cached_property
    def beginning(self) -> Any:
        """The pattern alone, to match what the end of a text cut short."""
        return regex.compile(_widened(self.pattern))

    @cached_property
    def words(self) -> Any:
        """The words of the context as a pattern over folded text; None without a context."""
        if not self.context:
            return None
        words = "|".join(regex.escape(fold(word), literal_spaces=True) for word in self.context)
        return regex.compile(rf"(?<![\p{{L}}\p{{N}}])(?:{words})(?![\p{{L}}\p{{N}}])")

    @property
    def unchecked(self) -> Form:
        """The same beside a label, whatever its check digits are."""
        least = max(self.digits, _LEAST_UNCHECKED)
        return replace(self, needs=Needs.LABEL, context=(), check="", digits=least, sure=False, asked=False)

    def accepts(self, value: str) -> bool:
        """Tell whether a value that the pattern matches passes the checks."""
        if self.digits and sum(map(str.isdigit, value)) < self.digits:
            return False
        if self.letters and sum(map(str.isalpha, value)) < self.letters:
            return False
        return not self.check or CHECKS[self.check](value)


def _widened(pattern: str) -> str:
    """Return the pattern with typographic blanks and hyphens beside the plain ones that part groups."""
    for plain in ("[ -]", "[- ]"):
        pattern = pattern.replace(plain, "[ \u00a0\u202f\u2010\u2011-]")
    return pattern


@dataclass(frozen=True)
class Kind:
    """A kind: its forms, what its values are called, and texts that test both."""

    name: str
    forms: tuple[Form, ...] = ()
    labels: Mapping[Sort, tuple[str, ...]] = field(default_factory=dict, repr=False)
    examples: tuple[str, ...] = field(default=(), repr=False)
    others: tuple[str, ...] = field(default=(), repr=False)
    asks: tuple[str, ...] = field(default=(), repr=False)
    """Regular expressions of folded questions that name no label."""


class Kinds:
    """Kinds that are looked for together, and the labels of them all."""

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self.kinds = {kind.name: kind for kind in kinds}
        self.labels = Labels()
        for kind in self.kinds.values():
            for sort, wordings in kind.labels.items():
                self.labels.add(wordings, kind.name, sort)
        forms = [form for kind in self.kinds.values() for form in kind.forms]
        self.free = tuple(form for form in forms if form.needs is Needs.NOTHING and form.pattern)
        """Patterns that need no label."""
        self.readers = tuple(form for form in forms if form.needs is Needs.NOTHING and form.reader)
        """Readers that need no label."""
        self._readers_at: dict[str, tuple[tuple[Form, Reader, frozenset[str]], ...]] = {}
        self.named = {
            name: (
                *(form for form in kind.forms if form.needs is not Needs.NOTHING),
                *(form.unchecked for form in kind.forms if form.pattern and form.check in MAY_BE_WRONG),
            )
            for name, kind in self.kinds.items()
        }
        """The forms of each kind that need one, and those with check digits as they count beside one."""
        gate = "|".join(f"(?:{_widened(form.pattern)})" for form in self.free)
        self.gate = regex.compile(gate) if gate else None
        """Matches where any of the patterns without label may."""
        self.of_words = frozenset(
            name for name, forms in self.named.items() if any(f.reader and READERS[f.reader].words for f in forms)
        )
        """Kinds with values that are words."""
        self.word_labels = frozenset(
            fold(part)
            for name in self.of_words
            for wordings in self.kinds[name].labels.values()
            for wording in wordings
            for items in [wording.split()]
            for item in _last_items(items)
            for alternative in item.rstrip("?").split("/")
            for part in regex.findall(r"[\p{L}\p{N}]+", alternative)[-1:]
        )
        """The words with which a label of these kinds ends."""

    def readers_at(self, sorts: str) -> tuple[tuple[Form, Reader, frozenset[str]], ...]:
        """Return the readers without label that may begin with one of these sorts (`Reader.at`), and their marks."""
        if sorts not in self._readers_at:
            readers = ((form, READERS[form.reader]) for form in self.readers)
            rows = ((form, reader, frozenset(reader.mark)) for form, reader in readers)
            self._readers_at[sorts] = tuple(row for row in rows if not set(sorts).isdisjoint(row[1].at))
        return self._readers_at[sorts]

    def __repr__(self) -> str:
        return f"Kinds({', '.join(self.kinds)})"


def _last_items(items: list[str]) -> list[str]:
    last = [items[-1]]
    for item in reversed(items[:-1]):
        if not last[-1].endswith("?"):
            break
        last.append(item)
    return last


def read_form(kind: str, row: Any, where: str = "") -> Form:
    """Read a form. Raise InputError, which names the place and what to write, for one that is none."""
    where = where or kind
    if not isinstance(row, Mapping):
        raise InputError(f"{where}: a form is a block with a pattern or a reader, got {type(row).__name__}")
    if unknown := sorted(set(map(str, row)) - _FORM_KEYS):
        raise InputError(f"{where}: unknown key {unknown[0]!r}; expected {', '.join(sorted(_FORM_KEYS))}")
    pattern, reader = str(row.get("pattern", "")), str(row.get("reader", ""))
    if bool(pattern) == bool(reader):
        raise InputError(f"{where}: give a form either a pattern or a reader")
    if reader and reader not in READERS:
        raise InputError(f"{where}: there is no reader {reader!r}; choose one of {', '.join(sorted(READERS))}")
    if pattern:
        try:
            check_pattern(pattern)
        except InputError as error:
            raise InputError(f"{where}: pattern: {error}") from None
    check = str(row.get("check", ""))
    if check and check not in CHECKS:
        raise InputError(f"{where}: there is no check {check!r}; choose one of {', '.join(sorted(CHECKS))}")
    try:
        needs = Needs(row.get("needs", Needs.NOTHING))
    except ValueError:
        raise InputError(f"{where}: needs: expected one of {', '.join(Needs)}") from None
    context = _texts(row.get("context", []), f"{where}: context")
    counts = [row.get(name, 0) for name in ("digits", "letters")]
    if any(not isinstance(count, int) or isinstance(count, bool) or count < 0 for count in counts):
        raise InputError(f"{where}: digits and letters are whole numbers from 0 on")
    sure, asked = row.get("sure", False), row.get("asked", True)
    if not isinstance(sure, bool) or not isinstance(asked, bool):
        raise InputError(f"{where}: sure and asked are true or false")
    return Form(kind, pattern, reader, needs, context, check, counts[0], counts[1], sure, asked)


def read_kind(row: Any, where: str) -> Kind:
    """Read a kind. Raise InputError, which names the place and what to write, for one that is none."""
    if not isinstance(row, Mapping) or not isinstance(row.get("kind"), str):
        raise InputError(f"{where}: expected a block that names its kind")
    if unknown := sorted(set(map(str, row)) - _KIND_KEYS):
        raise InputError(f"{where}: unknown key {unknown[0]!r}; expected {', '.join(sorted(_KIND_KEYS))}")
    name = row["kind"]
    forms = row.get("forms", [])
    if not isinstance(forms, list):
        raise InputError(f"{where}: forms are a list")
    labels = {sort: _wordings(row[key], f"{where}: {key}") for key, sort in _SORTS.items() if key in row}
    return Kind(
        name,
        tuple(read_form(name, form, f"{where}: form {number}") for number, form in enumerate(forms, 1)),
        labels,
        _texts(row.get("examples", []), f"{where}: examples"),
        _texts(row.get("others", []), f"{where}: others"),
        _wordings(row.get("asks", {}), f"{where}: asks"),
    )


def _texts(row: Any, where: str) -> tuple[str, ...]:
    if not isinstance(row, list) or not all(isinstance(text, str) and text for text in row):
        raise InputError(f"{where}: expected a list of texts; set texts that look like numbers between quotation marks")
    return tuple(row)


def _wordings(row: Any, where: str) -> tuple[str, ...]:
    if not isinstance(row, Mapping) or not set(row) <= set(LANGUAGES):
        raise InputError(f"{where}: expected lists of wordings by language, of {', '.join(LANGUAGES)}")
    return tuple(wording for language, rows in row.items() for wording in _texts(rows, f"{where}, {language}"))


def read_files(folder: Path) -> tuple[Kind, ...]:
    """Read the kinds of a folder, by file name. Raise InputError for a file that is none."""
    kinds = []
    for file in sorted(folder.glob("*.yaml")):
        try:
            row = yaml.load(file.read_text(encoding="utf-8"), Loader=_LOADER)
        except (OSError, yaml.YAMLError) as error:
            raise InputError(f"{file.name}: no YAML ({type(error).__name__})") from error
        kinds.append(read_kind(row, file.name))
    return tuple(kinds)


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@lru_cache(maxsize=1)
def shipped() -> Kinds:
    """Return the kinds of `finder/data/forms`, read at the first call."""
    return Kinds(read_files(DATA))


@lru_cache(maxsize=1)
def with_dates() -> Kinds:
    """Return the shipped kinds and dates of any event, which ordinary prose is full of."""
    return Kinds([*shipped().kinds.values(), *read_files(DATA / "general")])
