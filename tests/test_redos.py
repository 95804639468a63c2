"""Patterns in JavaScript, and the attacks of a checker tried on the patterns themselves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from reticent_bench.redos import report
from reticent_bench.redos.javascript import to_javascript
from reticent_detectors.errors import InputError


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        (r"(?P<a>x)(?P=a)", r"(?<a>x)\k<a>"),
        (r"(?i)a++b*+c{2,3}+d+?", "a+b*c{2,3}d+?"),
        (r"(?>ab)|(?i:c)|(?-i:d)", "(?:ab)|(?:c)|(?:d)"),
        (r"\A\p{Lu}\-[\-\[x]\Z", r"^\p{Lu}-[\-\[x]$"),
        ("a{b}]", r"a\{b\}\]"),
        (r"(?P<a>x)|(?P<a>y)", "(?<a>x)|(y)"),
        (r"\U0001d400\033", r"\u{1d400}\u{1b}"),
        (r"[]x]", r"[\]x]"),
    ],
)
def test_what_javascript_lacks_is_written_otherwise(pattern: str, wanted: str) -> None:
    assert to_javascript(pattern, 0)[0] == wanted


def test_flags_and_what_a_verbose_pattern_says_beside() -> None:
    assert to_javascript("a b # why\n c", re.VERBOSE | re.IGNORECASE) == ("abc", "ui")


def test_an_attack_is_as_long_as_the_window_and_tried() -> None:
    answer = {"pumps": [["x", "ab"]], "suffix": "!"}
    assert report.attack(answer, 8) == "x" + "ab" * 4 + "!"
    row = {"module": "re", "pattern": r"(?:ab)*$", "flags": 0}
    assert report.attack_ms(row, answer, 64) >= 0.0


def test_without_a_checker_it_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="make redos"):
        report.checked(tmp_path, [("a", "u")], 1.0)


def test_the_page_shows_the_costliest_attack() -> None:
    attacks = [{"place": "a.py:1", "complexity": "polynomial", "degree": 2, "ms": [7.0, 28.0]}]
    page = report.render({"patterns": 3, "sorts": {"safe": 2, "polynomial": 1}, "attacks": attacks})
    assert "1 of 1 take more than 5 ms" in page and "| a.py:1 | 2 | 7.000 | 28.000 |" in page
