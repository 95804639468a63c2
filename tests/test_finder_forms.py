"""Values by their form and context: numbers, masks, lists of numbers, names that the tagger saw in part."""

from __future__ import annotations

import pytest
from finder_cuts import found

from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.engine.recognizers import OPEN
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import network, shipped
from reticent_detectors.finder.table import recognizers
from reticent_detectors.finder.tagger.likely import is_piece, may_be
from reticent_detectors.finder.tagger.names import name_end
from reticent_detectors.spans import FindContext

FINDER = SpanFinder()
FORMS = SpanFinder((FormValues(shipped()),))
# Values stand in braces, each behind its kind.
VALUES = """
cc {CREDIT_CARD 4556601938071755}
Please take {CREDIT_CARD 4907 6600 1123 4508} or the other one.
{"pan":"{CREDIT_CARD 4556737586899855}","exp":"0927"}
Order {ORDER_NUMBER 4485-2093-7716-5083} ships tomorrow.
Her account number is {BANK_ACCOUNT 4485 2093 7716 5083}.
iban: {IBAN_CODE de42 1203 0000 0011 2233 44} lg tobi
Bank account: IBAN {IBAN_CODE GB82WEST12345698765432}
Her account is IBAN {IBAN_CODE NL27 INGB 0001 2345 67}.
on {IBAN_CODE IT49 Q 01005 03200 000000218540} (Remo)
Routing: {BANK_ACCOUNT 021000089}  Account: {BANK_ACCOUNT 4483920017}
The usual one, {BANK_ACCOUNT 2038 5778 98 3000760236}, Mrs. Conde.
Clogged again? Dial {PHONE_NUMBER 1-800-555-DRIP} and wait.
Pizza! {PHONE_NUMBER 800 555 024}, in twenty minutes.
Tlf.{PHONE_NUMBER 22 555 01 73}|Tlm.{PHONE_NUMBER 91 555 22 08}
Registrar {PHONE_NUMBER 555-0100 x230} or nobody
Dial {PHONE_NUMBER 911}, then meet him at mile 112.
| Drill | 555-0121-X |
budget 20240611.0915 and 0.2079460385 of v1.22.333.200.5120
barcode 9780306406157, sent 1675237510555 ms
12.03.24 08.15 – 13.03.24 17.45, week 11
Write to _{EMAIL_ADDRESS jo@example.org}_ now, not plan_v3@final.pdf
npm i @scope/pkg@1.2.3
Girocard ************{CREDIT_CARD_DIGITS 2058} and more
1,Lidia,MC,{CREDIT_CARD_DIGITS 0623}
("Ana", "visa", "{CREDIT_CARD_DIGITS 4715}"),
Josefine ({CREDIT_CARD_DIGITS 0438}, her Mastercard) paid.
Pat's Mastercard, {CREDIT_CARD_DIGITS 8147}; and that
"""


def _marked(line: str) -> tuple[str, list[tuple[str, str]]]:
    text, gold, rest = "", list[tuple[str, str]](), line
    while True:
        at = next((i for i in range(len(rest) - 1) if rest[i] == "{" and rest[i + 1].isupper()), -1)
        if at < 0:
            return text + rest, gold
        kind, _, value = rest[at + 1 : rest.index("}", at)].partition(" ")
        gold.append((kind, value))
        text, rest = text + rest[:at] + value, rest[rest.index("}", at) + 1 :]


@pytest.mark.parametrize("line", VALUES.strip().splitlines())
def test_forms(line: str) -> None:
    text, gold = _marked(line)
    spans = found(FORMS, text, [], FindContext())
    assert [(s.entity, text[s.start : s.end]) for s in spans] == gold
    assert found(FORMS, text, range(1, len(text)), FindContext()) == spans


