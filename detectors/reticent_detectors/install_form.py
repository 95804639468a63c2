"""Tell how Reticent is installed with what is missing: the whole form, as the pages name it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib import metadata

_DISTRIBUTION = {"sklearn": "scikit-learn"}
"""Distributions of modules with another name."""
_ENGINES = {"cpu": "onnxruntime", "gpu": "onnxruntime-gpu"}
"""What runs a detector: the extra, and the distribution by which it is seen to be there."""
_FORMS = ("audit", "train", "model")
"""Extras that wrap or train a model, the most comprehensive first."""
_ADDITIONS = frozenset({*_ENGINES, "metrics", "otel", "presidio", "gliner"})
"""Extras that are added to a form."""
_ALONE = frozenset({"models", "proxy", "sign"})
"""Extras that are a form without a detector."""
_PARTS = frozenset({"tokenizer"})
"""Extras that only other extras name."""
_FOLDERS = {"reticent-bench": ("audit", "./benchmarks"), "reticent-demo": ("model", "./demo")}
"""The project's other distributions: the extra that each needs, and its folder in a clone."""


def extra_for(module: str, requirements: Iterable[str] | None = None, form: str | None = None) -> str | None:
    """Return the extra that brings `module`, by a distribution's `Requires-Dist` lines (ours by default).

    That is `form` if it does, else the smallest that does. None if no extra does. Of the project's other
    distributions it is the one that they need.
    """
    distribution = _normalized(_DISTRIBUTION.get(module, module))
    if distribution in _FOLDERS:
        return _FOLDERS[distribution][0]
    brings = _extras(_own() if requirements is None else requirements)
    extras = [name for name, distributions in brings.items() if distribution in distributions and name not in _PARTS]
    return form if form in extras else min(extras, key=lambda extra: len(brings[extra]), default=None)


def install_line(
    extra: str,
    requirements: Iterable[str] | None = None,
    is_there: Callable[[str], bool] | None = None,
    module: str = "",
) -> str:
    """Return the line that installs a whole form with an extra, such as `pip install '.[model,cpu]'`.

    It names the forms that are installed already, and what runs the detectors. It works in a clone of the project.

    Args:
        extra: the one that brings what is missing.
        requirements: lines `Requires-Dist`; None takes ours.
        is_there: whether a distribution is installed; None looks.
        module: what is missing. The line names its folder if it is another distribution of the project.
    """
    brings, there = _extras(_own() if requirements is None else requirements), is_there or _is_there
    present = [form for form in ("proxy", *_FORMS) if form in brings and all(map(there, brings[form]))]
    wanted = ["proxy"] if "proxy" in present and extra not in _ALONE else []
    if extra in _ADDITIONS:
        wanted += [form for form in _FORMS if form in present][:1]
    wanted.append(extra)
    if not _ENGINES.keys() & wanted and not set(wanted) <= _ALONE | _ADDITIONS:
        wanted.append("gpu" if there(_ENGINES["gpu"]) else "cpu")
    # Engines come after forms, additions after engines.
    ordered = sorted(
        dict.fromkeys(wanted), key=lambda each: (each in _ENGINES) + 2 * (each in _ADDITIONS.difference(_ENGINES))
    )
    _, folder = _FOLDERS.get(_normalized(module), ("", ""))
    return f"pip install '.[{','.join(ordered)}]' {folder}".rstrip()


def _own() -> Iterable[str]:
    try:
        return metadata.requires("reticent") or ()
    except metadata.PackageNotFoundError:  # a checkout that is on the path and not installed
        return ()


def _extras(requirements: Iterable[str]) -> Mapping[str, set[str]]:
    brings: dict[str, set[str]] = {}
    for requirement in requirements:
        found = re.match(r"""([\w.-]+)[^;]*;.*\bextra\s*==\s*['"]([\w.-]+)['"]""", requirement)
        if found:
            brings.setdefault(found[2], set()).add(_normalized(found[1]))
    return brings


def _is_there(distribution: str) -> bool:
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _normalized(distribution: str) -> str:
    return distribution.lower().replace("_", "-")
