"""Training the tagger: its pieces, its segments, and that a tag is final once its segment is complete."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import Unigram
from transformers import BertConfig, BertModel

from reticent_bench.finder.score import Gold
from reticent_bench.real_answers.marked import Marked
from reticent_bench.tagger import samples, training
from reticent_bench.tagger.export import agreement, graph_of, tables_of, write_files
from reticent_bench.tagger.network import Reader, from_checkpoint, padded
from reticent_bench.tagger.sets import Sets
from reticent_bench.tagger.training import Run
from reticent_bench.tagger.vocabulary import fewer, load_pieces, save_pieces
from reticent_detectors.errors import InputError
from reticent_detectors.finder.tagger import TagNetwork
from reticent_detectors.finder.tagger.pieces import Pieces
from reticent_detectors.finder.tagger.words import words_of

VOCABULARY = [
    ("<unk>", 0.0),
    ("▁", -3.0),
    *((char, -4.0) for char in "abcdefghijklmnopqrstuvwxyzJDE. ,?"),
    ("▁is", -2.0),
]
TEXTS = [
    Marked("Who?", f"{name} is a {job}. She is here.", (Gold("JOB_TITLE", len(name) + 6, len(name) + 6 + len(job)),))
    for name in ("Jo", "Dee", "Ed")
    for job in ("nurse", "weaver", "cook", "guide", "baker")
]  # fmt: skip


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small encoder with the vocabulary above."""
    folder = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(0)
    BertModel(
        BertConfig(vocab_size=len(VOCABULARY), hidden_size=32, num_hidden_layers=3, num_attention_heads=4,
                   intermediate_size=64, max_position_embeddings=512)
    ).save_pretrained(folder)  # fmt: skip
    Tokenizer(Unigram(VOCABULARY, 0, False)).save(str(folder / "tokenizer.json"))
    return folder


def test_a_words_pieces_are_its_own(checkpoint: Path) -> None:
    pieces, rows = fewer(checkpoint, [text.text for text in TEXTS], 40)
    assert pieces.of("is", True) == tuple(place for place, (piece, _) in enumerate(pieces.vocabulary) if piece == "▁is")
    assert pieces.of("ü", False) == (0,)
    assert [VOCABULARY[row][0] for row in rows] == [piece for piece, _ in pieces.vocabulary]


def test_a_vocabulary_is_read_as_it_was_saved(tmp_path: Path) -> None:
    save_pieces(Pieces(VOCABULARY), tmp_path / "pieces.json")
    assert load_pieces(tmp_path / "pieces.json").vocabulary == Pieces(VOCABULARY).vocabulary


@pytest.mark.parametrize(
    ("most", "wanted"),
    [(samples.WHOLE, [1] * 9), (samples.SENTENCE, [1, 1, 1, 1, 2, 2, 2, 2, 2]), (2, [1, 1, 2, 2, 3, 3, 4, 4, 5])],
)
def test_segments_end_with_sentences_and_after_some_words(most: int, wanted: list[int]) -> None:
    text = "It is so. She is a nurse."
    assert samples.segments_of(text, list(words_of(text)), most) == wanted


def test_a_tag_is_final_once_its_segment_is_complete(checkpoint: Path) -> None:
    torch.manual_seed(1)
    pieces = Pieces(VOCABULARY)
    net = from_checkpoint(checkpoint, torch.arange(len(VOCABULARY)).numpy(), 5, 2).eval()
    short, long_ = (samples.sample(pieces, text, "who?", 5) for text in ("Ed is a cook. ", "Ed is a cook. She is ed."))
    assert _logits(net, [short])[0, : len(short.pieces)].allclose(
        _logits(net, [long_])[0, : len(short.pieces)], atol=1e-5
    )


def test_padding_changes_nothing(checkpoint: Path) -> None:
    pieces = Pieces(VOCABULARY)
    net = from_checkpoint(checkpoint, torch.arange(len(VOCABULARY)).numpy(), 5, 2).eval()
    both = [samples.sample(pieces, text) for text in ("Ed is.", "Jo is a weaver. She is here.")]
    alone, together = _logits(net, both[:1])[0], _logits(net, both)[0]
    assert alone.allclose(together[: len(alone)], atol=1e-5)


def test_tags_and_spans_are_one() -> None:
    made = samples.sample(Pieces(VOCABULARY), TEXTS[0].text)
    tags = samples.tags_of(made.words, TEXTS[0].gold, {"JOB_TITLE": 1})
    assert samples.spans_of(made, tags, ["DOCTOR", "JOB_TITLE"]) == list(TEXTS[0].gold)


def test_a_run_learns_and_goes_on_where_it_was(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "HEAD_RATE", 1.0)
    sets = Sets([(text, 1.0) for text in TEXTS], {"held": TEXTS[:4]})
    lines: list[str] = []
    run = Run(checkpoint, tmp_path, sets, (), "cpu", 2)
    assert not any(run.read(text.text) == list(text.gold) for text in TEXTS)
    run.train(600, lines.append, 3e-3)
    assert any(line.startswith("held, width 8, asked: F1 1.000") for line in lines)
    again: list[str] = []
    same = Run(checkpoint, tmp_path, sets, (), "cpu", 2)
    same.train(600, again.append, 3e-3)
    last = [line for line in lines if line.startswith("step")][-1].split()[1]
    assert again[0].endswith(f"steps {last} of {last}")
    assert [same.read(text.text) for text in TEXTS] == [run.read(text.text) for text in TEXTS]
    shipped = tmp_path / "shipped"
    write_files(shipped, graph_of(run.net), tables_of(run.net, run.pieces), run.kinds)
    onwards = Run(shipped, shipped, sets, (), "cpu", 2)
    assert onwards.kinds == run.kinds
    assert agreement(onwards.net.eval(), TagNetwork.load(shipped), [text.text for text in TEXTS]) == 1.0


def test_a_state_of_other_kinds_is_refused(checkpoint: Path, tmp_path: Path) -> None:
    Run(checkpoint, tmp_path, Sets([(text, 1.0) for text in TEXTS], {}), (), "cpu", 2).train(20, lambda line: None)
    others = [Marked(text.question, text.text, (text.gold[0]._replace(kind="DOCTOR"),)) for text in TEXTS]
    with pytest.raises(InputError, match="other kinds"):
        Run(checkpoint, tmp_path, Sets([(text, 1.0) for text in others], {}), (), "cpu", 2).train(20, lambda line: None)


def _logits(net: Reader, made: list[samples.Sample]) -> torch.Tensor:
    tensors = (
        padded([each.pieces for each in made], 0),
        padded([each.segments for each in made], -1),
        padded([each.asked for each in made], 0),
    )
    with torch.no_grad():
        out: torch.Tensor = net(*tensors)
    return out
