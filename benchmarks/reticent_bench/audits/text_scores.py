"""Log-probabilities of the tokens of given texts under a causal language model of transformers.

The decoder runs once over a batch. Its states at the scored places alone go through the output layer, in blocks of
places. So the logits of a batch are never held at once. What texts share before their scored tokens is read once, where
it is long: the labels of a task behind one prompt cost little more than one of them.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from transformers import DynamicCache

from reticent.serve.judging.detector_protocols import ALTERNATIVES
from reticent_bench.audits.target import TokenScores
from reticent_detectors.host.answers import cut_batches

BLOCK_LOGITS = 1 << 23
"""Logits that are held at once: 64 MiB in float64."""
LONG_PROMPT = 64
"""Tokens that texts have to share before their scored ones, so that these are read once for all of them."""
_LEAST_LOG_PROB = -1e4
"""Stands for minus infinity in the moments. Its probability is 0, so the token adds nothing."""

Measure = Callable[[Tensor, Tensor], NDArray[np.float64]]
"""Numbers [k, places] of the logits [places, V] and the tokens that stand there [places]."""


class TextIds(NamedTuple):
    """Token ids, the first `first` of which are not scored; at least one."""

    ids: tuple[int, ...]
    first: int

    def __repr__(self) -> str:
        return f"TextIds({len(self.ids)} tokens, first={self.first})"


def score_texts(model: Any, texts: Sequence[TextIds], batch: int, most_tokens: int | None = None) -> list[TokenScores]:
    """What a model thinks of texts. Equal texts are scored once, and batches hold texts of similar length.

    Args:
        model: a causal language model in evaluation mode.
        texts: token ids.
        batch: texts of one forward pass.
        most_tokens: of one forward pass, with padding; None sets no bound.

    Returns:
        The scores in the order of `texts`; their arrays have one entry for each scored token.
    """
    measured = _measure_texts(model, texts, token_moments, batch, most_tokens)
    return [TokenScores(text.ids[text.first :], *each) for text, each in zip(texts, measured, strict=True)]


def likeliest_tokens(
    model: Any, texts: Sequence[TextIds], batch: int, most_tokens: int | None = None
) -> list[tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]]:
    """What a server tells of the tokens of texts: their log-probabilities, and the two likeliest tokens at each place.

    Args:
        model, texts, batch, most_tokens: as for `score_texts`.

    Returns:
        For each text log-probabilities in nats [tokens], ids of the likeliest tokens [2, tokens], and their
        log-probabilities in nats [2, tokens].
    """
    measured = _measure_texts(model, texts, _two_likeliest, batch, most_tokens)
    return [(own, np.stack([first, second]).astype(np.int64), np.stack(best)) for own, first, second, *best in measured]


def _measure_texts(
    model: Any, texts: Sequence[TextIds], measure: Measure, batch: int, most_tokens: int | None
) -> list[NDArray[np.float64]]:
    """Numbers of the scored tokens of each text [k, tokens]."""
    found: dict[TextIds, NDArray[np.float64]] = {}
    apart = []
    for part in _behind_one_prompt(texts).values():
        # One token before the scored ones is left: its logits are those of the first of them.
        before = part[0].ids[: part[0].first - 1]
        cache = _read(model, before) if len(part) > 1 and len(before) >= LONG_PROMPT else None
        if cache is None:
            apart += part
            continue
        behind = [TextIds(text.ids[len(before) :], 1) for text in part]
        for places in cut_batches([len(before) + len(text.ids) for text in behind], batch, most_tokens):
            found |= zip(part[places], _measured(model, behind[places], measure, cache), strict=True)
    different = sorted(apart, key=lambda text: len(text.ids))
    for places in cut_batches([len(text.ids) for text in different], batch, most_tokens):
        part = different[places]
        found |= zip(part, _measured(model, part, measure), strict=True)
    return [found[text] for text in texts]


def _behind_one_prompt(texts: Sequence[TextIds]) -> dict[tuple[int, ...], list[TextIds]]:
    """Different texts by the tokens before their scored tokens."""
    out: dict[tuple[int, ...], list[TextIds]] = {}
    for text in dict.fromkeys(texts):
        out.setdefault(text.ids[: text.first], []).append(text)
    return out


def _measured(
    model: Any, texts: Sequence[TextIds], measure: Measure, cache: DynamicCache | None = None
) -> list[NDArray[np.float64]]:
    """Texts padded on the right: what follows a token does not change its probability.

    `cache` holds the tokens before each of them.
    """
    width = max(len(text.ids) for text in texts)
    padded = torch.zeros((len(texts), width), dtype=torch.long)
    mask, scored = torch.zeros_like(padded), torch.zeros((len(texts), width), dtype=torch.bool)
    for row, text in enumerate(texts):
        padded[row, : len(text.ids)] = torch.tensor(text.ids)
        mask[row, : len(text.ids)] = 1
        scored[row, text.first - 1 : len(text.ids) - 1] = True
    wanted = torch.tensor([token for text in texts for token in text.ids[text.first :]])
    with torch.inference_mode():
        before = 0 if cache is None else cache.get_seq_length()
        mask = torch.cat([torch.ones((len(texts), before), dtype=torch.long), mask], 1)
        blocks = _logits(model, padded.to(model.device), mask.to(model.device), scored.to(model.device), cache)
        parts, at = [], 0
        for logits in blocks:
            parts.append(measure(logits, wanted[at : at + len(logits)]))
            at += len(logits)
    numbers = np.concatenate(parts, axis=1)
    ends = np.cumsum([len(text.ids) - text.first for text in texts])
    return np.split(numbers, ends[:-1], axis=1)


def _logits(
    model: Any, ids: Tensor, mask: Tensor, scored: Tensor, cache: DynamicCache | None = None
) -> Iterator[Tensor]:
    """Blocks of the model's logits at the scored places [places, V].

    The output layer sees one place while the decoder runs. If the layer gives exactly the model's logits there, the
    layer alone gives the other logits. Otherwise the model scales or caps them, and reads all scored places at once.
    """
    head: nn.Module = model.get_output_embeddings()
    with _narrowed(head, scored, 1) as kept:
        one = model(input_ids=ids, attention_mask=mask, **_behind(cache, len(ids))).logits
    states = kept[-1]
    if torch.equal(head(states[:1].unsqueeze(0)).float(), one.float()):
        size = max(1, BLOCK_LOGITS // one.shape[-1])
        for start in range(0, len(states), size):
            yield head(states[start : start + size])
        return
    with _narrowed(head, scored, len(states)):
        every = model(input_ids=ids, attention_mask=mask, **_behind(cache, len(ids))).logits[0]
    yield from every.split(max(1, BLOCK_LOGITS // every.shape[-1]))


def _read(model: Any, before: tuple[int, ...]) -> DynamicCache | None:
    """Keys and values of the tokens before texts; None of a model that cannot continue from them."""
    if any(config.is_prompt_learning for config in getattr(model, "peft_config", {}).values()):
        return None  # its virtual tokens would be read twice
    ids = torch.tensor([before], device=model.device)
    last = torch.zeros_like(ids, dtype=torch.bool)
    last[0, -1] = True
    with torch.inference_mode(), _narrowed(model.get_output_embeddings(), last, 1):
        cache = getattr(model(input_ids=ids, use_cache=True), "past_key_values", None)
    return cache if isinstance(cache, DynamicCache) else None


def _behind(cache: DynamicCache | None, rows: int) -> dict[str, Any]:
    """Options of a forward pass of so many rows behind the same beginning."""
    if cache is None:
        return {}
    own = copy.deepcopy(cache)  # a pass adds its tokens
    own.batch_repeat_interleave(rows)
    return {"past_key_values": own, "use_cache": True}


@contextmanager
def _narrowed(head: nn.Module, scored: Tensor, places: int) -> Iterator[list[Tensor]]:
    """Has the output layer see the first scored places as one row [1, places, d]; gives its states [scored, d]."""
    kept: list[Tensor] = []

    def narrow(module: nn.Module, given: tuple[Tensor, ...]) -> tuple[Tensor]:
        states = given[0][:, -scored.shape[1] :]  # virtual tokens precede the text
        kept.append(states[scored.to(states.device)])
        return (kept[-1][:places].unsqueeze(0),)

    hook = head.register_forward_pre_hook(narrow)
    try:
        yield kept
    finally:
        hook.remove()


def token_moments(logits: Tensor, wanted: Tensor) -> NDArray[np.float64]:
    """Log-probability of the wanted tokens, and mean and deviation of it over the vocabulary [3, places].

    In float64: Min-K%++ divides by deviations that may be small.
    """
    x = logits.double()
    x = x - x.logsumexp(-1, keepdim=True)
    chosen = x.gather(-1, wanted.to(x.device)[:, None])[:, 0]
    x.clamp_(min=_LEAST_LOG_PROB)
    probs = x.exp()
    means = torch.linalg.vecdot(probs, x)
    x.sub_(means[:, None])
    deviations = torch.linalg.vecdot(probs, x.square_()).clamp(min=0).sqrt()
    return np.asarray(torch.stack([chosen, means, deviations]).cpu().numpy(), np.float64)


def _two_likeliest(logits: Tensor, wanted: Tensor) -> NDArray[np.float64]:
    """Log-probability of the wanted tokens, ids of the two likeliest ones, and their log-probabilities [5, places]."""
    x = logits.double()
    x = x - x.logsumexp(-1, keepdim=True)
    chosen = x.gather(-1, wanted.to(x.device)[:, None])
    best = x.topk(ALTERNATIVES)
    rows = torch.cat([chosen, best.indices.double(), best.values], 1).T
    return np.asarray(rows.cpu().numpy(), np.float64)
