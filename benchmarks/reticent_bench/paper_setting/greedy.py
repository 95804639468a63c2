"""Greedy answers with what the model's last layer says of each token, and hidden states at four places.

The numbers are those of the pass that made the token. Prompts of equal length share a batch, so nothing is padded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from reticent_detectors.errors import UnsupportedHost

TOP = 10
"""Ranks whose log-probabilities are kept."""
DEPTHS = 8
"""Depths at which the places of an answer are kept, evenly spaced; the last one is the last layer."""
PLACES = ("name", "first", "last")
"""Last token of the name, first and last token of the value. The prompt's last token is kept at all depths."""
STATE_UNIT = 16.0
"""States are kept divided by this: some of Gemma's are near the largest number of 16 bits, and none is lost so."""
HEAD_ROWS = 256
"""Rows whose logits are computed at a time."""


@dataclass(frozen=True, slots=True)
class TokenNumbers:
    """What a model says of given tokens, from logits in float32.

    Attributes:
        surprisal: [n] minus log-probability in nats.
        rank: [n] number of likelier tokens, and 1.
        entropy: [n] in nats.
        margin: [n] log-probability of the likeliest token less the second's, in nats.
        top: [n, TOP] log-probabilities of the likeliest tokens.
    """

    surprisal: NDArray[np.float32]
    rank: NDArray[np.int32]
    entropy: NDArray[np.float32]
    margin: NDArray[np.float32]
    top: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.surprisal)


@dataclass(slots=True)
class GreedyAnswer:
    """One answer. The `repr` shows no token.

    Attributes:
        ids: the value's tokens, without the token that ended it.
        end: the token that ended it; None for an answer that was cut.
        numbers: of the value's tokens, and of the end if there is one.
        prompt_states: [L + 1, d] of the prompt's last token, as transformers counts them: the embedding, every layer,
            and the last one after the final norm. In float16 and units of STATE_UNIT.
        place_states: [places, DEPTHS, d], in the same. Those of an empty answer are of the prompt's last token.
    """

    ids: list[int]
    end: int | None
    numbers: TokenNumbers
    prompt_states: NDArray[np.float16]
    place_states: NDArray[np.float16]

    def __repr__(self) -> str:
        return f"GreedyAnswer({len(self.ids)} tokens)"


def depths(layers: int) -> list[int]:
    """Returns the indices of the kept depths among `layers + 1` hidden states, ascending."""
    return [round(layers * (i + 1) / DEPTHS) for i in range(DEPTHS)]


def stop_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    """Returns the tokens that end an answer: the end tokens, and those that hold the end of a line."""
    ends = model.generation_config.eos_token_id
    several = ends if isinstance(ends, list) else [ends]
    pieces = tokenizer.batch_decode([[token] for token in range(len(tokenizer))])
    lines = {token for token, piece in enumerate(pieces) if "\n" in piece}
    return frozenset(token for token in (*several, tokenizer.eos_token_id) if token is not None) | lines


def in_bfloat16(model: Any) -> Any:
    """Rounds the weights of all matrices but the head's to bfloat16, for `quick`. Returns the model."""
    head = model.get_output_embeddings()
    for module in model.modules():
        if isinstance(module, torch.nn.Linear) and module is not head:
            module.to(torch.bfloat16)
    return model


@contextmanager
def quick(model: Any) -> Iterator[None]:
    """Multiplies in bfloat16 where the model's weights are rounded to it. Norms, stream and head stay in float32."""
    rounded = any(p.dtype == torch.bfloat16 for p in model.parameters())
    with torch.inference_mode(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=rounded):
        yield


def log_probabilities(model: Any, hidden: Tensor) -> Tensor:
    """Returns what the head says, [n, V] in float32 nats, behind the final norm's `hidden` [n, d].

    Raises UnsupportedHost for a model that caps its logits.
    """
    if getattr(model.config.get_text_config(), "final_logit_softcapping", None):
        raise UnsupportedHost("This measurement reads the head without a cap, and the model caps its logits.")
    with torch.autocast("cpu", enabled=False):
        logits: Tensor = model.get_output_embeddings()(hidden.float())
        return logits.float().log_softmax(-1)


def numbers_of(logs: Tensor, tokens: Tensor) -> TokenNumbers:
    """Returns the numbers of `tokens` [n] from the log-probabilities [n, V] of the steps that made them."""
    chosen = logs.gather(1, tokens[:, None])
    top = logs.topk(TOP, dim=-1).values
    return TokenNumbers(
        -chosen[:, 0].numpy(),
        ((logs > chosen).sum(-1) + 1).numpy().astype(np.int32),
        -(logs.exp() * logs).sum(-1).numpy(),
        (top[:, 0] - top[:, 1]).numpy(),
        top.numpy(),
    )


