"""Whether a string looks drawn at random, as keys and tokens are, and not made of words."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

from reticent_detectors.finder.context.word_sets import word_set

ENTROPY_BITS = 4.0
"""Least Shannon entropy, in bits a character, of an unannounced random string (32 random letters and digits: 4.5)."""
ENTROPY_BITS_ANNOUNCED = 2.8
LEAST_UNANNOUNCED = 32
LEAST_ANNOUNCED = 16

# Pairs of letters that make up 94 % of English prose and of identifiers, and 30 % of random letters.
_COMMON_PAIRS = word_set(
    """ab ac ad ag ai al am an ap ar as at av ay ba be bi bl bo bu by ca ce ch ci ck cl co cr ct cu da de di do ds du
    ea ec ed ee ef eg ei el em en ep eq er es et ev ex ey fa fe ff fi fo fr fu ge gh gi go gr ha he hi ho ht ia ib ic id
    ie if ig il im in io ip ir is it iv iz ke la ld le lf li ll lo ls lt lu ly ma me mi mm mo mp mu na nc nd ne ng ni no
    ns nt nu ob oc od of ol om on oo op or os ot ou ov ow pa pe pi pl po pp pr pt py qu ra rc rd re ri rk rl rm rn ro rr
    rs rt ru ry sa se sh si so sp ss st su ta te th ti to tr ts tt tu ty ua uc ue ui ul um un up ur us ut va ve vi wa we
    wh wi wo xp yp yt ze"""
)
_UUID = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_HEX = re.compile(r"(?:0x)?[0-9A-Fa-f]+")


def entropy_bits(text: str) -> float:
    """Return the Shannon entropy of the characters, in bits a character."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values())


def is_wordy(text: str) -> bool:
    """Tell whether the letters stand next to each other as they do in words and identifiers."""
    switches = sum(a.isdigit() != b.isdigit() for a, b in pairwise(text) if (a + b).isalnum())
    if switches >= 6:
        return False
    pairs = [text[i : i + 2] for i in range(len(text) - 1) if text[i : i + 2].isalpha()]
    return len(pairs) >= 4 and sum(pair.casefold() in _COMMON_PAIRS for pair in pairs) > 0.62 * len(pairs)


def random_looking(text: str) -> bool:
    """Tell whether an announced string looks drawn at random: letters and digits, no words, no UUID."""
    if len(text) < LEAST_ANNOUNCED or _UUID.fullmatch(text) or entropy_bits(text) < ENTROPY_BITS_ANNOUNCED:
        return False
    digits = sum(c.isdigit() for c in text)
    letters = sum(c.isalpha() for c in text)
    if _HEX.fullmatch(text):
        return digits > 0 and letters > 0
    mixed = any(c.islower() for c in text) and any(c.isupper() for c in text)
    return letters >= 4 and (digits >= 2 or (mixed and len(text) >= 20)) and not is_wordy(text)


def strongly_random(text: str) -> bool:
    """Tell whether an unannounced string is a key.

    It has at least 32 characters with small letters, capitals and digits, and is neither words nor an alphabet.
    """
    return (
        len(text) >= LEAST_UNANNOUNCED
        and any(c.islower() for c in text)
        and any(c.isupper() for c in text)
        and sum(c.isdigit() for c in text) >= 3
        and not _HEX.fullmatch(text)
        and entropy_bits(text) >= ENTROPY_BITS
        and not is_wordy(text)
        and sum(ord(b) - ord(a) == 1 for a, b in pairwise(text)) < len(text) // 4
        and max(map(len, re.split(r"[/+=_-]", text))) >= 12
    )
