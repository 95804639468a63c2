"""Literals of generated code against literals marked by hand."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent_bench.audits.code.language import Language, parser
from reticent_bench.audits.code.literal import Place, Role, SourceLiteral
from reticent_bench.audits.code.literals import literals, source_literals
from reticent_bench.audits.code.python_literals import python_literals
from reticent_bench.audits.code.tree_literals import tree_literals
from reticent_bench.audits.code.truncated import close_code
from reticent_detectors.errors import InputError, MissingExtra

GOLD = Path(__file__).parent / "audit_code_gold"
LANGUAGES: tuple[Language, ...] = get_args(Language)
Marked = tuple[str, str, str, str]
"""kind, role, name, value"""


def gold(language: Language) -> dict[str, tuple[str, list[Marked]]]:
    """Sources of a language and their marked literals by title."""
    out: dict[str, tuple[str, list[Marked]]] = {}
    for section in ("\n" + (GOLD / f"{language}.txt").read_text(encoding="utf-8")).split("\n=== ")[1:]:
        title, _, rest = section.partition("\n")
        source, _, rows = rest.partition("\n---\n")
        marked: list[Marked] = []
        for row in rows.splitlines():
            role, name, value = row.split("\t")
            assert role in get_args(Role), row
            is_string = value.startswith('"')
            marked.append(("string" if is_string else "number", role, name, json.loads(value) if is_string else value))
        assert marked and title not in out
        out[title] = source, marked
    return out


def read(found: list[SourceLiteral]) -> list[Marked]:
    return [(one.kind, one.role, one.name, one.value) for one in found]


def counts(language: Language) -> tuple[int, int, int]:
    """(right, marked, found) over all sources of a language."""
    right = marked = found = 0
    for source, expected in gold(language).values():
        got = Counter(read(literals(source, language)))
        right += (got & Counter(expected)).total()
        marked += len(expected)
        found += got.total()
    return right, marked, found


def test_precision_and_recall_on_marked_literals() -> None:
    figures = {language: counts(language) for language in LANGUAGES}
    for language, (right, marked, found) in figures.items():
        print(f"{language}: {marked} marked, {found} found, precision {right / found:.4f}, recall {right / marked:.4f}")
        assert marked >= 120
    right, marked, found = (sum(column) for column in zip(*figures.values(), strict=True))
    print(f"all: {marked} marked, {found} found, precision {right / found:.4f}, recall {right / marked:.4f}")
    assert marked >= 500
    assert right / found >= 0.98
    assert right / marked >= 0.98


@pytest.mark.parametrize("title", [title for title, (source, _) in gold("python").items() if python_literals(source)])
def test_tree_sitter_reads_python_as_ast_does(title: str) -> None:
    source, expected = gold("python")[title]
    assert Counter(read(tree_literals(source, "python"))) == Counter(expected)


@pytest.mark.parametrize("language", LANGUAGES)
def test_offsets_are_those_of_the_answer(language: Language) -> None:
    checked = 0
    for source, _ in gold(language).values():
        for literal in literals(source, language):
            written = source[literal.start : literal.end]
            if literal.kind == "string" and not set("\\{\n'+\"") & set(literal.value + written[1:-1]):
                assert written.strip("\"'`") == literal.value
                checked += 1
    assert checked >= 50


def test_offsets_count_characters_behind_wide_ones() -> None:
    source = 'é = "ü🔑"\nname = "Odessa"\n'
    for found in (literals(source, "python"), tree_literals(source, "python")):
        assert [source[one.start : one.end] for one in found] == ['"ü🔑"', '"Odessa"']


CUT = {
    "python": 'USERS = [{"name": "Wren Halloway", "pin": 7731}, {"name": "Jonas"}]\ncheck("Larch", timeout=30)\n',
    "javascript": 'const users = [{ name: "Wren Halloway", pin: 7731 }, { name: "Jonas" }];\ncheck("Larch", 30);\n',
    "java": 'class A { String[] names = {"Wren Halloway", "Jonas"}; int pin = 7731; void f() { check("Larch", 30); }}',
    "go": (
        'package a\n\nvar users = []User{{Name: "Wren Halloway", Pin: 7731}, {Name: "Jonas"}}\n\n'
        'func f() { check("Larch", 30) }\n'
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cut_anywhere_keeps_the_values_before_it(language: Language) -> None:
    source = CUT[language]
    whole = literals(source, language)
    assert len(whole) >= 5
    for cut in range(len(source)):
        before = [one for one in whole if one.end < cut]
        found = Counter((one.value, one.kind) for one in literals(source[:cut], language))
        missing = Counter((one.value, one.kind) for one in before) - found
        assert not missing, (cut, missing)


@pytest.mark.parametrize(
    ("source", "language", "closed"),
    [
        ('f({"a": [1, "cut', "python", 'f({"a": [1]})'),
        ("x = f'{a", "python", "x = _"),
        ("brief'", "python", "brief"),
        ('a = /["]/.test("x", `b${c', "javascript", 'a = /["]/.test("x")'),
        ("f(`a ${`b` + '}'} c`, 1", "javascript", "f(`a ${`b` + '}'} c`, 1)"),
        ("/* ( */ f(a,", "java", "/* ( */ f(a)"),
        ("x := []int{1, // [\n2", "go", "x := []int{1, // [\n2}"),
        ("x := `raw \\`\ny := (1", "go", "x := `raw \\`\ny := (1)"),
    ],
)
def test_cut_code_is_closed(source: str, language: Language, closed: str) -> None:
    assert close_code(source, language) == closed


def test_fences_are_cut_first() -> None:
    answer = 'Say "no".\n```json\n{"a": "j"}\n```\n~~~python\nx = "y"\n~~~\n```\nz = "w"\n```\n'
    assert [one.value for one in literals(answer, "python")] == ["y", "w"]
    assert [one.value for one in literals('```text\nx = "y"\n```', "python")] == ["y"]
    assert [one.value for one in literals('```python\nx = "y"\n', "python")] == ["y"]
    assert literals("```python", "python") == []


def test_deep_and_odd_sources_are_read() -> None:
    chain = " + ".join(['"a"'] * 3_000)
    (joined,) = literals(f"const x = {chain}", "javascript")
    assert joined.value == "a" * 3_000
    assert [one.value for one in source_literals("x = " + "(" * 500 + '"v"' + ")" * 500, "python")] == ["v"]
    assert source_literals('x = "\ud800"', "python") == source_literals('x = "\ud800"', "python")
    assert source_literals("", "go") == []


def test_no_representation_shows_a_value() -> None:
    (literal,) = literals('x = "Odessa Quill"', "python")
    assert "Odessa" not in repr(literal) and "kt77" not in repr(Place("entry", "kt77@fernpost.nz"))
    with pytest.raises(InputError, match="one of python, javascript, java, go"):
        literals("x", "cobol")  # type: ignore[arg-type]


def test_without_tree_sitter_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    parser.cache_clear()
    monkeypatch.setitem(sys.modules, "tree_sitter_go", None)
    with pytest.raises(MissingExtra, match=r"tree_sitter_go .*\.\[(?:proxy,)?audit,cpu\]"):
        literals("x", "go")
    parser.cache_clear()


ODD = st.text(alphabet="ab1_ \n\t\"'`\\{}[]()<>=:;,.+-*/#$@%fruxé🔑", max_size=60)


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=ODD)
@settings(max_examples=60)
def test_any_text_is_read(language: Language, text: str) -> None:
    for one in literals(text, language):
        assert 0 <= one.start < one.end <= len(text)
