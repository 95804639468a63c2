"""Kinds of attempts that write a value in an ordinary format: tables, records, code, letters, business forms.

`ordinary_formats.jsonl` has one text a line. What stands between the marks \u27e6 and \u27e7 is the value, or its parts
in the order in which the text has them.
"""

from __future__ import annotations

import json
import re
from functools import partial
from itertools import groupby
from pathlib import Path

from reticent_bench.attacks.attempt import Attempt, Kind
from reticent_bench.attacks.readings import with_all
from reticent_bench.attacks.values import FORMATTED

_MARKED = re.compile(r"\u27e6(.*?)\u27e7", re.DOTALL)


def _attempt(value: str, marked: str) -> Attempt:
    read = with_all(FORMATTED[value].written, *_MARKED.findall(marked))
    return Attempt(FORMATTED[value], _MARKED.sub(r"\1", marked), read)


def _kinds() -> tuple[Kind, ...]:
    lines = Path(__file__).with_name("ordinary_formats.jsonl").read_text("utf-8").split("\n")
    rows = [json.loads(line) for line in lines if line]
    kinds = []
    for name, group in groupby(rows, lambda row: row["kind"]):
        made = [_attempt(row["value"], row["text"]) for row in group]
        kinds.append(Kind(name, "ordinary format", partial(iter, made)))
    return tuple(kinds)


FORMATS = _kinds()
