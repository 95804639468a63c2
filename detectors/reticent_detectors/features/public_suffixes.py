"""Strips the public suffix from e-mail domains, which leaves the owner's part of a domain.

Uses both sections of the Public Suffix List: `example.co.uk` gives `example`, `jane.github.io` gives `jane`. The list
comes with the package publicsuffixlist and is as old as that; nothing is fetched. A top-level domain that it lacks
counts as a suffix of one label.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from publicsuffixlist import PublicSuffixList


@lru_cache(maxsize=4096)
def without_suffix(domain: str) -> str:
    """Returns a domain in lower case without its public suffix.

    A domain that is itself a public suffix loses its last label. A single label and an address in brackets stay.
    """
    domain = unicodedata.normalize("NFKC", domain).lower()
    labels = [label for label in domain.split(".") if label]
    if domain.startswith("[") or len(labels) < 2:
        return ".".join(labels)
    suffix = _list().publicsuffix(".".join(labels)) or ""
    own = len(labels) - len(suffix.split("."))
    return ".".join(labels[: own or -1])


@cache
def _list() -> PublicSuffixList:
    """Reads the list at the first call, which takes some 30 ms."""
    return PublicSuffixList()
