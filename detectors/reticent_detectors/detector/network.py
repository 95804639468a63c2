"""Defines PrivacyXray's detector network (section 5.3, Appendix B, Table 16), with more sub-networks for our features.

A sub-network reads one feature array and gives 64 numbers. The fusion module joins them into one logit (positive = the
weights remember this value). Groups can be switched off, to train the paper's features and ours side by side.

The paper leaves some choices open or contradicts itself. These are ours:

- *Optimiser.* Section 5.3 names Adam, Appendix B AdamW with weight decay 0.05, cosine and 100 warm-up steps. We use
  AdamW. Appendix B's "batch size 8, gradient accumulation 4, sequence length 128" seems to describe the fine-tuning of
  the host, because no detector input is a sequence of 128. We do not use it.
- *Width of the fusion.* Table 16 gives it 64 inputs, but ProbNet alone contributes 64. Here every sub-network's last
  dense layer gives 64 numbers, which are concatenated. The hidden layer has the 32 units of the table.
- *Two outputs.* Cross-entropy over two outputs depends only on their difference. One logit is the same model.
- *InterNet's sequence.* Not stated. One step per pair of layers holds its k x k cosines, flattened. Each step has a
  learned position, because the layers' order would be lost otherwise. "Hidden size 128" is the model width and also the
  feed-forward width, which is not stated. The steps are averaged after the encoder.
- *IntraNet's axis.* The text mentions relationships "within a layer". So convolution and LSTM run over ranks, and the
  layers are channels. The last state of each direction is kept.
- *TopkProbNet's axis.* Not stated. The convolution runs over layers, and ranks are channels. Max-pooling halves the
  layers but keeps their order, because the paper's section 3 studies in which layer a token becomes certain.
- *Scaling.* Not stated. Mean and standard deviation of the training rows are buffers, so the exported graph takes raw
  features. Standardised values are clipped to 8 deviations.

Dropout (0.1) and normalisation before each encoder layer are ours. PooledNet is a small perceptron over the flattened
[L, 4, 3]. `derived_features.derive` computes two groups from other features: `logprobs` (from a server's
log-probabilities; beside `prob` and `entity` the only group of a black-box host) and `entity` (the kind of data,
one-hot). `renamed` compares a span's likelihood with that under other people's names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from reticent_detectors.entities import PRIVACYXRAY
from reticent_detectors.errors import InputError
from reticent_detectors.features.name_swap import NAME_SWAP_SHAPE

# Group -> feature array, in the order of the network's arguments and of the exported graph's inputs.
GROUPS: dict[str, str] = {
    "inter": "inter",
    "intra": "intra",
    "topk": "topk_prob",
    "prob": "token_prob",
    "pooled": "pooled",
    "logprobs": "token_logprob",
    "renamed": "renamed",
    "entity": "entity",
}
PAPER_GROUPS = frozenset({"inter", "intra", "topk", "prob"})
STATE_GROUPS = PAPER_GROUPS | {"pooled"}
"""Groups whose arrays `build_features` computes from hidden states."""
DEPTHLESS = frozenset({"prob", "logprobs", "renamed", "entity"})
"""Groups whose arrays have the same shape on every host."""

_OUT = 64
CLIP = 8.0


@dataclass(frozen=True)
class NetworkOptions:
    """The shape of a network.

    `layers` (L) and `ranks` (k) may be 0 if no group depends on them. `entities` are the kinds of data in the order of
    the one-hot `entity` input.
    """

    layers: int
    ranks: int
    groups: frozenset[str] = STATE_GROUPS
    dropout: float = 0.1
    entities: tuple[str, ...] = tuple(map(str, PRIVACYXRAY))

    def __post_init__(self) -> None:
        if unknown := sorted(self.groups - set(GROUPS)):
            raise InputError(f"unknown feature groups: {', '.join(unknown)}; expected some of {', '.join(GROUPS)}")
        if not self.groups:
            raise InputError(f"no feature group is chosen; expected at least one of {', '.join(GROUPS)}")
        if self.groups - DEPTHLESS and min(self.layers, self.ranks) < 2:
            raise InputError(f"a detector needs at least 2 layers and 2 ranks, got {self.layers} and {self.ranks}")

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shape of each input array without the batch axis, in the order of the arguments."""
        layers, ranks = self.layers, self.ranks
        every: dict[str, tuple[int, ...]] = {
            "inter": (layers - 1, ranks, ranks),
            "intra": (layers, ranks - 1),
            "topk_prob": (layers, ranks),
            "token_prob": (3,),
            "pooled": (layers, 4, 3),
            "token_logprob": (2, 3),
            "renamed": NAME_SWAP_SHAPE,
            "entity": (len(self.entities),),
        }
        return {array: every[array] for group, array in GROUPS.items() if group in self.groups}

    def to_json(self) -> dict[str, Any]:
        return {
            "layers": self.layers,
            "ranks": self.ranks,
            "groups": [group for group in GROUPS if group in self.groups],
            "dropout": self.dropout,
            "entities": list(self.entities),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        return cls(
            int(content["layers"]),
            int(content["ranks"]),
            frozenset(content["groups"]),
            float(content["dropout"]),
            tuple(content["entities"]),
        )


class Standardize(nn.Module):
    """Returns (x - mean) / deviation of each element, clipped. `fit` sets the statistics, which are buffers."""

    mean: Tensor
    deviation: Tensor

    def __init__(self, shape: Iterable[int]) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(*shape))
        self.register_buffer("deviation", torch.ones(*shape))

    @torch.no_grad()
    def fit(self, rows: NDArray[np.float32]) -> None:
        mean = rows.mean(0, dtype=np.float64)
        deviation = rows.std(0, dtype=np.float64)
        self.mean.copy_(torch.from_numpy(mean))
        # An element that never varied in training carries no information. A deviation of 1 keeps it near 0.
        self.deviation.copy_(torch.from_numpy(np.where(deviation < 1e-5, 1.0, deviation)))

    def forward(self, rows: Tensor) -> Tensor:
        return ((rows - self.mean) / self.deviation).clamp(-CLIP, CLIP)


