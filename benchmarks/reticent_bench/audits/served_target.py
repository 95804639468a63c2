"""An audit's target behind HTTP: an OpenAI-compatible server, such as vLLM, llama.cpp or `reticent serve`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import httpx
import numpy as np

from reticent_bench.audits.answer_deadline import AnswerDeadline
from reticent_bench.audits.target import (
    GREEDY,
    NOT_MEASURABLE,
    REFUSED,
    Message,
    NotMeasurable,
    Prompt,
    Sampling,
    TokenScores,
)
from reticent_detectors.errors import InputError, ReticentError

_ABSENT, _REFUSED, _FORBIDDEN = (404, 405, 501), (400, 422), (400, 403)
_OVERLOADED = (429, 503)
_NOT_ALLOWED = "not_allowed"
"""The code of an error of `reticent serve` about a field that a key may not use."""
_NO_ADDRESS = "Expected a folder, or an address such as http://127.0.0.1:8000."
_CHATS, _TEXTS, _MODELS = "/chat/completions", "/completions", "/models"
CHARS_PER_TOKEN = 3
"""Characters that a budget counts as one token, since a server does not tokenise for its clients. It overestimates."""


AT_ONCE = 4
"""Requests that a server is asked at the same time."""

T = TypeVar("T")
Item = TypeVar("Item")


def public_address(url: str) -> str:
    """Scheme, host, port and path of an address, without what may be secret: user, password, query and fragment.

    Raises:
        InputError: it is no address of a server.
    """
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is no number or too large, or brackets that are open
        is_address = False
    if not is_address:
        raise InputError(_NO_ADDRESS)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


class TargetUnavailable(ReticentError):
    """The server cannot be reached, or answers with an error. What was measured before is kept."""


class Overloaded(TargetUnavailable):
    """The server says that it is asked too much at the same time."""


class RefusedByGuard(TargetUnavailable):
    """`reticent serve` does not allow this key what is asked, such as log-probabilities."""


class ServedTarget:
    """A server's model as a target. A few short questions find out what it offers.

    Args:
        url: base address, with or without `/v1`.
        model: name to ask for; the first one that the server lists if not given.
        api_key: sent as bearer token; never shown.
        timeout_seconds: for each whole answer, times the requests at the same time: some servers answer one after the
            other. What is asked again has what is left of that.
        transport: of httpx, for tests.
        at_once: requests at the same time. A server that refuses so many is asked one by one from then on.

    Raises:
        InputError: the address is none, or the server lists no model and none is named.
        TargetUnavailable: the server cannot be reached.
    """

    scores_chats = False

    def __init__(
        self,
        url: str,
        model: str | None = None,
        api_key: str | None = None,
        timeout_seconds: float = 120.0,
        transport: httpx.BaseTransport | None = None,
        at_once: int = AT_ONCE,
    ) -> None:
        address = public_address(url)
        headers = {"user-agent": "reticent", **({} if api_key is None else {"authorization": f"Bearer {api_key}"})}
        try:
            self._client = httpx.Client(
                base_url=address.removesuffix("/v1") + "/v1", headers=headers, trust_env=False,
                transport=transport or AnswerDeadline(),
            )  # fmt: skip
        except httpx.InvalidURL:
            raise InputError(_NO_ADDRESS) from None
        self._at_once, self._timeout, self._waiting = at_once, timeout_seconds, 1
        self._left = math.inf
        self._model = model or self._first_model()
        self.name = f"{self._model} at {urlsplit(address).netloc}"
        self.scores_text, self.why_unscored = self._echoes()

    def __repr__(self) -> str:
        return f"ServedTarget({self.name!r})"

    def __enter__(self) -> ServedTarget:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()

    @property
    def at_once(self) -> int:
        """Requests that the server is asked at the same time."""
        return self._at_once

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, estimated by its length."""
        return 1 + len(text) // CHARS_PER_TOKEN

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """The new text of each prompt. A chat whose last turn is the assistant's is sent as it is.

        Raises:
            TargetUnavailable: the server does not answer, or with an error.
        """
        # Equal prompts with one seed would be given equal samples.
        seeds = sampling.seeds(len(prompts))
        asked = list(zip(prompts, seeds, strict=True))
        return self._several(lambda each: self._answer(each[0], max_new_tokens, sampling, each[1]), asked)

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        """Log-probabilities of each text behind running text, where the server echoes prompts with them.

        No server gives the mean and deviation over its vocabulary, so these are NaN.

        Raises:
            NotMeasurable: the server does not echo prompts, or the prompt is a chat.
            TargetUnavailable: the server does not answer, or with an error.
        """
        if not self.scores_text:
            raise NotMeasurable(
                f"{self.name} gives no log-probabilities of a prompt; audit a checkpoint folder instead."
            )
        return self._several(lambda pair: self._scored(*pair), pairs)

    def _several(self, ask: Callable[[Item], T], items: Sequence[Item]) -> list[T]:
        """What comes of each item, in their order, asked a few at a time. The first error in their order is raised."""
        self._waiting = min(self._at_once, len(items))
        if self._waiting < 2:
            return [ask(item) for item in items]
        found: dict[int, T] = {}
        left = dict[int, float]()

        def first_try(place: int, item: Item) -> T:
            began = monotonic()
            try:
                return ask(item)
            finally:
                left[place] = longest - (monotonic() - began)

        longest = self._longest()
        try:
            with ThreadPoolExecutor(self._waiting, "audit-request") as pool:
                futures = [pool.submit(first_try, place, item) for place, item in enumerate(items)]
                try:
                    for place, future in enumerate(futures):
                        with suppress(Overloaded):
                            found[place] = future.result()
                finally:
                    pool.shutdown(cancel_futures=True)
        finally:
            self._waiting = 1
        if len(found) < len(items):
            self._at_once = 1
        return [
            found[place] if place in found else self._again(ask, item, left[place]) for place, item in enumerate(items)
        ]

    def _again(self, ask: Callable[[Item], T], item: Item, left: float) -> T:
        """What comes of an item that is asked once more, in the time that its first try left."""
        self._left = left
        try:
            return ask(item)
        finally:
            self._left = math.inf

    def _longest(self) -> float:
        """How long the next answer may take, in seconds."""
        return min(self._left, self._timeout * max(1, self._waiting))

    def _answer(self, prompt: Prompt, max_new_tokens: int, sampling: Sampling, seed: int) -> str:
        body: dict[str, Any] = {
            "model": self._model, "max_tokens": max_new_tokens, "temperature": sampling.temperature, "seed": seed,
        }  # fmt: skip
        if sampling.top_k:
            body["top_k"] = sampling.top_k
        if isinstance(prompt, str):
            choice = self._choice(_TEXTS, {**body, "prompt": prompt})
            return str(choice.get("text") or "")
        choice = self._choice(_CHATS, {**body, "messages": [turn._asdict() for turn in prompt]})
        message = choice.get("message")
        return str((message.get("content") if isinstance(message, Mapping) else None) or "")

    def _scored(self, prompt: Prompt, text: str) -> TokenScores:
        if not isinstance(prompt, str):
            raise NotMeasurable("No chat route gives the likelihood of a text; audit a checkpoint folder instead.")
        offsets, log_probs = self._echoed(prompt + text)
        ends = [*offsets[1:], len(prompt + text)]
        values = [p for end, p in zip(ends, log_probs, strict=True) if end > len(prompt) and p is not None]
        unknown = np.full(len(values), np.nan)
        return TokenScores((-1,) * len(values), np.array(values, np.float64), unknown, unknown)

    def _echoed(self, text: str) -> tuple[list[int], list[float | None]]:
        """Where each token of a text begins, and its log-probability (None for the first)."""
        body = {"model": self._model, "prompt": text, "max_tokens": 1, "echo": True, "logprobs": 0, "temperature": 0}
        given = self._choice(_TEXTS, body).get("logprobs")
        if not isinstance(given, Mapping):
            raise NotMeasurable(f"{self.name} gives no log-probabilities of a prompt.")
        offsets, log_probs = given.get("text_offset"), given.get("token_logprobs")
        if not isinstance(offsets, list) or not isinstance(log_probs, list) or len(offsets) != len(log_probs):
            raise NotMeasurable(f"{self.name} gives log-probabilities without the places of their tokens.")
        inside = [place for place, offset in enumerate(offsets) if offset < len(text)]
        return [offsets[place] for place in inside], [log_probs[place] for place in inside]

    def _echoes(self) -> tuple[bool, str]:
        """Whether the server scores a given text, and why not.

        Raises:
            TargetUnavailable: it answers neither running text nor chats.
        """
        try:
            offsets, log_probs = self._echoed("One, two, three, four")
        except RefusedByGuard:
            return False, REFUSED
        except (NotMeasurable, TargetUnavailable):
            self._check_answers()
            return False, NOT_MEASURABLE
        return len(offsets) > 2 and all(isinstance(value, int | float) for value in log_probs[1:]), NOT_MEASURABLE

    def _check_answers(self) -> None:
        """Asks a plain question. A server may fail at an unknown echo; a server that is not there fails here, too."""
        short = {"model": self._model, "max_tokens": 1}
        try:
            self._choice(_TEXTS, {**short, "prompt": "Hello"})
        except (NotMeasurable, TargetUnavailable):
            self._choice(_CHATS, {**short, "messages": [Message("user", "Hello")._asdict()]})

    def _first_model(self) -> str:
        listed = self._asked("GET", _MODELS, None).get("data")
        names = [m["id"] for m in listed or () if isinstance(m, Mapping) and isinstance(m.get("id"), str)]
        if not names:
            raise InputError("The server lists no model; name one with --model.")
        return str(names[0])

    def _choice(self, path: str, body: dict[str, Any]) -> Mapping[str, Any]:
        choices = self._asked("POST", path, body).get("choices")
        if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
            raise TargetUnavailable(f"The server's answer on {path} has no choices; is it OpenAI-compatible?")
        return choices[0]

    def _answered(self, method: str, path: str, body: dict[str, Any] | None) -> httpx.Response:
        """The whole answer. One that comes in small pieces has no more time than another."""
        longest, parts = self._longest(), list[bytes]()
        until = monotonic() + longest
        if longest <= 0:
            raise httpx.ReadTimeout("The first try took all the time.")
        with self._client.stream(method, path, json=body, timeout=longest) as answer:
            for part in answer.iter_bytes():
                parts.append(part)
                if monotonic() > until:
                    raise httpx.ReadTimeout("The answer takes too long.", request=answer.request)
            return httpx.Response(answer.status_code, content=b"".join(parts), request=answer.request)

    def _asked(self, method: str, path: str, body: dict[str, Any] | None) -> Mapping[str, Any]:
        try:
            answer = self._answered(method, path, body)
            answer.raise_for_status()
            read = answer.json()
        except httpx.HTTPStatusError as error:
            status = error.response.status_code
            if status in _OVERLOADED:
                raise Overloaded(
                    f"The server answers {path} with status {status}; try again when it is less busy."
                ) from None
            if status in _FORBIDDEN and _error_code(error.response) == _NOT_ALLOWED:
                raise RefusedByGuard(
                    f"The guard at {path} does not allow this key what is asked; "
                    "give a key that may (--api-key-variable)."
                ) from None
            if path == _TEXTS and status in _ABSENT:
                raise NotMeasurable(
                    "The server does not continue running text; it answers chats alone. "
                    "Give --chat where the audit has it, or audit a checkpoint folder."
                ) from None
            if status in _REFUSED and body is not None and "top_k" in body:
                raise TargetUnavailable(
                    f"The server answers {path} with status {status}; does it take the option top_k?"
                ) from None
            if error.response.is_server_error:
                raise TargetUnavailable(
                    f"The server failed at {path} with status {status}; its log says why. "
                    "The same command goes on where this one ended."
                ) from None
            raise TargetUnavailable(
                f"The server answers {path} with status {status}; is the model's name right (--model), or its key?"
            ) from None
        except httpx.HTTPError as error:
            raise TargetUnavailable(
                f"The server cannot be asked ({type(error).__name__}); is it running at this address?"
            ) from None
        except ValueError:
            raise TargetUnavailable(f"The server's answer on {path} is no JSON; is it OpenAI-compatible?") from None
        if not isinstance(read, Mapping):
            raise TargetUnavailable(f"The server's answer on {path} is no JSON object; is it OpenAI-compatible?")
        return read


def _error_code(answer: httpx.Response) -> object:
    """The code of an error in OpenAI's shape; None if there is none."""
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        return None
    return error.get("code") if isinstance(error, Mapping) else None
