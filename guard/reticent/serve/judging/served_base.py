"""Asks the model before private tuning, which the upstream serves under another name.

A server such as vLLM serves a model and its LoRA adapters side by side. The model without the adapter is the base of
the model with it. For each token of a value it is asked to write that token (`allowed_token_ids`) behind all before it,
and to tell the token's raw log-probability. These questions are sent at once and share their cached beginning.
vLLM's `prompt_logprobs` would be one question, but its engine dies of one beside other requests with LoRA (0.32).
Inside vLLM, where a worker of ours keeps the states that a value is drawn from, there is one question for all tokens.

Prompts are sent as token ids, those that the upstream sent with its answer. So both models read the same tokens.
What is asked about the values of one request is `served_base_judge`'s.
"""

from __future__ import annotations

import json
import math
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from reticent.core.failure_log import log_failure
from reticent.serve.judging.engine_states import StateSource
from reticent.serve.judging.token_alignment import AnswerName, ReceivedTokens, Token, tokens_of
from reticent.serve.settings import ServedBaseSettings
from reticent_detectors.errors import CaptureError, InputError, ReticentError

PATH = "/v1/completions"
MOST_TOKENS = 64
"""Longest value that the base is asked about, in tokens, and most questions at once about one value."""
MOST_IDS = 1 << 18
"""Most ids in all questions about one value behind one text."""
AGREE_NATS = 0.1
"""Largest difference between a token's log-probability by a kept state and by the server, in nats."""
_MOST_LOST = 8
"""Values in a row of which states of a question were lost, after which no states of questions are read."""
_MOST_SHARED = 16
"""Questions that share a cache salt."""
CERTAIN = -1e-6
"""Log-probability, in nats, from which on a server may have left out all other tokens before it took it."""
Ask = Callable[[str, Sequence[bytes], float], Sequence[bytes]]
"""Posts bodies to a path of the upstream at once, waits so many seconds at most, and gives the responses' bodies.

It is called by a judge, in a thread. Raises ReticentError."""


class RequestSalts:
    """Chooses the cache salts of one request's questions to one model.

    They share one, so that a server reads their common beginning once. What it has read before, it does not compute
    again, and so keeps no states of it. So a question never shares a salt with one whose text holds its value's place.
    """

    def __init__(self) -> None:
        self._salt, self._texts = secrets.token_hex(16), list[str]()

    def __repr__(self) -> str:
        return f"RequestSalts({len(self._texts)} questions)"

    def of(self, before: Sequence[int], own: Sequence[int]) -> str:
        """Gives the salt for a question about a value behind these ids."""
        text = _joined(before)
        if len(self._texts) == _MOST_SHARED or any(earlier.startswith(text) for earlier in self._texts):
            self._salt, self._texts = secrets.token_hex(16), []
        self._texts.append(text + _joined(own[:-1]))  # all that a model reads
        return self._salt


