"""Asks a server over its own API what it offers the guard, with short questions about nobody.

It asks only routes that answer and change nothing. It reads the server's other routes from its own description
(`/openapi.json`), where there is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

from reticent.commands.diagnosis import Diagnosis, Status
from reticent.policy.verdict import Tier
from reticent.serve.api.api_format import ApiFormat
from reticent.serve.app import GUARDED, PASSED
from reticent.serve.config import load
from reticent.serve.settings import Settings
from reticent.serve.transport.upstream import to_wire_fault
from reticent_detectors.errors import InputError

_MODEL = re.compile(r"[\w.:@+/-]{1,128}")
_PATH = re.compile(r"/[\w.{}/:-]{0,120}")
_METHODS = ("get", "post", "put", "patch", "delete")
_MOST_BYTES = 1 << 22
_ABSENT = (404, 405, 501)
_ROUTE_BODIES: dict[str, dict[str, Any]] = {
    "/v1/chat/completions": {
        "messages": [{"role": "user", "content": "Say yes."}],
        "max_tokens": 4,
        "logprobs": True,
        "top_logprobs": 1,
    },
    "/v1/completions": {"prompt": "One, two,", "max_tokens": 4, "logprobs": 1},
    "/v1/responses": {"input": "Say yes.", "max_output_tokens": 16, "store": False},
    "/v1/messages": {"messages": [{"role": "user", "content": "Say yes."}], "max_tokens": 4},
}
"""A small request for each guarded route. It asks for log-probabilities where the route has them."""
_PROBABILITIES = ("logprobs", "top_logprobs")


def check_upstream(url: str | None, config: Path | None, model: str | None) -> tuple[Diagnosis, Settings]:
    """Asks the server at an address, or at that of the settings. Returns what is known of it, and the settings.

    Raises:
        InputError: the settings or the address cannot be used.
    """
    settings = load(config, overrides={} if url is None else {"upstream.url": url})
    upstream = settings.upstream
    if upstream is None:
        raise InputError("The settings name no upstream. Give its address with --upstream.")
    found = Diagnosis(upstream.url)
    headers = {"accept-encoding": "identity", "user-agent": "reticent"}
    if upstream.api_key is not None:
        headers["authorization"] = f"Bearer {upstream.api_key.get_secret_value()}"
    times = httpx.Timeout(upstream.read_seconds, connect=upstream.connect_seconds)
    with httpx.Client(base_url=upstream.url, headers=headers, timeout=times, trust_env=False) as client:
        try:
            _check_models(found, client, model)
            seen = {api_format.path: _try_route(found, client, api_format) for api_format in GUARDED}
            _sort_routes(found, client, seen)
            answers = [state for state in seen.values() if "stream" in state]
            is_known = found.facts["model"] is not None or found.tiers[Tier.LOGPROBS]
            if not answers or not (is_known or any(state.startswith("streams") for state in answers)):
                found.add(Status.FAIL, "upstream", "gives no answer that can be read on any of the guarded routes")
                found.broken = True
        except httpx.HTTPError as error:
            found.add(Status.FAIL, "upstream", f"cannot be asked: {to_wire_fault(error).api_error.message}")
            found.broken = True
    if settings.shadow is None:
        found.add(
            Status.NOTE,
            "hidden states",
            "no server gives them over HTTP: a copy of the weights has to read along (reticent serve --shadow), "
            "or the model to run in this process (--host-model)",
        )
    else:
        found.tiers[Tier.HIDDEN] = found.bundle_given = True
        found.judged_at = Tier.HIDDEN
        found.add(Status.NOTE, "shadow", "a copy of the weights reads along; whether it is one is seen as it reads")
        named = settings.shadow.base_model
        found.facts["base_model"] = named
        found.add(
            Status.NOTE,
            "base model",
            "none is named: an adapter of the copy is left out, where it has one"
            if named is None
            else f"{named}; read at the start",
        )
    if settings.detector is not None and settings.detector.bundle_of(str(found.facts.get("model"))) is None:
        found.add(Status.NOTE, "detector", "judges other models; this one's texts are judged without it")
    judging = settings.detector or settings.shadow
    if judging is not None and found.facts.get("model") not in judging.models:
        found.add(Status.FAIL, "detector", "is for models of other names than the one that was asked")
        found.broken = True
    return found, settings


def _check_models(found: Diagnosis, client: httpx.Client, model: str | None) -> None:
    names = []
    listed = _json(client.get("/v1/models"))
    if isinstance(listed, dict) and isinstance(listed.get("data"), list):
        names = [m["id"] for m in listed["data"] if isinstance(m, dict) and isinstance(m.get("id"), str)]
    names = [name for name in names if _MODEL.fullmatch(name)]
    found.facts["models"] = len(names)
    found.facts["model"] = model or (names[0] if names else None)
    if found.facts["model"] is None:
        found.add(Status.NOTE, "models", "it names none; questions go without a model, or name one with --model")


def _try_route(found: Diagnosis, client: httpx.Client, api_format: ApiFormat) -> str:
    """Asks a guarded route. Of one that breaks off or takes too long it says so; the others may answer all the same."""
    try:
        return _check_route(found, client, api_format)
    except (httpx.ReadError, httpx.ReadTimeout, httpx.RemoteProtocolError) as error:
        name = str(api_format.route).replace("_", " ")
        found.add(Status.FAIL, name, f"gives no answer: {to_wire_fault(error).api_error.message}")
        return "no answer"


def _check_route(found: Diagnosis, client: httpx.Client, api_format: ApiFormat) -> str:
    """Asks a guarded route for a whole and for a streamed answer. Returns what it gives, in words."""
    name = str(api_format.route).replace("_", " ")
    body = {**_ROUTE_BODIES[api_format.path], **({} if (model := found.facts["model"]) is None else {"model": model})}
    status, answer = _send(client, api_format.path, body)
    wanted = "logprobs" in body
    if status in _ABSENT:
        found.add(Status.NOTE, name, "the server does not have it")
        return "absent"
    if status != 200 and wanted:
        body = {field: value for field, value in body.items() if field not in _PROBABILITIES}
        status, answer = _send(client, api_format.path, body)
    if status != 200:
        found.add(Status.FAIL, name, f"answers with status {status}; is the model's name right (--model), or its key?")
        return f"status {status}"
    given = "logprobs" in body and _has_probabilities(answer)
    streamed, frames = _send(client, api_format.path, {**body, "stream": True})
    flows = streamed == 200 and bool(frames)
    both = given and flows and any(map(_has_probabilities, frames))
    signals = ["streams" if flows else "does not stream"]
    if wanted:
        signals.append(
            "log-probabilities" if both else "log-probabilities not streamed" if given and flows
            else "log-probabilities" if given else "no log-probabilities"
        )  # fmt: skip
    found.tiers[Tier.LOGPROBS] = found.tiers[Tier.LOGPROBS] or (given and (both or not flows))
    found.add(Status.OK if flows else Status.NOTE, name, "; ".join(signals))
    return ", ".join(signals)


def _sort_routes(found: Diagnosis, client: httpx.Client, seen: dict[str, str]) -> None:
    """Sorts the server's routes into guarded, open and refused ones."""
    found.routes["guarded"] = [f"POST {path} ({state})" for path, state in seen.items()]
    passed = {(method, path) for method, path in PASSED} | {("GET", "/v1/models/{model}")}
    found.routes["open"] = [f"{method} {path}" for method, path in sorted(passed, key=lambda each: each[1])]
    described = _json(client.get("/openapi.json"))
    paths = described.get("paths") if isinstance(described, dict) else None
    if not isinstance(paths, dict):
        found.routes["refused"] = ["every other one (the server does not describe its routes)"]
        return
    closed = [
        f"{method.upper()} {path}"
        for path, methods in paths.items()
        if _PATH.fullmatch(path) and isinstance(methods, dict)
        for method in _METHODS
        if method in methods and (method.upper(), path) not in passed and path not in seen
    ]
    found.routes["refused"] = [*sorted(closed), "every other one"]
    found.facts["routes_described"] = len(paths)


