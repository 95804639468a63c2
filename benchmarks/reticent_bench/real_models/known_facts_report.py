"""Measures whether the guard lets facts about the world pass that a model knew before.

Prompts come from two data sets that the user has: the facts of llm-factoscope as running text, and the questions of
SQuAD as chats. Only answers with a span of any kind count. A value passes if it is judged made up, echoed or known
before. Nothing private was added to the model, so every stop is wrong, unless the policy stops the kind.

Not covered: whether an answer is true. `right` is whether the answer holds that of the data set.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reticent.policy.pretrained import PASSES
from reticent.policy.verdict import Reason
from reticent_bench.real_models.guarded_answers import SPANS, JsonRow, Question, Rows
from reticent_bench.real_models.ordinary_report import is_stopped, quoted_cell
from reticent_bench.report.metrics import wilson
from reticent_bench.report.result import table
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError

FACTS = Path("llm-factoscope/factual_qa.dev.jsonl")
SQUAD = (Path("squad-subset/train-v1.1.json"), Path("squad-subset/dev-v1.1.json"))
ALSO_FIND = (Entity.LOCATION, Entity.ORGANIZATION)
"""Kinds that may pass and that the default policy does not find."""
TRUE_KIND = {
    "city_country": Entity.LOCATION,
    "nobel_birth_country": Entity.LOCATION,
    "year_olympicscity": Entity.LOCATION,
    "company": Entity.PERSON,
    "movie_name_writer": Entity.PERSON,
}
"""Kinds of the relations' answers. A stopped value that is one of them, under another kind, was misnamed."""
_LEAST_NAME_CHARS = 3


@dataclass(frozen=True)
class Facts:
    """Questions in the order of asking, the data sets' answers by question, and kinds of values by casefolded text."""

    questions: list[Question]
    answers: dict[str, tuple[str, ...]]
    kinds: dict[str, str]


