"""Forms by triggers: each kind's examples, cuts, labels around a value, questions, what is nobody's, and the cost."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Sequence

import pytest

from reticent_bench.finder import hostile_cost, technical
from reticent_detectors.errors import InputError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import Asked, FormScan, Kinds, asked_kinds, found, read_form, read_kind, shipped
from reticent_detectors.finder.forms.kinds import Kind
from reticent_detectors.finder.forms.named import NOBODY
from reticent_detectors.finder.forms.somebody import has_full_name
from reticent_detectors.finder.forms.triggers import label_leads
from reticent_detectors.spans import FindContext, Span

MARK = re.compile(r"\[\[(.+?)\]\]", re.DOTALL)
KINDS = shipped()
NAMES = [name for name in KINDS.kinds if name != NOBODY]


def unmarked(marked: str) -> tuple[str, list[str]]:
    """Return an example's text without marks, and its values; one without marks is a value."""
    return MARK.sub(r"\1", marked), MARK.findall(marked) or [marked]


def plain(marked: str) -> str:
    return MARK.sub(r"\1", marked)


def values(text: str, kind: str, question: str = "") -> list[str]:
    spans = found(KINDS, text, asked_kinds(question))
    return [text[span.start : span.end] for span in spans if span.entity == kind]


def in_pieces(text: str, cuts: Sequence[int], asked: Asked | None = None) -> list[Span]:
    """Return what is found in a text that comes in pieces; nothing begins before what was said to be decided."""
    scan, spans, decided, last = FormScan(KINDS, asked), list[Span](), 0, 0
    for cut in (*cuts, len(text)):
        scan.feed(text[last:cut], closed=cut == len(text))
        new = scan.spans()
        assert all(span.start >= decided for span in new)
        assert scan.decided >= decided
        spans, decided, last = spans + new, scan.decided, cut
    return spans


