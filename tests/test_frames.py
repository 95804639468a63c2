"""Candidates that no delimiter lists are a choice all the same; what stands in an ordinary text is still an echo."""

from __future__ import annotations

import pytest

from reticent.prompt.echo import EchoIndex
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder

FINDER = SpanFinder()
ILLNESSES = ["Asthma", "Psoriasis", "Epilepsy", "Migraine", "Gout", "Eczema", "Malaria", "Lupus"]
DOCTORS = ["Anne Roe", "Bill Poe", "Wyatt Fox", "Jane Day", "Luis Paz", "Kay Orr", "Ned Ash", "Mia Lee"]
ASK = "What does Kathy Farley have? Pick one: "
LISTS = [
    "{} ~ {} ~ {} ~ {} ~ {} ~ {} ~ {} ~ {}", "{}_{}_{}_{}_{}_{}_{}_{}",
    "{} then {} then {} then {} then {} then {} then {} then {}", "({}) ({}) ({}) ({}) ({}) ({}) ({}) ({})",
    "{} = {} = {} = {} = {} = {} = {} = {}", "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
    "".join("Maybe it is {}. " for _ in range(8)),
    "".join("It could well be that the answer is {} after all. " for _ in range(8)),
    "\n".join("candidate: {}" for _ in range(8)), "{{" + ", ".join(f'"k{n}": "{{}}"' for n in range(8)) + "}}",
]  # fmt: skip


@pytest.mark.parametrize("shape", LISTS)
@pytest.mark.parametrize(
    ("entity", "values"), [(Entity.DIAGNOSIS, ILLNESSES), (Entity.DOCTOR, DOCTORS)], ids=["illnesses", "doctors"]
)
def test_a_list_without_delimiters_is_a_choice(shape: str, entity: Entity, values: list[str]) -> None:
    echo = EchoIndex(ASK + shape.format(*values), "", FINDER)
    for value in values[1:-1]:  # what stands before the first or behind the last is of another kind
        assert not echo.echoed(value, entity), value
        assert len(echo.choices(value, entity)) > 3


FORM = (
    "Name: Kathy Farley\nEmployer: Lopez Inc\nHospital: Mercy General\nDoctor: Anne Roe\nCity: Leeds\n"
    "Diagnosis: Asthma\nPhone: 202-555-0187"
)
LETTER = (
    "Dear Dr. Anne Roe, I am the mother of Kathy Farley. She is one of the patients of the Mercy General. "
    "One of the nurses said that\none of the reports was lost. She takes aspirin, was told to rest, and works for "
    "Lopez Inc. Her diagnosis is asthma, one of the commonest."
)
SETTINGS = (
    'host = "db.example.org"\nuser = "kfarley82"\ncity = "Leeds"\nemployer = "Lopez Inc"\n'
    'doctor = "Anne Roe"\nport = 5432'
)


@pytest.mark.parametrize(
    ("text", "value", "entity"),
    [
        (FORM, "Lopez Inc", Entity.EMPLOYER),
        (FORM, "Anne Roe", Entity.DOCTOR),
        (FORM, "Asthma", Entity.DIAGNOSIS),
        (FORM, "202-555-0187", Entity.PHONE_NUMBER),
        (LETTER, "Anne Roe", Entity.DOCTOR),
        (LETTER, "asthma", Entity.DIAGNOSIS),
        (LETTER, "Lopez Inc", Entity.EMPLOYER),
        (SETTINGS, "Lopez Inc", Entity.EMPLOYER),
        ("Is it asthma or gout? Then is it Anne Roe?", "asthma", Entity.DIAGNOSIS),
    ],
)
def test_what_the_user_wrote_in_an_ordinary_text_is_an_echo(text: str, value: str, entity: Entity) -> None:
    assert EchoIndex(text, "", FINDER).echoed(value, entity)
