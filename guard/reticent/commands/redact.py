"""Redact the personal data in a text, a file or standard input; no model is needed."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from reticent.records.index import RecordsIndex
from reticent.serve.judging.open_text import OpenText
from reticent.suppressions.watched import Suppressions
from reticent.text_guard import TextGuard
from reticent_detectors.errors import InputError

app = typer.Typer(add_completion=False)
_BLOCKED = 1
"""Exit code where the policy stopped the text."""


@app.command()
def redact(
    file: Annotated[Path | None, typer.Argument(help="The text, in UTF-8. Default: standard input.")] = None,
    user: Annotated[str, typer.Option(help="What the user typed. Its values may be repeated.")] = "",
    context: Annotated[str, typer.Option(help="What the operator gave. By default its values are redacted.")] = "",
    policy: Annotated[
        str,
        typer.Option(
            help="A preset (default, sealed, clinic-rag, gateway, code), or a policy's file; "
            "'reticent config --policy' prints a template."
        ),
    ] = "default",
    records: Annotated[
        Path | None,
        typer.Option(
            help="Index of records, made by 'reticent index'. What they hold is redacted; other values pass unless the "
            "policy redacts what is unknown."
        ),
    ] = None,
    records_key_file: Annotated[
        Path | None, typer.Option(help="File of the index's key. Default: the index's name with .key.")
    ] = None,
    suppressions: Annotated[
        Path | None,
        typer.Option(
            help="Suppression store, made by 'reticent forget add': redacts what people asked to have forgotten."
        ),
    ] = None,
    suppressions_key_file: Annotated[
        Path | None, typer.Option(help="File of the store's key. Default: the store's name with .key.")
    ] = None,
) -> None:
    """Redacts the text in a file, or on standard input as it comes.

    Exit code 1: the policy blocked the text, which ends there.

    Every value is redacted that --user does not hold, unless the policy or --records say more.
    """
    if records is None and records_key_file is not None:
        raise InputError("--records-key-file goes with --records, the index that 'reticent index' wrote.")
    if suppressions is None and suppressions_key_file is not None:
        raise InputError("--suppressions-key-file goes with --suppressions, the store that 'reticent forget' wrote.")
    index = None if records is None else RecordsIndex.open(records, records_key_file)
    suppressed = None if suppressions is None else Suppressions.open(suppressions, suppressions_key_file)
    guard = TextGuard(policy, records=index, suppressions=suppressed)
    opened = guard.open(user=user, context=context)
    if file is not None:
        with file.open("rb") as raw:
            _show(opened, raw)
    else:
        if sys.stdin.isatty():
            typer.echo("Type a text, and end it with Ctrl-D.", err=True)
        _show(opened, sys.stdin.buffer)
    if opened.report.blocked:
        typer.echo("The policy blocked the text; what follows was withheld.", err=True)
        raise typer.Exit(_BLOCKED)


def _show(opened: OpenText, raw: BinaryIO) -> None:
    """Writes what may be shown of a text, a line at a time."""
    given = io.TextIOWrapper(raw, "utf-8", "surrogateescape", newline="")
    for text in _redacted(opened, given):
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    given.detach()  # whoever opened it closes it


def _redacted(opened: OpenText, given: io.TextIOBase) -> Iterator[str]:
    for line in given:
        yield from opened.feed(line)
    yield from opened.finish()
