"""The languages whose wordings the finder knows, and their tables as trees that are read once.

A word carries one bit for each language that has it, so that a wording never mixes two languages. To add a language,
write its table and name it in `LANGUAGES`.
"""

from __future__ import annotations

from functools import cache

from reticent_detectors.finder.languages.belongings import PLACES
from reticent_detectors.finder.languages.codes import CODES
from reticent_detectors.finder.languages.english import ENGLISH
from reticent_detectors.finder.languages.french import FRENCH
from reticent_detectors.finder.languages.german import GERMAN
from reticent_detectors.finder.languages.italian import ITALIAN
from reticent_detectors.finder.languages.language import Language, in_keys
from reticent_detectors.finder.languages.portuguese import PORTUGUESE
from reticent_detectors.finder.languages.spanish import SPANISH
from reticent_detectors.finder.languages.wordings import Tree, spellings, words

__all__ = ["LANGUAGES", "Language", "Lexicon", "lexicon"]

LANGUAGES: tuple[Language, ...] = (ENGLISH, GERMAN, FRENCH, SPANISH, ITALIAN, PORTUGUESE)
_BY_WORD = words(
    "which links adverbs participles prepositions articles joins fillers clauses indefinite owned called lead person"
)
ALL = (1 << len(LANGUAGES)) - 1


class Lexicon:
    """The tables of all languages together. A set of languages is a number with one bit for each."""

    def __init__(self, languages: tuple[Language, ...]) -> None:
        self.nouns, self.codes, self.announcing, self.asks = Tree(), Tree(), Tree(), Tree()
        self.languages = languages
        for bit, language in _bits(languages):
            for entity, row in language.nouns.items():
                self.nouns.add(row, entity, bit)
            for entity, row in CODES[language.name].items():
                self.nouns.add(row, entity, bit)
                self.codes.add(row, entity, bit)
            for entity, row in PLACES[language.name].items():
                self.nouns.add(in_keys(row), entity, bit)
            for entity, row in language.verbs.items():
                self.announcing.add(row, entity, bit)
            for entity, row in language.asks.items():
                self.asks.add(row, entity, bit)
        for name in _BY_WORD:
            setattr(self, name, self._of(name))
        self.pro_drop = sum(bit for bit, language in _bits(languages) if language.pro_drop)
        self.utilities = frozenset().union(*(words(language.utilities) for language in languages))
        self.transactions = frozenset().union(*(words(language.transactions) for language in languages))
        ends = {*self.nouns.root.children, *self.announcing.root.children, *self.articles, *self.called}
        ends |= {*self.links, *self.adverbs, *self.participles, *self.prepositions}
        self.triggers = frozenset(ends)

    which: dict[str, int]
    links: dict[str, int]
    adverbs: dict[str, int]
    participles: dict[str, int]
    prepositions: dict[str, int]
    articles: dict[str, int]
    joins: dict[str, int]
    fillers: dict[str, int]
    clauses: dict[str, int]
    indefinite: dict[str, int]
    owned: dict[str, int]
    called: dict[str, int]
    lead: dict[str, int]
    person: dict[str, int]

    def _of(self, name: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for bit, language in _bits(self.languages):
            for word in words(getattr(language, name)):
                for spelled in spellings(word):
                    found[spelled] = found.get(spelled, 0) | bit
        return found


def _bits(languages: tuple[Language, ...]) -> list[tuple[int, Language]]:
    return [(1 << i, language) for i, language in enumerate(languages)]


@cache
def lexicon() -> Lexicon:
    """Return the lexicon of all languages, built at its first use."""
    return Lexicon(LANGUAGES)
