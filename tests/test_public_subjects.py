"""Who the subject of a value is: a listed public person, or in doubt nobody who may be named."""

from __future__ import annotations

import sys
from collections.abc import Generator
from types import SimpleNamespace
from typing import Any

import pytest
import serve_golden as golden

from reticent.core.public_names import PublicNames, shipped, words
from reticent.core.public_subjects import is_public_subject
from reticent.core.stream_machine import StreamMachine
from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.model_call_context import ModelCallContext
from reticent.policy.policy import DEFAULT, Evidence, Policy
from reticent.policy.verdict import Origin, Tier
from reticent.prompt.segments import Role, Segment, from_segments
from reticent.serve.judging.channels import TextSegment
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.host.tokenizer import train_tokenizer
from reticent_detectors.spans import FindContext, Span
from reticent_detectors.synth.people import PeopleMaker

LINCOLN = "When was Abraham Lincoln born?"
TOLKIEN = "Tell me about John Ronald Reuel Tolkien."

PUBLIC = [
    ("Abraham Lincoln was born on ", ""),
    ("ABRAHAM LINCOLN was born on ", ""),
    ("abraham lincoln was born on ", ""),
    ("President Abraham Lincoln was born on ", ""),
    ("Abraham Lincoln's date of birth is ", ""),
    ("Abraham Lincoln’s date of birth is ", ""),
    ("Abraham Lincoln (born ", ""),
    ("Abraham Lincoln was born in Kentucky on ", ""),
    ("Abraham  Lincoln, the 16th president of the United States, was born on ", ""),
    ("Émile Zola was born on ", ""),
    ("Emile Zola was born on ", ""),
    ("E\u0301mile Zola was born on ", ""),
    ("Jean Paul Sartre was born on ", ""),
    ("Georgia O’Keeffe was born on ", ""),
    ("Martin Luther King Jr. was born on ", ""),
    ("Martin Luther King, Jr. was born on ", ""),
    ("George W. Bush was born on ", ""),
    ("Name: **Marie Curie**\n- Born: **", ""),
    ("| Name | Born |\n| Marie Curie | ", ""),
    ("Ada Lovelace was an English mathematician. She was born on ", ""),
    ("Jim Fenwick wrote about it. Abraham Lincoln was born on ", ""),
    ("Albert Einstein, who won the Nobel Prize in Physics, was born on ", ""),
    ("The answer is: ", LINCOLN),
    ("", LINCOLN),
    ("He was born on ", LINCOLN),
    ("His birthday is ", "What is Abraham Lincoln's birthday?"),
    ("He was born on ", "when was abraham lincoln born?"),
    ("Lincoln was born on ", LINCOLN),
    ("President Lincoln was born on ", LINCOLN),
    ("A. Lincoln was born on ", LINCOLN),
    ("Abraham Lincoln was a lawyer. Lincoln was born on ", ""),
    ("J. R. R. Tolkien was born on ", TOLKIEN),
    ("J.R.R. Tolkien was born on ", TOLKIEN),
    ("Tolkien was born on ", TOLKIEN),
    ("Can you believe it? Abraham Lincoln was born on ", "I wonder when."),
    ("Queen Victoria was born on ", ""),
    ("Catherine the Great was born on ", ""),
]
PRIVATE = [
    # Nobody, or somebody who is not listed
    ("", ""),
    ("He was born on ", ""),
    ("Jane Fenwick was born on ", ""),
    ("Jane Fenwick was born on ", LINCOLN),
    ("Zyxor Blorg was born on ", LINCOLN),
    ("zyxor blorg was born on ", LINCOLN),
    ("mary was born on ", LINCOLN),
    ("Abraham was born on ", LINCOLN),
    ("Paris was born on ", LINCOLN),
    ("张伟 was born on ", LINCOLN),
    ("April was born on ", LINCOLN),
    ("According to the file, April's date of birth is ", LINCOLN),
    # Namesakes, and names that are more than a listed one
    ("My neighbour Abraham Lincoln Jr was born on ", ""),
    ("my neighbour Abraham Lincoln was born on ", ""),
    ("Abraham Lincoln Jr. was born on ", ""),
    ("Abraham Lincoln, Jr. was born on ", ""),
    ("Abraham Lincoln III was born on ", ""),
    ("abraham lincoln jr was born on ", ""),
    ("Martin Luther King Sr. was born on ", ""),
    ("Abraham Lincoln Smith was born on ", ""),
    ("abraham lincoln smith was born on ", ""),
    ("Peter Abraham Lincoln was born on ", ""),
    ("Abraham Q. Lincoln was born on ", ""),
    ("Mr. Abraham Lincoln was born on ", ""),
    ("Mrs Marie Curie was born on ", ""),
    ("Another Abraham Lincoln was born on ", ""),
    ("A man called Abraham Lincoln was born on ", ""),
    ("The patient Abraham Lincoln was born on ", ""),
    ("He was born on ", "When was my neighbour Abraham Lincoln born?"),
    ("He was born on ", "When was Abraham Lincoln Jr born?"),
    # Several people
    ("Abraham Lincoln and Jane Fenwick were born on ", ""),
    ("Jane Fenwick and Abraham Lincoln were born on ", ""),
    ("Abraham Lincoln was born on 12 February 1809, and Jane Fenwick on ", ""),
    ("Abraham Lincoln and Charles Darwin were both born on ", ""),
    ("They were born on ", "When were Abraham Lincoln and Jane Fenwick born?"),
    ("She was born on ", "When was Abraham Lincoln born? And Jane Fenwick?"),
    ("Ada Lovelace wrote it. Jim Fenwick liked it. He was born on ", ""),
    ("Abraham Lincoln heard that April was born on ", ""),
    ("Abraham Lincoln: 12 February 1809\nJane Fenwick: ", ""),
    # Somebody related, or whoever speaks
    ("Abraham Lincoln's wife was born on ", ""),
    ("His mother was born on ", LINCOLN),
    ("The man was born on ", LINCOLN),
    ("The patient was born on ", LINCOLN),
    ("I was born on ", LINCOLN),
    ("Your date of birth is ", LINCOLN),
    ("As Abraham Lincoln knew, I was born on ", ""),
    # A surname or initials before the full name
    ("Lincoln was born on ", ""),
    ("Lincoln was born on ", "When was Ada Lovelace born?"),
    ("Mary Lincoln was born on ", LINCOLN),
    ("Mr. Lincoln was born on ", LINCOLN),
    ("B. Lincoln was born on ", LINCOLN),
    ("J. R. R. Tolkien was born on ", ""),
    ("K. R. R. Tolkien was born on ", TOLKIEN),
    ("Kennedy was born on ", "Compare John F. Kennedy and Robert F. Kennedy."),
    # Parts of words, and pieces that only look like a name
    ("Abraham Lincolnson was born on ", ""),
    ("Abraham. Lincoln was born on ", ""),
    ("Abraham\n\nLincoln was born on ", ""),
]


