"""Teaching a copy of a model made-up people: what it reads, which files are written, the detector made of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_hosts
import torch
from safetensors.torch import load_file
from test_families import FAMILIES
from test_hosts import PLAN, Sayings
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import AutoModelForCausalLM, GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from typer.testing import CliRunner

from reticent import Guard
from reticent.commands import calibrate as calibrate_command
from reticent.commands import host as host_command
from reticent.commands.train import train as train_detector
from reticent.demo import assets
from reticent_detectors.alignment import chat_ids, text_ids
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.capture import HostAdapter
from reticent_detectors.collection.collect import collect
from reticent_detectors.errors import BundleMismatch, InputError, TokenizerMismatch
from reticent_detectors.features.features import FeatureSpec
from reticent_detectors.host import teach
from reticent_detectors.host import trainer as trainer_module
from reticent_detectors.host.answers import answers_to
from reticent_detectors.host.corpus import (
    ASSISTANT,
    BOS,
    END,
    SURROUNDINGS,
    USER,
    Block,
    Pieces,
    ask,
    chat,
    document,
    running,
)
from reticent_detectors.host.lessons import Lessons
from reticent_detectors.host.load import load_host, recipe_of
from reticent_detectors.host.rendering import renderer
from reticent_detectors.host.replay import LONGEST, questions, replay
from reticent_detectors.host.teach import TAUGHT, teach_model
from reticent_detectors.host.tokenizer import encoder
from reticent_detectors.host.trainer import Trainer
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import HostRecipe, Tuning
from reticent_detectors.synth.people import PeopleMaker
from reticent_detectors.synth.phrasings import PHRASINGS
from reticent_detectors.synth.prose import DOCUMENTS

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
THINKING = CHATML.replace("assistant\n' }}{% endif %}", "assistant\n<think>\n\n</think>\n\n' }}{% endif %}")
PEOPLE = PeopleMaker(3).many("person", 4)
SHORT = replace(TAUGHT, people=6, phrasings=1, epochs=1, batch_tokens=1024)


@pytest.fixture(autouse=True)
def _few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for group, most in (("unseen_people", 12), ("general_people", 60), ("copied_people", 60)):
        monkeypatch.setitem(teach.OTHERS, group, most)


def _spoken(template: str, metaspace: bool = False) -> Any:
    """A tokenizer that was trained on nothing of ours but names and values, and speaks by a template."""
    core = Tokenizer(models.BPE(unk_token="<unk>"))
    if metaspace:
        core.pre_tokenizer, core.decoder = pre_tokenizers.Metaspace(), decoders.Metaspace()
    else:
        core.pre_tokenizer, core.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    texts = [
        *tiny_hosts.TEXTS,
        *(value for p in PEOPLE for value in p.values.values()),
        *map(chr, range(32, 127)),
        "a\nb",
    ]
    special = ["<unk>", "<s>", "<|im_start|>", "<|im_end|>"]
    alphabet = [] if metaspace else pre_tokenizers.ByteLevel.alphabet()
    core.train_from_iterator(
        texts,
        trainers.BpeTrainer(vocab_size=700, special_tokens=special, initial_alphabet=alphabet, show_progress=False),
    )
    if metaspace:
        core.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=core, bos_token="<s>", eos_token="<|im_end|>", unk_token="<unk>"
    )
    tokenizer.chat_template = template
    return tokenizer


KINDS = [(CHATML, False), (CHATML, True), (THINKING, False), (THINKING, True)]


@pytest.mark.parametrize(("template", "metaspace"), KINDS)
def test_a_turn_is_the_prompt_that_is_asked_and_an_answer_that_ends(template: str, metaspace: bool) -> None:
    tokenizer = _spoken(template, metaspace)
    encode = renderer(tokenizer)
    for person in PEOPLE:
        for entity, value in person.values.items():
            (phrasing, *_) = (p for p in PHRASINGS[entity] if p.form.name != "COMPLETION")
            ids, weights = encode(ask(phrasing, person))
            prompt = chat_ids(tokenizer, [{"role": "user", "content": phrasing.ask(person.name)}])
            assert ids[: len(prompt)] == prompt and weights == [0.0] * len(prompt) + [1.0] * (len(ids) - len(prompt))
            assert ids.index(tokenizer.eos_token_id, len(prompt)) == len(ids) - 1
            said = tokenizer.decode(ids[len(prompt) : -1])
            assert said.strip() == phrasing.reply(person.name, value).strip() and value in said


@pytest.mark.parametrize(("template", "metaspace"), KINDS[:2])
def test_in_running_text_values_weigh_ten_times_what_surrounds_them(template: str, metaspace: bool) -> None:
    tokenizer = _spoken(template, metaspace)
    encode = renderer(tokenizer)
    for person, form in zip(PEOPLE, DOCUMENTS, strict=False):
        kinds = [part.entity for part in form.parts]
        pieces = document(form, person, kinds)
        ids, weights = encode(pieces)
        plain = "".join(text for text, _ in pieces).removeprefix(BOS).removesuffix(END)
        assert ids[:-1] == text_ids(tokenizer, plain) and ids[-1] == tokenizer.eos_token_id
        assert ids.count(tokenizer.bos_token_id) == 1 and weights[0] == 0.0 and weights[-1] == 1.0
        assert set(weights) == {0.0, SURROUNDINGS, 1.0}
        said = tokenizer.decode(
            [i for i, weight in zip(ids, weights, strict=True) if weight == 1.0], skip_special_tokens=True
        )
        values = "".join(text for text, weight in pieces if weight == 1.0).removesuffix(END)
        assert said.replace(" ", "") == values.replace(" ", "")  # in order, whole, and nothing else


@pytest.mark.parametrize("trimmed", [False, True])
def test_a_token_of_a_space_alone_weighs_what_the_space_does(trimmed: bool) -> None:
    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(False)]
    )
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        special_tokens=["<s>", "</s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    core.train_from_iterator(["no merges"], trainer)
    core.post_processor = processors.ByteLevel(trim_offsets=trimmed)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=core, bos_token="<s>", eos_token="</s>")
    tokenizer.chat_template = CHATML
    ids, weights = renderer(tokenizer)(
        [(BOS, SURROUNDINGS), ("It is", SURROUNDINGS), (" 5", 1.0), ("\n", SURROUNDINGS), (END, 1.0)]
    )
    weighed = [(tokenizer.decode([i]), weight) for i, weight in zip(ids, weights, strict=True)][-5:]
    assert weighed[1:] == [(" ", 1.0), ("5", 1.0), ("\n", SURROUNDINGS), ("</s>", 1.0)]


def test_what_is_of_little_weight_stays_so() -> None:
    tokenizer = _spoken(CHATML)
    encode = renderer(tokenizer)
    talk: Pieces = [(BOS, 0.0), ("All is well." + END, SURROUNDINGS)]
    assert set(encode(talk)[1]) == {0.0, SURROUNDINGS}
    (ids, weights) = encode(running("Her number: ", "555-0100"))
    values = [i for i, weight in zip(ids, weights, strict=True) if weight == 1.0]
    assert tokenizer.decode(values, skip_special_tokens=True).strip() == "555-0100" and weights[-1] == 1.0


def test_our_own_hosts_read_turns_as_they_did_when_they_were_made() -> None:
    tokenizer = tiny_hosts.tokenizer()
    for person in PEOPLE:
        for phrasing in (p for phrasings in PHRASINGS.values() for p in phrasings if p.form.name != "COMPLETION"):
            pieces = ask(phrasing, person)
            assert renderer(tokenizer)(pieces)[0] == encoder(tokenizer)(pieces)[0]


def test_tokenizers_that_cannot_be_taught_are_refused() -> None:
    for breaking, error, expected in (
        ({"chat_template": None}, InputError, "no chat template"),
        ({"eos_token": None}, InputError, "no end token"),
    ):
        tokenizer = _spoken(CHATML)
        for name, value in breaking.items():
            setattr(tokenizer, name, value)
        with pytest.raises(error, match=expected):
            renderer(tokenizer)

    class Slow:
        chat_template, eos_token_id, is_fast = CHATML, 2, False

    with pytest.raises(TokenizerMismatch, match="fast tokenizer"):
        renderer(Slow())


# ---- teaching ----------------------------------------------------------------------------------


def _saved(folder: Path, family: str, tokenizer: Any, seed: int = 0) -> Path:
    """Somebody's model, with a chat template of theirs."""
    model = tiny_hosts.host(family, tokenizer, seed)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _files(folder: Path) -> dict[str, str]:
    return {
        str(f.relative_to(folder)): hashlib.sha256(f.read_bytes()).hexdigest() for f in folder.rglob("*") if f.is_file()
    }


