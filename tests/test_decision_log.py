"""The decision log: what it says, that no line can be changed unnoticed, and that a crash loses nothing."""

from __future__ import annotations

import fcntl
import json
import multiprocessing
import os
import resource
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from timing import cpu_seconds, slowness

from reticent.core.report import Report
from reticent.core.stream_types import SpanRecord
from reticent.observability.decision_chain import GENESIS, Head, Problem, head_bytes, head_path, locked
from reticent.observability.decision_log import DecisionLog, Verification, read_key, verify
from reticent.observability.observers import Observation, Outcome
from reticent.policy.verdict import Action, Decision, Origin, Reason, Tier, Verdict
from reticent_detectors.errors import InputError

KEY = bytes(range(32))
STOPPED = Decision(Action.REDACT, Verdict(Origin.MEMORIZED, 0.97, 0.25, Tier.HIDDEN), suppress=True)
NOON = 1_900_000_000.0


def span(number: int = 0, decision: Decision = STOPPED, **rest: Any) -> SpanRecord:
    fields = {"fragment": False, "recognizer": "phone", "held_chars": 12, "held_tokens": 5, "held_seconds": 0.1} | rest
    return SpanRecord("PHONE_NUMBER", 34, 46, decision=decision, decision_id=f"{number:016x}", **fields)


def observation(*spans: SpanRecord, **rest: Any) -> Observation:
    report = Report(spans, 100, 90, 30, 9, 0.25, (), True, False, False)
    return Observation("ab" * 16, 1, report, Outcome.REDACTED, {}, policy="aa", bundle="bb", **rest)


def opened(path: Path, key: bytes | None = KEY, now: float = NOON) -> DecisionLog:
    return DecisionLog(path, key, clock=lambda: now)


def filled(path: Path, lines: int, key: bytes | None = KEY, now: float = NOON) -> Path:
    log = opened(path, key, now)
    for number in range(lines):
        log.on_answer(observation(span(number)))
    return path


def found(path: Path, key: bytes | None = KEY) -> tuple[Problem | None, int | None]:
    result = verify(path, key)
    assert result.holds == (result.problem is None)
    return result.problem, result.line


# What is written


def test_a_line_says_everything_but_the_value(tmp_path: Path) -> None:
    path = tmp_path / "log"
    opened(path).on_answer(observation(span(7), thresholds={"PHONE_NUMBER": 0.6}))
    line = json.loads(path.read_text())
    assert len(line.pop("hash")) == 64
    assert line == {
        "kind": "decision",
        "n": 0,
        "prev": GENESIS,
        "id": "0000000000000007",
        "request": "ab" * 16,
        "choice": 1,
        "route": "generate",
        "time": "2030-03-17T17:46:40.000+00:00",
        "entity": "PHONE_NUMBER",
        "origin": "memorized",
        "action": "redact",
        "reason": "rule",
        "would": None,
        "tier": "hidden",
        "probability": 0.97,
        "cue": 0.25,
        "base": None,
        "threshold": 0.6,
        "start": 34,
        "end": 46,
        "chars": 12,
        "fragment": False,
        "held_chars": 12,
        "held_tokens": 5,
        "policy": "aa",
        "bundle": "bb",
    }


def test_the_hash_is_made_as_the_documentation_says(tmp_path: Path) -> None:
    from hashlib import blake2b

    lines = filled(tmp_path / "log", 3).read_bytes().splitlines()
    previous = GENESIS
    for line in lines:
        body, _, suffix = line.rpartition(b',"hash":"')
        assert json.loads(line)["prev"] == previous
        previous = blake2b(body + b"}", key=KEY, digest_size=32).hexdigest()
        assert suffix == previous.encode() + b'"}'


def test_what_was_monitored_and_what_could_not_be_measured(tmp_path: Path) -> None:
    path = tmp_path / "log"
    unknown = Decision(Action.REDACT, Verdict(Origin.UNKNOWN, float("nan"), 0.0, Tier.HIDDEN), reason=Reason.FAILURE)
    opened(path).on_answer(observation(span(decision=STOPPED.monitored()), span(decision=unknown, fragment=True)))
    first, second = map(json.loads, path.read_text().splitlines())
    assert (first["action"], first["would"]) == ("allow", "redact")
    assert (second["probability"], second["threshold"], second["fragment"]) == (None, None, True)
    assert second["reason"] == "failure"
    assert verify(path, KEY).holds


