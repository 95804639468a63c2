"""Decides which id a request has upstream: the client's, if it is one that can hold little, and else ours.

The client always gets ours, which names the request in our logs. Its own is read for the upstream alone.
"""

from __future__ import annotations

import re

HEADER = b"x-request-id"
SCOPE_KEY = "reticent.request_id"
"""Key of our id in the scope of a request."""
_WELL_FORMED = re.compile(rb"[A-Za-z0-9._:-]{1,128}")


def id_upstream(ours: str, given: bytes) -> bytes:
    """Gives the id for the upstream. `given` is the client's."""
    return given if _WELL_FORMED.fullmatch(given) else ours.encode()
