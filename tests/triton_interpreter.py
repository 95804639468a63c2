"""Runs a test file's kernels in Triton's interpreter, in a process of its own.

The interpreter has to be asked for before triton is first imported, and the compile gate needs the kernels without it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
outside = pytest.mark.skipif(INTERPRETED, reason="the interpreter takes CPU tensors")


def interpret(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python with these arguments, in the interpreter."""
    path = os.pathsep.join(filter(None, sys.path))
    variables = os.environ | {"TRITON_INTERPRET": "1", "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=variables, capture_output=True, text=True, check=False
    )


def all_pass_interpreted(file: str) -> None:
    """Runs `TestInInterpreter` of a test file. Raises AssertionError if one of its tests fails or is skipped."""
    done = interpret("-m", "pytest", "-q", "-p", "no:cacheprovider", f"{file}::TestInInterpreter")
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
    assert "skipped" not in done.stdout
