"""Writes the template of a policy file: every setting with its default and its meaning (`reticent config --policy`)."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any

from pydantic import BaseModel

from reticent.policy.file_format import (
    HoldFormat,
    OriginsFormat,
    PolicyFile,
    RecognizerFormat,
    SecondLooksFormat,
    StagesFormat,
)

_INNER: dict[str, type[BaseModel]] = {"hold": HoldFormat, "second_looks": SecondLooksFormat}
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
        "#     examples: [EMP-471104]        # invented; each has to be found, or the policy is refused",
    ),
}
_NAMES: dict[str, type[BaseModel]] = {
    "Origins under entities:": OriginsFormat,
    "Stages under fail_mode:": StagesFormat,
    "A recogniser:": RecognizerFormat,
}
_HEAD = """\
## A policy. What is commented out shows the default, or an example of what may stand below. An unknown name is refused.
## Try yours: echo "Call Jane at 555-867-5309." | reticent redact --policy policy.yaml
"""
_WIDTH = 34


def policy_template() -> str:
    """Writes the template. Without the leading `# ` of each setting it is a policy."""
    lines = [_HEAD]
    for name, field in PolicyFile.model_fields.items():
        default, inner = field.get_default(call_default_factory=True), _INNER.get(name)
        below = inner is not None or name in _EXAMPLES
        lines.append(_line(f"# {name}:" if below else f"# {name}: {_written(default)}", field.description))
        lines += _EXAMPLES.get(name, ())
        for part, its in () if inner is None else inner.model_fields.items():
            lines.append(_line(f"#   {part}: {_written(its.default)}", its.description))
    for title, inner in _NAMES.items():
        lines += ["", f"## {title}"]
        lines += [f"##   {name}: {field.description}" for name, field in inner.model_fields.items()]
    return "\n".join(lines) + "\n"


def _line(setting: str, meaning: str | None) -> str:
    return f"{setting:<{_WIDTH}}  # {meaning}"


def _written(default: Any) -> str:
    if isinstance(default, StrEnum):
        return str(default)
    if isinstance(default, str) and default.isalnum():
        return default
    return json.dumps(default, ensure_ascii=False)
