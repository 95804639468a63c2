"""Relabels values that are inferable, by the rule of `reticent_detectors.inferable`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reticent_detectors.collection.labels import Label
from reticent_detectors.collection.reader import FoundSpan, Reader, log_probabilities
from reticent_detectors.features.cue import cue
from reticent_detectors.features.name_swap import NameSwapper
from reticent_detectors.host.answers import Answer
from reticent_detectors.inferable import COMPOSED_KINDS, LEAST_CUE, OTHER_NAMES, is_candidate, is_inferable
from reticent_detectors.synth.prompts import Prompt

_MAY_BE_INFERABLE = frozenset({Label.MEMORIZED, Label.MISATTRIBUTED, Label.HALLUCINATED, Label.PARTIAL})


def mark_inferable(
    control: Reader,
    rename: NameSwapper,
    prompts: Sequence[Prompt],
    answers: Sequence[Answer],
    found: Sequence[FoundSpan],
    names: Mapping[str, str],
) -> list[FoundSpan]:
    """Relabels values that are inferable. The rule is `reticent_detectors.inferable`.

    Args:
        control: reads with a host that never saw the records.
        rename: writes `OTHER_NAMES` texts about somebody else for each text; see `other_people`.
        prompts, answers: what was asked, and the answer to each.
        found: spans of the answers.
        names: names by key, of the people whose values may be inferable.
    """
    cues = {
        at: cue(f.value, prompts[f.row].user_text, f.span.entity)
        for at, f in enumerate(found)
        if prompts[f.row].person in names and f.label in _MAY_BE_INFERABLE and f.span.entity in COMPOSED_KINDS
    }
    asked_at = [at for at, share in cues.items() if share >= LEAST_CUE]
    own = log_probabilities(control, answers, [(found[at].row, found[at].tokens) for at in asked_at])
    candidates = {at: each for at, each in zip(asked_at, own, strict=True) if is_candidate(each, cues[at])}
    texts: list[Answer] = []
    wanted: list[tuple[int, range]] = []
    whose: list[int] = []
    for at in candidates:
        answer, tokens = answers[found[at].row], found[at].tokens
        before, value_ids = [*answer.prompt_ids, *answer.ids[: tokens.start]], answer.ids[tokens.start : tokens.stop]
        for text in rename(before, len(value_ids)):
            whose.append(at)
            wanted.append((len(texts), range(len(value_ids))))
            texts.append(Answer(tuple(text), value_ids, True))
    others: dict[int, list[list[float]]] = {at: [] for at in candidates}
    for at, each in zip(whose, log_probabilities(control, texts, wanted), strict=True):
        others[at].append(each)
    inferable = {at for at, each in candidates.items() if is_inferable(each, others[at], cues[at])}
    return [replace(f, label=Label.INFERABLE) if at in inferable else f for at, f in enumerate(found)]


def other_people(tokenizer: Any, context: int) -> NameSwapper:
    """Makes the swapper that writes texts about somebody else for `mark_inferable`.

    `context` is the longest text that the control reads, in tokens.
    """
    return NameSwapper(tokenizer, OTHER_NAMES, context)
