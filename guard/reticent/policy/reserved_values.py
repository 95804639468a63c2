"""Recognises values that belong to nobody: reserved for examples, never assigned, or published as test data.

A model writes them wherever it needs an example: `john@example.com`, 555-0100, 192.0.2.1, 4242 4242 4242 4242. They
pass where the base says them as surely (`pretrained`), whatever their kind. Only a whole value without room for
somebody's data counts. A link with a query, a name and password before a host, or an order number do not.

Addresses of private networks are separate (`is_of_private_network`), as many networks have the same ones.

Sources: RFC 2606 and 6761 (domains), RFC 5737, 3849, 1918, 3927, 4193 and 4291 (addresses), the North American
Numbering Plan (555), Ofcom (numbers for drama), the Social Security Administration (numbers never assigned), and the
test cards that payment processors publish. The module uses the standard library alone.

Not covered: placeholders in words (`<your name>`, "Jane Doe"); numbers reserved in other countries' plans; forms of the
numbers above that another country assigns (`555 123 4567` is one of Turkey's, `0163 2960123` one of Germany's).
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Callable, Mapping

from reticent_detectors.entities import Entity

_DOMAINS = ("example.com", "example.net", "example.org", "example.edu")
_TOP_LEVEL = ("example", "test", "invalid", "localhost")
_HOST = r"(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*)"
_LINK = re.compile(rf"(?:https?://)?{_HOST}(?::\d{{1,5}})?(?:/[a-z]{{1,16}}){{0,2}}/?", re.IGNORECASE)
_MAIL = re.compile(rf"(?:mailto:)?[\w.+-]{{1,64}}@{_HOST}", re.IGNORECASE)
_NETWORKS = tuple(
    ipaddress.ip_network(text)
    for text in (
        *("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "127.0.0.0/8", "0.0.0.0/32", "255.255.255.255/32"),
        *("2001:db8::/32", "::1/128", "::/128"),
    )
)
_PRIVATE_NETWORKS = tuple(
    ipaddress.ip_network(text)
    for text in ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10")
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
_NORTH_AMERICAN = re.compile(
    r"(?:\+?1[ .-])?(?:\((?P<a>\d{3})\) ?|(?P<b>\d{3})[.-])(?P<exchange>\d{3})[.-](?P<line>\d{4})"
    r"|\+1 (?P<c>\d{3}) (?P<exchange_c>\d{3}) (?P<line_c>\d{4})"
)
"""Matches a form in which nobody writes the numbers of another country."""
_LOCAL = re.compile(r"555[.-]01\d\d")
_TOLL_FREE = re.compile(r"8(?:00|33|44|55|66|77|88)")
_PLACEHOLDERS = frozenset({"1234567890", "1111111111", "0000000000"})
"""Digits that no country assigns. Mexico does assign 55 5555 5555, and Malaysia 012-345 6789."""
_PLAIN = re.compile(r"(?:\+1[ .-]?|1[ .-])?(?P<number>\(?\d{3}\)?[ .-]?\d{3}[ .-]?\d{4})")
_DRAMA = re.compile(
    r"(?:\+|00)44(?:(?:11[3-8]|1[2-6]1)4960|1914980|2079460|2896496|2920180|1632960|7700900|8081570|9098790"
    r"|3069990)\d{3}"
)
_MOST_CHARS = 200
_SOCIAL_SECURITY_DIGITS = 9
_SOCIAL_SECURITY_SAMPLES = frozenset({"078051120", "219099999", "123456789"})


def is_reserved(value: str, entity: str) -> bool:
    """Says whether a whole value of this kind belongs to nobody: reserved, never assigned, or published for tests.

    Args:
        value: the value in plain form.
        entity: the kind of the value. Kinds without such values give False. So do passwords and PINs, as people choose
            them from examples.
    """
    check = _CHECKS.get(entity)
    if check is None or len(value) > _MOST_CHARS:
        return False
    return check(unicodedata.normalize("NFKC", value).strip())


def _is_host(host: str) -> bool:
    labels = host.lower().split(".")
    return labels[-1] in _TOP_LEVEL or ".".join(labels[-2:]) in _DOMAINS or _is_address(host)


def _is_link(text: str) -> bool:
    match = _LINK.fullmatch(text)
    return match is not None and _is_host(match["host"])


def _is_mail(text: str) -> bool:
    match = _MAIL.fullmatch(text)
    return match is not None and _is_host(match["host"])


def is_of_private_network(value: str, entity: str) -> bool:
    """Says whether a whole value is an address that is used within networks alone."""
    return entity == Entity.IP_ADDRESS and _is_address(value.strip(), _PRIVATE_NETWORKS)


def _is_address(text: str, networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = _NETWORKS) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return any(address in network for network in networks if network.version == address.version)


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _is_phone(text: str) -> bool:
    if _LOCAL.fullmatch(text) or _DRAMA.fullmatch(re.sub(r"[\s().-]", "", text)):
        return True
    plain = _PLAIN.fullmatch(text)
    if plain is not None and _digits(plain["number"]) in _PLACEHOLDERS:
        return True
    match = _NORTH_AMERICAN.fullmatch(text)
    if match is None:
        return False
    area, exchange, line = (
        match["a"] or match["b"] or match["c"],
        match["exchange"] or match["exchange_c"],
        match["line"] or match["line_c"],
    )
    return area == "555" or (exchange == "555" and line.startswith("01") and not _TOLL_FREE.fullmatch(area))


def _is_social_security(text: str) -> bool:
    digits = _digits(text)
    if len(digits) != _SOCIAL_SECURITY_DIGITS:
        return False
    never_given = digits[:3] in ("000", "666") or digits[3:5] == "00" or digits[5:] == "0000"
    return never_given or digits in _SOCIAL_SECURITY_SAMPLES


_CHECKS: Mapping[str, Callable[[str], bool]] = {
    Entity.EMAIL_ADDRESS: _is_mail,
    Entity.URL: _is_link,
    Entity.IP_ADDRESS: _is_address,
    Entity.PHONE_NUMBER: _is_phone,
    Entity.CREDIT_CARD: lambda text: _digits(text) in _CARDS,
    Entity.US_SSN: _is_social_security,
}
