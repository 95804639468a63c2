"""Pictures of terminal output: its words and colours, its lines, nothing from another host."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from reticent_bench.bench_command import app
from reticent_bench.charts.terminal_picture import GAP, terminal_picture
from reticent_detectors.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
SVG = "{http://www.w3.org/2000/svg}"
CAPTURED = "\x1b[32m╭─ one ─╮\x1b[0m\n│ \x1b[1mtwo\x1b[0m & <three>\nfour\nfive\n\nsix\n"


def lines(picture: str) -> list[str]:
    """The words of each line, from top to bottom."""
    tree, found = ElementTree.fromstring(picture), dict[float, str]()
    for each in tree.iter(f"{SVG}text"):
        if "matrix" in (each.get("clip-path") or "") or "line" in (each.get("clip-path") or ""):
            height = float(each.attrib["y"])
            found[height] = found.get(height, "") + "".join(each.itertext())
    return [found[height].replace("\xa0", " ").strip() for height in sorted(found) if found[height].strip()]


def test_words_and_colours_are_kept() -> None:
    picture = terminal_picture(CAPTURED, "reticent demo")
    assert lines(picture) == ["╭─ one ─╮", "│ two & <three>", "four", "five", "six"]
    tree = ElementTree.fromstring(picture)
    styles = dict(re.findall(r"\.(\S+) \{ (.+?) \}", picture))
    styled = {
        "".join(each.itertext()).replace("\xa0", " "): styles.get(each.get("class") or "", "")
        for each in tree.iter(f"{SVG}text")
    }
    assert styled["four"].startswith("fill: #")
    assert styled["╭─ one ─╮"].startswith("fill: #") and styled["╭─ one ─╮"] != styled["four"]
    assert styled["two"] == f"{styled['four']};font-weight: bold"


def test_it_is_described_and_asks_for_nothing() -> None:
    picture = terminal_picture(CAPTURED, "reticent <demo>")
    tree = ElementTree.fromstring(picture)
    assert tree.attrib["role"] == "img"
    assert tree.findtext(f"{SVG}title") == "reticent <demo>"
    assert "│ two & <three>\nfour" in (tree.findtext(f"{SVG}desc") or "")
    assert not re.search(r"font-face|@import|<script|href|url\((?!#)", picture)


def test_the_same_output_gives_the_same_picture() -> None:
    assert terminal_picture(CAPTURED, "a") == terminal_picture(CAPTURED, "a")
    assert terminal_picture(CAPTURED, "a") != terminal_picture(CAPTURED, "b")


@pytest.mark.parametrize(
    ("ranges", "shown"),
    [
        (["1-2"], ["╭─ one ─╮", "│ two & <three>", GAP]),
        (["2-3", "6-6"], [GAP, "│ two & <three>", "four", GAP, "six"]),
        (["1-1", "2-6"], ["╭─ one ─╮", "│ two & <three>", "four", "five", "six"]),
    ],
)
def test_lines_that_are_left_out_are_marked(ranges: list[str], shown: list[str]) -> None:
    assert lines(terminal_picture(CAPTURED, "a", ranges)) == shown


@pytest.mark.parametrize("ranges", [["0-2"], ["3-2"], ["5-7"], ["x"], ["2-3", "3-4"], ["4-5", "1-2"]])
def test_lines_that_are_not_there_are_refused(ranges: list[str]) -> None:
    with pytest.raises(InputError, match=r"Expected lines such as 1-12, in order and up to 6; got"):
        terminal_picture(CAPTURED, "a", ranges)


@pytest.mark.parametrize("captured", ["", "\n\n", "\x1b[0m  \n"])
def test_nothing_is_refused(captured: str) -> None:
    with pytest.raises(InputError, match="captured output is empty"):
        terminal_picture(captured, "a")


def test_the_command_writes_the_file(tmp_path: Path) -> None:
    (tmp_path / "captured").write_text(CAPTURED)
    out = tmp_path / "deep/a.svg"
    line = ["recording", str(tmp_path / "captured"), str(out), "--title", "a", "--lines", "1-2"]
    done = CliRunner().invoke(app, line)
    assert done.exit_code == 0, done.output
    assert out.read_text() == terminal_picture(CAPTURED, "a", ["1-2"])


def test_the_picture_of_the_documents_shows_the_demo() -> None:
    picture = (ROOT / "benchmarks/results/figures/demo.svg").read_text()
    text = " ".join(lines(picture))
    assert all(word in text for word in ("memorised", "made up", "echoed", "guarded", "Stopped 7 of 7"))
    assert not re.search(r"font-face|url\((?!#)", picture)
