"""Which kind of value the end of a cut text has begun: what a label names, or what looks like one so far."""

from __future__ import annotations

import re

from reticent_detectors.finder.forms.kinds import Kinds
from reticent_detectors.finder.forms.labels import Named, Strength

_LEAST_CHARS, _LEAST_FIGURES = 5, 4
_LEAST_READ = 2
_NUMBER = re.compile(r"[\d+() ./-]+")
_MARK = re.compile(r"\W")


def begun(kinds: Kinds, tail: str, named: Named | None) -> str:
    """Return the kind of the value that `tail`, the end of a text, has begun; empty for none."""
    figures = sum(map(str.isdigit, tail))
    if not figures:
        return ""
    if named is not None and named.strength >= Strength.LOOSE:
        for kind in named.kinds:
            for form in kinds.named.get(kind, ()):
                if form.pattern and form.beginning.fullmatch(tail, partial=True):
                    return kind
                if form.reader and figures >= _LEAST_READ and _NUMBER.fullmatch(tail):
                    return kind
    if len(tail) >= _LEAST_CHARS and figures >= _LEAST_FIGURES:
        for form in kinds.free:
            marks = form.check or _MARK.search(tail)
            if marks and not form.words and form.beginning.fullmatch(tail, partial=True):
                return form.kind
    return ""
