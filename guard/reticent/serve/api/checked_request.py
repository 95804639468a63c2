"""Checks what a client's request may ask for at all, the same on every route."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticent.serve.api.gated_fields import ENGINE_FIELDS, GATED, check_gated
from reticent.serve.api.media_addresses import check_media
from reticent.serve.api.response_formats import check_forms
from reticent.serve.api.upstream_tools import check_tools
from reticent.serve.options import Permission


def checked(
    body: dict[str, Any], allowed: frozenset[Permission], strip: bool, gated: Mapping[str, Permission] = GATED
) -> dict[str, Any]:
    """Gives the body without what the client may not ask for.

    Raises ApiError unless it is to strip silently. For tools, and for addresses that a server may not fetch, it raises
    in any case.
    """
    body = check_gated(body, gated, allowed, strip)
    check_tools(body, allowed)
    check_media(body, allowed)
    return check_forms(body, allowed, strip)


def checked_aside(body: dict[str, Any], allowed: frozenset[Permission], strip: bool) -> dict[str, Any]:
    """Does what `checked` does for a route without generated text, which still reads templates, media and adapters."""
    body = check_gated(body, ENGINE_FIELDS, allowed, strip)
    check_media(body, allowed)
    return body
