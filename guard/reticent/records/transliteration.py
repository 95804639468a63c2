"""Writes text in plain letters, so that letters that look alike become the same letter.

Not covered: lookalikes outside Latin, Greek and Cyrillic. A Greek or Cyrillic word in capitals differs here from the
same word in small letters, though `cue.normalize` treats both as one.
"""

from __future__ import annotations

import unicodedata

_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУҮХҺԀԚԜӀавеѕіјкмнорстуүхһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεγηικνορτυχωϲϳɑɡɩıøđðħłŧŋĸØĐÐĦŁŦŊᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢꜰꜱ"
    "⁄∕‐‑‒–—−․‧·。，、’‘ʼ`´＂",
    "ABESIJKMHOPCTYYXHDQWlabesijkmhopctyyxhdqwlABEZHIKMNOPTYXabeyniKvoptuxwcjagiioddhltnkODDHLTNabcdeghijklmnoprtuvwyzfs"
    "//------....,,'''''\"",
)
_SPELLED = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"} | {"Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"}
)
_LETTERS = str.maketrans({"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th", "ẞ": "ss", "ß": "ss"})
_FILLERS = "\u115f\u1160\u3164\uffa0"  # Hangul fillers: letters that show nothing


def readings(text: str) -> tuple[str, ...]:
    """Writes a text in plain letters, without marks, lookalikes and hidden characters.

    Returns one reading, or two where umlauts can also be written as two letters (`ü` as `u` and as `ue`).
    """
    if text.isascii():
        return (text,)
    text = "".join(c for c in text if unicodedata.category(c) != "Cf" and c not in _FILLERS)
    text = unicodedata.normalize("NFKC", text)
    return tuple(dict.fromkeys((_strip_marks(text), _strip_marks(text.translate(_SPELLED)))))


def _strip_marks(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.translate(_LOOKALIKES).translate(_LETTERS))
    text = "".join(c for c in text if not unicodedata.combining(c) and unicodedata.category(c) not in ("Mn", "Me"))
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    return unicodedata.normalize("NFC", text)
