"""Converts a GGUF to an ordinary transformers checkpoint."""

from __future__ import annotations

from contextlib import redirect_stderr
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils import logging

from reticent_detectors.errors import MissingExtra, UnsupportedHost


def convert_gguf(gguf: Path, out: Path, *, tied: bool = False) -> int:
    """Dequantises a GGUF to float32, and writes the model and its tokenizer to the folder `out`.

    Precision that quantisation removed stays lost. Returns the number of parameters, with tied ones counted once.

    Args:
        gguf: the file.
        out: folder of the checkpoint.
        tied: whether the model has one matrix for its embeddings and its output. A GGUF may hold it twice, rounded
            differently. Then the output's matrix, which is rounded less, is used for both.

    Raises:
        UnsupportedHost: transformers cannot read the file as a causal language model.
    """
    progress_bars = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        tokenizer = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
        with redirect_stderr(StringIO()):  # hides a progress bar for which transformers has no setting
            model: Any = AutoModelForCausalLM.from_pretrained(gguf.parent, gguf_file=gguf.name, dtype=torch.float32)
        # transformers counts a model from a GGUF as quantised, and refuses to save it.
        model.hf_quantizer, model.is_quantized = None, False
        if hasattr(model.config, "quantization_config"):
            del model.config.quantization_config
        if tied:
            _tie(model)
        model.save_pretrained(out)
        tokenizer.save_pretrained(out)
    except (ValueError, KeyError, NotImplementedError, RuntimeError, ImportError) as error:
        missing = next((name for name in ("gguf", "accelerate") if find_spec(name) is None), None)
        if missing is not None:
            raise MissingExtra(missing, "models") from error
        raise UnsupportedHost(
            f"{gguf.name} could not be converted ({type(error).__name__}). "
            "Expected a GGUF of a causal language model whose architecture this transformers reads."
        ) from error
    finally:
        if progress_bars:
            logging.enable_progress_bar()
    return sum(int(weight.numel()) for weight in model.parameters())


def _tie(model: Any) -> None:
    """Uses the output's weights as the embeddings. Does nothing if they are tied already."""
    model.get_input_embeddings().weight = model.get_output_embeddings().weight
    model.config.tie_word_embeddings = True
