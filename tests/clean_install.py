"""Shows a process only the packages that one install line brings, without installing them again.

`clean_folder` links what the environment of the tests has of them into a folder, beside the project's own packages and
the metadata that a build would give it. `python -S` with that folder as its path then finds nothing else.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS, DEMO = "./benchmarks", "./demo"
"""The folders of the other distributions, as a line names them."""
DEMOS_ASSETS = ("bundle", "bundle-logprobs", "demo.json", "host", "smollm2")


@cache
def project(folder: str = ".") -> Mapping[str, Any]:
    """The table `project` of a folder's pyproject.toml."""
    with (ROOT / folder / "pyproject.toml").open("rb") as file:
        return dict(tomllib.load(file)["project"])


def extras() -> Mapping[str, Sequence[str]]:
    """What each extra asks for, without other extras of the project in it, as a build writes it."""
    given = project()["optional-dependencies"]

    def flat(extra: str) -> Iterator[str]:
        for line in given[extra]:
            asked = Requirement(line)
            if canonicalize_name(asked.name) == "reticent":
                for other in sorted(asked.extras):
                    yield from flat(other)
            else:
                yield line

    return {extra: tuple(dict.fromkeys(flat(extra))) for extra in given}


def requires_dist() -> list[str]:
    """The lines `Requires-Dist` of a build, without the name of the field."""
    lines = list(project()["dependencies"])
    for extra, asked in extras().items():
        for line in asked:
            name, _, marker = (part.strip() for part in line.partition(";"))
            also = f"({marker}) and " if marker else ""
            lines.append(f"{name}; {also}extra == '{extra}'")
    return lines


def closure(asked: Iterable[str]) -> tuple[dict[str, metadata.Distribution], set[str]]:
    """The distributions that these requirements bring, and the names of those that are not installed here."""
    found: dict[str, metadata.Distribution] = {}
    absent: set[str] = set()
    seen: set[tuple[str, str]] = set()
    waiting = [Requirement(line) for line in asked]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": ""}):
            continue
        try:
            distribution = found.get(name) or metadata.distribution(name)
        except metadata.PackageNotFoundError:
            absent.add(name)
            continue
        found[name] = distribution
        lines = [Requirement(line) for line in distribution.requires or ()]
        for extra in ("", *sorted(requirement.extras)):
            if (name, extra) in seen:
                continue
            seen.add((name, extra))
            for line in lines:
                marker = line.marker
                if marker is None or marker.evaluate({"extra": extra}):
                    bare = Requirement(str(line))
                    bare.marker = None
                    waiting.append(bare)
    return found, absent


def clean_folder(folder: Path, wanted: Sequence[str], more: Sequence[str] = ()) -> set[str]:
    """Fills a folder with what `pip install '.[wanted]' more` brings. Returns the names that are not installed here."""
    folders = [name for name in more if name in (BENCHMARKS, DEMO)]
    needed = (Requirement(line) for name in folders for line in project(name)["dependencies"])
    all_extras = dict.fromkeys([*wanted, *(extra for requirement in needed for extra in sorted(requirement.extras))])
    asked = [*project()["dependencies"], *(line for extra in all_extras for line in extras()[extra])]
    found, absent = closure([*asked, *(name for name in more if name not in folders)])
    for distribution in found.values():
        for top in {file.parts[0] for file in distribution.files or () if ".." not in file.parts}:
            if top not in ("__pycache__", "bin"):
                _link(folder / top, Path(str(distribution.locate_file(top))))
    _link_guard(folder / "reticent", with_demo=DEMO in folders)
    for root in ("detectors/reticent_detectors", "kernels/reticent_kernels"):
        _link(folder / Path(root).name, ROOT / root)
    _write_metadata(folder / "reticent-0.dist-info", project(), requires_dist())
    if BENCHMARKS in folders:
        _link(folder / "reticent_bench", ROOT / "benchmarks" / "reticent_bench")
        _write_metadata(folder / "reticent_bench-0.dist-info", project(BENCHMARKS), project(BENCHMARKS)["dependencies"])
    return absent


def _link_guard(folder: Path, with_demo: bool) -> None:
    """Links each thing in `guard/reticent`, the demo's weights only if they are asked for."""
    (folder / "assets").mkdir(parents=True)
    for path in (ROOT / "guard" / "reticent").iterdir():
        if path.name not in ("assets", "__pycache__"):
            _link(folder / path.name, path)
    for path in (ROOT / "guard" / "reticent" / "assets").iterdir():
        if with_demo or path.name not in DEMOS_ASSETS:
            _link(folder / "assets" / path.name, path)


def _link(link: Path, place: Path) -> None:
    if not link.is_symlink():
        link.symlink_to(place)
    elif link.readlink() != place or place.is_dir():  # a folder of several distributions: the environment has it once
        assert link.readlink() == place, f"{link.name} of two distributions"


def _write_metadata(folder: Path, written: Mapping[str, Any], requires: Iterable[str]) -> None:
    folder.mkdir()
    head = ["Metadata-Version: 2.4", f"Name: {written['name']}", "Version: 0"]
    (folder / "METADATA").write_text("\n".join([*head, *(f"Requires-Dist: {line}" for line in requires), ""]))
    groups = {"console_scripts": written.get("scripts", {}), **written["entry-points"]}
    text = "".join(
        f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in points.items())
        for group, points in groups.items()
    )
    (folder / "entry_points.txt").write_text(text)


def run_clean(packages: Path, arguments: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs Python in `folder` with these packages alone."""
    kept = {name: value for name, value in os.environ.items() if not re.match(r"PYTHON|RETICENT|VIRTUAL_ENV", name)}
    return subprocess.run(
        [sys.executable, "-S", *arguments],
        env={**kept, "PYTHONPATH": str(packages), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"},
        cwd=folder, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
