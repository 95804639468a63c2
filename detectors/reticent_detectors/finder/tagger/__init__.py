"""A small network that tags each word of an answer: where values begin that nothing announces, and what kind they are of.

It reads a text from left to right, one word at a time, and one word ahead; so a text gives the same tags however it was cut.
"""

from reticent_detectors.finder.tagger.network import TagNetwork, shipped
from reticent_detectors.finder.tagger.reading import TagReading

TAGGER = "tagger"
"""Names the spans that the tagger found, as a recogniser's name does."""

__all__ = ["TAGGER", "TagNetwork", "TagReading", "shipped"]
