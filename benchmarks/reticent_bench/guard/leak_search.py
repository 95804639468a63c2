"""Looks for values in all that the guard keeps or prints: log, metrics, reports, reprs, log records, error texts.

    python -m reticent_bench.guard.leak_search HOST BUNDLE --answers 10000 --out benchmarks/results

Answers are generated in batches and then given to the guard with a decision log and metrics attached. Every value of
every person (private, asked about or typed) and every value in an answer is then searched for. Long values are searched
for verbatim and as their letters and digits. Short ones (four digits, an amount, a date) would turn up by chance inside
hashes, times and probabilities. They are searched for as whole words of the texts without those.
"""

from __future__ import annotations

import argparse
import json
import logging
import re
import secrets
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry

from reticent.guard import Guard
from reticent.observability.decision_log import DecisionLog, verify
from reticent.observability.metrics import Metrics
from reticent.observability.observers import Observation
from reticent_bench.guard.bench import inspect_all
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.entities import ENTITIES
from reticent_detectors.features.cue import normalize
from reticent_detectors.host.answers import answer_all
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.prompts import Prompt, echoes, probes

_OPAQUE = re.compile(r"[0-9a-f]{12,}|\d{4}-\d\d-\d\dT[\d:.]+Z?|\b-?\d+(?:\.\d+)?(?:e-?\d+)?\b")
"""Hashes and ids, times, and plain numbers (counts, offsets, probabilities)."""
_WORDS = re.compile(r"[^\W_]+")


class _Keeper(logging.Handler):
    """Keeps every log record, arguments included."""

    def __init__(self) -> None:
        super().__init__(level=logging.DEBUG)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class _Reports:
    """An observer that keeps each observation as text."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def on_answer(self, observation: Observation) -> None:
        self.lines += [repr(observation), repr(observation.report), json.dumps(observation.report.as_dict())]


def search(texts: dict[str, str], values: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Counts the values in each text: `long` ones verbatim or by letters and digits, `short` ones as whole words."""
    found = {}
    listed = list(values)
    for name, text in texts.items():
        core = "".join(char for char in text.casefold() if char.isalnum())
        rest = _OPAQUE.sub(" ", text)
        words = set(_WORDS.findall(rest.casefold()))
        hits = {"long": 0, "short": 0}
        for entity, value in listed:
            form = normalize(value, entity)
            if ENTITIES[entity].long and len(form) >= 8:  # type: ignore[index]
                hits["long"] += value in text or form in core
            else:
                parts = _WORDS.findall(value.casefold())
                hits["short"] += value in rest or (
                    bool(parts) and any(len(p) > 3 for p in parts) and words.issuperset(parts)
                )
        found[name] = hits
    return found


def measure(host: Path, bundle: Path, answers: int) -> dict[str, Any]:
    """Runs and searches."""
    model, tokenizer = load_host(host)
    everyone = cast(recipe_of(host))
    strangers: tuple[Person, ...] = everyone.copied[: len(everyone.copied) // 2]
    prompts: list[Prompt] = [
        *probes((*everyone.test, *everyone.train), "test", 3, 5), *echoes(strangers, "test", answers, 5)
    ]  # fmt: skip
    prompts = prompts[:answers]
    keeper, reports, metrics = _Keeper(), _Reports(), Metrics(CollectorRegistry())
    root = logging.getLogger()
    root.addHandler(keeper)
    level, key = root.level, secrets.token_bytes(32)
    root.setLevel(logging.DEBUG)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "decisions.jsonl"
        guard = Guard.load(bundle, observers=[DecisionLog(log, key=key), metrics, reports]).wrap(model, tokenizer)
        spoken: list[str] = []
        reprs: list[str] = [repr(guard), repr(guard.guard), repr(guard.guard.policy)]
        for at in range(0, len(prompts), 2048):
            part = prompts[at : at + 2048]
            given = answer_all(model, tokenizer, part, temperature=1.0 if at % 4096 else 0.0, seed=at)
            judged = inspect_all(guard, part, given)
            spoken += [tokenizer.decode(a.ids, skip_special_tokens=True) for a in given]
            reprs += [repr(a) for a in judged] + [repr(p) for a in judged for p in a.mappings]
        errors = []
        for wrong in (lambda: guard.inspect([{"role": "user"}], "x"), lambda: guard.generate(None)):
            try:
                wrong()
            except Exception as error:
                errors.append(repr(error))
        checked = verify(log, key=key)
        lines = log.read_text()
    root.removeHandler(keeper)
    root.setLevel(level)
    texts = {
        "decision log": lines, "metrics": metrics.render()[0].decode(), "reports": "\n".join(reports.lines),
        "reprs": "\n".join(reprs), "log records": "\n".join(keeper.lines), "errors": "\n".join(errors),
    }  # fmt: skip
    people = (*everyone.private, *everyone.unseen, *strangers)
    values = {(str(entity), value) for person in people for entity, value in person.values.items()}
    own = set(_WORDS.findall(f"{Metrics(CollectorRegistry()).render()[0].decode()} {' '.join(ENTITIES)}".casefold()))
    values = {(e, v) for e, v in values if not own.issuperset(_WORDS.findall(v.casefold()))}  # "Doctor, hospital"
    in_answers = search({"answers": "\n".join(spoken)}, values)["answers"]
    return {
        "answers": len(prompts),
        "values searched for": len(values),
        "of them in the unguarded answers": in_answers,
        "found": search(texts, values),
        "characters searched": {name: len(text) for name, text in texts.items()},
        "decision log lines": lines.count("\n"),
        "decision log holds": checked.holds,
    }


def main() -> None:
    """Measures and writes `demo-leak-search`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host", type=Path)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    arguments = parser.parse_args()
    figures = measure(arguments.host, arguments.bundle, arguments.answers)
    figures["made_by"] = provenance(command_line(), 5)
    text = (
        "# Values in what the guard keeps\n\n"
        f"{figures['answers']} answers, {figures['values searched for']} values searched for; "
        f"of these the unguarded answers hold {figures['of them in the unguarded answers']['long']} long ones and "
        f"{figures['of them in the unguarded answers']['short']} short ones. "
        f"The decision log has {figures['decision log lines']} lines and its chain "
        f"{'holds' if figures['decision log holds'] else 'IS BROKEN'}.\n\n"
    )
    rows = [[name, figures["characters searched"][name], r["long"], r["short"]] for name, r in figures["found"].items()]
    text += table(["where", "characters", "long values found", "short values found"], rows)
    write(arguments.out, "demo-leak-search", figures, text + footer(figures))
    print(text)


if __name__ == "__main__":
    main()
