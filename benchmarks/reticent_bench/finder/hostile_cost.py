"""What a character costs at worst: the finder in the stream machine on texts that are written to be costly.

`hostile_forms.jsonl` has one form a line: `head`, then `unit` again and again. Those of the family `ordinary` are what
models write a lot of, with `{n}` for a number that counts on. A text comes in pieces of some characters or whole.
The clock is the processor time of the process.
"""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from reticent.core.stream_machine import StreamMachine
from reticent.policy.policy import HoldLimits
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent.prompt.echo import EchoIndex
from reticent_bench.finder.find import default_finder
from reticent_bench.report.result import table
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SpanFinder
from reticent_detectors.spans import FindContext, Span

PIECES = (1, 7, 64, 0)
"""Characters that come at once; 0: all."""
LENGTHS = (300, 600)
ORDINARY_CHARS = 12_000
ORDINARY = "ordinary"
GOAL_MS, GOAL_GROWTH, GOAL_ORDINARY_SECONDS = 0.2, 2.5, 1.0
_UNBOUNDED = HoldLimits(max_tokens=1 << 30, max_seconds=1e9)
_VALUES = (
    ("Jo Day", Entity.DOCTOR),
    ("4711", Entity.PIN),
    ("jo@example.org", Entity.EMAIL_ADDRESS),
    ("+1 415 555 0134", Entity.PHONE_NUMBER),
)
Clock = Callable[[], float]


class Form(NamedTuple):
    family: str
    name: str
    head: str
    unit: str

    def text(self, chars: int) -> str:
        """Gives so many characters of the form."""
        count = chars // len(self.unit) + 1
        units = (self.unit.replace("{n}", str(100 + n)) for n in range(count))
        return (self.head + "".join(units))[:chars]


def forms() -> list[Form]:
    """All forms."""
    lines = Path(__file__).with_name("hostile_forms.jsonl").read_text("utf-8").splitlines()
    return [Form(**json.loads(line)) for line in lines]


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keeps collections of garbage out of what is measured: they go through all that the process holds."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@_uncollected()
def seconds(finder: SpanFinder, text: str, piece: int, stops: bool = False, clock: Clock = time.process_time) -> float:
    """Processor time of a text that comes in pieces; with `stops`, all found is stopped and looked for again."""
    verdict = Verdict(Origin.MEMORIZED, None, 0.9, Tier.TEXT)

    def judge(span: Span) -> Decision:
        return Decision(Action.REDACT if stops else Action.ALLOW, verdict, suppress=stops)

    machine = StreamMachine(finder, FindContext(), judge, limits=_UNBOUNDED)
    begun = clock()
    for at in range(0, len(text), piece or len(text)):
        machine.feed(text[at : at + (piece or len(text))], 0.0)
    machine.finish(0.0, True)
    taken = clock() - begun
    assert not machine.failures
    return taken


@_uncollected()
def prompt_seconds(finder: SpanFinder, text: str, clock: Clock = time.process_time) -> float:
    """Processor time of a prompt in which some values are looked up."""
    begun = clock()
    index = EchoIndex(text, "", finder)
    for value, entity in (*_VALUES, (text[:40], Entity.OTHER)):
        index.origin(value, entity)
        index.cue(value, entity)
        index.choices(value, entity)
    return clock() - begun


def costs(finder: SpanFinder, form: Form, clock: Clock = time.process_time) -> Iterator[tuple[str, float, float]]:
    """Gives, for each way in which a form comes: its name, milliseconds a character, and growth at twice the length."""
    short, long = (form.text(chars) for chars in LENGTHS)
    ways: list[tuple[str, Callable[[str], float]]] = [
        (f"pieces of {piece}" if piece else "whole", partial(seconds, finder, piece=piece, clock=clock))
        for piece in PIECES
    ]
    ways.append(("stopped", partial(seconds, finder, piece=7, stops=True, clock=clock)))
    ways.append(("prompt", partial(prompt_seconds, finder, clock=clock)))
    for name, cost in ways:
        first, second = cost(short), cost(long)
        yield name, 1000 * second / len(long), second / max(first, 1e-6)


def measure(say: Callable[[str], None] = lambda line: None, clock: Clock = time.process_time) -> dict[str, Any]:
    """Figures of all forms."""
    finder = default_finder()
    finder.warm()
    hostile: dict[str, dict[str, list[float]]] = {}
    ordinary: dict[str, dict[str, float]] = {}
    for form in forms():
        say(form.name)
        if form.family == ORDINARY:
            text = form.text(ORDINARY_CHARS)
            ordinary[form.name] = {
                "whole": seconds(finder, text, 0, clock=clock),
                "pieces of 7": seconds(finder, text, 7, clock=clock),
                "prompt": prompt_seconds(finder, text, clock),
            }
        else:
            hostile[form.name] = {way: [cost, growth] for way, cost, growth in costs(finder, form, clock)}
    return {"hostile": hostile, "ordinary": ordinary}


def render(figures: Mapping[str, Any]) -> str:
    """The report as Markdown."""
    hostile, ordinary = figures["hostile"], figures["ordinary"]
    ways, earlier = list(next(iter(hostile.values()), {})), figures.get("before", {})
    worst = sorted(hostile, key=lambda name: -max(cost for cost, _ in hostile[name].values()))
    rows: list[Sequence[Any]] = [
        [
            name,
            *(round(hostile[name][way][0], 3) for way in ways),
            round(max(growth for _, growth in hostile[name].values()), 2),
            round(earlier[name], 3) if name in earlier else None,
        ]
        for name in worst
    ]
    over = {way: sum(hostile[name][way][0] > GOAL_MS for name in hostile) for way in ways}
    return (
        "# What a character costs at worst\n\n"
        f"Milliseconds of processor time a character of {len(hostile)} hostile forms (`finder/hostile_forms.jsonl`), "
        f"{LENGTHS[1]} characters long, and how many times the cost of {LENGTHS[0]} characters that is at most. "
        f"The goals are {GOAL_MS} ms and {GOAL_GROWTH} times. `stopped`: all values found are stopped, in pieces of 7. "
        "`prompt`: the text is a prompt, in which five values are looked up. `before`: in pieces of 7, "
        "before what a character costs was bounded.\n\n"
        + table(["forms over the goal", *ways, ""], [["", *(over[way] for way in ways), ""]])
        + "\n"
        + table(["form", *ways, "growth", "before"], rows)
        + f"\n## Ordinary text\n\nSeconds for {ORDINARY_CHARS} characters; the goal is {GOAL_ORDINARY_SECONDS:g}.\n\n"
        + table(
            ["text", *next(iter(ordinary.values()), {})],
            [[name, *(round(cost, 2) for cost in by_way.values())] for name, by_way in ordinary.items()],
        )
    )
