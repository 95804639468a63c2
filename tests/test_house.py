"""The house: where packages lie, what importing them costs, and how the command finds its sub-commands."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

import grimp
import pytest

import reticent
from reticent import cli
from reticent_detectors.errors import InputError
from reticent_detectors.install_form import extra_for

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = {
    "guard": "reticent",
    "detectors": "reticent_detectors",
    "kernels": "reticent_kernels",
    "benchmarks": "reticent_bench",
}
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
COMMANDS: dict[str, str] = PROJECT["entry-points"][cli.GROUP]


MOST_LINES_OF_A_FUNCTION, MOST_LINES_OF_A_FILE = 60, 400
OPTIONS = "a command: its options, each with its help, are most of it"
# What may be longer, and why. A function that is no longer too long leaves the list.
LONG_FUNCTIONS = {
    "benchmarks/reticent_bench/audits/commands/code.py:code": OPTIONS,
    "benchmarks/reticent_bench/audits/commands/context.py:context": OPTIONS,
    "benchmarks/reticent_bench/audits/commands/cues.py:cues": OPTIONS,
    "benchmarks/reticent_bench/audits/commands/inversion.py:inversion": OPTIONS,
    "benchmarks/reticent_bench/audits/commands/membership.py:membership": OPTIONS,
    "benchmarks/reticent_bench/audits/shadows/command.py:lira": OPTIONS,
    "benchmarks/reticent_bench/audits/tuning/command.py:tuning": OPTIONS,
    "benchmarks/reticent_bench/evaluate_command.py:evaluate": OPTIONS,
    "guard/reticent/commands/calibrate.py:calibrate": OPTIONS,
    "guard/reticent/commands/collect.py:collect": OPTIONS,
    "guard/reticent/commands/serve.py:serve": OPTIONS,
    "guard/reticent/commands/train.py:train": OPTIONS,
    "guard/reticent/observability/metrics.py:Metrics._declare": "a table: name, help and labels of each metric",
    "kernels/reticent_kernels/lens_kernels.py:finish_kernel": (
        "one launch; parts would take most of its pointers and sizes again"
    ),
}
WORDINGS = "a table: wordings of one language"
ONE_CLASS = "one class over one state"
LONG_FILES = {
    "benchmarks/reticent_bench/bench_command.py": "the options of all benchmarks, with their help",
    "benchmarks/reticent_bench/charts/headlines.py": "a table: a sentence or two of each result",
    "benchmarks/reticent_bench/finder/prose_texts/english.py": WORDINGS,
    "benchmarks/reticent_bench/finder/prose_texts/french.py": WORDINGS,
    "benchmarks/reticent_bench/finder/prose_texts/german.py": WORDINGS,
    "benchmarks/reticent_bench/finder/prose_texts/italian.py": WORDINGS,
    "benchmarks/reticent_bench/finder/prose_texts/portuguese.py": WORDINGS,
    "benchmarks/reticent_bench/finder/prose_texts/spanish.py": WORDINGS,
    "detectors/reticent_detectors/synth/phrasings.py": "a table: the phrasings of every kind",
    "guard/reticent/core/stream_machine.py": ONE_CLASS,
    "guard/reticent/records/index.py": ONE_CLASS,
}


def function_lengths(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, int]]:
    """Name and lines of each function, from its `def` on, inner ones too; its docstring is not counted."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from function_lengths(node, prefix)
            continue
        if not isinstance(node, ast.ClassDef):
            assert node.end_lineno is not None
            first, documented = node.body[0], ast.get_docstring(node, clean=False) is not None
            docstring = (first.end_lineno or 0) - first.lineno + 1 if documented else 0
            yield prefix + node.name, node.end_lineno - node.lineno + 1 - docstring
        yield from function_lengths(node, f"{prefix}{node.name}.")


def imports_of(*packages: str) -> dict[str, set[str]]:
    """For each module, the modules that it imports: at its top, inside functions, and for type checking alone."""
    graph = grimp.build_graph(*packages, exclude_type_checking_imports=False, cache_dir=None)
    return {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}


def circles_of(imports: Mapping[str, set[str]]) -> set[frozenset[str]]:
    """The strongly connected components of more than one module: those that reach each other by imports."""
    left = dict(imports)
    while leaves := {module for module, imported in left.items() if not imported & left.keys()}:
        left = {module: imported for module, imported in left.items() if module not in leaves}
    reached = dict[str, set[str]]()
    for module, imported in left.items():
        reached[module], following = set(), imported & left.keys()
        while following:
            reached[module] |= following
            following = {name for each in following for name in left[each] & left.keys()} - reached[module]
    return {
        frozenset(name for name in names if module in reached[name])
        for module, names in reached.items()
        if module in names
    }


