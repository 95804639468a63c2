"""What stands in an answer in place of a value that was redacted (`reticent.policy.redaction`): it is no value."""

from __future__ import annotations

import regex

from reticent_detectors.entities import UNDECIDED, Entity

REDACTION_TAG = regex.compile(rf"(?P<kind>{'|'.join([*Entity, UNDECIDED])})(?:_[0-9a-f]{{6}})?>")
"""Matches a tag after its `<`."""
SURROGATE_ACCOUNT = "‹ZZ"
"""Stands before the digits of a made-up account."""
REDACTED = regex.compile(rf"(?<=<){REDACTION_TAG.pattern}" r"|‹(?:(?:[A-Za-z]+_){1,4}[0-9a-f]{6}|ZZ00(?: \d{4}){2})›")
"""Matches a tag after its `<`, or a made-up value."""
