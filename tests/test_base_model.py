"""The model before private tuning, read beside the tuned one: same numbers, same memory, and nobody sees a change."""

from __future__ import annotations

import gc
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import peft
import pytest
import tiny_hosts
import torch
from test_families import FAMILIES, tiny
from torch.overrides import TorchFunctionMode

from reticent import Guard
from reticent_detectors.alignment import template_opening
from reticent_detectors.capture import HostAdapter, Taps
from reticent_detectors.capture.base_model import BaseKind, BaseModel
from reticent_detectors.capture.shared_tree import adapter_layers, shared_tree
from reticent_detectors.errors import InputError, TokenizerMismatch, UnsupportedHost, WrongType
from reticent_detectors.host import memory
from reticent_detectors.host.base_sources import base_of
from reticent_detectors.host.tokenizer import train_tokenizer

# PEFT asks transformers for a name that is on its way out.
pytestmark = pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")

TOKENIZER = tiny_hosts.tokenizer()
BEFORE, VALUE = [1, 44, 7, 19, 80, 3, 62, 28, 51, 9, 17, 33], [80, 3, 5, 91]


def expected(model: Any, before: Sequence[int], value: Sequence[int]) -> torch.Tensor:
    """By the definition: one pass, log-softmax, the value's tokens."""
    ids = torch.tensor([[*before, *value]])
    with torch.no_grad():
        logits = model(input_ids=ids, use_cache=False).logits[0].float().log_softmax(-1)
    rows: torch.Tensor = logits[len(before) - 1 : -1].gather(1, ids[0, len(before) :, None])[:, 0]
    return rows


def of(model: Any, given: Any = None) -> BaseModel:
    found = base_of(given, model, HostAdapter.attach(model, TOKENIZER), TOKENIZER)
    assert found is not None
    return found


def saved(folder: Path, model: Any, tokenizer: Any = TOKENIZER) -> Path:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


# ---- nobody sees a change ----------------------------------------------------------------------


class Between(TorchFunctionMode):
    """Lets another thread run something at every so many linear maps of this one."""

    def __init__(self, run: Any, every: int) -> None:
        super().__init__()
        self._run, self._every, self._linears = run, every, 0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self._linears += func is torch.nn.functional.linear
        if func is torch.nn.functional.linear and self._linears % self._every == 0:
            other = threading.Thread(target=self._run)
            other.start()
            other.join(60)
        return func(*args, **(kwargs or {}))


def test_a_direct_call_beside_a_guarded_one_gets_its_own_output(tmp_path: Path) -> None:
    """Also while the guard asks what the model without its adapter would say."""
    model = tiny("lora")
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", model)).wrap(model, TOKENIZER)
    given, got = torch.tensor([BEFORE]), list[torch.Tensor]()

    def direct() -> None:
        with torch.no_grad():
            got.append(model(input_ids=given).logits)

    direct()
    question = [{"role": "user", "content": "What is the email of Jane Roe at example.org?"}]
    says = tiny_hosts.Script(TOKENIZER, "It is jane.roe@example.org.", guard.chat_ids(question).shape[1])
    with Between(direct, 7):
        answer = guard.chat(question, policy=tiny_hosts.STOP_ALL, logits_processor=[says], max_new_tokens=60)
    assert answer.report.spans and len(got) > 20
    assert all(torch.equal(each, got[0]) for each in got)


def test_hooks_of_the_model_do_not_run_in_its_base_and_flags_stay() -> None:
    model = tiny("lora")
    first, second = Taps(HostAdapter.attach(model, TOKENIZER)), Taps(HostAdapter.attach(model, TOKENIZER))
    calls: list[int] = []
    handle = model.base_model.model.model.layers[1].register_forward_hook(lambda *a: calls.append(1))
    learns = [parameter.requires_grad for parameter in model.parameters()]
    base = of(model)  # with hooks on the model, and a compiled call of the guard's
    seen = len(calls)
    with first.recording() as ring:
        before = ring.step
        base.open().log_probabilities([(BEFORE, VALUE)])
        assert ring.step == before
    assert len(calls) == seen
    assert [parameter.requires_grad for parameter in model.parameters()] == learns
    assert not any(layer.disable_adapters for layer in adapter_layers(model))
    handle.remove()
    first.remove()
    second.remove()


