"""A worker of vLLM that keeps the hidden states of all layers for the guard in vLLM's API process.

    vllm serve MODEL --worker-cls reticent.integrations.vllm_worker.GuardWorker \\
        --middleware reticent.integrations.vllm.GuardMiddleware

On a GPU set VLLM_USE_V2_MODEL_RUNNER=0, and `--compilation-config '{"cudagraph_mode": "PIECEWISE"}'` (untested there).

It is needed for bundles that read hidden states. The states are those that vLLM itself gives to speculative decoding
(`aux_hidden_states`), so models without that interface are refused, and nothing is hooked into a compiled graph. What
runs and what is refused is said in `reticent.integrations.vllm`.

`RETICENT_STATE_ROWS` is the number of tokens of each answer whose states are kept, 128 unless it is set. Each takes
layers x width numbers in the model's precision, for twice as many answers as vLLM runs at a time. The memory is taken
at the start, so that vLLM plans with the rest.

`QuestionWorker` is for bundles of log-probabilities. It keeps nothing of answers, and the last layer of the guard's own
questions, for 64 tokens of at most 256 of them. With either worker one question tells how likely a whole value is under
the base. Without one, each of its tokens is a question. A question's argument (`vllm_xargs`) says how many rows at its
end are kept. The argument's name is drawn at the start, so that no client knows it.
"""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from vllm.distributed import get_tensor_model_parallel_rank, tensor_model_parallel_all_gather
from vllm.model_executor.models.interfaces import supports_eagle3
from vllm.platforms import current_platform
from vllm.tokenizers import cached_tokenizer_from_config

from reticent.core.failure_log import describe_error
from reticent.integrations.vllm_rows import ROWS, EngineLens, KeptRows, ScheduledRequest
from reticent.serve.judging.served_base import MOST_TOKENS
from reticent_detectors.capture.host_parts import vocabulary_size
from reticent_detectors.errors import InputError, UnsupportedHost

if current_platform.is_cpu():
    from vllm.v1.worker.cpu_worker import CPUWorker as _Worker
else:
    from vllm.v1.worker.gpu_worker import Worker as _Worker

STATE_ROWS = "RETICENT_STATE_ROWS"
"""Environment variable with the number of tokens of each answer whose states are kept."""
_LOGGER = logging.getLogger(__name__)
_RUNNER = "vllm.v1.worker.gpu_model_runner"
_LEAST_QUESTIONS, _MOST_QUESTIONS = 32, 256
"""Questions, running or ended, whose states are kept. One value may have 16, under as many names."""


