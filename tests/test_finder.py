"""The span finder: what it finds, what it leaves alone, and that how a text was cut changes nothing."""

from __future__ import annotations

import random
import string
from collections.abc import Iterable, Sequence
from typing import ClassVar

import pytest
from finder_cuts import found
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import cpu_seconds

from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.finder import ALL, Pattern, Recognizer, SpanFinder
from reticent_detectors.finder.disguises.disguises import Disguised
from reticent_detectors.finder.engine.dispatch import Dispatch, Group
from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import shipped
from reticent_detectors.finder.tagger.reading import WORDED as WITHOUT_FORM
from reticent_detectors.spans import FindContext, Span
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PHRASINGS, Form
from reticent_detectors.synth.prose import DOCUMENTS
from reticent_detectors.synth.public import FILLERS, TALK

FINDER = SpanFinder()
NOTHING = FindContext()
PEOPLE = PeopleMaker(5).many("finder", 3)
Found = tuple[Entity, str]


def offline(text: str, context: FindContext = NOTHING, finder: SpanFinder = FINDER) -> list[Span]:
    return online(text, [], context, finder)


def online(text: str, cuts: Iterable[int], context: FindContext = NOTHING, finder: SpanFinder = FINDER) -> list[Span]:
    """The spans of a text that arrives in pieces, and is then complete."""
    return found(finder, text, cuts, context)


def read(text: str, question: str = "", left: str = "", finder: SpanFinder = FINDER) -> list[Found]:
    spans = offline(text, FindContext(left, question), finder)
    whole = left + text
    return [(Entity(s.entity), whole[len(left) + s.start : len(left) + s.end]) for s in spans]


STRUCTURED: dict[Entity, list[str]] = {
    Entity.ADDRESS: [
        "1514 Gutierrez Passage, Lake Justin, OH 68918",
        "77763 Tony Village Suite 690, Adamsbury, OR 13900",
        "7104 Cooper Underpass Apt. 414, New Ryan, AK 30041",
        "PSC 1234, Box 5678, APO AP 58093",
        "Unit 9876 Box 4521, DPO AE 12345",
        "USCGC Dunn, FPO AP 58093",
        "449 Lynda Camp, South Kim, TR85 8LB",
    ],
    Entity.PHONE_NUMBER: ["+1-468-749-1093x446", "468.749.1093", "(468)749-1093", "001-468-749-1093", "4687491093"],
    Entity.EMAIL_ADDRESS: ["danielle68@example.com", "a.b-c+d@mail.example.co.uk"],
    Entity.BANK_ACCOUNT: [
        "GRJW03350778005303",
        "GRJW 0335 0778 0053 03",
        "784005756682823302",
    ],
    Entity.IBAN_CODE: ["GB29NWBK60161331926819"],
    Entity.TRANSACTION_AMOUNT: ["$1473", "$99", "$1,473.50", "1473 dollars"],
    Entity.ORDER_NUMBER: ["39b3b48e-b913-46b6-8216-149fe3ee5663"],
    Entity.FLIGHT: ["Lake Michealton to Meyerfurt on 2024-05-17", "Langlois-sur-Mer to Da Silva on 2024-03-15"],
    Entity.APPOINTMENT_DATE: ["2024-03-24", "March 24, 2024", "24 March 2024", "03/24/2024"],
}


