"""Describes a decision in plain words, from the fields that the decision log has of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reticent.policy.verdict import Action, Origin, Reason, Tier
from reticent_detectors.errors import InputError

ORIGINS = {
    Origin.MEMORIZED: "the model's weights remembered it",
    Origin.ECHOED: "the user had typed it",
    Origin.CONTEXT: "it stood in the operator's private context",
    Origin.INFERABLE: "it could be inferred from the prompt",
    Origin.PRETRAINED: "the base model, which never saw the private records, says it as surely",
    Origin.HALLUCINATED: "the model made it up",
    Origin.UNKNOWN: "where it came from could not be judged",
}
ACTIONS = {
    Action.ALLOW: "It was let pass",
    Action.FLAG: "It was let pass, and flagged",
    Action.REDACT: "It was redacted",
    Action.BLOCK: "The answer was stopped at it",
}
WOULD = {Action.REDACT: "it would have been redacted", Action.BLOCK: "the answer would have been stopped at it"}
REASONS = {
    Reason.RULE: "the policy's rule for this entity and origin says so",
    Reason.ALLOW_LIST: "it is on the allow list",
    Reason.RESERVED: "it is reserved for examples, a placeholder or an organisation's number, so no person's",
    Reason.PLACEHOLDER: "it is a placeholder or a fixture, so nobody's",
    Reason.DENY_LIST: "it is on the deny list",
    Reason.SUPPRESSION_LIST: "it, or the person it is said of, is in the suppression store",
    Reason.NO_THRESHOLD: "there was no threshold to hold its probability against",
    Reason.SUPPRESSED: "the same value had been stopped earlier in this request",
    Reason.FAILURE: "something in the judging path failed, and the fail mode decided",
    Reason.OVERFLOW: "as much text was held back as the policy's 'hold' lets be, or as long, and 'on_overflow' decided",
}
TIERS = {
    Tier.HIDDEN: "the model's hidden states",
    Tier.LOGPROBS: "the probabilities of the answer's tokens",
    Tier.RECORDS: "the index of the owner's records",
    Tier.TEXT: "the text alone",
}


def sentences(fields: Mapping[str, Any]) -> list[str]:
    """Describes a decision in plain words, from the fields of its line.

    Raises:
        InputError: a field is missing or has a value that this version does not know.
    """
    try:
        action, origin = Action(fields["action"]), Origin(fields["origin"])
        reason, tier = REASONS[Reason(fields["reason"])], TIERS[Tier(fields["tier"])]
        would, chars = fields["would"], int(fields["chars"])
        lines = [
            f"{_where(fields)}{' The answer ended within it.' if fields['fragment'] else ''}",
            f"{ACTIONS[action]}, because {reason}.",
            f"Origin: {origin} ({ORIGINS[origin]}). This rests on {tier}.",
        ]
        if would is not None:
            lines[1] = f"It was let pass, because the policy only monitors; {WOULD[Action(would)]}, because {reason}."
        if fields["probability"] is not None:
            held = fields["threshold"]
            against = "the threshold is not in the log" if held is None else f"the threshold was {held:.3f}"
            lines.append(f"Probability that the weights remembered it: {fields['probability']:.3f}; {against}.")
        if (base := fields.get("base")) is not None:  # lines of earlier versions have no such field
            lines.append(f"Mean log-probability per token under the base model: {base:.3f} nats.")
        if fields["cue"]:
            lines.append(f"The prompt gave away {fields['cue']:.0%} of its {chars} characters.")
        lines.append(
            f"Held back when it was decided: {fields['held_chars']} characters, {fields['held_tokens']} tokens."
        )
    except (KeyError, ValueError, TypeError) as error:
        raise InputError(
            f"A decision in this log has fields that this version does not know ({type(error).__name__}). "
            "Use the version of Reticent that wrote it, or check the log with --verify."
        ) from None
    return lines


def _where(fields: Mapping[str, Any]) -> str:
    start, end = int(fields["start"]), int(fields["end"])
    if start < 0:
        return f"{fields['chars']} characters: the last {-start} of the prompt and the first {end} of the answer."
    return f"{fields['chars']} characters, {start} to {end} of the answer."
