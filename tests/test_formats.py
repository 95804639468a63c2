"""Values in data and code, found by the name of their column, key or argument, however the text is cut."""

from __future__ import annotations

import pytest
from finder_cuts import found
from timing import cpu_seconds

from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import Span

FINDER = SpanFinder()


def online(text: str, cuts: list[int]) -> list[Span]:
    return found(FINDER, text, cuts)


CASES = [
    (Entity.DIAGNOSIS, '{"name": "Jo Day", "diagnosis": "{v}", "id": 4}', "fracture of the left wrist"),
    (Entity.DIAGNOSIS, '{"nome": "Jo Day", "diagnosticoPrincipal": "{v}"}', "asma"),
    (Entity.PRESCRIPTION, '{"medications": ["Insulin", "{v}"]}', "metformin 500 mg"),
    (Entity.EMPLOYER, '{"employer": {"name": "{v}", "city": "Rome"}}', "Pemberton & Sons"),
    (Entity.DIAGNOSIS, "person:\n  name: Jo Day\n  diagnosis: {v}\n  id: 4\n", "multiple sclerosis"),
    (Entity.PRESCRIPTION, "medications:\n  - Insulin\n  - {v}\n", "Metformin"),
    (Entity.DIAGNOSIS, "name,diagnosis,id\nJo Day,asthma,4\nAl Moe,{v},5\n", "lupus"),
    (Entity.EMPLOYER, "Name;Firma;id\nJo Day;{v};4\n", "Rheinbau GmbH"),
    (Entity.JOB_TITLE, 'name,profession\nJo Day,"{v}"\n', "engineer, civil"),
    (Entity.CREDIT_CARD_DIGITS, "name,last four digits,id\nJo Day,{v},98\n", "7036"),
    (Entity.DIAGNOSIS, "| Name | Krankheit | id |\n|---|---|---|\n| Jo Day | {v} | 4 |\n", "Rheuma"),
    (Entity.DOCTOR, "| Field | Value |\n|---|---|\n| **Doctor** | {v} |\n", "Wyatt Jacobson"),
    (Entity.DIAGNOSIS, 'patient.diagnosis = "{v}"\n', "asthma"),
    (Entity.EMPLOYER, "Patient(diagnosis=\"asthma\", employer='{v}')", "Lopez Inc"),
    (Entity.DIAGNOSIS, "INSERT INTO people (name, diagnosis) VALUES ('Jo Day', '{v}');", "asthma"),
    (Entity.DIAGNOSIS, "<diagnosis>{v}</diagnosis>", "Asthma"),
    (Entity.DIAGNOSIS, "# .env\nNAME=Jo\nDIAGNOSIS={v}\nID=4\n", "asthma"),
]


@pytest.mark.parametrize(("entity", "frame", "value"), CASES)
def test_a_field_is_found_with_its_ends(entity: Entity, frame: str, value: str) -> None:
    text, start = frame.replace("{v}", value), frame.index("{v}")
    assert (entity, start, start + len(value)) in {(s.entity, s.start, s.end) for s in online(text, [])}


@pytest.mark.parametrize(("entity", "frame", "value"), CASES)
def test_every_cut_gives_the_same(entity: Entity, frame: str, value: str) -> None:
    text = frame.replace("{v}", value)
    whole = online(text, [])
    assert online(text, list(range(len(text) + 1))) == whole
    for cut in range(len(text)):
        assert online(text, [cut]) == whole


def test_heads_and_empty_fields_are_no_values() -> None:
    for text in (
        "| Name | Diagnosis | Employer | id |\n|---|---|---|---|\n",
        "name,diagnosis,employer\n",
        '{"diagnosis": null, "employer": "unknown"}',
        'columns = ["diagnosis", "employer"]',
    ):
        assert online(text, []) == [], text


@pytest.mark.parametrize("unit", ['{"a":', "| |", "a,", '"["', "a,b\n", "x;y\n", "('a', ", "<a>b"])
def test_time_grows_with_length_only(unit: str) -> None:
    def seconds(chars: int) -> float:
        text = (unit * chars)[:chars]
        return cpu_seconds(lambda: online(text, []))

    seconds(1000)
    assert seconds(6_000) < 12 * seconds(1_500) + 0.2
