"""What numbers and secrets are called: nouns of six languages, in the notation of `wordings`.

They announce a value as the nouns of a `Language` do. A code may also stand anywhere in the sentence of its noun.
Each language has a module. Its `NOUNS` are what sentences and labels say; its `FIELDS` are the names and
abbreviations that forms, tables and code have besides.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.belongings import BELONGINGS
from reticent_detectors.finder.languages.codes import english, french, german, italian, portuguese, spanish
from reticent_detectors.finder.languages.language import in_keys

_MODULES = {
    "English": english,
    "German": german,
    "French": french,
    "Spanish": spanish,
    "Italian": italian,
    "Portuguese": portuguese,
}


def _joined(tables: tuple[Mapping[Entity, str], ...]) -> dict[Entity, str]:
    """Return the wordings of each kind in all tables, and how names of fields write them."""
    kinds = dict.fromkeys(entity for table in tables for entity in table)
    return {kind: in_keys(" | ".join(table[kind] for table in tables if kind in table)) for kind in kinds}


CODES: Mapping[str, Mapping[Entity, str]] = {
    language: _joined((module.NOUNS, module.FIELDS, BELONGINGS[language])) for language, module in _MODULES.items()
}
"""Languages by name, each with the wordings of its kinds."""
CODED: frozenset[Entity] = frozenset(entity for row in CODES.values() for entity in row)
"""Kinds whose values are codes, numbers and secrets."""
