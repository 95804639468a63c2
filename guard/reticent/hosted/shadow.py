"""Judges a black-box answer by the shadow, a copy of the upstream's weights that reads the answer again.

The answer is read with the prompt that it answers, as if this copy had written it (teacher forcing), so its spans are
judged by the hidden states. What was read stays in a key-value cache for each answer, so a later span costs only the
tokens between. An answer without spans costs nothing. Spans of several requests that wait at the same time are judged
in one pass.

The upstream is asked for log-probabilities, to compare them. If the copy finds the span's tokens much likelier or less
likely than the upstream did, it is no copy of what answered, or had another prompt, and the span is unknown. If the
upstream has none (`logprobs: false`), the operator vouches for the copy.
"""

from __future__ import annotations

import math
import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, NamedTuple

from reticent.core.failure_log import log_failures
from reticent.core.judge import BaseRole, PrecedingText
from reticent.hosted.cached_rows import CachedPrefix, RowReader, StateRequest, choose_batch
from reticent.hosted.coalescer import Coalescer
from reticent.hosted.loading import load_model, read_prompts
from reticent.policy.options import Stage
from reticent.policy.thresholds import bundle_summary
from reticent.policy.verdict import Tier
from reticent.serve.judging.detector_protocols import Judge, SpanLocation, WithBundle, check_model
from reticent.serve.judging.token_alignment import TokenTrack
from reticent.serve.settings import ShadowSettings
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent_detectors.alignment import TokenText, without_lists
from reticent_detectors.bundle.format import Bundle, read_public_key
from reticent_detectors.capture import HostAdapter, SpanStates, Taps
from reticent_detectors.errors import InputError
from reticent_detectors.features.cue import PromptIndex
from reticent_detectors.features.derived_features import BASE, reads_inner
from reticent_detectors.features.name_swap import NameSwapper
from reticent_detectors.host.base_sources import base_about, base_of
from reticent_detectors.inferable import OTHER_NAMES
from reticent_detectors.scoring.scorer import OnnxScorer
from reticent_detectors.scoring.state_scorer import ReadSpan, StateScorer
from reticent_detectors.spans import Span


class _WaitingSpan(NamedTuple):
    """Holds a span that waits for its probability."""

    row: StateRequest
    location: SpanLocation

    def __repr__(self) -> str:
        return f"_WaitingSpan({self.row!r})"


class _Judged(NamedTuple):
    """Holds the probability that a span is memorised, and its tokens' log-probabilities (nats) under the base."""

    probability: float | None
    own: Sequence[float] = ()


