"""How far a value reaches whose characters are written otherwise: other letters, escapes, marks and breaks between."""

from __future__ import annotations

import re

from reticent_detectors.finder.disguises.escapes import ESCAPE, MARKS, SOFT, SOFT_BREAK, TAG, is_cut
from reticent_detectors.finder.disguises.months import is_month, may_be_month
from reticent_detectors.finder.disguises.plain_characters import (
    COMBINING,
    LATIN,
    LETTER,
    OTHER_LETTERS,
    UNSPACED,
    folded,
    letters,
)
from reticent_detectors.finder.engine.recognizers import NONE, OPEN

REGION_CHARS = 256
_MOST_GROUPS = 16
_ODD_CHAR = rf"(?![{UNSPACED}])[^\x00-\x7f\u0085\u2028\u2029]"
# What addresses and passwords have beside: a mark that is no escape.
_BARE = r"[&=~%^]"
_TOKEN = re.compile(rf"(?i:(?:[{SOFT}]|{ESCAPE}|{TAG}|{MARKS}|{SOFT_BREAK}|{_ODD_CHAR}|{_BARE})+)")
_HEAD = re.compile(rf"(?i:{ESCAPE}|{SOFT_BREAK}|~~)")
_ODD = re.compile(
    rf"[^\x00-\x7f{LETTER}]|[0-9@{LATIN}][-./]?[{OTHER_LETTERS}]|[{OTHER_LETTERS}][-./]?[0-9@{LATIN}]"
    rf"|&(?:#|[A-Za-z]{{2,10}};)|%[0-9A-Fa-f]{{2}}|=[0-9A-F]{{2}}|=\r?\n"
    r"|[\u0391-\u03a9\u0410-\u042f]{2} [0-9]|[*`~]|__|</?[A-Za-z!]|\d_|_\d|\d[OolI]|[OolI]\d"
)
_ASCII_DIGIT = re.compile(r"[0-9]")
_MONTH_WORD = re.compile(r"[^\W\d_]{1,24}")
_DAY_BEHIND = re.compile(
    r"(?<![\w.,])[^\W_]{1,2}(?:[*`~_]{1,3}|</?[a-z]{1,6}>)?(?:st|nd|rd|th|er|[.ºª°])?(?:[*`~_]{1,3}|</[a-z]{1,6}>)?$"
)
_OF = re.compile(r"(?:of|de|del|d['’]) ?")
_BREAKABLE = re.compile(rf"[0-9@]|[A-Za-z0-9][._][A-Za-z0-9]|[^\x00-\x7f{LETTER}]")
_SENTENCE_END = re.compile(r"[,;:!?'\")]$")
# What ends with a colon inside an address of the web or of a network.
_ADDRESS_COLON = re.compile(r"(?:(?i:https?|ftp)|(?:[0-9A-Fa-f]{1,4}:)+[0-9A-Fa-f]{0,4}):$")
_GAP = re.compile(r" ?\r?\n[ \t>]{0,8}| ")
_DIGIT_ALIKE = "ОοΟЗ"
_ORDINARY_ODD = re.compile(rf"[{LETTER}{UNSPACED}\u2010-\u2027\u2030-\u2046]")


def region(text: str, p: int, closed: bool, groups: list[int] | None = None) -> int:
    """Gives the end of the candidate at p, of at most 256 characters; NONE if none begins.

    OPEN while more text could lengthen it.

    A candidate is a word. If it holds a digit or something odd, it goes on over the words behind.
    Each of these must begin like a group of a value. `groups` is where those begin that were read of the same candidate
    when the text was shorter; those that are read now are put behind.
    """
    limit = min(len(text), p + REGION_CHARS)
    more = not closed and limit < p + REGION_CHARS
    end = p
    if text[p] in "&=~%^" and not _HEAD.match(text, p, limit):
        return OPEN if more and is_cut(text, p) else NONE
    groups = [] if groups is None else groups
    if groups:
        end = groups[-1]
    for _ in range(len(groups), _MOST_GROUPS):
        token = _TOKEN.match(text, end, limit)
        if token is None:
            return OPEN if more and is_cut(text, end) else (end if end > p else NONE)
        end = token.end()
        if end == limit:
            return OPEN if more else end
        if more and is_cut(text, end):
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
            groups.append(end)
            continue
        if not _leads_on(text, p, token.start(), end, after, line):
            return end
        goes_on = _begins_group(text, p, end, after, limit, line)
        if goes_on is None and more:
            return OPEN
        if not goes_on:
            return end
        end = after
        groups.append(end)
    return end


def _leads_on(text: str, p: int, start: int, end: int, after: int, line: bool) -> bool:
    """Whether the candidate text[p:end] may go on behind a gap; its last token begins at `start`."""
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
    if char.isdigit() or char in "()+&%=<*`~@" or char in _DIGIT_ALIKE:
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
    """Whether the name of a month begins at `after`, or a year behind its name ("de 2025").

    The day or the month must stand before it. None: the next characters will tell.
    """
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
    """Whether `last` and the word at `after` make the name of a month that a line breaks.

    None: the next characters will tell.
    """
    if not last.isalpha() or not may_be_month(letters(last)):
        return False
    word = _MONTH_WORD.match(text, after, limit)
    if word is None:
        return False
    if word.end() >= limit:
        return None if may_be_month(letters(last + word[0])) else False
    return is_month(letters(last + word[0]))


_AMID = re.compile(
    rf"[^\W_](?:[{COMBINING}*`~]|<[^<>\n]{{1,64}}>){{1,2}}$|%[0-9A-Fa-f]{{0,2}}$|=[0-9A-F]{{1,2}}$"
    rf"|[0-9A-F]=$(?<==[0-9A-F]{{2}}=)|&\#[xX]?$|&\#[^;\s]{{1,8}};$"
    r"|[\u24b6-\u24e9\u249c-\u24b5\U0001f110-\U0001f1ff]$"
)
_AMID_FIRST = re.compile(rf"[{COMBINING}*`~>%=;\#0-9A-Fa-f\u24b6-\u24e9\u249c-\u24b5\U0001f110-\U0001f1ff]")


def is_amid(text: str, p: int) -> bool:
    """Whether p is inside a disguised text that was tried from its beginning: behind an escape or a mark."""
    if p >= 6 and text[p - 1] == text[p - 3] == text[p - 5] == " ":
        return not (text[p - 2] + text[p - 4] + text[p - 6]).isascii()
    return p > 0 and _AMID_FIRST.match(text, p - 1) is not None and _AMID.search(text, max(0, p - 66), p) is not None


_MAY_HOLD = re.compile(
    (
        rf"[@&%=/:]|[Ww]\W{{0,2}}[Ww]|[\w-]{{16}}|[^\x00-\x7f]\W*\.|\.\W*[^\x00-\x7f]"
        rf"|(?:[0-9]|[^\x00-\x7f{LETTER}])(?:.*?(?:[0-9]|[^\x00-\x7f{LETTER}])){{2}}"
    ),
    re.DOTALL,
)


def is_odd(text: str, p: int, end: int) -> bool:
    """Whether anything in text[p:end] may be disguised, and a value may be in it."""
    odd = text.find("\n", p, end) >= 0 or _ODD.search(text, p, end) is not None
    return odd and _MAY_HOLD.search(text, p, end) is not None
