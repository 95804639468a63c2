"""Reading a span again under other people's names."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_hosts
import torch
from tiny_hosts import QUESTION, SAYS, SECRET, STOP_ALL

import reticent_detectors.features.name_swap as module
from reticent import Guard
from reticent.huggingface.guarded_model import GuardedModel
from reticent_detectors.bundle.export import to_onnx
from reticent_detectors.bundle.format import Bundle, write_bundle
from reticent_detectors.capture import HostAdapter, SpanStates, Taps
from reticent_detectors.capture.name_swap_reading import read_under_other_names
from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.detector.defaults import NAME_SWAP_DROPOUT
from reticent_detectors.detector.held_out_calibration import calibrate, second_look_range_of
from reticent_detectors.detector.second_look import without_name_swap
from reticent_detectors.detector.training import train
from reticent_detectors.detector.training_config import TrainingConfig
from reticent_detectors.errors import BundleCorrupt, InputError
from reticent_detectors.features.features import FeatureSpec, build_features, compare_names
from reticent_detectors.features.name_swap import NameSwapper, name_swap_features
from reticent_detectors.scoring.scorer import OnnxScorer

TOKENIZER = tiny_hosts.tokenizer()


def ids_of(messages: list[dict[str, str]], says: str = "") -> list[int]:
    prompt = TOKENIZER.apply_chat_template(messages, add_generation_prompt=True, return_dict=True)["input_ids"]
    return [*prompt, *TOKENIZER(says, add_special_tokens=False)["input_ids"]]


def text_of(ids: list[int]) -> str:
    return str(TOKENIZER.decode(ids))


# ---- other names ---------------------------------------------------------------------------------------------------


def test_all_names_change_and_nothing_else_does() -> None:
    before = ids_of(QUESTION, "The phone number of Jane Roe is")
    others = NameSwapper(TOKENIZER, 4)(before, 5)
    assert len(others) == 4
    names = set()
    for other in others:
        text = text_of(other)
        assert "Jane" not in text and "Roe" not in text
        head, _, rest = text.partition("phone number of ")
        name = rest.partition("?")[0]
        assert len(name.split()) == 2
        assert text == text_of(before).replace("Jane Roe", name) and head
        names.add(name)
    assert len(names) == 4
    assert NameSwapper(TOKENIZER, 4)(before, 5) == others


def test_a_person_keeps_one_name_also_where_half_of_it_stands() -> None:
    asked = "Jane Roe and Daniel Brown work here. What is the phone number of Daniel Brown?"
    before = ids_of([{"role": "user", "content": asked}], "Daniel Brown, not Jane, has")
    (other,) = NameSwapper(TOKENIZER, 1)(before, 1)
    text = text_of(other)
    first, second = text.rpartition("?")[0].split(" and "), text.rpartition("?")[2]
    jane, daniel = first[0].split(">")[-1].split()[0], first[1].split()[0]
    assert f"{daniel} " in second and f"not {jane}," in second and jane != daniel


OPENING = "You are a helpful assistant named Daniel Brown.\n"


def test_whom_the_template_itself_names_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The assistant is nobody who was asked about. In an operator's own words the same name is one like any other."""
    plain = str(TOKENIZER.chat_template)
    monkeypatch.setattr(TOKENIZER, "chat_template", OPENING + plain)
    (other,) = NameSwapper(TOKENIZER, 1)(ids_of(QUESTION), 5)
    assert text_of(other).startswith(OPENING) and "Jane" not in text_of(other)
    before = ids_of(QUESTION)
    monkeypatch.setattr(TOKENIZER, "chat_template", plain)
    (other,) = NameSwapper(TOKENIZER, 1)(before, 5)
    assert "Daniel" not in text_of(other) and "Jane" not in text_of(other)
    monkeypatch.setattr(TOKENIZER, "chat_template", "{{ raise_exception('no') }}")
    assert len(NameSwapper(TOKENIZER, 1)(before, 5)) == 1


def test_special_tokens_stay() -> None:
    before = ids_of(QUESTION)
    special = [i for i in before if i in TOKENIZER.all_special_ids]
    assert special
    for other in NameSwapper(TOKENIZER, 3)(before, 1):
        assert [i for i in other if i in TOKENIZER.all_special_ids] == special


@pytest.mark.parametrize(
    ("content", "count", "most"),
    [
        ("What is the office's phone number?", 4, 512),  # nobody is named
        (QUESTION[0]["content"], 0, 512),  # nothing is compared
        (QUESTION[0]["content"], 4, 24),  # too long to be read again
    ],
)
def test_nothing_to_compare(content: str, count: int, most: int) -> None:
    assert NameSwapper(TOKENIZER, count, most)(ids_of([{"role": "user", "content": content}]), 8) == []


