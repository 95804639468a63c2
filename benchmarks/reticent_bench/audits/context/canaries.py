"""Canaries: examples that a model recognises at once (ContextLeak, section 3.2, "Crafting canaries")."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from reticent_bench.audits.context.false_facts import FALSE_FACTS
from reticent_bench.audits.context.task import Example, Task
from reticent_detectors.errors import InputError

CanaryKind = Literal["hexadecimal", "unigrams", "false-fact"]
BYTES = 16
"""Of a hexadecimal canary; two digits each."""
UNIGRAMS = 16
RAREST = 256
"""Unigrams are drawn from so many of the rarest eligible tokens."""
LEAST_LETTERS = 3
_WORD_STARTS = ("Ġ", "▁", " ")


@dataclass(frozen=True, slots=True)
class Canary:
    """What replaces an example.

    Attributes:
        kind: how it was made.
        text: the example's input.
        answer: the example's label; in a task of generation a hexadecimal string that no query names.
    """

    kind: CanaryKind
    text: str = field(repr=False)
    answer: str = field(repr=False)

    @property
    def example(self) -> Example:
        """The canary as an example of a context."""
        return Example(self.text, self.answer)


def canary(kind: CanaryKind, task: Task, rng: np.random.Generator, vocabulary: Mapping[str, float] | None) -> Canary:
    """A canary for a task. Its label is the task's rarest.

    Raises:
        InputError: unigrams are asked for and the vocabulary is missing or too small.
    """
    if kind == "hexadecimal":
        text = hexadecimal(rng)
    elif kind == "false-fact":
        text = FALSE_FACTS[int(rng.integers(len(FALSE_FACTS)))]
    elif vocabulary is None:
        raise InputError(
            "unigrams: expected the vocabulary of the target's tokenizer, got none; leave this canary out."
        )
    else:
        text = unigrams(vocabulary, rng)
    return Canary(kind, text, task.labels[task.rare] if task.labels else hexadecimal(rng))


def hexadecimal(rng: np.random.Generator) -> str:
    """Sixteen random bytes as 32 hexadecimal digits."""
    return rng.bytes(BYTES).hex()


def unigrams(vocabulary: Mapping[str, float], rng: np.random.Generator) -> str:
    """Sixteen different rare tokens of a vocabulary, one behind the other.

    Eligible are tokens of three or more letters of ASCII, behind an optional mark of a word's start. They are ordered
    by frequency, rarest first, then by name. Sixteen of the first 256 are drawn without replacement.

    Args:
        vocabulary: the frequency of each token. Without frequencies pass minus its id: merges are learned in the order
            of frequency, so high ids are rare.
        rng: chooses among the rarest.

    Raises:
        InputError: fewer than 16 tokens are eligible.
    """
    eligible = [token for token in vocabulary if _letters(token)]
    rarest = sorted(eligible, key=lambda token: (vocabulary[token], token))[:RAREST]
    if len(rarest) < UNIGRAMS:
        raise InputError(f"vocabulary: expected at least {UNIGRAMS} tokens of letters, got {len(rarest)}.")
    drawn = [rarest[index] for index in rng.choice(len(rarest), UNIGRAMS, replace=False)]
    return "".join(f" {_bare(token)}" if token.startswith(_WORD_STARTS) else token for token in drawn).strip()


def _bare(token: str) -> str:
    return token[1:] if token.startswith(_WORD_STARTS) else token


def _letters(token: str) -> bool:
    bare = _bare(token)
    return len(bare) >= LEAST_LETTERS and bare.isascii() and bare.isalpha()
