"""Holds what the answers of one call of a guarded model share."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from reticent.core.call_context import CallContext
from reticent.core.judge import BaseRole, ModelAccess
from reticent.huggingface.wrapped_model import WrappedModel, WrappingGuard
from reticent.policy.policy import Policy
from reticent_detectors.features.derived_features import BASE
from reticent_detectors.lazy_attribute import lazy_attribute

if TYPE_CHECKING:
    from reticent.huggingface.call_options import Trial
    from reticent_detectors.capture.base_model import BaseReader


class ModelCallContext(CallContext):
    """Holds what the answers of one call in the process share.

    Args:
        guard: has the detector, the records and the observers.
        model: the guarded model.
        policy: decides about spans.
        halts: whether an answer ends at a redaction.
        conversation: names the conversation, whose hashes and surrogates stay the same.
        streams: whether somebody reads along. If nobody does, nobody waits, and the bound on held seconds does not
            count.
        trial: another base, and who takes what was measured of each value.
        request_id: names the call in logs and observations. None draws one.
    """

    def __init__(
        self,
        guard: WrappingGuard,
        model: WrappedModel,
        policy: Policy,
        halts: bool,
        conversation: str | None = None,
        streams: bool = False,
        trial: Trial | None = None,
        request_id: str | None = None,
    ) -> None:
        key = guard.conversation_key(conversation)
        suppressed = None if guard.suppressions is None else guard.suppressions.current()
        super().__init__(policy, guard.finder(policy), guard.records, key, halts, request_id, suppressed)
        self.guard, self.model = guard, model
        self.limits = policy.hold if streams else replace(policy.hold, max_seconds=math.inf)
        self.trial = trial
        self.base_model = model.base if trial is None else trial.base
        """The base of this call, if there is one. `base` goes on from what it has read of the call's text."""
        self.base: BaseReader | None = None if self.base_model is None else self.base_model.open()
        """Reads the base for this call, if the model has one."""

    @lazy_attribute
    def model_access(self) -> ModelAccess:
        """Says what can be asked about a value's tokens."""
        role = BaseRole.NONE
        if self.base is not None:
            role = BaseRole.MODEL_ITSELF if self.base.is_host else BaseRole.BEFORE_TUNING
        return ModelAccess(self.guard.tier, True, role, BASE in self.guard.scorer.shapes)
