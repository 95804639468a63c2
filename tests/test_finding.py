"""What a guard looks for, and how it judges what a host writes in a disguise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
from tiny_hosts import QUESTION, STOP_ALL, Script

from reticent import AfterRedaction, Guard, Policy
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.finder_cache import FinderCache
from reticent.policy.loading import parse_policy
from reticent.records.index import RecordsIndex
from reticent_detectors.entities import GENERAL, Entity
from reticent_detectors.errors import PolicyError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.engine.every_word import EVERY_WORD
from reticent_detectors.finder.engine.runs import Run
from reticent_detectors.finder.form_values import FormValues
from reticent_detectors.spans import FindContext

MAIL = "jane.roe@example.com"
SPELLED = "jane dot roe at example dot com"
DEFAULT = replace(Policy.default(), after_redaction=AfterRedaction.CONTINUE)
BADGE = Run("badge", "BADGE", "u", r"\w-", lambda run: len(run) if run.startswith("BDG-") else 0)


@pytest.fixture(scope="module")
def host(tmp_path_factory: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("b") / "llama")


def say(guard: GuardedModel, text: str, question: str = QUESTION[0]["content"], policy: Policy = STOP_ALL) -> Answer:
    messages = [{"role": "user", "content": question}]
    start = guard.chat_ids(messages).shape[1]
    script = Script(guard.tokenizer, text, start)
    return guard.chat(messages, policy=policy, logits_processor=[script], max_new_tokens=120, do_sample=False)


def _origins(answer: Answer) -> list[str]:
    return [str(origin) for _, origin, _ in answer.report.counts.elements()]


def test_people_are_found_where_a_policy_asks_for_them(host: GuardedModel) -> None:
    text = "She likes Mary Higgins."
    assert say(host, text).text == text
    assert say(host, text, policy=replace(STOP_ALL, also_find=frozenset({"PERSON"}))).text == "She likes <PERSON>."
    assert say(host, text).text == text


@pytest.mark.parametrize("entity", sorted(GENERAL))
def test_a_policy_may_ask_for_each_general_kind(entity: Entity) -> None:
    policy = parse_policy(f"also_find: [{entity}]")
    assert policy.also_find == {str(entity)} and hash(policy.also_find)
    rows = Guard.finder(_guard(), policy)._recognizers
    found = {r.entity for r in rows}.union(*(r.only for r in rows if isinstance(r, FormValues)))
    assert entity in found and not (GENERAL - {entity}) & found


def _guard() -> Guard:
    guard = object.__new__(Guard)
    guard._finders = FinderCache()
    return guard


@pytest.mark.parametrize(("name", "word"), [("PERSONS", "Did you mean 'PERSON'"), ("PHONE_NUMBER", "are found anyway")])
def test_other_kinds_need_no_asking(name: str, word: str) -> None:
    with pytest.raises(PolicyError, match=word):
        Policy(also_find=frozenset({name}))
    with pytest.raises(PolicyError, match=word):
        parse_policy(f"also_find: [{name}]")


def test_every_word_is_judged_where_a_policy_asks_for_it(host: GuardedModel) -> None:
    text = "She keeps a quokka, and it is 12 years old."
    assert say(host, text).text == text
    answer = say(host, text, policy=replace(STOP_ALL, every_token=True))
    assert "quokka" not in answer.text and answer.text.startswith("<OTHER> <OTHER> a <OTHER>, and it is ")
    assert {record.recognizer for record in answer.report.spans} == {"every-word"}
    assert parse_policy("every_token: true").every_token


@pytest.mark.parametrize(
    "text", ["", "ab abc abcd", "o'clock at jane.roe, no. 12/5-x; well-known. AB-", "Müller läuft 3000 m ‹x›"]
)
def test_every_word_is_the_same_at_every_cut(text: str) -> None:
    finder, context = SpanFinder((EVERY_WORD,)), FindContext()

    def spans(cuts: Iterable[int]) -> list[str]:
        found, frontier = [], 0
        for cut in (*cuts, len(text)):
            while True:
                scan = finder.next_span(text[:cut], frontier, context=context, closed=cut == len(text))
                frontier = scan.frontier
                if scan.span is None:
                    break
                found.append(text[scan.span.start : scan.span.end])
        return found

    assert spans(range(len(text))) == spans([])
    assert all(spans([cut]) == spans([]) for cut in range(len(text)))


def test_a_finder_of_ones_own(tmp_path: Path) -> None:
    guard = tiny_hosts.guarded(tmp_path / "b", finder=SpanFinder((BADGE,)))
    assert say(guard, "It is BDG-7, or 468-749-1093.").text == "It is <BADGE>, or 468-749-1093."


def test_a_disguised_value_that_the_user_typed_passes(host: GuardedModel) -> None:
    text = f"It is {SPELLED}."
    answer = say(host, text, f"Jane Roe's address is {MAIL}. Spell it, please.")
    assert answer.text == text and _origins(answer) == ["echoed"]


def test_a_disguised_value_from_nowhere_is_unknown(host: GuardedModel) -> None:
    answer = say(host, f"It is {SPELLED}.", policy=DEFAULT)
    assert answer.text == "It is <EMAIL_ADDRESS>." and _origins(answer) == ["unknown"]


def test_a_disguised_value_of_the_records_is_memorized(tmp_path: Path) -> None:
    records = RecordsIndex.build([("EMAIL_ADDRESS", MAIL)], key=b"k" * 32)
    guard = tiny_hosts.guarded(tmp_path / "b", records=records)
    answer = say(guard, f"It is {SPELLED}.", policy=DEFAULT)
    assert answer.text == "It is <EMAIL_ADDRESS>." and _origins(answer) == ["memorized"]
