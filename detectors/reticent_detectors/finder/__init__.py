"""Finds personal data in a growing text; needs neither torch nor a network."""

from reticent_detectors.finder.disguises import plain_form
from reticent_detectors.finder.finder import SpanFinder
from reticent_detectors.finder.recognizers import Pattern, Recognizer
from reticent_detectors.finder.runs import Run
from reticent_detectors.finder.table import ALL, SIXTEEN, recognizers

__all__ = ["ALL", "SIXTEEN", "Pattern", "Recognizer", "Run", "SpanFinder", "plain_form", "recognizers"]