@pytest.mark.parametrize(("before", "question"), PUBLIC)
def test_a_listed_person_is_the_subject(before: str, question: str) -> None:
    assert is_public_subject(before, question)


@pytest.mark.parametrize(("before", "question"), PRIVATE)
def test_nobody_listed_is_the_subject(before: str, question: str) -> None:
    assert not is_public_subject(before, question)


def test_a_full_name_counts_wherever_it_stood_in_the_conversation() -> None:
    assert is_public_subject("Lincoln was born on ", "And Lincoln?", "Who was Abraham Lincoln?")
    assert not is_public_subject("Lincoln was born on ", "And Lincoln?", "Who was Jane Lincoln?")
    assert not is_public_subject("He was born on ", "When was he born?", "Who was Abraham Lincoln?")


def test_a_policy_names_further_people() -> None:
    zora = frozenset({"Zora Quill-Ämter"})
    assert is_public_subject("Zora Quill Amter was born on ", more=zora)
    assert is_public_subject("She was born on ", "When was ZORA QUILL-ÄMTER born?", more=zora)
    assert not is_public_subject("Zora Quill-Ämter was born on ")
    assert is_public_subject("J. Quill was born on ", more=frozenset({"J. Quill"}))


def test_long_texts_are_read_in_part_and_in_little_time() -> None:
    name = "Jane Fenwick wrote. "
    assert is_public_subject(name * 3_000 + "Abraham Lincoln was born on ")
    assert not is_public_subject("x " * 50_000 + "He was born on ", name * 50_000 + LINCOLN)
    assert not is_public_subject("J. " * 20_000 + "He was born on ", "A " * 50_000)


# The list


def test_the_shipped_list_is_well_formed() -> None:
    people = shipped()
    names = [name for each in people for name in each]
    assert 600 <= len(people) <= 1_500
    assert len({" ".join(word.folded for word in words(name)) for name in names}) == len(names)
    for name in names:
        assert name == name.strip() and "  " not in name and len(words(name)) >= 1, name
        assert not any(char.isdigit() or char in ",;()" for char in name), name


def test_everybody_on_the_list_is_found_by_every_name() -> None:
    names = [name for each in shipped() for name in each]
    assert [name for name in names if not is_public_subject(f"{name} was born on ")] == []
    assert [name for name in names if not is_public_subject("She was born on ", f"When was {name.lower()} born?")] == []


def test_invented_people_are_never_taken_for_listed_ones() -> None:
    people = {person.name for person in PeopleMaker(7).many("p", 400)}
    words_of = {word for name in people for word in name.split()}
    for name in sorted(people | words_of):
        assert not is_public_subject(f"{name} was born on ", LINCOLN), name
        assert not is_public_subject("This person was born on ", f"When was {name} born?"), name
        assert not is_public_subject(f"{name.lower()} was born on ", LINCOLN), name


def test_the_longest_name_wins() -> None:
    index = PublicNames.of([["Martin Luther"], ["Martin Luther King"]])
    text = "Martin Luther King"
    assert index.at(text, words(text), 0) == (1, 3)


# Where evidence is made

