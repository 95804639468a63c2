"""Computes digests of policies, which are equal for two policies with the same effect, and of listed values."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import astuple, fields
from typing import Any

from reticent.policy.options import HoldLimits, SecondLooks, Stage
from reticent.policy.policy_settings import PolicySettings
from reticent.policy.pretrained import PASSES, PASSES_FOR_PUBLIC_SUBJECTS
from reticent.policy.rules import DEFAULT
from reticent.policy.verdict import Origin, Tier
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import normalize
from reticent_detectors.finder.own_forms import OwnForm

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
"""Fields that enter a digest by what they do, not by how they are written."""


def policy_digest(policy: PolicySettings) -> str:
    """Computes 32 hexadecimal digits that identify all that a policy decides."""
    names = {
        DEFAULT,
        *policy.rules,
        *policy.thresholds,
        *map(str, PASSES | PASSES_FOR_PUBLIC_SUBJECTS),
    }
    rows = {name: _effects(policy, name) for name in names}
    content: dict[str, Any] = {
        each.name: getattr(policy, each.name) for each in fields(policy) if each.name not in _DIGESTED_BY_EFFECT
    }
    content["base_threshold"] = policy.least_base
    content["allow_subjects"] = sorted({name.casefold() for name in policy.allow_subjects})
    content["rules"] = {name: row for name, row in rows.items() if name == DEFAULT or row != rows[DEFAULT]}
    content["fail_modes"] = {stage: policy.fail_mode_of(stage) for stage in Stage}
    if policy.allow_list or policy.deny_list:  # what a hash on a list means depends on the key
        content["list_key"] = hashlib.blake2b(b"list_key", key=policy.list_key, digest_size=16).hexdigest()
    text = json.dumps(content, sort_keys=True, default=_as_json)
    return hashlib.blake2b(text.encode(), digest_size=16, person=b"reticent.policy1").hexdigest()


def _effects(policy: PolicySettings, entity: str) -> list[Any]:
    """Collects the effects of the rules on one entity: its thresholds, and its action for every origin and tier."""
    actions = {f"{o}.{t}": policy.rule(entity, o, t).action for o in Origin for t in (Tier.HIDDEN, Tier.TEXT)}
    public = policy.rule(entity, Origin.PRETRAINED, Tier.HIDDEN, public_subject=True).action
    return [policy.threshold(entity), policy.inferable_cue(entity), actions, public]


def _as_json(value: Any) -> Any:
    """Converts what JSON cannot hold: sets, frozen mappings, limits."""
    if isinstance(value, HoldLimits | SecondLooks):
        return astuple(value)
    if isinstance(value, OwnForm):
        return [value.entity, value.pattern, value.context, value.check]
    return sorted(value) if isinstance(value, frozenset) else dict(value)


def value_digest(key: bytes, value: str, entity: str) -> str:
    """Computes the keyed hash of a value for the lists, 32 hexadecimal digits, the same for all its spellings."""
    form = normalize(value, entity)
    return hashlib.blake2b(form.encode(), key=key, digest_size=16).hexdigest()


def listed_digests(policy: PolicySettings, values: Iterable[str]) -> frozenset[str]:
    """Hashes listed values in the form of each kind, as a value is meant for every kind that it may be found as.

    A form that drops most of the value is left out: "Route 66 diner" does not mean the amount 66.
    """
    digests = set()
    for value in values:
        size = sum(map(str.isalnum, value))
        for kind in (*map(str, Entity), *sorted(policy.own_kinds)):
            if 2 * len(normalize(value, kind)) > size:
                digests.add(value_digest(policy.list_key, value, kind))
    return frozenset(digests)
