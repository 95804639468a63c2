"""Tests of recorded values in pieces, letter by letter, and in words: what stays is no whole one."""

from __future__ import annotations

import pytest

from reticent import TextGuard
from reticent.records import RecordsIndex
from reticent_detectors.finder.recorded import RecordedValues
from reticent_detectors.finder.recorded_lookup import Hit

PHONE, LICENCE, KEY, MAIL = "650-555-0117", "BRVK8J4QW2", "kq_7Qf2mZ91LxT4vB8sNw3cHd", "mara.voss@example.org"
INDEX = RecordsIndex.build(
    [
        ("PHONE_NUMBER", PHONE),
        ("DRIVER_LICENSE", LICENCE),
        ("SECRET_KEY", KEY),
        ("EMAIL_ADDRESS", MAIL),
        ("IBAN_CODE", "GB33 BUKB 2020 1555 5555 55"),
        ("MAC_ADDRESS", "9c:4e:36:b1:07:da"),
        ("URL", "https://files.example.org/u/brandvik/9f31c2d7"),
        ("PASSWORD", "Tr1ck-Harbor!92"),
        ("USERNAME", "anna1990"),
        ("PERSON", "Ottilie Brandvik"),
        ("PERSON", "Ярослава Ветрогонова"),
        ("PERSON", "Mark Down"),
        ("ADDRESS", "4417 Larkmoor Lane, Fernhollow, OR 97330"),
        ("DATE_OF_BIRTH", "1987-03-14"),
    ]
)
GUARD = TextGuard("default", records=INDEX)
PIECES = [
    "BRVK notwithstanding 8J4Q notwithstanding W2",
    "BRVK and 8J4Q and W2",
    "BRVKab8J4QabW2",
    "BRVK的8J4Q的W2",
    "kq_7Qf2mZ (area) 91LxT4v (area) B8sNw3cHd",
    'kq_7Qf2mZ", "next_part_of_the_same_long_number": "91LxT4v", "next_part_of_the_same_long_number": "B8sNw3cHd',
    "SET part0=kq_7Qf2mZ\nSET part1=91LxT4v\nSET part2=B8sNw3cHd",
    "kq underscore 7Qf2mZ91LxT4vB8sNw3cHd",
    "GB33 uh, um, er, BUKB uh, um, er, 2020 uh, um, er, 1555 uh, um, er, 5555 uh, um, er, 55",
    "".join(
        f"2026-01-0{at}T10:00:00Z INFO part={part}\n" for at, part in enumerate(["9c", "4e", "36", "b1", "07", "da"])
    ),
    "files.example.org then u then brandvik then 9f31c2d7 then",
    "BRVK <del>12</del> 8J4Q <del>34</del> W2",
    "It ends in W2. It begins with BRVK, and in the middle is 8J4Q.",
    "part 2 is 91LxT4vB8sNw3cHd, part 1 is kq_7Qf2mZ",
    "mara.voss${x}@example${x}.org",
    "mara.voss and after that @example and after that .org",
    f"650{'.' * 300}555{'.' * 300}0117",
    f"BRVK{'-=' * 150}8J4QW2",
]
LETTERS = [
    "idB R V K 8 J 4 Q W 2",
    "idT\nr\n1\nc\nk\n-\nH\na\nr\nb\no\nr\n!\n9\n2",
    "It is G\nB\n3\n3\n \nB\nU\nK\nB\n \n2\n0\n2\n0\n \n1\n5\n5\n5\n \n5\n5\n5\n5\n \n5\n5.",
    "Bravo Romeo Victor Kilo eight Juliett four Quebec Whiskey two",
    "B as in Bravo, R as in Romeo, V as in Victor, K as in Kilo, 8, "
    "J as in Juliett, 4, Q as in Quebec, W as in Whiskey, 2",
    "".join(f"char {at} is {char}\n" for at, char in enumerate(LICENCE)),
    "".join(f"s[{at}] = '{char}'\n" for at, char in enumerate(MAIL) if char.isalnum()),
    "".join(f'{{"i": {at}, "c": "{char}"}}, ' for at, char in enumerate(LICENCE)),
    "".join(f"<span class='d'>{char}</span>" for char in LICENCE),
    "".join(f"\\boxed{{{char}}}" for char in KEY if char.isalnum()),
    "m and a and r and a and v and o and s and s and e and x and a and m and p and l and e and o and r and g",
    "O t t i l i e B r a n d v i k",
    str([*"Ottilie", *"Brandvik"]),
]
NUMBERS = [
    "sixfivezerofivefivefivezerooneoneseven",
    "6fivezero5fivefive0oneone7",
    "six five oh, triple five, oh double one seven",
    "650, triple 5, 0 double 1 7",
    "six fifty, five fifty-five, oh one seventeen",
    "six hundred fifty, five hundred fifty-five, zero one one seven",
    "kuusi viisi nolla viisi viisi viisi nolla yksi yksi seitsemän",
    "sáu, năm, không, năm, năm, năm, không, một, một, bảy",
    "หก ห้า ศูนย์ ห้า ห้า ห้า ศูนย์ หนึ่ง หนึ่ง เจ็ด",
    "ろくごゼロごごごゼロいちいちなな",
]
WORDS = [
    "<first>Ottilie</first><last>Brandvik</last>",
    "Ottilie (given name), Brandvik (family name)",
    "Ottilie J. Brandvik",
    "#OttilieBrandvik",
    "ottiliebrandvik",
    "Ярослав\u0301а Ветрогонова",
    "house 4417, street Larkmoor Lane, town Fernhollow, state OR, code 97330",
    "number 4417 on Larkmoor Lane in Fernhollow, OR, postal code 97330",
    "https://maps.example.org/?q=4417%20Larkmoor%20Lane%2C%20Fernhollow%2C%20OR%2097330",
    '"4417 " + "Lark" + "moor Lane, Fern" + "hollow, OR 97330"',
    "4417 Lark-\nmoor Lane, Fernhollow, OR 97330",
    "born 14 (day), 3 (month), 1987 (year)",
    "1987年3月14日",
]


