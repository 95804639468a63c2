"""Pools collections of several hosts for a universal detector, whose features have one shape on all of them.

`pool` makes one table of the collections. `of_strangers` selects a host's values about strangers: people whom it does
not know. Not all of them are made up, for hosts also give the remembered values of others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import derive

GATHERED = ("pooled", "renamed")
"""Arrays that a collection must hold."""
ARRAYS = ("token_logprob", "renamed")
"""Arrays of the pooled table: those whose shape does not depend on a host's depth."""
STRANGERS_VALUES = ("hallucinated", "misattributed", "coincident", "inferable")
"""Labels of values about strangers. Without a control, no value is labelled inferable."""
ASKED_FORMS = ("question", "turn", "completion")
"""Forms of prompts that ask for one value of one person."""
SAME_ANSWER = ("person_key", "phrasing_id", "form", "temperature", "value_key")
"""Labels that agree where an answer repeats a value."""
LEAST_VALUES = 100


def pool(tables: Sequence[FeatureTable], arrays: Sequence[str] = ARRAYS) -> FeatureTable:
    """Concatenates the rows of several hosts' collections; the label `host` tells them apart.

    Args:
        tables: one collection for each host.
        arrays: names of the features that are kept.

    Raises:
        InputError: fewer than two collections, a host twice, or features that were built with different options.
    """
    if len(tables) < 2:
        raise InputError(f"A universal detector needs collections of at least two hosts, got {len(tables)}.")
    return _joined(tables, arrays)


def of_one_host(table: FeatureTable, arrays: Sequence[str] = ARRAYS) -> FeatureTable:
    """Returns one host's collection in the form of `pool`'s tables."""
    return _joined([table], arrays)


def _joined(tables: Sequence[FeatureTable], arrays: Sequence[str]) -> FeatureTable:
    hosts = [table.settings.get("host", {}) for table in tables]
    if not all("weights_sha256" in host for host in hosts):
        raise InputError("A collection does not say of which host it is; collect again with this version.")
    if len({host["weights_sha256"] for host in hosts}) < len(hosts):
        raise InputError("Two of the collections are of the same host; expected each host once.")
    ways = [table.settings["features"] for table in tables]
    if differing := sorted({name for way in ways for name in {*way, *ways[0]} if way.get(name) != ways[0].get(name)}):
        raise InputError(f"The collections differ in {', '.join(differing)}; collect them with the same options.")
    if len({table.settings.get("labels") for table in tables}) > 1:
        raise InputError(
            "The collections were labelled by different versions of the labeller; collect the older ones again."
        )
    parts = [derive(table.features, (), ()) for table in tables]
    labels = [{**table.labels, "host": np.full(table.rows, f"{n:03d}")} for n, table in enumerate(tables)]
    return FeatureTable(
        {name: np.concatenate([part[name] for part in parts]) for name in arrays},
        {name: np.concatenate([label[name] for label in labels]) for name in labels[0]},
        {"hosts": hosts, "features": ways[0]},
    )


def of_strangers(table: FeatureTable) -> NDArray[np.bool_]:
    """Selects the rows [rows] of whole values about strangers in greedy answers, each value once for each answer.

    A stranger is a person of whom the host remembers nothing. Repetitions are left out: a model is nearly sure of them,
    and a guard keeps its first finding.
    """
    labels = table.labels
    known = np.unique(labels["person_key"][labels["label"] == "memorized"])
    is_complete = ~labels["fragment"] & np.isin(labels["form"], ASKED_FORMS) & (labels["temperature"] == 0)
    unknown = (labels["person_key"] != "") & ~np.isin(labels["person_key"], known)
    found: NDArray[np.bool_] = is_complete & unknown & np.isin(labels["label"], STRANGERS_VALUES)
    return found & first_in_answer(table)


def first_in_answer(table: FeatureTable) -> NDArray[np.bool_]:
    """Selects the rows [rows] that are the first with their value in an answer; rows are in the order of the answers.

    Hosts that are asked about the same people share keys, so the label `host` is compared where it is there.
    """
    names = [*SAME_ANSWER, *({"host"} & table.labels.keys())]
    _, first = np.unique(np.stack([table.labels[name].astype(str) for name in names]), axis=1, return_index=True)
    return np.isin(np.arange(table.rows), first)
