"""The form in which the cue compares texts: letters and digits of one case, with the places where words begin.

`n` of "Cue-Resistant Memorization" (Appendix D) is NFKC, lower case, letters and digits kept; digits alone for phone
numbers. Two things are added, because the paper's rule would change words:

- Marks that carry a vowel or a tone (Devanagari, Tamil, Malayalam, Thai) are kept. Accents that NFKC cannot put into
  one character are dropped, as the paper does.
- Decimal digits of all scripts become ASCII digits, and the final sigma becomes a sigma.

Not covered: transliteration, accents left out ("jose" for "José"), punycode.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

_WORD_MARKS = frozenset({0, 9, 103, 107})
"""Combining classes of vowel signs, viramas and tones. Accents and points have others."""
_WORD_GAP = re.compile(r"[\s.\-_'’·‐‑]{1,2}")
_NUMBER_GAP = re.compile(r"[\s.\-/()‐‑–]{1,2}")
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]"
)


@dataclass(frozen=True, slots=True)
class Form:
    """A normalised text. The `repr` shows its length alone.

    Attributes:
        chars: the kept characters.
        starts: where a word or a group of digits begins, as offsets in `chars`, ascending.
        breaks: the starts of words that do not belong to the words before them. What lies between two breaks is one
            piece: words behind one or two separators ("Ann-Lee", "J. Doe"), or digit groups of one number.
    """

    chars: str
    starts: tuple[int, ...]
    breaks: tuple[int, ...]

    def __repr__(self) -> str:
        return f"Form({len(self.chars)} chars)"


def is_unspaced(char: str) -> bool:
    """Whether a script writes without blanks or joins particles: Han, Kana, Hangul, Thai, Lao, Khmer, Burmese."""
    return _UNSPACED.match(char) is not None


def text_form(text: str) -> Form:
    """Letters and digits in lower case. Each character of a script without blanks begins a word."""
    return _form(text, _letter_or_digit, _WORD_GAP)


def digit_form(text: str) -> Form:
    """Digits alone. A letter, a comma, a plus sign or three separators end a number."""
    return _form(text, _digit, _NUMBER_GAP)


def compatible(text: str) -> str:
    """NFKC with ASCII digits; the case is kept."""
    text = unicodedata.normalize("NFKC", text)
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def _letter_or_digit(char: str) -> str:
    if char.isalnum():
        return "".join(c for c in char.lower().replace("ς", "σ") if c.isalnum())
    is_word_mark = unicodedata.category(char)[0] == "M" and unicodedata.combining(char) in _WORD_MARKS
    return char if is_word_mark and char > "\u0900" else ""


def _digit(char: str) -> str:
    return char if "0" <= char <= "9" else ""


def _form(text: str, kept: Callable[[str], str], gap: re.Pattern[str]) -> Form:
    chars: list[str] = []
    starts: list[int] = []
    breaks: list[int] = []
    between = ""
    previous = ""
    for char in compatible(text):
        mine = kept(char)
        if not mine:
            # A dropped accent or an invisible joiner does not part a word.
            is_silent = unicodedata.combining(char) or unicodedata.category(char) == "Cf"
            between += "" if is_silent else char
            continue
        joined = bool(chars) and (not between or gap.fullmatch(between) is not None)
        if not joined:
            breaks.append(len(chars))
        parted = bool(between) or not chars
        if parted or (char.isalnum() and (is_unspaced(char) or is_unspaced(previous))):
            starts.append(len(chars))
        chars.extend(mine)
        between, previous = "", char
    return Form("".join(chars), tuple(starts), tuple(breaks))
