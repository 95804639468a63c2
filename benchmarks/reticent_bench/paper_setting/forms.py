"""How a value is asked for: in the five forms of each kind (Tables 14 and 15), and in five synonyms, never taught.

Every model gets the same plain text without a chat template, for a base model has none: the form in one line, and the
bare value in the next.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources

from reticent_detectors.entities import Entity

FORMS_EACH = 5


class FormSet(StrEnum):
    """Whether the models are taught a form."""

    TAUGHT = "taught"
    SYNONYM = "synonym"


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """One way to ask for one kind of value. `text` holds `{n}` where the name goes; `number` counts from 1."""

    kind: Entity
    set: FormSet
    number: int
    text: str

    def line(self, name: str) -> str:
        """Returns the question about a person, without the end of the line."""
        return self.text.replace("{n}", name)


def prompt(*lines: str) -> str:
    """Returns the text that a model is given, which ends where the answer's first token begins."""
    return "".join(f"{line}\n" for line in lines)


@lru_cache(maxsize=1)
def _table() -> tuple[QuestionForm, ...]:
    text = resources.files(__package__).joinpath("forms.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(
        QuestionForm(Entity(row["kind"]), FormSet(row["set"]), int(row["number"]), row["form"]) for row in rows
    )


def forms(kind: Entity, which: FormSet) -> tuple[QuestionForm, ...]:
    """Returns the five forms of a kind, by their number."""
    return tuple(form for form in _table() if form.kind is kind and form.set is which)


def all_forms() -> Iterator[QuestionForm]:
    """Yields all 160 forms."""
    yield from _table()
