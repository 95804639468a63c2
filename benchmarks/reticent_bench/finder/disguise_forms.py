"""Ways to write a value so that a reader still gets it and a recogniser of plain values does not.

`FORMS` holds one function a form, from the value to its disguise. Tests and the benchmark use the same table.
"""

from __future__ import annotations

import base64
import codecs
import html
import re
import urllib.parse
from collections.abc import Callable, Mapping, Sequence

__all__ = ["FORMS", "recall_table"]

Form = Callable[[str], str]

_DIGITS: Mapping[str, tuple[str, ...]] = {
    "english": ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    "german": ("null", "eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"),
    "french": ("zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf"),
    "spanish": ("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"),
    "italian": ("zero", "uno", "due", "tre", "quattro", "cinque", "sei", "sette", "otto", "nove"),
    "portuguese": ("zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove"),
}
_MARKS: Mapping[str, Mapping[str, str]] = {
    "english": {".": "dot", "@": "at", "-": "dash", "_": "underscore", "+": "plus", "/": "slash", ":": "colon"},
    "german": {
        ".": "punkt",
        "@": "ät",
        "-": "bindestrich",
        "_": "unterstrich",
        "+": "plus",
        "/": "schrägstrich",
        ":": "doppelpunkt",
    },
    "french": {".": "point", "@": "arobase", "-": "tiret", "_": "underscore", "+": "plus", "/": "slash", ":": "colon"},
    "spanish": {".": "punto", "@": "arroba", "-": "guion", "_": "underscore", "+": "plus", "/": "slash", ":": "colon"},
    "italian": {
        ".": "punto",
        "@": "chiocciola",
        "-": "trattino",
        "_": "underscore",
        "+": "plus",
        "/": "slash",
        ":": "colon",
    },
    "portuguese": {
        ".": "ponto",
        "@": "arroba",
        "-": "hífen",
        "_": "underscore",
        "+": "plus",
        "/": "slash",
        ":": "colon",
    },
}
_NATO = {
    word[0].lower(): word
    for word in re.findall(
        r"\w+",
        "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliet Kilo Lima Mike November Oscar Papa "
        "Quebec Romeo Sierra "
        "Tango Uniform Victor Whiskey Xray Yankee Zulu",
    )
}
_LOOKALIKES = str.maketrans("aceopxysijABCEHIKMOPTXYS", "асеорхуѕіјАВСЕНІКМОРТХУЅ")
_LOOKALIKE_DIGITS = str.maketrans("03", "ОЗ")
_GREEK = str.maketrans("ovpABEHIKMNOPTXYZ", "ονρΑΒΕΗΙΚΜΝΟΡΤΧΥΖ")
_SMALL_CAPITALS = str.maketrans("abcdefghijklmnoprtuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ")


def _each(change: Form) -> Form:
    return lambda value: "".join(map(change, value))


def _between(mark: str) -> Form:
    return lambda value: mark.join(value)


def _shifted(upper: int, lower: int, digit: int) -> Form:
    """Letters and digits of another alphabet in Unicode, which begins at these code points; 0: it has none."""

    def change(char: str) -> str:
        for first, start in (("A", upper), ("a", lower), ("0", digit)):
            place = ord(char) - ord(first)
            if start and char.isascii() and char.isalnum() and 0 <= place < (10 if first == "0" else 26):
                return chr(start + place)
        return char

    return _each(change)


def _circled(char: str) -> str:
    if char == "0":
        return "⓪"
    if char.isdigit():
        return chr(ord("①") + int(char) - 1)
    return _shifted(ord("Ⓐ"), ord("ⓐ"), 0)(char)


def _raised(char: str) -> str:
    return "⁰¹²³⁴⁵⁶⁷⁸⁹"[int(char)] if char.isascii() and char.isdigit() else char


