"""Answers questions without and with the guard, and runs the guard only where it may change the answer.

Every question is answered greedily without the guard, in batches. The guard's own stream machine then reads each answer
with a judge that lets everything pass. It records every span, cut value and overflow: nothing else can change an
answer. Only a question with such a record is asked again, alone, with the guard. A random sample of the other questions
is asked with the guard as well, which checks the scheme.

Rows are appended to a JSONL file at once, so an interrupted run resumes. The file holds the answers. If the model was
tuned on private records, the file is as private as they are.

Not covered: an answer that differs without the guard because a batch adds up in another order than a single row.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reticent.core.stream_machine import StreamMachine
from reticent.core.stream_types import OffsetMapping, SpanRecord
from reticent.guard import Guard
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.policy import Policy
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent.prompt.segments import PromptView, from_ids, from_messages
from reticent_detectors.alignment import TokenText
from reticent_detectors.errors import InputError
from reticent_detectors.host.answers import answer_all, prompt_ids
from reticent_detectors.host.load import load_host
from reticent_detectors.synth.prompts import Prompt

Say = Callable[[str], None]
JsonRow = dict[str, Any]

PASS = Decision(Action.ALLOW, Verdict(Origin.UNKNOWN, None, 0.0, Tier.TEXT))
SAMPLE = 20
"""Questions with no span in the answer that are asked with the guard as a check."""
SPANS, CHECK = "spans", "check"
"""Reasons to ask a question with the guard: its answer holds a span, or it was drawn to check the scheme."""
_SAY_EVERY = 10


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a chat, or `running` text that the model continues."""

    id: str
    text: str
    group: str
    split: str = ""
    running: bool = False

    @property
    def prompt(self) -> Prompt:
        """The question as a prompt of a chat or as running text."""
        chat = () if self.running else (("user", self.text),)
        return Prompt(self.id, self.group, "", chat, self.text if self.running else "")


@dataclass
class Rows:
    """The rows of a run in a JSONL file; its first line holds the run's settings.

    Args:
        path: the file, made if it does not exist.
        settings: those that the rows depend on.
        resume: continue an existing file.

    Raises:
        InputError: the file exists and `resume` is not set, or its rows were made with other settings.
    """

    path: Path
    settings: JsonRow
    resume: bool
    plain: dict[str, JsonRow] = field(default_factory=dict)
    guarded: dict[str, JsonRow] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.path.exists():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._append({"settings": self.settings})
            return
        if not self.resume:
            raise InputError(
                f"{self.path} holds the rows of another run. Go on with them (--resume), or remove the file."
            )
        whole = self._whole_lines()
        head = json.loads(whole[0]).get("settings") if whole else None
        if head != self.settings:
            other = sorted(k for k in self.settings if not isinstance(head, dict) or head.get(k) != self.settings[k])
            raise InputError(
                f"{self.path} was made with other settings ({', '.join(other)}). "
                "Give the same ones, or remove the file."
            )
        for line in whole[1:]:
            self._take(json.loads(line))

    def add(self, row: JsonRow) -> None:
        """Appends a row of an answer without the guard, or with it; the latter has the key `why`."""
        self._append(row)
        self._take(row)

    def _take(self, row: JsonRow) -> None:
        (self.guarded if "why" in row else self.plain)[row["id"]] = row

    def _append(self, row: JsonRow) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def _whole_lines(self) -> list[str]:
        """Returns the complete lines, and cuts an incomplete last line from the file."""
        text = self.path.read_bytes()
        whole = text[: text.rfind(b"\n") + 1]
        if len(whole) < len(text):
            self.path.write_bytes(whole)
        return whole.decode("utf-8").split("\n")[:-1]  # not splitlines: an answer may hold U+2028


