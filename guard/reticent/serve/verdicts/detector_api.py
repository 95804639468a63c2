"""Reads and writes the detectors API of the FMS Guardrails Orchestrator, which TrustyAI's operator runs.

    POST /api/v1/text/contents    {"contents": ["Call Jane at 555-867-5309."], "detector_params": {}}
    [[{"start": 13, "end": 25, "text": "555-867-5309", "detection": "PHONE_NUMBER", "detection_type": "pii",
       "score": 1.0, "metadata": {"origin": "unknown", "action": "redact", ...}}]]
    POST /api/v1/text/generation  {"prompt": "Who is Jane?", "generated_text": "...", "detector_params": {}}

There is one detection for each value that the policy stops, at offsets in characters, and one (`UNDECIDED`) for what
else may not be shown, such as all behind a block. Its `score` is 1, as the policy has decided and a threshold of the
orchestrator's must not undo that. `text` repeats what the client sent, and stands in this answer alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from reticent.core.stream_types import SpanRecord
from reticent.observability.observers import Route
from reticent.serve.judging.open_text import JudgedText
from reticent.serve.verdicts.contract import (
    TEXT,
    AskedTexts,
    Extras,
    Judged,
    Lenient,
    Schema,
    checked_body,
    extras_schema,
)
from reticent_detectors.between_steps import between_steps
from reticent_detectors.entities import UNDECIDED

if TYPE_CHECKING:
    from reticent.serve.proxy import Proxy
    from reticent.serve.snapshot import Caller

_TYPE = "pii"
_INVALID = 422
_PARAMS = "'detector_params' with nothing but 'policy', 'user', 'context', 'model' and 'logprobs'"


class _Contents(Lenient):
    contents: list[str]
    detector_params: Extras | None = None


class _Generation(Lenient):
    prompt: str
    generated_text: str
    detector_params: Extras | None = None


class TextContentsContract:
    """Reads and writes `text/contents`: each text by itself, with the place of each value."""

    path, route, refused = "/api/v1/text/contents", Route.TEXT_CONTENTS, _INVALID
    summary = "Finds what the policy stops in texts, for the FMS Guardrails Orchestrator."

    def read(self, body: dict[str, Any], headers: Mapping[bytes, bytes]) -> AskedTexts:
        """Reads a request. Raises ApiError."""
        read = checked_body(_Contents, body, f"a list of texts as 'contents', and {_PARAMS}", _INVALID)
        return AskedTexts(tuple(read.contents), read.detector_params or Extras())

    def answer(self, asked: AskedTexts, judged: Judged) -> Any:
        """Gives a list of detections for each text."""
        return [
            [
                {"start": start, "end": end, "text": text[start:end]} | detection
                for start, end, detection in _detections(each)
            ]
            for text, each in zip(asked.texts, judged.texts, strict=True)
        ]

    def describe(self, proxy: Proxy, caller: Caller) -> tuple[Schema, Schema]:
        """Describes the request and the answer."""
        contents: Schema = {"type": "array", "items": TEXT, "maxItems": proxy.settings.limits.channels}
        place: dict[str, Schema] = {
            "start": {"type": "integer", "minimum": 0},
            "end": {"type": "integer"},
            "text": TEXT,
        }
        detections = {"type": "array", "items": _detection_schema(place)}
        return _request({"contents": contents}, proxy, caller), {"type": "array", "items": detections}


class TextGenerationContract:
    """Reads and writes `text/generation`: an answer with its prompt, so what the user typed is told apart."""

    path, route, refused = "/api/v1/text/generation", Route.TEXT_GENERATION, _INVALID
    summary = "Finds what the policy stops in an answer to a prompt, for the FMS Guardrails Orchestrator."

    def read(self, body: dict[str, Any], headers: Mapping[bytes, bytes]) -> AskedTexts:
        """Reads a request. Raises ApiError."""
        expected = f"the texts 'prompt' and 'generated_text', and {_PARAMS}"
        read = checked_body(_Generation, body, expected, _INVALID)
        extras = read.detector_params or Extras()
        typed = "\n".join(filter(None, (extras.user, read.prompt)))
        return AskedTexts((read.generated_text,), extras.model_copy(update={"user": typed}))

    def answer(self, asked: AskedTexts, judged: Judged) -> Any:
        """Gives the detections in the answer."""
        return [
            detection | {"metadata": {**detection["metadata"], "start": start, "end": end}}
            for each in judged.texts
            for start, end, detection in _detections(each)
        ]

    def describe(self, proxy: Proxy, caller: Caller) -> tuple[Schema, Schema]:
        """Describes the request and the answer."""
        request = _request({"prompt": TEXT, "generated_text": TEXT}, proxy, caller)
        return request, {"type": "array", "items": _detection_schema({})}


def _detections(judged: JudgedText) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yields the start and end of each stopped value and its detection, then those of all else that is hidden."""
    covered: list[tuple[int, int]] = []
    for record in judged.report.spans:
        if record.action.stops:
            start = max(0, record.start)
            covered.append((start, record.end))
            yield start, record.end, _detection(record.entity, _metadata(record))
    merged = _merged(covered)
    for start, end in judged.hidden:
        between_steps()
        if not _covers(merged, start, end):
            action = "block" if judged.report.blocked else "redact"
            yield start, end, _detection(UNDECIDED, {"action": action})


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Gives the ranges in order, those that overlap or touch as one."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], end)
        else:
            merged.append((start, end))
    return merged


def _covers(merged: list[tuple[int, int]], start: int, end: int) -> bool:
    """Says whether these ranges cover another one."""
    at = bisect_right(merged, start, key=itemgetter(0)) - 1
    return start >= end or (at >= 0 and merged[at][1] >= end)


def _detection(entity: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {"detection": entity, "detection_type": _TYPE, "score": 1.0, "metadata": metadata}


def _metadata(record: SpanRecord) -> dict[str, Any]:
    decision, verdict = record.decision, record.decision.verdict
    told = {
        "origin": str(verdict.origin),
        "action": str(decision.action),
        "reason": str(decision.reason),
        "basis": str(verdict.tier),
        "decision_id": record.decision_id,
    }
    return told if verdict.probability is None else {**told, "probability": verdict.probability}


def _request(properties: dict[str, Schema], proxy: Proxy, caller: Caller) -> Schema:
    params = {"anyOf": [extras_schema(proxy, caller), {"type": "null"}]}
    return {"type": "object", "required": list(properties), "properties": {**properties, "detector_params": params}}


def _detection_schema(place: dict[str, Schema]) -> Schema:
    properties = {
        **place,
        "detection": TEXT,
        "detection_type": TEXT,
        "score": {"type": "number"},
        "metadata": {"type": "object"},
    }
    return {"type": "object", "required": list(properties), "properties": properties}
