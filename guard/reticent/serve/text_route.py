"""Redacts texts that clients send: `POST /v1/redact`.

    {"text": "Call Jane at 555-867-5309.", "user": "Who is Jane?"}
    {"object": "redacted_text", "text": "Call Jane at <PHONE_NUMBER>."}

The text is judged without a model and without a detector, as `TextGuard` does it: what the user typed passes, values of
the records are stopped, and all others are of unknown origin (`Policy.for_texts`). Nothing is sent to the upstream.

Whoever may redact any text can try values out, and see which ones a records index or a deny list holds. So where there
is one, a key needs the permission `redact`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict, ValidationError

from reticent.observability.answer_spans import open_spans
from reticent.observability.observers import Observation, Outcome, Route, TimedStage, WireStage, notify
from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import Policy
from reticent.serve.judging.choice import EMPTY
from reticent.serve.judging.open_text import OpenText
from reticent.serve.options import Permission
from reticent.serve.transport.client import JSON, Client
from reticent.serve.transport.judge_calls import JudgeCalls
from reticent.serve.transport.judging import JudgeHangs, NoJudge
from reticent.serve.transport.notification import AnswerTimes
from reticent.serve.transport.read_request import off_loop, read_aside, until_disconnect
from reticent.serve.wire import errors
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.sse import FrameError, parse_json, to_json
from reticent_detectors.errors import Blocked

if TYPE_CHECKING:
    from reticent.core.report import Report
    from reticent.serve.proxy import Caller, Proxy

PATH = "/v1/redact"


class _Control(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)
    policy: str = ""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, hide_input_in_errors=True)
    text: str
    user: str = ""
    context: str = ""
    reticent: _Control | None = None


class TextRoute:
    """Redacts texts under the policies of a proxy.

    Args:
        proxy: what all requests share.
    """

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        self._policies: dict[int, Policy] = {}
        self._finders = FinderCache()

    def __repr__(self) -> str:
        return "TextRoute()"

    async def answer(self, client: Client, caller: Caller, headers: Iterable[tuple[bytes, bytes]]) -> None:
        """Answers one request. Raises ApiError, ClientGone."""
        proxy = self._proxy
        try:
            raw = await read_aside(client, headers, caller.allowed, proxy.settings)
            body = await off_loop(len(raw), partial(self._body, raw))
            policy = self._policy(caller, body.reticent.policy if body.reticent is not None else "")
        except ApiError:
            proxy.metrics.failed(WireStage.REQUEST)
            raise
        await until_disconnect(client, self._judged(client, caller, policy, body))

    def _body(self, raw: bytes) -> _Body:
        try:
            body = _Body.model_validate(parse_json(raw)[0])
        except FrameError:
            raise ApiError(400, "The request's body is no JSON.", code="invalid_json") from None
        except ValidationError as error:
            field = ".".join(str(part) for part in error.errors(include_input=False, include_url=False)[0]["loc"])
            raise ApiError(
                400,
                "Expected an object with a 'text', and if need be 'user', 'context' and 'reticent': all texts, but for "
                "'reticent', an object with the name of a 'policy'.",
                code="invalid_value",
                param=field if field in _FIELDS else None,
            ) from None
        limits = self._proxy.settings.limits
        if len(body.text) > limits.call_chars:
            raise ApiError(
                413,
                f"A text may have {limits.call_chars} characters; send it in parts.",
                code="too_large",
                param="text",
            )
        if len(body.text) + len(body.user) + len(body.context) > limits.prompt_chars:
            raise ApiError(413, f"The texts may have {limits.prompt_chars} characters.", code="too_large")
        return body

    def _policy(self, caller: Caller, name: str) -> Policy:
        """Gives the policy for a text. Raises ApiError for one that may not be chosen or whose lists would show."""
        own, records = caller.policy_of(name), self._proxy.records
        if (records is not None or own.deny_list) and Permission.REDACT not in caller.allowed:
            raise ApiError(
                403,
                "Redacting texts would show which values the operator's records or deny list hold, so it needs the "
                "permission 'redact' (allow: [redact] in the operator's settings).",
                code="not_allowed",
            )
        if id(own) not in self._policies:
            self._policies[id(own)] = own.for_texts(recorded=records is not None)
        return self._policies[id(own)]

    async def _judged(self, client: Client, caller: Caller, policy: Policy, body: _Body) -> None:
        proxy, limits = self._proxy, self._proxy.settings.limits
        times, report, outcome = AnswerTimes(), EMPTY, Outcome.FAILED
        observers = (*proxy.observers, *open_spans())
        calls = JudgeCalls(proxy.judges, limits, times, id(caller) if proxy.settings.keys else None)

        def judge() -> bytes:
            nonlocal report, outcome
            finder = self._finders.of(policy)
            opened = OpenText(policy, finder, proxy.records, limits.bounds, body.user, body.context)
            try:
                shown = opened.whole(body.text)
            finally:
                report = opened.report
            outcome = Outcome.of(report)
            return to_json({"object": "redacted_text", "text": shown})

        async def no_sign() -> float:
            return limits.keep_alive_seconds

        try:
            shown = await calls.run(judge, no_sign, lambda: proxy.metrics.failed(WireStage.JUDGE))
        except Blocked:
            outcome = Outcome.BLOCKED
            raise errors.blocked() from None
        except (JudgeHangs, NoJudge):
            proxy.metrics.failed(WireStage.JUDGE)
            report = EMPTY
            raise errors.withheld() from None
        finally:
            notify(observers, _observation(policy, report, outcome, times, client.request_id))
        await client.respond(200, [JSON], shown)


_FIELDS = frozenset(_Body.model_fields)


def _observation(policy: Policy, report: Report, outcome: Outcome, times: AnswerTimes, request_id: str) -> Observation:
    return Observation.under(
        policy,
        report,
        request_id=request_id,
        choice=0,
        outcome=outcome,
        stage_seconds={TimedStage.FIND: times.judging, TimedStage.WAIT: times.waiting},
        route=Route.REDACT,
        bundle="",
    )
