"""Whose a crime is that somebody speaks of, and how far its name goes."""

from __future__ import annotations

import regex

from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.languages.protected import CRIME, CRIME_TAILS
from reticent_detectors.finder.languages.wordings import fold

_OTHERS = regex.compile(
    r"\b(?:victim|survivor|witness|prison (?:warden|officer|guard)|prosecut(?:or|es|ing)|lawyer|attorney|solicitor"
    r"|detective|inspector|officer|judge|defend(?:ed|s|ing)\b|insur(?:ed|ance)|opfer|zeug[ei]n?\b|staatsanw"
    r"|rechtsanw|anwalt|anwaltin|kommissar|richter"
    r"|victime|temoin|plainte|avocat|procureur|inspecteur|assurance|victima|testigo|abogad|fiscal\b|inspector"
    r"|seguro|vittima|testimone|avvocat|procurator|ispettor|assicur|vitima|testemunh|advogad|promotor|inspetor)"
)


def of_others(position: Position) -> bool:
    """Whether the sentence names somebody else: the victim of a crime, or who prosecutes, judges or defends."""
    return _OTHERS.search(fold(position.sentence)) is not None


_CRIME = regex.compile(rf"(?:{CRIME})\b", regex.VERBOSE)
_TAILS = regex.compile(CRIME_TAILS, regex.VERBOSE)


def crime_end(folded: str, begin: int, more: bool) -> int:
    """Gives the end of a crime's name that begins there; NONE, or OPEN if `more` text may follow and change it."""
    match = _CRIME.match(folded, begin)
    if match is None:
        return NONE
    tail = _TAILS.match(folded, match.end(), partial=more)
    if tail is None:
        return int(match.end())
    return OPEN if tail.partial else int(tail.end())