@dataclass(frozen=True)
class Asker:
    """A guarded model, asked with and without its guard.

    Args:
        model: the model under its guard.
        max_new_tokens: longest answer, in tokens.
        batch: questions of one unguarded call.
        say: takes a line of progress.
    """

    model: GuardedModel
    max_new_tokens: int
    batch: int
    say: Say

    def ask_all(
        self,
        questions: Sequence[Question],
        rows: Rows,
        *,
        enough: float = math.inf,
        sample: int = SAMPLE,
        seed: int = 0,
    ) -> None:
        """Asks the questions that have no row yet, and adds their rows.

        Args:
            questions: all questions of the run.
            rows: rows of earlier calls; new ones are added.
            enough: number of answers with spans that ends the unguarded part.
            sample: number of other questions that are asked with the guard.
            seed: of the sample.
        """
        self._ask_plain(questions, rows, enough)
        asked = [each for each in questions if each.id in rows.plain]
        self._ask_guarded([each for each in asked if rows.plain[each.id]["spans"]], rows, SPANS)
        others = [each for each in asked if not rows.plain[each.id]["spans"]]
        drawn = random.Random(f"check {seed}").sample(others, min(sample, len(others)))
        self._ask_guarded(drawn, rows, CHECK)

    def _ask_plain(self, questions: Sequence[Question], rows: Rows, enough: float) -> None:
        held, tokenizer = sum(bool(row["spans"]) for row in rows.plain.values()), self.model.tokenizer
        left = [each for each in questions if each.id not in rows.plain]
        for first in range(0, len(left), self.batch):
            if held >= enough:
                return
            part, began = left[first : first + self.batch], time.perf_counter()
            answers = answer_all(
                self.model.model,
                tokenizer,
                [each.prompt for each in part],
                max_new_tokens=self.max_new_tokens,
                batch=self.batch,
            )
            seconds = (time.perf_counter() - began) / len(part)
            for question, answer in zip(part, answers, strict=True):
                text, spans = self.read(self.view(question, answer.prompt_ids), answer.ids, answer.ended)
                held += bool(spans)
                rows.add(
                    {"id": question.id, "text": text, "seconds": seconds, "spans": [span.entity for span in spans]}
                )
            self.say(f"without the guard: {len(rows.plain)} of {len(questions)}, {held} with spans")

    def _ask_guarded(self, questions: Sequence[Question], rows: Rows, why: str) -> None:
        left = [each for each in questions if each.id not in rows.guarded]
        for number, question in enumerate(left, 1):
            began = time.perf_counter()
            answer, plain = self.guarded(question), rows.plain[question.id]["text"]
            rows.add(
                {
                    "id": question.id,
                    "why": why,
                    "text": answer.text,
                    "changed": answer.report.changed or answer.report.blocked,
                    "seconds": time.perf_counter() - began,
                    "spans": [_span(r, v) for r, v in zip(answer.report.spans, values(answer, plain), strict=True)],
                }
            )
            if number % _SAY_EVERY == 0 or number == len(left):
                self.say(f"with the guard ({why}): {number} of {len(left)}")

    def view(self, question: Question, ids: Sequence[int]) -> PromptView:
        """Returns what the guard knows of a question's prompt."""
        if question.running:
            return from_ids(self.model.tokenizer, ids)
        return from_messages([{"role": "user", "content": question.text}])

    def read(self, view: PromptView, ids: Sequence[int], ended: bool) -> tuple[str, tuple[SpanRecord, ...]]:
        """Returns an unguarded answer's text, and records of all that the guard could change in it."""
        guard = self.model.guard
        tokens = TokenText(self.model.tokenizer)
        limits = replace(guard.policy.hold, max_seconds=math.inf)  # nobody reads along
        machine = StreamMachine.from_policy(
            guard.finder(guard.policy), view.context, lambda span: PASS, guard.policy, limits=limits
        )
        for token in ids:
            machine.feed(tokens.push(token), 0.0)
        machine.finish(0.0, cut=not ended)
        return tokens.text, machine.records

    def guarded(self, question: Question) -> Answer:
        """Asks a question with the guard."""
        tokenizer = self.model.tokenizer
        ids = prompt_ids(tokenizer, question.prompt)
        pad = tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
        (answer,) = self.model.answers(
            [ids], [self.view(question, ids)], max_new_tokens=self.max_new_tokens, do_sample=False, pad_token_id=pad
        )
        return answer


def opened(
    model: Path,
    base: str,
    questions: Sequence[Question],
    rows: Path,
    *,
    resume: bool,
    new_tokens: int,
    batch: int,
    say: Say,
    also_find: Sequence[str] = (),
    dtype: str = "float32",
) -> tuple[Asker, Rows]:
    """Loads a checkpoint under the default bundle and policy, and opens the rows of its answers.

    Args:
        model: folder of the checkpoint.
        base: as `Guard.wrap` takes it.
        questions: those that will be asked; rows depend on them.
        rows: file of the rows.
        resume: continue that file.
        new_tokens: longest answer, in tokens.
        batch: questions of one unguarded call.
        say: takes a line of progress.
        also_find: more kinds that the policy finds (`Policy.also_find`).
        dtype: number type that the model runs in.

    Raises:
        InputError: no checkpoint or base, or rows of another run.
        UnsupportedHost: the model cannot be guarded.
    """
    loaded, tokenizer = load_host(model, dtype=dtype)
    guard = Guard.load(policy=Policy(also_find=frozenset(also_find)))
    asked = hashlib.blake2b(repr(questions).encode(), digest_size=8).hexdigest()
    wrapped = guard.wrap(loaded, tokenizer, base=base)
    settings = {
        "model": wrapped.adapter.fingerprint(tokenizer)["weights_sha256"],
        "base": base,
        "max_new_tokens": new_tokens,
        "bundle": guard.bundle.digest,
        "policy": guard.policy.digest_hex,
        "also_find": sorted(also_find),
        "questions": asked,
    }
    return Asker(wrapped, new_tokens, batch, say), Rows(rows, settings, resume)


def values(answer: Answer, plain: str) -> list[str | None]:
    """Returns the text of each span of a guarded answer; None where it was not kept.

    A value that passed is read from the answer. The first stopped value is read from the unguarded answer `plain`, if
    both agree before it. Later stopped values are behind a redaction, and their text was not kept.
    """
    said = _released(answer.text, answer.mappings)
    out, stopped = list[str | None](), False
    for record in answer.report.spans:
        start, end = max(0, record.start), record.end
        stops = record.decision.action.stops
        before = "".join(said.get(at, "") for at in range(start))
        known = said if not stops else dict(enumerate(plain)) if not stopped and plain.startswith(before) else {}
        stopped = stopped or stops
        out.append(
            "".join(known[at] for at in range(start, end)) if all(at in known for at in range(start, end)) else None
        )
    return out


def _released(text: str, pieces: Sequence[OffsetMapping]) -> dict[int, str]:
    """Returns the characters of the model's answer that were released unchanged, by offset."""
    out, at = dict[int, str](), 0
    for piece in pieces:
        if not piece.replaced:
            out |= {piece.start + i: char for i, char in enumerate(text[at : at + piece.length])}
        at += piece.length
    return out


def _span(record: SpanRecord, value: str | None) -> JsonRow:
    verdict, decision = record.decision.verdict, record.decision
    return {
        "entity": record.entity,
        "recognizer": record.recognizer,
        "fragment": record.fragment,
        "action": str(decision.action),
        "reason": str(decision.reason),
        "origin": str(verdict.origin),
        "probability": verdict.probability,
        "cue": verdict.cue,
        "base": verdict.base,
        "start": record.start,
        "value": value,
    }
