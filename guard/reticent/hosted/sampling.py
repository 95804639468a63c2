"""Checks a client's options of decoding, and translates them for `generate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from reticent.observability.observers import Route
from reticent.serve.wire.errors import ApiError

_NOTHING: Sequence[Any] = (None, False, 0, "", [], {})
_UNSUPPORTED: Mapping[str, Sequence[Any]] = {
    "audio": _NOTHING,
    "best_of": (None, 1),
    "echo": _NOTHING,
    "frequency_penalty": _NOTHING,
    "function_call": (None, "none"),
    "functions": _NOTHING,
    "grammar": _NOTHING,
    "guided_choice": _NOTHING,
    "guided_grammar": _NOTHING,
    "guided_json": _NOTHING,
    "guided_regex": _NOTHING,
    "logit_bias": _NOTHING,
    "logprobs": (None, False),
    "modalities": (None, ["text"]),
    "presence_penalty": _NOTHING,
    "response_format": (None, {"type": "text"}),
    "structured_outputs": _NOTHING,
    "suffix": (None, ""),
    "tools": _NOTHING,
    "top_logprobs": (None, False),
}
"""Values that fields of unsupported options may have."""
_MOST_STOPS = 16
_LEAST = 0.01
"""Least temperature. Scores divided by less may overflow; vLLM takes no lower one either."""


def _to_int(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value  # to JSON, 1.0 is a whole number


_WHOLE = BeforeValidator(_to_int)


class _DecodingRequest(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True, strict=True)

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    top_k: Annotated[int, Field(ge=-1, le=1 << 20), _WHOLE] | None = None
    min_p: Annotated[float, Field(ge=0, le=1)] | None = None
    repetition_penalty: Annotated[float, Field(ge=_LEAST, le=10)] | None = None
    seed: Annotated[int, Field(ge=-(1 << 63), lt=1 << 63), _WHOLE] | None = None
    max_tokens: Annotated[int, Field(ge=1), _WHOLE] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1), _WHOLE] | None = None
    stop: str | Annotated[list[Annotated[str, Field(min_length=1)]], Field(max_length=_MOST_STOPS)] | None = None


_TEXT_PART = {"type": ["string", "object"], "required": ["text"], "properties": {"text": {"type": "string"}}}
ROLES = ("assistant", "developer", "function", "system", "tool", "user")
"""Allowed roles. A template writes a role as it is given, so a role of a client's own could hold marks."""
_MESSAGES = {"items": {"properties": {"role": {"enum": list(ROLES)}, "content": {"items": _TEXT_PART}}}}
_PROMPT = {"minLength": 1, "items": {"minLength": 1}}


def request_schemas(route: Route) -> dict[str, Any]:
    """Gives the JSON schema of each field of a route's requests that is read here, or has to ask for nothing."""
    read: dict[str, Any] = _DecodingRequest.model_json_schema()["properties"]
    text = {"messages": _MESSAGES} if route is Route.CHAT_COMPLETIONS else {"prompt": _PROMPT}
    return {**read, **{name: {"enum": list(values)} for name, values in _UNSUPPORTED.items()}, **text}


@dataclass(frozen=True, slots=True)
class Sampling:
    """Holds how an answer is decoded: `options` for `generate`, stop texts, seed, and most tokens asked for."""

    options: Mapping[str, Any]
    stop: tuple[str, ...] = field(default=(), repr=False)
    seed: int | None = None
    most: int | None = None


def read_sampling(body: Mapping[str, Any]) -> Sampling:
    """Reads what a request's body asks for. A missing temperature is 1.

    Raises:
        ApiError: a value out of its range, or something that this server does not do.
    """
    for name, values in _UNSUPPORTED.items():
        value = body.get(name)
        if not any(value == each and isinstance(value, bool) == isinstance(each, bool) for each in values):
            raise ApiError(
                400, f"'{name}' is not supported by a model in this process.", code="unsupported", param=name
            )
    try:
        wanted = _DecodingRequest.model_validate(dict(body))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        name = str(first["loc"][0])
        raise ApiError(400, f"'{name}': {first['msg']}.", code="invalid_value", param=name) from None
    stop = wanted.stop
    stops = () if not stop else (stop,) if isinstance(stop, str) else tuple(stop)
    most = wanted.max_completion_tokens if wanted.max_tokens is None else wanted.max_tokens
    temperature = 1.0 if wanted.temperature is None else wanted.temperature
    options: dict[str, Any] = {"do_sample": temperature > 0, "repetition_penalty": wanted.repetition_penalty}
    if temperature > 0:
        options |= {"temperature": max(_LEAST, temperature), "top_p": wanted.top_p, "min_p": wanted.min_p}
        options["top_k"] = max(0, wanted.top_k or 0)  # transformers would take the 50 best
    given = {name: value for name, value in options.items() if value is not None}
    return Sampling(given, stops, wanted.seed, most)
