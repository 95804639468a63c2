"""Defines the routes. Those with answers are guarded, a few without generated text pass, all others are refused.

A route for GET also takes HEAD. Other methods, OPTIONS included, are refused with 405, so pages of other origins (CORS)
are not served.

A route is chosen by its decoded path. With a doubled or trailing slash, or with dots, it is another one. The upstream
always gets the route's own path, never the client's.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

from reticent.observability.observers import WireStage
from reticent.serve.access_log import EVERY_OTHER, METHODS, AccessLog
from reticent.serve.admin import ROUTES, add_admin, admin_paths
from reticent.serve.api.api_format import ApiFormat, ChoicesFormat
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.api.messages.api_format import MessagesFormat
from reticent.serve.api.responses.api_format import ResponsesFormat
from reticent.serve.authentication import WITHOUT_KEY, AuthMiddleware
from reticent.serve.canary import Canary, canary_of, check_question, hosted_canary_of
from reticent.serve.followed_suppressions import follow
from reticent.serve.openapi import describe_api
from reticent.serve.options import Permission
from reticent.serve.playground.routes import add_playground
from reticent.serve.proxy import LocalModel, Proxy
from reticent.serve.readiness import OK, Readiness
from reticent.serve.reloading import Reloads, refuse_other_model
from reticent.serve.snapshot import VERSION_HEADER, Caller, Snapshot, SnapshotInputs
from reticent.serve.transport.client import JSON, Client, ClientGone, Receive, Scope, Send
from reticent.serve.transport.failure_line import STATUS, warn_of_failure
from reticent.serve.transport.read_request import read_aside
from reticent.serve.transport.request_id import SCOPE_KEY
from reticent.serve.transport.upstream import Upstream, WireFault, read_body
from reticent.serve.verdicts.contract import Contract
from reticent.serve.verdicts.contracts import CONTRACTS
from reticent.serve.verdicts.text_judge import TextJudge
from reticent.serve.wire import errors
from reticent.serve.wire.error_formats import error_format_for
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.sse import to_json

HOSTED: tuple[ChoicesFormat, ...] = (ChatFormat(), CompletionsFormat())
"""Formats of the routes that a model in this process answers."""
GUARDED: tuple[ApiFormat, ...] = (*HOSTED, ResponsesFormat(), MessagesFormat())
PASSED = (
    ("GET", "/v1/models"),
    ("GET", "/health"),
    ("GET", "/version"),
    ("POST", "/tokenize"),
    ("POST", "/detokenize"),
    ("POST", "/v1/embeddings"),
    ("POST", "/v1/messages/count_tokens"),
)
"""Routes without generated text."""
_ASKS_HEALTH = re.compile(r"(?:/v1)?/(?:health|live|ready|ping|status)\w*(?:/\w+)?", re.I)
"""What other servers call these routes."""
_MODEL = re.compile(r"[A-Za-z0-9][\w.:@+-]*(?:/[A-Za-z0-9][\w.:@+-]*){0,3}")
_NO_TELEMETRY: Any = {"tracing": False, "metrics": False, "logs": False, "auto_configure": False}
"""FastAPI's own spans have paths, queries and addresses of clients. Versions before 0.165 make none."""
_READ = ["GET", "HEAD"]
"""Methods without a body. The server in front of the application leaves out the answer's body for HEAD."""
_LOGGER = logging.getLogger(__name__)


def find_canary(proxy: Proxy) -> Canary | None:
    """Makes the canary of a proxy's settings. Raises InputError for one that cannot be asked."""
    return (
        canary_of(proxy, GUARDED) if proxy.local_model is None else hosted_canary_of(proxy, proxy.local_model, HOSTED)
    )


def check_canary(snapshot: Snapshot, local_model: LocalModel | None) -> None:
    """Raises InputError if the canary of the settings could not be asked under a snapshot."""
    if (canary := snapshot.settings.canary) is None:
        return
    if local_model is None:
        check_question(snapshot, canary, GUARDED)
    else:
        check_question(snapshot, canary, HOSTED, local_model.check)


def prepared(proxy: Proxy, inputs: SnapshotInputs) -> Snapshot:
    """Makes a snapshot that the proxy and its canary can go on with. Raises ReticentError if there is none."""
    refuse_other_model(proxy, inputs)
    snapshot = proxy.prepare(inputs)
    check_canary(snapshot, proxy.local_model)
    return snapshot


