"""A network that cannot take a likelier value for a less remembered one.

Trained on some hosts, a free network bends as their noise asks, and on a host whose probabilities lie elsewhere that bend decides.
So every input that says "likelier", or "likelier than under other names", may only raise the logit; those that say "likely under other
names as well" may only lower it; which kind of data it is, and whether names were compared at all, may do either.

After Runje and Shankaranarayana, "Constrained Monotonic Neural Networks" (ICML 2023): weights of one sign between units of which a
third bends upwards, a third downwards and a third both ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

import torch
from torch import Tensor, nn

UNITS = 48
DIRECTIONS: dict[str, tuple[int, ...]] = {
    "token_prob": (1,) * 3,
    "token_logprob": (1,) * 6,
    "renamed": (0, *(1,) * 8, *(-1,) * 4),
}
"""For each array, flattened: whether a number may only raise the logit (1), only lower it (-1), or either (0)."""


class MonotoneNet(nn.Module):
    """Two hidden layers of 48 units. forward(*arrays): each [S, *shapes[name]], standardised -> logit [S].

    Arrays that are not in `DIRECTIONS` are free.
    """

    rising: Tensor
    free: Tensor
    sign: Tensor

    def __init__(self, shapes: Mapping[str, tuple[int, ...]], dropout: float) -> None:
        super().__init__()
        sizes = {name: int(torch.Size(shape).numel()) for name, shape in shapes.items()}
        directions = torch.tensor([d for name, n in sizes.items() for d in DIRECTIONS.get(name, (0,) * n)])
        self.register_buffer("rising", directions.nonzero().flatten())
        self.register_buffer("free", (directions == 0).nonzero().flatten())
        self.register_buffer("sign", directions[self.rising].float())
        widths = (len(self.rising), UNITS, UNITS, 1)
        self.weights = nn.ParameterList(
            nn.Parameter(0.7 * torch.randn(after, before) / before**0.5) for before, after in pairwise(widths)
        )
        self.biases = nn.ModuleList(nn.Linear(len(self.free), after) for after in widths[1:])
        self.dropout = nn.Dropout(dropout)

    def forward(self, *arrays: Tensor) -> Tensor:
        inputs = torch.cat([array.flatten(1) for array in arrays], 1)
        free = inputs[:, self.free]
        rows = inputs[:, self.rising] * self.sign
        for layer, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            rows = rows @ weight.abs().t() + bias(free)
            if layer < len(self.biases) - 1:
                up, down, both = rows.chunk(3, 1)
                rows = self.dropout(torch.cat([torch.relu(up), -torch.relu(-down), torch.tanh(both)], 1))
        return rows.squeeze(1)