def test_a_tree_shares_every_tensor_and_has_modes_of_its_own() -> None:
    model = tiny("lora").train()
    own = model.base_model.model
    tree = shared_tree(own)
    assert [t.data_ptr() for t in tree.parameters()] == [t.data_ptr() for t in own.parameters()]
    assert [t.data_ptr() for t in tree.buffers()] == [t.data_ptr() for t in own.buffers()]
    assert model.training and not tree.training and not set(tree.modules()) & set(own.modules())
    for mine, theirs in zip(tree.modules(), own.modules(), strict=True):
        for name in vars(mine).keys() & {"_parameters", "_buffers", "_modules"}:
            assert getattr(mine, name) is not getattr(theirs, name)  # or what one puts there would be the other's


# ---- the model without its adapter -------------------------------------------------------------

LAYERS = {"target_modules": ["q_proj", "v_proj", "down_proj"], "task_type": "CAUSAL_LM"}
ADAPTERS: dict[str, Any] = {
    "lora": lambda: peft.LoraConfig(r=2, init_lora_weights=False, **LAYERS),
    "dora": lambda: peft.LoraConfig(r=2, init_lora_weights=False, use_dora=True, **LAYERS),
    "embeddings and head": lambda: peft.LoraConfig(
        r=2, init_lora_weights=False, target_modules=["embed_tokens", "lm_head", "up_proj"]
    ),
    "whole modules": lambda: peft.LoraConfig(r=2, init_lora_weights=False, modules_to_save=["lm_head"], **LAYERS),
    "tokens": lambda: peft.LoraConfig(r=2, init_lora_weights=False, trainable_token_indices=[3, 80], **LAYERS),
    "loha": lambda: peft.LoHaConfig(r=2, init_weights=False, **LAYERS),
    "ia3": lambda: peft.IA3Config(
        target_modules=["q_proj", "down_proj"], feedforward_modules=["down_proj"], init_ia3_weights=False
    ),
}


def adapted(name: str, dtype: torch.dtype = torch.float32) -> Any:
    model = peft.get_peft_model(tiny("llama").to(dtype), ADAPTERS[name]())
    torch.manual_seed(3)
    with torch.no_grad():  # copies of whole modules begin as what they were copied from
        for parameter in model.parameters():
            if parameter.requires_grad:
                parameter += 0.3 * torch.randn_like(parameter)
    return model.eval()


@pytest.mark.parametrize("name", ADAPTERS)
def test_the_base_is_the_model_with_its_adapter_switched_off(name: str) -> None:
    model = adapted(name)
    base = of(model)
    assert base.kind is BaseKind.ADAPTER and not adapter_layers(base._model)
    own = {tensor.data_ptr() for tensor in model.state_dict().values()}
    assert {tensor.data_ptr() for tensor in base._model.state_dict().values()} <= own
    (got,) = base.open().log_probabilities([(BEFORE, VALUE)])
    with model.disable_adapter():
        wanted = expected(model, BEFORE, VALUE)
    assert torch.allclose(got, wanted, atol=1e-5)
    assert float((got - expected(model, BEFORE, VALUE)).abs().max()) > 0.05


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision(dtype: torch.dtype) -> None:
    model = adapted("lora", dtype)
    (got,) = of(model).open().log_probabilities([(BEFORE, VALUE)])
    with model.disable_adapter():
        assert torch.allclose(got, expected(model, BEFORE, VALUE), atol=0.05)


def test_what_cannot_be_left_out_is_refused_by_name_and_warned_of_by_default(caplog: Any) -> None:
    biased = adapted("lora")
    biased.peft_config["default"].bias = "all"
    merged = adapted("lora")
    merged.merge_adapter()
    for model, why in ((biased, "biases"), (merged, "merged"), (tiny("llama"), "no adapter layers")):
        with pytest.raises(UnsupportedHost, match=why):
            of(model, "adapter")
        assert base_of(None, model, HostAdapter.attach(model, TOKENIZER), TOKENIZER) is None
        assert (why in caplog.text) == (why != "no adapter layers")


