"""What stays of a stopped value that is written over several fields: their marks, and names that say what they hold.

    split('Jo", "lastName": "Day')     # [("Jo", '", "lastName": "'), ("Day", "")]

So every field keeps its place, and JSON, a table or a form has as many of them as before. The name of a field stays
only if all its words are among those below: a field can be called anything, the next part of the value included.
"""

from __future__ import annotations

import re

from reticent_detectors.finder.forms.labels import fold

_SAYING = """
    name names first last middle given family surname forename maiden full legal vorname nachname zuname nom prenom
    apellido apellidos nombre nombres cognome nome sobrenome voornaam achternaam imie nazwisko
    address street road strasse rue calle via rua house hausnummer number no nr num city town village place ort
    stadt wohnort ville ciudad citta cidade state region province country land zip plz postal postcode code
    area exchange prefix line extension phone subscriber
    birth of date day month year tag monat jahr jour mois annee dia mes ano giorno anno
    lat latitude lon lng long longitude user local domain host bin bank branch account check serial group
"""
_WORDS = frozenset(_SAYING.split())
_BETWEEN_WORDS = re.compile(r"[_ .-]+|(?<=[a-z])(?=[A-Z])")
_NAME = r"[^\W\d](?:[^\W\d]|[ .-]){0,39}"
_JOINT = re.compile(
    rf"""\\?["']?\s*[,}}]\s*(?:\{{\s*)?\\?["']({_NAME})\\?["']\s*:\s*(?:\\?["']|(?=\d))"""
    rf"|</({_NAME})>\s*<({_NAME})>"
    rf"|\n *({_NAME}?) ?[:=] *"
    r"|[ ]*\|[ ]*(?=\S)|\t+"
)
"""Matches what stands between the contents of two fields: of JSON, of tags, one a line, or of a row of a table."""
_TAGS = frozenset({"td", "th"})


def split(written: str) -> list[tuple[str, str]]:
    """Give the content of each field that a value is written over, with what stands between it and the next one.

    Args:
        written: the value as the answer has it, without what is before and behind it.
    """
    out, at = list[tuple[str, str]](), 0
    for joint in _JOINT.finditer(written):
        if at < joint.start() and joint.end() < len(written) and all(map(_says_what, filter(None, joint.groups()))):
            out.append((written[at : joint.start()], joint[0]))
            at = joint.end()
    return [*out, (written[at:], "")]


def _says_what(name: str) -> bool:
    """Tell whether a field's name says nothing but what the field holds."""
    return name in _TAGS or all(fold(word) in _WORDS for word in _BETWEEN_WORDS.split(name) if word)
