"""What the recognisers share that look for a value once for all of its kinds."""

from __future__ import annotations

from dataclasses import dataclass

from reticent_detectors.entities import Entity
from reticent_detectors.finder.context.site import Site


@dataclass(frozen=True, slots=True)
class OfSeveralKinds:
    """One kind of a value that is looked for once for all of its kinds. Nothing is held of a value that is cut short.

    Args:
        name, entity, first, loose, plain: as of every `Recognizer`.
    """

    name: str
    entity: Entity
    first: str = "ul"
    loose: bool = False
    plain: str = "ul"

    def begins(self, text: str, p: int, site: Site) -> bool:
        return False
