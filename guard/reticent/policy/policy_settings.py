"""Holds what a policy sets, and looks up the rule, thresholds and modes that follow from it.

Rules are looked up by entity and origin, then by `DEFAULT` and origin, then in the built-in table. `policy` says what
each setting means, and checks it. `origin`, `policy_checks` and `policy_digest` read settings.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from reticent.policy.options import AfterRedaction, FailMode, HoldLimits, OnBlock, SecondLooks, Stage, choose
from reticent.policy.pretrained import BASE_THRESHOLD, PASSES, PASSES_FOR_PUBLIC_SUBJECTS
from reticent.policy.redaction import MASK_CHAR, RedactionStyle
from reticent.policy.rules import DEFAULT, INFERABLE_CUE, Rule
from reticent.policy.verdict import Action, Origin, Tier
from reticent_detectors.finder.own_forms import OwnForm

KEY_BYTES = 32
"""Length of a key that is drawn."""

_STOPPED = frozenset({Origin.MEMORIZED, Origin.CONTEXT, Origin.UNKNOWN})


class _KeepsDigest:
    """Has room for a digest, which is computed once and is no setting."""

    __slots__ = ("_digest",)
    _digest: str


@dataclass(frozen=True, slots=True)
class PolicySettings(_KeepsDigest):
    """Holds the settings of a policy, unchecked. `Policy` says what each means, and checks them."""

    rules: Mapping[str, Mapping[Origin, Rule]] = field(default_factory=dict)
    score_threshold: float | None = None
    false_positives: float | None = None
    allow_list: frozenset[str] = field(default=frozenset(), repr=False)
    deny_list: frozenset[str] = field(default=frozenset(), repr=False)
    list_key: bytes = field(default_factory=lambda: secrets.token_bytes(KEY_BYTES), repr=False, compare=False)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    fail_mode: FailMode = FailMode.CLOSED
    on_block: OnBlock = OnBlock.FINISH
    block_text: str = field(default="", repr=False)
    on_overflow: Action = Action.REDACT
    hold: HoldLimits = field(default_factory=HoldLimits)
    redaction: RedactionStyle = RedactionStyle.TAG
    monitor: bool = False
    custom_entities: frozenset[str] = frozenset()
    recognizers: tuple[OwnForm, ...] = ()
    also_find: frozenset[str] = frozenset()
    every_token: bool = False
    tagger: bool = True
    after_redaction: AfterRedaction = AfterRedaction.REWIND
    max_rewinds: int = 4
    mask_char: str = MASK_CHAR
    fail_modes: Mapping[Stage, FailMode] = field(default_factory=dict)
    prevalence: float | None = None
    seal: bool = False
    base_threshold: float | None = None
    allow_subjects: frozenset[str] = field(default=frozenset(), repr=False)
    bundle_base_threshold: float | None = None
    second_looks: SecondLooks = field(default_factory=SecondLooks)
    placeholders: bool = False
    fits_code: bool = False

    @property
    def own_kinds(self) -> frozenset[str]:
        """Gives the kinds that are none of ours: those named, and those of the policy's recognisers."""
        return self.custom_entities | {each.entity for each in self.recognizers}

    def _own_rule(self, entity: str, origin: Origin) -> Rule | None:
        """Finds the rule that the policy itself states, if it states one."""
        for name in (entity, DEFAULT):
            if (found := self.rules.get(name, {}).get(origin)) is not None:
                return found
        return None

    def rule(
        self,
        entity: str,
        origin: Origin,
        tier: Tier,
        public_subject: bool = False,
        unannounced: bool = False,
    ) -> Rule:
        """Finds the rule for a span of this kind and origin. The flags are those of `Evidence`.

        Under a seal `pretrained` has no default of its own: it follows the rule for `memorized`.
        """
        if (found := self._own_rule(entity, origin)) is not None:
            return found
        if origin is Origin.PRETRAINED:
            public = public_subject and entity in PASSES_FOR_PUBLIC_SUBJECTS
            if not self.seal and (entity in PASSES or public or unannounced):
                return Rule(Action.ALLOW)
            return Rule(self.rule(entity, Origin.MEMORIZED, tier).action)
        if origin is Origin.UNKNOWN and tier is Tier.TEXT:
            return Rule(Action.FLAG)
        return Rule(Action.REDACT if origin in _STOPPED else Action.ALLOW)

    def threshold(self, entity: str) -> float | None:
        """Gives the probability from which a span of this kind counts as memorised, or None if there is none."""
        for name in (entity, DEFAULT):
            rule = self.rules.get(name, {}).get(Origin.MEMORIZED)
            if rule is not None and rule.threshold is not None:
                return rule.threshold
        if self.score_threshold is not None:
            return self.score_threshold
        return self.thresholds.get(entity, self.thresholds.get(DEFAULT))

    def inferable_cue(self, entity: str) -> float:
        """Gives the cue from which a value of this kind counts as inferable."""
        for name in (entity, DEFAULT):
            rule = self.rules.get(name, {}).get(Origin.INFERABLE)
            if rule is not None and rule.threshold is not None:
                return rule.threshold
        return INFERABLE_CUE

    @property
    def least_base(self) -> float:
        """Gives the mean log-probability per token under the base (nats) from which a value counts as pretrained."""
        for threshold in (self.base_threshold, self.bundle_base_threshold):
            if threshold is not None:
                return threshold
        return BASE_THRESHOLD

    def fail_mode_of(self, stage: Stage | str) -> FailMode:
        """Gives the fail mode of a stage. `redact` is always closed: the tag replaces the style."""
        stage = choose(Stage, stage, "stage")
        return FailMode.CLOSED if stage is Stage.REDACT else self.fail_modes.get(stage, self.fail_mode)