def test_an_adapter_that_is_merged_later_is_noticed() -> None:
    model = adapted("lora")
    reader = of(model).open()
    (before,) = reader.log_probabilities([(BEFORE, VALUE)])
    model.merge_adapter()
    with pytest.raises(UnsupportedHost, match="merged"):
        reader.log_probabilities([(BEFORE, VALUE)])
    model.unmerge_adapter()
    assert torch.allclose(reader.log_probabilities([(BEFORE, VALUE)])[0], before, atol=1e-4)


# ---- reading -----------------------------------------------------------------------------------


class Passes:
    """How many tokens each pass of a base reads, by row and column."""

    def __init__(self, base: BaseModel) -> None:
        self.shapes: list[tuple[int, int]] = []
        base._model.register_forward_pre_hook(
            lambda module, args, kwargs: self.shapes.append(tuple(kwargs["input_ids"].shape)), with_kwargs=True
        )


@pytest.mark.parametrize("family", FAMILIES)
def test_read_in_a_batch_and_behind_a_cache_as_alone(family: str) -> None:
    model = tiny(family)
    base = of(model, "self")
    own = HostAdapter.attach(model, TOKENIZER).model
    longer = [*BEFORE, *VALUE, 12, 60, 7]
    reads = [(BEFORE, VALUE), (BEFORE[:3], VALUE[:1]), ([5, *longer], VALUE[::-1])]
    later = [(longer, VALUE[1:]), ([*longer, *VALUE[1:], 8], [61, 2]), ([*longer[:-3], 90], VALUE)]
    reader, passes = base.open(), Passes(base)
    for got, read in zip(reader.log_probabilities(reads), reads, strict=True):
        assert torch.allclose(got, expected(own, *read), atol=1e-4)
    assert passes.shapes == [(3, 24)]
    for read in later:
        assert torch.allclose(reader.log_probabilities([read])[0], expected(own, *read), atol=1e-4)
    assert base.keeps and [columns for _, columns in passes.shapes[1:]] == [6, 3, 5]


def test_what_a_call_has_read_is_kept_within_bounds_and_let_go_with_it() -> None:
    model = tiny("llama")
    base = BaseModel(shared_tree(model), BaseKind.SELF, cache_tokens=60)
    one, other = base.open(), base.open()
    long = BEFORE * 2
    one.log_probabilities([(long, VALUE)])
    other.log_probabilities([(long, VALUE)])
    assert base.kept_tokens == 56
    passes = Passes(base)
    one.log_probabilities([([*long, *VALUE, 3], [7])])  # 30 and 28 are within 60
    assert base.kept_tokens == 58 and passes.shapes == [(1, 2)]
    other.log_probabilities([([*long, *VALUE, 3], VALUE)])  # 33 and 30 are not: the one used longest ago gives way
    assert base.kept_tokens == 33
    one.log_probabilities([(BEFORE * 5, VALUE)])  # more than fits: read, and nobody's gives way for it
    assert base.kept_tokens == 33
    one.log_probabilities([([*long, *VALUE, 3], [7])])
    assert passes.shapes[1:] == [(1, 5), (1, 64), (1, 30)]
    del one, other
    gc.collect()
    assert base.kept_tokens == 0


def test_what_prompts_begin_with_is_read_once() -> None:
    base = of(tiny("llama"), "self")
    passes, opening = Passes(base), BEFORE[:7]
    base.opens_with(opening)
    alone = [(BEFORE, VALUE), ([*opening, 5, 6], [8, 9])]
    wanted = [expected(tiny("llama"), *read) for read in alone]
    for number in range(2):
        reader = base.open()
        for read, own in zip(alone, wanted, strict=True):
            assert torch.allclose(reader.log_probabilities([read])[0], own, atol=1e-4), number
    assert [columns for _, columns in passes.shapes] == [16, 4, 9, 4]
    together = base.open().log_probabilities(alone)
    assert passes.shapes[-1] == (2, 9)
    assert all(torch.allclose(got, own, atol=1e-4) for got, own in zip(together, wanted, strict=True))
    base.open().log_probabilities([([*opening[:4], 9, 9, 9, 9], [8, 9])])
    assert passes.shapes[-1] == (1, 10), "it begins otherwise"


