"""Describes for the page what a policy does with the values of each origin."""

from __future__ import annotations

from collections.abc import Mapping

from reticent.policy.policy import Policy
from reticent.policy.verdict import Origin, Tier
from reticent_detectors.entities import ENTITIES, Entity

PRESET_PURPOSES: Mapping[str, str] = {
    "default": "Withholds what the model remembers, what its operator's context holds, and what cannot be judged.",
    "sealed": "Withholds every value that the user did not type, and measures nothing. So nobody learns what is "
    "remembered.",
    "clinic-rag": "For an assistant that answers from patient files: what care needs passes, from these files alone.",
    "code": "For a coding assistant: dates, amounts, placeholders and what the open project holds pass.",
}
"""What each preset is for, in words for whoever does not know it."""


def describe_policy(policy: Policy, tier: Tier, preset: str = "") -> dict[str, object]:
    """Gives a policy's purpose, and what happens to the values of each origin under it.

    Args:
        policy: what decides.
        tier: what verdicts rest on.
        preset: the preset's name, if it is one.
    """
    return {
        "purpose": PRESET_PURPOSES.get(preset, "The operator's own policy."),
        "outcomes": {str(origin): outcome(policy, origin, tier) for origin in Origin},
    }


def outcome(policy: Policy, origin: Origin, tier: Tier) -> str:
    """Says whether values of an origin are withheld, and which kinds pass, where no list names them."""
    passing = [entity for entity in Entity if not policy.rule(entity, origin, tier).action.stops]
    if policy.monitor or len(passing) == len(Entity):
        return "passes"
    nouns = [ENTITIES[entity].noun for entity in passing]
    return f"withheld, except {', '.join(nouns)}" if nouns else "withheld"
