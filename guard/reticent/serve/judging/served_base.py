"""Asks the model before private tuning, which the upstream serves under another name.

A server such as vLLM serves a model and its LoRA adapters side by side. The model without the adapter is the base of
the model with it. For each token of a value it is asked to write that token (`allowed_token_ids`) behind all before it,
and to tell the token's raw log-probability. These questions are sent at once and share their cached beginning.
vLLM's `prompt_logprobs` would be one question, but its engine dies of one beside other requests with LoRA (0.32).

Prompts are sent as token ids, those that the upstream sent with its answer. So both models read the same tokens.
Each value has a cache salt of its own: nobody may find out by timing what the base was asked.

A value that the user's text offers as a choice is as likely as its list makes it. So the model itself is asked in the
same way how likely the value is behind the prompt without the list.
"""

from __future__ import annotations

import json
import math
import secrets
import time
from collections.abc import Callable, Sequence
from operator import sub
from typing import Any, NamedTuple, Protocol, TypeVar

from reticent.core.judge import BaseRole, PrecedingText
from reticent.serve.judging.detectors import NotAsked, SpanLocation
from reticent.serve.judging.token_alignment import Token, tokens_of
from reticent.serve.settings import ServedBaseSettings
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent_detectors.errors import CaptureError, ReticentError
from reticent_detectors.features.cue import PromptIndex

PATH = "/v1/completions"
MOST_TOKENS = 64
"""Longest value that the base is asked about."""
MOST_IDS = 1 << 18
"""Most ids in all questions about one value."""
SAME = 1e-4
"""Difference of log-probabilities, in nats, below which two models are taken for one."""
CERTAIN = -1e-6
"""Log-probability, in nats, from which on a server may have left out all other tokens before it took it."""
Ask = Callable[[str, Sequence[bytes], float], Sequence[bytes]]
"""Posts bodies to a path of the upstream at once, waits so many seconds at most, and gives the responses' bodies.

It is called in a judging thread. Raises ReticentError."""


_Answer = TypeVar("_Answer")


class _SpanIds(NamedTuple):
    """Holds ids: of a prompt, of the answer before a value, and of the value."""

    prompt: list[int]
    earlier: list[int]
    own: list[int]


class TokenTexts(Protocol):
    """Rewrites texts of the base's tokens (`reticent.hosted.token_texts`)."""

    def rename(self, before: Sequence[int], sent: int) -> list[list[int]]:
        """Rewrites a text about other people, as ids, where `sent` ids follow. Empty if it names no person."""
        ...

    def without_lists(self, prompt: Sequence[int], candidates: Sequence[str]) -> list[int]:
        """Gives a prompt's ids without the lists of these values (`reticent_detectors.alignment.without_lists`)."""
        ...

    def text(self, ids: Sequence[int]) -> str:
        """Decodes ids, without special tokens."""
        ...


