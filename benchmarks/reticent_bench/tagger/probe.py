"""Trains the probe of a host, and measures what it adds to the finder: `reticent probe`.

The host reads marked texts after their questions, as if it had said them: those that the tagger learned, and those that
are held out. The margins of the kinds are chosen on held-out texts. So the figures there are of margins that the other
half chose, and beside each stands the finder without the probe, by the same rule.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from reticent_bench.finder.find import default_finder
from reticent_bench.real_answers.marked import Marked
from reticent_bench.report.result import show, table
from reticent_bench.tagger.host_states import HostStates, Place, TextStates, load
from reticent_bench.tagger.margins import SETS, added_to, chosen, cross_fitted
from reticent_bench.tagger.samples import tags_of
from reticent_bench.tagger.sets import ANSWER_WEIGHT, OPENED_WEIGHTS, PHRASED_WEIGHT, QUESTION_WEIGHT, SEED, Sets
from reticent_detectors.finder.tagger import shipped
from reticent_detectors.long_runs.progress import Advance, unseen
from reticent_detectors.scoring.host_probe import HostProbe

HIDDEN, RATE, WARM, BATCH, EPOCHS = 256, 1.5e-3, 50, 512, 4.0
LOSSES = 100
"""Steps over which the loss that is shown is averaged."""
DEPTHS = (0.4, 0.6)
"""Depths of the layers that are read, as shares of all."""
NEGATIVES = 0.4
"""Share of words of no value that each pass reads; each counts so much more."""
SHARES = {
    ANSWER_WEIGHT: 1.0, QUESTION_WEIGHT: 0.8, PHRASED_WEIGHT: 0.3, 1.0: 0.35,
    **dict.fromkeys(OPENED_WEIGHTS.values(), 1.0),
}  # fmt: skip
"""Shares of the learned texts that are read, by their weight."""


def probed_layers(depth: int) -> list[int]:
    """Return the indices of the layers that are read of a host with so many."""
    return sorted({max(0, round(share * depth) - 1) for share in DEPTHS})


def read_texts(
    sets: Sets, host: HostStates, folder: Path, seconds: float, advance: Advance, settings: Mapping[str, Any]
) -> tuple[Path, Path]:
    """Have a host read the learned texts for some time, and all held-out ones; return the files of their states.

    Interrupted, the same call goes on. Raises InputError where the folder has states of other settings.
    """
    folder.mkdir(parents=True, exist_ok=True)
    learned, held = folder / "learned.jsonl", folder / "held.jsonl"
    texts = [
        (at, text) for at, (text, weight) in enumerate(sets.learned) if random.Random(at).random() < SHARES[weight]
    ]
    random.Random(SEED).shuffle(texts)
    host.keep(list(enumerate(chain.from_iterable(sets.held.values()))), held, float("inf"), advance, settings)
    host.keep(texts, learned, seconds, advance, settings)
    return learned, held


def make(
    sets: Sets, learned: Path, held: Path, layers: Sequence[int], advance: Advance = unseen
) -> tuple[HostProbe, dict[str, Any]]:
    """Train a probe on the states of files, and choose its margins; return it with its settings and figures."""
    texts = [text for text, _ in sets.learned]
    places, states = load(learned, len(layers))
    probe = train(texts, places, states, layers, advance)
    words = sum(len(place.words(texts[place.number].text)) for place in places)
    tags = read_held_out(probe, sets.held, *load(held, len(layers)))
    figures = measure(probe, sets.held, tags, advance)
    return probe, {"settings": {"layers": list(layers), "texts": len(places), "words": words}, "sets": figures}


class HeldTags:
    """What a probe says of a held-out text (`reticent_detectors.spans.StateTags`)."""

    def __init__(self, probe: HostProbe, tags: Mapping[Place, NDArray[np.float32]]) -> None:
        self._probe, self._tags = probe, tags

    @property
    def margins(self) -> Sequence[float]:
        """The probe's."""
        return self._probe.margins

    def __call__(self, text: str, words: Sequence[Place]) -> list[NDArray[np.float32] | None]:
        """Return the tags of words, by their places."""
        return [self._tags.get((start, end)) for start, end in words]


