"""The tagger's teacher: what it reads, that it reads both ways, and what a tagger learns from it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import Gemma3ForCausalLM, Gemma3TextConfig
from typer.testing import CliRunner

from reticent_bench.bench_command import app
from reticent_bench.finder.find import find
from reticent_bench.finder.score import Gold
from reticent_bench.real_answers import imagined, teacher_marks
from reticent_bench.real_answers import tagger_teacher as teaching
from reticent_bench.real_answers import tagger_training as training
from reticent_bench.real_answers.labels import Labels, write_gold
from reticent_bench.real_answers.marked import Marked, parse
from reticent_bench.real_answers.prompts import prompts
from reticent_bench.real_answers.tagger_texts import NO_TAG, WordTable, encoded_all, padded, pools, varied, word_spans
from reticent_bench.real_answers.word_vectors import WordVectors
from reticent_detectors.errors import InputError
from reticent_detectors.finder import SpanFinder
from reticent_detectors.finder.tagger import TagNetwork
from reticent_detectors.finder.tagger.words import rows_of
from reticent_detectors.host.tokenizer import train_tokenizer

NAMES = ("Ana", "Boris", "Chen", "Dana", "Eli", "Femi", "Greta", "Hugo", "Ines", "Juri")
JOBS = ("nurse", "baker", "pilot", "welder", "judge", "tailor", "miner", "dentist")
WORKS = [parse(f"{name}, a [[JOB_TITLE|{job}]], lives here.", "Who?") for name in NAMES for job in JOBS]
SEEN = [parse(f"{name} saw the {job} there.", "Who?") for name in NAMES for job in JOBS]
KINDS = {"JOB_TITLE": 0}


def small_gemma() -> tuple[Gemma3ForCausalLM, Any]:
    tokenizer = train_tokenizer([t.text for t in WORKS + SEEN] + ["Question: Who?\nAnswer: "], 300, 512)
    torch.manual_seed(0)
    config = Gemma3TextConfig(
        vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=1,
        head_dim=16, intermediate_size=48, sliding_window=64, max_position_embeddings=512,
    )  # fmt: skip
    return Gemma3ForCausalLM(config).eval(), tokenizer


def no_vectors() -> WordVectors:
    return WordVectors({"nurse": 0}, np.full((1, 4), 50, np.int8), np.full(4, 0.02, np.float32))


def test_a_text_in_words_has_the_tags_of_its_values() -> None:
    table = WordTable({"nurse": 0})
    encoded = table.encoded("Ana, a head nurse.", (Gold("JOB_TITLE", 7, 17),), KINDS)
    assert encoded.tags.tolist() == [0, 0, 0, 1, 2, 0] and encoded.values == (("JOB_TITLE", 3, 5),)
    features, rows = table.features(), table.vector_rows()
    words = [("Ana", False), (",", False), ("a", True), ("head", True), ("nurse", True), (".", False)]
    assert [tuple(row) for row in features[encoded.words].tolist()] == [rows_of(*word) for word in words]
    assert rows[encoded.words].tolist() == [0, 0, 0, 0, 1, 0]
    assert table.with_blank(int(encoded.words[4]), False) != encoded.words[4]
    assert table.with_blank(table.with_blank(int(encoded.words[4]), False), True) == encoded.words[4]
    assert table.encoded("Ana", (Gold("PIN", 0, 3),), KINDS).tags.tolist() == [0]  # a kind that is not learned
    assert "Ana" not in repr(encoded) and "Ana" not in repr(table)


def test_other_values_keep_their_tags() -> None:
    table = WordTable({})
    texts = [
        parse("Ana, a [[JOB_TITLE|nurse]], saw ([[JOB_TITLE|head of sales]])."),
        parse("A [[JOB_TITLE|very good baker]]."),
    ]
    encoded = encoded_all(texts, table, KINDS)
    pool, rng = pools(encoded), random.Random(1)
    known = {tuple(table.features()[value].tolist()[-1]) for value in pool["JOB_TITLE"]}
    seen = set()
    for _ in range(40):
        made = varied(encoded[0], pool, table, 1.0, rng)
        assert len(made.words) == len(made.tags)
        begun = [i for i, tag in enumerate(made.tags) if tag == 1]
        assert len(begun) == 2 and made.tags[0] == 0 and made.tags[-1] == 0
        seen.add(len(made.words))
        for i in begun:  # the word before it says whether a blank stands there
            blank = tuple(table.features()[made.words[i]].tolist())[-1] == rows_of("x", True)[-1]
            assert blank is (i == begun[0])
            last = next(j for j in range(i, len(made.tags)) if made.tags[j + 1] != 2)
            assert tuple(table.features()[made.words[last]].tolist()) in known or last == i
    assert len(seen) > 1
    assert varied(encoded[0], pool, table, 0.0, rng) is encoded[0]


def test_padding_is_no_word() -> None:
    table = WordTable({})
    words, tags = padded(encoded_all([Marked("", "Ana bakes.", ()), Marked("", "Ana", ())], table, {}))
    assert words[1].tolist()[1:] == [0, 0] and tags[1].tolist() == [0, NO_TAG, NO_TAG]
    words, tags = padded(encoded_all([Marked("", "", ())], table, {}))
    assert words.shape == (1, 1) and tags.tolist() == [[NO_TAG]]


def test_the_teacher_reads_both_ways_and_no_padding() -> None:
    model, tokenizer = small_gemma()
    teacher = teaching.Teacher(model, 3).eval()
    ids = torch.tensor([tokenizer("Ana, a nurse, lives here.")["input_ids"]])
    at, mask = torch.arange(ids.shape[1])[None], torch.ones_like(ids)
    other = ids.clone()
    other[0, -1] = ids[0, 0]
    longer = torch.cat([ids, torch.zeros(1, 5, dtype=torch.long)], 1)
    with torch.no_grad():
        scores, changed = teacher(ids, mask, at, at), teacher(other, mask, at, at)
        padded_ = teacher(longer, torch.cat([mask, torch.zeros(1, 5, dtype=torch.long)], 1), at, at)
    assert (scores - changed)[0, 0].abs().max() > 1e-6
    torch.testing.assert_close(scores, padded_, atol=1e-4, rtol=1e-4)


def test_words_are_found_among_tokens() -> None:
    _, tokenizer = small_gemma()
    text = Marked("Who?", "Ana, a nurse, lives\nhere.", (Gold("JOB_TITLE", 7, 12),), left="She said: ")
    (read,) = teaching._read([text], tokenizer, KINDS)
    whole = teaching.FORM.format("Who?") + text.left + text.text
    offsets = tokenizer(whole, return_offsets_mapping=True)["offset_mapping"]
    begin = len(whole) - len(text.text)
    for (start, end), first, last in zip(word_spans(text.text), read.first, read.last, strict=True):
        assert offsets[first][0] <= begin + start < offsets[first][1]
        assert offsets[last][0] < begin + end <= offsets[last][1]
    assert read.tags.tolist() == [0, 0, 0, 1, 0, 0, 0, 0, 0]
    teaching_most, teaching.MOST_TOKENS = teaching.MOST_TOKENS, len(read.ids) - 3
    try:
        (cut,) = teaching._read([text], tokenizer, KINDS)
    finally:
        teaching.MOST_TOKENS = teaching_most
    assert 0 < len(cut.first) < len(read.first) and len(cut.first) == len(cut.last) == len(cut.tags)


def test_a_tagger_learns_from_what_the_teacher_says(monkeypatch: pytest.MonkeyPatch) -> None:
    model, tokenizer = small_gemma()
    for name, value in (("RATE", 3e-3), ("HEAD_RATE", 1e-2), ("BATCH_TOKENS", 400)):  # a small, untrained model
        monkeypatch.setattr(teaching, name, value)
    teacher = teaching.train_teacher(model, tokenizer, WORKS + SEEN, KINDS, epochs=14)
    new = [Marked("Who?", f"{name}, a gardener, lives here.", ()) for name in NAMES]
    probabilities = teaching.probabilities(teacher, tokenizer, new)
    assert probabilities[0].shape == (8, 3) and np.allclose(probabilities[0].sum(-1), 1, atol=1e-2)
    found = [teaching.values_of(own, text.text, ["JOB_TITLE"]) for own, text in zip(probabilities, new, strict=True)]
    right = sum((Gold("JOB_TITLE", len(n) + 4, len(n) + 12),) == f for n, f in zip(NAMES, found, strict=True))
    assert right >= 8
    unmarked = teaching.as_targets(new, probabilities)(WordTable({}), KINDS)
    assert len(unmarked.texts) == len(NAMES) and len(unmarked.texts[0].words) == len(probabilities[0])
    assert "Ana" not in repr(unmarked)


def test_a_tagger_believes_its_teacher_where_nothing_is_marked() -> None:
    unmarked = [Marked("", f"{name} met a gardener at noon.", ()) for name in NAMES]
    job = np.eye(3, dtype=np.float16)[[0, 0, 0, 1, 0, 0, 0]]  # the fourth word is a job
    finder = {}
    for source in ("teacher", "nobody"):
        teach = teaching.as_targets(unmarked, [job] * len(unmarked)) if source == "teacher" else None
        net = training.train(
            WORKS + SEEN, [1.0] * 160, no_vectors(), epochs=8, teach=teach, learn_vectors=source == "teacher"
        )
        finder[source] = SpanFinder((), tagger=net)
        assert net.kinds == ("JOB_TITLE",) and net.weights["vectors"].dtype == np.int8
    for name in ("Karl", "Lena"):
        text = f"{name} met a gardener at noon."
        found = {source: [(s.kind, s.start, s.end) for s in find(each, text, "")] for source, each in finder.items()}
        assert found == {"teacher": [("JOB_TITLE", len(name) + 7, len(name) + 15)], "nobody": []}


def test_what_a_teacher_said_is_kept_for_the_same_texts_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    marks = [np.array(rows, np.float16) for rows in ([[0.25, 0.5, 0.25], [1, 0.002, 0]], [[0, 0, 1]])]
    texts = [Marked("", "Ana bakes", ()), Marked("", "Ana", ())]
    file = teacher_marks.marks_file(tmp_path / "new", WORKS, texts, 5)
    teacher_marks.write_marks(marks, file)
    read = teacher_marks.read_marks(file)
    assert [each.shape for each in read] == [(2, 3), (1, 3)]
    np.testing.assert_allclose(np.concatenate(read), [[0.25, 0.5, 0.25], [1, 0, 0], [0, 0, 1]], atol=1e-3)

    def untrained(folder: Path, **options: object) -> None:
        raise AssertionError("a teacher is trained")

    monkeypatch.setattr(teaching, "load_host", untrained)
    unmarked = teaching.taught(tmp_path, WORKS, texts, "cpu", epochs=5, marks=tmp_path / "new")(WordTable({}), KINDS)
    assert [each.tolist() for each in unmarked.said] == [each.tolist() for each in read]
    other = [Marked("Who?", "Ana bakes", ()), texts[1]]
    for marked, asked, epochs in ((WORKS[1:], texts, 5), (WORKS, other, 5), (WORKS, texts, 4)):
        with pytest.raises(AssertionError, match="a teacher is trained"):
            teaching.taught(tmp_path, marked, asked, "cpu", epochs=epochs, marks=tmp_path / "new")


def test_learned_vectors_are_kept_and_unknown_words_have_none() -> None:
    table = torch.cat([torch.zeros(1, 4), torch.ones(1, 4)])
    net = training.Tagger(3, table, learn_vectors=True)
    with torch.no_grad():
        net.vectors[0] = 9.0  # whatever row 0 learns, a word without a vector reads zeros
        net.vectors[1] = torch.tensor([1.0, -2.0, 0.5, 0.0])
    frozen = training.frozen(net.eval(), ("A",), no_vectors())
    kept = frozen.weights["vectors"][0] * frozen.weights["vectors_scale"]
    np.testing.assert_allclose(kept, [1.0, -2.0, 0.5, 0.0], atol=0.02)
    batch = training.batch_of([Marked("", "Zebras eat", ())], {}, {"nurse": 0})
    with torch.no_grad():
        scores = net(batch)
        net.vectors[0] = 0.0
        assert torch.equal(scores, net(batch))


def test_values_are_joined_as_the_tagger_joins_them() -> None:
    tags = np.eye(5)[[0, 1, 2, 2, 1, 4, 3, 4, 0]]
    text = "a b c d e f g h i"
    kinds = ["JOB_TITLE", "DOCTOR"]
    assert teaching.values_of(tags, text, kinds) == (
        Gold("JOB_TITLE", 2, 7), Gold("JOB_TITLE", 8, 9), Gold("DOCTOR", 10, 11), Gold("DOCTOR", 12, 15),
    )  # fmt: skip
    assert [g.kind for g in teaching.values_of(tags, text, ["JOB_TITLE", ""])] == ["JOB_TITLE", "JOB_TITLE"]
    assert teaching.values_of(np.zeros((0, 5)), "", kinds) == ()


def test_what_a_model_imagines_is_taken_apart() -> None:
    shown = [Marked("Who?", "Ana is a nurse.", ()), Marked("", "Boris bakes.", ())]
    prompt = imagined.prompt_of(shown)
    assert prompt.count("### Question\n") == 3 and prompt.endswith("### Question\n") and "\nnone\n" in prompt
    long = "Chen was born in Lima and works as a welder for the city."
    made = imagined.made_text(f"Who is Chen?\n### Text\n{long}\n\n### Question\nWho else?\n### Text\nx")
    assert made == Marked("Who is Chen?", long, ())
    assert imagined.made_text(f"none\n### Text\n{long}") == Marked("", long, ())
    for wrong in ("Who is Chen?", "Who?\n### Text\nShort.", f"a\n### Question\nb\n### Text\n{long}"):
        assert imagined.made_text(wrong) is None


def test_a_model_imagines_each_text_once(tmp_path: Path) -> None:
    class Same:
        device = torch.device("cpu")

        def generate(self, rows: torch.Tensor, **options: object) -> torch.Tensor:
            said = "Who is Dana?\n### Text\nDana was born in Oslo and works as a judge there today."
            ids = torch.tensor([tokenizer(said)["input_ids"]])
            return torch.cat([rows, ids.expand(len(rows), -1)], 1)

    _, tokenizer = small_gemma()
    shown = [Marked("Who?", "Ana is a nurse in a small town near Lima, and likes it.", ())] * 3
    made = list(imagined.imagine(Same(), tokenizer, shown, 5, batch=2))
    assert [text.text for text in made] == ["Dana was born in Oslo and works as a judge there today."]
    file = tmp_path / "made.jsonl"
    imagined.write_unmarked(made, file)
    assert imagined.read_unmarked([file]) == made
    with pytest.raises(InputError, match="at least 3 texts"):
        next(imagined.imagine(Same(), tokenizer, shown[:2], 1))
    file.write_text('{"text": "x"}\n["no"]\n')
    with pytest.raises(InputError, match="line 2: expected JSON"):
        imagined.read_unmarked([file])


def marked_folder(folder: Path) -> Path:
    (folder / "written").mkdir()
    (folder / "practice").mkdir()
    rows = [{"prompt": "Who?", "answer": f"{n}, a [[JOB_TITLE|{j}]], called."} for n in NAMES for j in JOBS[:4]]
    rows += [{"prompt": "Who?", "answer": f"{n} was born in {place}."} for n in NAMES for place in ("Rome", "Lima")]
    (folder / "written" / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    rows = [{"prompt": f"Who is {name}?", "answer": f"{name} is a [[JOB_TITLE|baker]] here."} for name in NAMES[:6]]
    (folder / "practice" / "m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ids = [each.id for each in prompts()[:6]]
    answers = [{"id": key, "model": "m", "text": "Ana, a baker, called."} for key in ids]
    (folder / "answers-m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in answers))
    gold = Labels({f"m/{key}": (Gold("JOB_TITLE", 7, 12),) for key in ids}, frozenset())
    write_gold(gold, folder / "gold-read.jsonl")
    return folder


def test_the_command_trains_with_a_teacher_and_scores(tmp_path: Path) -> None:
    folder = marked_folder(tmp_path)
    model, tokenizer = small_gemma()
    host = tmp_path / "gemma"
    model.save_pretrained(host)
    tokenizer.save_pretrained(host)
    texts = tmp_path / "more.jsonl"
    imagined.write_unmarked([Marked("Who?", f"{name}, a gardener, lives here.", ()) for name in NAMES], texts)
    options = ["--folder", str(folder), "--out", str(tmp_path), "--epochs", "2", "--phrasings", "4"]
    where = ["--file", str(tmp_path / "tagger.npz"), "--measured", str(tmp_path / "some.npz")]
    taught = ["--teacher", str(host), "--unmarked", str(texts), "--learn-vectors", "--marks", str(tmp_path / "marks")]
    ran = CliRunner().invoke(app, ["answers", "train-tagger", *options, *where, *taught])
    assert ran.exit_code == 0, (ran.output, ran.exception)
    assert len(list((tmp_path / "marks").glob("*.npz"))) == 2  # for some of the marked texts, and for all
    page = (tmp_path / "tagger.md").read_text()
    assert "gemma, trained on the marked texts, marked 10 more." in page
    for name in ("tagger", "some"):
        with (tmp_path / f"{name}.npz").open("rb") as file:
            assert TagNetwork.load(file).kinds == ("JOB_TITLE",)
    ran = CliRunner().invoke(
        app, ["answers", "score-tagger", str(tmp_path / "some.npz"), *options[:4], "--name", "score"]
    )
    assert ran.exit_code == 0, (ran.output, ran.exception)
    one, other = (json.loads((tmp_path / f"{name}.json").read_text())["held out"] for name in ("tagger", "score"))
    assert one == other
    ran = CliRunner().invoke(app, ["answers", "train-tagger", *options, "--teacher", str(host)])
    assert isinstance(ran.exception, InputError) and "--unmarked" in str(ran.exception)
