"""What a collection asks: all prompts, in groups that are asked, labelled and stored together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PhrasingSplit
from reticent_detectors.synth.prompts import Prompt, documents, echoes, menus, probes, public_prompts

GROUP_PROMPTS = 128
"""Most prompts of a group, as far as one person's fit: a model that answers one prompt a second needs some two minutes for them, and
less is not stored at a time. Smaller batches are no faster."""
DRAWN_TOGETHER = 10
"""People whose phrasings are drawn from one random state."""
ANSWER_TOKENS, PROSE_TOKENS = 64, 200
"""Longest answers."""


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
    """How many prompts of which kind. `phrasings` are for each value; `writers` is how many people of each group have
    documents written about them; `fragments` adds cut values of training people; `people` is the share of private and of
    unseen people that is asked about, `unseen_people` the most unseen ones."""

    train_phrasings: int = 5
    test_phrasings: int = 8
    unseen_phrasings: int = 2
    sampled_phrasings: int = 1
    writers: int = 60
    echoes: int = 800
    menus: int = 120
    fragments: bool = True
    people: float = 1.0
    unseen_people: int | None = None
    test_only: bool = False
    """All people count as test people and are asked under test-only phrasings alone: to judge detectors of other models."""
    seed: int = 0


def plan_groups(cast: Cast, plan: Plan) -> list[Group]:
    """All prompts of a collection, in a fixed order.

    Unseen people are halved: the first half for training detectors, the other for testing them. Detectors are
    trained on taught and detector-only phrasings; test-only phrasings are asked of test people alone.
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
        """Each value in `count` ways; where only test-only ones are asked, in as many of these."""
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
    """Parts of at most `GROUP_PROMPTS`; what is asked of one person one after the other stays in one part, even if that is longer."""
    part: list[Prompt] = []
    for _, numbered_prompts in groupby(enumerate(prompts), key=lambda item: item[1].person or item[0]):
        group = [prompt for _, prompt in numbered_prompts]
        if part and len(part) + len(group) > GROUP_PROMPTS:
            yield tuple(part)
            part = []
        part += group
    if part:
        yield tuple(part)
