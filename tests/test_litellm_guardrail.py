"""The guardrail in LiteLLM's process, with stand-ins for the few classes of LiteLLM that it uses.

Its upstream is closed, and the event loop goes on while it judges.
`test_engine_litellm` runs it in LiteLLM's own proxy.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import serve_golden as golden
import yaml
from serve_golden import EMAIL, request_body

from reticent.serve.stream.chunk_reader import ChunkReader
from reticent.serve.stream.stream_guard import StreamGuard

LONG = 30.0


class Base:
    """LiteLLM's guardrail: it has a name."""

    guardrail_name = "reticent"

    def __init__(self, **more: Any) -> None:
        pass


class Raised(Exception):
    """LiteLLM's error of a guardrail."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__("withheld")


class Body:
    """An answer, or a chunk of one."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self, mode: str) -> dict[str, Any]:
        return self.fields


class Chunk(Body):
    pass


class Text(Body):
    pass


class Hooks:
    post_call = "post_call"


@pytest.fixture
def guardrail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    stand_ins = {
        "litellm": {},
        "litellm.exceptions": {"GuardrailRaisedException": Raised},
        "litellm.integrations": {},
        "litellm.integrations.custom_guardrail": {"CustomGuardrail": Base},
        "litellm.types": {},
        "litellm.types.guardrails": {"GuardrailEventHooks": Hooks},
        "litellm.types.utils": {"ModelResponse": Body, "ModelResponseStream": Chunk, "TextCompletionResponse": Text},
    }
    for name, members in stand_ins.items():
        module = ModuleType(name)
        for member, value in members.items():
            setattr(module, member, value)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "reticent.integrations.litellm", raising=False)
    rules = {"entities": {"DEFAULT": {"unknown": "block"}}, "on_block": "finish"}
    (tmp_path / "guard.yaml").write_text(yaml.safe_dump({"policy": "here", "policies": {"here": rules}}))
    made = importlib.import_module("reticent.integrations.litellm").ReticentGuardrail(str(tmp_path / "guard.yaml"))
    yield made
    asyncio.run(made._proxy.aclose())
    sys.modules.pop("reticent.integrations.litellm", None)


class Stream:
    """An upstream's chunks, and whether it was closed."""

    def __init__(self, raw: bytes) -> None:
        self._bodies = iter([json.loads(each[6:]) for each in raw.decode().split("\n\n") if each[6:7] == "{"])
        self.left = self.closed = 0

    def __aiter__(self) -> Stream:
        return self

    async def __anext__(self) -> Chunk:
        for body in self._bodies:
            return Chunk(**body)
        raise StopAsyncIteration

    async def aclose(self) -> None:
        self.closed += 1
        self.left = len(list(self._bodies))


def shown_of(guardrail: Any, stream: Any) -> AsyncIterator[Chunk]:
    shown: AsyncIterator[Chunk] = guardrail.async_post_call_streaming_iterator_hook(
        None, stream, request_body(stream=True)
    )
    return shown


def text(chunks: list[Chunk]) -> str:
    choices = [choice for chunk in chunks for choice in chunk.fields["choices"]]
    return "".join(choice["delta"].get("content") or "" for choice in choices)


def test_an_upstream_is_closed_once_an_answer_is_blocked(guardrail: Any) -> None:
    async def scenario() -> None:
        stream = Stream(golden.ollama(["Write to ", EMAIL, " or", *[" there."] * 20]))
        chunks = [chunk async for chunk in shown_of(guardrail, stream)]
        assert text(chunks) == "Write to "
        assert stream.closed == 1 and stream.left > 10

    asyncio.run(scenario())


def test_an_upstream_is_closed_when_the_client_leaves_and_when_a_chunk_is_none(guardrail: Any) -> None:
    async def scenario() -> None:
        said = "Good day to you, said the man at the door of his house, and went back in."
        stream = Stream(golden.ollama([f" {word}" for word in said.split()]))
        shown: Any = shown_of(guardrail, stream)
        await anext(shown)
        await shown.aclose()
        assert stream.closed == 1 and stream.left > 0
        other = Stream(golden.ollama(["Good"]))
        other._bodies = iter([7])  # type: ignore[assignment]
        with pytest.raises(Raised):
            [chunk async for chunk in shown_of(guardrail, NoChunks(other))]
        assert other.closed == 1

    asyncio.run(scenario())


class NoChunks:
    """A stream of what is no chunk."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self.aclose = stream, stream.aclose

    def __aiter__(self) -> NoChunks:
        return self

    async def __anext__(self) -> int:
        return 7


def test_a_stream_that_cannot_be_closed_ends_all_the_same(guardrail: Any) -> None:
    async def plain() -> AsyncIterator[Chunk]:
        async for chunk in Stream(golden.ollama(["Good", " day."])):
            yield chunk

    class Bare:
        def __aiter__(self) -> AsyncIterator[Chunk]:
            return plain()

    async def scenario() -> None:
        assert text([chunk async for chunk in shown_of(guardrail, Bare())]) == "Good day."

    asyncio.run(scenario())


def held(function: Callable[..., Any], begun: threading.Event, free: threading.Event) -> Callable[..., Any]:
    def call(*given: Any, **named: Any) -> Any:
        begun.set()
        assert free.wait(LONG)
        return function(*given, **named)

    return call


@pytest.mark.parametrize("what", ["whole", "stream", "end"])
def test_the_event_loop_goes_on_while_an_answer_is_judged(
    guardrail: Any, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    begun, free = threading.Event(), threading.Event()
    if what == "whole":
        monkeypatch.setattr(ChunkReader, "judge_body", held(ChunkReader.judge_body, begun, free))
    else:
        name = "feed" if what == "stream" else "finish"
        monkeypatch.setattr(StreamGuard, name, held(getattr(StreamGuard, name), begun, free))
    said = "It is a fine day. " * 60

    async def ask() -> str:
        if what != "whole":
            pieces = [said] if what == "stream" else ["It is Jane"]
            return text([chunk async for chunk in shown_of(guardrail, Stream(golden.ollama(pieces)))])
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        shown = await guardrail.async_post_call_success_hook(request_body(), None, Body(choices=[choice]))
        return str(shown.fields["choices"][0]["message"]["content"])

    async def scenario() -> None:
        asking = asyncio.ensure_future(ask())
        async with asyncio.timeout(LONG):
            while not begun.is_set():
                await asyncio.sleep(0.001)
            assert not asking.done()  # and we are here
            free.set()
            assert await asking in (said, "It is Jane")

    asyncio.run(scenario())
