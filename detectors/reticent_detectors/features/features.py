"""From hidden states to the detector's inputs: where a value is decided, and how surely.

`topk_prob`, `inter`, `intra` and `token_prob` are PrivacyXray's (section 4.2), at the predictive position of the
span's first token. `pooled` looks at every token of the span, because the first is often a constant such as "$".
All arrays are float32, one row per span; none holds an id or a text.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from reticent_detectors.capture import HostAdapter, SpanStates
from reticent_detectors.capture.recorder import TINY
from reticent_detectors.errors import CaptureError, InputError
from reticent_detectors.features.derived_features import BASE_SHAPE, LOG_PROBABILITY, MARGIN, reads_inner
from reticent_detectors.features.name_swap import NAME_SWAP_SHAPE, name_swap_features
from reticent_kernels import LensOutput, token_cosines
from reticent_kernels.lens import concatenate

Features = dict[str, NDArray[np.float32]]

BLOCK_STATES = 1 << 24
"""Most hidden-state numbers given to the lens at once: 64 MiB in float32."""
FLOOR = -100.0
"""Log-probabilities and margins are cut here: beyond it they say nothing, and a padded id would give -inf."""


OUTPUT_SHAPES: dict[str, tuple[int, ...]] = {
    "token_prob": (3,), "token_logprob": (2, 3), "length": (1,), "base_logprob": BASE_SHAPE,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class FeatureSpec:
    """Which features, recorded in the bundle. L below is the host's number of layers.

    `position="first"` gives the paper's four arrays; `"pooled"` (the default) gives `pooled` as well; `"output"` gives what the
    model's own output says of all tokens and projects no inner layer, which is many times cheaper.
    `norm="none"` leaves the host's final norm out of the lens, as the paper's formula does. `names` is under how many other
    names a span is read again for `renamed`; 0 leaves it out.
    """

    k: int = 10
    norm: Literal["final", "none"] = "final"
    position: Literal["pooled", "first", "output"] = "pooled"
    max_tokens: int = 32
    embedding: Literal["input"] = "input"
    names: int = 0

    def __post_init__(self) -> None:
        if self.k < 1 or self.max_tokens < 1:
            raise InputError(f"k and max_tokens must be at least 1, got {self.k} and {self.max_tokens}.")
        if not 0 <= self.names <= 16:
            raise InputError(f"names must be from 0 to 16, got {self.names}.")
        for name, value, allowed in (
            ("norm", self.norm, ("final", "none")),
            ("position", self.position, ("pooled", "first", "output")),
            ("embedding", self.embedding, ("input",)),
        ):
            if value not in allowed:
                raise InputError(f"{name} must be one of {', '.join(allowed)}, got {value!r}.")

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """The spec that a bundle's options state; what else they hold is ignored."""
        return cls(**{name: options[name] for name in cls.__slots__ if name in options})

    def shapes(self, num_layers: int) -> dict[str, tuple[int, ...]]:
        """Shape of each array for one span, by name, in order."""
        name_swap = {"renamed": NAME_SWAP_SHAPE} if self.names else {}
        if self.position == "output":
            return {**OUTPUT_SHAPES, **name_swap}
        shapes: dict[str, tuple[int, ...]] = {
            "topk_prob": (num_layers, self.k),
            "inter": (num_layers - 1, self.k, self.k),
            "intra": (num_layers, self.k - 1),
            "token_prob": (3,),
        }
        shapes |= {"pooled": (num_layers, 4, 3)} if self.position == "pooled" else {}
        return shapes | name_swap

    @property
    def inner(self) -> bool:
        """Whether states of layers below the last are needed."""
        return self.position != "output"


def build_features(
    adapter: HostAdapter,
    spans: Sequence[SpanStates],
    spec: FeatureSpec,
    wanted: Collection[str] | None = None,
    margin: bool = True,
) -> Features:
    """Features of S spans as arrays [S, ...] of the shapes that `spec.shapes` says; deterministic, batch-invariant.

    - `topk_prob` [S, L, k]: lens probabilities of the k best tokens.
    - `inter` [S, L-1, k, k], `intra` [S, L, k-1]: cosines of their embeddings, see `token_cosines`.
    - `token_prob` [S, 3]: min, max and mean raw probability of the span's tokens.
    - `pooled` [S, L, 4, 3]: the emitted token's (log-probability, log(1 + rank), margin, entropy in nats) by
      (least, mean, most) over the span's tokens. Margin: its logit minus the best other token's.
    - `token_logprob` [S, 2, 3], `length` [S, 1], `base_logprob` [S, 4] (zeros, which `base_features` may replace), instead of all but
      `token_prob`, if no inner layer is needed; see `inputs`.
    - `renamed` [S, 13], if the spec has `names`: zeros, which `compare_names` may replace.

    With `wanted` (what a detector takes), arrays that it does not need may be left out. If it needs no inner layer, none is read
    (the spans' states may be of the last alone), and instead of `pooled` there is `token_logprob`, which `derive` would make of it.
    Without `margin`, its margins are 0, and the last layer is not projected: the probabilities say the rest.

    Only a span's first `max_tokens` tokens count. Raises InputError for no token or shapes that do not fit the
    host, CaptureError if a state that is read or a probability is not finite (such a span must not be judged).
    """
    layers = adapter.num_layers
    inner = spec.inner if wanted is None else reads_inner(wanted)
    _check(adapter, spans, inner)
    if not spans:
        return {name: np.zeros((0, *shape), np.float32) for name, shape in spec.shapes(layers).items()}
    with torch.no_grad():
        features = _fetched(device_features(adapter, gather(spans, spec, inner), spec, inner, margin))
    if spec.names:
        features["renamed"] = np.zeros((len(spans), *NAME_SWAP_SHAPE), np.float32)
    for name, array in features.items():
        if not np.isfinite(array).all():
            raise CaptureError(f"Expected finite hidden states and probabilities; {name} came out not finite.")
    return features


