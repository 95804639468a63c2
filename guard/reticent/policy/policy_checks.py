"""Checks the fields of a policy. Every check raises PolicyError with what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from math import isfinite
from types import MappingProxyType

from reticent.policy.options import AfterRedaction, FailMode, OnBlock, Stage, choose, nearest
from reticent.policy.policy_settings import PolicySettings
from reticent.policy.pretrained import BASE_THRESHOLD
from reticent.policy.redaction import RedactionStyle, check_mask_char
from reticent.policy.rules import DEFAULT, FALSE_POSITIVES, Rule
from reticent.policy.verdict import Action, Origin, Tier
from reticent_detectors.entities import GENERAL, Entity
from reticent_detectors.errors import PolicyError

_MOST_NAME_CHARS = 120
CHOICES: dict[str, type[StrEnum]] = {
    "fail_mode": FailMode,
    "on_block": OnBlock,
    "on_overflow": Action,
    "redaction": RedactionStyle,
    "after_redaction": AfterRedaction,
}
"""Fields that take one of a few words."""


def checked_rules(
    rules: Mapping[str, Mapping[Origin, Rule]], custom_entities: Iterable[str]
) -> dict[str, Mapping[Origin, Rule]]:
    """Checks entities, origins and thresholds of rules, and freezes them."""
    known = {DEFAULT, *map(str, Entity), *custom_entities}
    frozen: dict[str, Mapping[Origin, Rule]] = {}
    for entity, by_origin in rules.items():
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
    return frozen


def checked_kinds(also_find: Iterable[str]) -> frozenset[str]:
    """Checks the kinds that a policy finds in addition."""
    general = set(map(str, GENERAL))
    for entity in also_find:
        if entity not in general:
            raise PolicyError(
                f"also_find names {entity!r}, expected some of {', '.join(sorted(general))}: "
                f"all other kinds are found anyway.{nearest(str(entity), general)}"
            )
    return frozenset(map(str, also_find))


def check_thresholds(policy: PolicySettings) -> None:
    """Checks probabilities, rates and thresholds on the base."""
    scores = {"score_threshold": policy.score_threshold, **policy.thresholds}
    for name, score in scores.items():
        if score is not None and not 0.0 <= score <= 1.0:
            raise PolicyError(f"The threshold {name} must lie between 0 and 1, got {score!r}.")
    least, most = FALSE_POSITIVES
    if policy.false_positives is not None and not least <= policy.false_positives <= most:
        raise PolicyError(
            f"false_positives: there is no threshold for a share of {policy.false_positives!r} (1 % is 0.01); "
            f"bundles have them from {least:g} to {most:g}. Choose a share in between, or leave it out."
        )
    if policy.false_positives is not None and policy.score_threshold is not None:
        raise PolicyError(
            "A policy has false_positives and score_threshold, and one threshold can follow only one of them. "
            "Remove one."
        )
    for base in (policy.base_threshold, policy.bundle_base_threshold):
        if base is not None and not (isfinite(base) and base <= 0.0):
            raise PolicyError(
                f"base_threshold must be at most 0 and finite, got {base!r}. It is a mean log-probability per token in "
                f"nats, such as {BASE_THRESHOLD}."
            )


def check_numbers(policy: PolicySettings) -> None:
    """Checks the number of rewinds, the prevalence and the mask."""
    if isinstance(policy.max_rewinds, bool) or not isinstance(policy.max_rewinds, int) or policy.max_rewinds < 0:
        raise PolicyError(f"max_rewinds must be a whole number from 0 on, got {policy.max_rewinds!r}.")
    if policy.prevalence is not None and not 0.0 < policy.prevalence < 1.0:
        raise PolicyError(f"prevalence must lie between 0 and 1, both excluded, got {policy.prevalence!r}.")
    check_mask_char(policy.mask_char)


def checked_fail_modes(fail_modes: Mapping[Stage, FailMode]) -> dict[Stage, FailMode]:
    """Checks the fail modes of single stages."""
    stages = {choose(Stage, stage, "stage"): choose(FailMode, m, "fail_mode") for stage, m in fail_modes.items()}
    if stages.get(Stage.REDACT) is FailMode.OPEN:
        raise PolicyError(
            "fail_mode.redact cannot be 'open': it would release a value that was judged to be kept back. "
            "A style that fails is replaced by the tag; leave the field out."
        )
    return stages


def checked_names(given: Iterable[str]) -> frozenset[str]:
    """Checks the names of `allow_subjects`. An error quotes none of them."""
    if isinstance(given, str):
        raise PolicyError("allow_subjects must be a list of names, got one text. Write it as a list.")
    names = list(given)
    for number, name in enumerate(names):
        if not isinstance(name, str) or not any(map(str.isalpha, name)) or len(name) > _MOST_NAME_CHARS:
            raise PolicyError(
                f"allow_subjects[{number}] must be a person's name of at most {_MOST_NAME_CHARS} characters. "
                "Correct or remove it."
            )
    return frozenset(" ".join(name.split()) for name in names)


def check_seal(policy: PolicySettings) -> None:
    """Raises PolicyError if a client could tell one origin from another."""
    for entity in (DEFAULT, *sorted(policy.rules)):
        first = policy.rule(entity, Origin.MEMORIZED, Tier.TEXT).action
        for origin in Origin:
            action = policy.rule(entity, origin, Tier.TEXT).action
            if origin is not Origin.ECHOED and action is not first:
                raise PolicyError(
                    f"seal: true needs one action for every origin but 'echoed', and {entity} has '{first}' for "
                    f"'memorized' but '{action}' for '{origin}'. Give them one action, or start from preset 'sealed'."
                )
    if policy.placeholders or policy.fits_code:
        raise PolicyError(
            "seal: true with placeholders or fits_code would show what a value looks like. Leave both out."
        )
    if policy.redaction.links:
        raise PolicyError(
            f"seal: true with redaction '{policy.redaction}' would show which redactions hide the same value, so that "
            "candidates could be compared. Use 'tag' or 'mask'."
        )
    if any(policy.fail_mode_of(stage) is FailMode.OPEN for stage in Stage) or not policy.on_overflow.stops:
        raise PolicyError(
            "seal: true needs fail_mode 'closed' in every stage and on_overflow 'redact' or 'block': what slips "
            "through unjudged would show what it is."
        )
