"""Feature rows of made-up hosts.

Remembered values are likelier, and much likelier under their own name. Every third person has nothing remembered.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reticent_detectors.collection.shards import FeatureTable

SPEC = {"k": 10, "norm": "final", "position": "pooled", "max_tokens": 32, "embedding": "input", "names": 4}


def rows_of(host: int, count: int = 1500, shift: float = 0.0, layers: int = 4) -> FeatureTable:
    """Draws the rows of a host whose log-probabilities are all `shift` nats higher."""
    random = np.random.default_rng(host)
    person = random.integers(0, 150, count)
    label = np.where((random.random(count) < 0.6) & (person % 3 > 0), "memorized", "hallucinated")
    right = label == "memorized"
    own = np.minimum(random.normal(-2.0 + shift, 0.7, (count, 3)) + 1.5 * right[:, None], -1e-3)
    own.sort(1)
    margin = own + random.normal(1.0, 0.3, (count, 1))
    lift = random.normal(0.2, 0.5, (count, 1)) + 1.5 * right[:, None]
    pooled = np.zeros((count, layers, 4, 3), np.float32)
    pooled[:, -1, 0], pooled[:, -1, 2] = own, margin
    others = np.repeat(own.mean(1, keepdims=True) - lift, 4, 1)
    renamed = np.concatenate([np.ones((count, 1)), np.repeat(lift, 8, 1), others], 1).astype(np.float32)
    labels: dict[str, Any] = {
        "entity": random.choice(["PHONE_NUMBER", "FLIGHT"], count),
        "label": label,
        "person_split": np.where(person < 120, "train", "test"),
        "phrasing_split": np.where(random.random(count) < 0.5, "taught", "detector"),
        "phrasing_id": np.array([f"p-{number}" for number in random.integers(0, 12, count)]),
        "person_key": np.array([f"{number:016x}" for number in person]),
        "value_key": np.array([f"{number:016x}" for number in range(count)]),
        "form": np.full(count, "question"),
        "first_prob": np.full(count, 0.5, np.float32),
        "temperature": np.where(random.random(count) < 0.2, 1.0, 0.0).astype(np.float32),
        "tokens": np.full(count, 3, np.int32),
        "fragment": np.zeros(count, bool),
        "robust": random.random(count) < 0.7,
    }
    features = {
        "token_prob": np.exp(np.stack([own.min(1), own.max(1), own.mean(1)], 1)).astype(np.float32),
        "pooled": pooled,
        "renamed": renamed,
    }
    settings = {"host": {"architecture": "Llama", "layers": layers, "weights_sha256": f"{host:064x}"}, "features": SPEC}
    return FeatureTable(features, labels, settings)
