"""A sentence encoder from a folder: its vectors, what it refuses, and the audits that use it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_encoders
import torch
from audit_server import run

from reticent_bench.audits.code.feature_encoders import SENTENCE_DISTANCE, feature_encoder
from reticent_bench.audits.code.feature_library import HASHED_N_GRAMS, FeatureEncoder, cluster
from reticent_bench.audits.sentence_encoder import SentenceEncoder
from reticent_bench.audits.target import NotMeasurable
from reticent_detectors.errors import InputError, UnsupportedHost

TEXTS = ["river table garden", "the lamp", "stone " * 60, "cloud letter music winter bread"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_encoders.bert_folder(tmp_path_factory.mktemp("models") / "tiny")


def test_a_vector_is_the_mean_of_the_states_without_padding_and_of_length_one(folder: Path) -> None:
    encoder = SentenceEncoder.load(folder)
    found = encoder.encode(TEXTS)
    assert found.dtype == np.float32 and np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    model, tokenizer = tiny_encoders.bert().bert, tiny_encoders.word_pieces()
    for text, vector in zip(TEXTS, found, strict=True):
        # Each alone, so that nothing is padded.
        read = tokenizer(text, return_tensors="pt", truncation=True, max_length=tiny_encoders.LONGEST)
        with torch.inference_mode():
            mean = model(**read).last_hidden_state[0].mean(0)
        assert np.allclose(vector, (mean / mean.norm()).numpy(), atol=1e-5)
    assert encoder.name == "tiny" and encoder.count_tokens("the lamp") > 0


def test_an_encoder_answers_and_scores_nothing(folder: Path) -> None:
    encoder = SentenceEncoder.load(folder)
    with pytest.raises(NotMeasurable):
        encoder.generate(["a"], 1)
    with pytest.raises(NotMeasurable):
        encoder.scores([("a", "b")])


def test_what_is_no_encoder_by_the_mean_is_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="reticent models get"):
        SentenceEncoder.load(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UnsupportedHost, match="could not be loaded"):
        SentenceEncoder.load(tmp_path)
    other = tiny_encoders.bert_folder(tmp_path / "other")
    (other / "1_Pooling").mkdir()
    for mean in (True, False):
        (other / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_mean_tokens": mean}))
        if mean:
            SentenceEncoder.load(other)
    with pytest.raises(InputError, match="another pooling"):
        SentenceEncoder.load(other)


# Inversion


def texts_file(folder: Path) -> Path:
    rows = [
        {"text": f"river {tiny_encoders.WORDS[n % 16]} {n}", "person": f"p{n // 2}", "values": [str(n)]}
        for n in range(10, 90)
    ]
    (folder / "texts.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    return folder / "texts.jsonl"


def report(folder: Path) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((folder / "report.json").read_text())
    return read


def test_the_command_embeds_the_texts_itself_as_a_file_of_its_vectors_would(folder: Path, tmp_path: Path) -> None:
    texts, short = texts_file(tmp_path), ["--steps", "3", "--trainings", "1"]
    given = ["inversion", "--texts", str(texts), *short]
    assert run(*given, "--encoder", str(folder), "--out", str(tmp_path / "a")) == 0
    rows = [json.loads(line)["text"] for line in texts.read_text().splitlines()]
    np.savez(tmp_path / "v.npz", vectors=SentenceEncoder.load(folder).encode(rows))
    assert run(*given, "--embeddings", str(tmp_path / "v.npz"), "--out", str(tmp_path / "b")) == 0
    assert report(tmp_path / "a")["figures"] == report(tmp_path / "b")["figures"]
    assert "tiny" in (tmp_path / "a" / "report.md").read_text()
    assert run(*given, "--encoder", str(folder), "--out", str(tmp_path / "a")) == 0  # read again
    other = tiny_encoders.bert_folder(tmp_path / "other")
    (other / "note.json").write_text("{}")
    assert run(*given, "--encoder", str(other), "--out", str(tmp_path / "a")) == 2  # another encoder


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--encoder", "E"], "--encoder goes with --texts"),
        (["--encoder", "E", "--texts", "t", "--recipe", "r"], "--encoder goes with --texts"),
        (["--encoder", "E", "--embeddings", "v.npz", "--texts", "t"], "Expected one of these"),
        (["--embeddings", "v.npz", "--texts", "t", "--recipe", "r"], "--recipe does nothing without --encoder"),
        (["--encoder", "E", "--texts", "t", "--device", "cpu"], "--device does nothing without a model"),
    ],
)
def test_options_that_do_not_go_together_are_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("inversion", *arguments) == 2
    assert message in " ".join(capsys.readouterr().err.split())


# The feature library of the code audit


def test_features_are_clustered_by_what_embeds_them(folder: Path) -> None:
    assert feature_encoder(None) is HASHED_N_GRAMS
    encoder = feature_encoder(folder)
    assert (encoder.name, encoder.neighbour_distance) == ("the encoder tiny", SENTENCE_DISTANCE)
    assert encoder.encode(TEXTS).dtype == np.float64
    # Spelt alike and embedded apart, or the other way round: the encoder decides.
    places = {"key-one": (1.0, 0.0), "key-two": (0.0, 1.0), "zebra": (1.0, 0.1)}
    toy = FeatureEncoder("toy", lambda texts: np.array([places[text] for text in texts]), 0.4)
    assert cluster(list(places), toy).tolist() == [0, -1, 0]
    assert cluster(list(places)).tolist() == [0, 0, -1]
    near = FeatureEncoder("near", toy.encode, 1e-4)
    assert cluster(list(places), near).tolist() == [-1, -1, -1]
