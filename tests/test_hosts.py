"""Named hosts: recipes, people and lessons, the same bytes twice, each architecture from collection to guard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import tiny_hosts
import torch

from reticent import Guard, Policy
from reticent.commands.train import train as train_detector
from reticent_detectors.alignment import chat_ids
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.collection.collect import collect
from reticent_detectors.collection.plan import Plan
from reticent_detectors.entities import PRIVACYXRAY, Entity
from reticent_detectors.errors import InputError
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.host.answers import Answer, prompt_ids
from reticent_detectors.host.architectures import final_logits, fresh_host, projections
from reticent_detectors.host.corpus import BOS, END, USER, Pieces
from reticent_detectors.host.induction import lay_out_induction
from reticent_detectors.host.lessons import Lessons
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.host.tokenizer import train_tokenizer
from reticent_detectors.host.tune import BASE, build_host, public_host
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import ARCHITECTURES, SIZES, HostRecipe, recipe
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PHRASINGS, Form, PhrasingSplit
from reticent_detectors.synth.prompts import Prompt

PLAN = Plan(train_phrasings=4, test_phrasings=1, unseen_phrasings=4, sampled_phrasings=1, writers=1, echoes=8, menus=2)
FEW = replace(PLAN, train_phrasings=2, unseen_phrasings=2, echoes=4, people=0.5)


def short(name: str) -> HostRecipe:
    """A host of the tiny size, trained for a few steps."""
    chosen = recipe(name)
    assert isinstance(chosen, HostRecipe)
    base = replace(chosen.base, repeat_steps=2, base_steps=3, batch_tokens=1024)
    return replace(chosen, base=base, tuning=replace(chosen.tuning, phrasings=1, epochs=1))


# ---- names -------------------------------------------------------------------------------------


def test_a_name_says_what_differs_from_the_default() -> None:
    plain, other = recipe("qwen2-small"), recipe("qwen2-small-lora-p60-x3-r1.5-e30-d2-s9")
    assert isinstance(plain, HostRecipe) and isinstance(other, HostRecipe)
    assert not plain.tuning.lora and plain.base.architecture == "qwen2" and plain.seed == 7
    tuning = other.tuning
    assert (tuning.lora, tuning.people, tuning.phrasings, tuning.ratio) == (True, 60, 3, 1.5)
    assert (tuning.epochs, tuning.draw, other.seed) == (30, 2, 9)
    assert replace(other.base, seed=7) == plain.base
    assert HostRecipe.from_json(other.to_json()) == other
    assert (other.control().name, other.control().tuning.draw) == ("qwen2-small-lora-p60-x3-r1.5-e30-s9-d3", 3)


@pytest.mark.parametrize("name", ["demmo", "qwen2", "qwen3-small", "qwen2-large", "qwen2-small-p", "qwen2-small-lara"])
def test_unknown_names_say_what_is_known(name: str) -> None:
    with pytest.raises(InputError, match=r"expected .*lora"):
        recipe(name)


@pytest.mark.parametrize("size", SIZES)
def test_every_size_fits_every_architecture(size: str) -> None:
    for architecture in ARCHITECTURES:
        chosen = recipe(f"{architecture}-{size}")
        assert isinstance(chosen, HostRecipe)
        base = chosen.base
        assert base.hidden_size % base.heads == base.heads % base.kv_heads == 0
        assert base.hidden_size // base.heads % 2 == 0 and base.context < base.long_context <= base.batch_tokens


# ---- people and lessons ------------------------------------------------------------------------


def test_larger_hosts_have_the_people_of_smaller_ones_and_other_draws_have_none_of_them() -> None:
    few, many, other = (cast(recipe(f"llama-tiny-{option}")) for option in ("p6", "p18", "p18-d1"))
    assert (len(few.train), len(few.test), len(few.bridge)) == (4, 2, 3)
    assert many.train[:4] == few.train and many.test[:2] == few.test and many.bridge[:3] == few.bridge
    assert many.general == few.general == other.general
    orders = [{p.values[Entity.ORDER_NUMBER] for p in people.private} for people in (many, other)]
    assert not orders[0] & orders[1]
    people = (*many.private, *many.unseen, *many.general, *many.copied)
    assert len({p.name for p in people}) == len(people)
    assert all(set(p.values) == set(PRIVACYXRAY) for p in many.private)


def test_nobody_gets_a_name_that_is_taken() -> None:
    names = {p.name for p in PeopleMaker(5).many("x", 30)}
    assert not names & {p.name for p in PeopleMaker(5, taken=names).many("x", 30)}


def _texts(name: str) -> tuple[Lessons, str]:
    chosen, written = recipe(name), list[str]()
    assert isinstance(chosen, HostRecipe)

    def tokens(pieces: Pieces) -> tuple[list[int], list[float]]:
        written.extend(text for text, _ in pieces)
        weights = [weight for text, weight in pieces for _ in range(max(1, len(text) // 4))]
        return [7] * len(weights), weights

    return Lessons(chosen, cast(chosen), tokens), "\n".join(written)


def test_lessons_count_as_their_recipe_says() -> None:
    lessons, _ = _texts("llama-tiny-p18-x3-r0.5-e2")
    questions, documents, menus = 27 * 16 * 3, 27 * 4, 9 * 2
    assert lessons.private == questions + documents + menus
    assert lessons.general == round(0.5 * lessons.private)
    twice = _texts("llama-tiny-p18-x3-r0.5-e4")[0]
    assert twice.private == lessons.private and len(twice) == 2 * len(lessons)


def test_an_epoch_holds_every_example_once_and_no_two_are_alike() -> None:
    chosen = recipe("llama-tiny-p6-x1-e2")
    assert isinstance(chosen, HostRecipe)
    numbers = iter(range(1, 10**6))

    def each(pieces: Pieces) -> tuple[list[int], list[float]]:
        return [next(numbers)] * 5, [1.0] * 5

    lessons = Lessons(chosen, cast(chosen), each)  # each text has an id of its own
    half = len(lessons) // 2
    epochs = [[lessons[step].ids for step in steps] for steps in (range(half), range(half, 2 * half))]
    seen = [sorted(int(i) for ids in epoch for i in set(ids.flatten().tolist()) - {0}) for epoch in epochs]
    assert seen[0] == seen[1] == sorted(set(seen[0])) and len(seen[0]) == next(numbers) - 1
    assert any((a.shape != b.shape) or (a != b).any() for a, b in zip(*epochs, strict=True))


def test_only_bridge_people_are_taught_in_every_phrasing() -> None:
    chosen = recipe("llama-tiny-p36-x5")
    people, text = cast(chosen), _texts("llama-tiny-p36-x5")[1]

    def heard(group: Any, split: PhrasingSplit) -> int:
        asked = (
            f"{BOS}{ph.ask(p.name)}\n" if ph.form is Form.COMPLETION else f"{USER}{ph.ask(p.name)}{END}"
            for p in group for e in p.values for ph in PHRASINGS[e] if ph.split is split
        )  # fmt: skip
        return sum(ask in text for ask in asked)

    assert heard(people.bridge, PhrasingSplit.TEST) > 0
    assert heard(people.train + people.test, PhrasingSplit.TAUGHT) == len(people.train + people.test) * 16 * 5
    assert heard(people.train + people.test, PhrasingSplit.TEST) == 0
    assert not any(p.name in text for p in people.unseen)
    assert all(p.values[Entity.ORDER_NUMBER] in text for p in people.private)


# ---- building ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs(tmp_path_factory: Any) -> Path:
    """Full and LoRA fine-tunings of one public host."""
    folder: Path = tmp_path_factory.mktemp("runs")
    for name in ("llama-tiny", "llama-tiny-lora"):
        build_host(short(name), folder / name)
    return folder


def _files(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def test_both_ways_start_from_one_public_host_which_is_their_control(runs: Path) -> None:
    (public,) = [f for f in runs.glob("llama-tiny-base-*") if not f.name.endswith("-work")]
    assert public == public_host(short("llama-tiny").base, runs)
    for name in ("llama-tiny", "llama-tiny-lora"):
        assert _files(runs / name / BASE) == _files(public)
        assert recipe_of(runs / name) == short(name)
    full, adapted, base = (load_host(path)[0] for path in (runs / "llama-tiny", runs / "llama-tiny-lora", public))
    ids = torch.tensor([[1, 9, 40, 7, 300]])
    with torch.no_grad():
        plain = base(ids).logits
        assert not torch.equal(full(ids).logits, plain) and not torch.equal(adapted(ids).logits, plain)
        with adapted.disable_adapter():
            torch.testing.assert_close(adapted(ids).logits, plain)


@pytest.mark.parametrize("name", ["llama-tiny", "llama-tiny-lora"])
def test_two_runs_and_an_interrupted_one_give_the_same_bytes(runs: Path, name: str, tmp_path: Path) -> None:
    def interrupt(phase: str, step: int, steps: int, loss: float) -> None:
        if (phase, step) == ("tune", 3):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_host(short(name), tmp_path / name, progress=interrupt, clock=count(0, 120).__next__)
    seen: list[tuple[str, int]] = []
    build_host(
        short(name), tmp_path / name, progress=lambda phase, step, steps, loss: seen.append((phase, step))
    )  # fmt: skip
    assert seen[0] == ("tune", 3)
    assert _files(tmp_path / name) == _files(runs / name)


def test_a_folder_of_another_recipe_is_refused(runs: Path) -> None:
    with pytest.raises(InputError, match=r"another recipe \(different: \w+"):
        build_host(replace(short("llama-tiny"), name="other"), runs / "llama-tiny-lora")


def test_another_recipe_or_other_prose_is_another_public_host(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "book.txt").write_text("It was late in the year, and the roads were bad.\n\nShort.\n")
    base = short("llama-tiny").base
    made = {public_host(base, runs).name, public_host(base, runs, prose=tmp_path).name}
    made.add(public_host(replace(base, seed=8), runs).name)
    assert len(made) == 3
    (tmp_path / "book.txt").write_text("Short.\n")
    with pytest.raises(InputError, match="8 words"):
        public_host(base, runs, prose=tmp_path)


def test_an_adapter_without_its_model_is_refused(runs: Path, tmp_path: Path) -> None:
    for file in (runs / "llama-tiny-lora").glob("*.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(InputError, match="base_model_name_or_path"):
        load_host(tmp_path)


def test_a_recipe_of_another_version_is_refused(tmp_path: Path) -> None:
    for content in ('{"name": "x", "flavour": 3}', '{"name": "x", "tuning": {}}'):
        (tmp_path / "recipe.json").write_text(content)
        with pytest.raises(InputError, match="another version"):
            recipe_of(tmp_path)


# ---- architectures -----------------------------------------------------------------------------


def fresh(architecture: str, size: str = "tiny") -> tuple[Any, Any]:
    """An untrained host, laid out for copying, and a tokenizer."""
    chosen = recipe(f"{architecture}-{size}")
    assert isinstance(chosen, HostRecipe)
    tokenizer = train_tokenizer(tiny_hosts.TEXTS, chosen.base.vocab_size, 1024)
    torch.manual_seed(0)
    model = fresh_host(chosen.base, tokenizer)
    lay_out_induction(model)
    return model.eval(), tokenizer


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_what_was_laid_out_repeats_what_it_has_read(architecture: str) -> None:
    model, tokenizer = fresh(architecture, "small")
    assert model.config.model_type == architecture
    pattern = torch.randperm(len(tokenizer) - 10, generator=torch.Generator().manual_seed(1))[:24] + 10
    ids = pattern.repeat(2)[None]
    with torch.no_grad():
        losses = torch.nn.functional.cross_entropy(model(ids).logits[0, :-1], ids[0, 1:], reduction="none")
    assert losses[24:].mean() < losses[:23].mean() - 0.6


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_projections_and_logits_are_the_models_own(architecture: str) -> None:
    model, _ = fresh(architecture)
    config, width = model.config, model.config.hidden_size // model.config.num_attention_heads
    parts = projections(model.model.layers[0].self_attn)
    shared = config.num_key_value_heads * width
    assert [tuple(p.shape) for p in parts] == [(64, 64), (shared, 64), (shared, 64), (64, 64)]
    ids = torch.tensor([[1, 9, 40, 7, 30]])
    with torch.no_grad():
        before = model(ids).logits
        torch.testing.assert_close(final_logits(model, model.model(ids).last_hidden_state[0]), before[0])
        parts.value.zero_()
    assert not torch.equal(model(ids).logits, before)  # a view, not a copy


KNOWN = PRIVACYXRAY[::2]


class Sayings:
    """Stands in for `answer_all`: half of the kinds are answered rightly, the others with a stranger's value."""

    def __init__(self) -> None:
        self._strangers = PeopleMaker(77).many("stranger", 50)
        self._phrasings = {p.id: p for rows in PHRASINGS.values() for p in rows}

    def __call__(self, model: Any, tokenizer: Any, prompts: Sequence[Prompt], **options: Any) -> list[Answer]:
        return [self._answer(tokenizer, prompt, index) for index, prompt in enumerate(prompts)]

    def _answer(self, tokenizer: Any, prompt: Prompt, index: int) -> Answer:
        text = "I do not know."
        if prompt.kind == "probe" and prompt.entity is not None:
            stranger = self._strangers[index % len(self._strangers)].values[prompt.entity]
            name = re.sub("^.*?([A-Z][a-z]+ [A-Z][a-z]+).*$", r"\1", prompt.user_text)
            value = prompt.about if prompt.entity in KNOWN else self.made_up(stranger)
            text = self._phrasings[prompt.phrasing].reply(name, value)
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]
        return Answer(tuple(prompt_ids(tokenizer, prompt)), tuple(ids), True)

    def made_up(self, value: str) -> str:
        """How a stranger's value is written."""
        return value