def python(code: str, *, env: dict[str, str] | None = None) -> str:
    """Standard output of `python -c code` at the root of the repository."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# Where packages lie


@pytest.mark.parametrize(("folder", "package"), PACKAGES.items())
def test_each_source_root_holds_one_package_and_is_none_itself(folder: str, package: str) -> None:
    assert not (ROOT / folder / "__init__.py").exists()
    assert [path.parent.name for path in (ROOT / folder).glob("*/__init__.py")] == [package]


def test_tests_are_flat() -> None:
    assert {path.parent for path in (ROOT / "tests").rglob("*.py")} == {ROOT / "tests"}


@pytest.mark.parametrize("safe_path", [False, True])
def test_a_folder_called_kernels_does_not_pass_for_hugging_faces_package(safe_path: bool) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    if safe_path:
        env["PYTHONSAFEPATH"] = "1"
    found = python("from transformers.utils import is_kernels_available; print(is_kernels_available())", env=env)
    installed = any(distribution.name == "kernels" for distribution in metadata.distributions())
    assert found.strip() == str(installed)


def test_imports_run_downwards_and_torch_stays_where_it_may() -> None:
    # In a process of its own: import-linter switches off every logger that exists.
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_circles_are_the_modules_that_reach_one_another() -> None:
    imports = {"a": {"b", "z"}, "b": {"c"}, "c": {"a"}, "d": {"a", "e"}, "e": {"f"}, "f": {"e", "b"}, "z": set()}
    assert circles_of(imports) == {frozenset("abc"), frozenset("ef")}
    assert circles_of({**imports, "c": {"z"}, "f": {"b"}}) == set()


def test_imports_for_type_checking_and_inside_functions_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "house_circles"
    package.mkdir()
    for name, source in {
        "__init__": "",
        "first": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from house_circles.second import Value\n",
        "second": "def value():\n    from house_circles import first\n",
    }.items():
        (package / f"{name}.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    assert circles_of(imports_of("house_circles")) == {frozenset({"house_circles.first", "house_circles.second"})}


def test_no_modules_import_one_another_in_a_circle() -> None:
    found = circles_of(imports_of(*PACKAGES.values()))
    assert not found, "a circle: see which import can go, or name a Protocol"


# How long functions and files are


def test_lines_of_a_function_are_counted_without_its_docstring() -> None:
    source = '''
@decorated
def outer(
    value: int,
) -> int:
    """Two
    lines."""
    if value:
        def inner() -> int: return value
    return 1

class Named:
    """A class."""
    async def method(self) -> None:
        "no more than this"
'''
    assert dict(function_lengths(ast.parse(source))) == {"outer": 6, "outer.inner": 1, "Named.method": 1}


def test_functions_and_files_are_short_but_for_those_that_are_listed() -> None:
    files = {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for folder, package in PACKAGES.items()
        for path in (ROOT / folder / package).rglob("*.py")
    }
    long_functions = {
        f"{file}:{name}"
        for file, text in files.items()
        for name, lines in function_lengths(ast.parse(text))
        if lines > MOST_LINES_OF_A_FUNCTION
    }
    long_files = {file for file, text in files.items() if len(text.splitlines()) > MOST_LINES_OF_A_FILE}
    for found, listed in ((long_functions, LONG_FUNCTIONS), (long_files, LONG_FILES)):
        assert not found - listed.keys(), "too long: look for the second idea"
        assert not listed.keys() - found, "no longer too long: take it off the list"
        assert all(listed.values())


# What importing costs


def test_import_loads_few_modules_and_none_of_another_package() -> None:
    """Counted, for how long it takes depends on what else the machine does."""
    code = (
        "import json, sys; before = set(sys.modules); import reticent; print(json.dumps([*set(sys.modules) - before]))"
    )
    loaded = json.loads(python(code))
    others = {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names
    assert (others, len(loaded) < 60) == ({"reticent"}, True), sorted(loaded)


@pytest.mark.parametrize("code", ["import reticent", "from reticent.cli import main; main(['--help'])"])
def test_import_and_help_leave_heavy_modules_alone(code: str) -> None:
    loaded = python(f"import json, sys; {code}; print(json.dumps(sorted(sys.modules)))").splitlines()[-1]
    assert not {"torch", "transformers", "triton", "onnxruntime", "pyarrow", "sklearn", "faker", "matplotlib"} & set(
        json.loads(loaded)
    )


def test_public_names_are_sorted_and_there() -> None:
    assert list(reticent.__all__) == sorted(reticent.__all__)
    assert [name for name in reticent.__all__ if not hasattr(reticent, name)] == []


@pytest.mark.parametrize("name", ["reticent", "reticent.policy", "reticent.prompt", "reticent.records"])
def test_names_of_packages_are_loaded_and_others_refused(name: str) -> None:
    package = importlib.import_module(name)
    assert dir(package) == sorted(package.__all__)
    assert [each for each in package.__all__ if not hasattr(package, each)] == []
    with pytest.raises(AttributeError, match=f"^module '{name}' has no attribute 'nothing'$"):
        _ = package.nothing


# The command


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Sub-commands `greet` (works or raises) and `heavy` (needs what is not installed), as two installed modules."""
    (tmp_path / "house_greet.py").write_text(
        '"""Say hello.\n\nMore."""\n'
        "import typer\n"
        "from reticent_detectors.errors import InputError\n"
        "app = typer.Typer(add_completion=False)\n"
        "@app.command()\n"
        "def greet(name: str, path: str = '') -> None:\n"
        "    if name == 'nobody':\n"
        "        raise InputError('expected a name,\\ngot nobody')\n"
        "    if name == 'bug':\n"
        "        raise ValueError('a bug')\n"
        "    if path:\n"
        "        open(path)\n"
        "    print('hello', name)\n"
    )
    (tmp_path / "house_heavy.py").write_text('"""Lift something."""\nimport sklearnish\n')
    (tmp_path / "house_not_typer.py").write_text('"""Break the contract."""\napp = print\n')
    points = [
        metadata.EntryPoint("heavy", "house_heavy:app", cli.GROUP),
        metadata.EntryPoint("greet", "house_greet:app", cli.GROUP),
        metadata.EntryPoint("odd", "house_not_typer:app", cli.GROUP),
        metadata.EntryPoint("gone", "house_gone:app", cli.GROUP),
    ]
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(cli, "LABORATORY", {"heavy"})
    monkeypatch.setattr(metadata, "entry_points", lambda group: points if group == cli.GROUP else [])
    monkeypatch.setattr(metadata, "requires", lambda name: ["numpy>=1", "Sklearnish>=1; extra == 'train'"])
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("house_")]:
        del sys.modules[name]  # or the next test would find it imported, whatever it did itself


