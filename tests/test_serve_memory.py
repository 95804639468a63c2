"""What a request leaves behind in the proxy's memory: nothing of its size, without the cycle collector's help."""

from __future__ import annotations

import asyncio
import functools
import gc
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from reticent.serve.app import create_app
from reticent.serve.config import load
from reticent.serve.proxy import Proxy

TEXT = "We walked down to the river before the rain came. " * 200
LARGE = 5_000
KEY = "12345678"
SECRET = "write to kay.poe@example.org or call 415-555-0134 about it. "
ROUTES = ("/v1/chat/completions", "/v1/completions", "/v1/responses", "/v1/messages")


def question(path: str, **more: Any) -> bytes:
    turns: Any = [{"role": "system", "content": TEXT}, {"role": "user", "content": TEXT}]
    prompt = {"/v1/completions": {"prompt": TEXT}, "/v1/responses": {"input": turns, "store": False}}
    turns = [{"role": "user", "content": TEXT}]
    return json.dumps({"model": "m", "max_tokens": 9, **prompt.get(path, {"messages": turns}), **more}).encode()


def answer(path: str, text: str) -> dict[str, Any]:
    if path == "/v1/messages":
        return {
            "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 1, "output_tokens": 1},
        }  # fmt: skip
    if path == "/v1/responses":
        part = {"type": "output_text", "text": text, "annotations": []}
        message = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [part]}
        return {"id": "r1", "object": "response", "status": "completed", "model": "m", "output": [message]}
    chat = {"message": {"role": "assistant", "content": text}} if "chat" in path else {"text": text}
    return {"id": "c", "object": "x", "model": "m", "choices": [{"index": 0, **chat, "finish_reason": "stop"}]}


def events(path: str, text: str) -> Iterator[bytes]:
    """The pieces of a stream, cut at every word."""
    words = [f"{word} " for word in text.split()]
    if path == "/v1/messages":
        typed: list[dict[str, Any]] = [
            {"type": "message_start", "message": {**answer(path, ""), "content": []}},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": w}} for w in words),
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ]
    elif path == "/v1/responses":
        place = {"item_id": "m1", "output_index": 0, "content_index": 0}
        typed = [
            {"type": "response.created", "response": {**answer(path, ""), "output": [], "status": "in_progress"}},
            *({"type": "response.output_text.delta", **place, "delta": word} for word in words),
            {"type": "response.completed", "response": answer(path, "".join(words))},
        ]
    else:
        for word in words:
            chat = {"delta": {"content": word}} if "chat" in path else {"text": word}
            yield b"data: " + json.dumps({"id": "c", "choices": [{"index": 0, **chat}]}).encode() + b"\n\n"
        yield b"data: [DONE]\n\n"
        return
    for each in typed:
        yield f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode()


class Pieces(httpx.AsyncByteStream):
    def __init__(self, pieces: list[bytes | float | Exception]) -> None:
        self._pieces = pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, float):
                await asyncio.sleep(piece)
            else:
                yield piece


class Says(httpx.AsyncBaseTransport):
    """Answers every request as its `fault` says, without keeping anything of it."""

    fault = ""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        path = request.url.path
        streams = b'"stream":true' in await request.aread()
        if self.fault == "status":
            return httpx.Response(500, headers={"content-type": "application/json"}, stream=Pieces([b'{"error":"x"}']))
        if self.fault == "unreachable":
            raise httpx.ConnectError("no")
        kind = "text/event-stream" if streams else "application/json"
        pieces = list(events(path, SECRET * 3)) if streams else [json.dumps(answer(path, SECRET)).encode()]
        said: list[bytes | float | Exception] = [*pieces]
        if self.fault == "silent":
            said = [*pieces[: len(pieces) // 2], 30.0]
        if self.fault == "cut":
            said = [*pieces[:-1], b"data: {"]
        if self.fault == "unreadable":
            said = [*pieces[:-1], b"data: {\n\n"] if streams else [b"{"]
        if self.fault == "breaks":
            said = [*pieces[:-1], httpx.ReadError("cut")]
        if self.fault == "endless":
            said = [*pieces[:-1], *[b": more\n\n" * 1_000] * 20]
        return httpx.Response(200, headers={"content-type": kind}, stream=Pieces(said))


async def ask(
    app: Any, path: str, pieces: list[bytes], leave: bool = False, headers: tuple[tuple[bytes, bytes], ...] = ()
) -> int:
    """Asks as a server would, which keeps nothing of a body that was read. Gives the status, 0 without one."""
    statuses, over = [], asyncio.Event()

    async def receive() -> dict[str, Any]:
        if pieces:
            piece = pieces.pop(0)
            return {"type": "http.request", "body": piece, "more_body": bool(pieces)}
        if leave:
            await asyncio.sleep(0.05)
        else:
            await over.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    given = [(b"host", b"127.0.0.1:8080"), (b"content-type", b"application/json"), *headers]
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": given,
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8080),
    }  # fmt: skip
    await app(scope, receive, send)
    over.set()
    return statuses[0] if statuses else 0


