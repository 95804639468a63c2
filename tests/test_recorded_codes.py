"""Tests of recorded values in codes: whole and in pieces, alone and within others, codes within codes."""

from __future__ import annotations

import base64
import json
import random
import string

import pytest

from reticent import TextGuard
from reticent.records import RecordsIndex
from reticent_detectors.finder.coded_text import CodedText

PHONE, MAIL, NAME, KEY = "650-555-0117", "mara.voss@example.org", "Ottilie Brandvik", "kq_7Qf2mZ91LxT4vB8sNw3cHd"
MARKED = "Željka Brøndvik-Åström"
GUARD = TextGuard(
    "default",
    records=RecordsIndex.build(
        [
            ("PHONE_NUMBER", PHONE),
            ("EMAIL_ADDRESS", MAIL),
            ("PERSON", NAME),
            ("SECRET_KEY", KEY),
            ("PERSON", MARKED),
            ("PASSPORT", "K7304915"),
        ]
    ),
)


def in_base64(text: str, encoding: str = "utf-8") -> str:
    return base64.b64encode(text.encode(encoding)).decode()


def listed(text: str, joint: str, form: str = "{}") -> str:
    return joint.join(form.format(byte) for byte in text.encode())


def lines(text: str, size: int) -> str:
    return "\n".join(text[at : at + size] for at in range(0, len(text), size))


CODES = [
    in_base64(NAME),
    "id" + in_base64(PHONE),
    "token_" + in_base64(KEY),
    in_base64(in_base64(PHONE)),
    in_base64(MARKED),
    in_base64(MAIL, "utf-16-le"),
    in_base64("x" * 400 + " " + PHONE + " " + "y" * 400),
    (b"\x89PNG" + bytes(range(200)) * 2 + PHONE.encode()).hex(),
    "Cookie: s=" + in_base64(json.dumps({"sub": MAIL})).rstrip("="),
    in_base64(json.dumps({"sub": "".join(f"\\u{ord(char):04x}" for char in PHONE)}).replace("\\\\", "\\")),
    lines(in_base64(f"The number on file for her is {PHONE}."), 20),
    lines(in_base64(PHONE), 8),
    f"0x{NAME.encode().hex()}",
    MARKED.encode().hex(),
    base64.b32encode(b"K7304915").decode(),
    f"[{listed(PHONE, ', ')}]",
    f"String.fromCharCode({listed(MAIL, ',')})",
    listed(MAIL, " + ", "chr({})"),
    listed(KEY, " ", "{:02x}"),
    listed(PHONE, ":", "{:02X}"),
    listed(MAIL, " ", "{:08b}"),
    listed(NAME, " ", "U+{:04X}"),
    "00000000: 6964 2036 3530 2d35 3535 2d30 3131 3720  id 650-555-01 17\n00000010: 656e 64",
    "0000000 155 141 162 141 056 166 157 163 163 100 145 170 141 155 160 154\n0000020 145 056 157 162 147",
    "Ottili=\ne Brandvik",
    "=C5=BDeljka Br=C3=B8ndvik-=C3=85str=\n=C3=B6m",
    "https://example.com/?n=%C5%BDeljka%20Br%C3%B8ndvik-%C3%85str%C3%B6m",
    listed(KEY, " ", "\\{:x}") + " ",
    listed(MAIL, " ", "\\{:o}"),
]


@pytest.mark.parametrize("text", CODES)
def test_a_recorded_value_in_a_code_goes_however_it_is_cut(text: str) -> None:
    text += " That is all."
    shown = GUARD.redact(text).text
    assert "<" in shown and shown.endswith(" That is all.")
    for size in (1, 3, 7):
        assert "".join(GUARD.stream(text[at : at + size] for at in range(0, len(text), size))) == shown


@pytest.mark.parametrize(
    "text",
    [
        "The internationalisation of communication, 12 of 40, 65 or 70.",
        "| 65 | 66 | 67 | 68 | 69 | 70 |\n" * 4,
        f"sha256 {'9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'}",
        in_base64("The weather was fine, and so they went home again."),
        "-" * 100 + "\n" + " " * 60 + "x = 1\n" + "=" * 80,
        "a = 'x' + 'y'\nlong-\nhaired",
    ],
)
def test_other_codes_stay(text: str) -> None:
    assert GUARD.redact(text).text == text
    assert "".join(GUARD.stream(text)) == text


def test_a_code_is_read_alike_however_it_comes() -> None:
    rng = random.Random("codes")
    for _ in range(150):
        parts = [
            rng.choice(
                [
                    *CODES,
                    "id",
                    " ",
                    "\n",
                    "54 53 ",
                    "x" * rng.randrange(20),
                    "".join(rng.choices(string.printable, k=8)),
                ]
            )
            for _ in range(rng.randint(1, 4))
        ]
        text, growing, at = "".join(parts)[:600], CodedText(), 0
        while at < len(text):
            at += rng.choice([1, 2, 7, 40])
            growing.read(text[:at])
        assert growing.closed(text).text == CodedText().closed(text).text


@pytest.mark.parametrize("form", ["NjUw", "36 35 ", "54, ", "x1", "A2", "\n", "QUJDR0"])
def test_a_code_is_read_on_where_it_was(form: str) -> None:
    text, growing = form * (6000 // len(form)), CodedText()
    held = 0
    for at in range(6, len(text), 6):
        growing.read(text[:at])
        held = max(held, at - growing.read_chars)
    assert held <= 200
