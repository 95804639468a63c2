"""Recognisers for keys and tokens: known forms, key blocks, seed phrases, and random strings.

Hexadecimal strings (commits, checksums) are no keys unless a label announces them. UUIDs are none at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Recognizer
from reticent_detectors.finder.engine.run_unless import RunUnless
from reticent_detectors.finder.network.wallets import base58check
from reticent_detectors.finder.secrets.randomness import LEAST_UNANNOUNCED, is_wordy, strongly_random

KEY_CHARS = 1000
"""Longest key looked at in one piece, in characters."""


class KeyForm(NamedTuple):
    """One row: a key with a known beginning. A `mixed` one has a capital and no words, unlike names that begin so."""

    name: str
    prefix: str
    rest: str
    mixed: bool = False


FORMS: Sequence[KeyForm] = (
    *(KeyForm("aws", prefix, "[A-Z0-9]{16}") for prefix in ("AKIA", "ASIA", "AROA", "AIDA", "ABIA", "ACCA")),
    *(KeyForm("github", f"gh{kind}_", "[A-Za-z0-9]{30,255}") for kind in "pousr"),
    KeyForm("github", "github_pat_", "[A-Za-z0-9_]{22,255}"),
    *(
        KeyForm("gitlab", f"gl{kind}-", "[\\w-]{20,64}")
        for kind in ("pat", "dt", "rt", "cbt", "ptt", "ft", "imt", "agent", "soat")
    ),
    *(KeyForm("slack", f"xox{kind}-", "[\\w-]{10,255}") for kind in "abeoprs"),
    KeyForm("slack", "xapp-", r"\d-[\w-]{10,255}"),
    *(KeyForm("stripe", f"{kind}k_{mode}_", "[A-Za-z0-9]{10,255}") for kind in "spr" for mode in ("live", "test")),
    KeyForm("stripe", "whsec_", "[A-Za-z0-9+/]{20,128}=*"),
    KeyForm("openai", "sk-", r"[\w-]{20,255}", mixed=True),
    KeyForm("anthropic", "sk-ant-", r"[\w-]{20,255}"),
    KeyForm("hugging-face", "hf_", "[A-Za-z0-9]{30,64}", mixed=True),
    KeyForm("replicate", "r8_", "[A-Za-z0-9]{30,64}"),
    KeyForm("groq", "gsk_", "[A-Za-z0-9]{40,64}"),
    KeyForm("google", "AIza", r"[\w-]{35}"),
    KeyForm("google", "ya29.", r"[\w-]{20,512}"),
    KeyForm("google", "GOCSPX-", r"[\w-]{24,36}"),
    KeyForm("npm", "npm_", "[A-Za-z0-9]{30,64}", mixed=True),
    KeyForm("pypi", "pypi-", r"[\w-]{40,512}", mixed=True),
    KeyForm("sendgrid", "SG.", r"[\w-]{16,32}\.[\w-]{16,64}"),
    KeyForm("twilio", "SK", "[0-9a-f]{32}"),
    KeyForm("twilio", "AC", "[0-9a-f]{32}"),
    *(KeyForm("digitalocean", f"do{kind}_v1_", "[a-f0-9]{64}") for kind in "opr"),
    *(KeyForm("shopify", f"shp{kind}_", "[A-Fa-f0-9]{32}") for kind in ("at", "ca", "pa", "ss")),
    KeyForm("square", "sq0", r"[a-z]{3}-[\w-]{22,64}"),
    KeyForm("mailgun", "key-", "[0-9a-f]{32}"),
    KeyForm("databricks", "dapi", "[0-9a-f]{32}(?:-\\d)?"),
    KeyForm("linear", "lin_api_", "[A-Za-z0-9]{30,64}"),
    KeyForm("notion", "ntn_", "[A-Za-z0-9]{30,64}"),
    KeyForm("atlassian", "ATATT3", r"[\w=-]{40,255}"),
    KeyForm("vault", "hvs.", r"[\w-]{24,255}"),
    KeyForm("grafana", "glsa_", r"\w{40,64}"),
    KeyForm("grafana", "glc_", r"[\w+/=-]{40,400}"),
    KeyForm("new-relic", "NRAK-", "[A-Z0-9]{27}"),
    KeyForm("dynatrace", "dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    KeyForm("postman", "PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"),
    KeyForm("facebook", "EAA", "[A-Za-z0-9]{60,300}", mixed=True),
    KeyForm("age", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"),
    KeyForm("jwt", "eyJ", r"[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}"),
    *(KeyForm("ssh", prefix, "[A-Za-z0-9+/]{20,}={0,3}") for prefix in ("AAAAB3NzaC1", "AAAAC3NzaC1", "AAAAE2VjZHNh")),
    *(KeyForm("extended-key", prefix, "[1-9A-HJ-NP-Za-km-z]{107,108}") for prefix in ("xprv", "yprv", "zprv", "tprv")),
)

_FORM_RUN = regex.compile(rf"[\w.+/=-]{{1,{KEY_CHARS}}}+")


class KeyForms:
    """Keys of all rows of `FORMS`, Telegram bots' tokens, and private keys of Bitcoin."""

    name = "key-form"
    entity = Entity.SECRET_KEY
    start_classes = "dul"
    fallback = False
    plain_word_starts = "ul"
    value_run = rf"[\w.+/=-]{{1,{KEY_CHARS}}}"

    def __init__(self, forms: Sequence[KeyForm]) -> None:
        self._rows: dict[str, list[tuple[str, Any, bool]]] = {}
        for form in forms:
            pattern = re.compile(f"{re.escape(form.prefix)}{form.rest}(?![\\w-])")
            self._rows.setdefault(form.prefix[:2], []).append((form.prefix, pattern, form.mixed))
        self._openings = frozenset(key[0] for key in self._rows)

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        rows = self._rows.get(text[p : p + 2])
        if rows is None:
            return OPEN if not closed and p + 1 == len(text) and text[p] in self._openings else NONE
        end = NONE
        for prefix, pattern, mixed in rows:
            if not text.startswith(prefix, p):
                if not closed and prefix.startswith(text[p:]):
                    return OPEN
                continue
            run = _FORM_RUN.match(text, p)
            if run is None:
                continue
            if not closed and run.end() == len(text) and run.end() - p < KEY_CHARS:
                return OPEN
            match = pattern.match(run[0])
            if match is None:
                continue
            value = match[0].rstrip(".")
            if not mixed or (any(c.isupper() for c in value) and not is_wordy(value)):
                end = max(end, p + len(value))
        # The rest of a longer key begins behind a mark, where the finder looks again.
        return _whole_pieces(text, p, end) if end - p == KEY_CHARS else end

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return (word + mark)[:2] in self._rows

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        tail = text[p : p + KEY_CHARS]
        return any(
            len(tail) > len(prefix) + 3 and tail.startswith(prefix) and _FORM_RUN.fullmatch(tail)
            for prefix, _, _ in self._rows.get(tail[:2], ())
        )


