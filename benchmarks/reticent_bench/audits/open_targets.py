"""Opens the targets of an audit: connects to servers, or loads the models of folders."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from reticent_bench.audits.named_server import NamedServer
from reticent_bench.audits.options import OFF, AuditOptions
from reticent_bench.audits.served_target import ServedTarget
from reticent_bench.audits.targets import Column, Targets
from reticent_detectors.errors import InputError


@contextmanager
def open_targets(options: AuditOptions) -> Iterator[Targets]:
    """Loads the folder's model with its guard, or connects to the servers.

    Raises:
        InputError: the target is neither a folder nor an address, or a model cannot be loaded.
        TargetUnavailable: a server cannot be reached.
        MissingExtra: a package is not installed.
    """
    with ExitStack() as stack:
        reflection, judge = (_helper(stack, server) for server in (options.reflection, options.judge))
        if options.is_served:
            columns = {}
            for name, url in {OFF: options.target, **(options.guarded or {})}.items():
                served = stack.enter_context(ServedTarget(url, options.model, options.api_key))
                columns[name] = Column(served, served.count_tokens)
            yield Targets(columns, reflection=reflection, judge=judge)
            return
        if not Path(options.target).is_dir():
            raise InputError(
                "There is no folder of this name. Expected a checkpoint's folder, or an address such as http://127.0.0.1:8000."
            )
        from reticent_bench.audits.local_models import load_targets

        yield replace(load_targets(options), reflection=reflection, judge=judge)


def _helper(stack: ExitStack, server: NamedServer | None) -> Column | None:
    if server is None:
        return None
    opened = stack.enter_context(ServedTarget(server.address, server.model, server.key))
    return Column(opened, opened.count_tokens)
