"""Decides what a policy sets, and which rule, thresholds and modes follow from it.

Each setting stands here once, with its type, bounds, meaning and default. Files (`file_format`), their template,
errors, digests and the table in `docs/policy.md` follow from that.

Rules are looked up by entity and origin, then by `DEFAULT` and origin, then in the built-in table.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, InstanceOf

from reticent.policy.checked_settings import Number, UnitInterval, Whole, unknown
from reticent.policy.options import AfterRedaction, FailMode, HoldLimits, OnBlock, SecondLooks, Stage
from reticent.policy.pretrained import BASE_THRESHOLD, PASSES, PASSES_FOR_PUBLIC_SUBJECTS
from reticent.policy.redaction import MASK_CHAR, RedactionStyle, checked_mask_char
from reticent.policy.rules import DEFAULT, FALSE_POSITIVES, INFERABLE_CUE, KindName, Rule
from reticent.policy.verdict import Action, Origin, Tier
from reticent_detectors.errors import PolicyError
from reticent_detectors.finder.own_forms import OwnForm

_PLAIN_RULES = MappingProxyType({action: Rule(action) for action in Action})
_HASH = re.compile(r"[0-9a-f]{32}")
_STOPPED = frozenset({Origin.MEMORIZED, Origin.CONTEXT, Origin.UNKNOWN})
empty: Any = partial(MappingProxyType, {})


def draw_key() -> bytes:
    """Draws a key of 32 bytes."""
    return secrets.token_bytes(32)


def _long_form(rule: Any) -> Any:
    return {"action": rule} if isinstance(rule, str) else rule


def _name(text: str) -> str:
    if not any(map(str.isalpha, text)):
        raise ValueError("expected a person's name")
    return " ".join(text.split())


def is_hash(text: str) -> bool:
    """Says whether a text is a keyed hash for the lists, as `Policy.digest` gives it."""
    return _HASH.fullmatch(text) is not None


def _hash(text: str) -> str:
    if not is_hash(text):
        raise ValueError(
            "expected a hash of 32 hexadecimal digits in small letters, which Policy.digest gives; list plain values "
            "with Policy().with_lists(deny=[...]) or allow=[...]"
        )
    return text


Name = TypeVar("Name")
Value = TypeVar("Value")
Frozen = Annotated[Mapping[Name, Value], AfterValidator(MappingProxyType)]
AnyRule = Annotated[Rule, BeforeValidator(_long_form)]
Nats = Annotated[Number, Field(le=0, allow_inf_nan=False)]
Hashes = frozenset[Annotated[str, AfterValidator(_hash)]]
PersonName = Annotated[str, Field(max_length=120), AfterValidator(_name)]


@dataclass(frozen=True, kw_only=True)
class PolicySettings:
    """Declares the settings of a policy, and looks up what follows from them. `Policy` checks them.

    A file writes some of them otherwise (`file_format`); those without a description are set by Python alone.
    """

    rules: Annotated[
        Frozen[str, Frozen[Origin, AnyRule]],
        Field(
            description="allow, flag, redact or block, by kind (or DEFAULT) and by origin; none: the built-in table.",
            examples=["{memorized: block}"],
        ),
    ] = field(default_factory=empty)
    score_threshold: Annotated[
        UnitInterval | None,
        Field(description="Probability from which a value counts as memorised; null: the bundle's."),
    ] = None
    false_positives: Annotated[
        Annotated[Number, Field(ge=FALSE_POSITIVES[0], le=FALSE_POSITIVES[1])] | None,
        Field(
            description="Share of made-up values that may be stopped, in place of score_threshold: 0.001 to 0.08 "
            "(1 % is 0.01); null: 0.08."
        ),
    ] = None
    allow_list: Annotated[
        Hashes,
        Field(description="Values that always pass; in a file plain or as hash:HEX, and hashed when it is read."),
    ] = field(default=frozenset(), repr=False)
    deny_list: Annotated[
        Hashes,
        Field(description="Values that never pass, where the finder finds them, unless the user typed them."),
    ] = field(default=frozenset(), repr=False)
    list_key: Annotated[
        bytes,
        Field(
            strict=True,
            min_length=16,
            max_length=64,
            description="Key of both lists, 32 to 128 hexadecimal digits; null draws one at each start.",
        ),
    ] = field(default_factory=draw_key, repr=False, compare=False)
    # The bundle's: `Guard` sets them.
    thresholds: Frozen[str, UnitInterval] = field(default_factory=empty)
    bundle_base_threshold: Nats | None = None
    fail_mode: Annotated[
        FailMode,
        Field(description="Where judging fails: closed redacts, open lets pass; {judge: open} sets one stage."),
    ] = FailMode.CLOSED
    fail_modes: Frozen[Stage, FailMode] = field(default_factory=empty)
    on_block: Annotated[
        OnBlock, Field(description="How a blocked answer ends: finish (content_filter), error, or {replace: TEXT}.")
    ] = OnBlock.FINISH
    block_text: str = field(default="", repr=False)
    on_overflow: Annotated[
        Action, Field(description="What happens to text that reaches the bounds of hold undecided.")
    ] = Action.REDACT
    hold: Annotated[
        HoldLimits, Field(description="How much text may wait for a decision, in tokens, characters and seconds.")
    ] = field(default_factory=HoldLimits)
    second_looks: Annotated[
        SecondLooks, Field(description="What it may cost to read doubtful values again under other names.")
    ] = field(default_factory=SecondLooks)
    redaction: Annotated[RedactionStyle, Field(description="What replaces a value: tag, mask, hash or surrogate.")] = (
        RedactionStyle.TAG
    )
    mask_char: Annotated[
        str,
        AfterValidator(checked_mask_char),
        Field(description="The visible symbol that redaction: mask repeats, such as '█', '•' or '*'."),
    ] = MASK_CHAR
    after_redaction: Annotated[
        AfterRedaction,
        Field(description="How an answer goes on: rewind (the model forgets the value), stop or continue."),
    ] = AfterRedaction.REWIND
    max_rewinds: Annotated[
        Whole, Field(ge=0, description="Rewinds in one answer, after which the next redaction ends it.")
    ] = 4
    # It moves probabilities and the bundle's thresholds. Before a server all probabilities are at the bundle's.
    prevalence: Annotated[
        Annotated[Number, Field(gt=0, lt=1)] | None,
        Field(description="Share of memorised values to expect; null: the bundle's."),
    ] = None
    # Whoever carries the answer owes equal time, and keeps verdicts, scores and counts from the client.
    seal: Annotated[bool, Field(description="true refuses whatever lets a client tell where a value comes from.")] = (
        False
    )
    monitor: Annotated[bool, Field(description="true decides and counts, and changes nothing.")] = False
    custom_entities: Annotated[
        frozenset[KindName],
        Field(description="Further kinds that recognisers of your own find (in Python), so that rules may name them."),
    ] = frozenset()
    recognizers: Annotated[
        tuple[InstanceOf[OwnForm], ...],
        Field(description="Recognisers of your own, by the kind that they find; none by default."),
    ] = ()
    also_find: Annotated[
        frozenset[str],
        Field(description="Kinds of ordinary prose to find: PERSON, LOCATION, ORGANIZATION, DATE_TIME, NRP."),
    ] = frozenset()
    # Each word costs a projection, and much that is no personal data is stopped.
    every_token: Annotated[bool, Field(description="true judges every word that no recogniser claims, too.")] = False
    tagger: Annotated[bool, Field(description="Whether a trained tagger finds words without a form.")] = True
    # Not if a list, the records index or the operator's context has them.
    placeholders: Annotated[
        bool, Field(description="true lets pass what stands for nobody in source code (changeme, 123-45-6789).")
    ] = False
    fits_code: Annotated[bool, Field(description="true keeps source code parseable where a value is replaced.")] = False
    base_threshold: Annotated[
        Nats | None,
        Field(
            description=f"Nats per token (such as {BASE_THRESHOLD}) from which a value counts as pretrained; "
            "null: the bundle's."
        ),
    ] = None
    allow_subjects: Annotated[
        frozenset[PersonName],
        Field(description="Public persons whose dates of birth may pass, besides the shipped list."),
    ] = field(default=frozenset(), repr=False)

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
                return _PLAIN_RULES[Action.ALLOW]
            return _PLAIN_RULES[self.rule(entity, Origin.MEMORIZED, tier).action]
        if origin is Origin.UNKNOWN and tier is Tier.TEXT:
            return _PLAIN_RULES[Action.FLAG]
        return _PLAIN_RULES[Action.REDACT if origin in _STOPPED else Action.ALLOW]

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
        if stage not in set(Stage):
            raise PolicyError(unknown("stage", stage, Stage))
        return FailMode.CLOSED if stage == Stage.REDACT else self.fail_modes.get(Stage(stage), self.fail_mode)
