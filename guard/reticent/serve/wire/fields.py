"""Defines the rules for fields of a response. Each API format has tables of them; `stream.walk` reads JSON by them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from reticent.serve.options import Permission


@dataclass(frozen=True, slots=True)
class Text:
    """Marks a running text of the choice."""

    channel: str


@dataclass(frozen=True, slots=True)
class Literal:
    """Marks a field that has one of these words. Anything else is judged."""

    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Nested:
    """Marks an object, or a list of objects."""

    fields: Mapping[str, Rule]
    other: Rule


@dataclass(frozen=True, slots=True)
class Only:
    """Marks a field shown only with a permission, and not where the choice's text was changed."""

    permission: Permission


@dataclass(frozen=True, slots=True)
class Echo:
    """Marks a field of the client's that comes back to it. Whatever differs is judged as metadata."""


@dataclass(frozen=True, slots=True)
class Logprobs:
    """Marks log-probabilities of the choice's text."""

    legacy: bool = False


class SimpleRule(StrEnum):
    """Marks a field whose rule has no arguments."""

    ID = "id"
    MODEL = "model"
    COUNT = "count"  # numbers of tokens, seconds, indices
    CALLS = "calls"  # a list of tool calls, or one function call
    WITHHELD = "withheld"  # nothing that can be read
    OPAQUE = "opaque"  # encrypted or signed by the server for itself
    PADDING = "padding"  # noise that hides how long a frame's text is
    METADATA = "metadata"  # whatever it is, it is judged at once
    TEXT = "text"  # its strings are running texts
    HANDLED = "handled"  # the caller reads it


Rule = Text | Literal | Nested | Only | Echo | Logprobs | SimpleRule


TYPES = Literal(
    frozenset(
        {"text", "output_text", "refusal", "thinking", "function", "custom", "url_citation"}
        | {"reasoning.text", "reasoning.summary", "reasoning.encrypted"}
    )
)
