"""Rows of words that several parts read, from `finder/data/forms/words`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

import regex
import yaml

FOLDER = Path(__file__).parent.parent / "data" / "forms" / "words"


@lru_cache(maxsize=8)
def table(name: str) -> Mapping[str, str]:
    """Return the rows of `NAME.yaml` as they stand."""
    rows = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    return {key: str(row) for key, row in rows.items()}


@lru_cache(maxsize=64)
def words_of(row: str, name: str = "shared") -> frozenset[str]:
    """Return the words of a row of `NAME.yaml`."""
    return frozenset(table(name)[row].split())


def either(row: str, name: str) -> str:
    """Return a pattern of one of the words of a row, the longest first; a blank in a word is written as `_`."""
    words = sorted(set(table(name)[row].split()), key=len, reverse=True)
    return "|".join(regex.escape(word, literal_spaces=True).replace("_", " ") for word in words)
