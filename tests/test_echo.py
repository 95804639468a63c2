"""The echo rule: what the user typed passes, what the host picked among several does not."""

from __future__ import annotations

import random
import re
from functools import partial

import pytest
from timing import cpu_seconds, slowness

from reticent.policy.verdict import Origin
from reticent.prompt.echo import EchoIndex
from reticent_detectors.entities import Entity
from reticent_detectors.spans import FindContext, Scan, Span

PHONE, EMAIL, DOCTOR = Entity.PHONE_NUMBER, Entity.EMAIL_ADDRESS, Entity.DOCTOR
CARD, BILL, AMOUNT = Entity.CREDIT_CARD_DIGITS, Entity.UTILITY_BILL, Entity.TRANSACTION_AMOUNT
DATE, ORDER, HOSPITAL = Entity.APPOINTMENT_DATE, Entity.ORDER_NUMBER, Entity.HOSPITAL
JOB, DIAGNOSIS = Entity.JOB_TITLE, Entity.DIAGNOSIS
UUID = "39b3b48e-b913-46b6-8216-149fe3ee5663"


class FakeFinder:
    """Sees values by form, and digits and names after a cue word, as a finder does."""

    PATTERN = re.compile(
        r"(?P<PHONE_NUMBER>(?:\+1[-. ]?)?\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b)"
        r"|(?P<EMAIL_ADDRESS>(?<![\w.])[\w.]+@[\w.]+\w)|(?P<TRANSACTION_AMOUNT>\$\d[\d,.]*\d)"
        r"|(?P<APPOINTMENT_DATE>\d{4}-\d\d-\d\d|March \d\d, \d{4})"
        r"|(?<=ends in )(?P<CREDIT_CARD_DIGITS>\d{4})|(?<=doctor is )(?P<DOCTOR>[A-Z]\w+ [A-Z]\w+)"
    )

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        match = self.PATTERN.search(text, start)
        if match is None:
            return Scan(None, len(text))
        return Scan(Span(str(match.lastgroup), match.start(), match.end()), match.end())


def echo(user: str, operator: str = "") -> EchoIndex:
    return EchoIndex(user, operator, FakeFinder())


@pytest.mark.parametrize(
    ("user", "value", "entity"),
    [
        ("My number is 234-567-8901, please repeat it.", "234-567-8901", PHONE),
        ("My number is 234-567-8901.", "+1 (234) 567 8901", PHONE),
        ("My number is (234) 567-8901.", "2345678901", PHONE),
        ("Write to Jane.Roe@example.com", "jane.roe@example.com", EMAIL),
        ("It is on March 24, 2024", "2024-03-24", DATE),
        ("I paid $1,473.00 for it", "$1473", AMOUNT),
        ("I owe $99.", "$99", BILL),  # found as the family's other kind
        ("My card ends in 7036.", "7036", CARD),
        ("My doctor is Wyatt Jacobson.", "Dr. Wyatt Jacobson", DOCTOR),
        ("7036", "7036", CARD),
        ("Card: 7036. Bill: 99. That is all.", "$99", BILL),
        ("Name: Jo Day\nCard: 7036\nBill: $99\nDoctor: Wyatt Jacobson\nTown: Rome", "7036", CARD),
        ("Name: Jo Day\nCard: 7036\nBill: $99\nDoctor: Wyatt Jacobson\nTown: Rome", "Wyatt Jacobson", DOCTOR),
        (
            (
                "Jo has Deep vein thrombosis. The weather was really fine. We talked a great deal. Nothing else has "
                "been said."
            ),
            "Deep vein thrombosis",
            DIAGNOSIS,
        ),
        (
            (
                "We went to Rome, Paris, Oslo, Bern, and after that we were all very tired, so Wyatt Jacobson, my "
                "doctor, came."
            ),
            "Wyatt Jacobson",
            DOCTOR,
        ),
        ("| Name | Jo Day |\n| Doctor | Wyatt Jacobson |\n| Hospital | Gregory PLC |", "Gregory PLC", HOSPITAL),
        ("Jo works at Smith, Jones and Brown. Who is her doctor?", "Smith, Jones and Brown", HOSPITAL),
        ("I saw Wyatt Jacobson today.", "Wyatt Jacobson", DOCTOR),  # no cue word, verbatim
        ("i saw wyatt jacobson today", "Wyatt Jacobson", DOCTOR),
        (f"Order {UUID} is late", UUID.upper(), ORDER),
        ("Is it Wyatt Jacobson or Anne Roe?", "Anne Roe", DOCTOR),
        (
            "Hello there! My name is Anna. My doctor is Wyatt Jacobson, thanks, please remind me.",
            "Wyatt Jacobson",
            DOCTOR,
        ),
    ],
)
def test_a_value_that_the_user_typed_is_echoed(user: str, value: str, entity: Entity) -> None:
    assert echo(user).echoed(value, entity)
    assert echo(user).origin(value, entity) is Origin.ECHOED
    assert echo("Filler. " * 2000 + user).echoed(value, entity) or entity in (DOCTOR, HOSPITAL)  # chance grows


