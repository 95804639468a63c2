"""The names of the months in six languages, in plain letters, in reverse and in ROT13: they tell disguised dates."""

from __future__ import annotations

import codecs

from reticent_detectors.finder.word_sets import word_set

MONTHS: frozenset[str] = word_set(
    """january february march april may june july august september october november december jan feb mar apr jun jul
    aug sep sept oct nov dec januar jänner februar märz mai juni juli oktober dezember janvier février fevrier mars
    avril juin juillet août aout septembre octobre novembre décembre decembre enero febrero marzo abril mayo junio
    julio agosto septiembre setiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio
    settembre ottobre dicembre janeiro fevereiro março maio junho julho setembro outubro novembro dezembro"""
)
"""In small letters."""
TURNED: frozenset[str] = frozenset(
    turned
    for word in MONTHS
    if len(word) > 3 or word in ("may", "mai")
    for turned in (word[::-1], codecs.encode(word, "rot13"))
)
"""In reverse and in ROT13."""
STARTS: frozenset[str] = frozenset(word[:i] for word in MONTHS | TURNED for i in range(1, len(word) + 1))
_ANY = MONTHS | TURNED


def is_month(word: str) -> bool:
    """Whether a word in small letters is the name of a month, in a disguise or in none."""
    return word in _ANY


def may_be_month(word: str) -> bool:
    """Whether the name of a month may begin so."""
    return word in STARTS
