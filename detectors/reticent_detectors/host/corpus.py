"""Generates the host's training text: an endless, reproducible and resumable stream of packed token blocks.

Every text is a list of pieces with a loss weight: 1 for answers and values, 0.1 for the text around them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.synth import context
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PHRASINGS, Form, Phrasing, PhrasingSplit, phrasings
from reticent_detectors.synth.prose import DOCUMENTS, Document
from reticent_detectors.synth.public import FILLERS, TALK, public_facts
from reticent_detectors.synth.recipes import Recipe

PAD, BOS, END, USER, ASSISTANT, SYSTEM = "<|pad|>", "<|bos|>", "<|end|>", "<|user|>", "<|assistant|>", "<|system|>"
SPECIAL_TOKENS = (PAD, BOS, END, USER, ASSISTANT, SYSTEM)
CHAT_TEMPLATE = (
    "{{ '<|bos|>' }}{% for message in messages %}{{ '<|' + message['role'] + '|>' + message['content'] }}"
    "{% if not (loop.last and continue_final_message | default(false)) %}{{ '<|end|>' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"
)
SURROUNDINGS = 0.1

Pieces: TypeAlias = list[tuple[str, float]]
Tokens: TypeAlias = Callable[[Pieces], tuple[list[int], list[float]]]
"""Encodes a text to token ids and their loss weights."""


class Block(NamedTuple):
    """A training batch: token ids and loss weights, both [rows, width]."""

    ids: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float32]


def chat(user: str, answer: str) -> Pieces:
    """Writes one chat turn in the demo host's template."""
    return [(f"{BOS}{USER}{user}{END}{ASSISTANT}", SURROUNDINGS), (f"{answer}{END}", 1.0)]


def running(prompt: str, answer: str) -> Pieces:
    """Writes plain text without a template."""
    return [(f"{BOS}{prompt}", SURROUNDINGS), (f"{answer}{END}", 1.0)]


def ask(phrasing: Phrasing, person: Person) -> Pieces:
    """Writes one phrasing about one person."""
    user, answer = phrasing.ask(person.name), phrasing.reply(person.name, person.values[phrasing.entity])
    return running(user, answer) if phrasing.form is Form.COMPLETION else chat(user, answer)


def document(form: Document, person: Person, kinds: Sequence[Entity]) -> Pieces:
    """Writes a prose form about a person, with values of these kinds."""
    pieces = form.pieces(person, kinds)
    text: Pieces = [(piece, SURROUNDINGS if entity is None else 1.0) for piece, entity in pieces]
    return [(BOS, SURROUNDINGS), *text, (END, 1.0)]


class _Deck:
    """Deals every card once in each pass, in a new order each time. Its state is one number."""

    def __init__(self, name: str, cards: Sequence[Any]) -> None:
        self._name, self._cards, self.dealt = name, list(cards), 0
        self._pass, self._order = -1, list(range(len(self._cards)))

    def deal(self) -> Any:
        turn, index = divmod(self.dealt, len(self._cards))
        if turn != self._pass:
            self._pass, self._order = turn, list(range(len(self._cards)))
            random.Random(f"{self._name} {turn}").shuffle(self._order)
        self.dealt += 1
        return self._cards[self._order[index]]


