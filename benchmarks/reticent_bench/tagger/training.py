"""Train the reader on marked texts, and resumes after any interruption.

python -m reticent_bench.tagger.training CHECKPOINT FOLDER --epochs 6
"""

from __future__ import annotations

import argparse
import contextlib
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.marked import Marked
from reticent_bench.tagger.figures import figures
from reticent_bench.tagger.network import from_checkpoint
from reticent_bench.tagger.samples import NO_TAG, SENTENCE, WHOLE, batch, pools, sample, spans_of, tags_of, varied
from reticent_bench.tagger.sets import Sets, plain_texts, read_sets
from reticent_bench.tagger.shipped_weights import is_shipped, reader_of
from reticent_bench.tagger.vocabulary import fewer, load_pieces, save_pieces
from reticent_detectors.errors import InputError
from reticent_detectors.finder.tagger.pieces import Pieces

PIECES, LEAST = 24_000, 15
TOKENS = 2_048
"""Pieces of a step, about."""
RATE, HEAD_RATE, WARM = 2e-4, 5.0, 0.05
"""Of the layers; of the tags, as a multiple of it; and the share of steps until the highest is reached."""
SWAPPED, ASKED, SMALL = 0.35, 0.5, 0.04
"""Shares of values that others replace, of questions that are read, and of texts in small letters."""
WIDTHS = (8, 8, 8, SENTENCE, SENTENCE, WHOLE)
"""Widths of segments, drawn for each step."""
SAVED_AFTER = 240.0
LOOKED_AFTER, FEWER = 400, 5
"""Steps between figures, which are of each so many-th held-out text until the end."""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkpoint", type=Path, help="folder of multilingual-e5-small, or of the finder's own files")
    parser.add_argument("folder", type=Path, help="where the run is kept")
    parser.add_argument("--epochs", type=float, default=6.0)
    parser.add_argument("--rate", type=float, default=RATE, help="highest learning rate of the layers")
    parser.add_argument("--layers", type=int, default=3, help="lower layers of the encoder that are kept")
    parser.add_argument("--benchmarks", type=Path, default=Path("benchmarks"), help="folder of the marked texts")
    parser.add_argument("--data", type=Path, help="folder of plain texts, whose pieces are kept as well")
    parser.add_argument("--device", default="cpu")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    sets = read_sets(args.benchmarks)
    plain = plain_texts(args.data) if args.data else ()
    run = Run(args.checkpoint, args.folder, sets, plain, args.device, args.layers)
    run.train(args.epochs, lambda line: print(time.strftime("%H:%M:%S"), line, flush=True), args.rate)


