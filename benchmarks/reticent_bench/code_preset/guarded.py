"""Answers through the preset `code`, with a scorer that calls every value memorised."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache

from reticent.core.stream_machine import StreamMachine
from reticent.core.stream_types import SpanRecord
from reticent.policy.policy import DEFAULT, Evidence, Policy
from reticent.policy.verdict import Decision, Tier
from reticent_detectors.finder import SpanFinder, plain_form
from reticent_detectors.spans import FindContext, Span

_KEY = bytes(range(32))
REMEMBERED = Evidence(Tier.HIDDEN, probability=0.99)


@cache
def preset(placeholders: bool = True) -> Policy:
    """The preset, with a threshold that every value exceeds."""
    policy = Policy.preset("code", list_key=_KEY).with_thresholds({DEFAULT: 0.5})
    return replace(policy, placeholders=placeholders)


@cache
def _finder() -> SpanFinder:
    return SpanFinder()


@dataclass(frozen=True, slots=True)
class Guarded:
    """What left, and what was decided."""

    text: str
    records: tuple[SpanRecord, ...]

    def __repr__(self) -> str:
        return f"Guarded(<{len(self.text)} chars>, {len(self.records)} spans)"


def guarded(answer: str, policy: Policy, before: str = "", cuts: random.Random | None = None) -> Guarded:
    """Returns what the guard releases of an answer.

    Args:
        answer: the model's text.
        policy: decides about spans; every span is measured as memorised.
        before: text that the answer continues.
        cuts: draws the pieces in which it comes; None gives it at once.
    """

    def judge(span: Span) -> Decision:
        said = machine.value_of(span)
        plain = plain_form(span.recognizer, said)
        return policy.decide(span.entity, REMEMBERED, said if plain is None else plain, span.fragment)

    machine = StreamMachine.from_policy(_finder(), FindContext(before), judge, policy, policy.redactor(_KEY))
    out, at = [], 0
    while at < len(answer):
        step = len(answer) if cuts is None else cuts.randrange(1, 9)
        out.append(machine.feed(answer[at : at + step], now=0.0).text)
        at += step
    return Guarded("".join(out) + machine.finish(now=0.0, cut=False).text, machine.records)
