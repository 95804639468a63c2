"""Scores the spans of a black-box model: by log-probabilities alone, or with hidden states that its engine kept."""

from __future__ import annotations

from collections.abc import Sequence

from reticent.observability.observers import WireStage
from reticent.serve.judging.detectors import NotAsked, OtherNames, SpanLocation, StateFeatures, StateSource
from reticent.serve.judging.token_alignment import Token
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.features.derived_features import BASE, base_features, logprob_features
from reticent_detectors.features.name_swap import name_swap_features
from reticent_detectors.scoring.scorer import OnnxScorer

AGREE_NATS = 0.1
"""Largest difference between a token's log-probability by the kept state and by the server, in nats."""
NAME_SWAP = "renamed"


class LogprobScorer:
    """Scores by the server's log-probabilities.

    Args:
        bundle: a detector of tier `logprobs`.
    """

    def __init__(self, bundle: Bundle) -> None:
        self._scorer = OnnxScorer(bundle)
        self._has_base = BASE in bundle.shapes
        self._most = int(bundle.feature_options.get("max_tokens", 32))

    def __repr__(self) -> str:
        return "LogprobScorer()"

    def __call__(
        self, location: SpanLocation, tokens: Sequence[Token], other_names: OtherNames | None = None
    ) -> float | None:
        """Scores a span by its tokens. None without any. Raises InputError: a log-probability is none."""
        if not (found := tokens[: self._most]):
            return None
        features = logprob_features([token.logprob for token in found], [token.rival for token in found])
        if len(location.base) and self._has_base:
            features[BASE] = base_features([location.base])
        return float(self._scorer.score(features, [location.entity])[0])


class StatesScorer:
    """Scores by the states that the value's tokens were drawn from, where the engine has kept them.

    A value of which a state is missing, or is another token's, is unknown. So is one that was read without a list or
    without a value of the prompt, as no state belongs to that.

    Args:
        bundle: a detector of tier `hidden`.
        source: the engine.
    """

    def __init__(self, bundle: Bundle, source: StateSource) -> None:
        self._scorer, self._source = OnnxScorer(bundle), source
        self._options, self._shapes = dict(bundle.feature_options), tuple(bundle.shapes)
        self._names = int(bundle.feature_options.get("names", 0))
        self._most = int(bundle.feature_options.get("max_tokens", 32))

    def __repr__(self) -> str:
        return f"StatesScorer({self._source!r})"

    def __call__(
        self, location: SpanLocation, tokens: Sequence[Token], other_names: OtherNames | None = None
    ) -> float | None:
        """Scores a span. None if it is unknown. Raises NotAsked: the engine cannot be asked, or has not its states."""
        found, received = tokens[: self._most], location.received
        if location.candidates or not found:
            return None
        ids = [token for token in (received.tokens[each.at] for each in found) if isinstance(token, int)]
        if not received.answer or len(ids) != len(found):
            raise NotAsked("The server told no id of the answer or of its tokens.", WireStage.STATES)
        kept = self._kept(location, found, ids)
        if kept is None:
            raise NotAsked("The engine keeps no states of a value's tokens.", WireStage.STATES)
        own = [token.logprob for token in found]
        if len(kept.nats) != len(own) or max(map(_apart, kept.nats, own)) > AGREE_NATS:
            raise NotAsked("The engine's states of a value are not those of its tokens.", WireStage.STATES)
        features = dict(kept.arrays)
        if len(location.base) and BASE in self._shapes:
            features[BASE] = base_features([location.base])
        probabilities = self._scorer.score(features, [location.entity])
        is_doubtful = len(self._scorer.doubtful(probabilities)) > 0
        if is_doubtful and other_names is not None and (others := _second_look(other_names, location, self._names)):
            features[NAME_SWAP] = name_swap_features(own, [row[: self._most] for row in others])[None]
            probabilities = self._scorer.score(features, [location.entity])
        return float(probabilities[0])

    def _kept(self, location: SpanLocation, found: Sequence[Token], ids: Sequence[int]) -> StateFeatures | None:
        received = location.received
        try:
            return self._source.features(
                received.answer, received.index, [token.at for token in found], ids, self._options, self._shapes
            )
        except Exception as error:
            raise NotAsked(f"The engine could not be asked ({type(error).__name__}).", WireStage.STATES) from error


def _second_look(other_names: OtherNames, location: SpanLocation, names: int) -> Sequence[Sequence[float]]:
    """Asks for a second look. Raises NotAsked."""
    try:
        return other_names(location, names)
    except Exception as error:
        raise NotAsked(f"No second look was possible ({type(error).__name__}).", WireStage.STATES) from error


def _apart(one: float, other: float) -> float:
    """Gives the difference of two log-probabilities. Below -100 nats both say the same."""
    return abs(max(one, -100.0) - max(other, -100.0))