def test_help_lists_commands_by_name_with_their_first_line(commands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    lines = capsys.readouterr().out.partition("Commands:\n")[2].splitlines()
    assert [line.split(maxsplit=1) for line in lines] == [
        ["gone", "(not installed)"],
        ["greet", "Say hello."],
        ["odd", "Break the contract."],
        [],
        ["Laboratory,", "to teach models, train detectors and measure both:"],
        ["heavy", "Lift something."],
    ]
    assert "house_greet" not in sys.modules


def test_a_command_runs_with_its_arguments(commands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["greet", "you"])
    assert (end.value.code, capsys.readouterr().out) == (0, "hello you\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["greet", "nobody"], "error: expected a name, got nobody\n"),
        (["greet", "you", "--path", "no/such"], "error: no/such: No such file or directory\n"),
        (["nothing"], "error: there is no command 'nothing'; commands are: gone, greet, heavy, odd.\n"),
        (["--nothing"], "error: there is no option '--nothing'; commands are: gone, greet, heavy, odd.\n"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    commands: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert cli.main(arguments) == 2
    assert capsys.readouterr() == ("", message)


def test_a_missing_module_is_one_line_with_its_form(commands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["heavy"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: sklearnish is not installed") and said.endswith("train,cpu]'\n")
    assert said.count("\n") == 1


def test_debug_shows_where_an_error_came_from(commands: Path) -> None:
    with pytest.raises(InputError):
        cli.main(["--debug", "greet", "nobody"])


def test_a_bug_keeps_its_traceback_and_shows_no_local_variables(
    commands: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    with pytest.raises(ValueError, match="a bug"):
        cli.main(["greet", "bug"])
    assert sys.excepthook is sys.__excepthook__
    with pytest.raises(TypeError, match="must be a typer"):
        cli.main(["odd"])
    with pytest.raises(ModuleNotFoundError, match="house_gone"):
        cli.main(["gone"])


def test_no_command_shows_the_help(commands: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 2
    assert "greet" in capsys.readouterr().out
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"reticent {reticent.__version__}\n"


def test_extra_is_found_under_the_module_and_the_distribution_name() -> None:
    requirements = [
        "numpy>=1.26",
        "scikit-learn>=1.5; extra == 'all'",
        "torch>=2.6; extra == 'all'",
        "Faker>=30; extra == 'all'",
        'Faker>=30; extra == "train"',
        "onnxruntime-gpu>=1.20; extra == 'gpu'",
        "onnxruntime>=1.20; extra == 'cpu'",
        "prometheus-client>=0.21; (python_version >= '3.11') and extra == 'proxy'",
        "scikit-learn>=1.5; extra == 'train'",
        "torch>=2.6; extra == 'model'",
    ]
    modules = ["faker", "onnxruntime", "prometheus_client", "sklearn", "torch", "numpy", ""]
    extras = ["train", "cpu", "proxy", "train", "model", None, None]
    assert [extra_for(module, requirements) for module in modules] == extras


@pytest.mark.parametrize(("name", "target"), COMMANDS.items())
def test_every_declared_command_is_there_and_says_what_it_does(name: str, target: str) -> None:
    module, _, attribute = target.partition(":")
    spec = importlib.util.find_spec(module)
    assert spec is not None and spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_bytes())
    assert (ast.get_docstring(tree) or "").partition("\n")[0]
    assert attribute == "app"
