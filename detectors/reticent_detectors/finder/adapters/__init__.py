"""Analysers of others as recognisers of a span finder: Presidio, GLiNER, and token classification with transformers.

    from reticent_detectors.finder import SpanFinder, recognizers
    from reticent_detectors.finder.adapters import gliner_recognizers, presidio_recognizers

    people = gliner_recognizers("models/gliner", {"person": "PERSON", "home address": "ADDRESS"})
    finder = SpanFinder((*recognizers(), *presidio_recognizers(), *people))
    guard = Guard.load("bundle", finder=finder).wrap(model, tokenizer)

`adapt` makes recognisers of any other function that finds values in a text. Nothing is imported before it is asked for.

These analysers read a whole text at once.
So each sentence, or line, is held back until it is complete or has `chars` characters (400). Then it is analysed, once.
Text leaves the guard sentence by sentence, and a chat feels it.
A guard holds back for no longer than its policy's `hold` says: raise its seconds where a sentence takes longer.
The user's own text is analysed too, where the guard looks for values that it echoes.
Threads may share a finder; an analyser is then asked by one thread at a time.

An analyser sees complete sentences only and must answer the same each time, so cuts of the text change nothing.
An analyser that raises makes the finder raise, and the guard's `fail_mode` decides.

Not covered:
- what an analyser could find across a border of sentences or lines;
- of a value of more than 160 characters, the rest;
- values that begin with a word with which no value begins (`the`, `my`, in small letters): they begin behind it;
- values in scripts without blanks (Chinese, Japanese, Thai) and in Korean: a finder begins no value there.
"""

from reticent_detectors.finder.adapters.analysis import Finding, adapt
from reticent_detectors.finder.adapters.gliner import gliner_recognizers
from reticent_detectors.finder.adapters.presidio import pattern_analyzer, presidio_recognizers
from reticent_detectors.finder.adapters.token_classification import token_recognizers

__all__ = ["Finding", "adapt", "gliner_recognizers", "pattern_analyzer", "presidio_recognizers", "token_recognizers"]
