"""Reaches the upstream: chooses the headers in both directions, sets time limits, and ends requests.

A request that is left, however it is left, closes its connection. So the server's slot is free within the second.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager

import httpx

from reticent.observability.observers import WireStage
from reticent.serve.judging.metadata import MetadataJudge
from reticent.serve.settings import Settings, UpstreamSettings
from reticent.serve.transport.loop_result import result_of
from reticent.serve.transport.request_id import HEADER as REQUEST_ID
from reticent.serve.transport.request_id import id_upstream
from reticent.serve.transport.sharded_transport import ShardedTransport
from reticent.serve.wire import errors
from reticent.serve.wire.errors import ApiError
from reticent_detectors.errors import CaptureError

_KEYS = frozenset({"authorization", "x-api-key"})
_SENT = frozenset({*_KEYS, "traceparent"})
_IDS = frozenset({"request-id"})
_RETURNED = frozenset({"retry-after", "retry-after-ms", *_IDS})
_PREFIXES_SENT = ("openai-", "anthropic-")
_PREFIXES_RETURNED = ("x-ratelimit-", "openai-", "anthropic-ratelimit-")
_PROBE = "/ping"
"""Path that is probed for readiness. vLLM answers whether its engine runs, others that there is no such route.

llama-cpp-python breaks a stream off for a request that concerns its model, even for the list of models.
"""
_PROBE_SECONDS = 5.0
_ASKED_BYTES = 1 << 20
"""Longest response to a question of a judge."""
_ASKED_AT_ONCE = 32
"""Questions of judges at a time, so that clients' requests find connections."""
REFUSED = 401
_CLOSED = httpx.ByteStream(b"")
_NO_METHOD = 501
"""Status for a method that a server does not know. It counts as an answer, like 404."""
_HEADER_VALUE = re.compile(r"[\x20-\x7e]{1,256}")


class WireFault(Exception):
    """Reports a failure on the way to the upstream: its stage, and the error for the client."""

    def __init__(self, stage: WireStage, api_error: ApiError) -> None:
        super().__init__(str(stage))
        self.stage, self.api_error = stage, api_error


