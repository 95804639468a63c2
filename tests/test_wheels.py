"""The three wheels: what each holds, that they share no file, and that the guard's runs without the others."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Mapping
from configparser import ConfigParser
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple

import pytest
from clean_install import BENCHMARKS, DEMO, DEMOS_ASSETS, ROOT, clean_folder, project, run_clean

import reticent

pytest.importorskip("hatchling", reason="hatchling builds the wheels; the extra dev brings it")

MOST_BYTES = {".": 12_600_000, BENCHMARKS: 1_300_000, DEMO: 13_900_000}
"""Of each wheel, some hundredths above what it has."""
MOST_WITHOUT_THE_TAGGER = 2_200_000
"""Of the guard's wheel. Its tagger's weights take the rest, and are compressed as far as they can be."""
TAGGER = "reticent_detectors/finder/data/tagger/"
PACKAGES = ("guard/reticent", "detectors/reticent_detectors", "kernels/reticent_kernels", "benchmarks/reticent_bench")


class Wheel(NamedTuple):
    path: Path
    sizes: Mapping[str, int]
    """Bytes of each file in it, compressed; those of its metadata are in `metadata`."""
    metadata: Mapping[str, str]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Wheel]:
    """The wheel of each folder, built without an environment of its own."""
    return {folder: _built(folder, tmp_path_factory.mktemp("wheel")) for folder in (".", BENCHMARKS, DEMO)}


def _built(folder: str, out: Path) -> Wheel:
    line = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(out)]
    done = subprocess.run(line, cwd=ROOT / folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr[-1500:]
    (path,) = out.iterdir()
    with zipfile.ZipFile(path) as archive:
        files = {file.filename: file for file in archive.infolist() if not file.is_dir()}
        described = {name: archive.read(name).decode() for name in files if ".dist-info/" in name}
    sizes = {name: file.compress_size for name, file in files.items() if name not in described}
    return Wheel(path, sizes, {name.partition(".dist-info/")[2]: text for name, text in described.items()})


def _assets(wheel: Wheel) -> set[str]:
    return {name.split("/")[2] for name in wheel.sizes if name.startswith("reticent/assets/")}


def test_each_has_its_packages_and_no_others(wheels: Mapping[str, Wheel]) -> None:
    tops = {folder: {name.partition("/")[0] for name in wheel.sizes} for folder, wheel in wheels.items()}
    assert tops == {
        ".": {"reticent", "reticent_detectors", "reticent_kernels"},
        BENCHMARKS: {"reticent_bench"},
        DEMO: {"reticent"},
    }
    assert _assets(wheels["."]) == {"token-score", "universal"}
    assert _assets(wheels[DEMO]) == set(DEMOS_ASSETS)
    assert all(name.startswith("reticent/assets/") for name in wheels[DEMO].sizes)


def test_together_they_hold_every_file_once(wheels: Mapping[str, Wheel]) -> None:
    packed = [name for wheel in wheels.values() for name in wheel.sizes]
    tree = {
        path.relative_to((ROOT / package).parent).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert len(packed) == len(set(packed)) and set(packed) == tree


@pytest.mark.parametrize("folder", MOST_BYTES)
def test_none_is_larger_than_it_has_to_be(wheels: Mapping[str, Wheel], folder: str) -> None:
    assert wheels[folder].path.stat().st_size <= MOST_BYTES[folder]
    if folder == ".":
        assert sum(size for name, size in wheels["."].sizes.items() if not name.startswith(TAGGER)) <= (
            MOST_WITHOUT_THE_TAGGER
        )


@pytest.mark.parametrize("folder", MOST_BYTES)
def test_each_says_what_it_is_and_needs(wheels: Mapping[str, Wheel], folder: str) -> None:
    said = Parser().parsestr(wheels[folder].metadata["METADATA"])
    assert (said["Name"], said["Version"]) == (project(folder)["name"], reticent.__version__)
    assert (ROOT / "LICENSE").read_text() == wheels[folder].metadata["licenses/LICENSE"]
    if folder != BENCHMARKS:  # which has nothing of others
        assert (ROOT / "NOTICE").read_text() == wheels[folder].metadata["licenses/NOTICE"]
    points = ConfigParser()
    points.optionxform = str  # type: ignore[assignment,method-assign]
    points.read_string(wheels[folder].metadata.get("entry_points.txt", ""))
    written = {name: dict(points[name]) for name in points.sections() if name != "console_scripts"}
    assert written == project(folder).get("entry-points", {})


def test_the_guards_alone_redacts_and_serves(wheels: Mapping[str, Wheel], tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    if absent := clean_folder(packages, ("proxy", "cpu")):
        pytest.skip(f"{', '.join(sorted(absent))} is not installed here")
    with zipfile.ZipFile(wheels["."].path) as archive:
        for top in ("reticent", "reticent_detectors", "reticent_kernels"):
            (packages / top).rename(tmp_path / top)
        archive.extractall(packages)
    redact = "from reticent import TextGuard; print(TextGuard().redact('Call 555-867-5309.', user='Who?').text)"
    for arguments, said in (
        (["-c", redact], "Call <PHONE_NUMBER>.\n"),
        (
            ["-m", "reticent", "serve", "--upstream", "http://127.0.0.1:1", "--model", "NAME", "--check"],
            "tier logprobs",
        ),
        (["-m", "reticent", "--help"], "  audit        (not installed)\n"),
    ):
        done = run_clean(packages, arguments, tmp_path)
        assert done.returncode == 0 and said in done.stdout, done.stdout[-800:] + done.stderr[-800:]
