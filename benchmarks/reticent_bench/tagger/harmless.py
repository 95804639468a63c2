"""Draw lines of technical text in which nothing is anybody's, for the tagger to learn what no value is.

They are other sorts than those of `reticent_bench.finder.technical`, which measures.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from reticent_bench.real_answers.marked import Marked

_NAMES = (
    *("acorn", "basil", "cedar", "dune", "ember", "fjord", "glint", "harbor", "inlet", "jasper"),
    *("kelp", "lumen", "meadow", "nimbus", "onyx", "pebble", "quartz", "ripple", "sable", "tundra"),
)
_UNITS = ("ms", "MB", "kB", "GiB", "s", "Hz", "km", "kg", "mm", "°C", "%", "rpm", "px", "W")
_QUESTIONS = (
    "",
    "What does the log say?",
    "Show me the output.",
    "Print an example.",
    "How large is it?",
    "Explain this line.",
)


def _number(rng: random.Random) -> str:
    shape = rng.randrange(5)
    if shape == 0:
        return str(rng.randint(0, 99))
    if shape == 1:
        return str(rng.randint(100, 9_999_999))
    if shape == 2:
        return f"{rng.uniform(0, 1000):.{rng.randint(1, 6)}f}"
    return f"{rng.randint(1_000, 9_999_999):,}" if shape == 3 else f"-{rng.random():.3f}"


def _version(rng: random.Random) -> str:
    parts = ".".join(str(rng.randint(0, 30)) for _ in range(rng.randint(2, 4)))
    return parts + rng.choice(("", "", "rc1", "-beta.2", ".post1", "+cu121", "a3"))


def _word(rng: random.Random) -> str:
    return rng.choice(_NAMES)


def _hex(rng: random.Random, count: int) -> str:
    return "".join(rng.choices("0123456789abcdef", k=count))


SORTS: tuple[Callable[[random.Random], str], ...] = (
    lambda r: f"Successfully installed {_word(r)}-{_version(r)} lib{_word(r)}-{_version(r)}",
    lambda r: f"{_word(r)}{r.choice(('==', '>=', '~=', '<', '@'))}{_version(r)}",
    lambda r: f"  File \"{_word(r)}/{_word(r)}.py\", line {r.randint(1, 2000)}, in {_word(r)}_{_word(r)}",
    lambda r: f"commit {_hex(r, 40)}\n    Fix the {_word(r)} of {_word(r)} (#{r.randint(1, 9999)})",
    lambda r: " ".join(_hex(r, 2) for _ in range(r.randint(4, 16))),
    lambda r: f"{_hex(r, 8)}: " + " ".join(_hex(r, 4) for _ in range(8)),
    lambda r: "[" + ", ".join(_number(r) for _ in range(r.randint(2, 9))) + "]",
    lambda r: f"The {r.choice(('sum', 'mean', 'result', 'total', 'size'))} is {_number(r)}.",
    lambda r: f"{_number(r)} {r.choice('+-*/')} {_number(r)} = {_number(r)}",
    lambda r: f"{_word(r).title()}: {_number(r)} {r.choice(_UNITS)}, {_word(r)}: {_number(r)} {r.choice(_UNITS)}",
    lambda r: f"{r.randint(1, 900)} passed, {r.randint(0, 9)} failed in {r.uniform(0, 90):.2f}s",
    lambda r: f"{{\"{_word(r)}\": {r.randint(0, 9999)}, \"{_word(r)}_size\": {_number(r).replace(',', '')}}}",
    lambda r: f"for {r.choice('ijk')} in range({r.randint(2, 9999)}): {_word(r)}[{r.choice('ijk')}] = {_number(r)}",
    lambda r: f"const {_word(r)} = {_number(r).replace(',', '')}; // {_word(r)} of the {_word(r)}",
    lambda r: f"Chapter {r.randint(1, 40)}, section {r.randint(1, 12)}.{r.randint(1, 9)}, page {r.randint(1, 900)}",
    lambda r: f"Listening on port {r.randint(1024, 65535)} with {r.randint(1, 64)} workers",
    lambda r: f"<td>{_number(r)}</td><td>{_word(r)}</td><td>{r.randint(0, 100)} %</td>",
    lambda r: f"v{_version(r)} ({r.choice(('March', 'October'))} {r.randint(2009, 2026)}): new {_word(r)}",
    lambda r: f"epoch {r.randint(1, 99)} step {r.randint(1, 99999)} loss {r.random():.4f} lr {r.random() * 1e-3:.2e}",
    lambda r: f"| {_word(r)} | {_number(r)} | {_number(r)} | {_version(r)} |",
    lambda r: f"sha256:{_hex(r, 64)}  {_word(r)}-{_version(r)}.tar.gz",
    lambda r: f"ERROR {r.randint(400, 599)} in {_word(r)}: retry {r.randint(1, 9)} after {r.randint(1, 90)} s",
)  # fmt: skip


def harmless(count: int, seed: int) -> list[Marked]:
    """Draw texts of one to four lines."""
    rng = random.Random(seed)
    out = list[Marked]()
    for _ in range(count):
        sort, lines = rng.choice(SORTS), rng.randint(1, 4)
        text = "\n".join((sort if rng.random() < 0.7 else rng.choice(SORTS))(rng) for _ in range(lines))
        out.append(Marked(rng.choice(_QUESTIONS), text, ()))
    return out
