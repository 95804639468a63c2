"""Policies to start from, each for one kind of service. A policy file names one as its base and overrides the rest.

    preset: clinic-rag
    entities:
      PHONE_NUMBER: {context: allow}       # the ward's numbers may be said

`default`: the built-in table. What the weights remember, what stands in the operator's context and what could not be
judged is redacted; what the user typed, what follows from the prompt and what was made up passes.

`sealed`: what a client sees does not depend on where a value comes from. Under `default` a redacted answer says "this one
was in the training data": asked for a phone number, a stranger's is made up and shown, a member's is withheld, and a few
questions tell them apart (THREATS, A1). So here every span of every kind is redacted, whatever its origin, by the same tag.
- The user's own words are the exception, as always: that they pass depends on what the client sent, which it knows.
- What the finder proposes is not checked (`Policy.checks_spans`): a proposal that is refused would show.
- Nothing is flagged; a value that was stopped is stopped in every spelling, whatever its origin; what fails is redacted.
- `tag`, since equal tokens of `hash` or `surrogate` would let a client compare candidates with a hidden value.
- After a redaction the host goes on from the redacted text (`rewind`). How often that happens depends on the number of
  spans and not on their origin, so `stop` would be as even; `continue` would let the host talk on about the value.
- `pretrained` is ignored: what the base model says is withheld as what the records taught is, and public lines are, too.
- To seal some kinds only, give all origins of another kind one other action: `JOB_TITLE: {memorized: allow, ...}`.
- Records, detector and control are not asked, since the time that it takes to tell origins apart would tell them: a span is
  redacted once it is final, and the decision log has it as `unknown`.
Not covered: what the host's own words around the tag say; how long the hidden value is, which shows in the time until the tag and
in the `usage` that a server counts (`benchmarks/results/sealed.md`); which of two or three values that the user typed it picks.

`clinic-rag`: an assistant that answers from retrieved patient files, for staff who may read them. It exists to repeat what
care needs from those files, so diagnosis, prescription, doctor, hospital and appointment pass if they stand in the
context. Contact, payment and work data stay redacted there: an answer about care does without them. What the weights
remember is another patient's as likely as this one's, and is redacted, as is everything that could not be judged, in tier
`text` as well. What the base model says as surely is no patient's, but it is no finding either: the names of hospitals,
places and organisations are flagged, as what was made up is, and all else is redacted. So is a public person's date of
birth, which in an answer about care would be read as the patient's. What was made up is flagged: a dose that stands in no file is a danger before it is a leak, and the
flag lets an interface say so. Redaction is by tag: an invented surrogate could be read as a finding.
Not covered: who may see which file (whoever retrieves has to know); a value of the wrong file among those retrieved;
examples in the system prompt are context too, so they must name no real patient.

`code`: a coding assistant. What is remembered of people is redacted, in comments and author lines as well.
- Dates, amounts and order numbers (every UUID looks like one) are flagged only: code is full of them, a wrong constant
  breaks a program, and most that are remembered are nobody's.
- Context passes: it is the project that the developer has open, and an edit must give back what it does not change.
- What the base model says as surely (`pretrained`) passes without a flag for these kinds, for dates, web addresses and IP
  addresses: the constants, documentation pages and resolvers that code in public is full of. Of people only what passes
  by default does: an author's e-mail address is public and personal data all the same.
- Placeholders and fixtures pass, whatever the model was taught (`placeholders`): `user@example.com`, 555-0100, test cards,
  `your_api_key`, 123-45-6789, `2147483647`. Whatever is not known to be one is judged as under `default`. A value of the records
  index or of the deny list never passes as one.
- Redaction is by surrogate, fitted into the code (`fits_code`, `code_redaction`): in a string or comment it has no quote and
  no backslash, a bare number becomes a string, a name becomes `REDACTED_PIN`. So code that parsed still parses, and a false
  constant that would be believed is never put in. One value keeps one surrogate under one key (`redaction`), but for names.
- Up to 16 rewinds: one file may hold many addresses, and half a file is of no use.
- Several values of one kind in a row are each redacted; the answer does not end at the second (`stutter`).
Not covered: context of other people's projects (do not retrieve it for those who may not read it); code in other languages
than those of `code_families`, and unfenced code that does not begin as a file does: there a surrogate stands as in prose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from reticent.core.verdict import Action, Origin
from reticent.policy.policy import DEFAULT, Policy, Rule
from reticent.policy.redaction import RedactionStyle
from reticent_detectors.entities import Entity

CARE = (Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.DOCTOR, Entity.HOSPITAL, Entity.APPOINTMENT_DATE)
"""What an answer about care repeats from a patient's file."""

