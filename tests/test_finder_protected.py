"""What belongs to one person (plates, devices, coordinates); special categories (belief, orientation, convictions)."""

from __future__ import annotations

import itertools

import pytest
from test_finder import offline, online

from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.finder.languages import LANGUAGES
from reticent_detectors.finder.languages.belongings import BELONGINGS, PLACES
from reticent_detectors.finder.languages.protected import PROTECTED_WORDINGS
from reticent_detectors.finder.languages.wordings import split_wordings
from reticent_detectors.spans import FindContext

V, D, C = Entity.VEHICLE_ID, Entity.DEVICE_ID, Entity.COORDINATES
B, S, R = Entity.NRP, Entity.SEXUAL_ORIENTATION, Entity.CRIMINAL_RECORD

GROUPS = SpanFinder(recognizers({Entity.NRP}))
# Without what only names a group: "Catholic schools" holds a name of one, and nobody's belief.
BELIEFS = SpanFinder([r for r in recognizers({Entity.NRP}) if r.name != "group"])

FOUND: list[tuple[Entity, str, str]] = [
    (V, "AB12 CDE", "Jane Roe's number plate is {v}."),
    (V, "AB12 CDE", "{v} is her number plate."),
    (V, "AB12 CDE", "Her licence plate, {v}, was caught on camera."),
    (V, "7ABC123", "The truck, plate {v}, left at noon."),
    (V, "WVWZZZ1JZ3W386752", "The VIN of her car is {v}."),
    (V, "1HGCM82633A004352", "We found {v} under the windscreen."),
    (V, "M-KT 4821", "Das Kennzeichen ihres Autos lautet {v}."),
    (V, "AB-123-CD", "Son immatriculation est {v}."),
    (V, "1234 KLM", "La matrícula de su coche es {v}."),
    (V, "AB 123 CD", "La targa della sua auto è {v}."),
    (V, "AA-12-BB", "A matrícula do carro dela é {v}."),
    (D, "F2LX9K3PHG7F", "Her phone's serial number is {v}."),
    (D, "356938035643809", "The IMEI of his phone is {v}."),
    (D, "PM-48213-A7", "Her pacemaker has the serial number {v}."),
    (D, "F2LX9K3PHG7F", "Die Seriennummer ihres Handys lautet {v}."),
    (V, "ZH 123456", "Sein Kennzeichen ist {v}."),
    (V, "W-12345X", "Ihr Kennzeichen lautet {v}."),
    (V, "KA 01 AB 1234", "His plate no. is {v}."),
    (S, "a lesbian", "Sexual orientation: {v}\n"),
    (S, "une lesbienne", "Orientation sexuelle : {v}\n"),
    (S, "a lesbian", '{{"sexual_orientation": "{v}"}}'),
    (R, "estafa", "Fue condenada por {v}."),
    (B, "testigo de Jehová", "Ana Ruiz es {v}."),
    (B, "testimone di Geova", "Anna Bianchi è {v}."),
    (B, "testemunha de Jeová", "Ana é {v} desde 2010."),
    (R, "two counts of burglary", "Jane Roe was convicted of {v}."),
    (R, "third degree of aggravated assault", "Jane Roe was sentenced for {v}."),
    (C, "40.7128, -74.0060", "Her coordinates are {v}."),
    (C, "48.13743, 11.57549", "He was last seen at {v}, near the river."),
    (C, "48°08′15″N 11°34′32″E", "He lives at {v}."),
    (B, "devout Catholic", "She is a {v}."),
    (B, "Jewish", "Jane Roe was raised {v}."),
    (B, "Muslim", "Religion: {v}"),
    (B, "Katholikin", "Jane Roe ist {v}."),
    (B, "katholisch", "Wir wissen, dass Anna Meier {v} ist."),
    (B, "budista", "Dejó de ser {v} en Londres."),
    (B, "conservative", "Her political view: {v}"),
    (S, "gay", "Jane Roe is {v}."),
    (S, "bisexual", "He came out as {v} in 2010."),
    (S, "lesbian", "She is a {v}."),
    (S, "bisexual", "Sexual orientation: {v}"),
    (S, "homosexual", "Orientación: {v}"),
    (S, "schwul", "Er ist {v}."),
    (S, "lesbienne", "Elle est {v}."),
    (S, "gay", "Pidió asilo porque es {v}."),
    (R, "shoplifting", "Jane Roe was convicted of {v}."),
    (R, "armed robbery", "He served four years for {v}."),
    (R, "burglary", "Police arrested Jo Day on suspicion of {v} on Sunday."),
    (R, "burglary (2014)", "Criminal record: {v}"),
    (R, "Diebstahls", "Er wurde wegen {v} verurteilt."),
    (R, "vol", "Il a été condamné pour {v}."),
    (R, "estafa", "Juan Pérez fue condenado por {v}."),
    (R, "truffa", "Mario Rossi è stato arrestato per {v}."),
    (R, "furto", "João Silva foi condenado por {v}."),
    (S, "bi", "The tabloids outed Daniel White, who was {v} all along, in May."),
    (S, "asexual", "Under sexual orientation, Tony Page ticked the box marked {v}."),
    (S, "straight", "Sexuality: {v}"),
    (R, "armed robbery", "Jo Day has been in and out of custody over {v} since she was seventeen."),
    (R, "Money laundering", "{v} was the charge when Jo Day stood in the dock."),
    (Entity.ADDRESS, "90210", "Zip code: {v}"),
    (Entity.DIAGNOSIS, "penicillin", "Allergies: {v}"),
    (Entity.DIAGNOSIS, "Asthma", "The patient's diagnosis? {v}."),
    (Entity.HOSPITAL, "Mercy General", "Jane Roe was treated at {v}."),
    (Entity.PASSWORD, "correct-horse-battery", "The password is {v}."),
    (Entity.JOB_TITLE, "trade mark attorney", "She works as a {v}."),
    (Entity.JOB_TITLE, "post office clerk", "He is a {v}."),
    (S, "gay", "Jane Roe grew up {v} and bilingual in Texas."),
    (S, "lesbiana", "Ana Ruiz es {v} y bilingüe."),
    (S, "lesbienne", "Marie Dupont est {v} et bilingue."),
    (S, "queer", "Meine Eltern wissen, dass ich {v} bin."),
    (S, "no binaria", "Su orientación: {v}"),
    (S, "trans", "Jane Roe is {v}."),
    (C, "-33.8688, 151.2093", "Her coordinates are {v}."),
    (C, "N48.13743 E11.57549", "Her coordinates are {v}."),
    (V, "1HGCM82633A004352", "The vehicle identification number is {v}."),
    (V, "LR19 KVT", "Her car, registered as {v}, was stolen."),
    (V, "CD 482 KL", "La sua auto è targata {v}."),
    (V, "B 45 XYZ", "His plate number is {v}."),
    (V, "8ZGM390", "Officers ran the plate {v} yesterday."),
    (Entity.ADDRESS, "90210", "ZIP: {v}"),
    (Entity.ADDRESS, "00184", "CAP: {v}"),
    (Entity.DIAGNOSIS, "penicillin", "She is allergic to {v}."),
    (Entity.DIAGNOSIS, "penicilina", "Ana Ruiz es alérgica a la {v}."),
    (Entity.DIAGNOSIS, "amendoim", "Alergia: {v}"),
    (R, "murdering", "Maria Lopez was convicted of {v} her husband."),
    (R, "possession of a firearm", "Maria Lopez was convicted of {v}."),
    (R, "benefit fraud", "Jo Day was convicted of {v}."),
    (R, "sex offender", "Jo Day is a registered {v}."),
    (R, "vol à main armée", "Marie Dupont a été condamnée pour {v}."),
    (R, "conduite en état d'ivresse", "Marie Dupont a été reconnue coupable de {v}."),
    (R, "délit de fuite", "Marie Dupont a une condamnation pour {v}."),
    (R, "robo con violencia", "Ana Ruiz fue condenada por {v}."),
    (R, "guida in stato di ebbrezza", "Anna Rossi è stata arrestata per {v}."),
    (R, "condução sem carta", "João Silva foi condenado por {v}."),
    (R, "Betrugs", "Peter Braun ist wegen {v} vorbestraft."),
    (R, "Diebstahls", "Er hat eine Vorstrafe wegen {v}."),
    (R, "Trunkenheit am Steuer", "Peter Braun wurde wegen {v} verurteilt."),
    (R, "Beihilfe zum Mord", "Peter Braun wurde wegen {v} verurteilt."),
]
HARMLESS = [
    "A plate of food costs 12 euros.",
    "We put the plate on table 4 and left at 10.",
    "Plate 12345 shows a frog.",
    "Conectaron dos miniordenadores PDP-11 a la placa.",
    "The losses fell to 0.12345, 0.11234, 0.10231.",
    "weights = [3.14159, 2.71828]",
    "The plate on her 2019 BMW was stolen.",
    "Das Kennzeichen an ihrem BMW 320 fehlt.",
    "Mi placa base es una ASUS B550M.",
    "A placa de vídeo dela é uma RTX 3080.",
    "Por fin llegó mi RTX 3080.",
    "Vin Diesel stars in XXX 2002.",
    "Le vin est un AOC 2019.",
    "The invoice for her plates is INV20231.",
    "The losses fell to 2.12345, 2.11234, 2.10231.",
    "losses = [2.12345, 2.11234, 2.10231]",
    "The constants are 3.1416, 2.7183.",
    "We ordered 3 S, 5 L and 2 XL shirts.",
    "The user 11111111111111111 liked it.",
    "The book is by Roxane Gay.",
    "Peter Gay, the historian, died in 2015.",
    "Jane Roe loves Marvin Gaye.",
    "She is in a gay mood.",
    "Dübel für Schrauben kaufte er.",
    "Er starb wegen Selbstmords.",
    "Wegen des Wintereinbruchs blieb sie zu Hause.",
    "Sie wurde Opfer eines Diebstahls.",
    "Il est victime de vol.",
    "Marie a porté plainte pour vol.",
    "Lawyer Jane Roe defended him against charges of fraud.",
    "Jane Roe charged the phone with battery packs.",
    "Il est parti pour vol.",
    "La sua matricola è 123456.",
    "The zip is 2048 MB.",
    "What causes this condition? Diabetes.",
    "Allergies: NKDA",
    "Catholic schools opened again on Monday.",
    "The Muslim world celebrates today, he said.",
    "In this society we hope for a democratic government by the free choice of the people.",
    "These symptoms have been progressive, she says.",
    "Gay marriage has been legal there since 2005.",
    "He seeks disabled veteran and lesbian, gay, bisexual and transgender owners.",
    "Her murderous look was criminal, he said.",
    "The solicitor told her about the police.",
    "The arrested man told her of a murder mystery.",
    "El matrimonio homosexual es legal desde 2005.",
    "La orientación de la casa es sur.",
    "Orientación: sur",
    "Burglary is punished by up to ten years.",
    "Diagnosis: N/A",
    "Diagnosis: pending",
    "The password is up-to-date.",
    "The patient was treated by Mercy Jones.",
    "Jane Roe accused her employer of harassment.",
    "The bank charged Jane Roe for fraud protection.",
    "The prison warden told Jo Day of murder.",
    "map = 1.250",
    "Exact: 3.14159",
    "f(x) = 12.34567, 89.12345",
    "The conference registration is CONF2024.",
    "His registration form B12345 was lost.",
    "The budget cap: 50000",
]
CUT = [
    (C, "She lives at 51.5074, -0.127"),
    (C, "He lives at 48°08′15″N 11°34′32"),
    (S, "Her son is bisexua"),
    (R, "Jane Roe was convicted of shoplif"),
    (R, "Jane Roe was found guilty of armed robb"),
    (R, "Jane Roe wurde wegen Körperverletzun"),
    (Entity.JOB_TITLE, "She is a hospital porte"),
    (Entity.PASSWORD, "Her password is sunflower-garden-"),
]


