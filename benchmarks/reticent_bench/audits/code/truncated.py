"""Closes code whose end was cut off, so that a parser can name the literals before the cut."""

from __future__ import annotations

from reticent_bench.audits.code.language import Language

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_DANGLING = "=:+-*/%<>&|!?.^~"
_REGEX_BEFORE = "(,=:[!&|?{};+-*%<>~^\n"
_TEMPLATE = "`"


def close_code(source: str, language: Language) -> str:
    """Returns the source with its open brackets closed. A string that the end cuts is left out.

    Operators at the end get the operand `_`. The result keeps all characters before the cut in their place.
    """
    open_at, brackets = _scan(source, language)
    kept = (source if open_at is None else source[:open_at]).rstrip()
    if language == "python" and open_at is not None and kept[-1:] in ("f", "r", "b", "u", "F", "R", "B"):
        kept = _without_prefix(kept)
    # Java's arguments allow no comma at their end.
    kept = kept.removesuffix(",")
    tail = " _" if kept[-1:] and kept[-1] in _DANGLING else ""
    return kept + tail + "".join(reversed(brackets))


def _without_prefix(text: str) -> str:
    """Drops the prefix of a Python string: a name of at most two of its letters."""
    cut = len(text)
    while cut and text[cut - 1] in "fFrRbBuU":
        cut -= 1
    is_prefix = len(text) - cut <= 2 and not (cut and (text[cut - 1].isalnum() or text[cut - 1] == "_"))
    return text[:cut].rstrip() if is_prefix else text


def _scan(source: str, language: Language) -> tuple[int | None, list[str]]:
    """(where a string begins that has no end, the closing brackets that are due)."""
    due: list[str] = []
    i, length = 0, len(source)
    while i < length:
        char = source[i]
        comment = _comment_end(source, i, language)
        if comment is not None:
            i = comment
            continue
        quote = _quote(source, i, language)
        if quote:
            end = _string_end(source, i, quote, language)
            if end is None:
                return i, due
            i = end
            continue
        if char in _PAIRS:
            due.append(_PAIRS[char])
        elif due and char == due[-1]:
            due.pop()
        i += 1
    return None, due


def _comment_end(source: str, i: int, language: Language) -> int | None:
    """Where a comment or a regular expression ends that begins at i."""
    line_end = source.find("\n", i)
    line_end = len(source) if line_end < 0 else line_end
    if language == "python":
        return line_end if source[i] == "#" else None
    if source.startswith("//", i):
        return line_end
    if source.startswith("/*", i):
        end = source.find("*/", i + 2)
        return len(source) if end < 0 else end + 2
    if language == "javascript" and source[i] == "/":
        before = source[:i].rstrip(" \t")
        if not before or before[-1] in _REGEX_BEFORE:
            return _regex_end(source, i, line_end)
    return None


def _regex_end(source: str, i: int, line_end: int) -> int | None:
    in_class = False
    j = i + 1
    while j < line_end:
        if source[j] == "\\":
            j += 1
        elif source[j] in "[]":
            in_class = source[j] == "["
        elif source[j] == "/" and not in_class:
            return j + 1
        j += 1
    return None


def _quote(source: str, i: int, language: Language) -> str:
    """The quote of a string that begins at i, or nothing."""
    triples = {"python": ('"""', "'''"), "java": ('"""',)}.get(language, ())
    for quote in triples:
        if source.startswith(quote, i):
            return quote
    singles = "\"'" + (_TEMPLATE if language in ("javascript", "go") else "")
    return source[i] if source[i] in singles else ""


def _string_end(source: str, i: int, quote: str, language: Language) -> int | None:
    """Where a string ends; None if the text ends first. A line break ends a string of one line."""
    is_raw = quote == _TEMPLATE and language == "go"
    j = i + len(quote)
    while j < len(source):
        if source[j] == "\\" and not is_raw:
            j += 2
            continue
        if source.startswith(quote, j):
            return j + len(quote)
        if source[j] == "\n" and len(quote) == 1 and quote != _TEMPLATE:
            return j
        if quote == _TEMPLATE and not is_raw and source.startswith("${", j):
            end = _substitution_end(source, j + 2)
            if end is None:
                return None
            j = end
            continue
        j += 1
    return None


def _substitution_end(source: str, i: int) -> int | None:
    """Behind the bracket that closes a `${`; None if the text ends first."""
    depth = 1
    while i < len(source):
        quote = _quote(source, i, "javascript")
        if quote:
            end = _string_end(source, i, quote, "javascript")
            if end is None:
                return None
            i = end
            continue
        depth += {"{": 1, "}": -1}.get(source[i], 0)
        i += 1
        if depth == 0:
            return i
    return None
