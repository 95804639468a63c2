"""What happens to a span of a given kind and origin. Frozen, and the same for every request.

    policy = Policy(rules={"DEFAULT": {Origin.HALLUCINATED: Rule(Action.FLAG)}}, score_threshold=0.9)
    policy.decide(Entity.PHONE_NUMBER, Evidence(Tier.HIDDEN, probability=0.97), "555-0100").action   # redact

Rules are looked up as entity and origin, then `DEFAULT` and origin, then in the built-in table: memorised, context and
unknown are redacted, all others pass; in tier `text`, where nothing can be known, unknown is flagged.

The threshold on the probability is, first found first taken: the rule's, `score_threshold`, the bundle's for the entity,
the bundle's `DEFAULT` (5 % false positives on validation). With none of them a span is `unknown`, never harmless.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType

from reticent.redaction import RedactionStyle
from reticent.verdict import Action, Decision, Origin, Reason, Tier, Verdict
from reticent_detectors.cue import normalize
from reticent_detectors.entities import Entity
from reticent_detectors.errors import PolicyError

DEFAULT = "DEFAULT"
"""Stands for every entity that a policy does not name."""

INFERABLE_CUE = 0.5
"""From this cue on a value that is not memorised counts as inferable rather than made up; both pass by default."""

_STOPPED = frozenset({Origin.MEMORIZED, Origin.CONTEXT, Origin.UNKNOWN})
_KEY_BYTES = 32


class FailMode(StrEnum):
    """What becomes of a span when something in the judging path fails."""

    CLOSED = "closed"
    OPEN = "open"


class OnBlock(StrEnum):
    """How a blocked answer ends: with finish reason `content_filter`, with an error, or with a replacement text."""

    FINISH = "finish"
    ERROR = "error"
    REPLACE = "replace"


@dataclass(frozen=True, slots=True)
class HoldLimits:
    """How much may be held back before `on_overflow` decides: tokens, characters, seconds since its arrival."""

    max_tokens: int = 256
    max_chars: int = 1024
    max_seconds: float = 5.0

    def __post_init__(self) -> None:
        for name in ("max_tokens", "max_chars", "max_seconds"):
            if not getattr(self, name) > 0:
                raise PolicyError(f"hold.{name} must be above 0, got {getattr(self, name)!r}.")


@dataclass(frozen=True, slots=True)
class Rule:
    """An action, and from which value on: a probability for `memorized`, a cue for `inferable`."""

    action: Action
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise PolicyError(f"threshold must lie between 0 and 1, got {self.threshold!r}.")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about a span when the policy is asked.

    `probability` is None if it could not be measured. `recorded`: the value stands in the records index.
    `inferable`: the control says it too (None: nobody asked it, then the cue decides).
    """

    tier: Tier
    probability: float | None = None
    cue: float = 0.0
    echoed: bool = False
    context: bool = False
    recorded: bool = False
    inferable: bool | None = None


def nearest(name: str, choices: Iterable[str]) -> str:
    """` Did you mean 'X'? Choices: ...` for an error about an unknown name."""
    names = sorted(map(str, choices))
    by_case = {choice.casefold(): choice for choice in names}
    close = get_close_matches(name.casefold(), by_case, n=1, cutoff=0.5)
    hint = f" Did you mean {by_case[close[0]]!r}?" if close else ""
    return f"{hint} Choices: {', '.join(names)}."


