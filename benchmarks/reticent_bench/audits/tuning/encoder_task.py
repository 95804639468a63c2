"""Encoders: classification of texts, by a head or by filling a blank; accuracy beside membership by the loss."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from reticent_bench.audits.labelled_texts import LabelledTexts, complementary_halves
from reticent_bench.audits.membership.blind import blind_check, blind_scores
from reticent_bench.audits.membership.figures import measure as measure_attack
from reticent_bench.audits.target import Target
from reticent_bench.audits.tuning import methods
from reticent_bench.audits.tuning.families import Family, load_encoder
from reticent_bench.audits.tuning.objectives import Classification, Labelled, MaskedLabel, Objective
from reticent_bench.audits.tuning.settings import INFILLING, Cell, TuningSettings
from reticent_bench.report.metrics import share
from reticent_detectors.errors import InputError

LONGEST = 256
"""Most tokens of a text; longer ones are cut at their end."""
_BATCH = 64
Floats = NDArray[np.float64]


class EncoderTask:
    """Classes of texts. A random half of them are members, the others are held out."""

    family: Family = "encoder"

    def __init__(self, data: LabelledTexts, settings: TuningSettings) -> None:
        self._data, self._settings = data, settings
        self._member = complementary_halves(len(data), 2, settings.seed)[0]

    def start(self, folder: Path, method: str, work: Path, device: str) -> Path:
        """A copy with the head of the method, so that an adapter on it is read again with the same head."""
        out = work.resolve() / f"start-{INFILLING if method == INFILLING else 'classifier'}"
        if not (out / "config.json").is_file():
            model, tokenizer = self.load(folder, method, device)
            temporary = out.with_suffix(".tmp")
            methods.save(model, tokenizer, temporary)
            temporary.replace(out)
        return out

    def load(self, folder: Path, method: str, device: str) -> tuple[Any, Any]:
        """See `families.load_encoder`."""
        return load_encoder(folder, method, len(self._data.classes), self._settings.seed, device)

    def examples(self, model: Any, tokenizer: Any, method: str) -> list[Any]:
        """The members."""
        every = self._encoded(model, tokenizer, method)
        return [every[place] for place in np.flatnonzero(self._member)]

    def objective(self, tokenizer: Any, method: str) -> Objective:
        """The class by the head, or its token in the blank."""
        return classifier_objective(tokenizer, method, len(self._data.classes))

    def scores(self, model: Any, tokenizer: Any, method: str) -> None:
        """Nothing: a head that is not trained yet says nothing of a text."""

    def measure(
        self, cell: Cell | None, model: Any, tokenizer: Any, method: str, base: Any, guard: bool
    ) -> dict[str, Any]:
        """`accuracy` on held-out texts and on members, and `membership` with the AUC by loss."""
        encoded = self._encoded(model, tokenizer, method)
        objective = classifier_objective(tokenizer, method, len(self._data.classes))
        losses, right = judged(model, objective, encoded, self._data.labels)
        people = np.arange(len(self._data)).astype(np.str_)
        seed = self._settings.seed
        found = measure_attack("loss", "Yeom et al. 2018", -losses, self._member, people, seed=seed)
        return {
            "accuracy": list(share(int(right[~self._member].sum()), int((~self._member).sum()))),
            "accuracy_members": list(share(int(right[self._member].sum()), int(self._member.sum()))),
            "membership": {
                "loss": {
                    "auc": list(found.auc), "null": found.null.high,
                    "tpr_at_1_percent": None if found.tpr_at_1_percent is None else list(found.tpr_at_1_percent),
                }
            },
        }  # fmt: skip

    def targets(self, cell: Cell | None, model: Any, tokenizer: Any, method: str, guard: bool) -> dict[str, Target]:
        """None: an encoder generates no text."""
        return {}

    def blind(self) -> dict[str, Any]:
        """Of all texts."""
        people = np.arange(len(self._data)).astype(np.str_)
        scores = blind_scores(self._data.texts, self._member, people, self._settings.seed)
        found = blind_check(scores, self._member, people, seed=self._settings.seed)
        return {"auc": list(found.auc), "verdict": found.verdict}

    def _encoded(self, model: Any, tokenizer: Any, method: str) -> list[Labelled]:
        longest = longest_of(model, self._settings.virtual_tokens)
        return encode(tokenizer, self._data.texts, self._data.labels, method, len(self._data.classes), longest)


def longest_of(model: Any, virtual_tokens: int = 0) -> int:
    """Most tokens of a text that a model has positions for beside virtual tokens.

    Raises:
        InputError: the model has fewer than 8.
    """
    positions = getattr(model.config, "max_position_embeddings", None)
    longest = LONGEST if positions is None else min(LONGEST, positions - virtual_tokens - 2)
    if longest < 8:
        raise InputError(f"Expected a model with positions for texts, got {positions}. Take fewer virtual tokens.")
    return longest


def encode(
    tokenizer: Any, texts: Sequence[str], labels: Sequence[int], method: str, classes: int, longest: int
) -> list[Labelled]:
    """The texts as examples. For infilling, a sentence with the mask token follows, and its token is learned.

    Raises:
        InputError: infilling, and the tokenizer has no mask token, or no single token for a class' number.
    """
    if method != INFILLING:
        rows = tokenizer(list(texts), truncation=True, max_length=longest)["input_ids"]
        return [Labelled(tuple(row), label) for row, label in zip(rows, labels, strict=True)]
    tokens = label_tokens(tokenizer, classes)
    behind = f"The label is {tokenizer.mask_token}."
    rows = tokenizer(
        list(texts), [behind] * len(texts), truncation="only_first", max_length=longest, return_token_type_ids=False
    )["input_ids"]
    return [Labelled(tuple(row), tokens[label]) for row, label in zip(rows, labels, strict=True)]


def label_tokens(tokenizer: Any, classes: int) -> tuple[int, ...]:
    """Ids of the tokens `0`, `1`, ... that name the classes.

    Raises:
        InputError: the tokenizer has no mask token, or no such token.
    """
    found = [tokenizer.convert_tokens_to_ids(str(place)) for place in range(classes)]
    if tokenizer.mask_token_id is None or any(each in (None, tokenizer.unk_token_id) for each in found):
        raise InputError(
            "Infilling needs a mask token and a token for each class' number (0, 1, ...), which this tokenizer lacks. "
            "Tune by another method."
        )
    return tuple(int(each) for each in found)


def classifier_objective(tokenizer: Any, method: str, classes: int) -> Classification | MaskedLabel:
    """What an encoder learns by a method."""
    padding = int(tokenizer.pad_token_id or 0)
    if method != INFILLING:
        return Classification(padding)
    return MaskedLabel(int(tokenizer.mask_token_id), label_tokens(tokenizer, classes), padding)


def judged(
    model: Any, objective: Classification | MaskedLabel, encoded: Sequence[Labelled], labels: Sequence[int]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Loss of each text's class among the classes in nats, and whether the likeliest class is right [texts]."""
    logits = class_logits(model, objective, encoded)
    logs = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    places = np.arange(len(labels))
    return -logs[places, list(labels)], logits.argmax(1) == np.array(labels)


def class_logits(model: Any, objective: Classification | MaskedLabel, encoded: Sequence[Labelled]) -> Floats:
    """Logits of the classes in float64 [texts, classes]."""
    order = sorted(range(len(encoded)), key=lambda place: (objective.length(encoded[place]), place))
    parts = []
    with torch.inference_mode():
        for first in range(0, len(order), _BATCH):
            rows = [encoded[place] for place in order[first : first + _BATCH]]
            parts.append(objective.logits(model, objective.batch(rows, model.device)).double().cpu().numpy())
    out = np.empty((len(encoded), parts[0].shape[1]))
    out[order] = np.concatenate(parts)
    return out
