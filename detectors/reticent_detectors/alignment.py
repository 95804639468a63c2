"""Which token wrote which characters: text that grows token by token, with a way back from spans to tokens."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import Any

from tokenizers.decoders import DecodeStream

from reticent_detectors.errors import TokenizerMismatch
from reticent_detectors.spans import Span


class TokenText:
    """The decoded answer of a host, special tokens left out.

    Byte-level tokens may end inside a character: then a token adds no text, and the one that completes the character
    adds it; both count as tokens of that character.

    Raises:
        TokenizerMismatch: the tokenizer has no Rust backend, which incremental decoding needs.
    """

    def __init__(self, tokenizer: Any) -> None:
        backend = getattr(tokenizer, "backend_tokenizer", None) or getattr(tokenizer, "_tokenizer", None)
        if backend is None:
            raise TokenizerMismatch(
                f"Expected a fast tokenizer (one with a tokenizer.json), got {type(tokenizer).__name__}. "
                "Load it with AutoTokenizer.from_pretrained, or convert it with transformers' convert_slow_tokenizer."
            )
        self._backend = backend
        self._stream = DecodeStream(skip_special_tokens=True)
        self._ends: list[int] = []
        self._pieces: list[str] = []
        self._length = 0

    def __len__(self) -> int:
        return len(self._ends)

    def __repr__(self) -> str:
        return f"TokenText(<{len(self._ends)} tokens, {self._length} chars>)"

    @property
    def text(self) -> str:
        """Everything decoded so far."""
        if len(self._pieces) > 1:
            self._pieces = ["".join(self._pieces)]
        return self._pieces[0] if self._pieces else ""

    def push(self, token_id: int) -> str:
        """Adds a token; returns the characters that it completed."""
        piece = self._stream.step(self._backend, token_id) or ""
        self._pieces.append(piece)
        self._length += len(piece)
        self._ends.append(self._length)
        return piece

    def tokens(self, span: Span) -> range:
        """Indices of the tokens that wrote any of the span's characters in the answer."""
        first = bisect_right(self._ends, span.answer_start)
        while first > 0 and self._ends[first - 1] == span.answer_start and self._is_silent(first - 1):
            first -= 1
        last = bisect_left(self._ends, span.end)
        return range(first, min(last + 1, len(self._ends)))

    def _is_silent(self, index: int) -> bool:
        return self._ends[index] == (self._ends[index - 1] if index else 0)
