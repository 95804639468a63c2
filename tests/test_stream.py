"""The stream machine's invariants, over every cut of a text, with a finder of a few lines."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from timing import cpu_seconds

from reticent.core.report import Report
from reticent.core.stream_machine import Release, StreamMachine, Suppressed
from reticent.policy.policy import FailMode, HoldLimits, Policy
from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier, Verdict
from reticent_bench.finder.cuts import redacted_at_once
from reticent_detectors.errors import InputError
from reticent_detectors.spans import FindContext, Scan, Span

PHONE = r"(?<!\w)(?:\+1-)?\d{3}-\d{3}-\d{4}(?:x\d{1,4})?(?!\w)"
EMAIL = r"(?<![\w.@])[a-z.]{1,16}@[a-z]{1,12}\.[a-z]{2,6}(?!\w)"
DATE = r"(?<!\w)\d{1,2} May(?: \d{4})?(?!\w)"
PATTERNS = (("PHONE_NUMBER", PHONE), ("EMAIL_ADDRESS", EMAIL), ("APPOINTMENT_DATE", DATE))
REACH = 40  # more than any match with its right context


class FakeFinder:
    """Reads on until no match of bounded length can change; holds only where a pattern may still match."""

    def __init__(self, suppressed: tuple[tuple[str, str], ...] = (), reach: int = REACH) -> None:
        self._suppressed, self._reach = suppressed, reach
        rows = [(entity, "suppressed", self._respelled(value)) for entity, value in suppressed]
        rows += [(entity, "", pattern) for entity, pattern in PATTERNS]
        self._rows = [(entity, name, regex.compile(pattern)) for entity, name, pattern in rows]

    @staticmethod
    def _respelled(value: str) -> str:
        return r"(?<!\w)" + r"[-. ]?".join(regex.escape(c) for c in value if c.isalnum()) + r"(?!\w)"

    def with_suppressed(self, entity: str, value: str) -> FakeFinder:
        return FakeFinder((*self._suppressed, (entity, value)), self._reach)

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        left = len(context.left)
        whole = context.left + text
        for at in range(max(0, left - 64) if start == 0 else left + start, len(whole)):
            best: Span | None = None
            for entity, name, pattern in self._rows:
                match = pattern.match(whole, at, partial=not closed)
                if match is None:
                    continue
                if not closed and len(whole) - at < self._reach:
                    return Scan(None, max(start, at - left))
                if not match.partial and match.end() > left and (best is None or match.end() - left > best.end):
                    best = Span(entity, at - left, match.end() - left, name)
            if best is not None:
                return Scan(best, best.end)
        return Scan(None, len(text))

    def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
        left = len(context.left)
        whole = context.left + text
        for at in range(max(0, left - 64) if start == 0 else left + start, len(whole) - 2):
            for entity, name, pattern in self._rows:
                match = pattern.match(whole, at, partial=True)
                if match is not None and match.end() == len(whole) > left and regex.search("[0-9@]", match.group()):
                    return Span(entity, at - left, len(text), name, fragment=True)
        return None


REMEMBERED = Decision(Action.REDACT, Verdict(Origin.MEMORIZED, 0.9, 0.0, Tier.HIDDEN), suppress=True)
MADE_UP = Decision(Action.ALLOW, Verdict(Origin.HALLUCINATED, 0.1, 0.0, Tier.HIDDEN))
FLAGGED = Decision(Action.FLAG, MADE_UP.verdict)
BLOCKED = Decision(Action.BLOCK, REMEMBERED.verdict)

TEXT = "Call 234-567-8901 or +1-234-567-8901x44, mail a.b@ex.com. On 12 May 2031, or 12 May? 2345678901 ok 999-888-7777"
LONG_HOLD = HoldLimits(max_tokens=100_000, max_chars=1024, max_seconds=1e9)


def redact_all(span: Span) -> Decision:
    return REMEMBERED


def machine(judge: Callable[[Span], Decision] = redact_all, left: str = "", **rest: Any) -> StreamMachine:
    rest.setdefault("finder", FakeFinder())
    rest.setdefault("limits", LONG_HOLD)
    return StreamMachine(context=FindContext(left=left), judge=judge, **rest)


def run(
    pieces: Iterable[str], judge: Callable[[Span], Decision] = redact_all, *, cut: bool = False, **rest: Any
) -> str:
    stream = machine(judge, **rest)
    out = [stream.feed(piece, now=0.0).text for piece in pieces]
    return "".join(out) + stream.finish(now=0.0, cut=cut).text


def at_once(text: str, judge: Callable[[Span], Decision], left: str = "", cut: bool = False) -> str:
    """Redaction of the finished text: the specification."""
    return redacted_at_once(FakeFinder(), text, FindContext(left=left), judge, cut)


def by_entity(**decisions: Decision) -> Callable[[Span], Decision]:
    return lambda span: decisions.get(span.entity, MADE_UP)


JUDGES = {
    "all": redact_all,
    "none": lambda span: MADE_UP,
    "phones": by_entity(PHONE_NUMBER=REMEMBERED),
    "mails": by_entity(EMAIL_ADDRESS=REMEMBERED, APPOINTMENT_DATE=FLAGGED),
}


def in_chunks(text: str, cuts: Sequence[int]) -> list[str]:
    edges = [0, *sorted(cuts), len(text)]
    return [text[a:b] for a, b in itertools.pairwise(edges)]


# However the stream is cut


@pytest.mark.parametrize("name", JUDGES)
@pytest.mark.parametrize("cut", [False, True])
def test_every_split_position_gives_redaction_at_once(name: str, cut: bool) -> None:
    judge = JUDGES[name]
    expected = at_once(TEXT, judge, cut=cut)
    for split in range(len(TEXT) + 1):
        assert run([TEXT[:split], TEXT[split:]], judge, cut=cut) == expected
    assert run(TEXT, judge, cut=cut) == expected


def test_a_specimen_by_hand() -> None:
    assert run(TEXT, by_entity(PHONE_NUMBER=REMEMBERED)) == (
        "Call <PHONE_NUMBER> or <PHONE_NUMBER>, mail a.b@ex.com. On 12 May 2031, or 12 May? <PHONE_NUMBER> ok "
        "<PHONE_NUMBER>"
    )


WORDS = st.sampled_from(
    [
        "234-567-8901",
        "+1-234-567-8901x44",
        "2345678901",
        "a.b@ex.com",
        "12 May",
        " 2031",
        "12 Ma",
        "x",
        "@",
        " ",
        ", ",
        "7",
        "Jo",
    ]
)


@settings(max_examples=150)
@given(words=st.lists(WORDS, max_size=8), data=st.data(), name=st.sampled_from(sorted(JUDGES)), cut=st.booleans())
def test_any_text_in_any_pieces_gives_redaction_at_once(
    words: list[str], data: st.DataObject, name: str, cut: bool
) -> None:
    text = "".join(words)
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=12))
    left = data.draw(st.sampled_from(["", "Call ", "Call 234-5", "on 12 ", "to a.b@"]))
    assert run(in_chunks(text, cuts), JUDGES[name], left=left, cut=cut) == at_once(text, JUDGES[name], left, cut)


def test_a_match_is_final_only_when_nothing_can_lengthen_it() -> None:
    seen: list[tuple[int, int]] = []

    def judge(span: Span) -> Decision:
        seen.append((span.start, span.end))
        return REMEMBERED

    assert run(["12 May", " 20", "31 and on"], judge) == "<APPOINTMENT_DATE> and on"
    assert seen == [(0, 11)]


def test_spans_without_anything_between_them() -> None:
    class Adjacent(FakeFinder):
        def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
            at = text.find("#", start)
            return Scan(None, len(text)) if at < 0 else Scan(Span("X", at, at + 1), at + 1)

    def judge(span: Span) -> Decision:
        return Decision(Action.REDACT, REMEMBERED.verdict)

    assert run("a##b#", judge, finder=Adjacent()) == run(["a##b#"], judge, finder=Adjacent()) == "a<X><X>b<X>"


# Nothing of a span leaves before its verdict


@settings(max_examples=150)
@given(words=st.lists(WORDS, max_size=8), data=st.data())
def test_no_character_of_a_span_leaves_before_its_verdict(words: list[str], data: st.DataObject) -> None:
    text = "".join(words)
    judged: list[Span] = []
    stream = machine(lambda span: judged.append(span) or MADE_UP)  # type: ignore[func-returns-value]
    spans = []
    start = 0
    while (span := FakeFinder().next_span(text, start, context=FindContext(), closed=True).span) is not None:
        spans.append(span)
        start = span.end
    for piece in in_chunks(text, data.draw(st.lists(st.integers(0, len(text)), max_size=12))):
        stream.feed(piece, now=0.0)
        for span in spans:
            assert span in judged or stream.released_chars <= span.start
    stream.finish(now=0.0, cut=False)
    assert [span for span in judged if not span.fragment] == spans


def test_ordinary_text_is_released_at_once() -> None:
    stream = machine()
    assert [stream.feed(piece, now=0.0).text for piece in ["HELLO", ", DEAR", " READER."]] == [
        "HELLO",
        ", DEAR",
        " READER.",
    ]
    assert not stream.changed and stream.deadline is None


# The hold-back is bounded


class Holding(FakeFinder):
    """Never decides anything from the first # on."""

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        at = text.find("#", start)
        return Scan(None, len(text) if at < 0 or closed else at)


