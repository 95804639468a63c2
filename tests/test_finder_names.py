"""Names of people, places, organisations and groups, and street addresses, in running text."""

from __future__ import annotations

import random
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import cpu_seconds

from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder, names_data
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.finder.forms import shipped
from reticent_detectors.finder.names.names import GROUPS, ORGANIZATIONS, PEOPLE, PLACES
from reticent_detectors.spans import FindContext, Span

FINDER = SpanFinder((FormValues(shipped(), ["ADDRESS"]), *PEOPLE, *PLACES, *ORGANIZATIONS, *GROUPS))
KINDS = {"P": "PERSON", "L": "LOCATION", "O": "ORGANIZATION", "G": "NRP", "A": "ADDRESS"}


def offline(text: str) -> list[Span]:
    return online(text, [len(text)])


def online(text: str, cuts: list[int]) -> list[Span]:
    """The spans found when the text grows to each cut in turn."""
    spans: list[Span] = []
    frontier = 0
    for size in sorted({*cuts, len(text)}):
        while True:
            scan = FINDER.next_span(text[:size], frontier, context=FindContext(), closed=size == len(text))
            frontier = scan.frontier
            if scan.span is None:
                break
            spans.append(scan.span)
    return spans


def marked(text: str) -> str:
    """The text with its spans in brackets, and line breaks as bars."""
    for span in reversed(offline(text)):
        letter = next(key for key, entity in KINDS.items() if entity == span.entity)
        text = f"{text[: span.start]}[{letter} {text[span.start : span.end]}]{text[span.end :]}"
    return text.replace("\n", "|")


def plain(line: str) -> str:
    for letter in KINDS:
        line = line.replace(f"[{letter} ", "")
    return line.replace("]", "").replace("|", "\n")


PROSE = """
Dr. [P Jane Roe] met President [P Martin Oakes] in [L Paris] on May 3.
My name is [P john smith] and I live in [L london].
Please contact Mr. [P Van der Berg] at [O Oakley Corp.] about it.
[P J. R. R. Harlow] taught at the [O University of Oxford] with [P C. S. Merrick].
The [G French] army crossed the [L Rhine River] near [L Strasbourg], [L Germany].
[P Maria] said that the weather in [L Georgia] is mild.
He won the Nobel Prize and worked for [O NASA].
[P O'Brien]'s car stood beside [P Martin Luther Harris Jr.]'s house.
Dear [P Wolfgang], thank you. Best regards, [P Siobhan McCarthy]
[P Katarzyna Nowak] and [P Xiaoming Liu] never met [P Thandiwe Dlamini].
Will [P Grant Mercer] be there in May?
She grew up on the shore of [L Lake Como], not in [L New York City].
The letter is from the [O Ministry of Health and Labour], not from [P Rose Grant].
Ask [P Jean de la Fontaine] or [P Ludwig van den Heuvel].
The [O Royal Bank] opened an office in [L Springfield], [L Ohio].
I met [P Dmitri Sokolov] once. [P Sokolov] never wrote.
can you call [P maria gonzalez] today?
She is [G German], her husband is a [G Catholic].
He works for [O Quarvel], and she bought shares in the company [O Brindle].
The lease was signed by [O Roe Tools, Inc.] and [O Oakes & Sons Ltd.] last week.
The final was won by [O FC Harrow].
Die [O Universität Leipzig] und der [O Banco de Harrow] schweigen.
""".strip().splitlines()

NOTHING = """
The table stands in the hall, and May is a warm month.
In April it rains. On Monday we rest.
Will you mark the page? I hope so.
The Old Man and the Sea won the award.
How To Write A Better Letter
It was the Second World War that changed this.
I think that rose petals and frank words may bill you nothing.
OK, the PIN and the ID are in the PDF.
El tiempo y el campo. Durante la noche, [P Pedro Gómez] habló.
Para [P Carmen Ruiz], un premio; El huracán llegó a [L Los Angeles].
Der Historiker [P Fred Anderson] und seine Nachbarin [P Ida Berger] reisten.
Unter dem Vizegouverneur [P David Collins] war die Lage gut.
Nachdem [L Washington] fiel, war er für seine Burgen bekannt.
We are proud [G paraguayans], and I am [G cambodian].
ZIP: 43672
We moved here from [L Tjæreborg], and she flew to [L LEPPENAU] on Monday.
""".strip().splitlines()

