"""Defines what may judge the spans of a black-box model, beside its texts and the owner's records."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from reticent.core.judge import BaseRole, PrecedingText
from reticent.core.second_look_budget import SecondLookBudget
from reticent.observability.observers import WireStage
from reticent.policy.policy import Policy
from reticent.policy.thresholds import base_threshold, thresholds
from reticent.policy.verdict import Tier
from reticent.serve.judging.token_alignment import ReceivedTokens, Token, TokenTrack
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.errors import ReticentError

ALTERNATIVES = 2
"""Likeliest tokens that a server is asked for at each place, as the margin needs the best other one."""


class NotAsked(ReticentError):
    """The upstream could not be asked about a value, which is unknown then. It is counted under `stage`."""

    def __init__(self, message: str, stage: WireStage = WireStage.BASE) -> None:
        super().__init__(message)
        self.stage = stage


class SpanLocation(NamedTuple):
    """Locates a span in a running text.

    Args:
        prompt: number of the prompt that the text answers.
        entity: kind of the span.
        start, end: the characters of the span.
        track: the text's tokens, if its server sends them.
        received: all tokens that the server sent for its choice.
        text: the text so far, for a detector that reads it.
        candidates: values in the prompt from which it was chosen, if any.
        budget: limits the cost of second looks in its answer.
        base: log-probabilities (nats) of its tokens under the base, if the detector reads them.
    """

    prompt: int
    entity: str
    start: int
    end: int
    track: TokenTrack
    received: ReceivedTokens
    text: str
    candidates: tuple[str, ...]
    budget: SecondLookBudget | None = None
    base: Sequence[float] = ()

    def __repr__(self) -> str:
        return f"SpanLocation({self.entity}, {self.start}, {self.end})"

    @property
    def key(self) -> tuple[int, int, int, int]:
        """Gives the key of the span among those of its request."""
        return self.prompt, id(self.track), self.start, self.end


class WordLocations(NamedTuple):
    """Locates words of a running text.

    Args:
        prompt: number of the prompt that the text answers.
        words: the characters of each word, at least one, from left to right.
        track: the text's tokens, if its server sends them.
        received: all tokens that the server sent for its choice.
        text: the text up to the end of the last word.
        behind: what has come behind it; a detector may read it ahead.
    """

    prompt: int
    words: Sequence[tuple[int, int]]
    track: TokenTrack
    received: ReceivedTokens
    text: str
    behind: str = ""

    def __repr__(self) -> str:
        return f"WordLocations({len(self.words)} words)"


class Judge(Protocol):
    """Judges the spans of one request."""

    def probability(self, location: SpanLocation) -> float | None:
        """Gives the probability that a span is memorised, or None if it is unknown.

        Raises:
            NotAsked: the upstream had to be asked and could not be. That is counted, and the value is unknown.
            ReticentError: judging failed, and the fail mode decides.
        """
        ...

    @property
    def base(self) -> BaseRole:
        """Gives the relation of its base to the model behind the server."""
        ...

    @property
    def reads_base(self) -> bool:
        """Says whether `probability` uses `SpanLocation.base`."""
        ...

    def log_probabilities(self, location: SpanLocation) -> Sequence[float]:
        """Gives the log-probabilities of a span's tokens under the base, in nats. Empty if its tokens are unknown.

        Raises:
            ReticentError: the base could not be asked. The span is judged as if there was none.
        """
        ...

    def about_others(self, location: SpanLocation) -> Sequence[Sequence[float]] | None:
        """Gives the same behind the text about other people, for each of them. None if the tokens are unknown.

        Raises what `log_probabilities` raises.
        """
        ...

    def text_before(self, location: SpanLocation) -> PrecedingText | None:
        """Gives what the base reads before a span, or None if unknown. Raises what `log_probabilities` raises."""
        ...

    def word_tags(self, at: WordLocations) -> Sequence[NDArray[np.float32]]:
        """Gives log-probabilities [1 + 2K] of the tagger's tags of words, by the states of the model.

        It is asked where the detector has `tag_margins`.

        Raises:
            ReticentError: the states are not there, and the finder goes without.
        """
        ...


OtherNames = Callable[[SpanLocation, int], Sequence[Sequence[float]]]
"""Gives the model's log-probabilities (nats) of a span's tokens under so many people's names; empty without names.

