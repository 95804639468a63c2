"""Where something may begin that is read: words, figures and symbols, and the row of figures after one."""

from __future__ import annotations

import re
from functools import lru_cache

import regex

from reticent_detectors.finder.forms import commands, dates, streets
from reticent_detectors.finder.forms.kinds import Kinds
from reticent_detectors.finder.forms.readers import READERS

STARTS = re.compile(r"[^\W_]+|[+(](?=[+(]?\d)|(?<![\w.,:/–-])[-−](?=\d{1,3}\.)|[$€£₹]|@(?=\w)|::(?=\w)")
STARTS_ESCAPED = re.compile(rf"(?<!\\(?=[nrt])){STARTS.pattern}")
"""The same where escapes stand: not with the letter of one, as in `\\nMIIE`."""
TELLS = regex.compile(r"(?r)[\d@$€£₹]|://|:\\/|\w[.:]\w|::")
_TOKEN = regex.compile(r"(?:[\p{L}\p{N}_+()/.:#*°º'’@%&=~$€£–‐‑\\-]|(?<=\p{N}),(?=\p{N}))++")
_SPACES = (" ", "\u00a0", "\u202f")
_FIGURE = re.compile(r"\d")
_RUN_TOKENS, _TOKEN_CHARS, _CODE_CHARS = 12, 192, 5


class Undecided(Exception):
    """More text decides."""


def more_of(closed: bool) -> bool:
    """Return False at the end of a whole text. Raise Undecided before."""
    if closed:
        return False
    raise Undecided


def run_end(text: str, q: int, closed: bool) -> int:
    """Return where the row of pieces with figures, or of short capitals, ends that begins at q. Raise Undecided."""
    end, size = q, len(text)
    for _ in range(_RUN_TOKENS):
        token = _TOKEN.match(text, end, min(size, end + _TOKEN_CHARS))
        if token is None:
            break
        stop = token.end()
        if stop == size or (stop + 1 == size and text[stop] == ","):
            more_of(closed)
        value = token[0].rstrip(".:,)")
        if end > q and not (_FIGURE.search(value) or (len(value) <= 3 and value.isalpha() and value.isupper())):
            return end - 1
        end = stop
        if end >= size or text[end] not in _SPACES or token[0][-1] == ":":
            return end
        if end + 1 == size:
            more_of(closed)
            return end
        following = text[end + 1]
        if following.islower() or not (following.isalnum() or following in "+("):
            return end
        if token[0][-1] == "." and following.isalpha():
            return end  # the next sentence
        end += 1
    return end


def code_follows(text: str, q: int, piece_end: int, closed: bool) -> bool:
    """Tell whether figures or capitals follow the letters at q in the next piece. Raise Undecided."""
    for at in (piece_end, piece_end + 1):
        if at == len(text):
            return more_of(closed)
        if at == piece_end and (text[at] not in _SPACES or piece_end - q > _CODE_CHARS):
            return False
    return text[piece_end + 1].isalnum() and not text[piece_end + 1].islower()


@lru_cache(maxsize=8)
def trigger_words(kinds: Kinds) -> dict[str, str]:
    """Return the words at which something is read, folded, each with what it is.

    "m" and "r" as in `Reader.at`, "l" the end of a label of words, "k" a command, "f" a folder.
    """
    used = {
        sort
        for forms in (kinds.readers, *kinds.named.values())
        for f in forms
        if f.reader
        for sort in READERS[f.reader].at
    }
    found: dict[str, str] = {}
    rows: list[tuple[str, frozenset[str]]] = [
        ("l", kinds.word_labels),
        ("k", commands.WORDS),
        ("f", commands.FOLDERS),
    ]
    if "m" in used:
        rows.append(("m", dates.first_words()))
    if "r" in used:
        rows.append(("r", frozenset(word.lower().rstrip("./") for word in streets.first_words())))
    for sort, words in rows:
        for word in words:
            found[word] = found.get(word, "") + sort
    return found


@lru_cache(maxsize=8)
def label_leads(kinds: Kinds) -> dict[str, frozenset[str]]:
    """Return the words that may stand before the end of a label of words, for each end that is none by itself."""
    found = {word: kinds.labels.leads(word, kinds.of_words) for word in kinds.word_labels}
    return {word: leads for word, leads in found.items() if leads}
