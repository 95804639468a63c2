"""Keeps the states of a running generation's last positions, and refuses those that were not captured properly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from reticent_detectors.capture.beginning import Beginning
from reticent_detectors.capture.recorder import Positions, Recorder, SpanStates
from reticent_detectors.errors import CaptureError, InputError
from reticent_kernels import token_logprob


class Ring(Recorder):
    """The last `window` predictive positions of one running generation of B rows.

    After each step the caller passes the emitted tokens to `emitted`. Positions are columns of the padded batch: the
    state at position p predicts the token in column p + 1, in every row. Rows must keep their order. For states that
    were not captured properly, `states`, `span` and `spans` raise a CaptureError with the reason.
    """

    def __init__(self, layers: int, window: int, kept: Sequence[int] | None = None) -> None:
        super().__init__(layers, range(layers) if kept is None else kept)
        if window < 1:
            raise InputError(f"window must be at least 1 position, got {window}.")
        self.window = window
        self.step = 0
        """Number of steps that `emitted` was called for."""
        self.position = -1
        """Predictive position of the last forward pass; -1 before the first."""
        self.compile_seconds = 0.0
        """Seconds that this generation waited for the compiler, or for another thread's compiled step."""
        self._passes = 0
        self._lost: str | None = None
        self._slot = 0
        self._states: Tensor | None = None
        self._waiting: list[tuple[Tensor, int]] = []
        """Outputs [B, 1, d] of this step's layers that are still to be copied, and their versions when seen."""
        self._length = 0
        self._logits: tuple[Tensor, int] | None = None
        """Logits [B, V] of the last pass until `emitted`, and their version when seen."""
        self._slot_of: dict[int, int] = {}
        self._position_in: list[int | None] = [None] * window
        self._faults: list[str | None] = [None] * window
        self._held: list[Tensor | None] = [None] * window
        """Lengths that a static cache had after each pass, still on its device, to be compared later."""
        self._ids: list[list[int] | None] = [None] * window
        self._logprob: Tensor | None = None
        """Log-probabilities [window, B] of the emitted tokens."""
        self._batch = 0
        self._cache: Any = None

    def _store(self, place: int, hidden: Tensor) -> None:
        states = self._room(len(hidden), hidden)
        if place == 0:
            self._waiting.clear()
        self._length = hidden.shape[1]
        if self._length == 1 and len(self._waiting) == place and self._alike(hidden):
            self._waiting.append((hidden, hidden._version))
            return
        states[self._slot, place].copy_(hidden[:, -1])

    def on_pass(self, states: Tensor | None, length: int, output: Any) -> None:
        """Records a whole pass over `length` tokens.

        `states` [kept, B, d] are those of its last position; None if the layers did not all run in order.
        """
        self._next, self._fault, self._length = 0, None, length
        self._waiting.clear()
        try:
            if states is not None:
                self._room(states.shape[1], states)[self._slot].copy_(states.detach())
                self._next = self._layers
        except Exception as error:
            self._fault = f"copying the layers raised {type(error).__name__}"
        self.on_output(output)

    def _room(self, batch: int, like: Tensor) -> Tensor:
        """Returns the buffer [window, kept, B, d] of states. The first states decide its number type and device."""
        if self._states is None:
            self._batch = batch
            shape = (self.window, self._kept, batch, like.shape[-1])
            with torch.inference_mode(False):
                self._states = torch.zeros(shape, dtype=like.dtype, device=like.device)
        if batch != self._batch:
            raise InputError(f"expected {self._batch} sequences, got {batch}")
        return self._states

    def _alike(self, hidden: Tensor) -> bool:
        """Whether a layer's only position may be copied later, with those of the other layers in one operation."""
        states = self._states
        return (
            states is not None
            and hidden.dtype == states.dtype
            and hidden.device == states.device
            and not hidden.is_inference()
        )

    def _copy_waiting(self) -> None:
        """Copies the layers of a step, unless a later layer has written into one of them."""
        if not self._waiting or self._states is None:
            return
        if any(hidden._version != version for hidden, version in self._waiting):
            self._fault = self._fault or "a layer wrote into the output of the layer before it"
        layers = torch.cat([hidden for hidden, _ in self._waiting], dim=1)
        self._states[self._slot, : len(self._waiting)].copy_(layers.transpose(0, 1))
        self._waiting.clear()

    def _finish(self, output: Any) -> None:
        self._copy_waiting()
        self._cache = cache = getattr(output, "past_key_values", None)
        held = self._length if cache is None else cache.get_seq_length()
        # A static cache counts on its device. Asking at every step would wait for the device.
        later = held if isinstance(held, Tensor) and self.position >= 0 else None
        position = int(held) - 1 if later is None else self.position + self._length
        if self.step and position != self.position + 1:
            self._fail(f"a pass ended at position {position}, expected {self.position + 1}")
        elif position <= self.position:
            self._fail(f"a pass ended at position {position} after one at {self.position}")
        slot = self._slot
        if (old := self._position_in[slot]) is not None and self._slot_of.get(old) == slot:
            del self._slot_of[old]
        self._slot_of[position], self._position_in[slot] = slot, position
        self._faults[slot], self._ids[slot] = self._fault, None
        self._held[slot] = None if later is None else later.clone()
        logits = output.logits[:, -1].detach()
        if len(logits) != self._batch:
            raise InputError(f"expected {self._batch} sequences, got {len(logits)}")
        if logits.is_inference():  # such a tensor has no version, so writes into it would go unnoticed
            with torch.inference_mode(False):
                logits = logits.clone()
        self._logits = logits, logits._version
        if self._logprob is None or self._logprob.device != logits.device:
            with torch.inference_mode(False):
                self._logprob = torch.zeros(self.window, len(logits), dtype=torch.float32, device=logits.device)
            self._ids = [None] * self.window  # their log-probabilities were in the old buffer
        self.position, self._passes, self._slot = position, self._passes + 1, (slot + 1) % self.window

    def _fail(self, reason: str) -> None:
        self._lost = self._lost or reason

    def emitted(self, token_ids: Sequence[int] | Tensor) -> list[int]:
        """Takes the token ids [B] that the last forward pass produced, and returns them as a list. Never raises.

        Call it once after every step. The first tokens may follow several passes (a prompt fed in chunks), every later
        one exactly one. Rows that have ended go on with padding. For a tensor on a GPU, this is the one wait of a step.
        """
        return self.emitting(token_ids, at_once=True)()

    def emitting(self, token_ids: Sequence[int] | Tensor, at_once: bool = False) -> Callable[[], list[int]]:
        """As `emitted`, but returns a function that waits for the ids. Call it once, before asking for the token.

        Meanwhile the host may go on, because the function waits for this step alone. `at_once` is faster if it is
        called immediately.
        """
        ids = token_ids if isinstance(token_ids, Tensor) else torch.tensor([int(token) for token in token_ids])
        (logits, version), self._logits = self._logits or (None, 0), None
        if self._passes == 0:
            self._fail("no forward pass was seen for a step; are hooks silenced by compilation, or in another thread?")
        elif self._passes > 1 and self.step:
            self._fail(f"{self._passes} forward passes were seen for one step")
        elif ids.shape != (self._batch,):
            self._fail(f"{len(ids)} tokens came out of {self._batch} rows")
        elif logits is None or self._logprob is None:
            self._fail("no logits were seen for a step")
        elif logits._version != version:
            self._fail("the logits of a step were written into")
        else:
            # The logits are gone after this step. Reading the probability before the wait makes one wait serve both.
            try:
                token_logprob(logits, ids, out=self._logprob[self._slot_of[self.position]])
            except Exception as error:
                self._fail(f"the emitted token is none of the host's, or cannot be looked up ({type(error).__name__})")
        slot = None if self._lost is not None else self._slot_of[self.position]
        size = 0 if logits is None else logits.shape[1]
        fetch = ids.tolist if at_once or not ids.is_cuda else _on_its_way(ids)
        self._passes = 0
        self.step += 1

        def wait_for_ids() -> list[int]:
            tokens: list[int] = fetch()
            if slot is not None:
                if not 0 <= min(tokens) <= max(tokens) < size:  # the kernel does not check ids on a GPU
                    self._fail("the emitted token is none of the host's")
                self._ids[slot] = tokens
            return tokens

        return wait_for_ids

    def states(self, positions: Positions, row: int = 0) -> Tensor:
        """Returns copies [T, kept, d] of one row's states at predictive `positions`. Raises CaptureError."""
        slots = self._slots(positions, row)
        self._compare_lengths(slots)
        return self._states_in(slots, [row] * len(slots))

    def beginning(self, row: int) -> Beginning | None:
        """Returns the cached beginning of a row, in columns from 0 on; None if the host keeps no cache."""
        return None if self._cache is None else Beginning(self._cache, row)

    def span(self, positions: Positions, row: int = 0) -> SpanStates:
        """Returns states, ids and probabilities of one row's tokens at predictive `positions`. Raises CaptureError."""
        return self.spans([(positions, row)])[0]

    def spans(self, wanted: Sequence[tuple[Positions, int]]) -> list[SpanStates]:
        """As `span`, for several positions and rows at once. Raises CaptureError if any of them is missing."""
        slots, rows, ids = list[int](), list[int](), list[int]()
        for positions, row in wanted:
            for slot in self._slots(positions, row):
                if (emitted := self._ids[slot]) is None:
                    raise CaptureError(
                        "Expected an emitted token at every asked position; call emitted() after each step."
                    )
                slots.append(slot)
                rows.append(row)
                ids.append(emitted[row])
        self._compare_lengths(slots)
        assert self._logprob is not None
        hidden = self._states_in(slots, rows)
        slot_at, row_at, id_at = torch.tensor([slots, rows, ids], device=self._logprob.device)
        probability = self._logprob[slot_at, row_at].exp()
        lengths = [len(positions) for positions, _ in wanted]
        parts = (hidden.split(lengths), id_at.split(lengths), probability.split(lengths))
        return [SpanStates(*span) for span in zip(*parts, strict=True)]

    def _states_in(self, slots: Sequence[int], rows: Sequence[int]) -> Tensor:
        assert self._states is not None
        slot_at, row_at = torch.tensor([slots, rows], device=self._states.device)
        return self._states[slot_at, :, row_at]

    def _slots(self, positions: Positions, row: int) -> list[int]:
        wanted = [int(p) for p in positions]
        if not wanted:
            raise InputError("Expected at least one predictive position, got none.")
        if self._lost is not None:
            raise CaptureError(f"Expected one accounted forward pass for every step: {self._lost}.")
        if self._states is None:
            raise CaptureError(
                "Expected recorded states, but there are none: nothing ran yet, or the recording is over."
            )
        if not 0 <= row < self._batch:
            raise InputError(f"Expected a row below {self._batch}, got {row}.")
        slots = [self._slot_of.get(p) for p in wanted]
        for p, slot in zip(wanted, slots, strict=True):
            if slot is None:
                held = f"{min(self._slot_of)} to {max(self._slot_of)}" if self._slot_of else "none"
                raise CaptureError(
                    f"The state at position {p} is not in the ring (window {self.window}, held: {held}). "
                    "Use a larger window, or judge spans sooner."
                )
            if self._faults[slot] is not None:
                raise CaptureError(f"The state at position {p} is not usable: {self._faults[slot]}.")
        return [slot for slot in slots if slot is not None]

    def _compare_lengths(self, slots: Sequence[int]) -> None:
        """Raises CaptureError if the lengths of a static cache differ from the counted positions."""
        held = {slot: length for slot in slots if (length := self._held[slot]) is not None}
        if not held:
            return
        for slot, length in zip(held, torch.stack([h.reshape(()) for h in held.values()]).tolist(), strict=True):
            if length - 1 != self._position_in[slot]:
                raise CaptureError(
                    f"The state at position {self._position_in[slot]} is not usable: "
                    f"the pass ended at position {length - 1}."
                )
            self._held[slot] = None

    def close(self) -> None:
        """Drops all states. Reading them afterwards raises CaptureError."""
        self._states, self._logits, self._logprob, self._cache = None, None, None, None
        self._waiting.clear()
        self._slot_of.clear()
        self._held = [None] * self.window


def _on_its_way(ids: Tensor) -> Callable[[], list[int]]:
    """Starts copying ids [B] from a GPU to pinned memory. Returns a function that waits for this copy alone."""
    here = torch.empty(ids.shape, dtype=ids.dtype, pin_memory=True)
    here.copy_(ids, non_blocking=True)
    sent = torch.cuda.current_stream(ids.device).record_event()

    def fetch() -> list[int]:
        sent.synchronize()
        tokens: list[int] = here.tolist()
        return tokens

    return fetch
