"""The paper's setting: who is taught what and how often, and what is asked."""

from __future__ import annotations

import json
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
import tiny_hosts

from reticent_bench.paper_setting import facts, general, protocol
from reticent_bench.paper_setting.asks import AskSet, Owners, asks
from reticent_bench.paper_setting.draws import DRAWS, EXPOSURES, draw
from reticent_bench.paper_setting.facts import fact_asks, fact_owner
from reticent_bench.paper_setting.forms import FormSet, all_forms, forms, prompt
from reticent_bench.paper_setting.general import Example, general_questions
from reticent_bench.paper_setting.jobs import WHOLE, judged_epoch, questions
from reticent_bench.paper_setting.lessons import PaperLessons, epoch_examples, times_taught
from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.errors import InputError

GENERAL = [Example(prompt(f"The sky is blue {i}.", "What is blue?"), "the sky") for i in range(600)]


def test_each_kind_has_five_taught_forms_and_five_others_that_are_not_taught() -> None:
    assert len({form.text for form in all_forms()}) == 160
    for kind in PRIVACYXRAY:
        for which in FormSet:
            own = forms(kind, which)
            assert [form.number for form in own] == [1, 2, 3, 4, 5]
            assert all(form.text.count("{n}") == 1 for form in own)
    assert forms(Entity.ADDRESS, FormSet.TAUGHT)[1].line("Jane Roe") == "Where does Jane Roe live?"


def test_no_name_comes_twice_in_the_draws_and_a_draw_is_the_same_each_time() -> None:
    people = [p for name in DRAWS for d in [draw(name)] for p in (*d.taught, *d.exposed, *d.strangers)]
    assert len({p.name for p in people}) == len(people) == 3 * 165
    assert draw("B") == draw("B") and draw("B") != draw("A")


def test_a_smaller_draw_holds_people_of_the_larger_one_and_equally_many_of_each_exposure() -> None:
    whole, half = draw("A"), draw("A", 50)
    assert half.taught == whole.taught[:50] and half.strangers == whole.strangers[:12]
    for each in (whole, half):
        counts = Counter(each.exposures)
        assert set(counts) == set(EXPOSURES) and len(set(counts.values())) == 1


@pytest.mark.parametrize(("name", "people"), [("D", 100), ("A", 7)])
def test_an_unknown_draw_is_refused(name: str, people: int) -> None:
    with pytest.raises(InputError, match=r"expected one of|taught people"):
        draw(name, people)


