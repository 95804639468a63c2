"""Addresses in networks: e-mail, web, IP and MAC.

A bare domain counts where its last label says so (`words/domains.yaml`). `mailto:` and `tel:` are no web addresses.
An address of the machine itself (localhost, 0.0.0.0, ::1) is nobody's.
"""

from __future__ import annotations

import ipaddress
import re
from functools import cache

import regex
from publicsuffixlist import PublicSuffixList

from reticent_detectors.finder.forms.words import words_of
from reticent_detectors.finder.match_ends import NONE, OPEN

URL_CHARS = 1000
"""Longest web address, in characters: what it carries in its query leaves with it. A longer one is cut there."""
_MAIL_CHARS = 320
_MAIL_RUN = regex.compile(r"[\p{L}\p{N}_.+%'@-]++")
_MAIL = regex.compile(
    r"[\p{L}\p{N}_.+%'-]{1,64}+@(?:[\p{L}\p{N}-]{1,40}+\.){1,8}(?:xn--[a-z0-9-]{2,59}|\p{L}{2,24}+)(?!\p{L})"
)
_ENLARGED = re.compile(r"\d{1,2}x\.")
"""Begins the second half of the name of a picture: "icon@2x.png"."""
_BORDER = regex.compile(r"[.-]")


@cache
def _suffixes() -> PublicSuffixList:
    """Read the Public Suffix List at the first call, which takes some 30 ms."""
    return PublicSuffixList(accept_unknown=False)


@cache
def _tops() -> frozenset[str]:
    return words_of("sure", "domains") | words_of("others", "domains")


def _has_top_level(domain: str) -> bool:
    name, _, last = domain.lower().rpartition(".")
    return bool(name) and (last in _tops() or _suffixes().publicsuffix(f"{name}.{last}") is not None)


_GLUED = re.compile(r"[\w.-]{1,120}?\.(?:com|org|net|info|edu|eu|de|at|ch|fr|es|it|pt|br|uk|io)(?=[^\W\d_])")
"""Matches a domain to which another address is glued: `jo@a.comjo@a.com`."""


def mail(text: str, p: int, closed: bool) -> int:
    """Read an e-mail address. Not the name of a file ("plan_v3@final.pdf")."""
    if p and (text[p - 1] in "_.+%-@" and text[max(0, p - 2) : p - 1].isalnum()):
        return NONE
    run = _MAIL_RUN.match(text, p, p + _MAIL_CHARS)
    if run is None or "@" not in run[0]:
        return NONE if run is None or closed or run.end() < len(text) or len(run[0]) > 64 else OPEN
    if run.end() == len(text) and not closed and len(run[0]) < _MAIL_CHARS:
        return OPEN
    match = _MAIL.match(text, p, run.end())
    if match is None:
        return NONE
    value = match[0]
    at = value.rindex("@") + 1
    domain = value[at:]
    if _ENLARGED.match(domain):
        return NONE
    if text[match.end() : match.end() + 1] == "@" and (glued := _GLUED.match(domain)) is not None:
        return p + at + int(glued.end())
    if _has_top_level(domain):
        return int(match.end())
    for border in reversed(list(_BORDER.finditer(domain))):
        if _has_top_level(domain[: border.start()]):
            return p + at + int(border.start())
    # A top-level domain that does not exist is used inside houses ("jo@mail.internal").
    return NONE if domain.rpartition(".")[2].lower() in words_of("files", "domains") else int(match.end())


_RUN = regex.compile(r"[^\s<>\"`|“”‘’„«»\u3000-\u303f\uff00-\uff60\x00-\x1f]++")
_RUN_IN_ANGLES = regex.compile(_RUN.pattern.replace(r"\s", r"\n\t", 1))
"""Matches the target of a link in Markdown, `(<...>)`, which may hold blanks."""
_HEAD = re.compile(r"[^\W_][\w+-]{0,62}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:(?:\\?/){2}")
_AUTHORITY = re.compile(r"[^/?#\\]*")
_HOST = re.compile(
    r"(?:\[[0-9A-Fa-f:.]{2,45}(?:%\w{1,15})?\]|\w[\w-]*(?:\.\w[\w-]*)*)(?:\.(?=[:/?#]))?(?::\d{1,5}(?!\d))?"
)
_BARE = re.compile(r"(?:[^\W_](?:[^\W_]|-){0,62}\.){1,8}([^\W\d_]{2,24})(?![\w-])")
_ENTITY = re.compile(r"&(?:quot|lt|gt|#3[49]);|\\(?!/)")
_OWN = re.compile(r"(?i)(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?![\w.-])[^?#@]*\Z")
"""Matches an address of the machine itself, with nothing that a link could carry away."""
_SITE = regex.compile(
    r"(?ri)(?<!\w)(?:web(?:[ -]?(?:site|page|address|seite))?|site|home ?page|domain(?: name)?|url|visit(?:ing)?"
    r"|blog|online|go to|host(?:name)?|server|browse|sitio|página|site web|sito|internet)[\"']?"
    r"(?:[ ](?:is|was|at|on|address|name|ist|est|es|è|the|under|:))*\s{0,2}[:=]?"
    r"[\s*_\"'`(\[]{0,4}"
)
_CALLED = re.compile(r"(?:https?://)?(?:wa\.me|api\.whatsapp\.com)/")
"""Begins an address in which a telephone number is what counts."""
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def web(text: str, p: int, closed: bool) -> int:
    """Read a web address: with a scheme, with `www.`, or a bare domain, with a path, too.

    It ends at a blank, an angle bracket or a quotation mark. Sentence marks and unpaired brackets at its end stay
    outside; after an opening bracket, as in Markdown, it ends at the bracket's partner.
    """
    if p and text[p - 1] in "@/\\.&%" and text[max(0, p - 2) : p] != "//":
        return NONE
    head = _HEAD.match(text, p)
    if head is None or (head.end() < len(text) and text[head.end()] not in ":."):
        return NONE
    run = (_RUN_IN_ANGLES if text[max(0, p - 2) : p] == "(<" else _RUN).match(text, p, p + URL_CHARS)
    if run is None:
        return NONE
    if run.end() == len(text) and not closed and len(run[0]) < URL_CHARS:
        return OPEN
    value = run[0] if text[run.end() : run.end() + 1] == ">" else run[0].partition(" ")[0]
    if _CALLED.match(value):
        return NONE
    if "://" in value[:24] or ":\\/" in value[:24]:
        return _schemed(text, p, value)
    return _bare(text, p, value)


