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
            and the last one after the final norm. In float16.
        place_states: [places, DEPTHS, d] float16. Of an empty answer they are the prompt's last token's.
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


def numbers_of(model: Any, hidden: Tensor, tokens: Tensor) -> TokenNumbers:
    """Returns what the head says of `tokens` [n], each of which `hidden` [n, d], behind the final norm, leads to.

    Raises UnsupportedHost for a model that caps its logits.
    """
    if getattr(model.config.get_text_config(), "final_logit_softcapping", None):
        raise UnsupportedHost("This measurement reads the head without a cap, and the model caps its logits.")
    head, parts = model.get_output_embeddings(), list[tuple[Tensor, ...]]()
    with torch.autocast("cpu", enabled=False):
        for some, own in zip(hidden.float().split(HEAD_ROWS), tokens.split(HEAD_ROWS), strict=True):
            logs = head(some).float().log_softmax(-1)
            chosen = logs.gather(1, own[:, None])
            top = logs.topk(TOP, dim=-1).values
            rank = (logs > chosen).sum(-1) + 1
            parts.append((-chosen[:, 0], rank, -(logs.exp() * logs).sum(-1), top[:, 0] - top[:, 1], top))
    surprisal, rank, entropy, margin, top = (torch.cat(each) for each in zip(*parts, strict=True))
    return TokenNumbers(
        surprisal.numpy(), rank.numpy().astype(np.int32), entropy.numpy(), margin.numpy(), top.numpy().copy()
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
    head = model.get_output_embeddings()
    rows = list(range(len(prompts)))
    ids: list[list[int]] = [[] for _ in prompts]
    ends: list[int | None] = [None] * len(prompts)
    kept = [list[TokenNumbers]() for _ in prompts]
    with quick(model):
        body = model.model if hasattr(model, "model") else model.get_decoder()
        out = body(input_ids=torch.tensor([list(p) for p in prompts]), use_cache=True, output_hidden_states=True)
        states = _states(out)
        prompt_states = states[:, :, -1].half().numpy()
        at = torch.tensor(names)
        name = states[chosen_depths][:, torch.arange(len(rows)), at].transpose(0, 1).half().numpy()
        places = np.stack([name, *[prompt_states[chosen_depths].swapaxes(0, 1)] * 2], 1)
        for step in range(most):
            last = out.last_hidden_state[:, -1].float()
            with torch.autocast("cpu", enabled=False):
                token = torch.cat([head(part).argmax(-1) for part in last.split(HEAD_ROWS)])
            numbers = numbers_of(model, last, token)
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
            new = _states(out)[chosen_depths][:, :, -1].transpose(0, 1).half().numpy()
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
    for row, tokens in enumerate(whole):
        ids[row, : len(tokens)] = torch.tensor(tokens)  # nothing looks ahead, so what is behind the end changes nothing
    with quick(model):
        body = model.model if hasattr(model, "model") else model.get_decoder()
        hidden = body(input_ids=ids, use_cache=False).last_hidden_state
        leads = torch.cat([hidden[row, len(given) - 1 : len(whole[row]) - 1] for row, given in enumerate(prompts)])
        numbers = numbers_of(model, leads, torch.tensor([token for own in answers for token in own]))
    out, at = [], 0
    for own in answers:
        out.append(_slice(numbers, at, at + len(own)))
        at += len(own)
    return out


def _states(out: Any) -> Tensor:
    """Returns all hidden states [L + 1, rows, n, d]."""
    return torch.stack([state.float() for state in out.hidden_states])


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