def test_an_answer_without_spans_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log"
    opened(path).on_answer(observation())
    assert path.read_bytes() == b""
    assert found(path) == (None, None)


def test_the_log_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = filled(tmp_path / "log", 1)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(head_path(path).stat().st_mode) == 0o600


def test_repr_shows_no_key(tmp_path: Path) -> None:
    assert repr(opened(tmp_path / "log")).endswith("keyed=True)")


@pytest.mark.parametrize("key", [None, KEY])
def test_a_log_is_continued(tmp_path: Path, key: bytes | None) -> None:
    path = tmp_path / "log"
    for number in range(3):
        opened(path, key).on_answer(observation(span(2 * number), span(2 * number + 1)))
    assert verify(path, key) == Verification(6, 0, None, None, True, 0)
    assert [json.loads(line)["n"] for line in path.read_text().splitlines()] == list(range(6))


# What verification finds


class Ten:
    """A log of ten lines, to be put back changed."""

    def __init__(self, folder: Path, now: float = NOON) -> None:
        self.path = filled(folder / "log", 10, now=now)
        self.lines = self.path.read_bytes().splitlines(keepends=True)
        self.head = head_path(self.path).read_bytes()

    def changed_to(self, lines: list[bytes], head: bool = True) -> tuple[Problem | None, int | None]:
        """What verification says of these lines, with the head that belonged to the ten, or without one."""
        self.path.write_bytes(b"".join(lines))
        head_path(self.path).unlink(missing_ok=True)
        if head:
            head_path(self.path).write_bytes(self.head)
        return found(self.path)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Ten:
    return Ten(tmp_path_factory.mktemp("other"), NOON + 60)


@pytest.fixture(scope="module")
def ten(tmp_path_factory: pytest.TempPathFactory) -> Ten:
    return Ten(tmp_path_factory.mktemp("ten"))


TEN = st.integers(0, 9)


@given(at=TEN, byte=st.integers(0, 10_000), to=st.integers(0, 255).filter(lambda b: b != 10), head=st.booleans())
def test_any_edited_byte_is_found(ten: Ten, at: int, byte: int, to: int, head: bool) -> None:
    line = bytearray(ten.lines[at])
    byte %= len(line) - 1  # the newline stays
    to = to if line[byte] != to else to ^ 1 if to != 11 else 12
    line[byte] = to
    assert ten.changed_to([*ten.lines[:at], bytes(line), *ten.lines[at + 1 :]], head) == (Problem.EDITED, at + 1)


@given(at=TEN, to=TEN)
def test_a_line_replaced_by_another_is_found(ten: Ten, at: int, to: int) -> None:
    lines = [*ten.lines[:at], ten.lines[to], *ten.lines[at + 1 :]]
    problem, line = ten.changed_to(lines)
    assert (problem is None, line) == ((True, None) if at == to else (False, at + 1))


@given(at=st.integers(0, 8), count=st.integers(1, 9), head=st.booleans())
def test_missing_lines_are_found(ten: Ten, at: int, count: int, head: bool) -> None:
    end = min(at + count, 9)  # the last line stays
    assert ten.changed_to(ten.lines[:at] + ten.lines[end:], head) == (Problem.DELETED, at + 1)


@pytest.mark.parametrize("kept", range(10))
def test_lines_missing_at_the_end_are_found_by_the_head(ten: Ten, kept: int) -> None:
    assert ten.changed_to(ten.lines[:kept]) == (Problem.TRUNCATED, kept + 1)
    assert ten.changed_to(ten.lines[:kept], head=False) == (None, None)
    result = verify(ten.path, KEY)
    assert not result.end_checked
    assert "not checkable" in result.message


@given(at=TEN, to=TEN, head=st.booleans())
def test_moved_lines_are_found(ten: Ten, at: int, to: int, head: bool) -> None:
    lines = list(ten.lines)
    lines[at], lines[to] = lines[to], lines[at]
    expected = (None, None) if at == to else (Problem.REORDERED, min(at, to) + 1)
    assert ten.changed_to(lines, head) == expected


