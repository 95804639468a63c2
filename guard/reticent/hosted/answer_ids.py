"""Decides which ids an answer has, of which a server sent the text, and perhaps the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from reticent.serve.judging.token_alignment import ReceivedTokens, TokenTrack
from reticent_detectors.alignment import TokenText
from reticent_detectors.spans import Span

_Found = tuple[list[int], list[list[int]]]
"""The answer's ids, and the places of the tokens of each range."""
_Ranges = Sequence[tuple[int, int]]


class AnswerIds:
    """Finds the ids of texts. It takes one call at a time, for it uses the tokenizer.

    Args:
        tokenizer: of the model that wrote the answers.
        vocabulary: number of its tokens.
    """

    def __init__(self, tokenizer: Any, vocabulary: int) -> None:
        self._tokenizer, self._vocabulary, self._by_text = tokenizer, vocabulary, _ids_by_text(tokenizer)

    def __repr__(self) -> str:
        return f"AnswerIds({self._vocabulary} tokens)"

    def __call__(self, track: TokenTrack, received: ReceivedTokens, text: str, ranges: _Ranges) -> _Found | None:
        """Gives the ids up to the end of the last range, and the places of the tokens of each. None: they are unknown.

        Args:
            track: the text's tokens, if its server sends them.
            received: all tokens that the server sent for its choice.
            text: the text so far.
            ranges: characters of the text, from left to right, at least one.
        """
        return self._as_received(track, received, ranges) or self._as_written(text, ranges)

    def _as_received(self, track: TokenTrack, received: ReceivedTokens, ranges: _Ranges) -> _Found | None:
        """Gives them as the server sent them."""
        places = [[token.at for token in track.between(start, end)] for start, end in ranges]
        if not all(places):
            return None
        sent = received.tokens[: places[-1][-1] + 1]
        ids = [token if isinstance(token, int) else self._by_text.get(token) for token in sent]
        known = [token for token in ids if token is not None and 0 <= token < self._vocabulary]
        return (known, places) if len(known) == len(ids) else None

    def _as_written(self, text: str, ranges: _Ranges) -> _Found | None:
        """Gives them as the tokenizer would write the text. A server may have used other tokens."""
        tokens = TokenText(self._tokenizer)
        answer = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        for token in answer:
            tokens.push(token)
        shift = len(tokens.text) - len(text)  # a blank that the tokenizer puts before a text
        if tokens.text[shift:] != text or tokens.text[:shift].strip():
            return None
        places = [list(tokens.tokens(Span("", start + shift, end + shift))) for start, end in ranges]
        return (answer[: places[-1][-1] + 1], places) if all(places) else None


def _ids_by_text(tokenizer: Any) -> dict[str, int]:
    """Maps the text of each token to its id, if no other token has the same text."""
    ids: dict[str, int] = {}
    for token in range(len(tokenizer)):
        written = tokenizer.decode([token], skip_special_tokens=False)
        ids[written] = -1 if written in ids else token
    return {written: token for written, token in ids.items() if token >= 0 and "\ufffd" not in written}
