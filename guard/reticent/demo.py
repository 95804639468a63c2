"""Asks a model that remembers synthetic people the same questions without and with its guard.

The model is the embedded host with its own detector, or a real one: SmolLM2 with an adapter that was taught people,
and the detector for any model.
"""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reticent_detectors.errors import InputError, MissingExtra

if TYPE_CHECKING:
    from reticent.huggingface.guarded_model import GuardedModel

ASSETS = "assets"
REAL = "smollm2"
"""Folder in the assets with the adapter of the real model, and the cases that were chosen with it."""
LONGEST = {"prose": 160}
"""Most tokens of an answer, by what its case shows. Others have `MOST_TOKENS`, or `REAL_TOKENS` of the real model."""
MOST_TOKENS, REAL_TOKENS = 64, 48


@dataclass(frozen=True, slots=True)
class Case:
    """Holds one prompt of the demo: what it shows, what is wanted, and values that its policy allows."""

    shows: str
    wanted: str
    messages: tuple[tuple[str, str], ...]
    text: str = ""
    allow: tuple[str, ...] = ()

    @property
    def prompt(self) -> str:
        return self.text or self.messages[-1][1]


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """Holds one case's outcome. Texts are about the demo's synthetic people."""

    shows: str
    wanted: str
    prompt: str
    unguarded: str
    guarded: str
    spans: tuple[dict[str, Any], ...]
    held_tokens: int
    guard_milliseconds: float
    host_milliseconds: float

    @property
    def intervened(self) -> bool:
        return any(span["action"] in ("redact", "block") for span in self.spans)


def assets() -> Path:
    """Gives the folder with the embedded host and its bundle.

    Raises:
        MissingExtra: the distribution that holds them, `reticent-demo`, is not installed.
    """
    folder = Path(str(files("reticent") / ASSETS))
    if not (folder / "host" / "config.json").is_file():
        raise MissingExtra("reticent-demo", "model")
    return folder


def cases(folder: Path) -> list[Case]:
    """Reads the demo's prompts."""
    rows = json.loads((folder / "demo.json").read_text())
    return [
        Case(
            row["shows"], row["wanted"], tuple((m[0], m[1]) for m in row.get("messages", ())), row.get("text", ""),
            tuple(row.get("allow", ())),
        )
        for row in rows
    ]  # fmt: skip


def embedded(folder: Path) -> GuardedModel:
    """Loads the embedded host of the assets behind its own detector."""
    import torch

    from reticent.guard import Guard
    from reticent_detectors.host.load import load_host

    torch.set_num_threads(1)  # a host this small is slower with more
    model, tokenizer = load_host(folder / "host")
    return Guard.load(folder / "bundle").wrap(model, tokenizer)


def real(folder: Path, checkpoint: Path) -> GuardedModel:
    """Loads a checkpoint with the adapter of `folder` (`assets() / REAL`), behind the detector for any model.

    Raises:
        InputError: the adapter is not there, or the checkpoint is not the model that it was trained on.
        MissingExtra: peft is not installed.
    """
    from reticent.guard import Guard
    from reticent_detectors.host.detached import MODEL, load_detached

    if not (folder / MODEL).is_file():
        raise InputError(f"{folder} holds no adapter; 'python -m reticent_bench.demo.adapter' writes one.")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*reticent calibrate")  # the command's first lines say so
        model, tokenizer = load_detached(folder, checkpoint)
        return Guard.load().wrap(model, tokenizer)


def ask(guard: GuardedModel, chosen: Sequence[Case], most_tokens: int = MOST_TOKENS) -> Iterator[CaseOutcome]:
    """Asks every case twice, greedily, without and with the guard, and yields the outcomes."""
    from reticent.huggingface.answer import Answer

    model, tokenizer = guard.model, guard.tokenizer
    for case in chosen:
        policy = guard.guard.policy.with_lists(allow=case.allow)
        if case.messages:
            ids = guard.chat_ids([{"role": role, "content": content} for role, content in case.messages])
        else:
            ids = guard.text_ids(case.text)
        options = {
            "do_sample": False,
            "max_new_tokens": LONGEST.get(case.shows, most_tokens),
            "pad_token_id": tokenizer.pad_token_id,
        }
        begun = time.perf_counter()
        plain = model.generate(input_ids=ids, attention_mask=ids.new_ones(ids.shape), **options)
        host_seconds = time.perf_counter() - begun
        answers: list[Answer] = []
        guard.generate(ids, policy=policy, on_answer=answers.append, **options)
        answer = answers[0]
        yield CaseOutcome(
            shows=case.shows,
            wanted=case.wanted,
            prompt=case.prompt,
            unguarded=tokenizer.decode(plain[0, ids.shape[1] :], skip_special_tokens=True),
            guarded=answer.text,
            spans=tuple(answer.report.as_dict()["spans"]),  # type: ignore[arg-type]
            held_tokens=answer.report.most_held_tokens,
            guard_milliseconds=1000 * answer.seconds,
            host_milliseconds=1000 * host_seconds,
        )


def as_json(row: CaseOutcome) -> str:
    """Writes an outcome as one line of JSON."""
    return json.dumps({**asdict(row), "intervened": row.intervened}, ensure_ascii=False)