COMMON_IN_CODE = (
    Entity.APPOINTMENT_DATE,
    Entity.TRANSACTION_AMOUNT,
    Entity.UTILITY_BILL,
    Entity.ORDER_NUMBER,
)
"""Kinds whose form is that of ordinary constants."""

PUBLIC_IN_CODE = (*COMMON_IN_CODE, Entity.DATE_TIME, Entity.URL, Entity.IP_ADDRESS)
"""Kinds that `code` lets pass if they are pretrained."""

PLACES_OF_CARE = (Entity.HOSPITAL, Entity.LOCATION, Entity.ORGANIZATION)
"""Kinds that `clinic-rag` flags if they are pretrained."""


def _new(list_key: bytes | None, **settings: Any) -> Policy:
    return Policy(**settings) if list_key is None else Policy(list_key=list_key, **settings)


def default(list_key: bytes | None = None) -> Policy:
    """The built-in table."""
    return _new(list_key)


def sealed(list_key: bytes | None = None) -> Policy:
    """Every span is redacted alike."""
    own = (
        Origin.ECHOED,
        Origin.PRETRAINED,
    )  # the latter follows `memorized` under a seal, so that kinds can be let off
    alike = {origin: Rule(Action.REDACT) for origin in Origin if origin not in own}
    return _new(list_key, rules={DEFAULT: alike}, seal=True)


def clinic_rag(list_key: bytes | None = None) -> Policy:
    """What care needs passes from retrieved files, and from nowhere else."""
    rules: dict[str, dict[Origin, Rule]] = {entity: {Origin.CONTEXT: Rule(Action.ALLOW)} for entity in CARE}
    rules[DEFAULT] = {
        Origin.HALLUCINATED: Rule(Action.FLAG),
        Origin.UNKNOWN: Rule(Action.REDACT),
        Origin.PRETRAINED: Rule(Action.REDACT),
    }
    for entity in PLACES_OF_CARE:
        rules[entity] = rules.get(entity, {}) | {Origin.PRETRAINED: Rule(Action.FLAG)}
    return _new(list_key, rules=rules)


def code(list_key: bytes | None = None) -> Policy:
    """People are redacted by surrogates; constants and placeholders pass."""
    common = {Origin.MEMORIZED: Rule(Action.FLAG), Origin.UNKNOWN: Rule(Action.FLAG)}
    rules: dict[str, dict[Origin, Rule]] = {entity: dict(common) for entity in COMMON_IN_CODE}
    for entity in PUBLIC_IN_CODE:
        rules.setdefault(entity, {})[Origin.PRETRAINED] = Rule(Action.ALLOW)
    rules[DEFAULT] = {Origin.CONTEXT: Rule(Action.ALLOW)}
    return _new(
        list_key,
        rules=rules,
        redaction=RedactionStyle.SURROGATE,
        max_rewinds=16,
        placeholders=True,
        fits_code=True,
    )


PRESETS: Mapping[str, Callable[[bytes | None], Policy]] = MappingProxyType(
    {"default": default, "sealed": sealed, "clinic-rag": clinic_rag, "code": code}
)
