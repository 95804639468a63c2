"""Analysers of others as recognisers of a span finder: Presidio, GLiNER, and token classification with transformers.

    from reticent_detectors.finder import SpanFinder, recognizers
    from reticent_detectors.finder.adapters import gliner_recognizers, presidio_recognizers

    people = gliner_recognizers("models/gliner", {"person": "PERSON", "home address": "ADDRESS"})
    finder = SpanFinder((*recognizers(), *presidio_recognizers(), *people))
    guard = Guard.load("bundle", finder=finder).wrap(model, tokenizer)

`adapt` makes recognisers of any other function that finds values in a text. Nothing is imported before it is asked for.

These analysers read a whole text at once. So each sentence, or line, is held back until it is complete or has `chars` characters
(400), and is then analysed, once: text leaves the guard sentence by sentence, and a chat feels it. A guard holds back for no longer
than its policy's `hold` says: raise its seconds where a host needs longer for a sentence. The user's own text is analysed too,
where the guard looks for values that it echoes. A finder may be shared by threads; an analyser is then asked by one at a time.

How the text was cut changes nothing, as an analyser sees complete sentences only; it must answer the same each time. What
it could find across a border of sentences or lines, is not found, and a value of more than 160 characters only in part. Words with
which no value begins (`the`, `my`, in small letters) are not looked at: a value begins behind them. Nor are letters of scripts
without blanks (Chinese, Japanese, Thai) and of Korean, as a finder begins no value at them. An analyser that raises makes
the finder raise, and the guard's `fail_mode` decides.
"""

from reticent_detectors.finder.adapters.analysis import Finding, adapt
from reticent_detectors.finder.adapters.gliner import gliner_recognizers
from reticent_detectors.finder.adapters.presidio import pattern_analyzer, presidio_recognizers
from reticent_detectors.finder.adapters.token_classification import token_recognizers

__all__ = ["Finding", "adapt", "gliner_recognizers", "pattern_analyzer", "presidio_recognizers", "token_recognizers"]
