"""Draws, by hashes alone, the people whom a training holds out."""

from __future__ import annotations

import hashlib

SEED = 0
"""Default seed of a training."""
SHARE = 0.2
"""Default share of people who are held out."""


def hash_share(seed: int, *names: str) -> float:
    """Returns a number in [0, 1) that depends on seed and names alone, so reordered or added rows do not change it."""
    digest = hashlib.sha256("\x1f".join((str(seed), *names)).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def person_share(person: str, seed: int = SEED) -> float:
    """Returns the place of a person, by name or hash, in [0, 1). The first fold holds out places below its share."""
    return hash_share(seed, "person", person)
