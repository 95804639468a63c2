"""Compares the guard inside vLLM with the guard around the same model in transformers, on vLLM's own answers.

    python -m reticent_bench.engines.inside_vllm --model runs/models/smollm2-135m-instruct --adapter runs/copies/taught

vLLM serves the model and its LoRA adapter in float32, with `reticent.integrations.vllm.GuardMiddleware`. The policy
monitors: it decides and changes nothing. Each prompt names a policy of its own, whose digest stands in the decision log
and so tells which decisions are of which answer. Afterwards the guard in transformers reads each answer again, by its
token ids, and both have to find the same spans with the same probabilities and actions.

Half of the prompts are about people whom the adapter was taught, half about people whom it was not.

With `--bundle` and without an adapter the model itself is asked about its own people. A bundle that reads hidden states
gets them from `reticent.integrations.vllm_worker.GuardWorker`.

With `--structured` answers are JSON by a schema (`response_format`), behind whose mask vLLM tells log-probabilities.

With `--no-prefix-cache` each number of requests at a time is measured twice: with a cache of prefixes and prompts read
in pieces (chunked prefill), and without either.

The table is written after each configuration. The same command at the same commit goes on behind the last one.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from reticent.guard import Guard
from reticent.policy.loading import policy_from
from reticent.policy.policy import Policy
from reticent.serve.judging.detector_protocols import WithBundle
from reticent.shipped import default_bundle
from reticent_bench.engines.servers import Server
from reticent_bench.engines.vllm_start import (
    CONTEXT,
    EAGER,
    LONGEST,
    TAUGHT,
    Launch,
    guarded,
    launch_of,
    parser_of,
    policies,
)
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.prompts import Prompt, probes

NEW_TOKENS = 48
MOST_WORDINGS = 4
"""Questions about one value at most. With few people, one for each value is not enough."""
AGREE = 1e-3
"""Largest difference of two probabilities that counts as none."""
UNLIKE = "unlike"
"""The entry of the figures that names the spans on which the guards do not agree, without their text."""
STRUCTURED: Mapping[str, Any] = {
    "type": "json_schema",
    "json_schema": {
        "name": "answer",
        "schema": {
            "type": "object",
            "properties": {"answer": {"type": "string"}},
            "required": ["answer"],
            "additionalProperties": False,
        },
    },
}
"""The `response_format` of structured outputs: a JSON object with one text."""
CHUNK = 64
"""Tokens that one step may read where prompts are read in pieces. It must not be below the requests at a time."""


class Configuration(NamedTuple):
    """How vLLM runs: requests at a time, whether it shares and cuts prompts, and processes that share a layer."""

    at_once: int
    shares_and_cuts: bool
    ranks: int = 1

    @property
    def options(self) -> tuple[str, ...]:
        """Gives the options of vLLM's command."""
        ranks = ("--tensor-parallel-size", str(self.ranks))
        if self.shares_and_cuts:
            return (
                *ranks,
                "--enable-prefix-caching",
                "--enable-chunked-prefill",
                "--max-num-batched-tokens",
                str(CHUNK),
            )
        whole = ("--max-num-batched-tokens", str(4 * CONTEXT))
        return (*ranks, "--no-enable-prefix-caching", "--no-enable-chunked-prefill", *whole)

    def row(self) -> dict[str, Any]:
        """Gives the first columns of its row."""
        shared = "on" if self.shares_and_cuts else "off"
        return {"at once": self.at_once, "prefix cache, chunked prefill": shared, "ranks": self.ranks}


@dataclass(frozen=True)
class Row:
    """A decision, by what both guards say of it."""

    entity: str
    start: int
    end: int
    origin: str
    action: str
    probability: float | None
    base: float | None


AnswerKey = tuple[Prompt, tuple[int, ...], bool]
"""An answer: the prompt, its token ids, and whether vLLM ended it."""


@dataclass(frozen=True)
class JudgedAnswer:
    """A prompt, the ids of its answer, whether vLLM ended it, and what the guard inside vLLM decided."""

    prompt: Prompt
    ids: tuple[int, ...]
    ended: bool
    rows: tuple[Row, ...]

    def __repr__(self) -> str:
        return f"JudgedAnswer({len(self.ids)} tokens, {len(self.rows)} spans)"

    @property
    def key(self) -> AnswerKey:
        """Gives what of it the guard in transformers reads again."""
        return self.prompt, self.ids, self.ended