@dataclass(frozen=True, slots=True)
class Policy:
    """Decides about spans.

    Args:
        rules: entity (or `DEFAULT`) to origin to rule. What is not named follows the built-in table.
        score_threshold: probability from which a span counts as memorised; None takes the bundle's thresholds.
        allow_list: keyed hashes (`digest`) of values that always pass.
        deny_list: keyed hashes of values that never pass, except where the user typed them.
        list_key: key of both lists; drawn anew if none is given.
        thresholds: the bundle's thresholds per entity; set by `bound`.
        language: language of the texts, for the span finder.
        custom_entities: further entities of the operator's own recognisers, so that rules may name them.

    Raises:
        PolicyError: an unknown entity or origin, or a threshold that is none.
    """

    rules: Mapping[str, Mapping[Origin, Rule]] = field(default_factory=dict)
    score_threshold: float | None = None
    allow_list: frozenset[str] = field(default=frozenset(), repr=False)
    deny_list: frozenset[str] = field(default=frozenset(), repr=False)
    list_key: bytes = field(default_factory=lambda: secrets.token_bytes(_KEY_BYTES), repr=False, compare=False)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    fail_mode: FailMode = FailMode.CLOSED
    on_block: OnBlock = OnBlock.FINISH
    block_text: str = field(default="", repr=False)
    on_overflow: Action = Action.REDACT
    hold: HoldLimits = HoldLimits()
    redaction: RedactionStyle = RedactionStyle.TAG
    monitor: bool = False
    language: str = "en"
    custom_entities: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        known = {DEFAULT, *map(str, Entity), *self.custom_entities}
        frozen: dict[str, Mapping[Origin, Rule]] = {}
        for entity, by_origin in self.rules.items():
            if entity not in known:
                raise PolicyError(f"Unknown entity {entity!r} in a policy.{nearest(entity, known)}")
            frozen[str(entity)] = MappingProxyType({_origin(origin): rule for origin, rule in by_origin.items()})
            for origin, rule in frozen[str(entity)].items():
                if rule.threshold is not None and origin not in (Origin.MEMORIZED, Origin.INFERABLE):
                    raise PolicyError(
                        f"{entity}.{origin} has a threshold, but only 'memorized' (a probability) and 'inferable' "
                        "(a cue) are decided by one. Remove it."
                    )
        scores = {"score_threshold": self.score_threshold, **self.thresholds}
        for name, score in scores.items():
            if score is not None and not 0.0 <= score <= 1.0:
                raise PolicyError(f"The threshold {name} must lie between 0 and 1, got {score!r}.")
        object.__setattr__(self, "rules", MappingProxyType(frozen))
        object.__setattr__(self, "thresholds", MappingProxyType(dict(self.thresholds)))

    @classmethod
    def default(cls) -> Policy:
        """The built-in table and the bundle's thresholds."""
        return cls()

    @classmethod
    def allow_all(cls) -> Policy:
        """Decides and counts, stops nothing: not by origin, not by overflow, not by a failure."""
        every = {origin: Rule(Action.ALLOW) for origin in Origin}
        return cls(rules={DEFAULT: every}, fail_mode=FailMode.OPEN, on_overflow=Action.ALLOW)

    def bound(self, thresholds: Mapping[str, float]) -> Policy:
        """The same policy with a bundle's thresholds (entity, or `DEFAULT`, to probability)."""
        return replace(self, thresholds=thresholds)

    def with_lists(self, *, allow: Iterable[str] = (), deny: Iterable[str] = ()) -> Policy:
        """The same policy with further values on its lists. Only their keyed hashes are kept."""
        return replace(
            self,
            allow_list=self.allow_list | self._digests(allow),
            deny_list=self.deny_list | self._digests(deny),
        )

    def digest(self, value: str, entity: str) -> str:
        """The keyed hash under which a value stands on a list, whatever its spelling."""
        form = normalize(value, entity)
        return hashlib.blake2b(form.encode(), key=self.list_key, digest_size=16).hexdigest()

    def rule(self, entity: str, origin: Origin, tier: Tier) -> Rule:
        """The rule for a span of this kind and origin."""
        for name in (entity, DEFAULT):
            if (found := self.rules.get(name, {}).get(origin)) is not None:
                return found
        if origin is Origin.UNKNOWN and tier is Tier.TEXT:
            return Rule(Action.FLAG)
        return Rule(Action.REDACT if origin in _STOPPED else Action.ALLOW)

    def threshold(self, entity: str) -> float | None:
        """Probability from which a span of this kind counts as memorised, or None if nothing says it."""
        for name in (entity, DEFAULT):
            rule = self.rules.get(name, {}).get(Origin.MEMORIZED)
            if rule is not None and rule.threshold is not None:
                return rule.threshold
        if self.score_threshold is not None:
            return self.score_threshold
        return self.thresholds.get(entity, self.thresholds.get(DEFAULT))

    def decide(self, entity: str, evidence: Evidence, value: str | None = None) -> Decision:
        """Origin and action of a span.

        The order is: what the user typed whole; then the operator's lists (deny before allow); then context; then
        the records index; then the control; then the detector. So nothing can be guessed off the guard: a value
        that a user tries out passes whether it is on a list, in a record or in the weights, or not.
        """
        origin, reason = self._origin(entity, evidence)
        verdict = Verdict(origin, evidence.probability, evidence.cue, evidence.tier)
        action = self.rule(entity, origin, evidence.tier).action
        suppress = origin is Origin.MEMORIZED
        if value is not None and origin is not Origin.ECHOED and (self.deny_list or self.allow_list):
            digest = self.digest(value, entity)
            if digest in self.deny_list:
                action = Action.BLOCK if action is Action.BLOCK else Action.REDACT
                reason, suppress = Reason.DENY_LIST, True
            elif digest in self.allow_list:
                action, reason = Action.ALLOW, Reason.ALLOW_LIST
        decision = Decision(action, verdict, suppress and action.stops, reason)
        return decision.monitored() if self.monitor else decision

    def _origin(self, entity: str, evidence: Evidence) -> tuple[Origin, Reason]:
        if evidence.echoed:
            return Origin.ECHOED, Reason.RULE
        if evidence.context:
            return Origin.CONTEXT, Reason.RULE
        if evidence.recorded:
            return Origin.MEMORIZED, Reason.RULE
        if evidence.inferable:
            return Origin.INFERABLE, Reason.RULE
        probability = evidence.probability
        if probability is None or not 0.0 <= probability <= 1.0:  # NaN is none of both
            return Origin.UNKNOWN, Reason.RULE
        threshold = self.threshold(entity)
        if threshold is None:
            return Origin.UNKNOWN, Reason.NO_THRESHOLD
        if probability >= threshold:
            return Origin.MEMORIZED, Reason.RULE
        if evidence.inferable is None and evidence.cue >= self._inferable_cue(entity):
            return Origin.INFERABLE, Reason.RULE
        return Origin.HALLUCINATED, Reason.RULE

    def _inferable_cue(self, entity: str) -> float:
        for name in (entity, DEFAULT):
            rule = self.rules.get(name, {}).get(Origin.INFERABLE)
            if rule is not None and rule.threshold is not None:
                return rule.threshold
        return INFERABLE_CUE

    def _digests(self, values: Iterable[str]) -> frozenset[str]:
        """A listed value is meant for every kind that it may be found as, so each kind's form of it is hashed.

        A form that drops most of the value is left out: "Route 66 diner" is not meant as the amount 66.
        """
        digests = set()
        for value in values:
            size = sum(map(str.isalnum, value))
            for kind in (*map(str, Entity), *self.custom_entities):
                if 2 * len(normalize(value, kind)) > size:
                    digests.add(self.digest(value, kind))
        return frozenset(digests)


def _origin(name: str) -> Origin:
    try:
        return Origin(name)
    except ValueError:
        raise PolicyError(f"Unknown origin {name!r} in a policy.{nearest(name, list(Origin))}") from None
