"""Disguised values: every form over every kind, cut anywhere, and what is no value."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

import pytest
from timing import cpu_seconds

from reticent import TextGuard
from reticent_bench.finder.disguise_forms import FORMS
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.finder.disguises.disguises import Disguised, Found
from reticent_detectors.finder.disguises.escapes import STARTS
from reticent_detectors.finder.disguises.families import says_nothing
from reticent_detectors.finder.disguises.ordinary_words import may_begin
from reticent_detectors.finder.disguises.plain_form import plain_form
from reticent_detectors.finder.engine.position import Position
from reticent_detectors.finder.engine.recognizers import NONE, OPEN
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import found as values_of
from reticent_detectors.finder.forms import shipped
from reticent_detectors.finder.plain_text import plain_form_of
from reticent_detectors.spans import FindContext

VALUES = {
    "jane.roe@example.org": "EMAIL_ADDRESS",
    "m_lopez42@mail.example.com": "EMAIL_ADDRESS",
    "39b3b48e-b913-46b6-8216-149fe3ee5663": "ORDER_NUMBER",
    "GB29NWBK60161331926819": "IBAN_CODE",
    "DE89 3704 0044 0532 0130 00": "IBAN_CODE",
    "415-555-0132": "PHONE_NUMBER",
    "(415) 555-0132": "PHONE_NUMBER",
    "536-22-8145": "US_SSN",
    "4539 1488 0343 6467": "CREDIT_CARD",
    "1984-03-24": "DATE_OF_BIRTH",
    "24/03/1984": "DATE_OF_BIRTH",
    "192.168.40.17": "IP_ADDRESS",
}
LEADS = {"ORDER_NUMBER": "Order number: ", "DATE_OF_BIRTH": "She was born on "}
"""What stands before values that count only where something names their kind."""


def lead(value: str) -> str:
    return LEADS.get(VALUES[value], "It is ")


DISGUISED = Disguised(FormValues(shipped()))
_START = re.compile(rf"(?<!\w)[^\W_]|[$€£+({STARTS}]")
Spans = list[tuple[str, int, int, str]]


def spans(text: str, cuts: Iterable[int] = ()) -> Spans:
    """The disguised values of a text that arrives in pieces: the finder's own loop, with this recogniser alone."""
    found: Spans = []
    p = 0
    for cut, closed in [*((cut, False) for cut in cuts), (len(text), True)]:
        part = text[:cut]
        while (start := _START.search(part, p)) is not None:
            p = start.start()
            answer = DISGUISED.found(part, p, Position(part, p), closed)
            if answer == OPEN:
                break
            if isinstance(answer, Found):
                found.append((answer.entity, p, answer.end, answer.name))
                p = answer.end
            else:
                p += 1
    return found


def left_over(form: str, value: str) -> str:
    """Gives the letters and digits of a disguised value that nothing covers, without the words for marks."""
    text = plain_form_of(f"{lead(value)}{FORMS[form](value)} as said.")
    covered = [(start, end) for entity, start, end, _ in spans(text) if entity == VALUES[value]]
    covered += [(span.start, span.end) for span in values_of(shipped(), text)]
    rest = "".join(c for i, c in enumerate(text) if not any(start <= i < end for start, end in covered))
    rest = rest.replace(lead(value), "").replace(" as said.", "").replace('span class="x"', "").replace("<b>", "")
    return "".join(c for c in rest if c.isalnum())


@pytest.mark.parametrize("form", FORMS)
def test_a_disguised_value_is_found_whole(form: str) -> None:
    assert {value: rest for value in VALUES if FORMS[form](value) != value and (rest := left_over(form, value))} == {}


def test_there_are_at_least_forty_forms() -> None:
    assert len(FORMS) >= 40
    assert all(any(form(value) != value for value in VALUES) for form in FORMS.values())