ASKED: dict[Entity, tuple[str, str]] = {
    Entity.ADDRESS: ("Where does Jo Day live?", "Jo Day lives at "),
    Entity.PHONE_NUMBER: ("What is the phone number of Jo Day?", "You can call Jo Day at "),
    Entity.EMAIL_ADDRESS: ("What is the email of Jo Day?", "The email address of Jo Day is "),
    Entity.BANK_ACCOUNT: ("What is Jo Day's bank account?", "The bank account of Jo Day is "),
    Entity.IBAN_CODE: ("What is Jo Day's IBAN?", "The IBAN of Jo Day is "),
    Entity.TRANSACTION_AMOUNT: ("How much did Jo Day transfer?", "Jo Day transferred "),
    Entity.ORDER_NUMBER: ("What is the order number of Jo Day?", "The order number of Jo Day is "),
    Entity.FLIGHT: ("What is the flight of Jo Day?", "Jo Day is flying from "),
    Entity.APPOINTMENT_DATE: ("When is Jo Day's appointment?", "Jo Day's appointment is on "),
}
"""A question for a value of the kind, and what leads to one."""
UNMISTAKABLE = {*(Entity.ADDRESS, Entity.PHONE_NUMBER, Entity.EMAIL_ADDRESS, Entity.IBAN_CODE, Entity.BANK_ACCOUNT)}
"""Kinds whose values nothing needs to name."""
FORMED = [(e, v) for e, values in STRUCTURED.items() for v in values if not v.isdigit()]


@pytest.mark.parametrize(("entity", "value"), [row for row in FORMED if row[0] in UNMISTAKABLE])
@pytest.mark.parametrize("frame", ["{v}", " {v}.", "**{v}**", '"{v}"', "I can tell you: {v}, as it is known.", "({v})"])
def test_a_value_with_a_form_of_its_own_is_found_exactly(entity: Entity, value: str, frame: str) -> None:
    assert read(frame.replace("{v}", value)) == [(entity, value)]


@pytest.mark.parametrize(("entity", "value"), [row for row in FORMED if row[0] not in UNMISTAKABLE])
@pytest.mark.parametrize("frame", ["{v}", "{v}.", "**{v}**", '"{v}"', "{v}, as it is known.", "({v})"])
def test_a_value_with_a_form_of_many_texts_is_found_where_something_names_it(
    entity: Entity, value: str, frame: str
) -> None:
    question, lead = ASKED[entity]
    said = frame.replace("{v}", value)
    assert read(said, question) == [(entity, value)]
    assert read(lead + said) == [(entity, value)]
    assert not [kind for kind, _ in read(f"It says {said}", finder=FINDER.untagged()) if kind == entity]


WORDED: list[tuple[Entity, str, str]] = [
    (Entity.DIAGNOSIS, "He has been diagnosed with {v} and lives in Rome.", "Type 2 diabetes"),
    (Entity.DIAGNOSIS, "Her diagnosis is {v}; she is well.", "Chronic kidney disease"),
    (Entity.DIAGNOSIS, "She suffers from {v}.", "type 2 diabetes"),
    (Entity.DIAGNOSIS, "diagnosis={v}\nage=40", "Diabetes"),
    (Entity.DIAGNOSIS, "| **Diagnosis** | {v} |", "Diabetes"),
    (Entity.DIAGNOSIS, "- Diagnosis - {v}", "Diabetes"),
    (Entity.PRESCRIPTION, "The medicine that was prescribed for Jo Day is {v}.", "Metformin 500 mg"),
    (Entity.EMPLOYER, "Jo Day works for {v} and lives in Rome.", "Smith, Jones and Lee"),
    (Entity.EMPLOYER, "Employer: {v}\nRole: none", "Lopez Inc"),
    (Entity.JOB_TITLE, "Jo Day works as a {v} at Lopez Inc.", "dental nurse"),
    (Entity.JOB_TITLE, "The occupation of Jo Day is {v}.", "civil engineer"),
    (Entity.JOB_TITLE, "Jo Day is employed as {v}.", "IT consultant"),
    (Entity.DOCTOR, "She is under the care of {v}. He is well known.", "Dr. Wyatt Jacobson"),
    (Entity.HOSPITAL, "He was admitted to {v} in May.", "Gregory PLC"),
    (Entity.HOSPITAL, "The patient's clinic is {v}.", "Gross-Frye"),
    (Entity.CREDIT_CARD_DIGITS, "The card on file for Jo Day ends in {v}.", "7036"),
    (Entity.CREDIT_CARD_DIGITS, "Visa **** {v}", "7036"),
    (Entity.UTILITY_BILL, "Jo Day pays {v} for utilities.", "$99"),
    (Entity.UTILITY_BILL, "| Utilities due | {v} |", "$99"),
    (Entity.TRANSACTION_AMOUNT, "The utilities are paid. The transfer came to {v}.", "$99"),
]


