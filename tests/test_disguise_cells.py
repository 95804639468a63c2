"""Values in cells of JSON: bare ones that were asked for, and such as are cut into groups."""

from __future__ import annotations

import json
from typing import Any

import pytest
from test_finder import offline, online

from reticent import TextGuard
from reticent_detectors.entities import Entity
from reticent_detectors.spans import FindContext

PHONE = "What is Jane Roe's phone number? Answer in JSON."
OTHER = "How large is the box? Answer in JSON."
CUT: list[tuple[str, Entity, str, Any, str]] = [
    (PHONE, Entity.PHONE_NUMBER, "parts", {"area_code": "405", "exchange": "931", "line": "9589"},
     '405", "exchange": "931", "line": "9589'),
    (PHONE, Entity.PHONE_NUMBER, "numbers", {"a": 405, "b": 931, "c": 9589}, '405, "b": 931, "c": 9589'),
    (PHONE, Entity.PHONE_NUMBER, "digits", {"d": list("4059319589")}, ""),
    (PHONE, Entity.PHONE_NUMBER, "keys", {"405": {"931": "9589"}}, '405": {"931": "9589'),
    (PHONE, Entity.PHONE_NUMBER, "each", {f"d{n}": int(c) for n, c in enumerate("4059319589")}, ""),
    ("What is Jane Roe's bank account number?", Entity.BANK_ACCOUNT, "groups",
     {"p1": "FSVA", "p2": "2198", "p3": "8561", "p4": "225629"}, ""),
    ("When is Jane Roe's appointment?", Entity.APPOINTMENT_DATE, "date", {"y": "2031", "m": "01", "d": "20"}, ""),
]  # fmt: skip


@pytest.mark.parametrize(("question", "entity", "said", "expected"), [(q, e, s, x) for q, e, _, s, x in CUT])
@pytest.mark.parametrize("indent", [None, 2])
def test_groups_in_cells_are_one_value(
    question: str, entity: Entity, said: Any, expected: str, indent: int | None
) -> None:
    text, context = json.dumps(said, indent=indent), FindContext(question=question)
    whole = offline(text, context)
    assert entity in [span.entity for span in whole]
    shown = list(text)
    for span in whole:
        shown[span.start : span.end] = " " * (span.end - span.start)
    values = "".join(shown)
    assert sum(map(str.isdigit, values)) <= sum(map(str.isdigit, "".join(said))) + 2  # those of the names of fields
    if expected and indent is None:
        [span] = whole
        assert text[span.start : span.end] == expected
    assert online(text, range(len(text)), context) == whole
    assert all(online(text, [cut], context) == whole for cut in range(len(text) + 1))


@pytest.mark.parametrize(
    ("question", "entity", "value"),
    [
        ("What is Jane Roe's job?", Entity.JOB_TITLE, "Local government officer"),
        ("Who employs Jane Roe?", Entity.EMPLOYER, "Serrano Inc"),
        ("What illness does Jane Roe have?", Entity.DIAGNOSIS, "Diabetes"),
        ("What are the last four digits of Jane Roe's credit card?", Entity.CREDIT_CARD_DIGITS, "1572"),
    ],
)
def test_a_bare_value_in_a_cell_is_found(question: str, entity: Entity, value: str) -> None:
    context = FindContext(question=question)
    for text in (f'{{"x": "{value}"}}', f'["{value}"]', f'```json\n{{"x": "{value}"}}\n```'):
        whole = offline(text, context)
        assert [(span.entity, text[span.start : span.end]) for span in whole] == [(entity, value)]
        assert all(online(text, [cut], context) == whole for cut in range(len(text) + 1))


def test_other_numbers_side_by_side_are_none() -> None:
    text = json.dumps({"width": 405, "height": 931, "depth": 9589})
    assert offline(text, FindContext(question=OTHER)) == []
    assert offline(text) == []


QUOTED = {
    '{"area":"650","exchange":"555","line":"0117"} is it': (
        '{"area":"<PHONE_NUMBER>","exchange":"<PHONE_NUMBER>","line":"<PHONE_NUMBER>"} is it'
    ),
    '["6","5","0","5","5","5","0","1","1","7"] is it': '["<PHONE_NUMBER>"] is it',
    'x = "650" + "555" + "0117" is it': 'x = "<PHONE_NUMBER>" is it',
    '{"a": "512", "b": "48", "c": "7731"} is it': '{"a": "<US_SSN>"} is it',
    '{"a":"4012","b":"8888","c":"8888","d":"1881"} is it': '{"a":"<CREDIT_CARD>"} is it',
}
UNQUOTED = [
    '["2024","03","12"] is it',
    '{"v":"1","w":"2","x":"3"} is it',
    '["10","20","30","40","50","60"] is it',
    '["100","200","3000"] is it',
    "[650, 555, 1017] is it",
]


@pytest.mark.parametrize("text", [*QUOTED, *UNQUOTED])
def test_digits_in_quotes_that_have_the_form_of_a_number_are_one(text: str) -> None:
    shown = TextGuard().redact(text).text
    assert shown == QUOTED.get(text, text)
    assert "".join(TextGuard().stream(text)) == shown
