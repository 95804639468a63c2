"""The site of `make docs`: its pages, how they are reached, the names of its API reference, what it may not load."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import yaml

import reticent
from reticent import private_context
from reticent_detectors.entities import Entity

ROOT = Path(__file__).resolve().parent.parent
API = sorted((ROOT / "docs/api").glob("*.md"))
SHOWN = [name for page in API for name in re.findall(r"^::: (\S+)$", page.read_text(), re.M)]


def hooks() -> Any:
    spec = spec_from_file_location("site_pages", ROOT / "docs/site_pages.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PAGES = [path for path in hooks().site_files(ROOT) if path.endswith(".md")]


def leaves(nav: Any) -> list[str]:
    """The paths that a navigation names, in order."""
    if isinstance(nav, str):
        return [nav]
    return [leaf for each in (nav.values() if isinstance(nav, dict) else nav) for leaf in leaves(each)]


def navigation() -> Any:
    return yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]


def test_the_navigation_is_by_use() -> None:
    first = [next(iter(entry)) for entry in navigation()]
    assert first == [
        *("Start", "Wrap a model", "Serve", "Integrate", "Policy", "Records", "Suppress on request"),
        *("Fit a detector", "Entities", "Audit", "Operate", "Results", "Decisions", "Glossary", "Architecture", "API"),
    ]


def test_the_navigation_names_every_document_once_and_nothing_else() -> None:
    named = leaves(navigation())
    assert len(named) == len(set(named))
    assert set(named) <= {*PAGES, hooks().ALL_RESULTS}
    kept = {path for path in PAGES if path.startswith("docs/") or "/" not in path}
    assert kept <= set(named)


def test_the_site_holds_results_and_examples() -> None:
    held = hooks().site_files(ROOT)
    assert {"benchmarks/results/demo-guard.md", "examples/wrap_a_model.py", "README.md"} <= set(held)
    assert not [path for path in held if path.startswith(("tests/", ".")) or "__pycache__" in path]


def test_every_public_name_is_shown_once() -> None:
    assert len(SHOWN) == len(set(SHOWN))
    public = {f"reticent.{name}" for name in reticent.__all__ if name != "__version__"}
    public |= {f"reticent.private_context.{name}" for name in private_context.__all__}
    assert public <= set(SHOWN)


@pytest.mark.parametrize("name", [name for name in SHOWN if name.count(".") > 1])
def test_what_is_shown_beyond_the_package_is_there(name: str) -> None:
    home, _, last = name.rpartition(".")
    assert hasattr(import_module(home), last)


def test_nothing_private_is_shown() -> None:
    text = "\n".join(page.read_text() for page in API)
    members = [name for found in re.findall(r"members: \[(.*?)\]", text) for name in found.split(", ")]
    assert not [name for name in [*SHOWN, *members] if any(part.startswith("_") for part in name.split("."))]


def test_all_kinds_are_listed() -> None:
    text = (ROOT / "docs/api/results.md").read_text().partition("::: reticent.Entity")[2]
    assert re.findall(r"`([A-Z_]+)`", text) == [str(entity) for entity in Entity]


@pytest.mark.parametrize("path", PAGES)
def test_lists_and_tables_begin_behind_a_blank_line(path: str) -> None:
    """Code hosts take one that interrupts a paragraph; the site would show it as part of the paragraph."""
    fenced, before = False, ""
    for line in (ROOT / path).read_text().splitlines():
        fenced ^= line.lstrip().startswith("```")
        begins = re.match(r"(?:[-*]|\d+\.) |\|", line)
        if begins and not fenced and before:
            assert re.match(r"\s*(?:[-*]|\d+\.) |\||#| ", before), f"{line[:60]!r} interrupts a paragraph"
        before = line


@pytest.mark.parametrize(
    "html",
    [
        '<script src="https://cdn.example/a.js"></script>',
        '<script src="//cdn.example/a.js"></script>',
        '<link rel="stylesheet" href="https://fonts.example/css">',
        '<link rel="preconnect" href="https://fonts.example">',
        '<img src="http://img.example/a.png">',
        '<img src="a.png" srcset="a.png 1x, https://img.example/b.png 2x">',
        '<div style="background: url(https://img.example/a.png)"></div>',
        "<style>@import 'https://fonts.example/css';</style>",
        '<iframe src="HTTPS://frame.example"></iframe>',
        '<pre class="mermaid">graph</pre>',
        '<a data-md-component="source" href="https://code.example/a/b">repository</a>',
    ],
)
def test_what_loads_from_another_host_is_found(html: str) -> None:
    assert len(hooks().foreign(f"<body>{html}</body>")) == 1


@pytest.mark.parametrize(
    "html",
    [
        '<a href="https://example.org">a link that somebody follows</a>',
        '<link rel="canonical" href="https://example.org/">',
        '<script src="../assets/javascripts/bundle.js"></script>',
        "<style>@font-face { src: url(fonts/a.woff2) }</style>",
        "<p>url(https://example.org)</p>",
        '<img src="data:image/svg+xml;base64,AAAA">',
    ],
)
def test_what_loads_from_nowhere_else_passes(html: str) -> None:
    assert hooks().foreign(f"<body>{html}</body>") == []


def test_pages_and_style_sheets_are_read(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep/a.html").write_text('<img src="https://img.example/a.png">')
    (tmp_path / "a.css").write_text("a { background: url( 'https://img.example/a.png') }")
    (tmp_path / "b.css").write_text("a { background: url(../a.png) } /* https://example.org */")
    assert hooks().foreign_files(tmp_path) == ["deep/a.html: <img> https://img.example/a.png", "a.css: a style"]


@pytest.mark.skipif(
    find_spec("mkdocs") is None or find_spec("mkdocstrings_handlers") is None,
    reason="mkdocs-material and mkdocstrings-python are not installed; `make docs` builds the site",
)
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    line = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    built = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr[-2000:]
    guard = (tmp_path / "docs/api/guard/index.html").read_text()
    assert 'id="reticent.GuardedModel.chat"' in guard
    for internal in ("adapter", "base", "taps", "score", "rename", "inspect_ids"):
        assert f'id="reticent.GuardedModel.{internal}"' not in guard
    assert 'href="../../SECURITY/"' in (tmp_path / "docs/results/index.html").read_text()
