"""Questions that are asked side by side: which calls are one batch, and how a round ends."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest
from test_serve_command import environment

from reticent_bench.audits import rounds
from reticent_bench.audits.rounds import AskHangs, GatheredTarget, side_by_side
from reticent_bench.audits.served_target import TargetUnavailable
from reticent_bench.audits.target import GREEDY, Message, NotMeasurable, Prompt, Sampling, TokenScores
from reticent_detectors.errors import InputError


class Recording:
    """Answers a prompt with itself and a mark, and keeps each batch."""

    name, scores_text = "recording", True

    def __init__(self, fails: Callable[[Sequence[Prompt]], None] = lambda prompts: None) -> None:
        self.batches = list[tuple[tuple[Prompt, ...], int, Sampling]]()
        self.scored = list[tuple[str, ...]]()
        self.threads = set[str]()
        self._fails = fails

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        self.threads.add(threading.current_thread().name)
        self.batches.append((tuple(prompts), max_new_tokens, sampling))
        self._fails(prompts)
        return [f"{prompt}!" for prompt in prompts]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        self.scored.append(tuple(text for _, text in pairs))
        if not self.scores_text:
            raise NotMeasurable("no likelihoods")
        return [TokenScores((len(text),), *[np.zeros(1)] * 3) for _, text in pairs]


def asked(recording: Recording) -> list[tuple[str, int]]:
    return [(" ".join(map(str, prompts)), tokens) for prompts, tokens, _ in recording.batches]


def turns(target: GatheredTarget, *prompts: str, tokens: int = 8) -> Callable[[], list[str]]:
    """Asks the prompts one after the other."""
    return lambda: [target.generate([prompt], tokens)[0] for prompt in prompts]


@pytest.fixture(autouse=True)
def no_thread_is_left() -> Iterator[None]:
    before = threading.active_count()
    yield
    assert threading.active_count() == before


def test_calls_that_agree_are_one_batch_in_each_round() -> None:
    inner = Recording()
    target = GatheredTarget(inner)
    found = side_by_side(
        [
            turns(target, "a1"),
            turns(target, "b1", "b2", "b3"),
            turns(target, "c1", "c2", tokens=16),
            lambda: [],
            turns(target, "e1", "e2"),
        ]
    )
    assert found == [["a1!"], ["b1!", "b2!", "b3!"], ["c1!", "c2!"], [], ["e1!", "e2!"]]
    assert asked(inner) == [("a1 b1 e1", 8), ("c1", 16), ("b2 e2", 8), ("c2", 16), ("b3", 8)]
    assert inner.threads == {threading.current_thread().name}


def test_chats_running_text_scores_and_other_targets_go_apart() -> None:
    inner, other = Recording(), Recording()
    target, beside = GatheredTarget(inner), GatheredTarget(other)
    chat = (Message("user", "b"),)
    found = side_by_side(
        [
            lambda: target.generate(["a", "a2"], 8),
            lambda: target.generate([chat], 8),
            lambda: beside.generate(["c"], 8),
            lambda: [str(score.token_ids[0]) for score in target.scores([("", "1"), ("", "22")])],
            lambda: [str(score.token_ids[0]) for score in target.scores([("", "333")])],
        ]
    )
    assert found == [["a!", "a2!"], [f"{chat}!"], ["c!"], ["1", "2"], ["3"]]
    assert [prompts for prompts, _, _ in inner.batches] == [("a", "a2"), (chat,)]
    assert (asked(other), inner.scored) == ([("c", 8)], [("1", "22", "333")])


def test_each_prompt_keeps_its_seed_and_other_ways_to_draw_go_apart() -> None:
    inner = Recording()
    target = GatheredTarget(inner)
    hows = [
        Sampling(1.0, 40, 5),
        Sampling(1.0, 0, 5),
        Sampling(1.0, 40, 100),
        Sampling(0.5, 40, 5),
        Sampling(1.0, 40, 7),
    ]
    side_by_side([lambda how=how, n=n: target.generate(["x"] * (1 + n % 2), 8, how) for n, how in enumerate(hows)])  # type: ignore[misc]
    assert [how for _, _, how in inner.batches] == [Sampling(1.0, 40, 5, (5, 100, 7)), hows[1], hows[3]]
    assert hows[1].seeds(2) == (5, 6)
    with pytest.raises(InputError, match="seed for each of 2"):
        Sampling(1.0, prompt_seeds=(1,)).seeds(2)


def test_a_call_outside_and_a_single_question_go_through_as_they_are() -> None:
    inner = Recording()
    target = GatheredTarget(inner)
    assert target.generate(["a"], 3) == ["a!"] and len(target.scores([("", "b")])) == 1
    assert side_by_side([turns(target, "b", "c")]) == [["b!", "c!"]]
    assert side_by_side([]) == [] and asked(inner) == [("a", 3), ("b", 8), ("c", 8)]


def test_batches_do_not_depend_on_timing() -> None:
    seen = []
    for seed in range(3):
        inner, rng = Recording(), random.Random(seed)
        target = GatheredTarget(inner)

        def ask(name: str, calls: int, waits: Sequence[float], target: GatheredTarget = target) -> list[str]:
            out = []
            for number, seconds in enumerate(waits[:calls]):
                time.sleep(seconds)
                out += target.generate([f"{name}{number}"], 8 + number % 2)
            return out

        waits = [[rng.random() / 500 for _ in range(4)] for _ in "abcdef"]
        asks = [lambda name=name, n=n, own=waits[n]: ask(name, 1 + n % 4, own) for n, name in enumerate("abcdef")]
        seen.append((side_by_side(asks), asked(inner)))
    assert seen[0] == seen[1] == seen[2]


def test_the_first_error_in_their_order_is_raised_and_the_others_end_where_they_wait() -> None:
    inner, ended = Recording(), list[str]()
    target = GatheredTarget(inner)

    def waits() -> None:
        try:
            target.generate(["a"], 8)
            target.generate(["a2"], 8)
        except Exception:  # what is given up is no error that a question could handle
            ended.append("handled")
        finally:
            ended.append("ended")

    def raises(text: str) -> None:
        target.generate([text], 8)
        raise InputError(text)

    with pytest.raises(InputError, match="second"):
        side_by_side([waits, lambda: raises("second"), lambda: raises("third"), waits])
    assert asked(inner) == [("a second third a", 8)]
    assert ended == ["ended", "ended"]


def test_an_error_of_the_target_reaches_the_questions_of_its_batch() -> None:
    def fails(prompts: Sequence[Prompt]) -> None:
        if "b" in prompts:
            raise TargetUnavailable("gone")

    inner = Recording(fails)
    target = GatheredTarget(inner)
    asks = [turns(target, "a", tokens=4), turns(target, "b"), turns(target, "c"), turns(target, "d", tokens=16)]
    with pytest.raises(TargetUnavailable, match="gone"):
        side_by_side(asks)
    assert asked(inner) == [("a", 4), ("b c", 8)]  # behind an error nothing more is asked


def test_what_a_target_cannot_tell_may_be_handled_and_the_rest_is_asked() -> None:
    inner = Recording()
    inner.scores_text = False
    target = GatheredTarget(inner)

    def ask(name: str) -> list[str]:
        try:
            target.scores([("", name)])
        except NotMeasurable:
            return target.generate([name], 8)
        return []

    assert side_by_side([lambda: ask("a"), lambda: ask("b"), turns(target, "c")]) == [["a!"], ["b!"], ["c!"]]
    assert inner.scored == [("a", "b")]
    # What an error kept from being asked in a round is asked in the next one.
    assert asked(inner) == [("a b c", 8)]


@pytest.mark.parametrize("inside", [True, False])
def test_an_interrupt_leaves_no_thread(inside: bool) -> None:
    def interrupted(prompts: Sequence[Prompt]) -> None:
        if not inside:
            raise KeyboardInterrupt

    target = GatheredTarget(Recording(interrupted))

    def ask() -> None:
        target.generate(["b"], 8)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        side_by_side([turns(target, "a", "a2"), ask, turns(target, "c", "c2")])


def test_a_question_that_neither_ends_nor_asks_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "LONGEST_WAIT", 0.05)
    target, free = GatheredTarget(Recording()), threading.Event()
    with pytest.raises(AskHangs, match=r"more than 0\.05 seconds without asking"):
        side_by_side([turns(target, "a"), lambda: [str(free.wait())], turns(target, "c")])
    free.set()
    time.sleep(0.2)


def test_a_question_that_does_not_end_after_it_was_given_up_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "LONGEST_END", 0.05)
    target, free = GatheredTarget(Recording()), threading.Event()

    def lingers() -> list[str]:
        try:
            return target.generate(["a"], 8)
        finally:
            free.wait()

    def raises() -> list[str]:
        raise InputError("b")

    with pytest.raises(AskHangs, match="does not end"):
        side_by_side([lingers, raises])
    free.set()
    time.sleep(0.2)


_HANGS = """
import threading
from reticent_bench.audits import rounds
rounds.LONGEST_WAIT = 0.1
try:
    rounds.side_by_side([lambda: {}, lambda: {"n": threading.Event().wait()}])
except rounds.AskHangs:
    print("hangs", flush=True)
"""


def test_a_question_that_hangs_does_not_keep_the_process() -> None:
    ended = subprocess.run([sys.executable, "-c", _HANGS], env=environment(), capture_output=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, b"hangs\n")


def test_a_target_that_answers_too_few_is_an_error() -> None:
    inner = Recording()
    inner.generate = lambda *given: ["one"]  # type: ignore[method-assign]
    target = GatheredTarget(inner)
    with pytest.raises(InputError, match="Expected 2 results of recording, got 1"):
        side_by_side([turns(target, "a"), turns(target, "b")])
