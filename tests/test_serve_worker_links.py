"""Links of workers, with both ends of the pipes in this process: who has ended is no longer asked, nor waited for."""

from __future__ import annotations

import threading
import time
from multiprocessing import Pipe
from types import SimpleNamespace
from typing import Any

import pytest
from serve_upstream import until

from reticent.serve.reloading import NotTakenUp, ParentGone
from reticent.serve.worker_links import WorkerLink, WorkerLinks


class Worker:
    """A worker's ends, by which it has said hello and was told what to serve."""

    def __init__(self, links: WorkerLinks, process: int) -> None:
        _, (self.commands, self.requests) = links.__reduce__()
        self.commands.send(process)
        self.commands.recv()
        assert self.commands.recv_bytes() == b"packed"

    def end(self) -> None:
        self.commands.close()
        self.requests.close()


def threads() -> set[threading.Thread]:
    return {each for each in threading.enumerate() if each.name == "worker-link"}


def served(links: WorkerLinks) -> dict[int, str]:
    return {each.process: each.version for each in links._answer("workers")}  # type: ignore[union-attr]


def test_a_worker_that_ended_leaves_with_its_threads() -> None:
    before = threads()
    links = WorkerLinks(b"packed", "one")
    workers = [Worker(links, process) for process in (1, 2)]
    assert until(lambda: served(links) == {1: "one", 2: "one"}, 20.0)
    assert len(threads() - before) == 4
    workers[0].end()
    assert until(lambda: served(links) == {2: "one"} and len(threads() - before) == 2, 20.0)
    workers[1].end()
    assert until(lambda: not served(links) and threads() == before, 20.0)


def test_a_worker_that_ended_before_it_said_hello_leaves_no_thread() -> None:
    before = threads()
    links = WorkerLinks(b"packed", "one")
    for end in links.__reduce__()[1]:
        end.close()
    assert until(lambda: threads() == before, 20.0) and not served(links)


def test_a_reload_does_not_wait_for_a_worker_whose_end_is_not_seen_yet() -> None:
    links = WorkerLinks(b"packed", "one")
    worker = Worker(links, 1)
    assert until(lambda: served(links) == {1: "one"}, 20.0)
    worker.commands.close()  # of a process that ends, the pipes close one after the other
    inputs: Any = SimpleNamespace(packed=lambda: b"packed")
    snapshot: Any = SimpleNamespace(version="two")
    began = time.monotonic()
    links.take_up(inputs, snapshot)
    assert time.monotonic() - began < 10.0  # a commit that nobody sends is waited for twice as long
    worker.end()
    late = Worker(links, 2)
    assert until(lambda: served(links) == {2: "two"}, 20.0)
    answering = threading.Thread(target=lambda: (late.commands.recv(), late.commands.recv_bytes(), late.end()))
    answering.start()
    links.take_up(inputs, snapshot)  # it ends while it is asked
    answering.join()
    assert until(lambda: not served(links), 20.0)


def test_a_worker_that_cannot_make_it_ready_stops_the_reload() -> None:
    links = WorkerLinks(b"packed", "one")
    worker = Worker(links, 1)
    assert until(lambda: served(links) == {1: "one"}, 20.0)
    worker.commands.send("MemoryError")
    inputs: Any = SimpleNamespace(packed=lambda: b"packed")
    with pytest.raises(NotTakenUp, match="MemoryError"):
        links.take_up(inputs, SimpleNamespace(version="two"))  # type: ignore[arg-type]
    assert served(links) == {1: "one"}
    worker.end()


def test_a_worker_says_that_its_parent_has_ended() -> None:
    (parents, commands), (other, requests) = Pipe(), Pipe()
    link = WorkerLink(commands, requests)
    for end in (parents, other):
        end.close()
    for ask in (link.reload, link.workers, link.workers):
        with pytest.raises(ParentGone, match="has ended"):
            ask()