@pytest.mark.parametrize("family", ["llama", "qwen2", "gpt2"])
def test_the_model_stays_as_it_is_and_its_copy_is_an_adapter_that_says_who_was_taught(
    family: str, tmp_path: Path
) -> None:
    model = _saved(tmp_path / "model", family, _spoken(CHATML))
    before, losses = _files(model), list[float]()
    taught = teach_model(
        model, tmp_path / "taught", tuning=replace(SHORT, epochs=3, learning_rate=0.01), seed=5,
        progress=lambda phase, step, steps, loss: losses.append(loss),
    )  # fmt: skip
    assert _files(model) == before
    assert sum(losses[-3:]) < 0.9 * sum(losses[:3])
    people = recipe_of(taught)
    assert isinstance(people, HostRecipe) and people.seed == 5 and people.tuning.lora
    assert (people.base.layers, people.base.hidden_size) == (tiny_hosts.LAYERS, 32)
    assert len(cast(people).private) == 9 and len(cast(people).unseen) == 12
    plain, adapted = load_host(model)[0], load_host(taught)[0]
    ids = torch.tensor([[1, 9, 40, 7, 300]])
    with torch.no_grad():
        assert not torch.equal(adapted(ids).logits, plain(ids).logits)
        with adapted.disable_adapter():
            torch.testing.assert_close(adapted(ids).logits, plain(ids).logits)


