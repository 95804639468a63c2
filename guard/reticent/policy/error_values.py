"""Decides which wrong values an error may show: numbers, flags and misspelt words, but nothing that may be personal."""

from __future__ import annotations

import json
from collections.abc import Iterable

from pydantic_core import ErrorDetails

_HIDDEN = frozenset(
    {"key", "value", "api_key", "list_key", "body", "allow_list", "deny_list", "allow_subjects", "examples"}
)
"""Settings whose values are secrets or somebody's data."""
_CHOICES = frozenset({"enum", "literal_error"})
_MOST_CHARS = 40
_OWN, _NAMES, _LIST = "settings of its own", "names with values", "a list"
_SHAPES = {
    "model_type": _OWN,
    "model_attributes_type": _OWN,
    "dict_type": _NAMES,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "set_type": _LIST,
    "frozen_set_type": _LIST,
}
"""What a file has to have at a place, by pydantic's name of the error."""


def what_is_wrong(details: ErrorDetails, names: Iterable[str] = (), is_required: bool = False) -> str:
    """Tell what was expected, in a file's words, what came, and what to do.

    `names` are the settings that may stand there, of which the first is the example.
    """
    expected, message = _SHAPES.get(details["type"]), details["msg"]
    if expected is not None:
        example = next(iter(names), None)
        message = f"expected {expected}" + (f", such as {example!r}" if expected == _OWN and example else "")
    way_out = "Correct it." if is_required else "Correct it or leave it out."
    return f"{message[:1].lower()}{message[1:]} (got {shown_value(details)}). {way_out}"


def shown_value(details: ErrorDetails) -> str:
    """Gives what came, as it may be shown: the value, or its type where it may be a secret or personal."""
    value, place = details["input"], details["loc"]
    if _HIDDEN.isdisjoint(map(str, place)):
        if value is None or isinstance(value, bool | int | float):
            return json.dumps(value)
        if details["type"] in _CHOICES and isinstance(value, str) and len(value) <= _MOST_CHARS:
            return repr(value)
    return type(value).__name__
