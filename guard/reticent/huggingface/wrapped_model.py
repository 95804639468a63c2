"""Says what a call asks of a wrapped model, and of the guard around it.

`GuardedModel` and `Guard` have these attributes, and more. What runs a call names these two protocols alone, so it
knows neither how a guard is loaded nor how a model is wrapped.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from reticent.huggingface.batch_scoring import StateSource
from reticent.observability.observers import Observer
from reticent.policy.policy import Policy
from reticent.policy.verdict import Tier

if TYPE_CHECKING:
    from reticent.records.index import RecordsIndex
    from reticent.suppressions.watched import Suppressions
    from reticent_detectors.bundle.format import Bundle
    from reticent_detectors.capture import HostAdapter, Taps
    from reticent_detectors.capture.base_model import BaseModel
    from reticent_detectors.features.name_swap import NameSwapper
    from reticent_detectors.finder import SpanFinder
    from reticent_detectors.scoring.host_probe import HostProbe
    from reticent_detectors.scoring.scorer import OnnxScorer
    from reticent_detectors.scoring.state_scorer import StateScorer


class WrappingGuard(Protocol):
    """Gives a wrapped model its detector, its policy, its records and its observers.

    Attributes:
        bundle: the detector's files.
        policy: decides about spans where a call brings no policy of its own.
        records: index of the training values, if there is one.
        suppressions: the store of suppressed values and people, if there is one.
        observers: get every finished answer.
        scorer: runs the detector.
        tier: says what the detector knows of the model.
    """

    bundle: Bundle
    policy: Policy
    records: RecordsIndex | None
    suppressions: Suppressions | None
    observers: tuple[Observer, ...]
    scorer: OnnxScorer
    tier: Tier

    def policy_with_thresholds(self, policy: Policy) -> Policy:
        """Copies a policy with the bundle's thresholds. Raises PolicyError if the bundle has none at its rate."""
        ...

    def finder(self, policy: Policy) -> SpanFinder:
        """Gives the span finder of a policy."""
        ...

    def conversation_key(self, conversation: str | None) -> bytes:
        """Gives the key of a conversation's hashes and surrogates, 32 bytes. None draws a fresh one."""
        ...


class WrappedModel(Protocol):
    """Gives a call the model, what is attached to it, and its guard.

    Attributes:
        model: the transformers model.
        tokenizer: the model's own.
        guard: the guard around the model.
        overlap: whether a token is judged while the model computes the next.
        adapter: the model's parts.
        base: the model before private tuning, if there is one.
        taps: the hooks that read its states.
        probe: tags words by these states, if the bundle has one.
        score: scores spans by the detector.
        rename: makes texts about somebody else.
    """

    model: Any
    tokenizer: Any
    guard: WrappingGuard
    overlap: bool
    adapter: HostAdapter
    base: BaseModel | None
    taps: Taps
    probe: HostProbe | None
    score: StateScorer
    rename: NameSwapper

    @property
    def reads_compiled(self) -> bool:
        """Says whether the taps are on the model that `generate` compiles."""
        ...

    def read(self, before: Sequence[int], value_ids: Sequence[int]) -> StateSource:
        """Reads the states of tokens behind a text in a separate pass. Positions count from the first token."""
        ...
