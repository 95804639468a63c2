"""Writes errors in each route's format: as a response, and as the last event of a stream.

chat and text completions   {"error": {"message", "type", "param", "code"}}, then [DONE]
responses                   the same; in a stream an event `error`, with the fields both beside and under `error`
messages                    {"type": "error", "error": {"type", "message"}}, in a stream as an event `error`
detectors of texts          {"code": the status, "message"}; there are no streams
"""

from __future__ import annotations

from typing import Any, Protocol

from reticent.serve.wire.errors import ApiError, error_object
from reticent.serve.wire.sse import to_event, to_json

_MESSAGES = "/v1/messages"
_DETECTORS = "/api/v1/text/"


class ErrorFormat(Protocol):
    """Writes a route's errors. No message holds unjudged text of a request or an answer."""

    def body(self, api_error: ApiError) -> bytes:
        """Writes the error as the body of a response."""
        ...

    def event(self, api_error: ApiError, number: int | None = None) -> bytes:
        """Writes the error as an event of a stream that has begun.

        `number` is its place, if a stream's events are numbered.
        """
        ...

    def upstream_error(self, message: str, kind: str, code: str | int | None, param: str | None) -> bytes:
        """Writes an upstream's error, once it was judged, as the body of a response."""
        ...


class OpenAiErrors:
    """Writes OpenAI's errors, as all its clients and servers know them."""

    def body(self, api_error: ApiError) -> bytes:
        """Writes the error as the body of a response."""
        return api_error.body()

    def event(self, api_error: ApiError, number: int | None = None) -> bytes:
        """Writes the error as an event."""
        return api_error.event()

    def upstream_error(self, message: str, kind: str, code: str | int | None, param: str | None) -> bytes:
        """Writes an upstream's error."""
        return to_json(error_object(message, kind, code, param))


class ResponsesErrors(OpenAiErrors):
    """Writes the errors of OpenAI's responses, which are events with a type in a stream.

    openai-python raises only for fields under `error`, and others read only the fields beside it, so both have them.
    """

    def event(self, api_error: ApiError, number: int | None = None) -> bytes:
        """Writes the error as an event."""
        body: dict[str, Any] = {"type": "error", "code": api_error.code, "message": api_error.message}
        body |= {"param": api_error.param} | ({} if number is None else {"sequence_number": number})
        return to_event(
            body | error_object(api_error.message, api_error.kind, api_error.code, api_error.param), "error"
        )


class MessagesErrors:
    """Writes Anthropic's errors."""

    def body(self, api_error: ApiError) -> bytes:
        """Writes the error as the body of a response."""
        return self.upstream_error(
            api_error.message, _KINDS.get(api_error.status, _default_kind(api_error.status)), None, None
        )

    def event(self, api_error: ApiError, number: int | None = None) -> bytes:
        """Writes the error as an event."""
        return b"event: error\ndata: " + self.body(api_error) + b"\n\n"

    def upstream_error(self, message: str, kind: str, code: str | int | None, param: str | None) -> bytes:
        """Writes an upstream's error."""
        return to_json({"type": "error", "error": {"type": kind, "message": message}})


class DetectorErrors(OpenAiErrors):
    """Writes the errors of the FMS Guardrails Orchestrator's detectors."""

    def body(self, api_error: ApiError) -> bytes:
        """Writes the error as the body of a response."""
        return to_json({"code": api_error.status, "message": api_error.message})


_KINDS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
}

OPENAI: ErrorFormat = OpenAiErrors()
RESPONSES: ErrorFormat = ResponsesErrors()
MESSAGES: ErrorFormat = MessagesErrors()
DETECTORS: ErrorFormat = DetectorErrors()


def error_format_for(path: str) -> ErrorFormat:
    """Gives the format in which clients of a path expect errors, guarded or not."""
    if path.startswith(_DETECTORS):
        return DETECTORS
    return MESSAGES if path == _MESSAGES or path.startswith(_MESSAGES + "/") else OPENAI


def _default_kind(status: int) -> str:
    return "invalid_request_error" if status < 500 else "api_error"
