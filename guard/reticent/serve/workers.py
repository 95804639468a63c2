"""Runs several processes behind one port, with one exposition of their metrics.

The parent listens, starts the workers, replaces one that dies, and ends them on SIGTERM, each after its open answers.
It serves the metrics from prometheus_client's multi-process files, which do not disturb the workers. What a dead
worker counted stays counted, but not its open answers. Each worker has its own limits, canary and readiness. What a
reload replaces comes from the parent (`worker_links`), which a SIGHUP has reload; a worker takes no notice of one.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import signal
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from socket import socket
from typing import Any, cast

import prometheus_client
import uvicorn
from fastapi import FastAPI
from prometheus_client import CollectorRegistry
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from prometheus_client.registry import Collector
from uvicorn.supervisors.multiprocess import Multiprocess

from reticent.serve.app import create_app, prepared
from reticent.serve.connections import prepare
from reticent.serve.judging.served_base import TokenTexts
from reticent.serve.proxy import Proxy
from reticent.serve.reloading import Reloader, ReloadThread
from reticent.serve.settings import Settings
from reticent.serve.worker_links import WorkerLink, WorkerLinks
from reticent_detectors.errors import InputError

DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
_SILENT_SECONDS = 60
"""Seconds of silence after which a worker is replaced. On a busy machine a start takes several."""
_METRICS_BYTES = 16 << 20
"""Room for the metrics of one worker."""
_FILE = re.compile(r"(?:counter|histogram|gauge_[a-z]+)_(\d+)\.db")


class SharedMetrics:
    """Serves the metrics of all workers.

    Args:
        folder: the folder of their files. Files of an earlier run are removed.
        alive: ids of the living processes.
        own: figures of this process.
    """

    def __init__(self, folder: Path, alive: Callable[[], set[int]], own: Collector | None = None) -> None:
        self._folder, self._alive, self._own = folder, alive, own
        for path in self._files():
            path.unlink()

    def __repr__(self) -> str:
        return f"SharedMetrics({str(self._folder)!r})"

    def render(self) -> tuple[bytes, str]:
        """Gives the exposition and its content type."""
        alive = self._alive()
        for process in {int(found[1]) for path in self._files() if (found := _FILE.fullmatch(path.name))} - alive:
            mark_process_dead(process, str(self._folder))  # type: ignore[no-untyped-call]
        registry = CollectorRegistry()
        MultiProcessCollector(registry, str(self._folder))  # type: ignore[no-untyped-call]
        if self._own is not None:
            registry.register(self._own)
        return prometheus_client.generate_latest(registry), prometheus_client.CONTENT_TYPE_LATEST

    def _files(self) -> list[Path]:
        return [path for path in self._folder.iterdir() if _FILE.fullmatch(path.name)]


class Workers:
    """Runs the workers of a proxy.

    Args:
        settings: settings of the proxy. `settings.workers` is their number.
        options: options of uvicorn, without app, host and port.
        links: joins the workers to this process.
        reloader: reloads for all of them.
        base_texts: loads the tokenizer of a base that the upstream serves.

    Raises:
        InputError: there is no room for the metrics.
    """

    def __init__(
        self,
        settings: Settings,
        options: dict[str, Any],
        links: WorkerLinks,
        reloader: Reloader,
        base_texts: Callable[[Path], TokenTexts] | None = None,
    ) -> None:
        self._links, self._reloader, self._watch_seconds = links, reloader, settings.watch_seconds
        links.reloader = reloader
        try:
            self._made = None if DIRECTORY in os.environ else tempfile.TemporaryDirectory(prefix="reticent-")
            folder = Path(os.environ[DIRECTORY] if self._made is None else self._made.name)
            folder.mkdir(exist_ok=True)
            self.metrics = SharedMetrics(folder, self._alive, reloader.metrics)
            free = shutil.disk_usage(folder).free
        except OSError as error:
            raise InputError(
                f"The workers' metrics have no folder ({error.strerror or 'none can be written'}). "
                f"Make room, or set {DIRECTORY} to a folder that can be written."
            ) from None
        if free < (needed := settings.workers * _METRICS_BYTES):  # a map of a file without room kills the process
            self.close()
            raise InputError(
                f"The workers' metrics need {needed >> 20} MiB, and their disk has {free >> 20}. "
                f"Make room, or set {DIRECTORY} to a folder on another disk."
            )
        os.environ[DIRECTORY] = str(folder)  # before a worker imports prometheus_client
        self._config = uvicorn.Config(
            partial(_app, cast(WorkerLink, links), base_texts),  # which it is for the worker
            factory=True,
            host=settings.host,
            port=settings.port,
            workers=settings.workers,
            timeout_worker_healthcheck=_SILENT_SECONDS,
            **options,
        )
        self._supervisor: _Supervisor | None = None

    def __repr__(self) -> str:
        return f"Workers({self._config.workers})"

    def run(self, sockets: list[socket]) -> None:
        """Serves on these sockets until SIGTERM or SIGINT, and finishes the open answers."""
        reloading = ReloadThread(self._reloader, self._watch_seconds)
        self._supervisor = _Supervisor(self._config, sockets, self._links, reloading)
        try:
            self._supervisor.run()
        finally:
            reloading.close()

    def close(self) -> None:
        """Removes the folder of the metrics, if it was made here."""
        if self._made is not None:
            os.environ.pop(DIRECTORY, None)
            self._made.cleanup()

    def _alive(self) -> set[int]:
        if self._supervisor is None:
            return set()
        return {each.pid for each in self._supervisor.processes if each.pid is not None and each.process.is_alive()}


class _Supervisor(Multiprocess):
    """Supervises as uvicorn does, closes the workers' ends of their connections, and reloads in place of restarts.

    Otherwise a worker that dies with an open answer never hangs up.
    """

    def __init__(
        self, config: uvicorn.Config, sockets: list[socket], links: WorkerLinks, reloading: ReloadThread
    ) -> None:
        super().__init__(config, sockets)
        self._links, self._reloading = links, reloading

    def handle_hup(self) -> None:
        self._reloading.ask()

    def keep_subprocess_alive(self) -> None:
        self._links.note_started()
        for process in self.processes:
            process.child_conn.close()
        super().keep_subprocess_alive()


def _app(link: WorkerLink, base_texts: Callable[[Path], TokenTexts] | None) -> FastAPI:
    """Makes the application of one worker, in its process."""
    if hasattr(signal, "SIGHUP"):  # a terminal that closes sends it to all processes
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    inputs, since = link.receive_inputs()
    settings = inputs.settings
    prepare(settings.limits.connections, settings.limits.inflight)
    prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]
    proxy = Proxy(settings, base_texts=base_texts, inputs=inputs)
    proxy.since = since
    app = create_app(proxy, reloads=link)
    link.follow(partial(prepared, proxy), proxy.use)
    keep_out_of_collections()
    return app


def keep_out_of_collections() -> None:
    """Keep all there is now out of garbage collections, and have fewer of them. For a process that only serves.

    A full collection goes through the finder's tables, while all requests wait.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 25, 25)
