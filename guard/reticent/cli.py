"""Runs the `reticent` command: finds its sub-commands by entry points, and loads only the one that is asked for.

A sub-command is one row under `[project.entry-points."reticent.commands"]` in a distribution's pyproject.toml,

    synth = "reticent.commands.synth:app"

and a module that keeps four promises:

- `app` is a `typer.Typer`. One `@app.command()` makes a plain command (`reticent synth ...`); an `@app.callback()`
  beside the commands makes a group (`reticent host train ...`). `app = typer.Typer(add_completion=False)` will do.
- The first line of the module's docstring is its line in `reticent --help`. It is read without importing the module.
- Whoever gives it bad input gets an error of the `ReticentError` tree: `error: ...` on one line of stderr, exit code 2.
  So does a file that cannot be opened. Any other exception is a bug and keeps its traceback; `raise typer.Exit(1)`
  ends with another code.
- It imports its optional dependencies in the functions that use them, so that its help needs none. A missing one, or
  a missing distribution of the project, is reported with the line that installs it.

Not covered here: logging, configuration files and shell completion. Tracebacks are Python's own and never Typer's
decorated ones, which print local variables and with them the values that Reticent is there to keep in.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

from reticent_detectors.errors import InputError, MissingExtra, ReticentError
from reticent_detectors.install_form import extra_for

from ._version import __version__

GROUP = "reticent.commands"

FORMS = {
    "audit": "audit",
    "bench": "audit",
    "calibrate": "train",
    "collect": "train",
    "demo": "model",
    "doctor": "model",
    "evaluate": "train",
    "fit": "train",
    "host": "train",
    "models": "models",
    "probe": "train",
    "serve": "proxy",
    "sign": "sign",
    "synth": "train",
    "token-score": "train",
    "train": "train",
    "universal": "train",
}
"""The extra that brings what a command needs. What it does not bring is named with the smallest one that does."""

LABORATORY = frozenset({"bench", "collect", "evaluate", "host", "probe", "synth", "token-score", "train", "universal"})
"""Commands that teach models, train detectors and measure both. The help lists them last."""

USAGE = """\
Usage: reticent [--debug] COMMAND [ARGUMENTS]...

Keeps a language model from saying the personal data that it memorised.

Options:
  --debug    Show the traceback of an error.
  --version  Show the version.
  --help     Show this text; after a command, the help of that command.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: the process's own) and return its exit code.

    Returns 0 after help or version, 2 after an error of the `ReticentError` tree, an unreadable file or no command.
    A sub-command that ran ends as Typer ends it, with `SystemExit`.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    debug = arguments[:1] == ["--debug"]
    if debug:
        del arguments[0]
    warnings.showwarning = partial(_show_warning, warnings.showwarning)
    try:
        return _run(arguments)
    except ReticentError as error:
        if debug:
            raise
        return _fail(str(error))
    except OSError as error:
        if debug or error.filename is None:
            raise
        return _fail(f"{error.filename}: {error.strerror}")


def find_commands() -> dict[str, metadata.EntryPoint]:
    """Finds every installed sub-command by name, in alphabetical order."""
    return {point.name: point for point in sorted(metadata.entry_points(group=GROUP))}


def _run(arguments: list[str]) -> int:
    commands = find_commands()
    match arguments:
        case [] | ["--help" | "-h", *_]:
            print(_help(commands), end="")
            return 0 if arguments else 2
        case ["--version", *_]:
            print(f"reticent {__version__}")
            return 0
        case [name, *_] if name not in commands:
            kind = "option" if name.startswith("-") else "command"
            raise InputError(f"there is no {kind} {name!r}; commands are: {', '.join(commands)}.")
        case [name, *rest]:
            try:
                _load(commands[name])(args=rest, prog_name=f"reticent {name}")
            except ModuleNotFoundError as error:
                module = (error.name or "").partition(".")[0]
                extra = extra_for(module, form=FORMS.get(name))
                if extra is None:
                    raise
                raise MissingExtra(module, extra) from error
    return 0


def _load(point: metadata.EntryPoint) -> Callable[..., object]:
    import typer.main

    app = point.load()
    if not isinstance(app, typer.Typer):
        raise TypeError(f"the sub-command {point.name} must be a typer.Typer, but {point.value} is a {type(app)}")
    return typer.main.get_command(app)


def _help(commands: Mapping[str, metadata.EntryPoint]) -> str:
    width = max(map(len, commands))
    lines = {name: f"  {name:<{width}}  {_summary(point.module)}".rstrip() for name, point in commands.items()}
    guarding = [line for name, line in lines.items() if name not in LABORATORY]
    measuring = [line for name, line in lines.items() if name in LABORATORY]
    heads = "Commands:", "\nLaboratory, to teach models, train detectors and measure both:"
    return "\n".join([USAGE, heads[0], *guarding, heads[1], *measuring]) + "\n"


def _summary(module: str) -> str:
    """Reads the first line of a module's docstring from its source, so that a help text imports nothing heavy."""
    try:
        spec = importlib.util.find_spec(module)
    except ModuleNotFoundError:  # not even its package
        spec = None
    if spec is None or spec.origin is None:
        return "(not installed)"
    docstring = ast.get_docstring(ast.parse(Path(spec.origin).read_bytes())) or ""
    return docstring.partition("\n")[0]


def _show_warning(
    others: Callable[..., None], message: Warning | str, category: type[Warning], *place: Any, **more: Any
) -> None:
    """Prints a warning of ours as one line, without the place in the code, and any other as Python does."""
    if category.__name__ == "PolicyWarning":
        print(f"warning: {message}", file=sys.stderr)
    else:
        others(message, category, *place, **more)


def _fail(message: str) -> int:
    print(f"error: {' '.join(message.split())}", file=sys.stderr)
    return 2
