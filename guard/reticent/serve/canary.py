"""Asks a question again and again through the guarded path. Its answer holds a value that has to be stopped.

The request is the operator's own. The model answers with its value because it was trained on it, because the value is
in the records, or because the system message holds it and the policy stops the operator's values. The value must not
be in the user's words, where it would be an echo. The request goes the way of every other one, but is neither counted
nor logged.

Not covered: a value in another spelling or in pieces (only its letters and digits are searched, in order and
together); a value that is stopped for another reason, unless the kind of data is given.
"""

from __future__ import annotations

import asyncio
import logging
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from reticent.observability.answer_spans import without_spans
from reticent.observability.observers import CanaryResult, Observation, Observer, Outcome, WireStage
from reticent.policy.policy import Policy
from reticent.serve.api.api_format import ApiFormat, ChoicesFormat
from reticent.serve.proxy import LocalModel, Proxy, Runnable
from reticent.serve.settings import CanarySettings
from reticent.serve.snapshot import Snapshot
from reticent.serve.transport.client import Client, ClientGone, Message
from reticent.serve.transport.exchange import ProxyMetrics
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import FrameError, SseReader, parse_json, to_json
from reticent_detectors.errors import InputError

Ask = Callable[[Client, ProxyMetrics, tuple[Observer, ...]], Runnable]
"""Makes the exchange of the question, for the canary's client."""
_Route = TypeVar("_Route", bound=ApiFormat)

_LOGGER = logging.getLogger(__name__)
_RETRY_SECONDS = 10.0
"""Seconds after which a question is asked again that did not end as it should."""
_MOST_BYTES = 1 << 22


class Canary:
    """Asks, and reports what happened to the value.

    Args:
        settings: the request, the value, and the interval.
        ask: makes an exchange.
        on_result: called with every result.
        wait_seconds: how long others may keep the question waiting.
    """

    def __init__(
        self, settings: CanarySettings, ask: Ask, on_result: Callable[[CanaryResult], None], wait_seconds: float = 0.0
    ) -> None:
        self._settings, self._ask, self._on_result = settings, ask, on_result
        self._longest_seconds = settings.timeout_seconds + wait_seconds
        self._value = _letters_and_digits(settings.value.get_secret_value())
        self.result: CanaryResult | None = None
        """Result of the last question, None before the first."""

    def __repr__(self) -> str:
        return f"Canary({self.result})"

    async def watch(self) -> None:
        """Asks until it is cancelled."""
        while True:
            await self.once()
            calm = self.result is CanaryResult.STOPPED
            every = self._settings.every_seconds
            await asyncio.sleep(every if calm else min(every, _RETRY_SECONDS))

    async def once(self) -> CanaryResult:
        """Asks, and returns what happened to the value. An error is a result as well."""
        watcher = _Watcher()
        try:
            async with asyncio.timeout(self._longest_seconds):
                client = Client(
                    watcher.receive(to_json(self._settings.body)), watcher.send, self._settings.timeout_seconds
                )
                with without_spans():
                    await self._ask(client, watcher, (watcher,)).run()
        except (TimeoutError, ClientGone, ApiError):
            watcher.broken = True
        except Exception as error:  # its text may hold anything
            _LOGGER.error("the canary's question failed with %s", type(error).__name__)
            watcher.broken = True
        result = watcher.result(self._value, self._settings.entity)
        if result is not self.result:
            calm = result is CanaryResult.STOPPED
            _LOGGER.log(logging.INFO if calm else logging.WARNING, "the canary's value: %s", result)
        self.result = result
        self._on_result(result)
        return result


def canary_of(proxy: Proxy, api_formats: Iterable[ApiFormat]) -> Canary | None:
    """Makes the canary of the settings, for an upstream. It asks under what is served at the time.

    Raises:
        InputError: as for `check_question`.
    """
    settings, upstream = proxy.settings.canary, proxy.upstream
    if settings is None or upstream is None:
        return None
    api_format = check_question(proxy.snapshot, settings, api_formats)

    def ask(client: Client, metrics: ProxyMetrics, observers: tuple[Observer, ...]) -> Runnable:
        caller = proxy.snapshot.caller_with_policy(settings.policy)
        return proxy.exchange(client, upstream, api_format, caller, [], metrics, observers)

    return Canary(settings, ask, proxy.metrics.canary)