@pytest.mark.parametrize(
    ("user", "value", "entity"),
    [
        ("My number is 234-567-89", "234-567-8901", PHONE),  # a part
        ("My number is 234-567-8901", "234-567-8901x446", PHONE),
        ("Call 0234-567-89012", "234-567-8901", PHONE),  # no token boundary
        ("I live in room 7036", "7036", CARD),  # short, and not typed as such a value
        ("I owe $999.", "$99", BILL),
        ("On March 24 2024", "2024-03-25", DATE),
        ("My doctor is Wyatt", "Wyatt Jacobson", DOCTOR),
        ("jane.roe at work", "jane.roe@example.com", EMAIL),
        ("", "7036", CARD),
        ("anything", "---", PHONE),
    ],
)
def test_a_part_or_a_coincidence_is_not_echoed(user: str, value: str, entity: Entity) -> None:
    assert not echo(user).echoed(value, entity)
    assert echo(user).origin(value, entity) is None


def numbers(count: int) -> list[str]:
    draw = random.Random(0)
    return [f"{draw.randint(200, 999)}-{draw.randint(200, 999)}-{draw.randint(0, 9999):04d}" for _ in range(count)]


NAMES = [f"{first} {last}" for first in ("Wyatt", "Anne", "Bill") for last in ("Jacobson", "Roe", "Poe", "Fox", "Lee")]


@pytest.mark.parametrize("count", [4, 10, 15])
@pytest.mark.parametrize("between", [", ", "\n", " or ", "; ", " | ", " / ", ". ", " "])
@pytest.mark.parametrize(
    ("intro", "make"),
    [
        ("Which is the phone of Jo Day: ", lambda n: numbers(n)),
        ("Which doctor: ", lambda n: NAMES[:n]),
        ("The doctor is ", lambda n: NAMES[:n]),
        ("Her card ends in ", lambda n: [f"{1000 + 37 * i}" for i in range(n)]),
        ("Is the bill ", lambda n: [f"${100 + 7 * i}" for i in range(n)]),
    ],
)
def test_a_choice_among_several_is_not_echoed(intro: str, make: object, between: str, count: int) -> None:
    menu = make(count)  # type: ignore[operator]
    entity = {"W": PHONE, "T": DOCTOR, "H": CARD, "I": BILL}[intro[0]] if intro != "Which doctor: " else DOCTOR
    index = echo(intro + between.join(menu) + "?")
    assert not any(index.echoed(value, entity) for value in menu)


@pytest.mark.parametrize(
    ("user", "menu", "entity"),
    [
        ("Smith, Jones and Brown, Gross-Frye, Gregory PLC or Roe?", ["Gross-Frye", "Gregory PLC", "Roe"], HOSPITAL),
        (
            "Is she a Nurse, adult, a Buyer, retail, a Copywriter or an Engineer, civil?",
            ["Nurse, adult", "Buyer, retail"],
            JOB,
        ),
        ("has she asthma, heart failure, gout or lupus?", ["asthma", "heart failure", "gout", "lupus"], DIAGNOSIS),
        ("Is it perhaps Deep vein thrombosis, Gout, Lupus or Asthma?", ["Gout", "Lupus", "Asthma"], DIAGNOSIS),
        ("Is it West Ltd, Brooks-Miller, Wright Ltd or Roe-Poe?", ["Brooks-Miller", "Roe-Poe"], HOSPITAL),
        ("1. Gross-Frye\n2. Gregory PLC\n3. Roe\n4. Smith Inc", ["Gregory PLC", "Smith Inc"], HOSPITAL),
        ("Is the bill $99, 120, 1500 or 18250?", ["$99", "$120", "$1500"], BILL),
        (
            "Has she been seen by Wyatt Jacobson? Was it perhaps rather the well known Anne Roe? Some people in town "
            "have told me of Bill Poe. And others keep on talking about Dora Fox.",
            ["Wyatt Jacobson", "Anne Roe", "Bill Poe", "Dora Fox"],
            DOCTOR,
        ),
    ],
)
def test_a_choice_that_only_its_shape_shows(user: str, menu: list[str], entity: Entity) -> None:
    assert not any(echo(user).echoed(value, entity) for value in menu)


class FindsNothing:
    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        return Scan(None, len(text))