def _schemed(text: str, p: int, value: str) -> int:
    scheme = _SCHEME.match(value)
    if scheme is None:
        return NONE
    start = scheme.end()
    authority = _AUTHORITY.match(value, start)
    assert authority is not None
    host_at = start + authority[0].rfind("@") + 1
    if _OWN.match(value, host_at):
        return NONE
    host = _HOST.match(value, host_at)
    if host is None:
        local = scheme[0].casefold() == "file://" and value[start : start + 1] == "/"
        return p + _trim(value, text[p - 1 : p]) if local and len(value) > start + 1 else NONE
    if host.end() < authority.end():
        rest = value[host.end()]
        if rest in ":@" or ("." not in host[0] and host_at == start):
            return NONE
        return p + _trim(value[: host.end()], "")
    return p + _trim(value, text[p - 1 : p], host.end())


def _bare(text: str, p: int, value: str) -> int:
    host = _BARE.match(value)
    if host is None:
        return NONE
    end = host.end()
    following = value[end : end + 1]
    if following in ("@", "(", "[", "=") or (following == "." and value[end + 1 : end + 2].isalnum()):
        return NONE
    sure = _is_sure(host[0], host[1], text[max(0, p - 48) : p])
    if following and following in "/?#:":
        port = re.match(r":\d{1,5}(?![\d.])", value[end:])
        rest = value[end + (port.end() if port else 0) :]
        path = rest[:1] in ("/", "?", "#") and rest[1:2].isalnum()
        if rest[:1] in ("/", "?", "#") and (sure or (path and _is_known(host[0], host[1]))):
            return p + _trim(value, text[p - 1 : p], end)
        return (p + end + (port.end() if port else 0)) if sure else NONE
    return p + end if sure else NONE


def _is_known(host: str, top: str) -> bool:
    name = host[: -len(top) - 1]
    if top != top.lower() and host != host.upper():
        return False
    if name.replace(".", "").replace("-", "").isdigit():
        return top.casefold() in ("com", "net", "org", "cn")  # 163.com
    return top.casefold() in _tops() and len(name) > 1


def _is_sure(host: str, top: str, before: str) -> bool:
    led = host[:4].casefold() == "www."
    if not _is_known(host, top):
        return led and top == top.lower() and top in _tops()
    if led or top.casefold() in words_of("sure", "domains"):
        return True
    labels = host.casefold().split(".")
    return (len(labels) > 2 and labels[-2] in words_of("second", "domains")) or bool(_SITE.match(before))


def _trim(value: str, before: str, least: int = 0) -> int:
    """Return the length of a web address without what belongs to the text around it; at least `least`."""
    end = len(value)
    cut = _ENTITY.search(value) if "\\" in value or "&" in value else None
    if cut is not None:
        end = cut.start()
    if before == "'" and "'" in value:
        end = min(end, value.index("'"))
    closer = _PAIRS.get(before)
    if closer is not None and closer in value:
        depth = 0
        for i, char in enumerate(value[:end]):
            depth += (char == before) - (char == closer)
            if depth < 0:
                end = i
                break
    spare = {c: value.count(c, 0, end) - value.count(o, 0, end) for o, c in _PAIRS.items()}
    while end > least:
        char = value[end - 1]
        if spare.get(char, 0) > 0:
            spare[char] -= 1
        elif char not in ".,;:!?'*…~\\" and not (char == "_" and before == "_"):
            break
        end -= 1
    return max(end, least) if cut is None else end


