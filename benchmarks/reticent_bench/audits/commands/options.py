"""What the sub-commands of `reticent audit` share: their options, and how these become `AuditOptions`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from reticent.commands.planned import say_that_it_measures

_API_KEY_VARIABLE = "OPENAI_API_KEY"
_COLUMN = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_LARGEST_SEED = 2**32 - 1
"""scikit-learn takes no larger one. Seeds of questions are made of it and fit into the 63 bits of servers."""

Target = Annotated[
    str,
    typer.Argument(help="Folder of a checkpoint or an adapter, or the base address of an OpenAI-compatible server."),
]
Model = Annotated[str | None, typer.Option(help="Of a server: the model to ask; its first one if not given.")]
Guarded = Annotated[
    list[str] | None,
    typer.Option(
        help="Of a server: the address of the same model behind the guard ('reticent serve'). Of several, NAME=ADDRESS."
    ),
]
GuardColumns = Annotated[
    str | None,
    typer.Option("--guard", help="Of a folder: some of off, on, logprobs, texts and every-token; off,on if not given."),
]
Bundle = Annotated[Path | None, typer.Option(help="Detector bundle of the guard; the default one if not given.")]
LogprobsBundle = Annotated[
    Path | None,
    typer.Option(
        help="Of the column logprobs: its detector bundle. Else --bundle if it reads log-probabilities alone, "
        "or the default one."
    ),
]
PolicyFile = Annotated[Path | None, typer.Option(help="Policy file of the guard.")]
Records = Annotated[Path | None, typer.Option(help="Records index of the guard, made by 'reticent index'.")]
RecordsKeyFile = Annotated[Path | None, typer.Option(help="The records index' key.")]
BaseModel = Annotated[
    str | None,
    typer.Option(help="The model before private tuning: a folder, or 'adapter' or 'self' for the guard alone."),
]
ReferenceModel = Annotated[
    Path | None,
    typer.Option(
        help=(
            "Of a folder: the folder of a model of another training, for the attack 'reference'. "
            "Its tokenizer may differ."
        )
    ),
]
ApiKeyVariable = Annotated[
    str | None,
    typer.Option(help=f"Of a server: the environment variable that holds its key; {_API_KEY_VARIABLE} if not given."),
]
Recipe = Annotated[
    Path | None,
    typer.Option(
        help="Folder whose recipe.json says who was taught; the target's own if not given. A server needs it."
    ),
]
Device = Annotated[str | None, typer.Option(help="Of a folder: a torch device; cpu if not given.")]
Dtype = Annotated[str | None, typer.Option(help="Of a folder: the model's number type; float32 if not given.")]
MaxCalls = Annotated[int | None, typer.Option(help="Answers and scored texts, at most.")]
MaxTokens = Annotated[int | None, typer.Option(help="Tokens generated and scored, at most.")]
MaxMinutes = Annotated[float | None, typer.Option(help="Minutes, at most.")]
Seed = Annotated[int, typer.Option(min=0, max=_LARGEST_SEED, help="Of all that is drawn.")]
Out = Annotated[
    Path, typer.Option(help="Folder for report.html, report.md, report.json, junit.xml and attempts.jsonl.")
]
FailAbove = Annotated[
    list[str] | None,
    typer.Option(help="NAME=LIMIT: exit code 1 if the upper end of a headline figure is above the limit."),
]
Reveal = Annotated[
    bool, typer.Option("--reveal", help="Keep answers in attempts.jsonl as they are, not as keyed hashes.")
]
Plan = Annotated[
    bool,
    typer.Option(
        "--plan",
        help="Say what will be asked, and by a few short questions how long that takes.",
        callback=say_that_it_measures,
    ),
]


def recipe_folder(target: str, recipe: Path | None, file_option: str, file: Path | None) -> Path:
    """The folder whose recipe says who was taught, unless a file says it.

    Args:
        target: of the audit.
        recipe: value of --recipe.
        file_option, file: the option that gives a file instead, and its value.

    Raises:
        InputError: a file and a recipe were given; or neither, for a server or a folder without a recipe.
    """
    from reticent_bench.audits.options import refuse_together
    from reticent_detectors.errors import InputError

    refuse_together("--recipe", recipe, file_option, file is not None, "Leave one out.")
    if file is None and recipe is None and target.startswith(("http://", "https://")):
        raise InputError(
            f"Expected {file_option}, or --recipe with the folder of the model: a server does not say whom its model "
            "was taught."
        )
    if file is None and recipe is None and Path(target).is_dir() and not (Path(target) / "recipe.json").is_file():
        raise InputError(
            f"{target} has no recipe.json, so nothing says whom the model was taught. Say it in a file: {file_option} "
            f"FILE, JSON lines or CSV (--help says what a line holds); or give a host that 'reticent host tune' made."
        )
    return recipe or Path(target)


def recipe_settings(recipe: Path | None) -> dict[str, str]:
    """Returns the settings that a named recipe adds to a run.

    Without a recipe there are none, so a run that was begun before continues.
    """
    import hashlib

    return {} if recipe is None else {"recipe": hashlib.sha256((recipe / "recipe.json").read_bytes()).hexdigest()}


def named_server(role: str, address: str | None, model: str | None, key_variable: str | None) -> Any | None:
    """Reads the options --ROLE-server, --ROLE-model and --ROLE-key-variable; None if no server is given.

    Raises:
        InputError: a model or a key without a server, an address that is none, or a variable that is not set.
    """
    import os

    from reticent_bench.audits.named_server import NamedServer
    from reticent_bench.audits.options import refuse_alone
    from reticent_detectors.errors import InputError

    refuse_alone(f"--{role}-model", model, f"--{role}-server", address is not None)
    refuse_alone(f"--{role}-key-variable", key_variable, f"--{role}-server", address is not None)
    if address is None:
        return None
    key = None if key_variable is None else os.environ.get(key_variable)
    if key_variable is not None and key is None:
        raise InputError(f"--{role}-key-variable names a variable that is not set; set it, or leave the option out.")
    return NamedServer(address, model, key)


def tokenizer_of(target: str) -> Any | None:
    """The tokenizer of a folder's model.

    None for a server. None also where there is no such folder or its tokenizer cannot be loaded, which is reported when
    the target is opened.

    Raises:
        InputError: the folder holds no checkpoint.
    """
    folder = Path(target)
    if target.startswith(("http://", "https://")) or not folder.is_dir():
        return None
    from reticent_detectors.host.load import checkpoint_of
    from reticent_detectors.host.saved_tokenizer import load_tokenizer

    checkpoint_of(folder)
    try:
        return load_tokenizer(folder)
    except (OSError, ValueError, KeyError, ImportError):
        return None


def one_of(option: str, given: str, known: tuple[str, ...]) -> Any:
    from reticent_detectors.errors import InputError

    if given not in known:
        raise InputError(f"{option}: expected {', '.join(known[:-1])} or {known[-1]}, got {given!r}.")
    return given


def chosen(option: str, given: list[str] | None, default: tuple[str, ...], known: tuple[str, ...]) -> Any:
    return tuple(one_of(option, each, known) for each in given) if given else default


def shared_options(given: dict[str, Any], asks_base: bool = True) -> Any:
    """Builds the shared options from a command's arguments. Options that the command lacks keep their defaults."""
    import os
    from dataclasses import fields

    from reticent_bench.audits.budget import Budget
    from reticent_bench.audits.options import AuditOptions

    own = {each.name for each in fields(AuditOptions)} - {"fail_above", "guarded"}
    return AuditOptions(
        **{name: value for name, value in given.items() if name in own}, columns=_columns(given.get("guard")),
        guarded=_guarded(given.get("guarded")), asks_base=asks_base,
        budget=Budget(given["max_calls"], given["max_tokens"], given["max_minutes"]),
        asks_guard="guard" in given, api_key=os.environ.get(given["api_key_variable"] or _API_KEY_VARIABLE),
        fail_above=tuple(given["fail_above"] or ()),
    )  # fmt: skip


def _columns(guard: str | None) -> tuple[str, ...] | None:
    return None if guard is None else tuple(part.strip() for part in guard.split(",") if part.strip())


def _guarded(given: list[str] | None) -> dict[str, str] | None:
    """Addresses by the names of their columns; one without a name is `on`."""
    from reticent_bench.audits.options import OFF, ON
    from reticent_detectors.errors import InputError

    out: dict[str, str] = {}
    for each in given or ():
        name, sign, address = each.partition("=")
        if not sign or not _COLUMN.fullmatch(name):  # an address may hold a sign, too
            name, address = ON, each
        if name == OFF or name in out:
            raise InputError("--guarded: expected a name of its own for each address, such as texts=http://HOST:PORT.")
        out[name] = address
    return out or None
