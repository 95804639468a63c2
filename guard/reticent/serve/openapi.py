"""Describes requests and answers of the guarded routes as OpenAPI 3.1: `GET /openapi.json`.

A request's schema covers what the proxy itself requires. Other fields go to the model server unchanged, which may
refuse them with a status of its own. The description is made for the client's own key. A schema cannot describe these
rules: all texts, choices and bytes of a request are bounded in sum, a form of the answer and a tool's schema may not
force values, a tool is a plain function, and media have a public address.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from reticent._version import __version__
from reticent.observability.observers import Route
from reticent.policy.verdict import Tier
from reticent.serve.api.api_format import ApiFormat
from reticent.serve.options import Permission
from reticent.serve.request_bounds import Bounds
from reticent.serve.verdicts.contract import Contract, Schema, policy_schema
from reticent.serve.verdicts.contracts import CONTRACTS
from reticent.serve.verdicts.text_judge import BASIS
from reticent.serve.wire.error_formats import DETECTORS, MESSAGES, error_format_for

if TYPE_CHECKING:
    from reticent.serve.proxy import LocalModel, Proxy
    from reticent.serve.settings import Settings
    from reticent.serve.snapshot import Caller

_NOTHING: list[Any] = [None, False, "", [], {}]
_FLAG: Schema = {"type": ["boolean", "null"]}
_TEXT: Schema = {"type": ["string", "null"]}
_ALTERNATIVES: Schema = {"anyOf": [{"type": ["integer", "null"], "minimum": 0, "maximum": 100}, {"const": False}]}
_PARTS: Schema = {"type": ["string", "array", "null"], "items": {"type": ["object", "string"]}}
_REFUSED = {
    400: "Not what the description asks for, or not allowed for this key; or the policy blocks answers by an error.",
    403: "A policy that this key may not choose, or a permission that it lacks.",
    408: "The body did not come in time.",
    413: "The body, or its texts, are too long.",
    415: "The body is compressed.",
    422: "Not what the contract asks for.",
    429: "Too many requests are open.",
    431: "Too many headers.",
    502: "The model server cannot be reached, or broke off.",
    503: "The answer could not be read or judged, so it was withheld. Asking again does not help.",
    504: "The model server did not answer in time.",
}
_UNKNOWN_KEY = {401: "A known API key is needed."}


def describe_api(
    api_formats: Iterable[ApiFormat],
    passed: Iterable[tuple[str, str]],
    proxy: Proxy,
    caller: Caller,
) -> Schema:
    """Describes the guarded API.

    Args:
        api_formats: of the guarded routes.
        passed: method and path of the routes that pass untouched.
        proxy: whose settings, detector and model are described.
        caller: whose permissions and policies are described.
    """
    settings, local_model = proxy.settings, proxy.local_model
    paths: dict[str, Schema] = {}
    for api_format in api_formats:
        paths[api_format.path] = {"post": _guarded_path(api_format, settings, caller, local_model)}
    for method, path in passed:
        paths.setdefault(path, {})[method.lower()] = _passed_path(method, path, settings)
    if local_model is not None:
        models = _json({"type": "object", "required": ["object", "data"]}, "The one model that there is.")
        paths["/v1/models"] = {"get": {"responses": {"200": models, **_errors(settings, (431,))}}}
    for contract in CONTRACTS:
        paths[contract.path] = {"post": _text_path(contract, proxy, caller)}
    for path, what in (("/healthz", "The process is alive."), ("/openapi.json", "This description.")):
        paths[path] = {"get": {"responses": {"200": _json({"type": "object"}, what)}}}
    paths["/readyz"] = {"get": {"responses": {str(status): _json(_READY, what) for status, what in _STATES.items()}}}
    for path in ("/healthz", "/readyz"):
        paths[path]["get"] |= {"security": []} if settings.keys else {}
        paths[path]["get"]["responses"] |= _errors(None, (431,))
    paths["/openapi.json"]["get"]["responses"] |= _errors(settings, (431,))
    keys = {
        "bearer": {"type": "http", "scheme": "bearer"},
        "header": {"type": "apiKey", "in": "header", "name": "x-api-key"},
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Reticent",
            "version": __version__,
            "description": _ABOUT + (_PLAYGROUND if settings.serves_playground else ""),
        },
        "paths": paths,
        "components": {"securitySchemes": keys} if settings.keys else {},
        "security": [{name: []} for name in keys] if settings.keys else [],
    }


_ABOUT = "Guarded answers of a language model. Every other route is refused with 403, another method with 405."
_PLAYGROUND = " /playground and the routes below it are a page to try the model at, and no part of this description."
_READY: Schema = {
    "type": "object",
    "required": ["status", "parts"],
    "properties": {
        "status": {"enum": ["ready", "not ready"]},
        "parts": {"type": "object", "additionalProperties": {"type": "string"}},
    },
}
_STATES = {200: "Ready.", 503: "Not ready; `parts` says why."}
_OPENAI_ERROR: Schema = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["message", "type", "param", "code"],
            "properties": {
                "message": {"type": "string"},
                "type": {"type": "string"},
                "param": _TEXT,
                "code": {"type": ["string", "integer", "null"]},
            },
        }
    },
}
_MESSAGES_ERROR: Schema = {
    "type": "object",
    "required": ["type", "error"],
    "properties": {
        "type": {"const": "error"},
        "error": {
            "type": "object",
            "required": ["type", "message"],
            "properties": {"type": {"type": "string"}, "message": {"type": "string"}},
        },
    },
}
_DETECTORS_ERROR: Schema = {
    "type": "object",
    "required": ["code", "message"],
    "properties": {"code": {"type": "integer"}, "message": {"type": "string"}},
}


def _guarded_path(api_format: ApiFormat, settings: Settings, caller: Caller, local_model: LocalModel | None) -> Schema:
    error = _MESSAGES_ERROR if api_format.error_format is MESSAGES else _OPENAI_ERROR
    answer: Schema = {
        "description": "The answer, judged; with `stream` as server-sent events.",
        "content": {"application/json": {"schema": {"type": "object"}}, "text/event-stream": {}},
    }
    responses = {"200": answer, **_errors(settings, _REFUSED, error)}
    if local_model is None:
        responses["default"] = _json(error, "An error of the model server's, with its status.")
    else:
        responses["404"] = _json(error, "There is no such model.")
    body = {
        "required": True,
        "content": {"application/json": {"schema": _request(api_format, settings, caller, local_model)}},
    }
    return {"requestBody": body, "responses": responses}


def _text_path(contract: Contract, proxy: Proxy, caller: Caller) -> Schema:
    request, answer = contract.describe(proxy, caller)
    error = _DETECTORS_ERROR if error_format_for(contract.path) is DETECTORS else _OPENAI_ERROR
    which = sorted({400, 403, 408, 413, 415, 429, 431, 503, contract.refused})
    shown = _json(answer, "What was decided.")
    shown["headers"] = {BASIS: {"description": "What the answer rests on.", "schema": {"enum": sorted(Tier)}}}
    responses = {"200": shown, **_errors(proxy.settings, which, error)}
    body = {"required": True, "content": {"application/json": {"schema": request}}}
    return {"summary": contract.summary, "requestBody": body, "responses": responses}


def _request(api_format: ApiFormat, settings: Settings, caller: Caller, local_model: LocalModel | None) -> Schema:
    bounds = settings.limits.bounds
    properties: dict[str, Schema] = {
        "model": {"type": "string", "maxLength": 256},
        "stream": _FLAG,
        "reticent": {
            "type": ["object", "null"],
            "properties": {"policy": policy_schema(caller)},
            "additionalProperties": False,
            "description": "For the proxy, and not sent on: the name of the policy to judge by.",
        },
        **_texts(api_format.route, bounds, caller.allowed),
    }
    if not settings.strip:
        for name, permission in api_format.gated.items():
            if permission not in caller.allowed:
                _narrow(properties, name, {"enum": _NOTHING})
    if local_model is not None:
        for name, schema in local_model.request_schemas(api_format.route).items():
            _narrow(properties, name, schema)
        properties["model"] = {"enum": ["", local_model.name]}
    return {"type": "object", "required": list(_REQUIRED.get(api_format.route, ())), "properties": properties}


def _narrow(properties: dict[str, Schema], name: str, schema: Schema) -> None:
    properties[name] = {"allOf": [properties[name], schema]} if name in properties else schema


_REQUIRED: Mapping[Route, tuple[str, ...]] = {
    Route.CHAT_COMPLETIONS: ("messages",),
    Route.COMPLETIONS: ("prompt",),
    Route.RESPONSES: ("input",),  # or instructions that say something
    Route.MESSAGES: ("messages",),
}


def _texts(route: Route, bounds: Bounds, allowed: frozenset[Permission]) -> dict[str, Schema]:
    """Describes the fields of a route that the proxy reads."""
    number = {"type": ["integer", "null"], "minimum": 1, "maximum": bounds.choices}
    options = {"type": ["object", "null"], "properties": {"include_usage": _FLAG}}
    match route:
        case Route.CHAT_COMPLETIONS:
            turns = _turns(_PARTS)
            return {
                "messages": turns,
                "n": number,
                "stream_options": options,
                "logprobs": _FLAG,
                "top_logprobs": _ALTERNATIVES,
            }
        case Route.COMPLETIONS:
            texts: Schema = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": bounds.choices}
            prompts: list[Schema] = [{"type": "string"}, texts]
            if Permission.TOKEN_IDS in allowed:
                prompts.append({"type": "array", "items": {"type": ["integer", "array"]}, "minItems": 1})
            return {
                "prompt": {"anyOf": prompts},
                "suffix": _TEXT,
                "n": number,
                "best_of": number,
                "stream_options": options,
                "logprobs": _ALTERNATIVES,
            }
        case Route.RESPONSES:
            message = {"required": ["role"], "properties": {"role": {"type": "string"}, "content": _PARTS}}
            is_message: Schema = {"properties": {"type": {"const": "message"}}}
            item: Schema = {
                "type": "object",
                "properties": {"type": {"type": "string"}},
                "if": is_message,
                "then": message,
            }
            if Permission.STORE not in allowed:
                item["properties"]["type"]["not"] = {"const": "item_reference"}
            turns = {"type": ["string", "array"], "minItems": 1, "items": item}
            return {"input": turns, "include": {"description": "Log-probabilities need a permission."}}
        case _:
            return {"messages": _turns(_PARTS), "system": _PARTS}


def _turns(content: Schema) -> Schema:
    message = {"type": "object", "required": ["role"], "properties": {"role": {"type": "string"}, "content": content}}
    return {"type": "array", "minItems": 1, "items": message}


def _passed_path(method: str, path: str, settings: Settings) -> Schema:
    checked = (400, 415) if method == "POST" else ()
    errors = _errors(
        settings,
        (*checked, 408, 413, 429, 431, 502, 503, 504),
        _MESSAGES_ERROR if "messages" in path else _OPENAI_ERROR,
    )
    return {
        "responses": {**errors, "default": {"description": "The model server's answer, which holds no generated text."}}
    }


def _errors(settings: Settings | None, which: Iterable[int], schema: Schema = _OPENAI_ERROR) -> dict[str, Schema]:
    responses = {status: _REFUSED[status] for status in which}
    if settings is not None and settings.keys:
        responses |= _UNKNOWN_KEY
    return {str(status): _json(schema, what) for status, what in sorted(responses.items())}


def _json(schema: Schema, what: str) -> Schema:
    return {"description": what, "content": {"application/json": {"schema": schema}}}
