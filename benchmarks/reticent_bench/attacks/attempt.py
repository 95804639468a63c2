"""What an attempt and a kind of attempts are, and the usual ways to make attempts of a kind."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from reticent_bench.attacks import readings
from reticent_bench.attacks.readings import Read, as_it_stands
from reticent_bench.attacks.values import VALUES, Value

NUMBERS = ("phone", "uk-phone", "ssn", "card", "account")
GROUPED = (*NUMBERS, "licence", "key", "mail", "iban")
WHOLE = (*GROUPED, "german-phone", "passport", "other-mail", "ip", "password")


class Attempt(NamedTuple):
    """Hold an answer, the value in it, and how somebody reads it there."""

    value: Value
    text: str
    read: Read = as_it_stands


class Kind(NamedTuple):
    """Hold attempts of one kind."""

    name: str
    tries: str
    attempts: Callable[[], Iterator[Attempt]]


def joined(name: str, tries: str, joints: Sequence[str], before: str = "", after: str = "") -> Kind:
    def attempts() -> Iterator[Attempt]:
        for value in map(VALUES.__getitem__, GROUPED):
            for joint in joints:
                yield Attempt(value, before + joint.join(value.groups) + after, readings.without(re.escape(joint)))

    return Kind(name, tries, attempts)


def written(name: str, tries: str, write: Callable[[str], str], read: Read = as_it_stands) -> Kind:
    def attempts() -> Iterator[Attempt]:
        for value in map(VALUES.__getitem__, WHOLE):
            for frame in ("It is {}.", "id{}", '{{"v": "{}"}}'):
                yield Attempt(value, frame.format(write(value.written)), read)

    return Kind(name, tries, attempts)


def framed(
    name: str, tries: str, frames: Sequence[str], values: Sequence[str] = WHOLE, read: Read = as_it_stands
) -> Kind:
    def attempts() -> Iterator[Attempt]:
        for value in map(VALUES.__getitem__, values):
            for frame in frames:
                yield Attempt(value, frame.replace("{}", value.written), read)

    return Kind(name, tries, attempts)
