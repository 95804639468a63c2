"""Policies from YAML, or from a mapping of the same shape.

    score_threshold: 0.9            # default: the bundle's thresholds
    entities:
      DEFAULT: {hallucinated: flag}
      PHONE_NUMBER:
        memorized: {action: block, threshold: 0.8}
    allow_list: ["555-0100"]        # plain values are hashed at once; "hash:<hex>" with list_key otherwise
    on_block: {replace: "I may not say that."}
    hold: {max_seconds: 2}

Everything unknown is refused with the nearest name that exists; nothing is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from reticent.policy import DEFAULT, FailMode, HoldLimits, OnBlock, Policy, Rule, nearest
from reticent.redaction import RedactionStyle
from reticent.verdict import Action, Origin
from reticent_detectors.entities import Entity
from reticent_detectors.errors import PolicyError

_HASH = "hash:"
_MAX_BYTES = 1 << 20


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class _Rule(_Strict):
    action: Action
    threshold: float | None = Field(default=None, ge=0, le=1)


def _long_form(rule: Any) -> Any:
    return {"action": rule} if isinstance(rule, str) else rule


_AnyRule = Annotated[_Rule | None, BeforeValidator(_long_form)]


class _Origins(_Strict):
    memorized: _AnyRule = None
    echoed: _AnyRule = None
    context: _AnyRule = None
    inferable: _AnyRule = None
    hallucinated: _AnyRule = None
    unknown: _AnyRule = None


class _Hold(_Strict):
    max_tokens: int = Field(default=256, gt=0)
    max_chars: int = Field(default=1024, gt=0)
    max_seconds: float = Field(default=5.0, gt=0)


class _Replace(_Strict):
    replace: str


class _File(_Strict):
    entities: dict[str, _Origins] = {}
    score_threshold: float | None = Field(default=None, ge=0, le=1)
    allow_list: list[str] = []
    deny_list: list[str] = []
    list_key: str | None = None
    fail_mode: FailMode = FailMode.CLOSED
    on_block: OnBlock | _Replace = OnBlock.FINISH
    on_overflow: Action = Action.REDACT
    hold: _Hold = _Hold()
    redaction: RedactionStyle = RedactionStyle.TAG
    monitor: bool = False
    language: str = Field(default="en", min_length=2)
    custom_entities: list[str] = []


_FIELDS: dict[tuple[str, ...], type[BaseModel]] = {
    (): _File,
    ("entities", "*"): _Origins,
    ("entities", "*", "*"): _Rule,
    ("hold",): _Hold,
    ("on_block", "_Replace"): _Replace,
}
_CHOICES: dict[str, type[Action | FailMode | OnBlock | RedactionStyle]] = {
    "action": Action,
    "on_overflow": Action,
    "fail_mode": FailMode,
    "on_block": OnBlock,
    "redaction": RedactionStyle,
}


class _Loader(yaml.SafeLoader):
    """Safe YAML in which a key may stand only once: of two rules for one entity neither wins unseen."""


def _mapping(loader: _Loader, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
    names = [key.value for key, _ in node.value]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        where = node.start_mark.line + 1
        raise PolicyError(f"The policy has {sorted(map(str, twice))} twice in the block from line {where}; keep one.")
    loader.flatten_mapping(node)
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def load_policy(path: str | PathLike[str]) -> Policy:
    """The policy in a YAML file.

    Raises:
        PolicyError: the file cannot be read, is no YAML, or holds an unknown name or value.
    """
    try:
        raw = Path(path).read_bytes()
        text = raw.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise PolicyError(
            f"Cannot read a policy from {str(Path(path))!r}: expected a YAML file in UTF-8 ({error.__class__.__name__})."
        ) from error
    if len(raw) > _MAX_BYTES:
        raise PolicyError(f"The policy has {len(raw)} bytes, expected at most {_MAX_BYTES}.")
    return parse_policy(text)


def parse_policy(text: str) -> Policy:
    """The policy in a YAML text. An empty text is the default policy. Raises PolicyError."""
    try:
        data = yaml.load(text, Loader=_Loader)
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
    """The policy in a mapping of the file's shape. Raises PolicyError."""
    if not isinstance(data, Mapping):
        raise PolicyError(f"A policy is a mapping from field to value, got {type(data).__name__}.")
    known = _known_entities(data)
    for name in _entity_names(data):
        if name not in known:
            raise PolicyError(f"Unknown entity {name!r} under 'entities'.{nearest(str(name), known)}")
    try:
        file = _File.model_validate(data)
    except ValidationError as error:
        raise PolicyError("\n".join(_said(details) for details in _first_of_each(error))) from None
    return _policy(file)


