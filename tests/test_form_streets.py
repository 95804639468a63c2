"""Street addresses by their forms: whole ones of many countries, their bounds, and that cuts change nothing."""

from __future__ import annotations

import random

import pytest

from reticent_detectors.finder.forms import FormScan, found, shipped
from reticent_detectors.spans import Span

KINDS = shipped()
_AFTER_CHARS = 64

WHOLE = """
He lives at [12 Oak Street, Leeds]. He works at [5 Mill Lane, York YO1 7AB].
He lives at [12 oak street, york] now.
I live at [45 rue des lilas, 75011 paris].
He lives at [12 Oak Street] in Leeds and works nearby.
[Flat 3B, 22 Mill Road, Cambridge CB1 2AD]
[Apartment 12, Rose House, 5 Park Lane, Leeds]
[Unit 4, Level 2, 88 Wattle Street, Sydney NSW 2000, Australia]
[12/45 Wattle Street, Brisbane QLD 4000]
[12 Orchard Road, #05-12, Singapore 238841]
[123 Main St., Apt. 4B, New York, NY 10001, USA]
[123 Main St|Apt 4B|New York, NY 10001|USA]
She lives at [1514 Rivers Passage, Lake Harrow, OH 68918].
Nous habitons [place de la Fontaine 12, Paris].
[12 rue du Gen. Roche, Paris]
[1234 W 5th Ave, Vancouver, BC V6H 1J4, Canada]
Jane Roe|[12 Oak Street|Leeds|LS1 4AB|United Kingdom]
Send it to [7 Maple Road, London], by Monday.
I visited [12 Oak Street] 5 times.
[Friedrichstraße 12, Hinterhaus, 3. Stock, 10117 Berlin, Germany]
[Rosa-Luxemburg-Straße 5, 10178 Berlin]
Er wohnt in der [Hauptstr. 5, Berlin].
Sie wohnt [Am Stadtpark 12 b, 90409 Nürnberg], und er nicht.
[Unter den Linden 77, 10117 Berlin]
[Bahnhofstrasse 5, 8001 Zürich, Schweiz]
[10 bis rue de la Gare, Bâtiment B, 69003 Lyon]
[25 avenue du Lac, 3ème étage, 75116 Paris, France]
[Rue de la Loi 16, 1000 Bruxelles, Belgique]
[Calle de Alcalá 45, 2º izq, 28014 Madrid, España]
[C/ Mayor 5, bajo B, 28013 Madrid]
[Av. Corrientes 1234, Piso 5, Dto. B, C1043AAZ Buenos Aires, Argentina]
[Rua das Flores, 123, apto 45, Centro, São Paulo - SP, 01234-567, Brasil]
[Via Roma 14, scala B, int. 3, 20121 Milano MI]
[Keizersgracht 123-2, 1015 CJ Amsterdam, Nederland]
[Ulica Długa 5 m. 12, 00-238 Warszawa, Polska]
[Rákóczi út 22, 1072 Budapest]
[Kossuth Lajos utca 5., 1053 Budapest]
[Václavské náměstí 5, 110 00 Praha 1]
[Hlavní 25, 602 00 Brno]
[Storgatan 12 A, lgh 1101, 114 55 Stockholm, Sverige]
[Karl Johans gate 5, 0154 Oslo, Norway]
[Vesterbrogade 12, 3. th, 1620 København V, Danmark]
[Hämeentie 15 B 22, 00500 Helsinki, Finland]
[ул. Тверская, д. 7, кв. 12, Москва, 125009, Россия]
""".strip().splitlines()

NONE = """
5 people live in Leeds. Level 5 is hard, and Unit 3 tests pass.
Her postcode is LS6 2AB. ZIP: 43672
We bought 12 Oak tables, 3 Road bikes and 5 Park benches.
In 2012 Olympic Park was opened. Suite 12, 3 tests failed.
Platz 3 ging an uns, Verkäufer 12 an euch. Brigade 5, 10115 Berlin
Bundesstraße 5, 10115 Berlin. Karl Marx 5, Paul 7
Use port 443 via nginx proxy; 8080 via ssh tunnel.
He lives at 12 minutes down the street from here.
Anna Ivanova 3, 2010 Praha was there. Barrio Norte, 2010 Argentina
""".strip().splitlines()


def plain(line: str) -> str:
    return line.replace("[", "").replace("]", "").replace("|", "\n")


def marked(text: str) -> str:
    for span in reversed(found(KINDS, text)):
        if span.entity == "ADDRESS":
            text = f"{text[: span.start]}[{text[span.start : span.end]}]{text[span.end :]}"
    return text.replace("\n", "|")


def in_pieces(text: str, cuts: list[int]) -> list[Span]:
    scan = FormScan(KINDS)
    for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True):
        scan.feed(text[start:end])
    scan.feed("", closed=True)
    return scan.spans()


@pytest.mark.parametrize("line", [*WHOLE, *NONE])
def test_addresses_are_found_whole(line: str) -> None:
    assert marked(plain(line)) == line


@pytest.mark.parametrize("line", [*WHOLE, *NONE])
def test_one_cut_anywhere_changes_nothing(line: str) -> None:
    for text in (plain(line), plain(line) + ", and then no.", plain(line) + "\nThen, no."):
        whole = found(KINDS, text)
        for cut in range(1, len(text)):
            assert in_pieces(text, [cut]) == whole, (text, cut)
        assert in_pieces(text, list(range(1, len(text)))) == whole, text


def test_many_cuts_of_joined_texts_change_nothing() -> None:
    rng = random.Random(7)
    pool = [plain(line) for line in (*WHOLE, *NONE)]
    pool += [piece for line in pool for piece in line.split(", ")]
    for _ in range(300):
        text = rng.choice([" ", "\n", ". ", ", ", "\n\n"]).join(rng.sample(pool, rng.randint(2, 4)))
        cuts = sorted(rng.sample(range(1, len(text)), rng.randint(1, len(text) // 3)))
        assert in_pieces(text, cuts) == found(KINDS, text), (text, cuts)


@pytest.mark.parametrize("line", [line for line in WHOLE if "[" in line])
def test_an_address_is_given_out_soon_after_its_end(line: str) -> None:
    text = plain(line) + ", and nobody said a word about it for the whole of that long evening in the hall."
    spans = [span for span in found(KINDS, text) if span.entity == "ADDRESS"]
    for span in spans:
        scan = FormScan(KINDS)
        scan.feed(text[: span.end + _AFTER_CHARS])
        assert span in scan.spans()
