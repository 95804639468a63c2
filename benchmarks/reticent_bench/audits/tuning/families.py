"""The three families of models, how their folders are read, and which ways of tuning they allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import torch
from transformers import AutoConfig, AutoModelForMaskedLM, AutoModelForSeq2SeqLM, AutoModelForSequenceClassification
from transformers.models.auto.modeling_auto import MODEL_FOR_MASKED_LM_MAPPING_NAMES

from reticent_bench.audits.tuning import methods
from reticent_bench.audits.tuning.settings import FULL, INFILLING, METHODS, TuningSettings
from reticent_bench.audits.tuning.texts import SENTINEL
from reticent_detectors.errors import InputError, UnsupportedHost
from reticent_detectors.host.load import checkpoint_of, put, put_adapter
from reticent_detectors.host.saved_tokenizer import load_tokenizer

Family = Literal["decoder", "encoder", "encoder-decoder"]


def family_of(folder: Path) -> Family:
    """The family of a checkpoint, by its configuration. Models that can be both encoder and decoder are encoders.

    Raises:
        InputError: the folder holds no configuration that transformers knows.
    """
    config = configuration(folder)
    if config.is_encoder_decoder:
        return "encoder-decoder"
    is_masked = config.model_type in MODEL_FOR_MASKED_LM_MAPPING_NAMES
    return "encoder" if is_masked and not getattr(config, "is_decoder", False) else "decoder"


def configuration(folder: Path) -> Any:
    """The configuration of a checkpoint's folder.

    Raises:
        InputError: there is none that transformers knows.
    """
    try:
        return AutoConfig.from_pretrained(checkpoint_of(folder))
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"{folder} has no configuration that transformers knows ({type(error).__name__}); give another checkpoint."
        ) from error


def load_encoder(folder: Path, method: str, classes: int, seed: int, device: str) -> tuple[Any, Any]:
    """An encoder with the head of a method, and its tokenizer. A head that the folder lacks is drawn by the seed.

    Raises:
        UnsupportedHost: transformers cannot load the folder so.
    """
    if method == INFILLING:
        return load_as(AutoModelForMaskedLM, folder, device, seed)
    return load_as(AutoModelForSequenceClassification, folder, device, seed, num_labels=classes)


def load_seq2seq(folder: Path, device: str) -> tuple[Any, Any]:
    """An encoder-decoder and its tokenizer.

    Raises:
        UnsupportedHost: transformers cannot load the folder so.
    """
    return load_as(AutoModelForSeq2SeqLM, folder, device)


def load_as(kind: Any, folder: Path, device: str, seed: int = 0, **options: Any) -> tuple[Any, Any]:
    """A checkpoint, or the adapter in a folder on its checkpoint, by a class of transformers; in evaluation mode."""
    whole = checkpoint_of(folder)
    with methods.quietly():
        try:
            tokenizer = load_tokenizer(folder)
            torch.manual_seed(seed)
            model: Any = kind.from_pretrained(whole, dtype=torch.float32, **options)
            if whole != folder:
                model = put_adapter(model, folder)
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            raise UnsupportedHost(
                f"{folder} could not be loaded as {kind.__name__.removeprefix('AutoModelFor')} "
                f"({type(error).__name__}). Expected a transformers checkpoint of that kind with its tokenizer."
            ) from error
    return put(model, device).eval(), tokenizer


def refuse_unsupported(folder: Path, family: Family, chosen: Sequence[str], settings: TuningSettings) -> None:
    """Refuses methods that PEFT does not support for an encoder's or an encoder-decoder's architecture.

    Each method is tried on a model without weights. Decoders are not tried.

    Raises:
        InputError: a method is not supported. The message says which are.
    """
    if family == "decoder":
        return
    config = configuration(folder)
    refused = {
        method: reason
        for method in dict.fromkeys(chosen)
        if (reason := _obstacle(folder, config, family, method, settings))
    }
    if not refused:
        return
    works = supported(folder, family, settings)
    method, reason = next(iter(refused.items()))
    raise InputError(
        f"This {family} ({config.model_type}) cannot be tuned by {method}: {reason}. Expected {', '.join(works)}."
    )


def supported(folder: Path, family: Family, settings: TuningSettings) -> tuple[str, ...]:
    """The methods that work for a checkpoint's architecture; all for a decoder, whose are not tried."""
    if family == "decoder":
        return METHODS
    config = configuration(folder)
    return tuple(method for method in METHODS if not _obstacle(folder, config, family, method, settings))


def _obstacle(folder: Path, config: Any, family: Family, method: str, settings: TuningSettings) -> str | None:
    """Why a method does not work on an architecture; None if it does."""
    if method == FULL:
        return None
    if method == INFILLING:
        return _without_blank(folder, family)
    kind: Callable[[Any], Any] = (
        AutoModelForSequenceClassification if family == "encoder" else AutoModelForSeq2SeqLM
    ).from_config
    inputs: dict[str, Any] = {}
    try:
        with torch.device("meta"), methods.quietly():
            tuned = methods.attach(kind(config), method, settings, False, methods.TASK_TYPES[family])
            ids = torch.zeros((1, 2), dtype=torch.long)
            inputs = {} if family == "encoder" else {"decoder_input_ids": ids, "use_cache": False}
            tuned(input_ids=ids, **inputs)
    except (TypeError, ValueError, KeyError, RuntimeError, AttributeError, NotImplementedError) as error:
        if "meta tensors" in str(error):  # the model looks at values, which it has none of here
            return None
        return f"PEFT does not support it for this architecture ({type(error).__name__})"
    return None


def _without_blank(folder: Path, family: Family) -> str | None:
    """Why a tokenizer cannot write a blank and what fills it; None if it can."""
    tokenizer = load_tokenizer(folder)
    blank = tokenizer.mask_token if family == "encoder" else SENTINEL
    needed = (blank, "0", "1") if family == "encoder" else (blank,)
    ids = [None if token is None else tokenizer.convert_tokens_to_ids(token) for token in needed]
    if any(each in (None, tokenizer.unk_token_id) for each in ids):
        return "its tokenizer lacks " + ("a mask token or tokens for 0 and 1" if family == "encoder" else SENTINEL)
    return None
