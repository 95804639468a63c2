"""Which token wrote which characters: text that grows token by token, with a way back from spans to tokens."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
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

    def ends(self, count: int) -> int:
        """How many characters the first `count` tokens wrote."""
        return self._ends[count - 1] if count else 0

    def tokens(self, span: Span) -> range:
        """Indices of the tokens that wrote any of the span's characters in the answer."""
        first = bisect_right(self._ends, span.answer_start)
        while first > 0 and self._ends[first - 1] == span.answer_start and self._is_silent(first - 1):
            first -= 1
        last = bisect_left(self._ends, span.end)
        return range(first, min(last + 1, len(self._ends)))

    def _is_silent(self, index: int) -> bool:
        return self._ends[index] == (self._ends[index - 1] if index else 0)


def replace_in_ids(tokenizer: Any, ids: Sequence[int], texts: Iterable[str], instead: str) -> list[int]:
    """Token ids in which every occurrence of the texts is replaced; tokens that none of them touches stay as they are.

    Args:
        tokenizer: a fast tokenizer.
        ids: of a prompt.
        texts: what to replace, wherever it stands in the decoded prompt (longest first).
        instead: stands in their place.
    """
    aligned = TokenText(tokenizer)
    for token in ids:
        aligned.push(token)
    wanted = sorted({text for text in texts if text}, key=len, reverse=True)
    if not wanted:
        return list(ids)
    pattern = re.compile("|".join(map(re.escape, wanted)))
    touched: list[list[int]] = []
    for match in pattern.finditer(aligned.text):
        covered = aligned.tokens(Span("", match.start(), match.end()))
        if touched and covered.start < touched[-1][1]:
            touched[-1][1] = max(touched[-1][1], covered.stop)
        else:
            touched.append([covered.start, covered.stop])
    out: list[int] = []
    done = 0
    for first, last in touched:
        text = pattern.sub(lambda _: instead, aligned.text[aligned.ends(first) : aligned.ends(last)])
        out += [*ids[done:first], *tokenizer(text, add_special_tokens=False)["input_ids"]]
        done = last
    return out + list(ids[done:])
