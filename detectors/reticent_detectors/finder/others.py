"""Whether a crime is spoken of by somebody who only has to do with it: its victim, or who prosecutes, judges or defends."""

from __future__ import annotations

import regex

from reticent_detectors.finder.languages.wordings import fold
from reticent_detectors.finder.relations import Site

_OTHERS = regex.compile(
    r"\b(?:victim|survivor|witness|prosecut(?:or|es|ing)|lawyer|attorney|solicitor|detective|inspector|officer|judge|defend(?:ed|s|ing)\b|insur(?:ed|ance)|opfer|zeug[ei]n?\b|staatsanw|rechtsanw|anwalt|anwaltin|kommissar|richter"
    r"|victime|temoin|plainte|avocat|procureur|inspecteur|assurance|victima|testigo|abogad|fiscal\b|inspector|seguro|vittima|testimone|avvocat|procurator|ispettor|assicur|vitima|testemunh|advogad|promotor|inspetor)"
)


def of_others(site: Site) -> bool:
    """Whether the sentence before the position names such a person."""
    return _OTHERS.search(fold(site.sentence)) is not None
