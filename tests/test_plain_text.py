"""Tests of the plain characters that a text stands for, and of the map back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent import TextGuard
from reticent_detectors.finder.plain_text import PlainText, plain_form_of

PLAIN = {
    r"a\nb": "a\nb",
    r"a\\nb\\\\tc": "a\nb\tc",
    r"\"x\" \/ \_": '"x" / _',
    r"\u0041\x42\u{43}\U00000044": "ABCD",
    r"\ud835\udfd2": "4",
    r"\101\102\103": "ABC",
    r"\123-45 \d{3} C:\dir": r"\123-45 \d{3} C:\dir",
    r"4\08": "48",
    "650-\\\n253": "650-253",
    "ﬁ＠ａ２\u3000é…": "fi@a2 é…",
    "4\x001\u17b45\ufff9\ufffd\ue0008\ud80077": "415877",
    "4\u0336e\u0301": "4e\u0301",
    "٤١ 𝟒𝟏 a² 3º": "41 41 a² 3º",
    "a\u2028b\u00a0c\u2011d": "a\nb c-d",
    "a\\": "a\\",
    r"\u00": r"\u00",
}
UNITS = [
    *(r"\n", r"\\t", r"\u0041", r"\ud835\udfd2", r"\101", r"\0", r"\x4", r"\d", r"\u{", "\\", '\\"', "\\\r\n"),
    *("n", "u", "0", "4", "a", "}", " ", "\r", "\n", "é", "\u0301", "\u200b", "＠", "ﬁ", "\x00", "\ud800", "٤"),
]

UNSEEN = [
    *("\x00", "\x1b", "\x7f", "\u17b4", "\ufff9", "\ufffb", "\ufffc", "\ufffd", "\ue000", "\ud800", "\u2066"),
    *("\u3164", "\ufe0f", "\U000e0101"),
]


@pytest.mark.parametrize("text", PLAIN)
def test_escapes_and_odd_characters_stand_for_plain_ones(text: str) -> None:
    assert plain_form_of(text) == PLAIN[text]


@given(st.lists(st.sampled_from(UNITS), max_size=24).map("".join), st.lists(st.integers(1, 5), max_size=40))
def test_a_growing_text_is_read_as_the_whole_one(text: str, sizes: list[int]) -> None:
    whole, growing, at = PlainText().closed(text), PlainText(), 0
    for size in sizes:
        before, at = growing.text, at + size
        growing.read(text[:at])
        assert growing.text.startswith(before)
        assert whole.text.startswith(growing.text)
    last = growing.closed(text)
    assert last.text == whole.text
    end = 0
    for place in range(len(whole.text)):
        start, end_before, end = whole.source_start(place), end, whole.source_end(place + 1)
        assert end_before <= end
        assert start < end <= len(text)
        assert whole.offset(start) <= place < whole.offset(end)
        assert (last.source_start(place), last.source_end(place + 1)) == (start, end)


def test_an_escape_in_a_span_is_redacted_whole_and_one_beside_it_stays() -> None:
    guard = TextGuard()
    text = r'{"t": "a\nmara.ilves\u0040example.net\nThanks"}'
    assert guard.redact(text).text == r'{"t": "a\n<EMAIL_ADDRESS>\nThanks"}'
    assert "".join(guard.stream(text)) == guard.redact(text).text


@pytest.mark.parametrize("escape", [r"\n", r"\t", r"\r", r"\u2028", r"\\n", r"\\\\n", r"\f", r"\x0a", r"\u000a", r"\""])
@pytest.mark.parametrize(
    "value", ["650-555-0117", "512-48-7731", "GB29NWBK60161331926819", "4012888888881881", "10.1.2.77"]
)
def test_a_value_behind_an_escape_is_read_as_behind_a_blank(escape: str, value: str) -> None:
    guard = TextGuard()
    text = f'{{"text": "Contact:{escape}{value}{escape}Thanks"}}'
    shown = guard.redact(text).text
    assert value not in shown
    assert shown.startswith(f'{{"text": "Contact:{escape}<')
    assert shown.endswith(f'>{escape}Thanks"}}')
    assert "".join(guard.stream(text)) == shown


@pytest.mark.parametrize("at", ["＠", "﹫"])
def test_an_address_with_an_odd_at_is_one_address(at: str) -> None:
    assert TextGuard().redact(f"Write to mara.ilves{at}example.net today.").text == "Write to <EMAIL_ADDRESS> today."


@pytest.mark.parametrize("odd", UNSEEN)
def test_characters_that_are_not_seen_hide_no_number(odd: str) -> None:
    for text in (f"Call 650{odd}555{odd}0117 now.", f"Call {odd.join('6505550117')} now."):
        assert TextGuard().redact(text).text == "Call <PHONE_NUMBER> now."
