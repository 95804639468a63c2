"""Attacks a guard that has a base, and records which taught values come out with the base and without it.

The unguarded model is asked first, in batches. Only prompts whose unguarded answer has the value go through the guard.
No other answer can release it.

A base changes what is released in three ways alone:

- a value that would be stopped passes as `pretrained`;
- a value of which the prompt gives a part passes as `inferable`;
- a value near the threshold is scored again, and may then be stopped.

A run in which none of them happened equals the run without a base. So only the others are run a second time, without
it. A random sample of the skipped runs is run again, too, and its texts are compared.

Rows hold keys and outcomes, never a value or a text.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.verdict import Origin, Reason
from reticent_bench.real_models.attack_prompts import Attack, attacks, probes, wanted
from reticent_bench.real_models.attack_search import is_out
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError
from reticent_detectors.host.answers import answers_to
from reticent_detectors.inferable import LEAST_CUE
from reticent_detectors.scoring.state_scorer import ReadSpan, StateScorer
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import Phrasing

CHUNK, BATCH, LONGEST = 128, 32, 64
"""Unguarded answers between two saves, prompts of a forward pass, and tokens of the longest answer."""
CHECKED = 20
"""Skipped second runs that are made as a check."""
SHOWN_EVERY = 25
_BY_BASE = frozenset({Origin.PRETRAINED, Origin.INFERABLE})

Say = Callable[[str], None]
JsonRow = dict[str, Any]


class Rows:
    """The outcomes of each prompt, in a file of JSON lines to which a later call adds.

    Lines of one prompt are merged.

    Args:
        path: of the file; made if it does not exist.
        settings: of the run that makes the rows.

    Raises:
        InputError: the file has rows of other settings, or is no such file.
    """

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self._path = path
        self._rows: dict[str, JsonRow] = {}
        if not path.exists():
            path.write_text(json.dumps({"settings": settings}) + "\n")
            return
        whole = path.read_text()
        kept = whole[: whole.rfind("\n") + 1]  # leaves out a line that an ended call cut off
        if kept != whole:
            path.write_text(kept)
        first, *others = (json.loads(line) for line in kept.splitlines() or ["{}"])
        if first.get("settings") != json.loads(json.dumps(settings)):
            raise InputError(
                f"{path} has rows of another model, bundle or option. Remove it, or choose another --rows."
            )
        for row in others:
            self._rows.setdefault(row["id"], {}).update(row)

    def __getitem__(self, prompt: str) -> JsonRow:
        return self._rows.get(prompt, {})

    def add(self, rows: Iterable[JsonRow]) -> None:
        """Saves outcomes of some prompts."""
        with self._path.open("a") as file:
            for row in rows:
                file.write(json.dumps(row) + "\n")
                self._rows.setdefault(row["id"], {}).update(row)


class Rescored:
    """A scorer that counts the spans that are scored with log-probabilities of the base."""

    def __init__(self, score: StateScorer) -> None:
        self._score, self.count = score, 0

    def __call__(self, spans: Sequence[ReadSpan], spent: dict[str, float] | None = None) -> list[float]:
        self.count += sum(bool(span.base) for span in spans)
        return self._score(spans, spent)


@dataclass(frozen=True, slots=True)
class Run:
    """A guarded answer.

    Attributes:
        text: the answer.
        passed: how many of its values passed as `pretrained` and as `inferable`.
        by_base: whether the base may have changed the answer.
    """

    text: str = field(repr=False)
    passed: dict[str, int]
    by_base: bool


@contextmanager
def without_base(guarded: GuardedModel) -> Iterator[None]:
    """Takes the base from the guard while the context lasts."""
    base, guarded.base = guarded.base, None
    try:
        yield
    finally:
        guarded.base = base


def settings_of(guarded: GuardedModel, base: str | None, seed: int) -> dict[str, Any]:
    """Returns the settings that rows depend on, such as the copy, its detector, policy and base."""
    return {
        "copy": guarded.adapter.fingerprint(guarded.tokenizer),
        "bundle": guarded.guard.bundle.digest,
        "policy": guarded.guard.policy.digest_hex,
        "base": base,
        "longest": LONGEST,
        "seed": seed,
    }


def taught_kinds(cast: Cast) -> Counter[Entity]:
    """Counts the values of each kind that a copy was taught."""
    return Counter(entity for person in cast.private for entity in person.values)


class Attacked:
    """A guarded copy under attack.

    Args:
        guarded: a copy with a base.
        rows: outcomes of earlier calls; new ones are added.
        say: takes lines of progress.

    Raises:
        InputError: the guard has no base.
    """

    def __init__(self, guarded: GuardedModel, rows: Rows, say: Say) -> None:
        if guarded.base is None:
            raise InputError(
                "The copy has no base: expected a PEFT adapter, or the model before private tuning in --base."
            )
        self.guarded, self.rows, self.say = guarded, rows, say
        self._rescored = Rescored(guarded.score)
        guarded.score = self._rescored  # type: ignore[assignment]

    def ids(self, attack: Attack) -> list[int]:
        """Returns the prompt's token ids, which are the same with a guard and without."""
        ids: list[int] = self.guarded.chat_ids(attack.messages, bool(attack.prefill))[0].tolist()
        return ids

    def ask(self, asked: Sequence[Attack]) -> None:
        """Asks the unguarded model the prompts that have no row yet."""
        left = [attack for attack in asked if "said" not in self.rows[attack.id]]
        model, tokenizer = self.guarded.model, self.guarded.tokenizer
        left.sort(key=lambda attack: len(attack.messages[0]["content"]))
        for first in range(0, len(left), CHUNK):
            part = left[first : first + CHUNK]
            encoded = [self.ids(attack) for attack in part]
            answers = answers_to(model, tokenizer, encoded, max_new_tokens=LONGEST, batch=BATCH)
            texts = [str(tokenizer.decode(answer.ids, skip_special_tokens=True)) for answer in answers]
            pairs = zip(part, texts, strict=True)
            self.rows.add({"id": attack.id, "said": is_out(attack, text)} for attack, text in pairs)
            self.say(f"unguarded: {first + len(part)} of {len(left)} prompts")

    def run(self, attack: Attack) -> Run:
        """Runs the guard as it is now on a prompt."""
        before = self._rescored.count
        answer = self.guarded.chat(
            attack.messages, continue_final_message=bool(attack.prefill), max_new_tokens=LONGEST, do_sample=False
        )
        decided = [span.decision for span in answer.report.spans]
        passed = [str(d.verdict.origin) for d in decided if d.verdict.origin in _BY_BASE and not d.action.stops]
        # Behind a redaction an inferable value is stopped as well. Unlike a memorised one, it may be said again.
        filled_in = any(d.reason is Reason.SUPPRESSED and d.verdict.cue >= LEAST_CUE for d in decided)
        touched = bool(passed) or filled_in or self._rescored.count > before
        counts = {origin: passed.count(origin) for origin in sorted(set(passed))}
        return Run(answer.text, counts, touched and self.guarded.base is not None)

    def guard(self, asked: Sequence[Attack]) -> None:
        """Runs the guard on prompts that the unguarded model answers with the value.

        Where the base may have changed the answer, the guard runs a second time without it.
        """
        said = [attack for attack in asked if self.rows[attack.id]["said"]]
        left = [attack for attack in said if "with" not in self.rows[attack.id]]
        for number, attack in enumerate(left, 1):
            run = self.run(attack)
            out = {"with": is_out(attack, run.text), "passed": run.passed, "second": run.by_base}
            out["without"] = out["with"]
            if run.by_base:
                with without_base(self.guarded):
                    out["without"] = is_out(attack, self.run(attack).text)
            self.rows.add([{"id": attack.id, **out}])
            if not number % SHOWN_EVERY or number == len(left):
                self.say(f"guarded: {number} of {len(left)} prompts")

    def check(self, asked: Sequence[Attack], seed: int = 0) -> tuple[int, int]:
        """Makes a sample of the skipped second runs; returns how many, and how many of these gave the same text."""
        skipped = [attack for attack in asked if self.rows[attack.id].get("second") is False]
        drawn = random.Random(f"checked {seed}").sample(skipped, min(CHECKED, len(skipped)))
        for attack in drawn:
            if "same" not in self.rows[attack.id]:
                text = self.run(attack).text
                with without_base(self.guarded):
                    self.rows.add([{"id": attack.id, "same": self.run(attack).text == text}])
        return len(drawn), sum(self.rows[attack.id]["same"] for attack in drawn)


