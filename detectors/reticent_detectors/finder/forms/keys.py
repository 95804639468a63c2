"""Keys that no pattern describes: words of a wallet, web tokens, random runs, and the lines of private keys."""

from __future__ import annotations

import regex

from reticent_detectors.finder.forms.checks import is_random, is_wordy
from reticent_detectors.finder.forms.named import Named
from reticent_detectors.finder.match_ends import NONE, OPEN

_SEED = regex.compile(r"[a-z]{3,8}(?: [a-z]{3,8}){11,23}+")


def seed_phrase(text: str, p: int, closed: bool, named: Named | None) -> int:
    """Read the 12 to 24 words from which a wallet's keys are made."""
    match = _SEED.match(text, p, p + 240, partial=not closed and len(text) < p + 240)
    if match is None:
        return NONE
    if match.partial or (match.end() + 9 > len(text) and not closed):
        return OPEN
    count = match[0].count(" ") + 1
    size = next(size for size in (24, 21, 18, 15, 12) if size <= count)
    return p + len(" ".join(match[0].split(" ")[:size]))


_KEY_CHARS, _LEAST_BLOCK = 1000, 16
_KEY_RUN = regex.compile(r"[A-Za-z0-9+/_-]++(?:={1,2}+)?+")
# A fingerprint or an embedded file is no key; a name with dots is code, a path no key.
_NO_KEY = regex.compile(
    r"(?ri)(?:base64,|(?:sha\d{1,3}|md5|blake\w{1,3})[:=_-]|integrity\W{1,6}|[/\\]|\w[.@]|[+/=-])[+/]{0,3}"
)
_JWT = regex.compile(r"eyJ[\w-]{8,600}+\.[\w-]{8,600}+(?:\.[\w-]{0,600}+){0,3}+")


def key_run(text: str, p: int, closed: bool) -> int:
    """Read a web token, or a run of letters, digits and few marks that looks drawn at random."""
    run = _KEY_RUN.match(text, p, p + _KEY_CHARS)
    if run is None:
        return NONE
    end = int(run.end())
    if end == len(text) and not closed and end - p < _KEY_CHARS:
        return OPEN
    if text.startswith("eyJ", p):
        web_token = _JWT.match(text, p, p + 2 * _KEY_CHARS, partial=not closed)
        if web_token is not None:
            return OPEN if web_token.end() == len(text) and not closed else int(web_token.end())
    if end - p < 32 or not is_random(run[0][:160]) or _NO_KEY.match(text, max(0, p - 16), p):
        return NONE
    if text[end : end + 1] in ("(", "["):
        return NONE
    if text[end : end + 1] == ".":
        if end + 1 == len(text):
            return end if closed else OPEN
        return NONE if text[end + 1].isalnum() else end
    return end


_BLOCK_RUN = regex.compile(r"[A-Za-z0-9+/=]++")
_BREAK = r"(?:[\s\"'+,|>#*]|\\[rn]){1,40}"
_BLOCK_HEAD = regex.compile(
    rf"(?r)PRIVATE\ KEY(?:\ BLOCK)?-----{_BREAK}?"
    rf"(?:(?:Proc-Type|DEK-Info|Comment|Version):[^\n]{{1,60}}{_BREAK}){{0,3}}"
    r"[+/]{0,4}(?:\\[rn])?"
)
_BLOCK_LINE = regex.compile(rf"(?r)(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{{48,76}}){_BREAK}[+/]{{0,4}}")


def key_block(text: str, p: int, closed: bool) -> int:
    """Read one line of a private key in PEM form; the line before tells one that is not the first."""
    if p < 2 or text[p - 1] not in "\n\"'n|>+/#* \t":
        return NONE
    run = _BLOCK_RUN.match(text, p, p + _KEY_CHARS)
    if run is None or (run.end() - p < _LEAST_BLOCK and run.end() < len(text)):
        return NONE
    before = text[max(0, p - 240) : p]
    headed = _BLOCK_HEAD.match(before) is not None
    line = None if headed else _BLOCK_LINE.match(before)
    if not headed and (line is None or not _is_key_line(line[1])):
        return NONE
    end = int(run.end())
    if end == len(text) and not closed and end - p < _KEY_CHARS:
        return OPEN
    return end if end - p >= _LEAST_BLOCK and (headed or _is_key_line(run[0])) else NONE


def _is_key_line(line: str) -> bool:
    sorts = (str.isdigit, str.isupper, str.islower)
    return all(any(sort(c) for c in line) for sort in sorts) and not is_wordy(line)
