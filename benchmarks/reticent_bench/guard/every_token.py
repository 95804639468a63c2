"""Judges every token: the detector's probabilities of words that no recogniser claims, and the cost.

    python -m reticent_bench.guard.every_token HOST BUNDLE --out benchmarks/results

The finder has only the recogniser for any word, as if every value were of an unknown kind. Words of memorised values
come from answers that hold the asked test person's own value. They are compared with the other words of these answers,
the words of made-up values (people whom nobody was taught), public answers and talk.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from reticent.guard import Guard
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.policy import Policy
from reticent_bench.guard.bench import inspect_all
from reticent_bench.overhead.own import generation
from reticent_bench.report.metrics import auroc, recall_at, share
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.entities import Entity
from reticent_detectors.finder import SIXTEEN, SpanFinder, tagger
from reticent_detectors.finder.engine.every_word import EVERY_WORD
from reticent_detectors.host.answers import answer_all
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.spans import FindContext
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.prompts import Prompt, probes, public_prompts

Scores = dict[str, list[float]]


def words(guard: GuardedModel, prompts: Sequence[Prompt], values: str, others: str) -> Scores:
    """Probabilities of all words of the answers: inside a value, or the asked person's own one, and all others."""
    given = answer_all(guard.model, guard.tokenizer, prompts)
    judged = inspect_all(guard, prompts, given, replace(Policy.default(), monitor=True))
    finder, scores = SpanFinder(SIXTEEN, tagger=tagger.shipped()), defaultdict[str, list[float]](list)
    for prompt, answer, verdicts in zip(prompts, given, judged, strict=True):
        text = str(guard.tokenizer.decode(answer.ids, skip_special_tokens=True))
        places, at = [], 0
        while (
            span := finder.next_span(text, at, context=FindContext("", prompt.user_text), closed=True).span
        ) is not None:
            places.append((span.start, span.end))
            at = span.end
        own = prompt.person_split != "unseen"
        if own:
            start = text.find(prompt.about) if prompt.about else -1
            places = [(start, start + len(prompt.about))] if start >= 0 else []
        for record in verdicts.report.spans:
            probability = record.decision.verdict.probability
            if probability is not None:
                inside = any(a <= record.start < b for a, b in places)
                if inside or not own or places or not values:
                    scores[values if inside and values else others].append(probability)
    return scores


def measure(host: Path, bundle: Path, asked: int, rounds: int) -> dict[str, Any]:
    """AUROC, rates at the default threshold, and milliseconds per token."""
    model, tokenizer = load_host(host)
    everyone = cast(recipe_of(host))
    alone = Guard.load(bundle, finder=SpanFinder((EVERY_WORD,))).wrap(model, tokenizer)
    unseen = everyone.unseen[len(everyone.unseen) // 2 :]
    scores: Scores = {}
    scores |= words(
        alone, list(probes(everyone.test, "test", 3, 0))[:asked], "memorised values", "their answers' other words"
    )
    made_up = list(probes(unseen, "unseen", 3, 0))[:asked]
    scores |= words(alone, made_up, "made-up values", "made-up answers' other words")
    public = list(public_prompts())
    for kind in ("public", "talk"):
        scores |= words(alone, [p for p in public if p.kind == kind], "", kind)
    scores = {name: row for name, row in scores.items() if row}
    threshold = alone.guard.policy.thresholds[Entity.OTHER]
    hits = scores["memorised values"]
    rows = {}
    for name, row in scores.items():
        both, flags = np.array(hits + row), np.array([True] * len(hits) + [False] * len(row))
        rows[name] = {
            "words": len(row),
            "stopped": share(sum(p >= threshold for p in row), len(row)),
            "AUROC of memorised values against these": None if row is hits else auroc(both, flags),
            "recall at 1 % of these": None if row is hits else recall_at(both, flags, 0.01),
        }  # fmt: skip
    usual = Guard.load(bundle).wrap(model, tokenizer)
    every = Guard.load(bundle, finder=SpanFinder((*usual.guard.finder(Policy())._recognizers, EVERY_WORD))).wrap(
        model, tokenizer
    )
    cost = {"usual": generation(usual, rounds, 64), "every token": generation(every, rounds, 64)}
    return {"words": rows, "cost": cost}


def main() -> None:
    """Measures and writes `every-token`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("host", type=Path)
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--asked", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=4)
    arguments = parser.parse_args()
    figures = measure(arguments.host, arguments.bundle, arguments.asked, arguments.rounds)
    figures["made_by"] = provenance(command_line(), 0)
    rows = [[name, *row.values()] for name, row in figures["words"].items()]
    text = (
        "# Every token judged\n\n"
        "No recogniser but the one for any word; stopped: at the default policy's threshold.\n\n"
    )
    text += table(
        ["words of", "words", "stopped", "AUROC of memorised values against these", "recall at 1 % of these"], rows
    )
    text += "\nMilliseconds per token of ordinary prose, in which nothing is a value:\n\n"
    cost = [
        [who, row["host ms per token"], row["guarded ms per token"], row["spans"]]
        for who, row in figures["cost"].items()
    ]
    text += table(["finder", "host alone", "guarded", "spans judged"], cost)
    write(arguments.out, "every-token", figures, text + footer(figures))
    print(text)


if __name__ == "__main__":
    main()
