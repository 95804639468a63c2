"""Decides whether a request comes from somebody who may ask: a known key, or without keys a client of this machine."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from reticent.serve.proxy import Proxy
from reticent.serve.same_machine import check_same_machine
from reticent.serve.transport.client import Client, ClientGone, Receive, Scope, Send
from reticent.serve.wire.error_formats import error_format_for
from reticent.serve.wire.errors import ApiError

WITHOUT_KEY = ("/healthz", "/readyz")
"""Routes that anybody may ask."""


class AuthMiddleware:
    """Checks every request: few enough headers, and a known key, or without keys a client of this machine."""

    def __init__(
        self, app: Callable[[Scope, Receive, Send], Awaitable[None]], proxy: Proxy, in_process: bool = False
    ) -> None:
        self._app, self._proxy = app, proxy
        self._same_machine = not (proxy.settings.keys or proxy.settings.open or in_process)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        client = Client(receive, send, self._proxy.settings.limits.client_seconds, error_format_for(scope["path"]))
        try:
            try:
                most = self._proxy.settings.limits.headers
                if len(scope["headers"]) > most:
                    raise ApiError(431, f"A request may have {most} headers.", code="too_many_headers")
                if self._same_machine:
                    check_same_machine(scope["method"], scope["headers"])
                if scope["path"] not in WITHOUT_KEY:
                    scope["reticent.caller"] = self._proxy.caller(scope["headers"])
            except ApiError as api_error:
                await client.send_error(api_error)
                return
        except ClientGone:
            return
        await self._app(scope, receive, send)
