"""A token-classification model of transformers as recognisers of a span finder. Needs the extra `model`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from reticent_detectors.errors import InputError, MissingExtra
from reticent_detectors.finder.adapters.analysis import CHARS, Finding, adapt
from reticent_detectors.finder.engine.recognizers import Recognizer


def token_recognizers(
    pipeline: Callable[[str], Any] | str | os.PathLike[str],
    entities: Mapping[str, str],
    score_threshold: float = 0.5,
    chars: int = CHARS,
) -> tuple[Recognizer, ...]:
    """Recognisers that ask a token-classification pipeline, one for each entity.

    Args:
        pipeline: `transformers.pipeline("token-classification", model, aggregation_strategy=...)`, or the path of a
            model. A path is run on the CPU with the strategy `first`: a word is what its first token is.
        entities: our kind for each label as the pipeline groups them: `{"PER": Entity.PERSON}` for B-PER and I-PER.
            Pieces of other schemes have labels of their own (L-PER, U-PER), and are found one by one.
        score_threshold: what has a lower score is ignored.
        chars: longest text that is analysed at once, 320 to 1,000 characters. So much may be held back.
            Tokens beyond the tokenizer's `model_max_length` are not looked at, unless the pipeline has a `stride`.

    Raises:
        MissingExtra: `pipeline` is a path, and transformers is not installed.
        InputError: `entities` is empty, or a number is out of its range.
            At the first value: the pipeline does not group tokens, or its slow tokenizer gives no places of them.
    """
    classify = _loaded(pipeline) if isinstance(pipeline, str | os.PathLike) else pipeline

    def analyse(text: str) -> Iterator[Finding]:
        for one in classify(text):
            if "entity_group" not in one:
                raise InputError("The pipeline does not group tokens: give it an aggregation_strategy such as 'first'.")
            if one["start"] is None:
                raise InputError("The pipeline's tokenizer does not say where tokens stand: give it a fast one.")
            yield Finding(one["entity_group"], one["start"], one["end"], float(one["score"]))

    return adapt("token-classification", analyse, entities, score_threshold, chars)


def _loaded(path: str | os.PathLike[str]) -> Callable[[str], Any]:
    try:
        from transformers import pipeline
    except ImportError as error:
        raise MissingExtra("transformers", "model") from error
    made: Callable[[str], Any] = pipeline("token-classification", model=os.fspath(path), aggregation_strategy="first")
    return made