def _known_entities(data: Mapping[str, Any]) -> set[str]:
    custom = data.get("custom_entities") or ()
    names = {name for name in custom if isinstance(name, str)} if isinstance(custom, list | tuple) else set()
    return {DEFAULT, *map(str, Entity), *names}


def _entity_names(data: Mapping[str, Any]) -> list[Any]:
    entities = data.get("entities")
    return list(entities) if isinstance(entities, Mapping) else []


def _first_of_each(error: ValidationError) -> list[ErrorDetails]:
    """One complaint for each place: of a union only the branch that the author meant."""
    chosen: dict[tuple[int | str, ...], ErrorDetails] = {}
    for details in error.errors(include_url=False, include_input=True):
        place = details["loc"]
        if place[:1] == ("on_block",):
            wanted = "_Replace" if isinstance(details["input"], Mapping) or len(place) > 2 else "OnBlock"
            if len(place) > 1 and not str(place[1]).endswith(wanted) and wanted not in str(place[1]):
                continue
            if details["type"] in ("enum", "model_type"):
                place = ("on_block",)
        chosen.setdefault(place, details)
    return list(chosen.values())


def _said(details: ErrorDetails) -> str:
    """An error of pydantic's as what was expected, what came, and what to do. List entries are never repeated."""
    place, kind = details["loc"], details["type"]
    path = ".".join(str(part) for part in place if not str(part).startswith("_"))
    if kind == "extra_forbidden":
        parent, name = place[:-1], str(place[-1])
        shape = tuple("*" if at and parent[0] == "entities" else str(part) for at, part in enumerate(parent))
        what = "origin" if shape == ("entities", "*") else "field"
        model = _FIELDS.get(shape, _File)
        where = f" under {'.'.join(map(str, parent))!r}" if parent else ""
        return f"Unknown {what} {name!r}{where} in a policy.{nearest(name, model.model_fields)}"
    if kind == "enum":
        field = next(str(part) for part in reversed(place) if str(part) in _CHOICES)
        choices = [str(choice) for choice in _CHOICES[field]]
        if field == "on_block":
            path, choices = "on_block", ["finish", "error", "{replace: TEXT}"]
        what = "action" if _CHOICES[field] is Action else "value"
        return f"Unknown {what} {str(details['input'])!r} for {path!r} in a policy.{nearest(str(details['input']), choices)}"
    got = type(details["input"]).__name__
    return f"{path!r} in a policy: {details['msg'].lower()} (got {got}). Correct it or leave it out."


def _policy(file: _File) -> Policy:
    rules: dict[str, dict[Origin, Rule]] = {}
    for entity, origins in file.entities.items():
        given = ((origin, getattr(origins, origin)) for origin in Origin)
        rules[entity] = {origin: Rule(rule.action, rule.threshold) for origin, rule in given if rule is not None}
    replaced = isinstance(file.on_block, _Replace)
    hashed = [entry for entry in file.allow_list + file.deny_list if entry.startswith(_HASH)]
    if hashed and file.list_key is None:
        raise PolicyError(
            "The policy lists hashes ('hash:...') without the 'list_key' that they were made with; add it."
        )
    settings: dict[str, Any] = {} if file.list_key is None else {"list_key": _key(file.list_key)}
    policy = Policy(
        rules=rules,
        score_threshold=file.score_threshold,
        allow_list=frozenset(_hashes(file.allow_list)),
        deny_list=frozenset(_hashes(file.deny_list)),
        fail_mode=file.fail_mode,
        on_block=OnBlock.REPLACE if isinstance(file.on_block, _Replace) else file.on_block,
        block_text=file.on_block.replace if isinstance(file.on_block, _Replace) else "",
        on_overflow=file.on_overflow,
        hold=HoldLimits(file.hold.max_tokens, file.hold.max_chars, file.hold.max_seconds),
        redaction=file.redaction,
        monitor=file.monitor,
        language=file.language,
        custom_entities=frozenset(file.custom_entities),
        **settings,
    )
    if not replaced and file.on_block is OnBlock.REPLACE:
        raise PolicyError("on_block: replace needs its text; write {replace: TEXT}.")
    return policy.with_lists(
        allow=(entry for entry in file.allow_list if not entry.startswith(_HASH)),
        deny=(entry for entry in file.deny_list if not entry.startswith(_HASH)),
    )


def _hashes(entries: list[str]) -> list[str]:
    return [entry.removeprefix(_HASH).strip().lower() for entry in entries if entry.startswith(_HASH)]


def _key(text: str) -> bytes:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        key = b""
    if not 16 <= len(key) <= 64:
        raise PolicyError("list_key must be 16 to 64 bytes as hexadecimal digits (32 to 128 of them).")
    return key
