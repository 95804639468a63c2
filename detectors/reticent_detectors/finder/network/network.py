"""Recognisers for addresses in networks: IP and MAC addresses, and web addresses.

Each waits until the run of its characters is closed, or long enough to decide.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN, Recognizer
from reticent_detectors.finder.engine.run_unless import RunUnless
from reticent_detectors.finder.engine.runs import Run
from reticent_detectors.finder.network.domains import GENERIC_NUMBERS, OTHERS, SECOND, SURE
from reticent_detectors.finder.network.wallets import WALLETS

URL_CHARS = 1000
"""Longest web address, in characters: what it carries in its query leaves with it. A longer one is cut there."""


_IPV4 = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:/(?:3[0-2]|[12]?\d)(?![\w.]\d|\w))?(?!\w|\.\w)")


def ipv4_length(run: str) -> int:
    """Gives the length of an IPv4 address that may be somebody's: no mask, no address of all or of oneself."""
    match = _IPV4.match(run)
    if match is None:
        return 0
    octets = match.groups()
    if octets[0] in ("0", "127", "255"):
        return 0
    padded = all(len(octet) == 3 for octet in octets)
    fine = all(int(octet) <= 255 and (padded or octet == "0" or octet[0] != "0") for octet in octets)
    return match.end() if fine else 0


def unlabelled_ipv4_length(run: str) -> int:
    """Gives the length of what is no version number, as those have small parts. An address without words is rarely so.

    Of all addresses two in a hundred look like a version, those of private networks apart.
    """
    length = ipv4_length(run)
    parts = [int(part) for part in re.findall(r"\d+", run[:length])[:4]]
    return length if length and (parts[0] == 10 or max(parts) >= 100) else 0


_IPV6 = re.compile(
    r"([0-9A-Fa-f:]{2,39}(?:(?<=:)\d{1,3}(?:\.\d{1,3}){3})?)((?:%\w{1,15}(?:[.-]\w{1,4})?)?)((?:/\d{1,3})?)"
    r"(?!\w|[:.]\w)"
)


def ipv6_length(run: str) -> int:
    """Gives the length of an IPv6 address; "1::2" and "a::b" are slices and names in code as often, and are none."""
    match = _IPV6.match(run.rstrip(".")) or _IPV6.match(run.rstrip(".:"))
    if match is None:
        return 0
    address, zone, prefix = match.groups()
    trimmed = address
    if address.endswith(":") and not address.endswith("::"):
        trimmed = address[:-1]
    try:
        ipaddress.IPv6Address(trimmed)
    except ValueError:
        return 0
    groups = [group for group in trimmed.split(":") if group]
    if trimmed in ("::", "::1"):
        return 0
    if groups:
        long = max((len(group) for group in groups), default=0) >= 3 and any(c.isdigit() for c in trimmed)
        if "::" in trimmed and not (long or len(groups) >= 4):
            return 0
        if "::" not in trimmed and (len(trimmed) < 19 or {len(group) for group in groups} == {2}):
            return 0  # eight pairs are an EUI-64
    if trimmed != address:
        return len(trimmed)
    return len(trimmed) + len(zone) + (len(prefix) if prefix and int(prefix[1:]) <= 128 else 0)


_MAC = re.compile(
    r"(?:[0-9A-Fa-f]{2}([:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}\1[0-9A-Fa-f]{2})?"
    r"|(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}(?:\.[0-9A-Fa-f]{4})?)(?!\w|[:.-]\w)"
)


def mac_length(run: str) -> int:
    """Gives the length of a MAC address or EUI-64.

    All ones and all zeros are nobody's. Digits with hyphens are other numbers.
    """
    match = _MAC.match(run)
    if match is None:
        return 0
    digits = re.sub(r"\W", "", match[0]).casefold()
    if len(set(digits)) < 2 or (digits.isdigit() and match[1] != ":"):
        return 0
    return match.end()


def bare_mac_length(run: str) -> int:
    return len(run) if len(run) in (12, 16) and re.fullmatch("[0-9A-Fa-f]+", run) else 0