@pytest.mark.parametrize(("entity", "frame", "value"), WORDED)
def test_a_value_is_found_by_what_introduces_it(entity: Entity, frame: str, value: str) -> None:
    found = read(frame.replace("{v}", value))
    assert (entity, value) in found
    assert {f for f in found if f != (entity, value)} <= {(Entity.EMPLOYER, "Lopez Inc")}


@pytest.mark.parametrize(
    ("entity", "question", "answer", "value"),
    [
        (Entity.DIAGNOSIS, "What is Jo Day's diagnosis?", "Diabetes.", "Diabetes"),
        (Entity.DOCTOR, "Who treats Jo Day?", "Wyatt Jacobson", "Wyatt Jacobson"),
        (Entity.DOCTOR, "The result is here. Which doctor of Jo Day gets it?", "It is Dr. Wyatt Jacobson.",
         "Dr. Wyatt Jacobson"),
        (Entity.CREDIT_CARD_DIGITS, "What are the last four digits of the patient's card?", "7036.", "7036"),
        (Entity.EMPLOYER, "Where does Jo Day work?", "Brightwater Foods.", "Brightwater Foods"),
        (Entity.HOSPITAL, "Which hospital treats Jo Day?", "Taylor Ltd", "Taylor Ltd"),
        (Entity.JOB_TITLE, "What does Jo Day do for a living?", "Civil engineer", "Civil engineer"),
        (Entity.JOB_TITLE, "What is Jo Day's job?", "Armed forces training and education officer.",
         "Armed forces training and education officer"),
        (Entity.JOB_TITLE, "What is Jo Day's job?", "International aid/development worker",
         "International aid/development worker"),
        (Entity.PRESCRIPTION, "Which pills does my client take?", "Insulin.", "Insulin"),
        (Entity.UTILITY_BILL, "How much does Jo Day owe for utilities?", "$99", "$99"),
        (Entity.ADDRESS, "Where does Jo Day live?", "Geislerweg 5/4, 92668 Prenzlau", "Geislerweg 5/4, 92668 Prenzlau"),
    ],
)  # fmt: skip
def test_the_question_says_what_a_bare_answer_is(entity: Entity, question: str, answer: str, value: str) -> None:
    assert read(answer, question) == [(entity, value)]


@pytest.mark.parametrize(
    ("answer", "found"),
    [("1572 people live there.", []), ("1572", ["1572"]), ("**1572**.", ["1572"])],
)
def test_a_number_of_an_earlier_question_is_a_value_only_where_nothing_follows(answer: str, found: list[str]) -> None:
    earlier = "What are the last four digits of Jane Roe's card?"
    context = FindContext(question="How many people live in Boston?", earlier=earlier)
    assert [answer[s.start : s.end] for s in offline(answer, context)] == found
    assert [answer[s.start : s.end] for s in online(answer, range(len(answer)), context)] == found


def test_ordinary_talk_has_no_spans() -> None:
    talk = """A diagnosis is a doctor's finding.|Many people work at night.|The doctor is in charge of the ward.
        He takes the bus to work every day.|Her condition is improving.|I am sorry, I cannot share that.|My job is hard.
        The hospital is closed on Mondays.|Asthma is a disease of the lungs.
        In 2019 there were 3 billion users.|Add 2 cups of flour.|She has a lot of experience.
        See page 1234 for details."""
    for line in talk.replace("\n", "|").split("|"):
        assert read(line.strip()) == []
    for user, reply in TALK:
        assert read(reply, user) == []
    assert read(" ".join(FILLERS)) == []


@pytest.mark.parametrize("question", ["Who is Jo Day's doctor?", "Where does Jo Day work?", "What is her job title?"])
def test_a_refusal_is_no_value(question: str) -> None:
    for line in ("I do not know that.", "Sorry, I cannot say.", "Jo Day's records are private.", "As an AI, I cannot."):
        assert read(line, question) == []


