"""Reads the numbers of a value that a watched call reports: log-probabilities of its tokens, and no text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from reticent.huggingface.model_call_context import ModelCallContext
from reticent.huggingface.span_queries import SpanReading


class SpanNumbers(NamedTuple):
    """Holds log-probabilities of a value's T tokens, in nats: the model's, the base's, and by the lens [T][L]."""

    own: Sequence[float] = ()
    base: Sequence[float] = ()
    layers: Sequence[Sequence[float]] = ()


def read_numbers(call: ModelCallContext, reading: SpanReading, base: Sequence[float] = ()) -> SpanNumbers:
    """Reads the numbers of a value.

    Args:
        call: has the detector and the base.
        reading: ids and states of the value.
        base: what the base was asked for the decision. Empty: it is asked here, if there is one.

    Raises:
        CaptureError, InputError: the states or the base cannot be read.
    """
    if reading.states is None:
        return SpanNumbers()
    (states,) = reading.states.spans([(reading.positions, reading.row)])
    if not base and call.base is not None:
        (read,) = call.base.log_probabilities([(reading.before, reading.ids)])
        base = read.tolist()
    return SpanNumbers(states.log_probabilities, base, call.model.score.by_layer(states))
