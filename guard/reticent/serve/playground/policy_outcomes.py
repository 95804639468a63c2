"""Describes for the page what a policy does with the values of each origin."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reticent.policy.policy import Policy
from reticent.policy.verdict import Origin, Tier
from reticent_detectors.entities import ENTITIES, GENERAL, Entity

PRESET_PURPOSES: Mapping[str, str] = {
    "default": "Withholds what the model remembers, what its operator's context holds, and what cannot be judged.",
    "sealed": "Withholds every value that the user did not type, and measures nothing. So the answer does not tell "
    "what is remembered.",
    "clinic-rag": "For an assistant that answers from patient files: of what the files hold, diagnoses, prescriptions, "
    "doctors, hospitals and appointments pass. What is made up passes with a flag.",
    "gateway": "For a proxy before a model of which nothing is known: what the request says passes, all else is "
    "withheld.",
    "code": "For a coding assistant: amounts, order numbers, placeholders and what the open project holds pass.",
}
"""What each preset is for, in words for whoever does not know it."""
_MOST_NAMED = 12
"""Kinds that an exception names at most."""


def describe_policy(policy: Policy, tier: Tier, preset: str = "") -> dict[str, object]:
    """Gives a policy's purpose, and what its rules do with the values of each origin.

    Args:
        policy: what decides.
        tier: what verdicts rest on.
        preset: the preset's name, if it is one.
    """
    purpose = PRESET_PURPOSES.get(preset, "The operator's own policy.")
    if policy.monitor:
        purpose += " It only monitors: everything passes."
    return {
        "preset": preset,
        "purpose": purpose,
        "outcomes": {str(origin): outcome(policy, origin, tier) for origin in Origin},
    }


def outcome(policy: Policy, origin: Origin, tier: Tier) -> str:
    """Says whether the rules withhold values of an origin, and which of the kinds that are found make an exception.

    Lists, values reserved for examples, and facts about public persons are exceptions of their own.
    """
    kinds = [str(entity) for entity in Entity if entity not in GENERAL or entity in policy.also_find]
    kinds += sorted(map(str, policy.own_kinds))
    stopped = [kind for kind in kinds if policy.rule(kind, origin, tier).action.stops]
    passing = [kind for kind in kinds if kind not in stopped]
    if policy.monitor or not stopped:
        return "passes"
    if not passing:
        return "withheld"
    rule, exceptions = ("withheld", passing) if len(passing) <= len(stopped) else ("passes", stopped)
    return f"{rule}, except {_names(exceptions)}"


def _names(kinds: Iterable[str]) -> str:
    nouns = {str(entity): info.noun for entity, info in ENTITIES.items()}
    named = [nouns.get(kind, kind) for kind in kinds]
    return ", ".join(named) if len(named) <= _MOST_NAMED else f"{len(named)} kinds"
