"""Values in a code: base64, hexadecimal, reversed, ROT13."""

from __future__ import annotations

import base64
import binascii
import codecs
import re

from reticent_detectors.finder.disguises.candidate import REGION_CHARS
from reticent_detectors.finder.disguises.months import TURNED
from reticent_detectors.finder.disguises.reading import Reading
from reticent_detectors.finder.engine.recognizers import OPEN
from reticent_detectors.finder.word_sets import word_set

_LEAST_BASE64 = 8
_BASE64 = re.compile(rf"[A-Za-z0-9+/_-]{{{_LEAST_BASE64},{REGION_CHARS}}}")
_BASE64_MIX = re.compile(r"(?=[A-Za-z]*+$)(?=[A-Z]*+[a-z])(?=.+[A-Z])|(?=.*[0-9])(?=.*[A-Za-z])")
_HEX = re.compile(r"(?:0[xX])?[0-9A-Fa-f]{2}(?:(?:, ?|[ :-])?(?:0[xX])?[0-9A-Fa-f]{2})*")
_HEX_GROWS = re.compile(r"(?:, ?|[ :-])?(?:0[xX]?)?[0-9A-Fa-f]?")
_HEX_BEFORE = re.compile(r"(?:(?:0[xX])?(?:[0-9A-Fa-f]{2}){1,2}(?:, ?|[ :-])){3}$")
_HEX_FIRST = "0234567"
_LEAST_HEX_BYTES = 6
_LAST_GAP = re.compile(r"(?<![, :-])[, :-]++(?:0[xX])?+[0-9A-Fa-f]*+$")
_HEX_DIGITS = re.compile(r"(?:0[xX])?([0-9A-Fa-f]{2})")
_PRINTABLE = re.compile(r"[^\W_]|[ -~\n\t]")
_URL_SAFE = str.maketrans("-_", "+/")


def base64_readings(text: str, p: int, closed: bool) -> list[Reading] | int:
    """Gives the text that a run of base64 at p stands for, as one piece; OPEN while the run may grow; []."""
    run = _BASE64.match(text, p)
    if run is None:
        return []
    end = run.end()
    padded = min(end + 2, len(text))
    while end < padded and text[end] == "=":
        end += 1
    if end == len(text) and not closed and run.end() - p < REGION_CHARS:
        return OPEN
    code = run[0].translate(_URL_SAFE)
    if not _BASE64_MIX.match(code):
        return []
    code = code[: len(code) - (len(code) % 4 == 1)]
    try:
        plain = base64.b64decode(code + "=" * (-len(code) % 4), validate=True)
    except (binascii.Error, ValueError):
        return []
    return _opaque(plain, end)


def hex_readings(text: str, p: int, closed: bool) -> list[Reading] | int:
    """Gives the text that a run of hexadecimal bytes at p stands for, as one piece; OPEN while the run may grow; []."""
    if text[p] not in _HEX_FIRST or _HEX_BEFORE.search(text, max(0, p - 24), p):
        return []
    limit = min(len(text), p + REGION_CHARS)
    code = _HEX.match(text, p, limit)
    end = code.end() if code else p
    if not closed and limit < p + REGION_CHARS and _HEX_GROWS.fullmatch(text, end, limit):
        return OPEN
    if code is None:
        return []
    if end < limit and text[end].isalnum():
        # The next word began with letters of a byte.
        gap = _LAST_GAP.search(text, p, end)
        if gap is None:
            return []
        end = gap.start()
    pairs = _HEX_DIGITS.findall(text, p, end)
    return _opaque(bytes.fromhex("".join(pairs)), end) if len(pairs) >= _LEAST_HEX_BYTES else []


_FIRST_BYTES = re.compile(r"(?:[0-9A-Fa-f]{2} ){5}")


def amid_hex(text: str, p: int) -> bool:
    """Whether hexadecimal bytes with blanks between stand around p, letters among them."""
    if _HEX_BEFORE.search(text, max(0, p - 24), p):
        return True
    first = _FIRST_BYTES.match(text, p)
    return first is not None and not first[0].replace(" ", "").isdigit()


_BASE64_BEFORE = re.compile(r"[A-Za-z0-9+/_-]*$")


def run_start(text: str, p: int) -> int:
    """Gives where the run of base64 around p begins."""
    before = _BASE64_BEFORE.search(text, max(0, p - REGION_CHARS), p)
    return before.start() if before is not None else p


def is_prose(plain: str) -> bool:
    """Whether a decoded text is words, as sentences have them, and no key: bytes of a key never spell three words."""
    blanks = plain.count(" ")
    return blanks >= 2 and sum(map(str.isalpha, plain)) + blanks >= 0.75 * len(plain)


