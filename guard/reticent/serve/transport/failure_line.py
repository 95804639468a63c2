"""Tells the operator of an answer that failed, in one line without anything that the upstream said.

    reticent.serve.upstream: an answer failed: stage=upstream kind=upstream_status status=500 route=... request=...

`stage` is that of the failures' counter. `kind` is the code of the error for the client, or `upstream_status` for an
error of the upstream's own.
"""

from __future__ import annotations

import logging

from reticent.observability.observers import WireStage

STATUS = "upstream_status"
_LOGGER = logging.getLogger("reticent.serve.upstream")


def warn_of_failure(stage: WireStage, kind: str, status: int | None, route: str, request_id: str) -> None:
    """Logs the line. `route` is a route's own path, and `status` that of the upstream's response, if one came."""
    shown = "-" if status is None else status
    _LOGGER.warning(
        "an answer failed: stage=%s kind=%s status=%s route=%s request=%s", stage, kind, shown, route, request_id
    )
