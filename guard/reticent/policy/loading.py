"""Reads policies from YAML, or from a mapping of the same shape.

    preset: default                 # the base, which the rest overrides, entity by entity and origin by origin
    score_threshold: 0.9            # default: the bundle's thresholds
    # false_positives: 0.01         # in its place: thresholds at this share of made-up values that may be stopped
    entities:
      DEFAULT: {hallucinated: flag}
      PHONE_NUMBER:
        memorized: {action: block, threshold: 0.8}
    allow_list: ["555-0100"]        # plain values are hashed at once; "hash:<hex>" with list_key otherwise
    on_block: {replace: "I may not say that."}
    hold: {max_seconds: 2}
    fail_mode: {judge: open}        # or one word for all stages; other stages stay closed
    redaction: mask                 # tag, mask, hash or surrogate
    mask_char: "*"
    after_redaction: stop           # rewind, stop or continue
    max_rewinds: 2
    second_looks: {steps: 4, share: 0.25}   # most cost in one answer: decoding steps, share of its spans
    prevalence: 0.1                 # share of memorised spans to expect
    base_threshold: -0.7            # nats from which a value counts as pretrained (default: the bundle's)
    allow_subjects: ["Ada Lovelace"]    # public persons beside the shipped ones
    tagger: false                   # find values by their form or field alone (default: true)
    placeholders: true              # let values pass that are nobody's in source code (default: false)
    fits_code: true                 # keep source code parseable when a value is replaced (default: false)
    seal: false                     # true: refuse whatever lets a client tell a value's origin

An unknown name is refused, with the nearest name that exists. Nothing is ignored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from reticent.policy import strict_yaml
from reticent.policy.error_values import what_is_wrong
from reticent.policy.file_format import (
    HoldFormat,
    OriginsFormat,
    PolicyFile,
    RecognizerFormat,
    ReplaceFormat,
    RuleFormat,
    SecondLooksFormat,
    StagesFormat,
)
from reticent.policy.finder_cache import FinderCache
from reticent.policy.options import AfterRedaction, FailMode, OnBlock, Stage, nearest
from reticent.policy.policy import DEFAULT, Policy, Rule
from reticent.policy.presets import PRESETS
from reticent.policy.redaction import RedactionStyle
from reticent.policy.unfindable import finds, warn_of_unfindable
from reticent.policy.verdict import Action, Origin
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError, PolicyError
from reticent_detectors.finder.own_forms import OwnForm

_HASH = "hash:"
_MAX_BYTES = 1 << 20
_KIND = re.compile(r"[A-Z][A-Z0-9_]{0,63}")


_PLAIN = (
    "score_threshold",
    "false_positives",
    "on_overflow",
    "redaction",
    "mask_char",
    "after_redaction",
    "max_rewinds",
    "prevalence",
    "seal",
    "monitor",
    "every_token",
    "tagger",
    "placeholders",
    "fits_code",
    "base_threshold",
)
"""Fields that go from the file into a policy unchanged."""

_FIELDS: dict[tuple[str, ...], type[BaseModel]] = {
    (): PolicyFile,
    ("entities", "*"): OriginsFormat,
    ("entities", "*", "*"): RuleFormat,
    ("hold",): HoldFormat,
    ("second_looks",): SecondLooksFormat,
    ("on_block", "_long"): ReplaceFormat,
    ("fail_mode", "_long"): StagesFormat,
    ("recognizers", "*"): RecognizerFormat,
}
_CHOICES: dict[str, type[StrEnum]] = {
    "action": Action,
    "on_overflow": Action,
    "fail_mode": FailMode,
    "on_block": OnBlock,
    "redaction": RedactionStyle,
    "after_redaction": AfterRedaction,
}


def named_policy(name: str) -> Policy:
    """Gives the preset of a name, or the policy in a file (`./sealed` for a file with the name of a preset).

    Raises:
        PolicyError: there is no such preset, and no such file or none that holds a policy.
    """
    if name in PRESETS:
        return Policy.preset(name)
    if not looks_like_file(name) and not Path(name).exists():
        raise PolicyError(
            f"There is no preset {name!r}, and no file of this name; expected a preset or a policy's file in YAML."
            f"{nearest(name, PRESETS)}"
        )
    return load_policy(name)


def looks_like_file(name: str) -> bool:
    """Says whether a policy's name is that of a file: it has a slash or ends as YAML does."""
    return "/" in name or "\\" in name or name.casefold().endswith((".yaml", ".yml", ".json"))