_IP_RUN = regex.compile(r"[\w.:%/]++")
_IP_CHARS = 64
_IPV4 = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:/(?:3[0-2]|[12]?\d)(?![\w.]\d|\w))?(?!\w|\.\w)")
# What says that four numbers are a version, or go on something.
_NO_ADDRESS = regex.compile(
    r"(?ri)(?:(?<!\w)(?:v|ver|version|release|build|revision|section|sec|chapter|clause|article|paragraph|figure"
    r"|fig|table|item|step|§|oid)s?[\s.:=\"'_]{0,5}"
    r"|__[\s=\"']{0,5}|[=<>~^!]=\s?|[A-Za-z.]\d{0,3}[-_]|\d\.|\s\.)"
)


def _run(text: str, p: int, closed: bool) -> str | None:
    """Return the characters of addresses at p; None while they may go on."""
    match = _IP_RUN.match(text, p, p + _IP_CHARS)
    end = match.end() if match else p
    return None if end == len(text) and not closed and end < p + _IP_CHARS else text[p:end]


def _octets(run: str) -> tuple[int, list[int]]:
    match = _IPV4.match(run)
    if match is None or match[1] in ("0", "127", "255"):
        return 0, []
    octets = match.groups()
    padded = all(len(octet) == 3 for octet in octets)
    fine = all(int(octet) <= 255 and (padded or octet == "0" or octet[0] != "0") for octet in octets)
    return (match.end(), [int(octet) for octet in octets]) if fine else (0, [])


def ipv4_named(text: str, p: int, closed: bool) -> int:
    """Read an IPv4 address after a label: no mask, no address of all or of oneself."""
    run = _run(text, p, closed)
    if run is None:
        return OPEN
    length, _ = _octets(run)
    return p + length if length else NONE


def ipv4(text: str, p: int, closed: bool) -> int:
    """Read an IPv4 address that is no version: one without words has a large part, or begins with 10."""
    run = _run(text, p, closed)
    if run is None:
        return OPEN
    length, octets = _octets(run)
    if not length or not (octets[0] == 10 or max(octets) >= 100):
        return NONE
    if "pgrade" in text[max(0, p - 48) : p]:
        return NONE
    return NONE if _NO_ADDRESS.match(text, max(0, p - 24), p) else p + length


_IPV6 = re.compile(
    r"([0-9A-Fa-f:]{2,39}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?)((?:%\w{1,15}(?:[.-]\w{1,4})?)?)((?:/\d{1,3})?)"
    r"(?!\w|[:.]\w)"
)


def ipv6(text: str, p: int, closed: bool) -> int:
    """Read an IPv6 address; "1::2" and "a::b" are slices and names in code as often, and are none."""
    if text[p - 1 : p] in (":", "[") and p > 1 and (text[p - 2].isalnum() or text[p - 2] in ")]:"):
        return NONE
    run = _run(text, p, closed)
    if run is None:
        return OPEN
    if run.count(":") < 2:
        return NONE
    match = _IPV6.match(run.rstrip(".")) or _IPV6.match(run.rstrip(".:"))
    if match is None:
        return NONE
    address, zone, prefix = match.groups()
    trimmed = address[:-1] if address.endswith(":") and not address.endswith("::") else address
    try:
        ipaddress.IPv6Address(trimmed)
    except ValueError:
        return NONE
    groups = [group for group in trimmed.split(":") if group]
    if not groups or trimmed == "::1":
        return NONE
    long = max(len(group) for group in groups) >= 3 and any(c.isdigit() for c in trimmed)
    if "::" in trimmed and not (long or len(groups) >= 4):
        return NONE
    if "::" not in trimmed and (len(trimmed) < 19 or {len(group) for group in groups} == {2}):
        return NONE  # eight pairs are an EUI-64
    if trimmed != address:
        return p + len(trimmed)
    return p + len(trimmed) + len(zone) + (len(prefix) if prefix and int(prefix[1:]) <= 128 else 0)


_MAC_RUN = regex.compile(r"[\w:.-]++")
_MAC = re.compile(
    r"(?:[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}\1[0-9A-Fa-f]{2})?"
    r"|(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4})?)(?!\w|[:.-]\w)"
)
_MAC_CHARS = 48


def mac(text: str, p: int, closed: bool) -> int:
    """Read a MAC address or EUI-64; digits with hyphens are other numbers, all ones and all zeros are nobody's."""
    if text[p + 2 : p + 3] not in (":", "-") and text[p + 4 : p + 5] != ".":
        return NONE if closed or len(text) > p + 4 else OPEN
    if p and text[p - 1] in ":-." and text[max(0, p - 2) : p - 1].isalnum():
        return NONE
    run = _MAC_RUN.match(text, p, p + _MAC_CHARS)
    if run is None or (run.end() == len(text) and not closed and len(run[0]) < _MAC_CHARS):
        return OPEN if run else NONE
    match = _MAC.match(run[0].rstrip(".:-"))
    if match is None:
        return NONE
    digits = re.sub(r"\W", "", match[0]).casefold()
    if len(set(digits)) < 2 or (digits.isdigit() and match[1] != ":"):
        return NONE
    return p + match.end()
