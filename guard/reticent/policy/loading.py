"""Reads policies from YAML, or from a mapping of the same shape.

    preset: code                    # the base, which the rest overrides, entity by entity and origin by origin
    entities:
      PHONE_NUMBER:
        memorized: {action: block, threshold: 0.8}
    allow_list: ["555-0100"]        # plain values are hashed at once; "hash:<hex>" with list_key otherwise
    on_block: {replace: "I may not say that."}

An unknown name is refused, with the nearest name that exists. Nothing is ignored. `reticent config --policy` prints
every setting.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from reticent.policy import strict_yaml
from reticent.policy.checked_settings import described, nearest
from reticent.policy.file_format import PolicyFile, RecognizerFormat, ReplaceFormat, hash_in, known_keys
from reticent.policy.finder_cache import FinderCache
from reticent.policy.options import OnBlock
from reticent.policy.policy import Policy
from reticent.policy.presets import PRESETS, preset_settings
from reticent.policy.unfindable import finds, warn_of_unfindable
from reticent_detectors.errors import InputError, PolicyError
from reticent_detectors.finder.own_forms import OwnForm

_MAX_BYTES = 1 << 20
_MOST_OF_A_PATH = 1024
"""Characters of a file's name, with its folders."""
_A_WORD = re.compile(r"[A-Za-z][A-Za-z_-]{0,31}[0-9]{0,3}")


def named_policy(name: str) -> Policy:
    """Gives the preset of a name, or the policy in a file (`./sealed` for a file with the name of a preset).

    Raises:
        PolicyError: there is no such preset, and no such file or none that holds a policy.
    """
    if name in PRESETS:
        return Policy.preset(name)
    if not names_file(name):
        is_near = is_word(name) and get_close_matches(name.casefold(), PRESETS, n=1)
        raise PolicyError(
            f"There is no preset {repr(name) if is_near else 'of the given name'}, and no file of this name; "
            f"expected a preset or a policy's file in YAML.{nearest(name if is_near else '', PRESETS)}"
        )
    return load_policy(name)


def names_file(name: str) -> bool:
    """Says whether a policy's name is that of a file: it looks like one, or there is one."""
    try:
        return looks_like_file(name) or (_may_be_path(name) and Path(name).exists())
    except (OSError, ValueError):
        return False


def looks_like_file(name: str) -> bool:
    """Says whether a policy's name has a slash or ends as YAML does. The text of a policy (`preset: code`) does not."""
    is_path = "/" in name or "\\" in name or name.casefold().endswith((".yaml", ".yml", ".json"))
    return is_path and _may_be_path(name) and ": " not in name


def is_word(name: str) -> bool:
    """Says whether a policy's name is one short word, which an error may show."""
    return _A_WORD.fullmatch(name) is not None


def _may_be_path(name: str) -> bool:
    return len(name) <= _MOST_OF_A_PATH and name.isprintable()


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
        raise PolicyError(f"The policy has {error.described(known_keys(PolicyFile))}.") from None
    except yaml.YAMLError as error:
        raise PolicyError(f"The policy is no valid YAML{strict_yaml.place_of(error)}.") from None
    except RecursionError:
        raise PolicyError("The policy is nested too deeply.") from None
    return policy_from(data or {})


def policy_from(data: Mapping[str, Any]) -> Policy:
    """Reads the policy in a mapping of the file's shape: its preset, and what overrides it. Raises PolicyError."""
    if not isinstance(data, Mapping):
        raise PolicyError(f"A policy is a mapping from setting to value, got {type(data).__name__}.")
    try:
        read = PolicyFile.model_validate(dict(data))
    except ValidationError as error:
        raise PolicyError(described(error, PolicyFile)) from None
    file = {name: getattr(read, name) for name in read.model_fields_set}
    settings = preset_settings(file.pop("preset", "default"))
    rules, recognizers = settings.get("rules", {}), file.pop("recognizers", {})
    named = {entity: {**rules.get(entity, {}), **by_origin} for entity, by_origin in file.pop("entities", {}).items()}
    allowed, denied = (file.pop(name, ()) for name in ("allow_list", "deny_list"))
    if file.get("list_key") is None:
        file.pop("list_key", None)
        if _hashed(allowed) or _hashed(denied):
            raise PolicyError(
                "The policy lists hashes ('hash:...') without the 'list_key' that they were made with; add it."
            )
    if isinstance(file.get("fail_mode"), Mapping):
        file["fail_modes"] = file.pop("fail_mode")
    if isinstance(replacement := file.get("on_block"), ReplaceFormat):
        file |= {"on_block": OnBlock.REPLACE, "block_text": replacement.replace}
    forms = tuple(_recognizer(kind, given) for kind, given in recognizers.items())
    lists = {"allow_list": _hashed(allowed), "deny_list": _hashed(denied)}
    policy = Policy(**{**settings, **file, **lists, "rules": {**rules, **named}, "recognizers": forms})
    _check_examples(policy, recognizers)
    warn_of_unfindable(policy, denied)
    return policy.with_lists(allow=_plain(allowed), deny=_plain(denied))


def _recognizer(kind: str, given: RecognizerFormat) -> OwnForm:
    try:
        return OwnForm(kind, given.pattern, given.context, given.check or "")
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


def _hashed(entries: Iterable[str]) -> frozenset[str]:
    return frozenset(listed for entry in entries if (listed := hash_in(entry)) is not None)


def _plain(entries: Iterable[str]) -> list[str]:
    return [entry for entry in entries if hash_in(entry) is None]
