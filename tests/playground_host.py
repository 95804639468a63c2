"""The embedded demo host with its playground, on a free port, and what the page gets for a question."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import httpx
from serve_upstream import Running

from reticent.demo import assets
from reticent.hosted.hosted_model import HostedModel
from reticent.serve.config import load
from reticent.serve.proxy import Proxy

PAGE = "/playground"
DEMO = {"playground.unguarded": True, "playground.prompts": assets() / "demo.json"}


def start(**overrides: Any) -> Running:
    """Starts the demo host. `overrides` are settings by dotted name."""
    folder = assets()
    model = {"model.path": folder / "host", "model.bundle": folder / "bundle", "model.name": "small"}
    settings = load(environ={}, overrides={**model, "model.threads": 1, **overrides})
    loading = settings.model
    assert loading is not None
    running = Running(Proxy(settings, local_model=lambda *shared: HostedModel.load(loading, *shared)))
    running.client.timeout = httpx.Timeout(120)
    return running


class PageAnswer(NamedTuple):
    """What the page got: all of it, text, details, an error's message, and the values that came with the text."""

    raw: bytes
    text: str
    details: dict[str, Any]
    error: str
    early: list[dict[str, Any]]

    @property
    def spans(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.details.get("spans", [])
        return found


def ask(
    served: Running, question: str, half: str = "guarded", *, mode: str = "chat", policy: str = "", base: str = "",
    system: str = "", **more: Any,
) -> PageAnswer:  # fmt: skip
    """Asks one half, as the page does."""
    body: dict[str, Any] = {"model": "small", "stream": True, "temperature": 0, "max_tokens": 64, **more}
    if mode == "text":
        body["prompt"] = question
    else:
        first = [{"role": "system", "content": system}] if system else []
        body["messages"] = [*first, {"role": "user", "content": question}]
    if policy:
        body["reticent"] = {"policy": policy}
    query = f"?base={base}" if base else ""
    return read(served.post(body, f"{PAGE}/{half}/{mode}{query}"))


def read(response: httpx.Response) -> PageAnswer:
    """Reads a response as the page does, and keeps headers and body."""
    raw = b"\n".join(name + b": " + value for name, value in response.headers.raw) + b"\n\n" + response.content
    if response.status_code != 200:
        return PageAnswer(raw, "", {}, response.json()["error"]["message"], [])
    text, details, error, early = "", {}, "", list[dict[str, Any]]()
    for event in response.text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line)
        if (data := lines.get("data", "[DONE]")) == "[DONE]":
            continue
        found = json.loads(data)
        if "error" in found:
            error = found["error"]["message"]
        elif lines.get("event") == "reticent.details":
            details = found
        elif lines.get("event") == "reticent.spans":
            early += found["spans"]
        else:
            for choice in found["choices"]:
                text += choice.get("text") or choice.get("delta", {}).get("content") or ""
    return PageAnswer(raw, text, details, error, early)
