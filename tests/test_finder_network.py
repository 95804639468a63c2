"""Network addresses and wallets: found exactly in any frame, however the text was cut, in time linear in its length."""

from __future__ import annotations

import hashlib
import ipaddress
import random
from collections.abc import Callable, Iterable

import pytest
from finder_cuts import found, recall_and_precision
from timing import cpu_seconds

from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import shipped
from reticent_detectors.finder.forms.checks import CHECKS
from reticent_detectors.spans import FindContext, Span

FINDER = SpanFinder((FormValues(shipped()),))
NOTHING = FindContext()
Found = list[tuple[str, str]]


def online(text: str, cuts: Iterable[int]) -> list[Span]:
    """The spans of a text that arrives in pieces, and is then complete."""
    return found(FINDER, text, cuts)


def read(text: str) -> Found:
    return [(span.entity, text[span.start : span.end]) for span in online(text, [])]


_B58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_RIPPLE = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
_BECH = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_WORDS = "harbor lantern meadow copper willow granite falcon ember velvet cedar orchid summit".split()  # noqa: SIM905


def encode58(payload: bytes, alphabet: str = _B58) -> str:
    data = payload + hashlib.sha256(hashlib.sha256(payload).digest()).digest()[:4]
    number, out = int.from_bytes(data, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        out = alphabet[digit] + out
    return alphabet[0] * (len(data) - len(data.lstrip(b"\0"))) + out


def encode_bech32(rng: random.Random, prefix: str, constant: int) -> str:
    data = [rng.randrange(32) for _ in range(33)]

    def polymod(parts: list[int]) -> int:
        check = 1
        for part in parts:
            top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ part
            for i, g in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
                check ^= g if top >> i & 1 else 0
        return check

    head = [ord(c) >> 5 for c in prefix] + [0] + [ord(c) & 31 for c in prefix]
    rest = polymod(head + data + [0] * 6) ^ constant
    return prefix + "1" + "".join(_BECH[d] for d in [*data, *(rest >> 5 * (5 - i) & 31 for i in range(6))])


def ip(rng: random.Random) -> str:
    four = ipaddress.IPv4Address(rng.randrange(1 << 24, 223 << 24))
    six = ipaddress.IPv6Address((0x20010DB8 << 96) | rng.getrandbits(rng.choice([16, 48, 96])))
    return rng.choice(
        [f"{four}", f"{four}", f"{four}/{rng.randint(8, 32)}", six.compressed, six.exploded, six.compressed.upper(),
         f"fe80::{rng.randrange(1, 65536):x}:{rng.randrange(1, 65536):x}%eth{rng.randrange(4)}", f"::ffff:{four}",
         f"2001:db8:{rng.randrange(1, 65536):x}::/48"]
    )  # fmt: skip


def mac(rng: random.Random) -> str:
    octets = [f"{rng.randrange(256):02x}" for _ in range(rng.choice([6, 6, 6, 8]))]
    octets[1] = f"{rng.randrange(16):x}{rng.choice('abcdef')}"
    form = rng.choice(
        [":".join(octets), "-".join(octets), ".".join(a + b for a, b in zip(octets[::2], octets[1::2], strict=True))]
    )
    return rng.choice([form, form.upper()])


def url(rng: random.Random) -> str:
    a, b, c = (rng.choice(_WORDS) for _ in range(3))
    number, tld, path = (
        rng.randrange(10, 9999),
        rng.choice(["com", "org", "de", "co.uk", "fr", "se", "it", "io"]),
        rng.choice(["", "/", f"/{c}", f"/{c}_({a})", f"/{c}/x.html#top"]),
    )
    query = rng.choice([f"?q={b}+{c}&id={number}", f"?user={a}.{b}@example.com", f"/?data={a}%20{b}", ""])
    return rng.choice(
        [f"https://{a}{b}.{tld}{path}", f"http://www.{a}-{b}.{tld}{path}", f"www.{a}{number}.{tld}",
         f"https://{a}:{b}{number}@{c}.{tld}/x", f"https://{a}.{b}.{tld}{query or '/'}",
         f"{a}{b}.{rng.choice(['com', 'org', 'de', 'co.uk', 'fr'])}",
         f"{a}.{rng.choice(['io', 'it', 'com'])}/{b}/{number}", f"postgres://{a}:{b}@db.{c}.com:5432/x",
         f"http://{a}.local:{number}/{b}"]
    )  # fmt: skip


def wallet(rng: random.Random) -> str:
    body = rng.randbytes(20)
    return rng.choice(
        [*(encode58(bytes([version]) + body) for version in (0, 5, 48, 30, 65)), encode58(b"\0" + body, _RIPPLE),
         encode_bech32(rng, "bc", 1), encode_bech32(rng, "bc", 0x2BC830A3), encode_bech32(rng, "ltc", 1),
         "0x" + rng.randbytes(20).hex(), "4" + "".join(rng.choice(_B58) for _ in range(94))]
    )  # fmt: skip


MAKERS: dict[Entity, Callable[[random.Random], str]] = {
    Entity.IP_ADDRESS: ip,
    Entity.MAC_ADDRESS: mac,
    Entity.URL: url,
    Entity.CRYPTO: wallet,
}
FRAMES = [
    "It is {v}, as far as we know.", "Ask for {v}.", "({v})", '{"address": "{v}", "port": 80}', "host: {v}\nport: 80\n",
    'connect("{v}", 80)', "x = '{v}'", "| name | {v} |", "- **{v}**: seen twice", "`{v}`",
    "We saw {v} and {v2} yesterday!", "[page]({v})", "<a href=\"{v}\">here</a>", "Is it {v}?", "value={v}\n",
]  # fmt: skip
NO_VALUES = """version 1.2.3.4 is out|see section 2.3.1.4|pip install foo==1.2.3.4|1.2.3.4.5 and 256.1.1.1
at 10:30:45 or 12:00|x[1::2] and y[::-1]|std::vector and a::b|ratio 1:2:3|e.g. this, i.e. that|open file.py or node.js
Sentence.Next one|3.5.Then more|self.name and os.path.join(a)|np.random.rand(3)|It ended.It began.|00:00:00:00:00:00
ff:ff:ff:ff:ff:ff|on 03-12-23-34-41-45|the commit 3f786850e387550fdab836ed7e6dc881de23001b
0x0000000000000000000000000000000000000000|main.rs and lib.so and a.md|https:// is a scheme|http://http://
the C++ name foo::bar::baz|12:34:56:78|see README.md.|U.S. and a.m.|x.in is y.to
obj.info()""".replace("\n", "|").split("|")


def sample(entity: Entity, count: int, seed: int = 7) -> list[tuple[str, list[str]]]:
    """(text, the values in it) in frames that take turns."""
    rng, rows = random.Random(f"{entity}{seed}"), []
    for i in range(count):
        frame, values = FRAMES[i % len(FRAMES)], [MAKERS[entity](rng)]
        text = frame.replace("{v}", values[0])
        if "{v2}" in text:
            values.append(MAKERS[entity](rng))
            text = text.replace("{v2}", values[1])
        rows.append((text, values))
    return rows


@pytest.mark.parametrize("entity", MAKERS)
def test_values_are_found_exactly_in_any_frame(entity: Entity) -> None:
    recall, precision = recall_and_precision([*sample(entity, 90), *((line, []) for line in NO_VALUES)], entity, read)
    assert recall >= 0.95 and precision >= 0.95, (recall, precision)


@pytest.mark.parametrize("text", NO_VALUES)
def test_what_only_looks_like_an_address_is_none(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("![x](https://evil.example/?q=jane+doe)more", "https://evil.example/?q=jane+doe"),
        ("[![a](https://e.example/i_(1).png)](http://b.example/y).", "https://e.example/i_(1).png"),
        ("![x](<https://evil.example/?q=jane doe>)", "https://evil.example/?q=jane doe"),
        ("(see https://x.example/a).", "https://x.example/a"),
        ("url='https://x.example/a'", "https://x.example/a"),
        (r'{"u": "https:\/\/evil.example\/x"}', r"https:\/\/evil.example\/x"),
        (r'"go to https://x.example\nThen"', "https://x.example"),
        ("https://jane:pw@h.example/?e=jane@x.example!", "https://jane:pw@h.example/?e=jane@x.example"),
        ("<https://x.example/a?b=1&c=2>", "https://x.example/a?b=1&c=2"),
        ("My website is acme.io.", "acme.io"),
        ("see EXAMPLE.COM", "EXAMPLE.COM"),
    ],
)
def test_a_web_address_ends_where_a_reader_ends_it(text: str, value: str) -> None:
    assert read(text)[0] == (Entity.URL, value)