class Run:
    """A training run in a folder: its vocabulary, its kinds, its last state, and a log of its figures."""

    def __init__(
        self, checkpoint: Path, folder: Path, sets: Sets, plain: Sequence[str], device: str, layers: int
    ) -> None:
        self.folder, self.sets, self.device = folder, sets, device
        if is_shipped(checkpoint):
            self.net, self.pieces, self.kinds = reader_of(checkpoint)
            self.net.to(device)
            save_pieces(self.pieces, folder / "pieces.json")
            return
        counted = Counter(span.kind for text, _ in sets.learned for span in text.gold)
        self.kinds = sorted(kind for kind, count in counted.items() if count >= LEAST)
        file = folder / "pieces.json"
        if not file.exists():
            texts = [t for each, _ in sets.learned for t in (each.text, each.question)] * 3
            pieces, rows = fewer(checkpoint, [*texts, *plain], PIECES)
            np.save(folder / "rows.npy", rows)
            save_pieces(pieces, file)
        self.pieces, rows = load_pieces(file), np.load(folder / "rows.npy")
        self.net = from_checkpoint(checkpoint, rows, 1 + 2 * len(self.kinds), layers).to(device)

    def train(self, epochs: float, say: Callable[[str], None], rate: float = RATE) -> None:
        """Train for so many passes, weighted; go on where the folder's last state stands.

        Raises:
            InputError: that state is of texts of other kinds.
        """
        learned = [text for text, _ in self.sets.learned]
        weights = np.array([weight for _, weight in self.sets.learned])
        pool, number = pools(learned), {kind: place for place, kind in enumerate(self.kinds)}
        lengths = np.array([len(text.text) / 4 + 8 for text in learned])
        steps = int(epochs * float((weights * lengths).sum()) / TOKENS)
        body = [p for n, p in self.net.named_parameters() if p.requires_grad and not n.startswith("out.")]
        optimizer = torch.optim.AdamW(
            [{"params": body, "lr": rate}, {"params": self.net.out.parameters(), "lr": rate * HEAD_RATE}],
            weight_decay=0.01,
        )
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: _rate(s, steps))
        state, first = self.folder / "state.pt", 0
        if state.exists():
            kept = torch.load(state, map_location=self.device, weights_only=True)
            if kept["kinds"] != self.kinds:
                raise InputError(f"{state} was trained on texts of other kinds; give the run a folder of its own.")
            self.net.load_state_dict(kept["net"])
            optimizer.load_state_dict(kept["optimizer"])
            schedule.load_state_dict(kept["schedule"])
            first = kept["step"]
        say(f"{len(learned)} texts, {len(self.kinds)} kinds, {len(self.pieces)} pieces; steps {first} of {steps}")
        self.net.train()
        losses, saved = list[float](), time.monotonic()
        for step in range(first, steps):
            rng = random.Random(step)
            torch.manual_seed(step)
            loss = self._loss(_drawn(learned, weights, lengths, step), pool, number, rng)
            loss.backward()
            nn.utils.clip_grad_norm_(body, 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            losses.append(float(loss.detach()))
            last = step + 1 == steps
            if (step + 1) % 50 == 0 or last:
                say(f"step {step + 1} of {steps}, loss {sum(losses) / len(losses):.4f}")
                losses.clear()
            if time.monotonic() - saved > SAVED_AFTER or last:
                kept = {"net": self.net.state_dict(), "kinds": self.kinds, "optimizer": optimizer.state_dict(),
                        "schedule": schedule.state_dict(), "step": step + 1}  # fmt: skip
                torch.save(kept, self.folder / "new.pt")
                (self.folder / "new.pt").replace(state)
                saved = time.monotonic()
            if (step + 1) % LOOKED_AFTER == 0 or last:
                for line in self.figures(1 if last else FEWER):
                    say(line)
                self.net.train()

    def _loss(self, texts: list[Marked], pool: Any, number: dict[str, int], rng: random.Random) -> torch.Tensor:
        most, samples, tags = rng.choice(WIDTHS), [], []
        for text in texts:
            own = varied(text, pool, SWAPPED, rng)
            if rng.random() < SMALL and len(own.text.lower()) == len(own.text):
                own = Marked(own.question, own.text.lower(), own.gold, own.left)
            question = own.question if rng.random() < ASKED else ""
            made, aims = _aimed(self.pieces, own, question, most, number)
            samples.append(made)
            tags.append(aims)
        pieces, segments, asked, aims_ = (part.to(self.device) for part in batch(samples, tags))
        with _half(self.device):
            logits = self.net(pieces, segments, asked)
        return nn.functional.cross_entropy(logits.float().flatten(0, 1), aims_.flatten(), ignore_index=NO_TAG)

    def figures(self, each: int = 1) -> Iterator[str]:
        """F1 by overlap on each so many-th held-out text, with and without the question, by widths of segments."""
        self.net.eval()
        for name, all_ in self.sets.held.items():
            texts = all_[::each]
            for most in (8, SENTENCE, WHOLE) if each == 1 else (8, WHOLE):
                for asked in (False, True):
                    found = [self.read(text.text, text.question if asked else "", most) for text in texts]
                    door = "asked" if asked else "text alone"
                    yield f"{name}, width {most}, {door}: {_figure(texts, found)}"

    @torch.no_grad()
    def read(self, text: str, question: str = "", most: int = SENTENCE) -> list[Gold]:
        """The spans that the network finds in a text."""
        self.net.eval()
        made = sample(self.pieces, text, question, most)
        if not made.first:
            return []
        tensors = (part.to(self.device) for part in batch([made], [[0] * len(made.first)])[:3])
        with _half(self.device):
            tags = self.net(*tensors)[0].argmax(-1)
        return spans_of(made, [int(tags[place]) for place in made.first], self.kinds)


def _figure(texts: Sequence[Marked], found: Sequence[Sequence[Gold]]) -> str:
    made = figures(texts, found)
    if not made["gold"]:
        return f"{sum(map(bool, found))} of {len(texts)} texts with a span, where none has a value"
    shares = f"({made['precision'] or 0:.2f}/{made['recall']:.2f})"
    return f"F1 {made['F1'] or 0:.3f} {shares}, found at all {made['met']:.3f}"


def _aimed(pieces: Pieces, own: Marked, question: str, most: int, number: dict[str, int]) -> tuple[Any, list[int]]:
    """A sample and its tags; a beginning that the answer continues is read, and has none."""
    made = sample(pieces, own.left + own.text, question, most)
    shift = len(own.left)
    aims = tags_of(made.words, [Gold(g.kind, g.start + shift, g.end + shift) for g in own.gold], number)
    return made, [NO_TAG if end <= shift else tag for (_, end), tag in zip(made.words, aims, strict=True)]


def _drawn(texts: Sequence[Marked], weights: Any, lengths: Any, step: int) -> list[Marked]:
    """Texts of about one length, drawn by weight."""
    draw = np.random.default_rng(step)
    chances = weights / weights.sum()
    some = draw.choice(len(texts), 4 * TOKENS // 30, p=chances)
    some = some[np.argsort(lengths[some], kind="stable")]
    at = int(draw.integers(0, len(some)))
    out, width = list[Marked](), 0.0
    for place in some[at:]:
        width = max(width, float(lengths[place]) * 1.3)
        if out and width * (len(out) + 1) > TOKENS:
            break
        out.append(texts[int(place)])
    return out


def _rate(step: int, steps: int) -> float:
    warm = max(1, int(WARM * steps))
    return min((step + 1) / warm, max(0.0, (steps - step) / (steps - warm)))


def _half(device: str) -> Any:
    return torch.autocast(device, dtype=torch.bfloat16) if device in ("cpu", "cuda") else contextlib.nullcontext()


if __name__ == "__main__":
    main()
