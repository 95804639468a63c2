"""Places of a value: before its label, under a heading, beside an arrow, in HTML; and what is no value there."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from test_finder import offline, online

from reticent_detectors.entities import Entity
from reticent_detectors.finder.tagger.reading import WORDED
from reticent_detectors.spans import FindContext
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PHRASINGS, Form

LABELS: dict[str, list[tuple[str, str]]] = {
    "English": [
        ("passport number", "C4J9K2T1"),
        ("PIN", "4827"),
        ("social security number", "536228745"),
        ("account number", "784005756682"),
        ("password", "hunter22"),
        ("medical record number", "MRN0048213"),
        ("username", "jday_88"),
        ("driver's license number", "D1234567"),
        ("date of birth", "1988-05-07"),
    ],
    "German": [("Passnummer", "C4J9K2T1"), ("PIN", "4827"), ("Passwort", "hunter22"),
               ("Führerscheinnummer", "D1234567")],
    "French": [("numéro de passeport", "C4J9K2T1"), ("code PIN", "4827"), ("mot de passe", "hunter22"),
               ("nom d'utilisateur", "jday_88")],
    "Spanish": [("número de pasaporte", "C4J9K2T1"), ("PIN", "4827"), ("contraseña", "hunter22"),
                ("permiso de conducir", "D1234567")],
    "Italian": [("numero di passaporto", "C4J9K2T1"), ("PIN", "4827"), ("password", "hunter22"),
                ("nome utente", "jday_88")],
    "Portuguese": [("número do passaporte", "C4J9K2T1"), ("PIN", "4827"), ("senha", "hunter22"),
                   ("carteira de motorista", "D1234567")],
}  # fmt: skip
BEFORE: dict[str, list[str]] = {
    "English": [
        *("{v} ({n})", "{v} (her {n})", "{v} [{n}]", "{v} – {n}", "- {v} — {n}", "- {v} - her {n}", "{v}: {n}",
          "{v} = {n}"),
        *("{v}, her {n}, is on file.", "{v}, the {n} of Jo Day.", "{v} -> {n}", "| {v} | {n} |", "({v} is her {n})"),
        *("{v}. That is her {n}.", "{v} (that's her {n})", "{v} – that's Jo's {n}."),
    ],
    "German": ["{v} ({n})", "{v} (ihre {n})", "{v} – {n}", "{v}: {n}", "{v}, ihre {n}, ist", "{v}. Das ist ihre {n}.",
               "{v} für die {n}."],
    "French": ["{v} ({n})", "{v} (son {n})", "{v} – {n}", "{v} : {n}", "{v}, son {n}, est", "{v}. C'est son {n}.",
               "{v} pour le {n}."],
    "Spanish": ["{v} ({n})", "{v} (su {n})", "{v} – {n}", "{v}: {n}", "{v}, su {n}, es", "{v}. Ese es su {n}.",
                "{v} para la {n}."],
    "Italian": ["{v} ({n})", "{v} (il suo {n})", "{v} – {n}", "{v}: {n}", "{v}, il suo {n}, è",
                "{v}. Questo è il suo {n}.", "{v} per il {n}."],
    "Portuguese": ["{v} ({n})", "{v} (seu {n})", "{v} – {n}", "{v}: {n}", "{v}, o seu {n}, é",
                   "{v}. Essa é a {n} dela.", "{v} para a {n}."],
}  # fmt: skip
HEADED = [
    *("{n} → {v}", "- {n} ⇒ {v}", "{n} -> {v}", "{n} ({v})", "**{n}**\n{v}\n", "### {n}\n\n{v}\n", "{n}\n---\n{v}\n"),
    *(
        "**{n}**\n- {v}\n",
        "**{n}:**\n- {v}\n",
        "{n}:\n- {v}\n",
        "1. **{n}**\n   - {v}\n",
        "- **{n}**:\n  - {v}\n",
        "## {n}\n1. {v}\n",
    ),
    *("<b>{n}</b><br>{v}<br>", "<dt>{n}</dt><dd>{v}</dd>", "<tr><th>{n}</th><td>{v}</td></tr>"),
]


ASKED = [
    ("What is Jane Roe's PIN?", "4821"),
    ("What is Jane Roe's password?", "Sommer2024"),
    ("What is Jane Roe's account number?", "12345678"),
    ("What is Jane Roe's passport number?", "C4J9K2T1"),
]
OPENINGS = [
    *(
        "Here it is: {v}",
        "Sure! Here you go: {v}.",
        "Of course. {v}",
        "Of course.\n{v}",
        "Sure!\n\n- {v}",
        "I think {v}",
    ),
    *(
        "Sure, it is as follows:\n\n{v}",
        "I found it: {v}",
        "Based on my records: {v}",
        "Answer: {v}",
        '{{"answer": "{v}"}}',
    ),
    *(
        "Certainly! The requested value is {v}.",
        "Jane Roe: {v}",
        "**Jane Roe**: {v}",
        "Jane Roe – {v}",
        "The answer is **{v}**.",
    ),
]


def reads(text: str, value: str, question: str = "") -> bool:
    """Whether the value is found; all cuts give the same."""
    context = FindContext(question=question)
    spans = offline(text, context)
    assert online(text, range(len(text)), context) == spans
    return any(value in text[span.start : span.end] for span in spans)


@pytest.mark.parametrize(("language", "frame"), [(lang, frame) for lang, frames in BEFORE.items() for frame in frames])
def test_a_value_may_stand_before_its_label(language: str, frame: str) -> None:
    opening = "" if frame[0] in "-|" else "Here it is. "
    texts = [(label, opening + frame.format(v=value, n=label), value) for label, value in LABELS[language]]
    missed = [label for label, text, value in texts if not reads(text, value)]
    assert missed == []


@pytest.mark.parametrize("frame", HEADED)
def test_a_heading_an_arrow_or_an_element_may_be_the_label(frame: str) -> None:
    texts = [
        (label, "What I have on Jo Day:\n\n" + frame.format(v=value, n=label.capitalize()), value)
        for label, value in LABELS["English"]
    ]
    assert [label for label, text, value in texts if not reads(text, value)] == []


@pytest.mark.parametrize("opening", OPENINGS)
def test_the_answer_to_a_question_may_be_introduced_in_any_words(opening: str) -> None:
    texts = [(question, opening.format(v=value), value) for question, value in ASKED]
    assert [question for question, text, value in texts if not reads(text, value, question)] == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Jane was diagnosed with asthma.", "asthma"),
        ("In 2019 Jane was diagnosed with asthma.", "asthma"),
        ("Maria works as a nurse.", "nurse"),
        ("Robert is being treated for breast cancer.", "breast cancer"),
        ("Employee ID: E-48213", "E-48213"),
        ("Customer number: 48213377", "48213377"),
        ("Kundennummer: 48213377", "48213377"),
        ("Her PIN? It's 4821.", "4821"),
        ("Her password? It's Sommer2024.", "Sommer2024"),
        ("Her employer? It's Globex Corporation.", "Globex Corporation"),
        ("Her PINs are 4821 and 9313.", "9313"),
        ("Her account numbers are 12345678, 87654321 and 11223344.", "11223344"),
        ("PIN\n4821\n", "4821"),
        ("3. **Password**\n   - `Sommer2024`\n", "Sommer2024"),
    ],
)
def test_what_users_of_the_finder_missed(text: str, value: str) -> None:
    assert reads(text, value)


@pytest.mark.parametrize(
    "text",
    [
        "The Employee ID is on your badge.",
        "Toma o autocarro todas as manhãs.",
        "Use socket 4827 (PIN required).",
        "In 65653 cases (passport control was closed) they left.",
        "Room 4827, passport and keys.",
        "See page 65653 for the passport rules.",
        "Error 4827: password incorrect",
        "Model 65653 (driver's license scanner)",
        "The answer, her doctor said, is no.",
        "Berlin: hospital visits rise",
        "Insulin: prescription only",
        "- Water (prescription drugs excluded)\n- Bread",
        "# Contents\n- Diagnosis\n- Treatment\n- Prognosis",
        "## Diagnosis\nThe doctor asks questions.",
        "## Employer\n- Pay wages on time\n- Provide a safe workplace",
        "## Doctor\n1. Ask about symptoms\n2. Examine",
        "**Prescription**\n- Take with food\n- Avoid alcohol",
        "**PIN**\n1. Open the app\n2. Enter 4 digits",
        "## Passwords\n- Use at least 12 characters\n- Never reuse one",
        "<th>Employer</th><th>Salary</th>",
        "Diagnosis → treatment → recovery",
        "Doctor → patient",
    ],
)
def test_other_words_in_these_places_are_no_values(text: str) -> None:
    assert offline(text) == []


def test_a_list_of_values_behind_each_other_is_read_to_its_end() -> None:
    text = "Type 2 diabetes (diagnosis), Lopez Inc (employer), 4827 (PIN)"
    assert {Entity.DIAGNOSIS, Entity.PIN} <= {span.entity for span in offline(text)}


@pytest.mark.parametrize("job", ["Office manager", "Company secretary", "Hospital porter", "School secretary"])
def test_a_job_may_begin_with_where_it_is_done(job: str) -> None:
    context = FindContext("", "What is Jane Roe's job title?")
    for answer in (job, f"{job}.", f"Her job is {job.lower()}."):
        whole = offline(answer, context)
        assert [(span.entity, answer[span.start : span.end].lower()) for span in whole] == [("JOB_TITLE", job.lower())]
        assert all(online(answer, [cut], context) == whole for cut in range(len(answer) + 1))


@pytest.mark.parametrize("name", ["April Smith", "June Li"])
def test_a_doctor_may_be_called_like_a_month(name: str) -> None:
    for question, answer in [("Who is her doctor?", name), ("", f"Her doctor is {name}.")]:
        context = FindContext("", question)
        whole = offline(answer, context)
        assert [(span.entity, answer[span.start : span.end]) for span in whole] == [("DOCTOR", name)]
        assert all(online(answer, [cut], context) == whole for cut in range(len(answer) + 1))
    assert not [span for span in offline("Her doctor is on holiday in April.") if span.entity == "DOCTOR"]


def test_what_people_are_asked_for_is_found_whole_in_every_phrasing() -> None:
    """All values with a form, and most words without one."""
    rng, asked_for, missed = random.Random(0), Counter[str](), Counter[str]()
    for person in PeopleMaker(4242).many("people", 60):
        for entity, value in person.values.items():
            for phrasing in rng.sample(PHRASINGS[entity], 3):
                question = phrasing.ask(person.name)
                runs = phrasing.form is Form.COMPLETION
                answer = phrasing.answer.replace("{v}", value).replace("{n}", person.name)
                at, end = answer.find(value), answer.find(value) + len(value.rstrip("."))
                found = offline(answer, FindContext(question[-256:], "") if runs else FindContext("", question))
                asked_for[entity] += 1
                if not any(span.entity == entity and span.start <= at and end <= span.end for span in found):
                    missed[entity] += 1
    print(missed, asked_for)
    assert not missed.keys() - WORDED
    assert sum(missed.values()) <= 0.2 * sum(count for entity, count in asked_for.items() if entity in WORDED)


@pytest.mark.parametrize(
    ("question", "answer", "job"),
    [
        ("What does Jane Roe do?", "She is a nurse.", "nurse"),
        ("Em que trabalha Jane Roe?", "Trabalha como farmacêutica.", "farmacêutica"),
        ("Che lavoro fa Jane Roe?", "È infermiera.", "infermiera"),
        ("Que fait Jane Roe dans la vie ?", "Elle est avocate.", "avocate"),
        ("Was macht Jane Roe beruflich?", "Sie ist Schreinerin.", "Schreinerin"),
    ],
)
def test_what_leads_to_a_job_is_no_part_of_it(question: str, answer: str, job: str) -> None:
    found = offline(answer, FindContext("", question))
    assert [(span.entity, answer[span.start : span.end]) for span in found] == [("JOB_TITLE", job)]
