"""An upstream of a few lines that replays scripted bytes over real sockets, and the proxy before it in a thread."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
import uvicorn

from reticent.serve import readiness
from reticent.serve.app import create_app
from reticent.serve.config import load
from reticent.serve.proxy import Proxy

readiness._EVERY_SECONDS = 3600.0  # an upstream is asked what a test asks, and nothing else in between

STRICT = {
    "entities": {"DEFAULT": {"unknown": "redact"}},
    "after_redaction": "continue",
    "hold": {"max_seconds": 60},  # on a busy machine five pass, and a value that is held so long is withheld unjudged
}


class ReceivedRequest:
    """A request as the upstream saw it."""

    def __init__(self, head: bytes, body: bytes) -> None:
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.path, _ = lines[0].split(" ", 2)
        self.headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in lines[1:] if line)}
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Script = Callable[[ReceivedRequest], Iterator[bytes | float]]
"""What is sent for a request: bytes, and pauses in seconds; the connection is closed behind it."""


class Scripted:
    """The upstream. `script` says what comes; `asked` is what was asked; `closed` when the last client left early."""

    def __init__(self) -> None:
        self.script: Script = lambda asked: iter([reply(b"{}")])
        self.asked: list[ReceivedRequest] = []
        self.closed: list[float] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._listen, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _listen(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            data = b""
            while b"\r\n\r\n" not in data:
                piece = connection.recv(65536)
                if not piece:
                    return
                data += piece
            head, _, body = data.partition(b"\r\n\r\n")
            asked = ReceivedRequest(head, body)
            length = int(asked.headers.get("content-length", 0))
            while len(asked.body) < length:
                asked.body += connection.recv(65536)
            self.asked.append(asked)
            try:
                for step in self.script(asked):
                    if isinstance(step, float):
                        connection.settimeout(step)
                        try:
                            if connection.recv(1) == b"":
                                raise ConnectionResetError
                        except TimeoutError:
                            continue
                    else:
                        connection.settimeout(10)
                        connection.sendall(step)
            except OSError:
                self.closed.append(time.monotonic())


def reply(body: bytes, kind: str = "application/json", status: int = 200, **headers: str) -> bytes:
    """A whole response."""
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = (
        f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n{more}connection: close\r\n\r\n"
    )
    return head.encode() + body


def stream_head(**headers: str) -> bytes:
    """The head of a stream whose end is that of the connection, or in chunks where the script writes them."""
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n{more}connection: close\r\n\r\n".encode()


def says(*steps: bytes | float) -> Script:
    return lambda asked: iter(steps)


class Running:
    """A proxy that serves on a free port."""

    def __init__(self, proxy: Proxy) -> None:
        self.proxy = proxy
        self._server = uvicorn.Server(self.config())
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        self.port = self._server.servers[0].sockets[0].getsockname()[1]
        given = {"content-type": "application/json"}  # as all official clients send it
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", headers=given, timeout=10, trust_env=False)

    def config(self) -> uvicorn.Config:
        return uvicorn.Config(
            create_app(self.proxy),
            host="127.0.0.1",
            port=0,
            http="h11",
            ws="none",
            log_level="warning",
            timeout_graceful_shutdown=2,
        )

    def close(self) -> None:
        self.client.close()
        self._server.should_exit = True
        self._thread.join(5)

    def post(self, body: Any, path: str = "/v1/chat/completions", **headers: str) -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post(path, content=content, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def count(self, name: str, **labels: str) -> float:
        """A figure's value, summed over the labels that are not given. Answers that are being counted are waited for.

        A client has its last byte before the observers are called.
        """
        if name != "inflight_streams":
            until(lambda: self._sum("inflight_streams", {}) == 0, 0.5)
        return self._sum(name, labels)

    def _sum(self, name: str, labels: Mapping[str, str]) -> float:
        total = 0.0
        for family in self.proxy.metrics._registry.collect():
            for sample in family.samples:
                if sample.name == f"reticent_{name}" and labels.items() <= sample.labels.items():
                    total += sample.value
        return total


@contextmanager
def proxied(upstream: str, **settings: Any) -> Iterator[Running]:
    data: Mapping[str, Any] = {
        "upstream.url": upstream,
        "policy": "strict",
        "policies": {"strict": STRICT},
        **settings,
    }
    running = Running(Proxy(load(environ={}, overrides=data)))
    try:
        yield running
    finally:
        running.close()


def until(true: Callable[[], bool], seconds: float = 3.0) -> bool:
    """Whether it becomes true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)  # a look at all metrics takes the interpreter from the server, which is a thread beside it
    return true()
