"""Joins several networks in one graph, which gives the mean of their calibrated logits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from reticent_detectors.detector.network import DetectorNetwork, NetworkOptions, in_batches
from reticent_detectors.errors import InputError


class Ensemble(nn.Module):
    """Maps raw feature arrays, in the order of `inputs`, to the mean over the members of slope * logit + intercept.

    forward(*arrays): each [S, *options.shapes[name]] float32 -> [S] float32. Each member reads the arrays that it
    needs.

    Args:
        members: networks for one shape of host and the same kinds of data.
        scales: slope and intercept of each member.

    Raises:
        InputError: no member, or members for different hosts or kinds.
    """

    slope: Tensor
    intercept: Tensor

    def __init__(self, members: Sequence[DetectorNetwork], scales: Sequence[tuple[float, float]]) -> None:
        super().__init__()
        if not members or len(members) != len(scales):
            raise InputError(f"an ensemble needs a slope and an intercept for each member; got {len(members)} members")
        options = [member.options for member in members]
        if len({(each.layers, each.ranks, each.entities) for each in options}) > 1:
            raise InputError("the members of an ensemble must be for one shape of host and the same kinds of data")
        groups = frozenset[str]().union(*(each.groups for each in options))
        self.options: NetworkOptions = replace(options[0], groups=groups)
        self.inputs = tuple(self.options.shapes)
        self.members = nn.ModuleList(members)
        given = torch.tensor(scales, dtype=torch.float32)
        self.register_buffer("slope", given[:, 0])
        self.register_buffer("intercept", given[:, 1])

    def forward(self, *arrays: Tensor) -> Tensor:
        named = dict(zip(self.inputs, arrays, strict=True))
        logits = torch.stack([member(*(named[name] for name in member.inputs)) for member in self._members()], dim=1)
        return (logits * self.slope + self.intercept).mean(1)

    def logits(self, features: Mapping[str, NDArray[np.float32]], batch: int = 1024) -> NDArray[np.float32]:
        """Returns the logits [S] of many rows in float32, without dropout."""
        return in_batches(self, self.inputs, features, batch)

    def to_json(self) -> list[dict[str, Any]]:
        """Returns the options of the members. Together with the module's state they restore it."""
        return [member.options.to_json() for member in self._members()]

    @classmethod
    def from_json(cls, content: Sequence[Mapping[str, Any]]) -> Self:
        """Makes members with these options, whose weights are still to be loaded."""
        networks = [DetectorNetwork(NetworkOptions.from_json(each)) for each in content]
        return cls(networks, [(1.0, 0.0)] * len(networks))

    def _members(self) -> list[DetectorNetwork]:
        return [member for member in self.members if isinstance(member, DetectorNetwork)]
