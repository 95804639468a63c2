"""Tells whether a client can infer who is in the training data from more than words, under `default` and `sealed`.

    python -m reticent_bench.proxy.sealed

The demo host is asked for one value each of people whose records it was trained on (*members*) and of people whom it
never met (*strangers*), by the same questions. A classifier of gradient-boosted trees gets what the client saw: times
of the first byte, the first text and the end, gaps, numbers and sizes of frames, `usage`, `finish_reason`. A second one
also gets the words without the person's name. Of the five folds, each holds all people of some phrasings.

The members' values are in the records index.

* The demo host in the process: its own answers, judged by the records and its hidden states.
* Before a server that gives members their own value and strangers a fresh one of the same make, a few characters at a
  time. Here all differences come from the sidecar.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import yaml
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict

from reticent.demo import assets
from reticent.records.index import RecordsIndex
from reticent_bench.proxy.load import free_port, ready
from reticent_bench.report.result import command_line, footer, provenance, show, table, write
from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.host.load import recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.people import Person
from reticent_detectors.synth.phrasings import PHRASINGS, Form

PRESETS = ("default", "sealed")
WAYS = ("the demo host in the process", "before a server")
_PIECE_CHARS, _PAUSE_SECONDS = 4, 0.01
_FOLDS, _RESAMPLES = 5, 500
_REASONS = ("stop", "length", "content_filter")


@dataclass(frozen=True)
class Question:
    """One question about one person."""

    person: Person
    entity: Entity
    text: str
    member: bool
    pair: int


@dataclass
class View:
    """What a client saw of one answer."""

    times: list[float]
    sizes: list[int]
    said: list[bool]
    text: str
    usage: dict[str, Any]
    reason: str

    def numbers(self) -> list[float]:
        """Everything but the words."""
        spoken = [time for time, said in zip(self.times, self.said, strict=True) if said] or [self.times[-1]]
        gaps = np.diff([0.0, *self.times])
        return [
            self.times[0],
            spoken[0],
            self.times[-1],
            float(gaps.mean()),
            float(gaps.max()),
            float(gaps.std()),
            len(self.times),
            sum(self.said),
            sum(self.sizes),
            max(self.sizes),
            float(self.usage.get("completion_tokens") or -1),
            float(_REASONS.index(self.reason) if self.reason in _REASONS else -1),
        ]


def questions(count: int, seed: int) -> list[Question]:
    """So many about members and as many about strangers, by the same phrasings, in random order."""
    rng, people = random.Random(f"sealed {seed}"), cast(recipe_of(assets() / "host"))
    members, strangers = rng.sample(people.private, count), rng.sample(people.unseen, count)
    out = []
    for pair, (member, stranger) in enumerate(zip(members, strangers, strict=True)):
        entity = rng.choice([each for each in PRIVACYXRAY if each in member.values])
        phrasing = rng.choice([each for each in PHRASINGS[entity] if each.form is not Form.COMPLETION])
        out += [Question(p, entity, phrasing.ask(p.name), p is member, pair) for p in (member, stranger)]
    rng.shuffle(out)
    return out


def ask(client: httpx.Client, question: Question, preset: str, more: dict[str, Any]) -> View:
    """One streamed answer."""
    body = {
        "stream": True, "stream_options": {"include_usage": True}, "temperature": 0, "max_tokens": 40,
        "messages": [{"role": "user", "content": question.text}], "reticent": {"policy": preset}, **more,
    }  # fmt: skip
    view = View([], [], [], "", {}, "")
    begun = time.perf_counter()
    with client.stream("POST", "/v1/chat/completions", json=body, headers={"x-request-id": "1"}) as response:
        response.raise_for_status()
        raw = b""
        for piece in response.iter_raw():
            now, raw = time.perf_counter() - begun, raw + piece
            *events, raw = raw.split(b"\n\n")
            for event in events:
                said = False
                if event.startswith(b"data: {"):
                    frame = json.loads(event[6:])
                    view.usage = frame.get("usage") or view.usage
                    for choice in frame["choices"]:
                        text = choice["delta"].get("content") or ""
                        view.text, said = view.text + text, bool(text)
                        view.reason = choice["finish_reason"] or view.reason
                view.times.append(now)
                view.sizes.append(len(event))
                view.said.append(said)
    return view


@contextmanager
def served(way: str, asked: Sequence[Question]) -> Iterator[httpx.Client]:
    """A client of the sidecar."""
    with tempfile.TemporaryDirectory() as name:
        folder, port, server = Path(name), free_port(), free_port()
        settings: dict[str, Any] = {
            "port": port,
            "metrics_port": None,
            "may_choose": list(PRESETS),
            "policies": {"sealed": {"preset": "sealed"}},
        }
        commands = []
        key = os.urandom(32)
        held = [(str(each.entity), each.person.values[each.entity]) for each in asked if each.member]
        RecordsIndex.build(held, key=key).save(folder / "index")
        (folder / "key").write_text(key.hex())
        (folder / "key").chmod(0o600)
        settings["records"] = {"index": str(folder / "index"), "key_file": str(folder / "key")}
        if way == WAYS[0]:
            demo = assets()
            settings["model"] = {"path": str(demo / "host"), "bundle": str(demo / "bundle"), "threads": 1}
        else:
            settings["upstream"] = {"url": f"http://127.0.0.1:{server}"}
            commands.append(["-m", "reticent_bench.proxy.load_upstream", str(server)])
        (folder / "settings.yaml").write_text(yaml.safe_dump(settings))
        commands.append(
            ["-c", "from reticent.commands.serve import app; app()", "--config", str(folder / "settings.yaml")]
        )
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
        started = [
            subprocess.Popen([sys.executable, *each], env=environment, stderr=subprocess.DEVNULL) for each in commands
        ]
        try:
            ready(port, "/healthz", 120)
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as client:
                yield client
        finally:
            for process in started:
                process.terminate()
                process.wait(20)


def asked_of(way: str, question: Question) -> dict[str, Any]:
    """What the request tells the server to say."""
    if way == WAYS[0]:
        return {}
    text = f"That would be {question.person.values[question.entity]}, as far as I know."
    pieces = [text[at : at + _PIECE_CHARS] for at in range(0, len(text), _PIECE_CHARS)]
    return {"says": pieces, "pause": _PAUSE_SECONDS}


def auc(features: Any, labels: Any, pairs: Any, seed: int) -> tuple[float, float, float]:
    """The classifier's, out of fold, with a bootstrap interval of 95 %."""
    folds = StratifiedGroupKFold(_FOLDS, shuffle=True, random_state=seed)
    model = GradientBoostingClassifier(n_estimators=100, max_depth=3, subsample=0.8, random_state=seed)
    scores = cross_val_predict(model, features, labels, groups=pairs, cv=folds, method="predict_proba")[:, 1]
    rng = np.random.default_rng(seed)
    drawn = [rng.integers(0, len(labels), len(labels)) for _ in range(_RESAMPLES)]
    low, high = np.quantile([roc_auc_score(labels[d], scores[d]) for d in drawn], [0.025, 0.975])
    return float(roc_auc_score(labels, scores)), float(low), float(high)


