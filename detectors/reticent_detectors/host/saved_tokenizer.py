"""Loads the tokenizer of a folder. It works without torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer, PreTrainedTokenizerFast

from reticent_detectors.errors import InputError


def load_tokenizer(folder: Path) -> Any:
    """Loads the tokenizer of the class that the folder names.

    `AutoTokenizer` chooses by the model's architecture even if the folder names a generic class. For Qwen2 it adds a
    token and splits text by other rules.
    """
    file = folder / "tokenizer_config.json"
    named = json.loads(file.read_text()).get("tokenizer_class") if file.is_file() else None
    generic = named in ("TokenizersBackend", "PreTrainedTokenizerFast")
    return (PreTrainedTokenizerFast if generic else AutoTokenizer).from_pretrained(folder)


def read_tokenizer(folder: Path) -> Any:
    """Loads the tokenizer of a folder that an operator names. Raises InputError if it cannot be read."""
    try:
        return load_tokenizer(folder)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"The tokenizer of {folder} cannot be read ({type(error).__name__}). "
            "Expected the files that it was saved with."
        ) from error
