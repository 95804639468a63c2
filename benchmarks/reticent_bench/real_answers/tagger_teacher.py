"""The tagger's teacher: a language model that reads a whole text in both directions and tags its words.

It reads the question as well, and the text behind each word. The tagger may do neither, so it learns from what the
teacher says of texts that nobody marked.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.marked import Marked
from reticent_bench.real_answers.tagger_texts import NO_TAG, Encoded, WordTable, tags_of, word_spans
from reticent_bench.real_answers.tagger_training import Teach, Unmarked, learned_kinds
from reticent_bench.real_answers.teacher_marks import marks_file, read_marks, write_marks
from reticent_detectors.host.load import load_host

RATE, HEAD_RATE, WARM_UP, DECAY = 6e-5, 1e-3, 0.1, 0.01
MOST_TOKENS, BATCH_TOKENS, TEACHER_EPOCHS = 512, 8_192, 5
MOST_WORDS = 160
"""Of a text that nobody marked, for the tagger."""
SWAPPED = 0.3
"""Share of the values in whose place another one of their kind stands, drawn anew in each epoch."""
FORM = "Question: {}\nAnswer: "


@dataclass(frozen=True, eq=False)
class _TokenizedText:
    """A text in tokens: ids [T], and for each word its first and its last token [N]; words that were cut have none."""

    ids: list[int]
    first: NDArray[np.int64]
    last: NDArray[np.int64]
    tags: NDArray[np.int64]


class Teacher(nn.Module):
    """The decoder of a language model without its causal mask, and a linear layer over each word's two ends.

    Args:
        model: a causal language model whose configuration knows `use_bidirectional_attention` (Gemma 3).
        tags: 1 + 2K.
    """

    def __init__(self, model: Any, tags: int) -> None:
        super().__init__()
        self.decoder = model.get_decoder()
        for part in (self.decoder.config, *(layer.self_attn.config for layer in self.decoder.layers)):
            part.use_bidirectional_attention = True
        for layer in self.decoder.layers:
            layer.self_attn.is_causal = False
        self.decoder.get_input_embeddings().weight.requires_grad_(False)
        self.head = nn.Linear(2 * model.config.get_text_config().hidden_size, tags)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor, first: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
        """Logits [B, N, tags] of words with these first and last tokens [B, N]."""
        states = self.decoder(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state
        rows = torch.arange(len(ids), device=ids.device)[:, None]
        logits: torch.Tensor = self.head(torch.cat([states[rows, first], states[rows, last]], -1))
        return logits


def _read(texts: Sequence[Marked], tokenizer: Any, kinds: Mapping[str, int]) -> list[_TokenizedText]:
    heads = [FORM.format(text.question) + text.left for text in texts]
    whole = [head + text.text for head, text in zip(heads, texts, strict=True)]
    made = tokenizer(whole, return_offsets_mapping=True, truncation=True, max_length=MOST_TOKENS)
    out = []
    for head, text, ids, offsets in zip(heads, texts, made["input_ids"], made["offset_mapping"], strict=True):
        spans, at = word_spans(text.text), len(head)
        ends = np.array([end for _, end in offsets])
        # The first token that reaches behind the word's first character, and the one that reaches its last.
        first = np.searchsorted(ends, [at + start for start, _ in spans], side="right")
        last = np.searchsorted(ends, [at + end for _, end in spans], side="left")
        fits = int((last < len(ids)).sum())
        tags = tags_of(spans, text.gold, kinds).astype(np.int64)
        out.append(_TokenizedText(ids, first[:fits], last[:fits], tags[:fits]))
    return out


def _batches(read: Sequence[_TokenizedText], rng: random.Random | None) -> list[list[int]]:
    """Places of texts, of like lengths, so many in a batch that it has at most `BATCH_TOKENS`."""
    places = list(range(len(read)))
    order = sorted(places, key=lambda p: len(read[p].ids) * (1 if rng is None else rng.uniform(0.8, 1.2)))
    out, now, longest = list[list[int]](), list[int](), 0
    for place in order:
        longest = max(longest, len(read[place].ids))
        if now and longest * (len(now) + 1) > BATCH_TOKENS:
            out.append(now)
            now, longest = [], len(read[place].ids)
        now.append(place)
    out += [now] if now else []
    if rng is not None:
        rng.shuffle(out)
    return out


def _tensors(read: Sequence[_TokenizedText], device: torch.device) -> tuple[torch.Tensor, ...]:
    tokens = max(len(each.ids) for each in read)
    words = max(1, *(len(each.first) for each in read))
    ids, mask = np.zeros((len(read), tokens), np.int64), np.zeros((len(read), tokens), np.int64)
    first, last = np.zeros((len(read), words), np.int64), np.zeros((len(read), words), np.int64)
    tags = np.full((len(read), words), NO_TAG, np.int64)
    for place, each in enumerate(read):
        ids[place, : len(each.ids)], mask[place, : len(each.ids)] = each.ids, 1
        first[place, : len(each.first)], last[place, : len(each.last)] = each.first, each.last
        tags[place, : len(each.tags)] = each.tags
    return tuple(torch.from_numpy(part).to(device) for part in (ids, mask, first, last, tags))


def train_teacher(
    model: Any, tokenizer: Any, texts: Sequence[Marked], kinds: Mapping[str, int], *, epochs: int, seed: int = 0,
    say: Callable[[str], None] = lambda line: None,
) -> Teacher:  # fmt: skip
    """A teacher of marked texts, on the model's device. The model is changed: it is no language model afterwards.

    Args:
        model: as `Teacher` takes it, in float32; on a GPU it computes in bfloat16.
        tokenizer: a fast one.
        kinds: the number of each kind.
        epochs: of all texts, each time with other values in some places.
    """
    torch.manual_seed(seed)
    rng, device = random.Random(seed), model.device
    teacher = Teacher(model, 1 + 2 * len(kinds)).to(device).train()
    pool: dict[str, list[str]] = {}
    for text in texts:
        for span in text.gold:
            pool.setdefault(span.kind, []).append(text.text[span.start : span.end])
    own = [p for name, p in teacher.named_parameters() if p.requires_grad and not name.startswith("head")]
    optimizer = torch.optim.AdamW(
        [{"params": own, "lr": RATE}, {"params": teacher.head.parameters(), "lr": HEAD_RATE}], weight_decay=DECAY
    )
    first = _read([swapped(text, pool, SWAPPED, rng) for text in texts], tokenizer, kinds)
    steps = epochs * len(_batches(first, random.Random(seed))) + epochs
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, steps))
    done = 0
    for epoch in range(epochs):
        read = first if epoch == 0 else _read([swapped(t, pool, SWAPPED, rng) for t in texts], tokenizer, kinds)
        total = torch.zeros((), device=device)
        batches = _batches(read, rng)
        for batch in batches:
            ids, mask, begin, end, tags = _tensors([read[p] for p in batch], device)
            with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
                logits = teacher(ids, mask, begin, end)
            loss = nn.functional.cross_entropy(logits.float().flatten(0, 1), tags.flatten(), ignore_index=NO_TAG)
            loss.backward()
            nn.utils.clip_grad_norm_(teacher.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
            total += loss.detach()
            done += 1
        say(f"teacher, epoch {epoch + 1} of {epochs}: {done} steps, loss {float(total) / len(batches):.4f}")
    return teacher.eval()


def _rate(step: int, steps: int) -> float:
    warm = max(1, int(WARM_UP * steps))
    return (
        (step + 1) / warm if step < warm else 0.5 * (1 + math.cos(math.pi * min(1.0, (step - warm) / (steps - warm))))
    )


@torch.inference_mode()
def probabilities(teacher: Teacher, tokenizer: Any, texts: Sequence[Marked]) -> list[NDArray[np.float16]]:
    """What the teacher says of each text's words: [N, 1 + 2K]. Words behind its longest text are left out."""
    device = teacher.head.weight.device
    read = _read(texts, tokenizer, {})
    out: list[NDArray[np.float16]] = [np.zeros((0, teacher.head.out_features), np.float16)] * len(texts)
    for batch in _batches(read, None):
        ids, mask, begin, end, _ = _tensors([read[p] for p in batch], device)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            logits = teacher(ids, mask, begin, end)
        said = logits.float().softmax(-1).to(torch.float16).cpu().numpy()
        for place, row in zip(batch, said, strict=True):
            out[place] = row[: len(read[place].first)]
    return out


