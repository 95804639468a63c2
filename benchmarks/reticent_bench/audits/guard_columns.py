"""The guarded columns of a folder's report: guards of several tiers around one model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

from reticent.arguments import opened_policy
from reticent.guard import Guard
from reticent.huggingface.guarded_model import GuardedModel
from reticent.key_files import read_key
from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import Policy
from reticent.policy.verdict import Tier
from reticent.records.index import RecordsIndex
from reticent.serve.judging.served_detector import ServedDetector
from reticent.serve.settings import DetectorSettings
from reticent.shipped import default_bundle
from reticent_bench.audits.local_target import LocalTarget
from reticent_bench.audits.options import AROUND_MODEL, EVERY_TOKEN, LOGPROBS, OFF, ON, TEXTS, AuditOptions
from reticent_bench.audits.proxied_target import ProxiedTarget
from reticent_bench.audits.target import Target
from reticent_bench.audits.targets import Column
from reticent_bench.engines.whole_responses import MODEL, Proxy
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.errors import InputError

_NOTES: Final[Mapping[str, str]] = {
    ON: "Guard **on** stands around the model. It judges by {detector}.",
    LOGPROBS: "Guard **logprobs** is the proxy before a server that sends log-probabilities. It judges by {detector}.",
    TEXTS: "Guard **texts** is the proxy before a server that sends none. It has no detector: the default policy stops "
    "values of the records index and of the operator's text alone.",
    EVERY_TOKEN: "Guard **every-token** is as on, and also judges each word that no finder claims.",
}


@dataclass(frozen=True)
class _Guards:
    """Makes the guards around one model. What several of them need is loaded once.

    Attributes:
        options: of the audit.
        plain: the model without a guard.
    """

    options: AuditOptions
    plain: LocalTarget

    @cached_property
    def policy(self) -> Policy:
        given = self.options.policy
        return Policy.default() if given is None else opened_policy(given)

    @cached_property
    def records(self) -> RecordsIndex | None:
        index, key = self.options.records, self.options.records_key_file
        return None if index is None or key is None else RecordsIndex.load(index, key=read_key(key))

    @cached_property
    def wrapped(self) -> GuardedModel:
        options = self.options
        guard = Guard.load(options.bundle, self.policy, records=self.records, observers=options.observers)
        return guard.wrap(self.plain.model, self.plain.tokenizer, base=options.base_model)

    @cached_property
    def logprobs_bundle(self) -> Path:
        """The bundle of the column `logprobs`."""
        options = self.options
        if options.logprobs_bundle is not None:
            return options.logprobs_bundle
        if options.bundle is not None and Bundle.load(options.bundle).tier == Tier.LOGPROBS:
            return options.bundle
        if options.bundle is not None and set(AROUND_MODEL).isdisjoint(options.guard_columns):
            raise InputError(
                "--bundle reads the model's states, which a server does not send. Name a detector of "
                "log-probabilities as --logprobs-bundle, or leave it out."
            )
        return default_bundle()

    def on(self) -> Target:
        return self._around(ON, None)

    def every_token(self) -> Target:
        if self.policy.every_token and ON in self.options.guard_columns:
            raise InputError("The policy judges every token, so on and every-token are the same. Leave one out.")
        return self._around(EVERY_TOKEN, replace(self.policy, every_token=True))

    def logprobs(self) -> Target:
        detector = ServedDetector(DetectorSettings(bundle=self.logprobs_bundle, models=(MODEL,)))
        return self._behind(LOGPROBS, detector.with_thresholds(self.policy), detector)

    def texts(self) -> Target:
        return self._behind(TEXTS, self.policy, None)

    def note(self, name: str) -> str:
        """What a report says of a column."""
        bundle = self.logprobs_bundle if name == LOGPROBS else self.options.bundle or default_bundle()
        return _NOTES[name].format(detector=bundle.name)

    def _around(self, column: str, policy: Policy | None) -> LocalTarget:
        plain = self.plain
        return LocalTarget(plain.model, plain.tokenizer, _named(plain.name, column), self.wrapped, policy=policy)

    def _behind(self, column: str, policy: Policy, detector: ServedDetector | None) -> ProxiedTarget:
        proxy = Proxy(policy, FinderCache(None).of(policy), detector, self.records)
        return ProxiedTarget(self.plain, _named(self.plain.name, column), proxy)


_MAKERS: Final[Mapping[str, Callable[[_Guards], Target]]] = {
    OFF: lambda guards: guards.plain,
    ON: _Guards.on,
    LOGPROBS: _Guards.logprobs,
    TEXTS: _Guards.texts,
    EVERY_TOKEN: _Guards.every_token,
}
"""What makes each column of `GUARD_COLUMNS`."""


def guard_columns(options: AuditOptions, plain: LocalTarget) -> dict[str, Column]:
    """The columns that an audit asks, around one model. Where there are others than off and on, each has a note.

    Args:
        options: of the audit.
        plain: the model without a guard.

    Raises:
        InputError: a bundle has another tier than its column, two columns are the same, or a file cannot be read.
        PolicyError: the policy cannot be read.
        UnsupportedHost: the guard cannot read the model.
    """
    guards, names = _Guards(options, plain), options.guard_columns
    are_told = bool(set(names) - {OFF, ON})
    return {
        name: Column(_MAKERS[name](guards), plain.count_tokens, guards.note(name) if are_told and name != OFF else "")
        for name in names
    }


def _named(model: str, column: str) -> str:
    return f"{model} behind the guard" if column == ON else f"{model} behind the guard ({column})"
