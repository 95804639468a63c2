"""Decides which ids an answer has, of which a server sent the text, and perhaps the tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from reticent.serve.judging.token_alignment import ReceivedTokens, TokenTrack
from reticent_detectors.alignment import TokenText
from reticent_detectors.spans import Span

_Ranges = Sequence[tuple[int, int]]


class FoundIds(NamedTuple):
    """Holds the ids of an answer up to the end of the last of some ranges.

    Args:
        ids: these ids.
        places: places of the tokens of each range.
        behind: ids of what has come behind it, if they were asked for.
    """

    ids: list[int]
    places: list[list[int]]
    behind: list[int]

    def __repr__(self) -> str:
        return f"FoundIds({len(self.ids)} tokens)"


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

    def __call__(
        self,
        track: TokenTrack,
        received: ReceivedTokens,
        text: str,
        ranges: _Ranges,
        behind: str = "",
        most_behind: int = 0,
    ) -> FoundIds | None:
        """Gives the ids up to the end of the last range, and the places of the tokens of each. None: they are unknown.

        Those up to there do not depend on what has come behind the text.

        Args:
            track: the text's tokens, if its server sends them.
            received: all tokens that the server sent for its choice.
            text: the text so far.
            ranges: characters of the text, from left to right, at least one.
            behind: what has come behind the text.
            most_behind: how many ids of what is behind are wanted.
        """
        found = self._as_received(track, received, ranges, most_behind)
        return self._as_written(text, ranges, behind, most_behind) if found is None else found

    def _as_received(
        self, track: TokenTrack, received: ReceivedTokens, ranges: _Ranges, most_behind: int
    ) -> FoundIds | None:
        """Gives them as the server sent them."""
        places = [[token.at for token in track.between(start, end)] for start, end in ranges]
        if not all(places):
            return None
        end = places[-1][-1] + 1
        known = list[int]()
        for token in received.tokens[: end + most_behind]:
            own = token if isinstance(token, int) else self._by_text.get(token, -1)
            if not 0 <= own < self._vocabulary:
                break
            known.append(own)
        return FoundIds(known[:end], places, known[end:]) if len(known) >= end else None

    def _as_written(self, text: str, ranges: _Ranges, behind: str, most_behind: int) -> FoundIds | None:
        """Gives them as the tokenizer would write the text. A server may have used other tokens."""
        tokens = TokenText(self._tokenizer)
        answer = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        for token in answer:
            tokens.push(token)
        shift = len(tokens.text) - len(text)  # a blank that the tokenizer puts before a text
        if tokens.text[shift:] != text or tokens.text[:shift].strip():
            return None
        places = [list(tokens.tokens(Span("", start + shift, end + shift))) for start, end in ranges]
        if not all(places):
            return None
        end = places[-1][-1] + 1
        longer = self._tokenizer(text + behind, add_special_tokens=False)["input_ids"] if behind else answer
        more = longer[end : end + most_behind] if longer[:end] == answer[:end] else []
        return FoundIds(answer[:end], places, more)


def _ids_by_text(tokenizer: Any) -> dict[str, int]:
    """Maps the text of each token to its id, if no other token has the same text."""
    ids: dict[str, int] = {}
    for token in range(len(tokenizer)):
        written = tokenizer.decode([token], skip_special_tokens=False)
        ids[written] = -1 if written in ids else token
    return {written: token for written, token in ids.items() if token >= 0 and "\ufffd" not in written}
