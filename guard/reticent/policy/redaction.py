"""Replaces redacted spans in the four styles of a policy.

    redact = Redactor(RedactionStyle.HASH, key)
    redact(span, decision, value)                      # <EMAIL_ADDRESS_3fa9c2>

| style | looks like | what the reader learns |
|---|---|---|
| `tag` | `<EMAIL_ADDRESS>` | that something of this kind was here |
| `mask` | `████`, always four | that something was here: no kind, no length, no shape |
| `hash` | `<EMAIL_ADDRESS_3fa9c2>` | the kind, and which redactions under one key hide the same value |
| `surrogate` | `‹birch.3fa9@example.invalid›` | the same as from `hash`, in a readable form |

Of a span that begins in the prompt only the answer's part is replaced: `Call 555-` answered with `0100` becomes `Call
555-<PHONE_NUMBER>`. A value that the end of the answer cut short (a fragment) gets no token, because each place of the
cut would have another one. A fragment becomes `<PHONE_NUMBER>` or `‹phone number›`.

In the process a key holds for one conversation, if its calls name it. In `reticent serve` it holds for one request,
because requests name no conversation.

A value enters its replacement only through BLAKE2b under that key, over the value's normal form (`cue.normalize`), so
re-spellings agree. A draw that shares four letters or digits in a row with the value is repeated, so that not even
chance shows a part of the value. Fixed parts, such as `example.invalid` or `555-01`, are exempt. Tokens have 24 bits:
of 100 values of a kind, two share a token under 1 of 3,400 keys. Surrogates are fewer: 112 for card digits, 1,000 for
phone numbers, 262,144 for e-mail addresses. Equal surrogates do not prove equal values.

Surrogates are values that nobody has:

- `.invalid` of RFC 2606;
- 555-01xx, reserved for fiction, in area codes N9X, reserved for expansion and not assigned;
- check digits 00, which no IBAN has, under ZZ, which is no country;
- the test currency XTS of ISO 4217, and years from 2900 on;
- names of plants with the surname Sample.

Other kinds have no reserved range, so the form shows it: `SAMPLE_551090`, `ZZ 8318`, `X332`. A text that is read as
advice gets no invented value: a diagnosis becomes `‹diagnosis_3fa9c2›`. All surrogates are between `‹` and `›`, so
that no reader takes them for true.

A surrogate that is read again stays as it is. Under the same key a `Redactor` knows its own (`owns`) and puts them in
their own place, whatever was decided about them. Under a given key only 1 of 8 texts of that form is a surrogate, so a
host that is made to write values in that form is still judged. The span finder finds nothing in tags, masks and hashes.
For that the token is joined by `_`, because a name and a colon announce a value.

Not covered: the same value has the same token. So a person who can make the host say candidates can compare them with a
redacted value. Where that matters (`seal`), use `tag` or `mask`. A Markdown or HTML renderer may take a bare `<DOCTOR>`
for an element and show nothing. Escape it, or use `mask`.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from string import Formatter
from types import MappingProxyType

from reticent.policy.verdict import Decision
from reticent_detectors.entities import ENTITIES, UNDECIDED, Entity
from reticent_detectors.errors import InputError, PolicyError
from reticent_detectors.features.cue import normalize
from reticent_detectors.spans import Span

Redact = Callable[[Span, Decision, str], str]
"""Maps a span, its decision and its whole value to the replacement of the answer's part of it."""

MASK_CHAR = "█"
MASK_LENGTH = 4
LEAST_KEY_BYTES = 16

_OPEN, _CLOSE = "‹", "›"
_SHARED = 4  # letters or digits in a row that a drawn text may not share with the value
_TOKEN_CHARS = 6
_TRIES = 512
_OWN = 8  # texts of a surrogate's form, of which one is a surrogate under a given key


class RedactionStyle(StrEnum):
    """Says what replaces a redacted span.

    Attributes:
        TAG: its kind: `<EMAIL_ADDRESS>`.
        MASK: four marks, whatever the value: `████`.
        HASH: its kind and a keyed token: `<EMAIL_ADDRESS_3fa9c2>`.
        SURROGATE: a made-up value, keyed as well: `‹birch.3fa9@example.invalid›`.
    """

    TAG = "tag"
    MASK = "mask"
    HASH = "hash"
    SURROGATE = "surrogate"

    @property
    def links(self) -> bool:
        """Says whether a reader can tell that two redactions hide the same value."""
        return self in (RedactionStyle.HASH, RedactionStyle.SURROGATE)


