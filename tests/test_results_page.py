"""The page of all results: every file of results with heading, figure, command, date and commit; real models first."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest

from reticent_bench.charts.headlines import GROUPS, HEADLINES, Headline, headline_of, sentence
from reticent_bench.charts.result_file import ResultFile, names
from reticent_bench.charts.results_page import CHARTS, PARTS, results_page
from reticent_detectors.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks/results"
FILES = sorted({path.stem for path in RESULTS.iterdir() if path.suffix in (".json", ".md")})
ENTRY = re.compile(r"^\*\*\[(?P<name>\S+)\]\(\S+\)\*\*: (?P<text>.+)  \n(?P<made>`.+), (?P<date>[\d-]+), commit ", re.M)


@pytest.fixture(scope="module")
def page() -> str:
    return results_page(RESULTS, "../benchmarks/results")


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A folder with two results and the pictures."""
    shutil.copytree(RESULTS / "figures", tmp_path / "figures")
    for name in ("escape", "sealed"):
        for ending in ("json", "md"):
            shutil.copy(RESULTS / f"{name}.{ending}", tmp_path)
    return tmp_path


def test_every_result_file_is_named_once(page: str) -> None:
    assert sorted(found["name"] for found in ENTRY.finditer(page)) == FILES
    for name in FILES:
        assert f"(../benchmarks/results/{name}.md)" in page and (RESULTS / f"{name}.md").is_file()


def test_every_entry_has_heading_figure_command_and_date(page: str) -> None:
    for found in ENTRY.finditer(page):
        text = (RESULTS / f"{found['name']}.md").read_text()
        heading = re.search(r"^# (.+)$", text, re.M)
        assert heading is not None and found["text"].startswith(f"{heading[1]}. ")
        assert re.search(r"\d", found["text"].removeprefix(heading[1]))
        assert "{" not in found["text"]
        made = text[text.rindex("Made by `") :]
        command = re.search(r"Made by `(.+)` (?:\(seed|in a)", made)
        assert command is not None and found["made"] == f"`{command[1]}`"
        assert f"on {found['date']}, commit " in made


def test_groups_are_by_what_is_measured_and_real_models_come_first(page: str) -> None:
    assert re.findall(r"^## (.+)$", page, re.M) == list(GROUPS.values())
    for part in page.split("\n## ")[1:]:
        heads = re.findall(r"^### (.+)$", part, re.M)
        assert heads and heads == [head for head in PARTS.values() if head in heads]
    real, made = (page.index(f"**[{name}]") for name in ("escape", "demo-guard"))
    assert real < made


def test_every_picture_is_shown(page: str) -> None:
    shown = re.findall(r"!\[.+\]\(\.\./benchmarks/results/figures/(\S+)\.svg\)", page)
    assert sorted(shown) == sorted(path.stem for path in (RESULTS / "figures").iterdir())
    assert sorted(shown) == sorted(chart for charts in CHARTS.values() for chart in charts)


def test_every_headline_is_of_some_file() -> None:
    used = {headline_of(name).pattern for name in FILES}
    assert {row.pattern for row in HEADLINES} == used
    assert {row.group for row in HEADLINES} == set(GROUPS)


@pytest.mark.parametrize("name", ["escape", "demo-guard", "real-answers", "smollm2-overhead", "proxy-load"])
def test_a_headline_follows_its_file(name: str) -> None:
    """Each field of the sentence is changed in the file, and the sentence says so."""
    source, row = ResultFile.read(RESULTS, name), headline_of(name)
    before = sentence(row, source)
    for field, form in re.findall(r"\{([^{}|]+)\|([^{}|]+)\}", row.sentence):
        if form == "text":
            continue
        figures = json.loads(json.dumps(source.figures))
        entry: Any = figures
        *path, last = field.split(" > ")
        for key in path:
            entry = entry[int(key) if isinstance(entry, list) else key]
        value = entry[last]
        entry[last] = [each + 7 for each in value] if isinstance(value, list) else value + 7
        after = sentence(row, ResultFile(name, figures))
        assert after != before, field
        del entry[last]
        with pytest.raises(InputError, match=rf"{name}\.json has no field .*{re.escape(last)}"):
            sentence(row, ResultFile(name, figures))