class Upstream:
    """Holds one upstream server and the connections to it.

    Args:
        upstream: its address and time limits.
        settings: all other settings.
        transport: reaches it, if not through sockets.
    """

    def __init__(
        self, upstream: UpstreamSettings, settings: Settings, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        self._api_key = upstream.api_key
        # A key of ours means nothing upstream, and is not sent.
        self.passes_keys = not settings.keys and upstream.api_key is None
        """Says whether clients' own keys are sent to the upstream."""
        self._sent = _SENT if self.passes_keys else _SENT - _KEYS
        self._client = httpx.AsyncClient(
            base_url=upstream.url,
            timeout=httpx.Timeout(upstream.read_seconds, connect=upstream.connect_seconds),
            follow_redirects=False,
            trust_env=False,
            transport=transport or ShardedTransport(settings.limits.inflight + 8),
        )
        self._asking = asyncio.Semaphore(_ASKED_AT_ONCE)
        self._loop: asyncio.AbstractEventLoop | None = None
        """Event loop of the requests."""

    def __repr__(self) -> str:
        return "Upstream()"

    async def aclose(self) -> None:
        """Closes all connections."""
        await self._client.aclose()

    @asynccontextmanager
    async def send(
        self,
        method: str,
        path: str,
        headers: Iterable[tuple[bytes, bytes]],
        content: bytes | bytearray = b"",
        request_id: str | None = None,
    ) -> AsyncIterator[httpx.Response]:
        """Sends a request, and gives the response to read inside. Raises WireFault, inside as well.

        Without a `request_id` it is no client's request, and has no id.
        """
        response: httpx.Response | None = None
        self._loop = asyncio.get_running_loop()
        try:
            request = self._client.build_request(
                method, path, headers=self._headers(path, headers, request_id), content=bytes(content)
            )
            if not content:
                request.headers.pop("content-type", None)
            response = await self._client.send(request, stream=True)
            yield response
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise to_wire_fault(error) from None
        finally:
            if response is not None:
                await asyncio.shield(response.aclose())
                response.stream = _CLOSED  # httpx's own refers to the response, and so keeps the request's body

    def ask(self, path: str, contents: Sequence[bytes], seconds: float) -> Sequence[bytes]:
        """Posts all at once in the event loop, for a judge in a thread, and gives the responses' bodies.

        Raises CaptureError if no request was sent before, if it takes longer, or if the upstream does not answer.
        """
        if self._loop is None:
            raise CaptureError("The upstream can be asked once a request was sent to it.")
        try:
            return result_of(self._post_all(path, contents), self._loop, seconds)
        except TimeoutError:
            raise CaptureError(f"The upstream did not answer within {seconds:g} seconds.") from None
        except CancelledError:
            raise CaptureError("The upstream was closed.") from None

    async def _post_all(self, path: str, contents: Sequence[bytes]) -> list[bytes]:
        try:
            async with asyncio.TaskGroup() as group:  # ends the others if one fails
                tasks = [group.create_task(self._post(path, content)) for content in contents]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _post(self, path: str, content: bytes) -> bytes:
        try:
            async with self._asking, self.send("POST", path, (), content) as response:
                if response.status_code != 200:
                    raise CaptureError(f"The upstream answered with status {response.status_code}, expected 200.")
                return await read_body(response, _ASKED_BYTES)
        except WireFault as fault:
            raise CaptureError(f"The upstream could not be asked: {fault.stage}.") from None

    async def problem(self) -> str | None:
        """Says what is wrong with the upstream, or gives None. Any answer counts, even without the route."""
        try:
            async with asyncio.timeout(_PROBE_SECONDS), self.send("GET", _PROBE, ()) as response:
                status = response.status_code
        except TimeoutError:
            return f"does not answer within {_PROBE_SECONDS:g} seconds"
        except WireFault as fault:
            return "cannot be reached" if fault.stage is WireStage.CONNECT else "does not answer as it should"
        if status == REFUSED and not self.passes_keys:
            return f"refuses the key that it is sent (status {status}); set upstream.api_key"
        return f"answers with status {status}" if status >= 500 and status != _NO_METHOD else None

    def _headers(self, path: str, given: Iterable[tuple[bytes, bytes]], request_id: str | None) -> dict[bytes, bytes]:
        out = {b"accept-encoding": b"identity", b"content-type": b"application/json", b"user-agent": b"reticent"}
        if request_id is not None:
            out[REQUEST_ID] = request_id.encode()
        for name, value in given:
            lower = name.decode("latin-1").lower()
            if request_id is not None and lower.encode("latin-1") == REQUEST_ID:
                out[REQUEST_ID] = id_upstream(request_id, value)
            elif lower in self._sent or lower.startswith(_PREFIXES_SENT):
                out[lower.encode("latin-1")] = value
        if self._api_key is not None:
            out[b"authorization"] = b"Bearer " + self._api_key.get_secret_value().encode()
            if path.startswith("/v1/messages"):
                out[b"x-api-key"] = self._api_key.get_secret_value().encode()
        return out


def to_wire_fault(error: Exception) -> WireFault:
    """Translates a failure of the HTTP client."""
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout | httpx.InvalidURL):
        return WireFault(WireStage.CONNECT, errors.unreachable())
    if isinstance(error, httpx.TimeoutException):
        return WireFault(WireStage.UPSTREAM, errors.too_slow())
    return WireFault(WireStage.UPSTREAM, errors.broken_off())


def response_headers(headers: Mapping[str, str], metadata: MetadataJudge) -> list[tuple[bytes, bytes]]:
    """Gives the upstream's headers for the client: rate limits and ids, unless a value in them is stopped."""
    out = []
    for name, value in headers.items():
        lower = name.lower()
        if not (lower in _RETURNED or lower.startswith(_PREFIXES_RETURNED)) or not _HEADER_VALUE.fullmatch(value):
            continue
        shown = metadata.replace_id(lower, value) if lower in _IDS else value
        if lower in _IDS or metadata.allows(f"header {lower}", value):
            out.append((lower.encode(), shown.encode()))
    return out


async def read_body(response: httpx.Response, most_bytes: int) -> bytes:
    """Reads a response's whole body. Raises WireFault for a body that is too long or encoded."""
    check_encoding(response)
    out = bytearray()
    async for piece in response.aiter_raw():
        out += piece
        if len(out) > most_bytes:
            raise WireFault(WireStage.BOUND, errors.unreadable())
    return bytes(out)


def check_encoding(response: httpx.Response) -> None:
    """Raises WireFault for a body that is compressed although we asked for none."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise WireFault(WireStage.FRAME, errors.unreadable())
