"""Answers an administrator: what is served, and reloads.

`GET /admin/config` shows names, digests, settings and counts, never a key, a listed or a recorded value. Both routes
need a key with the permission `admin`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict, fields, is_dataclass
from enum import StrEnum
from typing import Any

from fastapi import FastAPI, Request, Response

from reticent.observability.reload_metrics import ReloadOutcome
from reticent.policy.policy import DEFAULT, Policy
from reticent.policy.thresholds import thresholds
from reticent.records.index import RecordsIndex
from reticent.serve.options import Permission
from reticent.serve.proxy import Proxy
from reticent.serve.reloading import ParentGone, Reloads
from reticent.serve.snapshot import VERSION_HEADER, Caller, Snapshot
from reticent.serve.transport.client import JSON
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.sse import to_json

CONFIG, RELOAD = "/admin/config", "/admin/reload"
ROUTES = (("GET", CONFIG), ("POST", RELOAD))
_COUNTED = frozenset({"allow_list", "deny_list", "allow_subjects"})
_HIDDEN = frozenset({"list_key", "recognizers", "block_text"})
_STATUS = {
    ReloadOutcome.RELOADED: 200,
    ReloadOutcome.UNCHANGED: 200,
    ReloadOutcome.NEEDS_RESTART: 409,
    ReloadOutcome.INVALID: 422,
    ReloadOutcome.FAILED: 503,
}


def add_admin(app: FastAPI, proxy: Proxy, reloads: Reloads) -> None:
    """Adds the routes to an application."""
    # Not asyncio's threads: reloads that wait would keep bodies from being read.
    thread = ThreadPoolExecutor(1, thread_name_prefix="admin")
    config, reload = _config_endpoint(proxy, reloads, thread), _reload_endpoint(reloads, thread)
    app.add_api_route(CONFIG, config, methods=["GET", "HEAD"], response_model=None)
    app.add_api_route(RELOAD, reload, methods=["POST"], response_model=None)


def _config_endpoint(proxy: Proxy, reloads: Reloads, thread: Executor) -> Callable[[Request], Awaitable[Response]]:
    def answer() -> tuple[int, dict[str, Any]]:
        snapshot, since = proxy.snapshot, proxy.since
        states = [asdict(each) for each in reloads.workers()]
        return 200, {**describe_snapshot(snapshot), "since": round(since, 3), "workers": states}

    return _for_admins(answer, thread)


def _reload_endpoint(reloads: Reloads, thread: Executor) -> Callable[[Request], Awaitable[Response]]:
    def answer() -> tuple[int, dict[str, Any]]:
        result = reloads.reload()
        return _STATUS[result.outcome], {"object": "reload", **asdict(result)}

    return _for_admins(answer, thread)


def _for_admins(
    answer: Callable[[], tuple[int, dict[str, Any]]], thread: Executor
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        caller: Caller = request.scope["reticent.caller"]
        marked = (JSON, (VERSION_HEADER, caller.snapshot.version.encode()))
        headers = {**{name.decode(): value.decode() for name, value in marked}, "cache-control": "no-store"}
        try:
            if Permission.ADMIN not in caller.allowed:
                raise ApiError(403, "This route needs a key with the permission 'admin'.", code="not_allowed")
            try:
                status, body = await asyncio.get_running_loop().run_in_executor(thread, answer)
            except ParentGone as error:
                raise ApiError(503, str(error), code="cannot_reload") from None
        except ApiError as refused:
            return Response(refused.body(), refused.status, headers=headers)
        return Response(to_json(body), status, headers=headers)

    return endpoint


def describe_snapshot(snapshot: Snapshot) -> dict[str, Any]:
    """Describes what is served: digests, settings and counts, without keys and values."""
    settings, records = snapshot.settings, snapshot.records
    return {
        "object": "config",
        "version": snapshot.version,
        "policies": {name: describe_policy(policy) for name, policy in snapshot.policies.items()},
        "keys": [
            {"policy": key.policy, "may_choose": sorted(key.may_choose), "allow": sorted(key.allow)}
            for key in settings.keys
        ],
        "records": None if records is None else _describe_records(records),
        "bundles": [
            {
                "name": path.name,
                "digest": bundle.digest,
                "tier": bundle.tier,
                "universal": bundle.universal,
                "host": bundle.manifest["host"]["fingerprint"],
                "prevalence": bundle.calibration.prevalence,
                "thresholds": _apart(thresholds(bundle)),
            }
            for path, bundle in snapshot.loaded_bundles.items()
        ],
        "models": snapshot.bundles,
        "watch_seconds": settings.watch_seconds,
    }


def _describe_records(records: RecordsIndex) -> dict[str, Any]:
    kinds = dict(records.counts)
    return {"digest": records.digest, "values": len(records), "forms": records.form_count, "kinds": kinds}


def describe_policy(policy: Policy) -> dict[str, Any]:
    """Describes a policy: its digest and settings, of lists their lengths, of its own recognisers their kinds."""
    shown = {
        each.name: _plain(getattr(policy, each.name))
        for each in fields(policy)
        if each.name not in _COUNTED and each.name not in _HIDDEN
    }
    shown["thresholds"] = _apart(policy.thresholds)
    counted = {name: len(getattr(policy, name)) for name in sorted(_COUNTED)}
    kinds = sorted({each.entity for each in policy.recognizers})
    return {"digest": policy.digest_hex, "settings": shown, "counts": counted, "recognizers": kinds}


def _apart(by_kind: Mapping[str, float]) -> dict[str, float]:
    """Gives the thresholds without those that are the one of all other kinds."""
    rest = by_kind.get(DEFAULT)
    return {kind: round(value, 6) for kind, value in by_kind.items() if kind == DEFAULT or value != rest}


def _plain(value: Any) -> Any:
    if isinstance(value, StrEnum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    if hasattr(value, "items"):
        return {str(key): _plain(inner) for key, inner in value.items()}
    return value


def admin_paths() -> dict[str, Any]:
    """Describes the routes as OpenAPI."""
    text, number = {"type": "string"}, {"type": "number"}
    worker = {"type": "object", "properties": {"process": {"type": "integer"}, "version": text, "since": number}}
    config = {
        "type": "object",
        "required": ["object", "version", "since", "policies", "keys", "records", "bundles", "workers"],
        "properties": {
            "object": {"const": "config"},
            "version": text,
            "since": number,
            "policies": {"type": "object"},
            "keys": {"type": "array"},
            "records": {"type": ["object", "null"]},
            "bundles": {"type": "array"},
            "workers": {"type": "array", "items": worker},
        },
    }
    result = {
        "type": "object",
        "required": ["object", "outcome", "version", "problem", "needs_restart"],
        "properties": {
            "object": {"const": "reload"},
            "outcome": {"enum": [each.value for each in ReloadOutcome]},
            "version": text,
            "problem": text,
            "needs_restart": {"type": "array", "items": text},
        },
    }
    said = {
        200: "What was read is served by all workers.",
        409: "A setting differs that needs a restart; the old ones are still served.",
        422: "Something cannot be used; the old settings are still served.",
        503: "A worker could not take it up, or nobody can reload any more; the old settings are still served.",
    }
    refused = {"401": {"description": "A known API key is needed."}, "403": {"description": "It needs `admin`."}}

    def described(schema: dict[str, Any], what: str) -> dict[str, Any]:
        return {"description": what, "content": {"application/json": {"schema": schema}}}

    answers = {str(status): described(result, what) for status, what in said.items()}
    return {
        CONFIG: {"get": {"responses": {"200": described(config, "What is served."), **refused}}},
        RELOAD: {"post": {"responses": {**answers, **refused}}},
    }
