"""Documents: short lines, links that lead somewhere, files and commands that exist, code that compiles."""

from __future__ import annotations

import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from reticent.cli import find_commands
from reticent.policy.loading import parse_policy

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("benchmarks", "deploy", "examples")
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / folder / "README.md" for folder in FOLDERS)]
)
READ = [page for page in PAGES if page.name != "CHANGELOG.md"]
FRONT = {"README.md": 90, "ARCHITECTURE.md": 200}
"""The pages that a stranger reads first, with their most lines. None of these lines is wider than `FRONT_WIDTH`."""
FRONT_WIDTH = 140
UNWRAPPED = ("docs/results.md", "docs/decisions/what-an-attack-found.md")
USERS = [page for page in sorted((ROOT / "docs").rglob("*.md")) if str(page.relative_to(ROOT)) not in UNWRAPPED]
WIDTH = 120
DECIDING = ("guard/reticent", "detectors/reticent_detectors", "kernels/reticent_kernels", "benchmarks/reticent_bench")


def blocks(page: Path, language: str) -> list[str]:
    """What stands between fences of a language ('' for none)."""
    found, inside = list[str](), None
    for line in page.read_text().splitlines():
        if line.startswith("```"):
            if inside is None:
                inside = line[3:].strip()
                found += [""] if inside == language else []
            else:
                inside = None
        elif inside == language:
            found[-1] += f"{line}\n"
    return found


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as code hosts make them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@cache
def command(name: str) -> Any:
    typer_main = pytest.importorskip("typer.main")
    return typer_main.get_command(find_commands()[name].load())


def lines(page: Path) -> list[list[str]]:
    """The words of each `reticent` command line of a page, without its comment."""
    text = "\n".join(blocks(page, "")).replace("\\\n", " ")
    found = [line for line in text.splitlines() if line.startswith("reticent ")]
    return [shlex.split(line, comments=True)[1:] for line in found]


def test_the_commands_of_the_readme_are_among_them() -> None:
    assert ["serve", "--demo"] in lines(ROOT / "README.md")


@pytest.mark.parametrize(("name", "most"), FRONT.items())
def test_what_a_stranger_reads_first_is_short(name: str, most: int) -> None:
    """Tables and fences too: a row or command that is wider says more than one thing."""
    found = (ROOT / name).read_text().splitlines()
    assert len(found) <= most
    assert [line for line in found if len(line) > FRONT_WIDTH] == []


def test_every_file_that_the_architecture_names_is_there() -> None:
    """So is the function or constant that stands in brackets beside it."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    places = [ROOT, *(ROOT / folder for folder in DECIDING)]
    places += [ROOT / "guard/reticent/serve" / room for room in ("api", "stream")]
    places += [ROOT / "guard/reticent/policy", ROOT / "benchmarks/reticent_bench/audits"]
    for name, held in re.findall(r"`([\w./-]+\.(?:py|yaml))`(?: \(((?:`\w+`(?:, )?)+)\))?", text):
        found = [place / name for place in places if (place / name).is_file()]
        assert found or "KIND" in name, name
        for word in re.findall(r"\w+", held):
            assert any(re.search(rf"\b{word}\b", path.read_text()) for path in found), (name, word)


def test_the_index_of_decisions_names_each_page_once() -> None:
    folder = ROOT / "docs" / "decisions"
    named = re.findall(r"^\| \[[^]]+\]\(([\w-]+\.md)\)", (folder / "README.md").read_text(), re.M)
    assert sorted(named) == sorted(page.name for page in folder.glob("*.md") if page.name != "README.md")


@pytest.mark.parametrize("page", USERS, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_users_page_has_no_long_lines(page: Path) -> None:
    """But for tables, pictures and fences, which cannot be wrapped."""
    outside = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
    assert [line for line in outside.splitlines() if len(line) > WIDTH and not line.startswith(("|", "!["))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if target.startswith(("https://", "http://", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there), target


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_and_option_exists(page: Path) -> None:
    for words in lines(page):
        here, path = command(words[0]), words[1:]
        while hasattr(here, "commands") and path and path[0] in here.commands:
            here, path = here.commands[path[0]], path[1:]
        assert not hasattr(here, "commands") or here.invoke_without_command, words
        known = {option for parameter in here.params for option in (*parameter.opts, *parameter.secondary_opts)}
        asked = {word.partition("=")[0] for word in path if word.startswith("--")}
        assert asked <= known, (words, asked - known)


@pytest.mark.parametrize("page", READ, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_compiles_and_policies_are_read(page: Path) -> None:
    for block in blocks(page, "python"):
        compile(block, str(page), "exec")
    for block in blocks(page, "yaml"):
        if "preset:" in block:
            assert parse_policy(block)
