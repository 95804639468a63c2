"""What a question for a doctor, an employer, a hospital or a job makes a value by how it is written.

    Which doctor does she see?        She sees [[Dr. Carla Conway]].
    Who is his employer?              [[Erickson, Mitchell and Kelly]]        [[Lawrence PLC]]
    What is her job?                  [[Exhibitions officer, museum/gallery]]

The encoder, which reads words, often takes a part of such a value or none.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.forms.asked import Asked
from reticent_detectors.finder.forms.labels import fold
from reticent_detectors.finder.match_ends import NONE, OPEN

ASKED_WORDS = "asked-words"
"""The recogniser of these values."""
_CAP = r"(?:\p{Lu}\.|\p{Lu}[\p{L}'’-]{1,24})"
_LEGAL = (
    "PLC|plc|Ltd|LTD|Limited|LLC|LLP|Inc|Corp|Corporation|Company|Group|Holdings|GmbH|AG|KG|SE|SARL|SAS|SA|SpA|Srl|SL|Lda"
    "|BV|NV|AB|Oy|Hospital|Clinic|Klinik|Klinikum|Krankenhaus|Spital"
)
_FIRM = rf"(?:{_CAP}(?:,? {_CAP}){{0,4}},? (?:{_LEGAL})\b|{_CAP}, {_CAP},? (?:and|und|et|y|e|&) {_CAP}\b)"
_TITLE = r"(?:Drs?|Doctora?|Docteure?|Doktor|Profe?s?s?o?r?a?|Dott(?:\.ssa|oressa)?|Dra)\.?"
_WORD = r"[\p{L}/&-]{2,24}"
_POLITE = (
    "yes|no|sure|sorry|well|ok|okay|of|certainly|unfortunately|hello|hi|thanks|please|ja|nein|leider|gerne|natürlich|oui"
    "|non|désolée?|bonjour|sí|lo|hola|claro|sì|mi|ciao|certo|sim|não|desculpe|olá"
)
_WRITTEN: Mapping[str, Any] = MappingProxyType(
    {
        Entity.DOCTOR: regex.compile(rf"{_TITLE} (?:{_TITLE} )?{_CAP}(?: {_CAP}){{0,2}}"),
        Entity.EMPLOYER: regex.compile(_FIRM),
        Entity.HOSPITAL: regex.compile(_FIRM),
        Entity.JOB_TITLE: regex.compile(
            rf"(?!(?i:{_POLITE})\b)\p{{Lu}}{_WORD}(?: {_WORD}){{0,3}}, \p{{Ll}}{_WORD}(?: {_WORD}){{0,2}}(?=[.\n]|\Z)"
        ),
    }
)  # fmt: skip
"""A job ends with its sentence, for what follows a comma may be another one."""


_NEXT_WORD = regex.compile(r"\W*?(?:\n|\w+\W)")


def asked_value(text: str, p: int, asked: Asked, closed: bool) -> tuple[str, int]:
    """Return the kind and the end of the value at p that a question asks for; NONE, or OPEN while more text decides.

    Args:
        text: the answer so far.
        p: where a word begins in it.
        asked: kinds that the question asks for, and the question in small letters without accents (`Asked`).
        closed: whether the text has ended.
    """
    if not text[p].isupper() or (p and text[p - 1].isalnum()):
        return "", NONE
    for kind, pattern in _WRITTEN.items():
        if kind not in asked.worded:
            continue
        match = pattern.match(text, p, partial=not closed)
        if match is None:
            continue
        if not closed and (match.partial or not _NEXT_WORD.match(text, match.end())):
            return kind, OPEN  # the next word may belong to it
        if fold(match[0].partition(",")[0]) not in asked.text:  # whom the question names
            return kind, int(match.end())
    return "", NONE