class ServedBase:
    """Holds the name of the base and the way to it. It is safe to share.

    Args:
        settings: its name at the upstream, and how long it may take.
        ask: asks the upstream.
        texts: its tokenizer. Without one, nothing is asked about other people, nor without a list.
    """

    def __init__(self, settings: ServedBaseSettings, ask: Ask, texts: TokenTexts | None = None) -> None:
        self._settings, self._ask, self.texts = settings, ask, texts

    def __repr__(self) -> str:
        return f"ServedBase({self._settings.model!r})"

    @property
    def about(self) -> str:
        """Describes the base in one clause."""
        return f"base: the upstream's model {self._settings.model!r}"

    @property
    def seconds(self) -> float:
        """Gives the longest time that one value's questions may take."""
        return self._settings.seconds

    def is_model(self, model: str) -> bool:
        """Says whether a model is its own base: nothing private was added to it."""
        return model == self._settings.model

    def log_probabilities(self, before: Sequence[int], own: Sequence[int]) -> list[float]:
        """Gives the base's log-probabilities (nats) of a value's tokens behind the ids before them.

        Raises what `tokens` raises.
        """
        return [token.logprob for token in self.tokens(self._settings.model, before, own, rivals=0)]

    def tokens(self, model: str, before: Sequence[int], own: Sequence[int], rivals: int) -> list[Token]:
        """Gives the log-probabilities (nats) that a model of the upstream has for a value's tokens.

        Args:
            model: its name.
            before: ids of all that precedes the value.
            own: ids of the value.
            rivals: likeliest tokens that are asked for beside each; a token's rival is one of them.

        Raises:
            CaptureError: the text is too long, or the server's answers do not hold them.
            ReticentError: the server could not be asked.
        """
        if len(own) > MOST_TOKENS or len(own) * len(before) > MOST_IDS:
            raise CaptureError(f"A value of {len(own)} tokens behind {len(before)} is too long to ask {model} about.")
        common = {
            "model": model,
            "max_tokens": 1,
            "temperature": 0,
            "logprobs": rivals,
            "return_token_ids": True,
            "cache_salt": secrets.token_hex(16),
        }
        bodies = [
            json.dumps({**common, "prompt": [*before, *own[:place]], "allowed_token_ids": [token]}).encode()
            for place, token in enumerate(own)
        ]
        responses = self._ask(PATH, bodies, self._settings.seconds)
        found = [_read_token(raw, token) for raw, token in zip(responses, own, strict=True)]
        if min(token.logprob for token in found) >= CERTAIN:
            raise CaptureError(
                f"The upstream's model {model} finds each token of a value certain. Expected raw log-probabilities; "
                "start vLLM with --logprobs-mode raw_logprobs, its default."
            )
        return found


