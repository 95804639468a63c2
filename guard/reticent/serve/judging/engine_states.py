"""Defines what reaches the hidden states that a server's engine keeps."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from reticent.serve.judging.token_alignment import AnswerName, Token


class StateFeatures(NamedTuple):
    """Holds what an engine makes of the states behind a value's tokens.

    `nats` are the log-probabilities of the tokens by the last state, which say whether the states are theirs.
    """

    nats: Sequence[float]
    arrays: Mapping[str, NDArray[np.float32]]


class StateSource(Protocol):
    """Reaches the hidden states that an engine keeps of its last tokens."""

    @property
    def mark(self) -> str | None:
        """Gives the name of a request's argument that says how many states at its prompt's end are kept.

        None: no engine is attached.
        """
        ...

    def log_probabilities(
        self, answers: Sequence[AnswerName], ids: Sequence[int], seconds: float
    ) -> list[list[Token] | None]:
        """Gives how likely a value's tokens are, by each of the questions about it whose states are kept.

        None for a question of which one of the states is not kept.

        Args:
            answers: the answers to the questions.
            ids: the value's tokens.
            seconds: how long it may take.

        Raises:
            ReticentError: the engine could not be asked.
        """
        ...

    def behaviour(self, answer: AnswerName) -> Mapping[str, Any] | None:
        """Gives `norms` [L] and `top_ids` [L] of the states at the end of an answer's prompt. None: they are not kept.

        Raises:
            ReticentError: the engine could not be asked.
        """
        ...

    def features(
        self,
        answer: AnswerName,
        places: Sequence[int],
        ids: Sequence[int],
        options: Mapping[str, Any],
        wanted: Collection[str],
    ) -> StateFeatures | None:
        """Gives the features of a value. None if the states of one of its tokens are not kept.

        Args:
            answer: of which answer.
            places: places of the value's tokens in the answer.
            ids: these tokens.
            options, wanted: the bundle's feature options, and the names of its detector's inputs.

        Raises:
            ReticentError: the engine could not be asked.
        """
        ...
