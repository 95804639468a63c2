"""Has recheck look at every pattern of the tree, and tries its attacks on the patterns themselves.

recheck (npm, MIT) reads JavaScript (`javascript`), and takes every pattern as searched for from every place of a text
without end. Here texts have bounds: the finder sees at most 1,024 characters beyond its frontier, and reads as many to
the left. So each attack is tried in Python on the pattern as it is, with a text as long as that and one twice as long:
what takes too long there is exploitable.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import regex

from reticent_bench.redos.javascript import to_javascript
from reticent_bench.report.result import table
from reticent_detectors.errors import InputError

WINDOW_CHARS = 1024
MOST_MS = 5.0
"""Milliseconds that an attack as long as the window may take."""


def collected() -> list[dict[str, Any]]:
    """Every pattern of the tree, with its module (`re`, `regex`), flags and place."""
    done = subprocess.run([sys.executable, "-m", "reticent_bench.redos.collect"], capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def checked(folder: Path, sources: Sequence[tuple[str, str]], seconds: float) -> list[dict[str, Any]]:
    """recheck's answers to patterns in JavaScript.

    Raises:
        InputError: recheck is not installed in the folder, or it broke off.
    """
    if not (folder / "node_modules" / "recheck").is_dir():
        raise InputError(f"There is no recheck in {folder.name}; run 'make redos', which installs it.")
    script = folder / "check.mjs"
    script.write_bytes(Path(__file__).with_name("check.mjs").read_bytes())
    lines = "".join(json.dumps({"source": source, "flags": flags}) + "\n" for source, flags in sources)
    done = subprocess.run(
        ["node", script.name, str(int(seconds * 1000))],
        cwd=folder,
        input=lines.encode(),
        capture_output=True,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if len(answers) != len(sources):
        raise InputError(f"recheck answered for {len(answers)} of {len(sources)} patterns; run it again.")
    return answers


def attack(answer: Mapping[str, Any], chars: int) -> str:
    """The text of an attack, of about so many characters."""
    pumps: list[list[str]] = answer["pumps"]
    suffix: str = answer["suffix"]
    each = max(1, chars // max(1, sum(len(pump) for _, pump in pumps)))
    return "".join(prefix + pump * each for prefix, pump in pumps) + suffix


def attack_ms(row: Mapping[str, Any], answer: Mapping[str, Any], chars: int) -> float:
    """Milliseconds that a pattern takes to look for itself everywhere in an attack; `answer` may not be exponential."""
    module: Any = re if row["module"] == "re" else regex
    pattern, text = module.compile(row["pattern"], _flags(row)), attack(answer, chars)
    begun = time.process_time()
    for _ in pattern.finditer(text):
        pass
    return 1000 * (time.process_time() - begun)


def _flags(row: Mapping[str, Any]) -> int:
    kept = re.IGNORECASE | re.MULTILINE | re.DOTALL | re.VERBOSE | re.ASCII
    return int(row["flags"]) & int(kept)


def measure(folder: Path, seconds: float, say: Callable[[str], None] = lambda line: None) -> dict[str, Any]:
    """Figures of all patterns: how many are of which sort, and what each attack takes."""
    rows = collected()
    say(f"{len(rows)} patterns")
    unique = dict.fromkeys(to_javascript(row["pattern"], row["flags"]) for row in rows)
    answers = dict(zip(unique, checked(folder, list(unique), seconds), strict=True))
    count, attacks = Counter[str](), []
    for row in rows:
        answer = answers[to_javascript(row["pattern"], row["flags"])]
        count[answer["error"] or answer["complexity"] or answer["status"]] += 1
        if answer["status"] != "vulnerable":
            continue
        exponential = answer["complexity"] == "exponential"
        took = [float("inf")] * 2 if exponential else [attack_ms(row, answer, n * WINDOW_CHARS) for n in (1, 2)]
        attacks.append(
            {"place": row["place"], "complexity": answer["complexity"], "degree": answer["degree"], "ms": took}
        )
    attacks.sort(key=lambda found: -found["ms"][0])
    return {"patterns": len(rows), "sorts": dict(count.most_common()), "attacks": attacks}


def render(figures: Mapping[str, Any]) -> str:
    """The report as Markdown."""
    over = [found for found in figures["attacks"] if found["ms"][0] > MOST_MS]
    return (
        "# Patterns that may take too long\n\n"
        f"recheck 4.5.0 over the {figures['patterns']} patterns of the tree, with a bounded time for each. "
        "`polynomial`: it found a text on which searching from every place takes more than linear time.\n\n"
        + table(["answer", "patterns"], list(figures["sorts"].items()))
        + f"\n## Its attacks, tried\n\nA text of {WINDOW_CHARS} characters, as much as the finder sees at a time, and "
        f"one twice as long, in milliseconds. {len(over)} of {len(figures['attacks'])} take more than {MOST_MS:g} ms. "
        "The 40 costliest:\n\n"
        + table(
            ["place", "degree", f"{WINDOW_CHARS} characters", f"{2 * WINDOW_CHARS}"],
            [
                [found["place"], found["degree"] or found["complexity"], *(round(ms, 2) for ms in found["ms"])]
                for found in figures["attacks"][:40]
            ],
        )
    )