@pytest.mark.parametrize(("entity", "value", "text"), FOUND)
def test_it_is_found_however_the_text_is_cut(entity: Entity, value: str, text: str) -> None:
    text = text.format(v=value)
    finder = GROUPS if entity is B else SpanFinder()
    whole = offline(text, finder=finder)
    assert [(span.entity, text[span.start : span.end]) for span in whole] == [(entity, value)]
    assert all(online(text, [cut], finder=finder) == whole for cut in range(len(text) + 1))
    assert online(text, range(len(text)), finder=finder) == whole


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_it_is_none(text: str) -> None:
    new = {V, D, C, B, S, R, Entity.DIAGNOSIS, Entity.PASSWORD, Entity.HOSPITAL}
    assert not [found for found in offline(text, finder=BELIEFS) if found.entity in new]


@pytest.mark.parametrize(("entity", "text"), CUT)
def test_a_value_that_the_end_of_the_answer_cuts_is_kept_back(entity: Entity, text: str) -> None:
    finder, start = SpanFinder(), 0
    while (scan := finder.next_span(text, start, context=FindContext(), closed=False)).span is not None:
        start = scan.frontier
    span = finder.fragment(text, scan.frontier, context=FindContext())
    assert span is not None
    assert (span.entity, span.end, span.fragment) == (entity, len(text), True)