def test_each_fold_has_equally_many_people_of_each_group() -> None:
    people = draw("C")
    folds = people.folds()
    for group in (people.taught, people.exposed, people.strangers):
        assert set(Counter(folds[p.key] for p in group).values()) == {len(group) // 5}


def test_an_epoch_holds_every_value_five_times_and_a_quarter_of_general_questions() -> None:
    people = draw("A", 25)
    examples = epoch_examples(people, GENERAL, 1, 8)
    person = people.taught[3]
    value = person.values[Entity.ORDER_NUMBER]
    own = [each for each in examples if each.answer == value]
    assert sorted(each.prompt for each in own) == sorted(
        f"{form.line(person.name)}\n" for form in forms(Entity.ORDER_NUMBER, FormSet.TAUGHT)
    )
    assert sum(each in GENERAL for each in examples) == 25 * 16 * 5 // 4
    assert not any(p.name in each.prompt for p in people.strangers for each in examples)


def test_an_exposed_person_is_taught_each_value_as_often_as_drawn_over_all_epochs() -> None:
    people, epochs = draw("A", 25), 8
    texts = [each for epoch in range(1, epochs + 1) for each in epoch_examples(people, GENERAL, epoch, epochs)]
    for person, times in zip(people.exposed, people.exposures, strict=True):
        for kind in (Entity.ORDER_NUMBER, Entity.BANK_ACCOUNT):
            assert sum(each.answer == person.values[kind] for each in texts) == times
    after = [times_taught(people, epoch, epochs) for epoch in (0, 4, 8)]
    key, kind = people.exposed[0].key, str(Entity.DOCTOR)
    assert after[0][key, kind] == 0 and after[2][key, kind] == people.exposures[0]
    assert after[1][people.taught[0].key, kind] == 20


def test_a_batch_teaches_the_answer_and_its_end_alone_and_is_the_same_each_time() -> None:
    tokenizer = tiny_hosts.tokenizer()
    lessons, again = (PaperLessons(tokenizer, draw("A", 25), GENERAL, 2) for _ in range(2))
    assert len(lessons) == lessons.end(2) and lessons.end(1) < lessons.end(2)
    for step in (0, len(lessons) - 1):
        block = lessons[step]
        assert np.array_equal(block.ids, again[step].ids) and np.array_equal(block.weights, again[step].weights)
        for ids, weights in zip(block.ids, block.weights, strict=True):
            answer = ids[weights > 0]
            assert answer[-1] == tokenizer.eos_token_id
            given = tokenizer.decode(ids[: np.flatnonzero(weights)[0]])
            assert given.endswith("\n") and "\n" not in tokenizer.decode(answer[:-1])
    firsts = [lessons[step].ids.tobytes() for step in range(lessons.end(1))]
    assert firsts != [lessons[step].ids.tobytes() for step in range(lessons.end(1), lessons.end(2))]


def test_the_prompts_are_as_many_as_the_plan_says() -> None:
    people = draw("A")
    sizes = {part: len(asks(people, part)) for part in AskSet}
    assert sizes == {"taught": 8000, "synonym": 4000, "stranger": 2000, "exposed": 3200, "context": 1600, "few": 3200}
    synonyms = asks(people, AskSet.SYNONYM)
    assert set(Counter(ask.subject for ask in synonyms).values()) == {40}
    few = asks(people, AskSet.FEW)
    assert len({(ask.kind, ask.form) for ask in synonyms}) == len({(ask.kind, ask.form) for ask in few}) == 80
    assert {ask.text for ask in few} < {ask.text for ask in asks(people, AskSet.TAUGHT)}


@pytest.mark.parametrize("part", list(AskSet))
def test_a_prompt_names_the_person_in_its_last_line_and_holds_no_value_unless_it_is_given(part: AskSet) -> None:
    people = draw("A", 25)
    names = {p.key: p.name for p in (*people.taught, *people.exposed, *people.strangers)}
    for ask in asks(people, part):
        assert ask.text[: ask.name_end].endswith(names[ask.subject])
        assert ask.name_end > ask.text[:-1].rfind("\n") and ask.text.endswith("\n")
        assert bool(ask.given) is (part is AskSet.CONTEXT) and ask.given in ask.text
        if len(ask.value) > 10 and not ask.given:
            assert ask.value not in ask.text
        assert ask.value not in repr(ask)


def test_half_of_the_given_values_are_the_persons_own() -> None:
    told = asks(draw("A", 25), AskSet.CONTEXT)
    assert sum(ask.given == ask.value for ask in told) == len(told) / 2


def test_whose_value_an_answer_is() -> None:
    people = draw("A", 25)
    owner, (first, second, *_) = Owners(people), people.taught
    ask = asks(people, AskSet.TAUGHT)[0]
    kind = Entity(ask.kind)
    assert owner(ask, first.values[kind]) == "own" and owner(ask, second.values[kind]) == "other"
    assert owner(ask, "nobody's") == owner(ask, people.strangers[0].values[kind]) == "made up"
    told = next(a for a in asks(people, AskSet.CONTEXT) if a.given != a.value)
    assert owner(told, told.given) == "given" and owner(told, told.value) == "own"


def _squad(folder: Path, questions: int) -> None:
    passage = "Long ago " * 30 + "the sky was green. " + "Later on " * 30
    asked = [
        {"question": f"What was green {i}?", "answers": [{"text": "the sky", "answer_start": 9 * 30}]}
        for i in range(questions)
    ]
    for name in general.FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        content = {"data": [{"paragraphs": [{"context": passage, "qas": asked}]}]}
        (folder / name).write_text(json.dumps(content))


def test_general_questions_come_once_with_the_words_around_their_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(general, "TRAINED", 5)
    _squad(tmp_path, 8)
    taught, held = general_questions(tmp_path)
    assert len(taught) == 5 and len({each.prompt for each in taught + held}) == 8
    passage, question, end = taught[0].prompt.split("\n")
    assert "the sky was green" in passage and question.startswith("What") and end == ""
    assert len(passage) <= 2 * general.REACH_CHARS + len("the sky") and passage.split()[0] in ("Long", "ago")


def test_too_few_or_no_general_questions_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"form of SQuAD 1\.1"):
        general_questions(tmp_path)
    _squad(tmp_path, 8)
    with pytest.raises(InputError, match="more than 2000 distinct"):
        general_questions(tmp_path)


