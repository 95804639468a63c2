"""What all choices and channels of one request share: policy, finder, redaction, whose text is whose, stopped values (I5)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from reticent.echo import EchoIndex
from reticent.evidence import Known, known, with_subject
from reticent.failures import log_failure
from reticent.looks import Looks
from reticent.observe import WireStage
from reticent.policy import AfterRedaction, Evidence, Policy
from reticent.prompt import PromptView
from reticent.records import RecordsIndex
from reticent.release import Suppressed
from reticent.serve.bounds import Bounds
from reticent.serve.judging import Detector, Judge, Place
from reticent.serve.sse import FrameError
from reticent.serve.tokens import TokenTrack, Told
from reticent.suppression import spread
from reticent.verdict import Decision, Origin, Tier
from reticent_detectors.errors import ReticentError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.tagger import TAGGER
from reticent_detectors.spans import FindContext, Span

if TYPE_CHECKING:
    from reticent.serve.channels import Stretch


class Heard(NamedTuple):
    """A running text's tokens, all of its choice, its pieces where they are kept, and the character of it that a part of it
    begins with."""

    track: TokenTrack
    told: Told
    pieces: list[str]
    base: int

    def __repr__(self) -> str:
        return f"Heard({self.track!r}, base={self.base})"

    @property
    def text(self) -> str:
        """The text so far, where it is kept."""
        if len(self.pieces) > 1:
            self.pieces[:] = ["".join(self.pieces)]
        return self.pieces[0] if self.pieces else ""


class GuardedRequest:
    """One request under a policy, judged by texts and, where they are there, by the owner's records and a detector.

    Without a detector what no record holds rests on the text: its origin is unknown. The upstream's cache cannot be reached, so a policy that
    asks for `rewind` stops the answer instead.

    Args:
        policy: what is done about spans.
        finder: finds them.
        views: what is known of each prompt; a request for completions may have several.
        records: the index of training values, if there is one.
        bounds: how much may be judged.
        detector: tells memories from inventions; `judge` is what it opened for this request. What it cannot tell is of unknown
            origin, but not for want of a detector: the policy's rule for that redacts by default.
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
    ) -> None:
        self.policy, self.finder, self.views, self.records = policy, finder, tuple(views), records
        self.untagged = finder.untagged()
        self.detector, self._by = detector, judge
        self.bounds = Bounds() if bounds is None else bounds
        self.id = secrets.token_hex(8)
        self.redact = policy.redactor()
        self.halts = policy.after_redaction is not AfterRedaction.CONTINUE
        self.suppressed: list[Suppressed] = []
        self._echoes: dict[int, EchoIndex] = {}
        self._looks: dict[int, tuple[Told, Looks]] = {}
        self._open: list[Stretch] = []
        self._judged = 0
        self._exceeded = False

    def __repr__(self) -> str:
        return f"GuardedRequest(id={self.id!r}, prompts={len(self.views)})"

    @property
    def reads(self) -> bool:
        """Whether the detector reads the texts, which may take a while."""
        return self.detector is not None and self.detector.reads

    def judge(
        self,
        span: Span,
        said: str,
        prompt: int,
        is_open: bool,
        heard: Heard | None = None,
        before: Callable[[], str] = str,
        note_failure: Callable[[str, BaseException], None] = log_failure,
    ) -> Decision:
        """What happens to a span of an answer to a prompt.

        A span that `is_open` ends where a text was cut short. What it would have become cannot be looked up in the
        records, which are hashes of whole values, so it gets the action of a recorded value. `heard` are the tokens of its
        text, and where that text begins in them. `before` gives the text before the span, where it is asked for. `note_failure`
        is told of what fails and decides nothing.

        Raises:
            ReticentError: more spans than one request may have; the fail mode decides.
        """
        self._judged += 1
        if self._judged > self.bounds.spans:
            raise ReticentError(f"One request may have {self.bounds.spans} spans.")
        found = known(span, said, self.echo(prompt), self.redact, self.records, self.policy.seal)
        if found.evidence is None and is_open and self.records is not None:
            recorded = Evidence(Tier.RECORDS, None, found.cue, recorded=True)
            decision = self.policy.decide(span.entity, recorded, found.value, fragment=True)
            if decision.action.stops or decision.would is not None:
                verdict = replace(decision.verdict, origin=Origin.UNKNOWN, tier=Tier.TEXT)
                return replace(decision, verdict=verdict, suppress=False)
        evidence = (
            self._measured(span, prompt, found, heard, note_failure) if found.evidence is None else found.evidence
        )
        evidence = with_subject(self.policy, span.entity, evidence, before, self.views[prompt].context)
        evidence = replace(evidence, unannounced=span.recognizer == TAGGER)
        return self.policy.decide(span.entity, evidence, found.value, is_open or span.fragment)

    def _measured(
        self,
        span: Span,
        prompt: int,
        found: Known,
        heard: Heard | None,
        note_failure: Callable[[str, BaseException], None],
    ) -> Evidence:
        """What the detector says, if there is one. The tokens of a disguise are not those under which a value was learnt."""
        if self.detector is None or self._by is None:
            return Evidence(Tier.TEXT, None, found.cue)
        if heard is None or found.disguised:
            return Evidence(self.detector.tier, None, found.cue)
        start, end = (heard.base + max(0, place) for place in (span.start, span.end))
        candidates = tuple(self.echo(prompt).choices(found.value, span.entity))
        looks = self.looks(heard.told)
        looks.next_span()
        place = Place(prompt, span.entity, start, end, heard.track, heard.told, heard.text, candidates, looks)
        probability = self._by.probability(place)
        evidence = Evidence(self.detector.tier, probability, found.cue)
        threshold = self.policy.threshold(span.entity)
        if probability is None or threshold is None or not probability >= threshold:
            return evidence
        try:
            return replace(evidence, base=self._by.base(place, found.value, found.cue))
        except Exception as error:
            note_failure(WireStage.BASE, error)
            return evidence

    def looks(self, told: Told) -> Looks:
        """The second looks of a choice, which is known by its tokens."""
        return self._looks.setdefault(id(told), (told, Looks(self.policy.second_looks)))[1]

    def echo(self, prompt: int) -> EchoIndex:
        """The index of a prompt, built when it is first needed."""
        if prompt not in self._echoes:
            view = self.views[prompt]
            self._echoes[prompt] = EchoIndex(view.user, view.operator, self.untagged)
        return self._echoes[prompt]

    def question(self, prompt: int) -> FindContext:
        """The context of a text that begins afresh."""
        return self.views[prompt].context.behind("")

    def opened(self, stretch: Stretch) -> None:
        """Takes note of a text that has to know what the others are stopped at."""
        self._open.append(stretch)

    def spread(self, stretch: Stretch) -> None:
        """Tells every open text what this one was stopped at. Raises FrameError, once, if it was too often."""
        if len(stretch.machine.suppressed) > stretch.known:
            spread(self._open, self.suppressed)
        if stretch.machine.finished:
            self._open.remove(stretch)
        if len(self.suppressed) > self.bounds.stopped and not self._exceeded:
            self._exceeded = True
            raise FrameError(f"One request may be stopped at {self.bounds.stopped} values.")