class InterNet(nn.Module):
    """[S, L-1, k, k] -> [S, 64]: 2-layer transformer encoder, 4 heads, width 128, over pairs of layers."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__()
        self.embed = nn.Linear(options.ranks**2, 128)
        self.position = nn.Parameter(torch.randn(options.layers - 1, 128) * 0.02)
        layer = nn.TransformerEncoderLayer(
            128, nhead=4, dim_feedforward=128, dropout=options.dropout, batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, num_layers=2, norm=nn.LayerNorm(128), enable_nested_tensor=False)
        self.out = nn.Linear(128, _OUT)

    def forward(self, inter: Tensor) -> Tensor:
        encoded: Tensor = self.encoder(self.embed(inter.flatten(2)) + self.position)
        return torch.relu(self.out(encoded.mean(1)))


class BidirectionalLstm(nn.Module):
    """[S, T, C] -> [S, 2H]: the last state of each direction.

    `nn.LSTM` with an explicit loop over time, because torch's exporter cannot trace the fused one (2.13). Training and
    export share this one definition. Both directions go through one batched product.
    """

    def __init__(self, channels: int, hidden: int) -> None:
        super().__init__()
        self.cell = nn.LSTM(channels, hidden, batch_first=True, bidirectional=True)

    def forward(self, steps: Tensor) -> Tensor:
        # nn.LSTM sets its parameters by name, so the type checker cannot see that they are tensors.
        cell: Any = self.cell
        recurrent = torch.stack((cell.weight_hh_l0.t(), cell.weight_hh_l0_reverse.t()))
        forwards = steps @ cell.weight_ih_l0.t() + (cell.bias_ih_l0 + cell.bias_hh_l0)
        backwards = steps.flip(1) @ cell.weight_ih_l0_reverse.t() + (cell.bias_ih_l0_reverse + cell.bias_hh_l0_reverse)
        gates = torch.stack((forwards, backwards))  # [2, S, T, 4H]
        hidden = torch.zeros_like(gates[:, :, 0, : cell.hidden_size])
        memory = hidden
        for step in range(steps.shape[1]):
            enter, forget, new, leave = (gates[:, :, step] + hidden @ recurrent).chunk(4, -1)
            memory = forget.sigmoid() * memory + enter.sigmoid() * new.tanh()
            hidden = leave.sigmoid() * memory.tanh()
        return torch.cat((hidden[0], hidden[1]), -1)


class IntraNet(nn.Module):
    """[S, L, k-1] -> [S, 64]: Conv1D (32 channels, kernel 3) over ranks, BiLSTM (16 units), dense."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__()
        self.convolution = nn.Conv1d(options.layers, 32, kernel_size=3, padding=1)
        self.lstm = BidirectionalLstm(32, 16)
        self.out = nn.Linear(32, _OUT)

    def forward(self, intra: Tensor) -> Tensor:
        local = torch.relu(self.convolution(intra)).transpose(1, 2)
        return torch.relu(self.out(self.lstm(local)))


