"""Holds what all choices and channels of one request share: policy, finder, redaction, authorship, stopped values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from weakref import WeakSet

from reticent.core.answer_history import AnswerHistory
from reticent.core.call_context import CallContext
from reticent.core.failure_log import log_failure
from reticent.core.judge import (
    BaseQuery,
    FoundValue,
    ModelAccess,
    OtherPeopleQuery,
    Query,
    Reply,
    ScoreQuery,
    judge,
    run_judge,
)
from reticent.core.read_prompts import ReadPrompts
from reticent.core.suppression import SuppressionPeer
from reticent.observability.observers import WireStage
from reticent.policy.policy import AfterRedaction, Policy
from reticent.policy.verdict import Decision
from reticent.prompt.segments import PromptView
from reticent.records.index import RecordsIndex
from reticent.serve.judging.answer_parts import AnswerPart, AnswerParts
from reticent.serve.judging.detector_protocols import Detector, Judge, NotAsked, SpanLocation
from reticent.serve.judging.served_state_tags import ServedStateTags
from reticent.serve.judging.token_alignment import ReceivedTokens
from reticent.serve.judging.token_source import TokenSource
from reticent.serve.request_bounds import Bounds
from reticent.serve.wire.sse import FrameError
from reticent.suppressions.active import SuppressionList
from reticent_detectors.errors import ReticentError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.recorded import RecordedValues
from reticent_detectors.spans import FindContext, Span, StateTags


class GuardedRequest(CallContext):
    """Judges one request under a policy, by texts and, if available, by the owner's records and a detector.

    Without a detector, a value that no record holds is of unknown origin. The upstream's cache cannot be reached, so a
    policy that asks for `rewind` stops the answer instead. Hashes and surrogates have a key of this request, which
    names no conversation.

    Args:
        policy: decides about spans.
        finder: finds spans.
        views: what is known of each prompt. A request for completions may have several.
        records: the index of training values, if there is one.
        bounds: how much may be judged.
        detector: separates memories from inventions; `judge` is what it opened for this request. A value that it
            cannot judge is of unknown origin, though not for lack of a detector. The policy's rule for that redacts by
            default.
        numbers_stay: whether the answer has to fit a schema with numbers. Where one may not be shown, the answer ends.
        request_id: names the request in logs. None draws one.
        suppressions: the values and people that are suppressed, if any are.
        prompts: what was read of the prompts, where other requests are judged by the same ones.
    """

    def __init__(
        self,
        policy: Policy,
        finder: SpanFinder,
        views: Sequence[PromptView],
        records: RecordsIndex | None = None,
        bounds: Bounds | None = None,
        detector: Detector | None = None,
        judge: Judge | None = None,
        numbers_stay: bool = False,
        request_id: str | None = None,
        suppressions: SuppressionList | None = None,
        prompts: ReadPrompts | None = None,
    ) -> None:
        halts = policy.after_redaction is not AfterRedaction.CONTINUE
        super().__init__(policy, finder, records, None, halts, request_id, suppressions, prompts)
        self.numbers_stay = numbers_stay
        self.views, self.detector, self._span_judge = tuple(views), detector, judge
        self.bounds = Bounds() if bounds is None else bounds
        self._histories: dict[int, tuple[ReceivedTokens, AnswerHistory]] = {}
        self._open: WeakSet[SuppressionPeer] = WeakSet()  # a text that never ends keeps nothing
        self._judged = 0
        self._exceeded = False
        known = self.known_values
        self.recorded = None if known is None or policy.seal else RecordedValues(known)
        """The recorded and suppressed values, if they may be looked up."""
        self.parts, self.names, self.calls = AnswerParts(), AnswerParts(), AnswerParts()
        """All texts, the names of tool calls, and whole tool calls as they are written."""

    def __repr__(self) -> str:
        return f"GuardedRequest(id={self.id!r}, prompts={len(self.views)})"

    @property
    def reads_text(self) -> bool:
        """Says whether the detector reads the texts."""
        return self.detector is not None and self.detector.reads_text

    @property
    def needs_thread(self) -> bool:
        """Says whether the detector computes for a while, or waits for what a server answers."""
        return self.detector is not None and self.detector.needs_thread

    @property
    def finds_by_states(self) -> bool:
        """Says whether finding values computes for a while, as the detector tags words by states."""
        return self.detector is not None and self.detector.tag_margins is not None

    def state_tags(
        self, prompt: int, token_source: TokenSource | None, note_failure: Callable[[str, BaseException], None]
    ) -> StateTags | None:
        """Gives what tags the words of a text by states, if the detector does. `note_failure`: as for `judge`."""
        margins = None if self.detector is None else self.detector.tag_margins
        if margins is None or self._span_judge is None or token_source is None:
            return None
        return ServedStateTags(self._span_judge, margins, prompt, token_source, note_failure)

    def judge(
        self,
        span: Span,
        text: str,
        prompt: int,
        is_open: bool,
        token_source: TokenSource | None = None,
        before: Callable[[], str] = str,
        note_failure: Callable[[str, BaseException], None] = log_failure,
        beside: Callable[[], tuple[str, ...]] = tuple,
    ) -> Decision:
        """Decides about a span of an answer to a prompt.

        A span that `is_open` ends where a text was cut short. `token_source` gives the tokens of its text, and the
        offset of the text in them. Without them no detector can be asked. `before` gives the text before the span when
        it is needed, `beside` the other texts of its choice. `note_failure` is called with failures that decide
        nothing.

        Raises:
            ReticentError: the request has more spans than it may have, and the fail mode decides.
        """
        self._judged += 1
        if self._judged > self.bounds.spans:
            raise ReticentError(f"One request may have {self.bounds.spans} spans.")
        value = FoundValue(span, text, before, is_open, beside=beside)
        history = (
            AnswerHistory(self.policy.second_looks) if token_source is None else self.history(token_source.received)
        )
        steps = judge(self, self.views[prompt], value, self._model_access(token_source), history)

        def answer(query: Query) -> Reply:
            if self._span_judge is None or token_source is None:
                raise ReticentError("A value was to be scored, but there is nothing that could.")
            return _reply_to(self._span_judge, query, _locate(span, prompt, token_source, query), note_failure)

        return run_judge(steps, answer).decision

    def _model_access(self, token_source: TokenSource | None) -> ModelAccess:
        """Says what can be asked about a value in a text."""
        if self.detector is None or self._span_judge is None:
            return ModelAccess()
        if token_source is None:
            return ModelAccess(self.detector.tier)
        return ModelAccess(self.detector.tier, True, self._span_judge.base, self._span_judge.reads_base)

    def history(self, received: ReceivedTokens) -> AnswerHistory:
        """Gives the history of a choice, which its tokens identify."""
        return self._histories.setdefault(id(received), (received, AnswerHistory(self.policy.second_looks)))[1]

    def open_part(self, prompt: int, choice: int, place: int, channel: str, begun: str = "") -> AnswerPart | None:
        """Begins a part of an answer, which is read together with those beside it. None: nothing is looked up."""
        if self.recorded is None:
            return None
        return self.parts.open(choice, place, channel, self.views[prompt].said, begun)

    def fresh_context(self, prompt: int) -> FindContext:
        """Makes the context of a text that begins afresh."""
        return self.views[prompt].context.behind("")

    def register(self, segment: SuppressionPeer) -> None:
        """Registers a text, which then learns the values that others are stopped at."""
        self._open.add(segment)

    def share_stopped_values(self, segment: SuppressionPeer) -> None:
        """Shares this text's stopped values with every open text. Raises FrameError once if there are too many."""
        if len(segment.machine.suppressed) > segment.shared_count:
            self.share_suppressed(self._open)
        if segment.machine.finished:
            self._open.discard(segment)
        if len(self.suppressed) > self.bounds.stopped and not self._exceeded:
            self._exceeded = True
            raise FrameError(f"One request may be stopped at {self.bounds.stopped} values.")


def _locate(span: Span, prompt: int, token_source: TokenSource, query: Query) -> SpanLocation:
    """Gives the location of a query's value among the tokens of its choice."""
    start, end = (token_source.base + max(0, offset) for offset in (span.start, span.end))
    location = SpanLocation(
        prompt, span.entity, start, end, token_source.track, token_source.received, token_source.text, query.candidates
    )
    return location._replace(budget=query.second_looks, base=query.base) if isinstance(query, ScoreQuery) else location


def _reply_to(
    by: Judge, query: Query, location: SpanLocation, note_failure: Callable[[str, BaseException], None]
) -> Reply:
    """Answers a query of the judge. A failing base is counted, and the value is judged as if there was none."""
    try:
        if isinstance(query, ScoreQuery):
            return Reply(probability=by.probability(location))
    except NotAsked as error:
        note_failure(error.stage, error)
        return Reply()
    try:
        if isinstance(query, BaseQuery):
            return Reply(base=by.log_probabilities(location))
        if isinstance(query, OtherPeopleQuery):
            return Reply(others=by.about_others(location))
        return Reply(text=by.text_before(location))
    except Exception as error:
        note_failure(WireStage.BASE, error)
        return Reply()