def build_device_features(
    adapter: HostAdapter, spans: Sequence[SpanStates], spec: FeatureSpec, wanted: Collection[str], margin: bool = True
) -> dict[str, Tensor]:
    """`build_features` of at least one span, left on the device; whether they are finite is for the scorer to find out. InputError as there."""
    inner = reads_inner(wanted)
    _check(adapter, spans, inner)
    with torch.no_grad():
        features = device_features(adapter, gather(spans, spec, inner), spec, inner, margin)
    if spec.names:
        features["renamed"] = next(iter(features.values())).new_zeros(
            (len(spans), *NAME_SWAP_SHAPE), dtype=torch.float32
        )
    return features


def _check(adapter: HostAdapter, spans: Sequence[SpanStates], inner: bool) -> None:
    layers, width = adapter.num_layers, adapter.hidden_size
    for span in spans:
        tokens = len(span.ids)
        fits = span.hidden.shape == (tokens, layers, width) or (not inner and span.hidden.shape == (tokens, 1, width))
        if not (tokens and fits and span.probability.shape == (tokens,)):
            kept = str(layers) if inner else f"{layers} or 1"
            raise InputError(
                f"A span needs states [T, {kept}, {width}] and T >= 1 ids and probabilities, got "
                f"{list(span.hidden.shape)}, {list(span.ids.shape)} and {list(span.probability.shape)}."
            )


def compare_names(
    spans: Sequence[SpanStates], others: Sequence[Sequence[Sequence[float]]], spec: FeatureSpec
) -> Features:
    """`renamed` [S, 13] of S spans, see `name_swap_features`. `others` has the log-probabilities of each span's tokens under other
    names, [K][T], none where no name was found."""
    if not spans:
        return {"renamed": np.zeros((0, *NAME_SWAP_SHAPE), np.float32)}
    kept = [span.probability[: spec.max_tokens] for span in spans]
    own = torch.cat(kept).cpu().double().clamp_min(TINY).log().split([len(each) for each in kept])
    read = [[row[: spec.max_tokens] for row in rows] for rows in others]
    return {"renamed": np.stack([name_swap_features(mine.tolist(), its) for mine, its in zip(own, read, strict=True)])}


def _fetched(arrays: Mapping[str, Tensor]) -> Features:
    """The arrays [S, ...] in float32 on the CPU, brought over in one piece: each copy waits for a GPU."""
    joined_columns = torch.cat([array.flatten(1).float() for array in arrays.values()], dim=1).cpu()
    parts = joined_columns.split([array[0].numel() for array in arrays.values()], dim=1)
    return {
        name: part.reshape(array.shape).contiguous().numpy()
        for (name, array), part in zip(arrays.items(), parts, strict=True)
    }


class SpanBatch(NamedTuple):
    """All that the features of S spans are made of, one span behind the other, on the device of their states."""

    hidden: Tensor
    """[T, L, d], or [T, 1, d] of the last layer alone; where only first tokens are read, T is S."""
    ids: Tensor
    """[T]"""
    probability: Tensor
    """[P], of all tokens that count."""
    lengths: Tensor
    """[S]: how many of `probability` are each span's."""


def gather(spans: Sequence[SpanStates], spec: FeatureSpec, inner: bool = True) -> SpanBatch:
    """What `device_features` reads of at least one span. Their lengths are the only thing that comes from the processor, and nothing waits for them."""
    keep = spec.max_tokens if spec.position == "pooled" or not inner else 1
    layers = slice(None) if inner else slice(-1, None)
    hidden = torch.cat([span.hidden[:keep, layers] for span in spans])
    device = hidden.device
    lengths = torch.tensor([min(len(span.ids), spec.max_tokens) for span in spans], pin_memory=device.type == "cuda")
    return SpanBatch(
        hidden,
        torch.cat([span.ids[:keep].long() for span in spans]).to(device),
        torch.cat([span.probability[: spec.max_tokens].float() for span in spans]).to(device),
        lengths.to(device, non_blocking=True),
    )


