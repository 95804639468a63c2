"""Guards LiteLLM's proxy as a guardrail: judges answers of any provider, streamed and whole, in its process.

    guardrails:
      - guardrail_name: reticent
        litellm_params:
          guardrail: reticent.integrations.litellm.ReticentGuardrail
          mode: post_call
          default_on: true
          settings: /etc/reticent/serve.yaml      # policies, records and so on, as `reticent serve` reads them

It covers chat and text completions, and refuses everything else. It hears of a request when the answer is there. So
tools that the provider runs, and addresses that it fetches, have acted by then, and the answer is withheld: keep them
out by LiteLLM's own settings. Long texts are judged in threads. An upstream of which nothing more is wanted is closed.
Held text is judged again when the next chunk comes, so LiteLLM's own time limit ends an upstream that falls silent. The
tiers are `text` and `records`. Nothing is counted.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from litellm.exceptions import GuardrailRaisedException
from litellm.integrations.custom_guardrail import CustomGuardrail
from litellm.types.guardrails import GuardrailEventHooks
from litellm.types.utils import ModelResponse, ModelResponseStream, TextCompletionResponse

from reticent.serve.api.api_format import ChoicesFormat
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent.serve.stream.chunk_reader import ChunkReader
from reticent.serve.stream.stream_guard import StreamGuard
from reticent.serve.transport.judging import JudgeHangs, NoJudge
from reticent.serve.wire.errors import BLOCKED, ApiError
from reticent.serve.wire.sse import DONE, FrameError, SseReader, to_event, to_json

_REQUEST_FIELDS = (
    "model",
    "messages",
    "prompt",
    "suffix",
    "n",
    "best_of",
    "stream",
    "stream_options",
    "tools",
    "functions",
    "stop",
    "continue_final_message",
    "add_generation_prompt",
)
_Result = TypeVar("_Result")
_CHAT, _TEXT = ChatFormat(), CompletionsFormat()


class ReticentGuardrail(CustomGuardrail):  # type: ignore[misc]
    """Judges every answer before LiteLLM sends it on.

    Args:
        settings: a file as `reticent serve` reads it; of its settings policy, policies, records,
            suppressions and limits count.

    Raises:
        InputError, PolicyError: the settings cannot be used.
    """

    def __init__(self, settings: str | None = None, **more: Any) -> None:
        super().__init__(supported_event_hooks=[GuardrailEventHooks.post_call], **more)
        self._proxy = Proxy(load(settings, overrides={"upstream.url": "http://litellm", "keys": ()}))

    def __repr__(self) -> str:
        return f"ReticentGuardrail({self._proxy!r})"

    async def async_post_call_success_hook(self, data: dict[str, Any], user_api_key_dict: Any, response: Any) -> Any:
        """Gives a whole answer as it may be shown. Raises GuardrailRaisedException."""
        if not isinstance(response, ModelResponse | TextCompletionResponse):
            raise self._refusal()
        api_format = _TEXT if isinstance(response, TextCompletionResponse) else _CHAT

        def judged() -> Any:
            raw = to_json(response.model_dump(mode="json"))
            return type(response)(**json.loads(self._reader(data, api_format).judge_body(raw, time.monotonic())))

        try:
            return await self._in_thread(judged)
        except (FrameError, ApiError):
            raise self._refusal() from None

    async def async_post_call_streaming_iterator_hook(
        self, user_api_key_dict: Any, response: Any, request_data: dict[str, Any]
    ) -> AsyncIterator[Any]:
        """Yields a stream as it may be shown. Raises GuardrailRaisedException."""
        guard, kind = None, ModelResponseStream
        clock, before = 0.0, time.monotonic()  # the seconds that the model keeps us waiting
        try:
            async for chunk in response:
                clock += time.monotonic() - before
                if not isinstance(chunk, ModelResponseStream | TextCompletionResponse):
                    raise self._refusal()
                if guard is None:
                    kind = type(chunk)
                    api_format: ChoicesFormat = _CHAT if kind is ModelResponseStream else _TEXT
                    guard = StreamGuard(await self._in_thread(partial(self._reader, request_data, api_format)))
                raw = to_event(chunk.model_dump(mode="json"))
                for shown in self._chunks(await self._in_thread(partial(guard.feed, raw, clock)), kind):
                    yield shown
                if guard.done:
                    break
                before = time.monotonic()
        finally:
            if (close := getattr(response, "aclose", None)) is not None:
                await close()
        if guard is not None:
            for shown in self._chunks(await self._in_thread(partial(guard.finish, clock)), kind):
                yield shown

    async def _in_thread(self, judge: Callable[[], _Result]) -> _Result:
        """Runs a judge in a thread. Raises what it raises, and GuardrailRaisedException for a judge that hangs."""
        limits = self._proxy.settings.limits
        try:
            judging = self._proxy.judges.submit(judge)
            return await judging.result(limits.judge_seconds, limits.judge_wait_seconds)
        except (JudgeHangs, NoJudge):
            raise self._refusal() from None

    def _reader(self, data: dict[str, Any], api_format: ChoicesFormat) -> ChunkReader:
        more = data.get("extra_body")
        given = {**data, **more} if isinstance(more, dict) else data
        body = {name: given[name] for name in _REQUEST_FIELDS if given.get(name) is not None}
        caller, bounds = self._proxy.caller([]), self._proxy.settings.limits.bounds
        try:
            parsed = api_format.parse_request(body, caller.allowed, True, bounds)
        except ApiError:
            raise self._refusal() from None
        return ChunkReader(caller.snapshot.guard_request(caller, parsed), api_format, parsed, caller.allowed)

    def _chunks(self, shown: bytes, kind: type[Any]) -> Iterable[Any]:
        for event in SseReader(1 << 24).feed(shown):
            if event.data is None or event.data == DONE:
                continue
            body = json.loads(event.data)
            if body.get("error") is not None:
                raise self._refusal()
            yield kind(**body)

    def _refusal(self) -> GuardrailRaisedException:
        return GuardrailRaisedException(self.guardrail_name, BLOCKED, should_wrap_with_default_message=False)
