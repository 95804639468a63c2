"""What the default detector would stop in the fresh answers, and whether somebody's value stands there.

    python -m reticent_bench.fresh_texts.stopped MODELS

MODELS holds the checkpoints that gave the answers, by their names of `reticent models`. Each reads its own answers
again, in one pass each, under the policy `default`, without a base and without records. The set was opened before.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from reticent import Guard
from reticent.policy.verdict import Reason
from reticent_bench.finder.score import Gold
from reticent_bench.fresh_texts.compare import FOLDER, RESULTS
from reticent_bench.fresh_texts.sets import FreshText, digests, read
from reticent_bench.real_answers.labels import KINDS, is_met, matches
from reticent_bench.report.metrics import bootstrap
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.errors import InputError

ALL, STOPPED = "all spans", "spans that the score stops"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("models", type=Path, help="folder of the checkpoints, by their names of `reticent models`")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the sets")
    parser.add_argument("--out", type=Path, default=RESULTS)
    args = parser.parse_args()
    figures = {**measure(args.models, read(args.folder, "answers")), "digests": digests(args.folder)}
    figures["made_by"] = provenance(command_line(), 0)
    write(args.out, "fresh-stopped", figures, render(figures) + footer(figures))
    print(args.out / "fresh-stopped.md")


def measure(models: Path, texts: Sequence[FreshText]) -> dict[str, Any]:
    """Figures of each model, and of all together.

    Raises:
        InputError: a checkpoint is not there.
    """
    guard, own = Guard.load(), defaultdict[str, list[FreshText]](list)
    for text in texts:
        own[text.id.partition("/")[0]].append(text)
    if missing := [name for name in own if not (models / name).is_dir()]:
        raise InputError(f"{models} has no {', '.join(missing)}; make it with 'reticent models get NAME {models}'.")
    rows = {name: _counts(guard, models / name, each) for name, each in own.items()}
    groups = {name: [text.group for text in each] for name, each in own.items()}
    rows["all"] = np.concatenate(list(rows.values()))
    groups["all"] = [group for each in groups.values() for group in each]
    return {"models": {name: _figures(rows[name], np.array(groups[name])) for name in rows}}


def _counts(guard: Guard, checkpoint: Path, texts: Sequence[FreshText]) -> Any:
    """Count in each text: values, then spans, right ones, and ones at a value of any kind, of all and of the stopped;
    [texts, 7]."""
    host = AutoModelForCausalLM.from_pretrained(checkpoint, dtype=torch.bfloat16)
    model = guard.wrap(host, AutoTokenizer.from_pretrained(checkpoint), base="none")
    rows = []
    for text in texts:
        answer = model.inspect([{"role": "user", "content": text.question}], text.text)
        spans = [each for each in answer.report.spans if each.entity in KINDS and not each.fragment]
        stopped = [s for s in spans if s.decision.action.stops and s.decision.reason is Reason.RULE]
        row = [len(text.gold)]
        for part in (spans, stopped):
            found = [Gold(str(each.entity), max(0, each.start), each.end) for each in part]
            row += [len(found), matches(text.gold, found), sum(any(is_met(g, f) for g in text.gold) for f in found)]
        rows.append(row)
    return np.array(rows, float)


def _figures(rows: Any, groups: Any) -> dict[str, Any]:
    out = dict[str, Any]()
    for name, first in ((ALL, 1), (STOPPED, 4)):
        drawn = bootstrap(partial(_precisions, rows[:, first : first + 3]), groups)
        out[name] = {
            "spans": int(rows[:, first].sum()),
            "answers": int((rows[:, first] > 0).sum()),
            "precision": list(drawn[0]),
            "precision of any kind": list(drawn[1]),
        }
    return {"answers": len(rows), "values": int(rows[:, 0].sum()), **out}


def _precisions(rows: Any, weight: Any) -> list[float]:
    found, right, met = (weight[:, None] * rows).sum(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return [right / found, met / found]


def render(figures: Mapping[str, Any]) -> str:
    """Render the page."""
    rows = [
        [model, which, each["answers"], each["values"], own["answers"], own["spans"],
         tuple(own["precision"]), tuple(own["precision of any kind"])]
        for model, each in figures["models"].items()
        for which, own in ((ALL, each[ALL]), (STOPPED, each[STOPPED]))
    ]  # fmt: skip
    return (
        "# What the score stops in fresh answers\n\n"
        "The models read their own answers again under the policy `default`, with the detector for any model, without "
        "a base and without records. *Precision*: the share of spans at which somebody's value of the same kind is "
        "marked; *of any kind*: a value of any kind. What the model made up counts as a value where it is somebody's. "
        "95 % intervals by a bootstrap over prompts. The set was opened before, and the finder changed since.\n\n"
        + table(
            ["model", "", "answers", "values", "answers with one", "spans", "precision", "precision of any kind"], rows
        )
    )


if __name__ == "__main__":
    main()
