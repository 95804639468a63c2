"""A transformers model with a guard around it: `generate`, `chat` and `inspect`.

Greedy decoding and sampling, one sequence at a time. What is not supported is refused with an error that names it, never
run unguarded. State belongs to the call, so two threads may use one guarded model at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import torch
from torch import Tensor
from transformers import StoppingCriteria, StoppingCriteriaList

from reticent.echo import EchoIndex
from reticent.policy import Evidence, OnBlock, Policy
from reticent.prompt import PromptView, Segment, from_ids, from_messages, from_segments
from reticent.report import Report
from reticent.stream import Piece, Release, StreamMachine
from reticent.verdict import Decision, Origin, Tier
from reticent_detectors.alignment import TokenText
from reticent_detectors.capture import HostAdapter, Ring, SpanStates, Taps
from reticent_detectors.errors import Blocked, InputError
from reticent_detectors.features import FeatureSpec, build_features
from reticent_detectors.spans import Span

if TYPE_CHECKING:
    from reticent.guard import Guard

WINDOW = 512
"""Positions whose states are kept while generating: the largest hold-back and a long span more."""

_REFUSED: dict[str, Callable[[Any], bool]] = {
    "num_beams": lambda v: v is not None and v > 1,
    "num_return_sequences": lambda v: v is not None and v > 1,
    "guidance_scale": lambda v: v is not None and v != 1,
    "penalty_alpha": lambda v: v is not None and v > 0,
    "dola_layers": lambda v: v is not None,
    "prompt_lookup_num_tokens": lambda v: v is not None,
    "assistant_early_exit": lambda v: v is not None,
    "return_dict_in_generate": bool,
    "cache_implementation": lambda v: v in ("static", "offloaded_static", "hybrid", "sliding_window"),
}
_REFUSED_ARGUMENTS = ("assistant_model", "custom_generate", "inputs_embeds", "past_key_values", "negative_prompt_ids")


class TextSink(Protocol):
    """What a streamer must offer: transformers' `TextStreamer` and `TextIteratorStreamer` do."""

    def on_finalized_text(self, text: str, stream_end: bool = False) -> None:
        """Takes released text."""
        ...


class _States(Protocol):
    def span(self, positions: Sequence[int]) -> SpanStates: ...


@dataclass(frozen=True, slots=True)
class Answer:
    """A guarded answer. `text` is what may be shown; `finish_reason` is `stop`, `length` or `content_filter`.

    `pieces` say which characters of the model's answer were released and which replaced. `seconds` is the time
    spent in the guard itself, the model's own not included.
    """

    text: str
    report: Report
    finish_reason: str
    seconds: float
    pieces: tuple[Piece, ...] = ()

    def __repr__(self) -> str:
        return f"Answer(<{len(self.text)} chars>, finish_reason={self.finish_reason!r}, spans={len(self.report.spans)})"


class _Run:
    """One answer on its way out: tokens in, released text out."""

    def __init__(self, guard: Guard, host: GuardedModel, view: PromptView, prompt_tokens: int, policy: Policy) -> None:
        self._guard, self._host, self._prompt_tokens, self._policy = guard, host, prompt_tokens, policy
        self._tokens = TokenText(host.tokenizer)
        self._echo = EchoIndex(view.user, view.operator, guard.finder)
        self.machine = StreamMachine.from_policy(guard.finder, view.context, self._judge, policy)
        self.states: _States | None = None
        self.released: list[str] = []
        self.pieces: list[Piece] = []
        self.seconds = 0.0

    def token(self, token_id: int) -> Release:
        """Takes the next token."""
        started = time.perf_counter()
        release = self.machine.feed(self._tokens.push(token_id), time.monotonic())
        return self._took(release, started)

    def end(self, cut: bool) -> Release:
        """Ends the answer."""
        started = time.perf_counter()
        return self._took(self.machine.finish(time.monotonic(), cut), started)

    def _took(self, release: Release, started: float) -> Release:
        self.seconds += time.perf_counter() - started
        self.released.append(release.text)
        self.pieces += release.pieces
        return release

    def _judge(self, span: Span) -> Decision:
        value = self.machine.value_of(span)
        origin = self._echo.origin(value, span.entity)
        cue = self._echo.cue(value, span.entity)
        if origin is not None:
            echoed = origin is Origin.ECHOED
            evidence = Evidence(Tier.TEXT, None, cue, echoed=echoed, context=not echoed)
        else:
            evidence = Evidence(Tier.HIDDEN, self._probability(span), cue)
        return self._policy.decide(span.entity, evidence, value)

    def _probability(self, span: Span) -> float:
        if self.states is None:
            raise InputError("a span was judged before any state was recorded")
        first = self._prompt_tokens - 1
        states = self.states.span([first + index for index in self._tokens.tokens(span)])
        features = build_features(self._host.adapter, [states], self._host.spec)
        return float(self._guard.scorer.score(features)[0])

    def answer(self, ended: bool) -> Answer:
        """The finished answer.

        Raises:
            Blocked: the policy stopped the answer and asks for an error.
        """
        text = "".join(self.released)
        reason = "content_filter" if self.machine.blocked else "stop" if ended else "length"
        if self.machine.blocked:
            if self._policy.on_block is OnBlock.ERROR:
                raise Blocked("The policy stopped this answer (on_block: error). See its report for the entity.")
            if self._policy.on_block is OnBlock.REPLACE:
                text = self._policy.block_text
        return Answer(text, Report.of(self.machine), reason, self.seconds, tuple(self.pieces))


