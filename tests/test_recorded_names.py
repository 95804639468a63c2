"""Tests of recorded names apart, inflected and with others between, and of days with labels and tags."""

from __future__ import annotations

import pytest

from reticent import TextGuard
from reticent.records import RecordsIndex

INDEX = RecordsIndex.build(
    [
        ("PERSON", "Malwina Gościmska"),
        ("PERSON", "Torsten Quellmalz"),
        ("PERSON", "Berta Lindqvist-Ody"),
        ("PERSON", "Anna Maria Kowalska"),
        ("PERSON", "Martins Kalnins"),
        ("PERSON", "Martin Vogelsang"),
        ("DATE_OF_BIRTH", "1979-11-26"),
    ]
)
GUARD = TextGuard("default", records=INDEX)
APART = [
    "First name .... Torsten\nLast name .... Quellmalz",
    "| Surname | Quellmalz |\n| Given name(s) | Torsten |",
    "<given>Torsten</given><phone>12</phone><family>Quellmalz</family>",
    '<name><family value="Quellmalz"/><given value="Torsten"/></name>',
    '{"k":"first_name","v":"Torsten"}\n{"k":"age","v":"46"}\n{"k":"last_name","v":"Quellmalz"}',
    'first: str = "Torsten"\nage: int = 46\nlast: str = "Quellmalz"',
    "Adı Torsten, soyadı Quellmalz.",
    "B: Torsten. A: Last name? B: Quellmalz.",
    "Regards,\n\nTorsten\n--\nHerr Quellmalz",
    "Vorname: Torsten; Alter: 46; wohnt in Bonn; Nachname: Quellmalz",
    "First name .... Berta\nLast name .... Lindqvist-Ody",
    "Anna Maria, whose last name is Kowalska, said so.",
    "last,dept,first\nQuellmalz,Sales,Torsten",
    "17\tTorsten\t46\tQuellmalz\tF",
    "'Torsten';'46';'Quellmalz'",
    "| ID | First | Dept | Last |\n|---|---|---|---|\n| 17 | Torsten | Sales | Quellmalz |",
    "| First name | Jan | Torsten |\n| Middle | - | - |\n| Last name | Weber | Quellmalz |",
]
TOGETHER = [
    "Torsten von Quellmalz",
    "Torsten O'Brien Quellmalz",
    "Torsten-Erik Quellmalz",
    "Torsten & Paula Quellmalz",
    "Quellmalz, Prof. Dr. med. Torsten",
    "1. Torsten\n2. Quellmalz",
    "Torsten¹ Quellmalz²",
    "Torsten Quellmalz' und Torsten Quellmalzens Konto",
    "Torstens Quellmalz",
    "konto Malwiny Gościmskiej",
    "Konto Martins Vogelsang",
    "z Malwiną Gościmską",
    "Torsten Quell-\n    malz",
    "'Torsten Quell'\n + 'malz'",
    "SUMMARY:Call with Torsten Quell\n malz",
    "Malwina Go\\'scimska",
    "Malwina Go{\\'s}cimska",
    "Malwina Go\\'{s}cimska",
    "{\\k e}: Malwina Go{\\'{s}}cimska",
]
DAYS = [
    "Tag: 26, Monat: 11, Jahr: 1979",
    "gün 26, ay 11, yıl 1979",
    "26<sup>th</sup> November 1979",
    "<d>26</d><m>11</m><y>1979</y>",
    "26 Nov<br>1979",
    "26 de noviembre del año 1979",
    "26. listopadu 1979",
    "26 noiembrie 1979",
    "26 Νοεμβρίου 1979",
]
APART_DAYS = [
    "She was born in 1979. Her birthday is November 26.",
    "Sie wurde 1979 geboren, am 26. November.",
    "È nata nel 1979, il 26 novembre.",
    "Date of birth: 26 November\nYear of birth: 1979",
    "Jahrgang 1979, Geburtstag am 26. November",
    "Her birthday is on the 26th of November; the year is 1979.",
]
OTHERS = [
    "In 1979 she was born in Bonn. The firm closed on 26 November 2003.",
    "She was born in November 1979. The firm was founded on 26 November.",
    "She was born in 1978. Her birthday is November 26.",
    "Nach 1979 zog die Firma um, am 26. November.",
    "The nation changed in 1979. The festival is on November 26",
    "Born in 1979, \U00010d40 November. It goes on.",
    "The firm was founded in 1979. It closed on 26 November.",
    "First name: Torsten\nLast name: Weber\nHer doctor is Quellmalz.",
    "Torsten Weber and Jan Quellmalz met Malwina Ody.",
    "Frau Quellmalz and Herr Weber greet you.",
    "Torsten Quell\nmalz",
    "As of 2023¹, 5 people lived here; the hall has 12 m² and 3½ rooms, note ① of 2004.",
    "Tag: 26, Monat: 11, Jahr: 1980",
    "1. Torsten\n2. Jan\n3. Quellmalz",
    "Torsten\nJan\nQuellmalz",
    "Torsten, Sales, Quellmalz",
    "Torsten,Sales,Quellmalz Road",
    "| Torsten | Weber |\n| Jan | Quellmalz |",
]


NAMES = [("Torsten", "Quellmalz"), ("Berta", "Lindqvist-Ody"), ("Anna Maria", "Kowalska")]


def _shown(text: str) -> str:
    shown = GUARD.redact(text).text
    for size in (1, 2, 3, 7):
        pieces = (text[at : at + size] for at in range(0, len(text), size))
        assert "".join(GUARD.stream(pieces)) == shown, size
    return shown


@pytest.mark.parametrize("text", APART)
def test_a_name_told_in_two_fields_or_sentences_is_not_shown_whole(text: str) -> None:
    shown = _shown(f"{text}\nThat is all.")
    assert not any(first in shown and last in shown for first, last in NAMES)


@pytest.mark.parametrize("text", TOGETHER)
def test_a_name_is_found_with_others_between_and_in_other_cases(text: str) -> None:
    assert "<PERSON>" in _shown(f"{text} is here.")


@pytest.mark.parametrize("text", DAYS)
def test_a_day_is_found_over_labels_and_tags(text: str) -> None:
    assert "<DATE_OF_BIRTH>" in _shown(f"Born: {text} here.")


@pytest.mark.parametrize("text", APART_DAYS)
def test_a_birthday_told_in_two_parts_is_not_shown_whole(text: str) -> None:
    shown = _shown(f"{text}\nThat is all.")
    assert "1979" not in shown or "ovember" not in shown


@pytest.mark.parametrize("text", OTHERS)
def test_other_people_days_and_signs_pass(text: str) -> None:
    assert _shown(text) == text


def test_a_name_that_stood_whole_leaves_nothing_to_complete() -> None:
    shown = _shown("Torsten Quellmalz lives here. Last name: Weber. First name: Torsten. Herr Quellmalz may come.")
    assert shown == "<PERSON> lives here. Last name: Weber. First name: Torsten. Herr <PERSON> may come."
    assert _shown("Torsten Quellmalz lives here. Herr Quellmalz may come.").endswith("Herr Quellmalz may come.")