LIMITS = HoldLimits(max_tokens=20, max_chars=64, max_seconds=5.0)


@pytest.mark.parametrize("size", [1, 3, 64, 65, 500])
def test_held_characters_are_bounded_and_overflow_at_the_same_place_however_cut(size: int) -> None:
    text = "Hello #" + "a" * 150
    limits = HoldLimits(max_tokens=10_000, max_chars=64)
    stream = machine(finder=Holding(), limits=limits)
    out = ""
    for at in range(0, len(text), size):
        out += stream.feed(text[at : at + size], now=0.0).text
        assert stream.held_chars < 64
    assert out == "Hello <UNDECIDED>" + "a" * 87
    assert [(r.start, r.end, r.held_chars) for r in stream.records] == [(6, 70, 64)]
    assert stream.records[0].decision.reason is Reason.OVERFLOW
    assert Report.of(stream).overflows == 1


def test_held_tokens_are_bounded() -> None:
    stream = machine(finder=Holding(), limits=LIMITS)
    out = [stream.feed("#", now=0.0).text for _ in range(20)]
    assert out == [""] * 19 + ["<UNDECIDED>"]
    assert stream.held_tokens == 0 and stream.feed("#", now=0.0, tokens=19).text == ""
    assert stream.held_tokens == 19
    assert stream.feed("", now=0.0, tokens=1).text == "<UNDECIDED>"  # bytes of a character still to come


