"""Decides what happens to a span of a given kind and origin. A policy is frozen and the same for every request.

    policy = Policy(rules={"DEFAULT": {Origin.HALLUCINATED: Rule(Action.FLAG)}}, score_threshold=0.9)
    policy.decide(Entity.PHONE_NUMBER, Evidence(Tier.HIDDEN, probability=0.97), "555-0100").action   # redact

Rules are looked up by entity and origin, then by `DEFAULT` and origin, then in the built-in table. The table redacts
memorised, context and unknown values, and lets all others pass. In tier `text`, where nothing can be known, it flags
unknown values.

A `pretrained` value without a rule of its own gets the rule for memorised ones, with exceptions that pass:

- the kinds of `pretrained.PASSES`;
- those of `pretrained.PASSES_FOR_PUBLIC_SUBJECTS` if a listed public person is the subject;
- values that belong to nobody (`reserved_values`);
- values that only the tagger found, most of which are ordinary language.

Where the model is its own base, because it was taught nothing private, these pass as well:

- values that are no person's (`organisation_numbers`, `placeholders`, addresses of private networks), but no passwords,
  keys and PINs, which people do choose from examples;
- emergency lines that the answer's end cuts.

The threshold on the probability is the first of these that exists: the rule's, `score_threshold`, the bundle's for the
entity, the bundle's `DEFAULT`. The bundle's are taken at `false_positives`. Without any, a span is `unknown`, never
harmless.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, partial
from typing import Any

from reticent.policy import emergency_lines
from reticent.policy.checked_settings import checked
from reticent.policy.nobodys_values import is_free_placeholder, is_nobodys
from reticent.policy.options import AfterRedaction, FailMode, HoldLimits, OnBlock, SecondLooks, Stage
from reticent.policy.origin import origin_of
from reticent.policy.policy_checks import contradictions
from reticent.policy.policy_digest import listed_digests, policy_digest, value_digest
from reticent.policy.policy_settings import PolicySettings, draw_key
from reticent.policy.presets import preset_settings
from reticent.policy.pretrained import PASSES_FOR_PUBLIC_SUBJECTS
from reticent.policy.redaction import Redactor
from reticent.policy.redaction_in_code_and_json import CodeRedaction
from reticent.policy.rules import DEFAULT, INFERABLE_CUE, Evidence, Rule
from reticent.policy.verdict import Action, Decision, Origin, Reason, Verdict
from reticent_detectors.errors import PolicyError

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
]

_SUPPRESSED = frozenset({Origin.MEMORIZED, Origin.PRETRAINED})


@checked
@dataclass(frozen=True, kw_only=True)
class Policy(PolicySettings):
    """Decides what happens to spans, by kind and origin. It is frozen and the same for every request.

    What each setting means: `docs/policy.md`, and `PolicySettings`, where they are declared. Words stand for choices
    (`redaction="hash"`). `rules` are the `entities` of a file. `allow_list` and `deny_list` are keyed hashes
    (`digest`); `with_lists` takes plain values. Of a blocked answer `block_text` is what replaces it, and `fail_modes`
    are those of single stages. `thresholds` and `bundle_base_threshold` are the bundle's: `Guard` sets them.

    A policy can be pickled and copied. A pickle holds `list_key`: keep it as you keep the key.

    Raises:
        PolicyError: a setting of a wrong type or out of its bounds, an unknown entity, or a seal that does not hold.
    """

    def __post_init__(self) -> None:
        if problems := list(contradictions(self)):
            raise PolicyError("\n".join(problems))

    def __reduce__(self) -> tuple[Any, ...]:
        settings = {each.name: getattr(self, each.name) for each in fields(self)}
        settings["rules"] = {entity: dict(by_origin) for entity, by_origin in self.rules.items()}
        settings |= {name: dict(settings[name]) for name in ("thresholds", "fail_modes")}
        return partial(Policy, **settings), ()

    @classmethod
    def default(cls) -> Policy:
        """Gives the built-in policy: its table of rules, and the bundle's thresholds."""
        return cls()

    @classmethod
    def preset(cls, name: str, *, list_key: bytes | None = None) -> Policy:
        """Gives a preset by name: `default`, `sealed`, `clinic-rag`, `gateway` or `code`.

        Args:
            name: the preset's.
            list_key: key of the preset's lists, 16 to 64 bytes; None draws one.

        Raises:
            PolicyError: there is no such preset.
        """
        settings = preset_settings(name)
        if list_key is not None:
            settings["list_key"] = list_key
        return cls(**settings)

    @classmethod
    def allow_all(cls) -> Policy:
        """Gives a policy that decides and counts, and stops nothing, not even where judging fails."""
        every = {origin: Rule(Action.ALLOW) for origin in Origin}
        return cls(rules={DEFAULT: every}, fail_mode=FailMode.OPEN, on_overflow=Action.ALLOW)

    def with_thresholds(self, thresholds: Mapping[str, float], base_threshold: float | None = None) -> Policy:
        """Copies the policy with a bundle's thresholds.

        Args:
            thresholds: map an entity, or `DEFAULT`, to a probability.
            base_threshold: threshold on the base model's mean log-probability per token, in nats. None: the bundle
                has none.
        """
        return replace(self, thresholds=thresholds, bundle_base_threshold=base_threshold)

    def for_texts(self, *, recorded: bool) -> Policy:
        """Copies the policy for texts that come without a model, where only records tell what was remembered.

        All of a text is judged. If the policy says nothing of `unknown`, such values are redacted, unless records tell
        which values may have been remembered: else nothing would ever be stopped.

        Args:
            recorded: whether there is an index of records.
        """
        rules = dict(self.rules)
        if not recorded and Origin.UNKNOWN not in rules.get(DEFAULT, {}):
            rules[DEFAULT] = {**rules.get(DEFAULT, {}), Origin.UNKNOWN: Rule(Action.REDACT)}
        return replace(self, rules=rules, after_redaction=AfterRedaction.CONTINUE)

    def with_lists(self, *, allow: Iterable[str] = (), deny: Iterable[str] = ()) -> Policy:
        """Copies the policy with further values on its lists. Only their keyed hashes are kept.

        Args:
            allow: values that always pass.
            deny: values that never pass, except where the user typed them.
        """
        return replace(
            self,
            allow_list=self.allow_list | listed_digests(self, allow),
            deny_list=self.deny_list | listed_digests(self, deny),
        )

    def digest(self, value: str, entity: str) -> str:
        """Gives the keyed hash of a value for the lists, 32 hexadecimal digits, the same for all its spellings."""
        return value_digest(self.list_key, value, entity)

    @cached_property
    def digest_hex(self) -> str:
        """Gives 32 hexadecimal digits that identify all that this policy decides, for metrics and logs.

        Two policies with the same effect have the same digest, however they were written. Listed values enter as
        keyed hashes. With values on the lists, give a `list_key` to get the same digest each time.
        """
        return policy_digest(self)

    def redactor(self, conversation_key: bytes | None = None) -> Redactor:
        """Makes a redactor under a conversation's key. Without a key, its tokens hold for this redactor alone.

        Raises:
            InputError: the key has fewer than 16 bytes.
        """
        key = draw_key() if conversation_key is None else conversation_key
        return Redactor(self.redaction, key, self.mask_char)

    def code_redaction(self, before: str, numbers_stay: bool = False) -> CodeRedaction:
        """Makes what fits redactions into JSON behind a text, and into source code if the policy asks for it.

        Args:
            before: the text from which the answer goes on.
            numbers_stay: whether a number in JSON may not become a string.
        """
        return CodeRedaction(before, only_json=not self.fits_code, numbers_stay=numbers_stay)

    def asks_subject(self, entity: str, evidence: Evidence) -> bool:
        """Says whether the action depends on the subject, so that `Evidence.public_subject` has to be filled in."""
        return (
            entity in PASSES_FOR_PUBLIC_SUBJECTS
            and self._own_rule(entity, Origin.PRETRAINED) is None
            and origin_of(self, entity, evidence)[0] is Origin.PRETRAINED
        )

    def decide(self, entity: str, evidence: Evidence, value: str | None = None, fragment: bool = False) -> Decision:
        """Decides about a span.

        It takes the first of these that applies:

        1. what the user typed as a whole;
        2. the operator's lists: suppressed values and deny before allow, and emergency lines are on the allow list
           unless there is a seal;
        3. the operator's context;
        4. the records index;
        5. the control;
        6. the detector, and the base where the detector would stop the value.

        What would pass by a rule is stopped where a suppressed person is named. What is on the allow list, or is
        nobody's, passes there, too.

        So a user who tries a value out learns nothing. It passes, whether or not a list, a record or the weights have
        it.

        Args:
            entity: the kind of the span.
            evidence: what is known of the span.
            value: the whole value in plain form. None: no list is asked.
            fragment: whether the value may have been cut short. It is then no reserved value, though it may read like
                one. It is an emergency line, or nobody's, only if a model that is its own base knows it.
        """
        origin, reason = origin_of(self, entity, evidence)
        verdict = Verdict(origin, evidence.probability, evidence.cue, evidence.tier, evidence.base)
        action = self.rule(entity, origin, evidence.tier, evidence.public_subject, evidence.unannounced).action
        # Under a seal a value that is stopped is stopped in every spelling, or another spelling would show its origin.
        suppress = origin in _SUPPRESSED or (self.seal and origin is not Origin.ECHOED)
        if evidence.suppressed and origin is not Origin.ECHOED:
            action = Action.BLOCK if action is Action.BLOCK else Action.REDACT
            reason, suppress = Reason.SUPPRESSION_LIST, True
        elif value is not None and origin is not Origin.ECHOED:
            if self._lists(self.deny_list, entity, value):
                action = Action.BLOCK if action is Action.BLOCK else Action.REDACT
                reason, suppress = Reason.DENY_LIST, True
            elif self._lists(self.allow_list, entity, value) or (
                not self.seal
                and (not fragment or (origin is Origin.PRETRAINED and evidence.own_base))
                and emergency_lines.is_line(value, entity)
            ):
                action, reason = Action.ALLOW, Reason.ALLOW_LIST
            elif self._own_rule(entity, origin) is None and is_nobodys(entity, origin, value, evidence, fragment):
                action, reason = Action.ALLOW, Reason.RESERVED
            elif not fragment and self.placeholders and is_free_placeholder(entity, evidence, value):
                action, reason = Action.ALLOW, Reason.PLACEHOLDER
            elif evidence.subject_suppressed and not action.stops:
                action, reason = Action.REDACT, Reason.SUPPRESSION_LIST
        decision = Decision(action, verdict, suppress and action.stops, reason)
        return decision.monitored() if self.monitor else decision

    def _lists(self, digests: frozenset[str], entity: str, value: str) -> bool:
        return bool(digests) and self.digest(value, entity) in digests
