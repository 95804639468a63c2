"""A `Run` that a finder need not ask about plain words, with words that forbid its value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import regex

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position
from reticent_detectors.finder.engine.recognizers import NONE
from reticent_detectors.finder.engine.runs import LABEL_CHARS, Run


@dataclass(frozen=True, slots=True)
class RunUnless(Run):
    """A `Run` that is not asked about plain words, and finds nothing behind words that match `unless`."""

    entity: Entity
    unless: str = field(default="(?!)", repr=False)
    plain_word_starts: str = ""
    _unless: Any = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        Run.__post_init__(self)
        object.__setattr__(self, "_unless", regex.compile(f"(?ri)(?:{self.unless})"))

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        end = Run.at(self, text, p, position, closed)
        return NONE if end > NONE and position.ends_with(self._unless, LABEL_CHARS) else end

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        if self._opens is not None and not self._opens.match(text, p, partial=True):
            return False
        return Run.could_be_cut_value(self, text, p, position) and not position.ends_with(self._unless, LABEL_CHARS)