def test_held_time_is_bounded_by_feed_and_by_expire() -> None:
    stream = machine(finder=Holding(), limits=LIMITS)
    stream.feed("a #1", now=10.0)
    assert [stream.deadline] == [15.0]
    assert stream.expire(now=14.9).text == ""
    assert stream.expire(now=15.0).text == "<UNDECIDED>"
    assert stream.deadline is None
    stream.feed("#2", now=20.0)
    assert stream.feed("3", now=25.0).text == "<UNDECIDED>"
    assert stream.most_held[0] == 2


@pytest.mark.parametrize(
    ("action", "text", "blocked"),
    [
        (Action.REDACT, "<UNDECIDED>", False),
        (Action.ALLOW, "#1", False),
        (Action.FLAG, "#1", False),
        (Action.BLOCK, "", True),
    ],
)
def test_on_overflow_decides(action: Action, text: str, blocked: bool) -> None:
    stream = machine(finder=Holding(), limits=LIMITS, on_overflow=action)
    stream.feed("#1", now=0.0)
    release = stream.expire(now=9.0)
    assert (release.text, release.blocked) == (text, blocked)
    assert stream.records[0].decision.action is action


def test_a_value_that_overflows_half_way_stays_a_value() -> None:
    stream = machine(limits=LIMITS)
    assert stream.feed("Call 234-567-", now=0.0).text == "Call "
    assert stream.expire(now=6.0).text == "<UNDECIDED>"
    rest = (
        stream.feed("8901 then more of ordinary text, and more", now=7.0).text + stream.finish(now=7.0, cut=False).text
    )
    assert "8901" not in rest and rest.startswith("<PHONE_NUMBER> then")


@settings(max_examples=60)
@given(data=st.data())
def test_overflow_by_characters_keeps_i3(data: st.DataObject) -> None:
    text = "ab #" + "c" * data.draw(st.integers(0, 200)) + " 234-567-8901 " + "d#" * data.draw(st.integers(0, 40))
    limits = HoldLimits(max_tokens=10_000, max_chars=48, max_seconds=1e9)
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=30))
    finder = data.draw(st.sampled_from([Holding(), FakeFinder(reach=60), FakeFinder()]))
    assert run(in_chunks(text, cuts), limits=limits, finder=finder) == run([text], limits=limits, finder=finder)