# What was found and is none, and what was found too long or not at all.
FAULTS = [
    ("They took place in England. In 1", []),
    ("The games took place in England. In 1912 Stockholm hosted.", []),
    ("She lives at place de la Bastille 12, Paris.", [("ADDRESS", "place de la Bastille 12, Paris")]),
    ("She lives at 12 place de l'Avenir. On 12 May she left.", [("ADDRESS", "12 place de l'Avenir")]),
    ("His home address is 14 rue du Lac. In 1999, he moved.", [("ADDRESS", "14 rue du Lac")]),
    ("Son adresse est 14 rue du Lac. Le 12 mai, elle part.", [("ADDRESS", "14 rue du Lac")]),
    ("Elle habite au 14 rue du Lac. Le train passe.", [("ADDRESS", "14 rue du Lac")]),
    ("Vive en plaza del Sol. El 12 de mayo viaja.", []),
    ("Her address is place du Lac. On 12 May, she left.", []),
    ("Abita in via Roma 12, Milano.", [("ADDRESS", "via Roma 12, Milano")]),
    ("At 12 High Street, Leeds: +1 415 555 0132", [("ADDRESS", "12 High Street"), ("PHONE_NUMBER", "+1 415 555 0132")]),
    ("Her address is 12 rue du Gen. Leclerc, Paris", [("ADDRESS", "12 rue du Gen. Leclerc, Paris")]),
    ("12 rue du Dr. Le Gall, 75001 Paris", [("ADDRESS", "12 rue du Dr. Le Gall, 75001 Paris")]),
    ("Her address is Av. Gral. Paz 12, Lima. On", [("ADDRESS", "Av. Gral. Paz 12, Lima")]),
    ("12 Oak St. Springfield, IL 62704", [("ADDRESS", "12 Oak St. Springfield, IL 62704")]),
    ("class TestLogin(unittest.TestCase):\n    def test_password(self):", []),
    ("password: unittest.TestCase", []),
    ("password: Blue.Horse77", [("PASSWORD", "Blue.Horse77")]),
    ("The bank account Fibonacci: 0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89", []),
    (
        "NHC: 5512345.\nDoctor: Luis Gil",
        [("MEDICAL_RECORD_NUMBER", "5512345"), ("DOCTOR", "Luis Gil")],
    ),
    ("Doctor: Luis Gil Teléfono: 611 550 273", [("PHONE_NUMBER", "611 550 273")]),
    ("Fax 030 23125-901, Seiten: 4", [("PHONE_NUMBER", "030 23125-901")]),
]


@pytest.mark.parametrize(("text", "gold"), FAULTS, ids=range(len(FAULTS)))
def test_faults(text: str, gold: list[tuple[str, str]]) -> None:
    spans = found(FINDER, text, [], FindContext())
    assert [(s.entity, text[s.start : s.end]) for s in spans] == gold
    assert found(FINDER, text, range(1, len(text)), FindContext()) == spans


# An address ends where its domain does, whatever stands after it; a file's name alone is none.
MAILS = [
    ("Open jo@example.org.pdf.", "jo@example.org"),
    ("cv_jo@example.com.PDF", "cv_jo@example.com"),
    ("jo@example.co.uk.tar.gz", "jo@example.co.uk"),
    ("jo.roe@example.com_notes.pdf", "jo.roe@example.com"),
    ("jo@example.com-notes.pdf", "jo@example.com"),
    ("jo@example.com.notes.bak", "jo@example.com"),
    ("jo [at] example.org.docx", "jo [at] example.org"),
    ("jo@example.org/cv.pdf", "jo@example.org"),
    ("jo@mail.internal", "jo@mail.internal"),
    ("jo@example.com.zip", "jo@example.com.zip"),
    ("jo@example.pdf", ""),
    ("Her e-mail: jo@example.pdf", ""),
    ("plan_v3@final.pdf", ""),
    ("icon@3x.example.png", ""),
    ("logo@2x.min.js", ""),
    ("app@1.2.3.tar.gz", ""),
    ("jo@example.org7", "jo@example.org"),
    ("jo@example.org_x", "jo@example.org"),
    ("jo@a.b.c.d.e.example.org", "jo@a.b.c.d.e.example.org"),
    ("jo@example.xn--p1ai.", "jo@example.xn--p1ai"),
]


@pytest.mark.parametrize(("text", "mail"), MAILS)
def test_a_mail_address_ends_with_its_domain(text: str, mail: str) -> None:
    spans = found(FINDER, text, [], FindContext())
    assert [(s.entity, text[s.start : s.end]) for s in spans] == ([("EMAIL_ADDRESS", mail)] if mail else [])
    assert found(FINDER, text, range(1, len(text)), FindContext()) == spans