It raises ReticentError."""


class SpanScorer(Protocol):
    """Scores a span by its tokens."""

    def __call__(
        self, location: SpanLocation, tokens: Sequence[Token], model: str, other_names: OtherNames | None = None
    ) -> float | None:
        """Gives the probability that a span is memorised, or None if it is unknown.

        Args:
            location: of the span.
            tokens: the span's.
            model: that wrote it.
            other_names: asks for a second look. None: there is none.

        Raises:
            NotAsked: the upstream could not be asked.
            InputError: a log-probability is none.
        """
        ...


class WithoutTags:
    """Answers for a judge that reads no states of words."""

    def word_tags(self, at: WordLocations) -> Sequence[NDArray[np.float32]]:
        """Raises NotAsked."""
        raise NotAsked("The detector reads no states of words.", WireStage.STATES)


class WithoutBase(WithoutTags):
    """Answers for a judge without a base, which reads no states of words either."""

    base = BaseRole.NONE
    reads_base = False

    def log_probabilities(self, location: SpanLocation) -> Sequence[float]:
        """Gives nothing, as there is no base."""
        return ()

    def about_others(self, location: SpanLocation) -> Sequence[Sequence[float]] | None:
        """Gives nothing, as there is no base."""
        return None

    def text_before(self, location: SpanLocation) -> PrecedingText | None:
        """Gives nothing, as there is no base."""
        return None


class ForEveryModel:
    """Answers for a detector that judges all its models by one bundle, by no states of an engine or of words."""

    @property
    def tag_margins(self) -> Sequence[float] | None:
        """Gives nothing, as it tags no words."""
        return None

    @property
    def reads_states(self) -> bool:
        """Says whether it reads hidden states of the server's engine, which it does not."""
        return False

    @property
    def others(self) -> Sequence[Detector]:
        """Gives the detectors of single models, which are none."""
        return ()

    def of(self, model: str) -> Detector | None:
        """Gives itself."""
        return cast(Detector, self)


class WithBundle(ForEveryModel):
    """Describes a detector by its bundle, and sets the bundle's thresholds.

    Args:
        bundle: the detector's bundle.
    """

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle

    @property
    def digest(self) -> str:
        """Gives the digest of the bundle."""
        return self._bundle.digest

    @property
    def prevalence(self) -> float:
        """Gives the share of memorised spans that the bundle assumes, 0 to 1."""
        return self._bundle.calibration.prevalence

    def with_thresholds(self, policy: Policy) -> Policy:
        """Gives the policy with the bundle's thresholds at the bundle's prevalence, as all probabilities are."""
        return policy.with_thresholds(
            thresholds(self._bundle, rate=policy.false_positives), base_threshold(self._bundle)
        )


class Detector(Protocol):
    """Tells what the model behind an upstream remembers. It is safe to share."""

    @property
    def tier(self) -> Tier:
        """Gives the tier of its verdicts."""
        ...

    @property
    def reads_text(self) -> bool:
        """Says whether it reads the texts, and not only the tokens."""
        ...

    @property
    def needs_thread(self) -> bool:
        """Says whether judging computes for a while, or waits for what a server answers."""
        ...

    @property
    def wants_logprobs(self) -> bool:
        """Says whether the server is asked for log-probabilities."""
        ...

    @property
    def wants_token_ids(self) -> bool:
        """Says whether it is asked for the tokens' ids as well."""
        ...

    @property
    def reads_states(self) -> bool:
        """Says whether it reads hidden states of the server's engine, by an id of the request that no client chose."""
        ...

    @property
    def tag_margins(self) -> Sequence[float] | None:
        """Gives the margins [K] of the tagger's kinds where its judges tag words for the finder, in nats.

        None: they tag none.
        """
        ...

    @property
    def digest(self) -> str:
        """Gives the digest of its bundle."""
        ...

    @property
    def prevalence(self) -> float:
        """Gives the share of memorised spans that its probabilities assume, 0 to 1."""
        ...

    @property
    def about(self) -> str:
        """Describes what it can and cannot tell, with its bundle's figures."""
        ...

    @property
    def others(self) -> Sequence[Detector]:
        """Gives the detectors that judge single models in its place."""
        ...

    def of(self, model: str) -> Detector | None:
        """Gives the detector of a model, itself or one of the others. None: the model is judged without one.

        Raises ApiError for a model that it was not made for.
        """
        ...

    def with_thresholds(self, policy: Policy) -> Policy:
        """Gives the policy with the bundle's thresholds."""
        ...

    def open(self, parsed: ParsedRequest) -> Judge:
        """Opens a judge for one request. Raises ApiError for a model that it was not made for."""
        ...

    def close(self) -> None:
        """Frees everything that it holds."""
        ...


def digest_of_all(detector: Detector) -> str:
    """Gives one digest of all bundles of a detector. It is the bundle's own where there is one alone."""
    digests = [detector.digest, *sorted({each.digest for each in detector.others} - {detector.digest})]
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()


def check_model(model: str, known: Iterable[str]) -> None:
    """Raises ApiError for a model that no detector was made for."""
    if model not in known:
        raise ApiError(
            404,
            "There is no detector for this model, so its answers cannot be judged. The operator names the models.",
            code="model_not_found",
            param="model",
        )
