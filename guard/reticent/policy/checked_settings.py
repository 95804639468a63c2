"""Decides how settings are checked, and what an error about one says: what was expected, what came, and what to do.

    @checked
    @dataclass(frozen=True)
    class Limits:
        max_rewinds: Annotated[Whole, Field(ge=0, description="Rewinds in one answer.")] = 4

pydantic checks the arguments, in Python as in a file. A field without `repr` is private: of its value an error shows
the type alone. Of others it shows numbers, flags, and words that are nearly one of the choices: these are nobody's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from functools import wraps
from typing import Annotated, Any, NamedTuple, TypeVar, get_args

import pydantic.dataclasses
from pydantic import BeforeValidator, ConfigDict, Field, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from reticent_detectors.errors import PolicyError

_T = TypeVar("_T")
_ALSO = {
    **{"made_up": "hallucinated", "invented": "hallucinated", "remembered": "memorized", "typed": "echoed"},
    **{"entities": "rules", "rules": "entities"},
}
"""Names by the words that pages use for them, and those of a file and of Python by each other's."""
_A_WORD = re.compile(r"[A-Za-z][A-Za-z_-]{0,39}")
"""What an error may repeat if it is a known name, or close to one: no number, address or sentence can be one."""
_VARIABLE = re.compile(r"\$\{\w+\}")
_NO_VARIABLES = "Environment variables are read only in the settings of `reticent serve`."
_ARGUMENTS = "arguments"
_MAY_BE_MEANT = 0.5
"""Similarity from which a name is suggested."""
_NEAR = 0.7
"""Similarity from which what was written is repeated: above that of first names and ordinary words."""
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


def found_in(error: ValidationError) -> list[ErrorDetails]:
    """Gives the faults that pydantic found, but for a list that is too short only because an entry of it is wrong."""
    found = error.errors(include_url=False)
    above = {each["loc"][:-1] for each in found}
    return [each for each in found if each["type"] != "too_short" or each["loc"] not in above]


def described(error: ValidationError, owner: Any) -> str:
    """Describes all that is wrong with a policy's settings, a line each."""
    return "\n".join(_described(details, owner) for details in found_in(error))


def _described(details: ErrorDetails, owner: Any) -> str:
    given = details["input"]
    is_variable = isinstance(given, str) and _VARIABLE.search(given) is not None
    return _fault(details, owner) + (f" {_NO_VARIABLES}" if is_variable else "")


def _fault(details: ErrorDetails, owner: Any) -> str:
    kind, given, context = details["type"], details["input"], details.get("ctx", {})
    if isinstance(context.get("error"), PolicyError):
        return str(context["error"])
    place = [part for part in details["loc"] if not str(part).startswith("_")]
    *above, last = place or [""]
    if kind in _UNKNOWN:
        return unknown("field", last, setting_at(owner, above).below, _under(above, owner))
    if place and isinstance(place[0], int):  # an argument without a name
        place[0] = dict(enumerate(settings_of(owner))).get(place[0], _ARGUMENTS)
    if kind == "enum" and last == "[key]":
        return unknown("name", given, _choices(context), _under(above[:-1], owner))
    at, path = setting_at(owner, place), path_of(place, owner)
    means = at.setting.description if at.setting is not None else None
    if kind == "missing" and means:
        return f"{path!r} is missing in a policy. Write it: {means[:1].lower()}{means[1:]}"
    meaning = f" Meaning: {means}" if means else ""
    if kind == "enum":
        return unknown("value", given, _choices(context), f" for {path!r}") + meaning
    return f"{path!r} in a policy: {what_is_wrong(details, at)}{meaning}"


def _choices(context: Mapping[str, Any]) -> list[str]:
    return re.findall(r"'([^']*)'", context["expected"])


def path_of(place: Sequence[int | str], owner: Any) -> str:
    """Writes a place with dots. Of a name that nobody declared only capitals are shown, as of a kind; else its type."""
    parts = [(part, setting_at(owner, place[:at])) for at, part in enumerate(place) if part != "[key]"]
    return ".".join(_part(part, above) for part, above in parts)