def _whole_pieces(text: str, p: int, end: int) -> int:
    back = max(text.rfind(mark, end - 120, end) for mark in "-+/.")
    return back + 1 if back > p else end


_RANDOM_RUN = regex.compile(rf"[A-Za-z0-9+/_-]{{1,{KEY_CHARS}}}+(?:={{1,2}}+)?+")
# A fingerprint or an embedded file is no key; a name with dots is code, a path no key.
_NO_KEY = regex.compile(
    r"(?ri)(?:base64,|(?:sha\d{1,3}|md5|blake\w{1,3})[:=_-]|integrity\W{1,6}|[/\\]|\w[.@])[+/]{0,3}"
)
_KEY_GOES_ON = regex.compile(r"(?r)[A-Za-z0-9+/=_.-]{60}")


class RandomKey:
    """A run of letters, digits and a few marks that is random (`strongly_random`), or continues a longer key."""

    name = "random-key"
    entity = Entity.SECRET_KEY
    start_classes = "dul"
    fallback = False
    plain_word_starts = ""
    value_run = rf"[A-Za-z0-9+/=_-]{{1,{KEY_CHARS + 2}}}"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        run = _RANDOM_RUN.match(text, p)
        if run is None:
            return NONE
        end = int(run.end())
        if end == len(text) and not closed:
            return OPEN
        if end - p < LEAST_UNANNOUNCED and (p == 0 or text[p - 1] not in "+/.-"):
            return NONE
        if not self._random(run[0], position):
            return NONE
        if text[end : end + 1] == ".":
            if end + 1 == len(text):
                return end if closed else OPEN
            if text[end + 1].isalnum():
                return NONE
        if text[end : end + 1] in ("(", "["):
            return NONE
        return _whole_pieces(text, p, end) if end - p == KEY_CHARS else end

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        run = _RANDOM_RUN.match(text, p)
        return run is not None and run.end() == len(text) and self._random(run[0], position)

    def _random(self, run: str, position: Position) -> bool:
        if len(run) >= LEAST_UNANNOUNCED and strongly_random(run[:160]):
            return not _NO_KEY.match(position.before)
        if position.before[-1:] in ("+", "/", ".", "-"):
            before = _KEY_GOES_ON.match(position.before)
            return before is not None and strongly_random(before[0])
        return False


