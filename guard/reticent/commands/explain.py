"""Say what was decided about a span, and why, from the decision log."""

from __future__ import annotations

import json as json_
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from reticent.observability.decision_log import Verification, read_key, verify
from reticent.observability.decision_sentences import sentences
from reticent.policy.verdict import Action
from reticent_detectors.errors import InputError

app = typer.Typer(add_completion=False)
_COLOURS = {Action.ALLOW: "green", Action.FLAG: "yellow", Action.REDACT: "red", Action.BLOCK: "red"}


class _Entry(NamedTuple):
    """Holds a line of the log that was asked for, and whether it fits its hash."""

    number: int
    fields: Mapping[str, Any]
    intact: bool


@app.command()
def explain(
    decision: Annotated[
        str | None, typer.Argument(metavar="ID", help="ID of a decision, or of a request for all of its decisions.")
    ] = None,
    log: Annotated[Path, typer.Option(help="The decision log.", envvar="RETICENT_DECISION_LOG")] = Path(
        "decisions.jsonl"
    ),
    key_file: Annotated[
        Path | None,
        typer.Option(help="The log's key, as hexadecimal digits in a file.", envvar="RETICENT_DECISION_KEY_FILE"),
    ] = None,
    check: Annotated[bool, typer.Option("--verify", help="Check the whole log; exit code 1 if it is broken.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object, for machines.")] = False,
) -> None:
    """Explains a decision by its ID. The whole log is checked on the way; exit code 1 if its chain is broken."""
    if decision is None and not check:
        raise InputError("Expected the ID of a decision or of a request, or --verify.")
    if decision == "":
        raise InputError("The ID is empty; expected that of a decision or of a request.")
    if decision is not None and _is_file(decision):
        raise InputError(f"{decision!r} is the name of a file and no ID. Give the log's with --log {decision}.")
    entries: list[_Entry] = []

    def visit(number: int, fields: Mapping[str, Any], intact: bool) -> None:
        if fields.get("kind") == "decision" and decision in (fields.get("id"), fields.get("request")):
            entries.append(_Entry(number, fields, intact))

    chain = verify(log, None if key_file is None else read_key(key_file), visit if decision is not None else None)
    if decision is not None and not entries:
        raise InputError(
            f"{log} has no decision or request with this ID; an answer in which nothing was found leaves none. "
            f"{chain.message}"
        )
    if json:
        typer.echo(json_.dumps({"decisions": [_entry_as_json(entry) for entry in entries], "chain": _chain(chain)}))
    else:
        console = Console()
        for entry in entries:
            console.print(_panel(entry))
        console.print(Text(chain.message, "green" if chain.holds else "bold red"))
        if key_file is None and not chain.holds:
            console.print(
                "No --key-file was given: if the log is written with a key, give that before you believe this."
            )
    if not chain.holds:
        raise typer.Exit(1)


def _is_file(decision: str) -> bool:
    """Says whether an argument looks like a file's name rather than an ID."""
    return len(Path(decision).parts) > 1 or Path(decision).suffix != "" or Path(decision).exists()


def _panel(entry: _Entry) -> Panel:
    fields = entry.fields
    facts = Table.grid(padding=(0, 2))
    for name in ("request", "choice", "route", "time", "policy", "bundle"):
        value = str(fields.get(name, ""))
        facts.add_row(Text(name, "dim"), Text(value or "not known"))
    facts.add_row(Text("line", "dim"), Text(str(entry.number)))
    parts: list[Text | Table] = []
    try:
        parts += [Text(sentence) for sentence in sentences(fields)]
    except InputError as error:
        parts.append(Text(str(error), "bold red"))
    if not entry.intact:
        parts.insert(0, Text("This line does not fit its hash: it was edited, or made with another key.", "bold red"))
    action = fields.get("action")
    colour = _COLOURS[Action(action)] if entry.intact and action in list(Action) else "red"
    title = Text(f"{fields.get('entity')} {fields.get('id')}", "bold")
    return Panel(Group(*parts, Text(), facts), title=title, title_align="left", border_style=colour)


def _entry_as_json(entry: _Entry) -> dict[str, Any]:
    lines = sentences(entry.fields) if entry.intact else []
    return {"line": entry.number, "intact": entry.intact, "says": lines, **entry.fields}


def _chain(chain: Verification) -> dict[str, Any]:
    return {
        "holds": chain.holds,
        "lines": chain.lines,
        "recovered": chain.recovered,
        "problem": None if chain.problem is None else str(chain.problem),
        "line": chain.line,
        "end_checked": chain.end_checked,
        "unfinished_bytes": chain.unfinished_bytes,
        "message": chain.message,
    }
