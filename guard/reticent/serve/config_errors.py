"""Describes what is wrong with the settings, as a policy's errors do. No value is repeated."""

from __future__ import annotations

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from reticent.policy.checked_settings import found_in, path_of, setting_at, settings_of, unknown_name, what_is_wrong
from reticent.policy.file_format import PolicyFile

_OPTIONS: dict[tuple[str, ...], str] = {
    ("detector", "models"): "what clients call the models that the detector fits: --model NAME",
    ("detector", "bundle"): "the detector's folder: --bundle PATH",
    ("shadow", "models"): "what clients call the models whose weights the copy has: --model NAME",
    ("shadow", "path"): "the folder of the copy: --shadow PATH",
    ("model", "path"): "the folder of the model: --host-model PATH",
    ("upstream", "url"): "the server's address: --upstream URL",
}
"""Command-line options, by the setting that they set."""
_OF_POLICY = frozenset(settings_of(PolicyFile))


def describe_errors(error: ValidationError, settings: type[BaseModel]) -> str:
    """Describes everything that is wrong, in one line; settings of a policy together, as its file was given."""
    found = found_in(error)
    of_policy = [details["loc"][0] for details in found if _is_of_policy(details)]
    parts = [_describe_error(details, settings) for details in found if not _is_of_policy(details)]
    if of_policy:
        *others, last = map(repr, of_policy)
        names = f"{', '.join(others)} and {last} are settings" if others else f"{last} is a setting"
        them = "them" if others else "it"
        parts.insert(
            0,
            f"{names} of a policy, not of the server: write {them} under 'policies', or give their file with --policy.",
        )
    return " ".join(parts)


def _is_of_policy(details: ErrorDetails) -> bool:
    return details["type"] == "extra_forbidden" and len(details["loc"]) == 1 and details["loc"][0] in _OF_POLICY


def _describe_error(details: ErrorDetails, settings: type[BaseModel]) -> str:
    place, kind = details["loc"], details["type"]
    path = path_of(place, settings)
    if kind == "extra_forbidden":
        where = f" under {path_of(place[:-1], settings)!r}" if place[:-1] else ""
        return unknown_name("setting", place[-1], setting_at(settings, place[:-1]).below, where)
    if kind == "missing":
        what = _OPTIONS.get(tuple(map(str, place)))
        return f"{path!r} is missing; give {'it a value' if what is None else what}."
    if kind == "value_error":
        reason = str(details["ctx"]["error"]).rstrip(".")
        return f"{path!r}: {reason}." if path else f"{reason[:1].upper()}{reason[1:]}."
    return f"{path!r}: {what_is_wrong(details, setting_at(settings, place))}"