def greedy(
    model: Any, prompts: Sequence[Sequence[int]], names: Sequence[int], stops: frozenset[int], most: int
) -> list[GreedyAnswer]:
    """Answers prompts of one length greedily.

    Args:
        model: a causal language model in evaluation mode, on the processor.
        prompts: token ids, all equally many.
        names: for each prompt the index of the token whose state is kept as `name`.
        stops: tokens that end an answer.
        most: most tokens of an answer.
    """
    chosen_depths = depths(model.config.get_text_config().num_hidden_layers)
    rows = list(range(len(prompts)))
    ids: list[list[int]] = [[] for _ in prompts]
    ends: list[int | None] = [None] * len(prompts)
    kept = [list[TokenNumbers]() for _ in prompts]
    with quick(model):
        body = model.model if hasattr(model, "model") else model.get_decoder()
        out = body(input_ids=torch.tensor([list(p) for p in prompts]), use_cache=True, output_hidden_states=True)
        prompt_states = _kept([state[:, -1] for state in out.hidden_states])
        own = torch.arange(len(rows)), torch.tensor(names)
        name = _kept([out.hidden_states[depth][own] for depth in chosen_depths]).swapaxes(0, 1)
        places = np.stack([name, *[prompt_states[chosen_depths].swapaxes(0, 1)] * 2], 1)
        for step in range(most):
            logs = log_probabilities(model, out.last_hidden_state[:, -1])
            token = logs.argmax(-1)
            numbers = numbers_of(logs, token)
            for place, row in enumerate(rows):
                kept[row].append(_one(numbers, place))
                if int(token[place]) in stops:
                    ends[row] = int(token[place])
                else:
                    ids[row].append(int(token[place]))
            going = [place for place, row in enumerate(rows) if ends[row] is None]
            if not going or step + 1 == most:
                break
            if len(going) < len(rows):
                out.past_key_values.batch_select_indices(torch.tensor(going))
            rows = [rows[place] for place in going]
            out = body(
                input_ids=token[going][:, None],
                past_key_values=out.past_key_values,
                use_cache=True,
                output_hidden_states=True,
            )
            new = _kept([out.hidden_states[depth][:, -1] for depth in chosen_depths]).swapaxes(0, 1)
            for place, row in enumerate(rows):
                places[row, 2] = new[place]
                if step == 0:
                    places[row, 1] = new[place]
    return [
        GreedyAnswer(ids[row], ends[row], _joined(kept[row]), prompt_states[:, row], places[row])
        for row in range(len(prompts))
    ]


def read(model: Any, prompts: Sequence[Sequence[int]], answers: Sequence[Sequence[int]]) -> list[TokenNumbers]:
    """Returns what another model says of the same tokens, for example the one before the training.

    Args:
        model: a causal language model in evaluation mode, on the processor.
        prompts: token ids of each prompt.
        answers: token ids of each answer, at least one, with the token that ended it.
    """
    whole = [[*given, *own] for given, own in zip(prompts, answers, strict=True)]
    ids = torch.zeros((len(whole), max(map(len, whole))), dtype=torch.long)
    for row, both in enumerate(whole):
        ids[row, : len(both)] = torch.tensor(both)  # nothing looks ahead, so what is behind the end changes nothing
    with quick(model):
        body = model.model if hasattr(model, "model") else model.get_decoder()
        hidden = body(input_ids=ids, use_cache=False).last_hidden_state
        leads = torch.cat([hidden[row, len(given) - 1 : len(whole[row]) - 1] for row, given in enumerate(prompts)])
        tokens = torch.tensor([token for own in answers for token in own])
        pairs = zip(leads.split(HEAD_ROWS), tokens.split(HEAD_ROWS), strict=True)
        numbers = _joined([numbers_of(log_probabilities(model, some), own) for some, own in pairs])
    out, at = [], 0
    for own in answers:
        out.append(_slice(numbers, at, at + len(own)))
        at += len(own)
    return out


def _kept(states: Sequence[Tensor]) -> NDArray[np.float16]:
    kept: NDArray[np.float16] = (torch.stack([state.float() for state in states]) / STATE_UNIT).half().numpy()
    return kept


def _slice(numbers: TokenNumbers, first: int, last: int) -> TokenNumbers:
    return TokenNumbers(
        numbers.surprisal[first:last],
        numbers.rank[first:last],
        numbers.entropy[first:last],
        numbers.margin[first:last],
        numbers.top[first:last],
    )


def _one(numbers: TokenNumbers, place: int) -> TokenNumbers:
    return _slice(numbers, place, place + 1)


def _joined(parts: Sequence[TokenNumbers]) -> TokenNumbers:
    return TokenNumbers(
        np.concatenate([p.surprisal for p in parts]),
        np.concatenate([p.rank for p in parts]),
        np.concatenate([p.entropy for p in parts]),
        np.concatenate([p.margin for p in parts]),
        np.concatenate([p.top for p in parts]),
    )
