"""The address that another person would have by the same rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reticent_bench.inferable.people import APART, COMPANY, HELD_OUT, ONE_RULE, RULES, UNRELATED, population
from reticent_bench.inferable.transport import NameWords, transported

ADA, NOEL = "Ada Bruck", "Noel Varga"


@pytest.mark.parametrize(
    ("value", "moved"),
    [
        ("ada.bruck@x.example", "noel.varga@x.example"),
        ("bruck.ada@x.example", "varga.noel@x.example"),
        ("adabruck@x.example", "noelvarga@x.example"),
        ("abruck@x.example", "nvarga@x.example"),
        ("adab@x.example", "noelv@x.example"),
        ("ab1987@x.example", "nv1987@x.example"),
        ("bruck_a-77@x.example", "varga_n-77@x.example"),
        ("Ada.BRUCK@x.example", "Noel.VARGA@x.example"),
        ("bru.ada@x.example", "var.noel@x.example"),  # the beginning of a word
        ("ada+news@x.example", None),
        ("ada@bruck.example", "noel@varga.example"),
        ("ada@adabruck.co.uk", "noel@noelvarga.co.uk"),
        ("info@bruck.example", None),
        ("jack42@x.example", None),
        ("ada.ada@x.example", None),  # each word once
        ("adax@x.example", None),
        ("br@x.example", None),  # two letters of a word are too few
        ("12@x.example", None),
        ("@x.example", None),
        ("+1 212 555 0187", None),
        ("ada.bruck", None),
        ("", None),
    ],
)
def test_separators_digits_and_cases_stay(value: str, moved: str | None) -> None:
    assert transported(value, ADA, NOEL) == moved


@pytest.mark.parametrize(
    ("value", "name", "other", "moved"),
    [
        ("joerg.mueller@x.de", "Jörg Müller", "Zoë Öztürk", "zoe.oeztuerk@x.de"),
        ("jorg.muller@x.de", "Jörg Müller", "Zoë Öztürk", "zoe.ozturk@x.de"),
        ("jörg.müller@x.de", "Jörg Müller", "Zoë Öztürk", "zoë.öztürk@x.de"),
        ("jo\u0308rg@x.de", "J\u00f6rg Müller", "Zoë Öztürk", "zoë@x.de"),  # composed and not
        ("lukasz@x.pl", "Łukasz Żak", "Søren Ek", "soren@x.pl"),
        ("strauß@x.at", "Ida Strauß", "Noel Voß", "voß@x.at"),
        ("strauss@x.at", "Ida Strauß", "Noel Voß", "voss@x.at"),
        ("jan.van.der.berg@x.nl", "Jan van der Berg", "Piet ter Horst", "piet.ter.horst@x.nl"),
        ("jan.van.der.berg@x.nl", "Jan van der Berg", NOEL, "noel.varga@x.nl"),
        ("jvdberg@x.nl", "Jan van der Berg", NOEL, "nvarga@x.nl"),
        ("berg.jan@x.nl", "Jan van der Berg", NOEL, "varga.noel@x.nl"),
        ("sean.obrien@x.ie", "Sean O'Brien", NOEL, "noel.varga@x.ie"),
        ("sean.brien@x.ie", "Sean O’Brien", NOEL, "noel.varga@x.ie"),
        ("anne-marie.lee@x.net", "Anne-Marie Lee", "Jean-Luc Roe", "jean-luc.roe@x.net"),
        ("am.lee@x.net", "Anne-Marie Lee", "Jean-Luc Roe", "jl.roe@x.net"),
        ("am.lee@x.net", "Anne-Marie Lee", NOEL, "n.varga@x.net"),  # no second given name
        ("bruck.ada@x.net", "Bruck, Ada", NOEL, "varga.noel@x.net"),
        ("ada@x.net", "Ada", NOEL, "noel@x.net"),  # a single name is a given one
        ("bruck@x.net", ADA, "Noel", None),  # and has no family name to put in its place
        ("aa@x.net", "Ada Ahl", NOEL, "nv@x.net"),
        ("李娜@x.cn", "李 娜", "王 芳", "王芳@x.cn"),
        ("ada@x.net", "", NOEL, None),
    ],
)
def test_forms_of_names(value: str, name: str, other: str, moved: str | None) -> None:
    assert transported(value, name, other) == moved


def test_the_words_of_a_name() -> None:
    assert NameWords.of("Jan van der Berg") == NameWords(("jan",), ("van", "der"), ("berg",))
    assert NameWords.of("Anne-Marie Lee-Roe") == NameWords(("anne", "marie"), (), ("lee", "roe"))
    assert NameWords.of("  ") == NameWords((), (), ())
    assert "Ada" not in repr(NameWords.of(ADA)) and "Ada" not in repr(population(1, 0))


@given(st.integers(0, len(RULES) - 1), st.integers(0, 3), st.sampled_from([ADA, NOEL, "Mia Lund", "Jan Kopp"]))
def test_every_rule_of_the_measurement_is_carried_over(rule: int, digits: int, name: str) -> None:
    first, last = name.lower().split()
    value = f"{RULES[rule](first, last, digits)}@x.example"
    assert transported(value, name, "Tom Fisk") == f"{RULES[rule]('tom', 'fisk', digits)}@x.example"
    assert transported(value, name, name) == value


def test_the_people_are_what_they_are_said_to_be() -> None:
    people = population(8, 1)
    for person in people:
        assert (transported(person.value, person.name, NOEL) is None) == (person.group == UNRELATED)
        by_rule = transported(person.value, person.name, NOEL) == f"noel.varga@{COMPANY}"
        assert by_rule == (person.group in (ONE_RULE, HELD_OUT))
    assert len({person.name for person in people}) == 32 and sum(p.group == APART for p in people) == 8
