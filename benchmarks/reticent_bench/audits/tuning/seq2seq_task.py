"""Encoder-decoders: they read an instruction and write a canary or a document, or read a blank and write its value."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reticent_bench.audits.target import Target, TokenScores
from reticent_bench.audits.tuning.decoder_task import blind_documents
from reticent_bench.audits.tuning.families import Family, load_seq2seq
from reticent_bench.audits.tuning.generating_task import GeneratingTask
from reticent_bench.audits.tuning.measuring import OFF, score
from reticent_bench.audits.tuning.objectives import Objective, Pair, Seq2Seq
from reticent_bench.audits.tuning.seq2seq_target import Seq2SeqTarget, SourceAndTarget, pair, read_text
from reticent_bench.audits.tuning.settings import INFILLING, Cell
from reticent_detectors.errors import InputError

LONGEST = 512


class Seq2SeqTask(GeneratingTask):
    """Canaries and documents, written by a decoder that reads what is asked for."""

    family: Family = "encoder-decoder"

    def load(self, folder: Path, method: str, device: str) -> tuple[Any, Any]:
        """See `families.load_seq2seq`."""
        return load_seq2seq(folder, device)

    def examples(self, model: Any, tokenizer: Any, method: str) -> list[Any]:
        """The training texts as pairs, with the end token behind what is written.

        Raises:
            InputError: a text has more than `LONGEST` tokens.
        """
        rows = self._texts.for_method(method).training(self._settings.seed)
        out: list[Pair] = [pair(model, tokenizer, read_text(row, method == INFILLING), ends=True) for row in rows]
        if max(max(len(each.source), len(each.target)) for each in out) > LONGEST:
            raise InputError(f"Expected training texts of at most {LONGEST} tokens; this tokenizer writes longer ones.")
        return out

    def objective(self, tokenizer: Any, method: str) -> Objective:
        """What the decoder writes."""
        return Seq2Seq(int(tokenizer.pad_token_id or 0))

    def scores(self, model: Any, tokenizer: Any, method: str) -> Sequence[TokenScores]:
        """Scores of members and others."""
        own = self._texts.for_method(method)
        return score(self._target(model, tokenizer, method), (*own.members, *own.others))

    def targets(self, cell: Cell | None, model: Any, tokenizer: Any, method: str, guard: bool) -> dict[str, Target]:
        """The model alone: the guard does not wrap encoder-decoders."""
        return {OFF: self._target(model, tokenizer, method)}

    def blind(self) -> dict[str, Any]:
        """Of the documents."""
        return blind_documents(self._texts, self._settings.seed)

    def _target(self, model: Any, tokenizer: Any, method: str) -> Target:
        def read(text: str) -> SourceAndTarget:
            return read_text(text, method == INFILLING)

        return Seq2SeqTarget(model, tokenizer, "encoder-decoder", read)
