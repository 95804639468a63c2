"""A literal of source code and the name that the code gives it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal as OneOf
from typing import NamedTuple

Role = OneOf["assigned", "keyword", "entry", "key", "argument", "compared", "other"]


class Place(NamedTuple):
    """What the code around a literal does with it, and under which name."""

    role: Role
    name: str = ""

    def __repr__(self) -> str:
        # A key that names a value may be a value itself.
        return f"Place({self.role}, {len(self.name)} chars)"


OTHER = Place("other")
KEY = Place("key")
KEYED_CALLS = frozenset({"put", "set", "Set", "setItem", "setProperty", "setdefault"})
"""Calls of two arguments that store the second under the first."""


@dataclass(frozen=True, slots=True)
class SourceLiteral:
    """A string or number literal.

    Attributes:
        value: decoded text of a string, with `{}` for each interpolation; a number without underscores and suffix.
        kind: string or number. Characters and bytes are strings.
        role: assigned, keyword, entry (value of a key), key, argument, compared or other.
        name: last identifier of the target, the keyword, the key, `callee:position`, or the other side of a comparison.
        start: first character of the literal in the text.
        end: character behind it.
    """

    value: str
    kind: OneOf["string", "number"]
    role: Role
    name: str
    start: int
    end: int

    def __repr__(self) -> str:
        return f"SourceLiteral({self.kind}, {self.role}, {len(self.value)} chars, {self.start}:{self.end})"

    def moved(self, offset: int) -> SourceLiteral:
        """Returns the literal with its range moved by `offset` characters."""
        return replace(self, start=self.start + offset, end=self.end + offset)


_BASED = re.compile(r"-?0[xXbBoO]")


def number_text(source: str) -> str:
    """Returns a number literal in lower case, without underscores, blanks, plus sign and type suffix."""
    text = re.sub(r"[_\s]", "", source.lower()).lstrip("+")
    if _BASED.match(text):
        hexadecimal = "x" in text[:3]
        return text.rstrip("ln" if hexadecimal and "p" not in text else "lnfdji" if hexadecimal else "lnji")
    return text.rstrip("lnfdji")


def fold_strings(parts: list[SourceLiteral | None]) -> list[SourceLiteral]:
    """Joins adjacent string literals of a chain of `+`. None stands for an operand that is no literal."""
    out: list[SourceLiteral] = []
    joined = False
    for part in parts:
        if part is None:
            joined = False
            continue
        last = out[-1] if out and joined else None
        if last is not None and last.kind == part.kind == "string":
            out[-1] = replace(last, value=last.value + part.value, end=part.end)
        else:
            out.append(part)
        joined = True
    return out
