"""Asks the model before private tuning, which the upstream serves under another name.

A server such as vLLM serves a model and its LoRA adapters side by side. The model without the adapter is the base of
the model with it. For each token of a value it is asked to write that token (`allowed_token_ids`) behind all before it,
and to tell the token's raw log-probability. These questions are sent at once and share their cached beginning.
vLLM's `prompt_logprobs` would be one question, but its engine dies of one beside other requests with LoRA (0.32).
Inside vLLM, where a worker of ours keeps the states that a value is drawn from, there is one question for all tokens.

Prompts are sent as token ids, those that the upstream sent with its answer. So both models read the same tokens.
Each value has a cache salt of its own: nobody may find out by timing what the base was asked.

A value that stands in the user's text, and may do so by chance, is as likely as that text makes it. So the model itself
is asked in the same way how likely the value is behind the prompt without it. Only that: what stands in a list beside
others stays unknown, because with the list the question itself can be lost.
"""

from __future__ import annotations

import json
import math
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import sub
from typing import Any, NamedTuple, Protocol, TypeVar

from reticent.core.failure_log import log_failure
from reticent.core.judge import BaseRole, PrecedingText
from reticent.observability.observers import WireStage
from reticent.serve.judging.detectors import NotAsked, SpanLocation, SpanScorer, StateSource
from reticent.serve.judging.token_alignment import AnswerName, ReceivedTokens, Token, tokens_of
from reticent.serve.settings import ServedBaseSettings
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent_detectors.errors import CaptureError, ReticentError
from reticent_detectors.features.cue import PromptIndex, normalize

PATH = "/v1/completions"
MOST_TOKENS = 64
"""Longest value that the base is asked about."""
MOST_IDS = 1 << 18
"""Most ids in all questions about one value."""
MOST_REWRITTEN = 1 << 12
"""Most ids of a prompt that is rewritten without a value."""
AGREE_NATS = 0.1
"""Largest difference between a token's log-probability by a kept state and by the server, in nats."""
SAME = 1e-4
"""Difference of log-probabilities, in nats, below which two models are taken for one.

By the states of a question only float32 is as exact. In other precisions two models that are one may not be known."""
_MOST_LOST = 8
"""Questions in a row whose states are lost, after which no states of questions are read."""
CERTAIN = -1e-6
"""Log-probability, in nats, from which on a server may have left out all other tokens before it took it."""
Ask = Callable[[str, Sequence[bytes], float], Sequence[bytes]]
"""Posts bodies to a path of the upstream at once, waits so many seconds at most, and gives the responses' bodies.

It is called by a judge, in a thread or on the event loop (`LoopJudging`). Raises ReticentError."""


_Answer = TypeVar("_Answer")


class _Questions:
    """Limits the questions of one kind about the values of one request.

    Args:
        seconds: that all of them may take together.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds, self._gave_up = seconds, False

    def ask(self, question: Callable[[], list[_Answer]]) -> list[_Answer]:
        """Asks. Empty once a question failed, or all took too long. Raises what the question raises."""
        if self._gave_up or self._seconds < 0:
            return []
        started = time.monotonic()
        try:
            return question()
        except Exception:
            self._gave_up = True
            raise
        finally:
            self._seconds -= time.monotonic() - started


class _SpanIds(NamedTuple):
    """Holds ids: of a prompt, of the answer before a value, and of the value."""

    prompt: list[int]
    earlier: list[int]
    own: list[int]


class Reading(NamedTuple):
    """Holds a value's tokens as a model finds them behind a text, and their ids with the name of the kept states.

    There is no name where no states were kept.
    """

    tokens: list[Token]
    received: ReceivedTokens


class TokenTexts(Protocol):
    """Rewrites texts of the base's tokens (`reticent.hosted.token_texts`)."""

    def rename(self, before: Sequence[int], sent: int, count: int = ...) -> list[list[int]]:
        """Rewrites a text about `count` other people, as ids, where `sent` ids follow. Empty if it names no person."""
        ...

    def without_lists(self, prompt: Sequence[int], candidates: Sequence[str]) -> list[int]:
        """Gives a prompt's ids without these values (`reticent_detectors.alignment.without_lists`)."""
        ...


