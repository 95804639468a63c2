"""Says where the tokens of a running text are, and what it says so far."""

from __future__ import annotations

from typing import NamedTuple

from reticent.serve.judging.token_alignment import ReceivedTokens, TokenTrack


class TokenSource(NamedTuple):
    """Holds a running text's tokens, all tokens of its choice, its pieces if they are kept, and an offset.

    The offset is that of the character with which a part of the text begins.
    """

    track: TokenTrack
    received: ReceivedTokens
    pieces: list[str]
    base: int

    def __repr__(self) -> str:
        return f"TokenSource({self.track!r}, base={self.base})"

    @property
    def text(self) -> str:
        """Gives the text so far, if it is kept."""
        if len(self.pieces) > 1:
            self.pieces[:] = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""