@pytest.mark.parametrize("text", [*PIECES, *LETTERS, *NUMBERS, *WORDS])
def test_no_whole_value_is_left_however_it_is_cut(text: str) -> None:
    text += " That is all."
    shown = GUARD.redact(text).text
    assert shown != text and shown.endswith(" That is all.")
    for size in (1, 3, 7):
        pieces = "".join(GUARD.stream(text[at : at + size] for at in range(0, len(text), size)))
        assert RecordedValues(INDEX).first_in(pieces) is None
        assert pieces != text


@pytest.mark.parametrize(
    "text",
    [
        "Anna was born in 1990, and Anna has 1990 of them.",
        "In markdown, Mark may go down. Ottilie met Karl Brandvik.",
        "Brave 8 of 12 J. and Q4 2024, W2 forms and 8J seats.",
        "I have a plan, a dog and a cat: A, B or C? x = 2, y = 8, z = 4.",
        "The kilo costs 8 or 4, and in November the hotel in India had two golf courses.",
        "4417 people live on a lane in Fernhollow. OR 97330 of them do.",
        "mara.voss writes to @example and @other about .net and .com",
        "Write 0x36, 0x12 and 36 35 30 to it.",
        "six of one and half a dozen, fifty-five and double trouble",
    ],
)
def test_what_holds_no_recorded_value_stays(text: str) -> None:
    assert GUARD.redact(text).text == text
    assert "".join(GUARD.stream(text)) == text


@pytest.mark.parametrize("text", ["BRVK8J ", "kq_7Q ", "O t t i l i e ", "a1-", "9c 4e ", "Ottilie (x) "])
def test_a_growing_text_is_read_once(text: str) -> None:
    """The ways that keep what they read look at each character of a growing text once."""
    values, whole = RecordedValues(INDEX), text * (900 // len(text))
    for reader in values.readers:
        reading, start, steps = reader.reading(), 0, 0
        for at in range(3, len(whole), 3):
            before = reading.at
            found = reader.scan(whole[:at], start, False, reading)
            start = found.end if isinstance(found, Hit) else found
            assert reading.at >= before
            steps += reading.at - before
        assert steps <= len(whole)
