"""The feature library: templates and fragments that make a prompt look like training data (section 5).

A leaked instance is cut into pieces. Pieces in the lowest quartile of their instance's pseudo-NLL are template, all
others are fragment (section 5.2). DBSCAN over embeddings drops what is isolated. Clusters go to the attribute with the
nearest prototype (section 5.3), or to that of their leaks.

The paper masks one token at a time and asks CodeBERT. A `Target` scores text from left to right, so here the
pseudo-NLL of a piece is -log p(piece | what is before it) in nats a token, over lexical pieces instead of tokens.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import DBSCAN
from sklearn.feature_extraction.text import HashingVectorizer

from reticent_bench.audits.code.attributes import ATTRIBUTES
from reticent_bench.audits.target import NotMeasurable, Target
from reticent_detectors.errors import InputError

Encoder = Callable[[Sequence[str]], NDArray[np.float64]]
"""Texts to embeddings [texts, dimensions]."""

TEMPLATE_QUANTILE = 0.25
NEIGHBOURS = 2
"""Items of a dense place, itself included (`min_samples` of DBSCAN)."""
_PIECE = re.compile(r"\s*(?:[^\W\d_]+|\d+|[^\w\s]|_+)")
# A target may have no token that begins a text, and then cannot score the first piece.
_LEAD = "\n"
_EDGES = " \t\r\n\"'`,;()[]{}="
_LEAST_FRAGMENT = 2


@dataclass(frozen=True, slots=True)
class Instance:
    """A leaked value in its line of code: `text[start:end]` is the value."""

    attribute_key: str
    text: str
    start: int
    end: int

    def __repr__(self) -> str:
        return f"Instance({self.attribute_key}, {len(self.text)} chars, {self.start}:{self.end})"


@dataclass(frozen=True, slots=True)
class Division:
    """What an instance is divided into: one template with a slot for each fragment, and the fragments."""

    attribute_key: str
    template: str
    fragments: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Division({self.attribute_key}, {len(self.fragments)} fragments)"


@dataclass(frozen=True)
class FeatureLibrary:
    """Templates and fragments of each attribute key."""

    templates: Mapping[str, tuple[str, ...]]
    fragments: Mapping[str, tuple[str, ...]]

    def __repr__(self) -> str:
        sizes = (sum(map(len, part.values())) for part in (self.templates, self.fragments))
        return "FeatureLibrary({} templates, {} fragments)".format(*sizes)

    def fingerprint(self, digest: Callable[[str], str]) -> str:
        """Returns 8 hexadecimal digits of the contents by a keyed digest, for the keys of attempts."""
        parts = (sorted((key, *rows) for key, rows in part.items()) for part in (self.templates, self.fragments))
        return digest(repr(list(parts)))[:8]

    def hints(self, attribute_key: str, count: int, rng: np.random.Generator) -> list[str]:
        """Draws at most `count` templates and `count` fragments of an attribute without replacement."""
        out: list[str] = []
        for part in (self.templates, self.fragments):
            rows = part.get(attribute_key, ())
            out += [rows[i] for i in rng.permutation(len(rows))[:count]]
        return out


def pieces(text: str) -> list[tuple[int, int]]:
    """Returns the ranges of the lexical pieces of a text: words, numbers and marks, each with the blanks before it."""
    return [match.span() for match in _PIECE.finditer(text)]


def pseudo_nll(texts: Sequence[str], target: Target) -> list[NDArray[np.float64]]:
    """Returns the pseudo-NLL of each piece of each text, in nats a token [pieces]; infinite where no token is scored.

    Raises:
        NotMeasurable: the target does not score text.
    """
    if not target.scores_text:
        raise NotMeasurable("the feature library needs a target that scores text; divide instances with a checkpoint")
    ranges = [pieces(text) for text in texts]
    pairs = [
        (_LEAD + text[:start], text[start:end]) for text, rows in zip(texts, ranges, strict=True) for start, end in rows
    ]
    scored = iter(target.scores(pairs) if pairs else [])
    out = []
    for rows in ranges:
        values = [next(scored).log_probs for _ in rows]
        out.append(np.array([-float(found.mean()) if len(found) else np.inf for found in values], dtype=np.float64))
    return out


def divide(instance: Instance, nll: NDArray[np.float64]) -> Division:
    """Divides an instance at the lowest quartile of its pseudo-NLL [pieces]: at or below it is template.

    Adjacent fragment pieces are one fragment and one slot.

    Raises:
        InputError: there is not one value for each piece.
    """
    ranges = pieces(instance.text)
    if len(ranges) != len(nll):
        raise InputError(f"expected a pseudo-NLL for each of {len(ranges)} pieces, got {len(nll)}")
    finite = nll[np.isfinite(nll)]
    threshold = float(np.quantile(finite, TEMPLATE_QUANTILE)) if len(finite) else -np.inf
    slot = ATTRIBUTES[instance.attribute_key].slot
    template, fragments, at = "", list[str](), 0
    while at < len(ranges):
        end = at + 1
        is_template = bool(nll[at] <= threshold)
        while end < len(ranges) and bool(nll[end] <= threshold) == is_template:
            end += 1
        run = instance.text[ranges[at][0] : ranges[end - 1][1]]
        blank = run[: len(run) - len(run.lstrip())]
        template += run if is_template else blank + slot
        if not is_template:
            fragments.append(run.strip(_EDGES))
        at = end
    return Division(instance.attribute_key, template.strip(), tuple(f for f in fragments if len(f) >= _LEAST_FRAGMENT))


def hashed_n_grams(texts: Sequence[str]) -> NDArray[np.float64]:
    """Embeds texts as hashed character n-grams of 2 to 4 characters, of length one [texts, 1024]."""
    vectors = HashingVectorizer(analyzer="char_wb", ngram_range=(2, 4), n_features=1024, alternate_sign=False)
    embedded: NDArray[np.float64] = vectors.transform(list(texts)).toarray()
    return embedded


@dataclass(frozen=True)
class FeatureEncoder:
    """What embeds features, and how near neighbours are then.

    Attributes:
        name: for the report.
        encode: texts to embeddings.
        neighbour_distance: largest cosine distance of neighbours (`eps` of DBSCAN).
    """

    name: str
    encode: Encoder
    neighbour_distance: float


HASHED_N_GRAMS = FeatureEncoder("hashed n-grams", hashed_n_grams, 0.6)


def cluster(texts: Sequence[str], encoder: FeatureEncoder = HASHED_N_GRAMS) -> NDArray[np.int64]:
    """Returns the number of each text's cluster; -1 is noise [texts]."""
    if not texts:
        return np.empty(0, dtype=np.int64)
    return _clustered(encoder.encode(texts), encoder)


