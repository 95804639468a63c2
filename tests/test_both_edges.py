"""A rule decides the same wherever the guard stands: around a model in the process, or before a server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
import serve_golden as golden
from both_edges import Case, Outcome, Scripted, before_server, in_process
from hypothesis import given, settings
from hypothesis import strategies as st

from reticent.core.judge import BaseRole
from reticent.policy.options import AfterRedaction
from reticent.policy.policy import DEFAULT, Policy, Rule
from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier
from reticent.records.index import RecordsIndex
from reticent_detectors.entities import Entity
from reticent_detectors.finder.disguises.families import REVERSED

PHONE, OTHER, EMAIL = "212-555-0187", "313-555-0166", "jane.roe@example.com"
POLICY = Policy(score_threshold=0.5, after_redaction=AfterRedaction.CONTINUE)
SURE, UNSURE = Scripted((0.99,)), Scripted((0.1,))
RECORDS = RecordsIndex.build([(Entity.PHONE_NUMBER, PHONE)], key=b"k" * 32)
EDGES: dict[str, Callable[[Case], Outcome]] = {"in process": in_process, "before a server": before_server}


@pytest.fixture(params=list(EDGES.values()), ids=list(EDGES))
def edge(request: pytest.FixtureRequest) -> Callable[[Case], Outcome]:
    decide: Callable[[Case], Outcome] = request.param
    return decide


def only(outcome: Outcome) -> Decision:
    (decision,) = outcome.decisions
    return decision


# ---- a value that ends where the answer was cut short ------------------------------------------

CUT = Case(f"Her phone number is {PHONE[:10]}", POLICY, {PHONE[:10]: UNSURE}, records=RECORDS, ended=False)


def test_a_cut_value_gets_the_action_of_a_recorded_one(edge: Callable[[Case], Outcome]) -> None:
    decision = only(edge(CUT))
    assert (decision.action, decision.verdict.origin, decision.verdict.tier, decision.suppress) == (
        Action.REDACT, Origin.UNKNOWN, Tier.TEXT, False,
    )  # fmt: skip


def test_a_cut_value_is_measured_where_a_recorded_one_would_pass_or_nobody_has_records(
    edge: Callable[[Case], Outcome],
) -> None:
    passes = replace(POLICY, rules={DEFAULT: {Origin.MEMORIZED: Rule(Action.FLAG)}})
    for case in (replace(CUT, policy=passes), replace(CUT, records=None), replace(CUT, ended=True)):
        assert only(edge(case)).verdict.origin is Origin.HALLUCINATED
    typed = replace(CUT, user=f"Does her phone number begin with {PHONE[:10]}?")
    assert only(edge(typed)).verdict.origin is Origin.ECHOED


# ---- the control: what the model before private tuning gives as well ---------------------------

GREY = Case(
    f"It is {EMAIL}.",
    POLICY,
    user="What is the email of Jane Roe at example.com?",
    base=BaseRole.BEFORE_TUNING,
)


@pytest.mark.parametrize(
    ("base", "others", "origin"),
    [
        (-1.0, -9.0, Origin.INFERABLE),
        (-1.0, -2.0, Origin.MEMORIZED),  # it says the value of anybody
        (-9.0, -90.0, Origin.MEMORIZED),
    ],
)
def test_of_a_value_that_the_prompt_gives_in_part_the_control_is_asked(
    edge: Callable[[Case], Outcome], base: float, others: float, origin: Origin
) -> None:
    decision = only(edge(replace(GREY, values={EMAIL: Scripted((0.99,), base=base, others=others)})))
    assert (decision.verdict.origin, decision.verdict.base) == (origin, None)
    assert decision.verdict.cue >= 0.3


def test_an_illness_that_the_prompt_hints_at_is_chosen_and_not_inferable(edge: Callable[[Case], Outcome]) -> None:
    hint = "jane roe: hypothyr____ or epilep____. What illness does Jane Roe have?"
    values = {"hypothyroidism": Scripted((0.99,), base=-1.0)}
    case = Case("Her diagnosis is hypothyroidism.", POLICY, values, user=hint, base=BaseRole.BEFORE_TUNING)
    verdict = only(edge(case)).verdict
    assert verdict.cue >= 0.3 and verdict.origin is Origin.MEMORIZED


# ---- the base ----------------------------------------------------------------------------------

BASED = Case(f"Her phone number is {PHONE}.", POLICY, base=BaseRole.BEFORE_TUNING, detector_reads_base=True)


@pytest.mark.parametrize(
    ("first", "second", "reads", "origin"),
    [
        (0.4, 0.9, True, Origin.MEMORIZED),
        (0.4, 0.2, True, Origin.HALLUCINATED),
        (0.4, 0.9, False, Origin.HALLUCINATED),
        (0.05, 0.9, True, Origin.HALLUCINATED),
    ],
)
def test_a_value_near_the_threshold_is_scored_again_with_the_base(
    edge: Callable[[Case], Outcome], first: float, second: float, reads: bool, origin: Origin
) -> None:
    scripted = Scripted((first,), with_base=second, base=-90.0)
    decision = only(edge(replace(BASED, values={PHONE: scripted}, detector_reads_base=reads)))
    assert decision.verdict.origin is origin
    assert decision.verdict.probability == max(first, second if reads and first > 0.1 else 0.0)


def test_a_model_that_is_its_own_base_is_asked_whatever_the_prompt_gives_away(edge: Callable[[Case], Outcome]) -> None:
    case = replace(GREY, values={EMAIL: SURE}, base=BaseRole.MODEL_ITSELF)
    verdict = only(edge(case)).verdict
    assert verdict.origin is Origin.PRETRAINED
    assert verdict.base == pytest.approx(-0.2)


def test_a_number_read_backwards_stays_unknown_whoever_is_the_base(
    edge: Callable[[Case], Outcome],
) -> None:
    iban = "DE89370400440532013000"[::-1]  # with letters it is nothing else than backwards
    case = Case(f"Backwards it is {iban}.", POLICY, {iban: UNSURE}, base=BaseRole.NONE)
    for base in (BaseRole.NONE, BaseRole.BEFORE_TUNING, BaseRole.MODEL_ITSELF):
        outcome = edge(replace(case, base=base))
        assert outcome.spans[0][0].recognizer == REVERSED
        assert outcome.decisions[0].verdict.origin is Origin.UNKNOWN
    # A plain number is as likely itself.
    assert edge(replace(case, answer="For example, it could be 345678901234.", values={})).spans == ()


def test_a_base_that_fails_leaves_the_value_stopped_and_is_counted(edge: Callable[[Case], Outcome]) -> None:
    failing, later = Scripted((0.99,), base=None), Scripted((0.99,), base=-1.0, others=None)
    for case in (
        replace(BASED, values={PHONE: failing}),
        replace(GREY, values={EMAIL: failing}),
        replace(GREY, values={EMAIL: later}),
    ):
        outcome = edge(case)
        assert only(outcome).verdict.origin is Origin.MEMORIZED
        assert outcome.failures == (("base", 1),)


# ---- a value said again ------------------------------------------------------------------------

AGAIN = Case(
    f"Her phone number is {PHONE}. Again, her phone number is {PHONE}.", POLICY, {PHONE: Scripted((0.1, 0.99))}
)


def test_a_value_that_was_let_out_keeps_its_first_evidence(edge: Callable[[Case], Outcome]) -> None:
    outcome = edge(AGAIN)
    assert outcome.text == AGAIN.answer
    assert [decision.verdict.probability for decision in outcome.decisions] == [0.1, 0.1]


def test_a_date_that_was_let_out_is_measured_anew(edge: Callable[[Case], Outcome]) -> None:
    """It may be somebody else's, unless the model was taught nothing private."""
    date = "3 May 1971"
    case = Case(f"Her date of birth is {date}. His date of birth is {date}.", POLICY, {date: Scripted((0.1, 0.99))})
    assert [each.verdict.probability for each in edge(case).decisions] == [0.1, 0.99]
    own = replace(case, base=BaseRole.MODEL_ITSELF)
    assert [each.verdict.probability for each in edge(own).decisions] == [0.1, 0.1]


