"""A bigram model that over-fits its members, and texts about synthetic people, for the audit of membership."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reticent_bench.audits.membership.windows import Passage
from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling, TokenScores

WORDS = [
    a + b for a in ("ba", "de", "fi", "go", "ku", "la", "me", "no", "ri", "su") for b in ("lt", "rn", "st", "nd", "mp")
]
GIVEN = [a + "ina" for a in ("al", "ber", "cor", "dor", "el", "fran", "gal", "hel", "ir", "jan", "kat", "lor", "mar")]
FAMILY = [
    a + "sen" for a in ("and", "bak", "carl", "dahl", "er", "fro", "greg", "han", "iv", "jak", "kol", "lar", "mad")
]
VOCABULARY = ["", *WORDS, *GIVEN, *FAMILY, *(str(i) for i in range(100)), *".@", "example", "org"]
_IDS = {token: i for i, token in enumerate(VOCABULARY)}
_TOKEN = re.compile(r"[a-z]+|\d+|[^\w\s]")


def token_ids(text: str) -> NDArray[np.intp]:
    """Ids of a text's tokens; 0 is any other token, and what stands before the first."""
    return np.array([_IDS.get(token, 0) for token in _TOKEN.findall(text)], dtype=np.intp)


def passages(side: str, count: int, seed: int, words: int = 56, favourite: str = "") -> list[Passage]:
    """One text a person, with an e-mail address in its middle; `favourite` begins each, if given."""
    rng = np.random.default_rng([seed, count])
    likelihood = 1 / np.arange(3, 3 + len(WORDS))
    drawn = rng.choice(WORDS, size=(count, words), p=likelihood / likelihood.sum())
    out = []
    for i in range(count):
        value = f"{rng.choice(GIVEN)}.{rng.choice(FAMILY)}{rng.integers(10, 100)} @example.org".replace(" ", "")
        before = " ".join([*([favourite] if favourite else []), *drawn[i, : words // 2]])
        text = f"{before} {value} {' '.join(drawn[i, words // 2 :])}."
        out.append(Passage(text, ((len(before) + 1, len(before) + 1 + len(value)),), f"{side}-{i}"))
    return out


class BigramHost:
    """A `Target` with p(w | v) = (strength * base(w) + epochs * count(v, w)) / (strength + epochs * count(v)).

    `base` comes from other texts. Each epoch counts the members once more, as repeated training does.
    """

    scores_text = True

    def __init__(
        self, public: Sequence[str], members: Sequence[str] = (), epochs: int = 0, strength: float = 100.0
    ) -> None:
        self.name = f"bigrams, {epochs} epochs"
        size = len(VOCABULARY)
        base = 1.0 + np.bincount(np.concatenate([token_ids(text) for text in public]), minlength=size)
        counts = np.zeros((size, size))
        for text in members if epochs else ():
            ids = token_ids(text)
            np.add.at(counts, (np.append(0, ids[:-1]), ids), epochs)
        p = strength * base / base.sum() + counts
        p /= p.sum(axis=1, keepdims=True)
        self._logs = np.log(p)
        self._means = (p * self._logs).sum(axis=1)
        self._deviations = np.sqrt((p * self._logs**2).sum(axis=1) - self._means**2)
        self.asked: list[tuple[Prompt, str]] = []

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        raise AssertionError("The audit of membership does not generate.")

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        self.asked += pairs
        return [self._score(prompt, text) for prompt, text in pairs]

    def _score(self, prompt: Prompt, text: str) -> TokenScores:
        assert isinstance(prompt, str)
        ids = token_ids(text)
        context = np.append(token_ids(prompt)[-1:] if prompt else 0, ids[:-1])
        return TokenScores(
            tuple(ids.tolist()), self._logs[context, ids], self._means[context], self._deviations[context]
        )


class ChatHost:
    """A target that answers and scores nothing."""

    name = "a chat route"
    scores_text = False

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        raise AssertionError("Nothing may be asked.")

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        raise NotMeasurable("It scores no text.")


class Log:
    """An attempt log in memory: it asks for a key once, and keeps the outcome."""

    def __init__(self) -> None:
        self.outcomes: dict[str, dict[str, Any]] = {}
        self.asked = 0

    def __call__(self, key: str, ask: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        if key not in self.outcomes:
            self.asked += 1
            self.outcomes[key] = ask()
        return self.outcomes[key]
