"""Runs a proxy in this process or in several: it listens, says what is served, and serves until it is told to end."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from socket import socket
from typing import Any

import prometheus_client
import typer
import uvicorn

from reticent.serve.app import check_canary, create_app, find_canary, prepared
from reticent.serve.connections import BoundedProtocol, prepare
from reticent.serve.judging.served_base import TokenTexts
from reticent.serve.log_config import log_config
from reticent.serve.metrics_port import Exposition, MetricsPort
from reticent.serve.playground.routes import PATH
from reticent.serve.proxy import Proxy
from reticent.serve.reloading import Reloader, ReloadResult, ReloadThread, SettingsSource, WorkerState
from reticent.serve.settings import Settings
from reticent.serve.snapshot import Snapshot, SnapshotInputs, load_detector
from reticent.serve.sockets import close_all, listen
from reticent.serve.worker_links import WorkerLinks
from reticent.serve.workers import Workers, keep_out_of_collections
from reticent_detectors.errors import InputError

_HEADER_BYTES = 1 << 15
_BACKLOG = 512
"""Connections that wait to be accepted, and the most that are accepted in one turn of the loop."""
_NOT_STARTED = 3
"""Exit code of uvicorn for a server that could not start."""


def checked(proxy: Proxy) -> str:
    """Describes a proxy and closes it. Raises InputError for a canary that cannot be asked."""
    try:
        find_canary(proxy)  # no app is made, as FastAPI's caches would keep it and the proxy
        return proxy.about
    finally:
        asyncio.run(proxy.aclose())


def run(source: SettingsSource, proxy: Proxy) -> None:
    """Serves in this process until SIGTERM or SIGINT, and finishes the open answers. SIGHUP reloads."""
    settings, version = proxy.settings, proxy.snapshot.version
    reloader = Reloader(source, settings, version, partial(prepared, proxy), partial(_take_up, proxy))
    proxy.metrics.register(reloader.metrics)
    app = create_app(proxy, reloads=_InThisProcess(reloader, proxy))
    config = uvicorn.Config(app, host=settings.host, port=settings.port, **_options(settings))
    keep_out_of_collections()
    model = None if proxy.local_model is None else proxy.local_model.name
    reloading = ReloadThread(reloader, settings.watch_seconds)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, reloading.ask)
    try:
        _serve(settings, proxy.about, model, proxy.metrics, uvicorn.Server(config).run)
    finally:
        reloading.close()


def _take_up(proxy: Proxy, _: SnapshotInputs, snapshot: Snapshot) -> None:
    proxy.use(snapshot, time.time())


class _InThisProcess:
    """Reloads for an administrator, where one process serves."""

    def __init__(self, reloader: Reloader, proxy: Proxy) -> None:
        self._reloader, self._proxy = reloader, proxy

    def reload(self) -> ReloadResult:
        return self._reloader.reload("POST /admin/reload")

    def workers(self) -> list[WorkerState]:
        return [WorkerState(os.getpid(), self._proxy.snapshot.version, self._proxy.since)]


def run_workers(
    source: SettingsSource,
    settings: Settings,
    make_proxy: Callable[[SnapshotInputs], Proxy],
    base_texts: Callable[[Path], TokenTexts],
) -> None:
    """Serves in several processes.

    Args:
        source, settings: where settings come from, and what it gave.
        make_proxy: makes a proxy, for the check of what is read first.
        base_texts: loads the tokenizer of a base that the upstream serves.
    """
    packed, version, about = _first(settings, make_proxy)
    gc.collect()  # each worker makes its own proxy, so this process frees its detector and index
    links = WorkerLinks(packed, version)
    reloader = Reloader(source, settings, version, _checked_snapshot, links.take_up)
    workers = Workers(settings, _options(settings), links, reloader, base_texts)
    try:
        _serve(settings, about, None, workers.metrics, workers.run)
    finally:
        workers.close()


def _first(settings: Settings, make_proxy: Callable[[SnapshotInputs], Proxy]) -> tuple[bytes, str, str]:
    """Gives what the workers begin with, its version, and a description of their proxies."""
    inputs = SnapshotInputs.read(settings)
    proxy = make_proxy(inputs)
    return inputs.packed(), proxy.snapshot.version, checked(proxy)


def _checked_snapshot(inputs: SnapshotInputs) -> Snapshot:
    """Makes a snapshot as workers will, without what asks the upstream. Raises ReticentError."""
    snapshot = Snapshot(inputs, load_detector(inputs, None, None, None))
    check_canary(snapshot, None)
    return snapshot


def _options(settings: Settings) -> dict[str, Any]:
    """Gives the options of uvicorn, without app, host and port."""
    options: dict[str, Any] = {
        "http": BoundedProtocol,
        "limit_concurrency": prepare(settings.limits.connections, settings.limits.inflight),
        "backlog": _BACKLOG,
        "ws": "none",
        "lifespan": "on",
        "log_level": settings.log_level.value,
        "log_config": log_config(settings.log_level),
        "access_log": False,  # uvicorn's has query strings; ours is serve.access_log
        "server_header": False,
        "h11_max_incomplete_event_size": _HEADER_BYTES,
        "timeout_graceful_shutdown": settings.limits.drain_seconds,
    }
    if settings.tls is not None:
        options |= {"ssl_certfile": settings.tls.cert, "ssl_keyfile": settings.tls.key}
    return options


def _serve(
    settings: Settings, about: str, model: str | None, shared: Exposition, serve_on: Callable[[list[socket]], None]
) -> None:
    """Listens, offers the metrics, prints what is served, and serves."""
    # The creation times are half of the exposition, and no panel needs them.
    prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]
    sockets = _listening(settings)
    metrics_port = None
    try:
        if settings.metrics_port is not None:
            metrics_port = _metrics_port(shared, settings.metrics_host, settings.metrics_port)
        _announce(settings, about, model, metrics_port, sockets[0].getsockname()[1])
        serve_on(sockets)
    finally:
        close_all(sockets)
        if metrics_port is not None:
            metrics_port.close()


def _listening(settings: Settings) -> list[socket]:
    """Opens the sockets to serve on, or ends the process with an error."""
    try:
        return listen(settings.host, settings.port, dual=settings.workers > 1)
    except OSError as error:
        why = str(error.strerror).partition(" (")[0]  # cuts off the address, which the message has already
        raise _not_started(
            f"Cannot listen on {settings.host}:{settings.port} ({why}). "
            f"Give another --port or --host, or end what listens there. The metrics' port is another: --metrics-port, "
            f"now {settings.metrics_port}."
        ) from None


def _metrics_port(shared: Exposition, host: str, port: int) -> MetricsPort:
    """Offers the metrics, or ends the process with an error."""
    try:
        return MetricsPort(shared, host, port)
    except InputError as error:
        raise _not_started(str(error)) from None


def _not_started(message: str) -> SystemExit:
    typer.echo(f"error: {message}", err=True)
    return SystemExit(_NOT_STARTED)


def _announce(settings: Settings, about: str, model: str | None, metrics_port: MetricsPort | None, port: int) -> None:
    """Says what is served. A full disk behind the standard error output is no reason not to serve."""
    with suppress(OSError):
        _write_announcement(settings, about, model, metrics_port, port)


def _write_announcement(
    settings: Settings, about: str, model: str | None, metrics_port: MetricsPort | None, port: int
) -> None:
    shown = "no metrics" if metrics_port is None else f"metrics on port {metrics_port.port}"
    if settings.workers > 1:
        shown += f"; {settings.workers} workers"
    behind = "" if settings.upstream is None else f"before {settings.upstream.url}"
    if model is not None:
        behind = f"with the model {model}"
    typer.echo(
        f"reticent: {'http' if settings.tls is None else 'https'}://{settings.host}:{port} {behind}; {shown}",
        err=True,
    )
    typer.echo(f"reticent: {about}", err=True)
    if settings.serves_playground:
        typer.echo(
            f"reticent: playground at {'http' if settings.tls is None else 'https'}://{settings.host}:{port}{PATH}",
            err=True,
        )
