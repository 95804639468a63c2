"""A small network that tags each word of an answer: where unannounced values begin, and their kind.

It reads a text from left to right, one word at a time and one word ahead. So a text has the same tags however it was
cut.
"""

from reticent_detectors.finder.tagger.network import TagNetwork, shipped
from reticent_detectors.finder.tagger.reading import TagReading

TAGGER = "tagger"
"""The recogniser's name of spans that the tagger found."""

__all__ = ["TAGGER", "TagNetwork", "TagReading", "shipped"]
