"""Defines what a policy file may hold: each setting's name, default, bounds and meaning in one sentence.

`reticent config --policy` prints the sentences (`policy_template`), and `loading` reads files by these models.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

from reticent.policy.options import AfterRedaction, FailMode, OnBlock
from reticent.policy.redaction import MASK_CHAR, RedactionStyle
from reticent.policy.verdict import Action


class Strict(BaseModel):
    """Refuses unknown names, and repeats no input in errors."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class RuleFormat(Strict):
    """Holds a rule in its long form."""

    action: Action = Field(description="allow, flag, redact or block.")
    threshold: float | None = Field(
        default=None, ge=0, le=1, description="Of memorized a probability, of inferable a cue, from which it holds."
    )


def _long_form(rule: Any) -> Any:
    return {"action": rule} if isinstance(rule, str) else rule


_AnyRule = Annotated[RuleFormat | None, BeforeValidator(_long_form)]


class OriginsFormat(Strict):
    """Holds the rules of one kind."""

    memorized: _AnyRule = Field(default=None, description="The model learned the value from private training data.")
    echoed: _AnyRule = Field(default=None, description="The user typed the value.")
    context: _AnyRule = Field(default=None, description="The value stands in what the operator gave.")
    inferable: _AnyRule = Field(default=None, description="The value follows from the prompt.")
    pretrained: _AnyRule = Field(default=None, description="The model before private tuning says it as surely.")
    hallucinated: _AnyRule = Field(default=None, description="The model made the value up.")
    unknown: _AnyRule = Field(default=None, description="Nothing could tell where the value comes from.")


class HoldFormat(Strict):
    """Holds the bounds on text that waits for a decision."""

    max_tokens: int = Field(default=256, gt=0, description="Most tokens that may be held back.")
    max_chars: int = Field(default=1024, gt=0, description="Most characters that may be held back.")
    max_seconds: float = Field(default=5.0, gt=0, description="Longest time that text may be held back, in seconds.")


class SecondLooksFormat(Strict):
    """Holds what second looks may cost."""

    steps: float = Field(default=4.0, ge=0, description="Decoding steps that second looks may cost an answer.")
    share: float = Field(default=0.25, ge=0, le=1, description="Share of an answer's values that may have one.")


class ReplaceFormat(Strict):
    """Holds the text that replaces a blocked answer."""

    replace: str = Field(description="The text that replaces a blocked answer.")


class StagesFormat(Strict):
    """Holds the fail modes of single stages."""

    find: FailMode | None = Field(default=None, description="The mode where finding values fails.")
    judge: FailMode | None = Field(default=None, description="The mode where judging a value fails.")
    redact: FailMode | None = Field(default=None, description="Always closed: the tag replaces a style that fails.")


class RecognizerFormat(Strict):
    """Holds a recogniser of the operator's own."""

    pattern: str = Field(min_length=1, max_length=1000, description="The value's form, a regular expression.")
    context: list[Annotated[str, Field(min_length=2, max_length=100)]] = Field(
        default=[], max_length=64, description="Words of which one has to stand before the value; none: anywhere."
    )
    check: str | None = Field(default=None, description="What the value's digits have to satisfy, such as luhn.")
    examples: list[str] = Field(
        min_length=1,
        max_length=64,
        description="A list of invented values that the pattern has to find, which loading tries.",
    )


def _short_or_long(value: Any) -> str:
    """Says in which form a field is written, so that an error is about that form alone."""
    return "_long" if isinstance(value, Mapping) else "_short"


class PolicyFile(Strict):
    """Holds a policy file as it is written."""

    preset: str = Field(
        default="default",
        description="The policy that the rest overrides: default, sealed, clinic-rag, gateway or code.",
    )
    entities: dict[str, OriginsFormat] = Field(
        default={},
        description="allow, flag, redact or block, by kind (or DEFAULT) and by origin; none: the built-in table.",
    )
    score_threshold: float | None = Field(
        default=None, ge=0, le=1, description="Probability from which a value counts as memorised; null: the bundle's."
    )
    false_positives: float | None = Field(
        default=None,
        description="In its place: share of made-up values that may be stopped, 0.001 to 0.08; null: the last.",
    )
    allow_list: list[str] = Field(
        default=[], description="Values that always pass, plain or as hash:HEX; they are hashed when they are read."
    )
    deny_list: list[str] = Field(
        default=[], description="Values that never pass, where the finder finds them, unless the user typed them."
    )
    list_key: str | None = Field(
        default=None, description="Key of both lists, 32 to 128 hexadecimal digits; null draws one at each start."
    )
    fail_mode: Annotated[
        Annotated[FailMode, Tag("_short")] | Annotated[StagesFormat, Tag("_long")], Discriminator(_short_or_long)
    ] = Field(
        default=FailMode.CLOSED,
        description="Where judging fails: closed redacts, open lets pass; {judge: open} sets one stage.",
    )
    on_block: Annotated[
        Annotated[OnBlock, Tag("_short")] | Annotated[ReplaceFormat, Tag("_long")], Discriminator(_short_or_long)
    ] = Field(
        default=OnBlock.FINISH,
        description="How a blocked answer ends: finish (content_filter), error, or {replace: TEXT}.",
    )
    on_overflow: Action = Field(
        default=Action.REDACT, description="What happens to text that reaches the bounds of hold undecided."
    )
    hold: HoldFormat = Field(
        default=HoldFormat(), description="How much text may wait for a decision, in tokens, characters and seconds."
    )
    second_looks: SecondLooksFormat = Field(
        default=SecondLooksFormat(), description="What it may cost to read doubtful values again under other names."
    )
    redaction: RedactionStyle = Field(
        default=RedactionStyle.TAG, description="What replaces a value: tag, mask, hash or surrogate."
    )
    mask_char: str = Field(default=MASK_CHAR, description="The character that redaction: mask repeats.")
    after_redaction: AfterRedaction = Field(
        default=AfterRedaction.REWIND,
        description="How an answer goes on: rewind (the model forgets the value), stop or continue.",
    )
    max_rewinds: int = Field(
        default=4, ge=0, strict=True, description="Rewinds in one answer, after which the next redaction ends it."
    )
    prevalence: float | None = Field(
        default=None, gt=0, lt=1, description="Share of memorised values to expect; null: the bundle's."
    )
    seal: bool = Field(default=False, description="true refuses whatever lets a client tell where a value comes from.")
    monitor: bool = Field(default=False, description="true decides and counts, and changes nothing.")
    custom_entities: list[str] = Field(
        default=[],
        description="Further kinds that recognisers of your own find (in Python), so that rules may name them.",
    )
    recognizers: dict[str, RecognizerFormat] = Field(
        default={}, description="Recognisers of your own, by the kind that they find; none by default."
    )
    also_find: list[str] = Field(
        default=[], description="Kinds of ordinary prose to find: PERSON, LOCATION, ORGANIZATION, DATE_TIME, NRP."
    )
    every_token: bool = Field(default=False, description="true judges every word that no recogniser claims, too.")
    tagger: bool = Field(default=True, description="Whether a trained tagger finds words without a form.")
    placeholders: bool = Field(
        default=False, description="true lets pass what stands for nobody in source code (changeme, 123-45-6789)."
    )
    fits_code: bool = Field(default=False, description="true keeps source code parseable where a value is replaced.")
    base_threshold: float | None = Field(
        default=None,
        le=0,
        allow_inf_nan=False,
        description="Nats per token from which a value counts as pretrained; null: the bundle's.",
    )
    allow_subjects: list[str] = Field(
        default=[], description="Public persons whose dates of birth may pass, besides the shipped list."
    )