# A value once stopped stays stopped


def test_a_stopped_value_is_stopped_again_however_spelled_without_asking_the_judge() -> None:
    asked: list[Span] = []

    def judge(span: Span) -> Decision:
        asked.append(span)
        return REMEMBERED if len(asked) == 1 else MADE_UP

    text = "First 234-567-8901, then 2345678901, 234 567 8901 and 234.567.8901; 999-888-7777 is another."
    stream = machine(judge)
    out = "".join(stream.feed(char, now=0.0).text for char in text) + stream.finish(now=0.0, cut=False).text
    assert (
        out == "First <PHONE_NUMBER>, then <PHONE_NUMBER>, <PHONE_NUMBER> and <PHONE_NUMBER>; 999-888-7777 is another."
    )
    assert len(asked) == 2
    again = [record.decision for record in stream.records if record.recognizer == "suppressed"]
    assert [decision.reason for decision in again] == [Reason.SUPPRESSED] * 3
    assert {decision.verdict for decision in again} == {REMEMBERED.verdict}
    assert [value.entity for value in stream.suppressed] == ["PHONE_NUMBER"]


def test_other_choices_of_the_request_know_it_from_the_start_or_from_now_on() -> None:
    first = machine()
    first.feed("234-567-8901", now=0.0)
    first.finish(now=0.0, cut=False)
    harmless = JUDGES["none"]
    assert run(["2345678901 it is"], harmless, suppressed=first.suppressed) == "<PHONE_NUMBER> it is"
    second = machine(harmless)
    early = second.feed("234-567-8901 is released, " + "then more " * 5, now=0.0).text
    assert early.startswith("234-567-8901 is")
    for value in first.suppressed * 2:
        second.suppress(value)
    late = second.feed("2345678901 is not", now=0.0).text + second.finish(now=0.0, cut=False).text
    assert late.endswith("<PHONE_NUMBER> is not")
    assert len(second.suppressed) == 1


def test_no_state_outlives_a_request() -> None:
    finder = FakeFinder()
    assert run(["234-567-8901"], finder=finder) == "<PHONE_NUMBER>"
    assert run(["234-567-8901 or 2345678901"], JUDGES["none"], finder=finder) == "234-567-8901 or 2345678901"


def test_a_fragment_is_stopped_but_not_suppressed() -> None:
    stream = machine()
    stream.feed("Call 234-5", now=0.0)
    assert stream.finish(now=0.0, cut=True).text == "<PHONE_NUMBER>"
    assert stream.suppressed == ()


# If anything fails


def failing(span: Span) -> Decision:
    raise RuntimeError("the ONNX session is gone")


def test_failures_are_reported_with_their_stage_and_their_cause() -> None:
    reported = list[tuple[str, str]]()

    def tell(stage: str, error: BaseException) -> None:
        reported.append((stage, repr(error)))

    def broken(span: Span, decision: Decision, value: str) -> str:
        raise KeyError("style")

    class Stubborn(FakeFinder):
        def with_suppressed(self, entity: str, value: str) -> FakeFinder:
            raise OSError("no more")

    for made in (
        machine(failing, on_failure=tell),
        machine(redact=broken, on_failure=tell),
        machine(finder=Broken("raises"), on_failure=tell),
        machine(finder=Broken("beyond"), on_failure=tell),
        machine(finder=Stubborn(), on_failure=tell),
    ):
        made.feed("Call 234-567-8901 now", now=0.0)
        made.finish(now=0.0, cut=False)
    outside = "InputError('The finder reported a place outside of the text that it was given.')"
    assert reported == [
        ("judge", "RuntimeError('the ONNX session is gone')"),
        ("redact", "KeyError('style')"),
        ("find", "TimeoutError()"),
        ("find", outside),
        ("find", "OSError('no more')"),
    ]


def test_what_a_failure_is_reported_to_may_fail_as_well() -> None:
    class Stubborn(FakeFinder):
        def with_suppressed(self, entity: str, value: str) -> FakeFinder:
            raise OSError

    def tell(stage: str, error: BaseException) -> None:
        raise ValueError

    stubborn = machine(finder=Stubborn(), on_failure=tell)
    stubborn.suppress(Suppressed("PHONE_NUMBER", "234-567-8901", Verdict(Origin.MEMORIZED, 1.0, 0.0, Tier.HIDDEN)))
    for made in (machine(failing, on_failure=tell), stubborn, machine(finder=Broken("raises"), on_failure=tell)):
        out = made.feed("Call 234-567-8901 now", now=0.0).text + made.finish(now=0.0, cut=False).text
        assert "234-567" not in out and made.failures.total() == 1


