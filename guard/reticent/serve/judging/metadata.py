"""Judges the strings, numbers and names in a response that are no running text: each at once and as a whole.

A client may see what is in a closed set (literals), what has a form that only servers write (ids), what the client
itself sent (the model's name), and what holds nothing that the policy stops. An unknown field may also carry a text in
pieces. So it is read together with the end of what earlier frames had at the same place, and the beginning of a value
counts as a value.

Numbers at places that no API names, and texts of digits there, are also read one behind the other in the order in which
they come, so that a value cannot be spelled over several fields, items or frames.

Not covered: the pieces of such a value before the first one in which it looks like a value.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from typing import Any

from reticent.core.report import Report
from reticent.serve.judging.answer_parts import BESIDE, TEXT, AnswerPart, AnswerParts
from reticent.serve.judging.channels import TextSegment, stops_recorded
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.wire.sse import Event
from reticent_detectors.finder.recorded import LEAST_DIGITS

_WINDOW_CHARS = 128
_PREFIXES = r"(?:chatcmpl|cmpl|call|fp|req|msg|toolu|chatcmpl-tool|resp|rs|fc|ctc|mcp|ws|fs|ci|ig|srvtoolu)"
_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
# Ids with a server's prefix and a random part: a UUID, or letters and digits with at least one small letter and one
# digit.
_MADE = re.compile(
    rf"(?:{_PREFIXES}[-_])?{_UUID}|"
    rf"{_PREFIXES}[-_](?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{{16,64}}|"
    r"b\d{3,6}-[0-9a-f]{7,12}|"  # a build of llama.cpp
    r"vllm-\d{1,2}\.\d{1,3}\.\d{1,3}-[0-9a-f]{8}|"  # a version of vLLM and its settings
    r"gen-1[5-9]\d{8}-[A-Za-z0-9]{16,32}"  # a generation of OpenRouter's: its time and a random part
)
# Short words that would look like a value's beginning, if they were not known to be whole.
_COUNTED = re.compile(r"[A-Za-z]{1,8}[-_]?[0-9]{1,4}")
_WORDS = re.compile(r"(?=.{1,40}$)[A-Za-z]+(?:_[A-Za-z]+)*")
_DATED = re.compile(r"-(?:\d{4}-\d{2}-\d{2}|\d{4})")
_NAMES = frozenset(
    {
        "completion_tokens", "prompt_tokens", "total_tokens", "prompt_tokens_details",
        "completion_tokens_details", "cached_tokens", "audio_tokens", "reasoning_tokens",
        "accepted_prediction_tokens", "rejected_prediction_tokens", "prompt_cache_hit_tokens",
        "prompt_cache_miss_tokens", "input_tokens", "output_tokens", "image_tokens", "text_tokens", "cost",
        "queue_time", "prompt_time", "completion_time", "total_time", "prompt_n", "prompt_ms",
        "prompt_per_token_ms", "prompt_per_second", "predicted_n", "predicted_ms", "predicted_per_token_ms",
        "predicted_per_second", "cache_n", "draft_n", "draft_n_accepted", "error", "message", "type", "param",
        "code", "object", "title", "status", "kv_transfer_params", "provider", "metadata", "x_groq",
        "obfuscation", "prompt_filter_results", "content_filter_results", "content_filter_result",
        "prompt_index", "hate", "self_harm", "sexual", "violence", "jailbreak", "profanity", "filtered",
        "severity", "detected", "annotations", "function_call", "routed_experts", "prompt_text",
        "ec_transfer_params", "metrics",
    }
)  # fmt: skip
"""Names of fields that servers are known to write."""
_SETTINGS = frozenset(
    {
        "temperature", "top_p", "top_k", "min_p", "frequency_penalty", "presence_penalty", "repetition_penalty",
        "length_penalty", "seed", "n", "max_tokens", "max_completion_tokens", "max_output_tokens", "max_tool_calls",
        "score", "confidence", "duration", "seconds", "total_duration", "load_duration", "eval_duration",
        "prompt_eval_duration", "eval_count", "prompt_eval_count", "upstream_inference_cost", "total_cost",
    }
)  # fmt: skip
"""Names of numbers that servers are known to write beside usage: a request's settings, scores, times and costs."""
_MEASURED = re.compile(r"(?:.*_)?(?:ms|seconds|time|latency|duration|cost|tokens|count|per_second|ttft|elapsed)")
"""Names of numbers that measure something."""
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}")
_NOISE = re.compile(
    r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])(?!.*\d{9})[A-Za-z0-9+/_-]{48,}={0,2}"
)  # a number of nine digits would be one
_SHORT_NOISE = 128
"""Characters of noise in which the groups of a recorded number do not stand by chance."""
_LONG_DIGITS = re.compile(rf"[0-9]{{{LEAST_DIGITS},}}")
_READABLE = re.compile(rb"[\t\n\r\x20-\x7e]{24}")  # no chance run: in 100 kB of noise, one time in 50,000
_ID_CHARS, _MOST_IDS = 128, 1024
_LARGEST_COUNT = 10**8
_DIGITS = re.compile(r"(?=[^0-9]*[0-9])[^A-Za-z]{1,16}")
_NO_POINT = str.maketrans("", "", ".-")
_MOST_DIGITS = 4
"""Digits of a number that is no value by itself."""
_RUN_LENGTH = 32
"""Numbers that are read together."""
_MOST_REPEATS = 4
"""Times that a number may come again at its place before it counts as one that stands in every frame."""
_PADDING = re.compile(r"(?!.*\d{4})[A-Za-z0-9]{0,32}")
_TIMESTAMPS = range(1_400_000_000, 2_200_000_000)