def load_policy(path: str | PathLike[str]) -> Policy:
    """Reads a policy from a YAML file.

    Args:
        path: the file, in UTF-8. `reticent config --policy` prints every setting with its default.

    Raises:
        PolicyError: the file cannot be read, is no YAML, or holds an unknown name or value.
    """
    try:
        raw = Path(path).read_bytes()
        text = raw.decode()
    except (OSError, UnicodeDecodeError) as error:
        name = str(path)
        hint = (
            f" For the preset, pass Policy.preset({name!r}), or write 'preset: {name}' into a file."
            if name in PRESETS
            else ""
        )
        why = error.strerror if isinstance(error, OSError) else "it is not in UTF-8"
        raise PolicyError(
            f"Cannot read a policy from {str(Path(path))!r}: {why}. Expected a file in YAML.{hint}"
        ) from error
    if len(raw) > _MAX_BYTES:
        raise PolicyError(f"The policy has {len(raw)} bytes, expected at most {_MAX_BYTES}.")
    return parse_policy(text)


def parse_policy(text: str) -> Policy:
    """Reads the policy in a YAML text. An empty text is the default policy. Raises PolicyError."""
    try:
        data = strict_yaml.load(text)
    except strict_yaml.RepeatedKey as error:
        raise PolicyError(f"The policy has {error}.") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" at line {mark.line + 1}" if mark is not None else ""
        raise PolicyError(
            f"The policy is no valid YAML{where}: {getattr(error, 'problem', None) or 'syntax error'}."
        ) from None
    except RecursionError:
        raise PolicyError("The policy is nested too deeply.") from None
    return policy_from(data or {})


def policy_from(data: Mapping[str, Any]) -> Policy:
    """Reads the policy in a mapping of the file's shape. Raises PolicyError."""
    if not isinstance(data, Mapping):
        raise PolicyError(f"A policy is a mapping from field to value, got {type(data).__name__}.")
    known = _known_entities(data)
    for name in _entity_names(data):
        if name not in known:
            raise PolicyError(f"Unknown entity {name!r} under 'entities'.{nearest(str(name), known)}")
    try:
        file = PolicyFile.model_validate(data)
    except ValidationError as error:
        details_of_errors = error.errors(include_url=False, include_input=True)
        raise PolicyError("\n".join(_describe_error(details) for details in details_of_errors)) from None
    return _policy(file)


def _known_entities(data: Mapping[str, Any]) -> set[str]:
    names: set[str] = set()
    for field in ("custom_entities", "recognizers"):
        given = data.get(field) or ()
        if isinstance(given, list | tuple | Mapping):
            names |= {name for name in given if isinstance(name, str)}
    return {DEFAULT, *map(str, Entity), *names}


def _entity_names(data: Mapping[str, Any]) -> list[Any]:
    entities = data.get("entities")
    return list(entities) if isinstance(entities, Mapping) else []


def _describe_error(details: ErrorDetails) -> str:
    """Describes pydantic's error by what was expected, what came, and what to do. It never repeats list entries."""
    place, kind = details["loc"], details["type"]
    path = _path(place)
    if kind == "extra_forbidden":
        parent, name = place[:-1], str(place[-1])
        shape = _shape(parent)
        what = {"entities": "origin", "fail_mode": "stage"}.get(str(place[0]), "field") if len(shape) == 2 else "field"
        where = f" under {_path(parent)!r}" if parent else ""
        return f"Unknown {what} {name!r}{where} in a policy.{nearest(name, _FIELDS[shape].model_fields)}"
    if kind == "enum":
        field = next(str(part) for part in reversed(place) if str(part) in _CHOICES)
        choices = [str(choice) for choice in _CHOICES[field]]
        if field == "on_block":
            choices = ["finish", "error", "{replace: TEXT}"]
        what = "action" if _CHOICES[field] is Action else "value"
        given = str(details["input"])
        return f"Unknown {what} {given!r} for {path!r} in a policy.{nearest(given, choices)}"
    model, around = _FIELDS.get(_shape(place)), _FIELDS.get(_shape(place[:-1]))
    setting = None if around is None else around.model_fields.get(str(place[-1]))
    is_required = setting is not None and setting.is_required()
    if kind == "missing" and setting is not None and (meaning := setting.description):
        return f"{path!r} is missing in a policy. Write it: {meaning[:1].lower()}{meaning[1:]}"
    names = () if model is None else model.model_fields
    return f"{path!r} in a policy: {what_is_wrong(details, names, is_required)}"


def _shape(place: tuple[int | str, ...]) -> tuple[str, ...]:
    """Return a place as `_FIELDS` names it, without the names of kinds."""
    return tuple("*" if at and place[0] in ("entities", "recognizers") else str(p) for at, p in enumerate(place))


def _path(place: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in place if not str(part).startswith("_"))


