"""Writes the template of a policy file: every setting with its default and its meaning (`reticent config --policy`)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Any

from reticent.policy.checked_settings import group_in, settings_of
from reticent.policy.file_format import PolicyFile, RecognizerFormat
from reticent.policy.options import Stage
from reticent.policy.verdict import Origin

_EXAMPLES: dict[str, tuple[str, ...]] = {
    "entities": (
        "#   DEFAULT: {unknown: redact}      # of every kind, what could not be judged",
        "#   PHONE_NUMBER: {memorized: {action: block, threshold: 0.8}, pretrained: allow}",
    ),
    "recognizers": (
        "#   EMPLOYEE_ID:",
        "#     pattern: 'EMP-[0-9]{6}'       # a regular expression; no repetition within a repetition",
        "#     context: [employee, badge]    # one of these words has to stand before; left out: anywhere",
        "#     check: luhn                   # left out: no check",
        "#     examples: [EMP-471102]        # invented; each has to be found, or the policy is refused",
    ),
}
_HEAD = """\
## A policy. What is commented out shows the default, or an example of what may stand below. An unknown name is refused.
## Try yours: echo "Call Jane at 555-867-5309." | reticent redact --policy policy.yaml
"""
_WIDTH = 34


def policy_template() -> str:
    """Writes the template. Without the leading `# ` of each setting it is a policy."""
    lines = [_HEAD, *_settings(PolicyFile, "# "), "", "## Origins under entities:", *_words(Origin)]
    lines += ["", "## Stages under fail_mode:", *_words(Stage), "", "## A recogniser:"]
    lines += [f"##   {name}: {its.description}" for name, its in settings_of(RecognizerFormat).items()]
    return "\n".join(lines) + "\n"


def _settings(owner: Any, indent: str) -> Iterator[str]:
    for name, its in settings_of(owner).items():
        is_group = group_in(its.annotation) is its.annotation
        default = None if its.default_factory else its.default
        written = f"{indent}{name}:" + ("" if is_group or name in _EXAMPLES else f" {_written(default)}")
        yield f"{written:<{_WIDTH}}  # {its.description}"
        yield from _settings(its.annotation, f"{indent}  ") if is_group else _EXAMPLES.get(name, ())


def _words(kind: type[StrEnum]) -> list[str]:
    """Lists a choice's words and their meanings, which its docstring has."""
    meanings = re.findall(r"^ +([A-Z]+): (.+)$", kind.__doc__ or "", re.M)
    return [f"##   {kind[name]}: {meaning}" for name, meaning in meanings]


def _written(default: Any) -> str:
    if isinstance(default, str) and default.isalnum():
        return str(default)
    return json.dumps(default, default=sorted, ensure_ascii=False)
