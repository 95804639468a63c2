"""Loads the names of a package from their modules when they are first used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module


def lazy_name(package: str, homes: Mapping[str, str], name: str, form: str | None = None) -> object:
    """Gives a name of a package from the module that defines it.

    Args:
        package: the package's name, for the error.
        homes: modules by the names that they define.
        name: the name that is looked up.
        form: the extra that brings all that the name needs.

    Raises:
        AttributeError: the name has no module.
        MissingExtra: the module needs what is not installed.
    """
    if name not in homes:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    try:
        return getattr(import_module(homes[name]), name)
    except ModuleNotFoundError as error:
        from reticent_detectors.errors import MissingExtra
        from reticent_detectors.install_form import extra_for

        missing = (error.name or "").partition(".")[0]
        extra = extra_for(missing, form=form)
        if extra is None:
            raise
        raise MissingExtra(missing, extra) from error
