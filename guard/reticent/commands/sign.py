"""Sign a detector bundle, so that a guard can refuse any other."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(add_completion=False)


@app.command()
def sign(
    bundle: Annotated[Path | None, typer.Argument(help="Bundle folder to sign.")] = None,
    key: Annotated[Path | None, typer.Option(help="Private key, PEM.")] = None,
    new_key: Annotated[
        Path | None,
        typer.Option("--new-key", help="Write a fresh private key here, and the public one beside it (.pub)."),
    ] = None,
) -> None:
    """Writes manifest.sig into the bundle. `Guard.load(bundle, trusted_key=...)` then refuses bundles without it."""
    from reticent_detectors.bundle.format import MANIFEST, Bundle
    from reticent_detectors.bundle.signature import SIGNATURE
    from reticent_detectors.bundle.signature import new_key as make
    from reticent_detectors.bundle.signature import sign as make_signature
    from reticent_detectors.errors import InputError

    if new_key is None and (bundle is None or key is None):
        raise InputError("Expected a bundle and --key, or --new-key FILE to make a key first.")
    if new_key is not None:
        public_file = new_key.with_name(new_key.name + ".pub")
        for file in (new_key, public_file):
            if file.exists():
                raise InputError(f"{file} exists; a key is never overwritten. Choose another name.")
        private, public = make()
        with os.fdopen(os.open(new_key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(private)
        public_file.write_bytes(public)
        typer.echo(f"{new_key}: private key, keep it; {public_file}: public key, for guards")
    if bundle is not None:
        secret = key or new_key
        assert secret is not None
        Bundle.load(bundle)  # nothing damaged is signed
        signature = make_signature((bundle / MANIFEST).read_bytes(), secret.read_bytes())
        (bundle / SIGNATURE).write_bytes(signature)
        typer.echo(f"{bundle / SIGNATURE}: signed")
