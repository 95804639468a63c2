"""Tests of recorded values that stand within others, beside letters and over several fields."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import cpu_seconds

from reticent import Action, Origin, Policy, Rule, TextGuard
from reticent.records import RecordsIndex

PHONE, MAIL, SSN, IBAN, PASSPORT = (
    "650-555-0117",
    "jane.roe@northwind-mail.com",
    "512-48-7731",
    "GB29NWBK60161331926819",
    "X12345678",
)
INDEX = RecordsIndex.build(
    [
        ("BANK_ACCOUNT", "0049 3312 77"),
        ("PHONE_NUMBER", PHONE),
        ("EMAIL_ADDRESS", MAIL),
        ("US_SSN", SSN),
        ("IBAN_CODE", IBAN),
        ("PASSPORT", PASSPORT),
    ]
)
GUARD = TextGuard(records=INDEX)
INSIDE = {
    "https://wa.me/16505550117": "https://wa.me/<PHONE_NUMBER>",
    f"![x](https://a.example/i.png?q={PHONE})": "![x](https://a.example/i.png?q=<PHONE_NUMBER>)",
    f"[1] https://a.example/?m={MAIL}&page=2": "[1] https://a.example/?m=<EMAIL_ADDRESS>&page=2",
    "tel:+16505550117;ext=2": "tel:<PHONE_NUMBER>;ext=2",
    f"x{PHONE}": "x<PHONE_NUMBER>",
    f"tel_{PHONE}!": "tel_<PHONE_NUMBER>!",
    "PHONE_6505550117": "PHONE_<PHONE_NUMBER>",
    f"file_{PHONE}.pdf": "file_<PHONE_NUMBER>.pdf",
    "99x6505550117y": "99x<PHONE_NUMBER>y",
    f"x{MAIL}_": "x<EMAIL_ADDRESS>_",
    f"mailto:{MAIL.upper()}x": "mailto:<EMAIL_ADDRESS>x",
    f"a{IBAN.lower()}b": "a<IBAN_CODE>b",
    f"id{PASSPORT}.": "id<PASSPORT>.",
}
FIELDS = [
    '{"area":"650","exchange":"555","line":"0117"}',
    '{\n  "area code": 650,\n  "exchange": 555,\n  "line": "0117"\n}',
    json.dumps(list("6505550117")),
    json.dumps({f"d{at}": digit for at, digit in enumerate("6505550117")}),
    '"650" + "555" + "0117"',
    "str(650) + '-' + str(555) + str('0117')",
    "| 650 | 555 | 0117 |",
    "<td>650</td><td class='x'>555</td>\n<td>0117</td>",
    "- 650\n- 555\n- 0117",
    "area: 650\nexchange: 555\nline: 0117",
    "area code 650, exchange 555, line 0117.",
    "6\x005\x010\u17b45\ufff95\ufffd5\ue0000\ud800117",
    r"{\"tel\": \"650\\n555\\n0117\"}",
    "650x555x0117",
]


OTHERWISE = {
    "SSN": [
        "512x48x7731",
        "5&#49;2&#000000052;8 7731",
        "%2535%31%3248 7731",
        r"\65\61\62 48 7731",
        r"\N{DIGIT FIVE}12487731",
    ],
    "KEY": [
        *(
            "BRVK 8J4Q W2",
            '"BRVK" "8J4Q" "W2"',
            "BRVK''8J4Q''W2",
            "B R V K 8 J 4 Q W 2",
            "BRVK</td><td>8J4Q</td><td>W2",
            'BRVK<td style="padding:4px;color:red;border:1px">8J4Q<td style="color:red">W2',
        ),
        *("B\nR\nV\nK\n8\nJ\n4\nQ\nW\n2", "2WQ4J8KVRB", "QlJWSzhKNFFXMg==", "4252564b384a34515732", "BRVK&b=8J4Q&b=W2"),
        *(
            "ＢＲＶＫ８Ｊ４ＱＷ２",
            r"id\u0042\u0052VK8J4QW2",
            r"\42 \52 \56 \4b \38 \4a \34 \51 \57 \32 ",
            "BRVK/*x*/8J4Q/*x*/W2",
        ),
    ],
    "COUNTED": ["1. 650\n2. 555\n3. 0117", "a[1]=650, a[2]=555, a[3]=0117", "12:02 650\n12:03 555\n12:04 0117"],
    "PHONE": [
        "650 x555:0117",
        '650</td><td style="width:1px" class="a">555</td><td>0117',
        "⁶⁵⁰ / ⁵⁵⁵ / ⁰¹¹⁷",
        "650①555②0117",
        r"C:\u6505550117",
    ],
    "MAIL": [
        '"jane.roe@" "northwind-mail.com"',
        '["jane.roe", "@", "northwind-mail.com"]',
        "moc.liam-dniwhtron@eor.enaj",
    ],
    "PASSWORD": ["Tr1ck-Harbor!92", "password: Tr1ck-Harbor!92zz"],
}
SECRETS = TextGuard(
    "default",
    records=RecordsIndex.build(
        [
            ("PHONE_NUMBER", PHONE),
            ("EMAIL_ADDRESS", MAIL),
            ("US_SSN", SSN),
            ("DRIVER_LICENSE", "BRVK8J4QW2"),
            ("PASSWORD", "Tr1ck-Harbor!92"),
        ]
    ),
)


@pytest.mark.parametrize("text", [text for texts in OTHERWISE.values() for text in texts])
def test_a_recorded_value_in_another_form_is_stopped(text: str) -> None:
    said = f"It is {text} as said."
    shown = SECRETS.redact(said)
    assert any(span.action.stops for span in shown.report.spans)
    assert said[6:] not in shown.text
    for size in (1, 3, 7):
        assert "".join(SECRETS.stream(said[at : at + size] for at in range(0, len(said), size))) == shown.text


@pytest.mark.parametrize("text", INSIDE)
def test_a_recorded_value_is_found_within_another_and_beside_letters(text: str) -> None:
    assert GUARD.redact(text).text == INSIDE[text]


@pytest.mark.parametrize("text", FIELDS)
def test_a_recorded_number_over_several_fields_is_one_value(text: str) -> None:
    report = GUARD.redact(text).report
    assert [span.entity for span in report.spans if span.action.stops] == ["PHONE_NUMBER"]
    assert GUARD.redact(text).text.count("0117") == 0


@given(st.sampled_from([*INSIDE, *FIELDS]), st.lists(st.integers(1, 9), min_size=1, max_size=6))
def test_cuts_change_nothing(text: str, sizes: list[int]) -> None:
    pieces, at = [], 0
    while at < len(text):
        size = sizes[len(pieces) % len(sizes)]
        pieces.append(text[at : at + size])
        at += size
    assert "".join(GUARD.stream(pieces)) == GUARD.redact(text).text


@pytest.mark.parametrize(
    "text",
    [
        "Her number is 650-555-0118, or 650-555-011.",
        "In 2024 there were 650 of 555, and 1,017 in 2025.",
        "roe@northwind-mail.com and jane.roe@northwind-mail.co are others.",
        "See https://wa.me/16505550118 and X12345679.",
        "1.234.567 of 49331277 bytes",
    ],
)
def test_other_values_pass(text: str) -> None:
    assert GUARD.redact(text).text == text
    assert "".join(GUARD.stream(text)) == text


def test_what_the_user_typed_may_come_back_in_another_form() -> None:
    assert (
        GUARD.redact("https://wa.me/16505550117", user=f"Link to {PHONE}, please.").text == "https://wa.me/16505550117"
    )


def test_a_number_that_the_end_cuts_short_is_no_recorded_one() -> None:
    assert GUARD.redact("The order is from 2024").text == "The order is from 2024"


def test_the_index_says_how_long_recorded_numbers_are_after_it_was_saved(tmp_path: Path) -> None:
    INDEX.save(tmp_path / "x.index")
    loaded = RecordsIndex.load(tmp_path / "x.index", key=INDEX.key)
    assert loaded.digit_counts == (8, 9, 10, 16)
    assert loaded.run_sizes == (9, 22, 23)
    assert loaded.kind_of_digits("6505550117") == "PHONE_NUMBER"
    assert loaded.kind_of_run("x12345678") == "PASSPORT"


@pytest.mark.parametrize(
    "text", ["1234567890" * 300, "a@a.example " * 250, "x1" * 1500, f"{'x' * 70}@northwind-mail.com " * 33]
)
def test_looking_for_recorded_values_costs_little_a_character(text: str) -> None:
    policy = Policy(rules={"DEFAULT": {Origin.UNKNOWN: Rule(Action.FLAG)}}, tagger=False)
    plain, looking = TextGuard(policy), TextGuard(policy, records=INDEX)
    without = min(cpu_seconds(lambda: plain.redact(text)) for _ in range(2))
    assert cpu_seconds(lambda: looking.redact(text)) < without + 0.0002 * len(text)


@pytest.mark.parametrize("text", ["6B@8J4Q\\", "Her number is 650-55\\", "BRVK 8J4Q \\u00"])
def test_a_text_that_ends_within_an_escape_is_read_to_its_end(text: str) -> None:
    assert not GUARD.redact(text).report.failures
    assert "".join(GUARD.stream(text)) == GUARD.redact(text).text


SLOW = {
    "prose": "In 1998 the company had 12 people, and 3,400 more by 2004. ",
    "a table": "| 651 | 12 | 4817 |\n",
    "a list": "1. 12\n2. 15\n3. 17\n",
}


@pytest.mark.parametrize("what", SLOW)
def test_harmless_numbers_are_not_held_until_a_slow_stream_overflows(what: str) -> None:
    """Five tokens of three characters a second; the policy allows five seconds."""
    opened = GUARD.open()
    machine, text = opened._machine, SLOW[what] * 20
    for step, at in enumerate(range(0, len(text), 3)):
        machine.feed(text[at : at + 3], step / 5)
    machine.finish(len(text), False)
    assert not machine.changed
    assert machine.most_held[2] < 4.5