def device_features(
    adapter: HostAdapter, batch: SpanBatch, spec: FeatureSpec, inner: bool = True, margin: bool = True
) -> dict[str, Tensor]:
    """The arrays of `build_features` but `renamed`, on the device that the lens answers on. Launches depend on shapes alone, so a CUDA graph can hold them."""
    if not inner:
        return _output_features(
            batch, _projected_margin(adapter, batch, spec) if margin else _recorded_log_probability(batch)
        )
    pooled = spec.position == "pooled"
    out = _lens(adapter, batch.hidden, batch.ids if pooled else None, spec)
    device = out.logsumexp.device
    lengths = batch.lengths.to(device)
    first = lengths.cumsum(0) - lengths if pooled else torch.arange(len(lengths), device=device)
    shape = (len(batch.ids), adapter.num_layers, -1)
    first_ids = out.topk_id.reshape(shape)[first, :, : spec.k]
    inter, intra = token_cosines(first_ids, adapter.input_embedding)
    probabilities = (out.topk_logit - out.logsumexp.unsqueeze(1)).exp().reshape(shape)
    arrays = {
        "topk_prob": probabilities[first, :, : spec.k],
        "inter": inter.to(device),
        "intra": intra.to(device),
        "token_prob": _token_prob(batch, lengths),
    }
    if pooled:
        arrays["pooled"] = _reduce_runs(_token_statistics(out).reshape(shape), lengths, ("min", "mean", "max"))
    return arrays


def _output_features(batch: SpanBatch, likelihoods: Tensor) -> dict[str, Tensor]:
    """What the host's own output says of the spans; `likelihoods` [P, 2] are log-probability and margin of their tokens."""
    lengths = batch.lengths.to(likelihoods.device)
    return {
        "token_prob": _token_prob(batch, lengths),
        "token_logprob": _reduce_runs(likelihoods, lengths, ("min", "mean", "max")),
        "length": lengths.unsqueeze(1).float(),
        "base_logprob": lengths.new_zeros((len(lengths), *BASE_SHAPE), dtype=torch.float32),
    }


def _projected_margin(adapter: HostAdapter, batch: SpanBatch, spec: FeatureSpec) -> Tensor:
    """Log-probability and margin of all tokens [P, 2], by the lens of the last layer."""
    statistics = _token_statistics(_lens(adapter, batch.hidden, batch.ids, replace(spec, k=1)))
    return torch.stack([statistics[:, LOG_PROBABILITY], statistics[:, MARGIN]], dim=1)


def _recorded_log_probability(batch: SpanBatch) -> Tensor:
    """The same by the probabilities alone, the margins 0."""
    own = batch.probability.clamp_min(TINY).log().clamp(min=FLOOR)
    return torch.stack([own, torch.zeros_like(own)], dim=1)


def _token_prob(batch: SpanBatch, lengths: Tensor) -> Tensor:
    return _reduce_runs(batch.probability.to(lengths.device), lengths, ("min", "max", "mean"))


def _lens(adapter: HostAdapter, hidden: Tensor, ids: Tensor | None, spec: FeatureSpec) -> LensOutput:
    """The lens over states [T, layers, d] of all tokens, in blocks of rows [T x layers, d]."""
    rows = hidden.flatten(0, 1)
    chosen = None if ids is None else ids.repeat_interleave(hidden.shape[1])
    step = max(1, BLOCK_STATES // rows.shape[1])
    k = max(spec.k, min(2, adapter.vocabulary))  # the margin needs a runner-up
    parts = []
    for start in range(0, len(rows), step):
        own = None if chosen is None else chosen[start : start + step]
        parts.append(adapter.lens(rows[start : start + step], k, own, entropy=own is not None, norm=spec.norm))
    return concatenate(parts)


def _token_statistics(out: LensOutput) -> Tensor:
    """[rows, 4]: the chosen token's log-probability, log(1 + rank) and margin, and the entropy."""
    logit, rank, entropy = out.chosen_logit, out.chosen_rank, out.entropy
    assert logit is not None and rank is not None and entropy is not None
    rival = torch.where(rank == 0, out.topk_logit[:, min(1, out.topk_logit.shape[1] - 1)], out.topk_logit[:, 0])
    return torch.stack(
        [
            (logit - out.logsumexp).clamp(min=FLOOR),
            rank.float().log1p(),
            (logit - rival).clamp(FLOOR, -FLOOR),
            entropy,
        ],
        dim=1,
    )


def _reduce_runs(values: Tensor, lengths: Tensor, ways: Sequence[str]) -> Tensor:
    """Consecutive runs of `values` [all tokens, ...], each reduced in every way: [S, ..., ways]."""
    # unsafe: the lengths are not looked at, which would wait for a GPU.
    return torch.stack([torch.segment_reduce(values, way, lengths=lengths, unsafe=True) for way in ways], dim=-1)
