"""Tests of recorded values in the escapes of markup and programming languages."""

from __future__ import annotations

import pytest

from reticent import TextGuard
from reticent.records import RecordsIndex

GUARD = TextGuard(
    "default",
    records=RecordsIndex.build(
        [
            ("PHONE_NUMBER", "415-867-5309"),
            ("EMAIL_ADDRESS", "mara.ilves@northwind-mail.com"),
            ("SECRET_KEY", "sk-proj-9fK2mQ7xT4vB8nL1zR6w"),
        ]
    ),
)


@pytest.mark.parametrize(
    "text",
    [
        r"\'34\'31\'35-867-5309",
        r"\u52?\u49?\u53?-867-5309",
        "`u{34}`u{31}`u{35}-867-5309",
        "^^34^^31^^35-867-5309",
        r"\symbol{52}\symbol{49}5-867-5309",
        r"\char52\char49{}5-867-5309",
        r"\o{64}\o{61}\o{65}-867-5309",
        r"\char" + '"6Dara.ilves@northwind-mail.com',
        r"\N{U+006D}ara.ilves@northwind-mail.com",
        "<U+006D><U+0061>ra.ilves@northwind-mail.com",
        r"mara.ilves@north\xe2\x80\x8bwind-mail.com",
        r"415\xe2\x80\x8b-867-5309",
        "sk-proj-9fK2mQ7&emsp13;xT4vB8nL1zR6w",
        "mara.ilves@north&InvisibleComma;wind-mail.com",
        "mara.ilves@north&ZeroWidthSpace;wind-mail.com",
        "mara.ilves@north&shywind-mail.com",
        "mara&period;ilves&commat;northwind-mail&period;com",
        "mara.ilvesⓐnorthwind-mail.com",
        "m\u05bfara.ilves@northwind-mail.com",
        "sk-proj-9f\u0e34K2mQ7xT4vB8nL1zR6w",
        r"sk-proj-9fK2m\u00517xT4vB8nL1zR6w",
    ],
)
def test_an_escape_of_any_language_hides_no_recorded_value(text: str) -> None:
    said = f"It is {text} as said."
    shown = GUARD.redact(said)
    assert any(span.action.stops for span in shown.report.spans), shown.text
    for size in (1, 7):
        assert "".join(GUARD.stream(said[at : at + size] for at in range(0, len(said), size))) == shown.text


@pytest.mark.parametrize(
    "text", ["a && b & c", "x ^ y ^^ z", "`u{`", "<U", "<U+", "&amp", r"\symbol{", "R&D &c.", r"\char"]
)
def test_what_only_looks_like_an_escape_passes(text: str) -> None:
    assert GUARD.redact(text).text == text == "".join(GUARD.stream(text))
