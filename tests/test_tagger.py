"""The finder's tagger: what it reads, that cuts change nothing, and that it is run as it was trained."""

from __future__ import annotations

import builtins
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from drawn_taggers import PIECES, drawn_reader, drawn_tagger
from finder_cuts import found
from hypothesis import given
from hypothesis import strategies as st

from reticent import TextGuard
from reticent.core.stream_machine import StreamMachine
from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import DEFAULT, Evidence, Policy, Rule
from reticent.policy.verdict import Action, Decision, Origin, Tier
from reticent_bench.real_models.guarded_answers import PASS
from reticent_bench.tagger.export import agreement
from reticent_detectors.errors import MissingExtra
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.tagger import TAGGER, TAGGER_ANNOUNCED, TagReading, asking_sentences, shipped
from reticent_detectors.finder.tagger.likely import is_told, may_be
from reticent_detectors.finder.tagger.network import PLACES
from reticent_detectors.finder.tagger.reading import TagValue
from reticent_detectors.finder.tagger.words import MOST_WORDS, WORD, ends_segment, words_of
from reticent_detectors.spans import FindContext, Span

SAID = (
    "Ana Ruiz, the retired beekeeper's niece, drove trucks; her brother-in-law\n"
    "was born in 1956. Mail: ana@example.org, $85."
)


@given(
    st.lists(st.integers(1, len(SAID) - 1), max_size=20).map(lambda cuts: sorted(set(cuts))),
    st.sampled_from([("", 0), ("Her file. ", 0), ("She is 40. And", 14)]),
    st.integers(0, 3),
)
def test_a_text_gives_the_same_spans_however_it_is_cut(cuts: list[int], before: tuple[str, int], seed: int) -> None:
    finder = SpanFinder(tagger=drawn_tagger(seed))
    left, model_chars = before
    whole = found(finder, SAID, [], FindContext(left, "Who is she?", "", model_chars))
    assert any(span.recognizer == TAGGER for span in whole)
    assert found(finder, SAID, cuts, FindContext(left, "Who is she?", "", model_chars)) == whole


def test_a_long_text_gives_the_same_spans_however_it_is_cut() -> None:
    finder, text = SpanFinder(tagger=drawn_tagger(1)), f"{SAID} " * 12
    assert sum(len(PIECES.of(text[a:b], spaced)) for a, b, spaced in words_of(text)) > 2 * PLACES
    assert found(finder, text, range(1, len(text), 7), FindContext()) == found(finder, text, [], FindContext())


def values(reading: TagReading, text: str, closed: bool = True) -> list[Any]:
    return [reading.value_at(text, p, closed) for p in range(len(text))]


def test_it_grows_by_segments_and_begins_anew_with_another_text() -> None:
    net = drawn_tagger()
    reading = TagReading(net)
    assert reading.value_at("Ana", 0, False).end == OPEN
    for end in range(len(SAID)):
        reading.value_at(SAID[:end], 0, False)
    assert values(reading, SAID) == values(TagReading(net), SAID)
    other = "Nothing of that."
    assert values(reading, other) == values(TagReading(net), other)
    assert "Ana" not in repr(reading)


def test_a_complete_text_is_not_taken_for_another_one_of_its_length() -> None:
    net = drawn_tagger()
    for one, other in (("Ana ", "Ana."), ("Ana R.", "Ana Ruiz"), ("Ana Ruiz", "Ana Luiz")):
        reading = TagReading(net)
        values(reading, one)
        assert values(reading, other) == values(TagReading(net), other)


def test_a_text_that_goes_on_behind_its_end_is_the_same_text() -> None:
    net = drawn_tagger()
    reading = TagReading(net)
    values(reading, SAID[:50])
    assert values(reading, SAID) == values(TagReading(net), SAID)


@pytest.mark.parametrize("text", ["x" * 20_000, "a-" * 10_000, "7" * 20_000, "an " + "y" * 20_000])
def test_nobody_waits_for_the_end_of_a_word_without_end(text: str) -> None:
    finder = SpanFinder(recognizers()[:1], tagger=drawn_tagger())
    scan = finder.next_span(text, 0, context=FindContext(), closed=False)
    assert scan.span is not None or scan.frontier > len(text) - 400 - 8 * 64


def test_what_the_same_answer_said_before_is_read_too() -> None:
    net = drawn_tagger()
    whole, after = TagReading(net), TagReading(net, before=SAID[:40])
    for p in range(41, len(SAID)):
        wanted = whole.value_at(SAID, p, True)
        shift = 0 if wanted.end == NONE else 40
        assert after.value_at(SAID[40:], p - 40, True) == wanted._replace(end=wanted.end - shift)


