"""Finds personal data in a growing text; needs neither torch nor a network.

Values with a form are found by `forms`, whole fields by `fields`, other words by `tagger`, and names by `names`.
"""

from reticent_detectors.finder.disguises.plain_form import plain_form
from reticent_detectors.finder.engine.recognizers import Pattern, Recognizer
from reticent_detectors.finder.engine.runs import Run
from reticent_detectors.finder.finder import SpanFinder
from reticent_detectors.finder.table import ALL, SIXTEEN, recognizers

__all__ = ["ALL", "SIXTEEN", "Pattern", "Recognizer", "Run", "SpanFinder", "plain_form", "recognizers"]
