"""The row of a finder's table that stands for all values with a form (`finder.forms`)."""

from __future__ import annotations

from collections.abc import Collection

from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.engine.recognizers import NONE
from reticent_detectors.finder.forms import Kinds


class FormValues:
    """Values with a form. A finder reads them with one scan of the text, and not by `at`.

    Args:
        kinds: what is looked for.
        only: of these, the kinds that count; all by default.
    """

    name = "form"
    entity: str | None = None
    start_classes = "duls"
    fallback = False
    plain_word_starts = "ul"

    def __init__(self, kinds: Kinds, only: Collection[str] = ()) -> None:
        self.kinds, self.only = kinds, frozenset(map(str, only or kinds.kinds))

    def __repr__(self) -> str:
        return f"FormValues(<{len(self.only)} kinds>)"

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        """Say nothing of values: the scan does (`form_reading`)."""
        return NONE

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        """Say nothing of cut values: the scan does (`FormScan.begun`)."""
        return False
