"""Tests of recorded values whose parts stand apart: groups of a number, and the two parts of an e-mail address."""

from __future__ import annotations

import json
import random
import re
import string

import pytest

from reticent import TextGuard
from reticent.records import RecordsIndex

PHONE, MAIL = "415-867-5309", "mara.ilves@northwind-mail.com"
INDEX = RecordsIndex.build(
    [
        ("PHONE_NUMBER", PHONE),
        ("EMAIL_ADDRESS", MAIL),
        ("US_SSN", "512-48-7731"),
        ("CREDIT_CARD", "4716 2093 5518 6044"),
        ("IBAN_CODE", "EE38 2200 2210 2014 5685"),
        ("COORDINATES", "43.61512, -116.20231"),
    ]
)
GUARD = TextGuard("default", records=INDEX)
GROUPS = [
    "The area code is 415. The exchange is 867. The last four are 5309.",
    "Her number begins with 415, then comes 867, and at the very end you dial 5309.",
    "Dial 415 first. After you hear the tone, dial 867. Finally, when asked, finish with 5309.",
    "Her SSN begins with 512. The middle group of it is 48. The final four digits of it are 7731.",
    "Of four blocks the first is 4716, the one after it is 2093, the next in line is 5518 and the final one is 6044.",
    "The check digits are 38, after which the account goes 2200, and then 2210, and then 2014, and finally 5685.",
    "The last four digits are 5309 and the first six are 415867.",
    "It ends in 5309; before that comes 867; the area code is 415.",
    "line: 5309, prefix: 867, area: 415",
    '{"area_code":"415","line":"5309","prefix":"867"}',
    "Ends 7731, starts 512, middle 48.",
    "c=5309; b=867; a=415; print(a+b+c)",
    "Call 867-5309 (area code 415).",
    "First view: 415-867-****. Second view: ***-867-5309.",
    "512-48-XXXX / XXX-48-7731",
    "415[^1]-867-5309",
    "415-867[1]-5309",
    "\x1b[31m415\x1b[0m-867-5309",
    r"$415\hspace{1mm}867\,5309$",
    "[415](#1)-867-5309",
    "1\n00:00:01,000 --> 00:00:02,000\n415\n\n2\n00:00:02,000 --> 00:00:03,000\n867\n\n3\n00:00:03,000 -->\n5309\n",
    "2026-01-01,415\n2026-01-02,867\n2026-01-03,5309",
    "415 (area), room 2, 867 (exchange), 5309 (line)",
    "lat=43.61512&lon=-116.20231",
    '{"lat":43.61512,"lon":-116.20231}',
    "POINT(-116.20231 43.61512)",
]
ADDRESSES = [
    json.dumps({"local": "mara.ilves", "domain": "northwind-mail.com"}),
    "Her mailbox is mara.ilves on the server northwind-mail.com",
    "https://northwind-mail.com/u/mara.ilves",
    '"%s@%s" % ("mara.ilves", "northwind-mail.com")',
    "mara.ilves 'at' northwind-mail.com",
    "At northwind-mail.com she is mara.ilves.",
    "| mara.ilves | northwind-mail.com |",
]
LETTERS = [
    str(list(MAIL)),
    json.dumps(list(MAIL), indent=1),
    " + ".join(f'"{char}"' for char in MAIL),
    "".join(f"<td>{char}</td>" for char in MAIL),
    "\n".join(f"{at}. {char}" for at, char in enumerate(MAIL, 1)),
    "- mara\n- .ilves\n- @northwind\n- -mail.com",
]


def _shown(text: str, user: str = "") -> str:
    shown = GUARD.redact(text, user=user)
    for size in (1, 7):
        pieces = (text[at : at + size] for at in range(0, len(text), size))
        assert "".join(GUARD.stream(pieces, user=user)) == shown.text
    return shown.text


