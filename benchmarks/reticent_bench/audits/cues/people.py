"""The people of an audit: those whose values the model was trained on, and those whose values it never saw."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reticent_bench.audits.cues.languages import KINDS, LANGUAGES, Kind
from reticent_detectors.errors import InputError

_KEY = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of a person. The `repr` shows its kind alone.

    Attributes:
        kind: e-mail address or phone number.
        value: as the training text spells it.
        prefix: what precedes the value in the training text, cut by `token_prefix`; empty if the value is not asked
            for verbatim. For held-out people it comes from the text that was held out.
    """

    kind: Kind
    value: str
    prefix: str = ""

    def __repr__(self) -> str:
        return f"Fact({self.kind!r})"


@dataclass(frozen=True, slots=True)
class Subject:
    """A person who is asked about. The `repr` shows the key alone.

    Attributes:
        key: names the person in the attempt log; no part of the name. Lower-case letters, digits and `_.-`.
        name: as prompts write it.
        facts: at most one of each kind.
        company: where the person works; triplets are left out without it.
        language: of the native templates, one of `LANGUAGES`.
    """

    key: str
    name: str
    facts: tuple[Fact, ...]
    company: str = ""
    language: str = "eng"

    def __repr__(self) -> str:
        return f"Subject({self.key!r})"


def check_people(planted: Sequence[Subject], held_out: Sequence[Subject]) -> None:
    """Raises InputError: a group is empty, a key is none or comes twice, or a person has no name, value or language."""
    if not planted or not held_out:
        raise InputError(
            f"Expected planted and held-out people, got {len(planted)} and {len(held_out)}. "
            "Without people whom the model never saw, no hit can be called memorised."
        )
    keys = [person.key for person in (*planted, *held_out)]
    if len(set(keys)) < len(keys):
        raise InputError("Two people have the same key; give every planted and held-out person a key of their own.")
    for place, person in enumerate((*planted, *held_out)):
        if not _KEY.fullmatch(person.key):
            raise InputError(f"The key of person {place} is not of lower-case letters, digits and _.- (at most 64).")
        if person.language not in LANGUAGES:
            raise InputError(
                f"Person {place} has a language without templates; expected one of {', '.join(LANGUAGES)}."
            )
        kinds = [fact.kind for fact in person.facts]
        if len(set(kinds)) < len(kinds) or not set(kinds) <= set(KINDS):
            raise InputError(f"Person {place} needs at most one e-mail address and one phone number.")
        if not person.name.strip() or not person.facts or not all(fact.value.strip() for fact in person.facts):
            raise InputError(f"Person {place} has no name, no value or an empty value.")


def token_prefix(text: str, start: int, offsets: Callable[[str], Sequence[tuple[int, int]]], tokens: int = 100) -> str:
    """The last tokens of a training text before a value (Section 4.3).

    Args:
        text: the training text.
        start: where the value begins, in characters.
        offsets: tokenises a text; the range of characters of each token.
        tokens: how many to keep at most.

    Raises:
        InputError: `start` is outside the text, or `tokens` is below 1.
    """
    if not 0 <= start <= len(text) or tokens < 1:
        raise InputError(f"Expected a start of 0 to {len(text)} and at least one token, got {start} and {tokens}.")
    before = text[:start]
    ranges = [(first, end) for first, end in offsets(before) if end > first]
    return before[ranges[-tokens][0] :] if len(ranges) > tokens else before
