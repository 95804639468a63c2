"""One attacker's training and test, as an outcome of the attempt log: counts of each tested text, no text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reticent_bench.audits.inversion.decoder import Codec, seen, train_inverter
from reticent_bench.audits.inversion.figures import Counts
from reticent_bench.audits.inversion.flat_rows import scaled
from reticent_bench.audits.inversion.measures import Overlap, best_constant, overlap, recovered
from reticent_bench.audits.inversion.records import Record, Sides, Vectors
from reticent_bench.audits.inversion.settings import InversionSettings
from reticent_bench.audits.resumable_attempts import Outcome

FIELDS = Overlap._fields
NOTHING: Outcome = {"people": [], **{field: [] for field in FIELDS}}
"""The outcome where there is no text, as when an audit is planned."""
_HELD_OUT = 0.15


@dataclass(frozen=True)
class Bench:
    """Texts of both sides as the attackers share them: the same tokens, people and counted parts for each attacker."""

    records: Sequence[Record]
    sides: Sides
    codec: Codec
    settings: InversionSettings

    @classmethod
    def of(cls, records: Sequence[Record], sides: Sides, settings: InversionSettings) -> Bench:
        """Trains the tokenizer on the attacker's texts."""
        return cls(records, sides, Codec([records[row].text for row in sides.attack], settings.decoder), settings)

    def decoded(self, vectors: Vectors, training: int) -> Outcome:
        """Trains a decoder on the attacker's rows of `vectors` [texts, width], and tests it on the others."""
        said = self.inverted(vectors, training)
        return self.outcome(said, [self.codec.text(ids) for ids in said])

    def inverted(self, vectors: Vectors, training: int) -> list[list[int]]:
        """Trains a decoder on the attacker's rows of `vectors` [texts, width], and inverts each tested text with it."""
        settings = self.settings
        attack, test = scaled(vectors[list(self.sides.attack)], vectors[list(self.sides.test)])
        rows = [self.codec.ids(self.records[row].text) for row in self.sides.attack]
        held_out = self._held_out()
        # All attackers of one training have the same decoder weights at the start and the same batches.
        inverter = train_inverter(attack, rows, held_out, self.codec, settings.decoder, settings.seed * 1000 + training)
        return inverter.invert(seen(test))

    def constant(self) -> Outcome:
        """The best constant answer: the best multiset of tokens, and the commonest value."""
        rows = [self._counted_ids(self.records[row]) for row in self.sides.attack]
        values = [value for row in self.sides.attack for value in self.records[row].value_texts()]
        commonest = max(sorted(set(values)), key=values.count) if values else ""
        said = list(best_constant(rows))
        return self.outcome([said] * len(self.sides.test), [commonest] * len(self.sides.test))

    def outcome(self, said: Sequence[Sequence[int]], texts: Sequence[str]) -> Outcome:
        """Counts of the tested texts, given what the attacker says of each, as ids and as text."""
        tested = [self.records[row] for row in self.sides.test]
        counts = [self._overlap(*each) for each in zip(tested, said, texts, strict=True)]
        names = sorted({record.person for record in tested})
        number = {name: place for place, name in enumerate(names)}
        columns = {field: [getattr(each, field) for each in counts] for field in FIELDS}
        return {"people": [number[record.person] for record in tested], **columns}

    def _overlap(self, record: Record, said: Sequence[int], text: str) -> Overlap:
        values = record.value_texts()
        counted = overlap(self.codec.ids(record.text), said, self.template(record))
        return counted._replace(values=len(values), recovered=recovered(values, text))

    def template(self, record: Record) -> list[int]:
        """Ids of the tokens that do not count."""
        if self.settings.counted == "all":
            return []
        return self.codec.ids_outside(record.text, [(value.start, value.end) for value in record.values])

    def _counted_ids(self, record: Record) -> list[int]:
        without = self.template(record)
        out = []
        for token in self.codec.ids(record.text):
            if token in without:
                without.remove(token)
            else:
                out.append(token)
        return out

    def _held_out(self) -> list[bool]:
        """Texts of a share of the attacker's people, who choose how long to train."""
        names = sorted({self.records[row].person for row in self.sides.attack})
        rng = np.random.default_rng([self.settings.seed, 13])
        drawn = rng.permutation(len(names))[: max(1, round(_HELD_OUT * len(names)))]
        kept = {names[place] for place in drawn}
        return [self.records[row].person in kept for row in self.sides.attack]


def counts_of(outcomes: Sequence[dict[str, Any]]) -> Counts:
    """Outcomes of an attacker's trainings as counts [trainings, texts, 5]."""
    return np.array([[outcome[field] for field in FIELDS] for outcome in outcomes], np.float64).transpose(0, 2, 1)
