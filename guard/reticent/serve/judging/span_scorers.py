"""Scores the spans of a black-box model: by log-probabilities alone, or with hidden states that its engine kept."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from reticent.core.failure_log import describe_error
from reticent.observability.observers import WireStage
from reticent.serve.judging.detector_protocols import NotAsked, OtherNames, SpanLocation
from reticent.serve.judging.engine_states import StateSource
from reticent.serve.judging.served_base import PATH, Ask, agree
from reticent.serve.judging.token_alignment import AnswerName, Token
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.bundle.host_match import compare_behaviour
from reticent_detectors.errors import BundleMismatch, CaptureError
from reticent_detectors.features.derived_features import BASE, base_features, logprob_features
from reticent_detectors.features.name_swap import name_swap_features
from reticent_detectors.scoring.scorer import OnnxScorer

PROBE_SECONDS = 60.0
"""Longest time that the probes of one model may take."""
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
        self, location: SpanLocation, tokens: Sequence[Token], model: str, other_names: OtherNames | None = None
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

    A value of which a state is missing, or is another token's, is unknown. Of the states of a question, the server
    vouches for the last one alone (`ServedBase.read`).

    Args:
        bundle: a detector of tier `hidden`.
        source: the engine.
        probe: says whether the bundle was made for a model.
    """

    def __init__(self, bundle: Bundle, source: StateSource, probe: EngineProbe) -> None:
        self._scorer, self._source, self._probe = OnnxScorer(bundle), source, probe
        self._options, self._shapes = dict(bundle.feature_options), tuple(bundle.shapes)
        self._names = int(bundle.feature_options.get("names", 0))
        self._most = int(bundle.feature_options.get("max_tokens", 32))

    def __repr__(self) -> str:
        return f"StatesScorer({self._source!r})"

    def __call__(
        self, location: SpanLocation, tokens: Sequence[Token], model: str, other_names: OtherNames | None = None
    ) -> float | None:
        """Scores a span. None if it is unknown. Raises NotAsked: the engine cannot be asked, or has not its states."""
        found, received = tokens[: self._most], location.received
        if not found:
            return None
        ids = [token for token in (received.tokens[each.at] for each in found) if isinstance(token, int)]
        if received.name is None or len(ids) != len(found):
            raise NotAsked("The server told no id of the answer or of its tokens.", WireStage.STATES)
        places = [token.at for token in found]
        try:
            self._probe.check(model)
            kept = self._source.features(received.name, places, ids, self._options, self._shapes)
        except Exception as error:
            why = describe_error(error)
            raise NotAsked(f"The engine's states cannot be read: {why}", WireStage.STATES) from error
        if kept is None:
            raise NotAsked("The engine keeps no states of a value's tokens.", WireStage.STATES)
        own = [token.logprob for token in found]
        if len(kept.nats) != len(own) or not all(map(agree, kept.nats, own)):
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


class EngineProbe:
    """Says whether a bundle was made for a model of an engine, by what the model does on the bundle's probes.

    A universal bundle fits every model. Another one is compared once for each model, when its first value is judged.

    Args:
        bundle: the bundle.
        source: the engine.
        ask: asks the engine's server.
    """

    def __init__(self, bundle: Bundle, source: StateSource, ask: Ask) -> None:
        self._source, self._ask = source, ask
        self._expected: Mapping[str, Any] | None = None if bundle.universal else bundle.manifest["host"]["behaviour"]
        self._differences: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"EngineProbe({len(self._differences)} models)"

    def check(self, model: str) -> None:
        """Compares a model.

        Raises:
            BundleMismatch: the bundle was made for another model.
            ReticentError: the engine could not be asked.
        """
        if self._expected is None:
            return
        if model not in self._differences:
            self._differences[model] = "; ".join(compare_behaviour(self._expected, self._behaviour(model)))
        if differences := self._differences[model]:
            raise BundleMismatch(f"The bundle was made for another model than {model!r}: {differences}.")

    def _behaviour(self, model: str) -> dict[str, Any]:
        """Gives the behaviour of a model on the probes. Raises ReticentError."""
        assert self._expected is not None
        probes = self._expected["probes"]
        common = {"model": model, "max_tokens": 1, "temperature": 0, "add_special_tokens": False}
        if self._source.mark is not None:
            common["vllm_xargs"] = {self._source.mark: 1}  # the last state of the prompt is kept
        bodies = [
            json.dumps({**common, "prompt": probe, "cache_salt": secrets.token_hex(16)}).encode() for probe in probes
        ]
        found = []
        for raw in self._ask(PATH, bodies, PROBE_SECONDS):
            answer = json.loads(raw).get("id")
            here = self._source.behaviour(AnswerName(str(answer), 0, 0, 1))
            if here is None:
                raise CaptureError("The engine keeps no states of a probe.")
            found.append(here)
        return {
            "probes": probes,
            "norms": [here["norms"] for here in found],
            "top_ids": [here["top_ids"] for here in found],
        }


def _second_look(other_names: OtherNames, location: SpanLocation, names: int) -> Sequence[Sequence[float]]:
    """Asks for a second look. Raises NotAsked."""
    try:
        return other_names(location, names)
    except Exception as error:
        raise NotAsked(f"No second look was possible ({type(error).__name__}).", WireStage.STATES) from error