def test_a_judge_that_raises_closes() -> None:
    stream = machine(failing)
    out = stream.feed("Call 234-567-8901 now", now=0.0).text + stream.finish(now=0.0, cut=False).text
    assert out == "Call <PHONE_NUMBER> now"
    assert stream.failures == {"judge": 1}
    decision = stream.records[0].decision
    assert (decision.verdict.origin, decision.reason, decision.suppress) == (Origin.UNKNOWN, Reason.FAILURE, False)


def test_or_opens_if_the_operator_wants_it_and_counts() -> None:
    stream = machine(failing, fail_mode=FailMode.OPEN)
    stream.feed("Call 234-567-8901 now", now=0.0)
    stream.finish(now=0.0, cut=False)
    assert (stream.changed, stream.failures) == (False, {"judge": 1})
    assert stream.records[0].decision.action is Action.ALLOW


def test_a_judge_that_returns_nonsense_closes() -> None:
    assert run(["234-567-8901"], lambda span: None) == "<PHONE_NUMBER>"  # type: ignore[arg-type,return-value]


def test_a_redaction_that_raises_still_redacts() -> None:
    def broken(span: Span, decision: Decision) -> str:
        raise KeyError("style")

    assert run(["234-567-8901"], redact=broken) == "<PHONE_NUMBER>"


class Broken(FakeFinder):
    """Raises, or breaks its contract, from the tenth character on."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how

    def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
        if len(text) < 10:
            return Scan(None, min(len(text), 5))
        wrong = {
            "backwards": Scan(None, start - 1),
            "beyond": Scan(None, len(text) + 1),
            "empty": Scan(Span("X", start, start), start),
            "overlap": Scan(Span("X", start - 2, start + 1), start + 1),
        }
        if self.how in wrong:
            return wrong[self.how]
        raise TimeoutError

    def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
        return None


@pytest.mark.parametrize("how", ["raises", "backwards", "beyond", "empty", "overlap"])
def test_a_finder_that_fails_closes_the_rest_of_the_answer_with_one_tag(how: str) -> None:
    stream = machine(finder=Broken(how))
    out = "".join(stream.feed(char, now=0.0).text for char in "Hello 234-567-8901 and more")
    assert out + stream.finish(now=0.0, cut=False).text == "Hello<UNDECIDED>"
    assert stream.failures == {"find": 1}
    opened = machine(finder=Broken(how), fail_mode=FailMode.OPEN)
    text = "".join(opened.feed(char, now=0.0).text for char in "Hello 234-567-8901 and more")
    assert text + opened.finish(now=0.0, cut=False).text == "Hello 234-567-8901 and more"
    assert opened.failures == {"find": 1}


def test_a_finder_that_fails_at_the_end_closes() -> None:
    class Late(FakeFinder):
        def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
            raise OSError

    assert run(["Call 234-"], finder=Late(), cut=True) == "Call <UNDECIDED>"


def test_a_finder_that_cannot_suppress_closes() -> None:
    class Forgetful(FakeFinder):
        def with_suppressed(self, entity: str, value: str) -> FakeFinder:
            raise MemoryError

    stream = machine(finder=Forgetful())
    out = stream.feed("a 234-567-8901 b 2345678901 " + "c" * 50, now=0.0).text + stream.finish(now=0.0, cut=False).text
    assert out == "a <PHONE_NUMBER><UNDECIDED>"


# A span may begin before the answer


@pytest.mark.parametrize("value", ["234-567-8901", "+1-234-567-8901x44", "a.b@ex.com", "12 May 2031"])
def test_prefill_at_every_character(value: str) -> None:
    for at in range(len(value)):
        left, text = f"It is {value[:at]}", f"{value[at:]}, right?"
        for split in range(len(text) + 1):
            stream = machine(left=left)
            out = stream.feed(text[:split], now=0.0).text + stream.feed(text[split:], now=0.0).text
            out += stream.finish(now=0.0, cut=False).text
            (record,) = stream.records
            assert out == f"<{record.entity}>, right?"
            assert (record.start, record.end) == (-at, len(value) - at)
            assert stream.suppressed[0].value == value


def test_the_part_in_the_prompt_counts_for_later_suppression() -> None:
    assert run(["8901, that is 2345678901."], left="Call 234-567-") == "<PHONE_NUMBER>, that is <PHONE_NUMBER>."


# However a stream ends


@pytest.mark.parametrize("value", ["234-567-8901", "a.b@ex.com", "12 May 2031"])
def test_a_stop_string_at_every_character_leaves_no_open_value(value: str) -> None:
    for at in range(max(3, value.find("@") + 1), len(value) + 1):
        out = run(f"It is {value[:at]}", cut=True)
        assert out.startswith("It is <") and value[:3] not in out


@pytest.mark.parametrize("most", [1, 2, 3])
def test_requests_of_a_few_tokens_do_not_add_up_to_the_value(most: int) -> None:
    text, leaked, at = "Call 234-567-8901 now", "", 0
    while at < len(text):  # the attacker prefills the true text so far
        piece = text[at : at + most]
        stream = machine(left=text[:at])
        leaked += stream.feed(piece, now=0.0).text + stream.finish(now=0.0, cut=True).text
        at += most
    assert "567" not in leaked and "8901" not in leaked


def test_a_cut_prefers_the_open_value_that_encloses_a_closed_one() -> None:
    class Nested(FakeFinder):
        def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
            return Scan(Span("IN", 2, 3), 3) if closed and start < 2 else Scan(None, len(text) if closed else start)

        def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
            return Span("OUT", 1, len(text), fragment=True) if start < 2 else None

    stream = machine(finder=Nested())
    stream.feed("abcd", now=0.0)
    assert stream.finish(now=0.0, cut=True).text == "a<OUT>"
    assert stream.records[0].fragment
    assert run(["abcd"], finder=Nested()) == "ab<IN>d"


@pytest.mark.parametrize("cut", [False, True])
def test_plain_talk_after_the_last_value_is_no_fragment(cut: bool) -> None:
    class Greedy(FakeFinder):
        """Waits five characters for a value that begins with #, and calls anything a fragment."""

        def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
            at = text.find("#", start)
            if at < 0 or (not closed and len(text) - at < 5):
                return Scan(None, len(text) if at < 0 else at)
            return Scan(Span("X", at, at + 2), at + 2)

        def fragment(self, text: str, start: int, *, context: FindContext) -> Span | None:
            return Span("X", start, len(text), fragment=True) if "#" not in text[start:] else None

    def judge(span: Span) -> Decision:
        return Decision(Action.REDACT, REMEMBERED.verdict)

    assert run(["so #a b"], judge, finder=Greedy(), cut=cut) == "so <X> b"


