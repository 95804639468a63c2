"""Decides how a file writes a policy: as `policy_settings` declares it, but for what follows here.

`loading` reads files by this, and `reticent config --policy` prints it (`policy_template`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag, create_model

from reticent.policy.checked_settings import group_in, settings_of
from reticent.policy.options import FailMode, OnBlock, Stage
from reticent.policy.policy import Policy
from reticent.policy.policy_settings import is_hash
from reticent.policy.rules import DEFAULT, KindName
from reticent.policy.verdict import Origin
from reticent_detectors.entities import Entity

_HASH = "hash:"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RecognizerFormat(_Strict):
    """Holds a recogniser of the operator's own."""

    pattern: str = Field(min_length=1, max_length=1000, description="The value's form, a regular expression.")
    context: tuple[Annotated[str, Field(min_length=2, max_length=100)], ...] = Field(
        default=(), max_length=64, description="Words of which one has to stand before the value; none: anywhere."
    )
    check: str | None = Field(default=None, description="What the value's digits have to satisfy, such as luhn.")
    examples: tuple[str, ...] = Field(
        min_length=1,
        max_length=64,
        repr=False,
        description="A list of invented values that the pattern has to find, which loading tries.",
    )


class ReplaceFormat(_Strict):
    """Holds the text that replaces a blocked answer."""

    replace: str = Field(repr=False, description="The text that replaces a blocked answer.")


def _key(text: Any) -> bytes | None:
    try:
        return None if text is None else bytes.fromhex(text)
    except (TypeError, ValueError):
        raise ValueError("expected hexadecimal digits") from None


def hash_in(entry: str) -> str | None:
    """Gives the hash that an entry of a list holds (`hash:HEX`), or None if it is a plain value."""
    return entry.removeprefix(_HASH).strip().lower() if entry.startswith(_HASH) else None


def _entry(text: str) -> str:
    listed = hash_in(text)
    if listed is not None and not is_hash(listed):
        raise ValueError("expected 32 hexadecimal digits after 'hash:', or the plain value without 'hash:'")
    return text


def _short_or_long(value: Any) -> str:
    """Says in which form a setting is written, so that an error is about that form alone."""
    return "_long" if isinstance(value, Mapping) else "_short"


Entries = tuple[Annotated[str, AfterValidator(_entry)], ...]
_FORM = Discriminator(_short_or_long)
_WRITTEN: dict[str, Any] = {
    "allow_list": Entries,
    "deny_list": Entries,
    "list_key": Annotated[bytes | None, BeforeValidator(_key)],
    "fail_mode": Annotated[
        Annotated[FailMode, Tag("_short")] | Annotated[Mapping[Stage, FailMode], Tag("_long")], _FORM
    ],
    "on_block": Annotated[Annotated[OnBlock, Tag("_short")] | Annotated[ReplaceFormat, Tag("_long")], _FORM],
    "recognizers": Mapping[KindName, RecognizerFormat],
}
"""Types of settings that a file writes otherwise than Python."""


def _fields() -> Iterator[tuple[str, Any]]:
    what = "The policy that the rest overrides: default, sealed, clinic-rag, gateway or code."
    yield "preset", (str, Field(default="default", description=what))
    for name, setting in settings_of(Policy).items():
        if setting.description:
            yield "entities" if name == "rules" else name, (_WRITTEN.get(name, setting.annotation), setting)


PolicyFile: type[BaseModel] = create_model("PolicyFile", __base__=_Strict, **dict(_fields()))
"""What a file may hold. Of a file, `model_fields_set` has what overrides the preset."""


def known_keys(*owners: Any) -> frozenset[str]:
    """Gives the keys of a file that are nobody's value: kinds, origins, and all settings of these classes."""
    names: set[str] = {DEFAULT, *map(str, Entity), *map(str, Origin)}
    groups = list(owners)
    while groups:
        for name, setting in settings_of(groups.pop()).items():
            names.add(name)
            if (group := group_in(setting.annotation)) is not None:
                groups.append(group)
    return frozenset(names)