class Shadow(WithBundle):
    """Holds a copy of the weights and its detector. It is safe to share. One pass at a time serves all that wait.

    Args:
        bundle: a detector made for the model.
        model, tokenizer: the copy.
        settings: the names of the upstream's models, its base, and bounds.

    Raises:
        BundleMismatch, UnsupportedHost, TokenizerMismatch: the bundle was made for another host, or this one cannot be
            read.
    """

    reads_text = needs_thread = True

    def __init__(self, bundle: Bundle, model: Any, tokenizer: Any, settings: ShadowSettings) -> None:
        super().__init__(bundle)
        self.adapter, self.tokenizer, self._settings = HostAdapter.attach(model, tokenizer), tokenizer, settings
        self.base = base_of(settings.base_model, model, self.adapter, tokenizer)
        bundle.check_fit(self.adapter, tokenizer)
        bundle.warn_if_universal()
        self._taps, self._writing = Taps(self.adapter, inner=reads_inner(bundle.shapes)), threading.Lock()
        self._score = StateScorer(bundle, OnnxScorer(bundle), self.adapter, self._taps, tokenizer, self._writing)
        with log_failures(Stage.JUDGE):
            self._score.warm()
        self._most = min(settings.tokens, self.adapter.context)
        self._ids = _ids_by_text(tokenizer)
        self._rename = NameSwapper(tokenizer, OTHER_NAMES, self.adapter.context)
        self._reader = RowReader(self._taps)
        self._judging = Coalescer(self._probabilities, self._choose_batch)
        self._caches: OrderedDict[int, weakref.ref[CachedPrefix]] = OrderedDict()  # the last used at the end

    @classmethod
    def load(cls, settings: ShadowSettings) -> Shadow:
        """Loads weights, tokenizer and bundle. Raises InputError and what `Bundle.load` and `Shadow` raise."""
        key = None if settings.trusted_key is None else read_public_key(settings.trusted_key)
        bundle = Bundle.load(settings.bundle, trusted_key=key)
        return cls(bundle, *load_model(settings.path, settings.device, settings.dtype, settings.threads), settings)

    def __repr__(self) -> str:
        return f"Shadow({sorted(self._settings.models)}, caches={len(self._caches)})"

    @property
    def tier(self) -> Tier:
        """Gives the tier of its verdicts."""
        return Tier(self._bundle.tier)

    @property
    def reads_base(self) -> bool:
        """Says whether the detector takes the base's log-probabilities."""
        return BASE in self._bundle.shapes

    @property
    def wants_logprobs(self) -> bool:
        """Says whether the server is asked for log-probabilities."""
        return self._settings.logprobs

    @property
    def wants_token_ids(self) -> bool:
        """Says whether it is asked for the tokens' ids as well."""
        return self._settings.logprobs and self._settings.token_ids

    @property
    def about(self) -> str:
        """Describes what it can and cannot tell, with the bundle's figures."""
        return (
            "a copy of the weights reads the server's answers again and tells what the model remembers from what it "
            f"was told, infers or makes up ({bundle_summary(self._bundle)}); where the two part, a value counts as "
            f"unknown; {base_about(self.base)}"
        )

    def open(self, parsed: ParsedRequest) -> Judge:
        """Opens a judge for one request. Raises ApiError for a model that this is no copy of."""
        check_model(parsed.model, self._settings.models)
        return _ShadowJudge(self, parsed)

    def close(self) -> None:
        """Takes the hooks off the model and forgets what was read."""
        self._taps.remove()
        self._caches.clear()
        self.base = None

    def prompts(self, parsed: ParsedRequest) -> list[list[int]]:
        """Gives the ids of a request's prompts. Raises ApiError for a prompt that cannot be read."""
        with self._writing:  # the tokenizer's
            return read_prompts(parsed, self.tokenizer, marks=True)

    def judge(self, read: CachedPrefix, location: SpanLocation) -> _Judged:
        """Gives the probability that a span is memorised, or None if the copy cannot say."""
        with self._writing:
            row = self._row(read, location)
        return _Judged(None) if row is None else self._judging(_WaitingSpan(row, location))

    def base_query(self, read: CachedPrefix, location: SpanLocation) -> tuple[list[int], list[int], list[int]] | None:
        """Gives the ids of the prompt, the answer before a span, and the span. None if its tokens are unknown."""
        with self._writing:
            row = self._row(read, location)
            prompt = self._prompt(read, location)
        return None if row is None else (prompt, row.before[len(prompt) :], row.ids[len(row.before) :])

    def rename(self, before: Sequence[int], sent: int) -> list[list[int]]:
        """Rewrites a text about other people, as ids, where `sent` ids follow. Empty if it names no person."""
        with self._writing:
            return self._rename(before, sent)

    def text(self, ids: Sequence[int]) -> str:
        """Decodes ids, without special tokens."""
        with self._writing:
            return str(self.tokenizer.decode(ids, skip_special_tokens=True))

    def _prompt(self, read: CachedPrefix, location: SpanLocation) -> list[int]:
        """Gives the prompt of a span: the server's own ids, if it sent them, without lists of candidates."""
        prompt = list(location.received.prompt or read.prompt)
        return without_lists(self.tokenizer, prompt, location.candidates) if location.candidates else prompt

    def _row(self, read: CachedPrefix, location: SpanLocation) -> StateRequest | None:
        """Makes the row that has to be read to judge a span. None if its tokens are unknown."""
        found = self._as_received(location) or self._as_written(location)
        if found is None:
            return None
        answer, tokens = found
        prompt = self._prompt(read, location)
        ids = [*prompt, *answer]
        if len(ids) > self._most:
            return None
        return StateRequest(ids, [len(prompt) + token - 1 for token in tokens], None if location.candidates else read)

    def _choose_batch(self, waiting: Sequence[_WaitingSpan]) -> list[int]:
        most = self._settings.batch if self._reader.reads_batches else 1
        return choose_batch([span.row for span in waiting], most, self._settings.batch_tokens)

    def _probabilities(self, together: Sequence[_WaitingSpan]) -> list[_Judged]:
        """Gives the probabilities of several spans, or None where the copy cannot say."""
        states = self._reader.states([span.row for span in together])
        for span in together:
            self._remember_prefix(span.row.prefix)
        agreed = [at for at, span in enumerate(together) if self._agrees(states[at], span.location)]
        out = [_Judged(None)] * len(together)
        step = 1 if self.adapter.device.type == "cpu" else len(agreed)  # a CPU keeps one span's lens in its caches
        for first in range(0, len(agreed), max(1, step)):
            part = agreed[first : first + step]
            spans = [
                ReadSpan(
                    states[at], location.entity, together[at].row.before, budget=location.budget, base=location.base
                )
                for at in part
                for location in [together[at].location]
            ]
            for at, probability in zip(part, self._score(spans), strict=True):
                own = self.base is not None and self.base.is_host and not together[at].location.candidates
                out[at] = _Judged(probability, states[at].log_probabilities if own else ())
        return out

    def _remember_prefix(self, read: CachedPrefix | None) -> None:
        """Keeps what was read of an answer, and frees what was not used for longest."""
        if read is None:
            return
        self._caches[id(read)] = weakref.ref(read)
        self._caches.move_to_end(id(read))
        while len(self._caches) > self._settings.streams:
            if (oldest := self._caches.popitem(last=False)[1]()) is not None:
                oldest.forget()

    def _as_received(self, location: SpanLocation) -> tuple[list[int], list[int]] | None:
        """Gives the answer's ids up to the span's end, as the server sent them, and the places of its tokens."""
        places = [token.at for token in location.track.between(location.start, location.end)]
        if not places:
            return None
        sent = location.received.tokens[: places[-1] + 1]
        ids = [token if isinstance(token, int) else self._ids.get(token) for token in sent]
        known = [token for token in ids if token is not None and 0 <= token < self.adapter.vocabulary]
        return (known, places) if len(known) == len(ids) else None

    def _as_written(self, location: SpanLocation) -> tuple[list[int], list[int]] | None:
        """Gives the same as the tokenizer would write the text. A server may have used other tokens."""
        tokens = TokenText(self.tokenizer)
        answer = self.tokenizer(location.text, add_special_tokens=False)["input_ids"]
        for token in answer:
            tokens.push(token)
        shift = len(tokens.text) - len(location.text)  # a blank that the tokenizer puts before a text
        if tokens.text[shift:] != location.text or tokens.text[:shift].strip():
            return None
        covered = tokens.tokens(Span(location.entity, location.start + shift, location.end + shift))
        return (answer[: covered.stop], list(covered)) if covered else None

    def _agrees(self, states: SpanStates, location: SpanLocation) -> bool:
        """Says whether the upstream found the tokens as likely as the copy.

        False if it was asked and gave no numbers.
        """
        if location.candidates:
            return True  # the copy was asked something else, on purpose
        if not self._settings.logprobs:
            return True
        if not (tokens := location.track.between(location.start, location.end)):
            return False
        own = states.probability.double().clamp_min(1e-30).log()
        apart = abs(float(own.sum()) - sum(max(token.logprob, math.log(1e-30)) for token in tokens))
        return apart <= self._settings.agree_nats * max(len(own), len(tokens))


