"""The cue of CRM and the one form of a value."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import cpu_seconds, slowness

from reticent_detectors.entities import Entity
from reticent_detectors.features.cue import PromptIndex, cue, normalize

KINDS = list(Entity)


def slow_cue(value: str, prompt: str) -> float:
    """The definition: longest common substring over lower-case letters and digits, divided by the value's length."""
    value, prompt = ("".join(c for c in text.lower() if c.isalnum()) for text in (value, prompt))
    best = max((j - i for i in range(len(value)) for j in range(i, len(value) + 1) if value[i:j] in prompt), default=0)
    return best / len(value) if value else 0.0


@pytest.mark.parametrize(
    ("entity", "spellings"),
    [
        (
            Entity.PHONE_NUMBER,
            ["234-567-8901", "(234) 567 8901", "+1-234-567-8901", "234.567.8901", "１２３４５６７８９０１"],
        ),
        (Entity.PHONE_NUMBER, ["+1-468-749-1093x446", "468 749 1093 ext. 446"]),
        (Entity.EMAIL_ADDRESS, ["Jane.Roe@Example.com", "jane.roe@example.com"]),
        (Entity.TRANSACTION_AMOUNT, ["$1,473.00", "$1473", "1.473,00 €", "USD 1473", "$1,473.0"]),
        (Entity.UTILITY_BILL, ["$99.50", "99,50 EUR", "$99.5"]),
        (
            Entity.APPOINTMENT_DATE,
            [
                "2024-03-24",
                "24 March 2024",
                "March 24, 2024",
                "24th of Mar. 2024",
                "3/24/2024",
                "24.03.2024",
                "03/24/24",
            ],
        ),
        (Entity.FLIGHT, ["Lake Jo to Meyerfurt on 2024-05-17", "Lake Jo to Meyerfurt on May 17, 2024"]),
        (Entity.DOCTOR, ["Dr. Wyatt Jacobson", "wyatt jacobson", "Prof. Dr. Wyatt  Jacobson"]),
        (
            Entity.DOCTOR,
            ["Dra. Roe", "Roe", "doctora Roe", "docteure Roe", "Dott.ssa Roe", "Prof.ssa Roe", "doutora Roe"],
        ),
        (Entity.DOCTOR, ["Prof. Dr. Irmtrud Roe", "Professorin Irmtrud Roe", "Irmtrud Roe", "Doktor Irmtrud Roe"]),
        (Entity.ORDER_NUMBER, ["39b3b48e-b913-46b6-8216-149fe3ee5663", "39B3B48EB91346B68216149FE3EE5663"]),
        (Entity.CREDIT_CARD_DIGITS, ["7036", "**** 7036", "٧٠٣٦"]),
        (
            Entity.ADDRESS,
            ["1514 Gutierrez Passage, Lake Justin, OH 68918", "1514 gutierrez passage\nLake Justin OH 68918"],
        ),
    ],
)
def test_spellings_of_one_value(entity: Entity, spellings: list[str]) -> None:
    assert len({normalize(spelling, entity) for spelling in spellings}) == 1
    assert all(
        PromptIndex(f"It was {one}, I think.").contains(other, entity) for one in spellings for other in spellings
    )


@pytest.mark.parametrize(
    ("entity", "one", "other"),
    [
        (Entity.TRANSACTION_AMOUNT, "$1473", "$14.73"),
        (Entity.TRANSACTION_AMOUNT, "$99.5", "$995"),
        (Entity.APPOINTMENT_DATE, "2024-03-24", "2024-04-23"),
        (Entity.APPOINTMENT_DATE, "March 24", "2024-03-24"),
        (Entity.PHONE_NUMBER, "+1-468-749-1093", "+1-468-749-1093x446"),
    ],
)
def test_different_values_stay_different(entity: Entity, one: str, other: str) -> None:
    assert normalize(one, entity) != normalize(other, entity)


@pytest.mark.parametrize(
    ("value", "prompt", "entity", "expected"),
    [
        ("jane.roe@example.com", "Jane Roe works here", Entity.EMAIL_ADDRESS, (7 + 1) / 14),  # of "example": one letter
        ("jane.roe@example.com", "JaneRoe of EXAMPLE inc", Entity.EMAIL_ADDRESS, 1.0),
        ("bob77@example.com", "zzz", Entity.EMAIL_ADDRESS, 0.0),
        ("234-567-8901", "fax (234) 567-8902", Entity.PHONE_NUMBER, 0.9),
        ("234-567-8901", "abc", Entity.PHONE_NUMBER, 0.0),
        ("Gregory PLC", "the gregorys", Entity.HOSPITAL, 7 / 10),
        ("2024-03-24", "on March 24, 2024", Entity.APPOINTMENT_DATE, 1.0),
        ("$1473", "paid 1,473.00 USD", Entity.TRANSACTION_AMOUNT, 1.0),
        ("---", "anything", Entity.DOCTOR, 0.0),
        ("Roe", "", Entity.DOCTOR, 0.0),
    ],
)
def test_the_cue(value: str, prompt: str, entity: Entity, expected: float) -> None:
    assert cue(value, prompt, entity) == pytest.approx(expected)