ADDRESSES = """
He lives at [A 11 via goffredo mameli] now.
Send it to [A Koskikatu 25 Apt. 864], please.
[A Geislerweg 5/4, 92668 Prenzlau]
I moved to [A 19 pierre delannoyplaats 211] last year.
[A 12 rue de la Paix, 75002 Paris]
[A Calle Mayor 5, 3º B, 28013 Madrid]
The shop is at [A 221B Baker Street, London NW1 6XE].
[A 7 Rose Hill Close, Whitby YO21 3AA]
[A ul. Długa 12, 00-238 Warszawa]
[A Kungsgatan 44, 111 35 Stockholm]
[A Rua Augusta 1200, 01304-001 São Paulo]
[A Am Alten Weg 3, 12345 Berlin]
[A ул. Ленина, д. 5]
[A 4821 Maple Hollow Dr., Apt 4B, Springfield, IL 62704-1234]
She moved to [A 742 Evergreen Terrace|Springfield, OR 97477] in May.
[A Flat 2, 14 Park Road, Little Whitby, Leeds LS6 2AB, UK]
[A Musterstraße 12, 12345 Musterstadt, Deutschland]
Er wohnt in der [A Karl-Marx-Allee 33, 2. OG, 10178 Berlin].
[A Mariahilfer Straße 45/2/8, 1060 Wien]
[A 14, place de la République, 31000 Toulouse, France]? No.
[A Via Giuseppe Verdi, 8, int. 5, 00184 Roma (RM)]
[A Rua do Ouro, 45, 3.º Esq, 1100-060 Lisboa]
[A Av. Paulista, 1578, São Paulo - SP, 01310-200]
[A Prinsengracht 263, 1016 GV Amsterdam]
[A Mannerheimintie 5 A 12, 00100 Helsinki]
[A Torvegade 22, 2. tv, 1400 København K]
[A Váci utca 12, 1052 Budapest]
[A Dlouhá 12, 110 00 Praha 1]
[A Unit 3/14 Wattle Street, Ultimo NSW 2007]
[A Suite 200, 55 King Road, Halifax, NS B3H 4R2]
[A PO Box 1234, Boise, ID 83701]
[A Postfach 12 34 56, 80331 München]
[A 7 Grafton Street, Dublin 2, D02 VK65, Ireland]
[A 12, MG Road, Bengaluru 560001]
He lives at [A 10 Downing Street, London] and works nearby.
[A Calle Olivo 20 Piso 4 , Zamora, 09390]
[A Via Garibaldi, 60, 67069, Gallo (AQ)]
[A Rua da Fonte, 38, Vista Alegre, 44046-028 Itabuna / BA]
[A Ladeira Nova Era, Centro, 93343720 Dias da Serra / RS]
[A rue de la Fontaine, 97111 Sainte-Anne-les-Bains]
It is [A 51 99 Balsham Road], not 5.
[A 24 Hauptstraße 5, 10115 Berlin]
>[A 18 Millicent Drive|>Suite 459|>Wangdale|>Saint Kitts and Nevis 04731]
[A 63 Ager u. 96.| Apt. 808| Nagyfalu| Trinidad and Tobago 79370], he said.
She moved to [A 7 Lille Bakkevej 8, Ørstrup].
Turn into [A 7 Maple Road], [P Jane] said.
La carretera estatal 99 y la carretera nacional 4.
They won it 23–16, by scoring 11 points.
In 1850, route maps were rare.
The Super Bowl Most Valuable Players 12 times
Mrs. [P Karen Thorne] Suite 680
In 2012 [L Olympic Park] was opened, and Platz 3 ging an uns.
Psalm 23, 1999 and Figure 12, 12345 Points.
We ate 12 apples and 3 oranges in the street.
We sent 3 via registered mail.
the 3 main roads and 12 new streets
5 years on the way to
""".strip().splitlines()


@pytest.mark.parametrize("line", [*PROSE, *NOTHING, *ADDRESSES])
def test_names_and_streets_are_found_with_their_bounds(line: str) -> None:
    assert marked(plain(line)) == line


@pytest.mark.parametrize("line", [*PROSE, *NOTHING, *ADDRESSES])
def test_one_cut_anywhere_changes_nothing(line: str) -> None:
    text = plain(line) + " And then, no."
    spans = offline(text)
    assert online(text, list(range(len(text)))) == spans
    for cut in range(len(text)):
        assert online(text, [cut]) == spans, cut