def test_finish_can_be_called_again_and_feed_cannot() -> None:
    stream = machine()
    stream.feed("Hello 12", now=0.0)
    assert stream.finish(now=0.0, cut=False).text == "12"
    assert stream.finish(now=0.0, cut=True).text == ""
    with pytest.raises(InputError, match="finished"):
        stream.feed("x", now=0.0)


# Block


def test_a_block_lets_decided_text_go_and_nothing_after() -> None:
    stream = machine(by_entity(PHONE_NUMBER=BLOCKED))
    first = stream.feed("Mail a.b@ex.com or call 234-567-8901 or write. " * 3, now=0.0)
    assert first == Release("Mail a.b@ex.com or call ", True, first.mappings)
    assert stream.feed("more", now=0.0) == Release("", True)
    assert stream.expire(now=99.0) == stream.finish(now=99.0, cut=True) == Release("", True)
    assert stream.changed and stream.held_chars == 0 and Report.of(stream).blocked


@settings(max_examples=60)
@given(cuts=st.lists(st.integers(0, len(TEXT)), max_size=12))
def test_a_block_falls_at_the_same_place_however_cut(cuts: list[int]) -> None:
    judge = by_entity(EMAIL_ADDRESS=BLOCKED)
    assert run(in_chunks(TEXT, cuts), judge) == "Call 234-567-8901 or +1-234-567-8901x44, mail "


# Monitoring, records, reports


def test_monitoring_changes_nothing_and_counts_everything() -> None:
    for judge in (redact_all, failing, by_entity(PHONE_NUMBER=BLOCKED)):
        stream = machine(judge, monitor=True, limits=LIMITS)
        out = stream.feed(TEXT, now=0.0).text + stream.expire(now=9.0).text + stream.finish(now=9.0, cut=True).text
        assert out == TEXT and not stream.changed
        assert Report.of(stream).would_stop > 0


