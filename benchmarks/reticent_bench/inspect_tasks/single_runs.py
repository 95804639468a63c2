"""Runs of the context audit one at a time, so that another tool can count them."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from reticent_bench.audits.context import canary_runs
from reticent_bench.audits.context.attacks import answer_score
from reticent_bench.audits.context.canary_runs import Run
from reticent_bench.audits.context.detection import Cut, fit_cut
from reticent_bench.audits.context.prompts import Instruction
from reticent_bench.audits.context.questions import Attack, Column, Questions
from reticent_bench.audits.context.settings import Defence, Settings
from reticent_bench.audits.context.task import Task
from reticent_bench.audits.planning import Plan
from reticent_bench.audits.resumable_attempts import Outcome
from reticent_bench.audits.target import Target

_CALIBRATION, _TEST = 1, 2
_CALIBRATION_CONTEXTS = 1_000_000
"""Contexts of this number and above are for calibration; those of the runs have lower numbers."""


@dataclass
class SingleRuns:
    """One attack on single answers under one defence.

    The attacker's threshold is set on separate runs, once for each model.

    Attributes:
        task, settings, attack, defence: what is asked.
    """

    task: Task
    settings: Settings
    attack: Attack
    defence: Defence
    _cuts: dict[str, Cut] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def run_of(self, epoch: int) -> Run:
        """The run of an epoch, counted from 1. Every second one has the canary; each has a context of its own."""
        rng = np.random.default_rng([self.settings.seed, _TEST, epoch])
        return Run(epoch - 1, int(rng.integers(self.settings.context_size)), epoch % 2 == 1)

    def ask(self, target: Target, model: str, epoch: int) -> Outcome:
        """Asks the question of an epoch: `present`, `guessed` and `right`.

        Args:
            target: the model.
            model: its name. The first question to a model also asks its calibration runs.
            epoch: counted from 1.
        """
        run, questions = self.run_of(epoch), self._questions(target)
        score = self._score(questions, run)
        guessed = bool(self._cut(questions, model).decide(np.array([score]))[0])
        return {"present": run.present, "guessed": guessed, "right": guessed == run.present}

    def _cut(self, questions: Questions, model: str) -> Cut:
        with self._lock:
            if model not in self._cuts:
                settings = self.settings
                rng = np.random.default_rng([settings.seed, _CALIBRATION])
                size, contexts = settings.context_size, settings.calibration_runs
                runs = canary_runs.halves(contexts, contexts, size, rng, first=_CALIBRATION_CONTEXTS)
                scores = np.array([self._score(questions, run) for run in runs], dtype=np.float64)
                self._cuts[model] = fit_cut(scores, canary_runs.is_present(runs))
            return self._cuts[model]

    def _score(self, questions: Questions, run: Run) -> float:
        instruction: Instruction = "none" if self.defence == "L3" else self.defence
        return answer_score(questions.whole(self.attack, run, instruction), self.task, self.defence, "answer")

    def _questions(self, target: Target) -> Questions:
        return Questions(Column("off", target, target), self.task, self.settings, Plan().attempt)
