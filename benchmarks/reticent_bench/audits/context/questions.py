"""Asks a target the questions of the audit and keeps figures of its answers, each under a key of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from reticent_bench.audits.blocks import KeyedAsk, in_blocks
from reticent_bench.audits.context import canary_runs, outcomes, prompts
from reticent_bench.audits.context.canaries import Canary
from reticent_bench.audits.context.canary_runs import Run
from reticent_bench.audits.context.prompts import Instruction, Query, QueryKind
from reticent_bench.audits.context.settings import Settings
from reticent_bench.audits.context.task import Example, Task
from reticent_bench.audits.resumable_attempts import Attempt, Outcome
from reticent_bench.audits.target import GREEDY, Prompt, Sampling, Target, draw_seed, scores_behind

_VERDICT_TOKENS = 4


@dataclass(frozen=True, slots=True)
class Column:
    """A target under a name for keys and tables, such as `off` and `on`, and who judges its answers under L3."""

    name: str
    target: Target
    judge: Target


@dataclass(frozen=True, slots=True)
class Attack:
    """A canary and the query that asks for it: a fixed one by its kind, or any wording."""

    canary: Canary
    query: QueryKind | Query

    @property
    def query_name(self) -> str:
        """The query's, for tables."""
        return self.query.name if isinstance(self.query, Query) else self.query

    @property
    def name(self) -> str:
        """For keys."""
        return f"{self.canary.kind}/{self.query_name}"


