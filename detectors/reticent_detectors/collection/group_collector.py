"""Asks one group of prompts and makes the rows of its answers: features and labels."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from reticent_detectors.capture.name_swap_reading import read_under_other_names
from reticent_detectors.collection import held_out
from reticent_detectors.collection.evidence_reader import EvidenceReader
from reticent_detectors.collection.inferable_labels import mark_inferable
from reticent_detectors.collection.labels import Label
from reticent_detectors.collection.plan import Group, Plan
from reticent_detectors.collection.reader import FoundSpan, Reader, log_probabilities
from reticent_detectors.collection.row_labels import RowLabels, keyed_hash
from reticent_detectors.entities import PRIVACYXRAY
from reticent_detectors.features.cue import cue, normalize
from reticent_detectors.features.derived_features import base_features
from reticent_detectors.features.features import Features, FeatureSpec, build_features, compare_names
from reticent_detectors.features.name_swap import NameSwapper
from reticent_detectors.host.answers import Answer, answer_all

ROBUST_SHARE = 0.6
"""Share of phrasings under which a robust value comes right."""
FEATURE_BATCH = 256
"""Token ranges whose features are computed at once."""


@dataclass(frozen=True)
class GroupCollector:
    """Asks one group of prompts, and returns the features and labels of the spans in its answers."""

    model: Any
    tokenizer: Any
    plan: Plan
    spec: FeatureSpec
    reader: Reader
    judge: Reader | None
    gather: EvidenceReader | None
    name_swapper: NameSwapper
    other_people: NameSwapper
    names: Mapping[str, str]
    key: bytes

    def __repr__(self) -> str:
        return f"GroupCollector({self.plan}, {self.spec})"

    def __call__(self, group: Group, number: int) -> tuple[Features, list[RowLabels]]:
        answers = answer_all(
            self.model,
            self.tokenizer,
            group.prompts,
            temperature=group.temperature,
            seed=number,
            max_new_tokens=group.answer_tokens,
        )
        # Recognisers of the sixteen kinds also find other kinds, which have no records and so no labels.
        found = [f for f in self.reader.spans(group.prompts, answers) if f.span.entity in PRIVACYXRAY]
        if self.judge is not None:
            found = mark_inferable(self.judge, self.other_people, group.prompts, answers, found, self.names)
        rows = [(f, f.tokens, False) for f in found]
        if self.plan.fragments and group.prompts[0].person_split == "train":
            rows += [(f, tokens, True) for f, tokens in _fragments(found)]
        robust = _robust(group, found)
        wanted = [(f.row, tokens) for f, tokens, _ in rows]
        features, first = _features(self.reader, answers, wanted, self.spec, self.name_swapper)
        if self.judge is not None:
            features["base_logprob"] = base_features(log_probabilities(self.judge, answers, wanted))
        labels = [
            _row(group, f, tokens, cut, first[i], (group.prompts[f.row].person, f.span.entity) in robust, self.key)
            for i, (f, tokens, cut) in enumerate(rows)
        ]
        if self.gather is not None:
            drawn = [_is_drawn(group, f, cut, self.gather.spec.drawn, self.key) for f, _, cut in rows]
            features |= self.gather.read(group.prompts, answers, [(f, t) for f, t, _ in rows], drawn, number)
        return features, labels


def _fragments(found: Sequence[FoundSpan]) -> list[tuple[FoundSpan, range]]:
    """Cuts every third value short, as an interrupted stream would."""
    cut = []
    for index, f in enumerate(found):
        if index % 3 == 0 and len(f.tokens) >= 4:
            keep = 2 + (index // 3) % (len(f.tokens) - 3)
            cut.append((f, f.tokens[:keep]))
    return cut


def _features(
    reader: Reader,
    answers: Sequence[Answer],
    wanted: Sequence[tuple[int, range]],
    spec: FeatureSpec,
    name_swapper: NameSwapper,
) -> tuple[Features, list[float]]:
    """Returns the features of token ranges, and the probability of each range's first token."""
    blocks: list[tuple[list[int], Features]] = []
    first = [0.0] * len(wanted)
    read = reader.read(answers, wanted)
    while block := list(islice(read, FEATURE_BATCH)):
        indices, states = [index for index, _ in block], [states for _, states in block]
        for index, span_states in block:
            first[index] = float(span_states.probability[0])
        parts = [(answers[row], tokens) for row, tokens in (wanted[index] for index in indices)]
        others = read_under_other_names(
            reader.taps,
            [
                (name_swapper([*answer.prompt_ids, *answer.ids[: t.start]], len(t)), answer.ids[t.start : t.stop])
                for answer, t in parts
            ],
        )
        features = build_features(reader.adapter, states, spec)
        blocks.append((indices, features | (compare_names(states, others, spec) if spec.names else {})))
    if not blocks:
        return build_features(reader.adapter, [], spec), []
    order = np.argsort([index for indices, _ in blocks for index in indices])
    merged = {name: np.concatenate([f[name] for _, f in blocks])[order] for name in blocks[0][1]}
    return merged, first


def _robust(group: Group, found: Sequence[FoundSpan]) -> set[tuple[str, str]]:
    """Returns the (person, entity) pairs whose value is right under `ROBUST_SHARE` of at least five phrasings."""
    probes = Counter((p.person, str(p.entity)) for p in group.prompts if p.kind == "probe")
    right = Counter(
        (group.prompts[f.row].person, f.span.entity)
        for f in {(f.row, f.span.entity): f for f in found if f.label is Label.MEMORIZED}.values()
        if group.prompts[f.row].kind == "probe" and group.prompts[f.row].entity == f.span.entity
    )
    return {key for key, count in probes.items() if count >= 5 and right[key] >= ROBUST_SHARE * count}


def _is_drawn(group: Group, found: FoundSpan, cut: bool, part: float, key: bytes) -> bool:
    """Whether a span is in the random subset that is sampled and differentiated: answers to a share of the questions.

    On the training side this draws only people whom the default training holds out, because they alone choose settings.
    """
    prompt = group.prompts[found.row]
    if cut or prompt.kind != "probe" or held_out.hash_share(0, "drawn", prompt.id, str(group.temperature)) >= part:
        return False
    held = held_out.person_share(keyed_hash(key, prompt.person)) < held_out.SHARE
    return prompt.person_split == "test" or held


def value_key(key: bytes, person: str, entity: str, value: str) -> str:
    """Hashes a value under a key of its person, so that equal values of two people have different hashes.

    Values of nobody share the collection's key, because `splits.split_rows` keeps equal ones of them together.
    """
    own = hashlib.blake2b(person.encode(), key=key[:64], digest_size=32, person=b"values").digest() if person else key
    return keyed_hash(own, f"{entity} {normalize(value, entity)}")


def _row(group: Group, found: FoundSpan, tokens: range, cut: bool, first: float, robust: bool, key: bytes) -> RowLabels:
    prompt, entity = group.prompts[found.row], found.span.entity
    return RowLabels(
        entity=entity,
        label=str(found.label),
        person_split=prompt.person_split or "train",
        phrasing_split=prompt.phrasing_split or "taught",
        phrasing_id=prompt.phrasing or prompt.id.replace("/", ":")[:64],
        person_key=keyed_hash(key, prompt.person) if prompt.person else "",
        value_key=value_key(key, prompt.person, entity, found.value),
        form=prompt.form,
        first_prob=first,
        temperature=group.temperature,
        tokens=len(tokens),
        chars=found.span.end - found.span.answer_start,
        cue=cue(found.value, prompt.user_text, entity),
        fragment=cut,
        robust=robust,
    )
