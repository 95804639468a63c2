"""Readers by name: how values are read that no pattern describes. A row here and a form in a kind's file add one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from reticent_detectors.finder.forms import dates, keys, money, network, numbers, phones, secrets, streets
from reticent_detectors.finder.forms.named import Named

Read = Callable[[str, int, bool, "Named | None"], int]
"""(text, place, whether the text is whole, what a label says) -> end of the value, 0 for none, -1 while it is open."""


class Reader(NamedTuple):
    """A reader and where it is tried.

    Attributes:
        at: what a value begins with: "d" a digit, "s" a symbol, "c" letters of a code, "w" any word, "m" a word of a
            date, "r" a word of a street.
        words: whether its values may be words without figures, for which labels must be watched.
        mark: a character without which the piece between blanks holds no such value; empty for none.
    """

    read: Read
    at: str
    words: bool = False
    mark: str = ""


def _plain(read: Callable[[str, int, bool], int]) -> Read:
    return lambda text, p, closed, named: read(text, p, closed)


READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "address_line": Reader(_plain(streets.address_line), "dwcr", words=True),
        "bare_amount": Reader(_plain(money.bare_amount), "d"),
        "born_after": Reader(_plain(dates.born_after), "d"),
        "life_dates": Reader(_plain(numbers.life_dates), "d"),
        "coordinates": Reader(_plain(numbers.coordinates), "dsc"),
        "coordinates_named": Reader(_plain(numbers.coordinates_named), "ds"),
        "date": Reader(_plain(dates.date), "dm"),
        "day_and_time": Reader(_plain(dates.day_and_time), "m"),
        "iban": Reader(_plain(numbers.iban), "c"),
        "ipv4": Reader(_plain(network.ipv4), "d", mark="."),
        "ipv4_named": Reader(_plain(network.ipv4_named), "d", mark="."),
        "ipv6": Reader(_plain(network.ipv6), "dcws", mark=":"),
        "key_block": Reader(_plain(keys.key_block), "dcw"),
        "key_run": Reader(_plain(keys.key_run), "dc"),
        "last_digits": Reader(_plain(numbers.last_digits), "d"),
        "mac": Reader(_plain(network.mac), "dcw", mark=":-."),
        "mail": Reader(_plain(network.mail), "dcw", mark="@"),
        "moment": Reader(_plain(dates.moment), "dm", words=True),
        "money": Reader(_plain(money.money), "dsc"),
        "money_for_supply": Reader(_plain(money.money_for_supply), "dsc"),
        "money_paid": Reader(_plain(money.money_paid), "dsc"),
        "password": Reader(secrets.password, "dcws", words=True),
        "phone": Reader(_plain(phones.phone), "ds"),
        "phone_named": Reader(_plain(phones.phone_named), "ds"),
        "seed_phrase": Reader(keys.seed_phrase, "w", words=True),
        "street": Reader(_plain(streets.street), "dr"),
        "token": Reader(secrets.token, "dcw", words=True),
        "trip": Reader(_plain(dates.trip), "wcmr", words=True),
        "username": Reader(secrets.username, "cws", words=True),
        "web": Reader(_plain(network.web), "dcw", mark=".:"),
    }
)
"""Readers by name."""