@pytest.mark.parametrize("text", [*GROUPS, *ADDRESSES, *LETTERS])
def test_the_parts_of_a_recorded_value_make_it_whole_in_any_order(text: str) -> None:
    assert _shown(text) != text


@pytest.mark.parametrize(
    "text",
    [
        "In 415 the exchange had 867 of 5310 numbers.",
        "867 of 415; x5309x and 5309a",
        "Chapter 415, page 867" + " and so on" * 30 + ", line 5309.",
        "The answer 48 of 512",
        "jane.roe writes from northwind-mail.com, as does mara.",
        "mara.ilves is at home. " + "See there. " * 30 + "northwind-mail.com",
        "roe@northwind-mail.com, not mara.ilves@other.example",
    ],
)
def test_fewer_parts_or_other_ones_pass(text: str) -> None:
    assert GUARD.redact(text).text == text == "".join(GUARD.stream(text))


@pytest.mark.parametrize("text", [*GROUPS[:1], *GROUPS[6:9], *ADDRESSES[:3], f"{PHONE} has the area code 415."])
def test_the_parts_of_what_the_user_typed_pass(text: str) -> None:
    assert _shown(text, user=f"My number is {PHONE}, my mail {MAIL}.") == text


def test_one_part_that_the_user_typed_makes_no_echo() -> None:
    assert _shown("The first six are 415867, the last four 5309.", user="It ends in 5309.").count("5309") == 0


def test_few_numbers_of_tables_are_taken_for_groups_of_a_thousand_recorded_ones() -> None:
    draw = random.Random(3)
    numbers = [
        f"{draw.randint(201, 989)}-{draw.randint(200, 999)}-{''.join(draw.choices(string.digits, k=4))}"
        for _ in range(1000)
    ]
    guard = TextGuard("default", records=RecordsIndex.build(("PHONE_NUMBER", number) for number in numbers))
    rows = [" | ".join(str(draw.randint(1, 10 ** draw.randint(1, 5))) for _ in range(6)) for _ in range(2000)]
    table = "\n".join(rows)
    found = sum(span.action.stops for span in guard.redact(table).report.spans)
    assert found <= 6, found


@pytest.mark.parametrize(
    "value", ["415-867-5309", "+1 415 867 5309", "512-48-7731", "4716 2093 5518 6044", "EE38 2200 2210 2014 5685"]
)
def test_what_a_whole_value_has_in_it_is_nobodys_after_it(value: str) -> None:
    """A value that stands together leaves nothing that its groups, said again, could complete."""
    for group in (*re.findall("[0-9]+", value), "1", "3", "0199"):
        for tail in (f"There are {group} of them.", f"\n{group}. Call her", f"+1 202 867 {group}, open 1 to 5."):
            shown = _shown(f"It is {value}. {tail}")
            assert shown.endswith(tail) and value not in shown


@pytest.mark.parametrize(
    "text",
    [
        '{"orders": [{"id": 415, "price": 129.0}, {"id": 5309, "price": 867.26}]}',
        "5309 staples and 415 clips. The desk costs $867.26.",
        "415 Stifte, 5309 Klammern, 867,26 Euro",
    ],
)
def test_half_of_a_decimal_number_is_no_part(text: str) -> None:
    assert _shown(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "The groups backwards: 5309 867 415. And the first is 415.",
        "Area 415.0 is west. The exchange is 867.0 there. The line is 5309.0 today.",
        "a;b\n415,34;1\n867,21;2\n5309,7;3",
    ],
)
def test_groups_in_another_order_and_with_decimals_of_their_own_are_parts(text: str) -> None:
    shown = _shown(text)
    assert not all(group in shown for group in ("415", "867", "5309"))


@pytest.mark.parametrize("size", range(150, 260, 6))
def test_a_group_that_follows_a_whole_value_from_afar_is_read_alike_in_pieces(size: int) -> None:
    _shown(f"It is 415-867-5309. {'so ' * (size // 3)}415 y z")
