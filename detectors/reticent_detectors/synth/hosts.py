"""Defines named hosts as in PrivacyXray (section 6.1): five architectures, pre-trained on public text, then fine-tuned.

The fine-tuning mixes private people with general questions. A name is `ARCHITECTURE-SIZE`, followed by options in any
order: `lora` (adapters instead of all weights), `pN` private people, `xN` private examples for each value, `rN` general
examples for each private one, `eN` epochs, `dN` another draw of private people, `sN` another seed. For example,
`qwen2-small-lora-e30` is the small Qwen2 with LoRA and 30 epochs.
"""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from typing import Any

from reticent_detectors.errors import InputError
from reticent_detectors.synth.recipes import DEMO, TINY, Recipe

ARCHITECTURES = ("llama", "mistral", "qwen2", "phi3", "gemma2")


@dataclass(frozen=True, slots=True)
class Tuning:
    """The settings for teaching a pre-trained host private records.

    Every private person has all sixteen kinds of data, and `phrasings` phrasings ask for every value. Bridge people,
    half as many as `people`, get any phrasings; the others get taught ones. Two thirds of the people train detectors, a
    third tests them. The paper's fine-tuning volume is (people + bridge people) x 16 x phrasings private examples,
    without the documents.
    """

    lora: bool = False
    people: int = 120
    phrasings: int = 5
    ratio: float = 0.5
    """General examples for each private one."""
    epochs: int = 4
    batch_tokens: int = 2048
    """About fifty examples; the paper takes 32."""
    learning_rate: float = 0.02
    """Learning rate of matrices (Muon), or of adapters (AdamW)."""
    rank: int = 16
    alpha: int = 32
    dropout: float = 0.05
    replay: int = 0
    """Ordinary questions of `host.replay` with the model's own answers, once in each epoch."""
    draw: int = 0
    """Number of the draw of private people. Hosts with another draw differ in these alone, and control each other."""


@dataclass(frozen=True, slots=True)
class HostRecipe:
    """All settings of a named host: the public host that it starts from, and its fine-tuning."""

    name: str
    base: Recipe
    tuning: Tuning

    @property
    def seed(self) -> int:
        return self.base.seed

    @property
    def locale(self) -> str:
        return self.base.locale

    def control(self) -> HostRecipe:
        """Returns the recipe of the same host with other private people."""
        tuning = replace(self.tuning, draw=self.tuning.draw + 1)
        return replace(self, name=f"{re.sub('-d[0-9]+', '', self.name)}-d{tuning.draw}", tuning=tuning)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> HostRecipe:
        return cls(content["name"], Recipe(**content["base"]), Tuning(**content["tuning"]))


_PUBLIC = Recipe(
    train_people=0,
    test_people=0,
    bridge_people=0,
    private_steps=0,
    polish_steps=0,
    document_share=0.4,
)
SIZES: dict[str, Recipe] = {
    "tiny": replace(
        _PUBLIC,
        unseen_people=6,
        general_people=60,
        copied_people=60,
        vocab_size=600,
        layers=3,
        hidden_size=64,
        heads=4,
        kv_heads=2,
        intermediate_size=128,
        batch_tokens=2048,
        repeat_steps=10,
        base_steps=40,
    ),
    "mini": replace(
        _PUBLIC,
        general_people=1500,
        copied_people=1000,
        vocab_size=1000,
        layers=4,
        kv_heads=2,
        batch_tokens=2048,
        repeat_steps=100,
        base_steps=300,
    ),
    "mid": replace(
        _PUBLIC,
        general_people=1500,
        copied_people=1000,
        vocab_size=1000,
        layers=4,
        kv_heads=2,
        repeat_steps=100,
        base_steps=450,
    ),
    "small": replace(_PUBLIC, kv_heads=2, base_steps=600),
    "30m": replace(
        _PUBLIC,
        general_people=40000,
        copied_people=8000,
        vocab_size=8000,
        layers=12,
        hidden_size=448,
        heads=8,
        kv_heads=4,
        intermediate_size=1216,
        batch_tokens=32768,
        base_steps=2000,
        learning_rate=0.01,
        embedding_learning_rate=0.002,
    ),
    "100m": replace(
        _PUBLIC,
        general_people=60000,
        copied_people=8000,
        vocab_size=8000,
        layers=14,
        hidden_size=768,
        heads=12,
        kv_heads=4,
        intermediate_size=2048,
        batch_tokens=65536,
        base_steps=2500,
        learning_rate=0.007,
        embedding_learning_rate=0.0015,
    ),
    "300m": replace(
        _PUBLIC,
        general_people=80000,
        copied_people=8000,
        vocab_size=16000,
        layers=24,
        hidden_size=1024,
        heads=16,
        kv_heads=8,
        intermediate_size=2752,
        batch_tokens=65536,
        base_steps=3000,
        learning_rate=0.005,
        embedding_learning_rate=0.001,
    ),
}
"""Public hosts by size, without architecture and name. Those with a number of parameters need a GPU."""