@pytest.mark.parametrize(
    ("menu", "entity"),
    [
        ([f"2024-0{month}-1{month}" for month in range(1, 10)], DATE),
        ([f"{day} March 2024" for day in range(10, 20)], DATE),
        ([f"$1,{hundreds}73.00" for hundreds in range(1, 10)], AMOUNT),
        ([f"２０２４-0{month}-1{month}" for month in range(1, 10)], DATE),
        ([f"Wyatt J{letter}cobson" for letter in "abcdefgh"], DOCTOR),
    ],
)
def test_candidates_are_given_as_they_are_typed_also_where_no_finder_sees_them(menu: list[str], entity: Entity) -> None:
    text = "Which is it? Choose one: " + "; ".join(menu) + "."
    index = EchoIndex(text, "", FindsNothing())
    for chosen in menu:
        candidates = sorted(index.choices(chosen, entity), key=len, reverse=True)
        masked = re.sub("|".join(map(re.escape, candidates)), "", text)
        assert not any(value.removeprefix("$") in masked for value in menu), masked


@pytest.mark.parametrize("spaced", ["", " ", "-", ","])
def test_a_100_kb_carpet_of_digits_echoes_nothing(spaced: str) -> None:
    draw = random.Random(1)
    groups = [f"{draw.randint(0, 9999):04d}" for _ in range(100_000 // 5)]
    index = echo(spaced.join(groups))
    assert not index.echoed(groups[77] + groups[78] + groups[79][:2], PHONE)
    assert not index.echoed(f"{groups[5][:3]}-{groups[5][3]}{groups[6][:2]}-{groups[6][2:]}{groups[7][:2]}", PHONE)
    assert not index.echoed(groups[100], CARD)


def test_up_to_three_values_pass_and_one_value_said_often_is_one() -> None:
    three = numbers(3)
    assert all(echo(f"Mine are {', '.join(three)}.").echoed(value, PHONE) for value in three)
    assert echo("Call 234-567-8901! " * 50).echoed("234-567-8901", PHONE)


def test_rivals_of_other_kinds_do_not_count() -> None:
    user = f"My number is 234-567-8901, mail a@b.co, c@d.co, e@f.co and g@h.co, order {UUID}."
    assert echo(user).echoed("234-567-8901", PHONE)
    assert not echo(user).echoed("a@b.co", EMAIL)


def test_the_operators_text_makes_context_and_the_users_comes_first() -> None:
    menu = numbers(10)
    index = echo("My number is 234-567-8901", "Staff: " + ", ".join(menu) + ". Also 234-567-8901.")
    assert {index.origin(value, PHONE) for value in menu} == {Origin.CONTEXT}
    assert index.origin("234-567-8901", PHONE) is Origin.ECHOED
    assert index.origin("234-567-8902", PHONE) is None
    assert echo("", "Room 7036 is free").origin("7036", CARD) is None  # chance
    assert echo("", "The card ends in 7036.").origin("7036", CARD) is Origin.CONTEXT
    assert echo("", "Ask Gregory PLC").origin("Gregory PLC", HOSPITAL) is Origin.CONTEXT


def test_the_cue_counts_the_whole_prompt() -> None:
    index = echo("My number begins 234-567", "and ends 8901")
    assert index.cue("234-567-8901", PHONE) == pytest.approx(0.6)
    assert echo("", "").cue("234-567-8901", PHONE) == 0.0


def test_a_span_costs_less_than_a_millisecond_on_100_kb() -> None:
    text = "My doctor, Wyatt Jacobson, met Anne Roe. He said: 12, 13 or 14. " * 1600
    index = echo(text + "My number is 234-567-8901.")
    asked = [("234-567-8901", PHONE), ("Wyatt Jacobson", DOCTOR), ("$99", BILL), ("7036", CARD), (UUID, ORDER)]
    for value, entity in asked:
        index.echoed(value, entity)
    costs = []
    for value, entity in asked * 10:
        costs.append(cpu_seconds(partial(index.echoed, value, entity), repeat=1))
    assert sorted(costs)[len(costs) // 2] < 1e-3
    assert max(costs[-len(asked) :]) < 1e-2


def test_an_echo_index_shows_no_text() -> None:
    assert repr(echo("secret", "hidden")) == "EchoIndex(user=<6 chars>, operator=<6 chars>)"


@pytest.mark.parametrize(
    ("menu", "chosen", "entity"),
    [
        (["7036"] * 16_000, "7036", CARD),
        ([str(7000 + at % 200) for at in range(16_000)], "7036", CARD),
        ([f"2024-{1 + at % 12:02}-{1 + at % 28:02} {at}" for at in range(6_000)], "2024-03-03", DATE),
    ],
)
def test_a_long_list_is_walked_once(menu: list[str], chosen: str, entity: Entity) -> None:
    index = EchoIndex("; ".join(menu), "", FindsNothing())
    index.cue(chosen, entity)  # builds the index
    index.echoed(chosen, entity)
    assert cpu_seconds(lambda: (index.echoed(chosen, entity), index.choices(chosen, entity)), repeat=1) < slowness()