def prompts_of(taught: Path, count: int, seed: int) -> list[Prompt]:
    """Questions in chats about people of the recipe of an adapter or model, half of them taught."""
    people = cast(recipe_of(taught))
    rng, out = random.Random(seed), list[Prompt]()
    for group in (people.private, people.unseen):
        rows, wordings = list[Prompt](), 0
        while len(rows) < count // 2 and wordings < MOST_WORDINGS:
            wordings += 1
            rows = [prompt for prompt in probes(group, "test", wordings, seed) if prompt.messages]
        out += rng.sample(rows, min(len(rows), count // 2))
    return out


def ask_all(
    server: Server, prompts: Sequence[Prompt], at_once: int, structured: bool = False
) -> list[tuple[tuple[int, ...], bool]]:
    """The ids of each answer, and whether vLLM ended it."""
    response_format = {"response_format": STRUCTURED} if structured else {}

    def ask(number: int) -> tuple[tuple[int, ...], bool]:
        messages = [{"role": role, "content": content} for role, content in prompts[number].messages]
        body = {
            "model": TAUGHT, "messages": messages, "temperature": 0, "max_tokens": NEW_TOKENS,
            "return_token_ids": True, "reticent": {"policy": f"p{number}"}, **response_format,
        }  # fmt: skip
        response = client.post("/v1/chat/completions", json=body)
        response.raise_for_status()
        choice = response.json()["choices"][0]
        return tuple(choice["token_ids"]), choice["finish_reason"] == "stop"

    own = httpx.Client(base_url=server.url, timeout=LONGEST, trust_env=False)
    with own as client, ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(ask, range(len(prompts))))


def measure(
    model: Path,
    adapter: Path | None,
    prompts: Sequence[Prompt],
    at_once: int,
    options: Sequence[str],
    launch: Launch = EAGER,
    bundle: Path | None = None,
    structured: bool = False,
) -> tuple[list[JudgedAnswer], list[Policy]]:
    """Asks vLLM with the guard inside. Returns what it answered and decided, and the policy of each prompt."""
    detector = WithBundle(Bundle.load(bundle or default_bundle()))
    each = [detector.with_thresholds(policy_from(data)) for data in policies(len(prompts)).values()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with guarded(model, adapter, folder, len(prompts), options, launch=launch, bundle=bundle) as server:
            answers = ask_all(server, prompts, at_once, structured)
        decided = defaultdict[str, list[Row]](list)
        for line in (folder / "decisions.jsonl").read_text().splitlines():
            row = json.loads(line)
            if row.get("kind") == "decision":
                decided[row["policy"]].append(_logged(row))
    asked = [
        JudgedAnswer(prompt, ids, ended, tuple(decided[policy.digest_hex]))
        for prompt, (ids, ended), policy in zip(prompts, answers, each, strict=True)
    ]
    return asked, each


def _logged(row: Mapping[str, Any]) -> Row:
    action = row["would"] or row["action"]
    return Row(row["entity"], row["start"], row["end"], row["origin"], action, row["probability"], row["base"])


def reread(
    taught: Path,
    asked: Sequence[JudgedAnswer],
    each: Sequence[Policy],
    known: dict[AnswerKey, tuple[Row, ...]] | None = None,
    bundle: Path | None = None,
    base: str = "adapter",
) -> list[tuple[Row, ...]]:
    """What the guard around the model in transformers decides about the same answers.

    Args:
        taught: the model's adapter, or the model.
        asked: the answers.
        each: the policy of each answer. They differ in how much may be held back, which changes no decision.
        known: what it decided about answers that it read before; new ones are added.
        bundle: its bundle, if not the default one.
        base: its base.
    """
    known = {} if known is None else known
    guarded_model = Guard.load(bundle or default_bundle()).wrap(*load_host(taught), base=base)
    try:
        for one, policy in zip(asked, each, strict=True):
            if one.key in known:
                continue
            messages = [{"role": role, "content": content} for role, content in one.prompt.messages]
            spans = guarded_model.inspect(messages, list(one.ids), policy=policy, ended=one.ended).report.spans
            known[one.key] = tuple(
                Row(
                    str(span.entity), span.start, span.end, str(span.decision.verdict.origin),
                    str(span.decision.monitored_action or span.decision.action),
                    span.decision.verdict.probability, span.decision.verdict.base,
                )
                for span in spans
            )  # fmt: skip
    finally:
        guarded_model.close()
    return [known[one.key] for one in asked]


def compare(asked: Sequence[JudgedAnswer], theirs: Sequence[Sequence[Row]]) -> dict[str, Any]:
    """Counts on which the guards agree, gives the largest differences, and names the spans that are not alike."""
    spans = same = close = 0
    most = {"probability": 0.0, "base": 0.0}
    unknown = {"inside": 0, "around": 0}
    unlike: list[dict[str, Any]] = []
    for number, (one, other) in enumerate(zip(asked, theirs, strict=True)):
        inside = {(row.entity, row.start, row.end): row for row in one.rows}
        around = {(row.entity, row.start, row.end): row for row in other}
        spans += len(inside.keys() | around.keys())
        for place in sorted(inside.keys() | around.keys()):
            mine, yours = inside.get(place), around.get(place)
            pair = {"inside": _said(mine), "around": _said(yours)}
            if mine is None or yours is None:
                unlike.append({"prompt": number, "entity": place[0], "start": place[1], **pair})
                continue
            same += (mine.action, mine.origin) == (yours.action, yours.origin)
            unknown["inside"] += mine.probability is None
            unknown["around"] += yours.probability is None
            apart = _apart(mine.probability, yours.probability)
            close += apart <= AGREE
            if apart > AGREE or (mine.action, mine.origin) != (yours.action, yours.origin):
                unlike.append({"prompt": number, "entity": place[0], "start": place[1], **pair})
            most["probability"] = max(most["probability"], apart)
            if mine.base is not None and yours.base is not None:
                most["base"] = max(most["base"], abs(mine.base - yours.base))
    return {
        "answers": len(asked), "spans": spans, "same action and origin": same, "probabilities agree": close,
        "largest difference of probabilities": most["probability"],
        "largest difference under the base, nats": most["base"],
        "without a probability inside": unknown["inside"], "without one around": unknown["around"], UNLIKE: unlike,
    }  # fmt: skip


def _said(row: Row | None) -> list[Any] | None:
    """Gives what one guard says of a span, or None if it found none there."""
    return None if row is None else [row.origin, row.action, row.probability]


def _apart(one: float | None, other: float | None) -> float:
    if one is None or other is None:
        return 0.0 if one is other else 1.0
    return abs(one - other)


def save(out: Path, name: str, figures: dict[str, Any]) -> None:
    """Writes what has been measured so far."""
    names = [name for name in figures["configurations"][0] if name != UNLIKE]
    rows = [
        [f"{row[name]:.1e}" if name.startswith("largest") else row[name] for name in names]
        for row in figures["configurations"]
    ]
    text = (
        "# The guard inside vLLM beside the guard in transformers\n\n"
        f"vLLM {figures['made_by']['vllm']}, {figures['mode']}, answers about taught people and strangers, "
        f"{NEW_TOKENS} tokens at most, greedy, float32, and judges its answers inside its API process. The guard "
        "around the model in transformers reads the same answers again, equal ones once. "
        f"Probabilities agree within {AGREE:g}.\n\n"
    ) + table(names, rows)
    write(out, name, figures, text + footer(figures))
    print(text, flush=True)


def measured_before(out: Path, name: str, made_by: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Gives the rows that the same command wrote, with the same code and versions. None of any other run."""
    file = out / f"{name}.json"
    if not file.exists() or "with changes" in made_by["commit"]:
        return []
    figures = json.loads(file.read_text())
    same = {**figures["made_by"], "date": made_by["date"]} == made_by
    return list(figures["configurations"]) if same else []


def main() -> None:
    """Measures and writes the table."""
    parser = parser_of(__doc__, needs_adapter=False)
    parser.add_argument("--bundle", type=Path, help="the detector's bundle; default: the one for any model")
    parser.add_argument("--prompts", type=int, default=60)
    parser.add_argument("--at-once", type=int, nargs="+", default=[1, 8], help="requests at a time")
    parser.add_argument(
        "--no-prefix-cache", action="store_true", help="also without a cache of prefixes and chunked prefill"
    )
    parser.add_argument("--structured", action="store_true", help="answers are JSON by a schema")
    parser.add_argument("--ranks", type=int, default=1, help="processes that share each layer (tensor parallelism)")
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    parser.add_argument("--name", default="inside-vllm")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    taught, base = arguments.adapter or arguments.model, "self" if arguments.adapter is None else "adapter"
    prompts = prompts_of(taught, arguments.prompts, arguments.seed)
    launch = launch_of(arguments)
    engine = launch.engine()
    made_by = {**provenance(command_line(), arguments.seed), "vllm": engine.version(engine.distribution)}
    rows = measured_before(arguments.out, arguments.name, made_by)
    mode = f"{launch.mode}, answers in JSON by a schema" if arguments.structured else launch.mode
    figures: dict[str, Any] = {"configurations": rows, "mode": mode, "made_by": made_by}
    known: dict[AnswerKey, tuple[Row, ...]] = {}
    for at_once in arguments.at_once:
        for shares_and_cuts in (True, False) if arguments.no_prefix_cache else (True,):
            configuration = Configuration(at_once, shares_and_cuts, arguments.ranks)
            if any(configuration.row().items() <= row.items() for row in rows):
                continue
            files = (arguments.model, arguments.adapter)
            asked, each = measure(
                *files, prompts, at_once, configuration.options, launch, arguments.bundle, arguments.structured
            )
            found = compare(asked, reread(taught, asked, each, known, arguments.bundle, base))
            figures["configurations"].append({**configuration.row(), **found})
            save(arguments.out, arguments.name, figures)


if __name__ == "__main__":
    main()