def kept() -> int:
    """How many large texts live that were made since `gc.freeze`."""
    return sum(
        1
        for each in gc.get_objects()
        for inner in gc.get_referents(each)
        if isinstance(inner, str | bytes | bytearray) and len(inner) > LARGE and inner is not TEXT
    )


CASES: dict[str, tuple[str, bool, dict[str, Any], int | None]] = {
    "whole": ("", False, {}, 200),
    "streamed": ("", True, {}, 200),
    "upstream fails": ("status", False, {}, 500),
    "upstream fails a stream": ("status", True, {}, 500),
    "upstream is absent": ("unreachable", True, {}, 502),
    "a stream is cut": ("cut", True, {}, 200),
    "a stream is unreadable": ("unreadable", True, {}, 200),
    "an answer is unreadable": ("unreadable", False, {}, 503),
    "a stream breaks": ("breaks", True, {}, 200),
    "a stream is too long": ("endless", True, {}, 200),
    "a client leaves": ("silent", False, {"leave": True}, None),
    "a client leaves a stream": ("silent", True, {"leave": True}, 200),
}


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("case", CASES)
def test_an_answered_request_leaves_nothing(path: str, case: str) -> None:
    fault, streams, more, status = CASES[case]
    raw = question(path, **({"stream": True} if streams else {}))
    got, left = _left(path, [raw], fault, **more)
    assert status is None or got == status
    assert left == 0


REFUSED: dict[str, tuple[Any, dict[str, Any], int]] = {
    "no key": (lambda path: [question(path)], {"headers": ()}, 401),
    "no JSON": (lambda path: [question(path)[:-1]], {}, 400),
    "a wrong type": (lambda path: [question(path, model=3)], {}, 400),
    "not allowed": (lambda path: [question(path, prompt_logprobs=1, logprobs=True, store=True)], {}, 400),
    "too long": (lambda path: [question(path), b" " * 100_000], {}, 413),
    "a client leaves its body": (lambda path: [question(path)[:-1], b""], {"leave": True}, 400),
}


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_request_leaves_nothing(path: str, case: str) -> None:
    pieces, more, status = REFUSED[case]
    got, left = _left(path, pieces(path), "", **more)
    assert got == status
    assert left == 0


@functools.cache
def shared() -> tuple[asyncio.Runner, Says, Any]:
    """One proxy for all cases, as its metrics take half a second to make."""
    says = Says()
    given = {
        "upstream.url": "http://upstream",
        "keys": [{"key": KEY}],
        "limits.body_bytes": 100_000,
        "limits.stream_bytes": 100_000,
    }
    return asyncio.Runner(), says, create_app(Proxy(load(environ={}, overrides=given), transport=says))


def _left(path: str, pieces: list[bytes], fault: str, **more: Any) -> tuple[int, int]:
    """Asks once to warm up and once to measure. Gives the status, and how many large texts are left."""
    runner, says, app = shared()
    more = {"headers": ((b"authorization", b"Bearer " + KEY.encode()),), **more}

    async def measured() -> tuple[int, int]:
        says.fault = ""
        await ask(app, path, [question(path, stream=True).replace(TEXT.encode(), b"Hello.")], **more)
        says.fault = fault
        gc.collect()
        gc.freeze()
        gc.disable()
        try:
            status = await ask(app, path, pieces, **more)
            await asyncio.sleep(0.01)
            return status, kept()
        finally:
            gc.enable()
            gc.unfreeze()

    return runner.run(measured())