def create_app(proxy: Proxy, in_process: bool = False, reloads: Reloads | None = None) -> FastAPI:
    """Makes the ASGI application around a proxy.

    Args:
        proxy: what all requests share.
        in_process: whether another application's server listens, so that `settings.host` says nothing of its clients.
        reloads: reloads for an administrator. None: there are no routes for one.
    """

    canary = find_canary(proxy)
    readiness = Readiness(proxy.upstream, canary, proxy.metrics.ready)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        try:
            async with readiness.watched(), follow(proxy.suppressions):
                yield
        finally:
            await proxy.aclose()

    app = FastAPI(
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,  # no route but ours
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,
    )
    app.state.readiness = readiness  # for a carrier with a lifespan of its own
    app.add_middleware(AuthMiddleware, proxy=proxy, in_process=in_process)
    app.add_middleware(AccessLog, client_seconds=proxy.settings.limits.client_seconds)  # around all others
    guarded: Sequence[ApiFormat] = GUARDED if proxy.local_model is None else HOSTED
    passed = PASSED if proxy.local_model is None else ()
    refused = _closed_endpoint(guarded, (*passed, *(ROUTES if reloads is not None else ())))

    async def no_route(request: Request, _: Exception) -> Response:
        return await refused(request)

    app.add_exception_handler(HTTPException, no_route)
    if (upstream := proxy.upstream) is not None:
        for api_format in GUARDED:
            app.add_api_route(
                api_format.path, _guarded_endpoint(proxy, upstream, api_format), methods=["POST"], response_model=None
            )
        for method, path in PASSED:
            endpoint = _passed_endpoint(proxy, upstream, method, path)
            app.add_api_route(path, endpoint, methods=_methods_with_head(method), response_model=None)
        app.add_api_route(
            "/v1/models/{name:path}", _model_endpoint(proxy, upstream, refused), methods=_READ, response_model=None
        )
    if (local_model := proxy.local_model) is not None:
        for api_format in HOSTED:
            app.add_api_route(
                api_format.path, _hosted_endpoint(proxy, local_model, api_format), methods=["POST"], response_model=None
            )
        app.add_api_route("/v1/models", _models_endpoint(local_model), methods=_READ, response_model=None)
        if proxy.settings.serves_playground:
            add_playground(app, proxy, local_model, partial(_Answer, proxy))
    _add_texts(app, proxy)
    if reloads is not None:
        add_admin(app, proxy, reloads)
    schema = _openapi_endpoint(proxy, guarded, passed, administered=reloads is not None)
    app.add_api_route("/openapi.json", schema, methods=_READ, response_model=None)
    app.add_api_route("/healthz", _alive, methods=_READ, response_model=None)
    app.add_api_route("/readyz", _readiness_endpoint(readiness), methods=_READ, response_model=None)
    app.add_api_route(EVERY_OTHER, refused, methods=list(METHODS), response_model=None)
    return app


def _add_texts(app: FastAPI, proxy: Proxy) -> None:
    """Adds the routes that judge texts of clients, one for each contract."""
    texts = TextJudge(proxy)
    for contract in CONTRACTS:
        app.add_api_route(contract.path, _text_endpoint(proxy, texts, contract), methods=["POST"], response_model=None)


class _Answer(Response):
    """Responds by a function that gets the client."""

    def __init__(self, proxy: Proxy, make: Callable[[Client], Awaitable[None]]) -> None:
        super().__init__()
        self._proxy, self._make = proxy, make

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        seconds, request_id = self._proxy.settings.limits.client_seconds, scope[SCOPE_KEY]
        caller: Caller = scope["reticent.caller"]
        marked = [(VERSION_HEADER, caller.snapshot.version.encode())]
        client = Client(receive, send, seconds, error_format_for(scope["path"]), request_id, marked)
        try:
            try:
                size_bytes = await self._proxy.take_body(client)
                async with self._proxy.slot(caller, size_bytes):
                    await self._make(client)
            except ApiError as api_error:
                if not client.started:
                    await client.send_error(api_error)
        except ClientGone:
            return
        except Exception as error:  # its text may hold anything
            name = type(error).__name__
            _LOGGER.error("a request failed with %s; nothing of its answer was shown; request=%s", name, request_id)
            self._proxy.metrics.failed(WireStage.REQUEST)
            if not client.started:
                await client.send_error(errors.unreadable())