def test_there_are_files_for_all_kinds_with_a_form() -> None:
    assert len(NAMES) >= 29
    assert all(KINDS.kinds[name].forms and KINDS.kinds[name].examples for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_kind_are_found_and_its_others_are_not(name: str) -> None:
    kind = KINDS.kinds[name]
    for example in kind.examples:
        text, wanted = unmarked(example)
        assert values(text, name) == wanted, example
    for other in kind.others:
        assert values(other, name) == [], other


def test_the_end_of_a_label_counts_after_the_word_that_leads_to_it() -> None:
    """Else every word after "with" might be a user's name."""
    assert {"in", "with", "a"} <= label_leads(KINDS).keys() and "username" not in label_leads(KINDS)
    assert values("You can sign in with jo_day7.", "USERNAME") == ["jo_day7"]


@pytest.mark.parametrize("name", list(KINDS.kinds))
def test_one_cut_anywhere_changes_nothing(name: str) -> None:
    for example in (*KINDS.kinds[name].examples, *KINDS.kinds[name].others):
        text = plain(example)
        whole = found(KINDS, text)
        for cut in range(1, len(text)):
            assert in_pieces(text, [cut]) == whole, (text, cut)
        assert in_pieces(text, range(1, len(text))) == whole, text


def test_many_cuts_of_joined_texts_change_nothing() -> None:
    rng = random.Random(11)
    pool = [plain(each) for kind in KINDS.kinds.values() for each in (*kind.examples, *kind.others)]
    for _ in range(200):
        text = rng.choice([" ", "\n", ". ", ", "]).join(rng.sample(pool, rng.randint(2, 4)))
        cuts = sorted(rng.sample(range(1, len(text)), rng.randint(1, len(text) // 3)))
        asked = asked_kinds(rng.choice(["", "What is her PIN?", "When was Ana born?", "His phone number?"]))
        assert in_pieces(text, cuts, asked) == found(KINDS, text, asked), (text, cuts)


def test_a_long_text_is_cut_off_at_the_front_and_offsets_stay() -> None:
    filler = "The valley lay quiet, and nobody spoke of it. " * 400
    text = f"{filler}Her PIN is 7036. {filler}Call +1 415 555 0134."
    spans = in_pieces(text, range(7, len(text), 7))
    assert [text[span.start : span.end] for span in spans] == ["7036", "+1 415 555 0134"]
    assert spans == found(KINDS, text)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ('{"phone": "5550147"}', "PHONE_NUMBER", "5550147"),
        ('{"phones": ["5550147", "5550148"]}', "PHONE_NUMBER", "5550147"),
        ("customer:\n  phone_number: 5550147\n", "PHONE_NUMBER", "5550147"),
        ("PHONE=5550147\n", "PHONE_NUMBER", "5550147"),
        ("<phone>5550147</phone>", "PHONE_NUMBER", "5550147"),
        ("<td>Phone</td><td>5550147</td>", "PHONE_NUMBER", "5550147"),
        ("| Name | Phone |\n|---|---|\n| Jo | 5550147 |\n", "PHONE_NUMBER", "5550147"),
        ("name,phone,town\nJo,5550147,Leeds\n", "PHONE_NUMBER", "5550147"),
        ("INSERT INTO t (name, phone) VALUES ('Jo', '5550147');", "PHONE_NUMBER", "5550147"),
        ("Phones:\n- 5550147\n- 5550148\n", "PHONE_NUMBER", "5550147"),
        ("My phone number, as you know, is 5550147.", "PHONE_NUMBER", "5550147"),
        ("The phone number of Ana Ruiz is 5550147.", "PHONE_NUMBER", "5550147"),
        ("Meine Nummer ist 5550147.", "PHONE_NUMBER", "5550147"),
        ("5550147 is my phone number.", "PHONE_NUMBER", "5550147"),
        ("412285346 (her SSN) is on file.", "US_SSN", "412285346"),
        ("WARN login failed user=jday77 ip=203.0.113.7", "USERNAME", "jday77"),
    ],
)
def test_labels_stand_before_and_after_and_in_all_surroundings(text: str, kind: str, value: str) -> None:
    assert value in values(text, kind)


@pytest.mark.parametrize(
    ("question", "text", "kind", "value"),
    [
        ("What is her PIN?", "7036", "PIN", "7036"),
        ("Wie lautet seine PIN?", "7036.", "PIN", "7036"),
        ("Quelle est sa date de naissance ?", "Le 4 juin 1990.", "DATE_OF_BIRTH", "4 juin 1990"),
        ("¿Cuál es su número de teléfono?", "976555031", "PHONE_NUMBER", "976555031"),
        ("Qual è il suo numero di conto?", "È 000041558702.", "BANK_ACCOUNT", "000041558702"),
        ("Qual é o passaporte da Ana Prim?", "FR412285", "PASSPORT", "FR412285"),
    ],
)
def test_a_question_makes_a_bare_value_one(question: str, text: str, kind: str, value: str) -> None:
    assert values(text, kind, question) == [value]
    assert values(text, kind) == []


@pytest.mark.parametrize(
    ("question", "text", "kind", "value"),
    [
        (
            "What is Nkechi Adebanwo in for?",
            "She is in for £37.",
            "TRANSACTION_AMOUNT",
            "£37",
        ),
        ("À combien s'élève l'ardoise de Linh Vautrin ?", "63,40 €", "TRANSACTION_AMOUNT", "63,40 €"),
        ("¿Cuánto le soltaron a Ana Ruiz?", "Fueron 1.420,75 €, creo.", "TRANSACTION_AMOUNT", "1.420,75 €"),
        ("appt date Delphine Okoro-Marsh?", "2026-02-03, 16:40", "APPOINTMENT_DATE", "2026-02-03, 16:40"),
        ("Complete: Jan Weber, the plumber rings on", "19 November", "APPOINTMENT_DATE", "19 November"),
    ],
)
def test_who_asks_about_somebody_by_name_asks_for_bare_sums_and_days(
    question: str, text: str, kind: str, value: str
) -> None:
    assert values(text, kind, question) == [value]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What does a loaf cost in New York?", "£3"),
        ("Tell me how the Roman Empire fell.", "On 4 September 476."),
        ("How much is the Eiffel Tower worth?", "€434 million"),
        ("What is the Xiaomi Redmi like?", "It costs $199."),
        ("What data does John Smith's library support?", "It was released on 3 March 2019."),
        ("Who was Ana Ruiz?", "She sang. On 3 March 1981 she left the stage."),
    ],
)
def test_other_questions_ask_for_none(question: str, text: str) -> None:
    assert found(KINDS, text, asked_kinds(question)) == []


