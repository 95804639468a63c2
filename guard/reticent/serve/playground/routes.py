"""Adds the routes of the page: its files, what there is to choose, and one route for each half.

The guarded half is the guarded route of the API format, with the answer's details behind it. The unguarded half lets
every value pass; where it is off, its route answers 404. A page of another host may not ask: a request has to name this
server as its host, and a browser has to say that it comes from here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial

from fastapi import FastAPI, Request, Response

from reticent._version import __version__
from reticent.observability.decision_sentences import ORIGINS
from reticent.policy.policy import Policy
from reticent.policy.presets import PRESETS
from reticent.serve.api.api_format import ChoicesFormat
from reticent.serve.api.chat import ChatFormat
from reticent.serve.api.completions import CompletionsFormat
from reticent.serve.playground.pages import HEADERS, read_pages
from reticent.serve.playground.policy_outcomes import describe_policy
from reticent.serve.playground.prompts import read_prompts
from reticent.serve.playground.span_details import AnswerDetails
from reticent.serve.proxy import LocalModel, Proxy
from reticent.serve.same_machine import asked_name, is_address, is_other_origin
from reticent.serve.settings import Settings, is_loopback
from reticent.serve.snapshot import Caller
from reticent.serve.transport.client import JSON, Client
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.sse import to_json

PATH = "/playground"
_MODES: Mapping[str, ChoicesFormat] = {"chat": ChatFormat(), "text": CompletionsFormat()}
_READ = ["GET", "HEAD"]
_MOST_TOKENS = 128
"""Most tokens of an answer on the page."""

Respond = Callable[[Callable[[Client], Awaitable[None]]], Response]
"""Makes a response of a function that gets the client."""


def add_playground(app: FastAPI, proxy: Proxy, local_model: LocalModel, respond: Respond) -> None:
    """Adds the routes. Raises InputError for prompts that cannot be read."""
    settings, page = proxy.settings, _Playground(proxy, local_model)
    for name, (kind, content) in read_pages().items():
        path = PATH if name == "index.html" else f"{PATH}/{name}"
        app.add_api_route(
            path, _file_endpoint(settings, kind, partial(bytes, content)), methods=_READ, response_model=None
        )
    about = _file_endpoint(settings, JSON[1].decode(), lambda: to_json(page.about()))
    app.add_api_route(f"{PATH}/about.json", about, methods=_READ, response_model=None)
    for mode, api_format in _MODES.items():
        guarded = page.endpoint(api_format, True, respond)
        app.add_api_route(f"{PATH}/guarded/{mode}", guarded, methods=["POST"], response_model=None)
        unguarded = page.endpoint(api_format, False, respond)
        app.add_api_route(f"{PATH}/unguarded/{mode}", unguarded, methods=["POST"], response_model=None)


class _Playground:
    """Holds what the page may choose.

    With the unguarded half it offers every preset and base. Else it offers what a request without a key may choose.
    """

    def __init__(self, proxy: Proxy, local_model: LocalModel) -> None:
        self._proxy, self._local_model, self._settings = proxy, local_model, proxy.settings
        self._free = self._settings.playground.unguarded
        self._presets = {name: Policy.preset(name) for name in PRESETS} if self._free else {}
        self._bases = local_model.bases if self._free else local_model.bases[:1]
        self._everything = Policy.allow_all()
        self._prompts = read_prompts(self._settings.playground.prompts)

    def caller(self, guards: bool) -> Caller | None:
        """Gives the caller of a half, under what is served now. None: the half is off."""
        own = self._proxy.caller([])
        if not guards:
            return Caller(own.snapshot, self._everything) if self._free else None
        settings = own.snapshot.settings
        return Caller(own.snapshot, own.policy, choices={**self._presets, settings.policy: own.policy, **own.choices})

    def about(self) -> dict[str, object]:
        """Gives what the page shows before anything was asked."""
        guarded = self.caller(guards=True)
        assert guarded is not None
        return {
            "version": __version__,
            "model": self._local_model.name,
            "about": self._local_model.about,
            "note": self._settings.playground.note,
            "context": self._settings.playground.context,
            "policies": [
                {"name": name, **describe_policy(policy, self._local_model.tier, self._preset(name))}
                for name, policy in guarded.choices.items()
            ],
            "bases": list(self._bases),
            "unguarded": self._free,
            "reads_layers": self._local_model.reads_layers,
            "most_tokens": _MOST_TOKENS,
            "prompts": self._prompts,
            "origins": {str(origin): what for origin, what in ORIGINS.items()},
        }

    def _preset(self, name: str) -> str:
        """Gives the name again if it is that of a preset, and not of a policy of the operator's."""
        return name if name in PRESETS and name not in self._proxy.settings.policies else ""

    def endpoint(
        self, api_format: ChoicesFormat, guards: bool, respond: Respond
    ) -> Callable[[Request], Awaitable[Response]]:
        """Makes the endpoint of a half."""

        async def endpoint(request: Request) -> Response:
            caller = self.caller(guards)

            async def make(client: Client) -> None:
                check_host(request, self._settings)
                check_origin(request)
                if caller is None:
                    raise ApiError(
                        404, "The unguarded half is off here: see playground.unguarded.", code="unguarded_off"
                    )
                base = request.query_params.get("base", self._bases[0])
                if base not in self._bases:
                    raise ApiError(
                        403, "There is no such base here; /playground/about.json names them.", code="not_allowed"
                    )
                watch = AnswerDetails(base, self._local_model.reads_layers, guards=guards)
                await self._local_model.exchange(
                    client, api_format, caller, request.scope["headers"], self._proxy, watch=watch
                ).run()

            return respond(make)

        return endpoint


def check_host(request: Request, settings: Settings) -> None:
    """Raises ApiError where the server is asked by a name, which somebody else may have made to lead here.

    Addresses are no names. On loopback this machine's own are wanted.
    """
    name = asked_name(request.headers.raw)
    if not (is_loopback(name) or (is_address(name) and not is_loopback(settings.host))):
        raise ApiError(
            403, f"Open {PATH} by this machine's address, such as http://127.0.0.1:PORT{PATH}.", code="other_host"
        )


def check_origin(request: Request) -> None:
    """Raises ApiError for a request that the page of another host sent."""
    if is_other_origin(request.headers.raw):
        raise ApiError(403, "Another page may not ask here.", code="other_origin")


def _file_endpoint(
    settings: Settings, kind: str, content: Callable[[], bytes]
) -> Callable[[Request], Awaitable[Response]]:
    async def endpoint(request: Request) -> Response:
        try:
            check_host(request, settings)
        except ApiError as api_error:
            return Response(api_error.body(), api_error.status, headers={"content-type": JSON[1].decode()})
        return Response(content(), headers={**HEADERS, "content-type": kind})

    return endpoint
