"""What the recognisers share that look for a value once for all of its kinds."""

from __future__ import annotations

from dataclasses import dataclass

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.position import Position


@dataclass(frozen=True, slots=True)
class OfSeveralKinds:
    """One kind of a value that is looked for once for all of its kinds. Nothing is held of a value that is cut short.

    Args:
        name, entity, start_classes, fallback, plain_word_starts: as of every `Recognizer`.
    """

    name: str
    entity: Entity
    start_classes: str = "ul"
    fallback: bool = False
    plain_word_starts: str = "ul"

    def could_be_cut_value(self, text: str, p: int, position: Position) -> bool:
        return False
