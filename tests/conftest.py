"""What every test runs under: one thread, no network, the same examples each time."""

from __future__ import annotations

import gc
import os
import sys

# Before anything imports torch, which reads its thread count once.
os.environ["OMP_NUM_THREADS"] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

from importlib.util import find_spec

import pytest
from hypothesis import settings

settings.register_profile("ci", derandomize=True, deadline=None)
settings.load_profile("ci")

if find_spec("absl") is not None:
    import absl.logging

    # rouge-score imports it. Its log handler closes its stream when uvicorn sets logging up, and that is pytest's.
    absl.logging.get_absl_handler().python_handler.stream = sys.__stderr__


SLOW_FILES = (
    *("test_real_models", "test_real_served"),
    *("test_hosts", "test_teach", "test_lens_triton", "test_finder_numbers", "test_serve_golden", "test_bench_lens"),
    *("test_guard_report", "test_decoding", "test_finder_fuzz", "test_resumed_parts", "test_base_attacks", "test_host"),
)
"""Files that take longest. They begin first, so that no process works on one of them alone at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: SLOW_FILES.index(item.path.stem) if item.path.stem in SLOW_FILES else len(SLOW_FILES))
    gpu = [item for item in items if item.get_closest_marker("gpu")]
    if gpu and not _has_cuda():
        for item in gpu:
            item.add_marker(pytest.mark.skip(reason="no CUDA device"))


def pytest_collection_finish() -> None:
    """Looks for garbage less often, and never among what was imported: a tenth of the suite's time went there."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _has_cuda() -> bool:
    import torch

    return torch.cuda.is_available()
