"""Decides by a column's name which kind of value it holds, and whether the name may be shown.

A name counts as that of a kind (`EMAIL_ADDRESS`, in any case), or as one that is usual for it
(`data/column_names.tsv`): `email`, `patientEmail`, `Work E-Mail 2` and `customer.mail` are all of kind `EMAIL_ADDRESS`.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from reticent_detectors.entities import Entity

_OWNERS = "OWNERS"
"""Row of the words before a kind that say whose value it is."""
_WORD_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_NUMBER_BEHIND = re.compile(r"_?\d{1,2}$")
_SHOWN = re.compile(r"[A-Za-z][A-Za-z0-9_. -]{0,39}")
_LONG_NUMBER = re.compile(r"\d{4}")


def entity_of(name: str) -> Entity | None:
    """Gives the kind of value that a column of this name holds, or None if the name does not tell."""
    own = name.rpartition(".")[2]
    words = "_".join(filter(None, _WORD_BORDER.split(own.strip()))).lower()
    for candidate in (words, _NUMBER_BEHIND.sub("", words)):
        rest = candidate
        while rest:
            found = _names().get(rest)
            if found is not None:
                return found
            owner, _, rest = rest.partition("_")
            if owner not in _rows()[_OWNERS]:
                break
    return None


def is_shown(name: str) -> bool:
    """Says whether a name looks like that of a column. In a file without a header it may be a value."""
    return _SHOWN.fullmatch(name) is not None and _LONG_NUMBER.search(name) is None


@cache
def _rows() -> dict[str, list[str]]:
    text = resources.files("reticent").joinpath("data", "column_names.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {kind: names.split() for kind, names in rows}


@cache
def _names() -> dict[str, Entity]:
    usual = {name: Entity(kind) for kind, names in _rows().items() if kind != _OWNERS for name in names}
    return usual | {str(entity).lower(): entity for entity in Entity if entity is not Entity.OTHER}
