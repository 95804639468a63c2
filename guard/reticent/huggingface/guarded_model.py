"""Puts a guard around a transformers model: `generate`, `chat`, `stream` and `inspect`.

Greedy decoding and sampling are guarded token by token, in batches as well. Beams and assisted decoding are read again
afterwards. An option that is not supported is refused with an error that names it, never run unguarded. State belongs
to the call, so several threads may use one guarded model at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import torch
from torch import Tensor

from reticent.core.failure_log import log_failures
from reticent.huggingface.answer import Answer
from reticent.huggingface.answer_session import AnswerSession
from reticent.huggingface.batch_scoring import StateSource
from reticent.huggingface.call_options import CallOptions, TextSink, Trial, released_text_sink
from reticent.huggingface.call_sessions import finish_sessions, notify_observers, start_sessions, with_spans
from reticent.huggingface.decoding import AbandonedCriteria, Decoder, reset_cache
from reticent.huggingface.generate_output import check_judged, make_output
from reticent.huggingface.model_call_context import ModelCallContext
from reticent.huggingface.prompt_ids import answer_ids, checked_ids, encoded_chat, mask_of
from reticent.huggingface.reread_answers import RereadStates, judge_sequences, reread_answers
from reticent.huggingface.supported_decoding import check_supported, needs_rereading, setting
from reticent.huggingface.text_stream import StreamSink, TextStream
from reticent.huggingface.wrapped_model import WrappingGuard
from reticent.observability.answer_spans import open_spans
from reticent.observability.observers import Observer, Route
from reticent.policy.options import Stage
from reticent.policy.policy import Policy
from reticent.prompt.segments import PromptView, Segment, from_ids, from_messages, from_rows
from reticent_detectors.alignment import text_ids
from reticent_detectors.capture import HostAdapter, Taps
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import reads_inner
from reticent_detectors.features.name_swap import NameSwapper
from reticent_detectors.host.base_sources import base_of
from reticent_detectors.inferable import OTHER_NAMES
from reticent_detectors.scoring.host_probe import HostProbe
from reticent_detectors.scoring.state_scorer import StateScorer

_DELEGATED = frozenset(
    ("can_generate", "config", "device", "dtype", "generation_config", "hf_device_map", "input_modalities",
     "main_input_name", "name_or_path", "output_modalities")
)  # fmt: skip
"""Attributes of the model that pipelines ask for, and that may be read through the guard. None of them generates."""


class GuardedModel:
    """Passes a model's answers through the guard. `Guard.wrap` makes it.

    The model itself stays as it was: used directly, it answers unguarded. As a context manager it closes itself.
    `transformers.pipeline("text-generation", model=guarded, tokenizer=tokenizer)` works as around the model. `adapter`,
    `base`, `taps`, `probe`, `score`, `rename` and `inspect_ids` are the guard's own: they may change in any version.
    """

    def __init__(
        self,
        guard: WrappingGuard,
        model: Any,
        tokenizer: Any,
        overlap: bool = False,
        base: str | os.PathLike[str] | None = None,
    ) -> None:
        self.model, self.tokenizer, self.guard, self.overlap = model, tokenizer, guard, overlap
        self.adapter = HostAdapter.attach(model, tokenizer)
        self.base = base_of(base, model, self.adapter, tokenizer)
        guard.bundle.check_fit(self.adapter, tokenizer)
        guard.bundle.warn_if_universal()
        guard.finder(guard.policy).warm()
        self.probe = HostProbe.of(guard.bundle, self.adapter)
        self.taps = Taps(self.adapter, reads_inner(guard.scorer.shapes), self.probe.layers if self.probe else ())
        self.score = StateScorer(guard.bundle, guard.scorer, self.adapter, self.taps, tokenizer)
        self.rename = NameSwapper(tokenizer, OTHER_NAMES, self.adapter.context)
        with log_failures(Stage.JUDGE):
            self.score.warm()
        inner = self.adapter.model
        self._parts = (inner, getattr(inner, "base_model", inner), *self.adapter.layers)

    def __repr__(self) -> str:
        return f"GuardedModel({type(self.model).__name__}, {self.guard!r})"

    def __getattr__(self, name: str) -> Any:
        if name in _DELEGATED:
            return getattr(self.model, name)
        raise AttributeError(
            f"GuardedModel has no attribute {name!r}. What the guard does not cover is reached at .model, unguarded."
        )

    def close(self) -> None:
        """Takes all hooks off the model, and frees its base."""
        self.taps.remove()
        self.base = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def generate(
        self,
        inputs: Tensor | None = None,
        *,
        segments: Sequence[Segment] | Sequence[Sequence[Segment]] | None = None,
        streamer: TextSink | None = None,
        policy: Policy | None = None,
        conversation: str | None = None,
        on_answer: Callable[[Answer], None] | None = None,
        **options: Any,
    ) -> Any:
        """Generates as `model.generate` does: prompt ids [B, N] in, prompt and answer ids [B, M] out.

        If nothing was withheld, what the model returned comes back unchanged. Otherwise changed rows hold the released
        text, encoded again. Other rows keep their ids, and all are padded on the right. An output object then keeps its
        `sequences` alone: scores, states and cache would give away what was withheld.

        Args:
            inputs: prompt ids [B, N] (or `input_ids=`). Pad on the left, and pass `attention_mask=` [B, N] then.
            segments: the authors of the prompt's parts, in order. A batch takes one list for each row. Without them the
                whole prompt is the user's. Each text must occur in its decoded prompt; white space does not count.
            streamer: a `TextStreamer`, or anything with `on_finalized_text`. It gets released text as it comes.
                One row only.
            policy: replaces the guard's policy for this call.
            conversation: names the conversation, so that hashes and surrogates stay the same over its calls.
            on_answer: called with each finished answer, in the order of the rows.
            options: everything else goes to the model's `generate`.

        Returns:
            Ids, or the output object that the options ask for.

        Raises:
            InputError: the prompt is empty or given twice, a segment is not in it, or an option cannot be guarded.
            WrongType: the prompt is no tensor of ids, or segments or policy are of another type.
            Blocked: the policy stopped an answer and asks for an error.
        """
        named = options.pop("input_ids", None)
        if inputs is not None and named is not None:
            raise InputError("The prompt was given twice, as the first argument and as input_ids; pass one of them.")
        ids = named if inputs is None else inputs
        if ids is None:
            check_supported(self.model, options)
        ids = checked_ids(ids, self.adapter.device)
        mask = mask_of(ids, options.get("attention_mask"), self.tokenizer)
        rows = [row[keep.bool()].tolist() for row, keep in zip(ids, mask, strict=True)]
        views = from_rows(self.tokenizer, rows, segments)
        call_options = CallOptions(streamer, self._policy(policy), conversation, on_answer, Route.GENERATE)
        return self._generate(ids, mask, views, call_options, options)

    def chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        streamer: TextSink | None = None,
        policy: Policy | None = None,
        conversation: str | None = None,
        continue_final_message: bool = False,
        **options: Any,
    ) -> Answer:
        """Answers a chat through the tokenizer's chat template.

        Roles say whose text is whose. What `user` turns hold may be repeated, and `assistant` turns are the model's.
        All other turns, such as `system`, are the operator's: their values may not be repeated.

        Args:
            messages: mappings with `role` and `content`, the newest last.
            streamer: gets released text as it comes, as in `generate`.
            policy: replaces the guard's policy for this call.
            conversation: names the conversation, so that hashes and surrogates stay the same over its calls.
            continue_final_message: goes on with a prefilled assistant turn.
            options: everything else goes to the model's `generate`.

        Raises:
            InputError: there are no messages, a content is no text, or more than one answer was asked for.
            WrongType: the messages are no list of mappings.
            Blocked: the policy stopped the answer and asks for an error.
        """
        copies = setting(self.model, options, "num_return_sequences") or 1
        if copies != 1:
            raise InputError(
                f"chat() returns one answer, but num_return_sequences is {copies}. "
                "Use generate() with chat_ids(messages) and on_answer, or pass num_return_sequences=1."
            )
        view = from_messages(messages, continues=continue_final_message)
        ids = self.chat_ids(messages, continue_final_message)
        return self.answers(
            [ids[0].tolist()], [view], streamer=streamer, policy=policy, conversation=conversation, **options
        )[0]

    def stream(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> TextStream:
        """Answers a chat piece by piece, for `for` and `async for`. Errors of `chat` are raised while it is read.

        Args:
            messages: as for `chat`.
            options: those of `chat`, except `streamer`.

        Returns:
            Released text as it comes. Its `answer` is there at the end.

        Raises:
            InputError: a streamer was given.
        """
        if options.get("streamer") is not None:
            raise InputError("stream() is its own streamer; leave streamer= out, or call chat().")
        criteria = list(options.pop("stopping_criteria", None) or [])

        def generate(sink: StreamSink, is_abandoned: Callable[[], bool]) -> Answer:
            abandoned = AbandonedCriteria(is_abandoned)
            stopping = [*criteria, abandoned]
            return abandoned.mark(self.chat(messages, streamer=sink, stopping_criteria=stopping, **options))

        return TextStream(generate)

    def answers(
        self,
        prompts: Sequence[Sequence[int]],
        views: Sequence[PromptView],
        *,
        streamer: TextSink | None = None,
        policy: Policy | None = None,
        conversation: str | None = None,
        route: Route = Route.CHAT,
        observers: tuple[Observer, ...] | None = None,
        apart: bool = False,
        trial: Trial | None = None,
        request_id: str | None = None,
        **options: Any,
    ) -> list[Answer]:
        """Answers prompts whose authors are known, with `num_return_sequences` answers for each.

        Args:
            prompts: ids of each prompt, without padding, as `chat_ids` and `text_ids` make them.
            views: what is known of each prompt.
            streamer, policy, conversation, options: as for `generate`.
            route: the way by which they were asked for, for the observers.
            observers: get the answers in place of the guard's own observers.
            apart: whether each prompt is a call of its own, whose stopped values stop no answer to another prompt.
            trial: another base for this call, and who takes what was measured of each value.
            request_id: names the call in logs and observations. None draws one.

        Raises:
            InputError: a prompt is empty, or the guard does not support an option.
            Blocked: the policy stopped an answer and asks for an error.
        """
        width = max(map(len, prompts))
        pad = self.tokenizer.pad_token_id or 0
        ids = torch.tensor([[pad] * (width - len(prompt)) + list(prompt) for prompt in prompts])
        mask = torch.tensor([[0] * (width - len(prompt)) + [1] * len(prompt) for prompt in prompts])
        answers: list[Answer] = []
        call_options = CallOptions(
            streamer, self._policy(policy), conversation, answers.append, route, observers, apart, trial, request_id
        )
        ids = checked_ids(ids, self.adapter.device)
        self._generate(ids, mask.to(ids.device), views, call_options, options)
        return answers

    def inspect(
        self,
        prompt: str | Sequence[Mapping[str, Any]],
        answer: str | Sequence[int],
        *,
        policy: Policy | None = None,
        ended: bool = True,
    ) -> Answer:
        """Reads a finished answer again in one forward pass, and gives the verdicts that streaming would.

        The whole answer is read, whatever the policy does after a redaction.

        Args:
            prompt: running text, or chat messages.
            answer: the answer's text, or its token ids. Ids are exact where a text has several tokenisations.
            policy: replaces the guard's policy for this call.
            ended: False if the answer was cut short, so that a value cut in two is judged as well.

        Raises:
            InputError: the prompt or the chat is empty.
            WrongType: the prompt is neither text nor messages, or the answer neither text nor ids.
            Blocked: the policy stops the answer and asks for an error.
        """
        if isinstance(prompt, str):
            ids = self.text_ids(prompt)
            view = from_ids(self.tokenizer, ids[0].tolist())
        else:
            view, ids = from_messages(prompt), self.chat_ids(prompt)
        tokens = answer_ids(answer, self.tokenizer)
        return self.inspect_ids([(ids[0].tolist(), tokens, view, ended)], policy=policy)[0]

    def inspect_ids(
        self, items: Sequence[tuple[Sequence[int], Sequence[int], PromptView, bool]], *, policy: Policy | None = None
    ) -> list[Answer]:
        """Does what `inspect` does for many answers in one forward pass: (prompt ids, answer ids, view, ended) each.

        If the pass fails, observers get every answer as failed.
        """
        sessions = []
        for number, (prompt, _, view, _) in enumerate(items):
            sessions.append(
                AnswerSession(ModelCallContext(self.guard, self, self._policy(policy), False), view, prompt, number)
            )
        answers, ended = [list(answer) for _, answer, _, _ in items], [ended for _, _, _, ended in items]
        observers = (*self.guard.observers, *open_spans())
        try:
            reread_answers(self, sessions, answers, ended)
        except BaseException:
            for session in sessions:
                notify_observers(self, session, Route.INSPECT, False, failed=True, observers=observers)
            raise
        for session in sessions:
            notify_observers(self, session, Route.INSPECT, False, observers=observers)
        return [session.answer() for session in sessions]

    def text_ids(self, prompt: str) -> Tensor:
        """Encodes running text as ids [1, N], with the beginning that the model was trained to see.

        Raises:
            InputError: the text is empty.
        """
        return checked_ids(torch.tensor([text_ids(self.tokenizer, prompt)], dtype=torch.long), self.adapter.device)

    def chat_ids(self, messages: Sequence[Mapping[str, Any]], continues: bool = False) -> Tensor:
        """Encodes a chat as ids [1, N] by the tokenizer's template. Marks of the template in a content count as text.

        Args:
            messages: as for `chat`.
            continues: leaves the last turn open.

        Raises:
            InputError: there are no messages, a content is no text, or the tokenizer has no chat template.
        """
        return checked_ids(torch.tensor([encoded_chat(self.tokenizer, messages, continues)]), self.adapter.device)

    # ---- for sessions ---------------------------------------------------------------------------------------------

    def read(self, before: Sequence[int], value_ids: Sequence[int]) -> StateSource:
        """Reads the states of tokens behind a text in a separate pass. Positions count from the first token."""
        ids, first = torch.tensor([[*before, *value_ids]]), len(before) - 1
        return RereadStates(self.taps.read(ids, None, [(0, range(first, first + len(value_ids)))])[0])

    @property
    def reads_compiled(self) -> bool:
        """Says whether the taps are on the model that `generate` compiles."""
        inner = getattr(self.model, "get_base_model", lambda: self.model)()
        return self.taps.reads_compiled and inner is self.adapter.model

    # ---- inside ------------------------------------------------------------------------------------------------

    def _policy(self, policy: Policy | None) -> Policy:
        return self.guard.policy if policy is None else self.guard.policy_with_thresholds(policy)

    def _generate(
        self,
        ids: Tensor,
        mask: Tensor,
        views: Sequence[PromptView],
        call_options: CallOptions,
        options: dict[str, Any],
    ) -> Any:
        streamer, stream = call_options.streamer, call_options.streamer is not None
        reread = needs_rereading(self.model, streamer, options, self._parts)
        if "stop_strings" in options:
            options.setdefault("tokenizer", self.tokenizer)
        options.pop("attention_mask", None)
        copies = int(setting(self.model, options, "num_return_sequences") or 1)
        if stream and len(ids) * copies > 1:
            raise InputError(
                f"A streamer takes one answer, but {len(ids) * copies} were asked for. Call generate once for each."
            )
        sessions = start_sessions(self, ids, mask, views, call_options, copies)
        call_options = with_spans(self, call_options)
        passed = options.get("past_key_values")
        held = 0 if passed is None else int(passed.get_seq_length())
        try:
            if reread:
                out = self.model.generate(ids, attention_mask=mask, **options)
                judge_sequences(self, out, ids.shape[1], sessions, options)
            else:
                out = Decoder(
                    self, sessions[0].call, options, released_text_sink(self.tokenizer, streamer, ids)
                ).stepwise(ids, mask, sessions)
            check_judged(self, getattr(out, "sequences", out), ids, sessions, options)
        except BaseException:
            if passed is not None:
                reset_cache(passed, held)
            for session in sessions:
                notify_observers(
                    self, session, call_options.route, stream, failed=True, observers=call_options.observers
                )
            raise
        if passed is not None and any(session.changed for session in sessions):
            reset_cache(passed, held)  # the caller's cache must not hold what was withheld
        if streamer is not None:
            streamer.on_finalized_text("", stream_end=True)
        return make_output(self, out, ids, finish_sessions(self, sessions, call_options))