@given(at=st.integers(0, 10), copy=TEN)
def test_a_copied_line_is_found(ten: Ten, at: int, copy: int) -> None:
    lines = [*ten.lines[:at], ten.lines[copy], *ten.lines[at:]]
    # Of a line and its copy side by side, the second is the one too many.
    assert ten.changed_to(lines) == (Problem.INSERTED, at + 2 if at == copy else at + 1)


@given(at=st.integers(0, 10), kind=st.sampled_from(["empty", "text", "forged"]))
def test_an_inserted_line_is_found(ten: Ten, at: int, kind: str) -> None:
    fields = json.loads(ten.lines[max(0, at - 1)]) | {"n": at, "id": "f" * 16}
    new = {"empty": b"\n", "text": b"hello\n", "forged": json.dumps(fields).encode() + b"\n"}[kind]
    assert ten.changed_to([*ten.lines[:at], new, *ten.lines[at:]]) == (Problem.INSERTED, at + 1)


@given(data=st.data())
def test_whatever_else_is_done_is_found(ten: Ten, data: st.DataObject) -> None:
    """Any bytes put in place of any others."""
    whole = b"".join(ten.lines)
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, min(len(whole), start + 2000)))
    fresh = data.draw(st.binary(max_size=50))
    if whole[start:end] == fresh:
        return
    changed = whole[:start] + fresh + whole[end:]
    problem, _ = ten.changed_to([changed])
    # Something written behind the last line and not ended is what a crash looks like.
    assert problem is not None or (changed.startswith(whole) and b"\n" not in fresh)


def test_everything_may_be_made_anew_by_whoever_has_no_key_to_beat(tmp_path: Path) -> None:
    """Without a key the chain proves nothing against intent; with one, it does."""
    forged = filled(tmp_path / "forged", 3, key=None)
    assert verify(forged).holds
    assert found(forged, KEY) == (Problem.EDITED, 1)
    assert found(filled(tmp_path / "keyed", 3), None) == (Problem.EDITED, 1)
    assert "another key" in verify(forged, KEY).message


def test_a_head_cannot_be_made_to_fit_a_shorter_log(ten: Ten) -> None:
    ten.changed_to(ten.lines[:5], head=False)
    fitting = Head(5, json.loads(ten.lines[4])["hash"])
    head_path(ten.path).write_bytes(head_bytes(fitting, b""))  # all that can be made without the key
    assert found(ten.path) == (Problem.HEAD, None)
    head_path(ten.path).write_bytes(head_bytes(fitting, KEY))
    assert found(ten.path) == (None, None)
    for content in (b"", b"{}", b"[1]", b"\xff\xff"):
        head_path(ten.path).write_bytes(content)
        assert found(ten.path) == (Problem.HEAD, None)


def test_the_head_of_another_log_is_noticed(ten: Ten, tmp_path: Path) -> None:
    other = tmp_path / "other"
    DecisionLog(other, KEY, clock=lambda: NOON + 1).on_answer(observation(span()))
    ten.changed_to(ten.lines)
    head_path(ten.path).write_bytes(head_path(other).read_bytes())
    assert found(ten.path) == (Problem.HEAD, None)


@given(at=st.integers(1, 9))
def test_lines_of_another_log_with_the_same_key_are_noticed(ten: Ten, other: Ten, at: int) -> None:
    assert ten.changed_to(other.lines[:at] + ten.lines[at:]) == (Problem.EDITED, at + 1)


def test_every_problem_has_words() -> None:
    for problem in Problem:
        assert "broken" in Verification(3, 0, problem, 4, True, 0).message


# Crashes


@pytest.mark.parametrize("with_head", [True, False])
@pytest.mark.parametrize("kept", [0, 1, 5, 300, -1])
def test_a_line_that_a_crash_cut_short_is_marked_and_nothing_is_lost(
    tmp_path: Path, kept: int, with_head: bool
) -> None:
    path = filled(tmp_path / "log", 3)
    head = head_path(path).read_bytes()
    whole = filled(path, 1).read_bytes().splitlines(keepends=True)
    cut = whole[3][:kept]
    path.write_bytes(b"".join(whole[:3]) + cut)
    head_path(path).write_bytes(head)  # the crash came before the head was written
    if not with_head:
        head_path(path).unlink()
    assert verify(path, KEY).unfinished_bytes == len(cut)
    opened(path).on_answer(observation(span(99)))
    result = verify(path, KEY)
    assert result.holds and result.end_checked
    assert result.recovered == bool(cut) + (not with_head)
    assert path.read_bytes().startswith(b"".join(whole[:3]) + cut)
    lines = [json.loads(line) for line in path.read_bytes().split(b"\n") if line.endswith(b'"}')]
    marked = [line["what"] for line in lines if line["kind"] == "recovered"]
    assert marked == [{-1: "newline"}.get(kept, "line")] * bool(cut) + ["head"] * (not with_head)
    assert [line["id"] for line in lines if line["kind"] == "decision"][-1] == f"{99:016x}"


