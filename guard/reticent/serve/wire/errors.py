"""Defines the errors in OpenAI's format, each once, in our own words.

    {"error": {"message": "...", "type": "invalid_request_error", "param": null, "code": "not_allowed"}}

No message holds anything of a request, of an answer or of an upstream's answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticent.serve.wire.sse import to_event, to_json

_TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"}
BLOCKED = "The answer was withheld by the operator's privacy policy."


class ApiError(Exception):
    """Ends a request with an error.

    Args:
        status: HTTP status.
        message: what was expected and what to do.
        code: a word for programs.
        param: the field of the request that is to blame.
        headers: further response headers.
    """

    def __init__(
        self,
        status: int,
        message: str,
        *,
        code: str,
        param: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.param = status, message, code, param
        self.headers = dict(headers or {})

    @property
    def kind(self) -> str:
        """Gives the error's type."""
        return _type(self.status)

    def body(self) -> bytes:
        """Writes the error as the body of a response."""
        return to_json(error_object(self.message, self.kind, self.code, self.param))

    def event(self) -> bytes:
        """Writes the error as an event of a stream that has begun."""
        return to_event(error_object(self.message, self.kind, self.code, self.param))


def error_object(message: str, kind: str, code: str | int | None = None, param: str | None = None) -> dict[str, Any]:
    """Makes an error in OpenAI's format."""
    return {"error": {"message": message, "type": kind, "param": param, "code": code}}


def unreadable() -> ApiError:
    """Makes the error for an upstream's answer that cannot be judged. Asking again would not help."""
    return ApiError(
        503,
        "The model server's answer could not be read, so it was withheld.",
        code="upstream_unreadable",
        headers={"x-should-retry": "false"},
    )


def withheld() -> ApiError:
    """Makes the error for an answer that could not be made or judged. Asking again would not help."""
    return ApiError(
        503,
        "The answer could not be judged, so it was withheld.",
        code="answer_withheld",
        headers={"x-should-retry": "false"},
    )


def broken_off() -> ApiError:
    """Makes the error for an upstream's answer that broke off."""
    return ApiError(502, "The model server broke off its answer.", code="upstream_broken")


def too_slow() -> ApiError:
    """Makes the error for an upstream that did not answer in time."""
    return ApiError(504, "The model server did not answer in time.", code="upstream_timeout")


def unreachable() -> ApiError:
    """Makes the error for an upstream that cannot be reached."""
    return ApiError(502, "The model server cannot be reached.", code="upstream_unreachable")


def no_logprobs() -> ApiError:
    """Makes the error for an upstream that refuses what a detector reads. Asking again would not help."""
    return ApiError(
        502,
        "The model server refuses the log-probabilities by which the guard before it judges.",
        code="upstream_refuses_logprobs",
        headers={"x-should-retry": "false"},
    )


def internal() -> ApiError:
    """Makes the error for a fault of our own."""
    return ApiError(500, "The proxy failed at this request.", code="internal_error")


def blocked(message: str = BLOCKED) -> ApiError:
    """Makes the error for an answer that the policy blocked. Clients do not ask again after a 400."""
    return ApiError(400, message, code="content_filter")


def _type(status: int) -> str:
    return _TYPES.get(status, "invalid_request_error" if status < 500 else "upstream_error")
