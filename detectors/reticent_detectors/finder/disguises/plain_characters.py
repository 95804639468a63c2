"""The plain form of single characters: look-alikes, other alphabets and digits, and combining marks."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from reticent_detectors.finder.plain_text import normal_form

# Combining marks. What else is not seen is left out before (`finder.plain_text`).
COMBINING = "\u0300-\u034e\u0350-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
# Scripts written without spaces between words: a value of ours does not go on in them, and they must not be held back.
UNSPACED = (
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
LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f"
OTHER_LETTERS = "\u0370-\u03ff\u0400-\u0481\u048a-\u04ff\u0531-\u0587\u05d0-\u05ea\u0620-\u064a"
"""Letters that ordinary words have: not odd unless one word mixes them."""

LETTER = LATIN + OTHER_LETTERS


@lru_cache(maxsize=4096)
def folded(char: str) -> str | None:
    """Gives the plain form of one character: "" if it is not seen, None if it has no plain form."""
    if char in LOOKALIKES:
        return LOOKALIKES[char]
    char = normal_form(char)
    if char.isascii():
        return char
    if re.match(f"[{COMBINING}]", char):
        return ""
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
    return char if plain.isalpha() and re.match(f"[{LETTER}]", char) else None


def letters(word: str) -> str:
    """Gives a word in plain small letters, those that have no plain form as they are."""
    return "".join(folded(char) or "" for char in word).lower() if not word.isascii() else word.lower()