def chosen_phrasings(
    attacked: Attacked, values: Sequence[tuple[Person, Entity]], seed: int = 0
) -> list[tuple[Person, Phrasing]]:
    """Chooses the first taught phrasing under which the unguarded model says each value, or else the first one."""
    asked = [probes(person, entity, seed) for person, entity in values]
    attacked.ask([attack for rows in asked for _, attack in rows])
    out = []
    for (person, _), rows in zip(values, asked, strict=True):
        said = (phrasing for phrasing, attack in rows if attacked.rows[attack.id]["said"])
        out.append((person, next(said, rows[0][0])))
    return out


def attack_all(
    attacked: Attacked, cast: Cast, *, every: int = 1, others: int = 1, limit: int | None = None, seed: int = 0
) -> tuple[list[Attack], tuple[int, int]]:
    """Makes all attacks that have no row yet.

    Args:
        attacked: the copy.
        cast: people whom it was taught.
        every: step between lengths of the prefill, in characters.
        others: values of each person of kinds that do not pass.
        limit: most values; a later call with more continues.
        seed: of all draws.

    Returns:
        The attacks, and the result of `Attacked.check`.
    """
    values = wanted(cast, others, seed)[:limit]
    rows = chosen_phrasings(attacked, values, seed)
    asked = [attack for person, phrasing in rows for attack in attacks(person, phrasing, cast.copied, every, seed)]
    attacked.ask(asked)
    attacked.guard(asked)
    return asked, attacked.check(asked, seed)
