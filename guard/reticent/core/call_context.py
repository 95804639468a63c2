"""Holds what all answers to one call share, at both edges: policy, finder, redaction, records and stopped values."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable

from reticent.core import suppression
from reticent.core.read_prompts import ReadPrompts
from reticent.core.stream_types import Suppressed
from reticent.core.suppression import SuppressionPeer
from reticent.policy.policy import Policy
from reticent.prompt.echo import EchoIndex
from reticent.prompt.segments import PromptView
from reticent.records.either import EitherIndex
from reticent.records.index import RecordsIndex
from reticent.suppressions.active import BEFORE_CHARS, SuppressionList
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
        suppressions: the values and people that are suppressed, if any are.
        prompts: what was read of the prompts, where other calls are judged by the same ones.
    """

    def __init__(
        self,
        policy: Policy,
        finder: SpanFinder,
        records: RecordsIndex | None = None,
        key: bytes | None = None,
        halts: bool = False,
        request_id: str | None = None,
        suppressions: SuppressionList | None = None,
        prompts: ReadPrompts | None = None,
    ) -> None:
        self.policy, self.records, self.halts = policy, records, halts
        self.suppressions = suppressions
        self.known_values = EitherIndex.of(records, None if suppressions is None else suppressions.values)
        """The values that are looked for wherever they stand: those of the records, and the suppressed ones."""
        self.finder = finder if self.known_values is None else finder.with_records(self.known_values)
        self._prompt_finder = finder
        self.redact = policy.redactor(key)
        self.id = secrets.token_hex(8) if request_id is None else request_id
        self.suppressed: list[Suppressed] = []
        """The values that any answer was stopped at."""
        self._prompts = ReadPrompts() if prompts is None else prompts
        self._beside: tuple[tuple[str, ...], bool] = (), False

    def __repr__(self) -> str:
        return f"{type(self).__name__}(id={self.id!r})"

    @lazy_attribute
    def untagged(self) -> SpanFinder:
        """Gives the finder without its tagger, as ids and codes are read by recognisers alone."""
        return self.finder.untagged()

    def echo_index(self, prompt: PromptView) -> EchoIndex:
        """Gives the index of a prompt, and builds it when the first value is judged."""
        return self._prompts.echo_index(prompt, self._prompt_finder)

    def names_subject(
        self, prompt: PromptView, before: Callable[[], str], beside: Callable[[], tuple[str, ...]] = tuple
    ) -> bool:
        """Say whether the conversation names a suppressed person: anybody before, or the answer so far.

        Args:
            prompt: the prompt.
            before: gives a text of the answer up to a value, of which the last `BEFORE_CHARS` are read.
            beside: gives the other texts of the answer.
        """
        if self.suppressions is None or not self.suppressions.has_subjects:
            return False
        if self._prompts.names_subject(prompt, self.suppressions):
            return True
        if self.suppressions.names_subject(before()[-BEFORE_CHARS:]):
            return True
        if (texts := beside()) != self._beside[0]:  # for the next value they are mostly the same
            self._beside = texts, self.suppressions.names_subject(*texts)
        return self._beside[1]

    def user_typed(self, prompt: PromptView, value: Suppressed) -> bool:
        """Says whether the user of a prompt typed a value that another answer was stopped at."""
        return self.echo_index(prompt).echoed(value.value, value.entity)

    def share_suppressed(self, peers: Iterable[SuppressionPeer]) -> None:
        """Shares suppressed values among these answers."""
        suppression.share_suppressed(peers, self.suppressed)
