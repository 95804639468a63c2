"""Fields by their whole names, and words and questions that announce kinds without a form."""

from __future__ import annotations

import ast
import json
import random
import re
from pathlib import Path

import pytest
from timing import cpu_seconds

from reticent_detectors.entities import Entity
from reticent_detectors.finder import fields
from reticent_detectors.finder.fields import field_by_name
from reticent_detectors.finder.fields.field_by_name import FIELDS_BY_NAME, WORDED, FieldByName
from reticent_detectors.finder.fields.field_names import FOLDER, field_before, field_names
from reticent_detectors.finder.forms import FormScan, asked_kinds, shipped
from reticent_detectors.finder.forms.tables import ROW_CHARS
from reticent_detectors.finder.forms.worded import worded
from reticent_detectors.finder.match_ends import NONE, OPEN
from reticent_detectors.synth.phrasings import PHRASINGS, Form, Phrasing

ADDRESS = FieldByName("address-field", Entity.ADDRESS, "uld")
ROWS = (*FIELDS_BY_NAME, *WORDED, ADDRESS)
KINDS = {row.entity: row for row in ROWS}
MARK = re.compile(r"\[\[(?:([A-Z_]+)\|)?(.+?)\]\]", re.DOTALL)
PROSE = Path(__file__).parent.parent / "benchmarks/real_answers/written/people-in-prose.jsonl"

FIELDS = [
    "Name of patient: [[PERSON|Ana Ruiz]]\n",
    "Vor- und Zuname: [[PERSON|Cemile Hartung]]\n",
    '"Nachname, Vorname";id\n"[[PERSON|Weber, Jan]]";12\n',
    "nom_patient = '[[PERSON|Paul Roux]]'\n",
    "Naam van patiënt: [[PERSON|Piet Vos]]\n",
    "Her city: [[LOCATION|Paris]]\n",
    "Born in: [[LOCATION|Bad Talberg]]\n",
    "?city=[[LOCATION|Porto]]&id=4",
    "City\n[[LOCATION|Porto]]\n",
    "<b>Doctor:</b> [[DOCTOR|Wyatt Jacobson]]</p>",
    "<td>Doctor</td><td>[[DOCTOR|Wyatt Jacobson]]</td>",
    '<lieuDeNaissance id="4">[[LOCATION|Valmont]]</lieuDeNaissance>',
    "│ Erkrankung: [[DIAGNOSIS|Epilepsie]]\n",
    '<p dx="[[DIAGNOSIS|asma infantil]]" rx="[[PRESCRIPTION|montelukast 4 mg]]"/>',
    '<tenant name="[[PERSON|Ana Ruiz]]" job="[[JOB_TITLE|baker]]"/>',
    '{"dx1": "[[DIAGNOSIS|COPD]]", "dx2": "[[DIAGNOSIS|depression]]"}',
    '{"employer": {"name": "[[EMPLOYER|Pemberton & Sons]]", "id": 3}}',
    'person.setEmployer("[[EMPLOYER|Pemberton & Sons]]")',
    "| Name | Job |\n|---|---|\n| Jo | [[JOB_TITLE|welder]] |\n| Al | [[JOB_TITLE|nurse]] |\n",
    "| | |\n|---|---|\n| Employer | [[EMPLOYER|Tuileries Ruiz]] |\n| Gross | 2 240 |\n| **Net pay** | 1 741 |\n",
    "Medications:\n- [[PRESCRIPTION|Metformin]]\n- [[PRESCRIPTION|Insulin glargine]]\n",
    "INSERT INTO t (id, diagnosis) VALUES (1, '[[DIAGNOSIS|lupus]]'), (2, '[[DIAGNOSIS|gout]]');",
    "Taetigkeit: [[JOB_TITLE|Schweisser]]\n",
    "Conviction: [[CRIMINAL_RECORD|petty theft]]\n",
    "sexual_orientation: [[SEXUAL_ORIENTATION|bisexual]]\n",
    "treating hospital → [[HOSPITAL|Saint Odile Clinic]]\n",
    "deliver_to: [[ADDRESS|Via Nassa 19, 6900 Lugano]]\n",
    "Home: [[ADDRESS|6 Tidmarsh Row, Reading RG30 4QX]]\n",
    "trade union: [[ORGANIZATION|Dockers United]]\n",
]
NO_FIELDS = [
    "sister city: Paris\n",
    "He loved the city - Paris was far.",
    "her name: is Ana Ruiz, I think.",
    "I asked her city: it was Paris she meant.",
    "| Name | City | Employer |\n|---|---|---|\n",
    "| Mrs. Ong | Elm Close |\n",
    "“Your name, your job?”\n“Ana Ruiz, the seamstress.”\n",
    'The ankles swell, doctor."\n"Then we stop it, Mrs Moore, and wait."\n',
    "columns = ['diagnosis', 'employer']",
    "City: city\nEmployer: unknown\n",
    "## Employer\n- Pay wages on time\n- Provide a safe workplace\n",
    "diagnosis = ''",
    "values ('facteur d''orgues')",
]


