"""Fits what replaces a value into the source code around it, so that code that parsed before parses afterwards.

    code = CodeRedaction(before)          # the text from which the answer goes on, such as a completion prompt
    code.released(text)                   # all text that leaves
    code.fitted("PIN", "4821", "‹pin_3fa9c2›")     # behind `pin = `: "‹pin_3fa9c2›" in quotes

The rule: behind the replacement, the code is at the same position as behind the value.

| place of the value | replacement |
|---|---|
| a string or a comment | the redaction; an escape before it is completed |
| a string or a comment that ends in the value | the redaction, and then the closing mark |
| code, after letters or digits of the same word | `REDACTED_PIN`, or `0` in a number (in JSON behind its sign, too) |
| code, as a name, or as a number where numbers end in letters (Java, C) | `REDACTED_PIN` |
| code, as anything else | the redaction in quotes; brackets, commas and equals signs at its edges stay |
| prose, or another language | the redaction |

Of a value in code, outside of strings, only brackets, commas, colons, semicolons and equals signs at its edges are
kept, and quotes and comment marks in which it ends. The text that has left and the value decide. Nothing behind the
value is read, so the cuts of a stream change nothing.

Not covered: what `code_position` does not cover; a value in code of which a suffix such as `.50` is not part; whole
lines of text that is withheld because it was held back too long.
"""

from __future__ import annotations

import re

from reticent.policy.code_families import JSON, PYTHON
from reticent.policy.code_position import CodePosition, Frame

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_KEYWORD = re.compile(r"\s*[^\W\d]\w*\s*=(?!=).*\S.*", re.DOTALL)
_EDGE = "()[]{},;:="
_UNFIT = re.compile(r"[\"'`\\{}$\n\r#]")
"""Matches a character that may end a literal, or begin something else in one."""
_UNFIT_BETWEEN_SLASHES = re.compile(r"[/*]")
_PAIRS = {")": "(", "]": "[", "}": "{"}
_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}


class CodeRedaction:
    """Follows one answer, and fits redactions into it.

    Args:
        before: the text from which the answer goes on.
        only_json: whether source code in other languages is left as prose is.
        numbers_stay: whether a number in JSON may not become a string, as a schema asks for numbers.
    """

    def __init__(self, before: str = "", only_json: bool = False, numbers_stay: bool = False) -> None:
        self._position, self._numbers_stay = CodePosition(only_json), numbers_stay
        self._position.feed(before)

    def __repr__(self) -> str:
        return f"CodeRedaction({self._position.kind})"

    def released(self, text: str) -> None:
        """Takes the text that has left, replacements included."""
        self._position.feed(text)

    def can_fit(self, value: str) -> bool:
        """Says whether anything may stand in a value's place here. A number that has to stay a number has no other."""
        at = self._position
        return not (self._numbers_stay and at.family is JSON and at.kind == "code" and value.strip()[-1:].isdigit())

    def fitted(self, entity: str, value: str, redaction: str) -> str:
        """Gives the replacement of a value at this place.

        Args:
            entity: the kind of the value.
            value: the characters that are replaced, as the answer has them.
            redaction: the replacement in prose.
        """
        return fitted(self._position, entity, value, redaction)


def fitted(at: CodePosition, entity: str, value: str, redaction: str) -> str:
    """Gives the replacement of a value at a position. See `CodeRedaction.fitted`."""
    if at.kind == "prose":
        return redaction
    at = at.settled()
    after = at.copied()
    after.feed(value)
    if after.kind == "prose":  # the value holds the end of the code block
        return redaction
    name = f"REDACTED_{re.sub(r'[^A-Z0-9_]', '_', entity.upper())}"
    between = at.kind in ("block comment", "regex") and _UNFIT_BETWEEN_SLASHES.search(redaction)
    text = f"<{name}>" if between or _UNFIT.search(redaction) else redaction
    if at.kind in ("line comment", "block comment"):
        return text + _leaving_comment(at, after)
    if at.kind in ("string", "regex"):
        ascii_only = at.kind == "string" and "b" in at.frame.prefix and not text.isascii()
        return _in_string(at, after, value, f"<{name}>" if ascii_only else text)
    return _in_code(at, after, value, name, text)


def _leaving_comment(at: CodePosition, after: CodePosition) -> str:
    if after.kind == at.kind:
        return ""
    return ("\n" if at.kind == "line comment" else " */") + _opening(after)


