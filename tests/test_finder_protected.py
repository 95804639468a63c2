"""What belongs to one person (plates, devices, places on a map) and what the law protects most (belief, orientation, convictions)."""

from __future__ import annotations

import pytest
from test_finder import offline, online

from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder, recognizers
from reticent_detectors.spans import FindContext

V, D, C = Entity.VEHICLE_ID, Entity.DEVICE_ID, Entity.COORDINATES
B, S, R = Entity.NRP, Entity.SEXUAL_ORIENTATION, Entity.CRIMINAL_RECORD

GROUPS = SpanFinder(recognizers({Entity.NRP}))

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
]


@pytest.mark.parametrize(("entity", "value", "text"), FOUND)
def test_it_is_found_however_the_text_is_cut(entity: Entity, value: str, text: str) -> None:
    text = text.format(v=value)
    finder = GROUPS if entity is B else SpanFinder()
    whole = offline(text, finder=finder)
    assert [(span.entity, text[span.start : span.end]) for span in whole] == [(entity, value)]
    assert all(online(text, [cut], finder=finder) == whole for cut in range(len(text) + 1))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_looks_like_it_is_none(text: str) -> None:
    new = {V, D, C, B, S, R, Entity.DIAGNOSIS, Entity.PASSWORD, Entity.HOSPITAL}
    assert not [found for found in offline(text) if found.entity in new]


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