def _policy(file: PolicyFile) -> Policy:
    """Makes the policy of a file: its preset, overridden by what the file names itself."""
    hashed = [entry for entry in file.allow_list + file.deny_list if entry.startswith(_HASH)]
    if hashed and file.list_key is None:
        raise PolicyError(
            "The policy lists hashes ('hash:...') without the 'list_key' that they were made with; add it."
        )
    base = Policy.preset(file.preset, list_key=None if file.list_key is None else _key(file.list_key))
    given = file.model_fields_set
    settings: dict[str, Any] = {name: getattr(file, name) for name in _PLAIN if name in given}
    if "on_block" in given:
        settings |= _on_block(file.on_block)
    if isinstance(file.fail_mode, StagesFormat):
        named = {stage: getattr(file.fail_mode, stage) for stage in Stage}
        settings["fail_modes"] = {stage: mode for stage, mode in named.items() if mode is not None}
    elif "fail_mode" in given:
        settings |= {"fail_mode": file.fail_mode, "fail_modes": {}}
    policy = replace(
        base,
        recognizers=tuple(_recognizer(kind, given) for kind, given in file.recognizers.items()),
        rules=_rules(base, file.entities),
        allow_list=base.allow_list | _hashes(file.allow_list),
        deny_list=base.deny_list | _hashes(file.deny_list),
        hold=replace(base.hold, **{name: getattr(file.hold, name) for name in file.hold.model_fields_set}),
        second_looks=replace(
            base.second_looks, **{name: getattr(file.second_looks, name) for name in file.second_looks.model_fields_set}
        ),
        custom_entities=base.custom_entities | frozenset(file.custom_entities),
        also_find=base.also_find | frozenset(file.also_find),
        allow_subjects=base.allow_subjects | frozenset(file.allow_subjects),
        **settings,
    )
    _check_examples(policy, file.recognizers)
    warn_of_unfindable(policy, file.deny_list)
    return policy.with_lists(
        allow=(entry for entry in file.allow_list if not entry.startswith(_HASH)),
        deny=(entry for entry in file.deny_list if not entry.startswith(_HASH)),
    )


def _recognizer(kind: str, given: RecognizerFormat) -> OwnForm:
    if not _KIND.fullmatch(kind) or kind == DEFAULT:
        raise PolicyError(
            f"recognizers.{kind}: the name of a kind has capitals, digits and underscores, such as EMPLOYEE_ID, and is "
            "not DEFAULT. Rename it."
        )
    try:
        return OwnForm(kind, given.pattern, tuple(given.context), given.check or "")
    except InputError as error:
        raise PolicyError(f"recognizers.{kind}: {error}.") from None


def _check_examples(policy: Policy, recognizers: Mapping[str, RecognizerFormat]) -> None:
    """Raises PolicyError for an example that the finder does not find as its kind. No example is repeated."""
    finder = FinderCache().of(policy) if recognizers else None
    for kind, given in recognizers.items():
        announcement = f"{given.context[0]}: " if given.context else ""
        for number, example in enumerate(given.examples, 1):
            if finder is None or finds(finder, example, kind, announcement):
                continue
            check = f", or does not satisfy the check {given.check}" if given.check else ""
            raise PolicyError(
                f"recognizers.{kind}: example {number} is not found by this recogniser: the pattern does not match all "
                f"of it{check}. A value begins with a letter, a digit or one of $ € £ + (, and ends with none behind "
                "it. Correct pattern or example."
            )


def _rules(base: Policy, entities: Mapping[str, OriginsFormat]) -> dict[str, dict[Origin, Rule]]:
    rules = {entity: dict(by_origin) for entity, by_origin in base.rules.items()}
    for entity, origins in entities.items():
        given = ((origin, getattr(origins, origin)) for origin in Origin)
        own = {origin: Rule(rule.action, rule.threshold) for origin, rule in given if rule is not None}
        rules[entity] = rules.get(entity, {}) | own
    return rules


def _on_block(given: OnBlock | ReplaceFormat) -> dict[str, Any]:
    if isinstance(given, ReplaceFormat):
        return {"on_block": OnBlock.REPLACE, "block_text": given.replace}
    if given is OnBlock.REPLACE:
        raise PolicyError("on_block: replace needs its text; write {replace: TEXT}.")
    return {"on_block": given, "block_text": ""}


def _hashes(entries: list[str]) -> frozenset[str]:
    return frozenset(entry.removeprefix(_HASH).strip().lower() for entry in entries if entry.startswith(_HASH))


def _key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if not 16 <= len(key) <= 64:
        raise PolicyError("list_key must be 16 to 64 bytes as hexadecimal digits (32 to 128 of them).")
    return key