class _Watch(StoppingCriteria):
    """Called by `generate` after every token; carries it to the run and stops a blocked answer."""

    def __init__(self, run: _Run, ring: Ring, ends: frozenset[int], emit: Callable[[str], None]) -> None:
        self._run, self._ring, self._ends, self._emit = run, ring, ends, emit
        self.ended = False

    def __call__(self, input_ids: Tensor, scores: Any, **kwargs: Any) -> Tensor:
        token = int(input_ids[0, -1])
        self._ring.emitted(token)
        if token in self._ends:
            self.ended = True
        else:
            self._emit(self._run.token(token).text)
        done = self._run.machine.blocked
        return torch.full((input_ids.shape[0],), done, dtype=torch.bool, device=input_ids.device)


class GuardedModel:
    """A model whose answers pass through the guard. Made by `Guard.wrap`.

    The model itself is left as it was: used directly, it answers unguarded. `close` takes the hooks off again.
    """

    def __init__(self, guard: Guard, model: Any, tokenizer: Any) -> None:
        self.model, self.tokenizer, self.guard = model, tokenizer, guard
        self.adapter = HostAdapter.attach(model, tokenizer)
        options = dict(guard.bundle.feature_options)
        self.spec = FeatureSpec(**{name: options[name] for name in FeatureSpec.__slots__ if name in options})
        guard.bundle.check_host(self.adapter.fingerprint(tokenizer), self.adapter.behaviour_print())
        self.taps = Taps(self.adapter)

    def __repr__(self) -> str:
        return f"GuardedModel({type(self.model).__name__}, {self.guard!r})"

    def close(self) -> None:
        """Takes all hooks off the model."""
        self.taps.remove()

    def generate(
        self,
        inputs: Tensor | None = None,
        *,
        segments: Iterable[Segment] | None = None,
        streamer: TextSink | None = None,
        policy: Policy | None = None,
        on_answer: Callable[[Answer], None] | None = None,
        **options: Any,
    ) -> Tensor:
        """Like `model.generate`: prompt ids [1, N] in, prompt and answer ids [1, M] out.

        An answer from which nothing was withheld comes back as the host's own ids; otherwise the released text
        is encoded again.

        Args:
            inputs: prompt ids (or `input_ids=`), one row, no padding.
            segments: who wrote what in the prompt; without them all of it is the user's.
            streamer: a `TextStreamer` or anything with `on_finalized_text`; gets released text as soon as it is decided.
            policy: instead of the guard's.
            on_answer: called with the finished answer and its report.
            options: everything else goes to the model's `generate`.

        Raises:
            InputError: an empty prompt, or an option that the guard does not support.
            Blocked: the policy stopped the answer and asks for an error.
        """
        ids = inputs if inputs is not None else options.pop("input_ids", None)
        options.pop("input_ids", None)
        ids = self._checked_ids(ids, options)
        listed = ids[0].tolist()
        if segments is None:
            view = from_ids(self.tokenizer, listed)
        else:
            plain = from_ids(self.tokenizer, listed).context
            known = from_segments(segments)
            view = PromptView(known.user, known.operator, plain)
        return self._generate(ids, view, streamer, policy, on_answer, options)

    def chat(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        streamer: TextSink | None = None,
        policy: Policy | None = None,
        continue_final_message: bool = False,
        **options: Any,
    ) -> Answer:
        """Answers a chat given as messages with role and content, through the tokenizer's chat template.

        The guard knows whose text is whose: `user` turns may be echoed, `system` and other turns are the
        operator's. `continue_final_message` goes on with a prefilled assistant turn.

        Raises:
            InputError: no messages, or content that is no text.
            Blocked: the policy stopped the answer and asks for an error.
        """
        view = from_messages(messages, continues=continue_final_message)
        answers: list[Answer] = []
        self._generate(
            self._chat_ids(messages, continue_final_message), view, streamer, policy, answers.append, options
        )
        return answers[0]

    def inspect(
        self,
        prompt: str | Sequence[Mapping[str, Any]],
        answer: str | Sequence[int],
        *,
        policy: Policy | None = None,
        ended: bool = True,
    ) -> Answer:
        """Reads a finished answer again in one forward pass and gives it the verdicts that streaming would.

        Args:
            prompt: running text, or chat messages.
            answer: the answer's text or, exact where a text has several tokenisations, its token ids.
            ended: False if the answer was cut short (so that a value cut in two is judged as well).

        Raises:
            InputError: an empty prompt or an empty chat.
            Blocked: the policy stops the answer and asks for an error.
        """
        if isinstance(prompt, str):
            ids = self._checked_ids(self._text_ids(prompt), {})
            view = from_ids(self.tokenizer, ids[0].tolist())
        else:
            ids, view = self._chat_ids(prompt, False), from_messages(prompt)
        tokens = (
            self.tokenizer(answer, add_special_tokens=False)["input_ids"] if isinstance(answer, str) else list(answer)
        )
        return self.inspect_ids([(ids[0].tolist(), tokens, view, ended)], policy=policy)[0]

    def inspect_ids(
        self, items: Sequence[tuple[Sequence[int], Sequence[int], PromptView, bool]], *, policy: Policy | None = None
    ) -> list[Answer]:
        """`inspect` for many answers in one forward pass: (prompt ids, answer ids, view, ended) each."""
        width = max(len(prompt) + len(answer) for prompt, answer, _, _ in items)
        ids = torch.zeros(len(items), width, dtype=torch.long)
        mask = torch.zeros_like(ids)
        gather: list[tuple[int, range]] = []
        for row, (prompt, answer, _, _) in enumerate(items):
            sequence = [*prompt, *answer]
            ids[row, : len(sequence)] = torch.tensor(sequence)
            mask[row, : len(sequence)] = 1
            gather.append((row, range(len(prompt) - 1, len(sequence) - 1)))
        states = self.taps.read(ids, mask, [g for g in gather if len(g[1])]) if any(len(g[1]) for g in gather) else []
        read = iter(states)
        out = []
        for (prompt, answer, view, ended), (_, positions) in zip(items, gather, strict=True):
            run = _Run(self.guard, self, view, len(prompt), self._policy(policy))
            if len(positions):
                run.states = _Finished(next(read), positions.start)
            for token in answer:
                run.token(int(token))
            run.end(cut=not ended)
            out.append(run.answer(ended))
        return out

    # ---- inside ------------------------------------------------------------------------------------------------

    def _policy(self, policy: Policy | None) -> Policy:
        return self.guard.policy if policy is None else policy.bound(self.guard.policy.thresholds)

    def _generate(
        self,
        ids: Tensor,
        view: PromptView,
        streamer: TextSink | None,
        policy: Policy | None,
        on_answer: Callable[[Answer], None] | None,
        options: dict[str, Any],
    ) -> Tensor:
        self._refuse(streamer, options)
        run = _Run(self.guard, self, view, ids.shape[1], self._policy(policy))
        emit = self._sink(streamer, ids)
        criteria = StoppingCriteriaList(options.pop("stopping_criteria", None) or [])
        if "stop_strings" in options:
            options.setdefault("tokenizer", self.tokenizer)
        options.setdefault("attention_mask", torch.ones_like(ids))
        with self.taps.recording(WINDOW) as ring:
            run.states = ring
            watch = _Watch(run, ring, self._ends(options), emit)
            try:
                out: Tensor = self.model.generate(ids, stopping_criteria=[*criteria, watch], **options)
            except BaseException:
                with suppress(Exception):
                    run.end(cut=True)
                raise
            emit(run.end(cut=not watch.ended).text)
        if streamer is not None:
            streamer.on_finalized_text("", stream_end=True)
        answer = run.answer(watch.ended)
        if on_answer is not None:
            on_answer(answer)
        if not run.machine.changed and not run.machine.blocked:
            return out
        fresh = self.tokenizer(answer.text, add_special_tokens=False, return_tensors="pt")["input_ids"]
        return torch.cat([ids, fresh.to(ids.device, ids.dtype).reshape(1, -1)], dim=1)

    def _sink(self, streamer: TextSink | None, ids: Tensor) -> Callable[[str], None]:
        if streamer is None:
            return lambda text: None
        if not getattr(streamer, "skip_prompt", True):
            streamer.on_finalized_text(self.tokenizer.decode(ids[0], skip_special_tokens=True))

        def emit(text: str) -> None:
            if text:
                streamer.on_finalized_text(text)

        return emit

    def _checked_ids(self, ids: Any, options: Mapping[str, Any]) -> Tensor:
        if not isinstance(ids, Tensor) or ids.numel() == 0:
            raise InputError("The prompt is empty; expected prompt ids of shape [1, N] with N of at least 1.")
        ids = ids.reshape(1, -1) if ids.ndim == 1 else ids
        if ids.ndim != 2 or ids.shape[0] != 1:
            raise InputError(
                f"This version guards one sequence at a time: expected prompt ids of shape [1, N], got {list(ids.shape)}. "
                "Call generate once for each prompt."
            )
        mask = options.get("attention_mask")
        if mask is not None and not bool(torch.as_tensor(mask).all()):
            raise InputError("This version takes prompts without padding; drop the padded positions from input_ids.")
        checked: Tensor = ids.to(self.adapter.device)
        return checked

    def _text_ids(self, prompt: str) -> Tensor:
        ids = list(self.tokenizer(prompt)["input_ids"]) if prompt else []
        bos = self.tokenizer.bos_token_id
        if ids and bos is not None and ids[0] != bos:
            ids = [bos, *ids]
        return torch.tensor([ids], dtype=torch.long)

    def _chat_ids(self, messages: Sequence[Mapping[str, Any]], continues: bool) -> Tensor:
        if getattr(self.tokenizer, "chat_template", None) is None:
            raise InputError(
                "The tokenizer has no chat template; set tokenizer.chat_template, or use generate() with prompt ids."
            )
        encoded = self.tokenizer.apply_chat_template(
            list(messages), add_generation_prompt=not continues, continue_final_message=continues, return_dict=True
        )
        return self._checked_ids(torch.tensor([encoded["input_ids"]]), {})

    def _ends(self, options: Mapping[str, Any]) -> frozenset[int]:
        config = options.get("generation_config") or self.model.generation_config
        ends = options.get("eos_token_id", config.eos_token_id)
        if ends is None:
            return frozenset()
        return frozenset(int(e) for e in torch.as_tensor(ends).reshape(-1).tolist())

    def _refuse(self, streamer: TextSink | None, options: Mapping[str, Any]) -> None:
        config = options.get("generation_config") or self.model.generation_config
        for name, refused in _REFUSED.items():
            value = options.get(name, getattr(config, name, None))
            if refused(value):
                raise InputError(
                    f"This version does not guard {name}={value!r}. Leave it out (greedy decoding and sampling of one "
                    "sequence are supported), or read the finished answer with inspect()."
                )
        for name in _REFUSED_ARGUMENTS:
            if options.get(name) is not None:
                raise InputError(f"This version does not guard generate({name}=...). Leave it out.")
        if streamer is not None and not hasattr(streamer, "on_finalized_text"):
            raise InputError(
                f"{type(streamer).__name__} takes token ids, but released text has none. Use transformers' TextStreamer or "
                "TextIteratorStreamer, or any object with on_finalized_text(text, stream_end)."
            )


class _Finished:
    """The states of a finished answer, asked for like those of a running one."""

    def __init__(self, states: SpanStates, first: int) -> None:
        self._states, self._first = states, first

    def span(self, positions: Sequence[int]) -> SpanStates:
        at = torch.tensor([p - self._first for p in positions], dtype=torch.long)
        return SpanStates(self._states.hidden[at], self._states.ids[at], self._states.probability[at])
