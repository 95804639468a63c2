"""Makes the output of a guarded `generate`, and checks that all of it was judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from reticent.huggingface.answer import Answer
from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.supported_decoding import eos_ids, setting
from reticent.huggingface.wrapped_model import WrappedModel
from reticent_detectors.errors import CaptureError


def make_output(guarded: WrappedModel, out: Any, ids: Tensor, answers: Sequence[Answer]) -> Any:
    """Gives the output of `generate`: the model's own, or what may be shown of it."""
    if not any(answer.report.changed or answer.report.blocked for answer in answers):
        return out
    sequences: Tensor = getattr(out, "sequences", out)
    copies = max(1, len(answers) // len(ids))
    rows = []
    for number, answer in enumerate(answers):
        if answer.report.changed or answer.report.blocked:
            new = torch.tensor(answer.ids, dtype=sequences.dtype, device=sequences.device)
            rows.append(torch.cat([ids[number // copies].to(sequences.device), new]))
        else:
            rows.append(sequences[number])
    pad = guarded.model.generation_config.pad_token_id
    pad = guarded.tokenizer.pad_token_id if pad is None else pad
    pad = (guarded.tokenizer.eos_token_id or 0) if pad is None else pad
    shown = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=int(pad))
    if sequences is out:
        return shown
    for name in list(out.keys()):
        out[name] = None
    return type(out)(sequences=shown)


def check_judged(
    guarded: WrappedModel, sequences: Tensor, ids: Tensor, sessions: Sequence[AnswerSession], options: Mapping[str, Any]
) -> None:
    """Raises CaptureError if a row would be returned that holds tokens that were not judged."""
    pads = [setting(guarded.model, options, "pad_token_id"), guarded.tokenizer.pad_token_id]
    silent = eos_ids(guarded.model, options) | {int(p) for p in pads if p is not None}
    copies = max(1, len(sessions) // len(ids))
    fits = sequences.ndim == 2 and len(sequences) == len(sessions)
    for number, (row, session) in enumerate(zip(sequences.tolist(), sessions, strict=False)):
        judged = [*ids[number // copies].tolist(), *session.ids]
        if not session.changed:
            fits = fits and row[: len(judged)] == judged and set(row[len(judged) :]) <= silent
    if not fits:
        raise CaptureError(
            "The host returned other tokens than the guard judged, so nothing is returned. "
            "Some option of this call goes "
            "past the guard; leave out what is unusual, or read the finished answer with inspect()."
        )
