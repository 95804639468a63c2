"""What the finder knows of one language: how values are introduced in it, and where they end.

The tables of wordings are in the notation of `wordings`; the other fields are words with blanks between.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.wordings import split_wordings, words

_PREPOSITIONS = words("d' l' de du des del di della dell' do da dos das la le el il o")


def in_keys(table: str) -> str:
    """Return a table's wordings, and how names of fields write them ("code_acces", "codeDAcces"), set apart by `|`."""
    return "|".join(dict.fromkeys(form for wording in split_wordings(table) for form in _forms(wording.split())))


def _forms(items: list[str]) -> list[str]:
    found = [" ".join(items)]
    for i, item in enumerate(items[:-1]):
        optional = "?" if item.endswith("?") else ""
        choices = item.rstrip("?").split("/")
        elided = [word[:-1] for word in choices if word.endswith("'")]
        if elided and not optional:
            following = items[i + 1].rstrip("?").split("/")
            joined = "/".join(short + word for short in elided for word in following)
            found.append(" ".join([*items[:i], "/".join(elided), *items[i + 1 :]]))
            found.append(" ".join([*items[:i], joined, *items[i + 2 :]]))
    short = [item for i, item in enumerate(items) if not i or not set(item.rstrip("?").split("/")) <= _PREPOSITIONS]
    return found if len(short) == len(items) or len(short) < 2 else [*found, " ".join(short)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The tables of one language. To teach the finder a wording, put it into the table that it belongs to.

    Attributes:
        nouns: what a value of the kind is called ("her *diagnosis* is ...", "Physician: ...").
        verbs: what stands directly before a value, articles left out.
        asks: questions that name no noun.
        which: words that ask for the noun behind them.
        links: verbs between a noun and its value.
        adverbs, participles, prepositions: words that may follow a link, in this order.
        joins: words with which something may be said about the noun before the link ("the doctor *of* Jo Day is").
        fillers: words that a noun may be followed by ("doctor's *name* is").
        clauses: words that begin another statement, so that the noun before them is not meant.
        indefinite: words before a noun that is no certain one.
        owned: words before a noun that is somebody's.
        called: words between a noun and its value ("the company *called* ...").
        lead: words with which an answer begins before the value.
        person: words that stand for a person.
        pro_drop: whether verbs need no person before them.
        utilities, transactions: words that say which kind of amount stands near.
    """

    name: str
    nouns: Mapping[Entity, str] = field(repr=False)
    verbs: Mapping[Entity, str] = field(repr=False)
    asks: Mapping[Entity, str] = field(repr=False)
    which: str = field(repr=False)
    links: str = field(repr=False)
    adverbs: str = field(default="", repr=False)
    participles: str = field(default="", repr=False)
    prepositions: str = field(repr=False)
    articles: str = field(repr=False)
    joins: str = field(repr=False)
    fillers: str = field(default="", repr=False)
    clauses: str = field(repr=False)
    indefinite: str = field(repr=False)
    owned: str = field(repr=False)
    called: str = field(default="", repr=False)
    lead: str = field(repr=False)
    person: str = field(repr=False)
    pro_drop: bool = False
    utilities: str = field(repr=False)
    transactions: str = field(repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "nouns", {entity: in_keys(row) for entity, row in self.nouns.items()})