def test_an_opening_that_other_weights_read_is_read_again() -> None:
    model, other = (tiny_hosts.host("llama", TOKENIZER, seed=seed) for seed in (3, 4))
    base = of(model, "self")
    base.opens_with(BEFORE[:7])
    base.open().log_probabilities([(BEFORE, VALUE)])
    for change in (lambda: model.load_state_dict(other.state_dict()), lambda: base._model.double()):
        change()
        passes = Passes(base)
        (first,), (second,) = (base.open().log_probabilities([(BEFORE, VALUE)]) for _ in range(2))
        assert [columns for _, columns in passes.shapes] == [16, 9]
        assert torch.allclose(first, expected(other, BEFORE, VALUE), atol=1e-4) and torch.allclose(first, second)


def test_no_words_of_a_call_outlive_it() -> None:
    base = of(tiny("llama"), "self")
    passes = Passes(base)
    for _ in range(3):
        base.open().log_probabilities([(BEFORE, VALUE)])
    assert base.kept_tokens == 0 and [columns for _, columns in passes.shapes] == [16] * 3


def test_what_the_template_begins_with_is_known_from_the_start() -> None:
    base = of(tiny("llama"), "self")
    opening = template_opening(TOKENIZER)
    assert opening
    passes = Passes(base)
    for _ in range(2):
        base.open().log_probabilities([([*opening, *BEFORE], VALUE)])
    assert [columns for _, columns in passes.shapes] == [16 + len(opening), 16]


def test_another_prompt_that_begins_alike_does_not_cost_a_prompt_its_cache() -> None:
    base = of(tiny("llama"), "self")
    reader, passes = base.open(), Passes(base)
    reader.log_probabilities([(BEFORE, VALUE)])
    reader.log_probabilities([([*BEFORE[:3], *BEFORE[::-1]], VALUE)])
    reader.log_probabilities([([*BEFORE, *VALUE, 9], VALUE)])
    assert [columns for _, columns in passes.shapes] == [16, 19, 5]


def test_threads_read_at_once_as_alone() -> None:
    model = adapted("lora")
    base, given = of(model), torch.tensor([BEFORE])
    with torch.no_grad():
        direct = model(input_ids=given).logits
    texts = [([*BEFORE[shift:], *BEFORE[:shift]], VALUE) for shift in range(4)]
    with model.disable_adapter():
        wanted = [expected(model, *text) for text in texts]
    wrong: list[int] = []

    def work(at: int) -> None:
        for _ in range(8):
            reader = base.open()
            for read in (texts[at], ([*texts[at][0], *VALUE], VALUE[:1]), texts[at]):
                got = reader.log_probabilities([read])[0]
            with torch.no_grad():
                same = torch.equal(model(input_ids=given).logits, direct)
            if not (same and torch.allclose(got, wanted[at], atol=1e-4)):
                wrong.append(at)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not wrong and not any(thread.is_alive() for thread in threads)


def test_what_cannot_be_read_is_refused() -> None:
    model = tiny("llama")
    reader = of(model, "self").open()
    for read in (([], VALUE), (BEFORE, [])):
        with pytest.raises(InputError, match="got none of one of them"):
            reader.log_probabilities([read])
    with pytest.raises(InputError, match="the base reads 512"):
        reader.log_probabilities([(BEFORE * 50, VALUE)])
    assert "44" not in repr(reader) + repr(reader.base)


# ---- a checkpoint ------------------------------------------------------------------------------


def test_a_checkpoint_is_read_with_the_models_ids(tmp_path: Path) -> None:
    before = tiny_hosts.host("llama", TOKENIZER, seed=1)
    base = of(tiny("llama"), saved(tmp_path / "before", before))
    assert base.kind is BaseKind.CHECKPOINT and not base.is_host
    (got,) = base.open().log_probabilities([(BEFORE, VALUE)])
    assert torch.allclose(got, expected(before, BEFORE, VALUE), atol=1e-5)