def _spelled(language: str, gap: str = " ") -> Form:
    """Each digit as a word, each mark as a word, letters one by one."""

    def spell(value: str) -> str:
        words = (
            _DIGITS[language][int(c)] if c.isdigit() else _MARKS[language].get(c, c) for c in value if c not in " ()"
        )
        return gap.join(words)

    return spell


def _comma_groups(value: str) -> str:
    """Digits as words, a comma where the groups end."""
    groups = "".join(c if c.isalnum() or c in ".@:/_+" else " " for c in value).split()
    return ", ".join(_spelled("english")(group) for group in groups)


def _double(value: str) -> str:
    """Digits as words, two equal ones as "double", zero as "oh"."""
    words, i = [], 0
    plain = [c for c in value if c not in " ()"]
    while i < len(plain):
        twice = plain[i].isdigit() and i + 1 < len(plain) and plain[i] == plain[i + 1]
        word = "oh" if plain[i] == "0" else _spelled("english")(plain[i])
        words.append(f"double {word}" if twice else word)
        i += 2 if twice else 1
    return " ".join(words)


def _nato(value: str) -> str:
    words = (
        _NATO[c.lower()] if c.isascii() and c.isalpha() else _spelled("english")(c) for c in value if c not in " ()"
    )
    return " ".join(words)


def _worded(at: str, dot: str) -> Form:
    return lambda value: value.replace("@", at).replace(".", dot)


