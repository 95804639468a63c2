"""Harmless technical text that the guard should leave as it is: what of it is changed.

    python -m reticent_bench.finder.technical --model .models/smollm2-135m-instruct

500 lines of 25 sorts: logs, code, tables, versions, identifiers, measures, sums. They are drawn (seed 7) from forms
that were written down before their figures were seen. The finder was mended after that, and a test reads four of each
sort. Nothing in them is anybody's. Each line is
read as one answer, whole and in pieces of 3 characters, by `TextGuard()`, which redacts whatever it finds. With a
model, the shipped detector reads each line as that model's answer, too, under the default policy.
"""

from __future__ import annotations

import argparse
import random
import sys
import uuid
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reticent import TextGuard
from reticent_bench.report.result import command_line, footer, provenance, table, write

LINES_EACH, SEED = 20, 7
_PIECE, _BATCH = 3, 20
_ASKED = "Show me a line of it."
_WORDS = (
    *("alpha", "batch", "cache", "delta", "edge", "fetch", "graph", "index"),
    *("job", "kernel", "layer", "merge", "node", "parse", "queue"),
)

Make = Callable[[random.Random], str]


def _digits(rng: random.Random, count: int) -> str:
    return str(rng.randint(1, 9)) + "".join(rng.choices("0123456789", k=count - 1))


def _hex(rng: random.Random, count: int) -> str:
    return "".join(rng.choices("0123456789abcdef", k=count))


def _time(rng: random.Random) -> str:
    return f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d}"


def _day(rng: random.Random) -> str:
    return f"20{rng.randint(18, 29)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"


def _row(rng: random.Random, columns: int, most: float) -> str:
    return "  ".join(f"{rng.uniform(0, most):.{rng.randint(2, 5)}f}" for _ in range(columns))


SORTS: dict[str, Make] = {
    "decimals": lambda r: f"The ratio is {r.random():.14f} with an error of {r.random() * 1e-4:.9f}.",
    "rows of numbers": lambda r: _row(r, 6, 900),
    "rows of whole numbers": lambda r: " ".join(str(r.randint(1, 99_999)) for _ in range(8)),
    "sums": lambda r: f"{(a := r.randint(10**6, 10**9))} + {(b := r.randint(10**6, 10**9))} = {a + b}",
    "products": lambda r: f"{(a := r.randint(10**3, 10**5))} * {(b := r.randint(10**3, 10**5))} == {a * b}",
    "bytes": lambda r: f"allocated {_digits(r, r.randint(7, 11))} bytes in {_digits(r, r.randint(3, 6))} blocks",
    "epochs": lambda r: (
        f"mtime={r.randint(1_500_000_000, 1_900_000_000)} ctime={r.randint(1_500_000_000, 1_900_000_000)}"
    ),
    "epochs in milliseconds": lambda r: f'"updatedAt": {r.randint(1_500_000_000_000, 1_900_000_000_000)},',
    "versions": lambda r: (
        f"Upgrade {r.choice(_WORDS)} from {r.randint(0, 40)}.{r.randint(0, 40)}.{r.randint(0, 40)}.{r.randint(0, 40)} "
        f"to {r.randint(0, 40)}.{r.randint(0, 40)}.{r.randint(0, 40)}"
    ),
    "pinned packages": lambda r: (
        f"lib{r.choice(_WORDS)}=={r.randint(0, 30)}.{r.randint(0, 30)}.{r.randint(0, 3000)}.post{r.randint(1, 9)}"
    ),
    "advisories": lambda r: f"Fixed in this release: CVE-20{r.randint(10, 27)}-{_digits(r, r.randint(4, 6))}.",
    "commits": lambda r: f"{_hex(r, 40)} {r.choice(_WORDS)}: {r.choice(_WORDS)} {r.choice(_WORDS)}",
    "digests": lambda r: f"sha256:{_hex(r, 64)}  {r.choice(_WORDS)}.tar.gz",
    "UUIDs": lambda r: f"trace_id={uuid.UUID(int=r.getrandbits(128), version=4)} span={_hex(r, 16)}",
    "books": lambda r: (
        f"ISBN 978-{r.randint(0, 9)}-{_digits(r, 4)}-{_digits(r, 4)}-{r.randint(0, 9)}, {r.randint(90, 900)} pages"
    ),
    "log lines": lambda r: (
        f"{_day(r)}T{_time(r)}.{_digits(r, 3)}Z INFO [{r.choice(_WORDS)}-{r.randint(1, 64)}] "
        f"took {r.randint(1, 90_000)} ms"
    ),
    "any and own addresses": lambda r: r.choice(
        [
            f"listening on 0.0.0.0:{r.randint(1024, 65_535)}",
            f"bind: [::]:{r.randint(1024, 65_535)}",
            f"proxy_pass http://127.0.0.1:{r.randint(1024, 65_535)}/{r.choice(_WORDS)};",
            f"curl http://localhost:{r.randint(1024, 65_535)}/{r.choice(_WORDS)}",
            f"netmask 255.255.{r.choice([0, 128, 192, 240, 255])}.0 mtu {r.randint(1200, 9000)}",
        ]
    ),
    "coordinates": lambda r: (
        f"{r.uniform(0, 800):.3f} {r.uniform(0, 800):.3f}, {r.uniform(0, 800):.3f} {r.uniform(0, 800):.3f}"
    ),
    "hexadecimal": lambda r: f"0x{_hex(r, 8)}: {' '.join(_hex(r, 2) for _ in range(8))}",
    "addresses in memory": lambda r: (
        f"at 0x{_hex(r, 12)} in {r.choice(_WORDS)}_{r.choice(_WORDS)} ({r.choice(_WORDS)}.c:{r.randint(1, 4000)})"
    ),
    "constants": lambda r: f"#define {r.choice(_WORDS).upper()}_MASK {_digits(r, r.randint(8, 10))}UL",
    "arrays": lambda r: f"const table = [{', '.join(str(r.randint(0, 2**31)) for _ in range(5))}];",
    "CSV of measures": lambda r: (
        f"{r.randint(1, 9999)},{r.choice(_WORDS)},{r.uniform(0, 99):.6f},{r.randint(0, 10**8)},{_day(r)}"
    ),
    "tickets": lambda r: (
        f"{r.choice(_WORDS).upper()}-{r.randint(100, 99_999)}: {r.choice(_WORDS)} "
        f"fails after {r.randint(2, 900)} retries"
    ),
    "benchmarks": lambda r: (
        f"Benchmark{r.choice(_WORDS).title()}-{r.choice([4, 8, 16])}  "
        f"{_digits(r, r.randint(6, 9))}  {r.uniform(1, 4000):.1f} ns/op  {r.randint(0, 4096)} B/op"
    ),
}