class GuardWorker(_Worker):
    """Keeps the states of the last tokens of all answers and questions. The guard asks it by `collective_rpc`."""

    keeps_answers = True
    """Whether states of answers are kept, of all layers, or those of the guard's questions alone, of the last layer."""

    def load_model(self, *arguments: Any, **options: Any) -> None:
        """Loads the model, and has it give the states of all layers, or of the last.

        Raises:
            UnsupportedHost: the states of this model, or with these options, would not be the right ones.
            InputError: `RETICENT_STATE_ROWS` is no number from 1 on.
        """
        config, rows = self.vllm_config, _state_rows()
        if isinstance(config.additional_config, dict):  # or a graph compiled without the states would be taken
            kept = "all" if self.keeps_answers else "last"
            config.additional_config = {**config.additional_config, "reticent_states": kept}
        super().load_model(*arguments, **options)
        self._check()
        runner = self.model_runner
        model = runner.get_model()
        inner = _inner(model)
        self._lens = _lens_of(model, inner, config)
        self._in_step, self._keeps, self._failures = False, not get_tensor_model_parallel_rank(), 0
        self._mark = f"reticent_{secrets.token_hex(8)}"
        layers = tuple(range(1, len(inner.layers) + 1)) if self.keeps_answers else (len(inner.layers),)
        if self._keeps:
            head = self._lens.head
            shape = (len(layers), head.shape[1], head.dtype, head.device)
            # Questions have memory of their own, so that they push out no answer, nor answers them.
            most = min(max(2 * config.scheduler_config.max_num_seqs, _LEAST_QUESTIONS), _MOST_QUESTIONS)
            self._questions = KeptRows(most, min(rows, MOST_TOKENS), *shape)
            self._answers = self._memory(rows, *shape) if self.keeps_answers else None
        model.set_aux_hidden_state_layers(layers)
        runner.use_aux_hidden_state_outputs = True
        model.register_forward_hook(self._hook)

    def _memory(self, rows: int, layers: int, width: int, dtype: torch.dtype, device: torch.device) -> KeptRows:
        """Takes the memory for the states of running answers and of as many that ended."""
        return KeptRows(2 * self.vllm_config.scheduler_config.max_num_seqs, rows, layers, width, dtype, device)

    @property
    def _kept(self) -> tuple[KeptRows, ...]:
        """Gives what keeps states: of questions, and of answers."""
        return (self._questions,) if self._answers is None else (self._questions, self._answers)

    def _check(self) -> None:
        config, runner = self.vllm_config, self.model_runner
        model = runner.get_model()
        if config.parallel_config.pipeline_parallel_size > 1:
            raise UnsupportedHost("The guard's worker does not run with pipeline parallelism. Use tensor parallelism.")
        if config.parallel_config.use_ubatching:
            raise UnsupportedHost("The guard's worker does not run with microbatches. Leave them out.")
        if config.speculative_config is not None:
            raise UnsupportedHost("The guard's worker does not run with speculative decoding. Leave it out.")
        if config.cache_config.kv_sharing_fast_prefill:
            raise UnsupportedHost("The guard's worker does not run with --kv-sharing-fast-prefill. Leave it out.")
        if not any(each.__module__ == _RUNNER for each in type(runner).__mro__):
            raise UnsupportedHost("The guard's worker needs vLLM's first model runner: set VLLM_USE_V2_MODEL_RUNNER=0.")
        if config.compilation_config.cudagraph_mode.has_full_cudagraphs() and not current_platform.is_cpu():
            raise UnsupportedHost("The guard's worker sees no step of a full CUDA graph: set cudagraph_mode PIECEWISE.")
        if not supports_eagle3(model):
            raise UnsupportedHost(
                f"vLLM's {type(model).__name__} does not give the states of its layers. "
                "Use a bundle of tier logprobs, or 'reticent serve --shadow'."
            )

    def execute_model(self, scheduler_output: Any) -> Any:
        """Runs one step, and keeps its states."""
        if self._keeps:
            for kept in self._kept:
                kept.end(scheduler_output.finished_req_ids)
        self._in_step = True
        try:
            return super().execute_model(scheduler_output)
        finally:
            self._in_step = False

    def _hook(self, model: nn.Module, arguments: Any, output: tuple[Tensor, list[Tensor]]) -> None:
        """Takes the output of a forward pass, but for those that warm up. It never raises: rows are missing then."""
        if not (self._in_step and self._keeps):
            return
        scheduled = list[ScheduledRequest]()
        try:
            scheduled += self._scheduled()
            if scheduled:
                self._take(output[1], scheduled)
        except Exception as error:
            for kept in self._kept:
                kept.forget([each.name for each in scheduled] or kept.names)
            self._failures += 1
            if self._failures == 1:
                _LOGGER.warning("the states of a step are lost, and its values unknown: %s", describe_error(error))

    def _take(self, layers: list[Tensor], scheduled: list[ScheduledRequest]) -> None:
        """Keeps the states of a step."""
        for kept, asks in zip(self._kept, (True, False), strict=False):
            if batch := [each for each in scheduled if each.asks is asks]:
                kept.take(layers, batch)

    def _scheduled(self) -> Iterator[ScheduledRequest]:
        """Yields the requests of this step whose states are kept, with their rows."""
        runner = self.model_runner
        batch = runner.input_batch
        starts = runner.query_start_loc.np
        for at in range(batch.num_reqs):
            name = batch.req_ids[at]
            sampling = runner.requests[name].sampling_params
            if sampling is None:
                continue
            rows = (sampling.extra_args or {}).get(self._mark)
            if rows is None and not (self.keeps_answers and sampling.allowed_token_ids is None):
                continue
            computed, prompt = int(batch.num_computed_tokens_cpu[at]), int(batch.num_prompt_tokens[at])
            # The state at a question's place 0 is the one that the value's first token is drawn from.
            first = prompt if rows is None else prompt - int(rows) + 1
            yield ScheduledRequest(name, int(starts[at]), int(starts[at + 1]), computed, first, rows is not None)

    def reticent_about(self) -> dict[str, Any]:
        """Says whether states of answers are kept, and the name of a question's argument."""
        return {"keeps_answers": self.keeps_answers, "mark": self._mark}

    def reticent_log_probabilities(
        self, answers: Sequence[Sequence[Any]], ids: Sequence[int]
    ) -> list[dict[str, Any] | None]:
        """Gives how likely a value is that each of some questions ends with (`EngineLens.log_probabilities`).

        None for a question whose states are not kept, for all on another rank, and if an adapter changes the head. It
        never raises, as below.

        Args:
            answers: of which questions (`KeptRows.find`).
            ids: the value's tokens.
        """

        def make(states: Tensor) -> dict[str, Any] | None:
            adapted = getattr(self.model_runner.get_model().logits_processor, "lora_a_stacked", None)
            is_adapted = adapted is not None and bool(adapted.any())
            return None if is_adapted else self._lens.log_probabilities(states, ids)

        return [self._of(answer, range(len(ids)), make) for answer in answers]

    def reticent_features(
        self,
        answer: Sequence[Any],
        places: Sequence[int],
        ids: Sequence[int],
        options: dict[str, Any],
        wanted: Sequence[str],
    ) -> dict[str, Any] | None:
        """Gives the features of a value (`EngineLens.features`).

        None if its states are not kept, or on another rank. It never raises, as that would leave the answers of other
        ranks unread: `fault` names the error.

        Args:
            answer: of which answer (`KeptRows.find`).
            places: places of the value's tokens in the answer.
            ids: these tokens.
            options, wanted: the bundle's.
        """
        return self._of(answer, places, lambda states: self._lens.features(states, ids, options, wanted))

    def reticent_behaviour(self, answer: Sequence[Any]) -> dict[str, Any] | None:
        """Gives how the model behaves at the end of an answer's prompt (`EngineLens.behaviour`), as above."""
        return self._of(answer, [0], lambda states: self._lens.behaviour(states[0]))

    def _of(
        self, answer: Sequence[Any], places: Sequence[int], make: Callable[[Tensor], dict[str, Any] | None]
    ) -> dict[str, Any] | None:
        """Gives what is made of the states of an answer."""
        if not self._keeps:
            return None
        try:
            for kept in self._kept:
                if (name := kept.find(*answer)) is not None:
                    states = kept.states(name, places)
                    return None if states is None else make(states)
            return None
        except Exception as error:
            return {"fault": type(error).__name__}


