"""Finds personal data in a growing text; needs neither torch nor a network."""

from reticent_detectors.finder.finder import SpanFinder
from reticent_detectors.finder.recognizers import DEFAULT, Pattern, Recognizer

__all__ = ["DEFAULT", "Pattern", "Recognizer", "SpanFinder"]