class TopkProbNet(nn.Module):
    """[S, L, k] -> [S, 64]: Conv1D (32 channels, kernel 3) over layers, max-pooling by 2, dense."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__()
        self.convolution = nn.Conv1d(options.ranks, 32, kernel_size=3, padding=1)
        self.pool = nn.MaxPool1d(2, ceil_mode=True)
        self.out = nn.Linear(32 * -(-options.layers // 2), _OUT)

    def forward(self, topk_prob: Tensor) -> Tensor:
        pooled: Tensor = self.pool(torch.relu(self.convolution(topk_prob.transpose(1, 2))))
        return torch.relu(self.out(pooled.flatten(1)))


class ProbNet(nn.Sequential):
    """[S, 3] -> [S, 64]: two dense layers, 3 -> 128 -> 64."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__(nn.Linear(3, 128), nn.ReLU(), nn.Linear(128, _OUT), nn.ReLU())


class PooledNet(nn.Sequential):
    """[S, L, 4, 3] -> [S, 64]: a perceptron over all layers, statistics and poolings."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__(
            nn.Flatten(),
            nn.Linear(options.layers * 12, 128),
            nn.ReLU(),
            nn.Dropout(options.dropout),
            nn.Linear(128, _OUT),
            nn.ReLU(),
        )


class LogprobNet(nn.Sequential):
    """[S, 2, 3] -> [S, 64]: two dense layers, 6 -> 128 -> 64."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__(nn.Flatten(), nn.Linear(6, 128), nn.ReLU(), nn.Linear(128, _OUT), nn.ReLU())


class RenamedNet(nn.Sequential):
    """[S, 13] -> [S, 64]: two dense layers, 13 -> 128 -> 64."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__(
            nn.Linear(*NAME_SWAP_SHAPE, 128), nn.ReLU(), nn.Dropout(options.dropout), nn.Linear(128, _OUT), nn.ReLU()
        )


class EntityNet(nn.Sequential):
    """[S, E] -> [S, 64]: an embedding of the kind of data."""

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__(nn.Linear(len(options.entities), _OUT))


_SUBNETWORKS: dict[str, type[nn.Module]] = {
    "inter": InterNet,
    "intra": IntraNet,
    "topk": TopkProbNet,
    "prob": ProbNet,
    "pooled": PooledNet,
    "logprobs": LogprobNet,
    "renamed": RenamedNet,
    "entity": EntityNet,
}


class DetectorNetwork(nn.Module):
    """Maps raw feature arrays, in the order of `inputs`, to one logit for each span.

    forward(*arrays): each [S, *options.shapes[name]] float32 -> [S] float32.
    """

    def __init__(self, options: NetworkOptions) -> None:
        super().__init__()
        self.options = options
        self.inputs = tuple(options.shapes)
        groups = [group for group in GROUPS if group in options.groups]
        self.scales = nn.ModuleList(Standardize(shape) for shape in options.shapes.values())
        self.branches = nn.ModuleList(_SUBNETWORKS[group](options) for group in groups)
        self.fusion = nn.Sequential(
            nn.Dropout(options.dropout), nn.Linear(_OUT * len(groups), 32), nn.ReLU(), nn.Linear(32, 1)
        )

    def forward(self, *arrays: Tensor) -> Tensor:
        parts = [branch(scale(array)) for branch, scale, array in zip(self.branches, self.scales, arrays, strict=True)]
        logit: Tensor = self.fusion(torch.cat(parts, dim=1))
        return logit.squeeze(1)

    def fit_scales(self, features: Mapping[str, NDArray[np.float32]]) -> None:
        """Takes mean and deviation of every input element from these rows, which are the training rows."""
        for name, scale in zip(self.inputs, self.scales, strict=True):
            assert isinstance(scale, Standardize)
            scale.fit(features[name])

    def logits(self, features: Mapping[str, NDArray[np.float32]], batch: int = 1024) -> NDArray[np.float32]:
        """Returns the logits [S] of many rows in float32, without dropout."""
        return in_batches(self, self.inputs, features, batch)


@torch.no_grad()
def in_batches(
    network: nn.Module, inputs: Iterable[str], features: Mapping[str, NDArray[np.float32]], batch: int
) -> NDArray[np.float32]:
    """Returns a network's output [S] in float32 for its `inputs` of many rows, `batch` at once, without dropout."""
    training = network.training
    network.eval()
    tensors = [torch.from_numpy(np.ascontiguousarray(features[name], dtype=np.float32)) for name in inputs]
    rows = len(tensors[0])
    chunks = [network(*(tensor[at : at + batch] for tensor in tensors)) for at in range(0, rows, batch)]
    network.train(training)
    return torch.cat(chunks).numpy() if chunks else np.zeros(0, dtype=np.float32)