def tag(span: Span, decision: Decision, value: str = "") -> str:
    """Writes the entity's name in angle brackets, as Presidio does: `<EMAIL_ADDRESS>`."""
    return f"<{span.entity}>"


def checked_mask_char(char: str) -> str:
    """Gives the character. Raises PolicyError unless it is one visible symbol or mark: no letter, digit or space."""
    if len(char) != 1 or unicodedata.category(char)[0] not in "PS":
        raise PolicyError(
            "mask_char must be one visible symbol or punctuation mark such as '█', '•' or '*', "
            f"got a text of length {len(char)}."
        )
    return char


@dataclass(frozen=True, slots=True)
class Redactor:
    """Replaces values under one key. It is a `Redact`, safe to share between choices and threads.

    Args:
        style: how a replaced value looks.
        key: key of the conversation or the request, at least 16 random bytes. The same key gives the same tokens.
        mask_char: what `mask` repeats four times.

    Raises:
        InputError: the key is too short.
        PolicyError: the mask character is not one visible mark.
    """

    style: RedactionStyle
    key: bytes = field(repr=False)
    mask_char: str = MASK_CHAR

    def __post_init__(self) -> None:
        if len(self.key) < LEAST_KEY_BYTES:
            raise InputError(
                f"A conversation key has at least {LEAST_KEY_BYTES} bytes, got {len(self.key)}; "
                "draw one with secrets.token_bytes(32)."
            )
        checked_mask_char(self.mask_char)
        object.__setattr__(self, "style", RedactionStyle(self.style))
        object.__setattr__(self, "key", hashlib.blake2b(self.key, digest_size=32, person=b"reticent.redact").digest())

    def __call__(self, span: Span, decision: Decision, value: str = "") -> str:
        """Gives the replacement of the answer's part of a span.

        `value` is its whole value, the prompt's part included.
        """
        if self.style is RedactionStyle.MASK:
            return self.mask_char * MASK_LENGTH
        if self.style is RedactionStyle.TAG or span.entity == UNDECIDED:
            return tag(span, decision)
        if self.style is RedactionStyle.HASH:
            token = "" if span.fragment else self._token(value, span.entity)
            return f"<{span.entity}_{token}>" if token else tag(span, decision)
        if self.owns(value, span.entity):
            return value[len(value) - (span.end - span.answer_start) :]
        drawn = "" if span.fragment else self._surrogate(value, span.entity)
        return f"{_OPEN}{drawn or _noun(span.entity)}{_CLOSE}"

    def owns(self, value: str, entity: str) -> bool:
        """Says whether `value` is a surrogate of this redactor, so nobody's data, which need not be judged."""
        inner = value.removeprefix(_OPEN).removesuffix(_CLOSE)
        return (
            self.style is RedactionStyle.SURROGATE
            and _shape(_template(entity)).fullmatch(inner) is not None
            and self._is_own(inner, entity)
        )

    def _is_own(self, surrogate: str, entity: str) -> bool:
        return self._digest("own", entity, surrogate)[0] % _OWN == 0

    def _digest(self, *parts: str) -> bytes:
        """Hashes parts of any length to 32 bytes, each with its number of bytes."""
        digest = hashlib.blake2b(key=self.key, digest_size=32)
        for part in parts:
            raw = part.encode("utf-8", "surrogatepass")
            digest.update(len(raw).to_bytes(8, "big") + raw)
        return digest.digest()

    def _draws(self, purpose: str, entity: str, form: str) -> Iterator[int]:
        """Yields numbers below 2^256 from the key and the value alone. Yields none for a value without a form."""
        seed = self._digest(purpose, entity, form).hex()
        for attempt in range(_TRIES if form else 0):
            yield int.from_bytes(self._digest(seed, str(attempt)), "big")

    def _token(self, value: str, entity: str) -> str:
        form = normalize(value, entity)
        known = _windows(form)
        for draw in self._draws("token", entity, form):
            token = f"{draw:064x}"[:_TOKEN_CHARS]
            if token != form and not _windows(token) & known:
                return token
        return ""

    def _surrogate(self, value: str, entity: str) -> str:
        form, template = normalize(value, entity), _template(entity)
        fixed = {window for literal, *_ in _parsed(template) for window in _windows(normalize(literal, ""))}
        known = _windows(form) - fixed
        for draw in self._draws("surrogate", entity, form):
            drawn = _fill(template, draw)
            if self._is_own(drawn, entity):
                core = normalize(drawn, "")
                if core != form and not _windows(core) & known:
                    return drawn
        return ""


