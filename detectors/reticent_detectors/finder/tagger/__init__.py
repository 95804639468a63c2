"""A small encoder that tags each word of an answer: where values without a form begin, and their kind."""

from reticent_detectors.finder.tagger.network import TagNetwork, shipped
from reticent_detectors.finder.tagger.questions import asking_sentences
from reticent_detectors.finder.tagger.reading import TagReading, TagValue

TAGGER = "tagger"
"""The recogniser's name of spans that the tagger found, and nothing announced: most are ordinary language."""
TAGGER_ANNOUNCED = "tagger-announced"
"""The same where a question, or the words before, named the kind."""

__all__ = ["TAGGER", "TAGGER_ANNOUNCED", "TagNetwork", "TagReading", "TagValue", "asking_sentences", "shipped"]
