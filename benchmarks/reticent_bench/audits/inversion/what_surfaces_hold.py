"""What each of the guard's surfaces holds of an answer: which fields, and what the audit does with each of them."""

from __future__ import annotations

from typing import NamedTuple


class Field(NamedTuple):
    """Fields of a surface that are alike.

    Attributes:
        surface: where they are.
        names: of the fields.
        holds: what they say.
        given: what the attacker gets of them: "shape", "numbers", "categories", "hashes", or why nothing.
    """

    surface: str
    names: tuple[str, ...]
    holds: str
    given: str


RANDOM = "left out: drawn at random for each answer"
OUTSIDE = "left out: nothing of the answer"
FIELDS: tuple[Field, ...] = (
    Field("report", ("entity", "start", "end", "generated_chars"), "kind, offsets and lengths in characters", "shape"),
    Field(
        "report",
        ("probability", "cue", "base"),
        "what the detector, the prompt and the base say of the value",
        "numbers",
    ),
    Field(
        "report",
        (
            "held_chars",
            "held_tokens",
            "held_seconds",
            "most_held",
            "released_chars",
            "overflows",
            "second_looks",
            "would_stop",
        ),
        "what was held back, let out and looked at again",
        "numbers",
    ),
    Field("report", ("fragment", "changed", "blocked", "cut"), "flags", "numbers"),
    Field(
        "report",
        ("recognizer", "action", "reason", "would", "origin", "tier"),
        "which recogniser and rule decided",
        "categories",
    ),
    Field("report", ("failures",), "failures by stage", "numbers"),
    Field("report", ("decision_id",), "16 hexadecimal digits", RANDOM),
    Field("report", ("spans",), "the list of the spans", "its length"),
    Field("observation", ("request_id",), "16 hexadecimal digits", RANDOM),
    Field(
        "observation",
        ("choice", "stream", "stage_seconds", "added_first_token_seconds", "added_inter_chunk_seconds", "thresholds"),
        "times of the guard, and thresholds by kind",
        "numbers",
    ),
    Field(
        "observation",
        ("outcome", "route", "policy", "bundle", "fail_modes"),
        "outcome, and digests of policy and bundle",
        "categories",
    ),
    Field("observation", ("report",), "the report", "as above"),
    Field(
        "decision log",
        ("entity", "start", "end", "chars"),
        "kind, offsets and length",
        "shape",
    ),
    Field(
        "decision log",
        ("probability", "cue", "base", "threshold", "fragment", "held_chars", "held_tokens", "choice"),
        "as in the report",
        "numbers",
    ),
    Field(
        "decision log",
        ("kind", "route", "origin", "action", "reason", "would", "tier", "policy", "bundle"),
        "as in the report",
        "categories",
    ),
    Field("decision log", ("id", "request"), "ids of the decision and the request", RANDOM),
    Field("decision log", ("n", "prev", "hash"), "the chain: a hash of the line, which holds random ids", RANDOM),
    Field("decision log", ("time",), "when the line was written", OUTSIDE),
    Field(
        "metrics",
        ("samples",),
        "by how much each Prometheus sample rose with this one answer; labels are of closed sets",
        "numbers",
    ),
    Field("collection", ("entity", "tokens", "chars"), "kind and lengths", "shape"),
    Field("collection", ("first_prob", "temperature", "cue", "fragment", "robust"), "as in the report", "numbers"),
    Field(
        "collection",
        ("label", "person_split", "phrasing_split", "phrasing_id", "form"),
        "what the value truly is, and how it was asked for",
        "categories",
    ),
    Field("collection", ("person_key",), "keyed hash of the person", "left out: the tested people are others"),
    Field(
        "collection", ("value_key",), "keyed hash of the value; equal values of one person have equal hashes", "hashes"
    ),
    Field(
        "collection",
        ("features",),
        "lens probabilities, cosines of the likeliest tokens' embeddings, log-probabilities, entropies, ranks",
        "numbers",
    ),
)

LEFT_OUT = frozenset(name for field in FIELDS if field.given in (RANDOM, OUTSIDE) for name in field.names)
"""Names of fields that no attacker gets."""


def names_of(surface: str) -> frozenset[str]:
    """All fields that the table has for a surface."""
    return frozenset(name for field in FIELDS if field.surface == surface for name in field.names)