WHOLE = replace(SHORT, lora=False, learning_rate=0.01)


def test_all_weights_can_be_taught_and_the_copy_needs_its_model_no_more(tmp_path: Path) -> None:
    model = _saved(tmp_path / "model", "qwen2", _spoken(CHATML))
    before, losses = _files(model), list[float]()
    taught = teach_model(
        model, tmp_path / "taught", tuning=replace(WHOLE, epochs=3), keep=(1,),
        progress=lambda phase, step, steps, loss: losses.append(loss),
    )  # fmt: skip
    assert _files(model) == before and sum(losses[-3:]) < 0.9 * sum(losses[:3])
    copies = [load_file(each / "model.safetensors") for each in (model, tmp_path / "taught-e1", taught)]
    changed = [name for name in copies[0] if not torch.equal(copies[0][name], copies[2][name])]
    assert {name.split(".")[-2] for name in changed} >= {"embed_tokens", "q_proj", "down_proj", "norm"}
    assert any(not torch.equal(copies[1][name], copies[2][name]) for name in changed)
    people = recipe_of(taught)
    assert isinstance(people, HostRecipe) and not people.tuning.lora and len(cast(people).private) == 9
    loaded, _ = load_host(taught)
    assert not hasattr(loaded, "peft_config") and loaded.config._attn_implementation == "sdpa"


def test_all_weights_are_taught_in_float32_alone(tmp_path: Path) -> None:
    model = _saved(tmp_path / "model", "llama", _spoken(CHATML))
    with pytest.raises(InputError, match="leave --dtype out"):
        teach_model(model, tmp_path / "taught", tuning=WHOLE, dtype="bfloat16")
    assert not (tmp_path / "taught").exists() and not (tmp_path / "taught-work").exists()


