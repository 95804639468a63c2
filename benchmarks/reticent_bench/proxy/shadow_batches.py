"""What batches of waiting requests bring to the shadow: verdicts per second, in one pass and one by one.

    python -m reticent_bench.proxy.shadow_batches guard/reticent/assets --threads 1

Each request waits for one verdict at a time: eight spans of an answer, one after another, with 20 to 30 tokens between
them, after a prompt of 40 to 300 tokens. Then the next request follows. There are two hosts: the demo's (2 million
parameters), and one with random weights (58 million). Runs with and without batches take turns; medians over rounds.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM

from reticent.hosted.shadow import Shadow
from reticent.serve.api.chat import ChatFormat
from reticent.serve.judging.detector_protocols import SpanLocation
from reticent.serve.judging.token_alignment import ReceivedTokens, Token, TokenTrack
from reticent.serve.request_bounds import Bounds
from reticent.serve.settings import ShadowSettings
from reticent_bench.report.result import command_line, footer, provenance, table, write
from reticent_detectors.bundle.export import to_onnx
from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.detector.calibration import Calibration
from reticent_detectors.detector.network import DetectorNetwork, NetworkOptions
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.host.load import load_host

MODEL = "host"
SPANS = 8
WAITING = (1, 4, 16)
TOGETHER = 8
LARGE: dict[str, Any] = {
    "vocab_size": 16_384,
    "hidden_size": 512,
    "intermediate_size": 1408,
    "num_hidden_layers": 13,
    "num_attention_heads": 8,
    "num_key_value_heads": 8,
    "max_position_embeddings": 2048,
    "tie_word_embeddings": False,
}


def large_host(folder: Path, tokenizer: Any) -> tuple[Any, Bundle]:
    """A host with random weights, and a detector with random weights that fits it."""
    torch.manual_seed(0)
    ids = {name: getattr(tokenizer, name) for name in ("bos_token_id", "eos_token_id", "pad_token_id")}
    model = LlamaForCausalLM(LlamaConfig(**LARGE, **ids)).eval()
    adapter, spec = HostAdapter.attach(model, tokenizer), FeatureSpec()
    layers = adapter.num_layers
    network = DetectorNetwork(NetworkOptions(layers, spec.k))
    names, shapes = ("inter", "intra", "topk_prob", "token_prob", "pooled"), spec.shapes(layers)
    bundle = write_bundle(
        folder / "bundle",
        to_onnx(network),
        {
            "host": {"fingerprint": adapter.fingerprint(tokenizer), "behaviour": adapter.behaviour_print()},
            "features": {
                "inputs": list(network.inputs),
                "shapes": {name: list(shapes[name]) for name in names},
                "options": {name: getattr(spec, name) for name in spec.__slots__},
            },
            "calibration": Calibration(1.0, 0.0, 0.5, 0.5, {"0.05": 1.0}).to_json(),
            "training": {},
            "quality": {},
            "versions": {},
        },
    )
    return model, bundle


class Talker:
    """Requests of one client, one after another, each judged span by span."""

    def __init__(self, shadow: Shadow, tokenizer: Any, seed: int) -> None:
        self._shadow, self._tokenizer, self._random = shadow, tokenizer, random.Random(seed)
        self.seconds: list[float] = []

    def request(self) -> None:
        """One request: every span of its answer gets its verdict."""
        words = ["the", "desk", "asks", "which", "number", "to", "dial", "for", "a", "person"]
        question = " ".join(self._random.choices(words, k=self._random.randrange(10, 120)))
        body = {"model": MODEL, "messages": [{"role": "user", "content": question}]}
        judge = self._shadow.open(ChatFormat().parse_request(body, frozenset(), False, Bounds()))
        track, received, text = TokenTrack(), ReceivedTokens(), ""
        for _ in range(SPANS):
            value = f"202-555-{self._random.randrange(10_000):04}"
            piece = f"{' '.join(self._random.choices(words, k=8))} {value}"
            ids = self._tokenizer(piece, add_special_tokens=False)["input_ids"]
            for token in ids:
                shown = "".join(self._tokenizer.decode([token]).split()).encode()
                track.add_tokens([Token(shown, -0.1, -3.0, len(received.tokens))])
                received.tokens.append(token)
            track.add_text(piece)
            text += piece
            place = SpanLocation(0, "PHONE_NUMBER", len(text) - len(value), len(text), track, received, text, ())
            before = time.perf_counter()
            if judge.probability(place) is None:
                raise RuntimeError("expected a probability")
            self.seconds.append(time.perf_counter() - before)


def run(shadow: Shadow, tokenizer: Any, waiting: int, seconds: float) -> tuple[float, float, float]:
    """Verdicts per second with `waiting` requests, the median of their seconds, and processor seconds for each."""
    talkers = [Talker(shadow, tokenizer, seed) for seed in range(waiting)]
    until = time.perf_counter() + seconds
    failed: list[Exception] = []

    def talk(talker: Talker) -> None:
        try:
            while time.perf_counter() < until:
                talker.request()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=talk, args=(talker,)) for talker in talkers]
    started, worked = time.perf_counter(), time.process_time()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]
    every = [each for talker in talkers for each in talker.seconds]
    took, worked = time.perf_counter() - started, time.process_time() - worked
    return len(every) / took, statistics.median(every), worked / len(every)


def measure(assets: Path, seconds: float, rounds: int) -> list[dict[str, Any]]:
    """A row for each host and number of requests."""
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        small, tokenizer = load_host(assets / "host")
        large, bundle = large_host(Path(scratch), tokenizer)
        for name, model, detector in (("demo", small, Bundle.load(assets / "bundle")), ("random", large, bundle)):
            shadows = {
                batch: Shadow(
                    detector,
                    model,
                    tokenizer,
                    ShadowSettings(path=assets, bundle=assets, models=(MODEL,), logprobs=False, batch=batch),
                )
                for batch in (1, TOGETHER)
            }
            parameters = sum(weight.numel() for weight in model.parameters()) / 1e6
            for waiting in WAITING:
                got: dict[int, list[tuple[float, float, float]]] = {1: [], TOGETHER: []}
                for _ in range(rounds):
                    for batch, shadow in shadows.items():
                        got[batch].append(run(shadow, tokenizer, waiting, seconds))
                row = {"host": name, "parameters_millions": round(parameters, 1), "waiting": waiting}
                for batch, way in ((1, "one_by_one"), (TOGETHER, "together")):
                    rate, waited, worked = (statistics.median(each) for each in zip(*got[batch], strict=True))
                    row[f"{way}_per_second"], row[f"{way}_milliseconds"] = rate, 1000 * waited
                    row[f"{way}_processor_milliseconds"] = 1000 * worked
                row["gain"] = row["together_per_second"] / row["one_by_one_per_second"]
                row["processor_gain"] = (
                    row["one_by_one_processor_milliseconds"] / row["together_processor_milliseconds"]
                )
                rows.append(row)
            for shadow in shadows.values():
                shadow.close()
    return rows


def render(figures: dict[str, Any]) -> str:
    """The table as Markdown."""
    text = "# The shadow: waiting requests judged together\n\n"
    text += (
        "Verdicts per second, the median milliseconds that one is waited for, and the processor's milliseconds for "
        "each. The last two columns: how many times more verdicts a second, and how many times less of the "
        "processor's time.\n\n"
    )
    rows = [
        [
            threads,
            f"{row['host']}, {row['parameters_millions']} M",
            row["waiting"],
            *[
                f"{row[f'{way}_per_second']:.1f}; {row[f'{way}_milliseconds']:.0f}; "
                f"{row[f'{way}_processor_milliseconds']:.0f}"
                for way in ("one_by_one", "together")
            ],
            f"{row['gain']:.2f}",
            f"{row['processor_gain']:.2f}",
        ]
        for threads, part in figures["threads"].items()
        for row in part
    ]
    return text + table(
        ["threads", "host", "waiting", "one by one", f"up to {TOGETHER} together", "rate", "processor"], rows
    )


def main() -> None:
    """Measures and writes `shadow-batches`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assets", type=Path, help="the folder with the demo's host and bundle")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results"))
    arguments = parser.parse_args()
    figures: dict[str, Any] = {"threads": {}}
    for threads in arguments.threads:
        torch.set_num_threads(threads)
        figures["threads"][threads] = measure(arguments.assets, arguments.seconds, arguments.rounds)
    figures["made_by"] = provenance(command_line(), 0)
    text = render(figures)
    write(arguments.out, "shadow-batches", figures, text + footer(figures))
    print(text)


if __name__ == "__main__":
    main()