# What a client can have written behind a doctor's name does not shorten it.
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Her doctor is Dr. Anna Keller: a kind one", "Dr. Anna Keller"),
        ("Her doctor is Dr. Minh An.", "Dr. Minh An"),
        ("Her doctor is Dr. Luis Gil Phone: 5", "Dr. Luis Gil"),
    ],
)
def test_a_colon_does_not_shorten_a_doctor(text: str, name: str) -> None:
    spans = found(FINDER, text, [], FindContext())
    assert [text[s.start : s.end].rstrip(".") for s in spans if s.entity == "DOCTOR"] == [name]
    assert found(FINDER, text, range(1, len(text)), FindContext()) == spans


@pytest.mark.parametrize("value", ["anna.DelRio", "john.McDonald", "blue.HorseTail"])
def test_a_name_with_a_full_stop_is_no_class(value: str) -> None:
    for kind, text in (("PASSWORD", f"password: {value}"), ("USERNAME", f"Her username is {value}")):
        assert [(s.entity, text[s.start : s.end]) for s in found(FINDER, text, [], FindContext())] == [(kind, value)]


@pytest.mark.parametrize(
    "digits", ["4, 1, 5, 5, 5, 5, 0, 1, 7, 2", "four, one, five, five, five, five, zero, one, seven, two"]
)
def test_a_number_behind_spelled_digits_does_not_hide_them(digits: str) -> None:
    context = FindContext(question="What is the account number of Jo Day?")
    text = f"It is {digits}, 33"
    spans = found(FINDER, text, [], context)
    assert [text[s.start : s.end] for s in spans] == [digits]
    assert found(FINDER, text, range(1, len(text)), context) == spans


# Where the answer ends within it, a small word alone ("in", "on", "con") does not make a flight of what stands behind.
@pytest.mark.parametrize(
    ("text", "begun"),
    [
        ("The streets are in New York City", ""),
        ("The Games were held in 1", ""),
        ("It happened on 9", ""),
        ("Vive con Ana Ruiz", ""),
        ("Sie wohnt mit Anna", ""),
        ("She is on BA 1", ""),
        ("She flies on BA 1", "BA 1"),
        ("Er fliegt mit LH 44", "LH 44"),
        ("She flies on Boston to Den", "Boston to Den"),
        ("She flies from Bost", "Bost"),
        ("Her flight is on Bost", "Bost"),
    ],
)
def test_a_flight_that_the_end_of_the_answer_cuts(text: str, begun: str) -> None:
    frontier = FINDER.next_span(text, 0, context=FindContext(), closed=False).frontier
    span = FINDER.fragment(text, frontier, context=FindContext())
    flight = text[span.start : span.end] if span is not None and span.entity == "FLIGHT" else ""
    assert flight == begun


@pytest.mark.parametrize("asked", ["Write the first ten Fibonacci numbers.", "What is the account number of Jo Day?"])
@pytest.mark.parametrize(
    "text",
    ["0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55", "1. 0 2. 1 3. 1 4. 2 5. 3 6. 5 7. 8 8. 13 9. 21 10. 34",
     "1) 0, 2) 1, 3) 1, 4) 2, 5) 3, 6) 5, 7) 8, 8) 13, 9) 21", "1. 1\n2. 2\n3. 4\n4. 4\n5. 6\n6. 7\n7. 9\n8. 12\n9. 20",
     "Here: 1. 2 2. 3 3. 5 4. 7 5. 11 6. 13 7. 17"],
)  # fmt: skip
def test_numbers_in_increasing_order_are_no_account(text: str, asked: str) -> None:
    context = FindContext(question=asked)
    assert found(FINDER, text, [], context) == []
    assert found(FINDER, text, range(1, len(text)), context) == []


@pytest.mark.parametrize("gap", [" ", "\n"])
@pytest.mark.parametrize("behind", ["", "9. 12"])
def test_the_digits_of_an_account_in_a_numbered_list_are_found(gap: str, behind: str) -> None:
    context = FindContext(question="What is the account number of Jo Day?")
    value = gap.join(f"{i}. {digit}" for i, digit in enumerate("41555017", 1))
    text = value + gap * bool(behind) + behind
    spans = found(FINDER, text, [], context)
    assert spans and spans[0].start == 0 and spans[0].end >= len(value)
    assert found(FINDER, text, range(1, len(text)), context) == spans


