"""Tests of recorded days in every spelling, and of recorded values of whole words, whatever their kind."""

from __future__ import annotations

import pytest

from reticent import TextGuard
from reticent.records import RecordsIndex

GUARD = TextGuard(
    "default",
    records=RecordsIndex.build(
        [
            ("DATE_OF_BIRTH", "1987-03-14"),
            ("APPOINTMENT_DATE", "2026-02-19"),
            ("DATE_TIME", "2026-05-06 14:30"),
            ("COORDINATES", "43.61512, -116.20231"),
            ("MEDICAL_RECORD_NUMBER", "482136"),
            ("DEVICE_ID", "AB1234"),
            ("HOSPITAL", "St. Brannoc Clinic"),
            ("PERSON", "Mara Ilves-Tarkovsky"),
            ("DOCTOR", "Dr. Ansel Whitcombe"),
            ("PERSON", "Will May"),
            ("LOCATION", "Reading"),
            ("LOCATION", "Upper Larkhollow"),
            ("ORGANIZATION", "Northwind Lantern Society"),
            ("EMPLOYER", "Brambleworth"),
            ("USERNAME", "jürgen7788"),
            ("PASSWORD", "Tårn!Quill7"),
            ("PASSWORD", "quillmosstarn"),
            ("URL", "https://northwind.example-host.com/u/mara.ilves"),
            ("IP_ADDRESS", "2001:db8:5a1c::7e2:93"),
            ("ADDRESS", "1842 Larkspur Hollow Road, Boise, ID 83702"),
            ("SECRET_KEY", "sk-proj-" + "9fK2mQ7xT4vB8nL1zR6w" * 6),
            ("PERSON", "王小明"),
        ]
    ),
)
DAYS = [
    *("She was born on March 14, 1987", "DOB: 03/14/1987", "geboren am 14. März 1987", "1987-03-14"),
    *("14 March 1987", "14th of March 1987", "14.03.1987", "14-MAR-1987", "14MAR1987", "19870314", "14/3/87"),
    *("le 14 mars 1987", "el 14 de marzo de 1987", "14 marzo 1987", "14 marca 1987 r.", "14 марта 1987", "1987/03/14"),
    *('{"year": 1987, "month": 3, "day": 14}', "in 1987, on the 14th of March", "19 February 2026", "19.2.2026"),
    *("on 6 May 2026 at 14:30", "2026-05-06T14:30:00", "the **14th** of *March*, 1987"),
]
WORDS = [
    *("43.61512, -116.20231", "https://maps.example.com/@43.61512,-116.20231,17z", "lat 43.61512 / -116.20231"),
    *("482136", "Mara, 482136", "#482136", "AB1234.pdf", "the AB1234"),
    *("St. Brannoc Clinic", "the St Brannoc Clinic", "Mara Ilves-Tarkovsky", "MARA ILVES TARKOVSKY"),
    *("mara_ilves_tarkovsky", "Ilves-Tarkovsky, Mara", "Ansel Whitcombe", "Whitcombe, Ansel", "Will May"),
    *("in Upper Larkhollow", "the Northwind Lantern Society", "jürgen7788", "jurgen7788", "juergen7788 is her login"),
    *("user: JÜRGEN7788", "https://social.example/jürgen7788", "Tårn!Quill7", "Tarn!Quill7", "xTårn!Quill7x"),
    *("quillmosstarn", "northwind.example-host.com/u/mara.ilves", "http://northwind.example-host.com/u/mara.ilves/"),
    *("2001:0db8:5a1c:0000:0000:0000:07e2:0093", "2001-db8-5a1c--7e2-93.ipv6-literal.net", "王小明先生"),
    *("https://maps.example/?q=1842+Larkspur+Hollow+Road", "Larkspur Hollow Road 1842", "1842 Larkspur Hollow Rd."),
    "https://maps.example/?q=1842%20Larkspur%20Hollow%20Rd",
    '{"first":"Mara","last":"Ilves-Tarkovsky"}',
    "first: Mara\nlast: Ilves-Tarkovsky",
    '{"number":1842,"street":"Larkspur Hollow Road","city":"Boise"}',
    *("Jurgen 7788", "jurgen (7788)", "Tårn! Quill 7", "Tårn!\nQuill7"),
]
KEY = "sk-proj-" + "9fK2mQ7xT4vB8nL1zR6w" * 6
LONG = [KEY, f"x{KEY}x", f"https://a.example/?k={KEY}", KEY[:50] + "\n" + KEY[50:], KEY[:50] + " " + KEY[50:]]
PASS = [
    "She will say what may come; she will, may she?",
    "He is reading in Reading, near Brambleworth and Larkhollow.",
    "Mara and Tarkovsky wrote to a clinic, and to Ansel.",
    "Born on March 15, 1987, and on 14 March 1988, version 14.3.87.2.",
    "0.482136 or 1,482,136 or 4821367 or x482136",
    "In March 1987 there were 14 of them; May 6 is near.",
    "The lantern society met northwind of the road.",
]


def _shown(text: str) -> str:
    shown = GUARD.redact(text)
    for size in (1, 7):
        assert "".join(GUARD.stream(text[at : at + size] for at in range(0, len(text), size))) == shown.text
    return shown.text


@pytest.mark.parametrize("text", [*DAYS, *WORDS, *LONG])
def test_a_recorded_value_is_found_in_the_usual_spellings_without_words_that_announce_it(text: str) -> None:
    assert _shown(text) != text
    shown = _shown(f"It is {text} as said.")
    assert shown != f"It is {text} as said." and shown.startswith("It is ")


@pytest.mark.parametrize("text", LONG)
def test_nothing_of_a_long_key_is_left(text: str) -> None:
    shown = _shown(text)
    assert all(KEY[at : at + 12] not in shown for at in range(8, len(KEY) - 12))


@pytest.mark.parametrize("text", PASS)
def test_other_words_pass(text: str) -> None:
    assert _shown(text) == text


def test_what_the_user_typed_passes_in_another_spelling() -> None:
    user = "I was born on 1987-03-14, my name is Mara Ilves-Tarkovsky and my record is 482136."
    for text in (
        "You are Mara Ilves-Tarkovsky.",
        "482136 is yours.",
        "You were born on 1987-03-14.",
        "Born on March 14, 1987?",
        '{"first":"Mara","last":"Ilves-Tarkovsky"}',
    ):
        assert GUARD.redact(text, user=user).text == text
