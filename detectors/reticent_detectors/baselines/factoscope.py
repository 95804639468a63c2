"""Scores spans as LLM Factoscope (He et al. 2024): a siamese network over four views of the layers and a support set.

The network reads four views at the predictive position of the span's first token:

- the map of the layers' activations, standardised by one mean and one deviation;
- the token's rank in the lens of each layer, as 1 / rank;
- the cosines between the embeddings of tokens of equal rank in the ten best of neighbouring layers;
- the ten best tokens' probabilities.

Each view becomes 24 numbers: the ranks by two GRUs, the others by a convolutional network. The joined 96 numbers become
64 on the unit sphere. Training uses a triplet loss of margin 1 and Adam. A support set of training rows is kept back.
The score is how much nearer the nearest memorised neighbour in it is than the nearest made-up one.

Differences from the original:

- ResNet-18 would have more weights than there are rows, so two small convolutions replace it.
- All views are trained at once instead of one after another.
- The original turns rank r into 1 / (2 - r), which is ten million at rank 2 and negative behind it. Here it is 1 / r.
- The original keeps the pass that is best on its test rows. Here the validation rows choose it.

A host with several activation functions in a layer has no activation map and gets no score.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from reticent_detectors.baselines.evidence import ACTIVATION, PREFIX, Floats
from reticent_detectors.baselines.rows import Rows

VIEW, EMBEDDING = 24, 64
SUPPORT = 500
PASSES = 8
BATCH = 64
NEEDS = (ACTIVATION, f"{PREFIX}rank", "inter", "topk_prob")


class _Picture(nn.Module):
    """Turns a map [B, rows, columns] into [B, 24]. The first convolution leaves about 64 columns at most."""

    def __init__(self, columns: int) -> None:
        super().__init__()
        step = max(1, columns // 64)
        self.layers = nn.Sequential(
            nn.Conv2d(1, 8, (3, 2 * step + 1), stride=(1, step), padding=(1, step)),
            nn.ReLU(),
            nn.AdaptiveMaxPool2d((4, 16)),
            nn.Conv2d(8, 16, 3, padding=1),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d((2, 8)),
            nn.Flatten(),
            nn.Linear(256, VIEW),
        )

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.layers(x.unsqueeze(1))
        return out


class FactoscopeNetwork(nn.Module):
    """Maps four views to points [B, 64] on the unit sphere.

    The views are [B, L, neurons], [B, L], [B, L-1, ranks] and [B, L, ranks].
    """

    def __init__(self, neurons: int, ranks: int) -> None:
        super().__init__()
        self.activation = _Picture(neurons)
        self.cosines, self.probabilities = _Picture(ranks), _Picture(ranks)
        self.first, self.second = nn.GRU(1, 128, batch_first=True), nn.GRU(128, 64, batch_first=True)
        self.rank = nn.Sequential(nn.Dropout(0.5), nn.Linear(64, 32), nn.Linear(32, VIEW))
        self.join = nn.Linear(4 * VIEW, EMBEDDING)

    def forward(self, activation: Tensor, rank: Tensor, cosines: Tensor, probabilities: Tensor) -> Tensor:
        steps = self.second(self.first(rank.unsqueeze(2))[0])[0]
        views = [
            self.activation(activation),
            self.rank(steps[:, -1]),
            self.cosines(cosines),
            self.probabilities(probabilities),
        ]
        return nn.functional.normalize(self.join(torch.cat(views, 1)).relu(), dim=1)


Views = tuple[Tensor, Tensor, Tensor, Tensor]


def views(rows: Rows) -> Views:
    """Returns the network's inputs for all rows. The training rows standardise the activations."""
    maps = rows.column(ACTIVATION)
    seen = maps[rows.train]
    maps = (maps - seen.mean()) / (seen.std() + 1e-6)
    cosines = np.ascontiguousarray(np.diagonal(rows.column("inter"), axis1=2, axis2=3))
    arrays = (maps, 1.0 / (1.0 + rows.column(f"{PREFIX}rank")), cosines, rows.column("topk_prob"))
    a, b, c, d = (torch.from_numpy(np.ascontiguousarray(array, np.float32)) for array in arrays)
    return a, b, c, d


@torch.no_grad()
def embed(network: FactoscopeNetwork, inputs: Views) -> Tensor:
    """Returns the points [S, 64] of all rows."""
    network.eval()
    blocks = zip(*(array.split(1024) for array in inputs), strict=True)
    return torch.cat([network(*block) for block in blocks])


def nearer(points: Tensor, support: Tensor, remembered: NDArray[np.bool_]) -> Floats:
    """Returns the distance [S] to the support set's nearest made-up point minus that to its nearest memorised one."""
    distance = torch.cdist(points, support).numpy().astype(np.float64)
    out: Floats = distance[:, ~remembered].min(1) - distance[:, remembered].min(1)
    return out


def factoscope(rows: Rows, seed: int = 0) -> Iterator[tuple[str, Floats]]:
    """Yields the scores of all rows after each pass of the training.

    It does not use the rows' weights, because anchors come from both classes equally.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(rows.train)
    count = min(SUPPORT, len(order) // 5)
    kept, learned = order[:count], order[count:]
    sides = [learned[rows.positive[learned] == side] for side in (False, True)]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        inputs = views(rows)
        network = FactoscopeNetwork(inputs[0].shape[2], inputs[3].shape[2])
        optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
        criterion = nn.TripletMarginLoss(margin=1.0)
        for number in range(PASSES):
            network.train()
            for _ in range(0, len(learned), BATCH):
                own = rng.random(BATCH) < 0.5
                anchor, same, other = (
                    np.where(own == turn, rng.choice(sides[1], BATCH), rng.choice(sides[0], BATCH))
                    for turn in (True, True, False)
                )
                points = network(*(array[np.concatenate([anchor, same, other])] for array in inputs))
                loss = criterion(*points.split(BATCH))
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            points = embed(network, inputs)
            yield f"pass {number + 1}", nearer(points, points[kept], rows.positive[kept])
