"""Aligns the log-probabilities that a server sends with the characters that each token wrote.

Servers decode tokens one by one for this. So a token may lack the blank before it, and half a character becomes
U+FFFD. Tokens and text are therefore matched by their bytes without blanks, in order. Tags (ends of turns, of thoughts)
are skipped. Text is never skipped: if it cannot be matched, no later span has log-probabilities, and its judge must
not guess.

A server may send the tokens of thoughts with a text that does not hold them. A visible token that the text lacks is
such a one. What was matched since text and tokens last ended together is then given up, and matching begins there again
behind the next tag. Otherwise thoughts that hold a value's digits one by one would lend it their log-probabilities.
"""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

_REPLACED = "\ufffd"
_REPLACED_BYTES = _REPLACED.encode()
_CHARACTER_BYTES = 4
_MOST_WAITING = 1 << 16
_MOST_TOKENS = 1 << 20
_PRUNE_AT = 1 << 14
_TAG = re.compile(rb"<[^<>]{1,64}>|\[/?[A-Z_]{2,24}\]")
"""What a tag looks like: `</think>`, `<|im_end|>`, `[/INST]`."""


@dataclass(frozen=True, slots=True)
class Token:
    """Holds one token: its text without blanks in UTF-8, and log-probabilities in nats.

    The text is None if the token is a part of a character. There are the token's own log-probability, and that of the
    likeliest other token (-inf if the server sent none). `at` is its index in `ReceivedTokens`.
    """

    text: bytes | None = field(repr=False)
    logprob: float
    rival: float
    at: int = 0


class AnswerName(NamedTuple):
    """Names one choice of an answer, as its server does.

    Attributes:
        answer: the id that the server gave the whole answer.
        prompt: the number of the prompt.
        choice: the number of the choice among those of this prompt.
        choices: how many there are.
    """

    answer: str
    prompt: int
    choice: int
    choices: int

    def __repr__(self) -> str:
        return f"AnswerName({self.prompt}, {self.choice})"


@dataclass(slots=True)
class ReceivedTokens:
    """Keeps all tokens that the server sent for one choice, by id or else as written, its prompt's ids and its name."""

    tokens: list[int | str] = field(default_factory=list, repr=False)
    prompt: list[int] = field(default_factory=list, repr=False)
    name: AnswerName | None = None

    def take(self, choice: Mapping[str, Any], prompt: Any) -> list[Token]:
        """Takes the tokens of a choice's entry in a frame. `prompt` holds the frame's ids of the prompt."""
        tokens = tokens_of(choice.get("logprobs"), len(self.tokens))
        if len(self.tokens) + len(tokens) > _MOST_TOKENS:
            return []
        if tokens:
            ids = _ids(choice.get("token_ids"))
            if len(ids) == len(tokens):
                self.tokens += ids
            else:
                written = _token_texts(choice["logprobs"])[: len(tokens)]
                self.tokens += [entry if isinstance(entry, str) else "" for entry in written]
        self.prompt = self.prompt or _ids(choice.get("prompt_token_ids")) or _ids(prompt)
        return tokens


def _ids(value: Any) -> list[int]:
    if not isinstance(value, list) or not all(isinstance(each, int) and not isinstance(each, bool) for each in value):
        return []
    return value


def _token_texts(logprobs: Mapping[str, Any]) -> list[Any]:
    """Gives the tokens of readable log-probabilities, as the server writes them."""
    if "tokens" in logprobs:
        return list(logprobs["tokens"])
    return [entry["token"] for name in ("content", "refusal") for entry in logprobs.get(name) or ()]


def tokens_of(logprobs: Any, first: int = 0) -> list[Token]:
    """Reads the tokens of a choice's `logprobs`, in the format of chat completions or of completions.

    Unreadable log-probabilities have no tokens. `first`: number of the first one (`Token.at`).
    """
    if not isinstance(logprobs, dict):
        return []
    try:
        if "tokens" in logprobs:
            told = _legacy(logprobs)
        else:
            told = chain(_chat(logprobs.get("content") or ()), _chat(logprobs.get("refusal") or ()))
        return [_token(*each, at) for at, each in enumerate(told, first)]
    except (TypeError, ValueError, AttributeError, LookupError):
        return []