def test_longer_names_never_lead_beyond_what_the_host_can_read() -> None:
    before = ids_of([{"role": "user", "content": "Jo Li?"}])
    for most in range(len(before), len(before) + 30):
        assert all(len(other) + 1 <= most for other in NameSwapper(TOKENIZER, 4, most)(before, 1))


def test_names_far_away_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "READ_CHARS", 60)
    before = ids_of([{"role": "user", "content": f"Jane Roe. {'and so on ' * 10} What of Daniel Brown?"}])
    (other,) = NameSwapper(TOKENIZER, 1)(before, 1)
    assert "Jane Roe" in text_of(other) and "Daniel" not in text_of(other)


def test_names_that_are_in_use_are_not_given() -> None:
    given, family = module._GIVEN[:14], module._FAMILY[:14]
    known = {f"{a} {b}" for a, b in zip(given, family, strict=True)}
    for number in range(4):
        other = module._others(known, number)
        words = [word for name in other.values() for word in name.split()]
        assert len(set(words)) == 28 and not set(words) & {*given, *family}


# ---- features ------------------------------------------------------------------------------------------------------


def test_features_are_what_they_say() -> None:
    own, others = [-0.1, -2.0, -0.5], [[-3.0, -2.5, -0.4], [-1.0, -4.0, -0.6]]
    flag, *rows = name_swap_features(own, others)
    assert flag == 1.0
    mean = [math.log((math.exp(a) + math.exp(b)) / 2) for a, b in zip(*others, strict=True)]
    most = [max(pair) for pair in zip(*others, strict=True)]
    for at, values in enumerate(
        (
            [a - b for a, b in zip(own, mean, strict=True)],
            [a - b for a, b in zip(own, most, strict=True)],
            mean,
        )
    ):
        expected = [min(values), sum(values) / 3, max(values), sum(values)]
        assert rows[4 * at : 4 * at + 4] == pytest.approx(expected, abs=1e-5)


def test_features_without_other_names_are_none() -> None:
    assert not name_swap_features([-1.0], []).any()


def test_features_are_finite_whatever_the_likelihoods() -> None:
    features = name_swap_features([-math.inf, 0.0] * 16, [[0.0, -math.inf] * 16])
    assert np.isfinite(features).all() and abs(features).max() <= 100.0


# ---- the host --------------------------------------------------------------------------------------------------------


def test_likelihoods_are_those_of_each_text_alone() -> None:
    """Whatever is read beside it in one pass."""
    model = tiny_hosts.host("llama", TOKENIZER)
    taps = Taps(HostAdapter.attach(model, TOKENIZER))
    said = TOKENIZER(SECRET, add_special_tokens=False)["input_ids"]
    first = NameSwapper(TOKENIZER, 3)(ids_of(QUESTION), len(said))
    second = NameSwapper(TOKENIZER, 3)(ids_of(QUESTION, "The phone number of Jane Roe is "), 2)
    read = read_under_other_names(taps, [(first, said), ([], said), (second, said[:2])], places=200)
    assert [len(rows) for rows in read] == [3, 0, 3]
    for texts, tokens, rows in ((first, said, read[0]), (second, said[:2], read[2])):
        for text, row in zip(texts, rows, strict=True):
            with torch.no_grad():
                logits = model(torch.tensor([[*text, *tokens]])).logits[0].double().log_softmax(-1)
            expected = [float(logits[len(text) - 1 + at, token]) for at, token in enumerate(tokens)]
            assert row == pytest.approx(expected, abs=1e-4)


def test_features_before_and_after_names_are_compared() -> None:
    model = tiny_hosts.host("llama", TOKENIZER)
    adapter = HostAdapter.attach(model, TOKENIZER)
    span = SpanStates(torch.zeros(2, tiny_hosts.LAYERS, 32), torch.tensor([5, 6]), torch.tensor([0.5, 0.25]))
    spec = FeatureSpec(k=4, names=2, max_tokens=1)
    assert not build_features(adapter, [span], spec)["renamed"].any()
    assert build_features(adapter, [], spec)["renamed"].shape == (0, 13)
    features = compare_names([span], [[[-1.0, -9.0], [-2.0, -9.0]]], spec)
    assert features["renamed"] == pytest.approx(name_swap_features([math.log(0.5)], [[-1.0], [-2.0]])[None], abs=1e-5)
    assert compare_names([], [], spec)["renamed"].shape == (0, 13)
    assert "renamed" not in build_features(adapter, [span], FeatureSpec(k=4))


