"""Checks what no setting says alone: rules of unknown kinds, thresholds that decide nothing, a seal that is open."""

from __future__ import annotations

from collections.abc import Iterator

from reticent.policy.checked_settings import unknown
from reticent.policy.options import FailMode, OnBlock, Stage
from reticent.policy.policy_settings import PolicySettings
from reticent.policy.rules import DEFAULT
from reticent.policy.verdict import Origin, Tier
from reticent_detectors.entities import GENERAL, Entity


def contradictions(policy: PolicySettings) -> Iterator[str]:
    """Tells where settings contradict each other or what there is, and what to do, a sentence each."""
    known = {DEFAULT, *map(str, Entity), *policy.own_kinds}
    for entity, by_origin in policy.rules.items():
        if entity not in known:
            yield unknown("entity", entity, known, " under 'entities'")
            continue
        for origin, rule in by_origin.items():
            if rule.threshold is not None and origin not in (Origin.MEMORIZED, Origin.INFERABLE):
                yield (
                    f"{entity}.{origin} has a threshold, but only 'memorized' (a probability) and 'inferable' "
                    "(a cue) are decided by one. Remove it; the setting 'base_threshold' is that of 'pretrained'."
                )
    for kind in sorted(policy.also_find - set(map(str, GENERAL))):
        yield unknown("kind", kind, GENERAL, " for 'also_find'") + " All other kinds are found anyway."
    if policy.false_positives is not None and policy.score_threshold is not None:
        yield (
            "A policy has false_positives and score_threshold, and one threshold can follow only one of them. "
            "Remove one."
        )
    if policy.on_block is OnBlock.REPLACE and not policy.block_text:
        yield "on_block 'replace' needs its text: write {replace: TEXT} in a file, or block_text=TEXT in Python."
    if policy.fail_modes.get(Stage.REDACT) is FailMode.OPEN:
        yield (
            "fail_mode.redact cannot be 'open': it would release a value that was judged to be kept back. "
            "A style that fails is replaced by the tag; leave it out."
        )
    if policy.seal:
        yield from _leaks(policy, known)


def _leaks(policy: PolicySettings, known: set[str]) -> Iterator[str]:
    """Tells by what a client could tell one origin from another."""
    for entity in (DEFAULT, *sorted(policy.rules.keys() & known - {DEFAULT})):
        actions = {origin: policy.rule(entity, origin, Tier.TEXT).action for origin in Origin}
        first = actions[Origin.MEMORIZED]
        for origin in [each for each in Origin if each is not Origin.ECHOED and actions[each] is not first][:1]:
            yield (
                f"seal: true needs one action for every origin but 'echoed', and {entity} has '{first}' for "
                f"'memorized' but '{actions[origin]}' for '{origin}'. Give them one action, or start from preset "
                "'sealed'."
            )
    if policy.placeholders or policy.fits_code:
        yield "seal: true with placeholders or fits_code would show what a value looks like. Leave both out."
    if policy.redaction.links:
        yield (
            f"seal: true with redaction '{policy.redaction}' would show which redactions hide the same value, so that "
            "candidates could be compared. Use 'tag' or 'mask'."
        )
    if any(policy.fail_mode_of(stage) is FailMode.OPEN for stage in Stage) or not policy.on_overflow.stops:
        yield (
            "seal: true needs fail_mode 'closed' in every stage and on_overflow 'redact' or 'block': what slips "
            "through unjudged would show what it is."
        )
