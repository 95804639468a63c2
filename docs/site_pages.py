"""Hooks of mkdocs: which files are pages of the site, one that is made, and that none loads from another host.

The site has the repository's paths. `docs/wrap.md` links to `../SECURITY.md` in both, and no link is rewritten.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

PAGES = (
    "*.md",
    "benchmarks/**/*.md",
    "benchmarks/results/**/*.svg",
    "deploy/*.md",
    "docs/**/*.md",
    "docs/images/*.png",
    "examples/*",
    "guard/reticent/assets/*/CARD.md",
)
"""Files of the repository that the site holds."""
ALL_RESULTS = "docs/all-results.md"
"""The page that is made from the result files."""

LOADING = frozenset({"icon", "manifest", "modulepreload", "preconnect", "dns-prefetch", "preload", "stylesheet"})
"""Relations of a `link` element that make a browser ask for its address."""
LOADED = frozenset({"src", "srcset", "data", "poster", "background"})
"""Attributes whose address a browser asks for."""
SCRIPTED = frozenset({"mermaid", "giscus"})
"""Classes for which the theme's script loads a library from another host."""

_FOREIGN = re.compile(r"(?:https?:)?//", re.IGNORECASE)
_STYLED = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""", re.IGNORECASE)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Replaces what mkdocs found in `docs/` by the repository's pages, under the repository's paths."""
    from mkdocs.structure.files import File

    root = Path(config.config_file_path).parent
    for found in [file for file in files if file.src_dir == config.docs_dir]:
        files.remove(found)
    for path in site_files(root):
        files.append(File(path, str(root), config.site_dir, config.use_directory_urls))
    files.append(File.generated(config, ALL_RESULTS, content=all_results(root)))
    return files


def all_results(root: Path) -> str:
    """The page of all results. The site's environment has no package of the project, and the page needs none else."""
    sys.path[:0] = [str(root / "benchmarks"), str(root / "detectors")]
    try:
        from reticent_bench.charts.results_page import results_page
    finally:
        del sys.path[:2]
    return results_page(root / "benchmarks/results", "../benchmarks/results")


def on_post_build(*, config: MkDocsConfig) -> None:
    """Fails the build if a page or a style sheet loads anything from another host."""
    from mkdocs.exceptions import PluginError

    if found := foreign_files(Path(config.site_dir)):
        raise PluginError("The site loads from other hosts:\n  " + "\n  ".join(found))


def site_files(root: Path) -> list[str]:
    """The paths of the site's files below the repository's root, each once."""
    found = {path for pattern in PAGES for path in root.glob(pattern) if path.is_file()}
    return sorted(path.relative_to(root).as_posix() for path in found)


def foreign_files(site: Path) -> list[str]:
    """What the pages and style sheets of a built site would ask other hosts for: file, element and address of each."""
    pages, sheets = sorted(site.rglob("*.html")), sorted(site.rglob("*.css"))
    found = [f"{page.relative_to(site)}: {each}" for page in pages for each in foreign(page.read_text())]
    return found + [f"{sheet.relative_to(site)}: a style" for sheet in sheets if _STYLED.search(sheet.read_text())]


def foreign(html: str) -> list[str]:
    """What a browser would ask other hosts for when it shows a page: element and address of each."""
    reader = _Reader()
    reader.feed(html)
    return reader.found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._styles = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self._styles = tag == "style"
        self.found += [f"<{tag}> {address}" for address in _asked_for(tag, given) if _FOREIGN.match(address)]
        if _STYLED.search(given.get("style", "")):
            self.found.append(f"<{tag}> style")
        if SCRIPTED & set(given.get("class", "").split()) or given.get("data-md-component") == "source":
            self.found.append(f"<{tag}> for which the theme's script asks another host")

    def handle_endtag(self, tag: str) -> None:
        self._styles = False

    def handle_data(self, data: str) -> None:
        if self._styles and _STYLED.search(data):
            self.found.append("<style>")


def _asked_for(tag: str, given: dict[str, str]) -> Iterator[str]:
    for name in LOADED & given.keys():
        for candidate in given[name].split(",") if name == "srcset" else [given[name]]:
            yield candidate.strip()
    if tag == "link" and LOADING & set(given.get("rel", "").lower().split()):
        yield given.get("href", "").strip()