def test_an_edited_piece_or_mark_of_a_recovery_is_found(tmp_path: Path) -> None:
    path = filled(tmp_path / "log", 2)
    with open(path, "ab") as file:
        file.write(b'{"action":"redact","bun')
    filled(path, 2)
    assert verify(path, KEY).recovered == 1
    whole = path.read_bytes()
    piece = b'{"action":"redact","bun\n'
    for new in (b'{"action":"allow","bun\n', b'{"action":"redact","bum\n', b'{"action":"redact","bun\n\n', b"\n"):
        assert piece in whole
        path.write_bytes(whole.replace(piece, new))
        assert found(path) == (Problem.EDITED, 3)
    path.write_bytes(whole.replace(piece, b""))
    assert found(path) == (Problem.DELETED, 3)
    path.write_bytes(whole.replace(b'"what":"line"', b'"what":"head"'))
    assert found(path) == (Problem.EDITED, 3)


def test_a_crash_before_anything_was_written(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b'{"act')
    opened(path).on_answer(observation(span()))
    assert verify(path, KEY) == Verification(2, 1, None, None, True, 0)


def test_a_full_disk_cuts_a_line_and_the_next_writer_marks_it(tmp_path: Path) -> None:
    path = filled(tmp_path / "log", 3)
    size = path.stat().st_size
    former = resource.getrlimit(resource.RLIMIT_FSIZE)
    log = opened(path)
    for room in (100, 300):  # twice, the second time while the mark of the first is written
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + room, former[1]))
        try:
            with pytest.raises(OSError, match="only in part"):
                log.on_answer(observation(span(4)))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, former)
    assert path.stat().st_size == size + 300
    log.on_answer(observation(span(5)))
    result = verify(path, KEY)
    assert (result.lines, result.recovered, result.holds) == (5, 1, True)


def test_a_head_that_lags_behind_is_no_harm(tmp_path: Path) -> None:
    path = filled(tmp_path / "log", 3)
    head = head_path(path).read_bytes()
    filled(path, 2)
    head_path(path).write_bytes(head)
    assert verify(path, KEY) == Verification(5, 0, None, None, True, 0)
    filled(path, 1)
    assert verify(path, KEY) == Verification(6, 0, None, None, True, 0)


# What a writer refuses


@pytest.mark.parametrize("head", [True, False])
def test_a_log_with_an_edited_last_line_is_not_continued(tmp_path: Path, head: bool) -> None:
    path = filled(tmp_path / "log", 3)
    before = path.read_bytes().replace(b'"n":2,', b'"n":7,')
    path.write_bytes(before)
    if not head:
        head_path(path).unlink()
    with pytest.raises(InputError, match="cannot be continued"):
        opened(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("keep", [0, 1, 2])
def test_a_log_whose_end_is_missing_is_not_continued(tmp_path: Path, keep: int) -> None:
    path = filled(tmp_path / "log", 3)
    log = opened(path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:keep]))
    with pytest.raises(InputError, match="names line 3"):
        opened(path)
    with pytest.raises(InputError, match="names line 3"):
        log.on_answer(observation(span()))  # one that was open when it happened
    assert found(path) == (Problem.TRUNCATED, keep + 1)


def test_a_log_that_was_made_anew_is_not_continued(tmp_path: Path) -> None:
    path = filled(tmp_path / "log", 3)
    log = opened(path)
    path.write_bytes(filled(tmp_path / "other", 3, now=NOON + 60).read_bytes() + b"x")
    with pytest.raises(InputError, match="names line 3"):
        log.on_answer(observation(span()))