def test_the_model_itself_is_no_base_unless_that_is_said(tmp_path: Path) -> None:
    model = tiny("llama")
    folder = saved(tmp_path / "same", model)
    with pytest.raises(InputError, match="base='self'"):
        of(model, folder)
    loaded = type(model).from_pretrained(folder).eval()
    with pytest.raises(InputError, match="base='self'"):
        of(loaded, str(folder))
    (got,) = of(model, "self").open().log_probabilities([(BEFORE, VALUE)])
    assert torch.allclose(got, expected(model, BEFORE, VALUE), atol=1e-5)


def test_no_base_is_asked_where_none_is_wanted(tmp_path: Path) -> None:
    model = tiny("lora")
    assert base_of("none", model, HostAdapter.attach(model, TOKENIZER), TOKENIZER) is None
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", model))
    assert guard.wrap(model, TOKENIZER, base="none").base is None


def test_another_tokenizer_is_an_error_before_the_weights_are_read(tmp_path: Path, monkeypatch: Any) -> None:
    model = tiny("llama")
    folder = saved(tmp_path / "other", tiny_hosts.host("llama", TOKENIZER, seed=1))
    monkeypatch.setattr("reticent_detectors.host.base_sources.load_host", None)
    other = train_tokenizer(["entirely other texts about the weather and the sea"] * 9, 400, 512)
    other.save_pretrained(folder)
    with pytest.raises(TokenizerMismatch, match="other tokens than the model's for"):
        of(model, folder)


def test_a_checkpoint_without_a_tokenizer(tmp_path: Path) -> None:
    tiny_hosts.host("llama", TOKENIZER, seed=1).save_pretrained(tmp_path)
    with pytest.raises(InputError, match="tokenizer"):
        of(tiny("llama"), tmp_path)


def test_another_way_to_split_a_text_is_an_error_too(tmp_path: Path) -> None:
    folder = saved(tmp_path / "other", tiny_hosts.host("llama", TOKENIZER, seed=1))
    file = folder / "tokenizer.json"
    content = json.loads(file.read_text())
    content["model"]["merges"] = content["model"]["merges"][::-1]
    file.write_text(json.dumps(content))
    with pytest.raises(TokenizerMismatch, match="splits texts by other rules"):
        of(tiny("llama"), folder)


def test_ids_that_the_base_does_not_know_are_refused_when_they_come(tmp_path: Path) -> None:
    """A model whose tokenizer got marks of its own afterwards."""
    grown = train_tokenizer(tiny_hosts.TEXTS, 400, 512)
    grown.add_tokens(["<|new|>"])
    model = tiny_hosts.host("llama", grown)
    folder = saved(tmp_path / "before", tiny_hosts.host("llama", TOKENIZER, seed=1))
    base = base_of(folder, model, HostAdapter.attach(model, grown), grown)
    assert base is not None
    reader = base.open()
    reader.log_probabilities([(BEFORE, VALUE)])
    for read in (([*BEFORE, len(grown) - 1], VALUE), (BEFORE, [len(grown) - 1])):
        with pytest.raises(TokenizerMismatch, match="does not know 1 of the ids"):
            reader.log_probabilities([read])


def test_too_little_memory_is_reported_before_anything_is_loaded(tmp_path: Path, monkeypatch: Any) -> None:
    before = tiny_hosts.host("llama", TOKENIZER, seed=1)
    folder = saved(tmp_path / "before", before)
    size = 4 * sum(tensor.numel() for tensor in before.parameters())
    assert memory.weight_bytes(folder, "float32") == size == 2 * memory.weight_bytes(folder, "bfloat16")
    monkeypatch.setattr("reticent_detectors.host.base_sources.load_host", None)
    monkeypatch.setattr(memory, "free_bytes", lambda device: size - 1)
    with pytest.raises(InputError, match="GiB free"):
        of(tiny("llama"), folder)


@pytest.mark.parametrize(("given", "error"), [("selff", InputError), (7, WrongType), (["adapter"], WrongType)])
def test_what_is_no_base(given: Any, error: type[Exception], tmp_path: Path) -> None:
    with pytest.raises(error, match=r"base must be 'adapter', 'self', 'none' or the folder"):
        of(tiny("llama"), given)