class _ShadowJudge:
    """Judges the spans of one request."""

    def __init__(self, shadow: Shadow, parsed: ParsedRequest) -> None:
        self._shadow, self._parsed = shadow, parsed
        self._base = None if shadow.base is None else shadow.base.open()
        self._prompts: list[list[int]] | None = None
        self._reads: dict[int, tuple[TokenTrack, CachedPrefix]] = {}
        self._texts: dict[
            int, PromptIndex
        ] = {}  # of each prompt; at -1 of the last one that was read without its lists
        self._last: tuple[tuple[int, int, int, int], _Judged] | None = None
        """The key of the span that was scored last, and its result."""

    def __repr__(self) -> str:
        return f"_ShadowJudge({len(self._reads)} answers)"

    @property
    def base(self) -> BaseRole:
        """Gives the relation of the copy's base to the copy."""
        if self._base is None:
            return BaseRole.NONE
        return BaseRole.MODEL_ITSELF if self._base.is_host else BaseRole.BEFORE_TUNING

    @property
    def reads_base(self) -> bool:
        """Says whether the detector takes the base's log-probabilities."""
        return self._shadow.reads_base

    def probability(self, location: SpanLocation) -> float | None:
        """Gives the probability that a span is memorised, or None if the copy cannot say.

        Raises:
            InputError: the prompt cannot be read.
            CaptureError: the states could not be read.
        """
        judged = self._shadow.judge(self._read(location), location)
        self._last = _span_key(location), judged
        return judged.probability

    def log_probabilities(self, location: SpanLocation) -> Sequence[float]:
        """Gives the base's log-probabilities of the tokens of the span that was scored last.

        Raises:
            ReticentError: see `BaseReader.log_probabilities`.
        """
        if self._last is not None and self._last[0] == _span_key(location) and self._last[1].own:
            return self._last[1].own
        if self._base is None or (found := self._shadow.base_query(self._read(location), location)) is None:
            return ()
        prompt, earlier, own = found
        (nats,) = self._base.log_probabilities([([*prompt, *earlier], own)])
        return [float(each) for each in nats]

    def about_others(self, location: SpanLocation) -> Sequence[Sequence[float]] | None:
        """Gives the base's log-probabilities of a span's tokens about other people. None if tokens are unknown.

        Raises:
            ReticentError: see `BaseReader.log_probabilities`.
        """
        base = self._shadow.base
        if base is None or (found := self._shadow.base_query(self._read(location), location)) is None:
            return None
        prompt, earlier, own = found
        texts = self._shadow.rename([*prompt, *earlier], len(own))
        # Readers of their own, so that the request's goes on from what it has read of the text as it is.
        read = [base.open().log_probabilities([(text, own)])[0] for text in texts]
        return [[float(each) for each in nats] for nats in read]

    def text_before(self, location: SpanLocation) -> PrecedingText | None:
        """Gives the prompt and the answer before a span, without special tokens."""
        if (found := self._shadow.base_query(self._read(location), location)) is None:
            return None
        prompt, earlier, _ = found
        return PrecedingText(self._text(location, prompt), self._shadow.text(earlier))

    def _text(self, location: SpanLocation, prompt: Sequence[int]) -> PromptIndex:
        """Indexes a prompt's text, only once if no list was taken out of it."""
        if location.candidates:
            return PromptIndex(self._shadow.text(prompt))
        if location.prompt not in self._texts:
            self._texts[location.prompt] = PromptIndex(self._shadow.text(prompt))
        return self._texts[location.prompt]

    def _read(self, location: SpanLocation) -> CachedPrefix:
        """Gives the answer with the span, as far as it was read."""
        if self._prompts is None:
            try:
                self._prompts = self._shadow.prompts(self._parsed)
            except ApiError as api_error:
                raise InputError(api_error.message) from None
        track = location.track
        if id(track) not in self._reads:
            self._reads[id(track)] = track, CachedPrefix(self._prompts[location.prompt])
        return self._reads[id(track)][1]


def _span_key(location: SpanLocation) -> tuple[int, int, int, int]:
    """Gives the key of a span among those of its request."""
    return location.prompt, id(location.track), location.start, location.end


def _ids_by_text(tokenizer: Any) -> dict[str, int]:
    """Maps the text of each token to its id, if no other token has the same text."""
    ids: dict[str, int] = {}
    for token in range(len(tokenizer)):
        written = tokenizer.decode([token], skip_special_tokens=False)
        ids[written] = -1 if written in ids else token
    return {written: token for written, token in ids.items() if token >= 0 and "\ufffd" not in written}
