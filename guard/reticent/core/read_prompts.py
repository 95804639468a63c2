"""Keeps what was read of prompts, so that a long one is read once for all texts that are judged by it."""

from __future__ import annotations

from reticent.prompt.echo import EchoIndex, NextSpan
from reticent.prompt.segments import PromptView
from reticent.suppressions.active import SuppressionList


class ReadPrompts:
    """Reads prompts when they are first asked about.

    A prompt counts as the same one only as the same object, and so do the finder and the list that read it.
    """

    def __init__(self) -> None:
        # Each is kept with what it was made of, so that nothing new gets the id of that.
        self._echoes: dict[tuple[int, int], tuple[PromptView, NextSpan, EchoIndex]] = {}
        self._subjects: dict[tuple[int, int], tuple[PromptView, SuppressionList, bool]] = {}

    def __repr__(self) -> str:
        return f"ReadPrompts(echo_indexes={len(self._echoes)})"

    def echo_index(self, prompt: PromptView, finder: NextSpan) -> EchoIndex:
        """Gives the index of a prompt."""
        key = id(prompt), id(finder)
        if key not in self._echoes:
            self._echoes[key] = prompt, finder, EchoIndex(prompt.user, prompt.operator, finder)
        return self._echoes[key][-1]

    def names_subject(self, prompt: PromptView, suppressions: SuppressionList) -> bool:
        """Says whether the user, the operator, or the model before, names a suppressed person."""
        key = id(prompt), id(suppressions)
        if key not in self._subjects:
            self._subjects[key] = (
                prompt,
                suppressions,
                suppressions.names_subject(prompt.user, prompt.operator, prompt.model),
            )
        return self._subjects[key][-1]