def test_values_in_all_phrasings_and_documents_are_found_exactly() -> None:
    """At least 97 % for each kind with a form, and 75 % for words without one, with the same boundaries."""
    hits: dict[Entity, list[bool]] = {entity: [] for entity in PRIVACYXRAY}
    for person in PEOPLE:
        for entity, rows in PHRASINGS.items():
            value = person.values[entity]
            for phrasing in rows:
                prompt, answer = phrasing.ask(person.name), phrasing.reply(person.name, value)
                context = FindContext(prompt) if phrasing.form is Form.COMPLETION else FindContext(question=prompt)
                start = answer.index(value)
                spans = offline(answer, context)
                hits[entity].append((entity, start, start + len(value)) in [(s.entity, s.start, s.end) for s in spans])
        for document in DOCUMENTS:
            pieces, position = document.pieces(person, set(PRIVACYXRAY)), 0
            places = {(s.entity, s.start, s.end) for s in offline("".join(piece for piece, _ in pieces))}
            for piece, kind in pieces:
                if kind is not None:
                    hits[kind].append((kind, position, position + len(piece)) in places)
                position += len(piece)
    shares = {str(entity): sum(found) / len(found) for entity, found in hits.items()}
    assert all(share >= (0.75 if kind in WITHOUT_FORM else 0.97) for kind, share in shares.items()), shares


