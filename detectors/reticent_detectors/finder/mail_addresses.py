"""E-mail addresses, and the names of files that hold an at-sign ("plan_v3@final.pdf") or an address ("jo@x.org.pdf").

An address may stand before anything that no top-level domain is called: it ends where its own domain ends.
A file whose ending is a top-level domain as well (`.zip`, `.md`) cannot be told from an address, so it counts as one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import regex
from publicsuffixlist import PublicSuffixList

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.word_sets import word_set
from reticent_detectors.finder.engine.recognizers import NONE, Pattern
from reticent_detectors.finder.network.domains import OTHERS, SURE

# How names of files end that no domain ends with.
_FILES = word_set(
    """pdf doc docx xls xlsx ppt pptx odt csv txt rtf jpg jpeg png gif svg webp html htm css js json xml yaml yml exe
    dll jar tar gz rar mp3 mp4 wav avi"""
)
_BORDER = regex.compile(r"[.-]")


@cache
def _suffixes() -> PublicSuffixList:
    """Reads the Public Suffix List at the first call, which takes some 30 ms."""
    return PublicSuffixList(accept_unknown=False)


def _has_top_level(domain: str) -> bool:
    """Tell whether a name of two labels or more ends in a top-level domain that exists."""
    name, _, last = domain.lower().rpartition(".")
    return bool(name) and (last in SURE or last in OTHERS or _suffixes().publicsuffix(f"{name}.{last}") is not None)


def mail_length(value: str) -> int:
    """Return how many characters of `value`, which looks like an address, are one; 0 for the name of a file."""
    at = value.rindex("@") + 1
    domain = value[at:]
    if _has_top_level(domain):
        return len(value)
    for border in reversed(list(_BORDER.finditer(domain))):
        if _has_top_level(domain[: border.start()]):
            return at + border.start()
    # A top-level domain that does not exist is used inside houses ("jo@mail.internal").
    return 0 if domain.rpartition(".")[2].lower() in _FILES else len(value)


@dataclass(frozen=True, slots=True)
class MailAddress(Pattern):
    """An e-mail address, without what only the name of a file has behind it."""

    @property
    def value_run(self) -> str:
        return rf"[\p{{L}}\p{{N}}_.+%'@-]{{1,{self.reach + self.right}}}"

    def match(self, text: str, p: int, closed: bool) -> int:
        end = Pattern.match(self, text, p, closed)
        return p + length if end > NONE and (length := mail_length(text[p:end])) else min(end, NONE)


MAIL = MailAddress(
    "email",
    Entity.EMAIL_ADDRESS,
    "uld",
    r"[\p{L}\p{N}_.+%'-]{1,64}+@(?:[\p{L}\p{N}-]{1,40}+\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24}+)",
    start=r"(?<![\p{L}\p{N}])(?<![\p{L}\p{N}][_.+%-])(?<![\p{L}\p{N}]__)",
    tail=r"(?!\p{L})",
    right=2,
    fragment=r"[^@\s]+@|[a-z]++(?:[._][a-z]*+)?+\d++$",
    plain_word_starts="",
)
