"""Decodes the escape sequences of string literals in Python, JavaScript, Java and Go."""

from __future__ import annotations

import re
import unicodedata

from reticent_bench.audits.code.language import Language

_ESCAPE = re.compile(
    r"\\(?:(?P<octal>[0-7]{1,3})|x(?P<hex>[0-9a-fA-F]{2})"
    r"|u+(?P<unicode>[0-9a-fA-F]{4})|u\{(?P<braced>[0-9a-fA-F]{1,6})\}"
    r"|U(?P<long>[0-9a-fA-F]{8})|N\{(?P<named>[^}]*)\}|(?P<line>\r\n|\n|\r)|(?P<char>.))",
    re.DOTALL,
)
_CHARS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "a": "\a", "s": " "}
_KNOWN: dict[Language, str] = {"python": "ntrbfva", "javascript": "ntrbfv", "java": "ntrbfs", "go": "ntrbfva"}
_MOST = 0x10FFFF


def decode_escapes(text: str, language: Language) -> str:
    """Decodes the escape sequences of a string literal.

    An unknown sequence keeps its backslash in Python and loses it elsewhere. Surrogate pairs become one character.
    """

    def char_of(match: re.Match[str]) -> str:
        found = match.groupdict()
        if found["octal"] is not None:
            return chr(int(found["octal"], 8))
        for group in ("hex", "unicode", "braced", "long"):
            if found[group] is not None:
                code = int(found[group], 16)
                return chr(code) if code <= _MOST else match[0]
        if found["named"] is not None:
            try:
                return unicodedata.lookup(found["named"])
            except KeyError:
                return match[0]
        if found["line"] is not None:
            return ""
        char = match["char"]
        if char in _KNOWN[language]:
            return _CHARS[char]
        return match[0] if language == "python" and char not in "\\'\"" else char

    decoded = _ESCAPE.sub(char_of, text)
    if any("\ud800" <= c <= "\udfff" for c in decoded):
        decoded = decoded.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return decoded


def text_block(text: str) -> str:
    """Returns the text of a Java text block: what is between the quotes, without incidental blanks (JLS 3.10.6)."""
    lines = text.partition("\n")[2].split("\n")
    counted = [line for line in lines[:-1] if line.strip()] + lines[-1:]
    indent = min((len(line) - len(line.lstrip()) for line in counted), default=0)
    stripped = "\n".join(line[indent:].rstrip() if line.strip() else "" for line in lines)
    return decode_escapes(stripped, "java")
