"""Escapes, tags and marks that stand for a character or between characters.

Those that begin with a backslash are decoded before (`finder.plain_text`).
"""

from __future__ import annotations

import html
import re
from typing import Any

import regex

STARTS = "&%=\u24b6-\u24e9\u249c-\u24b5\U0001f110-\U0001f1ff"
"""Symbols that begin disguised values, beyond those that the finder tries anyway; the inside of a `re` set."""
SOFT = r"A-Za-z0-9@.,:;!?'()/+#$_\-"
_PERCENT = r"%[0-7][0-9A-Fa-f]|(?:%[89A-Fa-f][0-9A-Fa-f]){2,4}"
_QUOTED = r"=[0-7][0-9A-F]|(?:=[89A-F][0-9A-F]){2,4}"
ESCAPE = rf"&\#[0-9]{{1,7}};|&\#[xX][0-9A-Fa-f]{{1,6}};|&[A-Za-z]{{2,10}};|{_PERCENT}|{_QUOTED}"
TAG = (
    r"</?(?:a|b|big|bdi|bdo|code|del|em|font|i|ins|kbd|mark|s|small|span|strong|sub|sup|tt|u|var|wbr)"
    r"(?: [^<>\n]{0,60})?/?>"
    r"|<!--[^<>\n]{0,40}-->"
)
MARKS = r"\*{1,3}|`{1,3}|~~|__"
SOFT_BREAK = r"=\r?\n"
_UNFINISHED: Any = regex.compile(rf"(?i){ESCAPE}|{TAG}|{MARKS}|{SOFT_BREAK}")


def is_cut(text: str, p: int) -> bool:
    """Whether the text ends inside an escape, a tag or a mark that begins at p."""
    if text[p] not in "&%=<*`~_" or len(text) - p > 72:
        return False
    match = _UNFINISHED.fullmatch(text, p, partial=True)
    return match is not None and match.partial


def unescaped(unit: str) -> str | None:
    if unit[0] == "&":
        char = html.unescape(unit)
        return None if char == unit else char
    try:
        return bytes.fromhex(unit.replace(unit[0], "")).decode()
    except UnicodeDecodeError:
        return None


_LAST_ESCAPE = re.compile(r"[&%=<][^&%=<]*$")


def whole_end(text: str, p: int, end: int) -> int:
    """Gives where the candidate text[p:end] ends without an escape that the end of the text cut."""
    cut = _LAST_ESCAPE.search(text, max(p, end - 16), end)
    if cut is None or end < len(text):
        return end
    match = _UNFINISHED.fullmatch(text, cut.start(), end, partial=True)
    return cut.start() if match is not None and match.partial else end
