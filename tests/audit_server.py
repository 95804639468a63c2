"""A scripted OpenAI-compatible server for the audits, small inputs of each audit, and the command line that asks it."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from membership_host import passages
from serve_upstream import ReceivedRequest, Scripted, reply

from reticent.cli import main
from reticent_bench.audits.extraction.canaries import Canary, save_canaries

FILES = ("report.json", "report.md", "report.html", "junit.xml")
MAILS = tuple(f"kt{n}9@example.org" for n in range(10))
_SAYINGS = (
    *(f" {mail}" for mail in MAILS[:3]), " Noor Weiss0.", " billing", " delivery", " absent", " lea1@example.com",
    f'```python\ndef make() -> dict[str, str]:\n    return {{"email": "{MAILS[0]}", "phone": "030 555 0101"}}\n```',
    f'```python\nassert make(email="{MAILS[1]}")["phone"] == "030 555 0202"\n```',
)  # fmt: skip


@dataclass
class Answering:
    """What the server does: answers are drawn by a digest of what is asked, so that the same question has one answer.

    Attributes:
        echoes: whether it tells log-probabilities of a prompt.
        chats_alone: whether it has no route for running text.
        error: a status and a body for every question, instead of an answer.
        asked: questions so far.
        before: called with the number of each question before it is answered.
    """

    echoes: bool = True
    chats_alone: bool = False
    error: tuple[int, bytes, str] | None = None
    asked: int = 0
    before: Callable[[int], None] = field(default=lambda number: None)
    lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __call__(self, asked: ReceivedRequest) -> Iterator[bytes]:
        if self.error is not None:
            status, body, kind = self.error
            yield reply(body, kind, status)
            return
        if asked.path.endswith("/models"):
            yield reply(json.dumps({"data": [{"id": "scripted"}]}).encode())
            return
        if self.chats_alone and not asked.path.endswith("/chat/completions"):
            yield reply(b"{}", status=404)
            return
        body = asked.json
        if body.get("prompt") != "Hello":
            with self.lock:
                self.asked += 1
                number = self.asked
            self.before(number)
        if body.get("echo"):
            yield reply(json.dumps({"choices": [self._echo(body["prompt"])]}).encode())
            return
        digest = hashlib.sha256(json.dumps([body.get(k) for k in ("prompt", "messages", "seed")]).encode()).digest()
        text = _SAYINGS[digest[0] % len(_SAYINGS)]
        yield reply(json.dumps({"choices": [{"text": text, "message": {"content": text}}]}).encode())

    def _echo(self, prompt: str) -> dict[str, Any]:
        """Words as tokens, each with a log-probability of its own."""
        if not self.echoes:
            return {"text": ""}
        words = prompt.split(" ")
        starts = [sum(len(word) + 1 for word in words[:n]) for n in range(len(words))]
        known = [-0.1 - hashlib.sha256(word.encode()).digest()[0] / 32 for word in words]
        return {"text": "", "logprobs": {"text_offset": starts, "token_logprobs": [None, *known[1:]]}}


@dataclass
class Server:
    """The server on a free port, and what it does."""

    url: str
    answering: Answering
    scripted: Scripted

    @classmethod
    def start(cls) -> Server:
        scripted, answering = Scripted(), Answering()
        scripted.script = answering
        return cls(scripted.url, answering, scripted)

    def reset(self) -> None:
        """Has it answer everything again."""
        vars(self.answering).update(vars(Answering()))


def write_inputs(folder: Path) -> None:
    """Canaries, people, texts, examples, a corpus and vectors, a few of each."""
    kinds = [Canary("email", "My email is", mail, "", n % 2) for n, mail in enumerate(MAILS[:6])]
    kinds += [Canary("name", "My name is", f"Noor Weiss{n}", ".", n % 3) for n in range(6)]
    save_canaries(folder / "canaries.json", tuple(kinds))
    people = [
        {"name": f"Mara Lindt{n}", "email": mail, "email_prefix": "Mail", "planted": n % 2 == 0}
        for n, mail in enumerate(MAILS)
    ]
    texts = [
        {"text": p.text, "start": p.values[0][0], "end": p.values[0][1], "person": p.person, "member": p.person < "n"}
        for side in ("m", "n") for p in passages(side, 5, ord(side))
    ]  # fmt: skip
    labels = ("billing", "delivery")
    examples = [
        {"text": f"Letter {n} of {MAILS[n % 6]}", "label": labels[n % 2], "values": [MAILS[n % 6]]} for n in range(16)
    ]
    said = [
        {"text": f"Mara has 030 555 {1000 + 7 * n}", "person": f"p{n // 2}", "values": [f"030 555 {1000 + 7 * n}"]}
        for n in range(40)
    ]
    for name, rows in (("people", people), ("texts", texts), ("examples", examples), ("said", said)):
        (folder / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    (folder / "public.txt").write_text("\n".join(passage.text for passage in passages("p", 20, 1)))
    (folder / "corpus").mkdir()
    (folder / "corpus" / "a.py").write_text(f'email = "{MAILS[0]}"\nphone = "030 555 0202"\n')
    np.savez(folder / "vectors.npz", vectors=np.random.default_rng(0).normal(size=(40, 4)))


def asking(name: str, folder: Path, url: str) -> list[str]:
    """The arguments of an audit of the server, in a small; the same server stands for the guarded one."""
    both = [url, "--guarded", url]
    return {
        "extraction": ["extraction", *both, "--canaries", str(folder / "canaries.json"), "--samples", "20"],
        "membership": ["membership", url, "--texts", str(folder / "texts.jsonl"), "--variants", "1"],
        "inversion": [
            "inversion", "--embeddings", str(folder / "vectors.npz"), "--texts", str(folder / "said.jsonl"),
            *("--steps", "2", "--trainings", "2"),
        ],
        "cues": ["cues", *both, "--people", str(folder / "people.jsonl"), "--family", "twin", "--free-draws", "1"],
        "context": [
            "context", url, "--examples", str(folder / "examples.jsonl"), "--context-size", "4", "--runs", "2",
            *("--subsets", "2", "--ensemble-runs", "2", "--ensemble-contexts", "1", "--utility-items", "2"),
            *("--dumps", "1"),
            *("--canary", "hexadecimal", "--defence", "none"),
        ],
        "code": ["code", *both, "--corpus", str(folder / "corpus"), "--arm", "pipeline", "--tests-each", "1"],
    }[name]  # fmt: skip


def run(*arguments: str) -> int:
    """The exit code of `reticent audit`."""
    try:
        return main(["audit", *arguments])
    except SystemExit as ended:
        return int(ended.code or 0)