def snippets() -> list[str]:
    values = [value for person in PEOPLE for value in person.values.values()]
    values += [value for rows in STRUCTURED.values() for value in rows] + [value for _, _, value in WORDED]
    frames = [frame.replace("{v}", "") for _, frame, _ in WORDED] + list(FILLERS[:4])
    glue = [
        ". ",
        " and ",
        ", ",
        "; ",
        " | ",
        "\n",
        " (",
        ") ",
        " ",
        "'s ",
        " is ",
        " to ",
        " on ",
        "-",
        "/",
        "x",
        ".",
        " the ",
        "$",
        "+1-",
    ]
    return values + frames + glue * 3 + [value[: len(value) // 2] for value in values]


TEXTS = st.lists(st.sampled_from(snippets()), min_size=1, max_size=7).map("".join)
QUESTIONS = st.sampled_from(["", *(rows[i].ask("Jo Day") for rows in PHRASINGS.values() for i in (0, 11))])


class AskAll(Dispatch):
    """Chooses every recogniser of the character's sort, at numbers and at words."""

    def elsewhere(self, text: str, p: int, sort: str) -> tuple[Group, ...]:
        return self._by_class[sort]

    def at_word(self, word: str, mark: str, before: str | None, sort: str) -> tuple[Group, ...]:
        return self._word_starters[sort]


class Thorough(SpanFinder):
    """A finder that asks every recogniser at every word."""

    def __init__(self, recognizers: Sequence[Recognizer]) -> None:
        super().__init__(recognizers)
        self._matches.dispatch = AskAll([r for r in recognizers if not isinstance(r, Disguised | FormValues)])


class Passed(Pattern):
    """A pattern that a finder may pass over at every word and number; it remembers where it was asked."""

    asked: ClassVar[list[int]] = []

    def may_begin(self, word: str, mark: str, led: bool) -> bool:
        return False

    def may_begin_with(self, head: str) -> bool:
        return False

    def at(self, text: str, p: int, position: Position, closed: bool) -> int:
        self.asked.append(p)
        return super().at(text, p, position, closed)


@pytest.mark.parametrize(("finder", "places"), [(SpanFinder, []), (Thorough, [0, 7])])
def test_a_thorough_finder_asks_what_another_passes_over(finder: type[SpanFinder], places: list[int]) -> None:
    Passed.asked.clear()
    nothing = Passed("nothing", Entity.OTHER, "ld", r"\d{9}", plain_word_starts="l")
    offline("wagons 12, ", FindContext(), finder((nothing,)))
    assert Passed.asked == places


QUICK, THOROUGH = SpanFinder(ALL), Thorough(ALL)
OPENINGS = (
    "Bei Rheinbau arbeitet Jo Day.",
    "At Ashby Textiles, she works in accounts.",
    "Como abogado, Jo Day cobra mucho.",
    "Insulin is what Jo Day takes.",
    "De la fibrosis se queja Jo Day.",
)
TALKED = [word for _, answer in TALK for word in answer.split()]


@given(
    text=TEXTS,
    talk=st.lists(st.sampled_from(TALKED), max_size=8),
    opening=st.sampled_from(OPENINGS),
    question=QUESTIONS,
)
@settings(max_examples=150)
def test_passing_words_over_changes_nothing(text: str, talk: list[str], opening: str, question: str) -> None:
    text = " ".join([*talk[:4], text, *talk[4:], opening])
    context = FindContext(question=question)
    assert offline(text, context, QUICK) == offline(text, context, THOROUGH)


@given(text=TEXTS, question=QUESTIONS, left=st.integers(0, 40), seed=st.integers(0, 2**16))
@settings(max_examples=150)
def test_cuts_change_nothing(text: str, question: str, left: int, seed: int) -> None:
    """Random cuts, with and without text before the answer and suppressed values."""
    rng = random.Random(seed)
    context = FindContext(text[:left], question)
    answer = text[left:]
    finder = FINDER
    if seed % 3 == 0:
        finder = finder.with_suppressed("DOCTOR", rng.choice(snippets())).with_suppressed("PRESCRIPTION", "al")
    cuts = sorted(rng.choices(range(len(answer) + 1), k=rng.randint(1, 12)))
    assert online(answer, cuts, context, finder) == offline(answer, context, finder)


BASE64 = string.ascii_letters + string.digits + "+/"


@pytest.mark.parametrize(
    "text",
    [
        "She thinks that he is sozialdemokratisch ist.it for her above the Box Cañon.",
        "In den meisten Fragen denkt sie links.Si è candidato alle comunali con Alleanza Verdi e Sinistra.",
        "He met otto tre's friend",
        "PIN: otto otto uno tre's house",
        "Elle habite au 14 bis, rue des Peupliers, 75011 Paris. Bien.",
        "key " + "".join(random.Random(1).choices(BASE64, k=1_300)) + " end",
    ],
)
def test_every_single_cut_of_what_once_differed(text: str) -> None:
    whole = offline(text, NOTHING, QUICK)
    assert all(online(text, [cut], NOTHING, QUICK) == whole for cut in range(len(text) + 1))


@pytest.mark.parametrize(
    ("entity", "value", "text"),
    [
        (Entity.PASSPORT, "65653", '"{v}" is her passport number.'),
        (Entity.PASSPORT, "65653", "«\u00a0{v}\u00a0» est son numéro de passeport."),
        (Entity.PASSPORT, "65653", "{v} es su número de pasaporte."),
        (Entity.PASSPORT, "65653", "'{v}' è il numero di passaporto di Jo."),
        (Entity.PASSPORT, "65653", "„{v}“ ist ihre Passnummer."),
        (Entity.PIN, "4827", "**{v}** is the PIN of her phone."),
        (Entity.PASSWORD, "hunter22", '"{v}" is the password of Jo Day.'),
    ],
)
def test_a_code_may_be_named_behind_it_however_it_is_quoted(entity: Entity, value: str, text: str) -> None:
    text = text.replace("{v}", value)
    assert read(text) == [(entity, value)]
    assert online(text, range(len(text))) == offline(text)
    assert all(online(text, [cut]) == offline(text) for cut in range(len(text)))


@pytest.mark.parametrize(("entity", "frame", "value"), WORDED)
def test_every_character_may_come_alone(entity: Entity, frame: str, value: str) -> None:
    text = frame.replace("{v}", value) + " It is $12 on 12 May 2031, or not."
    spans = offline(text)
    assert online(text, range(len(text) + 1)) == spans
    for split in range(len(text)):
        assert online(text, [split]) == spans


@pytest.mark.parametrize(
    "text",
    [
        "468-749-1093-5",
        "her card ends in 7036-12.",
        "on 2024-03-24-1",
        "it is $14.5.6",
        "Jo Day works at Gregory PLC's.",
        "Write to me.ua for more now",
        "Jo Day is a liberal.24 Mar it was",
        'Role: nonename = "Jennifer Barrett"\nmobile',
        "Trabalha como encanador.const name = 'Loni'",
        "Diagnosis -  Jo Day works as a  at Lopez Inc. ",
        "He will see the dentist on August ١٦, ٢٠٢٤.",
        "IA 022193021 Harrison Gateway, Stephensshire, IA 02219",
        "the prefix is 2001:db8::ff00:42:8329 or ::1 today",
        "was <PHONE_NUMBER_3fa9c2> said",
    ],
)
def test_what_follows_a_value_decides_before_the_value_is_final(text: str) -> None:
    for split in range(len(text)):
        assert online(text, [split]) == offline(text)


@pytest.mark.parametrize(("entity", "value"), [(e, values[0]) for e, values in STRUCTURED.items()])
def test_every_part_of_a_value_may_be_prefilled(entity: Entity, value: str) -> None:
    for split in range(1, len(value)):
        spans = offline(value[split:] + ".", FindContext(ASKED[entity][1] + value[:split]))
        assert [(s.entity, s.start, s.end) for s in spans] == [(entity, -split, len(value) - split)]


def test_a_span_that_ends_in_the_prompt_is_not_reported() -> None:
    assert read(" and more.", left="Write to danielle68@example.com") == []


def test_a_match_is_final_only_when_nothing_can_lengthen_it() -> None:
    context, finder = FindContext(), FINDER.untagged()
    assert finder.next_span("Born on 12 May", 0, context=context, closed=False) == (None, 8)
    assert finder.next_span("Born on 12 May 19", 0, context=context, closed=False) == (None, 8)
    scan = finder.next_span("Born on 12 May 1931, or somewhat later, as it seems", 0, context=context, closed=False)
    assert scan.span is not None and (scan.span.start, scan.span.end, scan.frontier) == (8, 19, 19)


def test_ordinary_words_are_decided_at_once() -> None:
    """At most a segment of the tagger and a word are held, so that prose flows."""
    text, frontier, held = " ".join(FILLERS), 0, 0
    for cut in range(len(text)):
        frontier = FINDER.next_span(text[:cut], frontier, context=FindContext(), closed=False).frontier
        held = max(held, cut - frontier)
    assert held <= 64


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("野马队在分区轮以 23–16 击败了匹兹堡钢人队，在比赛的最", 48),
        ("Of 8 inhabitants 56.2% were Catholics and of", 48),
        ("It is DE89 3704 0044 0532 0130 00, all right", 48),
        ('{"a":[1,2,3],"b":[4,5,6]}' * 20, 32),
        (",".join(str(37 * number) for number in range(200)), 256),
        ("%41%42" * 100, 256),
    ],
)
def test_numbers_that_nothing_can_name_are_not_waited_for(text: str, most: int) -> None:
    frontier, held = 0, 0
    for cut in range(len(text)):
        while (scan := FINDER.next_span(text[:cut], frontier, context=NOTHING, closed=False)).span is not None:
            frontier = scan.frontier
        frontier = scan.frontier
        held = max(held, cut - frontier)
    assert held <= most


