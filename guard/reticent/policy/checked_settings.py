"""Decides how settings are checked, and what an error about one says: what was expected, what came, and what to do.

    @checked
    @dataclass(frozen=True)
    class Limits:
        max_rewinds: Annotated[Whole, Field(ge=0, description="Rewinds in one answer.")] = 4

pydantic checks the arguments, in Python as in a file. A field without `repr` is private: of its value an error shows
the type alone. Of others it shows numbers, flags and misspelt words where such are set, as these are nobody's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import wraps
from typing import Annotated, Any, NamedTuple, TypeVar, get_args

import pydantic.dataclasses
from pydantic import BeforeValidator, ConfigDict, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from reticent_detectors.errors import PolicyError

_T = TypeVar("_T")
_ALSO = {"made_up": "hallucinated", "invented": "hallucinated", "remembered": "memorized", "typed": "echoed"}
"""Names by the words that pages use for them."""
_A_WORD = re.compile(r"[A-Za-z][A-Za-z _-]{0,39}[0-9]{0,3}")
"""What an error may repeat: no number, address or sentence can be one."""
_UNKNOWN = frozenset({"extra_forbidden", "invalid_key", "unexpected_keyword_argument"})
_CHOICES = frozenset({"enum", "literal_error"})
_MOST_ENTRIES = 10_000
_OWN, _NAMES, _LIST = "settings of its own", "names with values", "a list"
_SHAPES = {
    "bytes_type": "bytes",
    "dataclass_type": _OWN,
    "model_type": _OWN,
    "model_attributes_type": _OWN,
    "dict_type": _NAMES,
    "frozen_set_type": _LIST,
    "list_type": _LIST,
    "tuple_type": _LIST,
}
"""What has to be at a place, by pydantic's name of the error."""


def checked(cls: type[_T]) -> type[_T]:
    """Let pydantic check the arguments of a frozen dataclass. What is wrong is told by one PolicyError, a line each."""
    made: Any = pydantic.dataclasses.dataclass(cls, frozen=True, config=ConfigDict(extra="forbid"))
    check = made.__init__

    @wraps(check)
    def init(self: Any, *args: Any, **settings: Any) -> None:
        try:
            check(self, *args, **settings)
        except ValidationError as error:
            raise PolicyError(described(error, made)) from None

    made.__init__, made.__doc__ = init, cls.__doc__
    return made  # type: ignore[no-any-return]


def _no_flag(given: Any) -> Any:
    if isinstance(given, bool):
        raise ValueError("expected a number")
    return given


Number = Annotated[float, BeforeValidator(_no_flag)]
UnitInterval = Annotated[Number, Field(ge=0, le=1)]
Whole = Annotated[int, BeforeValidator(_no_flag)]


def settings_of(owner: Any) -> Mapping[str, FieldInfo]:
    """Gives the settings that a dataclass or a model of pydantic declares, by name."""
    declared: Mapping[str, FieldInfo] = owner.__pydantic_fields__
    return declared


def group_in(annotation: Any) -> Any:
    """Gives the class with settings of its own that a type names, or None."""
    if hasattr(annotation, "__pydantic_fields__"):
        return annotation
    return next((found for each in get_args(annotation) if (found := group_in(each)) is not None), None)


class SettingAt(NamedTuple):
    """Holds what is declared at a place: the setting, those below it, and whether its value is private."""

    setting: FieldInfo | None
    below: Mapping[str, FieldInfo]
    is_private: bool


def setting_at(owner: Any, place: Iterable[int | str]) -> SettingAt:
    """Gives what is declared at a place of an error. Names of kinds and numbers of entries are passed over."""
    at = SettingAt(None, settings_of(owner), False)
    for part in place:
        if part in at.below:
            setting = at.below[str(part)]
            group = group_in(setting.annotation)
            is_secret = SecretStr in (setting.annotation, *get_args(setting.annotation))
            below = {} if group is None else settings_of(group)
            at = SettingAt(setting, below, at.is_private or is_secret or not setting.repr)
    return at