def without_name(text: str, person: Person) -> str:
    """The text without the person's name."""
    return re.sub("|".join(map(re.escape, person.name.split())), "NAME", text)


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """The figures by way and preset."""
    asked = questions(arguments.count, arguments.seed)
    labels, pairs = np.array([each.member for each in asked]), np.array([each.pair for each in asked])
    figures: dict[str, Any] = {}
    for way in arguments.ways or WAYS:
        views: dict[str, list[View]] = {}
        with served(way, asked) as client:
            for preset in PRESETS:  # one behind the other: what an answer leaves behind is the next one's to feel
                for question in asked[-5:]:  # warm
                    ask(client, question, preset, asked_of(way, question))
                views[preset] = [ask(client, question, preset, asked_of(way, question)) for question in asked]
        figures[way] = {}
        for preset, seen in views.items():
            numbers = np.array([view.numbers() for view in seen])
            texts = [without_name(view.text, each.person) for view, each in zip(seen, asked, strict=True)]
            words = CountVectorizer(token_pattern=r"\S+", min_df=3, binary=True).fit_transform(texts).toarray()
            both = np.concatenate([numbers, words], axis=1)
            figures[way][preset] = {
                "beside the words": auc(numbers, labels, pairs, arguments.seed),
                "everything": auc(both, labels, pairs, arguments.seed),
                "first text, median s": float(np.median(numbers[:, 1])),
                "whole answer, median s": float(np.median(numbers[:, 2])),
            } | {
                f"{column} alone": auc(numbers[:, [place]], labels, pairs, arguments.seed)
                for column, place in (("first text", 1), ("end", 2), ("frames", 6), ("bytes", 8), ("usage", 10))
            }
            print(way, preset, figures[way][preset], file=sys.stderr)
    return figures


def render(figures: dict[str, Any], arguments: argparse.Namespace) -> str:
    """The table as Markdown."""
    text = (
        "# Telling members from strangers\n\n"
        f"AUC of a classifier that sees what a client sees, with 95 % intervals: {arguments.count} members and "
        f"{arguments.count} strangers, one question each. 0.5 is chance; `sealed` owes at most 0.55. "
        "`default` states its figure beside it. Under `sealed` nothing is evened out but the judging: how long a "
        "hidden value is still shows in the time until its tag, and before a server in its `usage`, so a host that "
        "remembers longer values than it makes up would tell by that.\n\n"
    )
    rows = [[way, preset, *row.values()] for way, by in figures.items() for preset, row in by.items()]
    head = ["", "preset", *next(iter(next(iter(figures.values())).values()))]
    return text + table(head, [[show(tuple(cell) if isinstance(cell, list) else cell) for cell in row] for row in rows])


def main() -> None:
    """Measures and writes `sealed`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--ways", nargs="+", choices=WAYS)
    arguments = parser.parse_args()
    figures = measure(arguments)
    text = render(figures, arguments)
    figures["made_by"] = provenance(command_line(), arguments.seed)
    write(arguments.out, "sealed", figures, text + footer(figures))
    print(text)


if __name__ == "__main__":
    main()
