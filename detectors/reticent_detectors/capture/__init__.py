"""Finds and reads the hidden states of a transformers model, and takes the model's fingerprint."""

from reticent_detectors.capture.adapter import HostAdapter
from reticent_detectors.capture.fingerprint import behaviour_print, fingerprint
from reticent_detectors.capture.layer_hooks import Taps
from reticent_detectors.capture.reading import Reading
from reticent_detectors.capture.recorder import SpanStates
from reticent_detectors.capture.ring import Ring

__all__ = [
    "HostAdapter",
    "Reading",
    "Ring",
    "SpanStates",
    "Taps",
    "behaviour_print",
    "fingerprint",
]
