"""Plans a collection: all its prompts, in groups that are asked, labelled and stored together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PhrasingSplit
from reticent_detectors.synth.prompts import Prompt, documents, echoes, menus, probes, public_prompts

GROUP_PROMPTS = 128
"""Most prompts of a group, unless those of one person are more.

A model that answers one prompt a second needs some two minutes for a group, and groups are stored whole. Smaller
batches are no faster.
"""
DRAWN_TOGETHER = 10
"""People whose phrasings are drawn from one random state."""
ANSWER_TOKENS, PROSE_TOKENS = 64, 200
"""Longest answers, in tokens."""


@dataclass(frozen=True, slots=True)
class Group:
    """Prompts that are asked, labelled and stored together; all about the same people."""

    prompts: tuple[Prompt, ...]
    temperature: float = 0.0

    @property
    def answer_tokens(self) -> int:
        """The longest answer, in tokens."""
        return PROSE_TOKENS if self.prompts[0].kind == "prose" else ANSWER_TOKENS


@dataclass(frozen=True, slots=True)
class Plan:
    """Numbers of prompts by kind. Phrasings are counted for each value."""

    train_phrasings: int = 5
    test_phrasings: int = 8
    unseen_phrasings: int = 2
    sampled_phrasings: int = 1
    writers: int = 60
    """People of each group about whom documents are written."""
    echoes: int = 800
    menus: int = 120
    fragments: bool = True
    """Adds cut values of training people."""
    people: float = 1.0
    """Share of private and of unseen people who are asked about."""
    unseen_people: int | None = None
    """Most unseen people."""
    test_only: bool = False
    """Counts all people as test people and asks test-only phrasings alone, to judge detectors of other models."""
    seed: int = 0


def plan_groups(cast: Cast, plan: Plan) -> list[Group]:
    """Returns all prompts of a collection, in a fixed order.

    The first half of the unseen people trains detectors, the other half tests them. Detectors are trained on taught
    and detector-only phrasings. Test-only phrasings are asked about test people alone.
    """
    unseen = cast.unseen[: plan.unseen_people]
    half = len(unseen) // 2
    sides: tuple[tuple[str, tuple[Person, ...], tuple[Person, ...], int], ...] = (
        ("train", cast.train, unseen[:half], plan.train_phrasings),
        ("test", cast.test, unseen[half:], plan.test_phrasings),
    )
    if plan.test_only:
        sides = (("test", (*cast.train, *cast.test), unseen, plan.test_phrasings),)
    groups: list[Group] = []
    barred = {"train": ("test",), "test": ("taught", "detector") if plan.test_only else ()}

    def ask(people: Sequence[Person], split: str, count: int, more: int = 0) -> Iterator[Prompt]:
        """Asks for each value in `count` phrasings; with `test_only`, in as many test-only ones."""
        among = [each for each in PhrasingSplit if not plan.test_only or each is PhrasingSplit.TEST]
        return probes(people, split, count, plan.seed + more, among)

    def add(prompts: Iterator[Prompt], split: str, temperature: float = 0.0) -> None:
        kept = tuple(p for p in prompts if p.phrasing_split not in barred[split])
        groups.extend(Group(part, temperature) for part in _parts(kept))

    for split, private, unseen, count in sides:
        private, unseen = (group[: round(plan.people * len(group))] for group in (private, unseen))
        for first in range(0, len(private), DRAWN_TOGETHER):
            people = private[first : first + DRAWN_TOGETHER]
            add(ask(people, split, count), split)
            for temperature in (0.7, 1.0):
                add(ask(people, split, plan.sampled_phrasings, 1), split, temperature)
        for first in range(0, len(unseen), DRAWN_TOGETHER):
            people = unseen[first : first + DRAWN_TOGETHER]
            add(ask(people, split, plan.unseen_phrasings), split)
            add(ask(people, split, 1, 1), split, 1.0)
        for people in (private[: plan.writers], unseen[: plan.writers]):
            add(documents(people, split, seed=plan.seed), split)
        strangers = cast.copied[: len(cast.copied) // 2] if split == "train" else cast.copied[len(cast.copied) // 2 :]
        add(echoes(strangers, split, plan.echoes, plan.seed), split)
        add(menus(private, strangers, split, plan.menus, 10, plan.seed), split)
    for first, split in enumerate(("train", "test")):
        if plan.test_only and split == "train":
            continue
        add((replace(p, person_split=split) for p in list(public_prompts())[first::2]), split)
    return groups


def _parts(prompts: Sequence[Prompt]) -> Iterator[tuple[Prompt, ...]]:
    """Yields parts of at most `GROUP_PROMPTS`.

    Consecutive prompts about one person stay in one part, even if it is longer.
    """
    part: list[Prompt] = []
    for _, numbered_prompts in groupby(enumerate(prompts), key=lambda item: item[1].person or item[0]):
        group = [prompt for _, prompt in numbered_prompts]
        if part and len(part) + len(group) > GROUP_PROMPTS:
            yield tuple(part)
            part = []
        part += group
    if part:
        yield tuple(part)
