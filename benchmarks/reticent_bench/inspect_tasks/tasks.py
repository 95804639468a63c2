"""Three audits as inspect-ai's tasks. inspect loads this module through its entry-point group `inspect_ai`.

    inspect eval reticent/extraction --model openai-api/... -T canaries=CANARIES/canaries.json

The questions are those of `reticent audit`. inspect's logs hold prompts and answers as they are.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import Sample
from inspect_ai.solver import TaskState

from reticent_bench.audits.code.attempts import Attempter
from reticent_bench.audits.code.corpus import index_folder
from reticent_bench.audits.code.feature_library import prior_library
from reticent_bench.audits.code.judge import Judge
from reticent_bench.audits.code.scenarios import scenarios
from reticent_bench.audits.code.settings import ARMS, TokenBudget
from reticent_bench.audits.code.settings import Settings as CodeSettings
from reticent_bench.audits.context import prompts, tasks
from reticent_bench.audits.context.audit import make_canaries
from reticent_bench.audits.context.questions import Attack
from reticent_bench.audits.context.settings import Settings as ContextSettings
from reticent_bench.audits.extraction.audit import NEW_TOKENS, begins_with
from reticent_bench.audits.extraction.canaries import load_canaries
from reticent_bench.audits.planning import Plan
from reticent_bench.audits.resumable_attempts import Outcome
from reticent_bench.audits.target import Sampling, Target, draw_seed
from reticent_bench.inspect_tasks.naming import as_reticent
from reticent_bench.inspect_tasks.scores import ATTACK, extraction_score, guess_score, leak_score
from reticent_bench.inspect_tasks.single_runs import SingleRuns
from reticent_bench.inspect_tasks.target import ask_in_thread
from reticent_detectors.errors import InputError


@task(name="extraction")
@as_reticent
def extraction(canaries: str, samples: int = 96, seed: int = 0) -> Task:
    """Counts sampled answers that begin with an inserted canary.

    Args:
        canaries: file of `reticent audit canaries`.
        samples: answers for each of seven kinds.
        seed: of the sampling, where the provider takes one.
    """
    drawn = sorted(load_canaries(Path(canaries)), key=lambda each: each.kind)
    kinds = {kind: list(group) for kind, group in groupby(drawn, lambda each: each.kind)}

    def ask(target: Target, state: TaskState) -> Outcome:
        group, number = kinds[state.metadata["kind"]], state.metadata["number"] + samples * (state.epoch - 1)
        how = Sampling(temperature=1.0, seed=draw_seed(seed, number))
        place = begins_with(target.generate([group[0].before], NEW_TOKENS, how)[0], group)
        inserted = place >= 0 and group[place].repetitions > 0
        return {"extracted": inserted, "not_inserted": place >= 0 and not inserted}

    dataset = [
        Sample(id=f"{kind}-{number}", input=group[0].before, metadata={"kind": kind, "number": number})
        for kind, group in kinds.items()
        for number in range(samples)
    ]
    return Task(dataset=dataset, solver=ask_in_thread(ask), scorer=extraction_score())


@task(name="context")
@as_reticent
def context(
    examples: str | None = None,
    instruction: str = "Label the last input as the examples are labelled. Answer with the label alone.",
    context_size: int = 20,
    runs: int = 40,
    calibration_runs: int = 20,
    canary: str | Sequence[str] = ("hexadecimal", "false-fact"),
    query: str | Sequence[str] = ("input-output", "if-then-explicit"),
    defence: str | Sequence[str] = ("none", "L2"),
    running_text: bool = False,
    seed: int = 0,
) -> Task:
    """Guesses whether a canary replaced an example of the prompt. Of the epochs, every second has the canary.

    Args:
        examples: JSON lines with text and label; letters of made-up customers by default.
        instruction: of the examples' task.
        context_size: examples in a prompt.
        runs: of each attack; inspect's option `--epochs` goes before it.
        calibration_runs: further questions of each attack, on which the attacker's threshold is set.
        canary: hexadecimal, false-fact, or both.
        query: input-output, if-then-explicit, if-then-not-explicit, or several.
        defence: none, L1, L2, L3, or several.
        running_text: asks in running text, for a provider of completions.
        seed: of positions, contexts and canaries.
    """
    pool = 4 * context_size
    given = (
        tasks.made_up(pool, seed) if examples is None else tasks.read_examples(Path(examples), instruction, seed=seed)
    )
    canaries: Any = _chosen("canary", canary, ("hexadecimal", "false-fact"))
    queries: Any = _chosen("query", query, ("input-output", "if-then-explicit", "if-then-not-explicit"))
    defences: Any = _chosen("defence", defence, ("none", "L1", "L2", "L3"))
    settings = ContextSettings(
        seed=seed, context_size=context_size, canaries=canaries, queries=queries, defences=defences, runs=runs,
        subsets=2, calibration_runs=calibration_runs, chat=not running_text,
    )  # fmt: skip
    made = make_canaries(given.task, settings)
    flips = {
        f"{kind}/{asked}/{level}": SingleRuns(given.task, settings, Attack(made[kind], asked), level)
        for kind in canaries
        for asked in queries
        for level in defences
    }

    def ask(target: Target, state: TaskState) -> Outcome:
        return flips[state.metadata[ATTACK]].ask(target, str(state.model), state.epoch)

    dataset = [
        Sample(
            id=name,
            input=prompts.query_text(each.attack.query, given.task, each.attack.canary),
            metadata={ATTACK: name},
        )
        for name, each in flips.items()
    ]
    return Task(dataset=dataset, solver=ask_in_thread(ask), scorer=guess_score(), epochs=Epochs(runs, "mean"))


@task(name="code")
@as_reticent
def code(
    corpus: str,
    language: str = "python",
    tests_each: int = 3,
    arm: str = "pipeline",
    running_text: bool = False,
    seed: int = 0,
) -> Task:
    """Has a model write functions and unit tests, and looks up their literals in a corpus.

    Args:
        corpus: folder of files that the model may have been trained on.
        language: python, javascript, java or go.
        tests_each: attempts for each of the 30 scenarios.
        arm: pipeline, no-library, no-second-turn, plain-function or prefix.
        running_text: asks in comments, for a provider of completions.
        seed: of hints and sampling.
    """
    known = tuple(name for name, each in ARMS.items() if each.verify)
    (name,) = _chosen("arm", [arm], known)
    (chosen,) = _chosen("language", [language], ("python", "javascript", "java", "go"))
    written_in: Any = chosen
    index = index_folder(Path(corpus), secrets.token_bytes(32))
    settings = CodeSettings(language=written_in, tests_each=tests_each, seed=seed, is_chat=not running_text)
    by_id, judge, library = {each.id: each for each in scenarios()}, Judge(), prior_library()

    def ask(target: Target, state: TaskState) -> Outcome:
        attempter = Attempter(target, "off", index, judge, library, settings, Plan().attempt)
        number = state.metadata["number"] + tests_each * (state.epoch - 1)
        return attempter.attempt(ARMS[name], by_id[state.metadata["scenario"]], number, TokenBudget(None))

    dataset = [
        Sample(
            id=f"{each.id}-{number}",
            input=each.question,
            metadata={"scenario": each.id, "number": number, "attribute": each.attribute_key},
        )
        for each in settings.asked_scenarios
        for number in range(tests_each)
    ]
    return Task(dataset=dataset, solver=ask_in_thread(ask), scorer=leak_score())


def _chosen(option: str, given: str | Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """The names of an option, which may be one text with commas."""
    names = tuple(given.split(",")) if isinstance(given, str) else tuple(given)
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise InputError(f"{option}: expected some of {', '.join(known)}, got another.")
    return names
