"""Writes every pattern that the tree compiles when its modules are imported and its finder is built, one JSON a line.

    python -m reticent_bench.redos.collect

It listens to `re.compile` and `regex.compile`, so it must run before any of the tree is imported: by itself. Patterns
that are made of a text at run time (a suppressed value, the words beside a value in a prompt) are not among them.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
from typing import Any

import regex

_TREES = ("reticent", "reticent_detectors")
_NEEDS_MORE = ("triton", "__main__")
"""Modules that cannot be imported everywhere, and compile no pattern for texts."""


def main() -> None:
    """Imports the tree and builds its finder. Patterns go to the standard output."""
    known = dict[tuple[str, str, int], str]()
    for module in (re, regex):
        _listen(module, known)
    for name in _TREES:
        package = importlib.import_module(name)
        for found in pkgutil.walk_packages(package.__path__, f"{name}."):
            if not any(part in found.name for part in _NEEDS_MORE):
                _import(found.name)
    importlib.import_module("reticent_bench.finder.find").full_finder().warm()
    for (module_name, pattern, flags), place in known.items():
        sys.stdout.write(json.dumps({"module": module_name, "pattern": pattern, "flags": flags, "place": place}) + "\n")


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except ImportError as error:  # an integration whose library is not installed
        sys.stderr.write(f"left out: {name} ({error.name})\n")


def _listen(module: Any, known: dict[tuple[str, str, int], str]) -> None:
    compile_ = module.compile

    def listening(pattern: Any, flags: Any = 0, *rest: Any, **named: Any) -> Any:
        compiled = compile_(pattern, flags, *rest, **named)
        caller = sys._getframe(1)
        file = caller.f_code.co_filename
        own = next((at for tree in _TREES if (at := file.rfind(f"/{tree}/")) >= 0), -1)
        if own >= 0 and isinstance(compiled.pattern, str):
            key = module.__name__, compiled.pattern, int(compiled.flags)
            known.setdefault(key, f"{file[own + 1 :]}:{caller.f_lineno}")
        return compiled

    module.compile = listening


if __name__ == "__main__":
    main()
