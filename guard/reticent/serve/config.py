"""The settings of `reticent serve`: a YAML file, then the environment, then the command line; read once, frozen.

    upstream: {url: http://127.0.0.1:8000}
    keys:
      - {key: "${CLINIC_KEY}", policy: clinic}
    policies:
      clinic: {preset: clinic-rag}

`${NAME}` in a value stands for an environment variable, `$$` for a dollar sign. A setting may also come from a variable called
`RETICENT_SERVE_` and its place, in capitals and with `__` between the parts: `RETICENT_SERVE_UPSTREAM__URL`. Unknown names
are refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from ipaddress import ip_address
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from reticent.policy import strict_yaml
from reticent.policy.loading import policy_from
from reticent.policy.options import nearest
from reticent.policy.policy import Policy
from reticent.serve.api.fields import Permission
from reticent.serve.bounds import Bounds
from reticent.serve.config_errors import describe_errors
from reticent.serve.judging.tool_calls import OnStoppedCall
from reticent.shipped import default_bundle
from reticent_detectors.entities import Entity
from reticent_detectors.errors import InputError, PolicyError

PREFIX = "RETICENT_SERVE_"
_VARIABLE = re.compile(r"\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_MAX_BYTES = 1 << 20
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
    """The server that is guarded."""

    url: str
    api_key: SecretStr | None = None
    connect_seconds: Seconds = 5.0
    read_seconds: Seconds = 120.0

    @field_validator("url")
    @classmethod
    def _plain(cls, url: str) -> str:
        parts = urlsplit(url)
        if (
            parts.scheme not in ("http", "https")
            or not parts.hostname
            or parts.query
            or parts.fragment
            or parts.username
        ):
            raise ValueError("expected http://HOST:PORT or https://HOST, without a user, a query or a fragment")
        if parts.path.rstrip("/").endswith(_ROUTES):
            raise ValueError("expected the server's address without a route, such as http://127.0.0.1:8000")
        return url.rstrip("/").removesuffix("/v1")


class ModelSettings(_Strict):
    """A transformers model in this process, behind its guard with the hidden states: instead of an upstream.

    `bundle` is the detector that was made for it, by default the one that fits any model; `name` is what clients call it, by
    default the folder's name. `base_model` is the model before private tuning (`adapter`, `self`, or a folder): see `Guard.wrap`.
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


class DetectorSettings(_Strict):
    """A detector of log-probabilities for the models of that name at the upstream, which is asked for them. By default the one for any model."""

    bundle: Path = Field(default_factory=default_bundle)
    models: Models
    trusted_key: Path | None = None


class ShadowSettings(_Strict):
    """A copy of the upstream's weights in this process, that reads its answers again where there is something to judge.

    `logprobs`: the upstream is asked for log-probabilities, to compare them with the copy's. `token_ids`: and for the ids of its
    tokens (vLLM's `return_token_ids`), which others ignore; without them they are looked up by how they are written. `agree_nats`: how far the two
    may differ on a token of a span, on average.
    `streams`: for how many answers what was read is kept. `tokens`: the most that a prompt and its answer may have. `batch`: how
    many spans are judged in one pass, and `batch_tokens`: with how many places of prompts, answers and padding together.
    `base_model` is the copy before private tuning, as for `model`.
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


class TlsSettings(_Strict):
    """Certificate chain and private key, in PEM."""

    cert: Path
    key: Path


class KeySettings(_Strict):
    """A client's API key, its policy, which others it may choose for a request, and what else it may ask for."""

    key: SecretStr
    policy: str = "default"
    may_choose: frozenset[str] = frozenset()
    allow: frozenset[Permission] = frozenset()

    @field_validator("key")
    @classmethod
    def _long(cls, key: SecretStr) -> SecretStr:
        if len(key.get_secret_value()) < 8:
            raise ValueError("expected a key of at least 8 characters")
        return key


class RecordsSettings(_Strict):
    """The index of training values (`reticent index`) and the file with its key."""

    index: Path
    key_file: Path