_HEAD = re.compile(r"[^\W_][\w+-]{0,62}")
_HOST_RUN = regex.compile(r"[\w.-]{1,253}+")
_RUN = regex.compile(rf"[^\s<>\"`|“”‘’„«»\u3000-\u303f\uff00-\uff60\x00-\x1f]{{1,{URL_CHARS}}}+")
_ANGLE_RUN = regex.compile(rf"[^<>\n]{{1,{URL_CHARS}}}+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:(?:\\?/){2}")
_SLASHES = re.compile(r":(?:\\?/){2}|:\\?/?\\?\Z")
_HOST = re.compile(
    r"(?:\[[0-9A-Fa-f:.]{2,45}(?:%\w{1,15})?\]|\w[\w-]*(?:\.\w[\w-]*)*)(?:\.(?=[:/?#]))?(?::\d{1,5}(?!\d))?"
)
_BARE = re.compile(r"(?:[^\W_](?:[^\W_]|-){0,62}\.){1,8}([^\W\d_]{2,24})(?![\w-])")
_ENTITY = re.compile(r"&(?:quot|lt|gt|#3[49]);|\\(?!/)")
_SITE = regex.compile(
    r"(?ri)(?<!\w)(?:web(?:[ -]?(?:site|page|address|seite))?|site|home ?page|domain(?: name)?|url|visit(?:ing)?"
    r"|blog|online|go to|host(?:name)?|server|browse|sitio|página|site web|sito|internet)[\"']?"
    r"(?:[ ](?:is|was|at|on|address|name|ist|est|es|è|the|under|:))*\s{0,2}[:=]?"
    r"[\s*_\"'`(\[]{0,4}"
)
_OWN = re.compile(r"(?i)(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])(?![\w.-])[^?#@]*\Z")
"""Matches an address of the machine itself, with nothing that a link could carry away."""
_OPEN_URL = regex.compile(r"(?i)[a-z][a-z0-9+.-]{1,20}://[^\s<>\"`]*+|www\.[^\s<>\"`]*+")
_PAIRS = {"(": ")", "[": "]", "{": "}"}


class WebAddress:
    """A web address: with a scheme, with `www.`, or a bare domain (with a path, too).

    It ends at a blank, an angle bracket or a quotation mark.
    Sentence marks and unpaired brackets at its end stay outside.
    Directly behind an opening bracket, as in Markdown, it ends at the bracket's partner.
    `mailto:` and `tel:` are no web addresses.
    """

    name = "url"
    entity = Entity.URL
    start_classes = "dul"
    fallback = False
    plain_word_starts = ""

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        head = _HEAD.match(text, p)
        if head is None:
            return NONE
        end, size = head.end(), len(text)
        if end >= size:
            return NONE if closed else OPEN
        mark = text[end]
        if mark == ":":
            slashes = _SLASHES.match(text, end, end + 5)
            if slashes is None:
                return NONE
            if slashes.end() == size and not closed:
                return OPEN
            return self._schemed(text, p, closed) if slashes[0].endswith("/") else NONE
        if mark != ".":
            return NONE
        if end + 1 == size:
            return NONE if closed else OPEN
        return self._bare(text, p, position, closed) if text[end + 1].isalnum() else NONE

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        match = _OPEN_URL.match(text, p)
        return match is not None and match.end() == len(text)

    def _schemed(self, text: str, p: int, closed: bool) -> int:
        run = (_ANGLE_RUN if text[max(0, p - 2) : p] == "(<" else _RUN).match(text, p)
        if run is None:
            return NONE
        if not closed and run.end() == len(text) and run.end() - p < URL_CHARS:
            return OPEN
        value = run[0]
        scheme = _SCHEME.match(value)
        if scheme is None:
            return NONE
        start = scheme.end()
        authority = re.compile(r"[^/?#\\]*").match(value, start)
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

    def _bare(self, text: str, p: int, position: Position, closed: bool) -> int:
        if p and text[p - 1] in "@/\\.&%" and text[max(0, p - 2) : p] != "//":
            return NONE
        run = _HOST_RUN.match(text, p)
        if run is None:
            return NONE
        size = run.end()
        if not closed and size == len(text) and size - p < 253:
            return OPEN
        host = _BARE.match(run[0].rstrip(".-_"))
        if host is None:
            return NONE
        end = p + host.end()
        if end < size and run[0][host.end() :].strip(".-_"):
            return NONE
        following = text[end : end + 1]
        if following and following in "@([=":
            return NONE
        sure = self._sure(host[0], host[1], position)
        if following and following in "/?#:":
            full = _RUN.match(text, p)
            if full is None:
                return NONE
            if not closed and full.end() == len(text) and full.end() - p < URL_CHARS:
                return OPEN
            tail = full[0][end - p :]
            port = re.match(r":\d{1,5}(?![\d.])", tail)
            rest = tail[port.end() if port else 0 :]
            path = rest[:1] in ("/", "?", "#") and rest[1:2].isalnum()
            if rest[:1] in ("/", "?", "#") and (sure or (path and self._known(host[0], host[1]))):
                return p + _trim(full[0], text[p - 1 : p], end - p)
            return p + (end - p + port.end() if port else end - p) if sure else NONE
        return end if sure else NONE

    def _known(self, host: str, tld: str) -> bool:
        name = host[: -len(tld) - 1]
        if tld != tld.lower() and host != host.upper():
            return False
        digits = name.replace(".", "").replace("-", "").isdigit()
        return tld.casefold() in (GENERIC_NUMBERS if digits else SURE | OTHERS) and len(name) > 1

    def _sure(self, host: str, tld: str, position: Position) -> bool:
        if not self._known(host, tld):
            return host[:4].casefold() == "www." and tld == tld.lower() and tld in SURE | OTHERS
        if tld.casefold() in SURE or host[:4].casefold() == "www.":
            return True
        labels = host.casefold().split(".")
        return (len(labels) > 2 and labels[-2] in SECOND) or bool(_SITE.match(position.before[-48:]))


