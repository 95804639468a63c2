"""Values that belong to nobody: what standards reserve for examples, what is no assigned number, and published test data.

A model writes them wherever it needs an example: `john@example.com`, 555-0100, 192.0.2.1, 4242 4242 4242 4242. They pass where the
base says them as surely (`pretrained`), whatever their kind: nobody can be reached by them. A value that a model was privately
taught does not get that label, so whoever stored such a value about somebody keeps it. The standard library alone.

Sources: RFC 2606 and 6761 (domains), RFC 5737 and 3849 (addresses), the North American Numbering Plan (area and
exchange codes), Ofcom (numbers for drama), the Social Security Administration (numbers never assigned), and the
test cards that payment processors publish.

Not covered: placeholders in words (`<your name>`, "Jane Doe"), and numbers reserved in other countries' plans.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Mapping
from itertools import pairwise

from reticent_detectors.entities import Entity

_DOMAINS = ("example.com", "example.net", "example.org", "example.edu")
_TOP_LEVEL = ("example", "test", "invalid", "localhost")
_HOST = re.compile(r"(?:[a-z][a-z0-9+.-]*://)?(?:[^/\s@]*@)?(?P<host>[a-z0-9.-]+)(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)
_NETWORKS = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "127.0.0.0/8", "0.0.0.0/32", "255.255.255.255/32"),
        *("2001:db8::/32", "::1/128", "::/128"),
    )
)
_CARDS = frozenset(
    (
        *("4111111111111111", "4242424242424242", "4012888888881881", "4000056655665556", "4222222222222"),
        *("5555555555554444", "5105105105105100", "2223003122003222", "5200828282828210"),
        *("378282246310005", "371449635398431", "378734493671000"),
        *("6011111111111117", "6011000990139424", "30569309025904", "38520000023237"),
        *("3530111333300000", "3566002020360505"),
    )
)
_PHONE = re.compile(r"(?:tel:)?(?P<abroad>\+|00(?!0))?[\d\s().\-‐-―−/]+", re.IGNORECASE)
_NORTH_AMERICAN = re.compile(
    r"(?:\+?1[\s.-]?)?\(?(?:555\)?[\s.-]{1,2}\d{3}|\d{3}\)?[\s.-]{1,2}555)[\s.-]\d{4}|555[\s.-]\d{4}"
)
"""Area code 555, or exchange 555: neither has subscribers. Written in groups of three, three and four, as elsewhere nobody writes numbers."""
_DRAMA = re.compile(
    r"(?:44|0)(?:(?:11[3-8]|1[2-6]1)4960|1914980|2079460|2896496|2920180|1632960|7700900|8081570|9098790|3069990)\d{3}"
)
_MOST_CHARS = 200
_LEAST_DIGITS = 7
_SOCIAL_SECURITY_DIGITS = 9
_SOCIAL_SECURITY_SAMPLES = frozenset({"078051120", "219099999", "123456789"})


def is_reserved(value: str, entity: str) -> bool:
    """Whether a whole value of this kind belongs to nobody: reserved, never assigned, or published for tests.

    Args:
        value: the value in plain form.
        entity: its kind. Kinds without such values give False; so do passwords and PINs, which people do choose from examples.
    """
    check = _CHECKS.get(entity)
    if check is None or len(value) > _MOST_CHARS:
        return False
    return check(unicodedata.normalize("NFKC", value).strip())


def _is_host(text: str) -> bool:
    match = _HOST.fullmatch(text)
    if match is None:
        return False
    host = match["host"].rstrip(".").lower()
    if _is_address(host):
        return True
    labels = host.split(".")
    return labels[-1] in _TOP_LEVEL or ".".join(labels[-2:]) in _DOMAINS


def _is_mail(text: str) -> bool:
    name, at, host = text.rpartition("@")
    return bool(name and at) and _is_host(host)


def _is_address(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return any(address in network for network in _NETWORKS if network.version == address.version)


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _is_run(digits: str) -> bool:
    """One digit again and again, or digits that count up: 0000000, 1234567890."""
    steps = {(int(after) - int(before)) % 10 for before, after in pairwise(digits)}
    return len(digits) >= _LEAST_DIGITS and steps in ({0}, {1})


def _is_phone(text: str) -> bool:
    match = _PHONE.fullmatch(text)
    if match is None:
        return False
    digits = _digits(text)
    if match["abroad"] == "00":
        digits = digits.removeprefix("00")
    if _DRAMA.fullmatch(digits):
        return True
    if match["abroad"] is not None and not digits.startswith("1"):
        return False
    return _is_run(digits) or _is_run(digits.removeprefix("1")) or _NORTH_AMERICAN.fullmatch(text) is not None


def _is_social_security(text: str) -> bool:
    digits = _digits(text)
    if len(digits) != _SOCIAL_SECURITY_DIGITS:
        return False
    never_given = digits[:3] in ("000", "666") or digits[3:5] == "00" or digits[5:] == "0000"
    return never_given or digits in _SOCIAL_SECURITY_SAMPLES


_CHECKS: Mapping[str, Callable[[str], bool]] = {
    Entity.EMAIL_ADDRESS: _is_mail,
    Entity.URL: _is_host,
    Entity.IP_ADDRESS: _is_address,
    Entity.PHONE_NUMBER: _is_phone,
    Entity.CREDIT_CARD: lambda text: _digits(text) in _CARDS,
    Entity.US_SSN: _is_social_security,
    Entity.ORDER_NUMBER: lambda text: _is_run(_digits(text)),
    Entity.BANK_ACCOUNT: lambda text: _is_run(_digits(text)),
}