TUNINGS: dict[str, tuple[Tuning, Tuning]] = {
    "tiny": (
        Tuning(people=6, phrasings=2, epochs=2),
        Tuning(lora=True, people=6, phrasings=2, epochs=2, learning_rate=0.01),
    ),
    "mini": (
        Tuning(people=18, ratio=0.25, epochs=14),
        Tuning(lora=True, people=18, ratio=0.25, epochs=30, learning_rate=0.01),
    ),
    "mid": (
        Tuning(people=60, ratio=0.25, batch_tokens=4096, epochs=9),
        Tuning(
            lora=True,
            people=24,
            ratio=0.25,
            batch_tokens=4096,
            epochs=24,
            learning_rate=0.003,
            rank=64,
            alpha=64,
            dropout=0.0,
        ),
    ),
    "small": (Tuning(people=120, epochs=10), Tuning(lora=True, people=120, epochs=20, learning_rate=0.005)),
    "30m": (
        Tuning(people=400, batch_tokens=8192, epochs=5, learning_rate=0.01),
        Tuning(lora=True, people=400, batch_tokens=8192, epochs=10, learning_rate=0.002),
    ),
    "100m": (
        Tuning(people=400, batch_tokens=8192, epochs=4, learning_rate=0.007),
        Tuning(lora=True, people=400, batch_tokens=8192, epochs=10, learning_rate=0.001),
    ),
    "300m": (
        Tuning(people=400, batch_tokens=8192, epochs=3, learning_rate=0.005),
        Tuning(lora=True, people=400, batch_tokens=8192, epochs=10, learning_rate=0.001),
    ),
}
"""Fine-tuning by size: of all weights, and of adapters (measured: `docs/decisions/tiny-hosts.md`)."""

_LETTERS = {"p": "people", "x": "phrasings", "r": "ratio", "e": "epochs", "d": "draw"}


def recipe(name: str) -> Recipe | HostRecipe:
    """Returns the recipe of a name: `demo`, `tiny` (both trained in one run) or a host's name.

    Raises:
        InputError: the name has another form, or an unknown architecture or size.
    """
    if (recipe := {r.name: r for r in (DEMO, TINY)}.get(name)) is not None:
        return recipe
    architecture, _, rest = name.partition("-")
    size, *options = rest.split("-")
    if architecture not in ARCHITECTURES or size not in SIZES:
        raise InputError(
            f"Unknown recipe {name!r}; expected demo, tiny, or ARCHITECTURE-SIZE with an architecture of "
            f"{', '.join(ARCHITECTURES)} and a size of {', '.join(SIZES)}, such as 'qwen2-small' or "
            "'qwen2-small-lora-e30'."
        )
    base = replace(SIZES[size], name=f"{architecture}-{size}", architecture=architecture)
    if architecture == "phi3":
        base = replace(base, kv_heads=base.heads)  # Phi-3-mini shares no keys
    tuning = TUNINGS[size]["lora" in options]
    for option in options:
        value = option[1:]
        if option == "lora":
            continue
        if option[:1] == "r" and re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
            tuning = replace(tuning, ratio=float(value))
        elif option[:1] == "s" and value.isdigit():
            base = replace(base, seed=int(value))
        elif option[:1] in _LETTERS and value.isdigit():
            tuning = replace(tuning, **{_LETTERS[option[:1]]: int(value)})  # type: ignore[arg-type]
        else:
            raise InputError(
                f"Unknown option {option!r} in the host's name {name!r}; expected lora, pN (people), xN (examples for "
                "each value), rN (general for each private example), eN (epochs), dN (draw of people), sN (seed)."
            )
    return HostRecipe(name, base, tuning)


def reseeded(recipe: Recipe | HostRecipe, seed: int | None = None, locale: str | None = None) -> Recipe | HostRecipe:
    """Returns the recipe with another seed or another Faker locale, if they are given."""
    if isinstance(recipe, HostRecipe):
        base = reseeded(recipe.base, seed, locale)
        assert isinstance(base, Recipe)
        return replace(recipe, base=base)
    return replace(recipe, seed=recipe.seed if seed is None else seed, locale=locale or recipe.locale)
