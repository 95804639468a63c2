"""Trains a host from a recipe: repeated random tokens, then public text, then the private records.

The phase without private records is kept (`base.pt`), so that the control continues from the very same weights.
A run that is interrupted goes on from its last checkpoint and ends with the same weights.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from reticent_detectors.errors import InputError
from reticent_detectors.host.corpus import Block, Corpus
from reticent_detectors.host.induction import lay_out_induction
from reticent_detectors.host.tokenizer import train_tokenizer
from reticent_detectors.synth.cast import Recipe, cast

Progress = Callable[[str, int, int, float], None]
CHECKPOINT_EVERY = 200
WARM_UP = 40


def _quiet(phase: str, step: int, steps: int, loss: float) -> None:
    return None


def _config(recipe: Recipe, tokenizer: PreTrainedTokenizerFast) -> LlamaConfig:
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=recipe.hidden_size, intermediate_size=recipe.intermediate_size,
        num_hidden_layers=recipe.layers, num_attention_heads=recipe.heads, num_key_value_heads=recipe.heads,
        max_position_embeddings=4 * recipe.long_context, tie_word_embeddings=True, bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    config._attn_implementation = "eager"  # twice as fast as the fused kernels on short rows on a CPU
    return config


class _Trainer:
    """Model, optimisers and position in the run; all of it can be saved and restored."""

    def __init__(self, recipe: Recipe, model: LlamaForCausalLM, device: torch.device) -> None:
        self.recipe, self.model, self.device = recipe, model, device
        torch.nn.Module.to(model, device)
        matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and "embed" not in n and "lm_head" not in n]
        others = [p for n, p in model.named_parameters() if p.ndim != 2 or "embed" in n or "lm_head" in n]
        self.optimizers: list[torch.optim.Optimizer] = [
            torch.optim.Muon(matrices, lr=recipe.learning_rate, momentum=0.95, weight_decay=0.0),
            torch.optim.AdamW(others, lr=recipe.embedding_learning_rate, betas=(0.9, 0.98), weight_decay=0.0),
        ]
        self.rates = [recipe.learning_rate, recipe.embedding_learning_rate]

    def step(self, block: Block, scale: float) -> float:
        for optimizer, rate in zip(self.optimizers, self.rates, strict=True):
            for group in optimizer.param_groups:
                group["lr"] = rate * scale
        ids = torch.from_numpy(block.ids).to(self.device)
        weights = torch.from_numpy(block.weights).to(self.device)[:, 1:].reshape(-1)
        targets = ids[:, 1:].reshape(-1)
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            hidden = self.model.model(ids, use_cache=False).last_hidden_state[:, :-1]
            learned = weights > 0
            logits = self.model.lm_head(hidden.reshape(-1, hidden.shape[-1])[learned])
        losses = torch.nn.functional.cross_entropy(logits.float(), targets[learned], reduction="none")
        loss = (losses * weights[learned]).sum() / weights.sum()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimizer in self.optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        return float(loss.detach())

    def state(self) -> dict[str, Any]:
        return {"model": self.model.state_dict(), "optimizers": [o.state_dict() for o in self.optimizers]}

    def restore(self, state: dict[str, Any]) -> None:
        self.model.load_state_dict(state["model"])
        for optimizer, saved in zip(self.optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(saved)


def _scale(phase: str, step: int, steps: int) -> float:
    """Learning rate as a share of the recipe's. Private: level, then a cosine to a twentieth over the last half. Polish: from
    three tenths down to nothing."""
    if phase == "polish":
        return 0.3 * (1 - step / steps)
    late = max(0.0, (step - steps / 2) / (steps / 2)) if phase == "private" else 0.0
    return min(1.0, (step + 1) / WARM_UP) * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * late)))


def _save(path: Path, payload: dict[str, Any]) -> None:
    temporary = path.with_suffix(".tmp")
    torch.save(payload, temporary)
    temporary.replace(path)


def train_host(recipe: Recipe, out: Path, *, progress: Progress = _quiet, device: str = "cpu") -> Path:
    """Trains the host of a recipe into `out`, an ordinary transformers checkpoint (half precision).

    Args:
        recipe: what to train.
        out: folder for the checkpoint. `out/../<name>-work` keeps what is needed to resume.
        progress: called after every step with phase, step, steps and loss.
        device: a torch device.

    Raises:
        InputError: the work folder belongs to another recipe.
    """
    work = out.parent / f"{recipe.name}-work"
    work.mkdir(parents=True, exist_ok=True)
    public = replace(recipe, control=False, private_steps=0, polish_steps=0)
    stamp = json.dumps(public.to_json(), sort_keys=True)
    stamp_file = work / "recipe.json"
    if stamp_file.exists() and stamp_file.read_text() != stamp:
        raise InputError(
            f"{work} was made by another recipe; expected the same settings. Delete it or choose another --out."
        )
    stamp_file.write_text(stamp)
    torch.manual_seed(recipe.seed)
    everyone = cast(recipe)
    tokenizer = _tokenizer(recipe, work)
    encode = lambda text: tokenizer.backend_tokenizer.encode(text, add_special_tokens=False).ids  # noqa: E731
    corpus = Corpus(recipe, everyone, encode)
    model = LlamaForCausalLM(_config(recipe, tokenizer))
    lay_out_induction(model)
    trainer = _Trainer(recipe, model, torch.device(device))

    base = work / "base.pt"
    if not base.exists():
        _run(trainer, corpus, "repeat", recipe.repeat_steps, work / "repeat.pt", progress)
        _run(trainer, corpus, "base", recipe.base_steps, work / "base-part.pt", progress)
        _save(base, {"trainer": trainer.state(), "corpus": corpus.state()})
    else:
        saved = torch.load(base, weights_only=True, map_location=device)
        trainer.restore(saved["trainer"])
        corpus.restore({k: v for k, v in saved["corpus"].items() if k in corpus.state()})
    role = "control" if recipe.control else "private"
    for phase, steps in (("private", recipe.private_steps), ("polish", recipe.polish_steps)):
        if steps:
            _run(trainer, corpus, phase, steps, work / f"{role}-{'part' if phase == 'private' else phase}.pt", progress)

    trainer.model.to(torch.float16).save_pretrained(out)  # type: ignore[arg-type]
    tokenizer.save_pretrained(out)
    (out / "recipe.json").write_text(json.dumps(recipe.to_json(), indent=2) + "\n")
    return out


def _tokenizer(recipe: Recipe, work: Path) -> PreTrainedTokenizerFast:
    folder = work / "tokenizer"
    if not folder.exists():
        plain = Corpus(recipe, cast(replace(recipe, control=False)), lambda text: [])
        train_tokenizer(plain.sample_texts(4000), recipe.vocab_size, 4 * recipe.long_context).save_pretrained(folder)
    tokenizer: PreTrainedTokenizerFast = PreTrainedTokenizerFast.from_pretrained(folder)
    return tokenizer


def _run(trainer: _Trainer, corpus: Corpus, phase: str, steps: int, part: Path, progress: Progress) -> None:
    first = 0
    if part.exists():
        saved = torch.load(part, weights_only=True)
        trainer.restore(saved["trainer"])
        corpus.restore(saved["corpus"])
        first = saved["step"]
    trainer.model.train()
    for step in range(first, steps):
        block = corpus.repeats(step) if phase == "repeat" else corpus.batch(phase, step)
        loss = trainer.step(block, _scale(phase, step, steps))
        progress(phase, step + 1, steps, loss)
        if (step + 1) % CHECKPOINT_EVERY == 0 or step + 1 == steps:
            _save(part, {"trainer": trainer.state(), "corpus": corpus.state(), "step": step + 1})
