"""Keep PEFT's use of an old name of transformers out of what users see."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_old_names() -> Iterator[None]:
    """Leave out the deprecation that transformers 5.23 writes when PEFT 0.21 wraps a model."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "`is_gradient_checkpointing` is deprecated", FutureWarning)
        yield