PIECES = [
    *("Dr. ", "Mr ", "Jane ", "Roe", "van der ", "O'", "J. ", "R.", "U.S.", "University ", "of ", "and ", "the ",
      "Lake ", "Paris", "d'", "-Paul"),
    *(", ", ". ", " ", " & ", "'s ", "’s", "\n", " said ", "Jr.", ", Jr.", "III", "ROE", ", J.", "my name is ", "john ",
      "smith ", "Bank", "German "),
    *("12 ", "rue de ", "Street", "weg 5", "Apt. 8", ", 75002 ", "ul. ", "via ", "Koskikatu ", "NASA", "É", "x", "1",
      "(", "“", "@", "_", "."),
]  # fmt: skip


@given(pieces=st.lists(st.sampled_from(PIECES), min_size=1, max_size=14), seed=st.integers(0, 2**16))
@settings(max_examples=120, deadline=None)
def test_cuts_of_odd_texts_change_nothing(pieces: list[str], seed: int) -> None:
    text = "".join(pieces)
    cuts = random.Random(seed).choices(range(len(text) + 1), k=6)
    assert online(text, cuts) == offline(text)
    assert online(text, list(range(len(text)))) == offline(text)


@pytest.mark.parametrize("line", [line for line in [*PROSE, *ADDRESSES] if "[" in line])
def test_what_is_held_is_bounded(line: str) -> None:
    """No more than a name, its neighbours and 64 characters wait for more text."""
    text = plain(line)
    for size in range(len(text)):
        frontier, spans = 0, True
        while spans:
            scan = FINDER.next_span(text[:size], frontier, context=FindContext(), closed=False)
            frontier, spans = scan.frontier, scan.span is not None
        assert size - frontier <= 96


def test_a_name_that_the_end_cuts_is_a_fragment() -> None:
    for text in ("She is Jane Ro", "He lives at Geislerweg 5/4, 9266"):
        span = FINDER.fragment(text, 0, context=FindContext())
        assert span is not None and span.end == len(text) and span.fragment


@pytest.mark.parametrize(
    "unit",
    [
        "Aa ",
        "Dr. ",
        "van der ",
        "Jane van der ",
        "A.",
        "a ",
        "J. ",
        "Roe, ",
        "1 Rue ",
        "12 ",
        "O'",
        "University of ",
        "A",
        "é",
    ],
)
def test_hostile_texts_take_time_in_proportion(unit: str) -> None:
    def seconds(chars: int, repeat: int) -> float:
        text = (unit * (chars // len(unit) + 1))[:chars]
        return cpu_seconds(lambda: offline(text), repeat=repeat)

    offline("Jane Roe of Paris")
    assert seconds(8_000, repeat=1) < 8 * 4 * seconds(1_000, repeat=3) + 0.05


def test_the_table_is_small_and_knows_names_from_words() -> None:
    assert len(_table_bytes()) < 1_500_000
    assert names_data.look_up("jane").given == 3
    assert names_data.look_up("smith").family == 3
    assert names_data.look_up("new york").place == 3
    assert names_data.look_up("rose").given >= 2 and names_data.look_up("rose").ordinary >= 2
    assert names_data.look_up("the").ordinary == 3
    assert not any(names_data.look_up("qxzzv"))


def _table_bytes() -> bytes:
    return resources.files("reticent_detectors.finder").joinpath("data", names_data.TABLE).read_bytes()


def test_pack_and_unpack_are_inverse() -> None:
    table = {"new york": 48, "jane": 3, "müßig": 255, "a": 0}
    assert names_data.unpack(names_data.pack(table)) == table


@pytest.mark.parametrize(
    ("word", "folded"),
    [
        ("Zoë", "zoe"),
        ("Łukasz", "lukasz"),
        ("Đặng", "dang"),
        ("O’Neill", "o'neill"),
        ("Søren", "soren"),
        ("Groß", "gross"),
    ],
)
def test_words_are_folded(word: str, folded: str) -> None:
    assert names_data.fold(word) == folded


def test_kinds() -> None:
    assert {r.entity for r in (*PEOPLE, *PLACES, *ORGANIZATIONS, *GROUPS)} == {
        Entity.PERSON,
        Entity.LOCATION,
        Entity.ORGANIZATION,
        Entity.NRP,
    }