def unmarked(marked: str) -> tuple[str, list[tuple[str, int, int]]]:
    """Return a text without marks, and the kind and place of each value that was marked."""
    text, values, last = "", list[tuple[str, int, int]](), 0
    for match in MARK.finditer(marked):
        text += marked[last : match.start()]
        values.append((match[1], len(text), len(text) + len(match[2])))
        text, last = text + match[2], match.end()
    return text + marked[last:], values


def whole(text: str) -> list[tuple[str, int, int]]:
    """Return the fields of a text at the beginnings of its words, one after the other."""
    found, last = list[tuple[str, int, int]](), 0
    for match in re.finditer(r"\w[\w'’.-]*", text):
        if match.start() < last:
            continue
        ends = {row.entity: row.at(text, match.start(), None, True) for row in ROWS}
        for kind, end in ends.items():
            if end > NONE:
                found.append((str(kind), match.start(), end))
                last = max(last, end)
    return found


@pytest.mark.parametrize("marked", FIELDS)
def test_a_field_is_named_as_a_whole(marked: str) -> None:
    text, values = unmarked(marked)
    assert whole(text) == values


@pytest.mark.parametrize("text", NO_FIELDS)
def test_what_is_no_field(text: str) -> None:
    assert whole(text) == []


def test_a_text_cut_anywhere_gives_the_same_or_waits() -> None:
    for marked in (*FIELDS, *NO_FIELDS):
        text = unmarked(marked)[0]
        for p in range(len(text)):
            for row in ROWS:
                end = row.at(text, p, None, True)
                for cut in range(p + 1, len(text)):
                    assert row.at(text[:cut], p, None, False) in (OPEN, end), (text, p, cut, row.entity)
                assert row.at(text, p, None, False) in (OPEN, end)


def test_only_so_many_characters_before_a_place_are_read() -> None:
    rng = random.Random(3)
    pool = [unmarked(each)[0] for each in (*FIELDS, *NO_FIELDS)]
    for _ in range(40):
        text = "\n".join(rng.choices(pool, k=60))
        for p in rng.sample(range(ROW_CHARS, len(text)), 40):
            front = rng.randint(0, p - ROW_CHARS)
            assert field_before(text, p) == field_before(text[front:], p - front)


def test_the_head_of_a_table_that_lies_too_far_back_is_not_guessed() -> None:
    table = "Name;Job\n" + "Al;doctor\n" * 200
    assert field_before(table + "Jo;", len(table) + 3) is None
    near = "Name;Job\n" + "Al;doctor\n" * 20
    found = field_before(near + "Jo;", len(near) + 3)
    assert found is not None and found.kinds == {"JOB_TITLE"} and found.ends == ";"


def test_a_begun_value_is_told() -> None:
    assert KINDS[Entity.DIAGNOSIS].could_be_cut_value("Diagnosis: multiple scl", 11, None)
    assert not KINDS[Entity.DIAGNOSIS].could_be_cut_value("A word: multiple scl", 8, None)


