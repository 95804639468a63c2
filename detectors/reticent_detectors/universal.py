"""A detector that knows no host: trained on collections of several, with features that have one shape on all of them.

`pool` makes one table of the collections.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reticent_detectors.errors import InputError
from reticent_detectors.inputs import derive
from reticent_detectors.shards import FeatureTable

GATHERED = ("token_prob", "pooled", "renamed")
"""What a collection must hold."""
ARRAYS = ("token_prob", "token_logprob", "renamed")
"""What is kept of it: all that does not depend on a host's depth."""


def pool(tables: Sequence[FeatureTable]) -> FeatureTable:
    """The rows of several hosts' collections; the label `host` says which is whose.

    Raises:
        InputError: fewer than two collections, a host twice, or features that were built in different ways.
    """
    if len(tables) < 2:
        raise InputError(f"A universal detector needs collections of at least two hosts, got {len(tables)}.")
    hosts = [table.settings["host"] for table in tables]
    if len({host["weights_sha256"] for host in hosts}) < len(hosts):
        raise InputError("Two of the collections are of the same host; expected each host once.")
    ways = [table.settings["features"] for table in tables]
    if differing := sorted({name for way in ways for name in way if way[name] != ways[0].get(name)}):
        raise InputError(f"The collections differ in {', '.join(differing)}; collect them with the same options.")
    parts = [derive(table.features, (), ()) for table in tables]
    labels = [{**table.labels, "host": np.full(table.rows, f"{n:03d}")} for n, table in enumerate(tables)]
    return FeatureTable(
        {name: np.concatenate([part[name] for part in parts]) for name in ARRAYS},
        {name: np.concatenate([label[name] for label in labels]) for name in labels[0]},
        {"hosts": hosts, "features": ways[0]},
    )