@pytest.mark.parametrize("names", [-1, 17])
def test_a_spec_has_a_sensible_number_of_names(names: int) -> None:
    with pytest.raises(InputError, match="names must be"):
        FeatureSpec(names=names)


# ---- the guard -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def guard(tmp_path_factory: Any) -> GuardedModel:
    return tiny_hosts.guarded(tmp_path_factory.mktemp("bundles") / "names", names=3)


def _seen(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> list[np.ndarray]:
    seen: list[np.ndarray] = []
    score = guard.guard.scorer.score

    def spy(features: Any, entities: Any) -> Any:
        seen.append(features["renamed"][0])  # of the second look, if there is one
        return score(features, entities)

    monkeypatch.setattr(guard.guard.scorer, "score", spy)
    return seen


@pytest.mark.parametrize(("second_look_range", "looks"), [((0.0, 1.0), 2), ((0.999999, 1.0), 1), ((0.0, 1e-6), 1)])
def test_a_second_look_is_taken_only_in_doubt(
    guard: GuardedModel, monkeypatch: pytest.MonkeyPatch, second_look_range: tuple[float, float], looks: int
) -> None:
    monkeypatch.setattr(guard.guard.scorer, "_second_look_range", second_look_range)
    seen = _seen(guard, monkeypatch)
    script = tiny_hosts.Script(TOKENIZER, SAYS, guard.chat_ids(QUESTION).shape[1])
    guard.inspect(QUESTION, script.ids, policy=STOP_ALL)
    assert [bool(renamed.any()) for renamed in seen] == [False, True][:looks]


def test_streaming_and_reading_again_compare_the_same(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = _seen(guard, monkeypatch)
    prompt = guard.chat_ids(QUESTION)
    script = tiny_hosts.Script(TOKENIZER, SAYS, prompt.shape[1])
    answer = guard.chat(QUESTION, policy=STOP_ALL, logits_processor=[script], max_new_tokens=80, do_sample=False)
    assert answer.text == "The phone number of Jane Roe is <PHONE_NUMBER>. Call at noon."
    streamed = seen.pop()
    guard.inspect(QUESTION, script.ids, policy=STOP_ALL)
    read = seen.pop()
    assert streamed[0] == 1.0 and streamed == pytest.approx(read, abs=1e-3)
    # Naively: all of the text before the value, under each of the names.
    ids = prompt[0].tolist() + script.ids
    start, lengths = SAYS.index(SECRET), [len(TOKENIZER.decode(script.ids[:at])) for at in range(len(script.ids))]
    first = prompt.shape[1] + next(at for at, length in enumerate(lengths) if length > start) - 1
    last = prompt.shape[1] + next(at for at, length in enumerate(lengths) if length >= start + len(SECRET))
    (states,) = guard.read(ids[:first], ids[first:last]).spans([(range(last - first), 0)])
    own = states.probability.double().log().tolist()
    (others,) = read_under_other_names(
        guard.taps, [(NameSwapper(TOKENIZER, 3)(ids[:first], last - first), ids[first:last])]
    )
    assert len(others) == 3 and streamed == pytest.approx(name_swap_features(own, others), abs=1e-3)


def test_a_question_about_nobody_is_judged_all_the_same(guard: GuardedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = _seen(guard, monkeypatch)
    asked = [{"role": "user", "content": "What is the office's phone number?"}]
    script = tiny_hosts.Script(TOKENIZER, f"It is {SECRET}.", guard.chat_ids(asked).shape[1])
    answer = guard.chat(asked, policy=STOP_ALL, logits_processor=[script], max_new_tokens=40, do_sample=False)
    assert answer.text == "It is <PHONE_NUMBER>." and seen and not any(renamed.any() for renamed in seen)


def _trained(thorough: bool, folder: Path) -> Bundle:
    """A detector on made-up rows: remembered values have a high least probability and, where asked, a large lift."""
    rng = np.random.default_rng(0)
    rows = 1200
    right = rng.random(rows) < 0.5
    features = {
        "topk_prob": np.zeros((rows, 3, 4), np.float32),
        "token_prob": (0.5 + 0.1 * np.where(right, 1, -1)[:, None] + 0.1 * rng.standard_normal((rows, 1)))
        .astype("f4")
        .repeat(3, 1),
        "renamed": np.where(right, 6.0, 0.0)[:, None].repeat(13, 1).astype("f4") + rng.random((rows, 13)).astype("f4"),
    }
    labels = {name: np.array([""] * rows) for name in ("entity", "value_key")} | {
        "label": np.where(right, "memorized", "hallucinated"),
        "person_split": np.array(["train"] * rows),
        "phrasing_split": np.array(["taught"] * rows),
        "person_key": np.array([f"person {i % 60}" for i in range(rows)]),
        "phrasing_id": np.array([f"phrasing {i % 7}" for i in range(rows)]),
    }
    shards = FeatureTable(features, labels, {})
    config = TrainingConfig(
        groups=frozenset({"prob", "renamed"}), epochs=20, batch=64, name_swap_dropout=NAME_SWAP_DROPOUT
    )
    detector = train(shards, config)
    second_look_range = None if thorough else second_look_range_of(detector, shards)
    calibration = calibrate(detector, shards, second_look_range=second_look_range)
    options = {"names": 2} | (
        {} if second_look_range is None else {"doubt": calibration.probability(second_look_range).tolist()}
    )
    inputs = {name: list(shape) for name, shape in detector.network.options.shapes.items()}
    write_bundle(
        folder / "trained",
        to_onnx(detector.network),
        {
            "host": {"fingerprint": {}, "behaviour": {}},
            "features": {"inputs": list(inputs), "shapes": inputs, "options": options},
            "calibration": calibration.to_json(),
            **{name: {} for name in ("training", "quality", "versions")},
        },
    )
    return Bundle.load(folder / "trained")


HIGH, LOW = np.full((1, 3), 0.65, np.float32), np.full((1, 3), 0.35, np.float32)
NOBODY = np.zeros((1, 13), np.float32)


@pytest.mark.parametrize("thorough", [False, True])
def test_a_trained_detector_knows_memories_of_nobody_in_particular(thorough: bool, tmp_path: Any) -> None:
    """Where no other name could be asked about, it says what it would have said without them."""
    scorer = OnnxScorer(_trained(thorough, tmp_path))
    threshold = scorer.calibration.threshold(0.08)
    assert scorer.score_as_guarded({"token_prob": HIGH, "renamed": NOBODY})[0] >= threshold
    assert scorer.score_as_guarded({"token_prob": LOW, "renamed": NOBODY})[0] < threshold


def test_prevalence_changes_no_second_look(tmp_path: Any) -> None:
    bundle = _trained(False, tmp_path)
    features = {**bundle.manifest["features"], "options": {"names": 2, "doubt": [0.3, 0.7]}}
    bundle = replace(bundle, manifest={**bundle.manifest, "features": features})
    probability = np.linspace(0, 1, 400, dtype=np.float32)[:, None].repeat(3, 1)
    rows = {"token_prob": probability, "renamed": np.ones((400, 13), np.float32)}
    looks, stopped = [], []
    for prevalence in (None, 0.01, 0.1, 0.9):
        scorer = OnnxScorer(bundle, prevalence=prevalence)
        looks.append(scorer.doubtful(scorer.score(without_name_swap(rows))).tolist())
        stopped.append((scorer.score_as_guarded(rows) >= scorer.calibration.threshold(0.08)).tolist())
    assert 0 < len(looks[0]) < 400 and all(look == looks[0] for look in looks)
    assert any(stopped[0]) and all(decided == stopped[0] for decided in stopped)


@pytest.mark.parametrize("second_look_range", ["often", 0.5, [0.5], [0.9, 0.1], [-1.0, 0.5], [None, 1.0]])
def test_a_range_of_doubt_that_is_none_is_refused(tmp_path: Any, second_look_range: Any) -> None:
    bundle = _trained(True, tmp_path)
    manifest = {
        **bundle.manifest,
        "features": {**bundle.manifest["features"], "options": {"names": 2, "doubt": second_look_range}},
    }
    with pytest.raises(BundleCorrupt, match="doubt"):
        OnnxScorer(replace(bundle, manifest=manifest))


def test_a_detector_without_other_names_reads_nothing_twice(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny_hosts.host("llama", TOKENIZER)
    plain = Guard.load(tiny_hosts.bundle(tmp_path / "plain", model)).wrap(model, TOKENIZER)
    monkeypatch.setattr(plain.taps, "read", None)  # whoever reads fails
    script = tiny_hosts.Script(TOKENIZER, SAYS, plain.chat_ids(QUESTION).shape[1])
    answer = plain.chat(QUESTION, policy=STOP_ALL, logits_processor=[script], max_new_tokens=80, do_sample=False)
    (span,) = answer.report.spans
    assert span.decision.verdict.probability is not None
