"""The five ways of tuning: what of a model is trained, and how the result is written and read again."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from transformers.pytorch_utils import Conv1D
from transformers.utils import logging

from reticent_bench.audits.tuning.objectives import Batch, Objective
from reticent_bench.audits.tuning.settings import FULL, INFILLING, LORA, PREFIX, PROMPT, TuningSettings
from reticent_detectors.errors import InputError, MissingExtra
from reticent_detectors.host.load import load_host

TASK_TYPES = {"decoder": "CAUSAL_LM", "encoder": "SEQ_CLS", "encoder-decoder": "SEQ_2_SEQ_LM"}
"""PEFT's name of what a family of models does. Of an encoder the new head is trained, too."""


def attach(
    model: Any, method: str, settings: TuningSettings, is_private: bool, task_type: str = TASK_TYPES["decoder"]
) -> Any:
    """The model with the parameters of a method trainable and all others frozen, in evaluation mode (no dropout).

    Under differential privacy, an embedding that is also the output layer is frozen: one text's gradient has two parts
    there, and libraries differ in how they sum them.

    Args:
        model: a model of transformers, which is changed.
        method: one of `settings.METHODS`.
        settings: rank and virtual tokens.
        is_private: whether the tuning is differentially private.
        task_type: one of `TASK_TYPES`.

    Raises:
        InputError: the method is unknown.
        MissingExtra: peft is not installed.
    """
    if method in (FULL, INFILLING):
        model.requires_grad_(True)
        if is_private and is_tied(model):
            model.get_input_embeddings().requires_grad_(False)
        return model.eval()
    try:
        import peft
    except ImportError as error:
        raise MissingExtra("peft", "train") from error
    if method == LORA:
        config: Any = peft.LoraConfig(
            r=settings.rank,
            lora_alpha=2 * settings.rank,
            lora_dropout=0.0,
            target_modules="all-linear",
            task_type=task_type,
            fan_in_fan_out=any(isinstance(module, Conv1D) for module in model.modules()),
        )
    elif method in (PROMPT, PREFIX):
        kind = peft.PromptTuningConfig if method == PROMPT else peft.PrefixTuningConfig
        config = kind(task_type=task_type, num_virtual_tokens=settings.virtual_tokens)
    else:
        raise InputError(f"Unknown method {method!r}.")
    with quietly():
        return peft.get_peft_model(model, config).eval()


def is_tied(model: Any) -> bool:
    """Whether the input embedding is the output layer's matrix."""
    head = model.get_output_embeddings()
    return head is not None and head.weight is model.get_input_embeddings().weight


def trained_count(model: Any) -> int:
    """Number of trained parameters."""
    return sum(each.numel() for each in model.parameters() if each.requires_grad)


def check_virtual_tokens(model: Any, objective: Objective, batch: Batch) -> None:
    """Checks that the loss depends on virtual tokens. Some architectures take a prefix and do not read it.

    Args:
        model: of `attach`.
        objective: what is learned.
        batch: of some texts.

    Raises:
        InputError: it does not.
    """
    names = [n for n, own in model.named_parameters() if own.requires_grad and "prompt_encoder" in n]
    if not names:
        return
    own = dict(model.named_parameters())
    loss = objective.losses(model, batch).sum()
    found = torch.autograd.grad(loss, [own[name] for name in names], allow_unused=True)
    if not any(each is not None and bool(each.any()) for each in found):
        raise InputError("This architecture does not read virtual tokens. Tune it by another method, such as lora.")


def save(model: Any, tokenizer: Any, folder: Path) -> None:
    """Writes a checkpoint, or an adapter alone, with the tokenizer, so that `load_host` reads the folder."""
    with quietly():
        options = {"save_embedding_layers": False} if hasattr(model, "peft_config") else {}
        model.save_pretrained(folder, **options)
    tokenizer.save_pretrained(folder)
    (folder / "README.md").unlink(missing_ok=True)  # PEFT's card names folders of the machine


def load(folder: Path, device: str) -> tuple[Any, Any]:
    """The model and the tokenizer of a folder, in single precision and evaluation mode."""
    with quietly():
        return load_host(folder, device)


class SoftPrompt:
    """A model under prompt or prefix tuning, seen as one that reads the given ids [B, N] alone.

    Logits leave out the virtual tokens. All else is the model's own.
    """

    def __init__(self, model: Any) -> None:
        self._model = model

    def __call__(self, input_ids: torch.Tensor, **options: Any) -> Any:
        """The model's output, with logits [B, N, vocabulary]."""
        out = self._model(input_ids=input_ids, **options)
        out.logits = out.logits[:, -input_ids.shape[1] :]
        return out

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


@contextmanager
def quietly() -> Iterator[None]:
    """Leaves out progress bars, and what PEFT says of its own use of transformers."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=FutureWarning)
        warnings.filterwarnings("ignore", message=".*tie_word_embeddings.*")
        bars, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
        logging.disable_progress_bar()
        logging.set_verbosity_error()  # a head that is new is meant
        try:
            yield
        finally:
            logging.set_verbosity(verbosity)
            if bars:
                logging.enable_progress_bar()
