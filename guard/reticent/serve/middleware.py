"""Guards an ASGI application that serves OpenAI's routes in this very process.

    app = ReticentMiddleware(app, load("serve.yaml"))

The application takes the upstream's place. Everything else is as in `reticent serve`: the same routes, keys, policies
and metrics. Every other path is refused unless it is named. WebSockets are closed.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from pathlib import Path

import httpx
from prometheus_client import CollectorRegistry

from reticent.serve.app import create_app
from reticent.serve.config import load
from reticent.serve.followed_suppressions import follow
from reticent.serve.judging.engine_states import StateSource
from reticent.serve.judging.served_base import TokenTexts
from reticent.serve.proxy import Proxy
from reticent.serve.readiness import Readiness
from reticent.serve.settings import Settings
from reticent.serve.transport.client import Message, Receive, Scope, Send
from reticent.serve.transport.read_ahead import AHEAD, Ahead

Application = Callable[[Scope, Receive, Send], Awaitable[None]]
URL = "http://in-process"
_OF_THE_APPLICATION = ("app", "state")
"""What Starlette's inner middleware and routes expect in the scope, where this one was added to an application."""
LEAVE_SECONDS = 1.0
"""Time that the application has to end a request by itself once its client has left; it is cancelled then."""
_LOGGER = logging.getLogger(__name__)


class ReticentMiddleware:
    """Judges the answers of an ASGI application that serves OpenAI's routes in this process.

        app = ReticentMiddleware(app, load("serve.yaml"))

    Routes, keys, policies and metrics are those of `reticent serve`. Every other path is refused unless `passes`
    names it, and WebSockets are closed.

    Args:
        app: serves OpenAI's routes.
        settings: those of `reticent serve`, as `load` reads them. `upstream.url` has no effect, and `model` and
            `shadow` are refused. None takes the environment's.
        passes: paths of `app` that carry no text of a model, such as its own pages. They are passed on unread.
        registry: where the metrics are registered; None makes one.
        base_texts: loads the tokenizer of `detector.base`.
        states: hidden states that the application's engine keeps, for detectors that read them.

    Raises:
        PolicyError: a policy cannot be read.
        InputError: the records index, the suppression store or a key cannot be read, or a setting needs
            `reticent serve`.
    """

    def __init__(
        self,
        app: Application,
        settings: Settings | None = None,
        passes: Collection[str] = (),
        registry: CollectorRegistry | None = None,
        base_texts: Callable[[Path], TokenTexts] | None = None,
        states: StateSource | None = None,
    ) -> None:
        settings = load(overrides={"upstream.url": URL}) if settings is None else settings
        self._app, self._passes = app, frozenset(passes)
        self._inner = InProcess(app)
        self.proxy = Proxy(settings, registry, base_texts=base_texts, transport=self._inner, states=states)
        guarded = create_app(self.proxy, in_process=True)
        self._guarded: Application = guarded
        self._readiness: Readiness = guarded.state.readiness

    def __repr__(self) -> str:
        return f"ReticentMiddleware({self.proxy!r})"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            self._inner.around = {name: scope[name] for name in _OF_THE_APPLICATION if name in scope}
            await self._live(scope, receive, send)
            return
        if not self._inner.around and "app" in scope:  # a server without a lifespan
            self._inner.around = {"app": scope["app"]}
        if scope["path"] in self._passes:
            await self._app(scope, receive, send)
        else:
            await self._guarded(scope, receive, send)

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Runs the application's lifespan, and reports its shutdown once the proxy is closed as well.

        A server ends its event loop at that message, so the last decisions would not be written otherwise.
        """
        ends: list[Message] = []

        async def pass_on(message: Message) -> None:
            if message["type"].startswith("lifespan.shutdown."):
                ends.append(message)
            else:
                await send(message)

        try:
            async with self._readiness.watched(), follow(self.proxy.suppressions):
                await self._app(scope, receive, pass_on)
        finally:
            await self.proxy.aclose()
            for message in ends:
                await send(message)


class InProcess(httpx.AsyncBaseTransport):
    """Carries requests to an ASGI application, and its responses back piece by piece.

    The transport of httpx waits for the end of a response.
    """

    def __init__(self, app: Application) -> None:
        self._app = app
        self.around: Scope = {}
        """What the application around a middleware puts into the scope of every request, as at its start."""
        self._ending = set[asyncio.Task[None]]()

    async def aclose(self) -> None:
        """Cancels the requests whose client has left and that have not ended yet."""
        for task in self._ending:
            task.cancel()
        await asyncio.gather(*self._ending, return_exceptions=True)

    def end(self, request: asyncio.Task[None]) -> None:
        """Ends a request whose client has left, in the background, as the caller itself may be cancelled.

        An application may run its handler as a task of its own, which it cancels at a disconnect but not if it is
        cancelled itself. vLLM does.
        """
        task = asyncio.ensure_future(_end(request))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Gives the response as soon as it has begun. Raises httpx.TransportError."""
        silence: float | None = request.extensions.get("timeout", {}).get("read")
        call = _Call(self._app, request, await request.aread(), silence, self.around, self.end)
        try:
            status, headers = await call.start()
        except BaseException:
            await call.aclose()
            raise
        return httpx.Response(status, headers=headers, stream=call, request=request, extensions={AHEAD: call.ahead})