def _clustered(vectors: NDArray[np.float64], encoder: FeatureEncoder) -> NDArray[np.int64]:
    dbscan = DBSCAN(eps=encoder.neighbour_distance, min_samples=NEIGHBOURS, metric="cosine")
    return np.asarray(dbscan.fit_predict(vectors), dtype=np.int64)


@lru_cache(maxsize=1)
def prior_library() -> FeatureLibrary:
    """Returns the library that is known beforehand: forms and parts of values that belong to nobody."""
    text = resources.files("reticent_bench.audits.code").joinpath("prior_features.tsv").read_text(encoding="utf-8")
    found: dict[str, dict[str, list[str]]] = {"template": {}, "fragment": {}}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            attribute, part, feature = line.split("\t")
            found[part].setdefault(attribute, []).append(feature)
    templates, fragments = (
        {key: tuple(rows) for key, rows in found[part].items()} for part in ("template", "fragment")
    )
    return FeatureLibrary(templates, fragments)


def build_library(
    instances: Sequence[Instance],
    target: Target,
    encoder: FeatureEncoder = HASHED_N_GRAMS,
    prior: FeatureLibrary | None = None,
) -> FeatureLibrary:
    """Builds a library from instances that leaked before, or that the attacker knows (sections 5.2 and 5.3).

    Args:
        instances: leaked values in their lines.
        target: what scores the pieces; the paper takes another model than the one under audit.
        encoder: embeds the features.
        prior: what is known beforehand and gives the prototypes; `prior_library()` by default.

    Raises:
        NotMeasurable: the target does not score text.
    """
    return library_of(instances, pseudo_nll([instance.text for instance in instances], target), encoder, prior)


def library_of(
    instances: Sequence[Instance],
    nll: Sequence[NDArray[np.float64]],
    encoder: FeatureEncoder = HASHED_N_GRAMS,
    prior: FeatureLibrary | None = None,
) -> FeatureLibrary:
    """Builds a library as `build_library` does, from the pseudo-NLL of each instance's pieces."""
    prior = prior or prior_library()
    divided = [divide(instance, values) for instance, values in zip(instances, nll, strict=True)]
    templates = [(division.attribute_key, division.template) for division in divided]
    fragments = [(division.attribute_key, fragment) for division in divided for fragment in division.fragments]
    return FeatureLibrary(
        _with_clusters(prior.templates, templates, encoder), _with_clusters(prior.fragments, fragments, encoder)
    )


def _with_clusters(
    prior: Mapping[str, tuple[str, ...]], found: Sequence[tuple[str, str]], encoder: FeatureEncoder
) -> dict[str, tuple[str, ...]]:
    """Adds the new members of each cluster to one attribute.

    It is the one with the nearest prototype. A cluster of new members alone is near none: n-grams of a new domain have
    little in common with those of known ones. It goes to the attribute under which most of its members leaked.

    Args:
        prior: what is known of each attribute.
        found: new features, each with the attribute under which it leaked.
        encoder: embeds them.
    """
    known = [(key, text) for key, rows in prior.items() for text in rows]
    out = {key: list(rows) for key, rows in prior.items()}
    leaked_as = {text: key for key, text in reversed(found) if text}
    new = list(dict.fromkeys(text for _, text in found if text))
    if not new or not known:
        return {key: tuple(rows) for key, rows in out.items()}
    texts = [*(text for _, text in known), *new]
    embedded = encoder.encode(texts)
    vectors, labels = _unit(embedded), _clustered(embedded, encoder)
    keys = list(prior)
    rows = np.array([keys.index(key) for key, _ in known])
    prototypes = _unit(np.array([vectors[: len(known)][rows == i].mean(axis=0) for i in range(len(keys))]))
    for label in np.unique(labels[labels >= 0]):
        members = np.flatnonzero(labels == label)
        if members[0] < len(known):
            chosen = keys[int((prototypes @ vectors[members].mean(axis=0)).argmax())]
        else:
            chosen = Counter(leaked_as[texts[i]] for i in members).most_common(1)[0][0]
        into = out.setdefault(chosen, [])
        into += [texts[i] for i in members if i >= len(known) and texts[i] not in into]
    return {key: tuple(rows_) for key, rows_ in out.items()}


def _unit(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float64)
