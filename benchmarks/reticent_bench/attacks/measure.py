"""Runs the attempts against the guard, and counts those whose whole value gets out.

Every answer is guarded whole and in pieces of one and of seven characters. A value that gets out in any of the three
counts; texts that differ are counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from reticent import Policy, TextGuard
from reticent.records import RecordsIndex
from reticent_bench.attacks.attempt import Attempt, Kind
from reticent_bench.attacks.kinds import KINDS
from reticent_bench.attacks.readings import shows
from reticent_bench.attacks.values import FORMATTED, VALUES

BEHIND = " That is all, as far as anybody knows."
"""What stands behind every attempt, so that its value is not one that the end of the answer cut short."""
GUARDS = {
    "records": "policy `default` with an index of the values",
    "unknown": "`unknown: redact`, without records",
    "both": "`unknown: redact` with an index of the values",
    "gateway": "the preset `gateway` with an index of the values",
}


def guards() -> dict[str, TextGuard]:
    """Opens the guards that `GUARDS` describes."""
    index = RecordsIndex.build([(value.entity, value.written) for value in (*VALUES.values(), *FORMATTED.values())])
    return {
        "records": TextGuard(records=index),
        "unknown": TextGuard(),
        "both": TextGuard(Policy.default().for_texts(recorded=False), records=index),
        "gateway": TextGuard("gateway", records=index),
    }


def _let_out(guard: TextGuard, text: str) -> Iterator[str]:
    yield guard.redact(text).text
    for size in (1, 7):
        yield "".join(guard.stream(text[at : at + size] for at in range(0, len(text), size)))


def _row(kind: Kind, attempts: Sequence[Attempt], opened: dict[str, TextGuard]) -> dict[str, Any]:
    out, differ, example = Counter[str](), Counter[str](), ""
    for value, text, read in attempts:
        text += BEHIND
        for name, guard in opened.items():
            texts = list(_let_out(guard, text))
            differ[name] += len(set(texts)) > 1
            if any(shows(value, each, read) for each in texts):
                out[name] += 1
                short = text.removesuffix(BEHIND)
                example = min(filter(None, (example, short)), key=len) if name == "records" else example
    return {
        "kind": kind.name,
        "tries": kind.tries,
        "attempts": len(attempts),
        "out": {name: out[name] for name in opened},
        "differ": sum(differ.values()),
        "shortest": example,
    }


def measure(most: int | None, say: Callable[[str], None], kinds: Sequence[Kind] = KINDS) -> dict[str, Any]:
    """Runs the attempts of kinds.

    Args:
        most: attempts of each kind, evenly spaced; None for all.
        say: is told of each kind that is done.
        kinds: all if not given.
    """
    opened, rows = guards(), []
    for kind in kinds:
        readable = [each for each in kind.attempts() if shows(each.value, each.text, each.read)]
        step = 1 if most is None else -(-len(readable) // most)
        rows.append(_row(kind, readable[::step], opened))
        say(f"{kind.name}: {rows[-1]['attempts']} attempts, out {rows[-1]['out']}")
    return {"all": _total(rows), "kinds": rows}


def _total(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    return {
        "kind": "all",
        "tries": "",
        "attempts": sum(row["attempts"] for row in rows),
        "out": {name: sum(row["out"][name] for row in rows) for name in GUARDS},
        "differ": sum(row["differ"] for row in rows),
    }


def render(figures: dict[str, Any]) -> str:
    """Renders the table."""
    rows = figures["kinds"]
    lines = [
        "# Attempts to write a recorded value past the guard",
        "",
        "All values are invented. A value is out if a reader sees all of it, without computing. The guard was mended "
        "after its first figures were seen. Values out under:",
        "",
        *(f"- {name}: {what}" for name, what in GUARDS.items()),
        "",
        f"| kind | what it tries | attempts | {' | '.join(GUARDS)} | texts that differ by cut |",
        "| --- " * (4 + len(GUARDS)) + "|",
    ]
    for row in (*rows, figures["all"]):
        cells = [row["kind"], row["tries"], row["attempts"], *(row["out"][name] for name in GUARDS), row["differ"]]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join([*lines, ""])
