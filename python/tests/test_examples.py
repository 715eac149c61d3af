"""Runs every example."""

from __future__ import annotations

import ast
import json
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


def test_the_notebook_shows_pictures():
    notebook = json.loads((EXAMPLES / "a_look_at_a_run.ipynb").read_text())
    names: dict = {}
    shown = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            *statements, last = ast.parse("".join(cell["source"])).body
            exec(compile(ast.Module(statements, []), "cell", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
                shown += hasattr(value, "_repr_html_") and "<" in value._repr_html_()
            else:
                exec(compile(ast.Module([last], []), "cell", "exec"), names)
    assert shown == 4


def test_a_program_of_tensorflow_learns_digits_on_both():
    pytest.importorskip("tensorflow")
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "digits.py")], capture_output=True, text=True, timeout=600, check=True
    )
    lines = [line.split() for line in done.stdout.splitlines() if "accuracy" in line]
    assert [line[0] for line in lines] == ["TensorFlow:", "Levada:"]
    assert all(float(line[2]) > 0.85 for line in lines)
