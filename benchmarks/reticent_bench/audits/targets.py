"""All that an audit asks: the columns of its report, and the models beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from reticent_bench.audits.options import OFF, ON, AuditOptions
from reticent_bench.audits.served_target import ServedTarget
from reticent_bench.audits.target import Target
from reticent_detectors.errors import InputError


@dataclass(frozen=True)
class Column:
    """A target as a column of the report, with a token counter."""

    target: Target
    count_tokens: Callable[[str], int]


class OtherModels(NamedTuple):
    """Models that an audit asks besides the target: before private tuning, of another training, and for reflection."""

    base: Target | None = None
    reference: Target | None = None
    reflection: Target | None = None


@dataclass(frozen=True)
class Targets:
    """All that an audit may ask: the columns by name, and the models of `OtherModels` that were given."""

    columns: dict[str, Column]
    base: Column | None = None
    reference: Column | None = None
    reflection: Column | None = None

    def mapped(self, wrap: Callable[[Column], Target]) -> tuple[dict[str, Target], OtherModels]:
        """Each target wrapped, by column; and the other models."""
        others = (None if each is None else wrap(each) for each in (self.base, self.reference, self.reflection))
        return {name: wrap(each) for name, each in self.columns.items()}, OtherModels(*others)


@contextmanager
def open_targets(options: AuditOptions) -> Iterator[Targets]:
    """Loads the folder's model with its guard, or connects to the servers.

    Raises:
        InputError: the target is neither a folder nor an address, or a model cannot be loaded.
        TargetUnavailable: a server cannot be reached.
        MissingExtra: a package is not installed.
    """
    with ExitStack() as stack:
        reflection = None
        if options.reflection_server is not None:
            asked = ServedTarget(options.reflection_server, options.reflection_model, options.reflection_key)
            reflection = Column(stack.enter_context(asked), asked.count_tokens)
        if options.is_served:
            columns = {}
            for name, url in ((OFF, options.target), (ON, options.guarded)):
                if url is not None:
                    served = stack.enter_context(ServedTarget(url, options.model, options.api_key))
                    columns[name] = Column(served, served.count_tokens)
            yield Targets(columns, reflection=reflection)
            return
        if not Path(options.target).is_dir():
            raise InputError(
                "There is no folder of this name. Expected a checkpoint's folder, or an address such as http://127.0.0.1:8000."
            )
        from reticent_bench.audits.local_models import load_targets

        yield replace(load_targets(options), reflection=reflection)
