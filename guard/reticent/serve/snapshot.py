"""Holds what a reload replaces as a whole: keys with their rights, policies, records, and the detector's bundles.

`SnapshotInputs` are the settings and what was read from the files that they name. They can be packed, so several
processes serve what one of them read. A `Snapshot` is made of them and never changes. A request keeps the one that it
began with.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import pickle
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reticent.policy.finder_cache import FinderCache
from reticent.policy.policy import Policy
from reticent.policy.thresholds import base_threshold, thresholds
from reticent.records.index import RecordsIndex
from reticent.serve.api.api_format import refuse_spoilt_logprobs
from reticent.serve.api.response_formats import asks_for_numbers
from reticent.serve.judging.detector_protocols import Detector
from reticent.serve.judging.engine_states import StateSource
from reticent.serve.judging.guarded_request import GuardedRequest
from reticent.serve.judging.policies_with_thresholds import BoundPolicies
from reticent.serve.judging.served_base import Ask, ServedBase
from reticent.serve.options import Permission
from reticent.serve.settings import KeySettings, Settings
from reticent.serve.wire.errors import ApiError
from reticent.serve.wire.parsed_request import ParsedRequest
from reticent.suppressions.watched import Suppressions
from reticent_detectors.bundle.format import Bundle
from reticent_detectors.finder import SpanFinder

_SCRYPT = {"n": 1 << 14, "r": 8, "p": 1, "dklen": 16}
"""Cost of a guess at the API keys by the version, which clients see: 16 MiB, and some 50 ms of a processor."""
VERSION_HEADER = b"x-reticent-version"
"""Header of a response that names the version of keys, policies, records and bundles that it came by."""


@dataclass(frozen=True, slots=True)
class SnapshotInputs:
    """Holds settings, and all that was read from the files that they name.

    Attributes:
        settings: all settings.
        policies: by name, without a bundle's thresholds.
        records: the index of training values, if there is one.
        bundles: those of a detector on log-probabilities, or that of the model in this process, by their folders.
    """

    settings: Settings
    policies: Mapping[str, Policy] = field(repr=False)
    records: RecordsIndex | None
    bundles: Mapping[Path, Bundle] = field(repr=False)

    @classmethod
    def read(cls, settings: Settings) -> SnapshotInputs:
        """Reads the files. Raises PolicyError, InputError and BundleError for one that cannot be used."""
        records = settings.records
        index = None if records is None else RecordsIndex.open(records.index, records.key_file)
        return cls(settings, settings.policy_objects(), index, _load_bundles(settings))

    def packed(self) -> bytes:
        """Packs all for another process of this program. The bytes hold the keys: they go through a pipe alone."""
        records = None if self.records is None else self.records.parts
        return pickle.dumps((self.settings, dict(self.policies), records, dict(self.bundles)))

    @classmethod
    def unpacked(cls, packed: bytes) -> SnapshotInputs:
        """Makes them of the bytes that `packed` gave in a process of this program."""
        settings, policies, records, bundles = pickle.loads(packed)
        return cls(settings, policies, None if records is None else RecordsIndex(*records), bundles)


def _load_bundles(settings: Settings) -> dict[Path, Bundle]:
    if settings.model is not None:
        return {settings.model.bundle: Bundle.load(settings.model.bundle)}
    if settings.detector is None:
        return {}
    # It brings onnxruntime, which texts and records do not need.
    from reticent.serve.judging.served_detector import load_bundles

    return load_bundles(settings.detector)


def load_detector(
    inputs: SnapshotInputs, base: ServedBase | None, states: StateSource | None, ask: Ask | None
) -> Detector | None:
    """Makes the detector on log-probabilities, if there is one. Raises InputError for a bundle that needs more.

    Args:
        inputs: its settings and bundles.
        base: the model before private tuning, if the upstream serves it.
        states, ask: as for `ServedDetector`.
    """
    if inputs.settings.detector is None:
        return None
    from reticent.serve.judging.served_detector import ServedDetector

    return ServedDetector(inputs.settings.detector, base, states, ask, inputs.bundles)


@dataclass(frozen=True, slots=True)
class Caller:
    """Holds who asks: the policy and permissions of an API key, and the policies that its requests may name instead.

    Attributes:
        snapshot: what was served when the request came.
        policy: decides where the request names none.
        allowed: what it may ask for.
        choices: the policies that it may name.
        owner: identifies the key over reloads. None: nobody's.
    """

    snapshot: Snapshot = field(repr=False)
    policy: Policy = field(repr=False)
    allowed: frozenset[Permission] = field(default=frozenset())
    choices: Mapping[str, Policy] = field(default_factory=dict, repr=False)
    owner: bytes | None = field(default=None, repr=False)

    def policy_of(self, name: str) -> Policy:
        """Gives the policy that a request names, or its own for no name. Raises ApiError if it may not choose it."""
        if not name:
            return self.policy
        if name not in self.choices:
            raise ApiError(
                403, "The operator has not allowed this policy for this API key.", code="not_allowed", param="reticent"
            )
        return self.choices[name]


class Snapshot:
    """Holds keys, policies, records and a detector, which belong together.

    Args:
        inputs: what they are made of.
        detector: judges the upstream's answers, if anything does.
        suppressions: followed by themselves, and the same in all snapshots of a process.

    Raises:
        PolicyError: a policy does not fit the bundle.
    """

    def __init__(
        self, inputs: SnapshotInputs, detector: Detector | None, suppressions: Suppressions | None = None
    ) -> None:
        self.settings, self.records, self.detector = inputs.settings, inputs.records, detector
        self.suppressions = suppressions
        self.policies = _bound(inputs, detector)
        self._keys = [(key.key.get_secret_value().encode(), key) for key in self.settings.keys]
        self._finders = FinderCache()
        self._text_policies: dict[tuple[int, bool], Policy] = {}
        for caller in self.callers:
            self._finders.of(caller.policy).warm()
        self.loaded_bundles = inputs.bundles
        """The bundles, by their folders."""
        self.bundles = _bundle_digests(inputs, detector)
        """Digests of the bundles, by the model that they judge."""
        self.version = self._version()

    def __repr__(self) -> str:
        return f"Snapshot({self.version}, keys={len(self._keys)})"

    def _version(self) -> str:
        """Computes 16 hexadecimal digits, the same for the same settings, lists with a `list_key`, and files.

        Clients see them, so what is secret enters so that guessing does not pay: listed and recorded values as keyed
        hashes, API keys by scrypt and together.
        """
        settings = self.settings
        holders: list[_Rights] = [settings, *settings.keys]
        rights = [[each.policy, sorted(each.may_choose), sorted(each.allow)] for each in holders]
        secret = json.dumps([key.decode() for key, _ in self._keys]).encode()
        content = {
            "policies": {name: policy.digest_hex for name, policy in self.policies.items()},
            "rights": rights,
            "keys": hashlib.scrypt(secret, salt=b"reticent.version", **_SCRYPT).hex() if self._keys else "",
            "records": "" if self.records is None else self.records.digest,
            "bundles": self.bundles,
        }
        text = json.dumps(content, sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=8, person=b"reticent.version").hexdigest()

    @property
    def callers(self) -> list[Caller]:
        """Gives the callers of all keys, or everybody where there are none."""
        return [self._caller(key, secret) for secret, key in self._keys] or [self._caller(self.settings)]

    def _caller(self, rights: _Rights, secret: bytes | None = None) -> Caller:
        # Made for each request: a snapshot that held its callers would be a circle, which nothing frees at once.
        owner = None if secret is None else hashlib.blake2b(secret, digest_size=16).digest()
        choices = {name: self.policies[name] for name in rights.may_choose}
        return Caller(self, self.policies[rights.policy], rights.allow, choices, owner)

    def caller(self, headers: Iterable[tuple[bytes, bytes]]) -> Caller:
        """Gives the caller by the request's headers. Raises ApiError for a missing or unknown key."""
        if not self._keys:
            return self._caller(self.settings)
        given = []
        for name, value in headers:
            if name == b"authorization" and value[:7].lower() == b"bearer ":
                given.append(value[7:].strip())
            elif name == b"x-api-key":
                given.append(value.strip())
        found = None
        for known in self._keys:  # all of them, so that the time taken gives nothing away
            for each in given:
                if hmac.compare_digest(known[0], each):
                    found = known
        if found is None:
            raise ApiError(
                401,
                "A known API key is needed: send it as 'Authorization: Bearer KEY' or as 'x-api-key: KEY'.",
                code="invalid_api_key",
                headers={"www-authenticate": "Bearer"},
            )
        return self._caller(found[1], found[0])

    def caller_with_policy(self, policy: str | None) -> Caller:
        """Makes a caller with the policy of this name. None takes that of the first key, or of everybody."""
        return self.callers[0] if policy is None else Caller(self, self.policies[policy])

    def guard_request(self, caller: Caller, parsed: ParsedRequest, request_id: str | None = None) -> GuardedRequest:
        """Makes what the texts of one request share. Its id is drawn if none is given.

        Raises ApiError for a policy that the request may not choose, a model that the detector was not made for, or a
        field that changes the log-probabilities which a detector reads, of this request or of others.
        """
        detector = None if self.detector is None else self.detector.of(parsed.model)
        if self.detector is not None and self.detector.wants_logprobs:
            refuse_spoilt_logprobs(parsed.body)
        judge = None if detector is None else detector.open(parsed)
        policy = self.policies.under(detector, caller.policy_of(parsed.policy))
        bounds, numbers_stay = self.settings.limits.bounds, asks_for_numbers(parsed.body)
        suppressed = None if self.suppressions is None else self.suppressions.current()
        return GuardedRequest(
            policy,
            self.finder(policy),
            parsed.views,
            self.records,
            bounds,
            detector,
            judge,
            numbers_stay,
            request_id,
            suppressed,
        )

    def finder(self, policy: Policy) -> SpanFinder:
        """Gives the span finder of a policy."""
        return self._finders.of(policy)

    def for_texts(self, policy: Policy, detector: Detector | None) -> Policy:
        """Gives one of these policies as it judges texts that come without a model.

        Args:
            detector: judges the texts by log-probabilities that came with them, if it can.
        """
        bound = self.policies.under(detector, policy)
        key = id(bound), detector is not None
        if key not in self._text_policies:
            tells = self.records is not None or detector is not None
            self._text_policies[key] = bound.for_texts(recorded=tells)
        return self._text_policies[key]


def _bound(inputs: SnapshotInputs, detector: Detector | None) -> BoundPolicies:
    """Gives the policies with the thresholds of the bundles that judge under them. Raises PolicyError."""
    policies, model = BoundPolicies(inputs.policies), inputs.settings.model
    if detector is not None:
        return BoundPolicies.by(policies, detector)
    if model is None:
        return policies
    bundle = inputs.bundles[model.bundle]  # the model's guard binds them as well; here they are checked before
    base = base_threshold(bundle)
    return BoundPolicies(
        policies, lambda p: p.with_thresholds(thresholds(bundle, p.prevalence, p.false_positives), base)
    )


def _bundle_digests(inputs: SnapshotInputs, detector: Detector | None) -> dict[str, str | None]:
    settings = inputs.settings
    if settings.model is not None:
        return {"": inputs.bundles[settings.model.bundle].digest}
    if detector is None:
        return {}
    judged = settings.detector or settings.shadow
    found = {} if judged is None else {model: detector.of(model) for model in judged.models}
    return {model: None if each is None else each.digest for model, each in sorted(found.items())}


_Rights = Settings | KeySettings
