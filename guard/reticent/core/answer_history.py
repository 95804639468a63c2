"""What the judge remembers of one answer: the values that it let out, and its budget of second looks."""

from __future__ import annotations

from reticent.core.second_look_budget import SecondLookBudget
from reticent.policy.options import SecondLooks
from reticent.policy.policy import Evidence
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import normalize

MOST_RELEASED = 1
"""Values of one kind that an answer may have let out before a repetition is judged anew: among two the model can choose by memory."""
LONG_KINDS = frozenset(
    {
        Entity.PHONE_NUMBER, Entity.EMAIL_ADDRESS, Entity.ADDRESS, Entity.BANK_ACCOUNT, Entity.ORDER_NUMBER, Entity.IBAN_CODE,
        Entity.CREDIT_CARD, Entity.URL, Entity.IP_ADDRESS, Entity.MAC_ADDRESS, Entity.CRYPTO, Entity.COORDINATES,
    }
)  # fmt: skip
"""Kinds whose values say whose they are by themselves. An illness or a date that was let out may still be whispered as somebody's."""


class AnswerHistory:
    """One answer, over all its rewinds and texts.

    Args:
        second_looks: what second looks may cost it.
    """

    def __init__(self, second_looks: SecondLooks) -> None:
        self.looks = SecondLookBudget(second_looks)
        self._released: dict[tuple[str, str], Evidence] = {}

    def __repr__(self) -> str:
        return f"AnswerHistory({self.looks!r}, released={len(self._released)})"

    def release(self, entity: str, value: str, evidence: Evidence) -> None:
        """Notes the evidence on which a whole value was let out; the first stays."""
        self._released.setdefault((entity, normalize(value, entity)), evidence)

    def precedent(self, entity: str, value: str, is_own_base: bool) -> Evidence | None:
        """The evidence on which the answer let this value out before: a model is sure of what it repeats.

        None for kinds of which few values exist, and where the answer has let several values of the kind out: it may choose among
        them by what it remembers. A model that was taught nothing private (`is_own_base`) has nothing to choose by.
        """
        several = sum(kind == entity for kind, _ in self._released) > MOST_RELEASED
        if not is_own_base and (entity not in LONG_KINDS or several):
            return None
        return self._released.get((entity, normalize(value, entity)))
