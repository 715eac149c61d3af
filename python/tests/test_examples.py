"""Runs every example."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"

SAYS = {
    "generator_into_queue.py": "the sum is 45.0",
    "parallel_runs.py": "100 batches, each row adds up to 1.0",
    "train_a_line.py": "w = 3.00, b = -1.00",
}


@pytest.mark.parametrize("name", sorted(SAYS))
def test_an_example_runs(name):
    done = subprocess.run([sys.executable, EXAMPLES / name], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert SAYS[name] in done.stdout
