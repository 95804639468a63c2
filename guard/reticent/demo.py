"""The embedded host, asked the same questions without and with its guard."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from reticent_detectors.errors import InputError

ASSETS = "assets"
LONGEST = {"prose": 160}


@dataclass(frozen=True, slots=True)
class Case:
    """One prompt of the demo: what it shows, what is wanted, and values that its policy allows."""

    shows: str
    wanted: str
    messages: tuple[tuple[str, str], ...]
    text: str = ""
    allow: tuple[str, ...] = ()

    @property
    def prompt(self) -> str:
        return self.text or self.messages[-1][1]


@dataclass(frozen=True, slots=True)
class Row:
    """One case's outcome. Texts are of the demo's synthetic people."""

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
    """The folder with the embedded host and its bundle.

    Raises:
        InputError: this installation has none.
    """
    folder = Path(str(files("reticent") / ASSETS))
    if not (folder / "host" / "config.json").is_file():
        raise InputError(
            f"{folder} holds no demo host. Install the released wheel or a full checkout, or make one with "
            "'reticent host train', 'reticent collect' and 'reticent train'."
        )
    return folder


def cases(folder: Path) -> list[Case]:
    """The demo's prompts."""
    rows = json.loads((folder / "demo.json").read_text())
    return [
        Case(
            row["shows"], row["wanted"], tuple((m[0], m[1]) for m in row.get("messages", ())), row.get("text", ""),
            tuple(row.get("allow", ())),
        )
        for row in rows
    ]  # fmt: skip


def run(folder: Path, chosen: Sequence[Case]) -> Iterator[Row]:
    """Asks every case twice, greedily, and yields what came out."""
    import torch

    from reticent.guard import Guard
    from reticent.run import Answer
    from reticent_detectors.host.load import load_host

    torch.set_num_threads(1)  # a host this small is slower with more
    model, tokenizer = load_host(folder / "host")
    guard = Guard.load(folder / "bundle").wrap(model, tokenizer)
    for case in chosen:
        policy = guard.guard.policy.with_lists(allow=case.allow)
        if case.messages:
            messages = [{"role": role, "content": content} for role, content in case.messages]
            encoded = tokenizer.apply_chat_template(
                messages, add_generation_prompt=True, return_tensors="pt", return_dict=True
            )
        else:
            encoded = tokenizer(f"{tokenizer.bos_token}{case.text}", add_special_tokens=False, return_tensors="pt")
        options = {
            "do_sample": False,
            "max_new_tokens": LONGEST.get(case.shows, 64),
            "pad_token_id": tokenizer.pad_token_id,
        }
        begun = time.perf_counter()
        plain = model.generate(input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"], **options)
        host_seconds = time.perf_counter() - begun
        answers: list[Answer] = []
        guard.generate(encoded["input_ids"], policy=policy, on_answer=answers.append, **options)
        answer = answers[0]
        yield Row(
            shows=case.shows,
            wanted=case.wanted,
            prompt=case.prompt,
            unguarded=tokenizer.decode(plain[0, encoded["input_ids"].shape[1] :], skip_special_tokens=True),
            guarded=answer.text,
            spans=tuple(answer.report.as_dict()["spans"]),  # type: ignore[arg-type]
            held_tokens=answer.report.most_held_tokens,
            guard_milliseconds=1000 * answer.seconds,
            host_milliseconds=1000 * host_seconds,
        )


def as_json(row: Row) -> str:
    """One line for machines."""
    return json.dumps({**asdict(row), "intervened": row.intervened}, ensure_ascii=False)
