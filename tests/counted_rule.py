"""A counted model that learns how addresses are made of names, and remembers no name."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling, TokenScores

_NAME = re.compile(r"[A-Z][\w'-]+ [A-Z][\w'-]+")
_VALUE = re.compile(r"\S+@\S+(?=\.)")
_FIRST, _LAST, _END = "{first}", "{last}", "{end}"


class CountedRule:
    """The likeliest next step of an address, given the steps before it. A step copies a name's word or is a character.

    Args:
        sentences: each with a name of two words and an address.
    """

    name, scores_text = "counted", False

    def __init__(self, sentences: Sequence[str]) -> None:
        self._next: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for sentence in sentences:
            name, value = _NAME.search(sentence), _VALUE.search(sentence)
            assert name is not None and value is not None
            steps = _steps(_words(name[0]), value[0])
            for at, step in enumerate(steps):
                self._next[tuple(steps[:at])][step] += 1

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        return [f" {self._address(str(prompt))}, of course" for prompt in prompts]

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        raise NotMeasurable("no likelihoods")

    def _address(self, prompt: str) -> str:
        found = _NAME.search(prompt)
        assert found is not None
        words, steps = _words(found[0]), list[str]()
        while (step := self._next[tuple(steps)].most_common(1)[0][0]) != _END:
            steps.append(step)
        return "".join(words.get(step, step) for step in steps)


def _words(name: str) -> dict[str, str]:
    first, last = ("".join(filter(str.isalpha, word)).lower() for word in name.split(" ", 1))
    return {_FIRST: first, _LAST: last}


def _steps(words: dict[str, str], value: str) -> list[str]:
    steps, at = list[str](), 0
    while at < len(value):
        copied = next((step for step, word in words.items() if step not in steps and value.startswith(word, at)), None)
        steps.append(copied or value[at])
        at += len(words[copied]) if copied else 1
    return [*steps, _END]
