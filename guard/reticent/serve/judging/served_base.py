"""Asks the model before private tuning, which the upstream serves under another name.

A server such as vLLM serves a model and its LoRA adapters side by side. The model without the adapter is the base of
the model with it. For each token of a value it is asked to write that token (`allowed_token_ids`) behind all before it,
and to tell the token's raw log-probability. These questions are sent at once and share their cached beginning.
vLLM's `prompt_logprobs` would be one question, but its engine dies of one beside other requests with LoRA (0.32).

Prompts are sent as token ids, those that the upstream sent with its answer. So both models read the same tokens.
Each value has a cache salt of its own: nobody may find out by timing what the base was asked.
"""

from __future__ import annotations

import json
import math
import secrets
import time
from collections.abc import Callable, Sequence
from operator import sub
from typing import Any, Protocol

from reticent.core.judge import BaseRole, PrecedingText
from reticent.serve.judging.detectors import SpanLocation
from reticent.serve.settings import ServedBaseSettings
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent_detectors.errors import CaptureError
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


class TokenTexts(Protocol):
    """Rewrites texts of the base's tokens (`reticent.hosted.token_texts`)."""

    def rename(self, before: Sequence[int], sent: int) -> list[list[int]]:
        """Rewrites a text about other people, as ids, where `sent` ids follow. Empty if it names no person."""
        ...


class ServedBase:
    """Holds the name of the base and the way to it. It is safe to share.

    Args:
        settings: its name at the upstream, and how long it may take.
        ask: asks the upstream.
        texts: its tokenizer. Without one, nothing is asked about other people.
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
        """Gives the log-probabilities (nats) of a value's tokens behind the ids before them.

        Raises:
            CaptureError: the text is too long, or the server's answers do not hold them.
            ReticentError: the server could not be asked.
        """
        if len(own) > MOST_TOKENS or len(own) * len(before) > MOST_IDS:
            raise CaptureError(f"A value of {len(own)} tokens behind {len(before)} is too long to ask the base about.")
        common = {
            "model": self._settings.model,
            "max_tokens": 1,
            "temperature": 0,
            "logprobs": 0,
            "return_token_ids": True,
            "cache_salt": secrets.token_hex(16),
        }
        bodies = [
            json.dumps({**common, "prompt": [*before, *own[:place]], "allowed_token_ids": [token]}).encode()
            for place, token in enumerate(own)
        ]
        responses = self._ask(PATH, bodies, self._settings.seconds)
        nats = [_log_probability(raw, token) for raw, token in zip(responses, own, strict=True)]
        if min(nats) >= CERTAIN:
            raise CaptureError(
                "The upstream finds each token of a value certain under the base. Expected raw log-probabilities; "
                "start vLLM with --logprobs-mode raw_logprobs, its default."
            )
        return nats


class ServedBaseJudge:
    """Asks the base about the spans of one request.

    Args:
        base: the base.
        parsed: the request.
        reads_base: whether the detector takes the base's log-probabilities.
        probability: the detector.
    """

    def __init__(
        self,
        base: ServedBase,
        parsed: ParsedRequest,
        reads_base: bool,
        probability: Callable[[SpanLocation], float | None],
    ) -> None:
        self._base, self._views, self._probability = base, parsed.views, probability
        self.base = BaseRole.MODEL_ITSELF if base.is_model(parsed.model) else BaseRole.BEFORE_TUNING
        self.reads_base = reads_base
        self._texts: dict[int, PromptIndex] = {}
        self._gave_up, self._spent_seconds = False, 0.0

    def __repr__(self) -> str:
        return f"ServedBaseJudge({self._base!r}, {self.base})"

    def probability(self, location: SpanLocation) -> float | None:
        """Gives the probability that a span is memorised, or None if it is unknown. Raises InputError."""
        return self._probability(location)

    def log_probabilities(self, location: SpanLocation) -> Sequence[float]:
        """Gives the log-probabilities of a span's tokens under the base, in nats. Empty if its ids are unknown.

        Raises what `ServedBase.log_probabilities` raises.
        """
        if self.base is BaseRole.MODEL_ITSELF:
            return [token.logprob for token in location.track.between(location.start, location.end)]
        if (found := _ids(location)) is None:
            return ()
        nats = self._ask([*found[0], *found[1]], found[2])
        own = [token.logprob for token in location.track.between(location.start, location.end)]
        if nats and len(own) == len(nats) and max(map(abs, map(sub, nats, own))) < SAME:
            raise CaptureError(
                "The base finds each token of a value exactly as likely as the model does, so the upstream may have "
                "asked the model itself. vLLM on a CPU does so unless --max-loras is above the number of adapters."
            )
        return nats

    def about_others(self, location: SpanLocation) -> Sequence[Sequence[float]] | None:
        """Gives the same behind the text about other people. None without a tokenizer, or if the ids are unknown."""
        found, texts = _ids(location), self._base.texts
        if found is None or texts is None:
            return None
        prompt, earlier, own = found
        renamed = texts.rename([*prompt, *earlier], len(own))
        others = [self._ask(text, own) for text in renamed]
        return others if all(others) else None

    def text_before(self, location: SpanLocation) -> PrecedingText | None:
        """Gives all turns of the prompt, and the answer before a span. None if the prompt has to be read otherwise."""
        if location.candidates:
            return None
        if location.prompt not in self._texts:
            context = self._views[location.prompt].context
            self._texts[location.prompt] = PromptIndex("\n".join((context.earlier, context.question, context.left)))
        return PrecedingText(self._texts[location.prompt], location.text[: location.start])

    def _ask(self, before: Sequence[int], own: Sequence[int]) -> Sequence[float]:
        """Asks the base. Empty once a question of this request failed, or all took twice as long as one may."""
        if self._gave_up or self._spent_seconds > 2 * self._base.seconds:
            return ()
        started = time.monotonic()
        try:
            return self._base.log_probabilities(before, own)
        except Exception:
            self._gave_up = True
            raise
        finally:
            self._spent_seconds += time.monotonic() - started


def _ids(location: SpanLocation) -> tuple[list[int], list[int], list[int]] | None:
    """Gives the ids of the prompt, the answer before a span, and the span.

    None if the server did not send them, or if the prompt would have to be read without a list.
    """
    tokens = [] if location.candidates else location.track.between(location.start, location.end)
    if not tokens or not location.received.prompt:
        return None
    first, last = tokens[0].at, tokens[-1].at
    answer = [token for token in location.received.tokens[: last + 1] if isinstance(token, int)]
    if len(answer) != last + 1:
        return None
    return list(location.received.prompt), answer[:first], answer[first:]


def _log_probability(raw: bytes, token: int) -> float:
    """Reads the log-probability of the one token that was written."""
    try:
        choice: Any = json.loads(raw)["choices"][0]
        nats = float(choice["logprobs"]["token_logprobs"][0])
        is_it = choice["token_ids"] == [token]
    except (ValueError, LookupError, TypeError):
        nats, is_it = math.nan, False
    if not is_it or not math.isfinite(nats):
        raise CaptureError(
            "The upstream gave no log-probability of the token that the base was to write. Expected vLLM's "
            "'allowed_token_ids' and 'return_token_ids'; leave out detector.base for another server."
        )
    return nats
