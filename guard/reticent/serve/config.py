"""Reads the settings of `reticent serve` from a YAML file, then the environment, then the command line.

    upstream: {url: http://127.0.0.1:8000}
    keys:
      - {key: "${CLINIC_KEY}", policy: clinic}
    policies:
      clinic: {preset: clinic-rag}

`${NAME}` in a value means an environment variable, `$$` a dollar sign. A setting may also come from a variable with
the name `RETICENT_SERVE_` and the setting's place, in capitals and with `__` between the parts:
`RETICENT_SERVE_UPSTREAM__URL`. Unknown names are refused.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from reticent.policy import strict_yaml
from reticent.policy.file_format import PolicyFile, known_keys
from reticent.serve.config_errors import describe_errors
from reticent.serve.settings import Settings
from reticent_detectors.errors import InputError

PREFIX = "RETICENT_SERVE_"
_VARIABLE = re.compile(r"\$\$|\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
_MAX_BYTES = 1 << 20


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
    data = _substitute(data, environ)
    for name, value in environ.items():
        if name.startswith(PREFIX):
            _set_by_path(data, name.removeprefix(PREFIX).lower().split("__"), value)
    for name, value in (overrides or {}).items():
        if value is not None:
            _set_by_path(data, name.split("."), value)
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
        raise InputError(f"The settings have {error.described(known_keys(Settings, PolicyFile))}.") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise InputError(f"The settings are no valid YAML{strict_yaml.place_of(error)}.") from None
    if data is None:
        return {}
    if not isinstance(data, dict) or not all(isinstance(key, str) for key in data):
        raise InputError("The settings have to be a mapping from name to value.")
    return data


def _substitute(value: Any, environ: Mapping[str, str]) -> Any:
    """Puts variables in place of `${NAME}` in a value."""
    if isinstance(value, dict):
        return {key: _substitute(each, environ) for key, each in value.items()}
    if isinstance(value, list):
        return [_substitute(each, environ) for each in value]
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


def _set_by_path(data: dict[str, Any], place: list[str], value: Any) -> None:
    for part in place[:-1]:
        inner = data.setdefault(part, {})
        if not isinstance(inner, dict):
            raise InputError(f"The setting {part!r} has no settings of its own.")
        data = inner
    data[place[-1]] = value