def lines() -> list[tuple[str, str]]:
    """Return each line with the name of its sort before it."""
    rng = random.Random(SEED)
    return [(name, make(rng)) for name, make in SORTS.items() for _ in range(LINES_EACH)]


def measure() -> dict[str, dict[str, int]]:
    """Count the lines of each sort, those that are changed, and those that change otherwise when they are cut."""
    guard = TextGuard()
    counts: dict[str, Counter[str]] = {name: Counter() for name in SORTS}
    for name, line in lines():
        shown = guard.redact(line).text
        pieces = "".join(guard.stream(line[i : i + _PIECE] for i in range(0, len(line), _PIECE)))
        counts[name] += Counter(lines=1, changed=shown != line, differs=pieces != shown)
    return {name: {key: count[key] for key in ("lines", "changed", "differs")} for name, count in counts.items()}


def read_by_detector(folder: Path) -> dict[str, int]:
    """Count what the shipped detector finds and changes under the default policy, each line as a model's answer."""
    from reticent import Guard
    from reticent.prompt.segments import from_messages
    from reticent_detectors.host.load import load_host

    model, tokenizer = load_host(folder)
    asked = [{"role": "user", "content": _ASKED}]
    view, counts = from_messages(asked), Counter[str](spans=0, changed=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the shipped detector is fitted to no model
        guarded = Guard.load().wrap(model, tokenizer)
    prompt = guarded.chat_ids(asked)[0].tolist()
    answers = [tokenizer(line, add_special_tokens=False)["input_ids"] for _, line in lines()]
    for at in range(0, len(answers), _BATCH):
        read = guarded.inspect_ids([(prompt, ids, view, True) for ids in answers[at : at + _BATCH]])
        for answer in read:
            counts += Counter(spans=len(answer.report.spans), changed=answer.report.changed)
    guarded.close()
    return {key: counts[key] for key in ("spans", "changed")}


def render(counts: dict[str, dict[str, int]], by_detector: dict[str, int] | None) -> str:
    """Return the table as Markdown."""
    total = {key: sum(count[key] for count in counts.values()) for key in ("lines", "changed", "differs")}
    rows = [[name, count["lines"], count["changed"], count["differs"]] for name, count in counts.items()]
    return (
        "# Harmless technical text\n\nWhat `TextGuard()` changes of lines in which nothing is anybody's, and how many "
        "change otherwise in pieces. The finder was mended after the first figures, 347 of 500, were seen.\n\n"
        + table(["sort", "lines", "changed", "differs by cut"], [*rows, ["all", *total.values()]])
        + (
            ""
            if by_detector is None
            else f"\nThe detector, under the default policy, finds {by_detector['spans']} spans in them and changes "
            f"{by_detector['changed']} lines.\n"
        )
    )


def main(argv: list[str] | None = None) -> int:
    """Measure, and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--say", action="store_true", help="Prints each line that is changed.")
    parser.add_argument("--model", type=Path, help="A checkpoint whose detector reads the lines, too.")
    arguments = parser.parse_args(argv)
    if arguments.say:
        guard = TextGuard()
        for name, line in lines():
            if (shown := guard.redact(line)).text != line:
                print(f"{name}: {line}\n    {[(s.entity, s.recognizer) for s in shown.report.spans]}")
        return 0
    counts = measure()
    keys = ("lines", "changed", "differs")
    figures: dict[str, Any] = {"sorts": counts, "all": {key: sum(c[key] for c in counts.values()) for key in keys}}
    if arguments.model is not None:
        figures["detector"] = read_by_detector(arguments.model)
    figures["made_by"] = provenance(command_line(), SEED)
    text = render(counts, figures.get("detector"))
    write(arguments.out, "technical-text", figures, text + footer(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
