"""A start on a full disk: the decision log goes on without lines, as it does later on, and everything else is said."""

from __future__ import annotations

import errno
import os
import shutil
from collections import namedtuple
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from reticent.commands import serve
from reticent.observability.decision_log import DecisionLog
from reticent.serve import running
from reticent.serve.config import load
from reticent.serve.proxy import Proxy
from reticent.serve.reloading import Reloader, SettingsSource
from reticent.serve.worker_links import WorkerLinks
from reticent.serve.workers import DIRECTORY, Workers
from reticent_detectors.errors import InputError

UP = {"upstream.url": "http://127.0.0.1:9"}


@pytest.fixture
def cut_log(tmp_path: Path) -> Path:
    """A log whose last line a full disk cut short, so that a start has to write."""
    path = tmp_path / "decisions.jsonl"
    path.write_bytes(b'{"kind": "decision", "id"')
    return path


def full(*_: Any, **__: Any) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_proxy_starts_although_the_disk_of_its_log_is_full(
    cut_log: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with monkeypatch.context() as disk:
        disk.setattr(os, "write", full)
        Proxy(load(environ={}, overrides={**UP, "decision_log": {"path": str(cut_log)}}))
    assert "the disk of the decision log is full" in caplog.text
    log = DecisionLog(cut_log)  # there is room again
    assert b"recovered" in cut_log.read_bytes()
    assert repr(log)


def test_a_new_log_begins_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = os.open

    def no_file(path: Any, flags: int, *more: Any, **named: Any) -> int:
        return full() if flags & os.O_CREAT else opened(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", no_file)
    DecisionLog(tmp_path / "decisions.jsonl")


@pytest.mark.parametrize("path", ["absent/decisions.jsonl", "."])
def test_a_log_that_cannot_be_opened_is_an_error_that_says_so(tmp_path: Path, path: str) -> None:
    with pytest.raises(InputError, match=r"decision log .* cannot be opened"):
        Proxy(load(environ={}, overrides={**UP, "decision_log": {"path": str(tmp_path / path)}}))


def two_workers() -> Workers:
    settings, links = load(environ={}, overrides={**UP, "workers": 2}), WorkerLinks(b"", "")
    reloader = Reloader(SettingsSource(), settings, "", running._checked_snapshot, links.take_up)
    return Workers(settings, {}, links, reloader)


def test_workers_need_room_for_their_metrics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DIRECTORY, str(tmp_path))
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(100 << 20, 90 << 20, 10 << 20))
    with pytest.raises(InputError, match="need 32 MiB, and their disk has 10"):
        two_workers()


def test_workers_need_a_folder_for_their_metrics(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DIRECTORY, str(tmp_path / "file" / "folder"))
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="metrics have no folder"):
        two_workers()


def test_an_announcement_that_cannot_be_written_keeps_nobody_from_serving(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running.typer, "echo", full)
    running._announce(load(environ={}, overrides=UP), "tier text", None, None, 8080)


def test_a_proxy_that_cannot_open_its_log_ends_without_a_traceback(tmp_path: Path) -> None:
    settings = tmp_path / "serve.yaml"
    settings.write_text(f"upstream: {{url: 'http://127.0.0.1:9'}}\ndecision_log: {{path: '{tmp_path}/no/log'}}\n")
    done = CliRunner().invoke(serve.app, ["--config", str(settings), "--check"])
    assert isinstance(done.exception, InputError)
