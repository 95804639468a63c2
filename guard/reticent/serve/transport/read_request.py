"""Reads a client's request, and stops the work on it when the client disconnects."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from reticent.serve.api.api_format import ApiFormat
from reticent.serve.api.checked_request import checked_aside
from reticent.serve.options import Permission
from reticent.serve.settings import Settings
from reticent.serve.transport.client import Client, ClientGone
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import FrameError, parse_json, to_json

_Result = TypeVar("_Result")
INLINE_BYTES = 1 << 14
"""Longest JSON, in bytes, that is read or written on the event loop. It takes half a millisecond."""
CONTROL = "reticent"
"""Name of a request's field that is for the proxy, and is not sent on."""


async def read_request(
    client: Client,
    headers: Iterable[tuple[bytes, bytes]],
    api_format: ApiFormat,
    allowed: frozenset[Permission],
    settings: Settings,
) -> ParsedRequest:
    """Reads and parses a client's request. Raises ApiError, ClientGone."""
    _check_encoding(headers)
    raw = await client.body(settings.limits.body_bytes)
    return await off_loop(len(raw), partial(_read, raw, api_format, allowed, settings))


async def read_object(
    client: Client,
    headers: Iterable[tuple[bytes, bytes]],
    settings: Settings,
    read: Callable[[dict[str, Any]], _Result],
) -> _Result:
    """Gives what `read` makes of a body that is sent nowhere. Raises ApiError, ClientGone, and what `read` raises."""
    _check_encoding(headers)
    raw = await client.body(settings.limits.body_bytes)
    return await off_loop(len(raw), lambda: read(_parsed(raw)[0]))


async def read_aside(
    client: Client,
    headers: Iterable[tuple[bytes, bytes]],
    allowed: frozenset[Permission],
    settings: Settings,
) -> bytes:
    """Reads the body of a request whose answer holds no generated text, as it may be sent on. Raises ApiError,
    ClientGone.
    """
    _check_encoding(headers)
    raw = await client.body(settings.limits.body_bytes)
    return await off_loop(len(raw), partial(_aside, raw, allowed, settings.strip))


def _check_encoding(headers: Iterable[tuple[bytes, bytes]]) -> None:
    encoding = next((value for name, value in headers if name == b"content-encoding"), b"identity")
    if encoding.lower() != b"identity":
        raise ApiError(415, "A request's body may not be compressed.", code="unsupported_encoding")


async def off_loop(size_bytes: int, work: Callable[[], _Result]) -> _Result:
    """Runs work on JSON of this size, in a thread if it is large. Raises what the work raises."""
    return work() if size_bytes <= INLINE_BYTES else await asyncio.to_thread(work)


def _aside(raw: bytearray, allowed: frozenset[Permission], strip: bool) -> bytes:
    """Gives a body as it came, or written anew where a part of it was taken out or named twice. Raises ApiError."""
    if not raw.strip():
        return bytes(raw)
    body, twice = _parsed(raw)
    left = checked_aside(body, allowed, strip)
    return to_json(left) if twice or left != body else bytes(raw)


def _parsed(raw: bytearray) -> tuple[dict[str, Any], bool]:
    """Parses a body. Also says whether an object has a name twice. Raises ApiError."""
    try:
        body, twice = parse_json(raw)
    except FrameError:
        raise ApiError(400, "The request's body is no JSON.", code="invalid_json") from None
    if not isinstance(body, dict):
        raise ApiError(400, "The request's body has to be a JSON object.", code="invalid_type")
    return body, twice


def _read(raw: bytearray, api_format: ApiFormat, allowed: frozenset[Permission], settings: Settings) -> ParsedRequest:
    """Parses a request's body. Raises ApiError."""
    body, _ = _parsed(raw)
    policy = _policy_name(body.pop(CONTROL, None))
    parsed = api_format.parse_request(body, allowed, settings.strip, settings.limits.bounds)
    return replace(parsed, policy=policy, body_bytes=len(raw))


def _policy_name(control: Any) -> str:
    """Gives the policy that a request names, or an empty text. Raises ApiError."""
    if control is None:
        return ""
    name = control.get("policy", "") if isinstance(control, dict) and set(control) <= {"policy"} else None
    if not isinstance(name, str):
        raise ApiError(
            400, f"'{CONTROL}' has to be an object with the name of a 'policy'.", code="invalid_value", param=CONTROL
        )
    return name


def _break_cycle(task: asyncio.Future[None]) -> None:
    """Takes the frames from the exception of a task that has ended. They refer to the task, and keep the request."""
    try:
        error = task.exception()
    except asyncio.CancelledError:  # which the task forgets by raising it
        return
    if error is not None:
        traceback.clear_frames(error.__traceback__)


async def until_disconnect(client: Client, answering: Coroutine[object, object, None]) -> None:
    """Runs the work until it ends, and cancels it when the client disconnects.

    Raises ClientGone and what the work raises.
    """
    work = asyncio.ensure_future(answering)
    gone = asyncio.ensure_future(client.gone())
    try:
        await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not (work.done() or client.ended):
            raise ClientGone
        await work
    finally:
        for task in (work, gone):
            task.cancel()
        await asyncio.gather(work, gone, return_exceptions=True)
        for task in (work, gone):
            _break_cycle(task)
