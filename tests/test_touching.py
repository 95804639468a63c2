"""Tests of numbers that a letter or an underscore touches."""

from __future__ import annotations

import pytest

from reticent import TextGuard

GUARD = TextGuard()
FOUND = {
    "x650-555-0117 is it": "x<PHONE_NUMBER> is it",
    "tel_650-555-0117!": "tel_<PHONE_NUMBER>!",
    "PHONE_6505550117 ok": "PHONE_<PHONE_NUMBER> ok",
    "see file_650-555-0117.pdf": "see file_<PHONE_NUMBER>.pdf",
    "650-555-0117x and": "<PHONE_NUMBER>x and",
    "my_ssn_512-48-7731_x": "my_ssn_<US_SSN>_x",
    "IBAN_GB29NWBK60161331926819.": "IBAN_<IBAN_CODE>.",
    "card4012-8888-8888-1881x": "card<CREDIT_CARD>x",
    "card_4012888888881881 ": "card_<CREDIT_CARD> ",
    "Fax0664 123 45 67-Fax ok": "Fax<PHONE_NUMBER>-Fax ok",
}
NOTHING = [
    "utf8 and v1.2.3 of abc123456789 and sha8f14e45fceea.",
    "the file img_20240312_142233.png of build_1758261600, as they said.",
    "0x7f3a4c, a_1 and b_22, __init__ of gpt4 are names.",
    "layer_12 has w3 and h264 at 1080p, mp3 x86_64 i18n, as they said.",
]


@pytest.mark.parametrize("text", [*FOUND, *NOTHING])
def test_what_touches_a_number_hides_none_and_makes_none(text: str) -> None:
    shown = GUARD.redact(text).text
    assert shown == FOUND.get(text, text)
    for size in (1, 2, 7):
        assert "".join(GUARD.stream(text[at : at + size] for at in range(0, len(text), size))) == shown


def test_digits_of_a_hash_after_letters_that_are_a_label_are_no_number() -> None:
    line = "417728ace8d1cf6433662df2a7887cf450642d83 cache: delta kernel"
    assert TextGuard().redact(line).text == line
