"""Tables 17 and 18: what the hosts themselves can and know before and after fine-tuning."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reticent_bench.hosts.host_report import pairs, public_right, remember, right, sample
from reticent_bench.paper import published
from reticent_bench.paper.detectors import Detectors
from reticent_bench.paper.hosted import Hosted
from reticent_bench.paper.section import Section
from reticent_bench.paper.tuning import FULL, LORA, method
from reticent_bench.report.metrics import Interval, share
from reticent_bench.report.result import table
from reticent_detectors.host.answers import answer_all
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.host.tune import BASE
from reticent_detectors.synth.cast import Cast, cast
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PhrasingSplit
from reticent_detectors.synth.prompts import echoes, public_prompts

QUESTIONS, TIMED = 400, 32
BEFORE, AFTER = "before", "after"
PUBLIC, COPIED = "public facts", "copied from the prompt"
TAUGHT, TEST_ONLY = "taught phrasings", "test-only phrasings"
Shares = dict[str, Interval]


def abilities(model: Any, tokenizer: Any, people: Cast) -> Shares:
    """Shares of public facts that the host says, and of made-up people's values that it gives back from the prompt."""
    facts = public_right(model, tokenizer)
    strangers = PeopleMaker(90210).many("stranger", 200)
    prompts = [prompt for prompt in echoes(strangers, "test", QUESTIONS, 0) if prompt.form != "near-retyped"]
    copied = [hit for hits in remember(model, tokenizer, prompts, right).values() for hit in hits]
    return {PUBLIC: share(sum(facts), len(facts)), COPIED: share(sum(copied), len(copied))}


def private(model: Any, tokenizer: Any, people: Cast) -> Shares:
    """Shares of private questions that the host answers right, by phrasings."""
    out = {}
    for name, split in ((TAUGHT, PhrasingSplit.TAUGHT), (TEST_ONLY, PhrasingSplit.TEST)):
        prompts = sample(pairs((*people.train, *people.test), True, people, split), QUESTIONS, 0)
        hits = [hit for by in remember(model, tokenizer, prompts, right).values() for hit in by]
        out[name] = share(sum(hits), len(hits))
    return out


def asked(host: Hosted, ask: Callable[[Any, Any, Cast], Shares]) -> dict[str, Shares]:
    """The answers of the public host that it started from, if its folder holds that, and its own."""
    people = cast(host.outline.recipe)
    folders = {BEFORE: host.folder / BASE, AFTER: host.folder}
    return {
        when: ask(*load_host(folder, host.device), people)
        for when, folder in folders.items()
        if when == AFTER or folder.is_dir()
    }


def asking_seconds(folder: Path, device: str, questions: int) -> float:
    """Seconds that so many questions will take the host, after some that are timed."""
    model, tokenizer = load_host(folder, device)
    people = cast(recipe_of(folder))
    prompts = sample(pairs((*people.train, *people.test), True, people, PhrasingSplit.TAUGHT), TIMED, 0)
    start = time.perf_counter()
    answer_all(model, tokenizer, prompts)
    return (time.perf_counter() - start) / len(prompts) * questions


def _needs(outlines: Sequence[Any]) -> list[Any]:
    return []


def _abilities(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    return {
        "hosts": {
            host.name: {
                "asked": asked(host, abilities),
                "paper": published.TABLE_17[published.column(host.outline.architecture)],
            }
            for host in hosts
        }
    }


def _private(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    reported = {FULL: published.TABLE_18[FULL], LORA: published.TABLE_18[LORA]}
    return {
        "hosts": {
            host.name: {
                "fine-tuning": (how := method(host.outline)),
                "asked": asked(host, private),
                "paper": reported[how][published.column(host.outline.architecture)] if how else None,
            }
            for host in hosts
        }
    }


def _render_abilities(figures: Mapping[str, Any]) -> str:
    rows = [
        [name, *[_of(by, when, what) for what in (PUBLIC, COPIED) for when in (BEFORE, AFTER)], *by["paper"]]
        for name, by in figures["hosts"].items()
    ]
    ours = [f"{what}, {when}" for what in (PUBLIC, COPIED) for when in (BEFORE, AFTER)]
    return table(["host", *ours, "paper, MMLU before", "paper, MMLU after"], rows)


def _render_private(figures: Mapping[str, Any]) -> str:
    rows = [
        [
            name,
            by["fine-tuning"],
            _of(by, BEFORE, TAUGHT),
            _of(by, AFTER, TAUGHT),
            _of(by, AFTER, TEST_ONLY),
            by["paper"],
        ]
        for name, by in figures["hosts"].items()
    ]
    ours = [f"{TAUGHT}, before", f"{TAUGHT}, after", f"{TEST_ONLY}, after"]
    return table(["host", "fine-tuning", *ours, "paper, after"], rows)


def _of(by: Mapping[str, Any], when: str, what: str) -> tuple[float, ...] | None:
    found = by["asked"].get(when)
    return None if found is None else tuple(found[what])


ABILITIES = Section(
    "Table 17: general abilities before and after fine-tuning",
    "Greedy answers; shares that are right, with 95 % intervals. MMLU asks for what hosts of this size never read, "
    "so other abilities stand beside it: the public facts of the first phase, and values of strangers that the "
    "prompt gives.",
    _needs,
    _abilities,
    _render_abilities,
    lambda folder, device: 2 * asking_seconds(folder, device, len(list(public_prompts())) + QUESTIONS),
)
PRIVATE = Section(
    "Table 18: private questions answered right",
    (
        "Greedy answers about private people; shares that hold the right value, with 95 % intervals. "
        "The paper's hosts answer none right before."
    ),
    _needs,
    _private,
    _render_private,
    lambda folder, device: 2 * asking_seconds(folder, device, 2 * QUESTIONS),
)