def _opaque(code: bytes, end: int) -> list[Reading]:
    """Gives the text of the bytes, if they are text; a last character that was cut is left out."""
    plain = code.decode("utf-8", "replace").rstrip("\ufffd")
    if len(plain) < 4 or "\ufffd" in plain or len(_PRINTABLE.findall(plain)) < len(plain):
        return []
    return [Reading(plain, [end] * len(plain), whole=True)]


_TOKEN_END = re.compile(r"[.,;:!?'\"]*(?= |$)")
_MAIL_TLD = re.compile(r"@[\w-]+(?:\.[\w-]+)*\.([A-Za-z]{2,12})$")
_COMMON_TLDS = word_set(
    """com org net edu gov mil info biz io co me app dev ai de fr es it pt br uk us ca au nl be ch at se no dk fi pl
    ru cn jp in mx ar example test"""
)
_MAY_TURN = re.compile(
    r"@|[0-9](?:[^0-9@]*[0-9]){7}|//:|://|\.www\b|\b[jJ]{3}\.|(?:[0-9n-sN-S]{2}[:-]){5}|(?:[0-9n-sN-S]{1,4}:){2}"
)
_HINT = re.compile(r"[@:jJ0-9]|/\.|www")
_DAY = re.compile(r"[0-9]")
_NAME = re.compile(r"[^\W\d_]{3,10}")
_MOST_ENDS = 10


_BEFORE_TURNED = re.compile(r"(?:^|[\s(\[\"'“‘«„:*`_|,;=>])$")
# Two groups, perhaps with marks or signs, and with blanks of any sort between.
_GROUPS_BEFORE = re.compile(
    r"[0-9][^\w\s]?[ \t\u00a0\u202f-][^\w\s]{0,3}[0-9]{1,12}(?:[.,/:][0-9]{1,12}){0,3}[^\w\s]?[ \t\u00a0\u202f]"
    r"[^\w\s]{0,3}$"
)


def may_stand_turned(text: str, p: int) -> bool:
    """Whether a value in reverse or in ROT13 may begin at p: not inside a token or amid groups of digits."""
    if p and not _BEFORE_TURNED.search(text, p - 1, p):
        return False
    return not _GROUPS_BEFORE.search(text, max(0, p - 32), p)


def may_turn(text: str, p: int, end: int) -> bool:
    """Whether text[p:end] has what a value in reverse or in ROT13 has."""
    if _HINT.search(text, p, end) is None:
        return False
    if _MAY_TURN.search(text, p, end) is not None:
        return True
    return _DAY.search(text, p, end) is not None and any(name.lower() in TURNED for name in _NAME.findall(text, p, end))


_FORWARDS = re.compile(
    r"[0-9]+|[0-9]{1,3}(?:[.,][0-9]{3})+|[0-9]+[A-Za-z]{1,4}|[0-9]+[.,][0-9]+(?:\s[0-9]+[.,][0-9]+)*|[0-9]+(?:\s[0-9]+)+"
)


_LEAST_CHECKED = 13
"""Digits from which on a number may be a card or an account with check digits."""


def _as_likely_forwards(value: str) -> bool:
    """Tell whether a value is a plain number, which is as likely itself as in reverse: digits, decimals, a row."""
    return _FORWARDS.fullmatch(value) is not None and sum(map(str.isdigit, value)) < _LEAST_CHECKED


def turned_readings(first: Reading) -> list[Reading]:
    """Gives a candidate in reverse, for each word that the value may end with, the longest first."""
    plain, found = first.plain, list[Reading]()
    ends = [] if plain.startswith(("0x", "0X")) else [match.start() for match in _TOKEN_END.finditer(plain)]
    for end in ends[: -_MOST_ENDS - 1 : -1]:
        # A shorter one has no more of a value in reverse.
        if not end or not may_turn(plain, 0, end):
            break
        if not _as_likely_forwards(plain[:end]):
            found.append(Reading(plain[end - 1 :: -1], [first.ends[end - 1]] * end))
    return found


_SCHEME = re.compile(r"(?i)\b(?:https?|ftps?|file|wss?)://")


def rot13_readings(first: Reading) -> list[Reading]:
    """Gives the candidate with each letter 13 places on."""
    if not any(c.isalpha() for c in first.plain) or _SCHEME.search(first.plain):
        return []
    return [first._replace(plain=codecs.encode(first.plain, "rot13"))]


def common_tld(mail: str) -> bool:
    """Whether an e-mail address ends as many do: then it is no disguised one."""
    match = _MAIL_TLD.search(mail)
    return match is not None and match[1].lower() in _COMMON_TLDS
