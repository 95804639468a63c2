"""Looks for secrets in one line of code with the plugins of detect-secrets."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from reticent_detectors.errors import MissingExtra

# An address of a machine is no secret of a person.
_LEFT_OUT = frozenset({"IPPublicDetector"})


@lru_cache(maxsize=1)
def _plugins() -> tuple[Any, ...]:
    try:
        util = import_module("detect_secrets.core.plugins.util")
    except ImportError:
        raise MissingExtra("detect_secrets", "audit") from None
    classes = util.get_mapping_from_secret_type_to_class().values()
    return tuple(plugin() for plugin in classes if plugin.__name__ not in _LEFT_OUT)


def has_secret(line: str) -> bool:
    """Returns whether a plugin of detect-secrets finds a secret in a line such as `token = "..."`.

    Plugins of random strings report only strings whose Shannon entropy is above their limit. No plugin asks a service.

    Raises:
        MissingExtra: detect-secrets is not installed.
    """
    for plugin in _plugins():
        for found in plugin.analyze_string(line):
            limit = getattr(plugin, "entropy_limit", None)
            if limit is None or plugin.calculate_shannon_entropy(found) > limit:
                return True
    return False