# How surrogates look


@dataclass(frozen=True, slots=True)
class _TemplateField:
    """Describes a field of a template: one of `size` texts, all of which match `pattern`."""

    size: int
    at: Callable[[int], str] = field(repr=False)
    pattern: str


_PLANTS = (
    "Alder", "Aspen", "Bamboo", "Barley", "Beech", "Birch", "Bracken", "Cedar", "Chestnut", "Clover", "Cypress",
    "Elder", "Fennel", "Hawthorn", "Heather", "Hemlock", "Juniper", "Larch", "Lichen", "Linden", "Maple", "Mulberry",
    "Nettle", "Poplar", "Rowan", "Sedge", "Spruce", "Sycamore", "Thistle", "Walnut", "Willow", "Yarrow",
)  # fmt: skip
_PLANT = _TemplateField(len(_PLANTS), _PLANTS.__getitem__, "|".join(_PLANTS))
_PARTS: Mapping[str, _TemplateField] = MappingProxyType(
    {
        "Plant": _PLANT,
        "plant": _TemplateField(_PLANT.size, lambda i: _PLANTS[i].lower(), _PLANT.pattern.lower()),
        "area": _TemplateField(80, lambda i: f"{2 + i // 10}9{i % 10}", r"[2-9]9[0-9]"),
        "hex": _TemplateField(16**2, "{:02x}".format, "[0-9a-f]{2}"),
        "two": _TemplateField(100, "{:02}".format, "[0-9]{2}"),
        "four": _TemplateField(10**4, "{:04}".format, "[0-9]{4}"),
        "hundreds": _TemplateField(900, lambda i: str(100 + i), "[1-9][0-9]{2}"),
        "century": _TemplateField(100, lambda i: f"29{i:02}", "29[0-9]{2}"),
        "month": _TemplateField(12, lambda i: f"{i + 1:02}", "0[1-9]|1[0-2]"),
        "day": _TemplateField(28, lambda i: f"{i + 1:02}", "0[1-9]|1[0-9]|2[0-8]"),
    }
)
_TEMPLATES: Mapping[str, str] = MappingProxyType(
    {
        Entity.ADDRESS: "{hundreds} {Plant} Example Street, Sampletown, ZZ 00000",
        Entity.PHONE_NUMBER: "{area}-555-01{two}",
        Entity.EMAIL_ADDRESS: "{plant}.{hex}{hex}@example.invalid",
        Entity.BANK_ACCOUNT: "ZZ00 {four} {four}",
        Entity.TRANSACTION_AMOUNT: "XTS {hundreds}.{two}",
        Entity.UTILITY_BILL: "XTS {hundreds}.{two}",
        Entity.ORDER_NUMBER: "SAMPLE_{four}{two}",
        Entity.FLIGHT: "ZZ {four}",
        Entity.CREDIT_CARD_DIGITS: "X{hundreds}",
        Entity.DOCTOR: "{Plant} {Plant} Sample",
        Entity.HOSPITAL: "{Plant} {Plant} Sample Hospital",
        Entity.EMPLOYER: "{Plant} {Plant} Sample Company",
        Entity.APPOINTMENT_DATE: "{century}-{month}-{day}",
    }
)


def _noun(entity: str) -> str:
    nouns = (info.noun for info in ENTITIES.values() if info.entity == entity)
    return next(nouns, entity.replace("_", " ").lower())


def _template(entity: str) -> str:
    """Gives the kind's template. Diagnoses, medicines, most numbers and custom kinds have a token behind their noun."""
    noun = _noun(entity).replace("{", "{{").replace("}", "}}").replace(" ", "_")
    return _TEMPLATES.get(entity, f"{noun}_{{hex}}{{hex}}{{hex}}")


def _parsed(template: str) -> list[tuple[str, str | None]]:
    return [(literal, name) for literal, name, _, _ in Formatter().parse(template)]


def _fill(template: str, draw: int) -> str:
    out = ""
    for literal, name in _parsed(template):
        out += literal
        if name is not None:
            draw, index = divmod(draw, _PARTS[name].size)
            out += _PARTS[name].at(index)
    return out


def _shape(template: str) -> re.Pattern[str]:
    return re.compile(
        "".join(
            re.escape(literal) + ("" if name is None else f"(?:{_PARTS[name].pattern})")
            for literal, name in _parsed(template)
        )
    )


def _windows(form: str) -> set[str]:
    return {form[at : at + _SHARED] for at in range(len(form) - _SHARED + 1)}
