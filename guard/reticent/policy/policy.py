"""What happens to a span of a given kind and origin. Frozen, and the same for every request.

    policy = Policy(rules={"DEFAULT": {Origin.HALLUCINATED: Rule(Action.FLAG)}}, score_threshold=0.9)
    policy.decide(Entity.PHONE_NUMBER, Evidence(Tier.HIDDEN, probability=0.97), "555-0100").action   # redact

Rules are looked up as entity and origin, then `DEFAULT` and origin, then in the built-in table: memorised, context and
unknown are redacted, all others pass; in tier `text`, where nothing can be known, unknown is flagged.

A `pretrained` value without a rule of its own gets the rule for memorised ones, with exceptions that pass:

- the kinds of `pretrained.PASSES`;
- those of `pretrained.PASSES_FOR_PUBLIC_SUBJECTS` if a listed public person is the subject;
- values that belong to nobody (`reserved_values`);
- what nothing but the tagger found: most of that is ordinary language.

Where the model is its own base, because it was taught nothing private, these pass as well:

- values that are no person's (`organisation_numbers`, `placeholders`, addresses of private networks), but no passwords, keys and
  PINs, which people do choose from examples;
- emergency lines that the answer's end cuts.

The threshold on the probability is, first found first taken: the rule's, `score_threshold`, the bundle's for the entity,
the bundle's `DEFAULT`, both at `false_positives`. With none of them a span is `unknown`, never harmless.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, field, fields, replace
from enum import StrEnum
from math import isfinite
from types import MappingProxyType
from typing import Any

from reticent.core.verdict import Action, Decision, Origin, Reason, Tier, Verdict
from reticent.old_names import OldName
from reticent.policy import emergency_lines, organisation_numbers, reserved_values
from reticent.policy.code_redaction import CodeRedaction
from reticent.policy.options import AfterRedaction, FailMode, HoldLimits, OnBlock, SecondLooks, Stage, choose, nearest
from reticent.policy.placeholders import CREDENTIALS, is_placeholder
from reticent.policy.pretrained import (
    BASE_THRESHOLD,
    PASSES,
    PASSES_FOR_PUBLIC_SUBJECTS,
    PRETRAINED_CUE,
    says_as_surely,
)
from reticent.policy.redaction import MASK_CHAR, RedactionStyle, Redactor, check_mask_char
from reticent_detectors.entities import GENERAL, Entity
from reticent_detectors.errors import PolicyError
from reticent_detectors.features.cue import normalize

__all__ = [
    "DEFAULT",
    "INFERABLE_CUE",
    "AfterRedaction",
    "Evidence",
    "FailMode",
    "HoldLimits",
    "OnBlock",
    "Policy",
    "Rule",
    "SecondLooks",
    "Stage",
    "nearest",
]

DEFAULT = "DEFAULT"
"""Stands for every entity that a policy does not name."""

INFERABLE_CUE = 0.5
"""From this cue on a value that is not memorised counts as inferable rather than made up; both pass by default."""

_STOPPED = frozenset({Origin.MEMORIZED, Origin.CONTEXT, Origin.UNKNOWN})
_SUPPRESSED = frozenset({Origin.MEMORIZED, Origin.PRETRAINED})
_DIGESTED_BY_EFFECT = frozenset(
    {
        "rules",
        "thresholds",
        "score_threshold",
        "false_positives",
        "list_key",
        "fail_mode",
        "base_threshold",
        "bundle_base_threshold",
        "allow_subjects",
    }
)
_KEY_BYTES = 32
_MOST_NAME_CHARS = 120
_CHOICES: dict[str, type[StrEnum]] = {
    "fail_mode": FailMode,
    "on_block": OnBlock,
    "on_overflow": Action,
    "redaction": RedactionStyle,
    "after_redaction": AfterRedaction,
}


@dataclass(frozen=True, slots=True)
class Rule:
    """Pairs an action with the value from which on it is taken.

    Attributes:
        action: what happens to the span.
        threshold: from 0 to 1, a probability for `memorized` or a cue for `inferable`. None takes the policy's
            threshold, or a cue of 0.5.

    Raises:
        PolicyError: the threshold does not lie between 0 and 1.
    """

    action: Action
    threshold: float | None = None

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0.0 <= self.threshold <= 1.0:
            raise PolicyError(f"threshold must lie between 0 and 1, got {self.threshold!r}.")


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known about a span when the policy is asked.

    `probability` is None if it could not be measured. `recorded`: the value stands in the records index.
    `inferable`: the control says it too (None: nobody asked it, then the cue decides). `base`: mean log-probability per
    token of the value under the base model, in nats (None: nobody asked it). `own_base`: the operator says that the model was taught
    nothing private, so that it is its own base. `public_subject`: a listed public person is the subject (`public_subjects`);
    looked at only where `Policy.asks_subject`. `unannounced`: nothing but the tagger found the value, so it may be no value at all.
    """

    tier: Tier
    probability: float | None = None
    cue: float = 0.0
    echoed: bool = False
    context: bool = False
    recorded: bool = False
    inferable: bool | None = None
    base: float | None = None
    public_subject: bool = False
    own_base: bool = False
    unannounced: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """Decides what happens to spans, by kind and origin. It is frozen and the same for every request.

    Args:
        rules: entity (or `DEFAULT`) to origin to rule. What is not named follows the built-in table.
        score_threshold: probability from which a span counts as memorised; None takes the bundle's thresholds.
        false_positives: share of made-up values that may be stopped, on the data of the bundle's thresholds. Our
            bundles have thresholds from 0.001 to 0.08; None takes the last.
        allow_list: keyed hashes (`digest`) of values that always pass.
        deny_list: keyed hashes of values that never pass, except where the user typed them.
        list_key: key of both lists, at most 64 bytes; drawn anew if none is given.
        thresholds: the bundle's thresholds per entity, from 0 to 1. `Guard` sets them.
        fail_mode: what becomes of a span when its finding or judging fails.
        on_block: how a blocked answer ends.
        block_text: replaces a blocked answer under `replace`.
        on_overflow: what becomes of text that reaches the bounds `hold`.
        hold: how much may be held back, in tokens, characters and seconds.
        redaction: what stands in place of a redacted span.
        mask_char: what `mask` repeats.
        monitor: whether to decide and count, and change nothing.
        language: language of the texts, for the span finder.
        custom_entities: further entities of the operator's own recognisers, so that rules may name them.
        also_find: kinds that fill ordinary prose, found only if named here: `PERSON`, `LOCATION`, `ORGANIZATION`,
            `DATE_TIME`, `NRP`.
        every_token: whether to judge every word that no recogniser claims, too, as kind `OTHER`. That costs a
            projection for each word, and stops much that is no personal data.
        check_spans: whether a trained check drops proposals that are unlikely to be values of their kind. None
            checks, except under a seal.
        tagger: whether the trained tagger also finds values that nothing announces.
        after_redaction: how the answer goes on after a redaction.
        max_rewinds: rewinds in one answer, after which the next redaction ends it.
        fail_modes: `fail_mode` of single stages, where it differs.
        prevalence: share of memorised spans to expect, between 0 and 1; None takes the bundle's. It moves
            probabilities and the bundle's thresholds. Before a server all probabilities are at the bundle's.
        seal: whether what a client sees is independent of a value's origin, unless the client typed the value. Rules
            and modes that break this are refused. Whoever carries the answer owes equal time, and keeps verdicts,
            scores and counts from the client.
        base_threshold: mean log-probability per token under the base, in nats and at most 0, from which a value
            counts as pretrained. None takes the bundle's.
        allow_subjects: names of public persons, besides those of the shipped list.
        bundle_base_threshold: the bundle's threshold on the base. `Guard` sets it.
        second_looks: what second looks under other names may cost an answer.
        placeholders: whether values that stand for nobody in source code pass. They do not if a list, the records
            index or the operator's context has them.
        fits_code: whether what replaces a value in source code keeps the code parseable.

    A policy can be pickled and copied. A pickle holds `list_key`: keep it as you keep the key.

    Raises:
        PolicyError: an unknown entity, origin or choice, a number out of its range, or a seal that does not hold.
    """

    rules: Mapping[str, Mapping[Origin, Rule]] = field(default_factory=dict)
    score_threshold: float | None = None
    false_positives: float | None = None
    allow_list: frozenset[str] = field(default=frozenset(), repr=False)
    deny_list: frozenset[str] = field(default=frozenset(), repr=False)
    list_key: bytes = field(default_factory=lambda: secrets.token_bytes(_KEY_BYTES), repr=False, compare=False)
    thresholds: Mapping[str, float] = field(default_factory=dict)
    fail_mode: FailMode = FailMode.CLOSED
    on_block: OnBlock = OnBlock.FINISH
    block_text: str = field(default="", repr=False)
    on_overflow: Action = Action.REDACT
    hold: HoldLimits = field(default_factory=HoldLimits)
    redaction: RedactionStyle = RedactionStyle.TAG
    monitor: bool = False
    language: str = "en"
    custom_entities: frozenset[str] = frozenset()
    also_find: frozenset[str] = frozenset()
    every_token: bool = False
    check_spans: bool | None = None
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

    def __post_init__(self) -> None:
        known = {DEFAULT, *map(str, Entity), *self.custom_entities}
        frozen: dict[str, Mapping[Origin, Rule]] = {}
        for entity, by_origin in self.rules.items():
            if entity not in known:
                raise PolicyError(f"Unknown entity {entity!r} in a policy.{nearest(entity, known)}")
            frozen[str(entity)] = MappingProxyType(
                {choose(Origin, origin, "origin"): rule for origin, rule in by_origin.items()}
            )
            for origin, rule in frozen[str(entity)].items():
                if rule.threshold is not None and origin not in (Origin.MEMORIZED, Origin.INFERABLE):
                    raise PolicyError(
                        f"{entity}.{origin} has a threshold, but only 'memorized' (a probability) and 'inferable' "
                        "(a cue) are decided by one. Remove it; the field 'base_threshold' is that of 'pretrained'."
                    )
        general = set(map(str, GENERAL))
        for entity in self.also_find:
            if entity not in general:
                raise PolicyError(
                    f"also_find names {entity!r}, expected some of {', '.join(sorted(general))}: "
                    f"all other kinds are found anyway.{nearest(str(entity), general)}"
                )
        object.__setattr__(self, "also_find", frozenset(map(str, self.also_find)))
        scores = {"score_threshold": self.score_threshold, **self.thresholds}
        for name, score in scores.items():
            if score is not None and not 0.0 <= score <= 1.0:
                raise PolicyError(f"The threshold {name} must lie between 0 and 1, got {score!r}.")
        if self.false_positives is not None and not 0.0 < self.false_positives < 1.0:
            raise PolicyError(
                f"false_positives must lie between 0 and 1, both excluded, got {self.false_positives!r}. It is a share: 0.01 for 1 %."
            )
        if self.false_positives is not None and self.score_threshold is not None:
            raise PolicyError(
                "A policy has false_positives and score_threshold, and one threshold can follow only one of them. Remove one."
            )
        for base in (self.base_threshold, self.bundle_base_threshold):
            if base is not None and not (isfinite(base) and base <= 0.0):
                raise PolicyError(
                    f"base_threshold must be at most 0 and finite, got {base!r}. It is a mean log-probability per token in "
                    f"nats, such as {BASE_THRESHOLD}."
                )
        object.__setattr__(self, "allow_subjects", _names(self.allow_subjects))
        if isinstance(self.max_rewinds, bool) or not isinstance(self.max_rewinds, int) or self.max_rewinds < 0:
            raise PolicyError(f"max_rewinds must be a whole number from 0 on, got {self.max_rewinds!r}.")
        if self.prevalence is not None and not 0.0 < self.prevalence < 1.0:
            raise PolicyError(f"prevalence must lie between 0 and 1, both excluded, got {self.prevalence!r}.")
        check_mask_char(self.mask_char)
        stages = {
            choose(Stage, stage, "stage"): choose(FailMode, m, "fail_mode") for stage, m in self.fail_modes.items()
        }
        if stages.get(Stage.REDACT) is FailMode.OPEN:
            raise PolicyError(
                "fail_mode.redact cannot be 'open': it would release a value that was judged to be kept back. "
                "A style that fails is replaced by the tag; leave the field out."
            )
        for name, kind in _CHOICES.items():
            object.__setattr__(self, name, choose(kind, getattr(self, name), name))
        object.__setattr__(self, "rules", MappingProxyType(frozen))
        object.__setattr__(self, "thresholds", MappingProxyType(dict(self.thresholds)))
        object.__setattr__(self, "fail_modes", MappingProxyType(stages))
        if self.seal:
            self._check_seal()

    def __reduce__(self) -> tuple[Any, ...]:
        settings = {each.name: getattr(self, each.name) for each in fields(self)}
        settings["rules"] = {entity: dict(by_origin) for entity, by_origin in self.rules.items()}
        settings |= {name: dict(settings[name]) for name in ("thresholds", "fail_modes")}
        return _restored, (settings,)

    @classmethod
    def default(cls) -> Policy:
        """Gives the built-in policy: its table of rules, and the bundle's thresholds."""
        return cls()

    @classmethod
    def preset(cls, name: str, *, list_key: bytes | None = None) -> Policy:
        """Gives a preset by name: `default`, `sealed`, `clinic-rag` or `code`.

        Args:
            name: the preset's.
            list_key: key of the preset's lists, 16 to 64 bytes; None draws one.

        Raises:
            PolicyError: there is no such preset.
        """
        from reticent.policy.presets import PRESETS

        if name not in PRESETS:
            raise PolicyError(f"Unknown preset {str(name)!r} in a policy.{nearest(str(name), PRESETS)}")
        return PRESETS[name](list_key)

    @classmethod
    def allow_all(cls) -> Policy:
        """Gives a policy that decides and counts, and stops nothing, not even where judging fails."""
        every = {origin: Rule(Action.ALLOW) for origin in Origin}
        return cls(rules={DEFAULT: every}, fail_mode=FailMode.OPEN, on_overflow=Action.ALLOW)

    def with_thresholds(self, thresholds: Mapping[str, float], base_threshold: float | None = None) -> Policy:
        """The same policy with a bundle's thresholds (entity, or `DEFAULT`, to probability), and its threshold on the base
        model's mean log-probability per token (nats; None: the bundle has none)."""
        return replace(self, thresholds=thresholds, bundle_base_threshold=base_threshold)

    bound = OldName("with_thresholds")

    def with_lists(self, *, allow: Iterable[str] = (), deny: Iterable[str] = ()) -> Policy:
        """Copies the policy with further values on its lists. Only their keyed hashes are kept.

        Args:
            allow: values that always pass.
            deny: values that never pass, except where the user typed them.
        """
        return replace(
            self,
            allow_list=self.allow_list | self._digests(allow),
            deny_list=self.deny_list | self._digests(deny),
        )

    def digest(self, value: str, entity: str) -> str:
        """Gives the keyed hash, 32 hexadecimal digits, under which a value stands on a list, whatever its spelling."""
        form = normalize(value, entity)
        return hashlib.blake2b(form.encode(), key=self.list_key, digest_size=16).hexdigest()

    @property
    def digest_hex(self) -> str:
        """Gives 32 hexadecimal digits that stand for all that this policy decides, for metrics and logs.

        Two policies with the same effect have the same digest, however they were written. Listed values enter as
        keyed hashes. With values on the lists, give a `list_key` to get the same digest each time.
        """
        names = {
            DEFAULT,
            *self.rules,
            *self.thresholds,
            *map(str, PASSES | PASSES_FOR_PUBLIC_SUBJECTS),
        }
        rows = {name: self._row(name) for name in names}
        content: dict[str, Any] = {
            each.name: getattr(self, each.name) for each in fields(self) if each.name not in _DIGESTED_BY_EFFECT
        }
        content["base_threshold"] = self.least_base
        content["check_spans"] = self.checks_spans
        content["allow_subjects"] = sorted({name.casefold() for name in self.allow_subjects})
        content["rules"] = {name: row for name, row in rows.items() if name == DEFAULT or row != rows[DEFAULT]}
        content["fail_modes"] = {stage: self.fail_mode_of(stage) for stage in Stage}
        text = json.dumps(content, sort_keys=True, default=_plain)
        return hashlib.blake2b(text.encode(), digest_size=16, person=b"reticent.policy1").hexdigest()

    def redactor(self, conversation_key: bytes | None = None) -> Redactor:
        """What replaces redacted values under a conversation's key. Without one tokens hold for this redactor alone.

        Raises:
            InputError: a key of fewer than 16 bytes.
        """
        key = secrets.token_bytes(_KEY_BYTES) if conversation_key is None else conversation_key
        return Redactor(self.redaction, key, self.mask_char)

    def code_redaction(self, before: str) -> CodeRedaction | None:
        """Fits redactions into source code that goes on from a text; None where the policy does not ask for it."""
        return CodeRedaction(before) if self.fits_code else None

    def fail_mode_of(self, stage: Stage | str) -> FailMode:
        """What becomes of a span when this stage fails. `redact` is always closed: the tag stands in for the style."""
        stage = choose(Stage, stage, "stage")
        return FailMode.CLOSED if stage is Stage.REDACT else self.fail_modes.get(stage, self.fail_mode)

    @property
    def checks_spans(self) -> bool:
        """Whether the finder's proposals are checked. A refused one would show, so under a seal none is."""
        return not self.seal if self.check_spans is None else self.check_spans

    @property
    def least_base(self) -> float:
        """Mean log-probability per token under the base (nats) from which a value counts as pretrained."""
        for threshold in (self.base_threshold, self.bundle_base_threshold):
            if threshold is not None:
                return threshold
        return BASE_THRESHOLD

    def _own_rule(self, entity: str, origin: Origin) -> Rule | None:
        """The rule that the policy itself states."""
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
        """The rule for a span of this kind and origin; the flags are those of `Evidence`.

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
        """Probability from which a span of this kind counts as memorised, or None if nothing says it."""
        for name in (entity, DEFAULT):
            rule = self.rules.get(name, {}).get(Origin.MEMORIZED)
            if rule is not None and rule.threshold is not None:
                return rule.threshold
        if self.score_threshold is not None:
            return self.score_threshold
        return self.thresholds.get(entity, self.thresholds.get(DEFAULT))

    def asks_subject(self, entity: str, evidence: Evidence) -> bool:
        """Whether the action depends on who the subject is, so that `Evidence.public_subject` has to be filled in."""
        return (
            entity in PASSES_FOR_PUBLIC_SUBJECTS
            and self._own_rule(entity, Origin.PRETRAINED) is None
            and self._origin(entity, evidence)[0] is Origin.PRETRAINED
        )

    def decide(self, entity: str, evidence: Evidence, value: str | None = None, fragment: bool = False) -> Decision:
        """Origin and action of a span.

        The order is: what the user typed whole; then the operator's lists (deny before allow, emergency lines on the
        allow list unless there is a seal); then context; then the records index; then the control; then the detector,
        and the base where the detector would stop it. So nothing can be guessed off the guard: a value that a user tries
        out passes whether it is on a list, in a record or in the weights, or not.

        Args:
            entity: the kind of the span.
            evidence: what is known of it.
            value: the whole value in plain form; None: no list is asked.
            fragment: the value may have been cut short. It is no reserved value then, though it may read like one, and an
                emergency line only if a model that is its own base knows it.
        """
        origin, reason = self._origin(entity, evidence)
        verdict = Verdict(origin, evidence.probability, evidence.cue, evidence.tier, evidence.base)
        action = self.rule(entity, origin, evidence.tier, evidence.public_subject, evidence.unannounced).action
        # Under a seal whatever is stopped once is stopped in every spelling, or the next spelling would tell its origin.
        suppress = origin in _SUPPRESSED or (self.seal and origin is not Origin.ECHOED)
        if value is not None and origin is not Origin.ECHOED:
            if self._lists(self.deny_list, entity, value):
                action = Action.BLOCK if action is Action.BLOCK else Action.REDACT
                reason, suppress = Reason.DENY_LIST, True
            elif self._lists(self.allow_list, entity, value) or (
                not self.seal
                and (not fragment or (origin is Origin.PRETRAINED and evidence.own_base))
                and emergency_lines.is_line(value, entity)
            ):
                action, reason = Action.ALLOW, Reason.ALLOW_LIST
            elif self._is_nobodys(entity, origin, value, evidence) and not fragment:
                action, reason = Action.ALLOW, Reason.RESERVED
            elif self._is_placeholder(entity, evidence, value) and not fragment:
                action, reason = Action.ALLOW, Reason.PLACEHOLDER
        decision = Decision(action, verdict, suppress and action.stops, reason)
        return decision.monitored() if self.monitor else decision

    def _is_nobodys(self, entity: str, origin: Origin, value: str, evidence: Evidence) -> bool:
        """Whether the base knows a value that is no person's, and no rule of the policy's own says what becomes of it."""
        if origin is not Origin.PRETRAINED or self._own_rule(entity, origin) is not None:
            return False
        if reserved_values.is_reserved(value, entity):
            return True
        if not evidence.own_base:
            return False
        if organisation_numbers.is_organisations(value, entity) or reserved_values.is_of_private_network(value, entity):
            return True
        return entity not in CREDENTIALS and is_placeholder(value, entity)

    def _is_placeholder(self, entity: str, evidence: Evidence, value: str) -> bool:
        """Whether a value stands for nobody, and neither the records nor the operator's context has it as somebody's."""
        return self.placeholders and not (evidence.recorded or evidence.context) and is_placeholder(value, entity)

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
            # A seal makes no difference between the two, and a NaN as cue is none below the bound. What a prompt gives away tells
            # nothing of a value that a model was taught; a model that was taught none has none to tell.
            unprompted = evidence.own_base or evidence.cue < PRETRAINED_CUE
            known_before = unprompted and says_as_surely(evidence.base, self.least_base)
            return (Origin.PRETRAINED if known_before and not self.seal else Origin.MEMORIZED), Reason.RULE
        if evidence.inferable is None and evidence.cue >= self._inferable_cue(entity):
            return Origin.INFERABLE, Reason.RULE
        return Origin.HALLUCINATED, Reason.RULE

    def _lists(self, digests: frozenset[str], entity: str, value: str) -> bool:
        return bool(digests) and self.digest(value, entity) in digests

    def _inferable_cue(self, entity: str) -> float:
        for name in (entity, DEFAULT):
            rule = self.rules.get(name, {}).get(Origin.INFERABLE)
            if rule is not None and rule.threshold is not None:
                return rule.threshold
        return INFERABLE_CUE

    def _row(self, entity: str) -> list[Any]:
        """All that the rules say about one entity: its thresholds, and its action for every origin and tier."""
        actions = {f"{o}.{t}": self.rule(entity, o, t).action for o in Origin for t in (Tier.HIDDEN, Tier.TEXT)}
        public = self.rule(entity, Origin.PRETRAINED, Tier.HIDDEN, public_subject=True).action
        return [self.threshold(entity), self._inferable_cue(entity), actions, public]

    def _check_seal(self) -> None:
        """Raises PolicyError if a client could tell one origin from another."""
        for entity in (DEFAULT, *sorted(self.rules)):
            first = self.rule(entity, Origin.MEMORIZED, Tier.TEXT).action
            for origin in Origin:
                action = self.rule(entity, origin, Tier.TEXT).action
                if origin is not Origin.ECHOED and action is not first:
                    raise PolicyError(
                        f"seal: true needs one action for every origin but 'echoed', and {entity} has '{first}' for "
                        f"'memorized' but '{action}' for '{origin}'. Give them one action, or start from preset 'sealed'."
                    )
        if self.check_spans:
            raise PolicyError(
                "seal: true with check_spans: true would show which proposals the check refuses. Leave check_spans out."
            )
        if self.placeholders or self.fits_code:
            raise PolicyError(
                "seal: true with placeholders or fits_code would show what a value looks like. Leave both out."
            )
        if self.redaction.links:
            raise PolicyError(
                f"seal: true with redaction '{self.redaction}' would show which redactions hide the same value, so that "
                "candidates could be compared. Use 'tag' or 'mask'."
            )
        if any(self.fail_mode_of(stage) is FailMode.OPEN for stage in Stage) or not self.on_overflow.stops:
            raise PolicyError(
                "seal: true needs fail_mode 'closed' in every stage and on_overflow 'redact' or 'block': what slips "
                "through unjudged would show what it is."
            )

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


def _names(given: Iterable[str]) -> frozenset[str]:
    """The names of `allow_subjects`, checked. An error quotes none of them."""
    if isinstance(given, str):
        raise PolicyError("allow_subjects must be a list of names, got one text. Write it as a list.")
    names = list(given)
    for number, name in enumerate(names):
        if not isinstance(name, str) or not any(map(str.isalpha, name)) or len(name) > _MOST_NAME_CHARS:
            raise PolicyError(
                f"allow_subjects[{number}] must be a person's name of at most {_MOST_NAME_CHARS} characters. Correct or "
                "remove it."
            )
    return frozenset(" ".join(name.split()) for name in names)


def _restored(settings: dict[str, Any]) -> Policy:
    return Policy(**settings)


def _plain(value: Any) -> Any:
    """What JSON cannot hold by itself: sets, frozen mappings, limits."""
    if isinstance(value, HoldLimits | SecondLooks):
        return astuple(value)
    return sorted(value) if isinstance(value, frozenset) else dict(value)
