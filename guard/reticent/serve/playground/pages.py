"""Serves the files of the page. They name no other host, and the page may load nothing from one."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files

_FOLDER = "static"
_TYPES = {
    "index.html": "text/html; charset=utf-8",
    "playground.css": "text/css; charset=utf-8",
    "playground.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
}
"""The files and their types. No other file is served."""
HEADERS: Mapping[str, str] = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}
"""Headers of every file: no inline script or style, no frame, and nothing that a browser keeps."""


def read_pages() -> dict[str, tuple[str, bytes]]:
    """Reads type and content of each file by its name."""
    folder = files("reticent.serve.playground") / _FOLDER
    return {name: (kind, (folder / name).read_bytes()) for name, kind in _TYPES.items()}
