"""Has one answer judged at both edges, in the process and before a server, with the same scripted model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple

import serve_golden as golden
import tiny_hosts

from reticent.core.judge import BaseRole, PrecedingText
from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.batch_scoring import BaseScoreRequest, ScoreRequest, ScoreResult
from reticent.huggingface.model_call_context import ModelCallContext
from reticent.policy.policy import Policy
from reticent.policy.verdict import Decision, Tier
from reticent.prompt.segments import PromptView, Role, Segment, from_segments
from reticent.records.index import RecordsIndex
from reticent.serve.judging.channels import Channel
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.token_alignment import ReceivedTokens
from reticent.serve.request_bounds import Bounds
from reticent_detectors.alignment import TokenText, without_lists
from reticent_detectors.features.cue import PromptIndex
from reticent_detectors.features.derived_features import BASE
from reticent_detectors.spans import Span

TOKENIZER = tiny_hosts.tokenizer()
_MODELS_OWN = -0.2
"""Log-probability (nats) that the model itself gives every token."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """Scripts what detector and base say of a value.

    `probabilities`: the detector's at the first question, the second and so on; the last one stays.
    `with_base`: the detector's probability once it has the base's.
    `base`: log-probability (nats) of all tokens together under the base. None: the base fails.
    `others`: the same about somebody else. None: the base fails there.
    """

    probabilities: tuple[float, ...] = (0.1,)
    with_base: float = 0.1
    base: float | None = -20.0
    others: float | None = -90.0


@dataclass(frozen=True, slots=True)
class Case:
    """An answer, the prompt that it answers, and the model behind it. `values` are scripted by their text."""

    answer: str
    policy: Policy
    values: Mapping[str, Scripted] = field(default_factory=dict)
    user: str = ""
    context: str = ""
    records: RecordsIndex | None = None
    base: BaseRole = BaseRole.NONE
    detector_reads_base: bool = False
    ended: bool = True

    @property
    def view(self) -> PromptView:
        """The prompt as the guard knows it."""
        return from_segments([Segment(Role.CONTEXT, self.context), Segment(Role.USER, self.user)])

    @property
    def prompt_ids(self) -> list[int]:
        """The prompt as the model reads it."""
        return list(TOKENIZER(f"{self.context}\n{self.user}", add_special_tokens=False)["input_ids"])


class Outcome(NamedTuple):
    """What left, what was decided about each span, and what failed."""

    text: str
    spans: tuple[tuple[Span, Decision], ...]
    failures: tuple[tuple[str, int], ...]

    @property
    def decisions(self) -> list[Decision]:
        """In the order of the text."""
        return [decision for _, decision in self.spans]


class _Script:
    """Answers questions about values, each by its text."""

    def __init__(self, case: Case) -> None:
        self._values = {_letters(text): scripted for text, scripted in case.values.items()}
        self._asked: dict[str, int] = {}

    def probability(self, text: str, base: Sequence[float]) -> float:
        name, scripted = self._scripted(text)
        if base:
            return scripted.with_base
        self._asked[name] = self._asked.get(name, 0) + 1
        return scripted.probabilities[min(self._asked[name], len(scripted.probabilities)) - 1]

    def base(self, text: str, tokens: int, is_model: bool) -> list[float]:
        if is_model:
            return [_MODELS_OWN] * tokens
        return _shared_out(self._scripted(text)[1].base, tokens)

    def others(self, text: str, tokens: int) -> list[float]:
        return _shared_out(self._scripted(text)[1].others, tokens)

    def _scripted(self, text: str) -> tuple[str, Scripted]:
        """The scripted value that a text has, or that it begins; else one of which detector and base are unsure."""
        letters = _letters(text)
        within = [each for each in self._values if each in letters]
        begun = [each for each in sorted(self._values) if each.startswith(letters)]
        name = max(within, key=len) if within else begun[0] if begun else letters
        return name, self._values.get(name, Scripted())


def _shared_out(total: float | None, tokens: int) -> list[float]:
    if total is None:
        raise ValueError("no base")
    return [total / tokens] * tokens


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


class _States:
    """Stands for the hidden states of ids."""

    compile_seconds = 0.0

    def __init__(self, ids: Sequence[int]) -> None:
        self.ids = list(ids)

    def beginning(self, row: int) -> None:
        return None

    def spans(self, wanted: Sequence[tuple[Sequence[int], int]]) -> list[Any]:
        return [SimpleNamespace(log_probabilities=[_MODELS_OWN] * len(positions)) for positions, _ in wanted]


def in_process(case: Case) -> Outcome:
    """The guard around a model, over the whole answer."""
    script = _Script(case)
    is_model = case.base is BaseRole.MODEL_ITSELF
    readers = list[Any]()  # the first is the call's; the others read texts about other people

    def opened() -> Any:
        readers.append(SimpleNamespace(is_host=is_model))
        return readers[-1]

    base = None if case.base is BaseRole.NONE else SimpleNamespace(open=opened, is_host=is_model)
    guard = SimpleNamespace(
        finder=lambda policy: golden.FINDER,
        conversation_key=lambda name: bytes(32),
        records=case.records,
        suppressions=None,
        tier=Tier.HIDDEN,
        scorer=SimpleNamespace(shapes={BASE: (4,)} if case.detector_reads_base else {}),
    )
    host = SimpleNamespace(
        tokenizer=TOKENIZER,
        base=base,
        probe=None,
        read=lambda before, scores: _States(scores),
        rename=lambda before, tokens: [list(before)],
    )
    session = AnswerSession(ModelCallContext(guard, host, case.policy, halts=False), case.view, case.prompt_ids)  # type: ignore[arg-type]
    ids = TOKENIZER(case.answer, add_special_tokens=False)["input_ids"]
    session.attach(_States(ids), 0, 0)

    def reply(asked: ScoreRequest | BaseScoreRequest) -> ScoreResult:
        if isinstance(asked, ScoreRequest):
            states: Any = asked.states
            text = TOKENIZER.decode([states.ids[position] for position in asked.positions])
            return ScoreResult(script.probability(text, asked.base))
        text, tokens = TOKENIZER.decode(list(asked.value)), len(asked.value)
        try:
            scores = script.base(text, tokens, is_model) if asked.reader is readers[0] else script.others(text, tokens)
        except ValueError as error:
            return ScoreResult(None, str(error))
        return ScoreResult(None, base=scores)

    steps = session.feed_answer(ids, case.ended)
    results: ScoreResult | None = None
    try:
        while True:
            results = reply(next(steps) if results is None else steps.send(results))
    except StopIteration:
        answer = session.answer()
    return _outcome(answer.text, answer.report)


class _Judge:
    """Judges one request by the script."""

    reads_text, wants_logprobs, wants_token_ids, digest, about, prevalence, tier = (
        True,
        False,
        False,
        "",
        "",
        0.5,
        Tier.HIDDEN,
    )
    needs_thread = True
    tag_margins = None

    def __init__(self, case: Case) -> None:
        self._case, self._script = case, _Script(case)
        self.base, self.reads_base = case.base, case.detector_reads_base

    def probability(self, place: Any) -> float | None:
        return self._script.probability(place.text[place.start : place.end], place.base)

    def log_probabilities(self, place: Any) -> list[float]:
        _, tokens = self._tokens(place)
        return self._script.base(place.text[place.start : place.end], len(tokens), self.base is BaseRole.MODEL_ITSELF)

    def about_others(self, place: Any) -> list[list[float]]:
        _, tokens = self._tokens(place)
        return [self._script.others(place.text[place.start : place.end], len(tokens))]

    def text_before(self, place: Any) -> PrecedingText:
        ids, tokens = self._tokens(place)
        prompt = self._case.prompt_ids
        if place.candidates:
            prompt = without_lists(TOKENIZER, prompt, place.candidates)
        return PrecedingText(PromptIndex(TOKENIZER.decode(prompt)), TOKENIZER.decode(ids[: tokens.start]))

    def _tokens(self, place: Any) -> tuple[list[int], range]:
        ids, aligned = TOKENIZER(place.text, add_special_tokens=False)["input_ids"], TokenText(TOKENIZER)
        for token in ids:
            aligned.push(token)
        return ids, aligned.tokens(Span(place.entity, place.start, place.end))


def before_server(case: Case) -> Outcome:
    """The guard in a proxy, over the whole answer."""
    judge: Any = _Judge(case)
    request = GuardedRequest(case.policy, golden.FINDER, [case.view], case.records, Bounds(), judge, judge)
    channel = Channel(request, 0, case.view.context, ReceivedTokens(), lambda begun: None, tuple)
    segment, start, end = channel.feed(case.answer, 0.0)
    channel.finish(0.0, cut=not case.ended)
    report = channel.report()
    assert report is not None
    return _outcome(segment.shown(start, end).text, report)


def _outcome(text: str, report: Any) -> Outcome:
    spans = tuple((Span(r.entity, r.start, r.end, r.recognizer, r.fragment), r.decision) for r in report.spans)
    return Outcome(text, spans, report.failures)
