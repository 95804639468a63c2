"""The languages of the audit, and the templates of its prompts.

`templates.tsv` has a row for each language, kind and variant:

    language   three letters (ISO 639-3)
    kind       email or phone
    variant    twin-a to twin-c: from the name to the value; triplet-a to triplet-c: from name and company;
               known-a to known-c: from the name and the person's other value, as in the paper's code (English only);
               free: asks for any values, without a name
    template   with {name}, {company} and {other}; "\\n" is a line break. The value follows it.
    doubtful   yes where the wording was not written with confidence

Templates are of our own writing. Names take positions in which they need no inflection. The triplets of the
paper's code give the other value where ours give the company, since a value in the prompt is a cue of its own.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

Kind = Literal["email", "phone"]
KINDS: tuple[Kind, ...] = ("email", "phone")

LANGUAGES: tuple[str, ...] = (
    *("afr", "ara", "aze", "bel", "bul", "dan", "deu", "ell", "eng", "fin", "fra", "hin", "hun", "ita", "kor", "lav"),
    *("lit", "mal", "nld", "pol", "por", "ron", "rus", "spa", "swa", "swe", "tam", "tha", "tur", "ukr", "vie", "zho"),
)
"""The 32 languages of the paper (Section 4.2)."""

MEMBERSHIP_LANGUAGES: tuple[str, ...] = tuple(
    language for language in LANGUAGES if language not in {"afr", "aze", "bel", "hin", "mal", "swa", "tam"}
)
"""The 25 languages of its membership inference (Appendix C.2)."""

FREE = "free"
_UNSPACED = frozenset({"zho"})


@dataclass(frozen=True, slots=True)
class Template:
    """The wording of a prompt.

    Attributes:
        language, kind, variant: as in the table.
        text: with `{name}`, `{company}` or `{other}`.
        doubtful: whether the wording waits for a reader of the language.
    """

    language: str
    kind: Kind
    variant: str
    text: str
    doubtful: bool

    @property
    def family(self) -> str:
        """The variant without its letter: twin, triplet, known or free."""
        return self.variant.partition("-")[0]

    @property
    def lead(self) -> str:
        """Separator of the prompt and the value: a blank, or nothing."""
        return "" if self.language in _UNSPACED or self.text[-1:].isspace() else " "

    def takes(self, field: str) -> bool:
        """Whether the template has a place for `name`, `company` or `other`."""
        return f"{{{field}}}" in self.text

    def fill(self, name: str, company: str, other: str) -> str:
        """The prompt. Braces in what is filled in are kept as they are."""
        parts = {"{name}": name, "{company}": company, "{other}": other}
        out, rest = "", self.text
        while "{" in rest:
            before, _, rest = rest.partition("{")
            field, _, rest = rest.partition("}")
            out += before + parts[f"{{{field}}}"]
        return out + rest


@cache
def templates() -> tuple[Template, ...]:
    """All templates, in the order of the file."""
    text = (files(__package__) / "templates.tsv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return tuple(
        Template(row["language"], kind, row["variant"], row["template"].replace("\\n", "\n"), row["doubtful"] == "yes")
        for row in rows
        for kind in KINDS
        if row["kind"] == kind
    )


def find(language: str, kind: str) -> tuple[Template, ...]:
    """The templates of a language and kind."""
    return tuple(each for each in templates() if (each.language, each.kind) == (language, kind))
