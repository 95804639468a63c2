"""Values that are spelled out: digits and letters as words, "dot" and "at".

Words of English, German, French, Spanish, Italian and Portuguese; to teach another, add it to a table here.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.disguises.characters import REGION_CHARS, Reading
from reticent_detectors.finder.disguises.months import MONTHS, TURNED, is_month
from reticent_detectors.finder.disguises.spaced_characters import counts
from reticent_detectors.finder.disguises.spelled_dates import DIGITS, ORDINALS, TEENS, TENS
from reticent_detectors.finder.engine.recognizers import OPEN

_NATO = (
    "alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango "
    "uniform victor whiskey xray yankee zulu"
)
_ALSO_NATO = {"alpha": "a", "juliet": "j", "juliette": "j", "whisky": "w"}
_REPEATS = {
    "double": 2,
    "doppel": 2,
    "doble": 2,
    "doppio": 2,
    "dobro": 2,
    "triple": 3,
    "treble": 3,
    "triplo": 3,
    "tripel": 3,
}
_MARKS = {
    ".": "dot punkt point punto ponto period",
    "@": "at ät arroba arobase arobas chiocciola klammeraffe",
    "-": "dash hyphen minus bindestrich tiret guion guión trattino hífen hyphe",
    "_": "underscore unterstrich soulignement",
    "+": "plus",
    "/": "slash schrägstrich",
    ":": "colon doppelpunkt",
}

SINGLES: dict[str, str] = {
    **{word: str(digit) for digit, row in enumerate(DIGITS) for word in row.split()},
    **{word: str(10 + i) for i, word in enumerate(TEENS.split())},
    **{word: str(20 + 10 * i) for i, word in enumerate(TENS.split())},
    **{word: word[0] for word in _NATO.split()},
    **_ALSO_NATO,
    "hundred": "00",
}
"""Words that stand for a digit, two digits or a letter."""
_TENS_WORDS = word_set(TENS)
_NATO_WORDS = frozenset(_NATO.split()) | frozenset(_ALSO_NATO)
MARKS: dict[str, str] = {word: mark for mark, row in _MARKS.items() for word in row.split()}
_PLAIN_AT = word_set("at ät")
OPENERS = frozenset(SINGLES) | frozenset(_REPEATS) | MONTHS | TURNED | ORDINALS
"""Words that a spelled value may begin with, beside a word before "dot" or "at"."""
_LONGEST_MARK = 20
_STARTS_OF_MARKS = frozenset(word[:i] for word in MARKS for i in range(1, len(word) + 1))
_STARTS = frozenset(word[:i] for word in (*MARKS, *OPENERS) for i in range(3, len(word) + 1))
_STARTS_OF_SINGLES = frozenset(word[:i] for word in (*SINGLES, *_REPEATS) for i in range(1, len(word) + 1))

# "Visit us at example dot org": no mailbox is called so, and no host.
_NO_MAILBOX = word_set(
    """a all am an and are arrived at available be been but by call check contact email find for found go good he her here him his how i in
    is it its join just know learn line listed live located look mail me meet more my new no not now of on online only or our out page
    people point read register see she sign site so stay that the them there they this to today up us visit was we web website were what when
    where which who with work working works write you your"""
)
_NO_HOST = word_set(
    "a an the this that these those his her its their my our your some any each every all no one which what last first least most"
)
_TLDS = word_set(
    """com org net edu gov mil int info biz name pro app dev io ai co me tv example test invalid localhost online site shop store tech cloud
    email blog xyz club agency care clinic health hospital law group team work works world news media ac ad ae ag am ar at au ba bd be bg bo
    br by bz ca cat ch ci cl cn cr cu cy cz de dk do ec ee eg es eu fi fr ge gg gh gr gt hk hn hr hu id ie il im in ir is it je jm jo jp ke
    kg kr kw kz la lb li lk lt lu lv ly ma mc md mk mm mn mo mt mu mx my na ng ni nl no np nz om pa pe ph pk pl pr ps pt py qa ro rs ru sa
    se sg si sk sm sn su sv sy th tn to tr tw tz ua ug uk us uy uz va ve vn ws za zm zw"""
)

_MARK_WORDS = "|".join(sorted(MARKS, key=len, reverse=True))
ANY_MARK = rf"(?i:{_MARK_WORDS})(?![^\W_])"
_BRACKETED = re.compile(rf"(?i)\s?(?:[\[({{<]\s?({_MARK_WORDS}|[@._+-])\s?[\])}}>]|([_*-])({_MARK_WORDS})\2)\s?")
_HALF_BRACKETED = re.compile(r"\s?(?:[\[({<]\s?(?:[^\W\d_]{0,12}|[@._+-])\s?|[_*-][^\W\d_]{0,12})")
_ALPHA = re.compile(r"[^\W\d_]{1,16}")
_FREE = re.compile(
    rf"[A-Za-z0-9_](?:(?![_-](?:{_MARK_WORDS})[_-])(?:[A-Za-z0-9_]|[.+-](?=[A-Za-z0-9_]))){{0,63}}", re.IGNORECASE
)
_GAP = re.compile(r", ,, |-,-|\s?[,./·|–-]\s?|[ \t\u00a0]{1,3}|\n[ \t>]{0,4}|")
_SYMBOL = re.compile(r"(?: |(?P<gap>-|, ))?([@.+/:()_?&=~%#!$*-])(?(gap)(?P=gap)| ?)")
_PLAIN_SYMBOLS = frozenset("@.+/:()_-")
_XRAY = re.compile(r"(?i)x-ray(?![^\W_])")


class _Part(NamedTuple):
    kind: str  # m(ark), s(ingle), f(ree word), r(epeat), y (a symbol as it is)
    plain: str
    end: int
    gap: str
    word: str


_AHEAD = re.compile(
    rf"\s{{0,4}}(?:{ANY_MARK}|[\[({{<_*-]\s?(?:(?i:{_MARK_WORDS})\s?[\])}}>_*-]|[@._+-]\s?[\])}}>])|@)|\s[@.+/:_-]\s"
)
_FIRST_WORD = re.compile(r"[^\W\d_]+|.")


def may_spell(start: str) -> bool:
    """Whether a word that begins so may be one that stands for a character ("do" for "dot"): then it has to be waited for."""
    return len(start) < 3 or start.lower() in _STARTS


def _may_open(token: str) -> bool:
    """Whether a token begins with a spelled character ("four-one")."""
    word = _FIRST_WORD.match(token)
    return word is not None and (word[0].lower() in OPENERS or (len(word[0]) == 1 and not token[:2].isdigit()))


def _ends_short(text: str, p: int, closed: bool) -> bool:
    """Cheap: whether no mark follows a word that ends at p, and none can."""
    return not _AHEAD.match(text, p) and (closed or len(text) - p > _LONGEST_MARK)


_LEFT = re.compile(r"(?:(?:[^\W\d_]{1,16}|\d)(?:[ ,./-]{1,3}|\n)){3}$")
_LEFT_WORD = re.compile(r"[^\W_]+")


def _amid(text: str, p: int) -> bool:
    """Whether at least three spelled characters stand directly before p: a value that begins there was tried from its beginning."""
    left = _LEFT.search(text, max(0, p - 57), p)
    return left is not None and all(
        len(word) == 1 or word.lower() in SINGLES for word in _LEFT_WORD.findall(left[0])[-3:]
    )


def _walk(text: str, p: int, closed: bool) -> tuple[list[_Part], bool]:
    """The parts of the spelled value at p, and whether more text could lengthen it."""
    limit = min(len(text), p + REGION_CHARS)
    more = not closed and limit < p + REGION_CHARS
    parts: list[_Part] = []
    at, before = p, ""
    while at < limit:
        if ([part.kind for part in parts[-3:]] == ["m", "m", "m"] and not _is_scheme(parts)) or (
            before and _second_at(parts)
        ):
            return parts, False
        if before:
            bracketed = _BRACKETED.match(text, at, limit)
            if bracketed is not None:
                if more and bracketed.end() == limit:
                    return parts, True
                word = (bracketed[1] or bracketed[3]).lower()
                parts.append(_Part("m", MARKS.get(word, word), bracketed.end(), "[", word))
                at, before = bracketed.end(), "m"
                continue
            if more and (half := _HALF_BRACKETED.match(text, at, limit)) and half.end() == limit:
                return parts, True
        part = _part(text, at, limit, before, more)
        if part is None:
            return parts, more and _may_grow(text, at, limit, before)
        if more and part.end == limit and part.kind != "y":
            return parts, True
        parts.append(part)
        at, before = part.end, part.kind if before or part.kind != "f" else "g"
    return parts, more


def _is_scheme(parts: list[_Part]) -> bool:
    return [part.plain for part in parts[-3:]] == [":", "/", "/"]


def _second_at(parts: list[_Part]) -> bool:
    return parts[-1].plain == "@" and sum(part.plain == "@" for part in parts) > 1


def _part(text: str, at: int, limit: int, before: str, more: bool) -> _Part | None:
    """The next part, after its gap."""
    if before in ("f", "g", "s", "m"):
        symbol = _SYMBOL.match(text, at, limit)
        if (
            symbol is not None
            and (before != "m" or symbol[2] not in _PLAIN_SYMBOLS)
            and _stands_alone(text, symbol, limit, before)
        ):
            return _Part("y", symbol[2], symbol.end(), "", "")
    gap = ""
    if before:
        match = _GAP.match(text, at, limit)
        gap = match[0] if match else ""
        if not gap and before not in ("m", "y"):
            return None
        at += len(gap)
    xray = _XRAY.match(text, at, limit)
    if xray is not None:
        return _Part("s", "x", xray.end(), gap, "xray")
    alpha = _ALPHA.match(text, at, limit)
    if alpha is not None and not _word_goes_on(text, alpha.end(), limit):
        word = alpha[0].lower()
        if word in MARKS and (before == "s" or (before in ("f", "g", "m", "y") and not gap.strip())):
            return _Part("m", MARKS[word], alpha.end(), gap, word)
        if word in _REPEATS and before != "g":
            return _Part("r", "", alpha.end(), gap, word)
        if word in SINGLES and before != "g":
            return _Part("s", SINGLES[word], alpha.end(), gap, word)
        if len(alpha[0]) == 1 and alpha[0].isascii() and before != "g":
            return _Part("s", alpha[0], alpha.end(), gap, "")
    if (
        before != "g"
        and at < limit
        and text[at].isascii()
        and text[at].isdigit()
        and not _word_goes_on(text, at + 1, limit)
    ):
        return _Part("s", text[at], at + 1, gap, "")
    if before in ("", "m") or (before == "y" and parts_are_free(text, at)):
        free = _FREE.match(text, at, limit)
        if free is not None and not _in_word(text, free.end()):
            return _Part("f", free[0], free.end(), gap, "")
    return None


def parts_are_free(text: str, at: int) -> bool:
    return text[at - 1] in "@ ._-+"


def _stands_alone(text: str, symbol: re.Match[str], limit: int, before: str) -> bool:
    """Whether a mark is part of the value and no mere gap: "j a n e @ e", "jane @ example . org"."""
    lead, trail = text[symbol.start()] == " ", text[symbol.end() - 1] == " "
    if symbol["gap"] is not None or symbol[2] not in _PLAIN_SYMBOLS:
        return before in "sm" and symbol[2] not in "-,." and (symbol["gap"] is not None or (lead and trail))
    if symbol[2] == "@":
        return True
    if symbol[2] in "()+":
        return before == "s"
    return lead and trail


def _word_goes_on(text: str, at: int, limit: int) -> bool:
    return at < limit and (text[at].isalnum() or (text[at] == "_" and at + 1 < limit and text[at + 1].isalnum()))


def _in_word(text: str, at: int) -> bool:
    return at < len(text) and text[at].isalnum()


def _may_grow(text: str, at: int, limit: int, before: str) -> bool:
    """Whether the text ends where the next part could still begin."""
    match = _GAP.match(text, at, limit)
    start = match.end() if match else at
    if start >= limit or text[start:limit].strip() in ("", ",", ",,", *"@.+/:()_-?&=~%#!$*", "x-", "X-", "x-r", "x-ra"):
        return True
    alpha = _ALPHA.match(text, start, limit)
    if alpha is None or alpha.end() < limit:
        return False
    if before in ("", "m", "y"):
        return True
    word = alpha[0].lower()
    return word in _STARTS_OF_MARKS or (before != "g" and word in _STARTS_OF_SINGLES)


_LIST_GOES_ON = re.compile(r", ?[0-9]{2}")


def word_readings(text: str, p: int, closed: bool) -> list[Reading] | int:
    """The readings of the words spelled at p; OPEN; [] if nothing is spelled there."""
    free = _FREE.match(text, p)
    if (
        free is not None
        and not _in_word(text, free.end())
        and len(free[0]) > 1
        and not _may_open(free[0])
        and _ends_short(text, free.end(), closed)
    ):
        return []
    if _amid(text, p):
        return []
    parts, open_ = _walk(text, p, closed)
    if open_:
        return OPEN
    while parts and parts[-1].kind in ("r", "m", "y"):
        parts.pop()
    if any(part.plain == "@" for part in parts):
        return [_join(parts, "")] if _is_mailbox(parts) else []
    while parts and parts[-1].kind == "f" and not parts[-1].plain.isdigit():
        parts.pop()
    if len(parts) < 2:
        return []
    if sum(part.kind == "s" for part in parts) < 4 and not all(
        part.kind == "m" or part.plain.isdigit() for part in parts
    ):
        return []
    if sum(part.plain.isdigit() for part in parts) >= 3 and all(
        part.plain in "oO" or not part.plain.isalpha() for part in parts
    ):
        parts = [part._replace(plain="0") if part.plain in ("o", "O") else part for part in parts]
    digits = [part.plain for part in parts]
    if "," in parts[-1].gap and digits == sorted(digits) and _LIST_GOES_ON.match(text, parts[-1].end):
        return []  # a list of numbers, of which the first have one digit
    joined = _join(parts, "")
    if any(part.kind == "f" and not part.plain.isdigit() for part in parts) or counts(
        [int(part.plain) for part in parts if part.plain.isdigit()]
    ):
        return []
    found = [joined]
    marked = any(part.kind in ("m", "y") for part in parts)
    found = [*_dated(joined), *found]
    if not marked and len({_kind_of_gap(part.gap) for part in parts[1:]}) > 1:
        found += [_join(parts, group) for group in "- "]
    found += _regrouped(joined)
    if any(part.word in _NATO_WORDS for part in parts):
        found = [reading._replace(plain=reading.plain.upper()) for reading in found] + found
    return found


_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th|\.)?(?:of|de)?([^\W\d_]{3,10}?)(?:de|of)?(\d{4})")
_MONTH_FIRST = re.compile(r"([^\W\d_]{3,10})(\d{1,2})(?:st|nd|rd|th)?(\d{4})")


def _dated(reading: Reading) -> list[Reading]:
    """The date that the characters of a reading make, in groups: the name of a month and figures."""
    for form in (_DAY_FIRST, _MONTH_FIRST):
        date = form.match(reading.plain)
        if date is None or not any(is_month(part.lower()) for part in date.groups()):
            continue
        groups = [(date[i].capitalize(), reading.ends[date.end(i) - 1]) for i in (1, 2, 3)]
        plain = " ".join(said for said, _ in groups)
        ends = [end for said, end in groups for _ in range(len(said) + 1)]
        return [Reading(plain, ends[:-1])]
    return []


def begun(text: str, p: int) -> list[Reading]:
    """What is spelled at p so far, in a text that was cut."""
    parts, _ = _walk(text, p, True)
    if len(parts) > 4 and not parts[-1].word and parts[-2].word:
        parts.pop()  # the first letter of a word
    at = next((i for i, part in enumerate(parts) if part.plain == "@"), 0)
    structured = at > 1 or (at == 1 and (not parts[0].plain.isalpha() or parts[1].word not in _PLAIN_AT))
    return [_join(parts, "")] if structured or sum(part.kind == "s" for part in parts) >= 4 else []


def _join(parts: list[_Part], group: str) -> Reading:
    """The parts as plain text, with `group` where a gap is not of the commonest kind."""
    common = Counter(_kind_of_gap(part.gap) for part in parts[1:]).most_common(1)
    usual = common[0][0] if common else ""
    plain: list[str] = []
    ends: list[int] = []
    times, tens = 1, False
    for i, part in enumerate(parts):
        if part.kind == "r":
            times = _REPEATS[part.word]
            continue
        if group and i and part.kind == "s" and _kind_of_gap(part.gap) != usual and parts[i - 1].kind == "s":
            plain.append(group)
            ends.append(part.end - 1)
        chars = part.plain * times
        if (
            tens
            and part.kind == "s"
            and len(part.plain) == 1
            and part.plain.isdigit()
            and part.plain != "0"
            and part.word
        ):
            plain.pop()
            ends.pop()
        plain.extend(chars)
        ends.extend([part.end] * len(chars))
        times, tens = 1, part.word in _TENS_WORDS
    return Reading("".join(plain), ends)


def _kind_of_gap(gap: str) -> str:
    return gap.strip(" \t\u00a0") or " "


_GROUPS: dict[int, tuple[tuple[int, ...], ...]] = {
    8: ((4, 2, 2), (2, 2, 4)),
    9: ((3, 2, 4),),
    10: ((3, 3, 4),),
    16: ((4, 4, 4, 4),),
}


def _regrouped(reading: Reading) -> list[Reading]:
    """Digits without groups, as dates, numbers and cards have them."""
    if not reading.plain.isdigit():
        return []
    found = []
    for groups in _GROUPS.get(len(reading.plain), ()):
        plain: list[str] = []
        ends: list[int] = []
        at = 0
        for size in groups:
            if plain:
                plain.append("-")
                ends.append(ends[-1])
            plain.extend(reading.plain[at : at + size])
            ends.extend(reading.ends[at : at + size])
            at += size
        found.append(Reading("".join(plain), ends))
    return found


def _is_mailbox(parts: list[_Part]) -> bool:
    """Whether the words around "at" are a mailbox and a host, and no sentence."""
    at = next(i for i, part in enumerate(parts) if part.plain == "@")
    box, host = parts[:at], parts[at + 1 :]
    if not box or not host or any(part.kind == "r" for part in host):
        return False
    if all(part.kind in "fy" for part in parts) and not any(part.kind == "y" for part in parts):
        return False
    bare = parts[at].word in _PLAIN_AT and parts[at].gap != "["
    if not bare:
        return True
    labels = "".join(part.plain for part in host).lower().split(".")
    if labels[0] in _NO_HOST or len(labels) < 2 or not any(label in _TLDS for label in labels[1:]):
        return False
    name = "".join(part.plain for part in box).lower()
    if len(name) < 2 or name in _NO_MAILBOX:
        return False
    return len(box) > 1 or not name.isalpha() or any(part.kind == "m" for part in host)
