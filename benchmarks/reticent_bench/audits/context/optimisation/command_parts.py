"""What the options of `reticent audit context` say about the search for a query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from reticent_bench.audits.commands.options import named_server
from reticent_bench.audits.context.optimisation.gepa import require_dspy
from reticent_bench.audits.context.optimisation.settings import Method, OptimisationSettings
from reticent_bench.audits.named_server import NamedServer
from reticent_bench.audits.options import refuse_alone


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a query is searched for.

    Attributes:
        settings: None if none is.
        reflection: the server whose model proposes queries.
        outcomes_depend_on: for the attempt log; empty if no query is searched for.
    """

    settings: OptimisationSettings | None = None
    reflection: NamedServer | None = None
    outcomes_depend_on: Mapping[str, Any] = field(default_factory=dict)


def optimisation_settings(
    method: Method | Literal["none"],
    calls: int | None,
    search_runs: int | None,
    server: str | None,
    model: str | None,
    key_variable: str | None,
    *,
    is_chat: bool,
) -> SearchOptions:
    """Reads the options; None means that one was not given.

    Args:
        method: of --optimise.
        calls, search_runs: how much the search may ask.
        server, model, key_variable: of the reflection model.
        is_chat: whether the target is asked in chats. A reflection server always is.

    Raises:
        InputError: an option does nothing without another, a number is too small, or the variable is not set.
        MissingExtra: GEPA is asked for, and DSPy is not installed.
    """
    refuse_alone("--optimise-calls", calls, "--optimise evolution or gepa", method != "none")
    refuse_alone("--search-runs", search_runs, "--optimise evolution or gepa", method != "none")
    refuse_alone("--reflection-server", server, "--optimise gepa", method == "gepa")
    reflection = named_server("reflection", server, model, key_variable)
    if method == "none":
        return SearchOptions()
    if method == "gepa":
        require_dspy()
    defaults = OptimisationSettings()
    settings = OptimisationSettings(
        method=method,
        calls=defaults.calls if calls is None else calls,
        search_runs=defaults.search_runs if search_runs is None else search_runs,
        reflection_chat=server is not None or is_chat,
    )
    asked = {"optimisation": repr(settings), **({} if reflection is None else reflection.settings("reflection"))}
    return SearchOptions(settings, reflection, asked)