_BLOCK_RUN = regex.compile(r"[A-Za-z0-9+/=]{1,1000}+")
_SHORT_WORD = re.compile(r"[A-Za-z0-9+/=]{1,15}(?![A-Za-z0-9+/=]|\Z)")
_BREAK = r"(?:[\s\"'+,|>#*]|\\[rn]){1,40}"
_BLOCK_HEAD = regex.compile(
    rf"(?r)PRIVATE\ KEY(?:\ BLOCK)?-----{_BREAK}?"
    rf"(?:(?:Proc-Type|DEK-Info|Comment|Version):[^\n]{{1,60}}{_BREAK}){{0,3}}[+/]{{0,4}}(?:\\[rn])?"
)
_BLOCK_LINE = regex.compile(rf"(?r)(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{{48,76}}){_BREAK}[+/]{{0,4}}")
_BLOCK_END = re.compile(r"(?:[\s\"'+,|>#*]|\\[rn]){0,40}-----END")


class KeyBlock:
    """One line of a private key in PEM form, also with the line breaks written as in JSON.

    The line before it tells a line that is not the first, for a whole block is longer than what may be held back. So
    lines of other blocks of that form (a certificate) are found too, but for the first.
    """

    name = "key-block"
    entity = Entity.SECRET_KEY
    start_classes = "dul"
    fallback = False
    plain_word_starts = "ul"
    value_run = r"[A-Za-z0-9+/=]{1,1001}"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if p < 2 or (text[p - 1] == " " and text[p - 2].isalpha() and _SHORT_WORD.match(text, p)):
            return NONE
        # In JSON's spelling the line begins with the n of its own "\\n".
        start = p + (p > 0 and text[p - 1] == "\\" and text[p] in "nr")
        run = _BLOCK_RUN.match(text, start)
        if run is None:
            return OPEN if start == len(text) and not closed and any(self._announced(position, p != start)) else NONE
        end = int(run.end())
        size = end - start
        if size < 16 and end < len(text) and not self._breaks(text, p):
            return NONE
        head, line = self._announced(position, p != start)
        if not head and not line:
            return NONE
        if end == len(text) and not closed and size < KEY_CHARS:
            return OPEN
        if head or (size >= 40 and _mixed(run[0])):
            return end if size >= 16 else NONE
        tail = text[end : end + 48]
        if not closed and len(tail) < 48 and _BLOCK_MORE.fullmatch(tail):
            return OPEN
        return end if _BLOCK_END.match(tail) else NONE

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return not led or _SHORT_WORD.match(word + mark) is None

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        run = _BLOCK_RUN.match(text, p)
        return run is not None and run.end() == len(text) and any(self._announced(position, False))

    def _breaks(self, text: str, p: int) -> bool:
        return p > 0 and (
            text[p - 1] in "\\\n" or "\n" in text[max(0, p - 12) : p] or "\\n" in text[max(0, p - 12) : p]
        )

    def _announced(self, position: Position, escaped: bool) -> tuple[bool, bool]:
        before = position.before + "n" if escaped else position.before
        if _BLOCK_HEAD.match(before):
            return True, False
        line = _BLOCK_LINE.match(before)
        return False, line is not None and _mixed(line[1])