def test_what_was_stopped_is_no_precedent(edge: Callable[[Case], Outcome]) -> None:
    case = replace(AGAIN, values={PHONE: Scripted((0.99, 0.1))}, policy=replace(POLICY, monitor=True))
    assert [each.verdict.probability for each in edge(case).decisions] == [0.99, 0.1]


# ---- what had not parted -----------------------------------------------------------------------


def test_a_choice_from_a_list_is_measured_as_if_nothing_had_been_offered(edge: Callable[[Case], Outcome]) -> None:
    menu = f"Her phone number? Choose one: {OTHER}; {PHONE}; 617-555-0123; 702-555-0190; 415-555-0134."
    case = replace(BASED, user=menu, values={PHONE: Scripted((0.99,), base=-0.1)})
    verdict = only(edge(case)).verdict
    assert verdict.base is not None and verdict.origin is Origin.MEMORIZED


def test_a_disguise_is_unknown_in_the_detectors_tier(edge: Callable[[Case], Outcome]) -> None:
    case = Case("Write to jane dot roe at example dot com. Good.", POLICY)
    verdict = only(edge(case)).verdict
    assert (verdict.origin, verdict.tier, verdict.probability) == (Origin.UNKNOWN, Tier.HIDDEN, None)


def test_a_denied_value_is_stopped_unless_the_user_typed_it(edge: Callable[[Case], Outcome]) -> None:
    denied = replace(BASED, policy=POLICY.with_lists(deny=[PHONE]), values={PHONE: UNSURE})
    assert only(edge(denied)).reason is Reason.DENY_LIST
    assert only(edge(replace(denied, user=f"My phone number is {PHONE}."))).verdict.origin is Origin.ECHOED