def _send(client: httpx.Client, path: str, body: dict[str, Any]) -> tuple[int, Any]:
    """Sends a request. Returns the status, and the answer's JSON or that of each frame of a stream."""
    raw = bytearray()
    with client.stream("POST", path, json=body) as response:
        for piece in response.iter_raw():
            raw += piece
            if len(raw) > _MOST_BYTES:
                break
    if body.get("stream"):
        streamed = response.headers.get("content-type", "").startswith("text/event-stream")
        return response.status_code, list(_frames(bytes(raw))) if streamed else []
    with suppress(ValueError, RecursionError):
        return response.status_code, json.loads(raw)
    return response.status_code, None


def _frames(raw: bytes) -> Iterator[Any]:
    for line in raw.splitlines():
        if line.startswith(b"data:"):
            with suppress(ValueError, RecursionError):
                yield json.loads(line[5:])


def _json(response: httpx.Response) -> Any:
    if response.status_code != 200 or len(response.content) > _MOST_BYTES:
        return None
    with suppress(ValueError, RecursionError):
        return response.json()
    return None


def _has_probabilities(body: Any) -> bool:
    """Says whether a choice has a log-probability for a token, in the format of chat or of completions."""
    choices = body.get("choices") if isinstance(body, dict) else None
    given = [choice.get("logprobs") for choice in _listed(choices) if isinstance(choice, dict)]
    numbers: list[Any] = []
    for each in given:
        if isinstance(each, dict):
            numbers += [token.get("logprob") for token in _listed(each.get("content")) if isinstance(token, dict)]
            numbers += _listed(each.get("token_logprobs"))
    return any(isinstance(number, int | float) for number in numbers)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
