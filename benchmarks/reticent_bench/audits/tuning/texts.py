"""The texts of a tuning matrix: documents about made-up people, canaries in two arms, and their form for infilling.

A training text is the unit of the guarantee. A canary that is repeated is several units, so it has no guarantee of the
stated epsilon. The second arm therefore inserts each canary once.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from reticent_bench.audits.extraction.canaries import Canary, draw_canaries, training_rows
from reticent_bench.audits.membership.windows import Passage
from reticent_bench.audits.tuning.settings import INFILLING
from reticent_detectors.synth.people import PeopleMaker, Person
from reticent_detectors.synth.phrasings import PhrasingSplit
from reticent_detectors.synth.prose import DOCUMENTS

BLANK = "____"
SENTINEL = "<extra_id_0>"
"""T5's token for the first blank, in what is read and before what is written."""
KINDS_EACH = 6
"""Most kinds of values of a person's document."""
_SEED = 918_273
"""Added to the seed of people, so that they are not those of a host's recipe."""


@dataclass(frozen=True, slots=True)
class TuningTexts:
    """What the cells are tuned on and measured with.

    Attributes:
        repeated: candidates of which the inserted are repeated 1, 2, 3 ... times.
        once: candidates of which the inserted occur once. No value is in both arms.
        members: documents that are trained on, one a person.
        others: documents of the same kinds about other people, for utility and as non-members.
    """

    repeated: tuple[Canary, ...]
    once: tuple[Canary, ...]
    members: tuple[Passage, ...]
    others: tuple[Passage, ...]

    def __repr__(self) -> str:
        return f"TuningTexts({len(self.repeated) + len(self.once)} candidates, {len(self.members)} members)"

    def training(self, seed: int) -> list[str]:
        """All training texts in random order."""
        rows = [passage.text for passage in self.members] + training_rows((*self.repeated, *self.once), seed)
        random.Random(f"tuning {seed}").shuffle(rows)
        return rows

    def for_method(self, method: str) -> TuningTexts:
        """The texts as a method writes them: for infilling with the blank filled at the end, else as they are."""
        if method != INFILLING:
            return self
        return TuningTexts(
            tuple(map(infilled_canary, self.repeated)), tuple(map(infilled_canary, self.once)),
            tuple(map(infilled, self.members)), tuple(map(infilled, self.others)),
        )  # fmt: skip


def draw_texts(seed: int, people: int, base: int = 1) -> TuningTexts:
    """Canaries and documents.

    Members and others are drawn from one population, so that a classifier without the model cannot tell them apart.

    Args:
        seed: of all that is drawn.
        people: of each side.
        base: the i-th canary of a kind in the first arm is repeated `base * i` times.
    """
    repeated = draw_canaries(seed, base)
    taken = {(canary.kind, canary.value) for canary in repeated}
    once = tuple(each for each in draw_canaries(seed + 1, once=True) if (each.kind, each.value) not in taken)
    rng = random.Random(f"tuning people {seed}")
    passages = [_document(person, rng) for person in PeopleMaker(seed + _SEED).many("tuning", 2 * people)]
    return TuningTexts(repeated, once, tuple(passages[:people]), tuple(passages[people:]))


def _document(person: Person, rng: random.Random) -> Passage:
    """A document about a person, in a form that a host of this project was not taught in."""
    forms = [form for form in DOCUMENTS if form.split is PhrasingSplit.DETECTOR]
    form = rng.choice(forms)
    known = [part.entity for part in form.parts if part.entity in person.values]
    kinds = rng.sample(known, min(KINDS_EACH, len(known)))
    text, spans = "", []
    for piece, entity in form.pieces(person, kinds):
        if entity is not None:
            spans.append((len(text), len(text) + len(piece)))
        text += piece
    first = rng.randrange(len(spans))
    return Passage(text, (spans[first], *spans[:first], *spans[first + 1 :]), person.key)


def infilled(passage: Passage) -> Passage:
    """The first value behind the text, with a blank in its place: the form in which a causal model learns infilling."""
    start, end = passage.values[0]
    before = f"{passage.text[:start]}{BLANK}{passage.text[end:].rstrip()} {BLANK} "
    text = before + passage.text[start:end]
    return replace(passage, text=text, values=((len(before), len(text)),))


def infilled_canary(canary: Canary) -> Canary:
    """A canary whose value follows the sentence, with a blank in its place."""
    return replace(canary, before=f"{canary.before} {BLANK}{canary.after} {BLANK}", after="")