def test_a_log_of_another_key_is_not_continued(tmp_path: Path) -> None:
    path = filled(tmp_path / "log", 3)
    for key in (None, bytes(16)):
        with pytest.raises(InputError, match="with this key"):
            opened(path, key)


def test_a_vanished_log_is_noticed_by_its_head(tmp_path: Path) -> None:
    path = filled(tmp_path / "log", 3)
    path.unlink()
    with pytest.raises(InputError, match="names line 3"):
        opened(path)


def test_a_log_that_grew_without_bound_behind_its_last_line_is_not_continued(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x" * (1 << 20))
    with pytest.raises(InputError, match="cannot be continued"):
        opened(path)


# Keys


@pytest.mark.parametrize("key", [b"", b"short", bytes(65)])
def test_keys_of_another_size_are_refused(tmp_path: Path, key: bytes) -> None:
    with pytest.raises(InputError, match="16 to 64 bytes"):
        DecisionLog(tmp_path / "log", key)
    with pytest.raises(InputError, match="16 to 64 bytes"):
        verify(tmp_path / "log", key)
    assert not (tmp_path / "log").exists()


def test_a_key_file(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(KEY.hex() + "\n")
    assert read_key(file) == KEY
    for content in ("", "zz" * 16, "ab" * 15, "ab" * 65):
        file.write_text(content)
        with pytest.raises(InputError, match="holds no key"):
            read_key(file)
    with pytest.raises(InputError, match="Cannot read a key from"):
        read_key(tmp_path / "nowhere")


# Several writers


def test_threads_share_a_log(tmp_path: Path) -> None:
    path = tmp_path / "log"
    log = opened(path)

    def work(base: int) -> None:
        for number in range(25):
            log.on_answer(observation(span(base + number), span(base + number)))

    threads = [threading.Thread(target=work, args=(100 * base,)) for base in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verify(path, KEY) == Verification(200, 0, None, None, True, 0)


def _work(path: Path, inherited: DecisionLog | None, base: int) -> None:
    log = inherited or opened(path)
    for number in range(25):
        log.on_answer(observation(span(base + number)))


@pytest.mark.parametrize("inherited", [True, False])
def test_processes_share_a_log(tmp_path: Path, inherited: bool) -> None:
    path = tmp_path / "log"
    log = opened(path)
    log.on_answer(observation(span()))
    fork = multiprocessing.get_context("fork")
    workers = [fork.Process(target=_work, args=(path, log if inherited else None, 100 * n)) for n in (1, 2, 3)]
    for worker in workers:
        worker.start()
    _work(path, log, 400)
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert verify(path, KEY) == Verification(101, 0, None, None, True, 0)
    ids = [json.loads(line)["id"] for line in path.read_text().splitlines()]
    assert len(set(ids)) == 101


def test_a_lock_does_not_outlive_its_block_where_a_fork_kept_the_file_open(tmp_path: Path) -> None:
    path = filled(tmp_path / "log", 1)
    with locked(path, os.O_RDWR, fcntl.LOCK_EX) as descriptor:
        kept = os.dup(descriptor)  # as a fork does
    with locked(path, os.O_RDWR, fcntl.LOCK_EX | fcntl.LOCK_NB):
        os.close(kept)


def test_a_log_can_be_verified_while_it_is_written(tmp_path: Path) -> None:
    path = filled(tmp_path / "log", 1)
    done = threading.Event()

    def write() -> None:
        log = opened(path)
        for number in range(200):
            log.on_answer(observation(span(number)))
        done.set()

    writer = threading.Thread(target=write)
    writer.start()
    results = [verify(path, KEY)]
    while not done.is_set():
        results.append(verify(path, KEY))
    writer.join()
    assert all(result.holds and not result.unfinished_bytes for result in results)
    assert verify(path, KEY).lines == 201


# Cost


def test_a_line_takes_less_than_100_microseconds(tmp_path: Path) -> None:
    log, observed = opened(tmp_path / "log"), observation(span())
    assert cpu_seconds(lambda: log.on_answer(observed), repeat=300) < 100e-6 * slowness()


def test_fsync_reaches_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", synced.append)
    DecisionLog(tmp_path / "a", KEY, fsync=True).on_answer(observation(span()))
    assert len(synced) == 2  # the log, then its head
    DecisionLog(tmp_path / "b", KEY).on_answer(observation(span()))
    assert len(synced) == 2