def train(
    texts: Sequence[Marked], places: Sequence[TextStates], states: NDArray[np.float16], layers: Sequence[int],
    advance: Advance = unseen, epochs: float = EPOCHS,
) -> HostProbe:  # fmt: skip
    """Train a probe on texts whose states [rows, D, d] were kept."""
    kinds = shipped().kinds
    number, rows, tags = {kind: at for at, kind in enumerate(kinds)}, list[Place](), list[int]()
    for place in places:
        words = place.words(texts[place.number].text)
        rows += [own for _, own in words]
        tags += tags_of([word for word, _ in words], texts[place.number].gold, number)
    row_at, tag_at = (each[np.array(tags) >= 0] for each in (np.array(rows), np.array(tags)))
    torch.manual_seed(SEED)
    probe, draw = HostProbe(kinds, layers, states.shape[-1], HIDDEN), np.random.default_rng(SEED)
    some = torch.from_numpy(states[np.sort(draw.choice(len(states), min(len(states), 100_000), replace=False))]).float()
    probe.mean, probe.scale = some.mean(0), some.std(0) + 1e-3
    optimizer = torch.optim.AdamW(probe.parameters(), lr=RATE, weight_decay=0.02)
    steps = max(1, int(epochs * ((tag_at > 0).sum() + NEGATIVES * (tag_at == 0).sum()) / BATCH))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min((s + 1) / WARM, max(0.0, 1 - s / steps)))
    order, losses = np.empty(0, np.int64), list[float]()
    probe.train()
    for step in range(steps):
        if len(order) < BATCH:
            order = draw.permutation(np.flatnonzero((tag_at > 0) | (draw.random(len(tag_at)) < NEGATIVES)))
        part, order = order[:BATCH], order[BATCH:]
        aims = torch.from_numpy(tag_at[part])
        inputs = nn.functional.dropout(probe.standardised(torch.from_numpy(states[row_at[part]])), 0.1)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            logits = probe.out(nn.functional.dropout(nn.functional.gelu(probe.inner(inputs)), 0.2))
        loss = nn.functional.cross_entropy(logits.float(), aims, reduction="none")
        loss = (loss * torch.where(aims > 0, 1.0, 1 / NEGATIVES)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(float(loss.detach()))
        advance("train", step + 1, steps, f"loss {sum(losses[-LOSSES:]) / len(losses[-LOSSES:]):.3f}")
    return probe.eval()


def read_held_out(
    probe: HostProbe, held: Mapping[str, Sequence[Marked]], places: Sequence[TextStates], states: NDArray[np.float16]
) -> dict[str, list[HeldTags]]:
    """Return what the probe says of each held-out text; they are numbered over all sets, in order."""
    texts = list(chain.from_iterable(held.values()))
    said = list[dict[Place, NDArray[np.float32]]]({} for _ in texts)
    for place in places:
        words = place.words(texts[place.number].text)
        if words:
            tags = probe.tags(torch.from_numpy(states[np.array([rows for _, rows in words])]))
            said[place.number] = dict(zip((word for word, _ in words), tags, strict=True))
    made = iter(said)
    return {name: [HeldTags(probe, next(made)) for _ in own] for name, own in held.items()}


def measure(
    probe: HostProbe, held: Mapping[str, Sequence[Marked]], tags: Mapping[str, Sequence[HeldTags]],
    advance: Advance = unseen,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """Return the figures of each set without the probe and with it, after the question, and set the probe's margins."""
    finder, network = default_finder(), shipped()
    advance("measure", 0, 4)
    alone = added_to(finder, network, network, held)
    advance("measure", 1, 4)
    joined = added_to(finder, network, probe, held, tags)
    advance("measure", 2, 4)
    without = cross_fitted(finder, network, held, alone, asked=True)
    advance("measure", 3, 4)
    beside = cross_fitted(finder, probe, held, joined, tags, asked=True)
    advance("measure", 4, 4)
    spans = chain.from_iterable(chain.from_iterable(joined.values()))
    probe.margins = tuple(chosen(spans, probe.kinds).values())
    return {name: {"whole": without[name], "whole and probe": beside[name]} for name in held}


def helps(made: Mapping[str, Any]) -> bool:
    """Tell whether the finder is no worse with the probe: by its F1, added up over the texts that margins rest on."""
    rows = [[own["F1"] or 0.0 for own in made["sets"][name].values()] for name in SETS]
    return sum(beside - without for without, beside in rows) >= 0


def render(made: Mapping[str, Any]) -> str:
    """Return the page."""
    keys = ("gold", "found", "precision", "recall", "F1", "met")
    rows = [
        [name, finder, *(show(own[key]) for key in keys)]
        for name, finders in made["sets"].items()
        for finder, own in finders.items()
    ]
    settings = made["settings"]
    return (
        f"# The probe on {settings['host']}\n\nA probe reads the host's states after layers "
        f"{' and '.join(str(layer + 1) for layer in settings['layers'])} of {settings['of']}, and decides with the "
        f"tagger. It learned {settings['texts']:,} texts ({settings['words']:,} words), which the host read as if it "
        "had said them. Each text is read after its question; counted as in [tagger](tagger.md). "
        "All margins: those of answers of real models and of unannounced texts were chosen on the other half of these "
        "two sets, those of other sets on both.\n\n"
        + table(["texts", "finder", "values", "found", "precision", "recall", "F1", "met"], rows)
    )
