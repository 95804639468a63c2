"""A report page in a real browser: nothing is cut, nothing is asked for, in light and dark, wide and narrow."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chromium
import pytest

from reticent_bench.audits.report import Plot, Report, Series, Table
from reticent_bench.audits.report_page import page
from reticent_bench.report.metrics import Interval

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(chromium.PROGRAM is None, reason="there is no Chromium on this machine"),
]

LINE = Series("planted", (0.0, 0.5, 1.0), (0.1, 0.5, 0.75), (0.0, 0.25, 0.5), (0.25, 0.75, 1.0))
WIDE = Table("Wide", ("kind", *(f"figure {n}" for n in range(12))), (("email", *[(0.5, 0.25, 0.75)] * 12),), "A note.")
WORDS = Table("Words", ("what", "value"), (("long", "word " * 60),))
PLOT = Plot("Hit rate by cue", "cue at most", "hit rate", (LINE,))
FIGURES = {"low-cue-excess-email": Interval(0.5, 0.25, 0.75)}
REPORT = Report("n", "Audit of something", ("It asks `this`.",), (WIDE, WORDS), (PLOT,), FIGURES)
CUT = """[...document.querySelectorAll('svg')].flatMap(svg => {
    const box = svg.getBoundingClientRect();
    return [...svg.querySelectorAll('text')].filter(text => {
        const own = text.getBoundingClientRect();
        return own.left < box.left - 1 || own.right > box.right + 1 || own.bottom > box.bottom + 1;
    }).map(text => text.textContent);
})"""
INK = (
    "[['body', 'color'], ['td', 'color'], ['svg text', 'fill']].map(([at, of]) => "
    "getComputedStyle(document.querySelector(at))[of])"
)
"""Colours of text on the page, in a table and in a plot."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Chromium]:
    with chromium.Chromium(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1280, 400])
def test_a_page_shows_all_and_asks_for_nothing(
    browser: chromium.Chromium, tmp_path: Path, width: int, dark: bool
) -> None:
    file = tmp_path / "report.html"
    file.write_text(page(REPORT), encoding="utf-8")
    browser.open(file, width, dark)
    requests = [each["request"]["url"] for each in browser.seen("Network.requestWillBeSent")]
    assert requests == [file.as_uri()]
    assert not browser.seen("Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown")
    assert browser.value("document.documentElement.scrollWidth") == width  # tables scroll, the page does not
    assert browser.value(CUT) == []
    first = "document.querySelector('tbody th').getBoundingClientRect().top"
    assert browser.value(first) < 300, "the answer is not at the top"
    assert set(browser.value(INK)) == {"rgb(255, 255, 255)" if dark else "rgb(0, 0, 0)"}