class MetadataJudge:
    """Judges what a response has beside its texts.

    Args:
        request: what it shares with the texts.
        model: the model's name as the client wrote it.
    """

    def __init__(self, request: GuardedRequest, model: str) -> None:
        self._request, self._model = request, model
        self._last: dict[str, tuple[str, int]] = {}
        self._windows: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._id_parts = AnswerParts()
        self._counts: dict[str, bool] = {}
        self._names: set[str] = set()
        self._run: list[tuple[str, str]] = []
        self._repeats: dict[str, tuple[str, int]] = {}
        self.reports: list[Report] = []

    def allows(self, path: str, text: str) -> bool:
        """Says whether a string at a place may be shown."""
        if not text or self.is_constant(path, text):
            return True
        if len(self._windows) > self._request.bounds.channels and path not in self._windows:
            return False
        before = self._windows.get(path, "")
        self._windows[path] = (before + text)[-_WINDOW_CHARS:]
        if not self._is_harmless(text, self._part(path)) or (before and not self._is_harmless_after(before, text)):
            self._last.pop(path, None)
            return False
        return self.allows_digits(path, text)

    def allows_event(self, event: Event) -> bool:
        """Says whether all that an event has beside its data may be shown."""
        return not event.odd and self.allows("event", event.name) and self.allows("comment", event.other)

    def is_constant(self, path: str, text: str) -> bool:
        """Says whether a string stood at this place in the frame before, such as the name of a provider in every frame.

        Digits may repeat within a value that comes in pieces, and so may a letter or two, but not again and again.
        """
        last, times = self._last.get(path, ("", 0))
        times = times + 1 if last == text and not any(map(str.isdigit, text)) else 0
        if path in self._last or len(self._last) < self._request.bounds.channels:
            self._last[path] = text, times
        return times > (0 if len(text) > 2 else 3)

    def allows_name(self, name: str) -> bool:
        """Says whether a word that comes again and again, as the name of a field does, may be shown."""
        if name not in _NAMES and name not in self._names:
            if len(self._names) >= _MOST_IDS or not self._is_harmless(name):
                return False
            self._names.add(name)
        return True

    def allows_number(self, path: str, value: float) -> bool:
        """Says whether a number at an unknown place may be shown, as its digits may be a value, or a part of one."""
        if isinstance(value, bool):
            return True
        text, is_known = json.dumps(value), _is_known_number(_field(path))
        if self._stops_recorded(text, self._part(path)):
            return False
        if abs(value) >= 10_000:
            return self.allows(path, text)
        if is_known:
            return True
        digits = text.translate(_NO_POINT)
        is_short = len(digits) <= _MOST_DIGITS
        return (is_short or (self._is_harmless(text) and self._is_harmless(digits))) and self._allows_in_run(path, text)

    def allows_digits(self, path: str, text: str, is_running: bool = False) -> bool:
        """Says whether a text at an unknown place may be shown, if it is one of digits alone.

        `is_running`: whether it is a piece of a running text, which is judged with the other pieces at its place.
        """
        if _DIGITS.fullmatch(text) is None or _is_known_number(_field(path)):
            return True
        return self._allows_in_run(path, text, is_running)

    def shown_counts(self, value: Any) -> Any:
        """Gives numbers of tokens, seconds or the like, each 0 if they are a recorded value together."""
        if self._request.recorded is None:
            return value
        numbers = "\n".join(map(json.dumps, _numbers(value)))
        if sum(map(str.isdigit, numbers)) < LEAST_DIGITS:
            return value
        if numbers not in self._counts:
            stopped = self._stops_recorded(numbers)
            if len(self._counts) >= _MOST_IDS:
                self._counts.clear()
            self._counts[numbers] = stopped
        return _zeroed(value) if self._counts[numbers] else value

    def allows_count(self, path: str, value: Any) -> bool:
        """Says whether a number of tokens, seconds or the like may be shown: known fields, so only their size is looked
        at, and whether they are recorded (`shown_counts`).
        """
        if isinstance(value, float):
            return abs(value) < _LARGEST_COUNT or (value.is_integer() and int(value) in _TIMESTAMPS)
        return abs(value) < _LARGEST_COUNT or value in _TIMESTAMPS or self.allows_number(path, value)

    def shown_model(self, name: str) -> str:
        """Gives the model's name for the client: the server's, or the one that the client wrote."""
        dated = self._model and name.startswith(self._model) and _DATED.fullmatch(name[len(self._model) :])
        known = dated and not self._stops_recorded(name)
        return name if name == self._model or known or self.allows("model", name) else self._model

    def replace_id(self, path: str, text: str) -> str:
        """Gives an id for the client: the server's, or a replacement that is the same for the whole response."""
        if text in self._ids:
            return self._ids[text]
        own = not self._stops_recorded(text, self._id_parts.open_next()) and (
            _MADE.fullmatch(text) is not None
            or self.is_plain_word(text)
            or (len(text) <= _ID_CHARS and self._is_harmless(text))
        )
        prefix = "call_" if path.endswith("tool_calls.id") else "id-"
        shown = text if own else f"{prefix}{self._request.id}{len(self._ids)}"
        if len(self._ids) < _MOST_IDS:
            self._ids[text] = shown
        return shown

    def shown_padding(self, text: str) -> str | None:
        """Gives what pads a frame: with records our own of the same length, as theirs could spell a value."""
        if _PADDING.fullmatch(text) is None:
            return None
        return text if self._request.recorded is None else "x" * len(text)

    def is_plain_word(self, text: str) -> bool:
        """Says whether a text is a whole short id (`c1`, `call_2`) or error name, in which nothing is found."""
        plain = _COUNTED.fullmatch(text) or _WORDS.fullmatch(text)
        return plain is not None and self._is_harmless(f"{text}.")  # at a sentence's end it begins nothing

    def allows_opaque(self, path: str, text: str) -> bool:
        """Says whether what a server encrypted or signed may be shown.

        It may be noise in base64, or text that may be shown as it is. In either case it must not be readable once its
        base64 is decoded, and hold no recorded value. In long noise any number's groups stand somewhere by chance, so
        only whole ones count there. Compressed text is not recognised.
        """
        is_noise = _NOISE.fullmatch(text) is not None  # it looks like a key, and is none
        looked_up = _LONG_DIGITS.findall(text) if is_noise and len(text) > _SHORT_NOISE else [text]
        if any(map(self._stops_recorded, looked_up)):
            return False
        shown = is_noise or self.allows(path, text)
        return shown and not any(map(_is_readable, _BASE64.findall(text)))

    def _allows_in_run(self, path: str, text: str, is_running: bool = False) -> bool:
        """Says whether digits may be shown after those that came before, as one number or as groups of one."""
        last, times = self._repeats.get(path, ("", 0))
        times = times + 1 if last == text else 0
        if path in self._repeats or len(self._repeats) < self._request.bounds.channels:
            self._repeats[path] = text, times
        if times > _MOST_REPEATS:
            return True
        run, self._run = self._run, [*self._run, (path, text)][-_RUN_LENGTH:]
        if not run or (is_running and all(place == path for place, _ in run)):
            return True
        before = [each for _, each in run]
        plain = [each.translate(_NO_POINT) for each in before]
        return all(
            self._is_harmless_after(joint.join(pieces) + joint, end)
            for joint, pieces, end in (
                ("", before, text),
                ("", plain, text.translate(_NO_POINT)),
                ("-", before, text),
                (" ", before, text),
            )
        )

    def _part(self, path: str) -> AnswerPart | None:
        return self._request.open_part(0, BESIDE, TEXT, path)

    def _stops_recorded(self, text: str, part: AnswerPart | None = None) -> bool:
        return stops_recorded(self._request, 0, text, part, self.reports)

    def _is_harmless(self, text: str, part: AnswerPart | None = None) -> bool:
        if self._stops_recorded(text, part):
            return False
        segment = TextSegment(self._request, 0, self._request.fresh_context(0), is_metadata=True)
        segment.feed(text, 0.0)
        segment.finish(0.0, cut=True)
        stopped = segment.machine.changed or segment.machine.blocked
        if stopped:
            self.reports.append(Report.of(segment.machine))
        return not stopped

    def _is_harmless_after(self, before: str, text: str) -> bool:
        """Says whether nothing is stopped that reaches from `before` into `text`."""
        segment = TextSegment(self._request, 0, self._request.fresh_context(0), halts=False, is_metadata=True)
        _, middle = segment.feed(before, 0.0)
        _, end = segment.feed(text, 0.0)
        segment.finish(0.0, cut=True)
        return not segment.stopped and not any(r.decision.action.stops for r in segment.spans(middle, end))


def _numbers(value: Any) -> Iterator[float]:
    """Yields the numbers of a field, as a reader would see them."""
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _numbers(each)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def _zeroed(value: Any) -> Any:
    """Gives a field with 0 in place of each of its numbers."""
    if isinstance(value, dict):
        return {name: _zeroed(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_zeroed(each) for each in value]
    return type(value)(0) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _is_known_number(name: str) -> bool:
    """Says whether servers are known to write a number of this name."""
    return name in _NAMES or name in _SETTINGS or _MEASURED.fullmatch(name) is not None


def _field(path: str) -> str:
    """Gives the name of the field at the end of a path."""
    return path.rpartition(".")[2].partition("[")[0]


def _is_readable(sealed: str) -> bool:
    """Says whether base64, from whichever of its characters on, decodes to a run of plain text."""
    plain = sealed.replace("-", "+").replace("_", "/")
    return any(
        _READABLE.search(base64.b64decode(plain[start : start + (len(plain) - start) // 4 * 4])) is not None
        for start in range(4)
    )
