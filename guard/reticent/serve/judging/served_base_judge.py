"""Asks an upstream about the values of one request: under the base, about other people, and without the value.

A value that stands in the user's text, and may do so by chance, is as likely as that text makes it. So the model itself
is asked in the same way how likely the value is behind the prompt without it. Only that: what stands in a list beside
others stays unknown, because with the list the question itself can be lost.

Questions of one request to one model have a cache salt of their own. So they share what the server has read of the
prompt, and nobody else finds out by timing what was asked.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from operator import sub
from typing import NamedTuple, TypeVar

from reticent.core.judge import BaseRole, PrecedingText
from reticent.observability.observers import WireStage
from reticent.serve.judging.detector_protocols import NotAsked, SpanLocation, SpanScorer, WithoutTags
from reticent.serve.judging.served_base import Reading, RequestSalts, ServedBase
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent_detectors.errors import CaptureError
from reticent_detectors.features.cue import PromptIndex, normalize

MOST_REWRITTEN = 1 << 12
"""Most ids of a prompt that is rewritten without a value."""
SAME = 1e-4
"""Difference of log-probabilities, in nats, below which two models are taken for one.

By the states of a question only float32 is as exact. In other precisions two models that are one may not be known."""

_Answer = TypeVar("_Answer")


class _Questions:
    """Limits the questions of one kind about the values of one request, and holds their cache salts.

    Args:
        seconds: that all of them may take together.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds, self._gave_up = seconds, False
        self.salts = RequestSalts()

    def ask(self, question: Callable[[], list[_Answer]]) -> list[_Answer]:
        """Asks. Empty once a question failed, or all took too long. Raises what the question raises."""
        if self._gave_up or self._seconds < 0:
            return []
        started = time.monotonic()
        try:
            return question()
        except Exception:
            self._gave_up = True
            raise
        finally:
            self._seconds -= time.monotonic() - started


class _SpanIds(NamedTuple):
    """Holds ids: of a prompt, of the answer before a value, and of the value."""

    prompt: list[int]
    earlier: list[int]
    own: list[int]


