"""What the guard's surfaces hold of an answer: the fields that the audit's table names, and no value."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from reticent.core.report import Report
from reticent.core.stream_types import SpanRecord
from reticent.demo import assets
from reticent.guard import Guard
from reticent.observability.decision_log import DecisionLog
from reticent.observability.observers import Observation
from reticent.policy.verdict import Action, Decision, Origin, Tier, Verdict
from reticent_bench.audits.inversion.guard_surfaces import (
    Watcher,
    collected,
    feature_vectors,
    inspect_all,
    keyed_values,
    label_row,
)
from reticent_bench.audits.inversion.people import question_of
from reticent_bench.audits.inversion.what_surfaces_hold import LEFT_OUT, names_of
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.target import NotMeasurable, encoder_of
from reticent_detectors.alignment import text_ids
from reticent_detectors.collection.shards import RowLabels
from reticent_detectors.host.load import load_host
from reticent_detectors.synth.cast import Cast
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prompts import probe

KEY = b"k" * 32


def observation() -> Observation:
    verdict = Verdict(Origin.MEMORIZED, 0.9, 0.1, Tier.HIDDEN, -1.0)
    span = SpanRecord("PHONE_NUMBER", 3, 15, False, "phone", Decision(Action.REDACT, verdict), 12, 4, 0.1, "ab" * 8)
    report = Report((span,), 20, 12, 12, 4, 0.1, (), True, False, False)
    return Observation("cd" * 8, 0, report, "redacted", {"find": 0.1}, thresholds={"PHONE_NUMBER": 0.5})


def test_the_table_names_every_field_that_the_guard_writes(tmp_path: Path) -> None:
    report = observation().report.as_dict()
    spans: Any = report["spans"]
    assert names_of("report") == set(report) | set(spans[0])
    assert names_of("observation") == {field.name for field in fields(Observation)}
    log = DecisionLog(tmp_path / "log.jsonl")
    log.on_answer(observation())
    assert names_of("decision log") == set(json.loads(log.path.read_text()))
    assert names_of("collection") == {field.name for field in fields(RowLabels)} | {"features"}


def test_random_fields_differ_for_the_same_answer(tmp_path: Path) -> None:
    assert {"decision_id", "request_id", "id", "request", "hash", "prev"} <= LEFT_OUT
    observed = observation()
    watchers = [Watcher.in_folder(tmp_path / name) for name in "ab" if not (tmp_path / name).mkdir()]
    for watcher in watchers:
        watcher.on_answer(observed)
    assert watchers[0].exposed == watchers[1].exposed  # the metrics depend on the observation alone
    risen = watchers[0].exposed[0]["samples"]
    assert risen["reticent_spans_total PHONE_NUMBER memorized redact hidden"] == 1


def digests(value: str) -> set[str]:
    """What a digest without a key could look like: hexadecimal or Base64, or its first 16 digits."""
    out = set()
    for text in {value, value.lower(), "".join(c for c in value.lower() if c.isalnum())}:
        raw = [hashlib.new(name, text.encode()).digest() for name in ("md5", "sha1", "sha256", "sha512", "blake2b")]
        raw += [hashlib.blake2b(text.encode(), digest_size=size).digest() for size in (8, 16, 32)]
        out |= {each.hex()[:16] for each in raw} | {base64.b64encode(each).decode()[:16] for each in raw}
    return out


@pytest.fixture(scope="module")
def cast() -> Cast:
    maker = PeopleMaker(3)
    sides = {name: tuple(maker.many(name, 8)) for name in ("train", "test", "bridge", "unseen", "general", "copied")}
    return Cast(**sides, well=frozenset())


def test_no_surface_holds_a_value_or_a_digest_of_one_without_a_key(tmp_path: Path, cast: Cast) -> None:
    model, tokenizer = load_host(assets() / "host")
    kinds = [kind for kind in cast.test[0].values if PHRASINGS[kind]][:6]
    prompts = [probe(person, PHRASINGS[kind][0], "train") for person in cast.test[:2] for kind in kinds]
    texts = LocalTarget(model, tokenizer, "host").generate([question_of(prompt) for prompt in prompts], 48)
    watcher = Watcher.in_folder(tmp_path)
    guard = Guard.load(assets() / "bundle", observers=(watcher,)).wrap(model, tokenizer)
    records, rows = inspect_all(guard, watcher, prompts, texts)
    tables = collected(model, tokenizer, cast, prompts, tmp_path / "c", KEY, 0, 48)
    keys = [keyed_values(*pair) for pair in zip(records, tables, strict=True)]
    assert sum(map(len, keys)) > 5 and feature_vectors(tables).any()

    values = {value for record in records for value in record.value_texts()}
    values |= {value for person in cast.test[:2] for value in person.values.values()}
    values |= {person.name for person in cast.test[:2]} | set(texts)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".jsonl", ".parquet", ".json"}
    kept = [path.read_bytes().decode("latin-1") for path in files]
    kept += [json.dumps(rows), json.dumps([label_row(table) for table in tables])]
    kept += [" ".join(map(str, column)) for table in tables for column in table.labels.values()]
    everything = "\n".join(kept).lower()
    long = {value for value in values if len(value) > 8}  # shorter numbers come up by chance in times and hashes
    assert len(long) > 12
    assert not [value for value in long if value.lower() in everything]
    found = {digest.lower() for value in long for digest in digests(value)}
    assert not [digest for digest in found if digest in everything]
    # The same search finds what is kept on purpose: hashes with a key.
    assert all(hash_ in everything for own in keys for hash_ in own.values())


def test_hidden_states_are_averaged_over_each_texts_tokens() -> None:
    model, tokenizer = load_host(assets() / "host")
    target = LocalTarget(model, tokenizer, "host")
    texts = ["Mara lives in Bern.", "No", "Her card ends in 6008, and his does not."]
    together = target.encode(texts)
    assert together.shape == (3, model.config.hidden_size)
    ids = torch.tensor([text_ids(tokenizer, texts[2])])
    with torch.inference_mode():
        states = model.model(input_ids=ids).last_hidden_state[0]
    apart = states.mean(0).numpy()
    # Padding and batch change only the order of sums: some hundred roundings of float32, relative to the largest state.
    assert np.abs(together[2] - apart).max() <= 1e-5 * float(states.abs().max())
    with pytest.raises(NotMeasurable, match="no vectors"):
        encoder_of(object())
