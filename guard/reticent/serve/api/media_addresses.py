"""Decides which addresses of pictures, sounds, films and files a server may be asked to fetch.

A server stands where the client does not: beside other services, a cloud's metadata and its own files. So only data
within the request, and public hosts under https, may pass.

Not covered: names that resolve to a private address, and redirects there. A server is asked by name, so its own network
has to keep it from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import IPv4Address
from typing import Any
from urllib.parse import urlsplit

from reticent.serve.api.gated_fields import not_allowed
from reticent.serve.options import Permission
from reticent.serve.wire.errors import ApiError

_ADDRESSES = re.compile(
    r".*_ur[il]s?|.*uris?|.*urls?|(?:image|video|audio|file|media|local)_paths?"
    r"|image|images|video|videos|audio|audios",
    re.IGNORECASE,
)
"""Fields whose texts are addresses. Some servers also take a path, or bare base64."""
_LOCATED = frozenset({"url", "uri", "urls", "uris"})
"""Fields whose texts are addresses of media within a part that is one."""
_DATA = frozenset({"file_data", "data", "image_data", "video_data", "audio_data", "b64_json"})
"""Fields of base64, in whose place some servers take an address."""
_MEDIA = re.compile(
    r"url|(?:input_|output_)?(?:image|video|audio|file|document|media|screenshot)(?:_url)?|.*_screenshot"
)
"""Types of parts, and names of fields, that are media or their source."""
_NO_MEDIA = frozenset(
    {"tools", "functions", "response_format", "text", "metadata", "annotations", "citations", "reticent"}
    | {"arguments", "action", "parameters", "input_schema", "schema"}  # of calls and tools
)
"""Fields whose addresses nobody fetches."""
_CALLED_WITH = "input"
"""Field with what a call is made with. At the top of a request it is the prompt."""
_EMBEDDINGS = re.compile(r"(?:.*_)?embeds")
_BARE = re.compile(r"[A-Za-z0-9+/_=\s-]{64,}")
_SCHEME = re.compile(r"\s*[A-Za-z][A-Za-z0-9+.-]*:")
_HTTPS = re.compile(r"https://[!-~]+", re.IGNORECASE)
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_TOP = re.compile(r"[a-z]{2,}|xn--[a-z0-9-]+")
_PRIVATE = frozenset(
    {"arpa", "cluster", "corp", "home", "host", "internal", "intranet", "invalid", "lan", "local", "localdomain"}
    | {"localhost", "mail", "onion", "private", "svc", "test"}
)
"""Last labels of names that are no public hosts'."""


def check_media(body: dict[str, Any], allowed: frozenset[Permission]) -> None:
    """Raises ApiError for an address that a server may not be asked to fetch, and for embeddings without permission."""
    for param, value in body.items():
        if param in _NO_MEDIA or not isinstance(value, dict | list):
            continue
        for name, text in _found(value, param, in_media=False):
            if text is None:
                if Permission.ENGINE not in allowed:
                    raise not_allowed(f"A part with '{name}'", Permission.ENGINE, param)
            elif not _may_pass(name, text):
                raise ApiError(
                    400,
                    f"'{name}' has to hold the data itself ('data:...'), or an address of a public host "
                    "under 'https://'.",
                    code="address_not_allowed",
                    param=param,
                )


def is_public(address: str) -> bool:
    """Says whether an address is one of a public host under https, as far as its text tells."""
    if not _HTTPS.fullmatch(address) or "\\" in address:
        return False
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        return False
    host = parts.netloc.rpartition(":")[0] if port is not None else parts.netloc
    name = host.removesuffix(".").lower()
    labels = name.split(".")
    if len(labels) < 2 or not all(map(_LABEL.fullmatch, labels)):
        return False
    if all(label.isdigit() for label in labels):
        return _is_public_number(name)
    return _TOP.fullmatch(labels[-1]) is not None and labels[-1] not in _PRIVATE


def _is_public_number(name: str) -> bool:
    try:
        number = IPv4Address(name)
    except ValueError:
        return False
    return number.is_global and not number.is_multicast


def _may_pass(name: str, text: str) -> bool:
    if text == "" or text[:5].lower() == "data:" or is_public(text):
        return True
    if name.lower() in _DATA:  # base64 alone
        return not _SCHEME.match(text) and not text.lstrip().startswith(("/", "\\", "."))
    return (
        not name.lower().endswith(("url", "uri", "urls", "uris", "path", "paths")) and _BARE.fullmatch(text) is not None
    )


def _found(value: Any, name: str, in_media: bool) -> Iterator[tuple[str, str | None]]:
    """Yields every address with its field, and a field of embeddings with None."""
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, list):
        for each in value:
            if isinstance(each, dict | list) or (isinstance(each, str) and _is_address(name, in_media)):
                yield from _found(each, name, in_media)
    elif isinstance(value, dict):
        kind = value.get("type")
        inside = in_media or is_media(name) or (isinstance(kind, str) and is_media(kind))
        if isinstance(kind, str) and _EMBEDDINGS.fullmatch(kind):
            yield kind, None
        for key, each in value.items():
            if key in _NO_MEDIA or key == _CALLED_WITH:
                continue
            if _EMBEDDINGS.fullmatch(key) and each:
                yield key, None
            elif isinstance(each, dict | list) or (isinstance(each, str) and _is_address(key, inside)):
                yield from _found(each, key, inside)


def is_media(name: str) -> bool:
    """Says whether a field, or a part of this type, is a picture, a sound, a film, a file or its source."""
    return _MEDIA.fullmatch(name.lower()) is not None


def _is_address(name: str, in_media: bool) -> bool:
    low = name.lower()
    if low in _LOCATED or low in _DATA:
        return in_media
    return _ADDRESSES.fullmatch(low) is not None