_Told = tuple[str, Any, Any, Sequence[tuple[str, Any]]]
"""What a server tells of a token: its text, its bytes, its log-probability, and those of the likeliest ones."""


def _chat(entries: Sequence[Mapping[str, Any]]) -> Iterator[_Told]:
    for entry in entries:
        others = [(each["token"], each["logprob"]) for each in entry.get("top_logprobs") or ()]
        yield entry["token"], entry.get("bytes"), entry["logprob"], others


def _legacy(logprobs: Mapping[str, Any]) -> Iterator[_Told]:
    texts, own = logprobs["tokens"], logprobs["token_logprobs"]
    tops = logprobs.get("top_logprobs") or [{}] * len(texts)
    for text, logprob, top in zip(texts, own, tops, strict=True):
        yield text, None, logprob, list((top or {}).items())


def _token(text: str, raw: Any, logprob: Any, top: Sequence[tuple[str, Any]], at: int) -> Token:
    rivals, seen = [], False
    for other, each in top:
        if other == text and not seen:
            seen = True
        else:
            rivals.append(_number(each))
    if _REPLACED in text:
        shown = None
        if isinstance(raw, list) and (given := bytes(raw)) and given != text.encode():
            shown = given
    else:
        shown = "".join(text.split()).encode()
    return Token(shown, _number(logprob), max(rivals, default=-math.inf), at)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("expected a number")
    return float(value)


def _is_tag(text: bytes) -> bool:
    """Says whether a token without blanks is a tag, or wrote nothing."""
    return not text or (text[0] in b"<[" and _TAG.fullmatch(text) is not None)


def ending(tokens: Sequence[Token], text: str) -> Sequence[Token] | None:
    """Gives the last tokens that are, tags apart, a whole text but for its blanks. None if no last ones are."""
    whole = "".join(text.split()).encode(errors="replace")
    left = len(whole)
    for at in range(len(tokens) - 1, -1, -1):
        written = tokens[at].text
        if written is None:
            return None
        if not whole.endswith(written, 0, left):
            if not _is_tag(written):
                return None
            continue
        left -= len(written)
        if not left and written:
            return tokens[at:]
    return None


