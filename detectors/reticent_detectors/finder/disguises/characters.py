"""Values whose characters are written otherwise: other letters and digits, escapes, marks and breaks between them.

`region` says how far a candidate reaches, `fold` reads it as plain text. A plain character keeps the place where its source ends,
so that what is found in the plain text has an exact end in the original.
"""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache
from typing import Any, NamedTuple

import regex

from reticent_detectors.finder.disguises.months import is_month, may_be_month
from reticent_detectors.finder.engine.recognizers import NONE, OPEN

REGION_CHARS = 256
_MOST_GROUPS = 16


class Reading(NamedTuple):
    """A disguised text in plain characters.

    Args:
        plain: the text.
        ends: for each character of `plain`, where its source ends in the original, in characters.
        broken: how many characters of `plain` stand before the first line break that was left out; -1: there is none.
        whole: the original is one piece, a value anywhere in `plain` takes all of it.
    """

    plain: str
    ends: list[int]
    broken: int = -1
    whole: bool = False

    def __repr__(self) -> str:
        return f"Reading(<{len(self.plain)} chars>)"


# Between characters, and not seen: soft hyphen, joiners, direction marks, fillers, variation selectors, tags, combining marks.
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff"
    "\uffa0\U000e0000-\U000e0fff\u0300-\u034e\u0350-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
)
SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000"
# Scripts written without spaces between words: a value of ours does not go on in them, and they must not be held back.
_UNSPACED = (
    "\u0e01-\u0e4f\u0e5a-\u0ecf\u0eda-\u0eff\u1000-\u103f\u104a-\u109f\u1780-\u17df\u3001\u3003-\u3163\u3165-\u9fff"
    "\ua960-\ua97f\uac00-\ud7ff\uff65-\uff9f\U00020000-\U0003ffff"
)
_ALIKE: tuple[tuple[str, str], ...] = (
    ("авгеиікмнопрстухѕјһԁԛԝӏѵьё", "abreuikmhonpctyxsjhdqwlvbe"),
    ("АВЕКМНОРСТУХЅІЈԌԚԜѴЗзЧбҮӨ", "ABEKMHOPCTYXSIJGQWV3346YO"),
    ("αβγειικνορτυχωηϲϳσ", "abyeiikvoptuxwncjo"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ABEZHIKMNOPTYXCJ"),
    ("ոսհօցյզգԱՏՕԼ", "nuhogjqqUSOL"),
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqqrstuvwyz"),
    ("ıɡɑɩʋɴƅƽɐ", "igaivnb5a"),
    ("ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCDEGHJKLMPRSTVWZ"),
    ("‐‑‒–—―⁃−˗➖⸺", "-----------"),
    ("․·•∙⋅。۔｡", "........"),
    ("⁄∕⧸╱", "////"),
    ("∶꞉ː׃", "::::"),
    ("‚٫٬،", ",..,"),
    ("ⓐ⒜", "aa"),
)
LOOKALIKES: dict[str, str] = {odd: plain for odds, plains in _ALIKE for odd, plain in zip(odds, plains, strict=True)}
# Letters in squares, in black circles and as flags have no plain form in Unicode; each row is an alphabet.
_ALPHABETS = (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)

STARTS = "&\\\\%=\uff08\uff0b\u24b6-\u24e9\u249c-\u24b5\U0001f110-\U0001f1ff"
"""Symbols that a disguised value may begin with, beyond those that the finder tries anyway; the inside of a `re` set."""

_SOFT = r"A-Za-z0-9@.,:;!?'()/+#$_\-"
_PERCENT = r"%[0-7][0-9A-Fa-f]|(?:%[89A-Fa-f][0-9A-Fa-f]){2,4}"
_QUOTED = r"=[0-7][0-9A-F]|(?:=[89A-F][0-9A-F]){2,4}"
_ESCAPE = (
    r"&\#[0-9]{1,7};|&\#[xX][0-9A-Fa-f]{1,6};|&[A-Za-z]{2,10};|\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]{1,6}\}|\\U[0-9A-Fa-f]{8}"
    rf"|\\x[0-9A-Fa-f]{{2}}|\\(?:_|[^\w\s])|{_PERCENT}|{_QUOTED}"
)
_TAG = (
    r"</?(?:a|b|big|bdi|bdo|code|del|em|font|i|ins|kbd|mark|s|small|span|strong|sub|sup|tt|u|var|wbr)(?: [^<>\n]{0,60})?/?>"
    r"|<!--[^<>\n]{0,40}-->"
)
_MARKS = r"\*{1,3}|`{1,3}|~~|__"
_SOFT_BREAK = r"=\r?\n"
_ODD_CHAR = rf"(?![{_UNSPACED}])[^\x00-\x7f\u0085\u2028\u2029]"
# What addresses and passwords have beside: a mark that is no escape.
_BARE = r"[&=~%^]"
_TOKEN = re.compile(rf"(?i:(?:[{_SOFT}]|{_ESCAPE}|{_TAG}|{_MARKS}|{_SOFT_BREAK}|{_ODD_CHAR}|{_BARE})+)")
_UNIT = re.compile(
    rf"(?is)(?P<drop>{_TAG}|{_MARKS}|{_SOFT_BREAK}|[{_UNSEEN}]+)|(?P<soft>[{_SOFT}]+)|(?P<escape>{_ESCAPE})"
    r"|(?P<line> ?\r?\n[ \t>]{0,8})|(?P<char>.)"
)
_HEAD = re.compile(rf"(?i:{_ESCAPE}|{_SOFT_BREAK}|~~)")
_UNFINISHED: Any = regex.compile(rf"(?i){_ESCAPE}|{_TAG}|{_MARKS}|{_SOFT_BREAK}")
LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
OTHER_LETTERS = "\u0370-\u03ff\u0400-\u0481\u048a-\u04ff\u0531-\u0587\u05d0-\u05ea\u0620-\u064a"
"""Letters that ordinary words have: not odd unless one word mixes them."""
_LETTER = LATIN + OTHER_LETTERS
_ODD = re.compile(
    rf"[^\x00-\x7f{_LETTER}]|[0-9@{LATIN}][-./]?[{OTHER_LETTERS}]|[{OTHER_LETTERS}][-./]?[0-9@{LATIN}]|&(?:#|[A-Za-z]{{2,10}};)|\\|%[0-9A-Fa-f]{{2}}|=[0-9A-F]{{2}}|=\r?\n"
    r"|[\u0391-\u03a9\u0410-\u042f]{2} [0-9]|[*`~]|__|</?[A-Za-z!]|\d_|_\d|\d[OolI]|[OolI]\d"
)
_ASCII_DIGIT = re.compile(r"[0-9]")
_MONTH_WORD = re.compile(r"[^\W\d_]{1,24}")
_DAY_BEHIND = re.compile(
    r"(?<![\w.,])[^\W_]{1,2}(?:[*`~_]{1,3}|</?[a-z]{1,6}>)?(?:st|nd|rd|th|er|[.ºª°])?(?:[*`~_]{1,3}|</[a-z]{1,6}>)?$"
)
_OF = re.compile(r"(?:of|de|del|d['’]) ?")
_BREAKABLE = re.compile(rf"[0-9@]|[A-Za-z0-9][._][A-Za-z0-9]|[^\x00-\x7f{_LETTER}]")
_SENTENCE_END = re.compile(r"[,;:!?'\")]$")
# What ends with a colon inside an address of the web or of a network.
_ADDRESS_COLON = re.compile(r"(?:(?i:https?|ftp)|(?:[0-9A-Fa-f]{1,4}:)+[0-9A-Fa-f]{0,4}):$")
_GAP = re.compile(r" ?\r?\n[ \t>]{0,8}| ")
_DIGIT_ALIKE = "ОοΟЗ"
_ORDINARY_ODD = re.compile(rf"[{_LETTER}{_UNSPACED}\u2010-\u2027\u2030-\u2046]")


def region(text: str, p: int, closed: bool) -> int:
    """The end of the candidate at p, at most 256 characters; OPEN while more text could lengthen it; NONE if none begins.

    A candidate is a word and, if it holds a digit or something odd, the words after it as long as each begins like a group of a value.
    """
    limit = min(len(text), p + REGION_CHARS)
    more = not closed and limit < p + REGION_CHARS
    end = p
    if text[p] in "&=~%^" and not _HEAD.match(text, p, limit):
        return OPEN if more and _cut(text, p) else NONE
    for _ in range(_MOST_GROUPS):
        token = _TOKEN.match(text, end, limit)
        if token is None:
            return OPEN if more and _cut(text, end) else (end if end > p else NONE)
        end = token.end()
        if end == limit:
            return OPEN if more else end
        if more and _cut(text, end):
            return OPEN
        gap = _GAP.match(text, end, limit)
        if gap is None:
            # A carriage return may be the first half of a line break.
            return OPEN if more and text[end:limit] in ("\r", " \r") else end
        line = gap[0] != " "
        last = text[token.start() : end]
        after = gap.end()
        if more and text[after:limit] in ("", "\r"):
            return OPEN
        if after >= limit:
            return end
        joined = _month_goes_on(last, text, after, limit) if line else False
        if joined is None and more:
            return OPEN
        if joined:
            end = after
            continue
        if not _leads_on(text, p, token.start(), end, after, line):
            return end
        goes_on = _begins_group(text, p, end, after, limit, line)
        if goes_on is None and more:
            return OPEN
        if not goes_on:
            return end
        end = after
    return end


def _leads_on(text: str, p: int, start: int, end: int, after: int, line: bool) -> bool:
    """Whether the candidate text[p:end], whose last token begins at `start`, is of a kind that goes on behind a gap."""
    last = text[start:end]
    if line:
        return (
            (text[after] == "@" and last[-1].isalnum())
            or bool(_BREAKABLE.search(last) and _breaks(last))
            or is_month(letters(last))
        )
    if text[after].isdigit():
        capitals = len(last) <= 3 and last.isupper()
        return capitals or _warm(text, p, end) or not text[after].isascii() or is_month(letters(last.rstrip(".,")))
    return _warm(text, p, end)


def _breaks(token: str) -> bool:
    """Whether a line may break behind this part of a value."""
    if _SENTENCE_END.search(token):
        return _ADDRESS_COLON.search(token) is not None
    return token[-1] != "." or "@" in token or token[-2:-1].isdigit()


def _warm(text: str, p: int, end: int) -> bool:
    return bool(_ASCII_DIGIT.search(text, p, end)) or bool(_ODD.search(text, p, end))


def _begins_group(text: str, p: int, end: int, after: int, limit: int, line: bool) -> bool | None:
    """Whether a group of the value text[p:end] may begin at `after`; None: the next characters will tell."""
    char = text[after]
    if char.isdigit() or char in "()+&\\%=<*`~@" or char in _DIGIT_ALIKE:
        return True
    if char == ",":
        return None if after + 1 >= limit else text[after + 1].isdigit() or (line and text[after + 1] == " ")
    if line:
        return char.isalnum() or char in "-.@_/:"
    month = text[end - 1] not in ",;:" and _begins_month(text, p, end, after, limit)
    if month is None or month:
        return month
    if ord(char) > 0x7F:
        return not _ORDINARY_ODD.match(char) and folded(char) is not None
    if char.isupper():
        if after + 1 >= limit:
            return None
        following = text[after + 1]
        # A letter alone ends the number of an identity card.
        alone = not following.isalnum() and (text[p : p + 2].isupper() or _ODD.search(text, p, end) is not None)
        return following.isupper() or following.isdigit() or alone
    return False


def _begins_month(text: str, p: int, end: int, after: int, limit: int) -> bool | None:
    """Whether the name of a month begins at `after`, or a year behind its name ("de 2025"), with the day or the month before it."""
    is_day, is_behind = _DAY_BEHIND.search(text, max(p, end - 20), end), False
    tie = _OF.match(text, after, limit)
    if tie is not None:
        if tie.end() >= limit:
            return None if is_day or _follows_month(text, p, end) else False
        is_behind = text[tie.end()].isdigit() and _follows_month(text, p, end)
        after = tie.end()
    elif limit - after == 1 and text[after] == "d" and is_day:
        return None
    if is_behind:
        return True
    if tie is not None and not is_day:
        return False
    word = _MONTH_WORD.match(text, after, limit)
    if word is None:
        return False
    start = letters(word[0])
    if text[word.end() : limit] in ("", " ", "\r", " \r") and may_be_month(start):
        return None
    if is_month(start):
        return True
    gap = _GAP.match(text, word.end(), limit)
    if gap is None or gap[0] == " ":
        return False
    return None if gap.end() >= limit else _month_goes_on(word[0], text, gap.end(), limit)


def _follows_month(text: str, p: int, end: int) -> bool:
    return is_month(letters(text[p:end].rpartition(" ")[2].rstrip(".,")))


def _month_goes_on(last: str, text: str, after: int, limit: int) -> bool | None:
    """Whether a line breaks inside the name of a month: `last` and the word at `after` make one; None: the next characters will tell."""
    if not last.isalpha() or not may_be_month(letters(last)):
        return False
    word = _MONTH_WORD.match(text, after, limit)
    if word is None:
        return False
    if word.end() >= limit:
        return None if may_be_month(letters(last + word[0])) else False
    return is_month(letters(last + word[0]))


def _cut(text: str, p: int) -> bool:
    """Whether the text ends inside an escape, a tag or a mark that begins at p."""
    if text[p] not in "&\\%=<*`~_" or len(text) - p > 72:
        return False
    match = _UNFINISHED.fullmatch(text, p, partial=True)
    return match is not None and match.partial


@lru_cache(maxsize=4096)
def folded(char: str) -> str | None:
    """The plain form of one character: "" if it is not seen, None if it has no plain form."""
    if char.isascii():
        return char
    if char in LOOKALIKES:
        return LOOKALIKES[char]
    if re.match(f"[{_UNSEEN}]", char):
        return ""
    if re.match(f"[{SPACES}]", char):
        return " "
    digit = unicodedata.digit(char, None)
    if digit is not None:
        return str(digit)
    for first in _ALPHABETS:
        if first <= ord(char) < first + 26:
            return chr(ord("A") + ord(char) - first)
    plain = unicodedata.normalize("NFKD", char)
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    if len(plain) == 3 and plain[0] == "(" and plain[2] == ")":
        plain = plain[1]
    if plain in LOOKALIKES:
        return LOOKALIKES[plain]
    if plain and plain.isascii():
        return plain
    return char if plain.isalpha() and re.match(f"[{_LETTER}]", char) else None


def _unescaped(unit: str) -> str | None:
    if unit[0] == "&":
        char = html.unescape(unit)
        return None if char == unit else char
    if unit[0] == "\\":
        if len(unit) == 2:
            return unit[1]
        code = int(unit[2:].strip("{}"), 16)
        return chr(code) if code < 0x110000 else None
    try:
        return bytes.fromhex(unit.replace(unit[0], "")).decode()
    except UnicodeDecodeError:
        return None


def letters(word: str) -> str:
    """A word in plain small letters, those that have no plain form as they are."""
    return "".join(folded(char) or "" for char in word).lower() if not word.isascii() else word.lower()


def fold(text: str, p: int, end: int, bare: str = "") -> Reading:
    """text[p:end] in plain characters, up to the first that has no plain form; escapes that begin with a mark of `bare` as they stand."""
    plain: list[str] = []
    ends: list[int] = []
    broken = -1
    for unit in _UNIT.finditer(text, p, end):
        kind = unit.lastgroup
        if kind == "soft":
            plain.extend(unit[0])
            ends.extend(range(unit.start() + 1, unit.end() + 1))
            continue
        if kind == "line":
            broken = len(plain) if broken < 0 else broken
            continue
        if kind == "drop":
            continue
        if bare and kind == "escape" and unit[0][0] in bare:
            plain.extend(unit[0])
            ends.extend(range(unit.start() + 1, unit.end() + 1))
            continue
        chars = unit[0] if kind == "char" else _unescaped(unit[0])
        for char in chars or "\x00":
            as_plain = folded(char)
            if as_plain is None or char == "\x00":
                return Reading("".join(plain), ends, broken)
            plain.extend(as_plain)
            ends.extend([unit.end()] * len(as_plain))
    return Reading("".join(plain), ends, broken)


# A letter for a digit, beside digits; in hexadecimal, the characters of a wallet and of an address in a network, also beside letters.
_AS_DIGITS = re.compile(
    r"(?<![A-Za-z])[OolIQ]+(?![A-Za-z])|(?<=[0-9])[OIQ](?=x[0-9OIQ])|(?<=[0-9]x)[OIQ]|(?<=[0-9][OIQ]x)[OIQ]"
)
_AS_HEX = re.compile(r"[OQ]")
_LITERAL = re.compile(r"%[0-9A-Fa-f]{2}|=[0-9A-F]{2}")
_AS_DIGIT = str.maketrans("OoQlI", "00011")


_AMID = re.compile(
    rf"[^\W_](?:[{_UNSEEN}*`~]|<[^<>\n]{{1,64}}>){{1,2}}$|%[0-9A-Fa-f]{{0,2}}$|=[0-9A-F]{{1,2}}$|[0-9A-F]=$(?<==[0-9A-F]{{2}}=)|\\[A-Za-z]?[0-9A-Fa-f]{{0,8}}$|&\#[xX]?$|&\#[^;\s]{{1,8}};$"
    r"|[\u24b6-\u24e9\u249c-\u24b5\U0001f110-\U0001f1ff]$"
)
_AMID_FIRST = re.compile(rf"[{_UNSEEN}*`~>%=\\;\#0-9A-Fa-f\u24b6-\u24e9\u249c-\u24b5\U0001f110-\U0001f1ff]")


def amid(text: str, p: int) -> bool:
    """Whether p is inside a disguised text whose beginning was tried already: behind an escape, or behind a mark between characters."""
    if p >= 6 and text[p - 1] == text[p - 3] == text[p - 5] == " ":
        return not (text[p - 2] + text[p - 4] + text[p - 6]).isascii()
    return p > 0 and _AMID_FIRST.match(text, p - 1) is not None and _AMID.search(text, max(0, p - 66), p) is not None


_MAY_HOLD = re.compile(
    rf"[@&\\%=/:]|[Ww]\W{{0,2}}[Ww]|[\w-]{{16}}|[^\x00-\x7f]\W*\.|\.\W*[^\x00-\x7f]|(?:[0-9]|[^\x00-\x7f{_LETTER}])(?:.*?(?:[0-9]|[^\x00-\x7f{_LETTER}])){{2}}",
    re.DOTALL,
)


def is_odd(text: str, p: int, end: int) -> bool:
    """Whether anything in text[p:end] may be disguised, and a value may be in it."""
    odd = text.find("\n", p, end) >= 0 or _ODD.search(text, p, end) is not None
    return odd and _MAY_HOLD.search(text, p, end) is not None


_LAST_ESCAPE = re.compile(r"[&\\%=<][^&\\%=<]*$")


def whole_end(text: str, p: int, end: int) -> int:
    """Where the candidate text[p:end] ends without an escape that the end of the text cut."""
    cut = _LAST_ESCAPE.search(text, max(p, end - 16), end)
    if cut is None or end < len(text):
        return end
    match = _UNFINISHED.fullmatch(text, cut.start(), end, partial=True)
    return cut.start() if match is not None and match.partial else end


def readings(text: str, p: int, first: Reading, literal: bool = True) -> list[Reading]:
    """The readings of a folded candidate at p; [] if nothing in it is disguised.

    `literal`: also with the marks of escapes that addresses have as well, "%" and "=", as they stand.
    """
    found = [] if first.plain == text[p : p + len(first.plain)] else [first]
    end = first.ends[-1] if first.ends else p
    if literal and _LITERAL.search(text, p, end):
        found.append(fold(text, p, end, "%="))
    if 0 < first.broken < len(first.plain):
        at = first.broken
        found.append(
            Reading(
                f"{first.plain[:at]} {first.plain[at:]}", [*first.ends[:at], first.ends[at - 1], *first.ends[at:]], at
            )
        )
    for digits in {_AS_DIGITS.sub(_translated, first.plain), _AS_HEX.sub(_translated, first.plain)}:
        if digits != first.plain and sum(c.isdigit() for c in digits) >= 3:
            found.append(first._replace(plain=digits))
    if "_" in first.plain and "@" not in first.plain:
        kept = [i for i, char in enumerate(first.plain) if char != "_"]
        found.append(Reading("".join(first.plain[i] for i in kept), [first.ends[i] for i in kept], first.broken))
    return found


def _translated(match: re.Match[str]) -> str:
    return match[0].translate(_AS_DIGIT)
