"""What all audits share on the command line, and which options go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from reticent.observability.observers import Observer
from reticent_bench.audits.budget import Budget
from reticent_bench.audits.named_server import NamedServer
from reticent_detectors.errors import InputError

OFF, ON = "off", "on"
LOGPROBS, TEXTS, EVERY_TOKEN = "logprobs", "texts", "every-token"
GUARD_COLUMNS: Final = (OFF, ON, LOGPROBS, TEXTS, EVERY_TOKEN)
"""Names of `--guard`, in the order of a report's columns."""
AROUND_MODEL: Final = (ON, EVERY_TOKEN)
"""Columns whose guard stands around the model, and may ask a base."""

_GUARD_SERVED: Final = "Set the guard up where it is served, and give its address as --guarded."
_MODEL_SERVED: Final = "The server decides where and in which number type its model runs; leave the option out."
_OF_FOLDERS: Final[Mapping[str, str]] = {
    "columns": "Give the address of the same model behind the guard as --guarded.",
    "bundle": _GUARD_SERVED,
    "policy": _GUARD_SERVED,
    "records": _GUARD_SERVED,
    "records_key_file": _GUARD_SERVED,
    "logprobs_bundle": _GUARD_SERVED,
    "base_model": (
        "A server has no model before private tuning; audit the checkpoint's folder, or leave the option out."
    ),
    "reference_model": "A server does not score a text's first token; audit the checkpoint's folder, or leave it out.",
    "device": _MODEL_SERVED,
    "dtype": _MODEL_SERVED,
}
"""Options that a server cannot use, and what to do instead."""
_OF_SERVERS: Final[Mapping[str, str]] = {
    "model": "A folder holds one model; leave the option out.",
    "guarded": "For a folder use --guard off,on.",
    "api_key_variable": "A folder needs no key; leave the option out.",
}
"""Options that a folder cannot use, and what to do instead."""
_USED_BY: Final[Mapping[str, tuple[str, ...]]] = {
    "bundle": (ON, EVERY_TOKEN, LOGPROBS),
    "logprobs_bundle": (LOGPROBS,),
    **dict.fromkeys(("policy", "records", "records_key_file"), (ON, LOGPROBS, TEXTS, EVERY_TOKEN)),
}
"""Options of the guard, and the columns that use them."""
_FLAGS: Final[Mapping[str, str]] = {"columns": "--guard"}


