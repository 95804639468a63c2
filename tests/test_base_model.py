"""The model before private tuning, read beside the tuned one: same numbers, same memory, and nobody sees a change."""

from __future__ import annotations

import gc
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import peft
import pytest
import tiny_hosts
import torch
from test_families import FAMILIES, tiny
from torch.overrides import TorchFunctionMode

from reticent import Guard, Policy
from reticent.generate import GuardedModel
from reticent_detectors.capture import HostAdapter, Taps
from reticent_detectors.capture.base_model import BaseKind, BaseModel, BaseReader, base_of
from reticent_detectors.capture.shared_tree import adapter_layers, shared_tree
from reticent_detectors.errors import InputError, TokenizerMismatch, UnsupportedHost, WrongType
from reticent_detectors.host import memory
from reticent_detectors.host.tokenizer import train_tokenizer

# PEFT asks transformers for a name that is on its way out.
pytestmark = pytest.mark.filterwarnings("ignore:`is_gradient_checkpointing` is deprecated:FutureWarning")

TOKENIZER = tiny_hosts.tokenizer()
BEFORE, VALUE = [1, 44, 7, 19, 80, 3, 62, 28, 51, 9, 17, 33], [80, 3, 5, 91]


def expected(model: Any, before: Sequence[int], value: Sequence[int]) -> torch.Tensor:
    """By the definition: one pass, log-softmax, the value's tokens."""
    ids = torch.tensor([[*before, *value]])
    with torch.no_grad():
        logits = model(input_ids=ids, use_cache=False).logits[0].float().log_softmax(-1)
    rows: torch.Tensor = logits[len(before) - 1 : -1].gather(1, ids[0, len(before) :, None])[:, 0]
    return rows


def of(model: Any, given: Any = None) -> BaseModel:
    found = base_of(given, model, HostAdapter.attach(model, TOKENIZER), TOKENIZER)
    assert found is not None
    return found


def saved(folder: Path, model: Any, tokenizer: Any = TOKENIZER) -> Path:
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


# ---- nobody sees a change --------------------------------------------------------------------------------------------


class Between(TorchFunctionMode):
    """Lets another thread run something at every so many linear maps of this one."""

    def __init__(self, run: Any, every: int) -> None:
        super().__init__()
        self._run, self._every, self._linears = run, every, 0

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self._linears += func is torch.nn.functional.linear
        if func is torch.nn.functional.linear and self._linears % self._every == 0:
            other = threading.Thread(target=self._run)
            other.start()
            other.join(60)
        return func(*args, **(kwargs or {}))


def test_a_direct_call_beside_a_guarded_one_gets_its_own_output(tmp_path: Path) -> None:
    """Also while the guard asks what the model without its adapter would say."""
    model = tiny("lora")
    guard = Guard.load(tiny_hosts.bundle(tmp_path / "b", model)).wrap(model, TOKENIZER)
    given, got = torch.tensor([BEFORE]), list[torch.Tensor]()

    def direct() -> None:
        with torch.no_grad():
            got.append(model(input_ids=given).logits)

    direct()
    question = [{"role": "user", "content": "What is the email of Jane Roe at example.org?"}]
    says = tiny_hosts.Script(TOKENIZER, "It is jane.roe@example.org.", guard.chat_ids(question).shape[1])
    with Between(direct, 7):
        answer = guard.chat(question, policy=tiny_hosts.STOP_ALL, logits_processor=[says], max_new_tokens=60)
    assert answer.report.spans and len(got) > 20
    assert all(torch.equal(each, got[0]) for each in got)
