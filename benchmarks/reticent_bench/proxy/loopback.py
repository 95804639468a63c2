"""Serve on loopback while a block runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def server_of(handler: type[BaseHTTPRequestHandler]) -> ThreadingHTTPServer:
    """Return a server on a free port, which does not answer yet."""
    return ThreadingHTTPServer(("127.0.0.1", 0), handler)


@contextmanager
def served(server: ThreadingHTTPServer) -> Iterator[str]:
    """Serve until the end of the block, and close the server. Yield its address."""
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
