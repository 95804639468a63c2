"""Serves Presidio's analyzer and anonymiser over HTTP, as LiteLLM's guardrail asks them.

It has every recogniser that needs no download, and no model.

    python -m reticent_bench.engines.presidio_service 5002

`POST /analyze`, `POST /anonymize`, `GET /health`. Microsoft's own containers do the same around larger models.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from typing import Any

from reticent_bench.finder.presidio import Presidio


def handler(presidio: Presidio) -> type[BaseHTTPRequestHandler]:
    """A handler class around one analyzer."""
    anonymizer = import_module("presidio_anonymizer")
    engine = anonymizer.AnonymizerEngine()

    def analyze(asked: dict[str, Any]) -> Any:
        return [
            {"entity_type": str(gold.kind), "start": gold.start, "end": gold.end, "score": score}
            for gold, score in presidio.results(asked["text"])
        ]

    def anonymize(asked: dict[str, Any]) -> Any:
        found = [
            anonymizer.RecognizerResult(each["entity_type"], each["start"], each["end"], each["score"])
            for each in asked["analyzer_results"]
        ]
        return json.loads(engine.anonymize(asked["text"], found).to_json())

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self._answer({"/analyze": analyze, "/anonymize": anonymize}[self.path](asked))

        def do_GET(self) -> None:
            self._answer("Presidio is up")

        def _answer(self, content: Any) -> None:
            shown = json.dumps(content).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(shown)))
            self.end_headers()
            self.wfile.write(shown)

        def log_message(self, format: str, *arguments: Any) -> None:
            """Says nothing."""

    return Handler


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), handler(Presidio())).serve_forever()
