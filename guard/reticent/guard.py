"""Puts a detector bundle and a policy around a model."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reticent.arguments import (
    check_wrapped,
    checked_finder,
    checked_observers,
    checked_policy,
    checked_records,
    checked_suppressions,
    opened_policy,
)
from reticent.observability.observers import Observer
from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import Policy
from reticent.policy.thresholds import base_threshold, thresholds
from reticent.policy.verdict import Tier
from reticent.shipped import default_bundle
from reticent_detectors.bundle.format import Bundle, read_public_key
from reticent_detectors.finder import SpanFinder
from reticent_detectors.scoring.scorer import OnnxScorer

if TYPE_CHECKING:
    from reticent.huggingface.guarded_model import GuardedModel
    from reticent.records.index import RecordsIndex
    from reticent.suppressions.watched import Suppressions


class Guard:
    """Holds a detector and a policy, and puts them around a model.

        guard = Guard.load("bundle").wrap(model, tokenizer)
        guard.generate(**inputs, max_new_tokens=64)

    `Guard.load` reads both from files and is what most callers want.

    Args:
        bundle: the detector.
        policy: what to do about spans. The default redacts what is memorised, in the context, or could not be judged.
        records: index of the values that the model was trained on. A value in it counts as memorised, whoever is named.
        suppressions: the store of what people asked to have forgotten. A call is judged by the entries of its
            beginning.
        observers: called with every finished answer: `Metrics`, `DecisionLog`.
        finder: finds the spans, and overrides the policy's `also_find`, `every_token` and `tagger`.
        threads: CPU threads for one call of the detector.
        providers: ONNX Runtime's execution providers for the detector, in order of preference, before the CPU.

    Raises:
        WrongType: an argument is of another type; the message says what to pass.
        InputError: ONNX Runtime has no such provider.
    """

    def __init__(
        self,
        bundle: Bundle,
        policy: Policy | None = None,
        *,
        records: RecordsIndex | None = None,
        suppressions: Suppressions | None = None,
        observers: Sequence[Observer] = (),
        finder: SpanFinder | None = None,
        threads: int = 1,
        providers: Sequence[str] = (),
    ) -> None:
        self.bundle, self.records, self.observers = bundle, checked_records(records), checked_observers(observers)
        self.suppressions = checked_suppressions(suppressions)
        chosen = Policy.default() if policy is None else checked_policy(policy)
        self._base_threshold = base_threshold(bundle)
        self.policy = chosen.with_thresholds(
            thresholds(bundle, chosen.prevalence, chosen.false_positives), self._base_threshold
        )
        self._thresholds = {chosen.false_positives: self.policy.thresholds}
        self._finders = FinderCache(checked_finder(finder))
        self.scorer = OnnxScorer(bundle, providers, threads=threads, prevalence=self.policy.prevalence)
        self.tier = Tier(bundle.tier)
        self._secret = secrets.token_bytes(32)

    def policy_with_thresholds(self, policy: Policy) -> Policy:
        """Copies a policy with the bundle's thresholds at the policy's false-positive rate and this guard's prevalence.

        Raises:
            PolicyError: the bundle has no thresholds at this rate.
            WrongType: the argument is no policy.
        """
        rate = checked_policy(policy).false_positives
        if rate not in self._thresholds:
            self._thresholds[rate] = thresholds(self.bundle, self.policy.prevalence, rate)
        return policy.with_thresholds(self._thresholds[rate], self._base_threshold)

    def finder(self, policy: Policy) -> SpanFinder:
        """Gives the span finder of a policy."""
        return self._finders.of(policy)

    def conversation_key(self, conversation: str | None) -> bytes:
        """Gives the key of hashes and surrogates, 32 bytes.

        It is the same for one conversation as long as this guard lives, and a fresh one for a call that names none.
        """
        if conversation is None:
            return secrets.token_bytes(32)
        return hashlib.blake2b(conversation.encode(), key=self._secret, digest_size=32).digest()

    @classmethod
    def load(
        cls,
        bundle: str | os.PathLike[str] | None = None,
        policy: Policy | str | os.PathLike[str] | None = None,
        *,
        records: RecordsIndex | None = None,
        suppressions: Suppressions | None = None,
        observers: Sequence[Observer] = (),
        finder: SpanFinder | None = None,
        trusted_key: bytes | str | os.PathLike[str] | None = None,
        providers: Sequence[str] = (),
    ) -> Guard:
        """Reads a detector and a policy.

        Args:
            bundle: the detector's folder. None takes the one that comes with Reticent and fits any model.
                `reticent calibrate` fits its thresholds to yours.
            policy: a `Policy`, the name of a preset, or the path of a YAML file.
            records: index of the values that the model was trained on.
            suppressions: the store of what people asked to have forgotten.
            observers: called with every finished answer.
            finder: finds the spans instead of Reticent's own finder.
            trusted_key: a public key in PEM, or its file. The bundle must be signed by its owner (`reticent sign`).
            providers: ONNX Runtime's execution providers. `["CUDAExecutionProvider"]` (extra `gpu`) runs on the GPU.

        Raises:
            BundleCorrupt: files of the bundle are missing, cut short or edited.
            BundleError: the bundle is of another format version.
            BundleUntrusted: the bundle is not signed by the trusted key.
            InputError: no bundle was named and none is installed, the key cannot be read, or no such provider exists.
            PolicyError: the policy cannot be read, or names something unknown.
            WrongType: an argument is of another type; the message says what to pass.
        """
        policy = None if policy is None else opened_policy(policy)
        if trusted_key is not None and not isinstance(trusted_key, bytes):
            trusted_key = read_public_key(Path(trusted_key))
        loaded = Bundle.load(default_bundle() if bundle is None else bundle, trusted_key=trusted_key)
        return cls(
            loaded,
            policy,
            records=records,
            suppressions=suppressions,
            observers=observers,
            finder=finder,
            providers=providers,
        )

    def wrap(
        self, model: Any, tokenizer: Any, *, overlap: bool = False, base: str | os.PathLike[str] | None = None
    ) -> GuardedModel:
        """Attaches to a transformers model, after checking that the bundle was made for it.

        The base is the model before private tuning. It says how likely it finds a value that the detector would stop.

        With `overlap` each token is judged while the model computes the next. On a GPU that hides the guard's work on
        the processor. Text is released one token later, and a stopped answer costs one more pass. The released text is
        the same, except for samples behind a rewind, which take another draw.

        Args:
            model: a decoder-only transformers model. It is left as it was.
            tokenizer: the model's own.
            overlap: whether to judge while the model computes.
            base: `"adapter"` is the model without its PEFT adapter, the default for a PEFT model. `"self"` declares
                that nothing private was added. `"none"` asks no base. Anything else is the folder of a checkpoint with
                the same tokenizer.

        Raises:
            UnsupportedHost: this model cannot be guarded, or its base cannot be read.
            TokenizerMismatch: the tokenizer does not belong to the model.
            InputError: the base is no checkpoint, does not fit into memory, or is the model itself.
            WrongType: an argument is no model, no tokenizer or no base.
            BundleMismatch: the bundle was made for another model.
        """
        check_wrapped(model, tokenizer)
        from reticent.huggingface.class_name import named_after
        from reticent.huggingface.guarded_model import GuardedModel

        return named_after(model, GuardedModel)(self, model, tokenizer, overlap, base)

    def __repr__(self) -> str:
        return f"Guard({self.bundle.path.name!r})"