def described(error: ValidationError, owner: Any) -> str:
    """Describes all that is wrong with a policy's settings, a line each."""
    return "\n".join(_described(details, owner) for details in error.errors(include_url=False))


def _described(details: ErrorDetails, owner: Any) -> str:
    kind, given, context = details["type"], details["input"], details.get("ctx", {})
    if isinstance(context.get("error"), PolicyError):
        return str(context["error"])
    place = [part for part in details["loc"] if not str(part).startswith("_")]
    *above, last = place or [""]
    if kind in _UNKNOWN:
        return unknown("field", last, setting_at(owner, above).below, _under(above))
    if place and isinstance(place[0], int):  # an argument without a name
        place[0] = dict(enumerate(settings_of(owner))).get(place[0], "arguments")
    if kind == "enum" and last == "[key]":
        return unknown("name", given, _choices(context), _under(above[:-1]))
    at = setting_at(owner, place)
    means = at.setting.description if at.setting is not None else None
    if kind == "missing" and means:
        return f"{_path(place)!r} is missing in a policy. Write it: {means[:1].lower()}{means[1:]}"
    meaning = f" Meaning: {means}" if means else ""
    if kind == "enum":
        return unknown("value", given, _choices(context), f" for {_path(place)!r}") + meaning
    return f"{_path(place)!r} in a policy: {what_is_wrong(details, at)}{meaning}"


def _choices(context: Mapping[str, Any]) -> list[str]:
    return re.findall(r"'([^']*)'", context["expected"])


def _path(place: Iterable[int | str]) -> str:
    return ".".join(_word(part) for part in place if part != "[key]")


def _under(place: list[int | str]) -> str:
    return f" under {_path(place)!r}" if place else ""


def what_is_wrong(details: ErrorDetails, at: SettingAt) -> str:
    """Tells what was expected, what came, and what to do."""
    kind, given, message = details["type"], details["input"], details["msg"].removeprefix("Value error, ")
    if (expected := _SHAPES.get(kind)) is not None:
        message = f"expected {expected}"
        if expected == _OWN and at.below:
            message += f", such as {next(iter(at.below))!r}"
    came = type(given).__name__
    is_number = isinstance(given, bool | int | float) and kind != "string_type"
    if given is None or (is_number and not at.is_private):
        came = json.dumps(given)
    elif kind in _CHOICES and _is_word(given) and not at.is_private:
        came = repr(given)
    way_out = "Correct it." if at.setting is not None and at.setting.is_required() else "Correct it or leave it out."
    return f"{message[:1].lower()}{message[1:]} (got {came}). {way_out}"


def _is_word(given: Any) -> bool:
    return isinstance(given, str) and _A_WORD.fullmatch(given) is not None


def _word(part: int | str) -> str:
    """Gives a word or an entry's number, or the type of what is none: it may be somebody's value."""
    is_number = isinstance(part, int) and part < _MOST_ENTRIES
    return str(part) if is_number or _is_word(part) else type(part).__name__


def unknown(what: str, name: Any, choices: Iterable[str], where: str = "") -> str:
    """Writes an error about an unknown name, with the nearest that exists. A name that may be a value is left out."""
    word = repr(str(name)) if _is_word(name) else f"({type(name).__name__})"
    return f"Unknown {what} {word}{where} in a policy.{nearest(name if isinstance(name, str) else '', choices)}"


def nearest(name: str, choices: Iterable[str]) -> str:
    """Writes ` Did you mean 'X'? Choices: ...` for an error about an unknown name."""
    names = sorted(map(str, choices))
    by_case = {choice.casefold(): choice for choice in names}
    word = name.casefold().replace("-", "_").replace(" ", "_")
    close = [_ALSO[word]] if _ALSO.get(word) in names else get_close_matches(name.casefold(), by_case, n=1, cutoff=0.5)
    hint = f" Did you mean {by_case[close[0]]!r}?" if close else ""
    return f"{hint} Choices: {', '.join(names)}."
