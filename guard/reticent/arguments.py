"""Checks the arguments of a guard. Errors say what to pass, and name only the type of what came."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from reticent.observability.observers import Observer
from reticent.policy.policy import Policy
from reticent.policy.presets import PRESETS
from reticent_detectors.errors import WrongType

if TYPE_CHECKING:
    from reticent.records.index import RecordsIndex
    from reticent.suppressions.watched import Suppressions
    from reticent_detectors.finder import SpanFinder


def opened_policy(given: Any) -> Policy:
    """Gives a policy, the preset of a name, or the policy in a file (`./sealed` for a file with the name of a preset).

    Raises PolicyError for the file, WrongType for any other argument.
    """
    if not isinstance(given, str | os.PathLike):
        return checked_policy(given)
    from reticent.policy.loading import load_policy, named_policy

    return named_policy(given) if isinstance(given, str) else load_policy(given)


def checked_policy(given: Any) -> Policy:
    """Checks that an argument is a policy. Raises WrongType for anything else."""
    if isinstance(given, Policy):
        return given
    preset = f"Policy.preset({given!r})" if isinstance(given, str) and given in PRESETS else "Policy.preset(name)"
    raise WrongType(
        f"policy must be a Policy, got {type(given).__name__}; pass {preset}, reticent.load_policy(path) for a file, "
        "or reticent.policy.loading.policy_from(mapping) for what would stand in one."
    )


def checked_observers(given: Any) -> tuple[Observer, ...]:
    """Checks observers. Raises WrongType unless each has a method `on_answer`."""
    expected = "observers must be a list of objects with a method on_answer(observation), such as [Metrics()]"
    if not isinstance(given, Iterable):
        raise WrongType(f"{expected}, got {type(given).__name__}.")
    observers = tuple(given)
    for each in observers:
        if isinstance(each, type):
            raise WrongType(f"{expected}; {each.__name__} is a class, so make one: {each.__name__}(...).")
        if not callable(getattr(each, "on_answer", None)):
            raise WrongType(f"{expected}; this one holds {type(each).__name__}.")
    return observers


def checked_records(given: Any) -> RecordsIndex | None:
    """Checks the index of records, if there is one. Raises WrongType for an object that cannot be asked."""
    if given is not None and not callable(getattr(given, "contains", None)):
        raise WrongType(
            f"records must be a RecordsIndex, got {type(given).__name__}. Open the file that 'reticent index' wrote: "
            "RecordsIndex.load(path, key=read_key(key_path)), both from reticent.records."
        )
    index: RecordsIndex | None = given
    return index


def checked_suppressions(given: Any) -> Suppressions | None:
    """Check the suppressions, if there are any. Raises WrongType for an object that gives no list of them."""
    if given is not None and not callable(getattr(given, "current", None)):
        raise WrongType(
            f"suppressions must be Suppressions, got {type(given).__name__}. Open the store that 'reticent forget add' "
            "wrote: Suppressions.open(path), from reticent.suppressions."
        )
    suppressions: Suppressions | None = given
    return suppressions


def checked_finder(given: Any) -> SpanFinder | None:
    """Checks the finder, if there is one. Raises WrongType for an object that finds no spans."""
    if given is not None and not all(
        callable(getattr(given, name, None))
        for name in ("next_span", "warm", "with_suppressed", "with_records", "untagged")
    ):
        raise WrongType(
            f"finder must be a SpanFinder, got {type(given).__name__}; pass SpanFinder((*recognizers(), *others)) from "
            "reticent_detectors.finder, where others are recognisers of yours or of reticent_detectors.finder.adapters."
        )
    finder: SpanFinder | None = given
    return finder


def check_wrapped(model: Any, tokenizer: Any) -> None:
    """Raises WrongType unless these look like a transformers model and its tokenizer."""
    if isinstance(model, type) or not callable(getattr(model, "named_modules", None)):
        raise WrongType(
            f"wrap() takes a loaded transformers model, got {type(model).__name__}; pass "
            "AutoModelForCausalLM.from_pretrained(folder), and its tokenizer."
        )
    if not callable(tokenizer) or not callable(getattr(tokenizer, "decode", None)):
        raise WrongType(
            f"wrap() takes the model's tokenizer beside it, got {type(tokenizer).__name__}; pass "
            "AutoTokenizer.from_pretrained(folder)."
        )
