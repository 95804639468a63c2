"""People, phrasings, prompts and the labeller."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from reticent.records import spellings
from reticent_detectors.collection.labels import KIN, Label, Labeller
from reticent_detectors.entities import ENTITIES, PRIVACYXRAY, Entity
from reticent_detectors.errors import InputError
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import recipe
from reticent_detectors.synth.people import PeopleMaker, Person
from reticent_detectors.synth.phrasings import PHRASINGS, Form, PhrasingSplit, phrasings
from reticent_detectors.synth.prompts import (
    Prompt,
    documents,
    echoes,
    menus,
    probe,
    probes,
    public_prompts,
    read_jsonl,
    write_jsonl,
)
from reticent_detectors.synth.prose import DOCUMENTS, Style
from reticent_detectors.synth.recipes import DEMO, TINY


def test_people_are_reproducible_and_distinct() -> None:
    first, again = PeopleMaker(5).many("x", 40), PeopleMaker(5).many("x", 40)
    assert first == again
    assert len({p.name for p in first}) == 40
    assert all(set(p.values) == set(PRIVACYXRAY) for p in first)
    assert PeopleMaker(6).many("x", 40) != first


@pytest.mark.parametrize("locale", ["de_DE", "fr_FR", "ja_JP", "pt_BR"])
def test_any_locale(locale: str) -> None:
    person = PeopleMaker(1, locale).draw("x-0")
    assert all(person.values.values())
    assert "\n" not in person.values[Entity.ADDRESS]


def test_unknown_locale_says_what_is_expected() -> None:
    with pytest.raises(InputError, match="en_US"):
        PeopleMaker(1, "xx_XX")


def test_repr_of_a_person_has_no_value() -> None:
    person = PeopleMaker(1).draw("x-0")
    assert repr(person) == "Person('x-0')"


@pytest.mark.parametrize("entity", PRIVACYXRAY)
def test_each_kind_has_twenty_phrasings_in_three_splits(entity: Entity) -> None:
    rows = PHRASINGS[entity]
    assert len(rows) >= 20
    assert len({r.prompt for r in rows}) == len(rows)
    assert {r.form for r in rows} == set(Form)
    assert Counter(r.split for r in rows) == {
        PhrasingSplit.TAUGHT: 12,
        PhrasingSplit.DETECTOR: 4,
        PhrasingSplit.TEST: 4,
    }
    for split in PhrasingSplit:
        assert {r.form for r in phrasings(entity, split)} == set(Form)
    for row in rows:
        assert row.prompt.count("{n}") == 1 and row.answer.count("{v}") == 1


@pytest.mark.parametrize("entity", PRIVACYXRAY)
def test_each_kind_stands_in_three_prose_forms(entity: Entity) -> None:
    forms = [d for d in DOCUMENTS if any(p.entity is entity for p in d.parts)]
    assert {d.split for d in forms} == set(PhrasingSplit)
    assert len({d.style for d in forms}) >= 3


def test_a_document_holds_its_values() -> None:
    person = PeopleMaker(1).draw("x-0")
    for form in DOCUMENTS:
        kinds = [p.entity for p in form.parts][:4]
        text = form.text(person, kinds)
        assert person.name in text
        assert all(person.values[kind] in text for kind in kinds)
        assert form.style is not Style.TABLE or text.count("|") % 3 == 0


def test_casts_do_not_overlap_and_the_control_has_no_private_person() -> None:
    host, control = cast(TINY), cast(replace(TINY, control=True))
    groups = (host.train, host.test, host.bridge, host.unseen, host.general, host.copied)
    names = [p.name for group in groups for p in group]
    assert len(names) == len(set(names))
    private = {p.name for p in host.private}
    assert not private & {p.name for p in control.private}
    assert control.general == host.general and control.unseen == host.unseen
    assert not control.train and not control.test


def test_the_demo_recipe_is_large_enough() -> None:
    assert (
        DEMO.train_people >= 200 and DEMO.test_people >= 100 and DEMO.unseen_people >= 300 and DEMO.bridge_people >= 150
    )


def test_unknown_recipe() -> None:
    with pytest.raises(InputError, match="demo"):
        recipe("dmeo")


def test_prompts_survive_json(tmp_path: object) -> None:
    people = PeopleMaker(3).many("x", 3)
    rows = [*probes(people, "test", 3), *echoes(people, "test", 8, 0), *documents(people, "test"), *public_prompts()]
    for row in rows:
        assert Prompt.from_json(json.loads(json.dumps(row.to_json()))) == row


def test_read_jsonl_names_the_bad_line(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "rows.jsonl"
    assert write_jsonl(path, ({"a": i} for i in range(3))) == 3
    assert [r["a"] for r in read_jsonl(path)] == [0, 1, 2]
    path.write_text(path.read_text() + '{"a": ')
    with pytest.raises(InputError, match="line 4"):
        list(read_jsonl(path))
    with pytest.raises(InputError, match="reticent synth"):
        list(read_jsonl(tmp_path / "none.jsonl"))


def test_echo_prompts_hold_what_was_typed() -> None:
    people = PeopleMaker(3).many("x", 5)
    rows = list(echoes(people, "test", 60, 0))
    assert {r.form for r in rows} >= {"near", "near-retyped", "far", "chart"}
    assert all(r.typed[0] in r.user_text for r in rows)
    assert all(r.about not in r.user_text for r in rows if r.form == "near-retyped")


@pytest.mark.parametrize("size", [2, 10, 250])
def test_menus_have_as_many_candidates_as_asked(size: int) -> None:
    people = PeopleMaker(3).many("x", 300)
    (row,) = menus(people[:1], people[1:], "test", 1, size, 0)
    assert len(row.typed) == size and all(value in row.user_text for value in row.typed)


# ---- the labeller -----------------------------------------------------------------------------------------------


PEOPLE = PeopleMaker(11).many("p", 30)
KNOWN, OTHER, STRANGER = PEOPLE[0], PEOPLE[1], PEOPLE[2]
LABELLER = Labeller(PEOPLE[:2], PEOPLE[3:])


def _ask(person: Person, entity: Entity) -> Prompt:
    return probe(person, PHRASINGS[entity][0], "test")


def test_labels_of_a_phone_number() -> None:
    own, other = KNOWN.values[Entity.PHONE_NUMBER], OTHER.values[Entity.PHONE_NUMBER]
    prompt = _ask(KNOWN, Entity.PHONE_NUMBER)
    assert LABELLER.label(prompt, Entity.PHONE_NUMBER, own) is Label.MEMORIZED
    assert LABELLER.label(prompt, Entity.PHONE_NUMBER, own.replace("-", " ")) is Label.MEMORIZED
    assert LABELLER.label(prompt, Entity.PHONE_NUMBER, other) is Label.MISATTRIBUTED
    assert LABELLER.label(prompt, Entity.PHONE_NUMBER, "212-000-0001") is Label.HALLUCINATED
    assert LABELLER.label(prompt, Entity.PHONE_NUMBER, own[:-2] + "99") in (Label.PARTIAL, Label.MEMORIZED)
    stranger = _ask(STRANGER, Entity.PHONE_NUMBER)
    assert LABELLER.label(stranger, Entity.PHONE_NUMBER, STRANGER.values[Entity.PHONE_NUMBER]) is Label.HALLUCINATED


def test_a_short_value_of_somebody_else_is_an_accident() -> None:
    prompt = _ask(STRANGER, Entity.DIAGNOSIS)
    assert not ENTITIES[Entity.DIAGNOSIS].long
    assert LABELLER.label(prompt, Entity.DIAGNOSIS, KNOWN.values[Entity.DIAGNOSIS]) is Label.COINCIDENT


@pytest.mark.parametrize(
    ("asked", "stands_as", "label"),
    [
        (Entity.EMPLOYER, Entity.HOSPITAL, Label.MISATTRIBUTED),
        (Entity.HOSPITAL, Entity.EMPLOYER, Label.MISATTRIBUTED),
        (Entity.BANK_ACCOUNT, Entity.ORDER_NUMBER, Label.MISATTRIBUTED),
        (Entity.TRANSACTION_AMOUNT, Entity.UTILITY_BILL, Label.COINCIDENT),
        (Entity.PRESCRIPTION, Entity.DIAGNOSIS, Label.COINCIDENT),
        (Entity.EMPLOYER, Entity.JOB_TITLE, Label.HALLUCINATED),  # no firm is called that
    ],
)
@pytest.mark.parametrize("person", [KNOWN, STRANGER])
def test_a_recorded_value_is_none_that_the_host_made_up_whatever_it_is_said_to_be(
    person: Person, asked: Entity, stands_as: Entity, label: Label
) -> None:
    assert LABELLER.label(_ask(person, asked), asked, KNOWN.values[stands_as]) is label


def test_the_labeller_and_the_records_index_have_the_same_families() -> None:
    families = {entity: family for entity, (family, _) in spellings._FAMILIES.items()}
    kin = {frozenset(e for e in families if families[e] == family) for family in families.values()}
    days = frozenset({Entity.APPOINTMENT_DATE, Entity.DATE_OF_BIRTH, Entity.DATE_TIME})  # the index takes each for each
    assert {group for group in kin if len(group) > 1} == {*KIN, days}


def test_echoed_and_selected() -> None:
    (echo,) = echoes([KNOWN], "test", 1, 0)
    assert echo.entity is not None
    assert LABELLER.label(echo, echo.entity, echo.about) is Label.ECHOED
    (menu,) = menus([KNOWN], PEOPLE[3:], "test", 1, 10, 0)
    assert menu.entity is not None
    assert LABELLER.label(menu, menu.entity, menu.about) is Label.SELECTED
    wrong = next(t for t in menu.typed if t != menu.about)
    assert LABELLER.label(menu, menu.entity, wrong) is Label.ECHOED


def test_public() -> None:
    fact = next(p for p in public_prompts() if p.entity is Entity.PHONE_NUMBER)
    assert LABELLER.label(fact, Entity.PHONE_NUMBER, fact.about) is Label.PUBLIC
