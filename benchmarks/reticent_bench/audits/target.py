"""What an audit attacks: a model that answers prompts and, where it can, scores given text.

`LocalTarget` runs a checkpoint folder in this process. `ServedTarget` asks an OpenAI-compatible server. Tests script
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.errors import InputError


class Message(NamedTuple):
    """One turn of a chat."""

    role: Literal["system", "user", "assistant"]
    content: str

    def __repr__(self) -> str:
        return f"Message({self.role!r}, <{len(self.content)} chars>)"


Prompt = str | tuple[Message, ...]
"""Running text that the model continues, or a chat that it answers."""


def draw_seed(seed: int, number: int) -> int:
    """The seed of a draw. Draws of two seeds of an audit never have the same one, up to a million draws each."""
    return seed * 1_000_000 + number


@dataclass(frozen=True, slots=True)
class Sampling:
    """How tokens are drawn: greedily at temperature 0; from the `top_k` likeliest, or from all if `top_k` is 0.

    Each prompt of a call has its own seed: `seed` and the numbers after it, or those of `prompt_seeds`. A target may
    give a prompt the same draws in every call, whatever else the call asks.
    """

    temperature: float = 0.0
    top_k: int = 0
    seed: int = 0
    prompt_seeds: tuple[int, ...] = ()

    def seeds(self, prompts: int) -> tuple[int, ...]:
        """The seed of each prompt of a call.

        Raises:
            InputError: `prompt_seeds` are of another number of prompts.
        """
        if not self.prompt_seeds:
            return tuple(range(self.seed, self.seed + prompts))
        if len(self.prompt_seeds) != prompts:
            raise InputError(f"Expected a seed for each of {prompts} prompts, got {len(self.prompt_seeds)}.")
        return self.prompt_seeds


GREEDY = Sampling()


@dataclass(frozen=True, slots=True)
class TokenScores:
    """A model's scores of the tokens of a text, given what precedes it.

    Attributes:
        token_ids: ids of the scored tokens [tokens]. A token that holds the border of prompt and text counts as text.
        log_probs: log-probability of each token in nats [tokens].
        means: mean log-probability of the vocabulary at each place [tokens], weighted by the model's own distribution;
            for Min-K%++.
        deviations: its standard deviation [tokens].
    """

    token_ids: tuple[int, ...]
    log_probs: NDArray[np.float64]
    means: NDArray[np.float64]
    deviations: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"TokenScores({len(self.token_ids)} tokens)"


NOT_MEASURABLE, REFUSED = "not measurable", "refused by the guard"
"""What a report says of what a target does not tell."""


class NotMeasurable(InputError):
    """The target cannot measure what an audit asks for, such as the likelihood of a prompt. Reports say so, never 0."""


class Target(Protocol):
    """A model under audit. All calls block; their results come in the order of the prompts."""

    name: str
    """Folder or address without credentials, and whether a guard is around it."""

    scores_text: bool
    """Whether `scores` works."""

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> list[str]:
        """The new text of each prompt, without the prompt and without special tokens."""
        ...

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> list[TokenScores]:
        """What the model thinks of the tokens of each text behind its prompt.

        Raises:
            NotMeasurable: `scores_text` is false.
        """
        ...


@runtime_checkable
class Encoder(Protocol):
    """A target that gives a vector for a text."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A vector of each text [texts, width]."""
        ...


def encoder_of(target: object) -> Encoder:
    """The target as an encoder.

    Raises:
        NotMeasurable: it gives no vectors, as a server that answers texts alone.
    """
    if not isinstance(target, Encoder):
        raise NotMeasurable("This target gives no vectors of texts. Audit a folder, or vectors from a file.")
    return target


def why_unscored(target: object) -> str:
    """Why a target scores no text: `NOT_MEASURABLE`, or `REFUSED` where a guard before it says so."""
    return str(getattr(target, "why_unscored", NOT_MEASURABLE))


def scores_chats(target: object) -> bool:
    """Whether a target that scores text also does so behind a chat, as no chat route of a server does."""
    return bool(getattr(target, "scores_chats", True))


def scores_behind(target: Target, is_chat: bool) -> bool:
    """Whether a target scores text behind prompts of this kind: chats, or running text."""
    return target.scores_text and (scores_chats(target) or not is_chat)
