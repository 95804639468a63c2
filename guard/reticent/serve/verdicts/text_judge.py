"""Judges texts that clients send, under the policies of a proxy, and answers by a contract.

A text alone does not show whether a model remembered a value. So without more, what the user typed passes, values of
the records are stopped, and all others are of unknown origin (`Policy.for_texts`). With the text's log-probabilities
the detector judges as it does before a server. Nothing is sent to the upstream, unless the detector asks a base there.
The header `reticent-basis` says what the answer rests on.

Whoever may have any text judged can try values out, and see which ones a records index or a deny list holds. So where
there is one, a key needs the permission `redact`. Whoever tells log-probabilities could make them up, and let any value
pass as made up. So a key needs the permission `evidence` for them.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from reticent.core.read_prompts import ReadPrompts
from reticent.core.report import Report
from reticent.observability.answer_spans import open_spans
from reticent.observability.observers import Observation, Observer, Outcome, TimedStage, WireStage, notify
from reticent.policy.policy import Policy
from reticent.policy.verdict import Tier
from reticent.prompt.segments import PromptView
from reticent.serve.judging.choice import EMPTY
from reticent.serve.judging.detector_protocols import Detector
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.open_text import JudgedText, OpenText, TextTokens, text_view
from reticent.serve.judging.token_alignment import ReceivedTokens
from reticent.serve.judging.tool_calls import ToolCall
from reticent.serve.options import Permission
from reticent.serve.snapshot import Caller, Snapshot
from reticent.serve.transport.client import JSON, Client
from reticent.serve.transport.judge_calls import JudgeCalls
from reticent.serve.transport.judging import JudgeHangs, NoJudge
from reticent.serve.transport.notification import AnswerTimes
from reticent.serve.transport.read_request import read_object, until_disconnect
from reticent.serve.verdicts.contract import AskedTexts, Contract, Judged
from reticent.serve.wire import errors
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import FrameError, to_json
from reticent.suppressions.active import SuppressionList

if TYPE_CHECKING:
    from reticent.serve.proxy import Proxy

BASIS = "reticent-basis"
"""Name of the header that says what an answer rests on, a `Tier`."""


@dataclass(slots=True)
class _Judging:
    """Holds what a request is judged by, and the reports so far.

    Tool calls have no log-probabilities, and so a policy of their own. All have one prompt, which is read once.
    """

    snapshot: Snapshot
    view: PromptView
    policy: Policy
    calls_policy: Policy
    detector: Detector | None
    tokens: tuple[TextTokens | None, ...]
    suppressions: SuppressionList | None
    prompts: ReadPrompts = field(default_factory=ReadPrompts)
    reports: list[Report] = field(default_factory=list)


class TextJudge:
    """Judges texts under the policies of a proxy.

    Args:
        proxy: what all requests share.
    """

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy
        self._secret = secrets.token_bytes(32)

    def __repr__(self) -> str:
        return "TextJudge()"

    async def answer(
        self, contract: Contract, client: Client, caller: Caller, headers: Iterable[tuple[bytes, bytes]]
    ) -> None:
        """Answers one request. Raises ApiError, ClientGone."""
        proxy = self._proxy
        read = partial(self._read, contract, caller, dict(headers))
        try:
            asked, judging = await read_object(client, headers, proxy.settings, read)
        except ApiError:
            proxy.metrics.failed(WireStage.REQUEST)
            raise
        await until_disconnect(client, self._judged(contract, client, caller, judging, asked))

    def _read(
        self, contract: Contract, caller: Caller, headers: Mapping[bytes, bytes], body: dict[str, Any]
    ) -> tuple[AskedTexts, _Judging]:
        """Reads a request, and gives what it is judged by. Raises ApiError."""
        asked = contract.read(body, headers)
        self._check_bounds(asked)
        return asked, self._judging(caller, asked, contract.refused)

    def _check_bounds(self, asked: AskedTexts) -> None:
        limits, extras = self._proxy.settings.limits, asked.extras
        texts = [*asked.texts, *(name + arguments for name, arguments in asked.calls)]
        if len(texts) > limits.channels:
            raise ApiError(413, f"A request may have {limits.channels} texts; send fewer.", code="too_large")
        if any(len(text) > limits.call_chars for text in texts):
            message = f"A text may have {limits.call_chars} characters; send it in parts."
            raise ApiError(413, message, code="too_large", param="text")
        if sum(map(len, texts)) + len(extras.user) + len(extras.context) > limits.prompt_chars:
            raise ApiError(413, f"The texts may have {limits.prompt_chars} characters.", code="too_large")

    def _judging(self, caller: Caller, asked: AskedTexts, refused: int) -> _Judging:
        """Gives what a request is judged by. Raises ApiError for what may not be chosen, shown or told."""
        own, snapshot = caller.policy_of(asked.extras.policy), caller.snapshot
        shows = snapshot.records is not None or snapshot.suppressions is not None or bool(own.deny_list)
        if shows and Permission.REDACT not in caller.allowed:
            raise ApiError(
                403,
                "Judging texts would show which values the operator's records, suppressions or deny list hold, so it "
                "needs the permission 'redact' (allow: [redact] in the operator's settings).",
                code="not_allowed",
            )
        view = text_view(asked.extras.user, asked.extras.context)
        detector, tokens = self._told_tokens(caller, asked, view, refused)
        suppressed = None if snapshot.suppressions is None else snapshot.suppressions.current()
        policies = snapshot.for_texts(own, detector), snapshot.for_texts(own, None)
        return _Judging(snapshot, view, *policies, detector, tokens, suppressed)

    def _told_tokens(
        self, caller: Caller, asked: AskedTexts, view: PromptView, refused: int
    ) -> tuple[Detector | None, tuple[TextTokens | None, ...]]:
        """Gives the detector of the model that wrote the texts, and the tokens of each. Raises ApiError."""
        extras, without = asked.extras, tuple[TextTokens | None, ...](None for _ in asked.texts)
        if extras.logprobs is None:
            return None, without
        if Permission.EVIDENCE not in caller.allowed:
            raise ApiError(
                403,
                "Whoever tells log-probabilities could make them up, so it needs the permission 'evidence' "
                "(allow: [evidence] in the operator's settings).",
                code="not_allowed",
                param="logprobs",
            )
        if caller.snapshot.detector is None:
            message = "This server has no detector that judges by log-probabilities; leave out 'logprobs'."
            raise ApiError(refused, message, code="invalid_value", param="logprobs")
        if len(extras.logprobs) != len(asked.texts):
            message = "Expected an entry in 'logprobs' for each text."
            raise ApiError(refused, message, code="invalid_value", param="logprobs")
        detector = caller.snapshot.detector.of(extras.model)
        if detector is None:
            return None, without
        return detector, tuple(_tokens(detector, asked, view, told, refused) for told in extras.logprobs)

    async def _judged(
        self, contract: Contract, client: Client, caller: Caller, judging: _Judging, asked: AskedTexts
    ) -> None:
        proxy, limits = self._proxy, self._proxy.settings.limits
        times, failed = AnswerTimes(), False
        observers = (*proxy.observers, *open_spans())
        calls = JudgeCalls(proxy.judges, limits, times, caller.owner)

        def judge() -> bytes:
            texts = tuple(self._judge_text(judging, asked, at) for at in range(len(asked.texts)))
            stopped = [self._stops_call(judging, name, arguments) for name, arguments in asked.calls]
            return to_json(contract.answer(asked, Judged(judging.policy, texts, any(stopped))))

        async def no_sign() -> float:
            return limits.keep_alive_seconds

        try:
            shown = await calls.run(judge, no_sign, lambda: proxy.metrics.failed(WireStage.JUDGE))
        except (JudgeHangs, NoJudge):
            failed = True
            proxy.metrics.failed(WireStage.JUDGE)
            raise errors.withheld() from None
        except ApiError:
            raise
        except BaseException:
            failed = True
            raise
        finally:
            _notify(observers, contract, client, judging, times, failed)
        await client.respond(200, [JSON, (BASIS.encode(), self._basis(judging).encode())], shown)

    def _judge_text(self, judging: _Judging, asked: AskedTexts, at: int) -> JudgedText:
        opened = OpenText(
            judging.policy,
            judging.snapshot.finder(judging.policy),
            judging.snapshot.records,
            self._proxy.settings.limits.bounds,
            judging.view,
            judging.tokens[at],
            hmac.digest(self._secret, asked.stream.encode(errors="replace"), hashlib.sha256) if asked.stream else None,
            judging.suppressions,
            judging.prompts,
        )
        try:
            return opened.judged(asked.texts[at])
        finally:
            judging.reports.append(opened.report)

    def _stops_call(self, judging: _Judging, name: str, arguments: str) -> bool:
        """Says whether a tool call holds a value that is stopped."""
        policy, bounds = judging.calls_policy, self._proxy.settings.limits.bounds
        finder, records = judging.snapshot.finder(policy), judging.snapshot.records
        request = GuardedRequest(
            policy,
            finder,
            [judging.view],
            records,
            bounds,
            suppressions=judging.suppressions,
            prompts=judging.prompts,
        )
        call = ToolCall(request, 0, frozenset(), None)
        call.feed(name, arguments)
        with suppress(FrameError):  # too many stopped values; the call stays withheld
            call.finish()
        parts = call.reports or [EMPTY]
        merged = Report.combined(parts, tuple(span for part in parts for span in part.spans))
        judging.reports.append(replace(merged, blocked=call.withheld))
        return call.withheld

    def _basis(self, judging: _Judging) -> Tier:
        """Says what the answer to a request rests on, at its strongest."""
        if judging.detector is not None:
            return judging.detector.tier
        return Tier.TEXT if judging.snapshot.records is None or judging.policy.seal else Tier.RECORDS


def _tokens(
    detector: Detector, asked: AskedTexts, view: PromptView, told: dict[str, object], refused: int
) -> TextTokens:
    """Reads the log-probabilities of a text. Raises ApiError for a model that the detector was not made for."""
    extras, received = asked.extras, ReceivedTokens()
    tokens = received.take({"logprobs": told}, None)
    if not tokens:
        message = "Expected 'logprobs' as in a choice of a chat completion or a completion, with every token of a text."
        raise ApiError(refused, message, code="invalid_value", param="logprobs")
    messages = [("system", extras.context), ("user", extras.user)]
    parsed = ParsedRequest(
        {"model": extras.model, "messages": [{"role": role, "content": text} for role, text in messages if text]},
        (view,),
        choices=1,
        model=extras.model,
        stream=False,
        include_usage=False,
        prompt_field="messages",
    )
    return TextTokens(detector, detector.open(parsed), received, tokens)


def _notify(
    observers: Sequence[Observer],
    contract: Contract,
    client: Client,
    judging: _Judging,
    times: AnswerTimes,
    failed: bool,
) -> None:
    """Tells the observers of each text, and of each tool call behind them. The first one has the time."""
    reports = [EMPTY] if failed else judging.reports
    seconds: dict[str, float] = {TimedStage.FIND: times.judging, TimedStage.WAIT: times.waiting}
    for at, report in enumerate(reports):
        observation = Observation.under(
            judging.policy,
            report,
            request_id=client.request_id,
            choice=at,
            outcome=Outcome.FAILED if failed else Outcome.of(report),
            stage_seconds={} if at else seconds,
            route=contract.route,
            bundle="" if judging.detector is None else judging.detector.digest,
        )
        notify(observers, observation)