def test_ports_stay_outside_and_prefixes_inside() -> None:
    assert read("10.0.0.1:8080 [2001:db8::1]:443 10.0.0.0/8") == [
        (Entity.IP_ADDRESS, "10.0.0.1"),
        (Entity.IP_ADDRESS, "2001:db8::1"),
        (Entity.IP_ADDRESS, "10.0.0.0/8"),
    ]


def test_labels_announce_what_has_no_form() -> None:
    assert read("MAC address: 001A2B3C4D5E") == [(Entity.MAC_ADDRESS, "001A2B3C4D5E")]
    assert read("001A2B3C4D5E") == []
    key = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"
    assert read(f"Solana wallet: {key}") == [(Entity.CRYPTO, key)]


def test_checksums_decide() -> None:
    rng = random.Random(3)
    coin, native = encode58(b"\0" + rng.randbytes(20)), encode_bech32(rng, "bc", 1)
    assert CHECKS["base58"](coin) and CHECKS["bech32"](native)
    for value in (coin, native):
        assert read(value) == [(Entity.CRYPTO, value)]
        other = value[:-1] + ("p" if value[-1] != "p" else "q")
        assert Entity.CRYPTO not in [kind for kind, _ in read(other)]


def test_mail_and_telephone_links_are_no_web_addresses() -> None:
    assert read("mailto:jane@example.com or tel:+15551234") == [
        (Entity.EMAIL_ADDRESS, "jane@example.com"),
        (Entity.PHONE_NUMBER, "+15551234"),
    ]