class ServedBaseJudge:
    """Asks the base about the spans of one request.

    Args:
        base: the base.
        parsed: the request.
        reads_base: whether the detector takes the base's log-probabilities.
        probability: the detector, for a span and its tokens.
    """

    def __init__(
        self,
        base: ServedBase,
        parsed: ParsedRequest,
        reads_base: bool,
        probability: Callable[[SpanLocation, Sequence[Token]], float | None],
    ) -> None:
        self._base, self._model, self._views, self._probability = base, parsed.model, parsed.views, probability
        self.base = BaseRole.MODEL_ITSELF if base.is_model(parsed.model) else BaseRole.BEFORE_TUNING
        self.reads_base = reads_base
        self._texts: dict[int, PromptIndex] = {}
        self._unlisted: tuple[tuple[int, int, int, int], list[Token]] | None = None
        """The value that was last read without its list, and its tokens."""
        self._gave_up, self._spent_seconds = False, 0.0

    def __repr__(self) -> str:
        return f"ServedBaseJudge({self._base!r}, {self.base})"

    def probability(self, location: SpanLocation) -> float | None:
        """Gives the probability that a span is memorised, or None if it is unknown.

        Raises:
            NotAsked: the value comes from a list, and the model could not be asked without it.
            InputError: a log-probability is none.
        """
        try:
            tokens = self._tokens(location)
        except ReticentError as error:
            raise NotAsked(str(error)) from error
        return self._probability(location, tokens)

    def log_probabilities(self, location: SpanLocation) -> Sequence[float]:
        """Gives the log-probabilities of a span's tokens under the base, in nats. Empty if its ids are unknown.

        Raises what `ServedBase.log_probabilities` raises.
        """
        if self.base is BaseRole.MODEL_ITSELF:
            return [token.logprob for token in self._tokens(location)]
        if (found := self._ids(location)) is None:
            return ()
        nats = self._ask([*found.prompt, *found.earlier], found.own)
        own = [token.logprob for token in self._tokens(location)]
        if nats and len(own) == len(nats) and max(map(abs, map(sub, nats, own))) < SAME:
            raise CaptureError(
                "The base finds each token of a value exactly as likely as the model does, so the upstream may have "
                "asked the model itself. vLLM on a CPU does so unless --max-loras is above the number of adapters."
            )
        return nats

    def about_others(self, location: SpanLocation) -> Sequence[Sequence[float]] | None:
        """Gives the same behind the text about other people. None without a tokenizer, or if the ids are unknown."""
        found, texts = self._ids(location), self._base.texts
        if found is None or texts is None:
            return None
        renamed = texts.rename([*found.prompt, *found.earlier], len(found.own))
        others = [self._ask(text, found.own) for text in renamed]
        return others if all(others) else None

    def text_before(self, location: SpanLocation) -> PrecedingText | None:
        """Gives all turns of the prompt, and the answer before a span.

        Without a list, the prompt is the decoded one. None if its ids are unknown.
        """
        answer = location.text[: location.start]
        if location.candidates:
            found, texts = self._ids(location), self._base.texts
            return (
                None if found is None or texts is None else PrecedingText(PromptIndex(texts.text(found.prompt)), answer)
            )
        if location.prompt not in self._texts:
            context = self._views[location.prompt].context
            self._texts[location.prompt] = PromptIndex("\n".join((context.earlier, context.question, context.left)))
        return PrecedingText(self._texts[location.prompt], answer)

    def _tokens(self, location: SpanLocation) -> Sequence[Token]:
        """Gives a span's tokens: as they were sent, or as the model finds them without the list of candidates."""
        if not location.candidates:
            return location.track.between(location.start, location.end)
        key = location.prompt, id(location.track), location.start, location.end
        if self._unlisted is None or self._unlisted[0] != key:
            found = self._ids(location)
            tokens = (
                []
                if found is None
                else self._timed(
                    lambda: self._base.tokens(self._model, [*found.prompt, *found.earlier], found.own, rivals=2)
                )
            )
            self._unlisted = key, tokens
        return self._unlisted[1]

    def _ask(self, before: Sequence[int], own: Sequence[int]) -> Sequence[float]:
        """Asks the base."""
        return self._timed(lambda: self._base.log_probabilities(before, own))

    def _timed(self, ask: Callable[[], list[_Answer]]) -> list[_Answer]:
        """Asks the upstream. Empty once a question of this request failed, or all took twice as long as one may."""
        if self._gave_up or self._spent_seconds > 2 * self._base.seconds:
            return []
        started = time.monotonic()
        try:
            return ask()
        except Exception:
            self._gave_up = True
            raise
        finally:
            self._spent_seconds += time.monotonic() - started

    def _ids(self, location: SpanLocation) -> _SpanIds | None:
        """Gives the ids of the prompt without lists of candidates, of the answer before a span, and of the span.

        None if the server did not send them, or if a list cannot be left out for want of a tokenizer.
        """
        tokens, prompt = location.track.between(location.start, location.end), list(location.received.prompt)
        if not tokens or not prompt:
            return None
        first, last = tokens[0].at, tokens[-1].at
        answer = [token for token in location.received.tokens[: last + 1] if isinstance(token, int)]
        if len(answer) != last + 1:
            return None
        if location.candidates:
            if self._base.texts is None:
                return None
            prompt = self._base.texts.without_lists(prompt, location.candidates)
        return _SpanIds(prompt, answer[:first], answer[first:])


def _read_token(raw: bytes, token: int) -> Token:
    """Reads the log-probability of the one token that was written, and of its rival."""
    try:
        choice: Any = json.loads(raw)["choices"][0]
        found = tokens_of(choice["logprobs"])
        is_it = choice["token_ids"] == [token] and len(found) == 1 and math.isfinite(found[0].logprob)
    except (ValueError, LookupError, TypeError):
        is_it = False
    if not is_it:
        raise CaptureError(
            "The upstream gave no log-probability of the token that the base was to write. Expected vLLM's "
            "'allowed_token_ids' and 'return_token_ids'; leave out detector.base for another server."
        )
    return found[0]