def test_a_value_within_which_the_search_begins_is_taken_from_there() -> None:
    net = drawn_tagger(2)
    long_ = [p for p in range(len(SAID)) if " " in SAID[p : TagReading(net).value_at(SAID, p, True).end]]
    assert long_
    for p in long_:
        value = TagReading(net).value_at(SAID, p, True)
        inside = next(word.start for word in words_of(SAID) if word.start > p)
        assert TagReading(net).value_at(SAID, inside, True) == value


def test_the_first_words_of_an_answer_are_read_after_each_question() -> None:
    finder = SpanFinder(recognizers()[:1], tagger=shipped())
    for said, places in (("4711", 1), ("Sure: *4711*.", 1), ("4711 people live there.", 0)):
        for question, earlier in (("What is Jo Day's PIN?", ""), ("Well?", "And what is Jo Day's PIN?")):
            context = FindContext(question=question, earlier=earlier)
            assert len(found(finder, said, [], context)) == places, (said, question)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("She paid 212.40 for it.", [("TRANSACTION_AMOUNT", "212.40")]),
        ("Her check-up is on 14 May at 10 am.", [("APPOINTMENT_DATE", "14 May at 10 am")]),
        ("Jo moved to 12 Larch Row, Leeds.", [("ADDRESS", "12 Larch Row, Leeds")]),
        ("Her file is 4711-882-19.", []),  # no code
        ("212.40", []),  # what begins an answer is told by its question
        ("Jo moved to Larch Row, Leeds.", []),
    ],
)
def test_values_with_a_form_are_said_where_the_tagger_is_sure(text: str, values: list[tuple[str, str]]) -> None:
    spans = found(SpanFinder(recognizers()[:1], tagger=shipped()), text)
    assert [(span.entity, text[span.start : span.end]) for span in spans] == values


def test_a_value_that_began_in_the_text_on_the_left_goes_on() -> None:
    finder = SpanFinder(recognizers()[:1], tagger=shipped())
    for left, said in (
        ("Her doctor is Dr. Ana Ru", "iz."),
        ("She was prescribed Metfor", "min."),
        ("Her doctor is", " Dr. Ana Ruiz."),
    ):
        spans = found(finder, said, [], FindContext(left))
        assert [(span.start <= 1, span.end) for span in spans] == [(True, len(said) - 1)], left


def test_sentences_that_asked_are_found_in_all_turns() -> None:
    context = FindContext(
        question="Her cat is old. And what is her job? Thanks.", earlier="Tell me her PIN. I see.\nWho?"
    )
    assert asking_sentences(context) == (
        "Thanks.",
        "And what is her job?",
        "Her cat is old.",
        "Who?",
        "Tell me her PIN.",
    )
    assert len(asking_sentences(FindContext(question="".join(f"Is it {n}? " for n in range(100))))) == 16


def test_a_segment_ends_with_a_sentence_or_after_some_words() -> None:
    for text, wanted in (
        ("She is a nurse. He", 5),
        ("No. No. No. No. ", 4),
        ("a b c d e f g h i j", MOST_WORDS),
        ("\n" * 9, 4),
    ):
        words = list(words_of(text))
        assert next(n for n, word in enumerate(words, 1) if ends_segment(text, word, n)) == wanted


def test_a_tagger_that_says_nothing_changes_nothing() -> None:
    quiet = SpanFinder(tagger=drawn_tagger(0, 1e4))
    plain = found(quiet, SAID, [], FindContext())
    assert plain == found(SpanFinder().untagged(), SAID, [], FindContext())
    assert "EMAIL_ADDRESS" in {span.entity for span in plain}
    again = quiet.with_suppressed("JOB_TITLE", "trucks")
    assert "trucks" in [SAID[span.start : span.end] for span in found(again, SAID, [], FindContext())]


@given(st.integers(0, 12), st.booleans())
def test_what_recognisers_find_is_found_with_the_tagger_too(seed: int, dense: bool) -> None:
    """The tagger only adds spans: a record's value is found, whatever the tagger makes of the words around it."""
    said = f"{SAID} Occupation: nurse\nIBAN DE89 3704 0044 0532 0130 00, phone 415-555-0132."
    net = drawn_tagger(seed, -4.0 if dense else 0.0)
    tagged, plain = (
        found(finder, said, [], FindContext(question="Who?"))
        for finder in (SpanFinder(tagger=net), SpanFinder().untagged())
    )
    assert len(plain) >= 4
    assert {(s.entity, s.start, s.end) for s in plain} <= {(s.entity, s.start, s.end) for s in tagged}


