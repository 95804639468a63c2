"""The audits of inversion: attackers, what each sees, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from reticent_bench.audits.inversion.attack import NOTHING, Bench, counts_of
from reticent_bench.audits.inversion.figures import Counts
from reticent_bench.audits.inversion.lookup import looked_up
from reticent_bench.audits.inversion.records import Keys, Record, Sides, Vectors, split_by_person
from reticent_bench.audits.inversion.settings import InversionSettings
from reticent_bench.audits.inversion.shape import kinds_of, shape_vectors
from reticent_bench.audits.resumable_attempts import Attempt, Outcome
from reticent_bench.audits.target import Target, encoder_of

CONSTANT, BLIND, SHAPE, CONTROL, VECTORS, HASHES = "constant", "blind", "shape", "control", "vectors", "keyed-hashes"
SURFACES = ("report", "decision-log", "metrics", "collection")
"""Of the guard. Each attacker of a surface sees the shape, too."""
SHUFFLED = {name: f"{name}-of-another-text" for name in SURFACES}
"""The attacker who sees the shape, and the surface of another text that is alike in shape."""
ALIKE = 8
"""Texts of the same kinds and of like lengths among which surfaces are shuffled."""
REFERENCES = (CONSTANT, BLIND, SHAPE, CONTROL)


@dataclass(frozen=True)
class Seen:
    """What attackers see of texts.

    Attributes:
        records: all texts.
        sides: which of them are attacked, and which tested.
        vectors: by attacker, a vector for each text.
        keys: for each text, the keyed hashes of its values by the values' places; None if nothing keeps them.
        beside_shape: whether the vectors are given beside the shape, not alone.
    """

    records: Sequence[Record]
    sides: Sides
    vectors: Mapping[str, Vectors]
    keys: Keys | None = None
    beside_shape: bool = False


class InversionResult(NamedTuple):
    """What an audit of inversion found.

    Attributes:
        source: "vectors" or "surfaces".
        target: name of the model or file.
        texts: numbers of texts and people on both sides, as `attack`, `test`, `attack_people`, `test_people`.
        counts: of each attacker, on the tested texts; empty where there was no text.
        people: of each tested text.
    """

    source: str
    target: str
    texts: Mapping[str, int]
    counts: Mapping[str, Counts]
    people: tuple[str, ...]


def audit_vectors(
    target: Target, records: Sequence[Record], attempt: Attempt, settings: InversionSettings
) -> InversionResult:
    """Inverts the vectors that a target gives of texts.

    Args:
        target: an `Encoder`.
        records: texts of at least ten people.
        attempt: called with the key of each training and a function that makes it.
        settings: of the audit.

    Raises:
        NotMeasurable: the target gives no vectors.
        InputError: too few people.
    """
    sides = split_by_person(records, settings.attack_share, settings.seed)

    def read() -> Seen | None:
        vectors = encoder_of(target).encode([record.text for record in records])
        return Seen(records, sides, {VECTORS: vectors}) if vectors.shape[1] else None

    return _audit("vectors", target.name, read, (VECTORS,), attempt, settings)


def audit_surfaces(
    name: str, read: Callable[[], Seen | None], attempt: Attempt, settings: InversionSettings
) -> InversionResult:
    """Inverts what the guard exposes or keeps.

    Args:
        name: of the host.
        read: asks the host, and reads the surfaces; None where there is no answer. Called once at most, and not at all
            where all attempts are kept.
        attempt: called with the key of each training and a function that makes it.
        settings: of the audit.
    """
    return _audit("surfaces", name, read, (*SURFACES, *SHUFFLED.values(), HASHES), attempt, settings)


def _audit(
    source: str,
    target: str,
    read: Callable[[], Seen | None],
    arms: Sequence[str],
    attempt: Attempt,
    settings: InversionSettings,
) -> InversionResult:
    @cache
    def seen() -> Seen | None:
        return read()

    @cache
    def bench() -> Bench | None:
        found = seen()
        return None if found is None else Bench.of(found.records, found.sides, settings)

    def ask(arm: str, training: int) -> Outcome:
        on, found = bench(), seen()
        return dict(NOTHING) if on is None or found is None else _outcome(on, found, arm, training)

    def texts() -> Outcome:
        found = seen()
        if found is None:
            return dict.fromkeys(("attack", "test", "attack_people", "test_people"), 0)
        people = [len({found.records[row].person for row in side}) for side in found.sides]
        sizes = [len(side) for side in found.sides]
        return {"attack": sizes[0], "test": sizes[1], "attack_people": people[0], "test_people": people[1]}

    sizes = attempt("inversion/texts", texts)
    outcomes = {
        arm: [
            attempt(f"inversion/{arm}/{training}", lambda arm=arm, training=training: ask(arm, training))  # type: ignore[misc]
            for training in range(1 if arm == CONSTANT else settings.trainings)
        ]
        for arm in (*REFERENCES, *arms)
    }
    people = tuple(f"{person}" for person in outcomes[CONSTANT][0]["people"])
    counts = {arm: counts_of(found) for arm, found in outcomes.items()} if people else {}
    return InversionResult(source, target, sizes, counts, people)


def _outcome(bench: Bench, seen: Seen, arm: str, training: int) -> Outcome:
    records = seen.records
    if arm == CONSTANT:
        return bench.constant()
    shape = shape_vectors(records, kinds_of([records[row] for row in seen.sides.attack]))
    if arm == BLIND:
        given = shape if seen.beside_shape else seen.vectors[VECTORS]
        return bench.decoded(shuffled(given, seen.sides, training), training)
    if arm == SHAPE:
        return bench.decoded(shape, training)
    if arm == CONTROL:
        bags = bench.codec.bags([record.text for record in records])
        return bench.decoded(_beside(shape, bags) if seen.beside_shape else bags, training)
    if arm == HASHES:
        said = bench.inverted(shape, training)
        return bench.outcome(*looked_up(bench, said, seen.keys or [{}] * len(records)))
    if arm in SHUFFLED.values():
        name = next(name for name, other in SHUFFLED.items() if other == arm)
        return bench.decoded(
            _beside(shape, shuffled(seen.vectors[name], alike(records, seen.sides), training)), training
        )
    vectors = seen.vectors[arm]
    return bench.decoded(_beside(shape, vectors) if seen.beside_shape else vectors, training)


def shuffled(vectors: Vectors, groups: Sequence[Sequence[int]], seed: int) -> Vectors:
    """Vectors that change places within groups of texts: the same numbers, which say nothing more than the group.

    Args:
        vectors: [texts, width].
        groups: rows that change places among themselves, such as the two sides.
        seed: of the draw.
    """
    rng, out = np.random.default_rng([seed, 17]), vectors.copy()
    for group in groups:
        out[list(group)] = vectors[rng.permutation(list(group))]
    return out


def alike(records: Sequence[Record], sides: Sides) -> list[list[int]]:
    """Rows of one side in groups whose texts have values of the same kinds, and like lengths and offsets."""
    by_kinds: dict[tuple[object, ...], list[int]] = {}
    for number, side in enumerate(sides):
        for row in side:
            by_kinds.setdefault((number, *(value.kind for value in records[row].values)), []).append(row)
    groups = []
    for rows in by_kinds.values():
        rows.sort(key=lambda row: (len(records[row].text), *(value[1:] for value in records[row].values)))
        groups += [rows[first : first + ALIKE] for first in range(0, len(rows), ALIKE)]
    return groups


def _beside(shape: Vectors, vectors: Vectors) -> Vectors:
    return np.concatenate([shape, vectors], 1)
