"""Whole answers as a server sends them, and as the proxy before it judges them, without sockets.

Models and prompts are the caller's. What is judged here is what `reticent serve --upstream` judges.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reticent.core.stream_types import SpanRecord
from reticent.policy.options import OnBlock
from reticent.policy.policy import Policy
from reticent.records.index import RecordsIndex
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.judging.detector_protocols import Detector
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.request_bounds import Bounds
from reticent.serve.stream.chunk_reader import ChunkReader
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.sse import to_json
from reticent_detectors.finder import SpanFinder
from reticent_detectors.host.answers import Answer

MODEL = "host"
"""The model's name in requests and responses."""
_TOP = {"created": 0, "model": MODEL}


class TokenProbabilities(NamedTuple):
    """What a server tells of an answer's tokens.

    Args:
        own: log-probabilities in nats [tokens].
        ids: of the likeliest tokens at each place [n, tokens].
        best: their log-probabilities in nats [n, tokens].
    """

    own: NDArray[np.float64]
    ids: NDArray[np.int64]
    best: NDArray[np.float64]


class ServerVoice:
    """Writes answers as an OpenAI-compatible server sends them.

    Args:
        tokenizer: the host's.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._written: dict[int, str] = {}

    def response(
        self, answer: Answer, is_chat: bool, probabilities: TokenProbabilities | None = None, with_ids: bool = False
    ) -> bytes:
        """The body of a response.

        Args:
            answer: the host's.
            is_chat: of `/v1/chat/completions`, or else of `/v1/completions`.
            probabilities: log-probabilities, if the server was asked for them.
            with_ids: adds the ids of tokens, as vLLM does where it was asked for them.
        """
        text = str(self._tokenizer.decode(answer.ids, skip_special_tokens=True))
        choice: dict[str, Any] = {"index": 0, "finish_reason": "stop" if answer.ended else "length"}
        if with_ids:
            choice["token_ids"] = list(answer.ids)
        if is_chat:
            choice["message"] = {"role": "assistant", "content": text}
            top = {**_TOP, "id": "chatcmpl-0", "object": "chat.completion"}
            prompt_ids = top  # vLLM has them there, and in the choice of a completion
        else:
            choice["text"] = text
            top = {**_TOP, "id": "cmpl-0", "object": "text_completion"}
            prompt_ids = choice
        if with_ids:
            prompt_ids["prompt_token_ids"] = list(answer.prompt_ids)
        if probabilities is not None:
            choice["logprobs"] = (
                self._chat(answer.ids, probabilities) if is_chat else self._legacy(answer.ids, probabilities)
            )
        return to_json({**top, "choices": [choice]})

    def _token(self, token: int) -> str:
        if token not in self._written:
            self._written[token] = str(self._tokenizer.decode([token]))
        return self._written[token]

    def _chat(self, ids: Sequence[int], probabilities: TokenProbabilities) -> dict[str, Any]:
        rows = zip(
            ids, probabilities.own.tolist(), probabilities.ids.T.tolist(), probabilities.best.T.tolist(), strict=True
        )
        return {
            "content": [
                {
                    "token": self._token(token),
                    "logprob": own,
                    "top_logprobs": [
                        {"token": self._token(other), "logprob": p} for other, p in zip(others, best, strict=True)
                    ],
                }
                for token, own, others, best in rows
            ]
        }

    def _legacy(self, ids: Sequence[int], probabilities: TokenProbabilities) -> dict[str, Any]:
        pairs = zip(probabilities.ids.T.tolist(), probabilities.best.T.tolist(), strict=True)
        return {
            "tokens": [self._token(token) for token in ids],
            "token_logprobs": probabilities.own.tolist(),
            "top_logprobs": [
                {self._token(other): p for other, p in zip(others, best, strict=True)} for others, best in pairs
            ],
        }


class ClientView(NamedTuple):
    """What a client gets of an answer: its text, empty where it gets an error; and the decisions about its spans."""

    text: str
    spans: tuple[SpanRecord, ...]

    def __repr__(self) -> str:
        return f"ClientView(<{len(self.text)} chars>, {len(self.spans)} spans)"


@dataclass(frozen=True, slots=True)
class Proxy:
    """The proxy as far as it judges whole answers.

    Attributes:
        policy: with the detector's thresholds.
        finder: finds spans.
        detector: of log-probabilities or by a shadow; None judges texts alone.
        index: of the records.
    """

    policy: Policy
    finder: SpanFinder
    detector: Detector | None = None
    index: RecordsIndex | None = None

    def shown(self, prompt: str | Sequence[tuple[str, str]], response: bytes) -> ClientView:
        """Judges the response to running text, or to a chat of roles and contents.

        Raises:
            FrameError: the response cannot be read.
        """
        api_format: ChatFormat | CompletionsFormat = CompletionsFormat() if isinstance(prompt, str) else ChatFormat()
        body: dict[str, Any] = {"model": MODEL}
        if isinstance(prompt, str):
            body["prompt"] = prompt
        else:
            body["messages"] = [{"role": role, "content": content} for role, content in prompt]
        bounds = Bounds()
        parsed = api_format.parse_request(body, frozenset(), False, bounds)
        judge = None if self.detector is None else self.detector.open(parsed)
        request = GuardedRequest(self.policy, self.finder, parsed.views, self.index, bounds, self.detector, judge)
        reader = ChunkReader(request, api_format, parsed)
        try:
            choice = json.loads(reader.judge_body(response, 0.0))["choices"][0]
        except ApiError:
            if self.policy.on_block is not OnBlock.ERROR:
                raise
            return ClientView("", reader.choices[0].report().spans)
        text = choice["text"] if isinstance(prompt, str) else choice["message"]["content"]
        return ClientView(text or "", reader.choices[0].report().spans)
