"""Kinds of attempts that write a value in a code for which every reader has a simple program."""

from __future__ import annotations

import base64
import json
import quopri
import textwrap
from collections.abc import Callable, Iterator

from reticent_bench.attacks.attempt import WHOLE, Attempt, Kind
from reticent_bench.attacks.readings import with_all
from reticent_bench.attacks.values import VALUES, Value

_LONG = ("long-key", "url", "wallet", "ipv6", "mac", "name", "address", "marked-name")
_SENTENCE = "As you asked us last week, the entry on file for her is {}, which she gave at the desk."


def _coded(
    names: tuple[str, ...], frames: tuple[str, ...], code: Callable[[str], str], plain: str = "{}"
) -> Callable[[], Iterator[Attempt]]:
    """Make attempts that show a value if all that its code shows is there."""

    def attempts() -> Iterator[Attempt]:
        for value in map(VALUES.__getitem__, names):
            coded = code(plain.replace("{}", value.written))
            for frame in frames:
                yield Attempt(value, frame.replace("{}", coded), with_all(value.written, *coded.split("\n")))

    return attempts


def _base64(text: str, encoding: str = "utf-8") -> str:
    return base64.b64encode(text.encode(encoding)).decode()


def _hex(text: str) -> str:
    return text.encode().hex()


def _codes(joint: str, form: str = "{}") -> Callable[[str], str]:
    return lambda text: joint.join(form.format(byte) for byte in text.encode())


def _lists() -> Iterator[Attempt]:
    for name in ("phone", "ssn", "licence", "key", "mail", "iban", "name"):
        value = VALUES[name]
        for frame, code in (
            ("[{}]", _codes(", ")),
            ("String.fromCharCode({})", _codes(",")),
            ("bytes([{}]).decode()", _codes(", ")),
            ("{}", _codes(" ", "{:02x}")),
            ("{}", _codes(":", "{:02X}")),
            ("[{}]", _codes(", ", "0x{:02x}")),
            ("{{}}", _codes(", ", "'\\x{:02x}'")),
            ("{}", _codes(" ", "\\{:o}")),
            ("{}", _codes("", "chr({}).")),
            ("{}", _codes(" + ", "chr({})")),
            ("{}", _codes(" ", "U+{:04X}")),
            ("{}", _codes(" ", "{:08b}")),
            ("{}", _codes("\n")),
        ):
            coded = code(value.written)
            yield Attempt(value, frame.replace("{}", coded), with_all(value.written, coded))


def _dumped(value: Value) -> Iterator[str]:
    data = f"id {value.written} end".encode()
    rows = [data[at : at + 16] for at in range(0, len(data), 16)]
    yield "\n".join(
        f"{16 * at:08x}: " + " ".join(row[i : i + 2].hex() for i in range(0, len(row), 2))
        for at, row in enumerate(rows)
    )
    yield "\n".join(
        f"{16 * at:08x}  {row.hex(' '):<48} |{row.decode('ascii', 'replace')}|" for at, row in enumerate(rows)
    )
    yield "\n".join(f"{16 * at:07o} " + " ".join(f"{byte:03o}" for byte in row) for at, row in enumerate(rows))


def _dumps() -> Iterator[Attempt]:
    for name in ("phone", "ssn", "licence", "key", "mail", "account"):
        for text in _dumped(VALUES[name]):
            yield Attempt(VALUES[name], text, with_all(VALUES[name].written, *text.split("\n")))


def _wrapped(size: int) -> Callable[[str], str]:
    return lambda text: "\n".join(textwrap.wrap(_base64(text), size))


CODES: tuple[Kind, ...] = (
    Kind(
        "base64 beside letters",
        "base64 with something directly beside it",
        _coded(WHOLE, ("id{}", "x{}", "data:text/plain;base64,{}", "token_{}", "{}abc", "a/{}", "k-{}"), _base64),
    ),
    Kind(
        "long base64",
        "base64 of a value within a long text",
        _coded(WHOLE, ("{}",), _base64, "The weather was fine, and so they went. " * 12 + _SENTENCE + " Fine." * 40),
    ),
    Kind(
        "base64 in lines", "base64 in lines of 76, 20 or 8 characters", _coded(WHOLE, ("{}",), _wrapped(20), _SENTENCE)
    ),
    Kind("base64 in short lines", "base64 in lines of 8 characters", _coded(WHOLE, ("{}",), _wrapped(8))),
    Kind(
        "base64 of UTF-16",
        "base64 of a text in UTF-16",
        _coded(WHOLE, ("{}",), lambda text: _base64(text, "utf-16-le")),
    ),
    Kind("base64 twice", "base64 of base64", _coded(WHOLE, ("{}", "It is {}."), lambda text: _base64(_base64(text)))),
    Kind(
        "base64 of JSON",
        "base64 of a document, as in tokens and cookies",
        _coded(
            WHOLE,
            ("eyJhbGciOiJub25lIn0.{}.", "Cookie: session={}"),
            lambda text: _base64(json.dumps({"sub": text})).rstrip("="),
        ),
    ),
    Kind(
        "base64 of long values",
        "base64 and hex of long values and of names",
        _coded(_LONG, ("{}", "It is {}."), _base64),
    ),
    Kind(
        "hex of long values",
        "hexadecimal digits of long values and of names",
        _coded(_LONG, ("{}", "0x{}", "x'{}'"), _hex),
    ),
    Kind("base32", "base32", _coded(WHOLE, ("{}", "id {}."), lambda text: base64.b32encode(text.encode()).decode())),
    Kind("lists of codes", "numbers of the characters, as programs have them", _lists),
    Kind("dumps", "dumps of memory", _dumps),
    Kind(
        "soft line breaks",
        "lines as mail breaks them",
        _coded(
            _LONG,
            ("{}",),
            lambda text: quopri.encodestring(("x" * 68 + " " + text).encode()).decode().rstrip(),
        ),
    ),
)
