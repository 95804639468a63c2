"""Answers questions from private examples without giving away whether any single one was among them."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Callable, Sequence
from typing import final

from reticent.private_context.accountant import Accountant
from reticent.private_context.gaussian import accuracy_ceiling
from reticent.private_context.noisy_threshold import release_probabilities, released, sensitivity
from reticent_detectors.errors import InputError

Example = tuple[str, str]
"""An input and the label or answer that belongs to it."""
Messages = list[dict[str, str]]
"""A chat: one mapping a turn, with `role` and `content`."""


def few_shot_messages(instruction: str, examples: Sequence[Example], question: str) -> Messages:
    """Makes a chat whose system turn holds the instruction and the examples, and whose user turn holds the question."""
    shown = "\n\n".join(f"Input: {text}\nLabel: {label}" for text, label in examples)
    return [
        {"role": "system", "content": f"{instruction}\n\n{shown}".strip()},
        {"role": "user", "content": f"Input: {question}\nLabel:"},
    ]


def read_label(answer: str, labels: Sequence[str]) -> int | None:
    """Finds the index of the label that an answer names first, as whole words without regard to case; None if none.

    Where two labels begin at the same place the longer one counts.
    """
    found = []
    for index, label in enumerate(labels):
        if match := re.search(rf"(?<!\w){re.escape(label)}(?!\w)", answer, re.IGNORECASE):
            found.append((match.start(), -len(label), index))
    return min(found)[2] if found else None


@final
class ContextShield:
    """Asks a model once for each of m disjoint subsets of the examples and releases a label by a noisy threshold.

    The guarantee: all answers under one accountant are (epsilon, delta)-differentially private in each example, for
    neighbours that replace one example by any other. Whoever guesses from one answer, at even odds, whether an example
    was replaced is right with a probability of at most `ceiling`, whatever else they know. That holds where all
    subsets but one agree already, which a plain k-of-m agreement gives away with certainty.

        from reticent.private_context import Accountant, ContextShield

        def ask(messages):  # your model: it takes a chat and returns text
            return "spam" if "prize" in messages[-1]["content"] else "ham"

        examples = [(f"Letter {number}", "ham") for number in range(40)]
        accountant = Accountant(epsilon=4, delta=1e-5)
        shield = ContextShield(examples, ("spam", "ham"), ask, accountant, questions=10, subsets=20)
        answer = shield.answer("Claim your prize")  # "spam", or None where the noisy agreement is too weak
        print(answer, accountant.spent_epsilon)

    What it cannot do:
        - Release a value that one example alone holds. It releases labels from a public list and nothing else, so it
          is no answer for retrieval of documents.
        - Gain from the subsets. They are disjoint and not secret, so no amplification by sampling is claimed.
        - Protect a person who is in several examples as a whole: the unit is one example.
        - Hide what `ask` itself gives away: its logs, its caches, how long it takes, what a provider stores.
        - Resist attacks on floating-point noise. Noise is a double and not a discrete Gaussian; released labels hide
          its low bits, but nothing is proved about them (Mironov 2012). Nor is the time that drawing takes constant.
        - Work where answers of one subset depend on another subset, as through a shared conversation.

    Few subsets or a small epsilon give weak answers: ask `release_probabilities` before you choose. A failing `ask`
    counts as no vote, because an error that reached a user could depend on one example. What is no `Exception`, such as
    a cancelled task, goes through; do not show it to whoever asked.

    Args:
        examples: private (input, label) pairs. Their number is public.
        labels: all answers that may be released. They are public and must not be made from the examples.
        ask: answers a chat. What it returns is searched for a label; without one the subset casts no vote.
        accountant: holds the budget. Share it among all shields over these examples.
        questions: how many questions may spend the accountant's whole budget; it sets the noise.
        subsets: m, at most the number of examples. Example i goes to subset i mod m.
        agreement: k, the votes that a label should have; the threshold is k - 1/2. By default more than half of m.
        instruction: what the model is asked to do. It is public.
        messages: makes the chat from instruction, examples of one subset and question.
        on_error: receives what `ask` raised, for an operator's eyes. Its text may hold private values.
            It must not raise.
        seed_for_tests: replaces the noise of the operating system by a reproducible one. It voids the guarantee.

    Raises:
        InputError: an argument is out of its range.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        labels: Sequence[str],
        ask: Callable[[Messages], str],
        accountant: Accountant,
        *,
        questions: int,
        subsets: int = 10,
        agreement: int | None = None,
        instruction: str = "Label the last input as the examples are labelled. Answer with the label alone.",
        messages: Callable[[str, Sequence[Example], str], Messages] = few_shot_messages,
        on_error: Callable[[Exception], None] | None = None,
        seed_for_tests: int | None = None,
    ) -> None:
        if not 1 <= subsets <= len(examples):
            raise InputError(f"subsets: expected from 1 to the {len(examples)} examples, got {subsets}.")
        if len({label.casefold() for label in labels}) < len(labels) or not labels or not all(map(str.strip, labels)):
            raise InputError("labels: expected different labels that are not blank, got an empty, blank or equal one.")
        wanted = subsets // 2 + 1 if agreement is None else agreement
        if not 1 <= wanted <= subsets:
            raise InputError(f"agreement: expected from 1 to the {subsets} subsets, got {wanted}.")
        self._parts = [tuple(examples[part::subsets]) for part in range(subsets)]
        self._labels = tuple(labels)
        self._ask = ask
        self._instruction = instruction
        self._messages = messages
        self._on_error = on_error
        self._random = secrets.SystemRandom() if seed_for_tests is None else random.Random(seed_for_tests)
        self.accountant = accountant
        self.mu = accountant.mu_for(questions)
        """The privacy parameter of one answer, Delta / sigma."""
        self.sigma = sensitivity(len(self._labels)) / self.mu
        """Standard deviation of the noise on each label's count, in votes."""
        self.threshold = wanted - 0.5
        """The least noisy count that is released, in votes."""

    def __repr__(self) -> str:
        return f"ContextShield(subsets={len(self._parts)}, labels={len(self._labels)}, sigma={self.sigma:.3g})"

    @property
    def ceiling(self) -> float:
        """Gives the best accuracy of a guess from one answer about one example, Phi(mu / 2)."""
        return accuracy_ceiling(self.mu)

    def answer(self, question: str) -> str | None:
        """Gives the label that enough subsets agree on, or None where the noisy agreement is too weak.

        The budget is charged before the first subset is asked, also where asking fails later.

        Raises:
            BudgetSpent: the budget does not hold another question. Nothing was asked.
        """
        self.accountant.charge(self.mu)
        counts = [0] * len(self._labels)
        for part in self._parts:
            vote = self._vote(part, question)
            if vote is not None:
                counts[vote] += 1
        # `normalvariate` keeps no state between calls, so threads cannot draw the same noise; `gauss` does.
        chosen = released([count + self._random.normalvariate(0.0, self.sigma) for count in counts], self.threshold)
        return None if chosen is None else self._labels[chosen]

    def release_probabilities(self, votes: Sequence[int]) -> tuple[float, ...]:
        """Computes the probability [labels + 1] that each label, then None, is released at these votes.

        It is for planning on public votes. On votes of private examples its result is private, too.

        Raises:
            InputError: the votes are not one count a label.
        """
        if len(votes) != len(self._labels) or min(votes) < 0 or sum(votes) > len(self._parts):
            raise InputError(f"votes: expected {len(self._labels)} counts that add up to at most {len(self._parts)}.")
        return release_probabilities(votes, self.sigma, self.threshold)

    def _vote(self, part: Sequence[Example], question: str) -> int | None:
        try:
            return read_label(self._ask(self._messages(self._instruction, part, question)), self._labels)
        except Exception as error:
            if self._on_error is not None:
                self._on_error(error)
            return None