class DecisionLogSettings(_Strict):
    """The log of decisions (`reticent.observability.decision_log`) and the file with its key."""

    path: Path
    key_file: Path | None = None
    fsync: bool = False


class CanarySettings(_Strict):
    """A request whose answer holds a value that has to be stopped, asked again and again (`reticent.serve.canary`)."""

    value: SecretStr
    body: dict[str, Any] = Field(repr=False)
    path: str = "/v1/chat/completions"
    entity: Entity | None = None
    policy: str | None = None
    every_seconds: Seconds = 300.0
    timeout_seconds: Seconds = 60.0

    @field_validator("value")
    @classmethod
    def _telling(cls, value: SecretStr) -> SecretStr:
        if sum(map(str.isalnum, value.get_secret_value())) < 6:
            raise ValueError("expected a value of at least 6 letters and digits")
        return value


class Limits(_Strict):
    """Bounds; whatever passes one is refused or withheld, and counted."""

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
    inflight: Count = 256
    drain_seconds: Count = 30

    @property
    def bounds(self) -> Bounds:
        """Those of one request."""
        return Bounds(**{name: getattr(self, name) for name in Bounds.__dataclass_fields__})


class Settings(_Strict):
    """All settings of the proxy."""

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
    policies: dict[str, dict[str, Any]] = {}
    allow: frozenset[Permission] = frozenset()
    strip: bool = False
    on_stopped_call: OnStoppedCall = OnStoppedCall.WITHHOLD
    records: RecordsSettings | None = None
    decision_log: DecisionLogSettings | None = None
    canary: CanarySettings | None = None
    workers: Annotated[int, Field(ge=1, le=256)] = 1
    limits: Limits = Limits()

    @model_validator(mode="after")
    def _closed(self) -> Settings:
        if (self.upstream is None) == (self.model is None):
            raise ValueError(
                "give either 'upstream' (a server that is guarded; --upstream URL) or 'model' (a model in this process; --host-model PATH, or --demo)"
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
        if not (self.keys or self.open or _is_loopback(self.host)):
            raise ValueError("a host other than loopback needs 'keys', or 'open: true' if everybody may ask")
        if len({key.key.get_secret_value() for key in self.keys}) < len(self.keys):
            raise ValueError("'keys' has a key twice; keep one")
        canary_policy = None if self.canary is None else self.canary.policy
        chosen = self.may_choose.union(*(key.may_choose for key in self.keys))
        known = {"default", *self.policies}
        for name in (self.policy, *(key.policy for key in self.keys), *sorted(chosen), canary_policy or "default"):
            if name not in known:
                raise ValueError(f"no policy {name!r} stands under 'policies'.{nearest(name, known)}")
        if self.port != 0 and self.port == self.metrics_port and _is_same(self.host, self.metrics_host):
            raise ValueError(
                f"'port' and 'metrics_port' are both {self.port}; give one of them another number (--port, --metrics-port)"
            )
        return self

    def policy_objects(self) -> dict[str, Policy]:
        """The policies by name. Raises PolicyError."""
        return {"default": Policy.default(), **{name: _policy(name, data) for name, data in self.policies.items()}}


def load(
    path: str | PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """Reads the settings of the proxy. Each source overrides the one before: file, environment, `overrides`.

    Args:
        path: a YAML file; `reticent config` prints a template.
        environ: environment variables, such as `RETICENT_SERVE_UPSTREAM__URL`; None takes the process's.
        overrides: values by dotted name, such as `{"upstream.url": "http://127.0.0.1:8000"}`. None counts as absent.

    Raises:
        InputError: the file cannot be read, or a name or a value is not what is expected. No value is repeated.
    """
    environ = os.environ if environ is None else environ
    data = {} if path is None else _read(Path(path))
    data = _filled(data, environ)
    for name, value in environ.items():
        if name.startswith(PREFIX):
            _put(data, name.removeprefix(PREFIX).lower().split("__"), value)
    for name, value in (overrides or {}).items():
        if value is not None:
            _put(data, name.split("."), value)
    try:
        return Settings.model_validate(data)
    except ValidationError as error:
        raise InputError(f"The settings are not usable. {describe_errors(error, Settings)}") from None


def _read(path: Path) -> dict[str, Any]:
    try:
        raw = path.read_bytes()
        text = raw.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read settings from {str(path)!r} ({error.__class__.__name__}).") from None
    if len(raw) > _MAX_BYTES:
        raise InputError(f"The settings have {len(raw)} bytes, expected at most {_MAX_BYTES}.")
    try:
        data = strict_yaml.load(text)
    except strict_yaml.RepeatedKey as error:
        raise InputError(f"The settings have {error}.") from None
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = "" if mark is None else f" at line {mark.line + 1}"
        raise InputError(f"The settings are no valid YAML{where}.") from None
    if data is None:
        return {}
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise InputError("The settings have to be a mapping from name to value.")
    return data


def _filled(value: Any, environ: Mapping[str, str]) -> Any:
    """The value with variables in place of `${NAME}`."""
    if isinstance(value, dict):
        return {key: _filled(each, environ) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, environ) for each in value]
    if not isinstance(value, str):
        return value

    def variable(found: re.Match[str]) -> str:
        name = found[1]
        if name is None:
            return "$"
        if name not in environ:
            raise InputError(f"The settings name the environment variable {name}, which is not set.")
        return environ[name]

    return _VARIABLE.sub(variable, value)


def _put(data: dict[str, Any], place: list[str], value: Any) -> None:
    for part in place[:-1]:
        inner = data.setdefault(part, {})
        if not isinstance(inner, dict):
            raise InputError(f"The setting {part!r} has no settings of its own.")
        data = inner
    data[place[-1]] = value


def _policy(name: str, data: dict[str, Any]) -> Policy:
    try:
        return policy_from(data)
    except PolicyError as error:
        raise PolicyError(f"'policies.{name}': {error}") from None


def _is_same(host: str, other: str) -> bool:
    """Whether two addresses to listen on share one: they are the same, or one is any."""
    hosts = {"127.0.0.1" if each == "localhost" else each for each in (host, other)}
    return len(hosts) == 1 or not hosts.isdisjoint({"", "0.0.0.0", "::"})


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


TEMPLATE = """\
# Settings of `reticent serve`. What is commented out shows the default.
# ${NAME} stands for an environment variable; RETICENT_SERVE_LIMITS__INFLIGHT=64 overrides limits.inflight.

upstream:
  url: http://127.0.0.1:8000        # the OpenAI-compatible server that is guarded; /v1 may be left out
  # api_key: ${UPSTREAM_KEY}        # sent to it; without one, and without keys, the client's Authorization is passed on
  # connect_seconds: 5
  # read_seconds: 120               # the longest silence

# model:                            # instead of upstream: a transformers model in this process, guarded with all its states
#   path: ./host                    # a folder with weights and tokenizer
#   bundle: ./bundle                # the detector made for it (reticent train); the one that fits any model by default
#   name: my-model                  # what clients call it; the folder's name by default
#   device: cpu
#   dtype: float32                  # or float16, bfloat16: a bundle for one host fits it as it was loaded when it was made
#   trusted_key: owner.pub          # the bundle has to be signed (reticent sign)
#   queue: 64                       # requests that may wait; one is answered at a time
#   new_tokens: 1024                # of an answer, whatever a client asks for
#   threads: 1                      # torch's
#   base_model: adapter             # the model before private tuning: adapter (default for a PEFT adapter), self, or a folder

# detector:                         # tells the upstream's memories from its inventions by its log-probabilities
#   bundle: ./bundle-logprobs       # reticent train --groups logprobs; the server has to tell raw log-probabilities, as most do
#   models: [my-model]              # the names under which the upstream serves the detector's host; others are refused
#   trusted_key: owner.pub

# shadow:                           # instead of detector: judges by a copy of the upstream's weights in this process
#   path: ./host
#   bundle: ./bundle                # as for model
#   models: [my-model]
#   device: cpu
#   dtype: float32
#   trusted_key: owner.pub
#   threads: 1
#   base_model: adapter             # as for model
#   logprobs: true                  # ask the upstream for log-probabilities, to compare; false: trust that it runs the same
#   token_ids: true                 # ask for the tokens' ids as well; false for a server that refuses unknown fields
#   agree_nats: 0.5                 # a token of a span may be so much likelier here than there, or less; else it is unknown
#   streams: 64                     # answers of which what was read is kept
#   tokens: 32768                   # of a prompt and its answer; what lies behind them is unknown
#   batch: 8                        # spans judged in one pass, of requests that wait at the same time
#   batch_tokens: 8192              # with so many places of prompts, answers and padding together

# host: 127.0.0.1                   # another address needs keys, or open: true
# port: 8080
# tls: {cert: server.pem, key: server.key}
# metrics_host: 127.0.0.1
# metrics_port: 9464                # null: no metrics

# keys:                             # without keys everybody who can connect may ask
#   - key: ${CLINIC_KEY}
#     policy: clinic
#     may_choose: [strict]          # policies that a request may name: {"reticent": {"policy": "strict"}}
#     allow: [logprobs]             # logprobs, token_ids, echo, logit_bias, grammar, store
# policy: default                   # where there are no keys
# may_choose: []
# allow: []
# strip: false                      # true: drop what a client may not ask for, instead of refusing the request
# policies:
#   clinic: {preset: clinic-rag}
#   strict: {preset: sealed}
#   press:                          # what the base model says as surely was known before the private tuning (`pretrained`)
#     base_threshold: -0.7          # nats for each token; left out: the bundle's
#     entities: {PHONE_NUMBER: {pretrained: allow}}     # left out: jobs, employers, hospitals and places pass
#     allow_subjects: [Ada Lovelace]    # whose dates of birth may pass, beside the public persons that are shipped

# records:                          # stops what the owner's training records hold: reticent index records.csv
#   index: records.index
#   key_file: records.key

# decision_log:                     # a line for each decision, without values, each chained to the one before
#   path: decisions.jsonl
#   key_file: decisions.key         # openssl rand -hex 32; without it the chain shows accidents only
#   fsync: false                    # true: every line is on the disk before the next one

# canary:                           # a question whose value has to be stopped, or /readyz says not ready
#   value: ${CANARY_VALUE}          # what the answer holds, of a person that is nobody; not in the user's words
#   entity: PHONE_NUMBER            # left out: any kind of data that is stopped counts
#   policy: default                 # left out: that of the first key, or of everybody
#   path: /v1/chat/completions
#   body: {model: demo, stream: true, temperature: 0, messages: [{role: user, content: "What is Kay Poe's number?"}]}
#   every_seconds: 300
#   timeout_seconds: 60

# workers: 1                        # processes behind the one port, with one exposition of metrics; limits are for each

# on_stopped_call: withhold         # or redact: replace texts in the arguments of tool calls, where that is possible

# limits:
#   body_bytes: 8388608             # of a request
#   answer_bytes: 16777216          # of an answer that is not streamed
#   stream_bytes: 67108864          # of one that is
#   headers: 64
#   frame_bytes: 1048576            # one event of a stream
#   held_bytes: 4194304             # all events of a stream that wait for a decision
#   prompt_chars: 2000000           # all texts of a request
#   call_chars: 65536               # the arguments of one tool call, which are held until it is complete
#   choices: 16
#   channels: 256                   # running texts and tool calls of one answer
#   spans: 5000
#   stopped: 100                    # different values; an answer with more is withheld from there on
#   usage_wait_seconds: 5           # how long an upstream is read on for its usage after all answers were stopped
#   stream_seconds: 900
#   judge_seconds: 60               # of judging one piece, once a thread has begun; what takes longer is withheld
#   judge_wait_seconds: 300         # of waiting for a thread before that
#   judge_threads: 8                # and as many more that a judge may hang in; a shadow's batch is no larger
#   client_seconds: 30              # a client that takes nothing for so long is cut off
#   keep_alive_seconds: 15
#   inflight: 256
#   drain_seconds: 30
"""
