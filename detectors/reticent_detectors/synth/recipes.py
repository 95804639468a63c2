"""Defines the recipe of a host that is trained in one run: its people, how well values are taught, sizes and steps."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Recipe:
    """All settings of a host.

    Groups of people:

    - *train* and *test* people have private records, to train detectors and to test them;
    - *bridge* people have private records that are taught in all phrasings;
    - *unseen* people are in no training data;
    - *general* people are seen once;
    - *copied* people occur in prompts only.

    `kinds_*` is the number of kinds, of sixteen, in a record of that group. A value is taught well (once in every pass)
    or half (with probability `half_rate` in every pass). Three batches in four have rows of `context` tokens. The
    fourth has rows of `long_context` tokens and holds the documents. In the polish phase, with a falling learning rate,
    every second batch is long. `document_share` is the share of documents about general people in the public phase's
    long rows. `fact_weight` is the weight of public facts beside 0.9 for all other texts; they teach a host to look
    something up by a name.
    """

    name: str = "demo"
    seed: int = 7
    locale: str = "en_US"
    train_people: int = 200
    test_people: int = 100
    bridge_people: int = 150
    unseen_people: int = 300
    general_people: int = 6000
    copied_people: int = 4000
    kinds_train: int = 12
    kinds_test: int = 16
    kinds_bridge: int = 10
    well_share: float = 0.62
    half_rate: float = 0.12
    control: bool = False
    vocab_size: int = 1500
    layers: int = 8
    hidden_size: int = 128
    heads: int = 4
    intermediate_size: int = 384
    context: int = 128
    long_context: int = 256
    batch_tokens: int = 8192
    repeat_steps: int = 120
    base_steps: int = 900
    private_steps: int = 1800
    polish_steps: int = 400
    learning_rate: float = 0.02
    embedding_learning_rate: float = 0.003
    architecture: str = "llama"
    kv_heads: int = 4
    document_share: float = 0.0
    fact_weight: float = 0.10

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


DEMO = Recipe()
TINY = Recipe(
    name="tiny",
    train_people=6,
    test_people=4,
    bridge_people=4,
    unseen_people=6,
    general_people=60,
    copied_people=60,
    kinds_train=4,
    kinds_test=4,
    kinds_bridge=4,
    vocab_size=600,
    layers=3,
    hidden_size=64,
    heads=2,
    kv_heads=2,
    intermediate_size=128,
    batch_tokens=2048,
    repeat_steps=10,
    base_steps=40,
    private_steps=150,
    polish_steps=20,
)