def _part(part: int | str, above: SettingAt) -> str:
    if isinstance(part, int):
        is_known = part < _MOST_ENTRIES
    else:
        is_kind = part.isupper() and _is_word(part)
        is_known = is_kind or part in above.below or part == _ARGUMENTS
        is_known = is_known or (above.setting is not None and part in _words_in(above.setting.annotation))
    return str(part) if is_known else type(part).__name__


def _words_in(annotation: Any) -> set[str]:
    """Gives the words of all choices that a type names."""
    if isinstance(annotation, type) and issubclass(annotation, StrEnum):
        return set(annotation)
    return {word for each in get_args(annotation) for word in _words_in(each)}


def _under(place: list[int | str], owner: Any) -> str:
    return f" under {path_of(place, owner)!r}" if place else ""


def what_is_wrong(details: ErrorDetails, at: SettingAt) -> str:
    """Tells what was expected, what came, and what to do."""
    kind, given, context = details["type"], details["input"], details.get("ctx", {})
    message = details["msg"].removeprefix("Value error, ")
    if (expected := _SHAPES.get(kind)) is not None:
        message = f"expected {expected}"
        if expected == _OWN and at.below:
            message += f", such as {next(iter(at.below))!r}"
        elif expected == _NAMES and len(details["loc"]) > 1 and at.setting is not None and at.setting.examples:
            message += f", such as {at.setting.examples[0]}"
    elif kind.endswith(("too_short", "too_long")):
        message = re.sub(r"^.+(?=at (least|most) )", "expected ", message).partition(" after validation")[0]
    came = type(given).__name__
    is_number = isinstance(given, bool | int | float) and kind != "string_type"
    if given is None or (is_number and not at.is_private):
        came = json.dumps(given)
    elif kind in _CHOICES and not at.is_private and _is_near(given, _choices(context)):
        came = repr(given)
    way_out = "Correct it." if at.setting is not None and at.setting.is_required() else "Correct it or leave it out."
    return f"{message[:1].lower()}{message[1:]} (got {came}). {way_out}"


def _is_word(given: Any) -> bool:
    return isinstance(given, str) and _A_WORD.fullmatch(given) is not None


def _is_near(given: Any, choices: Iterable[str]) -> bool:
    """Says whether a text is one of the choices, or a part of one, perhaps misspelt."""
    if not _is_word(given):
        return False
    names = {str(choice).casefold() for choice in choices}
    parts = {part for name in names for part in name.split("_")}
    return _also(given) in names or bool(get_close_matches(given.casefold(), names | parts, cutoff=_NEAR))


def unknown(what: str, name: Any, choices: Iterable[str], where: str = "") -> str:
    """Writes an error about an unknown name in a policy (`unknown_name`)."""
    return unknown_name(what, name, choices, f"{where} in a policy")


def unknown_name(what: str, name: Any, choices: Iterable[str], where: str) -> str:
    """Writes an error about an unknown name, with the nearest that exists. Without one it may be a value: its type."""
    names = list(choices)
    word = repr(str(name)) if _is_near(name, names) else f"({type(name).__name__})"
    return f"Unknown {what} {word}{where}.{nearest(name if isinstance(name, str) else '', names)}"


def nearest(name: str, choices: Iterable[str]) -> str:
    """Writes ` Did you mean 'X'? Choices: ...` for an error about an unknown name."""
    names = sorted(map(str, choices))
    close = _nearest(name, names)
    hint = f" Did you mean {close!r}?" if close is not None else ""
    return f"{hint} Choices: {', '.join(names)}." if names else ""


def _nearest(name: str, names: Iterable[str]) -> str | None:
    by_case = {choice.casefold(): choice for choice in map(str, names)}
    also = _also(name)
    close = [also] if also in by_case else get_close_matches(name.casefold(), by_case, n=1, cutoff=_MAY_BE_MEANT)
    return by_case[close[0]] if close else None


def _also(name: str) -> str:
    return _ALSO.get(name.casefold().replace("-", "_").replace(" ", "_"), "")