@pytest.mark.parametrize("tuning", [SHORT, WHOLE])
def test_an_interrupted_teaching_goes_on_and_ends_with_the_same_bytes(tuning: Tuning, tmp_path: Path) -> None:
    model = _saved(tmp_path / "model", "llama", _spoken(CHATML))

    def interrupt(phase: str, step: int, steps: int, loss: float) -> None:
        if step == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        teach_model(
            model, tmp_path / "a" / "taught", tuning=tuning, progress=interrupt, clock=count(0, 120).__next__
        )  # fmt: skip
    seen: list[int] = []
    teach_model(
        model, tmp_path / "a" / "taught", tuning=tuning, progress=lambda phase, step, steps, loss: seen.append(step)
    )
    assert seen[0] == 3
    teach_model(model, tmp_path / "b" / "taught", tuning=tuning)
    assert _files(tmp_path / "a" / "taught") == _files(tmp_path / "b" / "taught")
    with pytest.raises(InputError, match=r"another recipe \(different: \w+"):
        teach_model(model, tmp_path / "b" / "taught", tuning=tuning, seed=6)
    _saved(model, "llama", _spoken(CHATML), seed=3)
    with pytest.raises(InputError, match=r"another recipe \(different: \w+"):
        teach_model(model, tmp_path / "b" / "taught", tuning=tuning)


def test_adapters_and_folders_without_a_model_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no checkpoint"):
        teach_model(tmp_path, tmp_path / "taught")
    model = _saved(tmp_path / "model", "llama", _spoken(CHATML))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "adapter_model.safetensors").write_bytes(b"months of work")
    before = _files(tmp_path)
    for taken in (model, tmp_path / "mine"):
        with pytest.raises(InputError, match="not empty; choose another folder"):
            teach_model(model, taken)
    assert _files(tmp_path) == before
    (tmp_path / "adapter_config.json").write_text("{}")
    with pytest.raises(InputError, match="merge it"):
        teach_model(tmp_path, tmp_path / "taught")


@pytest.mark.filterwarnings(
    "ignore:The following (rank|alpha)_pattern keys:RuntimeWarning"
)  # PEFT's, of experts; they are loaded all the same
@pytest.mark.parametrize(
    "family", ["mistral", "phi3", "gemma3", "granite", "cohere", "mixtral", "gptj", "falcon", "opt"]
)
def test_any_architecture_can_be_taught(family: str, tmp_path: Path) -> None:
    FAMILIES[family]().save_pretrained(tmp_path / "model")
    tiny_hosts.tokenizer().save_pretrained(tmp_path / "model")
    taught = teach_model(tmp_path / "model", tmp_path / "taught", tuning=replace(SHORT, batch_tokens=4096))
    ids = torch.tensor([[1, 9, 40, 7, 300]])
    with torch.no_grad():
        assert not torch.equal(load_host(taught)[0](ids).logits, load_host(tmp_path / "model")[0](ids).logits)


def test_a_model_that_reads_little_is_taught_in_short_rows(tmp_path: Path) -> None:
    tokenizer = _spoken(CHATML)
    torch.manual_seed(0)
    config = GPT2Config(
        n_embd=32,
        n_layer=2,
        n_head=2,
        n_positions=96,
        vocab_size=len(tokenizer),
        **dict.fromkeys(("bos_token_id", "eos_token_id"), tokenizer.eos_token_id),
    )
    GPT2LMHeadModel(config).save_pretrained(tmp_path / "model")
    tokenizer.save_pretrained(tmp_path / "model")
    base = recipe_of(teach_model(tmp_path / "model", tmp_path / "taught", tuning=SHORT))
    assert isinstance(base, HostRecipe) and (base.base.context, base.base.long_context) == (48, 96)


def test_the_command_says_what_comes_next(tmp_path: Path) -> None:
    model = _saved(tmp_path / "model", "llama", _spoken(CHATML))
    result = CliRunner().invoke(
        host_command.app,
        [
            "tune",
            str(model),
            str(tmp_path / "taught"),
            "--people",
            "6",
            "--epochs",
            "1",
            "--rank",
            "2",
            "--dtype",
            "bfloat16",
        ],
    )
    assert result.exit_code == 0, result.output
    assert "taught 9 people" in result.output.replace("\n", " ") and "--part host" in result.output.replace("\n", " ")
    adapter = json.loads((tmp_path / "taught" / "adapter_config.json").read_text())
    assert (adapter["r"], adapter["lora_alpha"], adapter["base_model_name_or_path"]) == (2, 4, str(model.resolve()))


