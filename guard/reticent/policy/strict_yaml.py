"""Reads YAML in which a key may be only once in a block, so that of two rules neither wins unseen."""

from __future__ import annotations

from typing import Any

import yaml


class RepeatedKey(ValueError):
    """Says which keys are twice in one block, and at which line the block begins."""


class _Loader(yaml.SafeLoader):
    pass


def _mapping(loader: _Loader, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
    names = [key.value for key, _ in node.value]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        keys = sorted(map(str, twice))
        raise RepeatedKey(f"{keys} twice in the block from line {node.start_mark.line + 1}; keep one")
    loader.flatten_mapping(node)
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def load(text: str) -> Any:
    """Reads a text. Raises RepeatedKey, yaml.YAMLError, or RecursionError if the text is nested too deeply."""
    return yaml.load(text, Loader=_Loader)
