"""Decides whether a request without a key may come from this machine's programs, or is a web page's.

Without keys, a proxy on loopback answers whoever runs on this machine, and so also its browser. A page can post there
(a body of text needs no permission of ours), and can read the answer if its name is made to lead to this machine (DNS
rebinding). So the name has to be this machine's own, the page, if any, has to be of the same origin, and a body has to
be JSON, which a page may not send elsewhere without asking first.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import urlsplit

from reticent.serve.settings import is_loopback
from reticent.serve.wire.errors import ApiError

Headers = Iterable[tuple[bytes, bytes]]


def check_same_machine(method: str, headers: Headers) -> None:
    """Raises ApiError for a request that a page of another origin may have made."""
    given = tuple(headers)
    if not is_loopback(asked_name(given)):
        raise ApiError(
            403,
            "Without API keys only this machine's programs are answered: ask for http://127.0.0.1:PORT or "
            "http://localhost:PORT. The operator can set 'keys', or 'open: true'.",
            code="other_host",
        )
    # A page may link to what is only read, and cannot read it.
    if method not in ("GET", "HEAD") and is_other_origin(given):
        raise ApiError(403, "A page of another origin may not ask here.", code="other_origin")
    if method == "POST" and _has_body(given) and not _is_json(given):
        raise ApiError(
            415, "Send the body as JSON, with 'Content-Type: application/json'.", code="unsupported_content_type"
        )


def asked_name(headers: Headers) -> str:
    """Gives the name or address by which the server is asked; empty if it is none, or if there are several."""
    hosts = _values(headers, b"host")
    try:
        return (urlsplit(f"//{hosts[0]}").hostname or "") if len(hosts) == 1 else ""
    except ValueError:
        return ""


def is_address(name: str) -> bool:
    """Says whether a name is an IP address."""
    try:
        return bool(ip_address(name))
    except ValueError:
        return False


def is_other_origin(headers: Headers) -> bool:
    """Says whether a browser sends this for a page of another origin than the server's."""
    given = tuple(headers)
    hosts, sites = _values(given, b"host"), _values(given, b"sec-fetch-site")
    foreign = any(urlsplit(origin).netloc not in hosts for origin in _values(given, b"origin"))
    return foreign or any(site not in ("same-origin", "none") for site in sites)


def _has_body(headers: Headers) -> bool:
    return bool(_values(headers, b"transfer-encoding")) or set(_values(headers, b"content-length")) - {"0"} != set()


def _is_json(headers: Headers) -> bool:
    kinds = _values(headers, b"content-type")
    return bool(kinds) and all(kind.partition(";")[0].strip().lower() == "application/json" for kind in kinds)


def _values(headers: Headers, wanted: bytes) -> list[str]:
    return [value.decode("latin-1").strip() for name, value in headers if name.lower() == wanted]
