"""The probe: what a host's own states say of the words that it writes, as the tags of the finder's tagger.

A network of one hidden layer reads, at two depths of the host, the state before a word's first token and the state at
its last. It is trained for one host, lies in the bundle of this host, and decides with the tagger.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from reticent_detectors.bundle.format import Bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.errors import BundleCorrupt, BundleMismatch
from reticent_detectors.finder.tagger import shipped

PLACES = 2
"""States of a word: before its first token, and at its last."""
_MOST = 8.0
"""Largest standardised number of a state."""


class HostProbe(nn.Module):
    """Gives the tags of words.

    Args:
        kinds: names of the tagger's K kinds.
        layers: indices of the D layers whose output is read, from 0.
        width: numbers of a state.
        hidden: hidden units.
    """

    mean: Tensor
    scale: Tensor

    def __init__(self, kinds: Sequence[str], layers: Sequence[int], width: int, hidden: int) -> None:
        super().__init__()
        self.kinds, self.layers = tuple(kinds), tuple(layers)
        self.margins = (0.0,) * len(self.kinds)
        """By how much the first word of a value must be likelier to be one than not, where the tagger decides too."""
        self.register_buffer("mean", torch.zeros(len(layers), width))
        self.register_buffer("scale", torch.ones(len(layers), width))
        self.inner = nn.Linear(PLACES * len(layers) * width, hidden)
        self.out = nn.Linear(hidden, 1 + 2 * len(self.kinds))

    def standardised(self, states: Tensor) -> Tensor:
        """Return states [N, PLACES, D, d] of any scale as inputs [N, PLACES * D * d]."""
        states = states.float()
        states = states * states.square().mean(-1, keepdim=True).clamp_min(1e-6).rsqrt()
        return ((states - self.mean) / self.scale).clamp(-_MOST, _MOST).flatten(1)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return logits [N, 1 + 2K] of standardised inputs."""
        logits: Tensor = self.out(nn.functional.gelu(self.inner(inputs)))
        return logits

    @torch.no_grad()
    def tags(self, states: Tensor) -> NDArray[np.float32]:
        """Return log-probabilities [N, 1 + 2K] by states [N, PLACES, D, d], computed where the states are."""
        if self.mean.device != states.device:
            self.to(states.device)
        made = torch.log_softmax(self(self.standardised(states)), -1)
        out: NDArray[np.float32] = made.cpu().numpy()
        return out

    def to_bytes(self) -> bytes:
        """Return the probe as a file of NumPy arrays, weights in 16 bits."""
        arrays = {name: part.cpu().numpy().astype(np.float16) for name, part in self.state_dict().items()}
        file = io.BytesIO()
        np.savez(
            file, kinds=np.array(self.kinds), layers=np.array(self.layers), margins=np.array(self.margins), **arrays
        )
        return file.getvalue()

    @classmethod
    def from_bytes(cls, data: bytes) -> HostProbe:
        """Read a probe. Raises BundleCorrupt if the file is none."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as made:
                arrays = {name: made[name] for name in made.files}
            kinds, layers = arrays.pop("kinds").tolist(), arrays.pop("layers").tolist()
            margins = arrays.pop("margins").tolist()
            probe = cls(kinds, layers, arrays["mean"].shape[1], len(arrays["inner.bias"]))
            probe.load_state_dict({name: torch.from_numpy(part).float() for name, part in arrays.items()})
            if len(margins) != len(kinds):
                raise ValueError("margins")
        except (ValueError, KeyError, IndexError, TypeError, RuntimeError, OSError, zipfile.BadZipFile) as error:
            raise BundleCorrupt(f"The bundle's probe is truncated or was edited ({type(error).__name__}).") from None
        probe.margins = tuple(map(float, margins))
        return probe.eval()

    @classmethod
    def of(cls, bundle: Bundle, host: HostAdapter) -> HostProbe | None:
        """Return the bundle's probe, if it has one.

        Raises:
            BundleCorrupt: the file is no probe.
            BundleMismatch: the probe was made for another tagger, or does not fit the host.
        """
        if bundle.probe is None:
            return None
        probe = cls.from_bytes(bundle.probe)
        if probe.kinds != shipped().kinds:
            raise BundleMismatch(f"The probe of {bundle.path} was made for another tagger; make it anew.")
        if max(probe.layers) >= host.num_layers or probe.mean.shape[1] != host.hidden_size:
            raise BundleMismatch(
                f"The probe of {bundle.path} reads layers {probe.layers} of {probe.mean.shape[1]} numbers; "
                f"this host has {host.num_layers} layers of {host.hidden_size}."
            )
        return probe
