"""Reads the JSON of a response, a whole one or a chunk, into a frame whose texts are being judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from reticent.policy.policy import OnBlock
from reticent.serve.judging.channels import TextSegment
from reticent.serve.judging.choice import Choice
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.metadata import MetadataJudge
from reticent.serve.judging.token_alignment import AnswerName
from reticent.serve.options import OnStoppedCall, Permission
from reticent.serve.stream.chunk_format import ENVELOPE, FILTERED, ChunkFormat
from reticent.serve.stream.chunk_template import TOKENS, ChunkTemplate
from reticent.serve.stream.frame_queue import FrameQueue, settle
from reticent.serve.stream.logprobs import cut_alternatives
from reticent.serve.stream.pending_frames import Frame, TextFrame
from reticent.serve.stream.pending_parts import TextPart
from reticent.serve.stream.upstream_error import sanitized, snapshot
from reticent.serve.stream.walk import Entry, Walk
from reticent.serve.wire import errors
from reticent.serve.wire.fields import SimpleRule
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.serve.wire.sse import Event, FrameError, parse_json, to_json


class _Source(NamedTuple):
    """Holds what a frame says of where its choices come from: ids of the prompt, and the id of the answer."""

    prompt: Any
    answer: Any


class ChunkReader:
    """Reads the chunks of one response.

    Args:
        request: what its texts share.
        api_format: the format of the route.
        parsed: the client's request.
        allowed: the client's permissions.
        on_stopped_call: what happens to a tool call with a stopped value.
    """

    def __init__(
        self,
        request: GuardedRequest,
        api_format: ChunkFormat,
        parsed: ParsedRequest,
        allowed: frozenset[Permission] = frozenset(),
        on_stopped_call: OnStoppedCall = OnStoppedCall.WITHHOLD,
    ) -> None:
        self.request, self.api_format, self.parsed = request, api_format, parsed
        if request.detector is not None and not parsed.body.get("return_token_ids"):
            allowed -= {Permission.TOKEN_IDS}  # the server sends them because we asked
        self._allowed = allowed
        self._on_stopped_call = on_stopped_call
        self.metadata = MetadataJudge(request, parsed.model)
        self.choices: dict[int, Choice] = {}
        self.envelope: dict[str, Any] = {"object": api_format.chunk_object}
        self.usage: Any = None
        """The last usage that came."""
        self.queue = FrameQueue(self)
        self._templates: dict[int, ChunkTemplate] = {}
        self._run: list[TextFrame] = []  # of one choice, one after another, not judged yet
        self._waiting: TextSegment | None = None

    @property
    def expected(self) -> int:
        """Gives the number of choices that there will be."""
        return self.parsed.choices * len(self.parsed.views)

    @property
    def over(self) -> bool:
        """Says whether every choice has finished or was ended."""
        return len(self.choices) == self.expected and all(choice.over for choice in self.choices.values())

    @property
    def deadlines(self) -> Iterable[float]:
        """Gives the times at which held texts have to be decided."""
        for choice in self.choices.values():
            yield from choice.deadlines

    def frame(self, event: Event, now: float) -> Frame:
        """Makes the frame of an event with data. Raises FrameError."""
        assert event.data is not None
        frame = self.read(event.raw, event.data, now)
        if not event.raw or not self.metadata.allows_event(event):
            frame.changed = True
        if event.raw and not (event.name or event.other or event.odd):
            self._remember(frame)
        return frame

    def take_templated(self, raw: bytes, now: float) -> bool:
        """Says whether it took an event that differs from an earlier one only in its text, and so need not be read.

        `flush_templated` judges the text. Several texts that came together cost less than each by itself.
        """
        for template in self._templates.values():
            choice = self.choices[template.choice]
            if choice.over or (new := template.read(raw)) is None or not choice.is_only_open(template.key):
                continue
            if self._run and (new.tokens or self._run[0].choice is not choice):
                self.flush_templated(now)
            frame = TextFrame(raw, template, new, choice)
            self._run.append(frame)
            self.queue.push(frame)
            return True
        return False

    @property
    def has_template(self) -> bool:
        """Says whether `take_templated` may take an event."""
        return bool(self._templates)

    @property
    def waits(self) -> bool:
        """Says whether a value waits for `settle`, until which no more events may be taken."""
        return self._waiting is not None

    def settle(self) -> None:
        """Judges the value that waits, if any."""
        segment, self._waiting = self._waiting, None
        if segment is not None:
            segment.settle()

    def flush_templated(self, now: float, may_judge: bool = True) -> None:
        """Reads the texts of the events that `take_templated` took. `may_judge`: whether values are judged now."""
        run, self._run = self._run, []
        if not run:
            return
        choice, tokens = run[0].choice, run[0].tokens
        if tokens:
            choice.take_tokens(tokens, None)
        text, pieces = "".join([frame.text for frame in run]), [len(frame.text) for frame in run]
        segment, start, _ = choice.feed(self.api_format.main, text, now, pieces, may_judge)
        if segment.machine.waits:
            self._waiting = segment
        for frame in run:
            end = start + len(frame.text)
            frame.location = segment, start, end
            start = end

    def judge_body(self, raw: bytes, now: float) -> bytes:
        """Gives what may be shown of a whole answer. Raises FrameError, ApiError."""
        frame = self.read(raw, raw, now)
        if frame.body is None or not frame.entries:
            raise FrameError("Expected choices.")
        self.finish(now)
        policy = self.request.policy
        for entry in frame.entries:
            frame.changed = settle(entry) or frame.changed
            if not entry.choice.ended:
                continue
            entry.value["finish_reason"] = FILTERED
            if entry.choice.blocked and policy.on_block is OnBlock.ERROR:
                raise errors.blocked()
            if entry.choice.blocked and policy.on_block is OnBlock.REPLACE:
                self.api_format.replace(entry, policy.block_text)
        if frame.changed:
            frame.body["choices"] = [entry.value for entry in frame.entries]
            return to_json(frame.body)
        return frame.raw

    def read(self, raw: bytes, text: str | bytes, now: float) -> Frame:
        """Makes the frame of a JSON text.

        Raises:
            FrameError: the text is no JSON object, or its choices have another form than expected.
        """
        body, twice = parse_json(text)
        if not isinstance(body, dict):
            raise FrameError("Expected a JSON object.")
        frame = Frame(raw, body, changed=twice)
        walk = Walk(self.metadata, self._allowed, now)
        source = _Source(body.get("prompt_token_ids"), body.get("id"))  # before an id is replaced
        error = snapshot(body.get("error"))
        walk.object(body, self.api_format.top, SimpleRule.METADATA, "")
        if error is not None:
            frame.failed = True
            shown = sanitized(body.get("error"), error, self.metadata)
            walk.changed = walk.changed or shown is not body.get("error")
            body["error"] = shown
        choices = body.get("choices")
        if choices is not None:
            if not isinstance(choices, list) or len(choices) > self.expected:
                raise FrameError("Expected the choices that were asked for.")
            kept = [
                entry for value in choices if (entry := self._entry(value, source, walk, now, len(choices))) is not None
            ]
            frame.dropped = len(kept) < len(choices)
            frame.entries = kept
        frame.raw = walk.with_own_padding(raw)
        frame.changed = frame.changed or walk.changed or frame.dropped
        if body.get("usage") is not None:
            self.usage = body["usage"]
        if frame.entries:
            self.envelope |= {name: body[name] for name in ENVELOPE if name in body and name != "object"}
        frame.judged = walk.judged
        return frame

    def _remember(self, frame: Frame) -> None:
        """Keeps a chunk of one choice with one text as a template for those that follow."""
        if frame.judged or frame.dropped or frame.failed or self.usage is not None:
            return
        if len(frame.entries) != 1 or frame.body is None:
            return
        (entry,) = frame.entries
        if entry.attached or entry.logprobs:  # they go with the text that is hidden
            return
        part = entry.parts[0] if len(entry.parts) == 1 else None
        if not isinstance(part, TextPart) or part.channel != self.api_format.main or entry.choice.over:
            return
        holder = self.api_format.holder
        text_of = frame.body["choices"][0].get(holder) if holder else frame.body["choices"][0]
        if not isinstance(text_of, dict) or self.api_format.main not in text_of:  # it stood in another place
            return
        reads_tokens = self.request.detector is not None
        template = ChunkTemplate(
            frame.raw, frame.body, holder, self.api_format.main, entry.choice.index, frame.changed,
            [name for name in TOKENS if reads_tokens and name in entry.value],
        )  # fmt: skip
        if template.usable:
            self._templates[template.choice] = template

    def expire(self, now: float) -> None:
        """Decides text that has been held for too long."""
        for choice in self.choices.values():
            choice.expire(now)

    def finish(self, now: float) -> None:
        """Ends all choices. Those without a finish reason were cut short."""
        self.flush_templated(now)
        for choice in self.choices.values():
            if not choice.finished:
                choice.finish(now)

    def _entry(self, value: Any, source: _Source, walk: Walk, now: float, count: int) -> Entry | None:
        """Reads a choice's part of the frame, or gives None if the choice is over."""
        if not isinstance(value, dict):
            raise FrameError("Expected a choice to be an object.")
        index = value.get("index", 0 if count == 1 else None)
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < self.expected:
            raise FrameError("Expected a choice that was asked for.")
        choice = self.choices.get(index)
        if choice is None:
            choice = self.choices[index] = Choice(
                self.request,
                index,
                index // self.parsed.choices,
                self.api_format.main,
                self.parsed.tools,
                self._on_stopped_call,
                self.parsed.may_stop,
            )
        if choice.over:
            return None
        if self.request.detector is not None:
            choices = self.parsed.choices
            is_named = isinstance(source.answer, str)
            name = AnswerName(source.answer, index // choices, index % choices, choices) if is_named else None
            choice.take_tokens(value, source.prompt, name)
            walk.changed = cut_alternatives(value, self.parsed.alternatives) or walk.changed
        walk.entry, walk.channels = Entry(choice, value), set()
        if isinstance(message := value.get("message"), dict):
            choice.foresee(message)
        walk.object(value, self.api_format.choice, SimpleRule.TEXT, "")
        entry, walk.entry = walk.entry, None
        if "message" not in value:  # a whole message has everything at once
            choice.finish_others(walk.channels, now)
        if (reason := value.get("finish_reason")) is not None:
            choice.finished = True
            choice.finish(now, reason if isinstance(reason, str) else None)
        entry.parts.sort(key=lambda part: part.order)
        return entry
