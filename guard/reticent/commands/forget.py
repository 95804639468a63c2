"""Suppress a person's data in what the guarded model says, on request; nothing is erased from the model."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from reticent.key_files import key_file_of, write_key
from reticent.records.index import KEY_BYTES
from reticent.records.readers import RecordFile
from reticent.suppressions.active import SuppressionList
from reticent.suppressions.entry import Entry, EntryKind, checked_entity, checked_reference
from reticent.suppressions.receipt import check_receipt, described, receipt
from reticent.suppressions.store import SuppressionStore, key_of
from reticent_detectors.entities import ENTITIES, Entity
from reticent_detectors.errors import InputError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext

app = typer.Typer(add_completion=False)
_TABLES = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", ".json"})
_NO, _YES = 1, 0
"""Exit codes of what asks a question."""
_NO_UTF8 = "is no UTF-8; convert it first (iconv -f LATIN1 -t UTF-8, if it is Latin-1)."

Store = Annotated[Path, typer.Argument(help="File of the suppression store.")]
KeyFile = Annotated[Path | None, typer.Option(help="File of its key. Default: the store's name with .key.")]
ValueFile = Annotated[
    Path | None,
    typer.Option(
        help="File of the values, one a line, or a table (.csv, .jsonl) whose columns say the kinds, as for "
        "'reticent index'. Without it and --value-stdin the command asks for one value and shows nothing of it."
    ),
]
ValueStdin = Annotated[bool, typer.Option("--value-stdin", help="Read the values from standard input, one a line.")]
Kind = Annotated[
    str | None,
    typer.Option(help="Kind of the values, such as PHONE_NUMBER. Default: what the finder takes each for."),
]
Subject = Annotated[
    bool,
    typer.Option("--subject", help="What is read are names of people: where one is named, all personal values stop."),
]


@app.callback()
def forget() -> None:
    """Keeps a person's data out of what the guarded model says, for requests under the right to erasure.

    It is suppression at the output: the model's weights, the training data, logs and backups are not touched. Running
    guards take up every change within five seconds. Values are read from a file, standard input or a prompt, and never
    from the command line, which other processes see.
    """


@app.command()
def add(
    store: Store,
    reference: Annotated[
        str, typer.Option(help="Legal reference, one line, without the person's data: it is kept in the clear.")
    ],
    value_file: ValueFile = None,
    value_stdin: ValueStdin = False,
    subject: Subject = False,
    kind: Kind = None,
    expires: Annotated[
        str | None,
        typer.Option(help="Date (2027-01-31: at 00:00 UTC) or time from when on it holds no more. Default: never."),
    ] = None,
    key_file: KeyFile = None,
) -> None:
    """Adds values, or people with --subject. Makes the store and its key if they are missing."""
    checked_reference(reference)
    until = None if expires is None else _time_of(expires)
    values = list(_values(value_file, value_stdin, kind, subject))
    _warn_of_values(reference)
    key_path = key_file_of(store, key_file)
    if key_path.resolve() == store.resolve():
        raise InputError(f"{str(store)!r} would be the store and its key; name the store otherwise, or its key.")
    begins = not store.exists()
    is_new = begins and not key_path.exists()
    key = secrets.token_bytes(KEY_BYTES) if is_new else key_of(store, key_file)
    if is_new:
        write_key(key_path, key)
    try:
        with SuppressionStore.editing(store, key, _now()) as opened:
            known = SuppressionList(opened.entries, key, _now())
            repeated = sum(_is_suppressed(known, *each, subject) for each in values)
            chosen = EntryKind.SUBJECT if subject else EntryKind.VALUE
            added = opened.add(values, reference=reference, expires=until, kind=chosen)
    except BaseException:
        if is_new and not store.exists():
            key_path.unlink()
        raise
    for entry in added:
        typer.echo(_line(entry))
    if repeated:
        typer.echo(f"{repeated} of them were suppressed already; each now has one entry more.", err=True)
    shared = sorted({entry.entity for entry in added if not ENTITIES[Entity(entry.entity)].long})
    if shared:
        typer.echo(
            f"{', '.join(shared)}: many people share such values, and they are now stopped whoever they are said of. "
            "If that is too much, remove them and add the person's name with --subject.",
            err=True,
        )
    if is_new:
        typer.echo(f"{key_path}: the key, for guards; whoever has it and the store can try values out", err=True)
    elif begins:
        typer.echo(
            f"{key_path}: the key that was there already, perhaps of a records index of that name, is now this store's "
            "as well; keep it while either is used. --key-file with another file gives a new store a key of its own.",
            err=True,
        )


@app.command("list")
def list_entries(store: Store, key_file: KeyFile = None) -> None:
    """Lists the entries: id, what is suppressed, since when, until when, state and reference. No values."""
    for entry in _read(store, key_file).entries:
        typer.echo(_line(entry))


@app.command()
def remove(
    store: Store,
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of entries, as 'list' shows them.")] = None,
    expired: Annotated[bool, typer.Option("--expired", help="Remove all entries that have expired.")] = False,
    key_file: KeyFile = None,
) -> None:
    """Removes entries and their hashes. What they suppressed may be said again."""
    if bool(ids) == expired:
        raise InputError("Expected ids of entries, as 'reticent forget list' shows them, or --expired.")
    _check_exists(store)
    now = _now()
    with SuppressionStore.editing(store, key_of(store, key_file), now) as opened:
        chosen = ids or [entry.id for entry in opened.entries if not entry.is_active(now)]
        removed = opened.remove(chosen)
    typer.echo(f"{store}: {len(removed)} entries removed")


@app.command()
def check(
    store: Store,
    value_file: ValueFile = None,
    value_stdin: ValueStdin = False,
    subject: Subject = False,
    key_file: KeyFile = None,
) -> None:
    """Says of each value whether it is suppressed now, as whatever kind. Exit code 1: one of them is not."""
    opened, now = _read(store, key_file), _now()
    active = SuppressionList(opened.entries, opened.key, now)
    kinds = {entry.entity for entry in opened.entries if entry.kind is EntryKind.VALUE}
    if value_file is not None and value_file.suffix.casefold() in _TABLES:
        values = [value for _, value in _values(value_file, value_stdin, None, subject)]
    else:
        values = list(filter(None, _lines(value_file, value_stdin, subject)))
    found = [active.names_subject(each) if subject else any(active.holds(each, k) for k in kinds) for each in values]
    for number, is_suppressed in enumerate(found, 1):
        typer.echo(f"{number}: {'suppressed' if is_suppressed else 'not suppressed'}")
    raise typer.Exit(_YES if all(found) else _NO)


@app.command("receipt")
def make_receipt(
    store: Store,
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of entries, as 'list' shows them.")] = None,
    verify: Annotated[Path | None, typer.Option(help="Check a receipt of this store instead of making one.")] = None,
    key_file: KeyFile = None,
) -> None:
    """Prints a receipt of entries as JSON, or checks one: what is suppressed, by digest, and what that is not."""
    if bool(ids) == (verify is not None):
        raise InputError("Expected ids of entries, as 'reticent forget list' shows them, or --verify FILE.")
    opened = _read(store, key_file)
    if verify is not None:
        content = check_receipt(_text_of(verify), opened.key)
        typer.echo(f"{verify}: made with the key of {store} on {content['issued']}, and not changed since")
        return
    made = receipt([opened.entry(each) for each in ids or ()], opened.key, _now())
    typer.echo(json.dumps(made, indent=2))


@app.command()
def probe(
    store: Store,
    target: Annotated[
        str, typer.Argument(help="Folder of a checkpoint or an adapter, or address of an OpenAI-compatible server.")
    ],
    subject_file: Annotated[Path, typer.Option(help="File with the name of the person whom the values belong to.")],
    value_file: ValueFile = None,
    value_stdin: ValueStdin = False,
    kind: Kind = None,
    prompts: Annotated[
        Path | None, typer.Option(help="File of prompts, one a line, with {name} and {kind}. Default: five of ours.")
    ] = None,
    samples: Annotated[int, typer.Option(min=1, help="Answers to each prompt; the first takes the likeliest.")] = 3,
    tokens: Annotated[int, typer.Option(min=1, help="Most tokens of an answer.")] = 64,
    guarded: Annotated[
        str | None,
        typer.Option(help="Address of the same server behind the guard. Default: the store alone judges its answers."),
    ] = None,
    model: Annotated[str | None, typer.Option(help="Name to ask a server for. Default: its first.")] = None,
    api_key_variable: Annotated[str | None, typer.Option(help="Environment variable with the servers' key.")] = None,
    key_file: KeyFile = None,
) -> None:
    """Asks a model for the values, without and with the suppression, and counts how often they come out.

    No other part of the guard is at work: it shows what the store alone does. Exit code 1: a value came out with it.
    """
    from reticent.commands.suppression_probe import ask, checked_prompts, named_key

    names = _text_of(subject_file).split("\n")
    if not names[0].strip():
        raise InputError(f"{subject_file} is empty; expected the person's name in its first line.")
    asked = None if prompts is None else checked_prompts(_text_of(prompts), str(prompts))
    values = [(names[0].strip(), *each) for each in _values(value_file, value_stdin, kind, False)]
    key = key_of(store, key_file)
    found = ask(
        store, key, target, values, asked, samples=samples, tokens=tokens, guarded=guarded,
        model=model, api_key=named_key(api_key_variable),
    )  # fmt: skip
    for result in found:
        typer.echo(result.line())
    raise typer.Exit(_NO if any(result.after for result in found) else _YES)


def _read(store: Path, key_file: Path | None) -> SuppressionStore:
    _check_exists(store)
    return SuppressionStore.read(store, key_of(store, key_file), _now())


def _check_exists(store: Path) -> None:
    if not store.exists():
        raise InputError(f"There is no suppression store {str(store)!r}; make one with 'reticent forget add'.")


def _values(file: Path | None, stdin: bool, kind: str | None, subject: bool) -> Iterator[tuple[str, str]]:
    """Yield (entity, value) as they are given. Raises InputError without any value in it."""
    if subject and kind is not None:
        raise InputError("--kind goes with values; --subject reads names of people. Leave one of them out.")
    if file is not None and file.suffix.casefold() in _TABLES:
        if subject or kind is not None:
            raise InputError(
                f"{str(file)!r} is a table, whose columns say the kinds; leave --kind and --subject out, or give a "
                "file with one value a line (.txt)."
            )
        yield from RecordFile(file, {}).values()
        return
    lines = _lines(file, stdin, subject)
    finder = None if subject or kind is not None else SpanFinder()
    for number, line in enumerate(lines, 1):
        if line:
            yield (Entity.PERSON if subject else checked_entity(kind) if kind else _kind_of(line, number, finder)), line


def _lines(file: Path | None, stdin: bool, subject: bool) -> list[str]:
    """Return the lines that are given, without blanks around them. Raises InputError if there are none."""
    if file is not None and stdin:
        raise InputError("Give --value-file or --value-stdin, not both.")
    lines = [line.strip() for line in _raw_lines(file, stdin, subject)]
    if not any(lines):
        raise InputError("No value was given; expected one a line.")
    return lines


def _raw_lines(file: Path | None, stdin: bool, subject: bool) -> list[str]:
    if file is not None:
        return _text_of(file).splitlines()
    if stdin:
        try:
            return sys.stdin.read().splitlines()
        except UnicodeDecodeError:
            raise InputError(f"Standard input {_NO_UTF8}") from None
    if not sys.stdin.isatty():
        raise InputError("Say where the values are: --value-file FILE, or --value-stdin. Never on the command line.")
    return [typer.prompt("Name of the person" if subject else "Value", hide_input=True, err=True)]


def _text_of(file: Path) -> str:
    """Return the text of a file. Raises InputError, without any of it, if it is no UTF-8."""
    try:
        return file.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{str(file)!r} {_NO_UTF8}") from None


def _kind_of(value: str, number: int, finder: SpanFinder | None) -> str:
    """Return what the finder takes a value for. Raises InputError if it takes it for nothing, or only a part of it."""
    assert finder is not None
    span = finder.next_span(value, 0, context=FindContext(), closed=True).span
    if span is None or span.start > 0 or span.end < len(value):
        raise InputError(
            f"Line {number} has no form that tells its kind; say it with --kind, such as --kind PHONE_NUMBER, and add "
            "values of one kind at a time. Kinds: docs/entities.md."
        )
    return span.entity


def _is_suppressed(active: SuppressionList, entity: str, value: str, subject: bool) -> bool:
    return active.names_subject(value) if subject else active.holds(value, entity)


def _warn_of_values(reference: str) -> None:
    span = SpanFinder().next_span(reference, 0, context=FindContext(), closed=True).span
    if span is not None and span.entity != Entity.ORDER_NUMBER:  # as a case's number is
        typer.echo(
            f"warning: the reference reads as if it held a personal value ({span.entity}, characters {span.start} to "
            f"{span.end}); it is kept in the clear. If it does, remove the entry and add it with another reference.",
            err=True,
        )


def _time_of(text: str) -> datetime:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(
            f"--expires expects a date such as 2027-01-31, or a time such as 2027-01-31T18:00Z, got {text!r}."
        ) from None
    return when.astimezone(UTC) if when.tzinfo is not None else when.replace(tzinfo=UTC)


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


def _line(entry: Entry) -> str:
    shown = described(entry, _now())
    return "  ".join(shown[name] for name in ("id", "suppresses", "kind", "since", "until", "state", "reference"))
