"""Text in plain letters: what looks alike is written alike.

Not covered: lookalikes outside Latin, Greek and Cyrillic, and Greek or Cyrillic words in capitals against the same words in
small letters (`cue.normalize` takes those for one).
"""

from __future__ import annotations

import unicodedata

_LOOKALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУҮХҺԀԚԜӀавеѕіјкмнорстуүхһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεγηικνορτυχωϲϳɑɡɩıøđðħłŧŋĸØĐÐĦŁŦŊᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢꜰꜱ"
    "⁄∕‐‑‒–—−․‧·。，、’‘ʼ`´＂",
    "ABESIJKMHOPCTYYXHDQWlabesijkmhopctyyxhdqwlABEZHIKMNOPTYXabeyniKvoptuxwcjagiioddhltnkODDHLTNabcdeghijklmnoprtuvwyzfs"
    "//------....,,'''''\"",
)
_SPELLED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "Å": "Aa", "Ø": "Oe"})  # fmt: skip
_LETTERS = str.maketrans({"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th", "ẞ": "ss", "ß": "ss"})
_FILLERS = "\u115f\u1160\u3164\uffa0"  # letters without a shape


def readings(text: str) -> tuple[str, ...]:
    """A text in plain letters: marks, lookalikes and hidden characters gone; twice if umlauts can be written otherwise."""
    if text.isascii():
        return (text,)
    text = "".join(c for c in text if unicodedata.category(c) != "Cf" and c not in _FILLERS)
    text = unicodedata.normalize("NFKC", text)
    return tuple(dict.fromkeys((_plain(text), _plain(text.translate(_SPELLED)))))


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFKD", text.translate(_LOOKALIKES).translate(_LETTERS))
    text = "".join(c for c in text if not unicodedata.combining(c) and unicodedata.category(c) not in ("Mn", "Me"))
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    return unicodedata.normalize("NFC", text)
