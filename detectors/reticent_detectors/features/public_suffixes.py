"""E-mail domains without their public suffix: what of a domain is somebody's own.

By the Public Suffix List, both of its sections: of `example.co.uk` it is `example`, of `jane.github.io` `jane`. The list
comes with the package publicsuffixlist and is as old as that; nothing is fetched. A top-level domain that it lacks
counts as a suffix of one label.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache

from publicsuffixlist import PublicSuffixList


@lru_cache(maxsize=4096)
def without_suffix(domain: str) -> str:
    """A domain in small letters without its public suffix.

    Of a domain that is a public suffix the last label is left out. A single label is kept, and so is an address in
    brackets.
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
    """The list, read when it is first asked (some 30 ms)."""
    return PublicSuffixList()
