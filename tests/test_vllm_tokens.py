"""The logits processor by which vLLM writes given tokens, on a stand-in for vLLM's base class."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import torch

from reticent.integrations.vllm import PROCESSOR
from reticent.serve.judging.served_base import GIVEN_TOKENS, MOST_TOKENS

NAMES = ("vllm", "vllm.v1", "vllm.v1.sample", "vllm.v1.sample.logits_processor")


@pytest.fixture
def processor(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The class that vLLM loads by the name of its option."""
    for name in NAMES:
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    sys.modules[NAMES[-1]].__dict__["AdapterLogitsProcessor"] = object
    module, _, name = PROCESSOR.partition(":")
    yield getattr(import_module(module), name)
    del sys.modules[module]


def request(tokens: Any) -> SimpleNamespace:
    return SimpleNamespace(extra_args={GIVEN_TOKENS: tokens})


def test_a_request_writes_its_tokens_one_after_the_other(processor: Any) -> None:
    write = processor().new_req_logits_processor(request([3, 0]))
    written: list[int] = []
    for token in (3, 0):
        logits = write(written, torch.tensor([0.5, 2.0, -1.0, -9.0]))
        assert int(logits.argmax()) == token and int(torch.isfinite(logits).sum()) == 1
        written.append(token)
    # Behind the last one, and for a token that the model does not have, nothing changes.
    row = torch.tensor([0.5, 2.0])
    assert torch.equal(write(written, row.clone()), row)
    assert torch.equal(processor().new_req_logits_processor(request([7]))([], row.clone()), row)
    assert not processor().is_argmax_invariant()


@pytest.mark.parametrize("params", [SimpleNamespace(extra_args=None), SimpleNamespace(extra_args={"other": 1})])
def test_other_requests_stay_as_they_are(processor: Any, params: Any) -> None:
    processor.validate_params(params)
    assert processor().new_req_logits_processor(params) is None


@pytest.mark.parametrize("tokens", [[], "12", [-1], [1.5], [True], [1] * (MOST_TOKENS + 1), {}])
def test_what_is_no_list_of_ids_is_refused(processor: Any, tokens: Any) -> None:
    with pytest.raises(ValueError, match=f"1 to {MOST_TOKENS} token ids"):
        processor.validate_params(request(tokens))