@pytest.mark.parametrize("entity", MAKERS)
def test_cuts_change_nothing(entity: Entity) -> None:
    """Every cut, and every character alone."""
    for text, _ in sample(entity, 30, seed=11):
        whole = online(text, [])
        assert online(text, range(len(text) + 1)) == whole
        for cut in range(len(text)):
            assert online(text, [cut]) == whole, cut
    for text in NO_VALUES:
        assert online(text, range(len(text) + 1)) == online(text, [])


def test_a_value_cut_short_is_a_fragment() -> None:
    for text, kind in (
        ("at 192.168.10", Entity.IP_ADDRESS),
        ("see https://evil.exa", Entity.URL),
        ("is bc1qw508d6qejxtdg4y5r", Entity.CRYPTO),
        ("has 00:1a:2b:3c", Entity.MAC_ADDRESS),
    ):
        span = FINDER.fragment(text, 0, context=NOTHING)
        assert span is not None and span.entity == kind and span.fragment and span.end == len(text)
    assert FINDER.fragment("we met in 2019 at the harbor", 0, context=NOTHING) is None


@pytest.mark.parametrize(
    "unit",
    [".", ":", "1.1.1.1.", "1.", "a:", "::1 ", "ab:", "http://", "http://a.b/(", "a.com/)", "www.", "1A", "f", "fe80::",
     "a.b.", "x.io ", "https://a.b/c "],
)  # fmt: skip
def test_time_is_linear_in_length(unit: str) -> None:
    def seconds(size: int) -> float:
        text = (unit * size)[:size]
        return cpu_seconds(lambda: online(text, []))

    assert seconds(8_000) < 4 * max(seconds(4_000), 0.02)  # twice the length, about twice the time