def _guarded_endpoint(
    proxy: Proxy, upstream: Upstream, api_format: ApiFormat
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        caller = request.scope["reticent.caller"]

        async def make(client: Client) -> None:
            await proxy.exchange(client, upstream, api_format, caller, request.scope["headers"]).run()

        return _Answer(proxy, make)

    return endpoint


def _hosted_endpoint(
    proxy: Proxy, local_model: LocalModel, api_format: ChoicesFormat
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        scope = request.scope

        async def make(client: Client) -> None:
            await local_model.exchange(client, api_format, scope["reticent.caller"], scope["headers"], proxy).run()

        return _Answer(proxy, make)

    return endpoint


def _text_endpoint(proxy: Proxy, texts: TextJudge, contract: Contract) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        scope = request.scope

        async def make(client: Client) -> None:
            await texts.answer(contract, client, scope["reticent.caller"], scope["headers"])

        return _Answer(proxy, make)

    return endpoint


def _models_endpoint(local_model: LocalModel) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        model = {"id": local_model.name, "object": "model", "created": 0, "owned_by": "reticent"}
        return Response(to_json({"object": "list", "data": [model]}), headers=_headers())

    return endpoint


def _passed_endpoint(
    proxy: Proxy, upstream: Upstream, method: str, path: str
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        return _forward(proxy, upstream, request, method, path, path)

    return endpoint


def _model_endpoint(
    proxy: Proxy, upstream: Upstream, refused: Callable[[Request], Awaitable[Response]]
) -> Callable[[Request, str], Awaitable[Response]]:
    async def endpoint(request: Request, name: str) -> Response:
        if not _MODEL.fullmatch(name):
            return await refused(request)
        return _forward(proxy, upstream, request, "GET", f"/v1/models/{name}", "/v1/models/{name}")

    return endpoint


def _forward(proxy: Proxy, upstream: Upstream, request: Request, method: str, path: str, route: str) -> Response:
    """Makes a response without generated text, as the upstream gives it. `route` is how logs name the path."""
    limits = proxy.settings.limits

    async def make(client: Client) -> None:
        status: int | None = None

        def fault_of(stage: WireStage, api_error: ApiError) -> ApiError:
            proxy.metrics.failed(stage)
            warn_of_failure(stage, api_error.code, status, route, client.request_id)
            return api_error

        headers = request.scope["headers"]
        try:
            allowed = request.scope["reticent.caller"].allowed
            reads = method == "POST"
            content = await (
                read_aside(client, headers, allowed, proxy.settings) if reads else client.body(limits.body_bytes)
            )
        except ApiError:
            proxy.metrics.failed(WireStage.REQUEST)
            raise
        try:
            async with asyncio.timeout(limits.stream_seconds):
                async with upstream.send(method, path, headers, content, client.request_id) as response:
                    status = response.status_code
                    body = await read_body(response, limits.answer_bytes)
        except TimeoutError:
            raise fault_of(WireStage.UPSTREAM, errors.too_slow()) from None
        except WireFault as fault:
            raise fault_of(fault.stage, fault.api_error) from None
        kind = response.headers.get("content-type", "")
        if status == 200 and kind.partition(";")[0].strip() == "text/event-stream":
            raise fault_of(WireStage.FRAME, errors.unreadable())
        if status >= 400:
            warn_of_failure(WireStage.UPSTREAM, STATUS, status, route, client.request_id)
        shown = [(b"content-type", kind.encode("latin-1"))] if kind.isascii() and kind else []
        await client.respond(response.status_code, shown, body)

    return _Answer(proxy, make)


def _openapi_endpoint(
    proxy: Proxy, guarded: Sequence[ApiFormat], passed: Sequence[tuple[str, str]], administered: bool
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        caller = request.scope["reticent.caller"]
        schema = describe_api(guarded, passed, proxy, caller)
        if administered and Permission.ADMIN in caller.allowed:
            schema["paths"] |= admin_paths()
        return Response(to_json(schema), headers=_headers())

    return endpoint


async def _alive(request: Request) -> Response:
    return Response(b'{"status":"ok"}', headers=_headers())


def _readiness_endpoint(readiness: Readiness) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        parts = await readiness.parts()
        ready = all(state == OK for state in parts.values())
        body = {"status": "ready" if ready else "not ready", "parts": parts}
        return Response(to_json(body), 200 if ready else 503, headers=_headers())

    return endpoint


def _closed_endpoint(
    guarded: Collection[ApiFormat], passed: Iterable[tuple[str, str]]
) -> Callable[[Request], Awaitable[Response]]:
    """Answers for every other route, and for an open route with another method."""
    paths = ", POST ".join(api_format.path for api_format in guarded)
    why = f"This route is not guarded, so it is closed. Guarded are POST {paths}."
    closed = ApiError(403, why, code="route_closed")
    asks_health = ApiError(
        403, f"{why} GET /healthz says whether this server lives, GET /readyz whether it is ready.", code="route_closed"
    )
    methods = dict.fromkeys((*WITHOUT_KEY, "/v1/models", "/openapi.json"), _READ)
    methods |= {contract.path: ["POST"] for contract in CONTRACTS}
    methods |= {path: _methods_with_head(method) for method, path in passed} | {each.path: ["POST"] for each in guarded}

    async def endpoint(request: Request) -> Response:
        path = request.scope["path"]
        api_error = asks_health if _ASKS_HEALTH.fullmatch(path) else closed
        if path in methods:
            allowed = ", ".join(methods[path])
            api_error = ApiError(
                405, f"This route takes {allowed}.", code="method_not_allowed", headers={"allow": allowed}
            )
        return Response(
            error_format_for(path).body(api_error), api_error.status, headers=_headers() | api_error.headers
        )

    return endpoint


def _methods_with_head(method: str) -> list[str]:
    return _READ if method == "GET" else [method]


def _headers() -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in (JSON,)}
