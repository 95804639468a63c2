"""The adapter on tiny random hosts of many families, and everything that it has to refuse."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
import torch
import transformers as tf
from torch import nn

from reticent_detectors.bundle.host_match import compare_behaviour
from reticent_detectors.capture import HostAdapter
from reticent_detectors.errors import TokenizerMismatch, UnsupportedHost

torch.set_num_threads(1)

LLAMA_LIKE: dict[str, Any] = {
    "vocab_size": 96,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 64,
    "initializer_range": 0.3,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
GPT_LIKE: dict[str, Any] = {
    "vocab_size": 96,
    "n_embd": 32,
    "n_layer": 3,
    "n_head": 4,
    "n_positions": 64,
    "initializer_range": 0.3,
}
GPT_LIKE |= {"bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0}
GEMMA: dict[str, Any] = {"head_dim": 8, "sliding_window": 4, "query_pre_attn_scalar": 8}

FAMILIES: dict[str, Callable[[], Any]] = {
    "llama": lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**LLAMA_LIKE)),
    "llama-tied": lambda: tf.LlamaForCausalLM(tf.LlamaConfig(**LLAMA_LIKE, tie_word_embeddings=True)),
    "mistral": lambda: tf.MistralForCausalLM(tf.MistralConfig(**LLAMA_LIKE, sliding_window=4)),
    "qwen2": lambda: tf.Qwen2ForCausalLM(tf.Qwen2Config(**LLAMA_LIKE)),
    "qwen3": lambda: tf.Qwen3ForCausalLM(tf.Qwen3Config(**LLAMA_LIKE, head_dim=8)),
    "phi3": lambda: tf.Phi3ForCausalLM(tf.Phi3Config(**LLAMA_LIKE)),
    "phi": lambda: tf.PhiForCausalLM(tf.PhiConfig(**LLAMA_LIKE)),
    "gemma2": lambda: tf.Gemma2ForCausalLM(tf.Gemma2Config(**LLAMA_LIKE, **GEMMA, final_logit_softcapping=4.0)),
    "gemma3": lambda: tf.Gemma3ForCausalLM(tf.Gemma3TextConfig(**LLAMA_LIKE, **GEMMA)),
    "granite": lambda: tf.GraniteForCausalLM(tf.GraniteConfig(**LLAMA_LIKE, logits_scaling=8.0)),
    "cohere": lambda: tf.CohereForCausalLM(tf.CohereConfig(**LLAMA_LIKE, logit_scale=0.25)),
    "mixtral": lambda: tf.MixtralForCausalLM(tf.MixtralConfig(**LLAMA_LIKE, num_local_experts=3)),
    "gpt2": lambda: tf.GPT2LMHeadModel(tf.GPT2Config(**GPT_LIKE)),
    "gptj": lambda: tf.GPTJForCausalLM(tf.GPTJConfig(**GPT_LIKE, rotary_dim=4)),
    "gpt-neox": lambda: tf.GPTNeoXForCausalLM(tf.GPTNeoXConfig(**LLAMA_LIKE)),
    "falcon": lambda: tf.FalconForCausalLM(tf.FalconConfig(**LLAMA_LIKE)),
    "opt": lambda: tf.OPTForCausalLM(
        tf.OPTConfig(**LLAMA_LIKE, ffn_dim=48, word_embed_proj_dim=16),
    ),
}


class Words:
    """A tokenizer as far as the adapter looks: how many ids, and which are special."""

    def __init__(self, size: int, special: tuple[int, ...] = (0, 1, 2), highest: int | None = None) -> None:
        self.vocab = {f"w{i}": i for i in range(size)}
        if highest is not None:
            self.vocab[f"w{size - 1}"] = highest
        self.all_special_ids = list(special)

    def __len__(self) -> int:
        return len(self.vocab)

    def get_vocab(self) -> dict[str, int]:
        return self.vocab


def tiny(family: str, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    model = FAMILIES[family]().eval()
    with torch.no_grad():  # biases and gains start at 0 and 1, which would hide that they are forgotten
        for parameter in model.parameters():
            if parameter.ndim == 1:
                parameter += 0.2 * torch.randn_like(parameter)
    return model


def footprint(model: nn.Module) -> str:
    """Digest of everything that attaching might leave behind: weights, modes, hooks, attributes."""
    digest = hashlib.sha256()
    for name, module in model.named_modules():
        hooks = [len(value) for key, value in sorted(vars(module).items()) if "hooks" in key and hasattr(value, "keys")]
        digest.update(repr((name, sorted(vars(module)), module.training, hooks)).encode())
    for name, value in [*model.named_parameters(), *model.named_buffers()]:
        digest.update(name.encode() + value.detach().float().numpy().tobytes())
    return digest.hexdigest()


IDS = torch.tensor([[5, 17, 3, 90, 44, 8, 61]])


@pytest.mark.parametrize("family", FAMILIES)
def test_the_lens_of_the_last_layer_gives_the_models_logits(family: str) -> None:
    model = tiny(family)
    adapter = HostAdapter.attach(model, Words(96))
    assert (adapter.num_layers, adapter.hidden_size, adapter.vocab_size) == (3, 32, 96)
    assert adapter.mode == "arguments"
    last: list[torch.Tensor] = []
    hook = adapter.layers[-1].register_forward_hook(
        lambda module, args, out: last.append(out if isinstance(out, torch.Tensor) else out[0])
    )
    with torch.no_grad():
        logits = model(IDS, use_cache=False).logits[0]
    hook.remove()
    chosen = torch.arange(7) * 13
    out = adapter.lens(last[0][0], 6, chosen, entropy=True)
    torch.testing.assert_close(out.topk_logit, logits.topk(6).values, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(out.logsumexp, logits.logsumexp(1), atol=1e-4, rtol=1e-4)
    assert out.chosen_logit is not None
    torch.testing.assert_close(out.chosen_logit, logits[torch.arange(7), chosen], atol=1e-4, rtol=1e-4)
    assert adapter.input_embedding.shape[0] == 96


@pytest.mark.parametrize("family", ["llama", "gpt2", "gemma2", "mixtral"])
@pytest.mark.parametrize("training", [False, True])
def test_attaching_leaves_the_host_as_it_was(family: str, training: bool) -> None:
    model = tiny(family).train(training)
    model.training = not training  # of the outermost module alone: a mixed state has to come back as well
    before = footprint(model)
    HostAdapter.attach(model, Words(96))
    assert footprint(model) == before
    model.eval()
    assert len(model(IDS, output_hidden_states=True).hidden_states) == 4  # transformers' own hooks come back


@pytest.mark.parametrize("family", ["llama", "gemma2", "gptj"])
def test_calling_the_hosts_own_head_gives_the_same_lens(family: str) -> None:
    model = tiny(family)
    plain = HostAdapter.attach(model, Words(90))

    class Wrapped(nn.Linear):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return super().forward(x)

    model.get_output_embeddings().__class__ = Wrapped
    called = HostAdapter.attach(model, Words(90))
    assert (plain.mode, called.mode) == ("arguments", "modules")
    hidden = torch.randn(9, 32)
    for a, b in zip(
        plain.lens(hidden, 5, IDS.repeat(1, 2)[0, :9], True),
        called.lens(hidden, 5, IDS.repeat(1, 2)[0, :9], True),
        strict=True,
    ):
        assert a is not None
        assert b is not None
        torch.testing.assert_close(a, b, atol=1e-4, rtol=1e-4)


def test_an_adapter_on_the_head_is_called_even_while_it_does_nothing() -> None:
    model = tiny("llama")

    class LowRank(nn.Linear):
        """As PEFT does it: the base weights and a switchable addition that starts at zero."""

        up = torch.zeros(96, 2)
        disable_adapters = False

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return super().forward(x) + (0 if self.disable_adapters else x[..., :2] @ self.up.T)

    model.lm_head.__class__ = LowRank
    adapter = HostAdapter.attach(model, Words(96))
    assert adapter.mode == "modules"
    hidden, before = torch.randn(4, 32), adapter.fingerprint(Words(96))
    off = adapter.lens(hidden, 3).topk_logit
    model.lm_head.up = torch.ones(96, 2)
    assert not torch.equal(adapter.lens(hidden, 3).topk_logit, off)
    model.lm_head.disable_adapters = True
    assert torch.equal(adapter.lens(hidden, 3).topk_logit, off)
    assert adapter.fingerprint(Words(96)) != before  # switching an adapter changes no parameter, but the host


def test_without_the_final_norm_the_lens_is_the_papers_formula() -> None:
    model = tiny("llama")
    adapter = HostAdapter.attach(model, Words(96))
    hidden = torch.randn(5, 32)
    wanted = hidden @ model.lm_head.weight.T
    torch.testing.assert_close(adapter.lens(hidden, 4, norm="none").topk_logit, wanted.topk(4).values)
    assert not torch.allclose(adapter.lens(hidden, 4).topk_logit, wanted.topk(4).values)


def test_a_projection_after_the_norm_stays_when_the_norm_is_left_out() -> None:
    adapter = HostAdapter.attach(tiny("opt"), Words(96))
    assert len(adapter.tail) == 2
    assert adapter.lens(torch.randn(5, 32), 4, norm="none").topk_logit.shape == (5, 4)


def test_half_precision_hosts_attach_and_take_float32_states() -> None:
    adapter = HostAdapter.attach(tiny("llama").bfloat16(), Words(96))
    assert adapter.lens(torch.randn(3, 32), 4).topk_logit.dtype == torch.float32


def test_padded_rows_never_come_up() -> None:
    model = tiny("llama")
    with torch.no_grad():
        model.lm_head.weight[80:] *= 50
    adapter = HostAdapter.attach(model, Words(80))
    out = adapter.lens(torch.randn(20, 32), 10)
    assert adapter.vocabulary == 80
    assert int(out.topk_id.max()) < 80
    real = adapter.logits(torch.randn(1, 32))
    assert real.shape == (1, 96)


def test_a_gap_in_the_tokenizers_ids_does_not_cut_off_its_last_token() -> None:
    assert HostAdapter.attach(tiny("llama"), Words(80, highest=90)).vocabulary == 91


def test_encoder_decoders_are_refused() -> None:
    config = tf.T5Config(vocab_size=96, d_model=16, d_kv=8, d_ff=16, num_layers=2, num_heads=2)
    with pytest.raises(UnsupportedHost, match="encoder-decoder"):
        HostAdapter.attach(tf.T5ForConditionalGeneration(config), Words(96))


def test_models_without_a_language_head_are_refused() -> None:
    with pytest.raises(UnsupportedHost, match="no language-model head"):
        HostAdapter.attach(tiny("llama").model, Words(96))
    with pytest.raises(UnsupportedHost, match="Expected a transformers"):
        HostAdapter.attach(nn.Linear(2, 2), Words(96))


def test_bidirectional_models_are_refused() -> None:
    torch.manual_seed(0)
    config = tf.BertConfig(**LLAMA_LIKE)
    with pytest.raises(UnsupportedHost):
        HostAdapter.attach(tf.BertForMaskedLM(config), Words(96))
    model = tiny("llama")
    model.config._attn_implementation = "eager"
    for layer in model.model.layers:
        attention = layer.self_attn
        attention.forward = lambda *args, _f=attention.forward, **kw: _f(*args, **(kw | {"attention_mask": None}))
    with pytest.raises(UnsupportedHost, match="later tokens"):
        HostAdapter.attach(model, Words(96))


def test_missing_layers_and_repeated_layers_are_refused() -> None:
    model = tiny("llama")
    model.config.num_hidden_layers = 5
    with pytest.raises(UnsupportedHost, match="num_hidden_layers = 5"):
        HostAdapter.attach(model, Words(96))
    model = tiny("llama")
    model.model.layers[2] = model.model.layers[1]
    with pytest.raises(UnsupportedHost, match="3 different decoder layers"):
        HostAdapter.attach(model, Words(96))


def test_a_layer_whose_output_is_not_the_reported_state_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny("llama")
    forward = type(model).forward

    def lies(self: Any, *args: Any, **kwargs: Any) -> Any:
        output = forward(self, *args, **kwargs)
        if output.hidden_states is not None:
            states = list(output.hidden_states)
            states[2] = states[2] + 1
            output.hidden_states = tuple(states)
        return output

    monkeypatch.setattr(model, "forward", lies.__get__(model))
    with pytest.raises(UnsupportedHost, match="decoder layer 1 "):
        HostAdapter.attach(model, Words(96))


def test_a_head_that_does_more_than_scale_and_cap_is_refused() -> None:
    model = tiny("llama")
    forward = model.forward

    def squared(*args: Any, **kwargs: Any) -> Any:
        output = forward(*args, **kwargs)
        output.logits = output.logits**2
        return output

    model.forward = squared
    with pytest.raises(UnsupportedHost, match="own logits"):
        HostAdapter.attach(model, Words(96))
    model = tiny("llama")
    model.lm_head.register_forward_pre_hook(lambda module, args: (args[0] * 2,))
    with pytest.raises(UnsupportedHost, match="does not follow"):
        HostAdapter.attach(model, Words(96))


def test_a_factor_that_the_config_does_not_name_is_noticed() -> None:
    model = tiny("gemma2")
    model.config.final_logit_softcapping = 4.0
    assert HostAdapter.attach(model, Words(96)).softcap == 4.0
    forward = model.forward

    def other(*args: Any, **kwargs: Any) -> Any:
        output = forward(*args, **kwargs)
        output.logits = output.logits * 1.01
        return output

    model.forward = other
    with pytest.raises(UnsupportedHost, match="own logits"):
        HostAdapter.attach(model, Words(96))
    assert HostAdapter.attach(model, Words(96), probe=False).softcap == 4.0


def test_weights_that_are_not_in_memory_are_refused() -> None:
    with pytest.raises(UnsupportedHost, match="offloaded"):
        HostAdapter.attach(tiny("llama").to("meta"), Words(96))


@pytest.mark.parametrize(
    ("tokenizer", "says"),
    [
        (Words(97), "97 ids"),
        (Words(20, highest=96), "97 ids"),
        (Words(96, special=(0, 96)), "1 special"),
        (Words(0, special=()), "no tokens"),
    ],
)
def test_tokenizers_of_other_models_are_refused(tokenizer: Words, says: str) -> None:
    with pytest.raises(TokenizerMismatch, match=says):
        HostAdapter.attach(tiny("llama"), tokenizer)


def test_the_fingerprint_changes_with_any_weight_and_with_the_tokenizer_only() -> None:
    model = tiny("llama")
    adapter = HostAdapter.attach(model, Words(96))
    first = adapter.fingerprint(Words(96))
    assert first == HostAdapter.attach(tiny("llama"), Words(96)).fingerprint(Words(96))
    assert first["architecture"] == "LlamaForCausalLM"
    assert first["layers"] == 3
    other = adapter.fingerprint(Words(95))
    assert other["weights_sha256"] == first["weights_sha256"]
    assert other["tokenizer_sha256"] != first["tokenizer_sha256"]
    with torch.no_grad():
        model.model.layers[1].mlp.up_proj.weight[3, 4] += 1e-6
    assert adapter.fingerprint(Words(96))["weights_sha256"] != first["weights_sha256"]


def test_padding_and_truncation_in_use_do_not_change_the_tokenizers_digest() -> None:
    from tokenizers import Tokenizer, models

    vocab = {f"w{i}": i for i in range(50)}
    tokenizer = tf.PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel(vocab, unk_token="w0")))
    tokenizer.pad_token = "w1"
    adapter = HostAdapter.attach(tiny("llama"), tokenizer)
    before = adapter.fingerprint(tokenizer)
    tokenizer(["w1", "w2"], padding=True, truncation=True, max_length=8)
    assert adapter.fingerprint(tokenizer) == before


def test_a_behaviour_print_that_fails_leaves_no_hooks(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = HostAdapter.attach(tiny("llama"), Words(96))

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(HostAdapter, "lens", fail)
    with pytest.raises(RuntimeError):
        adapter.behaviour_print()
    assert not [module for module in adapter.model.modules() if module._forward_hooks or module._forward_pre_hooks]


def test_the_behaviour_print_knows_its_host_within_tolerance() -> None:
    model = tiny("llama")
    adapter = HostAdapter.attach(model, Words(96))
    before = footprint(model)
    mine = adapter.behaviour_print()
    assert footprint(model) == before
    assert compare_behaviour(mine, adapter.behaviour_print(mine["probes"])) == []
    rounded = HostAdapter.attach(tiny("llama").bfloat16(), Words(96)).behaviour_print(mine["probes"])
    assert compare_behaviour(mine | {"top_overlap": 0.7}, rounded) == []
    other = HostAdapter.attach(tiny("llama", seed=1), Words(96)).behaviour_print(mine["probes"])
    assert len(compare_behaviour(mine, other)) == 2
    assert compare_behaviour(mine, adapter.behaviour_print([[1, 2]])) != []


def test_no_repr_shows_more_than_shape() -> None:
    assert repr(HostAdapter.attach(tiny("llama"), Words(90))) == (
        "HostAdapter(LlamaForCausalLM, layers=3, hidden_size=32, vocab_size=96, vocabulary=90, mode='arguments')"
    )
