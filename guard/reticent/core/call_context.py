"""Holds what all answers to one call share, at both edges: policy, finder, redaction, records and stopped values."""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from reticent.core import suppression
from reticent.core.stream_types import Suppressed
from reticent.core.suppression import SuppressionPeer
from reticent.policy.policy import Policy
from reticent.prompt.echo import EchoIndex
from reticent.prompt.segments import PromptView
from reticent.records.index import RecordsIndex
from reticent_detectors.finder import SpanFinder
from reticent_detectors.lazy_attribute import lazy_attribute


class CallContext:
    """Holds what the answers to one call share.

    Args:
        policy: decides about spans.
        finder: finds spans.
        records: the index of training values, if there is one.
        key: the key of hashes and surrogates. None draws one.
        halts: whether an answer ends at a redaction.
        request_id: names the call in logs and observations. None draws one.
    """

    def __init__(
        self,
        policy: Policy,
        finder: SpanFinder,
        records: RecordsIndex | None = None,
        key: bytes | None = None,
        halts: bool = False,
        request_id: str | None = None,
    ) -> None:
        self.policy, self.records, self.halts = policy, records, halts
        self.finder = finder if records is None else finder.with_records(records)
        self._prompt_finder = finder
        self.redact = policy.redactor(key)
        self.id = secrets.token_hex(8) if request_id is None else request_id
        self.suppressed: list[Suppressed] = []
        """The values that any answer was stopped at."""
        self._echoes: dict[int, EchoIndex] = {}

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id!r})"

    @lazy_attribute
    def untagged(self) -> SpanFinder:
        """Gives the finder without its tagger, as ids and codes are read by recognisers alone."""
        return self.finder.untagged()

    def echo_index(self, prompt: PromptView) -> EchoIndex:
        """Gives the index of a prompt, and builds it when the first value is judged."""
        if id(prompt) not in self._echoes:
            self._echoes[id(prompt)] = EchoIndex(prompt.user, prompt.operator, self._prompt_finder)
        return self._echoes[id(prompt)]

    def user_typed(self, prompt: PromptView, value: Suppressed) -> bool:
        """Says whether the user of a prompt typed a value that another answer was stopped at."""
        return self.echo_index(prompt).echoed(value.value, value.entity)

    def share_suppressed(self, peers: Iterable[SuppressionPeer]) -> None:
        """Shares suppressed values among these answers."""
        suppression.share_suppressed(peers, self.suppressed)
