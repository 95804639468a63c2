"""Values that only their introduction announces: wordings of six languages, what is left alone, and cuts."""

from __future__ import annotations

import pytest
from finder_cuts import found
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import cpu_seconds

from reticent_detectors.entities import GENERAL, Entity
from reticent_detectors.finder import SIXTEEN, SpanFinder
from reticent_detectors.finder.fields.field_by_name import FIELDS_BY_NAME
from reticent_detectors.finder.forms import asked_kinds
from reticent_detectors.spans import FindContext, Span

FINDER = SpanFinder()


def online(text: str, cuts: list[int], question: str = "", finder: SpanFinder = FINDER) -> list[Span]:
    return found(finder, text, cuts, FindContext(question=question))


def read(text: str, question: str = "") -> list[tuple[str, str]]:
    return [(s.entity, text[s.start : s.end]) for s in online(text, [], question)]


PROSE = [
    (Entity.UTILITY_BILL, "La factura de la luz de Ana Ruiz fue de {v} en mayo.", "84,99 €"),
    (Entity.UTILITY_BILL, "She pays {v} every month for gas.", "$99"),
    (Entity.FLIGHT, "Der Flug von {v} ist gebucht.", "Kassel nach Wien am 3. Mai 2026"),
    (Entity.FLIGHT, "{v} is the flight Jo Day took.", "BA 2490"),
    (Entity.FLIGHT, "Jan Weber verpasste {v} um zehn Minuten.", "SN 2588"),
    (Entity.FLIGHT, "El avión de Ana Ruiz, el {v}, va con retraso.", "VY 2210"),
]
NUMBERS = [
    (Entity.PASSPORT, "The passport Jo Day showed at the desk was {v}.", "C4J9K2T1"),
    (Entity.DRIVER_LICENSE, "Jan Webers Führerschein trägt die Nummer {v}.", "B072RRE2I55"),
    (Entity.MEDICAL_RECORD_NUMBER, "Le dossier médical de Paul Roux porte le numéro {v}.", "MR-5529104"),
    (Entity.NATIONAL_ID, "Ana Ruiz enseñó su documento de identidad, el {v}.", "48213977K"),
    (Entity.PIN, "Jo Day types {v} as PIN at the cash machine.", "4827"),
    (Entity.PIN, "{v} è il PIN della carta di Marco Neri.", "9031"),
    (Entity.PASSWORD, "Das Passwort von Jan Weber ist {v}.", "Kx9!trumpet"),
    (Entity.USERNAME, "O usuário de Rita Lopes é {v}.", "moonfox_77"),
    (Entity.DATE_OF_BIRTH, "Jan Weber hat am {v} Geburtstag.", "12.07.1975"),
    (Entity.BANK_ACCOUNT, "A Ana Ruiz le ingresan la nómina en la cuenta {v}.", "0012-558812"),
]
WHOLE = SpanFinder()


@pytest.mark.parametrize(("entity", "frame", "value"), PROSE)
def test_a_value_is_found_in_the_prose_of_its_language(entity: Entity, frame: str, value: str) -> None:
    assert (str(entity), value) in read(frame.replace("{v}", value))


@pytest.mark.parametrize(("entity", "frame", "value"), PROSE)
def test_every_cut_gives_the_same(entity: Entity, frame: str, value: str) -> None:
    text = frame.replace("{v}", value)
    whole = online(text, [])
    assert online(text, list(range(len(text) + 1))) == whole
    for cut in range(len(text)):
        assert online(text, [cut]) == whole


@pytest.mark.parametrize(("entity", "frame", "value"), NUMBERS)
def test_a_noun_of_the_sentence_says_what_a_code_is(entity: Entity, frame: str, value: str) -> None:
    text = frame.replace("{v}", value)
    whole = online(text, [], finder=WHOLE)
    assert (str(entity), value) in [(s.entity, text[s.start : s.end]) for s in whole]
    assert online(text, list(range(len(text) + 1)), finder=WHOLE) == whole


@pytest.mark.parametrize(
    ("entity", "head", "value"),
    [
        (Entity.BANK_ACCOUNT, "Konto-Nr.", "3973190895"),
        (Entity.PIN, "Código PIN", "324568"),
        (Entity.PASSWORD, "Senha temporária", "Tig3r95!"),
        (Entity.DATE_OF_BIRTH, "Nato il", "1966-08-23"),
        (Entity.DRIVER_LICENSE, "Permis de conduire", "361819209142"),
        (Entity.USERNAME, "Username", "stacy_brown7"),
    ],
)
@pytest.mark.parametrize(
    "layout",
    ["Name,{h},id\nJo Day,{v},12\n", "name;{h};id\nJo Day;{v};12\n", '{{"name": "Jo Day", "{h}": "{v}", "id": "12"}}'],
)
def test_a_column_says_what_it_holds(entity: Entity, head: str, value: str, layout: str) -> None:
    text = layout.replace("{{", "{").replace("}}", "}").replace("{h}", head).replace("{v}", value)
    found = [(s.entity, text[s.start : s.end]) for s in online(text, [], finder=WHOLE)]
    assert (str(entity), value) in found


COLUMNS = SpanFinder((*FIELDS_BY_NAME, *SIXTEEN))