@pytest.mark.parametrize("number", ["1-415-555-0172", "415 555 0172"])
@pytest.mark.parametrize("before", ["3.", "5-", "12-", "Ana 2–", "Call 5-"])
def test_a_short_number_before_a_telephone_number_does_not_hide_it(before: str, number: str) -> None:
    text = f"{before}{number}"
    spans = found(FORMS, text, [], FindContext())
    assert [s.end for s in spans if s.entity == "PHONE_NUMBER"] == [len(text)]
    assert found(FORMS, text, range(1, len(text)), FindContext()) == spans


@pytest.mark.parametrize("called", ["Serial:", "S/N", "Booking confirmation:", "conf."])
def test_a_telephone_number_by_another_name_is_one(called: str) -> None:
    text = f"{called} 07700 900123"
    spans = found(FINDER, text, [], FindContext())
    assert [(s.entity, text[s.start : s.end]) for s in spans] == [("PHONE_NUMBER", "07700 900123")]


def test_a_list_in_cells_is_no_account_that_was_asked_for() -> None:
    context = FindContext(question="What is the account number of Jo Day?")
    text = "[0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]"
    assert found(FINDER, text, [], context) == []


def test_a_full_stop_ends_a_field() -> None:
    finder = SpanFinder(recognizers(["LOCATION"]))
    text = "País: España.\nEdad: 4"
    assert [text[s.start : s.end] for s in found(finder, text, [], FindContext())] == ["España"]


@pytest.mark.parametrize(
    ("text", "seen", "whole"),
    [
        ("by Dr K. Amadi / URG", "Dr K", "Dr K. Amadi"),
        ("by Dr. Amadi. She left", "Dr. Amadi", "Dr. Amadi"),
        ("by Ana Ruiz Phone: 5", "Ana Ruiz", "Ana Ruiz"),
    ],
)
def test_a_doctors_name_goes_on_over_capitals(text: str, seen: str, whole: str) -> None:
    end, wanted = text.index(seen) + len(seen), text.index(whole) + len(whole)
    assert name_end(text, end, True) == wanted
    for cut in range(end, len(text)):
        assert name_end(text[:cut], end, False) in (OPEN, wanted)


def test_a_piece_of_a_longer_number_is_no_value() -> None:
    text = "ISBN 0-306-40615-7 or 1,4045550119"
    assert is_piece("PHONE_NUMBER", text, text.index("306")) and is_piece("JOB_TITLE", text, text.index("306"))
    assert is_piece("PHONE_NUMBER", text, text.index("4045")) and not is_piece("JOB_TITLE", text, text.index("or"))
    assert may_be("PHONE_NUMBER", "911") and not may_be("PHONE_NUMBER", "559")
    assert may_be("ADDRESS", "High Street") and not may_be("ADDRESS", "Klinikum")


@pytest.mark.parametrize(
    ("before", "piece"), [("2024-01-15 ", True), ("ok\n[2024-01-15T", True), ("See you 2024-01-15 ", False)]
)
def test_the_hour_that_begins_a_line_of_a_log_is_nobodys(before: str, piece: bool) -> None:
    assert is_piece("APPOINTMENT_DATE", before + "10:20", len(before)) is piece


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("6f 76 65 64 20 77 61 73 | 64 20", True),
        ("4711 0815 1234 | 5678", True),
        ("17 + | 5678", True),
        ("total 17 | 5678", True),
        ("| 5678", True),
        ("her number is | 5678", False),
        ("Order #| 5678", False),
        ("**Account:** | 5678", False),
    ],
)
def test_a_number_to_which_no_word_leads_is_a_piece(text: str, piece: bool) -> None:
    before, own = text.split("| ")
    assert is_piece("ORDER_NUMBER", before + own, len(before)) is piece
    assert not is_piece("DOCTOR", before + own, len(before))


def test_a_dump_in_hexadecimal_digits_has_few_values() -> None:
    text = " ".join(f"{byte:02x}" for byte in b"He said that the meeting was moved because the room is too small.")
    dump = f"Here it is:\n{text}\nThat is all."
    finder = SpanFinder()
    whole = found(finder, dump)
    assert len(whole) <= 3  # 6 without the rule
    assert found(finder, dump, range(1, len(dump))) == whole


def test_a_warm_finder_has_read_the_list_of_domains() -> None:
    network._suffixes.cache_clear()
    SpanFinder().warm()
    assert network._suffixes.cache_info().misses == 1
    assert network.mail("ana@example.lawyer", 0, True) == len("ana@example.lawyer")
    assert network._suffixes.cache_info().misses == 1