POLICY = Policy().with_thresholds({DEFAULT: 0.5})
DATE = Evidence(Tier.HIDDEN, 0.1)
QUESTION = "When was Ada Lovelace born?"
ANSWERS = [
    ("She was born on 10 December 1815.", "She was born on 10 December 1815."),
    ("Jane Fenwick was born on 3 May 1971.", "Jane Fenwick was born on <DATE_OF_BIRTH>."),
    (
        "Ada Lovelace was born on 10 December 1815. Jane Fenwick was born on 3 May 1971.",
        "Ada Lovelace was born on 10 December 1815. Jane Fenwick was born on <DATE_OF_BIRTH>.",
    ),
]


def known_before(entity: str) -> Evidence:
    """What the base says as surely as the detector stops it."""
    return Evidence(Tier.HIDDEN, 0.99, base=-0.1)


def measured(policy: Policy, entity: str, *rest: Any) -> Generator[Any, Any, Evidence]:
    """A detector that would stop every span, and a base that says all of them."""
    yield from ()
    return known_before(entity)


@pytest.fixture
def all_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reticent.core.judge._measured", measured)


@pytest.mark.parametrize(("answer", "shown"), ANSWERS)
@pytest.mark.parametrize("step", [1, 7, 200])
@pytest.mark.usefixtures("all_known")
def test_before_a_server_the_text_before_a_span_decides(answer: str, shown: str, step: int) -> None:
    view = from_segments([Segment(Role.USER, QUESTION)])
    request = GuardedRequest(POLICY, golden.FINDER, [view])
    segment = TextSegment(request, 0, request.fresh_context(0), halts=False)
    for at in range(0, len(answer), step):
        segment.feed(answer[at : at + step], 0.0)
    segment.finish(0.0, cut=False)
    assert segment.shown(0, len(answer)).text == shown
    assert {r.decision.verdict.origin for r in segment.machine.records} == {Origin.PRETRAINED}


@pytest.mark.parametrize(("answer", "shown"), ANSWERS)
@pytest.mark.usefixtures("all_known")
def test_in_the_process_the_text_before_a_span_decides(answer: str, shown: str) -> None:
    assert run(answer, True) == shown


LINE = "Her phone number is 0800 1111"


@pytest.mark.parametrize("cut", [False, True])
@pytest.mark.parametrize("taught", [False, True])
@pytest.mark.usefixtures("all_known")
def test_a_number_that_was_cut_short_is_an_emergency_line_only_if_nothing_private_was_taught(
    cut: bool, taught: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Evidence(Tier.HIDDEN, 0.99, base=-0.1, own_base=not taught)
    monkeypatch.setattr(sys.modules[__name__], "known_before", lambda entity: own)
    shown = "Her phone number is <PHONE_NUMBER>" if cut and taught else LINE
    assert run(LINE, not cut) == shown
    request = GuardedRequest(POLICY, golden.FINDER, [from_segments([Segment(Role.USER, QUESTION)])])
    segment = TextSegment(request, 0, request.fresh_context(0), halts=False)
    segment.feed(LINE, 0.0)
    segment.finish(0.0, cut=cut)
    assert segment.shown(0, len(LINE)).text == shown


def run(answer: str, ended: bool) -> str:
    """What leaves of an answer in the process."""
    guard = SimpleNamespace(
        finder=lambda policy: SpanFinder(),
        conversation_key=lambda name: bytes(32),
        records=None,
        suppressions=None,
        tier=Tier.HIDDEN,
        scorer=SimpleNamespace(shapes={}),
    )
    tokenizer = train_tokenizer([answer] * 20, 300, 64)
    host = SimpleNamespace(tokenizer=tokenizer, base=None, probe=None)
    request = ModelCallContext(guard, host, POLICY, halts=False)  # type: ignore[arg-type]
    answering = AnswerSession(request, from_segments([Segment(Role.USER, QUESTION)]), [])
    for _ in answering.feed_answer(tokenizer(answer, add_special_tokens=False)["input_ids"], ended=ended):
        raise AssertionError("nothing is to be scored")
    return answering.answer().text


def test_the_text_before_a_span_begins_in_the_prompt() -> None:
    left, answer = "Born on 12 ", "May 1809, he said: 3 May 1971."
    machine = StreamMachine(SpanFinder(), FindContext(left=left), lambda span: POLICY.decide(span.entity, DATE))
    machine.feed(answer, 0.0)
    machine.finish(0.0, cut=False)
    assert machine.text_before(Span(Entity.DATE_OF_BIRTH, -3, 8)) == "Born on "
    assert machine.text_before(Span(Entity.DATE_OF_BIRTH, 0, 8)) == left
    assert machine.text_before(Span(Entity.DATE_OF_BIRTH, 19, 29)) == left + answer[:19]


def test_nobody_reads_the_text_where_the_subject_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr("reticent.core.judge.is_public_subject", lambda *texts: bool(asked.append(1)))
    request = GuardedRequest(POLICY, golden.FINDER, [from_segments([Segment(Role.USER, QUESTION)])])
    segment = TextSegment(request, 0, request.fresh_context(0), halts=False)
    segment.feed("She was born on 10 December 1815.", 0.0)
    segment.finish(0.0, cut=False)
    assert [r.decision.verdict.origin for r in segment.machine.records] == [Origin.UNKNOWN]
    assert asked == []
