"""The guard around an application in the same process: what it shows, when it shows it, and how a request ends."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import serve_golden as golden
from fastapi import FastAPI, Request, WebSocket
from fastapi.responses import StreamingResponse
from serve_golden import EMAIL
from serve_upstream import STRICT

from reticent.serve.config import load
from reticent.serve.middleware import URL, ReticentMiddleware
from reticent.serve.settings import Settings
from reticent.serve.transport.client import Message

CHAT = "/v1/chat/completions"


def settings(**more: Any) -> Settings:
    base = {"upstream.url": URL, "policy": "strict", "policies": {"strict": STRICT}, "allow": ("cache",)}
    return load(environ={}, overrides={**base, **more})


class Caller:
    """One request to an ASGI application, piece by piece. `leave` closes the connection."""

    def __init__(self, app: Any, path: str, body: Any, method: str = "POST") -> None:
        self.sent: asyncio.Queue[Message] = asyncio.Queue()
        self._gone = asyncio.Event()
        self._body: bytes | None = json.dumps(body).encode()
        scope = {"type": "http", "method": method, "path": path, "query_string": b"", "headers": [], "raw_path": b""}
        self.task = asyncio.ensure_future(app(scope, self._receive, self.sent.put))

    async def _receive(self) -> Message:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    def leave(self) -> None:
        self._gone.set()

    async def next(self) -> Message:
        return await asyncio.wait_for(self.sent.get(), 5)

    async def whole(self) -> tuple[int, bytes]:
        await asyncio.wait_for(self.task, 5)
        messages = [self.sent.get_nowait() for _ in range(self.sent.qsize())]
        return messages[0]["status"], b"".join(each.get("body", b"") for each in messages[1:])


def application(pieces: Callable[[], AsyncIterator[bytes]], asked: list[str]) -> FastAPI:
    app = FastAPI()

    @app.post(CHAT)
    async def chat(request: Request) -> StreamingResponse:
        asked.append((await request.json())["model"])
        return StreamingResponse(pieces(), media_type="text/event-stream")

    @app.get("/page")
    async def page() -> str:
        return EMAIL

    @app.websocket("/v1/realtime")
    async def realtime(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text(EMAIL)

    return app


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 20))  # type: ignore[arg-type]


async def _says(stream: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(stream), 50):
        yield stream[at : at + 50]


def test_an_applications_stream_is_judged_and_every_other_path_refused() -> None:
    async def test() -> None:
        stream, asked = golden.openai(golden.leaking(EMAIL)), []  # type: ignore[var-annotated]
        app = ReticentMiddleware(application(lambda: _says(stream), asked), settings(), passes=("/page",))
        status, body = await Caller(app, CHAT, golden.request_body(stream=True)).whole()
        assert (status, golden.said(body)) == (200, "You can use <EMAIL_ADDRESS>, which is it.")
        harmless = golden.openai(golden.HARMLESS)
        app = ReticentMiddleware(application(lambda: _says(harmless), asked), settings(), passes=("/page",))
        body = golden.request_body(stream=True, model="gpt-4o-mini")
        assert await Caller(app, CHAT, body).whole() == (200, harmless)
        assert await Caller(app, "/page", {}, "GET").whole() == (200, json.dumps(EMAIL).encode())
        for path in ("/docs", "/page/", f"/{CHAT}", f"{CHAT}/"):
            assert (await Caller(app, path, golden.request_body(), "GET").whole())[0] == 403
        assert asked == ["small", "gpt-4o-mini"]

    run(test)


def test_the_page_says_how_an_applications_own_routes_are_opened() -> None:
    page = (Path(__file__).parent.parent / "docs/integrate.md").read_text()
    named = re.search(r"passes=(\[[^]]*\])", page[page.index("## A FastAPI application") :])
    assert named is not None
    passes = json.loads(named[1])

    async def test() -> None:
        app = FastAPI()
        for path in (*passes, "/other"):
            app.add_api_route(path, lambda: EMAIL)
        guarded = ReticentMiddleware(app, settings(), passes=passes)
        for path in passes:
            assert await Caller(guarded, path, {}, "GET").whole() == (200, json.dumps(EMAIL).encode())
        assert (await Caller(guarded, "/other", {}, "GET").whole())[0] == 403

    run(test)


def test_it_can_be_added_to_an_application_with_other_middleware() -> None:
    async def test() -> None:
        stream, seen = golden.openai(golden.leaking(EMAIL)), list[Any]()
        app = application(lambda: _says(stream), [])

        class Inner:
            def __init__(self, inner: Any) -> None:
                self.inner = inner

            async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
                if scope["type"] == "http":
                    seen.append((scope["app"], dict(scope["state"])))
                    scope["state"]["own"] = len(seen)  # no other request sees it
                await self.inner(scope, receive, send)

        app.add_middleware(Inner)
        app.add_middleware(ReticentMiddleware, settings=settings())
        for _ in range(2):
            status, body = await Caller(app, CHAT, golden.request_body(stream=True)).whole()
            assert (status, golden.said(body)) == (200, "You can use <EMAIL_ADDRESS>, which is it.")
        assert seen == [(app, {})] * 2
        messages: asyncio.Queue[Message] = asyncio.Queue()
        sent: asyncio.Queue[Message] = asyncio.Queue()
        messages.put_nowait({"type": "lifespan.startup"})
        lives = asyncio.ensure_future(app({"type": "lifespan", "state": {"started": 1}}, messages.get, sent.put))
        assert (await asyncio.wait_for(sent.get(), 5))["type"] == "lifespan.startup.complete"
        await Caller(app, CHAT, golden.request_body(stream=True)).whole()
        assert seen[2] == (app, {"started": 1})
        messages.put_nowait({"type": "lifespan.shutdown"})
        await asyncio.wait_for(lives, 5)

    run(test)


def test_pieces_are_shown_as_they_come_and_a_client_that_leaves_ends_the_application() -> None:
    async def test() -> None:
        goes_on, ended = asyncio.Event(), asyncio.Event()
        stream = golden.openai(golden.HARMLESS)

        async def pieces() -> AsyncIterator[bytes]:
            try:
                yield stream[:700]
                await goes_on.wait()
                yield stream[700:]
            finally:
                ended.set()

        app = ReticentMiddleware(application(pieces, []), settings())
        asks = golden.request_body(stream=True, model="gpt-4o-mini")
        first = Caller(app, CHAT, asks)
        assert (await first.next())["status"] == 200
        shown = (await first.next())["body"]
        assert stream.startswith(shown) and not ended.is_set()
        goes_on.set()
        await first.task
        goes_on.clear()
        ended.clear()
        second = Caller(app, CHAT, asks)
        await second.next()
        await second.next()
        second.leave()
        await asyncio.wait_for(ended.wait(), 1)
        await asyncio.wait_for(second.task, 1)

    run(test)


def test_an_application_that_fails_or_is_silent_is_an_error_without_its_text() -> None:
    async def test() -> None:
        async def fails(scope: Any, receive: Any, send: Any) -> None:
            raise ValueError(EMAIL)

        async def sleeps(scope: Any, receive: Any, send: Any) -> None:
            await asyncio.sleep(60)

        for app, code in ((fails, 502), (sleeps, 504)):
            guarded = ReticentMiddleware(app, settings(**{"upstream.read_seconds": 0.2}))
            status, body = await Caller(guarded, CHAT, golden.request_body()).whole()
            assert (status, EMAIL in body.decode()) == (code, False)

    run(test)


@pytest.mark.parametrize("why", ["the client leaves", "it takes too long"])
def test_a_handler_that_runs_as_a_task_of_its_own_ends_with_its_request(why: str) -> None:
    """As vLLM's do: they end at a disconnect, and go on if the request's task is cancelled before that is heard."""
    begun, ended = asyncio.Event(), asyncio.Event()

    async def generates() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    async def serves(scope: Any, receive: Any, send: Any) -> None:
        async def hears_the_end() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        both = [asyncio.ensure_future(generates()), asyncio.ensure_future(hears_the_end())]
        _, pending = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()

    async def test() -> None:
        more = {} if why == "the client leaves" else {"upstream.read_seconds": 0.2}
        caller = Caller(ReticentMiddleware(serves, settings(**more)), CHAT, golden.request_body())
        await asyncio.wait_for(begun.wait(), 5)
        if not more:
            caller.leave()
        await asyncio.wait_for(ended.wait(), 5)
        await asyncio.wait_for(caller.task, 5)

    run(test)


def test_an_application_that_does_not_hear_its_client_leave_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[str] = []

    async def sleeps(scope: Any, receive: Any, send: Any) -> None:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append(scope["path"])
            raise

    async def test(shuts_down: bool) -> None:
        guarded = ReticentMiddleware(sleeps, settings(**{"upstream.read_seconds": 0.1}))
        status, _ = await Caller(guarded, CHAT, golden.request_body()).whole()
        assert status == 504
        if shuts_down:
            assert not ended
            await asyncio.wait_for(guarded.proxy.aclose(), 5)
        else:
            await asyncio.sleep(0.3)
        assert ended == [CHAT]
        ended.clear()

    monkeypatch.setattr("reticent.serve.middleware.LEAVE_SECONDS", 0.05)
    run(lambda: test(False))
    monkeypatch.setattr("reticent.serve.middleware.LEAVE_SECONDS", 60.0)
    run(lambda: test(True))


def test_a_websocket_is_closed() -> None:
    async def test() -> None:
        app = ReticentMiddleware(application(lambda: _says(b""), []), settings())
        sent: list[Message] = []

        async def receive() -> Message:
            return {"type": "websocket.connect"}

        async def send(message: Message) -> None:
            sent.append(message)

        scope = {"type": "websocket", "path": "/v1/realtime", "query_string": b"", "headers": [], "subprotocols": []}
        await app(scope, receive, send)
        assert [message["type"] for message in sent] == ["websocket.close"]

    run(test)


def test_a_canary_is_asked_for_as_long_as_the_application_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        stream, asked = golden.ollama(golden.leaking(EMAIL)), []  # type: ignore[var-annotated]
        canary = {"value": EMAIL, "body": golden.request_body(stream=True), "every_seconds": 0.01}
        app = ReticentMiddleware(application(lambda: _says(stream), asked), settings(canary=canary))
        assert (await Caller(app, "/readyz", {}, "GET").whole())[0] == 503
        messages: asyncio.Queue[Message] = asyncio.Queue()
        messages.put_nowait({"type": "lifespan.startup"})
        sent: asyncio.Queue[Message] = asyncio.Queue()
        lives = asyncio.ensure_future(app({"type": "lifespan", "state": {}}, messages.get, sent.put))
        assert (await asyncio.wait_for(sent.get(), 5))["type"] == "lifespan.startup.complete"
        while len(asked) < 3:
            await asyncio.sleep(0.01)
        assert (await Caller(app, "/readyz", {}, "GET").whole())[0] == 200
        closed, close = list[bool](), app.proxy.aclose

        async def aclose() -> None:
            await close()
            closed.append(sent.empty())  # a server ends its loop as soon as the application reports its end

        monkeypatch.setattr(app.proxy, "aclose", aclose)
        messages.put_nowait({"type": "lifespan.shutdown"})
        await asyncio.wait_for(lives, 5)
        assert (closed, sent.get_nowait()["type"]) == ([True], "lifespan.shutdown.complete")
        count = len(asked)
        await asyncio.sleep(0.1)
        assert len(asked) == count

    run(test)
