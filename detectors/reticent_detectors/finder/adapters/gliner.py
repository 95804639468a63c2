"""GLiNER as recognisers of a span finder: kinds of data in words of your own. Needs the extra `gliner`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from reticent_detectors.errors import MissingExtra
from reticent_detectors.finder.adapters.analysis import CHARS, Finding, adapt
from reticent_detectors.finder.engine.recognizers import Recognizer


def gliner_recognizers(
    model: Any, entities: Mapping[str, str], score_threshold: float = 0.5, chars: int = CHARS
) -> tuple[Recognizer, ...]:
    """Recognisers that ask a GLiNER model, one for each entity.

    Args:
        model: what has `predict_entities(text, labels, threshold=...)`, or the path of a model.
        entities: our kind for each label that the model is asked for:
            `{"person": Entity.PERSON, "home address": Entity.ADDRESS}`.
        score_threshold: what has a lower score is ignored.
        chars: longest text that is analysed at once, 320 to 1,000 characters. So much may be held back.

    Raises:
        MissingExtra: `model` is a path, and gliner is not installed.
        InputError: `entities` is empty, or a number is out of its range.
    """
    if isinstance(model, str | os.PathLike):
        try:
            gliner = import_module("gliner")
        except ImportError as error:
            raise MissingExtra("gliner", "gliner") from error
        model = gliner.GLiNER.from_pretrained(os.fspath(model))
    labels = list(entities)

    def analyse(text: str) -> Iterator[Finding]:
        found = model.predict_entities(text, labels, threshold=score_threshold)
        return (Finding(one["label"], one["start"], one["end"], float(one["score"])) for one in found)

    return adapt("gliner", analyse, entities, score_threshold, chars)
