"""Trains the finder's tagger on texts in which every value is marked.

In half of the values another one of their kind replaces the marked one, so the network learns from the surroundings. A
partly marked word counts as marked. The network reads no question: a client that knows the weights could silence it by
chosen words.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from reticent_bench.finder.find import find
from reticent_bench.real_answers import check_training
from reticent_bench.real_answers.labels import KINDS, matches
from reticent_bench.real_answers.marked import Marked
from reticent_bench.real_answers.tagger_texts import NO_TAG, Encoded, WordTable, encoded_all, padded, pools, varied
from reticent_bench.real_answers.training_texts import Texts
from reticent_bench.real_answers.word_vectors import WordVectors
from reticent_bench.report.metrics import share
from reticent_bench.report.result import table
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.span_check import SpanCheck
from reticent_detectors.finder.tagger.network import LEFT, RIGHT, STRIDES, TagNetwork, quantised
from reticent_detectors.finder.tagger.words import BUCKETS, FEATURES, UNKNOWN

LEAST = 15
"""Marked values that a kind needs to be learned."""
FOUND_BY_FORM = frozenset(
    [
        "EMAIL_ADDRESS",
        "URL",
        "IP_ADDRESS",
        "MAC_ADDRESS",
        "IBAN_CODE",
        "CREDIT_CARD",
        "CRYPTO",
        "SECRET_KEY",
        "COORDINATES",
        "US_SSN",
        "US_ITIN",
        "USERNAME",
        "PASSWORD",
        "PIN",
        "DEVICE_ID",
        "VEHICLE_ID",
        "CREDIT_CARD_DIGITS",
    ]
)
"""Kinds that recognisers find by their form or label. They are learned to separate them from others, not reported."""
WIDTH, EMBEDDED, BATCH, RATE = 96, 48, 24, 2e-3
SWAPPED, WORDS_UNKNOWN, WITHOUT_VECTOR, DROPPED = 0.5, 0.12, 0.05, 0.3


class Tagger(nn.Module):
    """The network of `finder.tagger.network`, over whole texts.

    Args:
        tags: 1 + 2K.
        vectors: [1 + W, V]; row 0 is that of words without a vector.
        learn_vectors: whether they are learned, too.
    """

    def __init__(self, tags: int, vectors: torch.Tensor, learn_vectors: bool = False) -> None:
        super().__init__()
        self.rows = nn.EmbeddingBag(BUCKETS, EMBEDDED, mode="sum")
        nn.init.normal_(self.rows.weight, std=0.1)
        self.vectors: torch.Tensor
        if learn_vectors:
            self.vectors = nn.Parameter(vectors)
        else:
            self.register_buffer("vectors", vectors)
        self.inner = nn.Linear(EMBEDDED + vectors.shape[1], WIDTH)
        self.first = nn.Conv1d(WIDTH, WIDTH, LEFT + 1 + RIGHT)
        self.later = nn.ModuleList(nn.Conv1d(WIDTH, WIDTH, 3, dilation=stride) for stride in STRIDES)
        self.out = nn.Linear(WIDTH, tags)
        self.drop = nn.Dropout(DROPPED)

    def forward(self, batch: Batch) -> torch.Tensor:
        """Logits [texts, words, tags]."""
        texts, words, _ = batch.rows.shape
        own = self.rows(batch.rows.reshape(texts * words, FEATURES)).reshape(texts, words, EMBEDDED)
        vectors = self.vectors[batch.vectors] * (batch.vectors > 0)[..., None]  # learned or not, row 0 is zeros
        x = self.inner(self.drop(torch.cat([own, vectors], -1))).transpose(1, 2)
        x = x * batch.inside[:, None]
        h = x + self.drop(self.first(nn.functional.pad(torch.relu(x), (LEFT, RIGHT))))
        for stride, convolution in zip(STRIDES, self.later, strict=True):
            h = h + self.drop(convolution(nn.functional.pad(torch.relu(h), (2 * stride, 0))))
        logits: torch.Tensor = self.out(torch.relu(h).transpose(1, 2))
        return logits


@dataclass(frozen=True, eq=False)
class Batch:
    """Texts as tensors: rows [B, N, FEATURES], rows of vectors [B, N], tags [B, N], and a mask of the words [B, N]."""

    rows: torch.Tensor
    vectors: torch.Tensor
    tags: torch.Tensor
    inside: torch.Tensor


@dataclass(frozen=True, eq=False)
class Unmarked:
    """Texts that nobody marked, and what a teacher says of their words.

    Args:
        texts: in words.
        said: of each text the probabilities [N, 1 + 2K].
        share: how many of them a batch has, for each marked text.
    """

    texts: Sequence[Encoded]
    said: Sequence[NDArray[np.float16]]
    share: float = 1.0

    def __repr__(self) -> str:
        return f"Unmarked({len(self.texts)} texts)"


def batch_of(texts: Sequence[Marked], kinds: Mapping[str, int], words: Mapping[str, int]) -> Batch:
    """The batch of some texts; `words` are the rows of the word vectors."""
    table = WordTable(words)
    given, tags = padded(encoded_all(texts, table, kinds))
    return _looked_up(given, tags, table.features(), table.vector_rows())


def _looked_up(words: torch.Tensor, tags: torch.Tensor, features: torch.Tensor, vectors: torch.Tensor) -> Batch:
    return Batch(features[words], vectors[words], tags, (words > 0).float())


def learned_kinds(texts: Sequence[Marked]) -> dict[str, int]:
    """The kinds that are marked often enough, numbered in the order of their names."""
    counted = Counter(span.kind for text in texts for span in text.gold)
    return {kind: place for place, kind in enumerate(sorted(k for k, count in counted.items() if count >= LEAST))}


def train(
    texts: Sequence[Marked], weights: Sequence[float], vectors: WordVectors, *, epochs: float, seed: int = 0,
    caution: float = 0.0, learn_vectors: bool = False, teach: Teach | None = None, device: str = "cpu",
    batch: int = BATCH, say: Callable[[str], None] = lambda line: None,
) -> TagNetwork:  # fmt: skip
    """A network of all texts.

    Args:
        weights: how often each text is read in an epoch, on average.
        vectors: of words.
        epochs: of all marked texts, by their weights.
        caution: added to the logit of no value.
        learn_vectors: whether the vectors of words change, too.
        teach: what a teacher says of further texts, given the table of words and the number of each kind.
        device: where it is trained.
        batch: marked texts of a step.
    """
    torch.manual_seed(seed)
    kinds, table = learned_kinds(texts), WordTable(vectors.words)
    marked = encoded_all(texts, table, kinds)
    unmarked = None if teach is None else teach(table, kinds)
    pool = pools(marked)
    known = np.vstack([np.zeros((1, vectors.vectors.shape[1])), vectors.vectors * vectors.scale]).astype(np.float32)
    net = Tagger(1 + 2 * len(kinds), torch.from_numpy(known), learn_vectors).to(device)
    features, rows = table.features().to(device), table.vector_rows().to(device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.01)
    steps = max(1, int(epochs * sum(weights) / batch))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    rng, draw = random.Random(seed), np.random.default_rng(seed)
    chances = np.array(weights) / sum(weights)
    for step in range(steps):
        drawn = [varied(marked[int(i)], pool, table, SWAPPED, rng) for i in draw.choice(len(marked), batch, p=chances)]
        words, tags = (part.to(device) for part in padded(drawn))
        loss = nn.functional.cross_entropy(
            net(_noisy(_looked_up(words, tags, features, rows))).flatten(0, 1), tags.flatten(), ignore_index=NO_TAG
        )
        if unmarked is not None:
            some = draw.choice(len(unmarked.texts), round(batch * unmarked.share))
            loss = loss + _soft_loss(net, unmarked, some, features, rows)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        if step % 100 == 99 or step + 1 == steps:
            say(f"tagger {step + 1} of {steps} steps, loss {float(loss.detach()):.3f}")
    return frozen(net.cpu().eval(), tuple(kinds), vectors, caution)


Teach = Callable[[WordTable, Mapping[str, int]], Unmarked]


def _noisy(batch: Batch) -> Batch:
    """Takes some words' features away, and some words' vectors."""
    device = batch.rows.device
    batch.rows[torch.rand(batch.tags.shape, device=device) < WORDS_UNKNOWN] = UNKNOWN
    batch.vectors[torch.rand(batch.tags.shape, device=device) < WITHOUT_VECTOR] = 0
    return batch


def _soft_loss(
    net: Tagger, unmarked: Unmarked, some: NDArray[Any], features: torch.Tensor, rows: torch.Tensor
) -> torch.Tensor:
    """Cross-entropy with what the teacher says, over all words of these texts."""
    device = features.device
    words, tags = (part.to(device) for part in padded([unmarked.texts[int(i)] for i in some]))
    said = torch.zeros(*words.shape, net.out.out_features)
    for place, i in enumerate(some):
        own = unmarked.said[int(i)]
        said[place, : len(own)] = torch.from_numpy(own)
    said = said.to(device)
    logs = net(_noisy(_looked_up(words, tags, features, rows))).log_softmax(-1)
    loss: torch.Tensor = -(said * logs).sum() / said.sum()
    return loss


def frozen(net: Tagger, kinds: tuple[str, ...], vectors: WordVectors, caution: float = 0.0) -> TagNetwork:
    """The trained network as NumPy reads it."""

    def array(tensor: torch.Tensor) -> NDArray[Any]:
        return tensor.detach().numpy().copy()

    def flat(convolution: nn.Conv1d) -> NDArray[Any]:
        return array(convolution.weight.permute(0, 2, 1).reshape(WIDTH, -1))

    later = [each for each in net.later if isinstance(each, nn.Conv1d)]
    table, scale = vectors.vectors, vectors.scale
    if isinstance(net.vectors, nn.Parameter):
        learned = array(net.vectors)
        table, scale = quantised(learned[1:])
    weights: dict[str, NDArray[Any]] = {
        "vectors": table,
        "vectors_scale": scale,
        "inner": array(net.inner.weight),
        "inner_bias": array(net.inner.bias),
        "first": flat(net.first),
        "first_bias": array(net.first.bias if net.first.bias is not None else torch.zeros(WIDTH)),
        "later": np.stack([flat(each) for each in later]),
        "later_bias": np.stack([array(each.bias) for each in later if each.bias is not None]),
        "out": array(net.out.weight),
        "out_bias": array(net.out.bias),
    }
    weights["out_bias"][0] += caution
    weights["rows"], weights["rows_scale"] = quantised(array(net.rows.weight))
    tags = tuple("" if kind in FOUND_BY_FORM else kind for kind in kinds)
    return TagNetwork(tags, weights, vectors.words)


def figures_of(texts: Texts, learning: Texts, held: Texts, network: TagNetwork) -> dict[str, Any]:
    """What `render` prints of a network that did not see the held-out texts, beside a check that did not either."""
    proposed = check_training.proposals([*learning.written, *learning.phrased])
    check = check_training.train(proposed, len(learning.written)).check
    return {"texts": texts.counts(), "held out": measured(held, network, check), "words": len(network.words)}


def measured(held: Texts, network: TagNetwork, check: SpanCheck) -> dict[str, dict[str, Any]]:
    """Scores recognisers, tagger, and both on texts that neither tagger nor check saw: in all, and by kind."""
    finders = {
        "recognisers": SpanFinder(check=check),
        "tagger": SpanFinder((), tagger=network),
        "both": SpanFinder(check=check, tagger=network),
    }
    parts = {
        "written texts": list(held.written), "practice answers": [text for _, text in held.practice],
        "answers of real models": [text for _, text in held.answers],
    }  # fmt: skip
    return {
        f"{part}: {name}": _found(texts, finder) for part, texts in parts.items() for name, finder in finders.items()
    }


def _found(texts: Sequence[Marked], finder: SpanFinder) -> dict[str, Any]:
    marked, right, found = Counter[str](), Counter[str](), Counter[str]()
    for text in texts:
        spans = [span for span in find(finder, text.text, text.question) if span.kind in KINDS]
        found.update(span.kind for span in spans)
        marked.update(span.kind for span in text.gold)
        for kind in {span.kind for span in text.gold}:
            gold, same = ([span for span in each if span.kind == kind] for each in (text.gold, spans))
            right[kind] += matches(gold, same)
    kinds = {kind: [count, found[kind], right[kind]] for kind, count in marked.most_common()}
    return {
        "texts": len(texts),
        "marked": marked.total(),
        "found": found.total(),
        "right": right.total(),
        "kinds": kinds,
    }


def _taught(figures: Mapping[str, Any]) -> str:
    said = f"Vectors are those of {figures['vectors']}. " if "vectors" in figures else ""
    if "teacher" in figures:
        said += f"{figures['teacher']}, trained on the marked texts, marked {figures['unmarked']} more. "
    return said


def render(figures: Mapping[str, Any]) -> str:
    """The page."""
    texts, held = figures["texts"], figures["held out"]
    page = (
        "# The finder's tagger\n\n"
        f"Trained on {texts['written']} written texts with {texts['values in these']} values, {texts['answers']} "
        f"read answers of real models, {texts['practice']} practice answers of these models with "
        f"{texts['values in practice']} values, and {texts['phrased']} answers in our own phrasings; "
        f"{figures['bytes'] / 1e6:.1f} MB, {figures['words']} words with a vector. {_taught(figures)}"
        "The tables are of texts that a tagger and a check of the others did not see; "
        "answers are held out by their prompts. A found value is right if it shares half of the joint range with a "
        "marked one of its kind. 95 % Clopper-Pearson intervals, as if values were independent.\n\n"
    )
    rows = [
        [
            name,
            each["texts"],
            each["marked"],
            each["found"],
            share(each["right"], each["found"]),
            share(each["right"], each["marked"]),
        ]
        for name, each in held.items()
    ]
    page += table(["", "texts", "marked", "found", "precision", "recall"], rows)
    for part in dict.fromkeys(name.split(": ")[0] for name in held):
        own = {name.split(": ")[1]: each["kinds"] for name, each in held.items() if name.startswith(part)}
        first = next(iter(own.values()))
        head = ["kind", "marked", *(f"{name}: {what}" for name in own for what in ("found", "right"))]
        lines = [[kind, first[kind][0], *(n for kinds in own.values() for n in kinds[kind][1:])] for kind in first]
        page += f"\n## {part.capitalize()}, by kind\n\n" + table(head, lines)
    return page