class ServedBase:
    """Holds the name of the base and the way to it. It is safe to share.

    Args:
        settings: its name at the upstream, and how long it may take.
        ask: asks the upstream.
        texts: its tokenizer. Without one, nothing is asked about other people, nor without the value.
        states: the engine's hidden states. With them one question is about all tokens of a value.
    """

    def __init__(
        self,
        settings: ServedBaseSettings,
        ask: Ask,
        texts: TokenTexts | None = None,
        states: StateSource | None = None,
    ) -> None:
        self._settings, self._ask, self.texts, self._states = settings, ask, texts, states
        self._lost = 0  # questions in a row whose states were lost

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

        Raises:
            CaptureError: the text is too long, or the server's answers do not hold them.
            ReticentError: the server could not be asked.
        """
        nats = [token.logprob for token in self.read(self._settings.model, before, own, rivals=0).tokens]
        if min(nats) >= CERTAIN:
            raise CaptureError(
                "The upstream finds each token of a value certain under the base. Expected raw log-probabilities; "
                "start vLLM with --logprobs-mode raw_logprobs, its default."
            )
        return nats

    def read(
        self, model: str, before: Sequence[int], own: Sequence[int], rivals: int, needs_states: bool = False
    ) -> Reading:
        """Gives the log-probabilities (nats) that a model of the upstream has for a value's tokens.

        Args:
            model: its name.
            before: ids of all that precedes the value.
            own: ids of the value.
            rivals: likeliest tokens that are asked for beside each; a token's rival is one of them.
            needs_states: whether the states are read afterwards, so that nothing else is asked without them.

        Raises:
            CaptureError: the text is too long, or the server's answers do not hold them.
            ReticentError: the server could not be asked.
        """
        if len(own) > MOST_TOKENS or len(own) * len(before) > MOST_IDS:
            raise CaptureError(f"A value of {len(own)} tokens behind {len(before)} is too long to ask {model} about.")
        ends = time.monotonic() + self._settings.seconds
        common: dict[str, Any] = {"model": model, "max_tokens": 1, "temperature": 0, "logprobs": rivals}
        common |= {"return_token_ids": True, "cache_salt": secrets.token_hex(16)}

        def question(place: int) -> dict[str, Any]:
            return {**common, "prompt": [*before, *own[:place]], "allowed_token_ids": [own[place]]}

        received = ReceivedTokens(list(own), list(before))
        states = self._states
        if states is not None and states.mark is not None and (needs_states or self._lost < _MOST_LOST):
            try:
                marked = {**question(len(own) - 1), "vllm_xargs": {states.mark: len(own)}}
                name, tokens = self._read_states(states, marked, own, ends)
            except ReticentError as error:
                if needs_states:
                    raise
                self._lost += 1
                log_failure("question", error)
            else:
                self._lost = 0
                return Reading(tokens, replace(received, name=name))
        left = ends - time.monotonic()
        if left <= 0:
            raise CaptureError(f"{model} was not asked in time.")
        bodies = [json.dumps(question(place)).encode() for place in range(len(own))]
        responses = self._ask(PATH, bodies, left)
        tokens = [
            replace(_read_token(raw, token), at=at) for at, (raw, token) in enumerate(zip(responses, own, strict=True))
        ]
        return Reading(tokens, received)

    def _read_states(
        self, states: StateSource, body: dict[str, Any], own: Sequence[int], ends: float
    ) -> tuple[AnswerName, list[Token]]:
        """Asks for the last token of a value, and reads all of them by the states of this question.

        The server tells how likely that last token is. Raises ReticentError: the states are not kept, or are others.
        """
        (raw,) = self._ask(PATH, [json.dumps(body).encode()], max(0.0, ends - time.monotonic()))
        last = _read_token(raw, own[-1])
        name = AnswerName(str(json.loads(raw).get("id")), 0, 0, 1)
        tokens = states.log_probabilities(name, own, max(0.0, ends - time.monotonic()))
        if tokens is None:
            raise CaptureError("The engine keeps no states of a question.")
        is_finite = all(math.isfinite(token.logprob) for token in tokens)
        if len(tokens) != len(own) or not is_finite or not agree(tokens[-1].logprob, last.logprob):
            raise CaptureError("The engine's states of a question are not those of its value.")
        return name, [*tokens[:-1], replace(tokens[-1], logprob=last.logprob)]


class ServedBaseJudge:
    """Asks the base about the spans of one request.

    Args:
        base: the base.
        parsed: the request.
        reads_base: whether the detector takes the base's log-probabilities.
        probability: the detector, for a span and its tokens.
        reads_states: whether the detector reads hidden states of the engine.
    """

    def __init__(
        self,
        base: ServedBase,
        parsed: ParsedRequest,
        reads_base: bool,
        probability: SpanScorer,
        reads_states: bool = False,
    ) -> None:
        self._base, self._model, self._views, self._probability = base, parsed.model, parsed.views, probability
        self.base = BaseRole.MODEL_ITSELF if base.is_model(parsed.model) else BaseRole.BEFORE_TUNING
        self.reads_base, self._reads_states = reads_base, reads_states
        self._texts: dict[int, PromptIndex] = {}
        # About the base and about the model apart: who makes one fail does not switch the other off.
        self._about_base, self._about_model = (_Questions(2 * base.seconds) for _ in range(2))

    def __repr__(self) -> str:
        return f"ServedBaseJudge({self._base!r}, {self.base})"

    def probability(self, location: SpanLocation) -> float | None:
        """Gives the probability that a span is memorised, or None if it is unknown.

        Raises:
            NotAsked: the value stands in the prompt, and the model could not be asked without it.
            InputError: a log-probability is none.
        """
        if not location.candidates:
            return self._probability(
                location, location.track.between(location.start, location.end), self._model, self._under_other_names
            )
        try:
            reading = self._without_value(location)
        except Exception as error:
            stage = WireStage.STATES if self._reads_states else WireStage.BASE
            raise NotAsked(
                f"The model could not be asked without the value ({type(error).__name__}).", stage
            ) from error
        if reading is None:
            return None
        return self._probability(location._replace(received=reading.received), reading.tokens, self._model)

    def log_probabilities(self, location: SpanLocation) -> Sequence[float]:
        """Gives the log-probabilities of a span's tokens under the base, in nats. Empty if its ids are unknown.

        Raises what `ServedBase.log_probabilities` raises.
        """
        if location.candidates:  # what the user typed is not `pretrained`, whatever the base says
            return ()
        if self.base is BaseRole.MODEL_ITSELF:
            return [token.logprob for token in location.track.between(location.start, location.end)]
        if (found := _ids(location)) is None:
            return ()
        nats = self._ask([*found.prompt, *found.earlier], found.own)
        own = [token.logprob for token in location.track.between(location.start, location.end)]
        if nats and len(own) == len(nats) and max(map(abs, map(sub, nats, own))) < SAME:
            raise CaptureError(
                "The base finds each token of a value exactly as likely as the model does, so the upstream may have "
                "asked the model itself. vLLM on a CPU does so unless --max-loras is above the number of adapters."
            )
        return nats

    def about_others(self, location: SpanLocation) -> Sequence[Sequence[float]] | None:
        """Gives the same behind the text about other people. None without a tokenizer, or if the ids are unknown."""
        found, texts = None if location.candidates else _ids(location), self._base.texts
        if found is None or texts is None:
            return None
        renamed = texts.rename([*found.prompt, *found.earlier], len(found.own))
        others = [self._ask(text, found.own) for text in renamed]
        return others if all(others) else None

    def text_before(self, location: SpanLocation) -> PrecedingText | None:
        """Gives all turns of the prompt, and the answer before a span. None if the prompt has to be read otherwise."""
        if location.candidates:
            return None
        if location.prompt not in self._texts:
            context = self._views[location.prompt].context
            self._texts[location.prompt] = PromptIndex("\n".join((context.earlier, context.question, context.left)))
        return PrecedingText(self._texts[location.prompt], location.text[: location.start])

    def _under_other_names(self, location: SpanLocation, count: int) -> Sequence[Sequence[float]]:
        """Asks the model how likely a span is behind the text about `count` other people, within the answer's budget.

        Empty if the text names nobody, without ids or a tokenizer, or if the budget is spent. Raises what
        `ServedBase.read` raises.
        """
        found, texts, budget = _ids(location), self._base.texts, location.budget
        if found is None or texts is None or (budget is not None and not budget.is_open):
            return []
        renamed = texts.rename([*found.prompt, *found.earlier], len(found.own), count)
        positions = sum(len(text) + len(found.own) for text in renamed)
        if not renamed or (budget is not None and not budget.spend(positions)):
            return []
        looks = self._about_model.ask(
            lambda: [self._base.read(self._model, text, found.own, rivals=0) for text in renamed]
        )
        return [[token.logprob for token in look.tokens] for look in looks]

    def _ask(self, before: Sequence[int], own: Sequence[int]) -> Sequence[float]:
        """Asks the base."""
        return self._about_base.ask(lambda: self._base.log_probabilities(before, own))

    def _without_value(self, location: SpanLocation) -> Reading | None:
        """Gives a span's tokens as the model finds them behind the prompt without the value.

        None if the prompt offers others beside it, is long, or cannot be rewritten for want of a tokenizer or of ids.
        """
        found, texts = _ids(location), self._base.texts
        value = normalize(location.text[location.start : location.end], location.entity)
        is_alone = all(normalize(each, location.entity) == value for each in location.candidates)
        if found is None or texts is None or not is_alone or len(found.prompt) > MOST_REWRITTEN:
            return None
        prompt = texts.without_lists(found.prompt, location.candidates)
        readings = self._about_model.ask(
            lambda: [self._base.read(self._model, [*prompt, *found.earlier], found.own, 2, self._reads_states)]
        )
        return readings[0] if readings else None


def _ids(location: SpanLocation) -> _SpanIds | None:
    """Gives the ids of the prompt, the answer before a span, and the span. None if the server did not send them."""
    tokens = location.track.between(location.start, location.end)
    if not tokens or not location.received.prompt:
        return None
    first, last = tokens[0].at, tokens[-1].at
    answer = [token for token in location.received.tokens[: last + 1] if isinstance(token, int)]
    if len(answer) != last + 1:
        return None
    return _SpanIds(list(location.received.prompt), answer[:first], answer[first:])


def agree(one: float, other: float) -> bool:
    """Says whether two log-probabilities are about the same, which no NaN is. Below -100 nats all are."""
    return abs(max(one, -100.0) - max(other, -100.0)) <= AGREE_NATS


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
            "The upstream gave no log-probability of the token that it was to write. Expected vLLM's "
            "'allowed_token_ids' and 'return_token_ids'; leave out detector.base for another server."
        )
    return found[0]
