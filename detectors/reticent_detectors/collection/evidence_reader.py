"""Gathers the baselines' evidence of spans from a host: reads each answer once, and samples and differentiates some."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from reticent_detectors.baselines.evidence import ACTIVATION, PREFIX, STATE, EvidenceSpec, padded
from reticent_detectors.baselines.gradient_norm import ORDERS, gradient_norms
from reticent_detectors.baselines.sar import sentence_similarity, token_relevance, token_sar
from reticent_detectors.baselines.self_check import most_alike
from reticent_detectors.baselines.zlib_ratio import compressed_bytes
from reticent_detectors.capture import SpanStates
from reticent_detectors.collection.reader import FoundSpan, Reader
from reticent_detectors.features.cue import normalize
from reticent_detectors.host.answers import Answer, answer_all
from reticent_detectors.synth.prompts import Prompt

Arrays = dict[str, NDArray[np.float32]]
ACTIVATIONS = ("act_fn", "activation_fn", "act")
"""Names in transformers for a layer's activation function."""
LARGEST_HALF = 65504.0


class EvidenceReader:
    """Reads the evidence of one host's spans. `control` may be None. `evidence` describes the arrays."""

    def __init__(self, reader: Reader, control: Reader | None, tokenizer: Any, spec: EvidenceSpec) -> None:
        self.spec = spec
        self._reader, self._control, self._tokenizer = reader, control, tokenizer
        adapter = reader.adapter
        self._layers = spec.layers(adapter.num_layers)
        self._embedding = adapter.input_embedding.float().cpu().numpy()
        self._activations = [m for layer in adapter.layers if (m := _activation(layer)) is not None]
        if len(self._activations) != adapter.num_layers:
            self._activations = []  # Factoscope needs one activation function in every layer

    def read(
        self,
        prompts: Sequence[Prompt],
        answers: Sequence[Answer],
        spans: Sequence[tuple[FoundSpan, range]],
        drawn: Sequence[bool],
        seed: int,
    ) -> Arrays:
        """Returns the evidence [S, ...] of spans in answers, each given with its tokens.

        `drawn` marks the spans that are sampled and differentiated.
        """
        rows: list[dict[str, Any]] = [{} for _ in spans]
        # A token is appended, because a position is read only if a token follows it.
        longer = [Answer(a.prompt_ids, (*a.ids, 0), a.ended) for a in answers]
        wanted = [(span.row, range(tokens.start, tokens.stop + 1)) for span, tokens in spans]
        kept: list[Tensor] = []
        hooks = [m.register_forward_hook(lambda _m, _i, out: kept.append(out.detach())) for m in self._activations]
        try:
            for batch in self._reader.batches(longer, wanted):
                kept.clear()
                read = self._reader.taps.read(batch.ids, batch.mask, batch.gather)
                ranks = self._ranks(read)
                for at, index in enumerate(batch.order):
                    row, positions = batch.gather[at]
                    rows[index] = self._numbers(read[at]) | self._states(read[at])
                    rows[index][f"{PREFIX}rank"] = ranks[at]
                    if kept:
                        maps = torch.stack([layer[row, positions[0]] for layer in kept]).float().cpu().numpy()
                        step = -(-maps.shape[1] // self.spec.neurons)
                        rows[index][ACTIVATION] = maps[:, ::step].clip(-LARGEST_HALF, LARGEST_HALF)
        finally:
            for hook in hooks:
                hook.remove()
        if self._control is not None:
            for index, states in self._control.read(answers, [(span.row, tokens) for span, tokens in spans]):
                control = states.probability.double().clamp_min(1e-30).log().cpu().numpy()
                rows[index][f"{PREFIX}control"] = padded(control, self.spec.max_tokens)
        for (span, tokens), mine in zip(spans, rows, strict=True):
            ids = answers[span.row].ids[tokens.start : tokens.stop]
            vectors = self._embedding[list(ids)]
            relevance = token_relevance(self._embedding[list(answers[span.row].prompt_ids)], vectors)
            mine[f"{PREFIX}relevance"] = padded(relevance, self.spec.max_tokens)
            mine[f"{PREFIX}zlib"] = [compressed_bytes(self._tokenizer.decode(ids).strip())]
        self._dear(prompts, answers, spans, drawn, rows, seed)
        return {name: np.stack([np.asarray(row[name], np.float32) for row in rows]) for name in rows[0]} if rows else {}

    def _numbers(self, states: SpanStates) -> dict[str, Any]:
        """Returns the tokens' log-probabilities, and mean and deviation of the log-probability at their places."""
        length = self.spec.max_tokens
        hidden, ids = states.hidden[:-1][:length, -1], states.ids[:-1][:length]
        logits = self._reader.adapter.logits(hidden)[:, : self._reader.adapter.vocabulary]
        logp = logits.double().log_softmax(1)
        own = logp.gather(1, ids.to(logp.device).long().unsqueeze(1)).squeeze(1)
        p = logp.exp()
        mean = (p * logp).sum(1)
        deviation = ((p * logp.square()).sum(1) - mean.square()).clamp_min(0).sqrt()
        return {
            f"{PREFIX}logprob": padded(own.cpu().numpy(), length),
            f"{PREFIX}mean": padded(mean.cpu().numpy(), length),
            f"{PREFIX}deviation": padded(deviation.cpu().numpy(), length),
        }

    def _states(self, states: SpanStates) -> dict[str, Any]:
        """Returns the states at the span's own tokens, each one position behind the one that produced the token."""
        hidden = states.hidden[1:]
        places = torch.from_numpy(self.spec.places(len(hidden)))
        out = {}
        for layer in self._layers:
            array = np.zeros((self.spec.state_tokens, hidden.shape[-1]), np.float32)
            array[: len(places)] = hidden[places, layer].float().cpu().numpy().clip(-LARGEST_HALF, LARGEST_HALF)
            out[f"{STATE}{layer}"] = array
        return out

    def _ranks(self, read: Sequence[SpanStates]) -> NDArray[np.float32]:
        """Returns the ranks [spans, L] of the first tokens."""
        layers = self._reader.adapter.num_layers
        first = torch.cat([states.hidden[0] for states in read])
        chosen = torch.stack([states.ids[0] for states in read]).repeat_interleave(layers)
        rank = self._reader.adapter.lens(first, 1, chosen).chosen_rank
        assert rank is not None
        return rank.reshape(-1, layers).float().cpu().numpy()

    def _dear(
        self,
        prompts: Sequence[Prompt],
        answers: Sequence[Answer],
        spans: Sequence[tuple[FoundSpan, range]],
        drawn: Sequence[bool],
        rows: Sequence[dict[str, Any]],
        seed: int,
    ) -> None:
        """Enters gradients and samples' evidence into the drawn rows, and zeros into the others."""
        count = self.spec.samples
        for row, mine in zip(rows, drawn, strict=True):
            row[f"{PREFIX}drawn"] = [float(mine)]
            row[f"{PREFIX}gradient"] = np.zeros(len(ORDERS))
            row[f"{PREFIX}agreement"] = np.zeros(count)
            row[f"{PREFIX}token_sar"] = np.zeros(count + 1)
            row[f"{PREFIX}similarity"] = np.zeros((count + 1, count + 1))
        numbers = [index for index, mine in enumerate(drawn) if mine]
        if not numbers:
            return
        vectors = {index: np.zeros((count + 1, self._embedding.shape[1])) for index in numbers}
        for index in numbers:
            row, (span, tokens) = rows[index], spans[index]
            answer, length = answers[span.row], np.array([len(tokens)])
            ids = [*answer.prompt_ids, *answer.ids[: tokens.stop]]
            row[f"{PREFIX}gradient"] = gradient_norms(
                self._reader.adapter.model, ids, len(answer.prompt_ids) + tokens.start
            )
            own = token_sar(row[f"{PREFIX}logprob"][None], row[f"{PREFIX}relevance"][None], length)
            row[f"{PREFIX}token_sar"][0] = own[0]
            vectors[index][0] = self._mean_vector(answer, tokens)
        sampled, values_by_sample = self._samples(prompts, spans, numbers, seed)
        scores = self._token_sar(sampled, [found for found, _ in values_by_sample.values()])
        for ((index, sample), (found, alike)), score in zip(values_by_sample.items(), scores, strict=True):
            rows[index][f"{PREFIX}agreement"][sample] = alike
            rows[index][f"{PREFIX}token_sar"][sample + 1] = score
            vectors[index][sample + 1] = self._mean_vector(sampled[found.row], found.tokens)
        for index in numbers:
            rows[index][f"{PREFIX}similarity"] = sentence_similarity(vectors[index])

    def _samples(
        self, prompts: Sequence[Prompt], spans: Sequence[tuple[FoundSpan, range]], numbers: Sequence[int], seed: int
    ) -> tuple[list[Answer], dict[tuple[int, int], tuple[FoundSpan, float]]]:
        """Samples answers.

        Returns them, and by (span, sample) the most similar value of that kind and its similarity.
        """
        count = self.spec.samples
        rows_to_repeat = sorted({spans[index][0].row for index in numbers})
        repeated = [prompts[row] for row in rows_to_repeat for _ in range(count)]
        sampled = answer_all(self._reader.adapter.model, self._tokenizer, repeated, temperature=1.0, seed=seed)
        given: dict[tuple[int, str], list[FoundSpan]] = {}
        for found in self._reader.spans(repeated, sampled):
            given.setdefault((found.row, found.span.entity), []).append(found)
        values_by_sample = {}
        for index in numbers:
            span, entity = spans[index][0], spans[index][0].span.entity
            first = rows_to_repeat.index(span.row) * count
            for sample in range(count):
                if rivals := given.get((first + sample, entity)):
                    values = [normalize(rival.value, entity) for rival in rivals]
                    best, alike = most_alike(normalize(span.value, entity), values)
                    values_by_sample[index, sample] = rivals[best], alike
        return sampled, values_by_sample

    def _mean_vector(self, answer: Answer, tokens: range) -> NDArray[np.float32]:
        mean: NDArray[np.float32] = self._embedding[list(answer.ids[tokens.start : tokens.stop])].mean(0)
        return mean

    def _token_sar(self, sampled: Sequence[Answer], chosen: Sequence[FoundSpan]) -> list[float]:
        scores = [0.0] * len(chosen)
        for index, states in self._reader.read(sampled, [(found.row, found.tokens) for found in chosen]):
            logprob = states.probability.double().clamp_min(1e-30).log().cpu().numpy()
            prompt = self._embedding[list(sampled[chosen[index].row].prompt_ids)]
            relevance = token_relevance(prompt, self._embedding[states.ids.cpu().numpy()])
            scores[index] = float(token_sar(logprob[None], relevance[None], np.array([len(logprob)]))[0])
        return scores


def _activation(layer: nn.Module) -> nn.Module | None:
    """Returns the one activation function of a decoder layer; None if there are several, or none with a known name."""
    found = [module for name, module in layer.named_modules() if name.rpartition(".")[2] in ACTIVATIONS]
    return found[0] if len(found) == 1 else None
