"""A detector that knows no host: trained on collections of several, with features that have one shape on all of them.

`pool` makes one table of the collections. `stranger_quantiles` says how high a detector's scores lie where a host is asked about people
whom it does not know. Not all that it says of them is made up: small hosts above all give some the remembered values of others. So
no threshold can be set on these scores, but a host's can be laid beside those of the hosts that a detector was trained on.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reticent_detectors.collection.shards import FeatureTable
from reticent_detectors.errors import InputError
from reticent_detectors.features.derived_features import derive

GATHERED = ("pooled", "renamed")
"""What a collection must hold."""
ARRAYS = ("token_logprob", "renamed")
"""What is kept of it: all that does not depend on a host's depth."""
SHARES = tuple(np.linspace(0.1, 0.7, 7).round(1).tolist())
"""Above, a good part of what is said of strangers is other people's."""
STRANGERS_VALUES = (
    "hallucinated",
    "misattributed",
    "coincident",
    "inferable",
)  # a control that was not asked tells none of the last
ASKED_FORMS = ("question", "turn", "completion")
"""Forms of prompts that ask for one value of one person."""
SAME_ANSWER = ("person_key", "phrasing_id", "form", "temperature", "value_key")
"""Labels that are alike where one value is said again behind one prompt."""
LEAST_VALUES = 100


def pool(tables: Sequence[FeatureTable], arrays: Sequence[str] = ARRAYS) -> FeatureTable:
    """The rows of several hosts' collections, with these feature arrays; the label `host` says which is whose.

    Raises:
        InputError: fewer than two collections, a host twice, or features that were built in different ways.
    """
    if len(tables) < 2:
        raise InputError(f"A universal detector needs collections of at least two hosts, got {len(tables)}.")
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
    """Rows of whole values that a host gave, without sampling, of people of whom it remembers nothing; each value once an answer.

    A model that says a value again in one answer is nearly sure of it, and a guard keeps what it found the first time.
    """
    labels = table.labels
    known = np.unique(labels["person_key"][labels["label"] == "memorized"])
    is_complete = ~labels["fragment"] & np.isin(labels["form"], ASKED_FORMS) & (labels["temperature"] == 0)
    unknown = (labels["person_key"] != "") & ~np.isin(labels["person_key"], known)
    found: NDArray[np.bool_] = is_complete & unknown & np.isin(labels["label"], STRANGERS_VALUES)
    return found & first_in_answer(table)


def first_in_answer(table: FeatureTable) -> NDArray[np.bool_]:
    """Which rows [rows] are the first with their value behind one prompt; rows lie in the order in which they were said.

    Hosts that are asked about the same people share their keys, so what another host says is another answer.
    """
    names = [*SAME_ANSWER, *({"host"} & table.labels.keys())]
    _, first = np.unique(np.stack([table.labels[name].astype(str) for name in names]), axis=1, return_index=True)
    return np.isin(np.arange(table.rows), first)


def stranger_quantiles(logits: ArrayLike) -> list[float]:
    """The `SHARES` quantiles of a detector's logits [n] of what one host says of strangers. Raises InputError for fewer than 100."""
    given = np.asarray(logits, np.float64)
    if len(given) < LEAST_VALUES or not np.isfinite(given).all():
        raise InputError(
            f"Finite scores of at least {LEAST_VALUES} values are needed, said of people whom the host does not know; got {len(given)}. "
            f"Ask about {LEAST_VALUES // max(1, len(given)) + 1} times as many people."
        )
    return [float(value) for value in np.quantile(given, SHARES)]


def reference_quantiles(logits: ArrayLike, table: FeatureTable) -> list[float]:
    """The mean over the hosts of a pooled table of each one's `stranger_quantiles`; logits [rows].

    Hosts of which fewer than `LEAST_VALUES` such values are there are left out. Raises what `stranger_quantiles` raises where none is left.
    """
    given, strangers, hosts = np.asarray(logits, np.float64), of_strangers(table), table.labels["host"]
    each = [given[strangers & (hosts == host)] for host in np.unique(hosts)]
    enough = [own for own in each if len(own) >= LEAST_VALUES] or [max(each, key=len)]
    return [float(value) for value in np.mean([stranger_quantiles(own) for own in enough], 0)]


def shift_between(reference: Sequence[float], own: Sequence[float]) -> float:
    """By how much one host's scores of what it says of strangers lie above the reference: the median of the quantiles' differences."""
    return float(np.median(np.subtract(own, reference)))
