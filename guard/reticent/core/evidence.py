"""Finds evidence about a value in the prompt, the suppression list and the records, before any model is asked.

The order is the same for all tiers: a repeated surrogate of the same key, the user's text, the operator's context, the
suppression list, and the records index.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

from reticent.policy.policy import Evidence
from reticent.policy.redaction import Redactor
from reticent.policy.verdict import Origin, Tier
from reticent.prompt.echo import EchoIndex
from reticent.records.anywhere import DAYS
from reticent.records.dates import spelled_days
from reticent.records.index import RecordsIndex
from reticent.suppressions.active import SuppressionList
from reticent_detectors.finder import plain_form
from reticent_detectors.finder.plain_text import plain_form_of
from reticent_detectors.finder.recorded import RECORDED, RecordedValues
from reticent_detectors.finder.recorded_words import without_fields
from reticent_detectors.spans import Span


@dataclass(frozen=True, slots=True)
class PromptEvidence:
    """Holds a value in plain form, its cue in the prompt, and the evidence if prompt or records decide.

    `disguised`: the answer wrote it in another form than the plain one.
    """

    value: str = field(repr=False)
    disguised: bool
    cue: float
    evidence: Evidence | None


def prompt_evidence(
    span: Span,
    text: str,
    echo: EchoIndex,
    redact: Redactor,
    records: RecordsIndex | None,
    seal: bool = False,
    suppressions: SuppressionList | None = None,
) -> PromptEvidence:
    """Looks the value `text` of a span up in the prompt, the list and the records. No evidence: none of them has it.

    Under a `seal` what was found is searched for in the prompt and the list alone. All other origins get one action
    there, and the time of a look-up would reveal the origin.
    """
    plain = plain_form(span.recognizer, text)
    value = plain_form_of(text) if plain is None else plain
    origin, cue = echo.origin(value, span.entity), echo.cue(value, span.entity)
    if origin is None and span.recognizer == RECORDED:
        others = (
            spelled_days(value) if span.entity in DAYS else (without_fields(value, " "), without_fields(value, "@"))
        )
        origin = next((found for other in others if (found := echo.origin(other, span.entity))), None)
    if redact.owns(value, span.entity):
        origin = Origin.ECHOED
    evidence = None
    echoed = origin is Origin.ECHOED
    suppressed = not echoed and suppressions is not None and _is_suppressed(span, value, text, suppressions, records)
    if origin is not None or suppressed:
        evidence = Evidence(
            Tier.TEXT, None, cue, echoed=echoed, context=origin is Origin.CONTEXT, suppressed=suppressed
        )
    elif seal:
        evidence = Evidence(Tier.TEXT, None, cue)
    elif records is not None and (span.recognizer == RECORDED or _is_recorded(span, value, text, records)):
        evidence = Evidence(Tier.RECORDS, None, cue, recorded=True)
    return PromptEvidence(value, plain is not None, cue, evidence)


def _is_recorded(span: Span, value: str, text: str, records: RecordsIndex) -> bool:
    if any(records.contains(form, span.entity) for form in _forms(value, text)):
        return True
    is_code = plain_form(span.recognizer, text) is not None
    return is_code and RecordedValues(records).first_in(value) is not None  # it may have more in it


def _is_suppressed(
    span: Span, value: str, text: str, suppressions: SuppressionList, records: RecordsIndex | None
) -> bool:
    if suppressions.values is None:
        return False
    if any(suppressions.holds(form, span.entity) for form in _forms(value, text)):
        return True
    was_looked_for = span.recognizer == RECORDED
    if (was_looked_for or plain_form(span.recognizer, text) is not None) and suppressions.is_within(value):
        return True
    # What was looked for, and is in no list by itself, is of either. It is of the records only if these have it.
    return was_looked_for and (
        records is None
        or not (_is_recorded(span, value, text, records) or RecordedValues(records).first_in(value) is not None)
    )


def _forms(value: str, text: str) -> set[str]:
    """Return what a value may be recorded as. What looks like an address may be another in ROT13."""
    return {value, plain_form_of(text), codecs.encode(value, "rot13")}
