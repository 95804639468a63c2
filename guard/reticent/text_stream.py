"""One guarded answer, piece by piece: an iterator over released text, for loops and for `async for`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from queue import SimpleQueue
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from reticent.run import Answer


class TextStream(Iterator[str], AsyncIterator[str]):
    """Released text as it comes. Made by `GuardedModel.stream`.

        for text in guard.stream(messages, max_new_tokens=64):
            print(text, end="", flush=True)

    The model generates in a thread of its own. `answer` is there once the text has ended. Who leaves early calls `close`, or uses
    the stream as a context manager: the generation then ends with its next token.

    Args:
        generate: generates with a streamer and a question whether to stop, and returns the answer.
    """

    def __init__(self, generate: Callable[[TextStream, Callable[[], bool]], Answer]) -> None:
        self.answer: Answer | None = None
        """With its report; None until the text has ended."""
        self._pieces: SimpleQueue[str | Answer | BaseException] = SimpleQueue()
        self._closed = threading.Event()
        self._over = False
        self._thread = threading.Thread(target=self._run, args=(generate,), name="reticent-stream", daemon=True)
        self._thread.start()

    def __repr__(self) -> str:
        return f"TextStream(ended={self._over})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __next__(self) -> str:
        if self._over:
            raise StopIteration
        piece = self._pieces.get()
        if isinstance(piece, str):
            return piece
        self._over = True
        self._thread.join()
        if isinstance(piece, BaseException):
            raise piece
        self.answer = piece
        raise StopIteration

    async def __anext__(self) -> str:
        piece = await asyncio.to_thread(next, self, None)
        if piece is None:
            raise StopAsyncIteration
        return piece

    def close(self) -> None:
        """Ends the generation with its next token, and waits for that."""
        self._closed.set()
        self._thread.join()
        self._over = True

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        """Takes released text: what the guard asks of a streamer."""
        if text:
            self._pieces.put(text)

    def _run(self, generate: Callable[[TextStream, Callable[[], bool]], Answer]) -> None:
        try:
            self._pieces.put(generate(self, self._closed.is_set))
        except BaseException as error:  # raised where the text is read
            self._pieces.put(error)
