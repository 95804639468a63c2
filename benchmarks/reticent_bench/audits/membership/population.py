"""Where the texts of a membership audit come from: a file, or the recipe of a host that was taught synthetic people."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from reticent_bench.audits.cues.languages import MEMBERSHIP_LANGUAGES
from reticent_bench.audits.input_lines import read_lines
from reticent_bench.audits.membership.windows import Passage
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PhrasingSplit
from reticent_detectors.synth.prose import DOCUMENTS, Document

_FIELDS = {"text", "start", "end", "person", "member"}
REFERENCE_PEOPLE = 200


class Texts(NamedTuple):
    """Texts of both sides, and public or made-up ones of people whom the audit does not ask about."""

    members: tuple[Passage, ...]
    non_members: tuple[Passage, ...]
    reference: tuple[str, ...]


def read_texts(file: Path, reference: Path | None) -> Texts:
    """Reads JSON lines with text, start and end of a value in it, person, member (true or false) and maybe language.

    Args:
        file: the texts of both sides.
        reference: a text file; its lines are the reference texts.

    Raises:
        InputError: a line is no such object. The message gives its number and shows nothing of it.
    """
    sides: dict[bool, list[Passage]] = {True: [], False: []}
    for number, line in enumerate(read_lines(file), 1):
        if not line.strip():
            continue
        where = f"{file}, line {number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            raise InputError(f"{where}: expected a JSON object ({type(error).__name__}).") from None
        if not isinstance(row, dict) or set(row) - {"language"} != _FIELDS:
            raise InputError(
                f"{where}: expected an object with {', '.join(sorted(_FIELDS))}, and if you like language."
            )
        language = row.get("language", "")
        if language and language not in MEMBERSHIP_LANGUAGES:
            raise InputError(f"{where}: expected a language of {', '.join(MEMBERSHIP_LANGUAGES)}, or none.")
        types = {"text": str, "start": int, "end": int, "person": str, "member": bool}
        wrong = sorted(name for name, kind in types.items() if type(row[name]) is not kind)
        if wrong:
            raise InputError(f"{where}: {wrong[0]} is of another type; expected {types[wrong[0]].__name__}.")
        try:
            sides[row["member"]].append(Passage(row["text"], ((row["start"], row["end"]),), row["person"], language))
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
    lines = [] if reference is None else read_lines(reference)
    return Texts(tuple(sides[True]), tuple(sides[False]), tuple(line for line in lines if line.strip()))


def texts_of_recipe(folder: Path, most: int, seed: int) -> Texts:
    """Documents about the people whom a host was taught, and about as many whom it was not.

    The forms are those in which the host learned its people. Both sides have the same kinds of values in the same
    order, so only the values differ. A document need not be in the training data word for word.

    Raises:
        InputError: the folder has no recipe.
    """
    everybody = cast(recipe_of(folder))
    planted = (*everybody.test, *everybody.bridge, *everybody.train)[:most]
    rng = random.Random(f"membership {seed}")
    members, others = list[Passage](), list[Passage]()
    for person, stranger in zip(planted, everybody.unseen, strict=False):
        kinds = [kind for kind in person.values if kind in stranger.values]
        first = rng.choice(kinds)
        members += _documents(person, kinds, first)
        others += _documents(stranger, kinds, first)
    reference = [
        form.text(person, list(person.values)) for person in everybody.general[:REFERENCE_PEOPLE] for form in _taught()
    ]
    return Texts(tuple(members), tuple(others), tuple(reference))


def _documents(person: Person, kinds: Iterable[Entity], first: Entity) -> list[Passage]:
    """A passage of each taught form that has the kind `first`; windows are cut around its value."""
    kinds, out = list(kinds), []
    for form in _taught():
        text, spans = "", dict[Entity, tuple[int, int]]()
        for piece, entity in form.pieces(person, kinds):
            if entity is not None:
                spans[entity] = (len(text), len(text) + len(piece))
            text += piece
        if first in spans:
            rest = [span for entity, span in spans.items() if entity != first]
            out.append(Passage(text, (spans[first], *rest), person.key))
    return out


def _taught() -> list[Document]:
    return [form for form in DOCUMENTS if form.split is PhrasingSplit.TAUGHT]