@dataclass(frozen=True)
class AuditOptions:
    """What all audits share on the command line. None means that an option was not given.

    Attributes:
        target: folder of a checkpoint or an adapter, or the address of a server.
        model: name to ask the server for.
        guarded: for a server, addresses of the same model behind guards, by the names of their columns.
        columns: for a folder, some of `GUARD_COLUMNS`; `off` and `on` if not given.
        bundle, policy, records, records_key_file: of the guard around a folder's model.
        logprobs_bundle: of the column `logprobs`.
        base_model: the model before private tuning: a folder, `adapter`, or `self` for the guard alone.
        asks_base: whether the audit asks the base itself. Otherwise the guard alone uses it.
        asks_guard: whether the audit asks the guard; one of likelihoods does not.
        reference_model: folder of a model of another training, for the membership audit.
        reflection: whose model proposes queries, for the context audit.
        judge: whose model judges findings, for the code audit.
        api_key_variable: the environment variable that was named for the servers' key.
        api_key: of the servers.
        device, dtype: of a folder's models; `cpu` and `float32` if not given.
        budget: limits.
        seed: of all that is drawn.
        out: folder of the report and of the attempt log.
        fail_above: limits as NAME=LIMIT.
        reveal: keeps texts in the attempt log.
        plan: says what the audit will ask, and asks nothing.
        observers: notified of each answer that the guard around a folder's model inspects.

    Raises:
        InputError: an option does not go with the target or with another option. The message says what to do.
    """

    target: str
    model: str | None = None
    guarded: Mapping[str, str] | None = None
    columns: tuple[str, ...] | None = None
    bundle: Path | None = None
    policy: Path | None = None
    records: Path | None = None
    records_key_file: Path | None = None
    logprobs_bundle: Path | None = None
    base_model: str | None = None
    asks_base: bool = True
    asks_guard: bool = True
    reference_model: Path | None = None
    reflection: NamedServer | None = None
    judge: NamedServer | None = None
    api_key_variable: str | None = None
    api_key: str | None = field(default=None, repr=False)
    device: str | None = None
    dtype: str | None = None
    budget: Budget = field(default_factory=Budget)
    seed: int = 0
    out: Path = Path("audit")
    fail_above: tuple[str, ...] = ()
    reveal: bool = False
    plan: bool = False
    observers: tuple[Observer, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        kind, refused = ("a folder", _OF_FOLDERS) if self.is_served else ("the address of a server", _OF_SERVERS)
        for name, advice in refused.items():
            if getattr(self, name) is not None:
                raise InputError(f"{_flag(name)} goes with {kind}. {advice}")
        if self.api_key_variable is not None and self.api_key is None:
            raise InputError("--api-key-variable names a variable that is not set; set it, or leave the option out.")
        if self.is_served:
            return
        if self.columns is not None and (not self.columns or set(self.columns) - set(GUARD_COLUMNS)):
            raise InputError(
                f"--guard: expected some of {', '.join(GUARD_COLUMNS)}, such as off,on; got {','.join(self.columns)!r}."
            )
        self._check_guard()

    def _check_guard(self) -> None:
        columns = self.guard_columns
        if OFF not in columns and len(columns) > 1:
            raise InputError(f"--guard: guards are compared with off. Ask with --guard off,{','.join(columns)}.")
        for name, users in _USED_BY.items():
            if getattr(self, name) is not None and set(users).isdisjoint(columns):
                raise InputError(
                    f"{_flag(name)} goes with the guard. Ask with --guard off,{users[0]}, or leave it out."
                )
        if set(AROUND_MODEL).isdisjoint(columns):
            if self.base_model == "self":
                raise InputError(
                    "--base-model self is for the guard alone. Name a folder or 'adapter', or leave it out."
                )
            if self.base_model is not None and not self.asks_base:
                raise InputError(
                    "In this audit --base-model is for the guard alone. Ask with --guard off,on, or leave it out."
                )
        if (self.records is None) != (self.records_key_file is None):
            raise InputError(
                "Expected --records and --records-key-file together; an index cannot be read without its key."
            )

    @property
    def is_served(self) -> bool:
        """Whether the target is an address."""
        return self.target.startswith(("http://", "https://"))

    @property
    def guard_columns(self) -> tuple[str, ...]:
        """The columns of a folder's report, in the order of `GUARD_COLUMNS`."""
        if self.columns is not None:
            return tuple(name for name in GUARD_COLUMNS if name in self.columns)
        return (OFF, ON) if self.asks_guard else (OFF,)

    @property
    def torch_device(self) -> str:
        """Where a folder's models run."""
        return self.device or "cpu"

    @property
    def number_type(self) -> str:
        """The number type of a folder's models."""
        return self.dtype or "float32"


def refuse_together(flag: str, given: object, other: str, is_given: bool, advice: str) -> None:
    """Refuses an option that another option makes useless.

    Args:
        flag: the option that would be ignored.
        given: its value; None if it was not given.
        other: the option that decides.
        is_given: whether that one was given.
        advice: what to do.

    Raises:
        InputError: both were given.
    """
    if given is not None and is_given:
        raise InputError(f"{flag} does nothing with {other}. {advice}")


def refuse_alone(flag: str, given: object, other: str, is_given: bool) -> None:
    """Refuses an option that does nothing without another option.

    Raises:
        InputError: it was given, and the other was not.
    """
    if given is not None and not is_given:
        raise InputError(f"{flag} does nothing without {other}. Give both, or leave it out.")


def _flag(name: str) -> str:
    return _FLAGS.get(name, f"--{name.replace('_', '-')}")