def load(data: Path, seed: int = 0) -> Facts:
    """Loads the facts from a folder with both data sets; relations take turns.

    Raises:
        InputError: a file is missing, or is not as its data set publishes it.
    """
    by_source = defaultdict[str, list[tuple[str, tuple[str, ...]]]](list)
    kinds: dict[str, str] = {}
    try:
        for line in (data / FACTS).read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if not isinstance(row["answer"], str):
                continue  # one fact of the set has no answer
            by_source[row["source"]].append((row["prompt"], (row["answer"],)))
            if row["source"] in TRUE_KIND and len(row["answer"]) >= _LEAST_NAME_CHARS:
                kinds.setdefault(row["answer"].casefold(), TRUE_KIND[row["source"]])
        for file in SQUAD:
            for article in json.loads((data / file).read_text(encoding="utf-8"))["data"]:
                for each in (each for paragraph in article["paragraphs"] for each in paragraph["qas"]):
                    by_source["squad"].append((each["question"].strip(), tuple(a["text"] for a in each["answers"])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{data} does not hold the facts ({type(error).__name__}); "
            f"expected {FACTS} and {', '.join(map(str, SQUAD))} as published."
        ) from error
    return Facts(*_by_turns(by_source, seed), kinds)


def _by_turns(
    by_source: Mapping[str, Sequence[tuple[str, tuple[str, ...]]]], seed: int
) -> tuple[list[Question], dict[str, tuple[str, ...]]]:
    """Takes one question of each source in turn, each source in random order; a prompt is asked once."""
    ordered = list[tuple[int, str, str, tuple[str, ...]]]()
    for source, facts in sorted(by_source.items()):
        prompts = list(dict(facts).items())
        random.Random(f"{source} {seed}").shuffle(prompts)
        ordered += [(place, source, prompt, answers) for place, (prompt, answers) in enumerate(prompts)]
    questions, wanted = list[Question](), dict[str, tuple[str, ...]]()
    for place, source, prompt, answers in sorted(ordered, key=lambda each: each[:2]):
        name = f"{source}/{place}"
        questions.append(Question(name, prompt, source, running=source != "squad"))
        wanted[name] = answers
    return questions, wanted


def measure(facts: Facts, rows: Rows) -> dict[str, Any]:
    """Computes the figures of finished rows. Repetitions of a stopped value are left out of the shares."""
    held = [q for q in facts.questions if q.id in rows.guarded and rows.guarded[q.id]["why"] == SPANS]
    spans = [(q, span) for q in held for span in rows.guarded[q.id]["spans"] if span["reason"] != Reason.SUPPRESSED]
    right = {q.id for q in held if _is_right(rows.plain[q.id]["text"], facts.answers[q.id])}
    may_pass = [(q, span) for q, span in spans if span["entity"] in PASSES]
    stopped = [(q, span) for q, span in spans if is_stopped(span)]
    kinds = sorted({span["entity"] for _, span in spans}, key=lambda kind: (kind not in PASSES, kind))
    return {
        "settings": rows.settings,
        "asked": len(rows.plain),
        "with spans": len(held),
        "right": len(right),
        "changed": sum(rows.guarded[q.id]["changed"] for q in held),
        "may pass": passed(span for _, span in may_pass),
        "may pass, not echoed": passed(span for _, span in may_pass if span["origin"] != "echoed"),
        "may pass, answer right": passed(span for q, span in may_pass if q.id in right),
        "kinds": {kind: passed(span for _, span in spans if span["entity"] == kind) for kind in kinds},
        "sources": {
            source: passed(s for q, s in spans if q.group == source) for source in sorted({q.group for q in held})
        },
        "misnamed": [_stop(q, span, facts.kinds) for q, span in stopped if is_misnamed(span, facts.kinds)],
        "stopped": [_stop(q, span, facts.kinds) for q, span in stopped],
        "seconds": sum(row["seconds"] for each in (rows.plain, rows.guarded) for row in each.values()),
    }


def passed(spans: Iterable[JsonRow]) -> dict[str, Any]:
    """Spans, how many passed, and their origins."""
    own = list(spans)
    count = sum(not is_stopped(span) for span in own)
    origins = Counter(span["origin"] for span in own)
    return {
        "spans": len(own),
        "passed": count,
        "share": wilson(count, len(own)),
        "origins": dict(sorted(origins.items())),
    }


def is_misnamed(span: JsonRow, kinds: Mapping[str, str]) -> bool:
    """Returns whether the data sets know a span's value under another kind."""
    known = kinds.get((span["value"] or "").strip(" .,").casefold())
    return known is not None and known != span["entity"]


def _is_right(text: str, answers: Iterable[str]) -> bool:
    return any(answer.casefold() in text.casefold() for answer in answers)


def _stop(question: Question, span: JsonRow, kinds: Mapping[str, str]) -> dict[str, Any]:
    keys = ("entity", "recognizer", "origin", "reason", "probability", "base", "cue", "value")
    known = kinds.get((span["value"] or "").strip(" .,").casefold())
    return {"prompt": question.text, "source": question.group, "true kind": known} | {key: span[key] for key in keys}


def render(figures: Mapping[str, Any]) -> str:
    """Renders the report as Markdown."""
    head = ("", "spans", "passed", "share", "origins")
    names = ("may pass", "may pass, not echoed", "may pass, answer right")
    keys = ("source", "entity", "recognizer", "origin", "probability", "base", "cue")
    stopped = [
        (*(stop[key] for key in keys), stop["true kind"], quoted_cell(stop["prompt"]), quoted_cell(stop["value"]))
        for stop in figures["stopped"]
    ]
    misnamed = Counter((stop["entity"], stop["true kind"]) for stop in figures["misnamed"])
    return "\n".join(
        [
            "# Facts that were known before\n",
            f"{figures['asked']} prompts asked greedily, {figures['settings']['max_new_tokens']} new tokens at most, "
            f"base {figures['settings']['base']}; "
            f"{figures['with spans']} answers hold a span and were given again with the guard, "
            f"{figures['changed']} of them changed. "
            f"{figures['right']} hold the data set's answer. 95 % Wilson intervals; {figures['seconds']:.0f} s in all. "
            f"Also found: {', '.join(figures['settings']['also_find'])}.\n",
            f"Kinds that may pass if they were known before: {', '.join(sorted(PASSES))}.\n",
            table(head, [_passed_row(name, figures[name]) for name in names]),
            "\n## By kind\n",
            table(head, [_passed_row(kind, own) for kind, own in figures["kinds"].items()]),
            "\n## By relation, all kinds\n",
            table(head, [_passed_row(source, own) for source, own in figures["sources"].items()]),
            "\n## Stopped under a wrong kind\n",
            "Values that the data sets know as another kind than the finder's.\n",
            table(("found as", "is", "stopped"), [(*kinds, count) for kinds, count in sorted(misnamed.items())]),
            "\n## Stopped spans\n",
            table(("relation", *keys[1:], "true kind", "prompt", "value"), stopped),
        ]
    )  # fmt: skip


def _passed_row(name: str, own: Mapping[str, Any]) -> tuple[Any, ...]:
    origins = ", ".join(f"{origin} {count}" for origin, count in own["origins"].items())
    return name, own["spans"], own["passed"], own["share"], origins
