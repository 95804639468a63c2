"""Serves `GET /metrics` on a port of its own, so that clients of the model need not see the metrics."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Protocol

from reticent_detectors.errors import InputError


class Exposition(Protocol):
    """Renders metrics (`reticent.observability.metrics.Metrics`, `reticent.serve.workers.SharedMetrics`)."""

    def render(self) -> tuple[bytes, str]:
        """Gives the exposition and its content type."""
        ...


class MetricsPort:
    """Serves the metrics from a thread.

    Args:
        metrics: what is served.
        host, port: where; port 0 takes a free one.

    Raises:
        InputError: it cannot listen there.
    """

    def __init__(self, metrics: Exposition, host: str, port: int) -> None:
        class Handler(BaseHTTPRequestHandler):
            timeout = 10

            def do_GET(self) -> None:
                found = self.path.partition("?")[0] == "/metrics"
                body, kind = metrics.render() if found else (b"", "text/plain")
                self.send_response(200 if found else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        class Server(ThreadingHTTPServer):
            def handle_error(self, request: object, client_address: object) -> None:
                pass  # the client went away, which is no news

        try:
            self._server = Server((host, port), Handler)
        except OSError as error:
            raise InputError(
                f"Cannot listen on {host}:{port} for metrics ({error.strerror}). "
                "Give another --metrics-port, or end what listens there."
            ) from None
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, name="metrics", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"MetricsPort({self.port})"

    @property
    def port(self) -> int:
        """Gives the port that it listens on."""
        return int(self._server.server_address[1])

    def close(self) -> None:
        """Stops serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