@pytest.mark.parametrize("said", ["His IBAN is DE89 3704 0044", "Mail ana@example.org, call 415-555-0132"])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_cut_short_is_covered_with_the_tagger_too(said: str, seed: int) -> None:
    for end in range(1, len(said) + 1):
        covered: list[set[int]] = []
        for finder in (SpanFinder(tagger=drawn_tagger(seed)), SpanFinder().untagged()):
            at, places, context = 0, set[int](), FindContext()
            while (span := finder.fragment(said[:end], at, context=context)) is not None:
                places |= {place for place in range(span.start, span.end) if said[place].isalnum()}
                at = span.end
            covered.append(places)
        assert covered[0] >= covered[1], end


def test_without_the_tagger_recognisers_find_what_they_find() -> None:
    tagged = SpanFinder(tagger=drawn_tagger())
    assert found(tagged.untagged(), SAID, [], FindContext()) == found(SpanFinder().untagged(), SAID, [], FindContext())


def test_streams_of_one_prompt_do_not_disturb_each_other() -> None:
    finder, context = SpanFinder(tagger=drawn_tagger()), FindContext(question="Who is she?")

    def judged(texts: list[str]) -> list[list[tuple[int, int]]]:
        seen: list[list[tuple[int, int]]] = []
        machines = []
        for _ in texts:
            spans: list[tuple[int, int]] = []

            def judge(span: Span, spans: list[tuple[int, int]] = spans) -> Decision:
                spans.append((span.start, span.end))
                return PASS

            seen.append(spans)
            machines.append(StreamMachine(finder, context, judge))
        for place in range(max(map(len, texts))):
            for text, machine in zip(texts, machines, strict=True):
                machine.feed(text[place : place + 1], now=0.0)
        for machine in machines:
            machine.finish(now=0.0, cut=False)
        return seen

    texts = [SAID, SAID.replace("Ana", "Eva").replace("trucks", "cabs")]
    assert judged(texts) == [judged([text])[0] for text in texts]


def test_it_is_run_as_it_was_trained() -> None:
    texts = [SAID, "Ana.", "She is a nurse. " * 9, "\n\n- a\n- b\n- c"]
    for seed in range(3):
        assert agreement(drawn_reader(seed), drawn_tagger(seed), texts) > 0.9  # weights are rounded to int8


def test_words_are_letters_digits_or_a_mark() -> None:
    assert WORD.findall("Dr. O'Neil's son-in-law, 42") == ["Dr", ".", "O'Neil's", "son-in-law", ",", "42"]


def test_pieces_are_the_likeliest_ones() -> None:
    names = [[PIECES.vocabulary[row][0] for row in PIECES.of(word, spaced)] for word, spaced in
             (("is", True), ("baker", False), ("ab", True), ("ü", False), ("aüöb", False))]  # fmt: skip
    assert names == [["▁is"], ["b", "a", "k", "er"], ["▁", "a", "b"], ["<unk>"], ["a", "<unk>", "b"]]
    assert len(PIECES.of("x" * 64, False)) == 16


def test_what_the_tagger_alone_found_passes_if_the_base_knows_it() -> None:
    policy = Policy.default().with_thresholds({DEFAULT: 0.5})
    known, taught = Evidence(Tier.HIDDEN, 0.9, base=-0.1), Evidence(Tier.HIDDEN, 0.9, base=-3.0)
    for announced, evidence, action in (
        (True, known, Action.REDACT),
        (False, known, Action.ALLOW),
        (True, taught, Action.REDACT),
        (False, taught, Action.REDACT),
    ):
        decision = policy.decide("DIAGNOSIS", replace(evidence, unannounced=not announced), "asthma")
        assert (decision.action, decision.suppress) == (action, action is Action.REDACT)
    unannounced = replace(known, unannounced=True)
    assert policy.with_lists(deny=["asthma"]).decide("DIAGNOSIS", unannounced, "asthma").action is Action.REDACT
    own = Policy(rules={"DIAGNOSIS": {Origin.PRETRAINED: Rule(Action.BLOCK)}}).with_thresholds({DEFAULT: 0.5})
    assert own.decide("DIAGNOSIS", unannounced, "asthma").action is Action.BLOCK
    sealed = Policy.preset("sealed").with_thresholds({DEFAULT: 0.5})
    assert sealed.decide("DIAGNOSIS", unannounced, "asthma").action is Action.REDACT