def test_a_warm_finder_has_its_tables() -> None:
    shipped.cache_clear()
    SpanFinder().warm()
    assert shipped.cache_info().currsize == 1


FRAGMENTS = [(entity, values[0], *ASKED[entity]) for entity, values in STRUCTURED.items()] + [
    (Entity.CREDIT_CARD_DIGITS, "7036", "What are the last four digits of her card?", "Her card ends in "),
]


@pytest.mark.parametrize(("entity", "value", "question", "lead"), FRAGMENTS)
def test_a_value_cut_short_is_a_fragment(entity: Entity, value: str, question: str, lead: str) -> None:
    """Announced by the question, by the answer, or by the prompt that it goes on with."""
    for end in range(2, len(value)):
        for text, context in (
            (value[:end], FindContext(question=question)),
            (lead + value[:end], FindContext()),
            (value[:end], FindContext(lead)),
        ):
            start = FINDER.next_span(text, 0, context=context, closed=False).frontier
            span = FINDER.fragment(text, start, context=context)
            assert span is not None and span.fragment and span.end == len(text), value[:end]
            assert span.start <= len(text) - end


@pytest.mark.parametrize("text", ["weil (", "Es ist so, dass Jan Weber (", "Sie sagt, dass Jan Weber \u201e"])
def test_a_frame_cut_short_before_a_mark_is_nothing(text: str) -> None:
    assert FINDER.fragment(text, 0, context=FindContext()) is None
    assert FINDER.next_span(text, 0, context=FindContext(), closed=True).span is None


