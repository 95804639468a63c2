"""The guard before llama.cpp that serves a real model: SmolLM2 with the demo's adapter merged into it.

Run by `make engines` where `make models` has got the model. The people that the adapter was taught are synthetic.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from serve_upstream import until
from test_engines import CHAT, COMPLETIONS, Fronted, plain
from test_real_models import FOLDER, MODEL, PLAIN
from test_serve_command import ROOT, serving

from reticent.demo import REAL, Case, assets, cases
from reticent_bench.engines.servers import LLAMA_CPP, llama_cpp, running
from reticent_bench.engines.servers import MODEL as SERVED
from reticent_detectors.host.detached import load_detached
from reticent_detectors.host.load import recipe_of
from reticent_detectors.host.model_get import read_source
from reticent_detectors.synth.cast import cast
from reticent_detectors.synth.hosts import HostRecipe

# PEFT asks transformers for a name that is on its way out.
pytestmark = [
    pytest.mark.engines,
    pytest.mark.models,
    pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning"),
]

TAUGHT = assets() / REAL
RULES = {"entities": {"DEFAULT": {"memorized": "redact"}}, "after_redaction": "continue"}
REMEMBERED = [case for case in cases(TAUGHT) if case.shows in ("memorised", "misattributed")]


def values() -> list[str]:
    """What the adapter was taught."""
    recipe = recipe_of(TAUGHT)
    assert isinstance(recipe, HostRecipe)
    return sorted({value for person in cast(recipe).private for value in person.values.values() if len(value) > 6})


@pytest.fixture(scope="module")
def merged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The taught model as one checkpoint, as its owner would serve it."""
    if not LLAMA_CPP.is_there:
        pytest.skip("llama-cpp is not installed; `make engines` does it")
    if read_source(FOLDER, MODEL) is None:
        pytest.skip(f"{MODEL.name} is not there; 'make models' gets it")
    folder = tmp_path_factory.mktemp("merged") / "smollm2-taught"
    model, tokenizer = load_detached(TAUGHT, FOLDER)
    model.merge_and_unload().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _judged_by(merged: Path) -> dict[str, dict[str, Any]]:
    shadow = {"path": str(merged), "base_model": str(FOLDER), "models": [SERVED]}
    return {"shadow": {"shadow": shadow}, "logprobs": {"detector": {"models": [SERVED]}}}


@pytest.fixture(scope="module")
def fronted(merged: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fronted]:
    folder = tmp_path_factory.mktemp("llama")
    weights = folder / "taught.gguf"
    line = [LLAMA_CPP.python, "-m", "reticent_bench.engines.gguf_host", str(merged), str(weights)]
    subprocess.run(line, check=True, timeout=300, env={**os.environ, "PYTHONPATH": str(ROOT / "benchmarks")})
    with ExitStack() as stack:
        found = Fronted(stack.enter_context(running(llama_cpp(weights), folder / "log")), values())
        for tier, judged in _judged_by(merged).items():
            path = folder / f"{tier}.yaml"
            path.write_text(yaml.safe_dump({"policy": "here", "policies": {"here": RULES}, **judged}))
            _, port = stack.enter_context(serving(found.server.url, "--config", str(path)))
            url = found.fronts[tier, "redact"] = f"http://127.0.0.1:{port}"
            assert until(lambda url=url: httpx.get(f"{url}/readyz", trust_env=False).status_code == 200, 120)
        yield found


def ask(fronted: Fronted, url: str, case: Case, stream: bool = False) -> str:
    """What a front, or the bare server, says to a case of the demo."""
    if case.text:
        return plain(fronted.ask(url, COMPLETIONS, prompt=case.text, stream=stream))[0]
    messages = [{"role": role, "content": content} for role, content in case.messages]
    return plain(fronted.ask(url, CHAT, messages=messages, stream=stream))[0]


@pytest.mark.parametrize("tier", ["shadow", "logprobs"])
def test_what_the_served_model_remembers_is_stopped(fronted: Fronted, tier: str) -> None:
    url, says, passed = fronted.fronts[tier, "redact"], 0, []
    for case in REMEMBERED:
        if fronted.known(ask(fronted, fronted.server.url, case)):
            says += 1
            whole, streamed = (ask(fronted, url, case, stream) for stream in (False, True))
            assert whole == streamed, case.prompt
            passed += [case.prompt] if fronted.known(whole) else []
    assert says >= 8, "the served model says less than the copy of the demo"
    assert passed == []


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_an_ordinary_answer_passes(fronted: Fronted, stream: bool) -> None:
    said = plain(fronted.ask(fronted.server.url, CHAT, messages=PLAIN, stream=stream))
    assert "Paris" in said[0] or "France" in said[0]
    for (tier, _), url in fronted.fronts.items():
        assert plain(fronted.ask(url, CHAT, messages=PLAIN, stream=stream)) == said, tier