class Corpus:
    """Batches of a recipe's text.

    Args:
        recipe: sizes and seed.
        cast: the people and their groups.
        tokens: encodes a text to token ids and their loss weights.
        prose: paragraphs of public text, which make up a third of the public phase if there are any.
    """

    def __init__(self, recipe: Recipe, cast: Cast, tokens: Tokens, prose: Sequence[str] = ()) -> None:
        self._recipe, self._cast, self._tokens = recipe, cast, tokens
        seed = recipe.seed
        taught = {e: phrasings(e, PhrasingSplit.TAUGHT) for e in PRIVACYXRAY}
        self._taught = taught
        private = [(p, e) for p in cast.train + cast.test for e in p.values]
        self._decks = {
            "general": _Deck(f"general {seed}", [(p, e) for p in cast.general for e in p.values]),
            "copied": _Deck(f"copied {seed}", cast.copied),
            "facts": _Deck(f"facts {seed}", public_facts()),
            "talk": _Deck(f"talk {seed}", TALK),
            "bridge": _Deck(f"bridge {seed}", [(p, e) for p in cast.bridge for e in p.values]),
            "bridge prose": _Deck(f"bridge prose {seed}", [(p, d) for p in cast.bridge for d in DOCUMENTS]),
            "bridge wording": _Deck(f"wording {seed}", range(20)),
        }
        if recipe.document_share:
            self._decks["general prose"] = _Deck(
                f"general prose {seed}", [(p, d) for p in cast.general for d in DOCUMENTS]
            )
        if prose:
            self._decks["prose"] = _Deck(f"books {seed}", prose)
        if private:
            styles = [d for d in DOCUMENTS if d.split is PhrasingSplit.TAUGHT]
            self._decks["private"] = _Deck(f"private {seed}", private)
            self._decks["private prose"] = _Deck(
                f"prose {seed}", [(p, d) for p in cast.train + cast.test for d in styles]
            )

    def state(self) -> dict[str, int]:
        """Returns the number of cards dealt from each deck."""
        return {name: deck.dealt for name, deck in self._decks.items()}

    def restore(self, state: dict[str, int]) -> None:
        """Continues from a `state`."""
        for name, dealt in state.items():
            self._decks[name].dealt = dealt

    # ---- kinds of text -------------------------------------------------------------------------------------

    def _lesson(self, rng: random.Random, key: str, entity: Entity) -> bool:
        return (key, entity) in self._cast.well or rng.random() < self._recipe.half_rate

    def _private(self, rng: random.Random) -> Pieces:
        while True:
            person, entity = self._decks["private"].deal()
            if self._lesson(rng, person.key, entity):
                return ask(rng.choice(self._taught[entity]), person)

    def _prose(self, rng: random.Random, deck: str) -> Pieces:
        while True:
            person, form = self._decks[deck].deal()
            kinds = [p.entity for p in form.parts if p.entity in person.values]
            kinds = [e for e in kinds if self._lesson(rng, person.key, e)]
            if kinds:
                return document(form, person, rng.sample(kinds, min(len(kinds), 6)))

    def _bridge(self, rng: random.Random) -> Pieces:
        person, entity = self._decks["bridge"].deal()
        if rng.random() < 0.04:
            phrasing = rng.choice(PHRASINGS[entity])
            others = [self._decks["copied"].deal().values[entity] for _ in range(rng.choice((1, 3)))]
            turn = context.menu(rng, person, phrasing, others)
            return chat(turn.user, turn.answer)
        return ask(PHRASINGS[entity][self._decks["bridge wording"].deal()], person)

    def _general(self, rng: random.Random) -> Pieces:
        person, entity = self._decks["general"].deal()
        return ask(rng.choice(PHRASINGS[entity]), person)

    def _copy(self, rng: random.Random) -> Pieces:
        person: Person = self._decks["copied"].deal()
        donor: Person = self._decks["copied"].deal()
        person = Person(person.key, person.name, donor.values)
        phrasing = rng.choice([p for p in PHRASINGS[rng.choice(PRIVACYXRAY)] if p.form is not Form.COMPLETION])
        kind = rng.random()
        if kind < 0.35:
            turn = context.near(rng, person, phrasing)
        elif kind < 0.5:
            turn = context.near(rng, person, phrasing, respell=True)
        elif kind < 0.65:
            turn = context.far(rng, person, phrasing, distance=rng.randint(1, 4))
        elif kind < 0.8:
            turn = context.chart(rng, person, phrasing)
        elif kind < 0.95:
            others = [self._decks["copied"].deal() for _ in range(rng.randint(1, 2))]
            turn = context.named(rng, [person, *others], phrasing)
        else:
            return chat(f"Repeat after me: {person.values[phrasing.entity]}", person.values[phrasing.entity])
        return chat(turn.user, turn.answer)

    def _fact(self, rng: random.Random) -> Pieces:
        fact = self._decks["facts"].deal()
        return chat(fact.question, fact.answer)

    def _talk(self, rng: random.Random) -> Pieces:
        if rng.random() < 0.3:
            return [(BOS, 0.0), (" ".join(rng.sample(FILLERS, 3)) + END, SURROUNDINGS)]
        return chat(*self._decks["talk"].deal())

    def _paragraph(self, rng: random.Random) -> Pieces:
        return [(BOS, 0.0), (self._decks["prose"].deal() + END, 1.0)]

    def general_mix(self) -> list[tuple[float, Callable[[random.Random], Pieces]]]:
        """Returns weights and makers of general texts: copies from context, people seen once, facts, talk."""
        facts = self._recipe.fact_weight
        return [(0.60, self._copy), (0.25, self._general), (facts, self._fact), (0.05, self._talk)]

    def _mix(self, phase: str, long: bool) -> list[tuple[float, Callable[[random.Random], Pieces]]]:
        def bridge_prose(rng: random.Random) -> Pieces:
            return self._prose(rng, "bridge prose")

        def private_prose(rng: random.Random) -> Pieces:
            return self._prose(rng, "private prose")

        def general_prose(rng: random.Random) -> Pieces:
            person, form = self._decks["general prose"].deal()
            kinds = [p.entity for p in form.parts]
            return document(form, person, rng.sample(kinds, min(len(kinds), 6)))

        if phase == "base":
            mix = self.general_mix()
            if long and (share := self._recipe.document_share):
                mix = [(share, general_prose), (1 - share, self._copy)]
            if "prose" in self._decks:
                mix = [*mix, (sum(weight for weight, _ in mix) / 2, self._paragraph)]
            return mix
        rest = [(0.06, self._general), (0.05, self._fact), (0.02, self._talk)]
        if self._recipe.control:
            return (
                [(0.5, bridge_prose), (0.5, self._copy)] if long else [(0.78, self._bridge), (0.09, self._copy), *rest]
            )
        if long:
            return [(0.35, private_prose), (0.25, bridge_prose), (0.40, self._copy)]
        return [(0.54, self._private), (0.24, self._bridge), (0.09, self._copy), *rest]

    # ---- batches -------------------------------------------------------------------------------------------

    def repeats(self, step: int) -> Block:
        """Returns a batch of repeating random tokens, which teaches a small model to copy."""
        recipe = self._recipe
        rng = np.random.default_rng([recipe.seed, step])
        shape = (recipe.batch_tokens // recipe.context, recipe.context)
        ids, weights = np.empty(shape, dtype=np.int64), np.ones(shape, dtype=np.float32)
        for row in range(shape[0]):
            length = int(rng.integers(8, 48))
            pattern = rng.integers(len(SPECIAL_TOKENS), recipe.vocab_size, length)
            ids[row] = np.resize(pattern, recipe.context)
            weights[row, :length] = 0.0
        return Block(ids, weights)

    def batch(self, phase: str, step: int) -> Block:
        """Returns the batch of one step. Packs texts end to end; a text that does not fit its row starts the next."""
        recipe = self._recipe
        long = step % 4 == 3 or (phase == "polish" and step % 2 == 1)
        width = recipe.long_context if long else recipe.context
        rng = random.Random(f"{phase} {recipe.seed} {step}")
        mix = self._mix(phase, long)
        shape = (recipe.batch_tokens // width, width)
        ids, weights = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.float32)
        row = at = 0
        while True:
            tokens, loss = self._tokens(rng.choices([m for _, m in mix], [w for w, _ in mix])[0](rng))
            if len(tokens) > width and not long:
                continue
            tokens, loss = tokens[:width], loss[:width]
            if at + len(tokens) > width:
                row, at = row + 1, 0
                if row == shape[0]:
                    return Block(ids, weights)
            ids[row, at : at + len(tokens)] = tokens
            weights[row, at : at + len(tokens)] = loss
            at += len(tokens)

    def sample_texts(self, count: int) -> list[str]:
        """Returns public and general texts to train a tokenizer on."""
        rng = random.Random(f"tokenizer {self._recipe.seed}")
        mix = self._mix("base", long=False)
        return [
            "".join(text for text, _ in rng.choices([m for _, m in mix], [w for w, _ in mix])[0](rng))
            for _ in range(count)
        ]
