"""Judges the spans of a black-box model by the log-probabilities that its server sends, or by its engine's states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from reticent.policy.thresholds import bundle_summary
from reticent.policy.verdict import Tier
from reticent.serve.judging.detector_protocols import (
    Judge,
    SpanLocation,
    SpanScorer,
    WithBundle,
    WithoutBase,
    check_model,
)
from reticent.serve.judging.engine_states import StateSource
from reticent.serve.judging.served_base import Ask, ServedBase
from reticent.serve.judging.served_base_judge import ServedBaseJudge
from reticent.serve.judging.served_state_tags import PROBE_UNREAD
from reticent.serve.judging.span_scorers import EngineProbe, LogprobScorer, StatesScorer
from reticent.serve.settings import DetectorSettings
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent_detectors.bundle.format import Bundle, read_public_key
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import BASE


class ServedDetector(WithBundle):
    """Holds a detector and the models that it fits. It is safe to share.

    Args:
        settings: the folder of its bundle, and the names of the models.
        base: the model before private tuning, if the upstream serves it.
        states: the engine's hidden states, for a bundle of tier `hidden`.
        ask: asks the upstream, with which such a bundle is compared with its models.
        bundles: the bundles by their folders. None loads them.

    Raises:
        BundleCorrupt, BundleError, BundleUntrusted: the bundle cannot be used.
        InputError: the bundle needs hidden states, and there are none.
    """

    wants_logprobs = True

    def __init__(
        self,
        settings: DetectorSettings,
        base: ServedBase | None = None,
        states: StateSource | None = None,
        ask: Ask | None = None,
        bundles: Mapping[Path, Bundle] | None = None,
    ) -> None:
        bundles = load_bundles(settings) if bundles is None else bundles
        super().__init__(bundles[settings.bundle])
        self._score: SpanScorer
        if self.tier is Tier.LOGPROBS:
            self._score = LogprobScorer(self._bundle)
        elif states is not None and ask is not None:
            self._score = StatesScorer(self._bundle, states, EngineProbe(self._bundle, states, ask))
        else:
            raise InputError(
                f"{settings.bundle} needs the states of all layers, which a server does not give. Train one with "
                "'reticent train --groups logprobs', or serve the model itself with --host-model."
            )
        self._models, self._served_base = settings.models, base
        self._of_bundle = {
            path: ServedDetector(
                settings.model_copy(update={"bundle": path, "bundles": {}}), base, states, ask, bundles
            )
            for path in settings.bundles.values()
            if path is not None
        }
        self._of_model = {
            model: None if path is None else self._of_bundle[path] for model, path in settings.bundles.items()
        }

    def __repr__(self) -> str:
        return f"ServedDetector({sorted(self._models)})"

    @property
    def tier(self) -> Tier:
        """Gives the tier of its bundle."""
        return Tier(self._bundle.tier)

    @property
    def reads_text(self) -> bool:
        """Says whether it reads the texts, as it does where a base is asked."""
        return self._served_base is not None

    @property
    def needs_thread(self) -> bool:
        """Says whether judging waits for what a base or the engine answers."""
        return self._served_base is not None or self.reads_states

    @property
    def wants_token_ids(self) -> bool:
        """Says whether the server is asked for the tokens' ids, with which the base or the engine is asked."""
        return self._served_base is not None or self.reads_states

    @property
    def reads_states(self) -> bool:
        """Says whether it reads hidden states of the server's engine."""
        return self.tier is Tier.HIDDEN

    @property
    def others(self) -> Sequence[ServedDetector]:
        """Gives the detectors of models that have a bundle of their own."""
        return tuple(self._of_bundle.values())

    def of(self, model: str) -> ServedDetector | None:
        """Gives the detector of a model: the one of its own bundle, or this one. None: it is judged without one.

        Raises ApiError for a model that it was not made for.
        """
        check_model(model, self._models)
        return self._of_model.get(model, self)

    @property
    def about(self) -> str:
        """Describes what it can and cannot tell, with its bundle's figures."""
        base = "" if self._served_base is None else f"; {self._served_base.about}"
        unread = any(each._bundle.probe is not None for each in (self, *self.others))
        probe = f"; {PROBE_UNREAD}" if unread else ""
        source = "the server's log-probabilities" if self.tier is Tier.LOGPROBS else "the engine's hidden states"
        return (
            f"it tells what the model remembers from what it makes up by {source} "
            f"({bundle_summary(self._bundle)}); it cannot tell memories that the model is unsure of, and what is "
            f"chosen from a list in the prompt counts as unknown{base}{self._exceptions}{probe}"
        )

    @property
    def _exceptions(self) -> str:
        """Describes the models that another detector judges, or none."""
        own = [model for model, detector in self._of_model.items() if detector is not None]
        without = [model for model, detector in self._of_model.items() if detector is None]
        found = [(own, "a bundle of their own"), (without, "no detector: text and records alone")]
        return "".join(f"; {len(models)} of {len(self._models)} models have {what}" for models, what in found if models)

    def open(self, parsed: ParsedRequest) -> Judge:
        """Opens a judge for one request, and keeps nothing of it. Raises ApiError for a model that does not fit."""
        check_model(parsed.model, self._models)
        base = self._served_base
        if base is None:
            return WithoutServedBase(parsed.model, self._score)
        return ServedBaseJudge(base, parsed, BASE in self._bundle.shapes, self._score, self.reads_states)

    def close(self) -> None:
        """Does nothing, as nothing is held."""


class WithoutServedBase(WithoutBase):
    """Judges the spans of one request, without a base.

    Args:
        model: that writes the answers.
        probability: the detector, for a span, its tokens and the model.
    """

    def __init__(self, model: str, probability: SpanScorer) -> None:
        self._model, self._probability = model, probability

    def __repr__(self) -> str:
        return f"WithoutServedBase({self._model!r})"

    def probability(self, location: SpanLocation) -> float | None:
        """Gives the probability that a span is memorised. None if a token is unknown, or the value comes from a list.

        Raises:
            NotAsked: an engine could not be asked.
            InputError: a log-probability is none.
        """
        tokens = [] if location.candidates else location.track.between(location.start, location.end)
        return self._probability(location, tokens, self._model)


def load_bundles(settings: DetectorSettings) -> dict[Path, Bundle]:
    """Loads all bundles of the settings, by their folders. Raises as `Bundle.load`, and InputError."""
    key = None if settings.trusted_key is None else read_public_key(settings.trusted_key)
    paths = {settings.bundle, *(path for path in settings.bundles.values() if path is not None)}
    return {path: Bundle.load(path, trusted_key=key) for path in sorted(paths)}
