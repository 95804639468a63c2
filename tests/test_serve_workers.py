"""Several workers behind one port: one exposition, one decision log, one end."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import prometheus_client
import pytest
import serve_golden as golden
import yaml
from prometheus_client.parser import text_string_to_metric_families
from serve_upstream import STRICT, Scripted, says, stream_head, until
from test_serve_command import ROOT, command, environment

from reticent.commands import serve as serve_command
from reticent.key_files import write_key
from reticent.observability.decision_log import verify
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent.serve.workers import SharedMetrics, Workers
from reticent_detectors.errors import InputError


@contextmanager
def working(folder: Path, upstream: str) -> Iterator[tuple[subprocess.Popen[str], int, int, list[str]]]:
    """A proxy with two workers: its process, its port, the metrics' port, and what it says."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings: dict[str, Any] = {
        "upstream": {"url": upstream},
        "policy": "strict",
        "policies": {"strict": STRICT},
        "port": port,
        "metrics_port": 0,
        "decision_log": {"path": str(folder / "log")},
    }
    (folder / "config.yaml").write_text(yaml.safe_dump(settings))
    line = command("serve", "--config", str(folder / "config.yaml"), "--workers", "2")
    process = subprocess.Popen(line, stderr=subprocess.PIPE, text=True, env=environment(TMPDIR=str(folder)), cwd=ROOT)
    assert process.stderr is not None
    try:
        logged = [process.stderr.readline()]
        found = re.search(r"metrics on port (\d+); 2 workers", logged[0])
        assert found is not None, logged
        yield process, port, int(found[1]), logged
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        logged += process.stderr.read().splitlines()
    finally:
        process.kill()
        process.wait(10)
        process.stderr.close()


