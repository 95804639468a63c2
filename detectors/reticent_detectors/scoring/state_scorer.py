"""Scores spans from their hidden states: the probability that a value is memorised, with a second look in doubt.

A detector that compares other names (`renamed`) was also trained without them, so it first scores without them. The
host reads the text again under other names only if that score is doubtful, because a forward pass is the largest cost.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, Protocol

import numpy as np
import torch
from numpy.typing import NDArray

from reticent_detectors.bundle.format import Bundle
from reticent_detectors.capture import HostAdapter, SpanStates, Taps
from reticent_detectors.capture.beginning import Beginning
from reticent_detectors.capture.name_swap_reading import NameSwapReader, SecondLook
from reticent_detectors.entities import Entity
from reticent_detectors.features.derived_features import BASE, base_features, reads_inner
from reticent_detectors.features.features import (
    FeatureSpec,
    build_device_features,
    build_features,
    compare_names,
    layer_log_probabilities,
)
from reticent_detectors.features.name_swap import NameSwapper
from reticent_detectors.scoring.device_scorer import DeviceScorer
from reticent_detectors.scoring.scorer import OnnxScorer
from reticent_kernels import token_logprob

WARM_ROWS = (1, 65, 513, 2049)
"""Rows of the lens that cover each of its routes (`reticent_kernels.lens_triton.ROUTES`) and gather tiles."""


class LookBudget(Protocol):
    """The budget of an answer's second looks, used once for each doubtful span.

    The same span gets the same result again.
    """

    @property
    def is_open(self) -> bool:
        """Whether this span may have a second look, unless it costs too much."""
        ...

    def spend(self, positions: int) -> bool:
        """Spends so many positions on a second look. Returns whether the budget allowed it."""
        ...


class ReadSpan(NamedTuple):
    """A span to be scored."""

    states: SpanStates
    entity: str
    before: Sequence[int]
    """Ids of the text before the span."""
    beginning: Beginning | None = None
    """The cache of a generation that has read `before`."""
    budget: LookBudget | None = None
    """The budget of second looks; None: unlimited."""
    base: Sequence[float] = ()
    """Log-probabilities of the span's tokens under the base, in nats; empty if it was not asked."""

    def __repr__(self) -> str:
        return f"ReadSpan({self.entity}, {self.states!r})"


class StateScorer:
    """A bundle's detector on one host. Threads may share it if they may share the host.

    Args:
        bundle: a detector made for the host.
        scorer: runs its network.
        adapter, taps: the host.
        tokenizer: the host's tokenizer.
        writing: a lock, held while the tokenizer is used.
    """

    def __init__(
        self,
        bundle: Bundle,
        scorer: OnnxScorer,
        adapter: HostAdapter,
        taps: Taps,
        tokenizer: Any,
        writing: AbstractContextManager[Any] | None = None,
    ) -> None:
        self.spec = FeatureSpec.of(bundle.feature_options)
        self._scorer, self._adapter, self._taps = scorer, adapter, taps
        self._margin = bool(bundle.feature_options.get("margin", True))
        self._on_gpu = DeviceScorer(scorer) if scorer.on_gpu else None
        self._name_swapper = NameSwapper(tokenizer, self.spec.names, adapter.context)
        self._second_look_reader = NameSwapReader(taps) if self.spec.names else None
        self._writing = writing or nullcontext()

    def __repr__(self) -> str:
        return f"StateScorer({self.spec})"

    def __call__(self, spans: Sequence[ReadSpan], spent: dict[str, float] | None = None) -> list[float]:
        """Returns the probability of each span. Adds the seconds in `lens` and `detector` to `spent`.

        Raises:
            InputError, CaptureError: see `build_features`, `OnnxScorer.score` and `read_under_other_names`.
        """
        if not spans:
            return []
        entities = [span.entity for span in spans]
        clock = _Clock({} if spent is None else spent)
        with clock("lens"):
            features = self._features([span.states for span in spans])
            if BASE in self._scorer.shapes:
                features[BASE] = base_features([span.base for span in spans])
        with clock("detector"):
            probabilities = self._probabilities(features, entities)
        doubtful = self._scorer.doubtful(probabilities)
        if len(doubtful) and self._second_look_reader is not None:
            with clock("lens"):
                looks = self._affordable_looks(spans, doubtful, self._second_look_reader)
                positions = list(looks)
                others = self._second_look_reader(list(looks.values()))
                swap_features = compare_names([spans[at].states for at in positions], others, self.spec)
            with clock("detector"):
                second_features = {name: array[positions] for name, array in features.items()} | swap_features
                if positions:
                    probabilities[positions] = self._probabilities(second_features, [entities[at] for at in positions])
        return [float(probability) for probability in probabilities]

    def _affordable_looks(
        self, spans: Sequence[ReadSpan], doubtful: NDArray[np.int64], reader: NameSwapReader
    ) -> dict[int, SecondLook]:
        """Returns the second looks, by index, of spans with a name to replace and a budget for it."""
        looks = {}
        for at in map(int, doubtful):
            span, budget = spans[at], spans[at].budget
            if budget is not None and not budget.is_open:
                continue
            with self._writing:
                texts = self._name_swapper(span.before, len(span.states.ids))
            look = SecondLook(texts, span.states.ids.tolist(), span.before, span.beginning)
            if texts and (budget is None or budget.spend(reader.positions(look))):
                looks[at] = look
        return looks

    def _features(self, states: Sequence[SpanStates]) -> Any:
        build: Any = build_features if self._on_gpu is None else build_device_features
        return build(self._adapter, states, self.spec, self._scorer.shapes, self._margin)

    def _probabilities(self, features: Any, entities: Sequence[str]) -> Any:
        score: Any = (self._on_gpu or self._scorer).score
        return score(features, entities)

    @property
    def reads_layers(self) -> bool:
        """Whether the detector reads the states of layers below the last."""
        return reads_inner(self._scorer.shapes)

    def by_layer(self, states: SpanStates) -> list[list[float]]:
        """Returns `layer_log_probabilities` of a span; empty if the detector reads no layers."""
        return layer_log_probabilities(self._adapter, states, self.spec) if self.reads_layers else []

    def warm(self) -> None:
        """Runs `rehearse` if a part of the host is on a GPU."""
        if any(weight.is_cuda for weight in self._adapter.model.parameters()):
            self.rehearse()

    def rehearse(self) -> None:
        """Compiles the GPU's kernels, so that no answer waits for them.

        Scores spans with row counts for every route of the lens, and computes one token's log-probability.

        Raises:
            InputError, CaptureError: see `build_features`. A compiler may raise others.
        """
        adapter = self._adapter
        ids = torch.tensor([[3, 4]]) % adapter.vocabulary
        layers = adapter.num_layers if reads_inner(self._scorer.shapes) else 1
        for rows in WARM_ROWS:
            spans = -(-rows // layers)
            states = self._taps.read(ids, None, [(0, [0])] * spans)
            self._probabilities(self._features(states), [Entity.PERSON] * spans)
        with self._taps.silent(), torch.no_grad():
            logits = adapter.model(input_ids=ids[:, :1].to(adapter.device), use_cache=False).logits[:, -1]
        token_logprob(logits, ids[:, 1])


class _Clock:
    def __init__(self, spent: dict[str, float]) -> None:
        self._spent = spent

    def __call__(self, stage: str) -> _Clock:
        self._stage = stage
        return self

    def __enter__(self) -> None:
        self._started = time.perf_counter()

    def __exit__(self, *error: object) -> None:
        self._spent[self._stage] = self._spent.get(self._stage, 0.0) + time.perf_counter() - self._started
