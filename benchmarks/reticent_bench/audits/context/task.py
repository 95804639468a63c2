"""What an audit of a context is about: a task with examples, and where its questions go."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from reticent_detectors.errors import InputError


@dataclass(frozen=True, slots=True)
class Example:
    """An input and its label; in a task of generation the label is the wanted text."""

    text: str = field(repr=False)
    label: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Task:
    """A task that is solved from examples in the prompt.

    Attributes:
        name: short, for keys and tables.
        instruction: what the model is asked to do.
        examples: the pool that contexts are drawn from.
        labels: all labels of a classification; empty for generation.
        held_out: examples that are in no context; utility is measured on them.

    Raises:
        InputError: an example has a label that is none, or a classification has fewer than two labels.
    """

    name: str
    instruction: str = field(repr=False)
    examples: tuple[Example, ...] = field(repr=False)
    labels: tuple[str, ...] = ()
    held_out: tuple[Example, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if len(self.labels) == 1 or len({label.casefold() for label in self.labels}) < len(self.labels):
            raise InputError(f"{self.name}: expected none or at least two different labels, got {len(self.labels)}.")
        known = {example.label for example in (*self.examples, *self.held_out)} - set(self.labels)
        if self.labels and known:
            raise InputError(f"{self.name}: expected only the task's labels on examples, got {len(known)} others.")

    @property
    def rare(self) -> int:
        """The index of the label that fewest examples have, the last of equals: the canary's."""
        count = Counter(example.label for example in self.examples)
        return min(range(len(self.labels)), key=lambda index: (count[self.labels[index]], -index))

    @property
    def frequent(self) -> int:
        """The index of the label that most examples have, among all but the canary's."""
        count = Counter(example.label for example in self.examples)
        others = [index for index in range(len(self.labels)) if index != self.rare]
        return max(others, key=lambda index: (count[self.labels[index]], -index))
