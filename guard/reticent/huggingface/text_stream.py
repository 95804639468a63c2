"""Streams one guarded answer: an iterator over released text, for loops and for `async for`."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from reticent.huggingface.answer import Answer


class StreamSink:
    """Takes the text of a generation, and its answer or error. It holds no stream, so an unused one can be freed."""

    def __init__(self) -> None:
        self.pieces: SimpleQueue[Any] = SimpleQueue()
        self.closed = threading.Event()

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        """Takes released text, as the guard asks of a streamer."""
        if text:
            self.pieces.put(text)

    def run(self, generate: Callable[[StreamSink, Callable[[], bool]], Answer]) -> None:
        """Generates, and puts the answer or the error behind the text."""
        try:
            self.pieces.put(generate(self, self.closed.is_set))
        except BaseException as error:  # raised where the text is read
            self.pieces.put(error)


class TextStream(Iterator[str], AsyncIterator[str]):
    """Iterates over released text, with `for` or `async for`. `GuardedModel.stream` makes it.

        for text in guard.stream(messages, max_new_tokens=64):
            print(text, end="", flush=True)

    The model generates in a thread of its own. To leave early, call `close` (`aclose`), or use the stream as a context
    manager. The generation then ends with its next token, as it does when nothing refers to the stream any more.
    A cancelled `await` loses nothing, as the next one gets its piece.

    Args:
        generate: generates with a streamer and a function that says whether to stop, and returns the answer.
    """

    def __init__(self, generate: Callable[[StreamSink, Callable[[], bool]], Answer]) -> None:
        self.answer: Answer | None = None
        """The whole answer with its report; None until the text has ended."""
        self._sink = StreamSink()
        self._over = False
        self._awaited: asyncio.Future[str | None] | None = None
        run = contextvars.copy_context().run  # has the caller's span
        self._thread = threading.Thread(
            target=run, args=(self._sink.run, generate), name="reticent-stream", daemon=True
        )
        weakref.finalize(self, self._sink.closed.set)
        self._thread.start()

    def __repr__(self) -> str:
        return f"TextStream(ended={self._over})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.aclose()

    def __next__(self) -> str:
        if self._over:
            raise StopIteration
        piece = self._sink.pieces.get()
        if isinstance(piece, str):
            return piece
        self._ended(piece)
        if isinstance(piece, BaseException):
            raise piece
        raise StopIteration

    async def __anext__(self) -> str:
        if self._awaited is None:
            self._awaited = asyncio.ensure_future(asyncio.to_thread(next, self, None))
        try:
            piece = await asyncio.shield(self._awaited)
        except Exception:
            self._awaited = None
            raise
        self._awaited = None
        if piece is None:
            raise StopAsyncIteration
        return piece

    def close(self) -> None:
        """Ends the generation with its next token, and waits for it.

        `answer` then holds what was generated, unless the generation failed.
        """
        self._sink.closed.set()
        self._thread.join()
        while not self._over:
            if not isinstance(piece := self._sink.pieces.get(), str):
                self._ended(piece)

    async def aclose(self) -> None:
        """Closes without blocking the event loop."""
        await asyncio.to_thread(self.close)

    def _ended(self, last: Any) -> None:
        """Takes the answer or error behind the text, and puts it back for others who wait."""
        self._sink.pieces.put(last)
        self._over = True
        self._thread.join()
        if not isinstance(last, BaseException):
            self.answer = last
