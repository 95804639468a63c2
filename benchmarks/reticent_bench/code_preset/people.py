"""Values of invented people, to be planted in source code."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise

_WORDS = (
    "larch", "otter", "gorse", "kestrel", "bittern", "skerry", "heron", "quarry", "tamsin", "oakleaf", "ilse", "teodor",
    "brindle", "fenwick", "marram", "plover", "curlew", "thorne", "wharfe", "yarrow", "sorrel", "teasel", "tansy",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Planted:
    """A value of an invented person.

    Attributes:
        field: its name in code, in snake case.
        value: as written in a string.
        number: as written without quotes; empty if it is no number.
    """

    field: str
    value: str
    number: str = ""

    def __repr__(self) -> str:
        return f"Planted({self.field})"


def planted(field: str, random_: random.Random) -> Planted:
    """Draws a value for a field of `FIELDS`."""
    value = FIELDS[field](random_)
    return Planted(field, value, value if value.isdigit() and value[0] != "0" else "")


def _digits(random_: random.Random, count: int) -> str:
    """Digits that do not count up or down, and do not begin with zero."""
    while True:
        drawn = str(random_.randrange(1, 10)) + "".join(random_.choice(string.digits) for _ in range(count - 1))
        steps = [abs(int(a) - int(b)) for a, b in pairwise(drawn)]
        if sum(step <= 1 for step in steps) <= len(steps) / 2:
            return drawn


def _word(random_: random.Random) -> str:
    return random_.choice(_WORDS)


def _phone(random_: random.Random) -> str:
    area, exchange = f"{random_.choice((206, 312, 415, 503, 617, 773))}", f"{random_.randrange(601, 799)}"
    return f"{area}-{exchange}-{_digits(random_, 4)}"


def _email(random_: random.Random) -> str:
    return f"{_word(random_)}.{_word(random_)}{random_.randrange(2, 99)}@{_word(random_)}{_word(random_)}.org"


def _password(random_: random.Random) -> str:
    return f"{_word(random_).title()}-{_word(random_).title()}-{_digits(random_, 2)}"


def _ssn(random_: random.Random) -> str:
    return f"{random_.randrange(201, 660)}-{random_.randrange(11, 89)}-{_digits(random_, 4)}"


def _card(random_: random.Random) -> str:
    body = "4929" + _digits(random_, 11)
    doubled = [int(c) * (2 if at % 2 == 0 else 1) for at, c in enumerate(body)]
    return body + str(-sum(d - 9 if d > 9 else d for d in doubled) % 10)


def _key(random_: random.Random) -> str:
    return "sk-" + "".join(random_.choice(string.ascii_letters + string.digits) for _ in range(32))


def _address(random_: random.Random) -> str:
    street, town = _word(random_).title(), _word(random_).title()
    return f"{random_.randrange(13, 97)} {street} Lane, {town}, ME 0{_digits(random_, 4)}"


FIELDS: Mapping[str, Callable[[random.Random], str]] = {
    "phone_number": _phone,
    "email": _email,
    "password": _password,
    "pin": lambda random_: _digits(random_, random_.choice((4, 6))),
    "ssn": _ssn,
    "credit_card_number": _card,
    "api_key": _key,
    "address": _address,
    "phone": lambda random_: _phone(random_).replace("-", ""),
}
"""How a value of a field is drawn."""