@pytest.mark.parametrize("text", ["The temperature was 20", "Jane Roe is smar", "Jane Roe said the weat", "It cost -3"])
def test_what_is_cut_and_no_value_passes(text: str) -> None:
    assert SpanFinder().fragment(text, 0, context=FindContext()) is None


@pytest.mark.parametrize("language", [language.name for language in LANGUAGES])
def test_no_wording_of_a_row_stands_in_another(language: str) -> None:
    rows = [*BELONGINGS[language].values(), *PLACES[language].values()]
    rows += [row for group in PROTECTED_WORDINGS[language].values() for row in group.values()]
    for row in rows:
        seen: set[str] = set()
        for wording in split_wordings(row):
            choices = [[*item.rstrip("?").split("/"), *([""] if item[-1] == "?" else [])] for item in wording.split()]
            assert all(len(set(choice)) == len(choice) for choice in choices), wording
            ways = {" ".join(filter(None, way)) for way in itertools.product(*choices)}
            assert not ways or not ways <= seen, wording
            seen |= ways


def test_an_answer_may_be_all_that_is_said() -> None:
    for question, answer, entity in [
        ("What religion is Jane Roe?", "Catholic.", B),
        ("How does Jane Roe identify?", "As gay.", S),
        ("What was Jane Roe convicted of?", "Fraud.", R),
        ("What is the serial number of her phone?", "F2LX9K3PHG7F.", D),
    ]:
        assert offline(answer, FindContext("", question), GROUPS)[0].entity == entity, question


@pytest.mark.parametrize(
    "question",
    [
        "What is Jane Roe's phone number?",
        "What is Jane Roe's handset number?",
        "Wie lautet die Handynummer von Jane Roe?",
        "Quel est le numéro du téléphone de Jane Roe ?",
        "¿Cuál es el número del teléfono de Jane Roe?",
        "Qual è il numero del telefono di Jane Roe?",
        "Qual é o número do telefone de Jane Roe?",
    ],
)
def test_the_number_of_a_phone_is_none_of_a_device(question: str) -> None:
    [span] = offline("278-277-2958", FindContext("", question))
    assert span.entity == Entity.PHONE_NUMBER