class QuestionWorker(GuardWorker):
    """Keeps the last states of the guard's own questions, for bundles of tier `logprobs`."""

    keeps_answers = False


def _state_rows() -> int:
    """Gives how many tokens of each answer are kept. Raises InputError."""
    given = os.environ.get(STATE_ROWS, str(ROWS))
    if not given.isdecimal() or not int(given):
        raise InputError(f"{STATE_ROWS} must be a number from 1 on.")
    return int(given)


def _inner(model: Any) -> Any:
    """Gives the module with the layers and the last norm. Raises UnsupportedHost."""
    holder = model.get_language_model() if hasattr(model, "get_language_model") else model
    inner = getattr(holder, "model", holder)
    if not all(hasattr(inner, name) for name in ("layers", "norm", "embed_tokens")):
        raise UnsupportedHost(f"vLLM's {type(model).__name__} has its layers or its last norm in an unknown place.")
    return inner


def _lens_of(model: Any, inner: Any, config: Any) -> EngineLens:
    """Makes the lens of a model, with the whole head and embedding on each rank. Raises UnsupportedHost."""
    head, embedding = _plain(model.lm_head), _plain(inner.embed_tokens)
    processor = _plain(model.logits_processor)
    for module in (head, embedding):
        if not module.weight.is_floating_point() or module.weight.shape[1] != config.model_config.get_hidden_size():
            raise UnsupportedHost("The head or the embedding is quantised, and so its rows cannot be read.")
    vocabulary = vocabulary_size(cached_tokenizer_from_config(config.model_config), processor.org_vocab_size)
    return EngineLens(
        inner.norm,
        tensor_model_parallel_all_gather(head.weight.data, 0)[:vocabulary],
        tensor_model_parallel_all_gather(embedding.weight.data, 0)[:vocabulary],
        len(inner.layers),
        float(processor.scale),
        processor.soft_cap,
    )


def _plain(module: Any) -> Any:
    """Gives the module below a layer of LoRA."""
    return getattr(module, "base_layer", module)