async def _end(request: asyncio.Task[None]) -> None:
    try:
        await asyncio.wait([request], timeout=LEAVE_SECONDS)
    finally:
        request.cancel()
    await asyncio.gather(request, return_exceptions=True)


class _Call(httpx.AsyncByteStream):
    """Runs one request to the application as a task, which waits while much of its response was not taken."""

    def __init__(
        self,
        app: Application,
        request: httpx.Request,
        body: bytes,
        silence: float | None,
        around: Scope,
        end: Callable[[asyncio.Task[None]], None],
    ) -> None:
        self._app, self._request, self._body, self._silence, self._around = app, request, body, silence, around
        self._end = end
        self.ahead = Ahead()
        """What has come of the response's body."""
        self._loop = asyncio.get_running_loop()
        self._head: asyncio.Future[Message] = self._loop.create_future()
        self._said_at = self._loop.time()
        self._watch = None if silence is None else self._loop.call_later(silence, self._look)
        self._body_sent = False
        self._left = asyncio.Event()
        self._task = asyncio.ensure_future(self._run())

    async def start(self) -> tuple[int, list[tuple[bytes, bytes]]]:
        """Starts the request. Gives status and headers. Raises httpx.TransportError."""
        message = await self._head
        return int(message["status"]), list(message.get("headers", ()))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (piece := await self.ahead.next(None)) is not None:
            yield piece

    async def aclose(self) -> None:
        """Disconnects from the application, and has its task ended."""
        self._left.set()
        self.ahead.let_go()
        if self._watch is not None:
            self._watch.cancel()
        if not self._task.done():
            self._end(self._task)

    def _look(self) -> None:
        """Ends the response if the application has said nothing for too long, while all it had said was taken."""
        assert self._silence is not None
        if not self.ahead.is_empty:
            self._said_at = self._loop.time()
        left = self._said_at + self._silence - self._loop.time()
        if left > 0:
            self._watch = self._loop.call_later(left, self._look)
        else:
            self._fail(httpx.ReadTimeout("The application said nothing for too long.", request=self._request))

    def _fail(self, error: httpx.TransportError) -> None:
        if not self._head.done():
            self._head.set_exception(error)
        elif not self.ahead.ended:
            self.ahead.end(error)

    async def _run(self) -> None:
        url = self._request.url
        scope = {
            **self._around,
            "state": dict(self._around.get("state", {})),
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": self._request.method,
            "scheme": url.scheme,
            "path": url.path,
            "raw_path": url.raw_path.partition(b"?")[0],
            "query_string": url.query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in self._request.headers.raw],
            "client": None,
            "server": (url.host, url.port),
        }
        try:
            await self._app(scope, self._receive, self._send)
        except Exception as error:  # its text may hold anything
            _LOGGER.error("the application failed with %s", type(error).__name__)
        self._fail(httpx.RemoteProtocolError("The application broke off.", request=self._request))

    async def _send(self, message: Message) -> None:
        if self._left.is_set() or self.ahead.ended:
            return
        self._said_at = self._loop.time()
        if message["type"] == "http.response.start":
            if not self._head.done():
                self._head.set_result(message)
            return
        if body := message.get("body", b""):
            await self.ahead.put(body)
        if not message.get("more_body", False):
            self.ahead.end()

    async def _receive(self) -> Message:
        if not self._body_sent:
            self._body_sent = True
            return {"type": "http.request", "body": self._body, "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}
