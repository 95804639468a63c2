"""Answers without and with the guard, at the price of few guarded ones.

Every question is answered greedily without the guard, in batches. The guard's own stream machine then reads each answer with a
judge that lets everything pass. It records every span, cut value and overflow: nothing else can change an answer. Only where
it records something the question is asked again, with the guard, alone. A random sample of the other questions is asked with
the guard as well, which checks the scheme.

Rows are appended to a JSONL file as they come, so a run that was killed goes on where it ended. The file holds the answers: of
a model that was tuned on private records it is as private as they are.

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

from reticent.core.release import OffsetMapping, SpanRecord
from reticent.core.stream_machine import StreamMachine
from reticent.core.verdict import Action, Decision, Origin, Tier, Verdict
from reticent.guard import Guard
from reticent.huggingface.answer import Answer
from reticent.huggingface.guarded_model import GuardedModel
from reticent.policy.policy import Policy
from reticent.prompt.segments import PromptView, from_ids, from_messages
from reticent_detectors.alignment import TokenText
from reticent_detectors.errors import InputError
from reticent_detectors.host.answers import answer_all, prompt_ids
from reticent_detectors.host.load import load_host
from reticent_detectors.synth.prompts import Prompt

Say = Callable[[str], None]
Row = dict[str, Any]

PASS = Decision(Action.ALLOW, Verdict(Origin.UNKNOWN, None, 0.0, Tier.TEXT))
SAMPLE = 20
"""How many answers without a span are asked for with the guard, too."""
SPANS, CHECK = "spans", "check"
"""Why a question was asked with the guard: its answer holds a span, or it was drawn to check the scheme."""
_SAY_EVERY = 10


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a chat, or `running` text that the model goes on with."""

    id: str
    text: str
    group: str
    split: str = ""
    running: bool = False

    @property
    def prompt(self) -> Prompt:
        chat = () if self.running else (("user", self.text),)
        return Prompt(self.id, self.group, "", chat, self.text if self.running else "")


@dataclass
class Rows:
    """The rows of a run in a JSONL file; its first line holds the run's settings.

    Args:
        path: the file, made if it is not there.
        settings: what the rows depend on.
        resume: go on with a file that is there.

    Raises:
        InputError: the file is there without `resume`, or its rows were made with other settings.
    """

    path: Path
    settings: Row
    resume: bool
    plain: dict[str, Row] = field(default_factory=dict)
    guarded: dict[str, Row] = field(default_factory=dict)

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
                f"{self.path} was made with other settings ({', '.join(other)}). Give the same ones, or remove the file."
            )
        for line in whole[1:]:
            self._take(json.loads(line))

    def add(self, row: Row) -> None:
        """Appends a row: of an answer without the guard, or with it (which says `why`)."""
        self._append(row)
        self._take(row)

    def _take(self, row: Row) -> None:
        (self.guarded if "why" in row else self.plain)[row["id"]] = row

    def _append(self, row: Row) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def _whole_lines(self) -> list[str]:
        """The lines that were written to their end; what a killed run left behind them is cut off."""
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
        """Fills the rows; what stands in them already is not asked again.

        Args:
            enough: so many answers with spans end the unguarded part.
            sample: how many of the others are asked for with the guard.
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
                self.model.model, tokenizer, [each.prompt for each in part], max_new_tokens=self.max_new_tokens, batch=self.batch
            )  # fmt: skip
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
        """What the guard knows of a question's prompt."""
        if question.running:
            return from_ids(self.model.tokenizer, ids)
        return from_messages([{"role": "user", "content": question.text}])

    def read(self, view: PromptView, ids: Sequence[int], ended: bool) -> tuple[str, tuple[SpanRecord, ...]]:
        """An unguarded answer's text, and all that the guard could change in it."""
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
        """The guard's answer to a question."""
        tokenizer = self.model.tokenizer
        ids = prompt_ids(tokenizer, question.prompt)
        pad = tokenizer.eos_token_id if tokenizer.pad_token_id is None else tokenizer.pad_token_id
        (answer,) = self.model.answers(
            [ids], [self.view(question, ids)], max_new_tokens=self.max_new_tokens, do_sample=False, pad_token_id=pad
        )
        return answer


def opened(
    model: Path, base: str, questions: Sequence[Question], rows: Path, *, resume: bool, new_tokens: int, batch: int, say: Say,
    also_find: Sequence[str] = (), dtype: str = "float32",
) -> tuple[Asker, Rows]:  # fmt: skip
    """A checkpoint under the default bundle and policy, and the rows of its answers.

    Args:
        model: its folder.
        base: as `Guard.wrap` takes it.
        questions: what it will be asked; other ones make other rows.
        rows: their file.
        resume: go on with that file.
        also_find: kinds that the policy finds besides (`Policy.also_find`).
        dtype: the number type that the model runs in.

    Raises:
        InputError: no checkpoint or base, or the rows of another run.
        UnsupportedHost: the model cannot be guarded.
    """
    loaded, tokenizer = load_host(model, dtype=dtype)
    guard = Guard.load(policy=Policy(also_find=frozenset(also_find)))
    asked = hashlib.blake2b(repr(questions).encode(), digest_size=8).hexdigest()
    wrapped = guard.wrap(loaded, tokenizer, base=base)
    settings = {
        "model": wrapped.adapter.fingerprint(tokenizer)["weights_sha256"], "base": base, "max_new_tokens": new_tokens,
        "bundle": guard.bundle.digest, "policy": guard.policy.digest_hex, "also_find": sorted(also_find), "questions": asked,
    }  # fmt: skip
    return Asker(wrapped, new_tokens, batch, say), Rows(rows, settings, resume)


def values(answer: Answer, plain: str) -> list[str | None]:
    """The text of each span of a guarded answer; None where nothing that was kept has it.

    A value that was let pass stands in the answer. The first one that was stopped stands in the unguarded answer, if both
    are the same before it. Later ones were said behind a redaction, and nobody kept them.
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
    """The characters of the model's answer that left as they were, by their place in it."""
    out, at = dict[int, str](), 0
    for piece in pieces:
        if not piece.replaced:
            out |= {piece.start + i: char for i, char in enumerate(text[at : at + piece.length])}
        at += piece.length
    return out


def _span(record: SpanRecord, value: str | None) -> Row:
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
