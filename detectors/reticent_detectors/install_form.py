"""Says how Reticent is installed with what is missing: the whole form, with the extras that are there already."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from importlib import metadata

_DISTRIBUTION = {"sklearn": "scikit-learn"}
"""Distributions of modules with another name."""
_ENGINES = ("onnxruntime", "onnxruntime-gpu")
_FORMS = ("audit", "train", "models", "adapters", "model", "proxy")
"""Extras that are worth naming again where they are there, the most comprehensive first."""
_WITHOUT_DETECTOR = frozenset({"cpu", "gpu", "sign", "metrics", "presidio", "gliner", "models"})
"""Extras whose features run no detector, or that bring what runs it."""


def extra_for(module: str, requirements: Iterable[str] | None = None) -> str | None:
    """Gives the smallest extra that brings `module`, by a distribution's `Requires-Dist` lines (ours by default).

    None if no extra does.
    """
    brings = _extras(_own() if requirements is None else requirements)
    distribution = _normalized(_DISTRIBUTION.get(module, module))
    extras = [extra for extra, distributions in brings.items() if distribution in distributions]
    return min(extras, key=lambda extra: len(brings[extra]), default=None)


def install_form(
    extra: str, requirements: Iterable[str] | None = None, is_there: Callable[[str], bool] | None = None
) -> str:
    """Gives the whole form of an installation with an extra, such as `reticent[model,cpu]`.

    It names what runs the detectors as well, and forms that are installed already, so that it can be pasted.

    Args:
        extra: the one that brings what is missing.
        requirements: lines `Requires-Dist`; None takes ours.
        is_there: whether a distribution is installed; None looks.
    """
    brings, there = _extras(_own() if requirements is None else requirements), is_there or _is_there
    present = [form for form in _FORMS if form != extra and form in brings and all(map(there, brings[form]))]
    wanted = [*present[:1], extra] if extra in ("cpu", "gpu") or (present and present[0] == "proxy") else [extra]
    if not (_WITHOUT_DETECTOR & set(wanted)) and not any(map(there, _ENGINES)):
        wanted.append("cpu")
    return f"reticent[{','.join(wanted)}]"


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