def _trim(value: str, before: str, least: int = 0) -> int:
    """Gives the length of a web address without what belongs to the text around it; at least `least`."""
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


NETWORK: Sequence[Recognizer] = (
    WebAddress(),
    RunUnless(
        "ipv4",
        Entity.IP_ADDRESS,
        "d",
        r"\w.:/",
        unlabelled_ipv4_length,
        most=40,
        opens=r"\d{1,3}\.\d",
        unless=r"(?:(?<!\w)(?:v|ver|version|release|build|revision|section|sec|chapter|clause|article|paragraph|figure"
        r"|fig|table|item|step|§|oid)s?[\s.:=\"'_]{0,5}"
        r"|__[\s=\"']{0,5}|[=<>~^!]=\s?|[A-Za-z.]\d{0,3}[-_]|\d\.|\s\.)",
        part=lambda run: bool(re.fullmatch(r"\d{1,3}\.\d{1,3}\.\d{1,3}(?:\.\d{0,3})?", run)) and len(run) > 6,
    ),
    Run(
        "ipv4-said",
        Entity.IP_ADDRESS,
        "d",
        r"\w.:/",
        ipv4_length,
        most=40,
        label=r"(?<![^\W_])(?:ips?|ipv4|host|hostname|address|addr|server|gateway|dns|client|ping|ssh)"
        r"[\s:=\"'`*_(]{1,4}(?:is|was|at|to|from)?[\s:=\"'`*_(]{0,4}",
        opens=r"\d{1,3}\.\d",
    ),
    RunUnless(
        "ipv6",
        Entity.IP_ADDRESS,
        "duls",
        r"\w:.%/",
        ipv6_length,
        most=64,
        opens=r"[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]|::[0-9A-Fa-f]",
        unless=r"(?<=[\w)\]])\[|\w:|:",
        part=lambda run: bool(re.match(r"[0-9A-Fa-f]{4}:(?:[0-9A-Fa-f]{3,4}:|:)", run)),
    ),
    RunUnless(
        "mac",
        Entity.MAC_ADDRESS,
        "dul",
        r"\w:.-",
        mac_length,
        most=48,
        opens=r"[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:|[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.",
        unless=r"[0-9A-Fa-f]{2}[:-]",
        part=lambda run: bool(re.match(r"(?:[0-9A-Fa-f]{2}[:-]){3}", run)) and not run.replace("-", "").isdigit(),
    ),
    RunUnless(
        "mac-said",
        Entity.MAC_ADDRESS,
        "dul",
        r"\w-",
        bare_mac_length,
        most=32,
        opens="[0-9A-Fa-f]{6}",
        label=(
            r"(?<![^\W_])(?:mac|bssid|eui)(?:[ _-]?(?:addr(?:ess)?|id|48|64))?[\"'*]{0,2}"
            r"(?:\s(?:is|of)(?:\s[\w ]{1,20})?)?\s?[:=#]?[\s\"'`*]{0,4}"
        ),
    ),
    *WALLETS,
)
