"""List and count what was stopped or flagged, from decision logs, by kind and time; also as OCSF events."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterator
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from reticent.observability.decision_lines import DecisionLine, logs_in_order, read_decisions
from reticent.observability.incident_query import INCIDENTS, Counts, Query, happened, time_of
from reticent.observability.ocsf import data_security_finding
from reticent.policy.verdict import Action, Origin
from reticent_detectors.errors import InputError

app = typer.Typer(add_completion=False)
_MOST_NUMBERS = 20
"""Most numbers of lines of one log that are named."""


class Format(StrEnum):
    """Says how incidents are written."""

    TABLE = "table"
    JSONL = "jsonl"
    OCSF = "ocsf"


class _BadLines:
    """Counts the lines of one log that cannot be read, and keeps the first numbers."""

    def __init__(self) -> None:
        self._count = 0
        self._numbers: list[int] = []

    def __str__(self) -> str:
        more = self._count - len(self._numbers)
        shown = ", ".join(map(str, self._numbers)) + (f" and {more} more" if more else "")
        what = "1 line is no decision" if self._count == 1 else f"{self._count} lines are no decisions"
        return f"{what} that this version can read: {shown}"

    def add(self, number: int) -> None:
        """Counts a line."""
        self._count += 1
        if len(self._numbers) < _MOST_NUMBERS:
            self._numbers.append(number)


@app.command()
def incidents(
    logs: Annotated[
        list[str],
        typer.Argument(
            metavar="LOG...",
            help="Decision logs, also rotated, by gzip, and pipes: decisions.jsonl*; '-': standard input.",
        ),
    ],
    kind: Annotated[list[str] | None, typer.Option(help="Only this kind (PHONE_NUMBER); may be repeated.")] = None,
    origin: Annotated[list[Origin] | None, typer.Option(help="Only this origin; may be repeated.")] = None,
    action: Annotated[
        list[Action] | None,
        typer.Option(
            help="Only what the policy asked for; may be repeated. Default: flag, redact and block. "
            "What 'monitor: true' let pass counts as what would have happened."
        ),
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="From this time on: 2026-03-01, 2026-03-01T12:30 (UTC), or 24h, 7d ago.")
    ] = None,
    until: Annotated[str | None, typer.Option(help="Until before this time, written as for --since.")] = None,
    form: Annotated[
        Format,
        typer.Option(
            "--format", help="table: counts, and the last ones; jsonl: the log's fields; ocsf: events of OCSF 1.8.0."
        ),
    ] = Format.TABLE,
    last: Annotated[int, typer.Option(min=0, help="With --format table: how many are listed.")] = 20,
) -> None:
    """Lists and counts incidents. Lines that cannot be read are named by number on standard error; exit code 1 then.

    The chain is not checked: 'reticent explain --verify' does that.
    """
    now = datetime.now(UTC)
    query = Query(
        frozenset(map(str.upper, kind or ())),
        frozenset(origin or ()),
        frozenset(action) if action else INCIDENTS,
        None if since is None else time_of(since, now),
        None if until is None else time_of(until, now),
    )
    if query.since is not None and query.until is not None and query.since >= query.until:
        raise InputError("--since is not before --until, so nothing can be between them.")
    bad: dict[str, _BadLines] = {}
    counts, read = Counts(deque(maxlen=last)), Counter[str]()
    for line in _decisions(logs, bad):
        read[line.entity] += 1
        if not query.takes(line):
            continue
        if form is Format.TABLE:
            counts.add(line)
        else:
            fields = line.model_dump(mode="json") if form is Format.JSONL else data_security_finding(line)
            print(json.dumps(fields), flush=True)  # a log may be a pipe that goes on
    if form is Format.TABLE:
        _show(counts, read, bool(query.kinds))
    for name, lines in bad.items():
        typer.echo(f"{name}: {lines}", err=True)
    if bad:
        raise typer.Exit(1)


def _decisions(names: list[str], bad: dict[str, _BadLines]) -> Iterator[DecisionLine]:
    """Yields all decisions. Notes the numbers of lines that cannot be read."""
    for name, log in logs_in_order(names):
        for number, line in read_decisions(log):
            if line is None:
                bad.setdefault(name, _BadLines()).add(number)
            else:
                yield line


def _show(counts: Counts, read: Counter[str], by_kind: bool) -> None:
    """Shows the counts, or that there is nothing; which kinds were read as well, where some were asked for."""
    console, among = Console(), _number(read.total(), "decision")
    if counts.first_time is None or counts.last_time is None:
        console.print(f"No incidents among {among}.", highlight=False)
        if by_kind and read:
            console.print(f"Kinds in the log: {', '.join(sorted(read))}.", highlight=False)
        return
    first, latest = (f"{time:%Y-%m-%d %H:%M}" for time in (counts.first_time, counts.last_time))
    found = _number(counts.by_kind.total(), "incident")
    console.print(f"{found} among {among}, {first} to {latest} (UTC).", highlight=False)
    console.print(_by_kind(counts), _by_time(counts))
    if counts.last:
        console.print(_listed(counts))


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def _by_kind(counts: Counts) -> Table:
    names = sorted({what for _, _, what in counts.by_kind})
    table = Table("kind", "origin", *names, "all", title="By kind", title_justify="left")
    for kind, origin in sorted({(kind, origin) for kind, origin, _ in counts.by_kind}):
        row = [counts.by_kind[kind, origin, name] for name in names]
        table.add_row(kind, origin, *(str(each or "") for each in row), str(sum(row)))
    return table


def _by_time(counts: Counts) -> Table:
    table = Table("time (UTC)", "all", "kinds", title="By time", title_justify="left")
    for time, kinds in counts.by_time.items():
        said = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
        table.add_row(time, str(kinds.total()), said)
    return table


def _listed(counts: Counts) -> Table:
    title = f"The last {len(counts.last)}; 'reticent explain ID' says why"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2, 0, 0))  # fits 80 columns
    for head in ("time (UTC)", "kind", "origin", "action", "ID"):
        table.add_column(head, no_wrap=True)
    for line in counts.last:
        table.add_row(f"{line.time:%Y-%m-%d %H:%M:%S}", line.entity, str(line.origin), happened(line), line.id)
    return table
