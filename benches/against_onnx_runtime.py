"""Times ONNX models with Levada and with ONNX Runtime in turn, and compares their results.

    pip install onnxruntime numpy
    LEVADA=target/release/levada python benches/against_onnx_runtime.py model.onnx ... [--threads 2] [--rounds 3] [--json F]

Inputs are random numbers, or small integers. Sizes that the model leaves open are 1 along the first axis, elsewhere the
first of a list with which the model runs. One line per model: the median times of both, the ratio, the greatest difference
of a result relative to the largest number in it, and the sizes of the inputs.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnxruntime as ort

ort.set_default_logger_severity(4)
LEVADA = os.environ.get("LEVADA", "target/release/levada")
SIZES = [320, 256, 512, 64, 48, 128, 32, 16, 8, 40, 100, 400, 2, 1]
DTYPES = {"float": np.float32, "double": np.float64, "float16": np.float16, "int64": np.int64, "int32": np.int32,
          "uint8": np.uint8, "int8": np.int8, "bool": np.bool_}


def inputs(session, size):
    rng, feeds = np.random.default_rng(0), {}
    for value in session.get_inputs():
        kind = value.type.removeprefix("tensor(").removesuffix(")")
        if kind not in DTYPES:
            raise ValueError(f"an input is a {value.type}")
        shape = [d if isinstance(d, int) and d > 0 else 1 if i == 0 else size for i, d in enumerate(value.shape)]
        dtype = DTYPES[kind]
        numbers = rng.random(shape) if np.issubdtype(dtype, np.floating) else rng.integers(0, 2 if dtype is np.bool_ else 5, shape)
        feeds[value.name] = np.asarray(numbers, dtype)
    return feeds


def loaded(path, threads):
    """A session, inputs with which it runs, and its results."""
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    for size in SIZES:
        feeds = inputs(session, size)
        try:
            return session, feeds, session.run(None, feeds)
        except Exception as e:
            error = e
    raise error


def timed(session, feeds, seconds):
    times = []
    end = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        session.run(None, feeds)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def levada(*arguments):
    run = subprocess.run([LEVADA, *arguments], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr.strip().splitlines()[0])
    return run.stdout


def result(results, name):
    """The result with the model's name for it, or with that of its node."""
    node = re.sub(r"[^A-Za-z0-9._\\/>-]", "_", name.lstrip("/"))
    return results[next(key for key in [name, node, f"{node}:0"] if key in results)]


def difference(found, expected):
    if found.shape != expected.shape:
        raise RuntimeError(f"a result has the shape {found.shape} instead of {expected.shape}")
    if expected.size == 0:
        return 0.0
    found, expected = found.astype(np.float64), expected.astype(np.float64)
    if not np.array_equal(np.isnan(found), np.isnan(expected)):
        raise RuntimeError("NaNs are in other places")
    largest = np.max(np.abs(expected), initial=0.0, where=~np.isnan(expected))
    return float(np.max(np.abs(found - expected), initial=0.0, where=~np.isnan(expected)) / (1e-9 + largest))


def measured(path, options):
    session, feeds, expected = loaded(path, options.threads)
    names = [value.name for value in session.get_outputs()]
    with tempfile.TemporaryDirectory() as directory:
        arguments = [str(path), "--threads", str(options.threads)]
        for i, (name, value) in enumerate(feeds.items()):
            np.save(f"{directory}/{i}.npy", value)
            arguments += ["--feed", f"{name}=@{directory}/{i}.npy"]
        levada("run", *arguments, "--out", f"{directory}/results.npz")
        results = dict(np.load(f"{directory}/results.npz"))
        worst = max(difference(result(results, name), np.asarray(value)) for name, value in zip(names, expected))
        theirs, ours = [], []
        for _ in range(options.rounds):
            theirs.append(timed(session, feeds, options.seconds))
            median, unit = re.search(r"^step\s+([\d.]+) (\w+)", levada("bench", *arguments), re.MULTILINE).groups()
            ours.append(float(median) * {"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}[unit])
    row = {"model": path.name, "levada_us": statistics.median(ours), "onnx_runtime_us": statistics.median(theirs)}
    shapes = [list(value.shape) for value in feeds.values()]
    return row | {"ratio": row["onnx_runtime_us"] / row["levada_us"], "difference": worst, "inputs": shapes, "outputs": len(names)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=Path)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5, help="for each round of ONNX Runtime")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = []
    print(f"{'model':32} {'Levada us':>10} {'ORT us':>10} {'ratio':>6} {'differ':>8}  inputs")
    for path in options.models:
        try:
            row = measured(path, options)
        except Exception as error:
            print(f"{path.name}: {str(error)[:200]}", file=sys.stderr)
            continue
        rows.append(row)
        print(f"{row['model'][:32]:32} {row['levada_us']:10.1f} {row['onnx_runtime_us']:10.1f} {row['ratio']:6.2f} "
              f"{row['difference']:8.1e}  {' '.join(map(str, row['inputs']))[:60]}", flush=True)
    if rows:
        mean = np.exp(np.mean([np.log(row["ratio"]) for row in rows]))
        print(f"geometric mean of {len(rows)} ratios: {mean:.2f}")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1))


main()