@pytest.mark.parametrize(
    ("entity", "name", "value"),
    [
        (Entity.ADDRESS, "Endereço", "Rua de Moura, Bairro Novo, 70876-100 Montes / AM"),
        (Entity.ADDRESS, "adresse_postale", "310, rue Marcel Duval, 25339 Bodin"),
        (Entity.LOCATION, "Geburtsort", "Bad Talberg"),
        (Entity.LOCATION, "lieuDeNaissance", "Valmont"),
        (Entity.ORGANIZATION, "Associazione", "Cantine Ribaldi"),
        (Entity.ORGANIZATION, "nom_association", "Lumière & Fils"),
        (Entity.PERSON, "Nome e cognome", "Marco Neri"),
        (Entity.PERSON, "titular_cuenta", "Ana Ruiz"),
        (Entity.NATIONAL_ID, "numeroCartaDIdentita", "CN87730HP"),
        (Entity.PASSWORD, "codeDAcces", "S0mm3r67?"),
        (Entity.PASSWORD, "palavra_passe", "Lisb0a55?"),
        (Entity.USERNAME, "Nome de utilizador", "moonfox"),
    ],
)
@pytest.mark.parametrize("layout", ["{h}: {v}\nid: 12\n", '{{"{h}": "{v}", "id": "12"}}', "id\t{h}\n12\t{v}\n"])
def test_a_field_is_its_name_s(entity: Entity, name: str, value: str, layout: str) -> None:
    text = layout.replace("{{", "{").replace("}}", "}").replace("{h}", name).replace("{v}", value)
    finder = COLUMNS if entity in GENERAL or entity is Entity.ADDRESS else WHOLE
    whole = online(text, [], finder=finder)
    assert (str(entity), value) in [(s.entity, text[s.start : s.end]) for s in whole]
    assert online(text, list(range(len(text) + 1)), finder=finder) == whole


@pytest.mark.parametrize(
    "text",
    [
        "city = 'unknown'",
        "organization: null",
        "He loved the city - Paris was far.",
        "address = 'localhost:8080'",
        "Address: 192.168.0.1\n",
        "User: hello\n",
    ],
)
def test_what_only_looks_like_a_field(text: str) -> None:
    assert online(text, [], finder=SpanFinder((*FIELDS_BY_NAME, *WHOLE._recognizers))) in (
        [],
        online(text, [], finder=WHOLE),
    )
    assert not {s.entity for s in online(text, [], finder=WHOLE)} & {"ADDRESS", "USERNAME"}


@pytest.mark.parametrize(
    "text",
    [
        "In the post-war years Jo Day sang.",
        "At Easter, Jo Day works in the garden.",
        "En España, Ana Ruiz trabaja mucho.",
        "Her pockets were bulging with cartridges.",
        "Die Position der Rippenquallen ist unklar, sagt Jan Weber.",
        "Wait a moment, Jo Day said.",
    ],
)
def test_words_that_announce_nothing(text: str) -> None:
    assert not read(text)


def test_a_word_that_may_still_grow_is_waited_for() -> None:
    text = "Gastou 2300 reais.70Padeiro de profissão, Rita Lopes conhece o problema."
    whole = online(text, [])
    for cut in range(len(text)):
        assert online(text, [cut]) == whole


@given(
    pieces=st.lists(
        st.sampled_from([w for _, f, v in PROSE for w in (*f.replace("{v}", v).split(" "), v, "\n", '": "', ", ")]),
        max_size=14,
    ),
    cuts=st.lists(st.integers(0, 160), max_size=8),
)
@settings(max_examples=120, deadline=None)
def test_mixed_languages_and_cuts(pieces: list[str], cuts: list[int]) -> None:
    text = " ".join(pieces)
    assert online(text, sorted(min(cut, len(text)) for cut in cuts)) == online(text, [])


@pytest.mark.parametrize(
    ("question", "entity"),
    [
        ("Wo wohnt Jan Weber?", Entity.ADDRESS),
        ("Quel est le numéro de téléphone de Paul Roux ?", Entity.PHONE_NUMBER),
        ("Quando è l'appuntamento di Marco Neri?", Entity.APPOINTMENT_DATE),
        ("Wie lautet die Diagnose von Jan Weber?", Entity.DIAGNOSIS),
        ("What is a diagnosis?", None),
    ],
)
def test_a_question_says_what_it_asks_for(question: str, entity: Entity | None) -> None:
    asked = asked_kinds(question)
    assert ([*asked.worded, *asked.kinds] or [None])[0] == entity


@pytest.mark.parametrize(
    "line",
    [
        "Er litt an nichts so sehr wie an der Langeweile.",
        "Il souffre de la chaleur.",
        "Prende il treno tutte le mattine.",
        "Toma o autocarro todas as manhãs.",
        "El hospital está al final de la calle.",
        "Die Behandlung wirkt am besten, wenn sie früh beginnt.",
        "Her employer was very understanding.",
        "Her laptop has the MAC address that he wanted.",
        "Her car has the Big engine.",
        "She was treated by Nature in a niggardly way.",
        "The American Cancer Society wrote to Jo Day.",
    ],
)
def test_harmless_prose_has_no_span(line: str) -> None:
    assert read(line) == []


@pytest.mark.parametrize("unit", ["leidet an ", "de la ", "her doctor, ", "$9 for ", "l'"])
def test_time_grows_with_length_only(unit: str) -> None:
    def seconds(chars: int) -> float:
        text = (unit * chars)[:chars]
        return cpu_seconds(lambda: online(text, []))

    seconds(1000)
    assert seconds(6_000) < 12 * seconds(1_500) + 0.2
