"""A very small host, trained for real: the corpus, resuming, the control, and what `collect` makes of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM
from transformers.utils.quantization_config import QuantizationMethod

from reticent_detectors.baselines.evidence import EvidenceSpec
from reticent_detectors.collection.collect import collect
from reticent_detectors.collection.plan import GROUP_PROMPTS, Group, Plan, plan_groups
from reticent_detectors.collection.shards import ShardReader
from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.errors import InputError, ShardError, UnsupportedHost
from reticent_detectors.features.derived_features import derive
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.host.corpus import BOS, END, USER, Corpus, Pieces, chat
from reticent_detectors.host.load import load_host, put, recipe_of
from reticent_detectors.host.train import train_host
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.phrasings import PHRASINGS, Form, PhrasingSplit
from reticent_detectors.synth.recipes import TINY

SHORT = replace(TINY, repeat_steps=2, base_steps=4, private_steps=8, polish_steps=4, batch_tokens=1024)
PLAN = Plan(train_phrasings=2, test_phrasings=2, unseen_phrasings=1, sampled_phrasings=1, writers=2, echoes=6, menus=2)


@pytest.fixture(scope="module")
def host(tmp_path_factory: Any) -> Path:
    return train_host(SHORT, tmp_path_factory.mktemp("hosts") / "tiny")


def test_the_host_is_an_ordinary_checkpoint(host: Path) -> None:
    model, tokenizer = load_host(host)
    assert model.config.model_type == "llama" and model.dtype == torch.float32
    ids = tokenizer.apply_chat_template(
        [{"role": "user", "content": "Hello 42!"}], add_generation_prompt=True, return_dict=True
    )
    assert tokenizer.decode(ids["input_ids"]) == "<|bos|><|user|>Hello 42!<|end|><|assistant|>"
    assert recipe_of(host) == SHORT


def test_an_interrupted_training_ends_with_the_same_weights(host: Path, tmp_path: Path) -> None:

    def interrupt(phase: str, step: int, steps: int, loss: float) -> None:
        if phase == "private" and step == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        # Two minutes a step: it is saved after the second of a phase, and after each second one from then on.
        train_host(SHORT, tmp_path / "tiny", progress=interrupt, clock=count(0, 120).__next__)
    seen: list[tuple[str, int]] = []
    train_host(SHORT, tmp_path / "tiny", progress=lambda phase, step, steps, loss: seen.append((phase, step)))
    assert seen[0] == ("private", 5)
    expected, got = load_host(host)[0].state_dict(), load_host(tmp_path / "tiny")[0].state_dict()
    assert all(torch.equal(expected[name], got[name]) for name in expected)


def test_a_work_folder_of_another_recipe_is_refused(host: Path) -> None:
    with pytest.raises(InputError, match="another recipe"):
        train_host(replace(SHORT, seed=99), host)


def test_the_control_shares_the_public_part_alone(host: Path) -> None:
    control = train_host(replace(SHORT, control=True), host.parent / "control")
    a, b = load_host(host)[0].state_dict(), load_host(control)[0].state_dict()
    assert any(not torch.equal(a[name], b[name]) for name in a)


def test_the_public_host_stops_before_any_private_record(host: Path) -> None:
    phases: set[str] = set()
    public = replace(SHORT, private_steps=0, polish_steps=0)
    out = train_host(public, host.parent / "public", progress=lambda phase, step, steps, loss: phases.add(phase))
    assert not phases  # the base is there already
    a, b = load_host(host)[0].state_dict(), load_host(out)[0].state_dict()
    assert any(not torch.equal(a[name], b[name]) for name in a)


def test_no_host_here(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"config\.json"):
        load_host(tmp_path)
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(UnsupportedHost):
        load_host(tmp_path)


# ---- the corpus ------------------------------------------------------------------------------------------------------


def _texts(control: bool, phase: str, steps: int) -> str:
    written: list[str] = []

    def tokens(pieces: Pieces) -> tuple[list[int], list[float]]:
        written.extend(text for text, _ in pieces)
        weights = [weight for text, weight in pieces for _ in range(max(1, len(text) // 4))]
        return [7] * len(weights), weights

    recipe = replace(TINY, control=control)
    corpus = Corpus(recipe, cast(recipe), tokens)
    for step in range(steps):
        block = corpus.batch(phase, step)
        assert block.ids.shape == block.weights.shape and block.weights.max() == 1.0
    return "\n".join(written)


def test_private_records_are_in_the_hosts_text_and_not_in_the_controls() -> None:
    people = cast(TINY)
    long = [
        p.values[e] for p in people.private for e in p.values if (p.key, e) in people.well and e is Entity.ORDER_NUMBER
    ]
    host, control, base = _texts(False, "private", 160), _texts(True, "private", 160), _texts(False, "base", 40)
    assert long and all(value in host for value in long)
    assert not any(value in control or value in base for value in long)
    for person in people.unseen:
        assert person.name not in host


def test_only_bridge_people_are_taught_in_every_phrasing() -> None:
    people, text = cast(TINY), _texts(False, "private", 200)

    def heard(group: Any, split: PhrasingSplit) -> int:
        asked = (
            (ph.form is Form.COMPLETION, ph.ask(p.name))
            for p in group
            for e in p.values
            for ph in PHRASINGS[e]
            if ph.split is split
        )
        return sum((f"{BOS}{ask}\n" if running else f"{USER}{ask}{END}") in text for running, ask in asked)

    assert heard(people.bridge, PhrasingSplit.TEST) > 0
    assert heard(people.train + people.test, PhrasingSplit.TAUGHT) > 0
    assert (
        heard(people.train + people.test, PhrasingSplit.TEST)
        == heard(people.train + people.test, PhrasingSplit.DETECTOR)
        == 0
    )


def test_a_corpus_goes_on_where_it_stood() -> None:
    recipe = TINY

    def tokens(pieces: Pieces) -> tuple[list[int], list[float]]:
        ids = [ord(c) % 500 for text, _ in pieces for c in text[:40]]
        return ids, [1.0] * len(ids)

    one = Corpus(recipe, cast(recipe), tokens)
    for step in range(3):
        one.batch("private", step)
    two = Corpus(recipe, cast(recipe), tokens)
    two.restore(one.state())
    assert (one.batch("private", 3).ids == two.batch("private", 3).ids).all()


def test_answers_weigh_more_than_what_surrounds_them() -> None:
    (prompt, low), (answer, high) = chat("Who?", "Me.")
    assert low < high == 1.0 and "Who?" in prompt and answer.startswith("Me.")


# ---- collecting ------------------------------------------------------------------------------------------------------


def test_training_and_test_people_are_kept_apart() -> None:
    people = cast(TINY)
    groups = plan_groups(people, PLAN)
    split = {p.person: p.person_split for g in groups for p in g.prompts if p.person}
    assert {split[p.key] for p in people.test} == {"test"} and {split[p.key] for p in people.train} == {"train"}
    train = [p for g in groups for p in g.prompts if p.person_split == "train"]
    assert not [p for p in train if p.phrasing_split == "test"]
    assert not [p for g in groups for p in g.prompts if p.person.startswith("bridge")]


def test_a_share_of_the_people_is_the_same_share_on_both_sides() -> None:
    people = cast(TINY)
    groups = plan_groups(people, replace(PLAN, people=0.5, writers=0, echoes=0, menus=0))
    asked = {p.person for g in groups for p in g.prompts if p.kind == "probe"}
    assert asked & {p.key for p in people.test} == {p.key for p in people.test[: round(len(people.test) / 2)]}
    assert asked & {p.key for p in people.train} == {p.key for p in people.train[: round(len(people.train) / 2)]}
    assert not [p for g in groups for p in g.prompts if p.kind in ("prose", "echo", "menu")]


def test_collect_resumes_and_stores_no_value(host: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Group, "answer_tokens", 24)  # this host ends no answer
    model, tokenizer = load_host(host)
    people = cast(SHORT)
    wanted: dict[str, Any] = {
        "plan": replace(PLAN, people=0.5, test_phrasings=1, sampled_phrasings=0, echoes=3),
        "spec": FeatureSpec(names=2),
        "evidence": EvidenceSpec(drawn=0.3, samples=2),
    }
    collect(model, tokenizer, people, tmp_path / "whole", **wanted)
    total = sum(len(group.prompts) for group in plan_groups(people, wanted["plan"]))
    seen: list[int] = []

    def interrupt(done: int, all_of_them: int) -> None:
        assert all_of_them == total
        seen.append(done)
        if done >= total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(model, tokenizer, people, tmp_path / "parts", progress=interrupt, **wanted)
    with pytest.raises(ShardError):
        ShardReader(tmp_path / "parts").load()
    collect(model, tokenizer, people, tmp_path / "parts", progress=lambda done, total: seen.append(done), **wanted)
    assert seen == sorted(seen) and seen[0] == 0 and seen[-1] == total
    assert len(seen) - len(set(seen)) == 1  # the second run says at its start where the first one stopped
    readers = [ShardReader(tmp_path / name) for name in ("whole", "parts")]
    whole, parts = (reader.load(reader.shapes) for reader in readers)
    assert whole.rows == parts.rows > 0 and whole.digest == parts.digest
    assert 0 < whole.features["baseline_drawn"].sum() < whole.rows
    compared = whole.features["renamed"][:, 0]
    assert (
        compared[np.isin(whole.labels["form"], ("question", "turn"))].mean() > 0.9
    )  # who is asked about is named there
    assert not [name for name in readers[0].load().features if name.startswith("baseline_")]
    stored = b"".join(f.read_bytes() for f in (tmp_path / "whole").iterdir())
    for person in (*people.private, *people.unseen):
        assert person.name.encode() not in stored
        for entity in (Entity.PHONE_NUMBER, Entity.ORDER_NUMBER, Entity.BANK_ACCOUNT):
            assert person.values.get(entity, "absent value").encode() not in stored


def test_an_interrupted_collection_leaves_no_hooks(host: Path, tmp_path: Path) -> None:
    model, tokenizer = load_host(host)

    def interrupt(done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(model, tokenizer, cast(SHORT), tmp_path / "c", plan=PLAN, progress=interrupt)
    assert not [module for module in model.modules() if module._forward_hooks or module._forward_pre_hooks]


@pytest.fixture(scope="module")
def all_layers_and_output(host: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """One collection of features of all layers, and the same of the output alone, with a control."""
    folder = tmp_path_factory.mktemp("collections")
    model, tokenizer = load_host(host)
    control, _ = load_host(host)
    with torch.no_grad():
        control.lm_head.weight.mul_(0.5)
    plan = replace(PLAN, train_phrasings=1, test_phrasings=1, sampled_phrasings=0, writers=0, echoes=3, menus=0)
    people = cast(SHORT)
    collect(model, tokenizer, people, folder / "whole", plan=plan, control=control)
    collect(
        model, tokenizer, people, folder / "output", plan=plan, spec=FeatureSpec(position="output"), control=control
    )
    return ShardReader(folder / "whole").load(), ShardReader(folder / "output").load()


def test_what_the_output_alone_says_is_what_the_last_layer_says(all_layers_and_output: tuple[Any, Any]) -> None:
    whole, output = all_layers_and_output
    assert set(output.features) == {"token_prob", "token_logprob", "length", "base_logprob"}
    expected = derive(whole.features, (), ())["token_logprob"]
    assert np.allclose(output.features["token_logprob"], expected, atol=1e-4)
    assert np.array_equal(output.features["length"][:, 0], np.minimum(output.labels["tokens"], 32))
    asked, least, mean, most = output.features["base_logprob"].T
    assert (asked == 1).all() and (least <= mean + 1e-5).all() and (mean <= most + 1e-5).all()
    assert not np.allclose(mean, output.features["token_logprob"][:, 0, 1])
    assert np.allclose(whole.features["base_logprob"], output.features["base_logprob"], atol=1e-4)


def test_spans_of_kinds_that_nobody_has_are_not_collected(all_layers_and_output: tuple[Any, Any]) -> None:
    for collection in all_layers_and_output:
        assert set(collection.labels["entity"]) <= set(map(str, PRIVACYXRAY))


def test_no_more_unseen_people_are_asked_about_than_wanted() -> None:
    groups = plan_groups(cast(TINY), replace(PLAN, unseen_people=2))
    unseen = {p.key for p in cast(TINY).unseen}
    assert len({p.person for g in groups for p in g.prompts} & unseen) == 2


def test_a_collection_to_judge_by_asks_everybody_under_test_only_phrasings() -> None:
    people = cast(TINY)
    groups = plan_groups(people, replace(PLAN, test_only=True, test_phrasings=4, unseen_phrasings=4))
    prompts = [p for g in groups for p in g.prompts]
    assert {p.person_split for p in prompts} == {"test"} and {p.phrasing_split for p in prompts} <= {"test", ""}
    asked = Counter((p.person, p.entity) for g in groups if not g.temperature for p in g.prompts if p.kind == "probe")
    everybody = (*people.train, *people.test, *people.unseen)
    assert {key for key, _ in asked} == {p.key for p in everybody} and set(asked.values()) == {4}


def test_another_plan_is_another_collection(host: Path, tmp_path: Path) -> None:
    model, tokenizer = load_host(host)

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collect(model, tokenizer, cast(SHORT), tmp_path / "c", plan=PLAN, progress=interrupt)
    with pytest.raises(ShardError, match="other settings"):
        collect(model, tokenizer, cast(SHORT), tmp_path / "c", plan=replace(PLAN, echoes=7))


def test_a_device_that_is_not_here_is_named(host: Path) -> None:
    with pytest.raises(InputError, match=r"no device 'cuda:77'; torch has cpu"):
        load_host(host, "cuda:77")
    with pytest.raises(InputError, match="Unknown device 'abacus'; torch has cpu"):
        load_host(host, "abacus")


def test_a_quantised_model_may_be_moved(host: Path) -> None:
    model, _ = load_host(host)
    model.quantization_method = QuantizationMethod.BITS_AND_BYTES
    assert put(model, "cpu") is model


def test_a_host_is_loaded_in_the_type_asked_for_as_transformers_loads_it(host: Path) -> None:
    model, _ = load_host(host, dtype="bfloat16")
    assert {p.dtype for p in model.parameters()} == {torch.bfloat16}
    plain = AutoModelForCausalLM.from_pretrained(host, dtype=torch.bfloat16)
    for (name, mine), (_, theirs) in zip(model.named_buffers(), plain.named_buffers(), strict=True):
        assert mine.dtype == theirs.dtype == torch.float32, name  # rotary frequencies, which `.to` would round
    with pytest.raises(InputError, match="number type 'int8'; expected one of float32, float16, bfloat16"):
        load_host(host, dtype="int8")


def test_groups_are_small_and_keep_together_what_is_asked_of_one_person() -> None:
    groups = plan_groups(cast(TINY), replace(PLAN, train_phrasings=5, echoes=300, menus=150))
    sizes = [len(group.prompts) for group in groups]
    assert max(sizes) <= GROUP_PROMPTS
    assert max(sizes) > GROUP_PROMPTS / 2 and len(sizes) < 3 * sum(sizes) / GROUP_PROMPTS
    homes: dict[tuple[str, float, str], set[int]] = {}
    for number, group in enumerate(groups):
        for prompt in group.prompts:
            if prompt.kind == "probe" and group.temperature == 0:
                homes.setdefault((prompt.person, group.temperature, prompt.person_split), set()).add(number)
    assert homes and {len(numbers) for numbers in homes.values()} == {1}