def figures(port: int) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    text = httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False, timeout=30).text
    return {
        (sample.name.removeprefix("reticent_"), frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def redacted(port: int) -> float:
    labels = {"route": "chat_completions", "stream": "true", "outcome": "redacted"}
    return figures(port).get(("requests_total", frozenset(labels.items())), -1.0)


def children(process: int) -> set[int]:
    """The workers of a process (and not what watches over shared resources)."""
    out = set()
    for path in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        with suppress(FileNotFoundError):  # it ended since the list was read
            if b"spawn_main" in Path(f"/proc/{path}/cmdline").read_bytes():
                out.add(int(path))
    return out


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks for the workers in /proc")
def test_workers_share_a_port_figures_and_a_log(tmp_path: Path) -> None:
    upstream = Scripted()
    upstream.script = says(stream_head(), golden.ollama(golden.leaking(golden.EMAIL)))
    with working(tmp_path, upstream.url) as (process, port, metrics, logged):
        url = f"http://127.0.0.1:{port}"

        def ask() -> bool:
            try:
                with httpx.Client(base_url=url, trust_env=False, timeout=30) as client:
                    got = client.post("/v1/chat/completions", json=golden.request_body(stream=True))
                    return golden.said(got.content) == "You can use <EMAIL_ADDRESS>, which is it."
            except httpx.TransportError:
                return False

        assert until(ask, 60.0)
        assert until(lambda: redacted(metrics) == 1, 30.0)
        assert all(ask() for _ in range(10))
        assert until(lambda: redacted(metrics) == 11, 30.0)
        before = children(process.pid)
        assert len(before) == 2
        os.kill(min(before), signal.SIGSTOP)
        time.sleep(1.0)  # the parent now waits for its answer
        os.kill(min(before), signal.SIGKILL)
        assert until(lambda: len(children(process.pid) - before) == 1, 30.0)  # not the 60 s of a silent one
        assert redacted(metrics) == 11  # what it counted stays counted
        assert until(lambda: figures(metrics)[("inflight_streams", frozenset())] == 0, 30.0)
        assert until(lambda: all(ask() for _ in range(3)), 60.0)
        files = [path.name for path in tmp_path.glob("reticent-*/*.db")]
        assert not any(name.startswith("gauge_live") and name.endswith(f"_{min(before)}.db") for name in files)
    upstream.close()
    assert not list(tmp_path.glob("reticent-*"))
    assert "Traceback" not in "".join(logged)
    found = verify(tmp_path / "log")
    assert found.holds and found.lines >= 14
    assert {json.loads(line)["entity"] for line in (tmp_path / "log").read_text().splitlines()} == {"EMAIL_ADDRESS"}


def test_figures_of_an_earlier_run_are_removed_and_nothing_else(tmp_path: Path) -> None:
    for name in ("counter_1.db", "gauge_livesum_77.db", "mine.db", "counter_x.db"):
        (tmp_path / name).write_bytes(b"")
    SharedMetrics(tmp_path, set)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["counter_x.db", "mine.db"]


def test_workers_need_an_upstream(tmp_path: Path) -> None:
    model = {"model.path": tmp_path, "model.bundle": tmp_path}
    copy = {"path": tmp_path, "bundle": tmp_path, "models": ["m"]}
    for more in (
        {**model, "workers": 2},
        {"upstream.url": "http://h", "workers": 2, "shadow": copy},
    ):
        with pytest.raises(InputError, match=r"go(es)? with 'upstream'|'shadow' keeps"):
            load(environ={}, overrides=more)


def test_a_worker_that_cannot_start_ends_all(tmp_path: Path) -> None:
    """The parent reads the settings before it starts anybody, so nothing is started again and again."""
    started = time.monotonic()
    line = command("serve", "--upstream", "http://127.0.0.1:1", "--workers", "2", "--metrics-port", "0")
    env = environment(RETICENT_SERVE_RECORDS__INDEX=str(tmp_path / "no"), RETICENT_SERVE_RECORDS__KEY_FILE="no")
    done = subprocess.run(line, capture_output=True, text=True, env=env, cwd=ROOT, timeout=60, check=False)
    assert (done.returncode, done.stderr.startswith("error: ")) == (2, True)
    assert time.monotonic() - started < 60


class Parent:
    """What `reticent serve` made and closed, and what of it was there when its workers began."""

    def __init__(self, folder: Path) -> None:
        self.made: list[weakref.ref[Any]] = []
        self.closed, self.held = 0, list[bool]()
        self._folder = folder
        body = {"model": "small", "messages": [{"role": "user", "content": "Whose is it?"}]}
        self.settings: dict[str, Any] = {
            "upstream": {"url": "http://127.0.0.1:1"},
            "records": {"index": str(folder / "records.index"), "key_file": str(folder / "records.key")},
            "canary": {"value": golden.EMAIL, "body": body},
            "port": 0,
            "metrics_port": None,
        }

    def serve(self) -> None:
        (self._folder / "config.yaml").write_text(yaml.safe_dump(self.settings))
        serve_command.serve(config=self._folder / "config.yaml", workers=2)


@pytest.fixture
def parent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Parent:
    """The parent of two workers that do not begin, with a records index and a canary."""
    golden.INDEX.save(tmp_path / "records.index")
    write_key(tmp_path / "records.key", golden.INDEX.key)
    parent = Parent(tmp_path)

    class Watched(Proxy):
        def __init__(self, *args: Any, **named: Any) -> None:
            super().__init__(*args, **named)
            parent.made += [weakref.ref(self), weakref.ref(self.records)]

        async def aclose(self) -> None:
            await super().aclose()
            parent.closed += 1

    def run(self: Workers, sockets: list[socket.socket]) -> None:
        parent.held = [each() is not None for each in parent.made]

    monkeypatch.setattr("reticent.serve.proxy.Proxy", Watched)
    monkeypatch.setattr(Workers, "run", run)
    monkeypatch.setattr(sys, "setswitchinterval", lambda seconds: None)
    monkeypatch.setattr(prometheus_client, "disable_created_metrics", lambda: None)
    return parent


def test_the_parent_of_workers_checks_a_proxy_and_holds_nothing_of_it(
    parent: Parent, capsys: pytest.CaptureFixture[str]
) -> None:
    parent.serve()
    assert (parent.closed, parent.held) == (1, [False, False])
    assert "2 workers\nreticent: tier records: it stops the 3 values" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "setting", "expected", "closed"),
    [
        ("records", {"index": "no/such", "key_file": "no/such"}, "no/such", 0),
        ("canary", {"value": golden.EMAIL, "body": {"model": "small"}}, "canary's request would be refused", 1),
    ],
)
def test_bad_settings_end_the_parent_before_a_worker_begins(
    parent: Parent, name: str, setting: dict[str, Any], expected: str, closed: int
) -> None:
    parent.settings[name] = setting
    with pytest.raises((InputError, OSError), match=expected):
        parent.serve()
    assert (parent.closed, parent.held) == (closed, [])
