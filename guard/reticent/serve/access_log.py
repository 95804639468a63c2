"""Give each request an id, which every response header has, and log one line for it when it has ended.

    reticent.serve.access: POST /v1/chat/completions 200 812 ms request=0f9c...

Spans of the request follow the one that its `traceparent` names.

The id is ours, random, and the one of the decision log. The line has the route's own path, never the client's: no query
string, no name of a model, no address. A method or a path that is in no table is `other`.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Awaitable, Callable

from reticent.observability.answer_spans import in_trace_of
from reticent.serve.transport.client import Client, ClientGone, Message, Receive, Scope, Send
from reticent.serve.transport.request_id import HEADER, SCOPE_KEY
from reticent.serve.wire import errors
from reticent.serve.wire.error_formats import error_format_for

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
EVERY_OTHER = "/{path:path}"
"""Template of the route that takes what no other route does."""
_OTHER = "other"
_ACCESS = logging.getLogger("reticent.serve.access")
_LOGGER = logging.getLogger(__name__)


class AccessLog:
    """Wraps an application in ids and lines. An error that the application raises becomes a response of its own.

    Args:
        app: what answers.
        client_seconds: the longest that a client may take for that response.
    """

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], client_seconds: float) -> None:
        self._app, self._client_seconds = app, client_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id, began = secrets.token_hex(16), time.monotonic()
        scope[SCOPE_KEY] = request_id
        status: int | None = None

        def send_marked(message: Message) -> Awaitable[None]:  # no coroutine of its own, as pieces of streams pass it
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = _marked(message.get("headers", ()), request_id)
            return send(message)

        try:
            with in_trace_of(scope["headers"]):
                await self._app(scope, receive, send_marked)
        except Exception as error:  # its text may hold anything
            _LOGGER.error("a request failed with %s; request=%s", type(error).__name__, request_id)
            if status is None:
                await _respond_to_fault(scope, receive, send_marked, self._client_seconds)
        finally:
            if _ACCESS.isEnabledFor(logging.INFO):
                _log(scope, status, time.monotonic() - began)


def _marked(headers: object, request_id: str) -> list[tuple[bytes, bytes]]:
    """Gives the headers of a response with our id, and with no other."""
    given: list[tuple[bytes, bytes]] = list(headers)  # type: ignore[call-overload]
    return [*(each for each in given if each[0].lower() != HEADER), (HEADER, request_id.encode())]


async def _respond_to_fault(scope: Scope, receive: Receive, send: Send, seconds: float) -> None:
    client = Client(receive, send, seconds, error_format_for(scope["path"]))
    try:
        await client.send_error(errors.internal())
    except ClientGone:
        return


def _log(scope: Scope, status: int | None, seconds: float) -> None:
    method = scope["method"] if scope["method"] in METHODS else _OTHER
    shown = "-" if status is None else status
    _ACCESS.info("%s %s %s %d ms request=%s", method, _route(scope), shown, seconds * 1000, scope[SCOPE_KEY])


def _route(scope: Scope) -> str:
    """Gives the template of the request's route, also of one that was refused before a route was chosen."""
    path = scope["path"]
    if any(path == getattr(route, "path", None) for route in scope["app"].routes):
        return str(path)
    chosen = getattr(scope.get("route"), "path", EVERY_OTHER)
    return _OTHER if chosen == EVERY_OTHER else str(chosen)
