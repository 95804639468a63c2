"""Judges a black-box answer by the shadow, a copy of the upstream's weights that reads the answer again.

The answer is read with the prompt that it answers, as if this copy had written it (teacher forcing), so its spans are
judged by the hidden states. What was read stays in a key-value cache for each answer, so a later span costs only the
tokens between. An answer without spans costs nothing, unless the bundle has a probe: then all of each answer is read,
segment by segment of the finder's tagger, which waits for the tags of its words. Spans and segments of several requests
that wait at the same time are read in one pass.

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

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from reticent.core.failure_log import log_failures
from reticent.core.judge import BaseRole, PrecedingText
from reticent.hosted.answer_ids import AnswerIds
from reticent.hosted.cached_rows import CachedPrefix, RowReader, StateRequest, choose_batch
from reticent.hosted.coalescer import Coalescer
from reticent.hosted.loading import load_model, read_prompts
from reticent.hosted.word_states import AHEAD, WordStates
from reticent.observability.observers import WireStage
from reticent.policy.options import Stage
from reticent.policy.thresholds import bundle_summary
from reticent.policy.verdict import Tier
from reticent.serve.judging.detector_protocols import (
    Judge,
    NotAsked,
    SpanLocation,
    WithBundle,
    WordLocations,
    check_model,
)
from reticent.serve.judging.served_state_tags import PROBE_UNREAD
from reticent.serve.judging.token_alignment import TokenTrack
from reticent.serve.settings import ShadowSettings
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent_detectors.alignment import without_lists
from reticent_detectors.bundle.format import Bundle, read_public_key
from reticent_detectors.capture import HostAdapter, SpanStates, Taps
from reticent_detectors.errors import CaptureError, InputError
from reticent_detectors.features.cue import PromptIndex
from reticent_detectors.features.derived_features import BASE, reads_inner
from reticent_detectors.features.name_swap import NameSwapper
from reticent_detectors.host.base_sources import base_about, base_of
from reticent_detectors.inferable import OTHER_NAMES
from reticent_detectors.scoring.host_probe import PLACES, HostProbe
from reticent_detectors.scoring.scorer import OnnxScorer
from reticent_detectors.scoring.state_scorer import ReadSpan, StateScorer


class _Waiting(NamedTuple):
    """Holds a span that waits for its probability, or, without a location, words that wait for their states."""

    row: StateRequest
    location: SpanLocation | None = None

    def __repr__(self) -> str:
        return f"_Waiting({self.row!r})"


class _Judged(NamedTuple):
    """Holds the probability that a span is memorised, and its tokens' nats under the base; or states for words."""

    probability: float | None
    own: Sequence[float] = ()
    states: Tensor | None = None


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
        self._probe = HostProbe.of(bundle, self.adapter) if settings.probe else None
        probed = () if self._probe is None else self._probe.layers
        self._taps, self._writing = Taps(self.adapter, reads_inner(bundle.shapes), probed), threading.Lock()
        self._depths = [self._taps.kept.index(layer) for layer in probed]
        self._score = StateScorer(bundle, OnnxScorer(bundle), self.adapter, self._taps, tokenizer, self._writing)
        with log_failures(Stage.JUDGE):
            self._score.warm()
        self._most = min(settings.tokens, self.adapter.context)
        self._ids = AnswerIds(tokenizer, self.adapter.vocabulary)
        self._rename = NameSwapper(tokenizer, OTHER_NAMES, self.adapter.context)
        self._reader = RowReader(self._taps)
        self._judging = Coalescer(self._read_together, self._choose_batch)
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
        read = PROBE_UNREAD if self._probe is None else "it reads all of each answer, for the probe of the finder"
        probe = "" if self._bundle.probe is None else f"; {read}"
        return (
            "a copy of the weights reads the server's answers again and tells what the model remembers from what it "
            f"was told, infers or makes up ({bundle_summary(self._bundle)}); where the two part, a value counts as "
            f"unknown; {base_about(self.base)}{probe}"
        )

    @property
    def tag_margins(self) -> Sequence[float] | None:
        """Gives the probe's margins [K]; None without a probe."""
        return None if self._probe is None else self._probe.margins

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
        return _Judged(None) if row is None else self._judging(_Waiting(row, location))

    def tag(self, read: WordStates, at: WordLocations) -> NDArray[np.float32]:
        """Gives the tags [N, 1 + 2K] of N words. Raises NotAsked if the copy cannot say, CaptureError."""
        with self._writing:
            prompt = at.received.prompt or read.prefix.prompt
            found = self._ids(at.track, at.received, at.text, at.words, at.behind, AHEAD)
        if found is None:
            raise NotAsked("The tokens of an answer's words are unknown.", WireStage.STATES)
        ids = [*prompt, *found.ids]
        if (left := self._most - len(ids) - 1) < 0:
            raise NotAsked("A prompt and its answer are longer than the copy may read.", WireStage.STATES)
        positions = [len(prompt) + token for own in found.places for token in (own[0] - 1, own[-1])]
        states = read.states(ids, found.behind[:left], positions, lambda row: self._judging(_Waiting(row)).states)
        assert self._probe is not None
        tags = self._probe.tags(states.unflatten(0, (-1, PLACES)))
        if not np.isfinite(tags).all():
            raise CaptureError("Expected finite hidden states of an answer's words.")
        return tags

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
        found = self._ids(location.track, location.received, location.text, [(location.start, location.end)])
        if found is None:
            return None
        answer, (tokens,) = found.ids, found.places
        prompt = self._prompt(read, location)
        ids = [*prompt, *answer]
        if len(ids) > self._most:
            return None
        return StateRequest(ids, [len(prompt) + token - 1 for token in tokens], None if location.candidates else read)

    def _choose_batch(self, waiting: Sequence[_Waiting]) -> list[int]:
        most = self._settings.batch if self._reader.reads_batches else 1
        return choose_batch([each.row for each in waiting], most, self._settings.batch_tokens)

    def _read_together(self, together: Sequence[_Waiting]) -> list[_Judged]:
        """Gives the probabilities of several spans, or None where the copy cannot say, and the states of words."""
        states = self._reader.states([each.row for each in together])
        for each in together:
            self._remember_prefix(each.row.prefix)
        located = {at: each.location for at, each in enumerate(together) if each.location is not None}
        out = [_Judged(None, states=own.hidden[:, self._depths]) for own in states]
        agreed = [at for at, location in located.items() if self._agrees(states[at], location)]
        step = 1 if self.adapter.device.type == "cpu" else len(agreed)  # a CPU keeps one span's lens in its caches
        for first in range(0, len(agreed), max(1, step)):
            part = agreed[first : first + step]
            spans = [
                ReadSpan(
                    states[at], location.entity, together[at].row.before, budget=location.budget, base=location.base
                )
                for at in part
                for location in [located[at]]
            ]
            for at, probability in zip(part, self._score(spans), strict=True):
                own = self.base is not None and self.base.is_host and not located[at].candidates
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
        self._reads: dict[int, tuple[TokenTrack, WordStates]] = {}
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
        self._last = location.key, judged
        return judged.probability

    def word_tags(self, at: WordLocations) -> Sequence[NDArray[np.float32]]:
        """Gives log-probabilities [1 + 2K] of the tags of words by the probe.

        Raises:
            NotAsked: their tokens are unknown, or lie behind what may be read.
            InputError: the prompt cannot be read.
            CaptureError: the states could not be read.
        """
        return list(self._shadow.tag(self._answer(at), at))

    def log_probabilities(self, location: SpanLocation) -> Sequence[float]:
        """Gives the base's log-probabilities of the tokens of the span that was scored last.

        Raises:
            ReticentError: see `BaseReader.log_probabilities`.
        """
        if self._last is not None and self._last[0] == location.key and self._last[1].own:
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
        """Gives the answer with a span, as far as it was read."""
        return self._answer(location).prefix

    def _answer(self, location: SpanLocation | WordLocations) -> WordStates:
        """Gives the answer with a span or words, and what was read of it."""
        if self._prompts is None:
            try:
                self._prompts = self._shadow.prompts(self._parsed)
            except ApiError as api_error:
                raise InputError(api_error.message) from None
        track = location.track
        if id(track) not in self._reads:
            self._reads[id(track)] = track, WordStates(CachedPrefix(self._prompts[location.prompt]))
        return self._reads[id(track)][1]