def test_what_two_words_in_a_row_are_somebodys_name() -> None:
    names = ("Oonagh McGillycreel", "Priya Ramanathan-Lowe", "Thaddeus J. Bickle", "John Brown's", "Leonardo da Vinci")
    assert all(map(has_full_name, names))
    others = ("New York", "SQL INSERT", "the Eiffel Tower", "World War", "Leiterin der Stadtbücherei", "ana ruiz")
    assert not any(map(has_full_name, others))


def test_an_earlier_question_counts_for_an_answer_that_begins_with_the_value() -> None:
    asked = asked_kinds("And again?", earlier="What is her PIN?")
    assert [span.entity for span in found(KINDS, "7036", asked)] == ["PIN"]
    assert found(KINDS, "In the long year of that war it was the number 7036", asked) == []


@pytest.mark.parametrize("sort", list(technical.SORTS))
def test_technical_lines_hold_no_value(sort: str) -> None:
    lines = [line for name, line in technical.lines() if name == sort]
    assert sum(bool(found(KINDS, line)) for line in lines) <= 1  # one row of whole numbers is an identity number


@pytest.mark.parametrize(
    "text",
    ["0.0.0.0", "::1", "CVE-2024-12345", "id: 48211", "v10.2.31.4", "The war began on 3 March 1981.", "2024-05-01"],
)
def test_what_is_nobodys_is_left(text: str) -> None:
    assert found(KINDS, text) == []


def fragment_of(text: str) -> Span | None:
    """What a finder of forms alone takes for a value that the end of a text cut short."""
    finder, context = SpanFinder((FormValues(KINDS),)), FindContext()
    start = finder.next_span(text, 0, context=context, closed=False).frontier
    return finder.fragment(text, start, context=context)


def test_a_value_that_the_end_cut_short_is_a_fragment() -> None:
    fragment = fragment_of("Her SSN is 412-28")
    assert fragment is not None and (fragment.entity, fragment.start, fragment.fragment) == ("US_SSN", 11, True)
    assert fragment_of("It took 41 steps") is None


@pytest.mark.parametrize(
    ("text", "kind", "begun"),
    [
        ("Write to anna.k@", "EMAIL_ADDRESS", "anna.k@"),
        ("Her e-mail is anna", "EMAIL_ADDRESS", "anna"),
        ("see https://exam", "URL", "https://exam"),
        ("Password: Tul", "PASSWORD", "Tul"),
        ("username: jd", "USERNAME", "jd"),
        ("use sk-", "SECRET_KEY", "sk-"),
        ("use ghp_16C7", "SECRET_KEY", "ghp_16C7"),
        ("She lives at Lindenstr", "ADDRESS", "Lindenstr"),
        ("Er wohnt in der Lindenstr", "ADDRESS", "Lindenstr"),
        ("Her address is 12 Oak", "ADDRESS", "12 Oak"),
        ("passport number C", "PASSPORT", "C"),
        ("born on Mar", "DATE_OF_BIRTH", "Mar"),
        ("She flies from Bost", "FLIGHT", "Bost"),
        ("it is +44 770", "PHONE_NUMBER", "+44 770"),
    ],
)
def test_a_value_is_a_fragment_before_its_first_figure(text: str, kind: str, begun: str) -> None:
    fragment = fragment_of(text)
    assert fragment is not None and (fragment.entity, text[fragment.start : fragment.end]) == (kind, begun)
    scan = FormScan(KINDS)
    scan.feed(text)
    assert scan.begun(fragment.start) == kind


@pytest.mark.parametrize(
    "text",
    ["the password is requ", "token: str", "He lives in Lond", "Er wohnt in der Schwei", "sk-learn",
     "The streets are in New York City", "a well-kno", "In 1990 Michael Jor", "We met in 19", "It is about 12",
     "The password reset pag", "username is the na"],
)  # fmt: skip
def test_prose_that_is_cut_holds_no_fragment(text: str) -> None:
    assert fragment_of(text) is None


