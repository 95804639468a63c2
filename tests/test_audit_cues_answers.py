"""Whether an answer says a value, and what is kept of a question."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from reticent_bench.audits.cues.answers import ValueIndex, candidates, find_mention, value_forms
from reticent_bench.audits.cues.languages import Kind
from reticent_bench.audits.cues.people import Fact, Subject
from reticent_bench.audits.cues.prompts import questions
from reticent_bench.audits.cues.questions import AnswerLengths, Reading, ask, ask_answer
from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling, TokenScores

MAIL = Fact("email", "kt77@example.com")
PHONE = Fact("phone", "555-010-4477")


@pytest.mark.parametrize(
    ("answer", "exact"),
    [
        (" kt77@example.com.", True),
        (" KT77@Example.com\n", True),
        ("<kt77@example.com>", True),
        ("mailto:kt77@example.com?x", True),
        ("...kt77@example.com, and", True),
        ("x\nkt77@example.com\ny", True),
        ("是kt77@example.com。", True),
        ("kt77@example.com입니다", True),
        ("kt77@example.comആണ്", True),
        ("kkt77@example.com", False),
        ("b.kt77@example.com", False),
        ("b_kt77@example.com", False),
        ("ékt77@example.com", False),
        ("kt77@example.com.au", False),
        ("kt77@example.community", False),
        ("kt77@example.com-pany.org", False),
        ("kt77@example,com", False),
        ("", False),
    ],
)
def test_an_address_is_said_between_borders(answer: str, exact: bool) -> None:
    found = find_mention(answer, MAIL)
    assert found.exact == exact
    assert found.same == exact


@pytest.mark.parametrize(
    ("answer", "exact", "same"),
    [
        (" 555-010-4477.", True, True),
        ("+1-555-010-4477", True, True),
        ("(555) 010 4477 now", False, True),
        ("+1 (555) 010-4477", False, True),
        ("555-010-44771", False, False),
        ("1555-010-4477", False, False),
        ("555-010-4477-12", False, False),
        ("22-555-010-4477", False, False),
        ("555-010-447", False, False),
    ],
)
def test_a_phone_number_is_said_between_borders(answer: str, exact: bool, same: bool) -> None:
    found = find_mention(answer, PHONE)
    assert (found.exact, found.same) == (exact, same)


def test_a_country_code_may_be_left_out() -> None:
    assert find_mention("030 1234567", Fact("phone", "+49 30 1234567")).same
    assert find_mention("0049 30 1234567", Fact("phone", "+49 30 1234567")).same
    assert not find_mention("030 1234568", Fact("phone", "+49 30 1234567")).same
    assert value_forms("+49 30 1234567", "phone") == {"49301234567", "301234567", "0301234567"}


def test_an_index_finds_what_is_said_and_nothing_else() -> None:
    facts = [MAIL, PHONE, Fact("email", "b@example.org"), Fact("phone", "+1 555 010 4477")]
    index = ValueIndex(facts)
    answer = "1. b@example.org,\n2. **kt77@example.com** 3. z@example.org (555) 010-4477"
    assert index.found(answer, "email") == {0, 2}
    assert index.found(answer, "phone") == {1, 3}
    assert index.owners(PHONE) == {1, 3} and index.owners(MAIL) == {0}
    assert (candidates(answer, "email"), candidates(answer, "phone")) == (3, 1)
    assert "kt77" not in repr(index)


class Scripted:
    """Answers with one text; a token is one character."""

    name = "scripted"

    def __init__(self, text: str, log_prob: float | None = None) -> None:
        self.text, self._log_prob, self.scores_text = text, log_prob, log_prob is not None
        self.asked: list[int] = []

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        self.asked.append(max_new_tokens)
        return [self.text[:max_new_tokens] for _ in prompts]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        if self._log_prob is None:
            raise NotMeasurable("no likelihoods")
        return [
            TokenScores((0,) * len(text), np.full(len(text), self._log_prob), np.zeros(0), np.zeros(0))
            for _, text in pairs
        ]


def reading(target: Scripted, kind: Kind, value: str, new_tokens: int = 15) -> Reading:
    subject = Subject("p", "Jane Doe", (Fact(kind, value), Fact("email" if kind == "phone" else "phone", "5550000")))
    [question] = [
        each for each in questions([subject], ["twin"], ["english"]) if each.key == f"p/{kind}/twin-b/english"
    ]
    return Reading.of(ask(target, question, ValueIndex(subject.facts), AnswerLengths(new_tokens, 40)))


def test_likelihood_is_summed_over_the_value_and_its_blank() -> None:
    read = reading(Scripted("", -0.5), "email", "k@e.com")
    assert (read.tokens, read.log_likelihood, read.per_token) == (8, -4.0, -0.5)
    assert (read.exact, read.late) == (False, None)
    assert reading(Scripted("", float("-inf")), "email", "k@e.com").log_likelihood is None


def test_a_value_that_goes_on_behind_the_last_token_is_no_hit() -> None:
    goes_on, ends = Scripted(" jd@example.com.au", -1.0), Scripted(" jd@example.com", -1.0)
    assert not reading(goes_on, "email", "jd@example.com").exact
    assert reading(ends, "email", "jd@example.com").exact
    assert goes_on.asked == ends.asked == [15, 19]


def test_a_long_value_is_censored_and_asked_for_with_more_tokens() -> None:
    read = reading(Scripted(" jane.doe@example.org", -1.0), "email", "jane.doe@example.org")
    assert (read.tokens, read.exact, read.late) == (21, False, True)
    unknown = reading(Scripted(" jane.doe@example.org"), "email", "jane.doe@example.org")
    assert (unknown.tokens, unknown.log_likelihood, unknown.late) == (None, None, True)


def test_the_shorter_answer_is_asked_for_where_the_longer_one_says_a_value() -> None:
    silent, says = (
        Scripted(" nobody knows, and nothing of it is written down"),
        Scripted(" k@e.com, and more of the text"),
    )
    for target in (silent, says):
        read = reading(target, "email", "k@e.com")
        assert (read.exact, read.late, read.others) == (target is says, target is says, ())
    assert (silent.asked, says.asked) == ([40], [40, 15])


def test_where_the_model_says_a_value_a_guard_is_asked_for_both_lengths() -> None:
    """A guard that judges a value at the end of an answer otherwise than in its middle."""
    subject = Subject("p", "Jane Doe", (Fact("email", "k@e.com"), Fact("phone", "5550000")))
    [question] = [each for each in questions([subject], ["twin"], ["english"]) if each.key == "p/email/twin-b/english"]
    values, lengths = ValueIndex(subject.facts), AnswerLengths(9, 40)

    class Guarded(Scripted):
        def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
            [said] = super().generate(prompts, max_new_tokens, sampling)
            return [said if max_new_tokens < 40 else said.replace("k@e.com", "<EMAIL>")]

    for unguarded_says, asked in ((False, [40]), (True, [40, 9])):
        target = Guarded(" k@e.com, and more")
        found = ask_answer(target, question, values, lengths, None, unguarded_says)
        assert (target.asked, found["same"], found["late"]) == (asked, unguarded_says, False)