@pytest.mark.parametrize(
    ("form", "value", "words"),
    [
        ("share", 0.9125, "91.2 %"),
        ("share", [0.5, 0.25, 1.0], "50.0 % (25.0 to 100.0)"),
        ("share", [-0.0001, -0.5, 0.5], "0.0 % (-50.0 to 50.0)"),
        ("score", 0.98765, "0.988"),
        ("score", [0.5, 0.25, 1.0], "0.500 (0.250 to 1.000)"),
        ("count", 12345, "12,345"),
        (".1f", 3.14159, "3.1"),
        (".0f", [3.2, 1.0, 4.0], "3 (1 to 4)"),
        ("cases", [{"faults": []}, {"faults": ["one"]}], "2, 1 of them with faults"),
        ("text", "no spans", "no spans"),
    ],
)
def test_forms_of_figures(form: str, value: Any, words: str) -> None:
    row = Headline("x", "guard", True, f"It is {{a > *|{form}}}.")
    assert sentence(row, ResultFile("x", {"a": {"b": value}})) == f"It is {words}."


@pytest.mark.parametrize("value", [None, "words", [1.0, 2.0], {"a": 1.0}])
def test_what_is_no_figure_is_refused(value: Any) -> None:
    row = Headline("x", "guard", True, "It is {a|share}.")
    with pytest.raises(InputError, match=r"x\.json, a: expected a number"):
        sentence(row, ResultFile("x", {"a": value}))


def test_only_is_refused_where_there_are_several() -> None:
    with pytest.raises(InputError, match=r"x\.json has no field 'a > \*'; there: b, c"):
        ResultFile("x", {"a": {"b": 1, "c": 2}}).at("a", "*")


def test_a_file_of_no_known_sort_is_named(copied: Path) -> None:
    (copied / "novelty.json").write_text("{}")
    with pytest.raises(InputError, match="No headline for the result file novelty; add a row to HEADLINES"):
        results_page(copied, "..")


def test_a_file_without_a_heading_is_named(copied: Path) -> None:
    (copied / "sealed.md").write_text("Nothing.\n")
    with pytest.raises(InputError, match=r"sealed\.md has no heading"):
        results_page(copied, "..")


@pytest.mark.parametrize("left", ["{}", '{"made_by": {"command": "reticent x", "date": "2026-01-01"}}'])
def test_a_file_that_does_not_say_what_made_it_is_named(copied: Path, left: str) -> None:
    (copied / "sealed.json").write_text(left)
    (copied / "sealed.md").write_text("# Telling members from strangers\n")
    with pytest.raises(InputError, match="sealed does not say what made it; expected command, date and commit"):
        results_page(copied, "..")


def test_a_picture_that_is_missing_is_named(copied: Path) -> None:
    (copied / "figures/demo.svg").unlink()
    with pytest.raises(InputError, match=r"demo\.svg is missing"):
        results_page(copied, "..")


def test_a_page_alone_gives_its_opening(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# A\n\nFive of six.\nMore.\n\nMade by `make a` on 2026-01-02, commit abc, Linux.\n")
    source = ResultFile.read(tmp_path, "a")
    assert source.made == ("make a", "2026-01-02", "abc")
    assert sentence(Headline("a", "guard", True, ""), source) == "Five of six."
    assert names(tmp_path) == ["a"]


def test_a_json_that_is_no_object_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[]")
    with pytest.raises(InputError, match=r"a\.json: expected an object, got list"):
        ResultFile.read(tmp_path, "a")


def test_the_page_is_made_without_any_installed_package(page: str) -> None:
    """The environment of the site has none of the project's."""
    code = (
        "import sys; sys.path[:0] = ['docs']; import site_pages as s, pathlib as p; print(s.all_results(p.Path('.')))"
    )
    made = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert made.stdout.rstrip() == page.rstrip()


def test_first_rows_come_before_wider_ones() -> None:
    for number, row in enumerate(HEADLINES):
        wider = [each.pattern for each in HEADLINES[:number] if fnmatchcase(row.pattern, each.pattern)]
        assert not wider