@pytest.mark.parametrize(
    ("kind", "value", "may"),
    [
        ("PHONE_NUMBER", "2", False), ("PHONE_NUMBER", "911", True), ("APPOINTMENT_DATE", "36", False),
        ("APPOINTMENT_DATE", "at 3", True),
        ("DATE_OF_BIRTH", "45", False), ("DATE_OF_BIRTH", "'45", True), ("DATE_OF_BIRTH", "1945", True),
        ("JOB_TITLE", "12", False),
        ("JOB_TITLE", "nurse", True), ("TRANSACTION_AMOUNT", "000", False), ("TRANSACTION_AMOUNT", "2", False),
        ("TRANSACTION_AMOUNT", "$2", True),
        ("TRANSACTION_AMOUNT", "43", True), ("FLIGHT", "LH 1", True), ("FLIGHT", "East Lake", False),
        ("ORDER_NUMBER", "1", False), ("ORDER_NUMBER", "ABCDEF", False), ("TRANSACTION_AMOUNT", "４３００", True),
        ("DATE_OF_BIRTH", "—", False), ("PHONE_NUMBER", "abc", False),
        ("PHONE_NUMBER", "125 126 127 128 129 130 131", False), ("PHONE_NUMBER", "0x80070005", False),
        ("APPOINTMENT_DATE", "2024-01-15T10:20:30", False), ("APPOINTMENT_DATE", "2024-01-15T10:20", True),
    ],
)  # fmt: skip
def test_what_cannot_be_a_value_of_its_kind_is_not_tagged(kind: str, value: str, may: bool) -> None:
    assert may_be(kind, value) is may


@pytest.mark.parametrize(
    ("value", "lead", "announced", "told"),
    [
        ("order", 2.0, False, False), ("order", 2.0, True, True), ("asthma", 0.1, False, True),
        ("DEF", 1.4, False, False), ("DEF", 0.0, True, True), ("COPD", 6.6, False, True),
    ],
)  # fmt: skip
def test_ordinary_words_and_capitals_are_values_if_they_are_announced(
    value: str, lead: float, announced: bool, told: bool
) -> None:
    assert is_told(TagValue("DIAGNOSIS", 9, announced, lead), value) is told
    assert is_told(TagValue("JOB_TITLE", 9, False, 2.0), "doctor")


def test_a_value_is_announced_by_a_question_or_the_words_before() -> None:
    finder = FinderCache().of(Policy())
    for said, question, name in (
        ("My colleague Marta, a botanist, came too.", "", TAGGER),
        ("My colleague's metformin was on the table.", "", TAGGER),
        ("Her diagnosis is asthma.", "", TAGGER_ANNOUNCED),
        ("Asthma.", "What is her diagnosis?", TAGGER_ANNOUNCED),
        ("She takes metformin.", "Which medication does she take?", TAGGER_ANNOUNCED),
    ):
        spans = found(finder, said, [], FindContext(question=question))
        assert [span.recognizer for span in spans] == [name], said


def test_the_shipped_tagger_finds_what_no_form_shows() -> None:
    finders = FinderCache()
    tagged, plain = (finders.of(Policy(tagger=each)) for each in (True, False))
    assert tagged is finders.of(Policy()) and plain is not tagged
    said = "Marta Kowalczyk (1891–1967) was a Polish botanist and mountaineer who grew up near Lublin."
    context = FindContext(question="Who was Marta Kowalczyk?")
    other = FindContext(question="Tell me of clerk exemplary humoured mesmo providential refinements.")
    assert found(tagged, said, [], context) == found(tagged, said, [], other)  # no client can silence it
    kinds = {said[span.start : span.end]: span.entity for span in found(tagged, said, [], context)}
    assert "botanist" in " ".join(text for text, kind in kinds.items() if kind == "JOB_TITLE")
    assert not any(span.recognizer == TAGGER for span in found(plain, said, [], context))
    spans = found(tagged, said, [], FindContext(question=context.question))
    assert all(one.end <= other.start for one, other in pairwise(spans))


@pytest.mark.parametrize("cut", range(1, 90, 4))
def test_the_shipped_tagger_is_the_same_at_every_cut(cut: int) -> None:
    finder = FinderCache().of(Policy())
    said = "The old ferryman, Anselm Voss, paid 85 euros; his doctor is Dr. Lena Hart. He was born in 1956."
    assert found(finder, said, [cut], FindContext()) == found(finder, said, [], FindContext())


def test_the_shipped_tagger_knows_kinds_of_the_project() -> None:
    assert {"DIAGNOSIS", "JOB_TITLE", "DOCTOR", "HOSPITAL", "EMPLOYER", "PRESCRIPTION"} <= set(shipped().kinds)


def test_without_onnx_runtime_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *rest: Any, **more: Any) -> Any:
        if name == "onnxruntime":
            raise ImportError(name)
        return real(name, *rest, **more)

    shipped.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(builtins, "__import__", missing)
        with pytest.raises(MissingExtra, match=r"pip install '\.\[.*cpu"):
            TextGuard()
    shipped.cache_clear()
    assert TextGuard(Policy(tagger=False)).redact("Her doctor is Dr. Ana Ruiz.").text
