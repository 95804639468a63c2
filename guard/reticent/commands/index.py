"""Make an index of training records: keyed hashes that the guard looks values up in."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from reticent.key_files import key_file_of, read_key, write_key
from reticent.records.index import KEY_BYTES, RecordsIndex
from reticent.records.readers import RecordFile, check_columns, parse_columns
from reticent_detectors.entities import ENTITIES, GENERAL, Entity
from reticent_detectors.errors import InputError

app = typer.Typer(add_completion=False)
_ROWS_PER_STEP = 500


@app.command()
def index(
    records: Annotated[
        list[Path], typer.Argument(help="One or more files: CSV with a header, or JSON Lines (.jsonl).")
    ],
    column: Annotated[
        list[str] | None,
        typer.Option(
            help="column=ENTITY, as often as needed. Columns with usual names (email, phone, dob, ...) need none.",
            show_default=False,
        ),
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option(help="A column to leave out though its name tells what it holds, as often as needed."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="File for the index. Default: the first file's name with .index.")
    ] = None,
    key_file: Annotated[
        Path | None, typer.Option(help="File of its key, made if missing. Default: the index's name with .key.")
    ] = None,
    delimiter: Annotated[
        str | None, typer.Option(help="Delimiter of CSV. Default: the most frequent one in the header.")
    ] = None,
    skip_bad_rows: Annotated[
        bool, typer.Option("--skip-bad-rows", help="Count and skip rows that cannot be read.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an existing index.")] = False,
) -> None:
    """Hashes the values of training records, so that the guard stops them. The index holds no value in the clear."""
    out = out or records[0].with_suffix(".index")
    key_file = key_file_of(out, key_file)
    _check_paths(records, out, key_file, overwrite)
    if delimiter is not None and len(delimiter := {"tab": "\t", "\\t": "\t"}.get(delimiter, delimiter)) != 1:
        raise InputError(f"--delimiter expects one character, or 'tab', got {delimiter!r}.")
    columns = parse_columns(column or ())
    known = key_file.exists()
    key = read_key(key_file) if known else secrets.token_bytes(KEY_BYTES)
    if both := columns.keys() & set(leave_out or ()):
        raise InputError(f"{sorted(both)} are both to be indexed (--column) and left out (--leave-out).")
    mapped = set(columns)
    columns |= dict.fromkeys(leave_out or (), ())
    files = [RecordFile(path, columns, delimiter=delimiter, skip_bad_rows=skip_bad_rows) for path in records]
    if all(file.is_csv for file in files):  # before the work; the fields of JSON Lines are only known after it
        check_columns(columns, files)
        _check_kinds(files, mapped)
    read: Counter[str] = Counter()
    made = RecordsIndex.build(_values(files, read), key=key)
    check_columns(columns, files)
    _check_kinds(files, mapped)
    if not made.form_count:
        raise InputError(f"None of the {read.total()} values is long enough to be looked up; nothing was written.")
    _write(made, out, key_file, is_new=not known)
    _report(made, read, files, out, key_file)


def _check_paths(records: Sequence[Path], out: Path, key_file: Path, overwrite: bool) -> None:
    inputs = [path.resolve() for path in records]
    if len({*inputs, out.resolve(), key_file.resolve()}) < len(inputs) + 2:
        raise InputError("Records, --out and --key-file have to be different files.")
    if out.exists() and not overwrite:
        raise InputError(f"{out} exists; choose another path with --out or pass --overwrite.")


def _check_kinds(files: Sequence[RecordFile], mapped: Collection[str]) -> None:
    """Raises InputError if all columns that were taken unasked are of kinds with few possible values."""
    taken = {name: kinds for file in files for name, kinds in file.taken.items()}
    if not taken or any(
        name in mapped or ENTITIES[Entity(kind)].long for name, kinds in taken.items() for kind in kinds
    ):
        return
    columns = ", ".join(f"{name} ({', '.join(kinds)})" for name, kinds in sorted(taken.items()))
    others = ", ".join(dict.fromkeys(name for file in files for name in file.left)) or "none"
    name = min(taken)
    raise InputError(
        f"The names of columns tell only kinds that are easily guessed: {columns}. Many people have such values, so "
        f"the guard would stop what nobody's record holds. Not taken: {others}. Say what those hold, such as "
        f"--column e1=EMAIL_ADDRESS; to index these alone, --column {name}={taken[name][0]}."
    )


def _values(files: Sequence[RecordFile], read: Counter[str]) -> Iterator[tuple[str, str]]:
    """Yields all values of all files, counts them by entity in `read`, and shows a progress bar."""
    shown = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*shown, console=Console(stderr=True), transient=True) as bar:
        for file in files:
            task = bar.add_task(file.path.name, total=max(1, file.size))
            for entity, value in file.values():
                read[entity] += 1
                if file.rows % _ROWS_PER_STEP == 0:
                    bar.update(task, completed=file.bytes_read)
                yield entity, value
            bar.update(task, completed=file.size)


def _write(made: RecordsIndex, out: Path, key_file: Path, *, is_new: bool) -> None:
    """Writes the index, and a new key before it. An interrupted write leaves no key without its index."""
    out.parent.mkdir(parents=True, exist_ok=True)
    key_file.parent.mkdir(parents=True, exist_ok=True)
    if is_new:
        write_key(key_file, made.key)
    try:
        made.save(out)
    except BaseException:
        if is_new:
            key_file.unlink()
        raise


def _report(made: RecordsIndex, read: Counter[str], files: Sequence[RecordFile], out: Path, key_file: Path) -> None:
    size = out.stat().st_size
    rows, bad = sum(file.rows for file in files), sum(file.bad_rows for file in files)
    typer.echo(f"{out}: {len(made)} different values of {rows} records in {made.form_count} forms, {size} bytes")
    for entity, count in sorted(read.items()):
        columns = sorted({name for file in files for name, kinds in file.taken.items() if entity in kinds})
        notes = [f"{count} values", f"{made.counts[entity]} different"]
        if skipped := made.skipped[entity]:
            notes.append(f"{skipped} left out as too short or empty")
        if not ENTITIES[Entity(entity)].long:
            notes.append("guessable: made-up values may be hit by accident (--leave-out, or --column for another kind)")
        if Entity(entity) in GENERAL:
            notes.append(
                f"of two words or more stopped anywhere, others only where the policy says also_find: [{entity}]"
            )
        typer.echo(f"  {entity}: {', '.join(notes)}; from {', '.join(columns)}")
    left = list(dict.fromkeys(name for file in files for name in file.left))
    if left:
        typer.echo(f"  not taken: {', '.join(left)} (--column NAME=ENTITY takes one)")
    if bad:
        typer.echo(f"  {bad} rows could not be read and were skipped")
    typer.echo(
        f"Key: {key_file}. 'serve' and 'redact' look for it beside the index; whoever has both can try values out, so "
        "elsewhere keep it apart and name it (--records-key-file)."
    )
    typer.echo(f"Try it: echo TEXT | reticent redact --records {out}{_key_option(out, key_file)}")


def _key_option(out: Path, key_file: Path) -> str:
    return "" if key_file == key_file_of(out) else f" --records-key-file {key_file}"
