"""Defines the settings of `reticent serve` as frozen models that refuse unknown names. `config.load` reads them."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr, field_validator, model_validator

from reticent.policy.checked_settings import nearest
from reticent.policy.loading import is_word, looks_like_file, named_policy, policy_from
from reticent.policy.policy import Policy
from reticent.policy.presets import PRESETS
from reticent.serve.options import LogLevel, OnStoppedCall, Permission
from reticent.serve.request_bounds import Bounds
from reticent.shipped import default_bundle
from reticent_detectors.entities import Entity
from reticent_detectors.errors import PolicyError

_BOUNDS = Bounds()
Seconds = Annotated[float, Field(gt=0, le=86_400)]
Count = Annotated[int, Field(gt=0, le=1 << 31)]
Models = Annotated[tuple[str, ...], Field(min_length=1)]
BaseName = Annotated[str, Field(min_length=1)]
Port = Annotated[int, Field(ge=0, le=65_535)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


_ROUTES = ("/completions", "/responses", "/messages", "/models", "/embeddings")


class UpstreamSettings(_Strict):
    """Sets the server that is guarded."""

    url: str
    api_key: SecretStr | None = None
    connect_seconds: Seconds = 5.0
    read_seconds: Seconds = 120.0

    @field_validator("api_key")
    @classmethod
    def _check_key(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and not key.get_secret_value().strip():
            raise ValueError("it is empty; give the server's key, or leave the setting out if the server takes none")
        return key

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str) -> str:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
        if not is_address or parts.query or parts.fragment or parts.username:
            raise ValueError("expected http://HOST:PORT or https://HOST, without a user, a query or a fragment")
        if parts.path.rstrip("/").endswith(_ROUTES):
            raise ValueError("expected the server's address without a route, such as http://127.0.0.1:8000")
        return url.rstrip("/").removesuffix("/v1")


class ModelSettings(_Strict):
    """Sets a transformers model in this process, guarded by its hidden states, in place of an upstream.

    `bundle` is the detector that was made for it, by default the one that fits any model. `name` is clients' name for
    it, by default the folder's name. `base_model` is the model before private tuning (`adapter`, `self`, `none`, or a
    folder): see `Guard.wrap`. `adapter` is a detached adapter that was trained on it, for float32
    (`detached.load_detached`).
    """

    path: Path
    bundle: Path = Field(default_factory=default_bundle)
    name: str | None = None
    device: str = "cpu"
    dtype: Literal["float32", "float16", "bfloat16"] = "float32"
    trusted_key: Path | None = None
    queue: Count = 64
    new_tokens: Count = 1024
    threads: Count | None = None
    base_model: BaseName | None = None
    adapter: Path | None = None

    @model_validator(mode="after")
    def _check_adapter(self) -> ModelSettings:
        if self.adapter is not None and self.dtype != "float32":
            raise ValueError("'adapter' is for float32; leave out 'dtype', or merge the adapter into the model")
        return self


class ServedBaseSettings(_Strict):
    """Sets the model before private tuning, which the upstream serves as well, under another name.

    vLLM serves a model and its LoRA adapters side by side, and gives log-probabilities of prompts. `tokenizer` is the
    folder of the base's tokenizer: with it the base is also asked about other people, so that `inferable` is told
    apart, and the model about a value of the prompt behind the prompt without it. `seconds` is the longest that the
    questions of one kind about one value may take.
    """

    model: BaseName
    tokenizer: Path | None = None
    seconds: Seconds = 10.0


class DetectorSettings(_Strict):
    """Sets a detector on log-probabilities for the upstream's models of these names, by default the one for any model.

    The upstream is asked for log-probabilities. `base` is the model before private tuning, if the upstream serves it.
    `bundles` gives some of the models a bundle of their own. A model with none (null) is judged without a detector.
    """

    bundle: Path = Field(default_factory=default_bundle)
    bundles: dict[str, Path | None] = Field(default_factory=dict)
    models: Models
    trusted_key: Path | None = None
    base: ServedBaseSettings | None = None

    @model_validator(mode="after")
    def _check_bundles(self) -> DetectorSettings:
        if unknown := sorted(self.bundles.keys() - set(self.models)):
            raise ValueError(f"'bundles' names {unknown[0]!r}, which is not one of 'models'")
        return self

    def bundle_of(self, model: str) -> Path | None:
        """Gives the bundle of a model, or None if no detector judges it."""
        return self.bundles.get(model, self.bundle)


class ShadowSettings(_Strict):
    """Sets a copy of the upstream's weights in this process, which reads answers with values again.

    `logprobs`: whether the upstream is asked for log-probabilities, to compare them with the copy's. `token_ids`:
    whether it is also asked for the ids of its tokens (vLLM's `return_token_ids`), which others ignore. Without ids,
    tokens are looked up by their text. `agree_nats`: largest difference between the two on a token of a span, on
    average. `streams`: number of answers whose read states are kept. `tokens`: most tokens of a prompt and its answer.
    `batch`: most spans that are judged in one pass. `batch_tokens`: most positions of prompts, answers and padding in
    one pass. `base_model`: the copy before private tuning, as for `model`. `probe`: whether the copy reads all of each
    answer where the bundle has a probe, so that the finder knows what its states say of words.
    """

    path: Path
    bundle: Path = Field(default_factory=default_bundle)
    models: Models
    device: str = "cpu"
    dtype: Literal["float32", "float16", "bfloat16"] = "float32"
    trusted_key: Path | None = None
    threads: Count | None = None
    base_model: BaseName | None = None
    logprobs: bool = True
    token_ids: bool = True
    agree_nats: Annotated[float, Field(gt=0, le=100)] = 0.5
    streams: Count = 64
    tokens: Count = 32_768
    batch: Count = 8
    batch_tokens: Count = 8_192
    probe: bool = True


class TlsSettings(_Strict):
    """Sets the certificate chain and the private key, in PEM."""

    cert: Path
    key: Path


class KeySettings(_Strict):
    """Sets a client's API key, its policy, the policies it may choose for a request, and its permissions."""

    key: SecretStr
    policy: str = "default"
    may_choose: frozenset[str] = frozenset()
    allow: frozenset[Permission] = frozenset()

    @field_validator("key")
    @classmethod
    def _check_key(cls, key: SecretStr) -> SecretStr:
        if len(key.get_secret_value()) < 8:
            raise ValueError("expected a key of at least 8 characters")
        return key


class RecordsSettings(_Strict):
    """Sets the index of training values (`reticent index`) and the file with its key, by default beside it."""

    index: Path
    key_file: Path | None = None


class SuppressionSettings(_Strict):
    """Sets the suppression store (`reticent forget`) and the file with its key, by default beside it."""

    store: Path
    key_file: Path | None = None


class DecisionLogSettings(_Strict):
    """Sets the log of decisions (`reticent.observability.decision_log`) and the file with its key."""

    path: Path
    key_file: Path | None = None
    fsync: bool = False


class CanarySettings(_Strict):
    """Sets a scheduled request whose answer holds a value that has to be stopped (`reticent.serve.canary`)."""

    value: SecretStr
    body: dict[str, Any] = Field(repr=False)
    path: str = "/v1/chat/completions"
    entity: Entity | None = None
    policy: str | None = None
    every_seconds: Seconds = 300.0
    timeout_seconds: Seconds = 60.0

    @field_validator("value")
    @classmethod
    def _check_value(cls, value: SecretStr) -> SecretStr:
        if sum(map(str.isalnum, value.get_secret_value())) < 6:
            raise ValueError("expected a value of at least 6 letters and digits")
        return value


class PlaygroundSettings(_Strict):
    """Sets the page to try a model in this process at, `GET /playground`.

    `enabled`: true serves it, also where `host` is not loopback; false does not. Left out, it is served with its
    unguarded half alone, on loopback and without keys: so for the demos. `unguarded`: the page also shows what the
    model says without the guard. `prompts`: a file of prompts to try, as `reticent.demo` reads it. `note`: what the
    page says of the model and of the people that it knows. `context`: whether the page offers a system message, which
    some models cannot read.
    """

    enabled: bool | None = None
    unguarded: bool = False
    prompts: Path | None = None
    note: str = ""
    context: bool = True


class Limits(_Strict):
    """Sets bounds. Whatever passes one is refused or withheld, and counted."""

    body_bytes: Count = 8 << 20
    answer_bytes: Count = 16 << 20
    stream_bytes: Count = 64 << 20
    headers: Count = 64
    frame_bytes: Count = _BOUNDS.frame_bytes
    held_bytes: Count = _BOUNDS.held_bytes
    prompt_chars: Count = _BOUNDS.prompt_chars
    call_chars: Count = _BOUNDS.call_chars
    choices: Count = _BOUNDS.choices
    channels: Count = _BOUNDS.channels
    spans: Count = _BOUNDS.spans
    stopped: Count = _BOUNDS.stopped
    usage_wait_seconds: float = Field(default=_BOUNDS.usage_wait_seconds, ge=0, le=600)
    stream_seconds: Seconds = 900.0
    judge_seconds: Seconds = 60.0
    judge_wait_seconds: Seconds = 300.0
    judge_threads: Annotated[int, Field(ge=1, le=256)] = 8
    client_seconds: Seconds = 30.0
    keep_alive_seconds: Seconds = 15.0
    connections: Count = 1024
    reading: Count = 256
    reading_bytes: Count = 64 << 20
    inflight: Count = 256
    inflight_per_key: Count | None = None
    inflight_bytes: Count = 32 << 20
    drain_seconds: Count = 30

    @property
    def bounds(self) -> Bounds:
        """Gives the bounds of one request."""
        return Bounds(**{name: getattr(self, name) for name in Bounds.__dataclass_fields__})


class Settings(_Strict):
    """Holds all settings of the proxy."""

    upstream: UpstreamSettings | None = None
    model: ModelSettings | None = None
    detector: DetectorSettings | None = None
    shadow: ShadowSettings | None = None
    host: str = "127.0.0.1"
    port: Port = 8080
    metrics_host: str = "127.0.0.1"
    metrics_port: Port | None = 9464
    tls: TlsSettings | None = None
    keys: tuple[KeySettings, ...] = ()
    open: bool = False
    policy: str = "default"
    may_choose: frozenset[str] = frozenset()
    policies: dict[str, dict[str, Any] | str] = {}
    allow: frozenset[Permission] = frozenset()
    strip: bool = False
    on_stopped_call: OnStoppedCall = OnStoppedCall.WITHHOLD
    records: RecordsSettings | None = None
    suppressions: SuppressionSettings | None = None
    decision_log: DecisionLogSettings | None = None
    log_level: LogLevel = LogLevel.WARNING
    watch_seconds: Seconds | None = None
    tracing: bool = False
    canary: CanarySettings | None = None
    playground: PlaygroundSettings = PlaygroundSettings()
    workers: Annotated[int, Field(ge=1, le=256)] = 1
    limits: Limits = Limits()

    @model_validator(mode="after")
    def _check_together(self) -> Settings:
        if (self.upstream is None) == (self.model is None):
            raise ValueError(
                "give either 'upstream' (a server that is guarded; --upstream URL) "
                "or 'model' (a model in this process; --host-model PATH, or --demo)"
            )
        if self.upstream is None and not (self.detector is None and self.shadow is None):
            raise ValueError(
                "'detector' and 'shadow' go with 'upstream'; a model in this process has its own under model.bundle"
            )
        if self.detector is not None and self.shadow is not None:
            raise ValueError("give either 'detector' (log-probabilities) or 'shadow' (a copy of the weights)")
        if self.upstream is None and self.workers > 1:
            raise ValueError("'workers' goes with 'upstream'; a model in this process answers one request at a time")
        if self.shadow is not None and self.workers > 1:
            raise ValueError(
                "'shadow' keeps what it read in one process; run several behind a balancer instead of 'workers'"
            )
        if not (self.keys or self.open or is_loopback(self.host)):
            raise ValueError("a host other than loopback needs 'keys', or 'open: true' if everybody may ask")
        if self.playground.enabled and (self.model is None or self.keys):
            raise ValueError(
                "'playground' goes with 'model' (a model in this process; --host-model PATH, or --demo) "
                "and without 'keys', because the page sends no key"
            )
        if Permission.ADMIN in self.allow:
            raise ValueError("the permission 'admin' needs a key: write it under the 'allow' of one of 'keys'")
        if len({key.key.get_secret_value() for key in self.keys}) < len(self.keys):
            raise ValueError("'keys' has a key twice; keep one")
        known = {*PRESETS, *self.policies}
        for name in sorted(self.named_policies()):
            if name not in known and not looks_like_file(name):
                raise ValueError(
                    f"no policy {repr(name) if is_word(name) else 'of the given name'} stands under 'policies', and it "
                    f"is neither a preset nor a file (such as clinic.yaml).{nearest(name, known)}"
                )
        if self.port != 0 and self.port == self.metrics_port and _is_same(self.host, self.metrics_host):
            raise ValueError(
                f"'port' and 'metrics_port' are both {self.port}; "
                "give one of them another number (--port, --metrics-port)"
            )
        return self

    @property
    def inflight_per_key(self) -> int:
        """Gives the number of requests that one key may have open: by default half of all, if there are several."""
        limits = self.limits
        return limits.inflight_per_key or (limits.inflight if len(self.keys) < 2 else max(1, limits.inflight // 2))

    @property
    def serves_playground(self) -> bool:
        """Says whether the page to try the model at is served."""
        if self.model is None or self.keys:
            return False
        wanted = self.playground.enabled
        return self.playground.unguarded and is_loopback(self.host) if wanted is None else wanted

    def named_policies(self) -> set[str]:
        """Gives all names of policies that stand where one is chosen."""
        canary = None if self.canary is None else self.canary.policy
        chosen = self.may_choose.union(*(key.may_choose for key in self.keys))
        return {self.policy, *(key.policy for key in self.keys), *chosen, canary or "default"}

    def policy_objects(self) -> dict[str, Policy]:
        """Gives the policies by name: those under `policies`, and the presets and files that are named elsewhere.

        Raises PolicyError.
        """
        own = {name: _policy(name, data) for name, data in self.policies.items()}
        named = {"default", *self.named_policies()} - own.keys()
        return {name: named_policy(name) for name in sorted(named)} | own


def _policy(name: str, data: dict[str, Any] | str) -> Policy:
    try:
        return named_policy(data) if isinstance(data, str) else policy_from(data)
    except PolicyError as error:
        raise PolicyError(f"'policies.{name}': {error}") from None


def _is_same(host: str, other: str) -> bool:
    """Says whether two addresses to listen on overlap: they are the same, or one means any address."""
    hosts = {"127.0.0.1" if each == "localhost" else each for each in (host, other)}
    return len(hosts) == 1 or not hosts.isdisjoint({"", "0.0.0.0", "::"})


def is_loopback(host: str) -> bool:
    """Says whether an address, or a host's name, is this machine's own alone."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
