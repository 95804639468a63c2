"""Keeps what the judge remembers of one answer: the values that it let out, and its budget of second looks."""

from __future__ import annotations

from reticent.core.second_look_budget import SecondLookBudget
from reticent.policy.options import SecondLooks
from reticent.policy.policy import Evidence
from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import normalize

MOST_RELEASED = 1
"""Most released values of a kind up to which a repetition keeps its evidence.

Of two, the model can choose by memory.
"""
LONG_KINDS = frozenset(
    {
        Entity.PHONE_NUMBER, Entity.EMAIL_ADDRESS, Entity.ADDRESS,
        Entity.BANK_ACCOUNT, Entity.ORDER_NUMBER, Entity.IBAN_CODE,
        Entity.CREDIT_CARD, Entity.URL, Entity.IP_ADDRESS, Entity.MAC_ADDRESS, Entity.CRYPTO, Entity.COORDINATES,
    }
)  # fmt: skip
"""Kinds whose values identify a person by themselves. A released illness or date may still be said of somebody else."""


class AnswerHistory:
    """Remembers one answer, over all its rewinds and texts.

    Args:
        second_looks: limits the cost of second looks.
    """

    def __init__(self, second_looks: SecondLooks) -> None:
        self.looks = SecondLookBudget(second_looks)
        self._released: dict[tuple[str, str], Evidence] = {}

    def __repr__(self) -> str:
        return f"AnswerHistory({self.looks!r}, released={len(self._released)})"

    def release(self, entity: str, value: str, evidence: Evidence) -> None:
        """Notes the evidence on which a whole value was let out. The first evidence stays."""
        self._released.setdefault((entity, normalize(value, entity)), evidence)

    def precedent(self, entity: str, value: str, is_own_base: bool) -> Evidence | None:
        """Gives the evidence on which the answer let this value out before, as a model is sure of what it repeats.

        Returns None for kinds with few values. Returns None as well if the answer has let several values of the kind
        out, because the model may choose among them by memory. A model that was taught nothing private (`is_own_base`)
        cannot.
        """
        several = sum(kind == entity for kind, _ in self._released) > MOST_RELEASED
        if not is_own_base and (entity not in LONG_KINDS or several):
            return None
        return self._released.get((entity, normalize(value, entity)))
