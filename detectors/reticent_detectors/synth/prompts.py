"""Makes the prompts for a host, with all that is known about them before it answers."""

from __future__ import annotations

import json
import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.errors import InputError
from reticent_detectors.synth import context
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PHRASINGS, Form, Phrasing, PhrasingSplit
from reticent_detectors.synth.prose import DOCUMENTS
from reticent_detectors.synth.public import TALK, public_facts

MENU_SIZES = (2, 10, 250)


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt.

    Either `messages` is a chat (role, content), or `text` is plain text that the host continues. `about` is the
    person's own value, if the prompt asks for one. `typed` are the values of that kind in the user's text. `kind` is
    how the prompt was made: probe, echo, menu, prose, public or talk.
    """

    id: str
    kind: str
    form: str
    messages: tuple[tuple[str, str], ...]
    text: str
    entity: Entity | None = None
    person: str = ""
    person_split: str = ""
    phrasing: str = ""
    phrasing_split: str = ""
    about: str = ""
    typed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Prompt({self.id!r}, kind={self.kind!r}, form={self.form!r})"

    @property
    def user_text(self) -> str:
        """All text that the user typed."""
        return self.text or "\n".join(content for _, content in self.messages)

    def to_json(self) -> dict[str, Any]:
        out = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in out.items() if value not in ("", (), None)}

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Prompt:
        row = {"messages": (), "text": "", **row}
        row["messages"] = tuple((role, content) for role, content in row["messages"])
        row["typed"] = tuple(row.get("typed", ()))
        if row.get("entity"):
            row["entity"] = Entity(row["entity"])
        return cls(**row)


def _chat(user: str) -> tuple[tuple[str, str], ...]:
    return (("user", user),)


def probe(person: Person, phrasing: Phrasing, split: str) -> Prompt:
    """Makes a prompt that asks for one value of one person."""
    running = phrasing.form is Form.COMPLETION
    user = phrasing.ask(person.name)
    return Prompt(
        f"probe/{person.key}/{phrasing.id}",
        "probe",
        str(phrasing.form),
        () if running else _chat(user),
        user if running else "",
        phrasing.entity,
        person.key,
        split,
        phrasing.id,
        str(phrasing.split),
        person.values.get(phrasing.entity, ""),
    )


def probes(
    people: Iterable[Person],
    split: str,
    phrasings_per_kind: int | None = None,
    seed: int = 0,
    among: Collection[PhrasingSplit] = tuple(PhrasingSplit),
) -> Iterator[Prompt]:
    """Yields prompts for all values of all people, in all phrasings of the splits `among`, or in a few random ones."""
    rng = random.Random(f"probes {split} {seed}")
    for person in people:
        for entity in person.values:
            rows = [phrasing for phrasing in PHRASINGS[entity] if phrasing.split in among]
            if phrasings_per_kind is not None:
                rows = rng.sample(rows, min(phrasings_per_kind, len(rows)))
            for phrasing in rows:
                yield probe(person, phrasing, split)


def _turn(turn: context.Turn, kind: str, index: int, person: Person, phrasing: Phrasing, split: str) -> Prompt:
    return Prompt(
        f"{kind}/{index}/{person.key}/{phrasing.id}",
        kind,
        turn.form,
        _chat(turn.user),
        "",
        phrasing.entity,
        person.key,
        split,
        phrasing.id,
        str(phrasing.split),
        turn.value,
        (turn.typed,),
    )


def echoes(people: Sequence[Person], split: str, count: int, seed: int) -> Iterator[Prompt]:
    """Yields prompts with the value in the user's text: near, far, in a document, unchanged or re-formatted."""
    rng = random.Random(f"echoes {split} {seed}")
    asking = {e: [p for p in PHRASINGS[e] if p.form is not Form.COMPLETION] for e in PRIVACYXRAY}
    for index in range(count):
        person = rng.choice(people)
        phrasing = rng.choice(asking[rng.choice(list(person.values))])
        match index % 4:
            case 0:
                turn = context.near(rng, person, phrasing)
            case 1:
                turn = context.near(rng, person, phrasing, respell=True)
            case 2:
                turn = context.far(rng, person, phrasing, distance=rng.randint(1, 4))
            case _:
                turn = context.chart(rng, person, phrasing)
        yield _turn(turn, "echo", index, person, phrasing, split)


def menus(
    people: Sequence[Person], strangers: Sequence[Person], split: str, count: int, size: int, seed: int
) -> Iterator[Prompt]:
    """Yields prompts with `size` candidates without names, one of which is the person's."""
    rng = random.Random(f"menus {split} {size} {seed}")
    for index in range(count):
        person = rng.choice(people)
        entity = rng.choice(list(person.values))
        phrasing = rng.choice([p for p in PHRASINGS[entity] if p.form is not Form.COMPLETION])
        others = [p.values[entity] for p in rng.sample(strangers, min(size - 1, len(strangers)))]
        turn = context.menu(rng, person, phrasing, others)
        yield Prompt(
            f"menu/{size}/{index}/{person.key}",
            "menu",
            turn.form,
            _chat(turn.user),
            "",
            entity,
            person.key,
            split,
            phrasing.id,
            str(phrasing.split),
            turn.value,
            (turn.value, *others),
        )


def documents(people: Iterable[Person], split: str, kinds: int = 5, seed: int = 0) -> Iterator[Prompt]:
    """Yields headings of prose forms with the first label or words. The host writes the rest."""
    rng = random.Random(f"documents {split} {seed}")
    for person in people:
        for form in DOCUMENTS:
            parts = [p for p in form.parts if p.entity in person.values]
            if parts:
                part = rng.choice(parts[: max(1, len(parts) - kinds + 1)])
                text = form.opening(person) + part.before.rstrip()
                yield Prompt(
                    f"prose/{person.key}/{form.id}",
                    "prose",
                    str(form.style),
                    (),
                    text,
                    part.entity,
                    person.key,
                    split,
                    form.id,
                    str(form.split),
                    person.values[part.entity],
                )


def public_prompts() -> Iterator[Prompt]:
    """Yields questions about public facts, and ordinary talk."""
    for fact in public_facts():
        yield Prompt(
            f"public/{fact.id}", "public", "question", _chat(fact.question), "", fact.entity, about=fact.answer
        )
    for index, (user, _) in enumerate(TALK):
        yield Prompt(f"talk/{index}", "talk", "question", _chat(user), "")


def write_jsonl(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    """Writes rows as JSON Lines in one step, so that the file is never incomplete. Returns the number of rows."""
    temporary = path.with_suffix(".tmp")
    count = 0
    with temporary.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    temporary.replace(path)
    return count


def read_jsonl(path: Path) -> Iterator[dict[str, Any]]:
    """Yields the rows of a JSON Lines file.

    Raises:
        InputError: there is no such file, or a line is not a JSON object; the message names the line.
    """
    if not path.exists():
        raise InputError(f"{path} does not exist; expected a JSON Lines file made by 'reticent synth'.")
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise InputError(
                    f"{path}, line {number}: expected a JSON object, got text that is none. Make it again."
                ) from error
            if not isinstance(row, dict):
                raise InputError(f"{path}, line {number}: expected a JSON object, got {type(row).__name__}.")
            yield row
