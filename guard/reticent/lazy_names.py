"""Loads the names of a package from their modules when they are first used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module


def lazy_name(package: str, homes: Mapping[str, str], name: str) -> object:
    """Gives a name of a package from the module that defines it. Raises AttributeError for a name without a module.

    Args:
        package: the package's name, for the error.
        homes: modules by the names that they define.
        name: the name that is looked up.
    """
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return getattr(import_module(homes[name]), name)
