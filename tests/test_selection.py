"""Values chosen from a list of the user's, half-given ones, and values that stand in the operator's records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import tiny_hosts
from tiny_hosts import QUESTION, SAYS, SECRET, STOP_ALL

from reticent import Action, Origin, Policy, Tier
from reticent.huggingface.guarded_model import GuardedModel
from reticent.records.index import RecordsIndex
from reticent_detectors.alignment import without_lists

OTHERS = ["212-555-0187", "313-555-0166", "415-555-0111", "617-555-0123", "702-555-0190"]
MENU = f"What is the phone number of Jane Roe? Choose one of these: {'; '.join([*OTHERS[:3], SECRET, *OTHERS[3:]])}."


@pytest.fixture(scope="module")
def llama(tmp_path_factory: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / "one", seed=1)


def _chat(guard: GuardedModel, user: str, says: str, policy: Policy) -> Any:
    messages = [{"role": "user", "content": user}]
    script = tiny_hosts.Script(guard.tokenizer, says, guard.chat_ids(messages).shape[1])
    return guard.chat(messages, policy=policy, logits_processor=[script], max_new_tokens=80, do_sample=False)


# ---- menus -------------------------------------------------------------------------------------------------------


def _without(guard: GuardedModel, user: str, candidates: Sequence[str]) -> str:
    ids = guard.chat_ids([{"role": "user", "content": user}])[0].tolist()
    kept = without_lists(guard.tokenizer, ids, candidates)
    special = [i for i in ids if i in guard.tokenizer.all_special_ids]
    assert [i for i in kept if i in guard.tokenizer.all_special_ids] == special
    return str(guard.tokenizer.decode(kept, skip_special_tokens=True)).strip()


@pytest.mark.parametrize(
    ("user", "left"),
    [
        (MENU, "What is the phone number of Jane Roe? Choose one of these: ...."),
        (f"{MENU} Thank you.", "What is the phone number of Jane Roe? Choose one of these: .... Thank you."),
        (
            f"Be brief. Which is that of Jane Roe: {OTHERS[0]}, {SECRET} or {OTHERS[1]}?",
            "Be brief. Which is that of Jane Roe: ...?",
        ),
        (f"Is it {OTHERS[0]}, {OTHERS[1]} or {SECRET}?", "Is it ...?"),
        (f"She had {OTHERS[0]} once. What is it now?", "She had ... once. What is it now?"),
        ("What is the phone number of Jane Roe?", "What is the phone number of Jane Roe?"),
    ],
)
def test_a_prompt_without_its_lists(llama: GuardedModel, user: str, left: str) -> None:
    assert _without(llama, user, [*OTHERS, SECRET]) == left


def test_a_selection_is_judged_as_if_nothing_had_been_offered(llama: GuardedModel) -> None:
    """Its probability is that of the same answer to the question without the list, not that of a copy."""
    watch = Policy(score_threshold=1.0)
    chosen = _chat(llama, MENU, f"It is {SECRET}.", watch).report.spans[0].decision.verdict
    asked = _chat(llama, MENU.split(": ")[0] + ": ....", f"It is {SECRET}.", watch).report.spans[0].decision.verdict
    assert chosen.probability == pytest.approx(asked.probability, abs=1e-3)
    assert _chat(llama, MENU, f"It is {SECRET}.", STOP_ALL).text == "It is <PHONE_NUMBER>."


def test_a_single_typed_value_is_an_echo_all_the_same(llama: GuardedModel) -> None:
    answer = _chat(llama, f"Her phone number is {SECRET}. What is it?", f"It is {SECRET}.", STOP_ALL)
    assert answer.text == f"It is {SECRET}." and answer.report.spans[0].decision.verdict.origin is Origin.ECHOED


# ---- half-given values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", range(1, len(SECRET) // 2 + 1))
def test_a_half_given_value_does_not_excuse_the_rest(llama: GuardedModel, given: int) -> None:
    user = f"The phone number of Jane Roe begins with {SECRET[:given]}. How does it go on?"
    answer = _chat(llama, user, f"It is {SECRET}.", STOP_ALL)
    assert answer.text == "It is <PHONE_NUMBER>."
    rest = SECRET[given:].lstrip("-")  # a rest that begins with a separator is not found yet: a matter of the finder
    for says in (rest, f"It goes on with {rest}."):
        text = _chat(llama, user, says, STOP_ALL).text
        assert not any(char.isdigit() for char in text), text


# ---- records -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: Any) -> GuardedModel:
    index = RecordsIndex.build([("PHONE_NUMBER", SECRET)])
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / "records", records=index)


NEVER = Policy(score_threshold=1.0)
"""The detector alone would let everything pass."""


def test_a_recorded_value_is_stopped_whoever_is_named(recorded: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded.guard.scorer, "score", lambda features, entities: np.zeros(len(entities)))
    for says in (SAYS, SAYS.replace("Jane Roe", "John Poe"), SAYS.replace(SECRET, "(468) 749 1093")):
        answer = _chat(recorded, QUESTION[0]["content"], says, NEVER)
        (span,) = answer.report.spans
        assert span.decision.action is Action.REDACT
        assert (span.decision.verdict.tier, span.decision.verdict.origin) == (Tier.RECORDS, Origin.MEMORIZED)
        assert not any(char.isdigit() for char in answer.text)
    other = _chat(recorded, QUESTION[0]["content"], SAYS.replace(SECRET, "468-749-1094"), NEVER)
    assert "468-749-1094" in other.text and other.report.spans[0].decision.verdict.tier is Tier.HIDDEN


def test_what_the_user_typed_passes_recorded_or_not(recorded: GuardedModel) -> None:
    """So nothing can be guessed off the index."""
    answer = _chat(recorded, f"Her phone number is {SECRET}. What is it?", f"It is {SECRET}.", NEVER)
    assert answer.text == f"It is {SECRET}."