class ServedBaseJudge(WithoutTags):
    """Asks the base about the spans of one request.

    Args:
        base: the base.
        parsed: the request.
        reads_base: whether the detector takes the base's log-probabilities.
        probability: the detector, for a span and its tokens.
        reads_states: whether the detector reads hidden states of the engine.
    """

    def __init__(
        self,
        base: ServedBase,
        parsed: ParsedRequest,
        reads_base: bool,
        probability: SpanScorer,
        reads_states: bool = False,
    ) -> None:
        self._base, self._model, self._views, self._probability = base, parsed.model, parsed.views, probability
        self.base = BaseRole.MODEL_ITSELF if base.is_model(parsed.model) else BaseRole.BEFORE_TUNING
        self.reads_base, self._reads_states = reads_base, reads_states
        self._texts: dict[int, PromptIndex] = {}
        # About the base and about the model apart: who makes one fail does not switch the other off.
        self._about_base, self._about_model = (_Questions(2 * base.seconds) for _ in range(2))

    def __repr__(self) -> str:
        return f"ServedBaseJudge({self._base!r}, {self.base})"

    def probability(self, location: SpanLocation) -> float | None:
        """Gives the probability that a span is memorised, or None if it is unknown.

        Raises:
            NotAsked: the value stands in the prompt, and the model could not be asked without it.
            InputError: a log-probability is none.
        """
        if not location.candidates:
            return self._probability(
                location, location.track.between(location.start, location.end), self._model, self._under_other_names
            )
        try:
            reading = self._without_value(location)
        except Exception as error:
            stage = WireStage.STATES if self._reads_states else WireStage.BASE
            raise NotAsked(
                f"The model could not be asked without the value ({type(error).__name__}).", stage
            ) from error
        if reading is None:
            return None
        return self._probability(location._replace(received=reading.received), reading.tokens, self._model)

    def log_probabilities(self, location: SpanLocation) -> Sequence[float]:
        """Gives the log-probabilities of a span's tokens under the base, in nats. Empty if its ids are unknown.

        Raises what `ServedBase.log_probabilities` raises.
        """
        if location.candidates:  # what the user typed is not `pretrained`, whatever the base says
            return ()
        if self.base is BaseRole.MODEL_ITSELF:
            return [token.logprob for token in location.track.between(location.start, location.end)]
        if (found := _ids(location)) is None:
            return ()
        nats = self._ask([*found.prompt, *found.earlier], found.own)
        own = [token.logprob for token in location.track.between(location.start, location.end)]
        if nats and len(own) == len(nats) and max(map(abs, map(sub, nats, own))) < SAME:
            raise CaptureError(
                "The base finds each token of a value exactly as likely as the model does, so the upstream may have "
                "asked the model itself. vLLM on a CPU does so unless --max-loras is above the number of adapters."
            )
        return nats

    def about_others(self, location: SpanLocation) -> Sequence[Sequence[float]] | None:
        """Gives the same behind the text about other people. None without a tokenizer, or if the ids are unknown."""
        found, texts = None if location.candidates else _ids(location), self._base.texts
        if found is None or texts is None:
            return None
        renamed = texts.rename([*found.prompt, *found.earlier], len(found.own))
        others = [self._ask(text, found.own) for text in renamed]
        return others if all(others) else None

    def text_before(self, location: SpanLocation) -> PrecedingText | None:
        """Gives all turns of the prompt, and the answer before a span. None if the prompt has to be read otherwise."""
        if location.candidates:
            return None
        if location.prompt not in self._texts:
            context = self._views[location.prompt].context
            self._texts[location.prompt] = PromptIndex("\n".join((context.earlier, context.question, context.left)))
        return PrecedingText(self._texts[location.prompt], location.text[: location.start])

    def _under_other_names(self, location: SpanLocation, count: int) -> Sequence[Sequence[float]]:
        """Asks the model how likely a span is behind the text about `count` other people, within the answer's budget.

        Empty if the text names nobody, without ids or a tokenizer, or if the budget is spent. Raises what
        `ServedBase.read` raises.
        """
        found, texts, budget = _ids(location), self._base.texts, location.budget
        if found is None or texts is None or (budget is not None and not budget.is_open):
            return []
        renamed = texts.rename([*found.prompt, *found.earlier], len(found.own), count)
        positions = sum(len(text) + len(found.own) for text in renamed)
        if not renamed or (budget is not None and not budget.spend(positions)):
            return []
        asked = self._about_model
        looks = asked.ask(lambda: self._base.read(self._model, renamed, found.own, asked.salts))
        return [[token.logprob for token in look.tokens] for look in looks]

    def _ask(self, before: Sequence[int], own: Sequence[int]) -> Sequence[float]:
        """Asks the base."""
        asked = self._about_base
        return asked.ask(lambda: self._base.log_probabilities(before, own, asked.salts))

    def _without_value(self, location: SpanLocation) -> Reading | None:
        """Gives a span's tokens as the model finds them behind the prompt without the value.

        None if the prompt offers others beside it, is long, or cannot be rewritten for want of a tokenizer or of ids.
        """
        found, texts = _ids(location), self._base.texts
        value = normalize(location.text[location.start : location.end], location.entity)
        is_alone = all(normalize(each, location.entity) == value for each in location.candidates)
        if found is None or texts is None or not is_alone or len(found.prompt) > MOST_REWRITTEN:
            return None
        prompt = texts.without_lists(found.prompt, location.candidates)
        text, asked = [*prompt, *found.earlier], self._about_model
        readings = asked.ask(
            lambda: self._base.read(self._model, [text], found.own, asked.salts, 2, self._reads_states)
        )
        return readings[0] if readings else None


def _ids(location: SpanLocation) -> _SpanIds | None:
    """Gives the ids of the prompt, the answer before a span, and the span. None if the server did not send them."""
    tokens = location.track.between(location.start, location.end)
    if not tokens or not location.received.prompt:
        return None
    first, last = tokens[0].at, tokens[-1].at
    answer = [token for token in location.received.tokens[: last + 1] if isinstance(token, int)]
    if len(answer) != last + 1:
        return None
    return _SpanIds(list(location.received.prompt), answer[:first], answer[first:])
