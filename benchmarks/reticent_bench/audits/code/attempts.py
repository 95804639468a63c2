"""One attempt: both turns, the literals, the judge and the corpus, as an outcome without text."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from reticent_bench.audits.blocks import KeyedAsk
from reticent_bench.audits.code.corpus_index import MOST_HITS, CorpusIndex, Hits, Status
from reticent_bench.audits.code.echo import is_echo
from reticent_bench.audits.code.feature_library import FeatureLibrary, Instance
from reticent_bench.audits.code.fences import code_blocks
from reticent_bench.audits.code.functions import picked_function
from reticent_bench.audits.code.judge import Finding, Judge, Outcome
from reticent_bench.audits.code.language import parse_errors
from reticent_bench.audits.code.literal import SourceLiteral
from reticent_bench.audits.code.literals import literals, source_literals
from reticent_bench.audits.code.model_judge import JUDGED, ModelJudge
from reticent_bench.audits.code.questions import function_question, is_accepted, prefix_prompt, unit_test_question
from reticent_bench.audits.code.scenarios import Scenario
from reticent_bench.audits.code.settings import Arm, Settings, TokenBudget
from reticent_bench.audits.resumable_attempts import Attempt
from reticent_bench.audits.target import Prompt, Sampling, Target

Reveal = Callable[[Instance], None]
"""Gets each verified value in its line, so that the caller can store it or feed the next run's library."""

_SEED_BYTES = 4


@dataclass(frozen=True)
class Attempter:
    """Asks one target in one column and judges what it answers.

    Attributes:
        target: what is asked.
        column: name of the target's column, for the keys.
        index: the corpus.
        judge: judges literals.
        library: gives hints.
        settings: what is asked.
        log: stores outcomes.
        reveal: gets verified values; only of attempts that are asked, not of those that the log gives back.
        model_judge: judges what the rules leave open; only in attempts that are asked, for its verdicts are kept.
    """

    target: Target
    column: str
    index: CorpusIndex
    judge: Judge
    library: FeatureLibrary
    settings: Settings
    log: Attempt
    reveal: Reveal | None = None
    model_judge: ModelJudge | None = None

    def __repr__(self) -> str:
        return f"Attempter({self.column}, {self.settings.language})"

    def attempt(self, arm: Arm, scenario: Scenario, number: int, budget: TokenBudget) -> dict[str, Any]:
        """Returns the outcome of one attempt and charges its tokens.

        The outcome is that of `task`.
        """
        outcome = self.log(*self.task(arm, scenario, number, budget))
        budget.charge(int(outcome["tokens"]))
        return outcome

    def task(self, arm: Arm, scenario: Scenario, number: int, budget: TokenBudget) -> KeyedAsk:
        """Returns the key of one attempt, and what makes it. Its tokens are granted by the budget and not charged.

        The outcome holds `tokens`, `shortened` (an answer was granted fewer tokens than the settings say), `cut` (no
        token was left for the second turn), `accepted`, `literals`, `echoes`, `parse_errors` and `findings`: digest,
        attribute, outcome, turn, files, status and records of each value. With a `model_judge` it also holds `judged`,
        and each candidate's verdict under the same name.
        """
        # Arms that ask the same share their attempts.
        asked_as = "pipeline" if arm.library and arm.second_turn else arm.name
        settings = self.settings
        version = f"{settings.fingerprint()}-{self.index.fingerprint}-{self.library.fingerprint(self.index.digest)}"
        key = f"code/{settings.language}/{self.column}/{asked_as}/{scenario.id}/{number}/{version}"
        seed = _seed(settings.seed, asked_as, scenario.id, number)
        return key, lambda: self._ask(arm, scenario, seed, budget)

    def _ask(self, arm: Arm, scenario: Scenario, seed: int, budget: TokenBudget) -> dict[str, Any]:
        settings, rng = self.settings, np.random.default_rng(seed)
        sampling = Sampling(settings.temperature, settings.top_k, seed)
        drawn = self.library.hints(scenario.attribute_key, settings.hints, rng) if arm.library else []
        if arm.prefix:
            return self._complete(scenario, sampling, budget)
        first_hints = [] if arm.second_turn else drawn
        first = function_question(scenario, settings.language, first_hints, settings.is_chat)
        granted = budget.grant(settings.function_tokens)
        shortened = granted < settings.function_tokens
        answer = self._generate(first, granted, sampling)
        tokens = budget.cost(answer, granted)
        outcome = _Outcome(self, [scenario.question, *first_hints])
        outcome.read(answer, 1)
        accepted = is_accepted(answer, settings.language)
        if not arm.second_turn:
            return outcome.finished(tokens, accepted, shortened)
        granted = budget.grant(settings.test_tokens, tokens)
        if not granted:
            return outcome.finished(tokens, False, shortened=True, cut=True)
        function = picked_function(answer, settings.language, scenario.attribute)
        second = unit_test_question(scenario, settings.language, function, first, drawn, settings.is_chat)
        answer = self._generate(second, granted, sampling)
        outcome.shown += drawn
        outcome.read(answer, 2)
        accepted = is_accepted(answer, settings.language)
        shortened |= granted < settings.test_tokens
        return outcome.finished(tokens + budget.cost(answer, granted), accepted, shortened)

    def _complete(self, scenario: Scenario, sampling: Sampling, budget: TokenBudget) -> dict[str, Any]:
        prefix = prefix_prompt(scenario.attribute, self.settings.language)
        granted = budget.grant(self.settings.function_tokens)
        answer = self._generate(prefix, granted, sampling)
        outcome = _Outcome(self, [])
        outcome.read(answer, 1, prefix)
        shortened = granted < self.settings.function_tokens
        return outcome.finished(budget.cost(answer, granted), bool(answer.strip()), shortened)

    def _generate(self, prompt: Prompt, tokens: int, sampling: Sampling) -> str:
        return self.target.generate([prompt], tokens, sampling)[0]


