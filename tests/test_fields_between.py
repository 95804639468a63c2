"""A stopped value over several fields: each field keeps its place."""

from __future__ import annotations

import json

import pytest

from reticent import TextGuard
from reticent.policy.fields_between import split
from reticent.records import RecordsIndex


@pytest.mark.parametrize(
    ("written", "contents"),
    [
        ('Jo", "lastName": "Day', ["Jo", "Day"]),
        ('Jo",\n  "family_name": "Day', ["Jo", "Day"]),
        ('Jo\\", \\"last name\\": \\"Day', ["Jo", "Day"]),
        ('Jo", "prénom": "Day', ["Jo", "Day"]),
        ('1979, "month": 11, "day": 26', ["1979", "11", "26"]),
        ("Jo | Day", ["Jo", "Day"]),
        ("Jo\tDay", ["Jo", "Day"]),
        ("Jo</td><td>Day", ["Jo", "Day"]),
        ("Jo</first>\n<last>Day", ["Jo", "Day"]),
        ("Jo\nLAST_NAME=Day", ["Jo", "Day"]),
        ("Jo\nLast name: Day", ["Jo", "Day"]),
    ],
)
def test_what_stands_between_fields_is_no_content(written: str, contents: list[str]) -> None:
    pieces = split(written)
    assert [content for content, _ in pieces] == contents
    assert "".join(content + between for content, between in pieces) == written


@pytest.mark.parametrize(
    "written",
    [
        "Jo Day",
        "Jo\nDay",
        "17 Mill Lane, Tamsville, WI 54914",
        'Jo", "Ann": "Day',
        'Jo", "first Ann": "Day',
        '650", "253": "4817',
        "Jo</first><ann>Day",
        "Jo\nAnn: Day",
        '"lastName": "Day',
        'Jo", "lastName": "',
    ],
)
def test_other_values_stay_in_one_piece(written: str) -> None:
    assert split(written) == [(written, "")]


@pytest.mark.parametrize("size", [1, 7, 500])
def test_json_keeps_its_fields_however_it_is_cut(size: int) -> None:
    record = {"id": 3, "firstName": "Ottilie", "lastName": "Brandvik", "phone": {"area": "650", "number": "5550117"}}
    answer = json.dumps({**record, "born": {"year": 1987, "month": 3, "day": 14}, "note": "none"})
    guard = TextGuard(
        records=RecordsIndex.build(
            [("PERSON", "Ottilie Brandvik"), ("PHONE_NUMBER", "650-555-0117"), ("DATE_OF_BIRTH", "1987-03-14")]
        )
    )
    shown = json.loads("".join(guard.stream(answer[at : at + size] for at in range(0, len(answer), size))))
    assert shown == {
        "id": 3,
        "firstName": "<PERSON>",
        "lastName": "<PERSON>",
        "phone": {"area": "<PHONE_NUMBER>", "number": "<PHONE_NUMBER>"},
        "born": {"year": "<DATE_OF_BIRTH>", "month": "<DATE_OF_BIRTH>", "day": "<DATE_OF_BIRTH>"},
        "note": "none",
    }


def test_a_row_of_a_table_keeps_its_cells() -> None:
    guard = TextGuard(records=RecordsIndex.build([("PERSON", "Ottilie Brandvik")]))
    assert guard.redact("| First | Last | Age |\n| Ottilie | Brandvik | 30 |\n").text == (
        "| First | Last | Age |\n| <PERSON> | <PERSON> | 30 |\n"
    )