def _characters(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


@pytest.mark.parametrize("form", FORMS)
def test_the_plain_form_of_a_span_is_the_value(form: str) -> None:
    for value in VALUES:
        text = plain_form_of(f"{lead(value)}{FORMS[form](value)} as said.")
        for _, start, end, name in spans(text):
            plain = plain_form(name, text[start:end])
            assert plain is not None and _characters(value) in _characters(plain)


def test_only_disguised_spans_have_a_plain_form() -> None:
    assert plain_form("email", "ｊane@example.org") is None
    assert plain_form("disguised:base64", "jane@example.org") is None
    assert plain_form("disguised:characters", "") is None
    assert plain_form("disguised:characters", "j&#97;ne&commat;example.org") == "jane@example.org"


@pytest.mark.parametrize(
    ("text", "disguised"),
    [
        ("Call four one five, five five five, zero one three two now.",
         "four one five, five five five, zero one three two"),
        ("write to jane dot roe at example dot org, please", "jane dot roe at example dot org"),
        ("jane[at]example[dot]org is hers", "jane[at]example[dot]org"),
        ("(jane.roe at example.org)", "jane.roe at example.org"),
        ("dial 4 1 5 5 5 5 0 1 3 2 or not", "4 1 5 5 5 5 0 1 3 2"),
        ("it is **415**-**555**-0132.", "415**-**555**-0132"),
        ("it is 415-555-\n0132.", "415-555-\n0132"),
        ("mail jane.roe@exam\nple.org today", "jane.roe@exam\nple.org"),
        ("see bW9jOiBqYW5lLnJvZUBleGFtcGxlLm9yZw== there", "bW9jOiBqYW5lLnJvZUBleGFtcGxlLm9yZw=="),
        ("it is forty-one fifty-five fifty-five zero one thirty-two",
         "forty-one fifty-five fifty-five zero one thirty-two"),
        ("４１５‑５５５‑０１３２、です", "４１５‑５５５‑０１３２"),
    ],
)  # fmt: skip
def test_a_span_is_the_disguised_value_alone(text: str, disguised: str) -> None:
    assert [text[start:end] for _, start, end, _ in spans(text)] == [disguised]


HARMLESS = """one two three go|three or four people came in two or three cars
one, two, three, four, five, six, seven, eight, nine, ten|ten nine eight seven six five four three two one
Look at the dot in the middle.|Visit us at home or at noon.|a b c d e f g h i j|Find us at example dot org
pages 101, 102, 103 and 104|Alpha, Bravo and Charlie went to Lima in November|50% of 300, x=42, a & b
pi is three point one four one five nine|1 2 3 4 5 6 7 8 9 10|He said “yes”—and left.
Um ein Uhr, oder um zwei? Eins, zwei, drei!|un, deux, trois|El punto es que no|Ella llegó a las dos o tres
Сова и оса, 1990 год|他在2019年１２月去了北京。|Mike, Oscar and Victor stayed at the hotel.
<b>Dear</b> all, **this** is `code`.|Line one\nLine two\n3 4\n5
internationalisation and SomeVeryLongIdentifierNameHere|It is jane.roe@example.org.|+1 415 555 0132
415-555-0132\n415-555-0133|call 415-555-0132*, or not\njane.roe@example.com\nThanks
The first line\njane.roe@example.org""".replace("\n", "|").split("|")


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_text_and_plain_values_are_not_disguised(text: str) -> None:
    assert spans(text) == []


def test_harmless_text_in_disguise_is_no_value() -> None:
    """Under 1 % of disguised sentences, and of sentences with one disguised word, may hold a span."""
    rng = random.Random(3)
    texts = []
    for form in FORMS.values():
        for text in HARMLESS[:9]:
            words = text.split(" ")
            place = rng.randrange(len(words))
            texts += [form(text), " ".join([*words[:place], form(words[place]), *words[place + 1 :]])]
    false = [text for text in texts if spans(text)]
    assert len(false) < 0.01 * len(texts)


def test_cuts_change_nothing() -> None:
    """Cuts change nothing: values in every form amid text that looks like the beginning of one."""
    rng = random.Random(11)
    row = """call me at the dot one of two, her mail is so (see) here. Then it was a b c 4 5 = % & < > \\ * _ ` @ . - 12
        1990 é Сова word—word “q” 电话 &amp; x=4 3% a=44 <b> **b** four-one no. point arroba golf Mike double seven oh
        0x34 aGVsbG8gd29ybGQ= # \u200b"""
    words = row.split()
    gaps = [" ", " ", " ", "", ". ", ", ", "\n", "-", "/", "'s ", "(", "@"]
    forms, values = list(FORMS.values()), list(VALUES)
    for _ in range(60):
        pieces = []
        for _ in range(rng.randint(1, 5)):
            value = rng.choice(values)
            disguised = rng.choice(forms)(value)
            cut = disguised[: rng.randint(1, len(disguised))]
            pieces += [
                rng.choice([disguised, cut, value, *([" ".join(rng.choices(words, k=4))] * 3)]),
                rng.choice(gaps),
            ]
        text = "".join(pieces)
        offline = spans(text)
        assert spans(text, range(len(text) + 1)) == offline
        assert spans(text, sorted(rng.choices(range(len(text) + 1), k=5))) == offline


@pytest.mark.parametrize("form", ["at and dot", "spelled in english", "base64", "line break", "spaced"])
def test_every_cut_of_a_value(form: str) -> None:
    for value in VALUES:
        text = f"{lead(value)}{FORMS[form](value)} as said."
        assert all(spans(text, [cut]) == spans(text) for cut in range(len(text)))


# Texts that name the kind, then a value as an attacker may have it written; the whole finder reads them.
WRITTEN = [
    ("See ", "ｗｗｗ．ｅｘａｍｐｌｅ．ｃｏｍ／ｊａｎｅ", " for more."),
    ("See ", "httрѕ://јоnеѕ.соm/реорlе/glеndа57.html", " for more."),
    ("See ", "https://west․com/profile?id=408238&tab=posts", " for more."),
    ("See ", "**https**://example.org/~jane", " for more."),
    ("See ", "https://www dot miller-mercer dot biz/~ralph39", " for more."),
    ("See ", "www[dot]bell[dot]biz/amanda", " for more."),
    ("See ", "hxxps[:]//example[.]org/~jane", " for more."),
    ("See ", "h t t p s colon slash slash w w w dot d o w n s dot n e t slash ~ m a r k", ", I think."),
    ("See ", "h-t-t-p-colon-slash-slash-a-b-c-dot-o-r-g-slash-p-?-i-d-=-four", ", I think."),
    ("See ", "75yrneh~/moc.notgnihsaw-noskcaj.www//:sptth", " for more."),
    ("See ", "uggcf://jjj.rknzcyr.pbz/~wnar", " for more."),
    ("Call me on ", "411[dot]937[dot]4135x28755", "."),
    ("Use the token ", "SG punto wIyCDVm11aE4wc350TPkP0 punto x3QsuwKuIsomT0QwdO4k5P5wv61kCicoruLSLYg3tKo", "."),
    ("She was born on ", "4 Julу 1978", "."),
    ("She was born on ", "14 Novem\nber 1979", "."),
    ("She was born on ", "April ⁴, ¹⁹⁴¹", "."),
    ("She was born on ", "4 de аbril de 1988", "."),
    ("She was born on ", "September\u20094,\u20091981", "."),
    ("She was born on ", "**10** April 1991", "."),
    ("She was born on ", "one four S e p t e m b e r one nine six four", "."),
    ("She was born on ", "3991 rebmeceD 7", "."),
    ("She was born on ", "Bpgbore 21, 1947", "."),
    ("His IBAN is ", "FR62 7415 3722 3\n875 4446 4174 895", "."),
    ("The server answers at ", "2аО2:5659::1е66:89Оf", "."),
    ("The server answers at ", "2001:db8:ddce:fafb:\n4ad0:a48d:711a:adae", "."),
    ("ID card number ", "ΒΖ 20 21 41 D", "."),
    ("ID card number ", "93110\n6-9604", "."),
    ('Her DL is <span class="x">', "H665</span>4845", "."),
    ("Chart number ", "SDk4MDQ5MQ==", " was pulled."),
    ("You can reach him at ", "3833392e3831352e34383935", " after six."),
    ("The password is ", "T\u200bi\u200bg\u200be\u200br\u200b!\u200b4\u200b5", "."),
]  # fmt: skip


def full_spans(text: str, cuts: Iterable[int] = ()) -> list[tuple[int, int]]:
    """Where the whole finder finds something in a text that arrives in pieces."""
    found, frontier = [], 0
    for cut, closed in [*((cut, False) for cut in cuts), (len(text), True)]:
        while (scan := FULL.next_span(text[:cut], frontier, context=FindContext(), closed=closed)).span is not None:
            found.append((scan.span.start, scan.span.end))
            frontier = scan.frontier
        frontier = scan.frontier
    return found


FULL = SpanFinder(recognizers())


@pytest.mark.parametrize(("before", "written", "after"), WRITTEN)
def test_the_whole_finder_reads_what_an_attacker_has_written(before: str, written: str, after: str) -> None:
    text = before + written + after
    found = full_spans(text)
    inside = sum(max(0, min(end, len(before + written)) - max(start, len(before))) for start, end in found)
    assert inside >= 0.8 * len(written)
    assert full_spans(text, range(len(text) + 1)) == found


PLAIN_TALK = (
    """The dot com boom ended, and one of the first of many was gone.|See https://example.com/\nJane went home.
Look at the dot in the middle of it.|On May the third of them came.|Call 415-555-0132\n12 people came.
In no\nvember it rains.|It was 1 of 2 in March and 3 of 4 in May.|No. 2 slash 3 dot 4 and so on
54 68 65 20 64 6f 67 20 61 74 65 20 69 74|w.a.s. .i.n. .2.0.1.5. .o.r.""".replace("\n", "|")
    .replace("\\n", "\n")
    .split("|")
)


@pytest.mark.parametrize("text", PLAIN_TALK)
def test_plain_talk_is_not_read_as_a_disguise(text: str) -> None:
    plain = {"https://example.com/", "415-555-0132"}
    assert {text[start:end] for start, end in full_spans(text)} <= plain


@pytest.mark.parametrize(("more", "counts"), [("'s", False), ("%x", False), ("%xy", False), ("%xyz", True)])
def test_an_address_read_in_reverse_counts_from_four_characters_more(more: str, counts: bool) -> None:
    """Both readings are addresses: gro.roe@jane.org, and what follows it in reverse, such as s'gro.enaj@eor.org."""
    text = f"Write to gro.roe@jane.org{more} today."
    assert full_spans(text) == [(9, 25 + (len(more) if counts else 0))]


def test_base64_of_a_sentence_says_nothing() -> None:
    text = "SGUgd29ya3MgZnJvbSBob21lIG9uIG1vc3QgZGF5cy4="
    assert says_nothing(text, 0, len(text))
    for other in ("c2tfbGl2ZV9BZVppUmJWdklwOVNTdHhiSkNGQU5Gd1Y=", "x3QsuwKuIsomT0QwdO4k5P5wv61kCicoruLSLYg3tKo"):
        assert not says_nothing(other, 0, len(other))


def test_how_a_text_is_cut_does_not_tell_digits_with_marks_apart() -> None:
    for text in (
        "to ๕๗๑๒๑.@6.8.@6.8.1.9.4.8.3.4.0, My credit card",
        "at ۶۲.۲۹.۱۷۸.۱۶۷.=\nRF24 9900 \r\nRF24 9900 5693 2334 5534 2611 ",
    ):
        found = full_spans(text)
        assert all(full_spans(text, [cut]) == found for cut in range(len(text)))


def test_ordinary_words_are_decided_with_the_next_word() -> None:
    text = (
        "Sie hat eine Katze, and one of the two men looked at the house; "
        "five people came in 1990 with a friend to see it."
    )
    for start in re.finditer(r"\w+", text):
        following = re.compile(r"\W+\w+\W+\w").match(text, start.end())
        if following is not None:
            p, cut = start.start(), following.end()
            at_house = text[p : p + 6] in ("looked", "at the", "the ho")
            assert at_house or DISGUISED.at(text[:cut], p, Position(text[:cut], p), False) == NONE, text[p:cut]


def test_may_begin_is_a_gate() -> None:
    assert not may_begin("the house was", 0) and not may_begin("1990 was good", 0) and not may_begin("(see there)", 0)
    for text in ("four five", "jane at home", "ｊane is", "4\u200b15", "a b c", "YWJjZGVmZ2hpamts is", "&#52; is"):
        assert may_begin(text, 0)


def test_a_disguised_value_cut_short_begins_one() -> None:
    for form, value in (
        ("spelled in english", "415-555-0132"),
        ("at and dot", "jane.roe@example.org"),
        ("base64", "jane.roe@example.org"),
        ("zero-width spaces", "415-555-0132"),
        ("html decimal", "415-555-0132"),
        ("spaced", "jane.roe@example.org"),
    ):
        disguised = FORMS[form](value)
        text = "It is " + disguised[: 4 * len(disguised) // 5]
        assert DISGUISED.could_be_cut_value(text, 6, Position(text, 6)), form
    for text in ("one of them", "jane went home", "It is 415-555-", "aGVsbG8gd29ybGQgaGVsbG8"):
        assert not DISGUISED.could_be_cut_value(text, 0, Position(text, 0))


@pytest.mark.parametrize(
    "unit",
    ["one ", "four one five ", "a ", "1 ", "4 1 5-", "&#", "&#52;", "4\u200b", "aGVsbG8g", "4142 ", "0x41 ", "a@",
     "one at ", "a.", "<b>", "4<b>", "( ", "\\u0034", "%34", "=34", "=\n", "a.b\n", "ⓐ", "４ ", "double ",
     "4155550132\n", "dot ", "november ", "x[at]", "moc.elpmaxe@eor.enaj "],
)  # fmt: skip
def test_time_is_bounded_by_length(unit: str) -> None:
    """A hundred thousand characters in under 20 s on a slow machine, measured on 4,000."""
    text = (unit * 4000)[:4000]
    assert cpu_seconds(lambda: spans(text), repeat=2) < 0.8


def test_a_repr_shows_no_text() -> None:
    assert repr(DISGUISED) == "Disguised()"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Order number: 1234567890\nRecipient: Jo", "Order number: 1234567890\nRecipient: Jo"),
        ("Patient ID: 1234567890\nName: x", "Patient ID: 1234567890\nName: x"),
        ("My DNI is 12345678-\nZ.", "My DNI is <NATIONAL_ID>."),
    ],
)
def test_the_next_lines_label_is_no_part_of_a_number_and_a_last_letter_is(text: str, shown: str) -> None:
    assert TextGuard("gateway").redact(text).text == shown