def test_prose_is_not_read_for_names(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str, p: int) -> None:
        raise AssertionError(text[p - 10 : p])

    monkeypatch.setattr(field_by_name, "field_before", refuse)
    text = "The doctor of Ana Ruiz is Wyatt Jacobson and she lives in a city by the sea. Her employer knows."
    assert whole(text) == []


def test_every_file_names_a_kind_and_each_wording_is_found() -> None:
    names = field_names()
    for file in FOLDER.glob("*.yaml"):
        assert Entity(file.stem) in KINDS
    assert names.is_name("Arbeitgeber") and not names.is_name("Arbeitgeber Meier")


def test_the_fields_stand_on_forms_alone() -> None:
    for file in Path(fields.__file__).parent.glob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not any(module and re.search(r"finder\.(?:context|languages|engine)\b", module) for module in modules)


@pytest.mark.parametrize("unit", ['{"a":', "| |", "a,", '"["', "a,b\n", "x;y\n", "('a', ", "<a>b", "city: ", "- a\n"])
def test_time_grows_with_length_only(unit: str) -> None:
    def seconds(chars: int, repeat: int) -> float:
        text = (unit * chars)[:chars]
        places = range(0, chars, 7)  # in turn at each character of a unit, as none has seven
        return cpu_seconds(lambda: [ROWS[0].at(text, p, None, False) for p in places], repeat=repeat)

    assert seconds(12_000, repeat=1) < 12 * seconds(3_000, repeat=2) + 0.05


WITHOUT_FORM = tuple(row.entity for row in WORDED)
ROWS_OF_PHRASINGS = [row for kind, rows in PHRASINGS.items() if kind in WITHOUT_FORM for row in rows]


@pytest.mark.parametrize("row", ROWS_OF_PHRASINGS, ids=lambda row: row.id)
def test_the_question_or_the_words_before_a_value_name_its_kind(row: Phrasing) -> None:
    prompt, answer = row.ask("Jo Day"), row.answer.replace("{n}", "Jo Day")
    if row.form is Form.COMPLETION:
        text = prompt + answer
        assert row.entity in worded().before(text, text.index("{v}"))
    else:
        before = worded().before(answer, answer.index("{v}"))
        assert row.entity in asked_kinds(prompt).worded | before


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        (Entity.JOB_TITLE, "Was macht Jan Weber beruflich?"),
        (Entity.EMPLOYER, "Pour qui travaille Paul Roux ?"),
        (Entity.DOCTOR, "¿Quién atiende a Ana Ruiz?"),
        (Entity.HOSPITAL, "Dove è ricoverato Marco Neri?"),
        (Entity.DIAGNOSIS, "De que sofre a Rita Lopes?"),
        (Entity.PRESCRIPTION, "Was nimmt Jan Weber täglich ein?"),
        (Entity.SEXUAL_ORIENTATION, "Est-ce que Paul Roux est gay ?"),
        (Entity.CRIMINAL_RECORD, "Perché Marco Neri è in carcere?"),
    ],
)
def test_a_question_without_a_noun_asks_in_its_language(kind: Entity, question: str) -> None:
    assert kind in asked_kinds(question).worded
    assert kind in asked_kinds("And now?", question).worded


def test_questions_about_nobody_ask_for_nobody_s_words() -> None:
    assert not asked_kinds("What is a diagnosis?").worded


def test_values_in_stories_are_mostly_not_announced() -> None:
    count = announced = 0
    for line in PROSE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        text, values = unmarked(row["answer"])
        asked = asked_kinds(row["prompt"]).worded
        for kind, start, _ in values:
            if kind in WITHOUT_FORM:
                count += 1
                announced += kind in asked | worded().before(text, start)
    assert count > 500 and announced < 0.08 * count


def test_labels_without_a_form_stand_apart_from_those_with_one() -> None:
    assert not set(shipped().kinds) & set(WITHOUT_FORM)
    scan = FormScan(shipped())
    scan.feed("The phone number of her doctor is 555-0134. The hospital's order number is: 4711-20.", closed=True)
    assert [str(span.entity) for span in scan.spans()] == ["PHONE_NUMBER", "ORDER_NUMBER"]