def _middle(mark: str) -> Form:
    """Gives a mark in the middle of the value, at the nearest place behind the first half."""
    return lambda value: value[: len(value) // 2] + mark + value[len(value) // 2 :]


def _emphasis(opening: str, closing: str) -> Form:
    """Emphasis on the first part of the value: up to its first mark, or its first half."""

    def emphasise(value: str) -> str:
        cut = next((i for i, c in enumerate(value) if i > 1 and not c.isalnum()), len(value) // 2)
        return opening + value[:cut] + closing + value[cut:]

    return emphasise


def _escape_marks(before: str) -> Form:
    return _each(lambda c: c if c.isalnum() or c.isspace() else before + c)


def _hex(form: str, gap: str = "") -> Form:
    return lambda value: gap.join(form.format(byte) for byte in value.encode())


def _base64(value: str) -> str:
    return base64.b64encode(value.encode()).decode()


FORMS: Mapping[str, Form] = {
    "full-width": _each(lambda c: chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c),
    "full-width digits": _shifted(0, 0, 0xFF10),
    "mathematical bold": _shifted(0x1D400, 0x1D41A, 0x1D7CE),
    "mathematical monospace": _shifted(0x1D670, 0x1D68A, 0x1D7F6),
    "circled": _each(_circled),
    "superscript digits": _each(_raised),
    "arabic-indic digits": _shifted(0, 0, 0x0660),
    "persian digits": _shifted(0, 0, 0x06F0),
    "devanagari digits": _shifted(0, 0, 0x0966),
    "bengali digits": _shifted(0, 0, 0x09E6),
    "thai digits": _shifted(0, 0, 0x0E50),
    "cyrillic letters": lambda value: value.translate(_LOOKALIKES).translate(_LOOKALIKE_DIGITS),
    "greek letters": lambda value: value.translate(_GREEK),
    "small capitals": lambda value: value.translate(_SMALL_CAPITALS),
    "zero-width spaces": _between("\u200b"),
    "zero-width joiners": _between("\u200d"),
    "soft hyphens": _between("\u00ad"),
    "direction marks": _between("\u200e"),
    "word joiners": _between("\u2060"),
    "combining marks": _each(lambda c: c + "\u0336"),
    "exotic spaces and dashes": lambda value: (
        value.replace(" ", "\u2009").replace("-", "\u2011").replace(".", "\u2024")
    ),
    "at and dot": _worded(" at ", " dot "),
    "[at] and [dot]": _worded("[at]", "[dot]"),
    "(at) and (dot)": _worded(" (at) ", " (dot) "),
    "{at} and {dot}": _worded(" {at} ", " {dot} "),
    "_at_": _worded("_at_", "_dot_"),
    "[at], dots as they are": _worded(" [at] ", "."),
    "german at and dot": _worded(" klammeraffe ", " punkt "),
    "french at and dot": _worded(" arobase ", " point "),
    "spanish at and dot": _worded(" arroba ", " punto "),
    "italian at and dot": _worded(" chiocciola ", " punto "),
    "portuguese at and dot": _worded(" arroba ", " ponto "),
    "spelled in english": _spelled("english"),
    "spelled in german": _spelled("german"),
    "spelled in french": _spelled("french"),
    "spelled in spanish": _spelled("spanish"),
    "spelled in italian": _spelled("italian"),
    "spelled in portuguese": _spelled("portuguese"),
    "spelled with hyphens": _spelled("english", "-"),
    "spelled with commas": _spelled("english", ", "),
    "spelled in groups": _comma_groups,
    "spelled with double and oh": _double,
    "nato": _nato,
    "spaced": _between(" "),
    "dotted": _between("."),
    "dashed": _between("-"),
    "underscored": _between("_"),
    "slashed": _between("/"),
    "with commas": _between(", "),
    "line break": _middle("\n"),
    "line break and indentation": _middle("\n    "),
    "json escapes": _each(lambda c: f"\\u{ord(c):04x}"),
    "json escapes of marks": _each(lambda c: c if c.isalnum() or c == " " else f"\\u{ord(c):04x}"),
    "backslash x": _hex("\\x{:02x}"),
    "html decimal": _each(lambda c: f"&#{ord(c)};"),
    "html hexadecimal": _each(lambda c: f"&#x{ord(c):x};"),
    "html names": lambda value: (
        html.escape(value).replace("@", "&commat;").replace(".", "&period;").replace("-", "&#45;")
    ),
    "percent": _hex("%{:02X}"),
    "percent of marks": lambda value: urllib.parse.quote(value, safe="").replace(".", "%2E").replace("-", "%2D"),
    "quoted-printable": _hex("={:02X}"),
    "quoted-printable soft break": _middle("=\n"),
    "bold part": _emphasis("**", "**"),
    "code part": _emphasis("`", "`"),
    "backslashes": _escape_marks("\\"),
    "html tag": _emphasis("<b>", "</b>"),
    "html span": _emphasis('<span class="x">', "</span>"),
    "base64": _base64,
    "base64 url-safe": lambda value: base64.urlsafe_b64encode(value.encode()).decode(),
    "base64 without padding": lambda value: _base64(value).rstrip("="),
    "base64 in a sentence": lambda value: _base64(f"It is {value}."),
    "hex": _hex("{:02x}"),
    "hex with spaces": _hex("{:02x}", " "),
    "hex with colons": _hex("{:02X}", ":"),
    "hex with 0x": _hex("0x{:02x}", " "),
    "hex with one 0x": lambda value: "0x" + value.encode().hex(),
    "reversed": lambda value: value[::-1],
    "rot13": lambda value: codecs.encode(value, "rot13"),
}
"""Name of the form -> value -> disguised value."""


def recall_table(values: Mapping[str, Sequence[str]], found: Callable[[str, int, int], bool]) -> str:
    """Gives a Markdown table of forms by entities: how many disguised values were found of how many.

    Args:
        values: entity -> values.
        found: whether the value at text[start:end] is covered, given (text, start, end).
    """
    lead, lines = "It is ", ["| form | " + " | ".join(values) + " |", "|---" * (len(values) + 1) + "|"]
    for name, form in FORMS.items():
        cells = []
        for rows in values.values():
            changed = [form(value) for value in rows if form(value) != value]
            hits = sum(found(f"{lead}{value} as said.", len(lead), len(lead) + len(value)) for value in changed)
            cells.append(f"{hits}/{len(changed)}" if changed else "-")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)