_BLOCK_MORE = re.compile(r"(?:[\s\"'+,|>#*]|\\[rn]?){0,40}-{0,5}E?N?D?")


def _mixed(text: str) -> bool:
    return (
        any(c.isdigit() for c in text)
        and any(c.isupper() for c in text)
        and any(c.islower() for c in text)
        and not is_wordy(text)
    )


_SEED_RUN = regex.compile(r"[a-z ]{1,240}+")
_SEED_LABEL = regex.compile(
    r"(?ri)(?:seed|recovery|mnemonic|backup|secret)\s(?:phrase|words?|seed)\W{0,3}"
    r"(?:\s(?:is|are|was|of|for)(?:\s[\w ]{1,24}:)?)?[\s:=\"'`*]{1,6}"
)
_SEED_ENDS = frozenset({"se ", "is ", "re ", "as ", "ds ", "ed ", "rd "})
_SEED_SIZES = (24, 21, 18, 15, 12)


class SeedPhrase:
    """The 12 to 24 words from which a wallet's keys are made, behind a label. BIP-39's list is not asked."""

    name = "seed-phrase"
    entity = Entity.SECRET_KEY
    start_classes = "l"
    fallback = False
    plain_word_starts = "ul"
    value_run = r"[a-z ]{1,240}"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        if not self._announced(text, p, position):
            return NONE
        run = _SEED_RUN.match(text, p)
        if run is None:
            return NONE
        if run.end() == len(text) and not closed:
            return OPEN
        leading = re.match(r"(?:[a-z]{3,8}(?: |\Z)){0,24}", run[0])
        count = len(leading[0].split()) if leading else 0
        size = next((size for size in _SEED_SIZES if size <= count), 0)
        return p + len(" ".join(run[0].split(" ")[:size])) if size else NONE

    def may_follow(self, before: str) -> bool:
        return f"{before} "[-3:] in _SEED_ENDS

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        run = _SEED_RUN.match(text, p)
        return run is not None and run.end() == len(text) and " " in run[0] and self._announced(text, p, position)

    def _announced(self, text: str, p: int, position: Position) -> bool:
        # Cheap: behind a mark, or behind one of the label's words.
        before = text[max(0, p - 3) : p]
        ends = before[-1:] in ("'", '"', "`", "*", "\n") or before[-2:] in (": ", "= ") or before in _SEED_ENDS
        return ends and _SEED_LABEL.match(position.before) is not None


def _bitcoin_key(run: str) -> int:
    payload = base58check(run) if len(run) in (51, 52) else None
    return len(run) if payload is not None and len(payload) in (33, 34) and payload[0] in (0x80, 0xEF) else 0


def _telegram(run: str) -> int:
    match = re.match(r"\d{8,10}:AA[\w-]{33}(?![\w-])", run)
    return match.end() if match else 0


KEYS: Sequence[Recognizer] = (
    KeyForms(FORMS),
    RunUnless(
        "bitcoin-key", Entity.SECRET_KEY, "dul", r"\w", _bitcoin_key, most=128, opens="[5KL9c][1-9A-HJ-NP-Za-km-z]{50}"
    ),
    RunUnless(
        "telegram-key",
        Entity.SECRET_KEY,
        "d",
        r"\w:-",
        _telegram,
        most=64,
        opens=r"\d{8,10}:AA",
        part=lambda run: bool(re.match(r"\d{8,10}:A", run)),
    ),
    KeyBlock(),
    SeedPhrase(),
    RandomKey(),
)