@dataclass(slots=True)
class Questions:
    """Questions to one column about one task. A key that was asked before is not asked again.

    Each question is available as a task, for `ask_all`, or as its outcome. Independent tasks are asked in blocks, and
    their outcomes are kept.
    """

    column: Column
    task: Task
    settings: Settings
    attempt: Attempt = field(repr=False)
    _known: dict[str, Outcome] = field(default_factory=dict, repr=False)

    def whole(self, attack: Attack, run: Run, instruction: Instruction) -> Outcome:
        """The answer to the attack with all examples of a context in the prompt.

        `label` and `match` as `outcomes.figures`; `log_probs` of the labels, where the target scores text; `blocked`
        where L3 is among the defences: whether its judge stops the answer to an undefended prompt.
        """
        return self.kept(*self.whole_task(attack, run, instruction))

    def whole_task(self, attack: Attack, run: Run, instruction: Instruction) -> KeyedAsk:
        """The task of `whole`."""
        position = run.position if run.present else None
        key = f"{attack.name}/{instruction.lower()}/context-{run.context}/canary-{_place(position)}"
        return key, lambda: self._ask_whole(attack, run.context, position, instruction)

    def subset(self, attack: Attack, context: int, subset: int, position: int | None) -> Outcome:
        """The answer to the attack with one subset's examples: those at `subset`, `subset` + m, ... of the context.

        `position` is the example that the canary replaces, as counted in the whole context. A classification gives
        `label`; generation gives `embedding` and `keywords`.
        """
        return self.kept(*self.subset_task(attack, context, subset, position))

    def subset_task(self, attack: Attack, context: int, subset: int, position: int | None) -> KeyedAsk:
        """The task of `subset`."""
        m = self.settings.subsets
        key = f"{attack.name}/context-{context}/subset-{subset}of{m}/canary-{_place(position)}"
        examples = canary_runs.with_canary(self._context(context), attack.canary, position)[subset::m]
        query = prompts.query_text(attack.query, self.task, attack.canary)
        return key, lambda: self._ask_subset(examples, query, self.keywords(attack))

    def candidate(self, attack: Attack, number: int) -> Outcome:
        """A public answer to the attack: the target's own without any example, drawn at temperature 1. `embedding`."""
        return self.kept(*self.candidate_task(attack, number))

    def candidate_task(self, attack: Attack, number: int) -> KeyedAsk:
        """The task of `candidate`."""
        query = prompts.query_text(attack.query, self.task, attack.canary)
        return f"{attack.name}/candidate-{number}", lambda: self._ask_candidate(query, number, None)

    def useful_whole(self, item: int) -> Outcome:
        """The answer to a held-out example from a whole context: `label`, or `rouge` for generation."""
        return self.kept(*self.useful_whole_task(item))

    def useful_whole_task(self, item: int) -> KeyedAsk:
        """The task of `useful_whole`."""
        return f"useful/item-{item}/whole", lambda: self._ask_useful(item, self._context(item))

    def useful_subset(self, item: int, subset: int) -> Outcome:
        """The answer to a held-out example from one subset of a context: `label`, or `embedding` and `rouge`."""
        return self.kept(*self.useful_subset_task(item, subset))

    def useful_subset_task(self, item: int, subset: int) -> KeyedAsk:
        """The task of `useful_subset`."""
        m = self.settings.subsets
        key = f"useful/item-{item}/subset-{subset}of{m}"
        return key, lambda: self._ask_useful(item, self._context(item)[subset::m])

    def useful_candidate(self, item: int, number: int) -> Outcome:
        """A public answer to a held-out example, drawn without examples: `embedding` and `rouge`."""
        return self.kept(*self.useful_candidate_task(item, number))

    def useful_candidate_task(self, item: int, number: int) -> KeyedAsk:
        """The task of `useful_candidate`."""
        held_out = self.task.held_out[item]
        key = f"useful/item-{item}/candidate-{number}"
        return key, lambda: self._ask_candidate(_useful_query(held_out), number, held_out.label)

    def keywords(self, attack: Attack) -> tuple[str, ...]:
        """The public keywords: the settings', else the words of the canary and the word for its absence."""
        if self.settings.keywords:
            return self.settings.keywords
        secret = prompts.secret_text(attack.query, attack.canary)
        return tuple(dict.fromkeys([*outcomes.words(secret), prompts.ABSENT]))

    def kept(self, key: str, ask: Callable[[], Outcome]) -> Outcome:
        """The outcome under this key of the column and task; asks if there is none yet."""
        if key not in self._known:
            self._known[key] = self.attempt(f"{self._prefix}/{key}", ask)
        return self._known[key]

    def ask_all(self, tasks: Sequence[KeyedAsk]) -> None:
        """Asks tasks that do not depend on one another in blocks, where they were not asked before."""
        left = {key: ask for key, ask in tasks if key not in self._known}
        asked = [(f"{self._prefix}/{key}", ask) for key, ask in left.items()]
        self._known |= zip(left, in_blocks(self.attempt, asked), strict=True)

    @property
    def _prefix(self) -> str:
        settings = self.settings
        return f"context/{self.column.name}/{self.task.name}/seed-{settings.seed}/size-{settings.context_size}"

    def _context(self, number: int) -> tuple[Example, ...]:
        return canary_runs.context(self.task, number, self.settings.context_size, self.settings.seed)

    def _prompt(self, examples: Sequence[Example], query: str, instruction: Instruction = "none") -> Prompt:
        return prompts.prompt(prompts.context_text(self.task, examples, instruction), query, self.settings.chat)

    def _answer(self, prompt: Prompt, sampling: Sampling = GREEDY) -> str:
        most = self.settings.max_new_tokens[0 if self.task.labels else 1]
        return self.column.target.generate([prompt], most, sampling)[0]

    def _log_probs(self, prompt: Prompt) -> list[float]:
        """Log-probability of each label as the answer, in nats, summed over its tokens [labels]."""
        lead = "" if self.settings.chat else " "
        scored = self.column.target.scores([(prompt, lead + label) for label in self.task.labels])
        return outcomes.finite([float(scores.log_probs.sum()) for scores in scored])

    def _ask_whole(self, attack: Attack, context: int, position: int | None, instruction: Instruction) -> Outcome:
        examples = canary_runs.with_canary(self._context(context), attack.canary, position)
        prompt = self._prompt(examples, prompts.query_text(attack.query, self.task, attack.canary), instruction)
        answer = self._answer(prompt)
        kept = outcomes.figures(answer, prompts.secret_text(attack.query, attack.canary), self.task.labels)
        if self.task.labels and scores_behind(self.column.target, self.settings.chat):
            kept["log_probs"] = self._log_probs(prompt)
        if instruction == "none" and "L3" in self.settings.defences:
            asked = prompts.judge_text(prompts.context_text(self.task, examples), answer)
            verdict = self.column.judge.generate([prompts.prompt("", asked, self.settings.chat)], _VERDICT_TOKENS)[0]
            kept["blocked"] = prompts.is_attack(verdict)
        return kept

    def _ask_subset(self, examples: Sequence[Example], query: str, keywords: Sequence[str]) -> Outcome:
        prompt = self._prompt(examples, query)
        if self.task.labels and self.settings.votes == "likelihood":
            return {"label": int(np.argmax(self._log_probs(prompt)))}
        answer = self._answer(prompt)
        if self.task.labels:
            return {"label": outcomes.figures(answer, "", self.task.labels)["label"]}
        return {"embedding": self._embedded(answer), "keywords": outcomes.keyword_counts(answer, keywords)}

    def _ask_useful(self, item: int, examples: Sequence[Example]) -> Outcome:
        held_out = self.task.held_out[item]
        if self.task.labels:
            return self._ask_subset(examples, _useful_query(held_out), ())
        answer = self._answer(self._prompt(examples, _useful_query(held_out)))
        return {"embedding": self._embedded(answer), "rouge": outcomes.rouge_1(answer, held_out.label)}

    def _ask_candidate(self, query: str, number: int, reference: str | None) -> Outcome:
        sampling = Sampling(temperature=1.0, seed=draw_seed(self.settings.seed, number))
        answer = self._answer(self._prompt((), query), sampling)
        kept: Outcome = {"embedding": self._embedded(answer)}
        if reference is not None:
            kept["rouge"] = outcomes.rouge_1(answer, reference)
        return kept

    def _embedded(self, answer: str) -> list[float]:
        embed = self.settings.embed or outcomes.hashed_embedding
        return [float(value) for value in embed(answer)]


def _place(position: int | None) -> str:
    return "none" if position is None else str(position)


def _useful_query(held_out: Example) -> str:
    return f"Input: {held_out.text}\nLabel:"
