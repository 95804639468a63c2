"""Decides what each preset sets, and why.

A preset is a policy to start from, for one kind of service. A policy file names one, and overrides the rest.

    preset: clinic-rag
    entities:
      PHONE_NUMBER: {context: allow}       # the ward's numbers may be said

`default`: the built-in table. It redacts what the weights remember, what is in the operator's context, and what could
not be judged. What the user typed, what follows from the prompt and what was made up passes.

`sealed`: what a client sees does not depend on the origin of a value. Under `default` a redacted answer says "this one
was in the training data". Asked for a phone number, it shows a stranger's, which is made up, and withholds a member's.
A few questions tell the two apart. So every span of every kind is redacted by the same tag, whatever its origin.

- The user's own words pass, as always. That depends only on what the client sent, which it knows.
- Nothing is flagged. A value that was stopped is stopped in every spelling. What fails is redacted.
- The style is `tag`. Equal tokens of `hash` or `surrogate` would let a client compare candidates with a hidden value.
- After a redaction the host goes on from the redacted text (`rewind`). How often that happens depends on the number of
  spans, not on their origin, so `stop` would show as little. `continue` would let the host go on about the value.
- `pretrained` is ignored. What the base model says is withheld as the records are, and so are public lines.
- To seal some kinds only, give all origins of another kind one other action: `JOB_TITLE: {memorized: allow, ...}`.
- Records, detector and control are not asked, since their time would show the origin. A span is redacted once it is
  final, and the decision log has it as `unknown`.

Not covered: the host's own words around the tag; the length of the hidden value, which shows in the time until the tag
and in the `usage` that a server counts (`benchmarks/results/sealed.md`); which of several values that the user typed
it picks.

`clinic-rag`: for an assistant that answers from retrieved patient files, for staff who may read them.

- Its purpose is to repeat what care needs from the files. So diagnosis, prescription, doctor, hospital and appointment
  pass if they are in the context. Contact, payment and work data stay redacted, as an answer about care needs none.
- What the weights remember is as likely another patient's, and is redacted. So is what could not be judged, in tier
  `text` as well.
- What the base model says as surely is no patient's, but it is no finding either. Names of hospitals, places and
  organisations are flagged, and all else is redacted. So is a public person's date of birth, which would be read as the
  patient's.
- What was made up is flagged, so that an interface can say so. A dose that is in no file is first of all a danger.
- Redaction is by tag, because an invented surrogate could be read as a finding.

Not covered: who may see which file, which the retrieval has to know; a value of the wrong file among those retrieved.
Examples in the system prompt are context too, so they must name no real patient.

`gateway`: for a proxy before a model of which nothing is known.

- What neither the user nor the operator said is redacted, as nothing tells memories from inventions there.
- What they said passes, prompts and tools' descriptions alike: a caller gets back what it sent.

`code`: for a coding assistant. What is remembered of people is redacted, in comments and author lines as well.

- Dates, amounts and order numbers (every UUID looks like one) are only flagged. Code is full of them, a wrong constant
  breaks a program, and most that are remembered are nobody's.
- Context passes. It is the project that the developer has open, and an edit must give back what it does not change.
- What the base model says as surely (`pretrained`) passes without a flag for these kinds, for dates, web addresses and
  IP addresses. Public code is full of such constants, documentation pages and resolvers. Of people only what passes by
  default does, as an author's e-mail address is public and still personal data.
- Placeholders and fixtures pass, whatever the model was taught (`placeholders`): `user@example.com`, 555-0100, test
  cards, `your_api_key`, 123-45-6789, `2147483647`. What is not known to be one is judged as under `default`. A value
  of the records index or of the deny list never passes as one.
- Redaction is by surrogate, fitted into the code (`fits_code`, `code_redaction`). In a string or comment it has no
  quote and no backslash, a bare number becomes a string, a name becomes `REDACTED_PIN`. So code that parsed still
  parses, and no believable false constant is put in. One value keeps one surrogate under one key (`redaction`), except
  for names.
- Up to 16 rewinds are allowed: one file may hold many addresses, and half a file is of no use.
- Several values of one kind in a row are each redacted. The answer does not end at the second (`stutter`).

Not covered: context of other people's projects (do not retrieve it for those who may not read it); code in other
languages than those of `code_families`, and unfenced code that does not begin as a file does. A surrogate looks there
as in prose.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from reticent.policy.checked_settings import unknown
from reticent.policy.rules import DEFAULT
from reticent.policy.verdict import Origin
from reticent_detectors.entities import Entity
from reticent_detectors.errors import PolicyError

CARE = (Entity.DIAGNOSIS, Entity.PRESCRIPTION, Entity.DOCTOR, Entity.HOSPITAL, Entity.APPOINTMENT_DATE)
"""Kinds that an answer about care repeats from a patient's file."""

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

PRESETS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "default": {},
        # `pretrained` follows `memorized` under a seal, so that single kinds can be exempt.
        "sealed": {
            "rules": {
                DEFAULT: {origin: "redact" for origin in Origin if origin not in (Origin.ECHOED, Origin.PRETRAINED)}
            },
            "seal": True,
        },
        "clinic-rag": {
            "rules": {
                DEFAULT: {Origin.HALLUCINATED: "flag", Origin.UNKNOWN: "redact", Origin.PRETRAINED: "redact"},
                **{kind: {Origin.CONTEXT: "allow"} for kind in CARE},
                **{kind: {Origin.PRETRAINED: "flag"} for kind in PLACES_OF_CARE},
                Entity.HOSPITAL: {Origin.CONTEXT: "allow", Origin.PRETRAINED: "flag"},
            }
        },
        "gateway": {"rules": {DEFAULT: {Origin.UNKNOWN: "redact", Origin.CONTEXT: "allow"}}},
        "code": {
            "rules": {
                DEFAULT: {Origin.CONTEXT: "allow"},
                **{kind: {Origin.PRETRAINED: "allow"} for kind in PUBLIC_IN_CODE},
                **{
                    kind: {Origin.MEMORIZED: "flag", Origin.UNKNOWN: "flag", Origin.PRETRAINED: "allow"}
                    for kind in COMMON_IN_CODE
                },
            },
            "redaction": "surrogate",
            "max_rewinds": 16,
            "placeholders": True,
            "fits_code": True,
        },
    }
)
"""What each preset changes of the settings that a policy has by default."""


def preset_settings(name: str) -> dict[str, Any]:
    """Gives the settings of a preset. Raises PolicyError if there is none of this name."""
    if not isinstance(name, str) or name not in PRESETS:
        raise PolicyError(unknown("preset", name, PRESETS))
    return dict(PRESETS[name])