def taught(
    folder: Path, marked: Sequence[Marked], unmarked: Sequence[Marked], device: str, *, epochs: int,
    marks: Path | None = None, say: Callable[[str], None] = lambda line: None,
) -> Teach:  # fmt: skip
    """Trains a teacher of the marked texts, and returns what it says of the unmarked ones, for `train`.

    Args:
        folder: of a Gemma 3 checkpoint.
        marks: a folder that keeps what the teacher said. What stands there is not asked again.
    """
    file = None if marks is None else marks_file(marks, marked, unmarked, epochs)
    if file is not None and file.exists():
        say(f"what the teacher said is read from {file}")
        return as_targets(unmarked, read_marks(file))
    model, tokenizer = load_host(folder, dtype="float32")
    kinds = learned_kinds(marked)
    teacher = train_teacher(model.to(device), tokenizer, marked, kinds, epochs=epochs, say=say)
    said = probabilities(teacher, tokenizer, unmarked)
    if file is not None:
        write_marks(said, file)
    return as_targets(unmarked, said)


def as_targets(texts: Sequence[Marked], said: Sequence[NDArray[np.float16]]) -> Teach:
    """Texts with what a teacher says of them, at most `MOST_WORDS` of each and no more than it read."""

    def teach(table: WordTable, kinds: Mapping[str, int]) -> Unmarked:
        read = [(table.encoded(text.text), own[:MOST_WORDS]) for text, own in zip(texts, said, strict=True) if len(own)]
        return Unmarked([Encoded(e.words[: len(o)], e.tags[: len(o)]) for e, o in read], [o for _, o in read])

    return teach


def values_of(said: NDArray[Any], text: str, kinds: Sequence[str]) -> tuple[Gold, ...]:
    """The values that tags make: the likeliest tag of each word, joined as the tagger's reading joins them."""
    spans, tags = word_spans(text), said.argmax(-1) if len(said) else np.zeros(0, int)
    out, at = list[Gold](), 0
    while at < len(tags):
        kind, last = (int(tags[at]) - 1) // 2, at
        if tags[at] == 0 or not kinds[kind]:
            at += 1
            continue
        while last + 1 < len(tags) and tags[last + 1] == 2 + 2 * kind:
            last += 1
        out.append(Gold(kinds[kind], spans[at][0], spans[last][1]))
        at = last + 1
    return tuple(out)


def swapped(text: Marked, pool: Mapping[str, Sequence[str]], share: float, rng: random.Random) -> Marked:
    """The text with other values of the same kinds in a share of the places."""
    out, gold, at = "", list[Gold](), 0
    for span in text.gold:
        value = rng.choice(pool[span.kind]) if rng.random() < share else text.text[span.start : span.end]
        out += text.text[at : span.start]
        gold.append(Gold(span.kind, len(out), len(out) + len(value)))
        out, at = out + value, span.end
    return Marked(text.question, out + text.text[at:], tuple(gold), text.left)