def _joined(ids: Sequence[int]) -> str:
    return "".join(f"{each}," for each in ids)


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
        self._lost = 0  # values in a row of which states were lost

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

    def log_probabilities(self, before: Sequence[int], own: Sequence[int], salts: RequestSalts) -> list[float]:
        """Gives the base's log-probabilities (nats) of a value's tokens behind the ids before them.

        Raises:
            CaptureError: the text is too long, or the server's answers do not hold them.
            ReticentError: the server could not be asked.
        """
        (reading,) = self.read(self._settings.model, [before], own, salts)
        nats = [token.logprob for token in reading.tokens]
        if min(nats) >= CERTAIN:
            raise CaptureError(
                "The upstream finds each token of a value certain under the base. Expected raw log-probabilities; "
                "start vLLM with --logprobs-mode raw_logprobs, its default."
            )
        return nats

    def read(
        self,
        model: str,
        texts: Sequence[Sequence[int]],
        own: Sequence[int],
        salts: RequestSalts,
        rivals: int = 0,
        needs_states: bool = False,
    ) -> list[Reading]:
        """Gives the log-probabilities (nats) that a model of the upstream has for a value's tokens behind each text.

        Args:
            model: its name.
            texts: each holds the ids of all that precedes the value. All are asked about at once.
            own: ids of the value.
            salts: those of the request's questions to this model.
            rivals: likeliest tokens that are asked for beside each; a token's rival is one of them.
            needs_states: whether the states are read afterwards, so that nothing else is asked without them.

        Raises:
            CaptureError: a text is too long, or the server's answers do not hold them.
            ReticentError: the server could not be asked.
        """
        longest = max(map(len, texts))
        if len(own) > MOST_TOKENS or len(own) * longest > MOST_IDS:
            raise CaptureError(f"A value of {len(own)} tokens behind {longest} is too long to ask {model} about.")
        ends = time.monotonic() + self._settings.seconds
        common = {"model": model, "max_tokens": 1, "temperature": 0, "logprobs": rivals, "return_token_ids": True}
        questions = [_Question({**common, "cache_salt": salts.of(text, own)}, text, own) for text in texts]
        readings = list[Reading | ReticentError]()
        states = self._states
        if states is not None and states.mark is not None and (needs_states or self._lost < _MOST_LOST):
            try:
                readings += self._read_states(states, questions, own, ends)
            except ReticentError as error:
                readings += [error] * len(texts)
            faults = [each for each in readings if isinstance(each, ReticentError)]
            if faults and needs_states:
                raise faults[0]
            for each in faults:
                log_failure("question", each)
            self._lost = self._lost + 1 if faults else 0
        done = {number: each for number, each in enumerate(readings) if isinstance(each, Reading)}
        left = [number for number in range(len(texts)) if number not in done]
        asked = self._read_tokens(model, [questions[number] for number in left], own, ends)
        done |= dict(zip(left, asked, strict=True))
        return [done[number] for number in range(len(texts))]

    def _read_tokens(
        self, model: str, questions: Sequence[_Question], own: Sequence[int], ends: float
    ) -> list[Reading]:
        """Asks about each token of a value. Raises what `read` raises."""
        bodies = [question.body(place) for question in questions for place in range(len(own))]
        answers = list[bytes]()
        for start in range(0, len(bodies), MOST_TOKENS):
            if (left := ends - time.monotonic()) <= 0:
                raise CaptureError(f"{model} was not asked in time.")
            answers += self._ask(PATH, bodies[start : start + MOST_TOKENS], left)
        readings = []
        for number, question in enumerate(questions):
            told = zip(answers[number * len(own) :][: len(own)], own, strict=True)
            tokens = [replace(_read_token(raw, token), at=at) for at, (raw, token) in enumerate(told)]
            readings.append(question.reading(tokens))
        return readings

    def _read_states(
        self, states: StateSource, questions: Sequence[_Question], own: Sequence[int], ends: float
    ) -> list[Reading | ReticentError]:
        """Asks for the last token of a value behind each text, and reads all of them by the states of the questions.

        The server tells how likely that last token is. An error stands for a question whose states are not kept, or are
        others. Raises ReticentError: nothing could be asked.
        """
        bodies = [question.body(len(own) - 1, states.mark) for question in questions]
        answers = self._ask(PATH, bodies, max(0.0, ends - time.monotonic()))
        last = [_read_token(raw, own[-1]) for raw in answers]
        names = [AnswerName(str(json.loads(raw).get("id")), 0, 0, 1) for raw in answers]
        found = states.log_probabilities(names, own, max(0.0, ends - time.monotonic()))
        readings = list[Reading | ReticentError]()
        for question, name, tokens, told in zip(questions, names, found, last, strict=True):
            if tokens is None:
                readings.append(CaptureError("The engine keeps no states of a question."))
                continue
            is_finite = all(math.isfinite(token.logprob) for token in tokens)
            if len(tokens) != len(own) or not is_finite or not agree(tokens[-1].logprob, told.logprob):
                readings.append(CaptureError("The engine's states of a question are not those of its value."))
                continue
            readings.append(question.reading([*tokens[:-1], replace(tokens[-1], logprob=told.logprob)], name))
        return readings


class _Question(NamedTuple):
    """Holds what a model is asked about a value behind a text: the common fields of its bodies, and the ids."""

    common: dict[str, Any]
    before: Sequence[int]
    own: Sequence[int]

    def __repr__(self) -> str:
        return f"_Question({len(self.before)} ids, {len(self.own)} own)"

    def body(self, place: int, mark: str | None = None) -> bytes:
        """Gives the request that asks for one token of the value. With a mark the states of all of them are kept."""
        prompt = [*self.before, *self.own[:place]]
        marked = {} if mark is None else {"vllm_xargs": {mark: len(self.own)}}
        return json.dumps({**self.common, **marked, "prompt": prompt, "allowed_token_ids": [self.own[place]]}).encode()

    def reading(self, tokens: list[Token], name: AnswerName | None = None) -> Reading:
        """Gives what the model said about the value's tokens."""
        return Reading(tokens, ReceivedTokens(list(self.own), list(self.before), name))


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


def load_base(
    settings: ServedBaseSettings,
    ask: Ask,
    base_texts: Callable[[Path], TokenTexts] | None,
    states: StateSource | None = None,
) -> ServedBase:
    """Makes the base of the settings.

    Args:
        settings: its own.
        ask: asks the upstream.
        base_texts: loads its tokenizer, for settings with one.
        states: the engine's hidden states.

    Raises:
        InputError: there is a tokenizer that nothing loads.
    """
    if settings.tokenizer is None:
        return ServedBase(settings, ask, None, states)
    if base_texts is None:
        raise InputError("detector.base.tokenizer needs what loads it; start it with 'reticent serve'.")
    return ServedBase(settings, ask, base_texts(settings.tokenizer), states)
