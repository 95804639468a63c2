"""A rewound answer that runs into the same redaction again says it once, and goes on or ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
import tiny_hosts
from hypothesis import given
from hypothesis import strategies as st
from test_rewind import START, Host
from tiny_hosts import QUESTION, SECRET, STOP_ALL

from reticent import AfterRedaction
from reticent.core.stream_types import OffsetMapping, Release
from reticent.core.stutter import MOST_CHARS, Lead
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel

TAG = "<PHONE_NUMBER>"
REWIND = replace(STOP_ALL, after_redaction=AfterRedaction.REWIND)


def releases(text: str, cuts: Sequence[int], redacted: bool) -> list[Release]:
    """A text in pieces as a stream machine lets it go, and a redaction behind it."""
    places = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    out = [Release(text[a:b], False, (OffsetMapping(a, b, b - a, False),)) for a, b in pairwise(places)]
    if redacted:
        out.append(Release(TAG, False, (OffsetMapping(len(text), len(text) + 12, len(TAG), True),)))
    return out


def released(lead: Lead, given: Sequence[Release], redacted: str | None) -> list[Release]:
    out = []
    for release in given:
        is_tag = bool(release.mappings) and release.mappings[-1].replaced
        out.append(lead.take(release, redacted if is_tag else None, False))
    return [*out, lead.take(Release(""), None, True)]


SAME = ["", " ", " in ", ", and ", ". In ", " or by the ", "\n- ", ". Sie ist in ", "; ", " — "]
OTHER = [" in Boston, ", ". Call ", "in 1942 in ", " of or by the " * 4]


@pytest.mark.parametrize(("gap", "same"), [*((gap, True) for gap in SAME), *((gap, False) for gap in OTHER)])
def test_what_leads_to_the_same_redaction(gap: str, same: bool) -> None:
    lead = Lead("PHONE_NUMBER")
    out = released(lead, releases(gap, range(0, len(gap), 3), True), "PHONE_NUMBER")
    assert "".join(release.text for release in out) == ("." if same else gap + TAG)
    assert lead.repeated == same
    assert [piece for release in out for piece in release.mappings][-1].end == len(gap) + 12
    other = Lead("PHONE_NUMBER")
    out = released(other, releases(gap, (), True), "DIAGNOSIS")
    assert "".join(release.text for release in out) == gap + TAG and not other.repeated


def test_the_same_words_again_lead_to_the_same_redaction() -> None:
    gap = ", I mean "
    assert (
        not Lead("PIN").repeated
        and "".join(r.text for r in released(Lead("PIN"), releases(gap, (), True), "PIN")) == gap + TAG
    )
    lead = Lead("PIN", gap, instead="")
    out = released(lead, releases(gap, (1, 3, 6), True), "PIN")
    assert "".join(release.text for release in out) == "" and lead.repeated


WORDS = st.lists(
    st.sampled_from(["in", " ", ", ", ".", "the", "Boston", "i", "n", " and ", "\n", "at", "est"]), max_size=24
)


@given(
    WORDS.map("".join),
    st.sets(st.integers(1, 60)),
    st.booleans(),
    st.sampled_from([None, " in the", ", I mean ", "inBoston"]),
)
def test_cuts_change_nothing(text: str, cuts: set[int], redacted: bool, gap: str | None) -> None:
    """What leaves is what would leave of the whole text, and what is held is short."""
    whole = Lead("PIN", gap)
    wanted = "".join(release.text for release in released(whole, releases(text, (), redacted), "PIN"))
    lead, out, seen = Lead("PIN", gap), "", ""
    for release in releases(text, sorted(cuts), redacted):
        tag = release.mappings[-1].replaced
        out += lead.take(release, "PIN" if tag else None, False).text
        seen += release.text
        assert tag or (seen.startswith(out) and len(seen) - len(out) <= MOST_CHARS)
    out += lead.take(Release(""), None, True).text
    assert out == wanted and lead.repeated == whole.repeated
    assert out in (text, text + TAG, ".")


# ---- the guard ---------------------------------------------------------------------------------


class Stutters(Host):
    """Says the value, then another one behind each redaction, so many times.

    If it is stubborn, it does so behind a full stop as well, to which it was set back.
    """

    def __init__(self, tokenizer: Any, prompt: int, by: str, times: int, stubborn: bool) -> None:
        super().__init__(tokenizer, prompt, "")
        self.by, self.times, self.is_stubborn = by, times, stubborn

    def wants(self, generated: str) -> str:
        first = START + SECRET
        if first.startswith(generated) or generated.startswith(first):
            return first + ". Bye."
        shown = generated.rfind(TAG) + len(TAG)
        rest = generated[shown:]
        again = f"{self.by}{555 + generated.count(TAG)}-010-7788"
        stop = "." if rest.startswith(".") else ""
        begun = rest[len(stop) :]
        if generated.count(TAG) <= self.times and (not stop or self.is_stubborn):
            if again.startswith(begun):
                return generated[:shown] + stop + again
            if begun.startswith(again):
                return generated[:shown] + stop + again + ". Bye."
        return generated[:shown] + ". Ask her. Bye."


@pytest.fixture(scope="module", params=[False, True], ids=["", "overlap"])
def guard(request: pytest.FixtureRequest, tmp_path_factory: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / "one", overlap=request.param)


class Sink:
    text = ""

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        self.text += text


def ask(guard: GuardedModel, by: str, times: int, stubborn: bool = False, **options: Any) -> Answer:
    host = Stutters(guard.tokenizer, guard.chat_ids(QUESTION).shape[1], by, times, stubborn)
    sink = Sink()
    options = {"policy": REWIND, "max_new_tokens": 200, "do_sample": False, "streamer": sink} | options
    answer = guard.chat(QUESTION, logits_processor=[host], **options)
    # A cut may leave one digit, which is no part of a value to the finder.
    assert sink.text == answer.text and not re.search(r"\d\d", answer.text)
    return answer


@pytest.mark.parametrize("by", [" and ", ", or at ", ", "])
@pytest.mark.parametrize("times", [1, 2, 9])
def test_the_answer_goes_on_behind_a_full_stop(guard: GuardedModel, by: str, times: int) -> None:
    answer = ask(guard, by, times)
    assert answer.text == f"{START}{TAG}. Ask her. Bye."
    assert (answer.rewinds, answer.finish_reason) == (2, "stop")
    assert [record.entity for record in answer.report.spans] == ["PHONE_NUMBER"] * 2
    assert answer.report.released_chars == len(answer.text) == sum(piece.length for piece in answer.mappings)
    ends = [piece.end for piece in answer.mappings]
    assert [piece.start for piece in answer.mappings] == [0, *ends[:-1]] and ends[-1] == answer.report.generated_chars


@pytest.mark.parametrize("most", [1, 2, 9])
def test_one_that_stutters_behind_the_full_stop_too_ends(guard: GuardedModel, most: int) -> None:
    answer = ask(guard, " and ", 9, stubborn=True, policy=replace(REWIND, max_rewinds=most))
    assert answer.text == f"{START}{TAG}."
    assert (answer.rewinds, answer.finish_reason) == (min(most, 2), "content_filter")


def test_the_same_words_before_the_same_tag_are_said_twice_at_most(guard: GuardedModel) -> None:
    answer = ask(guard, "; at work it is ", 9)
    assert answer.text == f"{START}{TAG}; at work it is {TAG}. Ask her. Bye."
    assert (answer.rewinds, answer.finish_reason) == (3, "stop")


def test_one_tag_may_stand_twice_behind_the_same_words() -> None:
    """The words count from the second redaction of the kind on: the first may have followed another kind."""
    gap = "; at work it is "
    shown = []
    for lead in (Lead("DOCTOR"), Lead("PIN"), Lead("PIN", gap)):
        shown.append("".join(release.text for release in released(lead, releases(gap, (), True), "PIN")))
    assert shown == [gap + TAG, gap + TAG, "."]


@pytest.mark.parametrize("by", [" and ", "; at work it is "])
def test_no_value_gets_out_wherever_the_answer_is_cut(guard: GuardedModel, by: str) -> None:
    whole = ask(guard, by, 9).text
    for longest in range(1, 90, 4):
        text = ask(guard, by, 9, max_new_tokens=longest).text
        assert text.count(TAG) <= 2 and whole.startswith(text.split("<")[0])


def test_what_the_answer_goes_on_from_is_what_is_shown(guard: GuardedModel) -> None:
    prompt = guard.chat_ids(QUESTION)
    host = Stutters(guard.tokenizer, prompt.shape[1], " and ", 9, False)
    out = guard.generate(prompt, policy=REWIND, logits_processor=[host], max_new_tokens=200, do_sample=False)
    shown = guard.tokenizer.decode(out[0, prompt.shape[1] :], skip_special_tokens=True)
    assert shown == f"{START}{TAG}. Ask her. Bye."


@pytest.mark.parametrize(("by", "stopped"), [(" ", True), (": ", True), (", or to be sure ", False)])
def test_what_fills_in_for_a_redaction_is_part_of_the_value(
    guard: GuardedModel, monkeypatch: pytest.MonkeyPatch, by: str, stopped: bool
) -> None:
    """The detector finds the first value remembered, and what the host says behind its redaction made up."""
    seen: list[float] = []

    def score(spans: Sequence[Any], *rest: Any) -> list[float]:
        seen.extend(0.1 if seen else 0.9 for _ in spans)
        return seen[-len(spans) :]

    monkeypatch.setattr(guard, "score", score)
    host = Stutters(guard.tokenizer, guard.chat_ids(QUESTION).shape[1], by, 1, False)
    policy = replace(REWIND, score_threshold=0.5)
    answer = guard.chat(QUESTION, logits_processor=[host], policy=policy, max_new_tokens=200, do_sample=False)
    assert seen == [0.9, 0.1] and answer.rewinds == 1 + stopped
    assert ("7788" in answer.text) is not stopped
