"""Which recognisers a finder has: those of every text, and those of kinds that ordinary prose is full of.

The order decides between matches of one length. To add a recogniser, put its row into the table of its file, or a new
file's table in here. A kind with a form is a file in `data/forms` instead.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from reticent_detectors.entities import GENERAL, PRIVACYXRAY, Entity
from reticent_detectors.finder.disguises.disguises import Disguised
from reticent_detectors.finder.engine.recognizers import Recognizer
from reticent_detectors.finder.fields.field_by_name import FIELDS_BY_NAME, WORDED
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms.kinds import shipped, with_dates
from reticent_detectors.finder.names.names import GROUPS, ORGANIZATIONS, PEOPLE, PLACES

__all__ = ["ALL", "SIXTEEN", "recognizers"]

_GENERAL: dict[Entity, Sequence[Recognizer]] = {
    Entity.NRP: GROUPS,
    Entity.PERSON: PEOPLE,
    Entity.LOCATION: PLACES,
    Entity.ORGANIZATION: ORGANIZATIONS,
}


def _rows(forms: FormValues, also: Collection[str] = ()) -> tuple[Recognizer, ...]:
    general = [row for entity, rows in _GENERAL.items() if entity in also for row in rows]
    # The name of a field is surer evidence of its value than the value's looks.
    fields = [row for row in FIELDS_BY_NAME if row.entity in also]
    return (Disguised(forms), forms, *WORDED, *fields, *general)


def recognizers(also: Collection[str] = ()) -> tuple[Recognizer, ...]:
    """Give all recognisers, but of the general kinds only those named in `also`.

    Args:
        also: some of `PERSON`, `LOCATION`, `ORGANIZATION`, `DATE_TIME`, `NRP`.
    """
    return _chosen(frozenset(map(str, also)))


@cache
def _chosen(also: frozenset[str]) -> tuple[Recognizer, ...]:
    return _rows(FormValues(with_dates() if Entity.DATE_TIME in also else shipped()), also)


SIXTEEN = _rows(FormValues(shipped(), [kind for kind in PRIVACYXRAY if kind in shipped().kinds]))
"""Recognisers of the sixteen kinds that PrivacyXray's evaluation has."""
ALL = recognizers(GENERAL)
"""Every recogniser there is."""
