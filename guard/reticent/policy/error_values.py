"""Decides which wrong values an error may show: numbers, flags and misspelt words, but nothing that may be personal."""

from __future__ import annotations

import json

from pydantic_core import ErrorDetails

_HIDDEN = frozenset(
    {"key", "value", "api_key", "list_key", "body", "allow_list", "deny_list", "allow_subjects", "examples"}
)
"""Settings whose values are secrets or somebody's data."""
_CHOICES = frozenset({"enum", "literal_error"})
_MOST_CHARS = 40


def shown_value(details: ErrorDetails) -> str:
    """Gives what came, as it may be shown: the value, or its type where it may be a secret or personal."""
    value, place = details["input"], details["loc"]
    if _HIDDEN.isdisjoint(map(str, place)):
        if value is None or isinstance(value, bool | int | float):
            return json.dumps(value)
        if details["type"] in _CHOICES and isinstance(value, str) and len(value) <= _MOST_CHARS:
            return repr(value)
    return type(value).__name__