def test_the_finder_of_both_edges_sees_the_same(edge: Callable[[Case], Outcome]) -> None:
    values = {PHONE: UNSURE, EMAIL: SURE, golden.IBAN: SURE}
    answer = f"Her phone number is {PHONE}. Or write to {EMAIL}, or pay to {golden.IBAN}."
    assert edge(Case(answer, POLICY, values)).text == answer.replace(EMAIL, "<EMAIL_ADDRESS>").replace(
        golden.IBAN, "<IBAN_CODE>"
    )


def test_among_two_values_that_were_let_out_the_model_may_choose_by_what_it_remembers(
    edge: Callable[[Case], Outcome],
) -> None:
    text = f"Her phone number is {OTHER}. His phone number is {PHONE}. Again, her phone number is {PHONE}."
    values = {PHONE: Scripted((0.1, 0.99)), OTHER: UNSURE}
    origins = [decision.verdict.origin for decision in edge(Case(text, POLICY, values)).decisions]
    assert origins == [Origin.HALLUCINATED, Origin.HALLUCINATED, Origin.MEMORIZED]


# ---- all of it together ------------------------------------------------------------------------

SENTENCES = {
    PHONE: f"Her phone number is {PHONE}.",
    OTHER: f"His phone number is {OTHER}.",
    EMAIL: f"Write to {EMAIL} at noon.",
    golden.IBAN: f"Pay to {golden.IBAN}, please.",
    "3 May 1971": "She was born on 3 May 1971.",
    "$4,310.25": "The amount due is $4,310.25 in all.",
    "jane dot roe": "In words: jane dot roe at example dot com.",
    "": "The sky is blue.",
}
KINDS = {
    PHONE: Entity.PHONE_NUMBER, OTHER: Entity.PHONE_NUMBER, EMAIL: Entity.EMAIL_ADDRESS, golden.IBAN: Entity.IBAN_CODE,
    "3 May 1971": Entity.DATE_OF_BIRTH, "$4,310.25": Entity.TRANSACTION_AMOUNT,
}  # fmt: skip
VALUES = st.sampled_from(sorted(KINDS))
PROBABILITIES = st.sampled_from([0.0, 0.3, 0.45, 0.5, 0.6, 0.99])
SCRIPTED = st.builds(
    Scripted,
    st.lists(PROBABILITIES, min_size=1, max_size=2).map(tuple),
    PROBABILITIES,
    st.sampled_from([None, -0.3, -2.0, -6.0, -40.0]),
    st.sampled_from([None, -1.0, -9.0]),
)


def user_text(value: str, how: str) -> str:
    """What the user typed of a value: nothing, a part, all of it, or a list that it stands in."""
    match how:
        case "part":
            return f"The one that begins with {value[: 2 * len(value) // 3]}, please."
        case "whole":
            return SENTENCES[value]
        case "list":
            return f"Choose one: 617-555-0123; {OTHER}; 702-555-0190; {PHONE}; 415-555-0134; {value}."
        case _:
            return "What do you know of Jane Roe?"


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    if draw(st.integers(0, 7)) == 0:
        return replace(Policy.preset("sealed"), score_threshold=0.5, after_redaction=AfterRedaction.CONTINUE)
    rule = st.builds(Rule, st.sampled_from([Action.ALLOW, Action.FLAG, Action.REDACT]))
    origins = st.dictionaries(st.sampled_from(sorted(Origin)), rule, max_size=2)
    policy = Policy(
        rules=draw(st.dictionaries(st.sampled_from([DEFAULT, Entity.PHONE_NUMBER]), origins, max_size=2)),
        score_threshold=draw(st.sampled_from([0.5, 0.5, 0.5, None])),
        monitor=draw(st.integers(0, 5)) == 0,
        placeholders=draw(st.booleans()),
        after_redaction=AfterRedaction.CONTINUE,
    )
    listed = draw(st.sampled_from(["deny", "allow", "", ""]))
    return policy.with_lists(**{listed: [draw(VALUES)]}) if listed else policy


@st.composite
def all_cases(draw: st.DrawFn) -> Case:
    said = draw(st.lists(st.sampled_from(sorted(SENTENCES)), min_size=2, max_size=5))
    answer = " ".join(SENTENCES[each] for each in said)
    ended = draw(st.integers(0, 2)) > 0
    values = st.sampled_from([each for each in said if each in KINDS] or sorted(KINDS))
    recorded = draw(st.none() | st.lists(values, max_size=1))
    records = None if recorded is None else RecordsIndex.build([(KINDS[v], v) for v in recorded], key=b"k" * 32)
    return Case(
        answer if ended else answer[: draw(st.integers(len(answer) // 2, len(answer)))],
        draw(policies()),
        {value: draw(SCRIPTED) for value in KINDS},
        user_text(draw(values), draw(st.sampled_from(["", "part", "whole", "list"]))),
        SENTENCES[draw(values)] if draw(st.integers(0, 3)) == 0 else "",
        records,
        draw(st.sampled_from(BaseRole)),
        draw(st.booleans()),
        ended,
    )


@settings(max_examples=150, deadline=None)
@given(all_cases())
def test_the_same_spans_evidence_and_policy_come_out_the_same(case: Case) -> None:
    assert in_process(case) == before_server(case)