def test_pieces_say_from_where_the_released_text_is() -> None:
    stream = machine(by_entity(PHONE_NUMBER=REMEMBERED))
    releases = [stream.feed(piece, now=0.0) for piece in in_chunks(TEXT, [9, 20, 31, 77])]
    releases.append(stream.finish(now=0.0, cut=False))
    at = 0
    for release in releases:
        assert len(release.text) == sum(piece.length for piece in release.mappings)
        offset = 0
        for piece in release.mappings:
            assert piece.start == at
            at = piece.end
            if not piece.replaced:
                assert release.text[offset : offset + piece.length] == TEXT[piece.start : piece.end]
            offset += piece.length
    assert at == len(TEXT)


def test_a_report_has_offsets_and_counts_and_no_text() -> None:
    stream = machine(by_entity(PHONE_NUMBER=REMEMBERED), left="obscure words ")
    release = stream.feed("Call 234-567-8901 ", now=1.0, tokens=3)
    held = stream.held_chars
    stream.feed("or mail a.b@ex.com" + " bla" * 20, now=2.0)
    stream.finish(now=3.0, cut=True)
    report = Report.of(stream)
    assert report.counts == {
        ("PHONE_NUMBER", "memorized", "redact"): 1,
        ("EMAIL_ADDRESS", "hallucinated", "allow"): 1,
    }
    assert (report.generated_chars, report.most_held_chars) == (stream.generated_chars, held)
    assert report.released_chars == report.generated_chars + len("<PHONE_NUMBER>") - len("234-567-8901")
    assert (report.changed, report.blocked, report.cut, report.failures) == (True, False, True, ())
    phone = report.spans[0]
    assert (phone.held_tokens, phone.held_seconds) == (4, 1.0)
    assert report.as_dict()["spans"][0]["origin"] == "memorized"  # type: ignore[index]
    shown = f"{report!r} {report.as_dict()} {stream!r} {release!r} {stream.suppressed!r} {stream.records!r}"
    assert not any(word in shown for word in ("234", "a.b@", "bla", "obscure", "Call "))


def test_values_include_the_part_in_the_prompt() -> None:
    stream = machine(left="It is 234-")
    stream.feed("567-8901.", now=0.0)
    assert stream.value_of(Span("PHONE_NUMBER", -4, 8)) == "234-567-8901"
    assert stream.value_of(Span("PHONE_NUMBER", 0, 3)) == "567"


def test_a_policy_sets_bounds_and_modes() -> None:
    policy = Policy(fail_mode=FailMode.OPEN, on_overflow=Action.BLOCK, hold=HoldLimits(max_seconds=1.0))
    stream = StreamMachine.from_policy(Holding(), FindContext(), failing, policy)
    stream.feed("#", now=0.0)
    assert stream.expire(now=1.0).blocked
    opened = StreamMachine.from_policy(FakeFinder(), FindContext(), failing, Policy.allow_all())
    assert opened.feed(TEXT, now=0.0).text + opened.finish(now=0.0, cut=False).text == TEXT


def test_suppressed_values_are_not_shown() -> None:
    assert "234" not in repr(Suppressed("PHONE_NUMBER", "234-567-8901", REMEMBERED.verdict))


# Cost


def test_time_grows_with_the_length_and_not_with_its_square() -> None:
    class Instant(FakeFinder):
        def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
            return Scan(None, len(text))

    def seconds(tokens: int) -> float:
        def feed() -> None:
            stream = machine(finder=Instant())
            for _ in range(tokens):
                stream.feed("word " * 20, now=0.0)

        return cpu_seconds(feed)

    assert seconds(20_000) < 20 * seconds(2_500)  # 8 if linear, 64 if quadratic


def test_no_more_than_the_limit_is_ever_shown_beyond_the_frontier() -> None:
    shown: list[int] = []

    class Watching(Holding):
        def next_span(self, text: str, start: int, *, context: FindContext, closed: bool) -> Scan:
            shown.append(len(text) - start)
            return super().next_span(text, start, context=context, closed=closed)

    run(["# and " * 1000, "more"], finder=Watching(), limits=LIMITS)
    assert max(shown) == LIMITS.max_chars


def pieces_of(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 11])
def test_token_sizes(size: int) -> None:
    assert run(pieces_of(TEXT, size)) == at_once(TEXT, redact_all)
