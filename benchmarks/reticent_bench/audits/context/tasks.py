"""Tasks for the context audit: a file of examples, or letters of made-up customers that are sorted by department."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import NamedTuple

from reticent_bench.audits.context.task import Example, Task
from reticent_bench.audits.input_lines import read_lines
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError
from reticent_detectors.synth.people import PeopleMaker

HELD_OUT_SHARE = 0.25
_LETTERS: dict[str, tuple[tuple[str, Entity], ...]] = {
    "billing": (
        ("{n} here. I was charged {v} twice this month, please check my invoice.", Entity.TRANSACTION_AMOUNT),
        ("My power bill of {v} looks far too high. Regards, {n}", Entity.UTILITY_BILL),
        ("Please send the refund to account {v}. Thank you, {n}", Entity.BANK_ACCOUNT),
    ),
    "delivery": (
        ("Where is my parcel? The order is {v}. {n}", Entity.ORDER_NUMBER),
        ("This is {n}. Please bring the package to {v} instead.", Entity.ADDRESS),
        ("Nobody rang the bell today. Call me under {v} before you come. {n}", Entity.PHONE_NUMBER),
    ),
    "account": (
        ("I cannot log in any more, my e-mail is {v}. {n}", Entity.EMAIL_ADDRESS),
        ("Please delete the profile of {n} and the number {v} in it.", Entity.PHONE_NUMBER),
        ("Change my login to {v}, I forgot the password. {n}", Entity.EMAIL_ADDRESS),
    ),
}
"""Letters by department, with what kind of value each holds."""
INSTRUCTION = "Sort each customer's letter by department: billing, delivery or account. Answer with the label alone."
RARE_SHARE = 0.5
"""Letters of the last department, compared with one of the others: the canary's label is the rarest."""


class Examples(NamedTuple):
    """A task, and the values of people that its examples hold."""

    task: Task
    values: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Examples({self.task!r}, {len(self.values)} values)"


def made_up(count: int, seed: int) -> Examples:
    """Letters of people who do not exist.

    Args:
        count: letters, a quarter of which are held out for utility.
        seed: of people and letters.
    """
    rng = random.Random(f"letters {seed}")
    people = PeopleMaker(seed + 90_000).many("customer", count)
    departments = list(_LETTERS)
    weights = [1.0] * (len(departments) - 1) + [RARE_SHARE]
    examples, values = list[Example](), list[str]()
    for person in people:
        department = rng.choices(departments, weights)[0]
        text, kind = rng.choice(_LETTERS[department])
        values.append(person.values[kind])
        examples.append(Example(text.replace("{n}", person.name).replace("{v}", person.values[kind]), department))
    return Examples(_task("letters", INSTRUCTION, examples, tuple(departments)), tuple(values))


def read_examples(file: Path, instruction: str, generates: bool = False, seed: int = 0) -> Examples:
    """Reads JSON lines with text and label, and values: a list of personal values that the text holds.

    Args:
        file: the examples.
        instruction: what the model is asked to do.
        generates: whether each label is a text to be written. Otherwise all different labels are the classes.
        seed: of the order in which a quarter is held out, since a file may be sorted by label.

    Raises:
        InputError: a line is no such object. The message gives its number and shows nothing of it.
    """
    examples, values = list[Example](), list[str]()
    for number, line in enumerate(read_lines(file), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            text, label, own = row["text"], row["label"], row.get("values", [])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"{file}, line {number}: expected text and label ({type(error).__name__}).") from None
        if not isinstance(text, str) or not isinstance(label, str) or not _is_texts(own):
            raise InputError(f"{file}, line {number}: expected text and label as text, and values as a list of texts.")
        examples.append(Example(text, label))
        values += own
    labels = () if generates else tuple(dict.fromkeys(example.label for example in examples))
    random.Random(f"examples {seed}").shuffle(examples)
    name = "texts" if generates else "examples"
    return Examples(_task(name, instruction, examples, labels), tuple(values))


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) and each for each in value)


def _task(name: str, instruction: str, examples: list[Example], labels: tuple[str, ...]) -> Task:
    """The last quarter of the examples is held out."""
    border = len(examples) - round(HELD_OUT_SHARE * len(examples))
    return Task(name, instruction, tuple(examples[:border]), labels, tuple(examples[border:]))
