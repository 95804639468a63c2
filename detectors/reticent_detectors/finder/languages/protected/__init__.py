"""How beliefs, origin, sexual orientation and convictions are said of somebody, in the notation of `wordings`.

Articles 9 and 10 of the GDPR protect these beside health and biometrics. Ordinary prose is full of their words. So a
value has to be said of a person, and to look like one (`patterns`) unless it stands behind a label. Politics stands in
the tables of the languages.
"""

from __future__ import annotations

from collections.abc import Mapping

from reticent_detectors.entities import Entity
from reticent_detectors.finder.languages.protected import english, french, german, italian, portuguese, spanish
from reticent_detectors.finder.languages.protected.patterns import BELIEF, CRIME, CRIME_TAILS, ORIENTATION, UNION

__all__ = ["BELIEF", "CRIME", "CRIME_TAILS", "ORIENTATION", "PROTECTED_WORDINGS", "UNION"]

PROTECTED_WORDINGS: Mapping[str, Mapping[str, Mapping[Entity, str]]] = {
    "English": english.WORDINGS,
    "German": german.WORDINGS,
    "French": french.WORDINGS,
    "Spanish": spanish.WORDINGS,
    "Italian": italian.WORDINGS,
    "Portuguese": portuguese.WORDINGS,
}
"""Languages by name, each with its tables: `nouns`, `needs_form`, `after` and `asks`, as a `Language` has them."""
