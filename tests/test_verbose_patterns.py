"""In a verbose pattern a bare blank is layout and matches nothing: none of the finder's was meant to match."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import regex

from reticent_detectors import finder
from reticent_detectors.finder.announced.crime_spans import crime_end
from reticent_detectors.finder.languages.protected import BELIEF

HOME = Path(finder.__file__).parent
# What matches itself in a verbose pattern: an escaped character, and what stands in a class.
_KEPT = regex.compile(r"\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]")
# Layout is a line's end and the blanks around it. Any other blank is bare, and "#" begins a comment.
_BARE = regex.compile(r"(?<![ \t]*\n[ \t]*|\A[ \t]*)[ \t]+(?![ \t]*(?:\n|\Z))|#")
_SAYS_VERBOSE = re.compile(r"\(\?[a-zA-Z]*x")


def bare_blanks(pattern: str) -> list[str]:
    """Gives each run of bare blanks, or mark of a comment, with up to 12 characters before it."""
    plain = _KEPT.sub(lambda kept: "." * len(kept[0]), pattern)
    return [pattern[max(0, found.start() - 12) : found.end()] for found in _BARE.finditer(plain)]


@pytest.mark.parametrize(
    ("pattern", "count"),
    [
        (r"(?:de |di |of )?a", 3),
        (r"a  b", 1),
        ("a # b", 3),
        (r"(?:de[ ]|di\ |[^ ]x|[\] #]|[] ])?a", 0),
        ("a\n    |b\n    |c d", 1),
        ("\n    a\n    |b \n    ", 0),
    ],
)
def test_a_bare_blank_is_seen(pattern: str, count: int) -> None:
    assert len(bare_blanks(pattern)) == count


def _asks_for_verbose(node: ast.expr) -> bool:
    return any(isinstance(part, ast.Attribute) and part.attr in ("VERBOSE", "X") for part in ast.walk(node))


def _verbose_patterns(tree: ast.Module, names: dict[str, object]) -> Iterator[tuple[int, str]]:
    """Gives line and text of each pattern that stands beside the flag in a call, by the names of its module."""
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not any(_asks_for_verbose(each) and not isinstance(each, ast.Call) for each in given):
            continue
        for each in given:
            try:
                text = eval(compile(ast.Expression(each), "pattern", "eval"), names)
            except NameError:
                pytest.fail(f"line {call.lineno}: make this verbose pattern of names of the module, as others are")
            if isinstance(text, str):
                yield call.lineno, text


@pytest.mark.parametrize(
    "path",
    [path for path in sorted(HOME.rglob("*.py")) if "VERBOSE" in (text := path.read_text("utf-8")) or "(?x" in text],
    ids=lambda path: path.stem,
)
def test_no_verbose_pattern_of_the_finder_holds_a_bare_blank(path: Path) -> None:
    name = ".".join(path.relative_to(HOME).with_suffix("").parts)
    module = importlib.import_module(f"{finder.__name__}.{name}")
    tree = ast.parse(path.read_text("utf-8"))
    found = list(_verbose_patterns(tree, vars(module)))
    assert found
    assert [(line, bare) for line, text in found for bare in bare_blanks(text)] == []


def test_verbose_patterns_are_made_by_the_flag_in_full() -> None:
    for path in sorted(HOME.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            short = isinstance(node, ast.Attribute) and node.attr == "X" and ast.unparse(node.value) in ("re", "regex")
            inline = isinstance(node, ast.Constant) and _SAYS_VERBOSE.search(str(node.value))
            assert not short and not inline, f"{path.name}:{node.lineno}"  # type: ignore[attr-defined]


# What the blanks that once were bare are for.
@pytest.mark.parametrize("value", ["testigo de jehova", "testimone di geova", "testemunha de jeova", "zeuge jehovas"])
def test_a_belief_goes_on_over_a_small_word(value: str) -> None:
    assert regex.compile(rf"(?:{BELIEF})\b", regex.VERBOSE).fullmatch(value)


@pytest.mark.parametrize("value", ["two counts of burglary", "third degree of aggravated assault"])
def test_a_crime_goes_on_over_a_small_word(value: str) -> None:
    assert crime_end(value, 0, False) == len(value)
