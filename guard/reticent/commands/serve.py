"""Guard an OpenAI-compatible server: a proxy that judges every text before it leaves."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
import uvicorn

from reticent.serve.app import create_app
from reticent.serve.config import Settings, load
from reticent.serve.metrics_port import MetricsPort
from reticent.serve.proxy import Proxy

app = typer.Typer(add_completion=False)
_HEADER_BYTES = 1 << 15


@app.command()
def serve(
    upstream: Annotated[str | None, typer.Option(help="The server's address: http://HOST:PORT.")] = None,
    config: Annotated[Path | None, typer.Option(help="Settings in YAML; 'reticent config' prints a template.")] = None,
    host: Annotated[str | None, typer.Option(help="Where to listen. Default: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(help="Default: 8080.")] = None,
    metrics_port: Annotated[
        int | None, typer.Option(help="Of GET /metrics. Default: 9464; 0 takes a free one.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Read the settings and everything they name, and end.")
    ] = False,
) -> None:
    """Guards an OpenAI-compatible server: a proxy that judges every text before it leaves."""
    settings = load(
        config,
        overrides={"upstream.url": upstream, "host": host, "port": port, "metrics_port": metrics_port},
    )
    proxy = Proxy(settings)
    if check:
        typer.echo(f"The settings are good. {proxy.about}.")
        return
    run(settings, proxy)


def run(settings: Settings, proxy: Proxy) -> None:
    """Serves until SIGTERM or SIGINT, and then until the open answers are finished."""
    figures = None
    if settings.metrics_port is not None:
        figures = MetricsPort(proxy.metrics, settings.metrics_host, settings.metrics_port)
    shown = "no metrics" if figures is None else f"metrics on port {figures.port}"
    typer.echo(f"reticent: http://{settings.host}:{settings.port} before {settings.upstream.url}; {shown}", err=True)
    typer.echo(f"reticent: {proxy.about}", err=True)
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(proxy),
            host=settings.host,
            port=settings.port,
            http="h11",
            ws="none",
            lifespan="on",
            log_level="warning",
            access_log=False,
            server_header=False,
            h11_max_incomplete_event_size=_HEADER_BYTES,
            timeout_graceful_shutdown=settings.limits.drain_seconds,
        )
    )
    try:
        server.run()
    finally:
        if figures is not None:
            figures.close()