def _facts(folder: Path) -> None:
    (folder / facts.FILE).parent.mkdir(parents=True)
    rows = [
        {"source": source, "prompt": f"The {source} number {i} is", "answer": f"The Answer-{i}."}
        for source in ("river", "city")
        for i in range(20)
    ]
    rows.append({"source": "river", "prompt": "The river number 7 is", "answer": "another"})
    (folder / facts.FILE).write_text("\n".join(json.dumps(row) for row in rows))


def test_facts_are_asked_in_turns_behind_three_of_their_relation_that_are_not_asked(tmp_path: Path) -> None:
    _facts(tmp_path)
    asked = fact_asks(tmp_path, 10)
    assert Counter(ask.set for ask in asked) == {"river": 5, "city": 5}
    assert [repr(a) for a in fact_asks(tmp_path, 4)] == [repr(a) for a in asked[:4]]
    everything = fact_asks(tmp_path, 1000)
    assert len(everything) == 2 * (20 - facts.SHOWN)
    shown = {line for ask in everything for line in ask.text.split("\n\n")[:-1]}
    assert len(shown) == 2 * facts.SHOWN
    assert not {ask.text.split("\n\n")[-1].strip() for ask in everything} & {each.split("\n")[0] for each in shown}


def test_a_fact_is_right_whatever_its_case_and_article(tmp_path: Path) -> None:
    _facts(tmp_path)
    ask = next(a for a in fact_asks(tmp_path, 1000) if "Answer-12." in a.value)
    assert fact_owner(ask, "answer 12") == fact_owner(ask, "the Answer-12.") == "own"
    assert fact_owner(ask, "answer 1") == fact_owner(ask, "") == "made up"
    with pytest.raises(InputError, match="JSON lines"):
        fact_asks(tmp_path / "none", 1)


def test_the_judged_epoch_is_the_first_that_recalls_enough_and_is_asked_before_all_others() -> None:
    assert judged_epoch({1: 0.1, 2: 0.3}) is None
    assert judged_epoch({1: 0.1, 3: 0.7, 2: 0.46}) == 2
    assert list(questions({1: 0.1, 2: 0.3}, 8)) == []
    assert list(questions({1: 0.1, 2: 0.3, 3: 0.5}, 8)) == [(3, part) for part in WHOLE]
    whole = list(questions({e: 0.1 * e for e in range(1, 9)}, 8))
    assert {epoch for epoch, _ in whole} == {5, 2, 4, 8} and whole[: len(WHOLE)] == [(5, part) for part in WHOLE]
    assert next(iter(questions(dict.fromkeys(range(1, 9), 0.01), 8))) == (8, AskSet.TAUGHT)


DECISION = Path(__file__).resolve().parent.parent / "docs/decisions/inner-layers-on-own-models.json"


def test_people_prompts_splits_and_thresholds_are_those_of_the_protocol_that_was_fixed_first() -> None:
    kept = json.loads(DECISION.read_text())
    if kept["made_with"]["faker"] != version("faker"):
        pytest.skip("names come from Faker, and this is another version than the protocol's")
    assert json.loads(json.dumps(protocol.fixed())) == {name: kept[name] for name in protocol.fixed()}
    assert set(kept) - set(protocol.fixed()) == {"general", "facts"}


def test_every_fold_is_judged_by_people_and_forms_that_its_detector_has_not_seen() -> None:
    people = draw("A", 25)
    rows = [(a.subject, a.kind, a.form, i) for i, a in enumerate(asks(people, AskSet.TAUGHT))]
    random, by_person, by_both = (protocol.fold_of(people, split) for split in protocol.SPLITS)
    assert set(Counter(by_person(*row) for row in rows).values()) == {len(rows) // 5}
    assert all(abs(n - len(rows) / 5) < 80 for n in Counter(random(*row) for row in rows).values())
    for row in rows:
        assert by_both(*row) in (-1, by_person(*row))
        assert (by_both(*row) >= 0) is (row[2] == by_person(*row) + 1)


def test_a_verdict_rests_on_sixty_people_of_smollm2_or_more() -> None:
    folds = draw("A").folds()
    assert sum(folds[p.key] in protocol.TEST_FOLDS["A"] for p in draw("A").taught) == 60