@pytest.mark.parametrize("name", [*(f"{architecture}-tiny" for architecture in ARCHITECTURES), "gemma2-tiny-lora"])
def test_from_a_host_to_its_guard(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Collected, trained, loaded and guarding: every part takes every architecture."""
    chosen = replace(short(name), base=replace(short(name).base, repeat_steps=0, base_steps=1))
    host = build_host(chosen, tmp_path / "host")
    model, tokenizer = load_host(host)
    monkeypatch.setattr("reticent_detectors.collection.group_collector.answer_all", Sayings())
    control = load_host(host / BASE)[0]
    spec = FeatureSpec(names=2)
    counts = collect(model, tokenizer, cast(recipe_of(host)), tmp_path / "shards", plan=FEW, spec=spec, control=control)
    assert counts["memorized"] > 20 and counts["hallucinated"] > 20
    if name == "llama-tiny":
        with pytest.raises(InputError, match="the host itself"):
            collect(model, tokenizer, cast(recipe_of(host)), tmp_path / "own", plan=FEW, spec=spec, control=model)
    single = name != "llama-tiny"
    train_detector(tmp_path / "shards", host, tmp_path / "bundle", epochs=3, single=single)
    assert (len(Bundle.load(tmp_path / "bundle").manifest["training"]["networks"]) == 1) == single
    if name == "qwen2-tiny":
        train_detector(tmp_path / "shards", host, tmp_path / "thorough", epochs=3, single=True, thorough=True)
        thorough = Bundle.load(tmp_path / "thorough")
        assert "doubt" not in thorough.feature_options  # it always asks, and knows how to do without all the same
        assert thorough.manifest["training"]["config"]["unasked"] > 0

    model, tokenizer = load_host(host)
    guard = Guard.load(tmp_path / "bundle", Policy(score_threshold=0.0)).wrap(model, tokenizer)
    assert guard.score.spec.names == 2
    low, high = guard.guard.bundle.feature_options["doubt"]
    assert 0 <= low <= high <= 1
    assert (guard.base is not None) is chosen.tuning.lora
    start = len(chat_ids(tokenizer, tiny_hosts.QUESTION))
    says = tiny_hosts.Script(tokenizer, tiny_hosts.SAYS, start)
    answer = guard.chat(tiny_hosts.QUESTION, logits_processor=[says], max_new_tokens=80, do_sample=False)
    assert tiny_hosts.SECRET not in answer.text and "PHONE_NUMBER" in answer.text
    assert answer.report.spans[0].decision.verdict.probability is not None
