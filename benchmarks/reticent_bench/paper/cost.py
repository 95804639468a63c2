"""Section 6.6: what collecting, training and judging a value cost."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import onnxruntime
import torch

from reticent_bench.hosts.host_report import pairs, sample
from reticent_bench.paper import published
from reticent_bench.paper.before_after import asking_seconds
from reticent_bench.paper.detectors import Detector, Detectors
from reticent_bench.paper.hosted import Hosted, Outline
from reticent_bench.paper.prepare import SPEC
from reticent_bench.paper.section import Needs, Section
from reticent_bench.paper.variants import both
from reticent_bench.report.result import table
from reticent_detectors.bundle.export import to_onnx
from reticent_detectors.capture.name_swap_reading import read_under_other_names
from reticent_detectors.collection.collect import Reader
from reticent_detectors.collection.labels import Labeller
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import derive
from reticent_detectors.features.features import build_features, compare_names
from reticent_detectors.features.name_swap import NameSwapper
from reticent_detectors.finder import SIXTEEN, SpanFinder, tagger
from reticent_detectors.host.answers import answer_all
from reticent_detectors.host.load import load_host
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.phrasings import PhrasingSplit

QUESTIONS, ROUNDS, VERDICTS = 64, 3, 50
STAGES = {
    "asking": "answering, greedy",
    "finding": "finding values",
    "reading": "states of all layers, read again",
    "features": "features",
    "renamed": "other names",
}


def devices() -> list[str]:
    """Where it is timed."""
    return ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]


def stages(host: Hosted, device: str) -> dict[str, float]:
    """Milliseconds for each value of collecting values in batches, as `reticent collect` does: medians of some rounds.

    Empty if the host's answers hold no value.
    """
    model, tokenizer = load_host(host.folder, device)
    people = cast(host.outline.recipe)
    prompts = sample(pairs((*people.train, *people.test), True, people, PhrasingSplit.TAUGHT), QUESTIONS, 0)
    spec = replace(SPEC, k=host.outline.ranks, names=SPEC.names if "renamed" in host.outline.features else 0)
    reader = Reader(
        model, tokenizer, SpanFinder(SIXTEEN, tagger=tagger.shipped()), Labeller(people.private, people.unseen)
    )
    renamer = NameSwapper(tokenizer, spec.names, reader.adapter.context)
    took: dict[str, list[float]] = {stage: [] for stage in STAGES}
    count = 0

    @contextmanager
    def timed(stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        if device != "cpu":
            torch.cuda.synchronize(device)
        took[stage].append(1000 * (time.perf_counter() - start))

    for _ in range(1 + ROUNDS):
        with timed("asking"):
            answers = answer_all(model, tokenizer, prompts)
        with timed("finding"):
            found = reader.spans(prompts, answers)
        if not (count := len(found)):
            break
        wanted = [(each.row, each.tokens) for each in found]
        with timed("reading"):
            read = dict(reader.read(answers, wanted))
        states = [read[at] for at in range(count)]
        with timed("features"):
            build_features(reader.adapter, states, spec)
        if spec.names:
            parts = [(answers[row], at) for row, at in wanted]
            with timed("renamed"):
                texts = [renamer([*answer.prompt_ids, *answer.ids[: at.start]], len(at)) for answer, at in parts]
                tokens = [answer.ids[at.start : at.stop] for answer, at in parts]
                others = read_under_other_names(reader.taps, list(zip(texts, tokens, strict=True)))
                compare_names(states, others, spec)
    reader.taps.remove()
    # The first round is slow.
    return {stage: statistics.median(each[1:]) / count for stage, each in took.items() if len(each) > 1}


def verdict_milliseconds(detector: Detector, rows: FeatureTable) -> float:
    """The median time of judging one value with its features at hand, by onnxruntime on one thread, as in a guard."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(to_onnx(detector.network), options, providers=["CPUExecutionProvider"])
    features = derive(rows.features, rows.labels["entity"], detector.network.options.entities)
    took = []
    for at in range(min(VERDICTS, rows.rows)):
        one = {name: features[name][at : at + 1] for name in detector.network.inputs}
        start = time.perf_counter()
        session.run(["logit"], one)
        took.append(1000 * (time.perf_counter() - start))
    return statistics.median(took)


def measure(hosts: Sequence[Hosted], detectors: Detectors) -> dict[str, Any]:
    out: dict[str, Any] = {"hosts": {}, "paper": published.SECTION_6_6, "notes": []}
    for host in hosts:
        trained = {}
        for name, variant in both(host.outline.features).items():
            try:
                detector = detectors.of(host, variant)[0]
            except InputError as error:
                out["notes"].append(f"{host.name}, {name}: {error}")
                continue
            verdict = verdict_milliseconds(detector, variant.view(host.rows))
            trained[name] = {"training, s": detector.seconds, "training rows": detector.rows, "verdict, ms": verdict}
        out["hosts"][host.name] = {
            "parts": {device: stages(host, device) for device in devices()},
            "detectors": trained,
        }
    return out


def render(figures: Mapping[str, Any]) -> str:
    parts, detectors = [], []
    for name, by in figures["hosts"].items():
        parts += [[name, device, *[took.get(stage) for stage in STAGES]] for device, took in by["parts"].items()]
        detectors += [[name, detector, *each.values()] for detector, each in by["detectors"].items()]
    text = f"Milliseconds a value, in batches of {QUESTIONS} questions:\n\n"
    text += table(["host", "device", *STAGES.values()], parts)
    text += (
        "\nOne detector on the processor, trained, and asked about one value at a time with its features at hand:\n\n"
    )
    text += table(["host", "detector", "training, s", "training rows", "verdict, ms"], detectors)
    text += "\nThe paper's, in seconds on an A800:\n\n"
    text += table(["paper", "least", "most"], [[what, *reported] for what, reported in figures["paper"].items()])
    return text + "".join(f"\nNot trained: {note}\n" for note in figures["notes"])


def _needs(outlines: Sequence[Outline]) -> Needs:
    return [(host.name, variant) for host in outlines for variant in both(host.features).values()]


def _asking(folder: Path, device: str) -> float:
    # Reading again, with other names, takes about as long as answering.
    return sum(asking_seconds(folder, each, 2 * (1 + ROUNDS) * QUESTIONS) for each in devices())


COST = Section(
    "Section 6.6: cost",
    "A value is judged when it has been read: of what is asked again, states and features are what a guard computes "
    "while the host answers, and other names are read where the first verdict is in doubt. "
    "An em dash: not timed, or the answers hold no value.",
    _needs,
    measure,
    render,
    _asking,
)
