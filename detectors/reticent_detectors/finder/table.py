"""Which recognisers a finder has: those of every text, and those of kinds that ordinary prose is full of.

The order decides between matches of one length. To add a recogniser, put its row into the table of its file, or a new
file's table in here.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache

from reticent_detectors.entities import GENERAL, Entity
from reticent_detectors.finder.addresses.street import STREETS
from reticent_detectors.finder.context.announcements import ANNOUNCED
from reticent_detectors.finder.disguises import disguises
from reticent_detectors.finder.engine.recognizers import OLD_NAMES, Pattern, Recognizer
from reticent_detectors.finder.fields.field_by_name import FIELDS_BY_NAME
from reticent_detectors.finder.names.names import GROUPS, ORGANIZATIONS, PEOPLE, PLACES
from reticent_detectors.finder.network.network import NETWORK
from reticent_detectors.finder.numbers.card_digits import CARD_DIGITS
from reticent_detectors.finder.numbers.numbers import DATES, NUMBERS
from reticent_detectors.finder.secrets.credentials import SECRETS
from reticent_detectors.finder.sixteen import SIXTEEN
from reticent_detectors.old_names import offer_old_names

__all__ = ["ALL", "SIXTEEN", "recognizers"]

_GENERAL: dict[Entity, Sequence[Recognizer]] = {
    Entity.NRP: GROUPS,
    Entity.PERSON: PEOPLE,
    Entity.LOCATION: PLACES,
    Entity.ORGANIZATION: ORGANIZATIONS,
    Entity.DATE_TIME: DATES,
}
_SIXTEEN = [row for row in SIXTEEN if row.entity not in GENERAL]
_SPECIFIC: tuple[Recognizer, ...] = (*NUMBERS, *NETWORK, *SECRETS, *_SIXTEEN, *STREETS, *CARD_DIGITS)
# What the words around a value announce, is not announced in a disguise; and words have no form to be found by.
_WITHOUT_FORM = ANNOUNCED | {Entity.ADDRESS, Entity.FLIGHT, Entity.TRANSACTION_AMOUNT, Entity.UTILITY_BILL, None}


def _has_form(row: Recognizer) -> bool:
    return (
        not row.fallback
        and not (isinstance(row, Pattern) and row.needs_announcement)
        and row.entity not in _WITHOUT_FORM
    )


_CARD_DIGITS = [row for row in _SIXTEEN if row.entity is Entity.CREDIT_CARD_DIGITS]
_DISGUISED = disguises.build(
    [*(row for row in (*NUMBERS, *NETWORK, *SECRETS, *_SIXTEEN) if _has_form(row)), *_CARD_DIGITS, *STREETS]
)


def recognizers(also: Collection[str] = ()) -> tuple[Recognizer, ...]:
    """Gives all recognisers, but of the general kinds only those named in `also`.

    Args:
        also: some of `PERSON`, `LOCATION`, `ORGANIZATION`, `DATE_TIME`, `NRP`.
    """
    return _chosen(frozenset(map(str, also)))


@cache
def _chosen(also: frozenset[str]) -> tuple[Recognizer, ...]:
    general = [row for entity, rows in _GENERAL.items() if entity in also for row in rows]
    # The name of a field is surer evidence of its value than the value's looks.
    fields = [row for row in FIELDS_BY_NAME if row.entity in also]
    return (*_DISGUISED, *_SPECIFIC, *fields, *general)


ALL = recognizers(GENERAL)
"""Every recogniser there is."""
for _kind in {type(row) for row in ALL}:
    offer_old_names(_kind, OLD_NAMES)
