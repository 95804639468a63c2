"""Writes a pattern of `re` or `regex` as JavaScript has it, for a checker that reads no other.

What JavaScript lacks becomes what may take longer and never less: a possessive quantifier and an atomic group
backtrack, both branches of a condition are open. A pattern that is read from the right is written as it is read from
the left. Scoped flags are left out, as letter case changes no cost.
"""

from __future__ import annotations

import re

_FLAGS = re.compile(r"\(\?([aiLmsuxrbefpwV01]+)\)")
_SCOPED = re.compile(r"\(\?[aiLmsuxr]*-?[aiLmsuxr]*:")
_NAMED = re.compile(r"\(\?P<(\w+)>")
_BACK = re.compile(r"\(\?P=(\w+)\)")
_CONDITION = re.compile(r"\(\?\(\w+\)")
_QUANTIFIER = re.compile(r"(?:[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})([+?]?)")
_PROPERTY = re.compile(r"\\[pP]\{\^?\w+\}")
_OCTAL = re.compile(r"\\(0[0-7]{0,2}|[1-7][0-7]{2})")
_SYNTAX = frozenset("^$\\.*+?()[]{}|/")
_CLASSES = frozenset("dDwWsSbBpPnrtfv0123456789kuxc")


def to_javascript(pattern: str, flags: int) -> tuple[str, str]:
    """Gives a pattern's source and flags in JavaScript."""
    found = _FLAGS.match(pattern)
    own = found[1] if found else ""
    verbose = bool(flags & re.VERBOSE) or "x" in own
    out: list[str] = []
    at, inside = 0, False
    while at < len(pattern):
        step, text, inside = _step(pattern, at, inside, verbose)
        out.append(text)
        at += step
    wanted = "u" + "".join(
        letter for letter, flag in (("i", re.IGNORECASE), ("m", re.MULTILINE), ("s", re.DOTALL)) if flags & flag
    )
    return _with_own_names("".join(out)), wanted


def _with_own_names(source: str) -> str:
    """Leaves a group's name to the first group that has it."""
    known = set[str]()

    def opened(group: re.Match[str]) -> str:
        first = group[1] not in known
        known.add(group[1])
        return group[0] if first else "("

    return re.sub(r"\(\?<(\w+)>", opened, source)


def _step(pattern: str, at: int, inside: bool, verbose: bool) -> tuple[int, str, bool]:
    """Gives how many characters are read, what stands for them, and whether a set is open behind them."""
    char = pattern[at]
    if char == "\\":
        return *_escape(pattern, at, inside), inside
    if inside:
        if char == "[":
            return 1, r"\[", True
        return 1, char, char != "]"
    if char == "[":
        ahead = 2 if pattern.startswith("[^", at) else 1
        if pattern.startswith("]", at + ahead):  # a bracket that comes first is one of the set
            return ahead + 1, pattern[at : at + ahead] + r"\]", True
        return ahead, pattern[at : at + ahead], True
    if char == "(":
        return *_group(pattern, at), False
    quantifier = _QUANTIFIER.match(pattern, at)
    if quantifier is not None and at:
        lazy = "?" if quantifier[1] == "?" else ""
        text = quantifier[0][: len(quantifier[0]) - len(quantifier[1])].replace("{,", "{0,")
        return len(quantifier[0]), text + lazy, False
    if verbose and char.isspace():
        return 1, "", False
    if verbose and char == "#":
        end = pattern.find("\n", at)
        return (len(pattern) if end < 0 else end) - at, "", False
    return 1, "\\" + char if char in "{}]" else char, False


def _escape(pattern: str, at: int, inside: bool) -> tuple[int, str]:
    following = pattern[at + 1]
    found = _PROPERTY.match(pattern, at)
    if found is not None:
        return len(found[0]), found[0]
    found = _OCTAL.match(pattern, at)
    if found is not None:
        return len(found[0]), f"\\u{{{int(found[1], 8):x}}}"
    if following in "ZzA":
        return 2, "^" if following == "A" else "$"
    if following == "U":
        return 10, f"\\u{{{int(pattern[at + 2 : at + 10], 16):x}}}"
    if following == "N":
        end = pattern.index("}", at) + 1
        return end - at, "x"
    if following in _SYNTAX or following in _CLASSES:
        return 2, "\\" + following
    if following == "-" and inside:
        return 2, "\\-"
    return 2, following


def _group(pattern: str, at: int) -> tuple[int, str]:
    for form in (_FLAGS, _SCOPED, _NAMED, _BACK, _CONDITION):
        found = form.match(pattern, at)
        if found is None:
            continue
        if form is _FLAGS:
            return len(found[0]), ""
        if form is _NAMED:
            return len(found[0]), f"(?<{found[1]}>"
        if form is _BACK:
            return len(found[0]), f"\\k<{found[1]}>"
        return len(found[0]), "(?:"
    if pattern.startswith("(?>", at):
        return 3, "(?:"
    return 1, "("
