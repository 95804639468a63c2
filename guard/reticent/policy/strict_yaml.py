"""Reads YAML in which a key may be only once in a block, so that of two rules neither wins unseen.

An error about a text gives a line: what stands there may be somebody's value.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import yaml

_UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What PyYAML lets out for a scalar that is not of its type, such as the date 2001-13-45."""


class RepeatedKey(ValueError):
    """Says which keys are twice in one block.

    Args:
        keys: these keys.
        line: where the block begins, from 1.
    """

    def __init__(self, keys: Collection[str], line: int) -> None:
        self.keys, self.line = keys, line
        super().__init__(self.described(()))

    def described(self, known: Collection[str]) -> str:
        """Describes it, with those of the keys that are known."""
        named = ", ".join(repr(key) for key in sorted(self.keys) if key in known)
        return f"{named or 'a key'} twice in the block from line {self.line}; keep one"


class _Loader(yaml.SafeLoader):
    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except RepeatedKey:
            raise
        except _UNREADABLE:
            raise yaml.constructor.ConstructorError(None, None, None, node.start_mark) from None


def _mapping(loader: _Loader, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
    names = [key.value for key, _ in node.value]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise RepeatedKey(frozenset(map(str, twice)), node.start_mark.line + 1)
    loader.flatten_mapping(node)
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def load(text: str) -> Any:
    """Reads a text. Raises RepeatedKey, yaml.YAMLError, or RecursionError if the text is nested too deeply."""
    return yaml.load(text, Loader=_Loader)


def place_of(error: Exception) -> str:
    """Writes ` at line N` for an error of YAML, or nothing if it has no line."""
    mark = getattr(error, "problem_mark", None)
    return "" if mark is None else f" at line {mark.line + 1}"