def _opening(after: CodePosition) -> str:
    """Gives the marks that lead from code to the literal or comment in which a value ends."""
    match after.kind:
        case "string":
            return after.frame.prefix + after.frame.quote
        case "line comment":
            return f" {after.family.line} " if after.family is not None else ""
        case "block comment":
            return " /* "
        case _:
            return ""


def _in_string(at: CodePosition, after: CodePosition, value: str, text: str) -> str:
    out = _completed(at) + text
    depth = len(at.frames)
    if len(after.frames) == depth and after.kind == at.kind:
        if (after.frame.quote, after.frame.prefix) == (at.frame.quote, at.frame.prefix):
            return out + ("\\" if after.escape == "\\" and not after.frame.is_raw else "")
        return f"{out}{at.frame.quote}, {_opening(after)}"
    if len(after.frames) > depth:  # the value opens an interpolation
        return out + ("{" if "f" in at.frame.prefix else "${")
    closing = at.frame.quote if at.kind == "string" else "/"
    rest = value[value.rfind(closing) + len(closing) :] if closing in value else value
    return out + closing + _unmatched(rest) + _opening(after)


def _completed(at: CodePosition) -> str:
    """Gives the characters that complete an escape of which only the beginning has left."""
    begun, family = at.escape, at.family
    if at.kind == "regex":
        return "\\" if at.frame.run else ""
    if not begun or at.frame.is_raw:
        return ""
    if begun == "\\":
        return "\\"
    if begun.startswith("\\N"):
        return "SPACE}" if begun.startswith("\\N{") else "{SPACE}" if family is PYTHON else ""
    if begun.startswith("\\u{"):
        return "}" if len(begun) > 3 else "20}"
    return "0" * (_ESCAPE_DIGITS[begun[1]] - len(begun) + 2)


def _in_code(at: CodePosition, after: CodePosition, value: str, name: str, text: str) -> str:
    core = value.strip()
    blank = value[: len(value) - len(value.lstrip())]
    if after.kind == "string":
        code = core[: len(core) - len(_last_literal(core, after.frame))].removesuffix(after.frame.prefix)
        return blank + (name if re.search(r"\w", code) else "") + _edges(code) + _opening(after) + text
    if at.word and not blank:
        token = "0" if at.word[0] in "+-.0123456789" else name
    elif _may_name(at) and (_NAME.fullmatch(core.strip(_EDGE)) or (at.family is not None and at.family.suffixes)):
        token = name
    elif not re.search(r"\w", core):
        token = ""
    else:
        token = _quoted(at, name, text)
        if _KEYWORD.fullmatch(core) and after.kind == "code":
            token = f"{name}={token}"
    if after.kind != "code":
        return blank + token + _edges(core[: len(core) - len(_last_literal(core, after.frame))]) + _opening(after)
    return blank + token + _edges(core) + value[len(value.rstrip()) :]


def _edges(code: str) -> str:
    """Gives the unmatched brackets, and the commas, colons, semicolons and equals signs at the end."""
    code = code.rstrip()
    return _unmatched(code) + code[len(code.rstrip(",;:=")) :]


def _may_name(at: CodePosition) -> bool:
    return at.family is not None and at.family.identifiers


def _quoted(at: CodePosition, name: str, text: str) -> str:
    """Writes the redaction as a string, whose quote closes none of the strings around it."""
    used = {frame.quote[:1] for frame in at.frames}
    for quote in ('"', "'") if at.family is not None and "'" in at.family.quotes else ('"',):
        if quote not in used:
            return f"{quote}{text}{quote}"
    return name


def _last_literal(value: str, frame: Frame) -> str:
    """Gives the part of a value from the mark on that opens the literal or comment in which it ends."""
    mark = frame.quote or ("/*" if frame.kind == "block comment" else "//" if "//" in value else "#")
    found = value.rfind(mark)
    return value[found:] if found >= 0 else ""


def _unmatched(code: str) -> str:
    """Gives the brackets of a piece of code whose partners are outside: first the closing, then the opening ones."""
    closing: list[str] = []
    opened: list[str] = []
    for char in re.sub(r"\"[^\"]*\"|'[^']*'", "", code):
        if char in "([{":
            opened.append(char)
        elif char in _PAIRS:
            if opened and opened[-1] == _PAIRS[char]:
                opened.pop()
            elif not opened:
                closing.append(char)
    return "".join(closing + opened)