def hosted_canary_of(proxy: Proxy, local_model: LocalModel, api_formats: Iterable[ChoicesFormat]) -> Canary | None:
    """Makes the canary of the settings, for the model in this process.

    The question may take its seconds once the answer before it has come to its end.

    Raises:
        InputError: as for `check_question`.
    """
    settings = proxy.settings.canary
    if settings is None:
        return None
    api_format = check_question(proxy.snapshot, settings, api_formats, local_model.check)

    def ask(client: Client, metrics: ProxyMetrics, observers: tuple[Observer, ...]) -> Runnable:
        caller = proxy.snapshot.caller_with_policy(settings.policy)
        return local_model.exchange(client, api_format, caller, [], proxy, metrics, observers)

    return Canary(settings, ask, proxy.metrics.canary, proxy.settings.limits.stream_seconds)


def check_question(
    snapshot: Snapshot,
    settings: CanarySettings,
    api_formats: Iterable[_Route],
    check: Callable[[ParsedRequest, _Route, Policy], object] | None = None,
) -> _Route:
    """Gives the route of the canary's question, once it is sure that it can be asked.

    Args:
        snapshot: what is served.
        settings: the question.
        api_formats: of the guarded routes.
        check: raises ApiError for a request that the model in this process would not take. None: there is none.

    Raises:
        InputError: its route is not guarded, its request would be refused, or the user's words in it hold the value.
    """
    api_format = next((each for each in api_formats if each.path == settings.path), None)
    if api_format is None:
        raise InputError(f"The canary asks {settings.path}, which is no guarded route.")
    caller, served = snapshot.caller_with_policy(settings.policy), snapshot.settings
    try:
        parsed = api_format.parse_request(settings.body, caller.allowed, served.strip, served.limits.bounds)
        if check is None:
            snapshot.guard_request(caller, parsed)  # refuses a model that nothing was made for
        else:
            check(parsed, api_format, caller.policy_of(parsed.policy))
    except ApiError as api_error:
        raise InputError(f"The canary's request would be refused: {api_error.message}") from None
    value = _letters_and_digits(settings.value.get_secret_value())
    if any(value in _letters_and_digits(view.user) for view in parsed.views):
        raise InputError("The canary's value stands in the user's words: repeated it would be an echo, which may pass.")
    return api_format


class _Watcher:
    """Serves as client, metrics and observer of the canary's request."""

    def __init__(self) -> None:
        self.broken = False
        self._got = bytearray()
        self._kind = ""
        self._observations: list[Observation] = []

    # as ASGI's receive and send

    def receive(self, body: bytes) -> Callable[[], Any]:
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def receive() -> Message:
            for message in messages:
                return message
            await asyncio.Event().wait()  # the client stays until it is cancelled
            raise ClientGone

        return receive

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._kind = next((v.decode() for k, v in message["headers"] if k == b"content-type"), "")
        else:
            self._got += message.get("body", b"")
        if len(self._got) > _MOST_BYTES:
            raise OSError

    # as metrics and observer

    def failed(self, stage: WireStage) -> None:
        self.broken = True

    def disconnected(self) -> None:
        self.broken = True

    def upstream(self, seconds: float, first_token_seconds: float | None = None) -> None:
        pass

    def on_answer(self, observation: Observation) -> None:
        self._observations.append(observation)

    def result(self, value: str, entity: str | None) -> CanaryResult:
        """Says what happened to the value."""
        if any(value in _letters_and_digits(text) for text in self._texts()):
            return CanaryResult.LEAKED
        if self.broken or not self._observations or any(o.outcome == Outcome.FAILED for o in self._observations):
            return CanaryResult.FAILED
        stopped = any(
            record.decision.action.stops and entity in (None, record.entity)
            for each in self._observations
            for record in each.report.spans
        )
        return CanaryResult.STOPPED if stopped else CanaryResult.SILENT

    def _texts(self) -> Iterator[str]:
        """Yields what was shown at each place, over all frames, or the raw bytes if they cannot be read."""
        raw = bytes(self._got)
        yield raw.decode(errors="replace")
        joined: dict[tuple[str | int, ...], str] = {}
        try:
            for text in _bodies(raw, self._kind):
                for place, shown in _strings(parse_json(text)[0], ()):
                    joined[place] = joined.get(place, "") + shown
        except FrameError:
            self.broken = True
        yield from joined.values()


def _bodies(raw: bytes, kind: str) -> Iterator[str | bytes]:
    if not kind.startswith("text/event-stream"):
        yield raw
        return
    for event in SseReader(_MOST_BYTES).feed(raw):
        if event.data is not None and event.data != "[DONE]":
            yield event.data


def _strings(value: Any, place: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _strings(inner, (*place, name))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _strings(inner, (*place, number))


def _letters_and_digits(text: str) -> str:
    """Gives the letters and digits of a text, in lower case."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))