@pytest.mark.parametrize(
    "question", ["", "What is the email of Jo Day?", "Who is Jo Day's doctor?", "Where does she live?"]
)
def test_plain_talk_cut_short_is_no_fragment(question: str) -> None:
    for line in (
        "I am not sure about that, but you may ask again",
        "We cannot help you with this",
        "All of us like the red house",
    ):
        for end in range(4, len(line) + 1):
            assert FINDER.fragment(line[:end], 0, context=FindContext(question=question)) is None, line[:end]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("+1-468-749-1093", "digits 1 4 6 8, 7 4 9, 1 0 9 3 then"),
        ("Wyatt Jacobson", "it was w.y.a.t.t J-A-C-O-B-S-O-N, you know"),
        ("7036", "x7-0-3-6x"),
        ("Gout", "gOuT"),
    ],
)
def test_a_suppressed_value_is_found_in_any_spelling(value: str, text: str) -> None:
    finder = FINDER.with_suppressed("PHONE_NUMBER", value)
    for spans in (offline(text, finder=finder), online(text, range(len(text) + 1), finder=finder)):
        [span] = [span for span in spans if span.recognizer == "suppressed"]
        letters = "".join(c for c in text[span.start : span.end] if c.isalnum()).casefold()
        assert "".join(c for c in value if c.isalnum()).casefold() in letters
    assert value not in repr(finder) and value not in repr(finder._suppressed)
    assert all(span.recognizer != "suppressed" for span in offline(text))


def test_a_short_suppressed_value_is_found_as_it_stands_only() -> None:
    finder = FINDER.with_suppressed("UTILITY_BILL", "$99").with_suppressed("OTHER", "A1")
    assert [(s.start, s.end, s.recognizer) for s in offline("it is $99, A1, a1, A-1, BA1", finder=finder)] == [
        (6, 9, "suppressed"),
        (11, 13, "suppressed"),
    ]


def test_a_suppressed_value_inside_a_longer_one_marks_the_whole() -> None:
    finder = FINDER.with_suppressed("PHONE_NUMBER", "749-1093")
    assert [(s.start, s.end, s.recognizer) for s in offline("call 468-749-1093, 5", finder=finder)] == [
        (5, 17, "suppressed")
    ]


@pytest.mark.parametrize(
    "unit",
    ["1", "1 ", "Aa ", "a.a", "a@", "(", "$", "a-", "Aa, ", "works as Aa, bb (", "is ", "reach call at ",
     "Aa to Aa to ", "his doctor is ", "12 Aa Bb, Cc, "],
)  # fmt: skip
def test_time_is_bounded_by_length(unit: str) -> None:
    def read(chars: int) -> None:
        text, position = (unit * chars)[:chars], 0
        while (scan := FINDER.next_span(text, position, context=FindContext(), closed=True)).span is not None:
            position = scan.frontier

    def seconds(chars: int) -> float:
        return cpu_seconds(lambda: read(chars), repeat=2)

    assert seconds(6_000) < 8 * max(seconds(1_500), 0.02)  # 4 if linear, 16 if quadratic
