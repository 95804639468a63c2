"""Configures Python's logging for `reticent serve`: our lines and uvicorn's, on the standard error output."""

from __future__ import annotations

from typing import Any

from uvicorn.config import LOGGING_CONFIG

from reticent.serve.options import LogLevel


def log_config(level: LogLevel) -> dict[str, Any]:
    """Gives uvicorn's configuration (`logging.config.dictConfig`) with our logger, from a level on."""
    return {
        **LOGGING_CONFIG,
        "formatters": {
            **LOGGING_CONFIG["formatters"],
            "reticent": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
        },
        "handlers": {
            **LOGGING_CONFIG["handlers"],
            "reticent": {"class": "logging.StreamHandler", "formatter": "reticent", "stream": "ext://sys.stderr"},
        },
        "loggers": {
            **LOGGING_CONFIG["loggers"],
            "reticent": {"handlers": ["reticent"], "level": level.value.upper()},
        },
    }