class TokenTrack:
    """Matches the tokens of one running text to its characters."""

    def __init__(self) -> None:
        self._ends = array("Q", [0])  # bytes without blanks up to each character
        self._first = 0  # the character that `_ends` begins with
        self._text = bytearray()  # not yet matched from `_at` on
        self._at = 0
        self._matched_bytes = 0
        self._waiting: deque[Token] = deque()
        self._parts: list[Token] = []  # of characters, where they begin is not known yet
        self._tokens: list[tuple[int, int, Token]] = []
        self._sure_bytes = 0  # matched when text and tokens last ended together
        self._is_lost = False  # a visible token was not in the text, and no tag has come since

    def __repr__(self) -> str:
        return f"TokenTrack({len(self._tokens)} tokens, {len(self._waiting)} waiting)"

    @property
    def waiting(self) -> int:
        """Gives the number of tokens whose text has yet to come."""
        return len(self._waiting)

    def add_tokens(self, tokens: Iterable[Token]) -> None:
        """Takes tokens in order. They may come before their text or with it."""
        self._waiting.extend(tokens)
        while len(self._waiting) > _MOST_WAITING:
            self._waiting.popleft()
        self._match()

    def add_text(self, text: str) -> None:
        """Takes the next piece of the text."""
        end = self._ends[-1]
        self._text += "".join(text.split()).encode(errors="replace")
        if text.isascii():
            sizes = [int(not each.isspace()) for each in text]
        else:
            sizes = [0 if each.isspace() else len(each.encode(errors="replace")) for each in text]
        self._ends.extend([end := end + size for size in sizes])
        self._match()

    def between(self, start: int, end: int) -> list[Token]:
        """Gives the tokens that wrote these characters. Empty if not all of them are known."""
        if start < self._first or end - self._first >= len(self._ends):
            return []
        begin, stop = self._ends[start - self._first], self._ends[end - self._first]
        if stop > self._matched_bytes or begin == stop:
            return []
        found = []
        for place in range(bisect_right(self._tokens, begin, key=lambda token: token[1]), len(self._tokens)):
            first, _, token = self._tokens[place]
            if first >= stop:
                break
            found.append(token)
        return found

    def forget(self, before: int) -> None:
        """Forgets the tokens of characters that have been decided."""
        over = before - self._first
        if over < _PRUNE_AT:
            return
        end = self._ends[over]
        del self._ends[:over]
        self._first = before
        del self._tokens[: bisect_right(self._tokens, end, key=lambda token: token[1])]

    def _match(self) -> None:
        while self._waiting and self._match_next():
            pass
        if not self._waiting and not self._parts and self._at == len(self._text) and not self._is_lost:
            self._sure_bytes = self._matched_bytes
        sure_at = self._at - (self._matched_bytes - self._sure_bytes)
        if sure_at > _PRUNE_AT:
            del self._text[:sure_at]
            self._at -= sure_at

    def _match_next(self) -> bool:
        """Takes the next waiting token. False if its text has yet to come."""
        token = self._waiting[0]
        is_tag = token.text is not None and _is_tag(token.text)
        if self._is_lost and not (is_tag and token.text):
            self._waiting.popleft()
            return True
        self._is_lost = False
        if token.text is None:
            self._parts.append(self._waiting.popleft())
            return True
        if self._parts and token.text:
            return self._place_parts(token.text)
        if self._text.startswith(token.text, self._at):
            self._waiting.popleft()
            self._assign(token, len(token.text))
            return True
        if token.text.startswith(self._text[self._at : self._at + len(token.text)]):
            return False
        if self._widen_empty():
            return True
        self._waiting.popleft()
        if not is_tag:
            self._give_up()
        return True

    def _widen_empty(self) -> bool:
        """Gives the U+FFFD here to the empty token before it, as vLLM writes a byte that belongs to no character."""
        if not self._text.startswith(_REPLACED_BYTES, self._at) or not self._tokens:
            return False
        first, end, token = self._tokens[-1]
        if token.text or end != self._matched_bytes:
            return False
        self._at += len(_REPLACED_BYTES)
        self._matched_bytes += len(_REPLACED_BYTES)
        self._tokens[-1] = first, self._matched_bytes, token
        return True

    def _give_up(self) -> None:
        """Forgets what was matched since text and tokens last ended together, and waits for a tag."""
        self._at -= self._matched_bytes - self._sure_bytes
        self._matched_bytes = self._sure_bytes
        while self._tokens and self._tokens[-1][1] > self._sure_bytes:
            self._tokens.pop()
        self._parts.clear()
        self._is_lost = True

    def _place_parts(self, following: bytes) -> bool:
        """Assigns the text before the next whole token to the parts of characters.

        False while that token's text has yet to come.
        """
        most = self._at + _CHARACTER_BYTES * len(self._parts) + len(following)
        place = self._text.find(following, self._at + 1, most)
        if place < 0:
            if len(self._text) < most:
                return False
            self._parts.clear()
            return True
        first, size = self._matched_bytes, place - self._at
        self._tokens += [(first, first + size, part) for part in self._parts]
        self._parts.clear()
        self._at, self._matched_bytes = place, first + size
        return True

    def _assign(self, token: Token, size: int) -> None:
        self._tokens.append((self._matched_bytes, self._matched_bytes + size, token))
        self._at += size
        self._matched_bytes += size