@given(value=st.text("ab1 -", max_size=12), prompt=st.text("ab1 -", max_size=60))
def test_the_index_agrees_with_the_definition(value: str, prompt: str) -> None:
    assert cue(value, prompt, Entity.HOSPITAL) == pytest.approx(slow_cue(value, prompt))


@given(value=st.text(max_size=30), prompt=st.text(max_size=60), entity=st.sampled_from(KINDS))
def test_a_cue_lies_between_0_and_1_for_any_text(value: str, prompt: str, entity: Entity) -> None:
    index = PromptIndex(prompt)
    assert 0.0 <= index.cue(value, entity) <= 1.0
    assert normalize(normalize(value, Entity.HOSPITAL), Entity.HOSPITAL) == normalize(value, Entity.HOSPITAL)
    if index.contains(value, entity):
        assert all(0 <= start < end <= len(index.text(entity)) for start, end in index.find(value, entity))


@pytest.mark.parametrize(
    ("prompt", "value", "entity", "stands"),
    [
        ("my card is 7036.", "7036", Entity.CREDIT_CARD_DIGITS, True),
        ("my card is 17036", "7036", Entity.CREDIT_CARD_DIGITS, False),
        ("my card is 70361", "7036", Entity.CREDIT_CARD_DIGITS, False),
        ("Gregory PLCs", "Gregory PLC", Entity.HOSPITAL, False),
        ("room 234, table 567, seat 8901", "234-567-8901", Entity.PHONE_NUMBER, False),
        ("call 234" + "." * 40 + "567 8901", "234-567-8901", Entity.PHONE_NUMBER, False),
        ("call 234 567 8901 now", "+1-234-567-8901", Entity.PHONE_NUMBER, True),
        ("我的医生是王小明吗", "王小明", Entity.DOCTOR, True),
        ("Straße 5", "STRASSE 5", Entity.ADDRESS, True),
        ("a" * 200 + " b", "a" * 200, Entity.ORDER_NUMBER, True),
        ("a" * 200 + " b", "a" * 199, Entity.ORDER_NUMBER, False),
    ],
)
def test_contains_asks_for_the_whole_value_between_token_boundaries(
    prompt: str, value: str, entity: Entity, stands: bool
) -> None:
    assert PromptIndex(prompt).contains(value, entity) is stands


def test_values_longer_than_the_index_is_deep_are_compared_to_their_end() -> None:
    text = "".join(random.Random(0).choice(string.ascii_lowercase) for _ in range(500))
    assert PromptIndex(text).cue(text[100:300], Entity.ADDRESS) == 1.0
    assert PromptIndex(text).cue(text[100:300] + "0" * 200, Entity.ADDRESS) == 0.5


@pytest.mark.parametrize("alphabet", [string.digits, "a", "ab ", string.ascii_letters + "    "])
def test_a_span_costs_less_than_a_millisecond_on_100_kb(alphabet: str) -> None:
    draw = random.Random(0)
    index = PromptIndex("".join(draw.choice(alphabet) for _ in range(100_000)))
    values = [("".join(draw.choice(alphabet) for _ in range(30)), Entity.ADDRESS) for _ in range(20)]
    values += [("+1-468-749-1093", Entity.PHONE_NUMBER)] * 20
    index.cue("x1", Entity.ADDRESS), index.cue("1", Entity.PHONE_NUMBER)  # builds the index
    costs = [
        cpu_seconds(lambda v=value, e=entity: (index.cue(v, e), index.contains(v, e)))  # type: ignore[misc]
        for value, entity in values
    ]
    assert sorted(costs)[len(costs) // 2] < 1e-3 * slowness()


@pytest.mark.parametrize(
    ("prompt", "entity"),
    [
        ("On 3 March 2024 or on 2024-03-04.", Entity.APPOINTMENT_DATE),
        ("It is $1,473.00, not ＄２.", Entity.TRANSACTION_AMOUNT),
        ("Call ４１５ 555", Entity.PHONE_NUMBER),
        ("Cafe\u0301 ﬁve 각 \u1100\u1161\u11a8", Entity.DOCTOR),
    ],
)
def test_what_a_prompt_writes_is_found_again_from_its_one_form(prompt: str, entity: Entity) -> None:
    index = PromptIndex(prompt)
    assert index.written([index.text(entity)], entity) == {prompt}


@given(prompt=st.text(max_size=40), entity=st.sampled_from(KINDS))
def test_what_a_prompt_writes_is_a_piece_of_it(prompt: str, entity: Entity) -> None:
    index = PromptIndex(prompt)
    pieces = set(index.text(entity).split())
    assert all(piece in prompt or piece in pieces for piece in index.written(pieces, entity))


def test_an_index_shows_no_text() -> None:
    assert "secret" not in repr(PromptIndex("secret words"))