def test_what_names_a_place_is_known_at_every_offset() -> None:
    text = "Her PIN is 7036.\n| Name | Phone |\n|---|---|\n| Jo | none |\nHis password is long."
    scan = FormScan(KINDS)
    scan.feed(text, closed=True)
    for word, kind in (("7036", "PIN"), ("none", "PHONE_NUMBER"), ("long", "PASSWORD")):
        named = scan.named(text.index(word))
        assert named is not None and kind in named.kinds
    assert scan.named(text.index("Phone")) is None


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("mysql -u skywalker7 -h db", "USERNAME", "skywalker7"),
        ("curl -u ana7:Tulip9harv https://a.example", "PASSWORD", "Tulip9harv"),
        ("ssh tkerr937@10.0.0.5", "USERNAME", "tkerr937"),
        ("ls /home/jdoe-710/notes", "USERNAME", "jdoe-710"),
        ("login('bai_3', 'Tul#9harv')", "PASSWORD", "Tul#9harv"),
        ("ALTER USER x IDENTIFIED BY 'Piano#6990';", "PASSWORD", "Piano#6990"),
        ("The password for jo@example.com is tu@6486ipZ.", "PASSWORD", "tu@6486ipZ"),
        ("The PIN for the card: 0129", "PIN", "0129"),
        ("Her PIN? It's 4821.", "PIN", "4821"),
        ("4821: PIN", "PIN", "4821"),
        ("C4J9K2T1. Das ist ihre Passnummer.", "PASSPORT", "C4J9K2T1"),
        ("### PIN\n\n4821\n", "PIN", "4821"),
        ("Name,Password,id\nJo,Tig3r95!,12\n", "PASSWORD", "Tig3r95!"),
        ("Serial: 07700 900123", "PHONE_NUMBER", "07700 900123"),
    ],
)
def test_places_in_commands_and_before_their_names_are_known(text: str, kind: str, value: str) -> None:
    assert value in values(text, kind)


def test_a_recogniser_of_a_policy_is_a_form_as_it_stands() -> None:
    row = {"pattern": "EMP-[0-9]{6}", "context": ["employee"], "examples": ["EMP-471104"]}
    kinds = Kinds([Kind("EMPLOYEE_ID", (read_form("EMPLOYEE_ID", row),))])
    assert [span.entity for span in found(kinds, "The employee EMP-471104 left.")] == ["EMPLOYEE_ID"]
    assert found(kinds, "The part EMP-471104 left.") == []


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({}, "pattern or a reader"),
        ({"pattern": "(a+)+"}, "10000 ways"),
        ({"pattern": "a", "reader": "mail"}, "either"),
        ({"reader": "nobody"}, "no reader"),
        ({"pattern": "a", "check": "nobody"}, "no check"),
        ({"pattern": "a", "needs": "much"}, "expected one of"),
        ({"pattern": "a", "digits": -1}, "whole numbers"),
        ({"pattern": "a", "other": 1}, "unknown key"),
        ({"pattern": "a", "context": [7]}, "list of texts"),
    ],
)
def test_what_is_no_form_is_refused_and_the_place_is_named(row: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said) as raised:
        read_form("X", row, "X.yaml: form 1")
    assert str(raised.value).startswith("X.yaml: form 1")


def test_what_is_no_kind_is_refused() -> None:
    for row in (7, {}, {"kind": "X", "other": 1}, {"kind": "X", "forms": 7}, {"kind": "X", "labels": {"xx": ["a"]}}):
        with pytest.raises(InputError, match=r"^X\.yaml"):
            read_kind(row, "X.yaml")


SHORT, LONG, GROWTH, STILL_SECONDS = 400, 800, 3.0, 0.05
FORMS = [form for form in hostile_cost.forms() if form.family != hostile_cost.ORDINARY]


def seconds(text: str, piece: int) -> float:
    scan, began = FormScan(KINDS), time.process_time()
    for at in range(0, len(text), piece or len(text)):
        scan.feed(text[at : at + (piece or len(text))])
    scan.feed("", closed=True)
    return time.process_time() - began


@pytest.mark.parametrize("family", sorted({form.family for form in FORMS}))
def test_a_hostile_text_costs_in_proportion_to_its_length(family: str) -> None:
    seconds("Her PIN is 7036.", 0)
    for form in FORMS:
        if form.family == family:
            for piece in (7, 0):
                short, long = (min(seconds(form.text(n), piece) for _ in range(2)) for n in (SHORT, LONG))
                assert long <= GROWTH * short + STILL_SECONDS, form.name
                assert 1000 * long / LONG <= 1.0, form.name
