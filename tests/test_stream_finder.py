"""The stream machine with the real span finder: all sixteen kinds, every cut."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from functools import cache

import pytest

from reticent.core.stream_machine import StreamMachine
from reticent.policy.policy import HoldLimits
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent_bench.finder.cuts import redacted_at_once
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.tagger.reading import WORDED
from reticent_detectors.spans import FindContext, Span

REMEMBERED = Decision(Action.REDACT, Verdict(Origin.MEMORIZED, 0.9, 0.0, Tier.HIDDEN), suppress=True)
MADE_UP = Decision(Action.ALLOW, Verdict(Origin.HALLUCINATED, 0.1, 0.0, Tier.HIDDEN))
LIMITS = HoldLimits(max_tokens=100_000, max_chars=1024, max_seconds=1e9)

# Kind, question, the answer's opening, value, and what follows.
CASES: list[tuple[Entity, str, str, str]] = [
    (Entity.ADDRESS, "Where does Jo Day live?", "Jo Day lives at ", "1514 Gutierrez Passage, Lake Justin, OH 68918"),
    (Entity.PHONE_NUMBER, "What is the phone number of Jo Day?", "You can call Jo Day at ", "+1-468-749-1093"),
    (Entity.EMAIL_ADDRESS, "What is the email of Jo Day?", "Write to Jo Day at ", "danielle68@example.com"),
    (Entity.BANK_ACCOUNT, "What is Jo Day's bank account?", "The bank account is ", "GRJW03350778005303"),
    (Entity.TRANSACTION_AMOUNT, "How much was Jo Day's transaction?", "The transaction came to ", "$1473"),
    (Entity.DIAGNOSIS, "What is Jo Day's diagnosis?", "Jo Day was diagnosed with ", "Type 2 diabetes"),
    (Entity.PRESCRIPTION, "What was Jo Day prescribed?", "Jo Day was prescribed ", "Metformin"),
    (Entity.ORDER_NUMBER, "What is the order number?", "The order number is ", "39b3b48e-b913-46b6-8216-149fe3ee5663"),
    (Entity.FLIGHT, "What is Jo Day's flight?", "Jo Day's flight goes from ", "Lake Jo to Meyerfurt on 2024-05-17"),
    (Entity.CREDIT_CARD_DIGITS, "What are the last four digits of her card?", "Her credit card ends in ", "7036"),
    (Entity.DOCTOR, "Who is Jo Day's doctor?", "Jo Day's doctor is ", "Dr. Ana Ruiz"),
    (Entity.HOSPITAL, "At which hospital is Jo Day treated?", "Jo Day is treated at ", "Gregory Clinic"),
    (Entity.EMPLOYER, "What company does Jo Day work for?", "Jo Day works at ", "Lopez Inc"),
    (Entity.JOB_TITLE, "What is Jo Day's job title?", "Jo Day's job title is ", "Dental nurse"),
    (Entity.UTILITY_BILL, "How much is Jo Day's utility bill?", "The utility bill is ", "$99"),
    (Entity.APPOINTMENT_DATE, "When is Jo Day's appointment?", "The appointment is on ", "2024-03-24"),
]
AFTER = [".", " and that is all I know.", ""]
each_kind = pytest.mark.parametrize(
    ("entity", "question", "opening", "value"), CASES, ids=[str(entity) for entity, *_ in CASES]
)


@cache
def finder() -> SpanFinder:
    return SpanFinder()


def remembered(span: Span) -> Decision:
    return REMEMBERED


def every_other(span: Span) -> Decision:
    """Depends on the span alone, so that it says the same however the text is cut."""
    return REMEMBERED if (span.start + span.end) % 2 else MADE_UP


def machine(context: FindContext, judge: Callable[[Span], Decision] = remembered) -> StreamMachine:
    return StreamMachine(finder(), context, judge, limits=LIMITS)


def run(
    pieces: Iterable[str], context: FindContext, judge: Callable[[Span], Decision] = remembered, cut: bool = False
) -> str:
    stream = machine(context, judge)
    out = [stream.feed(piece, now=0.0).text for piece in pieces]
    out.append(stream.finish(now=0.0, cut=cut).text)
    assert not stream.failures
    return "".join(out)


def at_once(text: str, context: FindContext, judge: Callable[[Span], Decision] = remembered, cut: bool = False) -> str:
    """Redaction of the finished text: the specification."""
    return redacted_at_once(finder(), text, context, judge, cut)


def in_tokens(text: str, draw: random.Random) -> list[str]:
    pieces, at = [], 0
    while at < len(text):
        size = draw.choice((1, 1, 2, 3, 4, 6, 9))
        pieces.append(text[at : at + size])
        at += size
    return pieces


def texts(question: str, opening: str, value: str) -> list[tuple[FindContext, str]]:
    asked = FindContext(question=question)
    texts = [(asked, opening + value + after) for after in AFTER]
    texts += [(asked, value + after) for after in AFTER]
    texts += [(FindContext(left=opening), value + after) for after in AFTER]
    return texts


@each_kind
def test_the_value_is_redacted_in_a_sentence_alone_and_in_running_text(
    entity: Entity, question: str, opening: str, value: str
) -> None:
    for context, text in texts(question, opening, value):
        out = at_once(text, context)
        assert value not in out and f"<{entity}>" in out, (context.left, text, out)


@each_kind
def test_every_split_position(entity: Entity, question: str, opening: str, value: str) -> None:
    for context, text in texts(question, opening, value)[::4]:  # one of each form, one of each ending
        expected = at_once(text, context)
        for split in range(len(text) + 1):
            assert run([text[:split], text[split:]], context) == expected, (text, split)


@each_kind
def test_thousands_of_token_cuts(entity: Entity, question: str, opening: str, value: str) -> None:
    draw = random.Random(str(entity))
    _, _, other, further = draw.choice(CASES)
    text = f"{opening}{value}. {other}{further}; again {value.upper()}."
    context = FindContext(question=question)
    for judge in (remembered, every_other):
        expected = at_once(text, context, judge)
        for _ in range(70):
            pieces = in_tokens(text, draw)
            assert run(pieces, context, judge) == expected, pieces


@each_kind
def test_no_character_of_a_span_leaves_before_its_verdict(
    entity: Entity, question: str, opening: str, value: str
) -> None:
    for context, text in texts(question, opening, value):
        judged: list[Span] = []
        stream = machine(context, lambda span, judged=judged: judged.append(span) or MADE_UP)  # type: ignore[misc]
        spans, start = [], 0
        while (span := finder().next_span(text, start, context=context, closed=True).span) is not None:
            spans.append(span)
            start = span.end
        for char in text:
            stream.feed(char, now=0.0)
            assert all(span in judged or stream.released_chars <= span.answer_start for span in spans)
        stream.finish(now=0.0, cut=False)
        assert [span for span in judged if not span.fragment] == spans


@each_kind
def test_a_stop_string_at_every_character(entity: Entity, question: str, opening: str, value: str) -> None:
    for context, text in texts(question, opening, value)[:1]:
        begin = text.index(value)
        for end in range(len(text) + 1):
            out = run(text[:end], context, cut=True)
            assert out == at_once(text[:end], context, cut=True)
            # A word without a form may be too short to be known for one.
            assert value[:4] not in out or end - begin < (len(value) if entity in WORDED else 4), (text[:end], out)
            assert run(text[:end], context, cut=False) == at_once(text[:end], context, cut=False)


@each_kind
def test_prefill_at_every_character(entity: Entity, question: str, opening: str, value: str) -> None:
    for at in range(1, len(value)):
        context = FindContext(left=opening + value[:at], question=question)
        text = value[at:] + AFTER[0]
        expected = at_once(text, context)
        assert value[at:] not in expected or len(value) - at < 2, (value[:at], expected)
        for split in range(at % 4, len(text) + 1, 4):
            assert run([text[:split], text[split:]], context) == expected


@each_kind
@pytest.mark.parametrize("most", [1, 2, 3])
def test_requests_of_a_few_tokens_do_not_add_up_to_the_value(
    entity: Entity, question: str, opening: str, value: str, most: int
) -> None:
    tokens = re.findall(r"\s?[A-Za-z]{1,4}|\s?\d{1,2}|\s?[^\w\s]|\s", opening + value + ".")
    leaked, at = "", 0
    while at < len(tokens):  # the attacker prefills the true text so far
        context = FindContext(left="".join(tokens[:at]), question=question)
        leaked += run(tokens[at : at + most], context, cut=True)
        at += most
    longest = max(
        (j - i for i in range(len(value)) for j in range(i + 1, len(value) + 1) if value[i:j] in leaked), default=0
    )
    assert longest <= max(4, len(value) // 2), leaked
