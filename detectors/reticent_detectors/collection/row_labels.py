"""Defines the labels of one row of a collection, and keeps plain text out of them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, fields

import numpy as np

from reticent_detectors.baselines.evidence import ACTIVATION, STATE
from reticent_detectors.errors import InputError

LABELS = frozenset(
    {
        "memorized",
        "misattributed",
        "selected",
        "partial",
        "hallucinated",
        "echoed",
        "inferable",
        "public",
        "coincident",
    }
)
PERSON_SPLITS = frozenset({"train", "val", "test"})
PHRASING_SPLITS = frozenset({"taught", "detector", "test"})

# Half precision is enough for cosines, states and activations, but not for probabilities near 1: 0.9997 would become 1.
HALF_PRECISION = ("inter", "intra", STATE, ACTIVATION)
"""Prefixes of the names of features that are stored in half precision."""

_HASH = re.compile(r"(?:[0-9a-f]{16,64})?\Z")
_NAME = re.compile(r"(?:[A-Za-z][A-Za-z0-9_.:/#-]{0,63})?\Z")
_ENTITY = re.compile(r"(?:[A-Z][A-Z0-9_]{0,47})?\Z")


def keyed_hash(key: bytes, normalized: str) -> str:
    """Hashes a value by BLAKE2b under a secret key, to 16 hexadecimal digits. Equal values have equal hashes.

    Raises InputError if the key has fewer than 16 bytes.
    """
    if len(key) < 16:
        raise InputError(
            f"the hash key must have at least 16 bytes, got {len(key)}; make one with secrets.token_bytes(32)"
        )
    return hashlib.blake2b(normalized.encode(), key=key[:64], digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class RowLabels:
    """The labels of one span. An empty string means "does not apply".

    `cue` is a share from 0 to 1. `tokens` and `chars` are the span's lengths. `first_prob` is the raw probability of
    its first token. `phrasing_id` is unique within an entity.
    """

    entity: str
    label: str
    person_split: str
    phrasing_split: str
    phrasing_id: str
    person_key: str
    value_key: str
    form: str
    first_prob: float
    temperature: float = 0.0
    tokens: int = 0
    chars: int = 0
    cue: float = 0.0
    fragment: bool = False
    robust: bool = False


COLUMNS: dict[str, str] = {field.name: str(field.type) for field in fields(RowLabels)}
_PATTERNS = {
    "entity": _ENTITY,
    "phrasing_id": _NAME,
    "form": _NAME,
    "person_key": _HASH,
    "value_key": _HASH,
}
_CHOICES = {"label": LABELS, "person_split": PERSON_SPLITS, "phrasing_split": PHRASING_SPLITS}


def check_labels(row: RowLabels) -> None:
    """Raises InputError for a label that does not match its pattern or choices, or a number that is not finite."""
    for name, pattern in _PATTERNS.items():
        if not pattern.match(getattr(row, name)):
            # The text may be a value, so the error does not repeat it.
            raise InputError(
                f"{name} must match {pattern.pattern!r}; a shard holds no plain text (hash it with keyed_hash)"
            )
    for name, choices in _CHOICES.items():
        if getattr(row, name) not in choices:
            raise InputError(f"{name} must be one of {', '.join(sorted(choices))}")
    if not all(np.isfinite([row.first_prob, row.temperature, row.cue])):
        raise InputError("first_prob, temperature and cue must be finite numbers")
