"""Reads the JSON schema that a client wants an answer to follow.

vLLM tells log-probabilities behind a grammar's mask: what JSON rules out counts no more, so a value looks surer than it
is. Behind a schema that sets names and types alone, the model may be asked again without the mask. Any other schema
may spell a value out, such as a list of choices or a pattern. There an unmasked answer would tell a client whether its
guess is right. So what is forced stays as sure as the server says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from reticent.serve.api.chunked_choices import GATED
from reticent.serve.options import Permission

_NAME = re.compile(r"[A-Za-z][A-Za-z_]{0,31}", re.ASCII)
"""A name that is no value: one word, without digits."""
_REFERENCE = re.compile(rf"#/(?:\$defs|definitions)/{_NAME.pattern}", re.ASCII)
"""A reference to a schema that is checked where it stands."""
_WORDS = frozenset({"$schema", "title", "description", "default", "examples"})
"""Keywords that bind no answer."""
_TYPES = frozenset({"string", "number", "integer", "boolean", "object", "array", "null"})
_MOST_LEVELS = 8


def masks_syntax_alone(body: Mapping[str, Any]) -> bool:
    """Says whether an answer has to be JSON by a `response_format` of names and types alone, and nothing else."""
    given = body.get("response_format")
    if not isinstance(given, dict) or any(
        body.get(name) for name, permission in GATED.items() if permission is Permission.GRAMMAR
    ):
        return False
    if given.get("type") == "json_object":
        return True
    holder = given.get("json_schema")
    return given.get("type") == "json_schema" and isinstance(holder, dict) and _is_free(holder.get("schema"), 0)


def _is_free(schema: Any, level: int) -> bool:
    """Says whether a schema sets names and types alone."""
    if isinstance(schema, bool):
        return True
    return (
        isinstance(schema, dict)
        and level <= _MOST_LEVELS
        and all(_fits(keyword, value, level + 1) for keyword, value in schema.items())
    )


def _fits(keyword: str, value: Any, level: int) -> bool:
    """Says whether a keyword of a schema sets names and types alone."""
    if keyword in _WORDS:
        return True
    if keyword == "type":
        types = value if isinstance(value, list) else [value]
        return all(isinstance(each, str) and each in _TYPES for each in types)
    if keyword in ("properties", "$defs", "definitions"):
        return isinstance(value, dict) and all(_is_name(name) and _is_free(each, level) for name, each in value.items())
    if keyword == "required":
        return isinstance(value, list) and all(map(_is_name, value))
    if keyword == "anyOf":
        return isinstance(value, list) and all(_is_free(each, level) for each in value)
    if keyword in ("items", "additionalProperties"):
        return _is_free(value, level)
    return keyword == "$ref" and isinstance(value, str) and bool(_REFERENCE.fullmatch(value))


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(_NAME.fullmatch(value))