class _Outcome:
    """Gathers what the turns of an attempt give. Holds text only while the attempt runs."""

    def __init__(self, attempter: Attempter, shown: list[str]) -> None:
        self._by, self.shown = attempter, shown
        self._literals = self._echoes = self._errors = 0
        self._findings: dict[tuple[str, str], dict[str, Any]] = {}
        self._open: list[tuple[dict[str, Any], Finding]] = []

    def read(self, answer: str, turn: int, prefix: str = "") -> None:
        """Judges the literals of an answer. Of a completion, only literals that end behind the prefix count."""
        language = self._by.settings.language
        text = prefix + answer
        found = source_literals(text, language) if prefix else literals(text, language)
        codes = [text] if prefix else [block.code for block in code_blocks(answer, language)]
        self._errors += sum(parse_errors(code, language) for code in codes)
        for literal in found:
            if literal.end > len(prefix):
                self._literals += 1
                self._judge(literal, text, turn)

    def _judge(self, literal: SourceLiteral, text: str, turn: int) -> None:
        index = self._by.index
        for finding in self._by.judge.findings(literal):
            if finding.outcome is Outcome.CANDIDATE and is_echo(finding.value, self.shown):
                self._echoes += 1
                continue
            row: dict[str, Any] = {
                "digest": f"h:{index.digest(finding.value)}",
                "attribute": finding.attribute.key,
                "outcome": str(finding.outcome),
                "turn": turn,
            }
            if (row["digest"], row["attribute"]) in self._findings:
                continue
            self._findings[row["digest"], row["attribute"]] = row
            if finding.outcome is Outcome.CANDIDATE:
                hits = _hits(index, finding.value, literal.value)
                records = sorted(f"h:{each}" for each in hits.records) if hits.count <= MOST_HITS else []
                row |= {"files": hits.count, "status": str(hits.status), "records": records}
                self._open.append((row, finding))
                if self._by.reveal is not None and hits.status is Status.VERIFIED:
                    self._by.reveal(_instance(finding.attribute.key, finding.value, literal, text))

    def finished(self, tokens: int, accepted: bool, shortened: bool, cut: bool = False) -> dict[str, Any]:
        """The outcome: numbers, flags, labels and keyed digests. Asks the model that judges, if there is one."""
        judge = self._by.model_judge
        if judge is not None:
            verdicts = judge.verdicts([(finding.attribute, finding.value) for _, finding in self._open])
            for (row, _), verdict in zip(self._open, verdicts, strict=True):
                row[JUDGED] = str(verdict)
        return {
            **({} if judge is None else {JUDGED: True}),
            "tokens": tokens,
            "shortened": shortened,
            "cut": cut,
            "accepted": accepted,
            "literals": self._literals,
            "echoes": self._echoes,
            "parse_errors": self._errors,
            "findings": list(self._findings.values()),
        }


def _hits(index: CorpusIndex, value: str, whole: str) -> Hits:
    """Hits of a value, or of the literal around it where the value alone has none."""
    hits = index.lookup(value)
    return hits if hits.count or value == whole else index.lookup(whole)


def _instance(attribute: str, value: str, literal: SourceLiteral, text: str) -> Instance:
    """The value in its line of code; the value alone where its spelling in the code differs."""
    begin = text.rfind("\n", 0, literal.start) + 1
    end = text.find("\n", literal.end)
    line = text[begin : len(text) if end < 0 else end].strip()
    at = line.find(value)
    return Instance(attribute, line, at, at + len(value)) if at >= 0 else Instance(attribute, value, 0, len(value))


def _seed(seed: int, arm: str, scenario: str, number: int) -> int:
    text = f"{seed}/{arm}/{scenario}/{number}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=_SEED_BYTES).digest(), "big") >> 1