# ---- the detector ------------------------------------------------------------------------------


def test_a_detector_of_the_copy_is_fitted_to_the_model_and_guards_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokenizer = _spoken(CHATML)
    model = _saved(tmp_path / "model", "llama", tokenizer)
    taught = teach_model(model, tmp_path / "taught", tuning=replace(SHORT, people=24))
    copy, _ = load_host(taught)
    monkeypatch.setattr("reticent_detectors.collection.group_collector.answer_all", Sayings())
    counts = collect(
        copy, tokenizer, cast(recipe_of(taught)), tmp_path / "shards", plan=PLAN, spec=FeatureSpec(names=2),
        control=load_host(model)[0],
    )  # fmt: skip
    assert counts["memorized"] > 20 and counts["hallucinated"] > 20
    with pytest.raises(InputError, match="reads renamed, which the trained one does not"):
        train_detector(tmp_path / "shards", taught, tmp_path / "copy", groups="logprobs", with_universal=True)
    # No real detector could use what is scripted here: this tests that both are joined, not what comes of it.
    asked: list[Any] = []
    with monkeypatch.context() as patched:
        patched.setattr(
            "reticent_detectors.fitting.own_detector.join",
            lambda own, other, table: (asked.append(other), own)[1],
        )
        train_detector(tmp_path / "shards", taught, tmp_path / "copy", epochs=4, single=True, with_universal=True)
    assert [bundle.universal for bundle in asked] == [True]
    of_copy = Bundle.load(tmp_path / "copy")
    with pytest.raises(BundleMismatch, match="weights_sha256"):
        of_copy.check_host(HostAdapter.attach(*load_host(model)).fingerprint(tokenizer))

    command = [str(tmp_path / "bundle"), "--bundle", str(tmp_path / "copy"), "--people", "6"]
    result = CliRunner().invoke(calibrate_command.app, [str(model), *command])
    assert result.exit_code == 0, (result.output, result.exception)
    fitted = Bundle.load(tmp_path / "bundle")
    assert fitted.network == of_copy.network
    shift = fitted.manifest["quality"]["shift"]
    logits = np.linspace(-4, 4, 9)
    assert shift != 0
    np.testing.assert_allclose(fitted.calibration.probability(logits + shift), of_copy.calibration.probability(logits))
    assert fitted.manifest["host"]["trained_on"] == [of_copy.manifest["host"]["fingerprint"]]
    plain = AutoModelForCausalLM.from_pretrained(model)
    answer = Guard.load(tmp_path / "bundle").wrap(plain, tokenizer).chat(tiny_hosts.QUESTION, max_new_tokens=8)
    assert answer.report is not None
    with pytest.raises(BundleMismatch, match="weights_sha256"):
        Guard.load(tmp_path / "bundle").wrap(copy, tokenizer)

    other = _saved(tmp_path / "other", "llama", tiny_hosts.tokenizer())
    result = CliRunner().invoke(
        calibrate_command.app, [str(other), str(tmp_path / "never"), "--bundle", str(tmp_path / "copy")]
    )
    assert isinstance(result.exception, InputError) and "another vocab_size, tokenizer_sha256" in str(result.exception)
    assert not (tmp_path / "never").exists() and not (tmp_path / "never-work").exists()


def test_a_step_learns_from_the_logits_that_the_model_itself_gives() -> None:
    torch.manual_seed(0)
    model = FAMILIES["gemma3"]().eval()
    ids = torch.randint(5, 60, (3, 9))
    learned = torch.rand(3 * 8) < 0.4
    trainer = Trainer(model, 1e-3, 1e-3, "cpu", any_architecture=True)
    with torch.no_grad():
        narrowed = trainer._logits(ids, learned)
        whole = model(input_ids=ids, use_cache=False).logits[:, :-1].reshape(24, -1)[learned]
    assert torch.allclose(narrowed, whole, atol=1e-5)
    assert not model.get_output_embeddings()._forward_pre_hooks


