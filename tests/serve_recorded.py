"""Recorded answers of real servers to fixed requests, and their routes (`reticent_bench.engines.recording`)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent / "recorded"
ENGINES = tuple(sorted(path.stem for path in FOLDER.glob("*.jsonl")))
ROUTES = {"/v1/chat/completions": "chat", "/v1/completions": "completions"}
TYPED = {"/v1/responses": "responses", "/v1/messages": "messages"}
"""The guarded routes by their paths: those of choices, and those of typed events."""


@dataclass(frozen=True)
class Recording:
    """One request and the whole answer to it."""

    engine: str
    name: str
    path: str
    request: Any = field(repr=False)
    status: int
    content_type: str
    body: bytes = field(repr=False)
    broken: bool = False

    @property
    def id(self) -> str:
        return f"{self.engine} {self.name}"

    @property
    def streamed(self) -> bool:
        return self.content_type.startswith("text/event-stream")

    @property
    def ended(self) -> bool:
        """Whether it came to its end: llama-cpp-python tells an error in a stream by ending it."""
        last = (
            b"data: [DONE]"
            if self.path in ROUTES
            else b"response.completed"
            if "responses" in self.path
            else b"message_stop"
        )
        return not self.broken and (not self.streamed or last in self.body)

    @property
    def route(self) -> str:
        """Of a guarded route its short name."""
        return (ROUTES | TYPED).get(self.path, "")


@cache
def head(engine: str) -> dict[str, Any]:
    """Server, version and operations."""
    with (FOLDER / f"{engine}.jsonl").open() as lines:
        header: dict[str, Any] = json.loads(next(lines))
    return header


@cache
def recordings(engine: str) -> dict[str, Recording]:
    """All recordings of an engine by name."""
    with (FOLDER / f"{engine}.jsonl").open() as lines:
        next(lines)
        rows = [json.loads(line) for line in lines]
    return {row["name"]: Recording(engine, **row | {"body": row["body"].encode()}) for row in rows}


def guarded_answers(routes: Iterable[str] = ROUTES) -> list[Recording]:
    """Everything that was said on these routes with status 200, to its end."""
    every = [each for engine in ENGINES for each in recordings(engine).values()]
    return [each for each in every if each.status == 200 and each.path in routes and each.ended]