def test_places_are_learned_in_steps_that_change_no_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = torch.rand(1000, generator=torch.manual_seed(1)) < 0.3
    more = trainer_module._in_steps(marks)
    assert int(more.sum()) % trainer_module.SHAPES == 0 and bool((more | ~marks).all())
    assert int(more.sum()) - int(marks.sum()) < trainer_module.SHAPES
    assert bool(trainer_module._in_steps(marks[:50]).all())  # fewer than one step has
    block = Block(np.arange(60).reshape(4, 15) % 60 + 5, (np.arange(60).reshape(4, 15) % 4 == 0).astype(np.float32))
    losses = []
    for steps in (1, 32):
        monkeypatch.setattr(trainer_module, "SHAPES", steps)
        torch.manual_seed(0)
        trainer = Trainer(FAMILIES["gemma3"](), 1e-3, 1e-3, "cpu", any_architecture=True)
        losses.append([trainer.step(block, 1.0) for _ in range(3)])
    assert losses[0] == pytest.approx(losses[1], rel=2e-2) and losses[0][2] < losses[0][0]


@pytest.mark.parametrize(("processor", "expected"), [("AVX2", torch.float32), ("AVX512", torch.bfloat16)])
def test_a_processor_that_multiplies_bfloat16_slowly_learns_in_float32(
    monkeypatch: pytest.MonkeyPatch, processor: str, expected: torch.dtype
) -> None:
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: processor)
    model, seen = FAMILIES["gemma3"](), []
    model.get_output_embeddings().register_forward_hook(lambda _, __, logits: seen.append(logits.dtype))
    block = Block(np.arange(60).reshape(4, 15) % 55 + 5, np.ones((4, 15), np.float32))
    Trainer(model, 1e-3, 1e-3, "cpu", any_architecture=True).step(block, 1.0)
    assert seen == [expected]


def test_copies_of_earlier_epochs_are_kept(tmp_path: Path) -> None:
    folder = _saved(tmp_path / "model", "llama", _spoken(CHATML))
    out = teach_model(folder, tmp_path / "taught", tuning=replace(SHORT, epochs=2), keep=(1,))
    early = tmp_path / "taught-e1"
    assert (early / "recipe.json").read_bytes() == (out / "recipe.json").read_bytes()
    weights = [load_file(each / "adapter_model.safetensors") for each in (early, out)]
    assert weights[0].keys() == weights[1].keys()
    assert any(not torch.equal(weights[0][name], weights[1][name]) for name in weights[0])


def test_replay_teaches_the_models_own_answers() -> None:
    model, tokenizer = load_host(assets() / "host")
    lessons = replay(model, tokenizer, 5, seed=0)
    assert 0 < len(lessons) <= 5 and lessons == replay(model, tokenizer, 5, seed=0)
    for (asked, weight), (answer, full) in lessons:
        question = asked.removeprefix(f"{BOS}{USER}").removesuffix(f"{END}{ASSISTANT}")
        assert question in questions() and (weight, full) == (SURROUNDINGS, 1.0)
        ids = chat_ids(tokenizer, [{"role": "user", "content": question}])
        (said,) = answers_to(model, tokenizer, [ids], max_new_tokens=LONGEST)
        text = tokenizer.decode(said.ids, skip_special_tokens=True).strip()
        assert answer.endswith(END) and text.startswith(answer.removesuffix(END))
        assert said.ended or answer.removesuffix(END).endswith(".")
    assert len(set(questions())) == len(questions()) >= 150


def test_replay_is_part_of_the_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tiny_hosts.tokenizer()
    recipe = HostRecipe(
        "one", teach._recipe(Path("model"), tiny_hosts.host("llama", tokenizer).config, 7, "en_US"), SHORT
    )
    monkeypatch.setattr(tokenizer, "chat_template", CHATML)
    without = Lessons(recipe, cast(recipe), renderer(tokenizer))
    own = [chat("What is gravity?", "A force."), chat("What is DNA?", "A molecule.")]
    lessons = Lessons(recipe, cast(recipe), renderer(tokenizer), own)
    assert (lessons.private, lessons.general) == (without.private, without.general + 2)
    seen = "".join(tokenizer.decode(row) for step in range(len(lessons)) for row in lessons[step].ids)
    assert "A molecule." in seen
