#!/usr/bin/env python3
"""Times runs from Python: TensorFlow's sessions, Levada's replacements, and Levada's own, alternating in one process.

    pip install tensorflow-cpu ./python
    python python/benches/against_tensorflow.py [--rounds 25] [NAME ...]

The graphs are TensorFlow's. Results are compared before anything is timed; the table has the minimum over the rounds, with the least other load.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import tensorflow as tf

import levada
from levada.compat import tensorflow as compat

v1 = tf.compat.v1


def tiny() -> Any:
    """x + 1 of a scalar."""
    x = v1.placeholder(tf.float32, [], name="x")
    return x + 1.0, {x: 1.0}


def nested() -> Any:
    """Fetches in a dict with a list, three feeds."""
    x, y, z = (v1.placeholder(tf.float32, [2], name=name) for name in "xyz")
    feeds = {one: np.ones(2, np.float32) for one in (x, y, z)}
    return {"sum": x + y + z, "parts": [x - y, y * z]}, feeds


def layers() -> Any:
    """Three dense layers of 64 units, a batch of 32."""
    x = v1.placeholder(tf.float32, [None, 64], name="x")
    y, random = x, np.random.default_rng(0)
    for i in range(3):
        w = v1.get_variable(f"w{i}", initializer=random.standard_normal((64, 64), np.float32) / 8, use_resource=True)
        y = tf.nn.relu(tf.matmul(y, w) + 0.1)
    return y, {x: random.standard_normal((32, 64), np.float32)}


def chain() -> Any:
    """1,000 additions in a row."""
    x = y = v1.placeholder(tf.float32, [], name="x")
    for _ in range(1000):
        y = y + x
    return y, {x: 1.0}


def large() -> Any:
    """16 MB in and out."""
    x = v1.placeholder(tf.float32, [None], name="x")
    return -x, {x: np.ones(4 << 20, np.float32)}


def step() -> Any:
    """A step of Adam: softmax regression of 784 inputs, a batch of 32."""
    random = np.random.default_rng(0)
    x = v1.placeholder(tf.float32, [None, 784], name="x")
    labels = v1.placeholder(tf.int32, [None], name="labels")
    w = v1.get_variable("w", [784, 10], initializer=v1.zeros_initializer(), use_resource=True)
    b = v1.get_variable("b", [10], initializer=v1.zeros_initializer(), use_resource=True)
    logits = tf.matmul(x, w) + b
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    with tf.control_dependencies([v1.train.AdamOptimizer(0.001).minimize(loss)]):
        loss = tf.identity(loss)
    return loss, {x: random.random((32, 784), np.float32), labels: random.integers(0, 10, 32, np.int32)}


def function() -> Any:
    """A function of the program."""
    x = v1.placeholder(tf.float32, [], name="x")
    return v1.py_func(lambda value: value + np.float32(1), [x], tf.float32), {x: 1.0}


GRAPHS = [tiny, nested, layers, chain, large, step, function]


def sides(fetches: Any, feeds: dict[Any, Any], init: Any) -> dict[str, Callable[[], Any]]:
    """What is timed: a run and a prepared call of each."""
    theirs = v1.Session()
    in_place = compat.Session()
    own = levada.Session(theirs.graph, host_functions=compat.host_function)
    keys, values = list(feeds), list(feeds.values())
    calls: dict[str, Callable[[], Any]] = {}
    for name, session in (("TensorFlow", theirs), ("in its place", in_place), ("levada", own)):
        session.run(init)
        call = session.make_callable(fetches, keys)
        calls[f"{name}, run"] = lambda session=session: session.run(fetches, feeds)
        calls[f"{name}, callable"] = lambda call=call: call(*values)
    return calls


def time_of(call: Callable[[], Any], count: int) -> float:
    begun = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begun) / count


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(graph.__name__ for graph in GRAPHS)}")
    parser.add_argument("--rounds", type=int, default=25)
    options = parser.parse_args()
    v1.disable_eager_execution()
    print("| | | TensorFlow | in its place | | levada | |\n|---|---|--:|--:|--:|--:|--:|")
    for graph in GRAPHS:
        if options.names and graph.__name__ not in options.names:
            continue
        with tf.Graph().as_default():
            fetches, feeds = graph()
            calls = sides(fetches, feeds, v1.global_variables_initializer())
            results = [tf.nest.flatten(call()) for call in calls.values()]
            if graph is not step:
                for result in results[1:]:
                    for found, expected in zip(result, results[0], strict=True):
                        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)
            # Enough calls to take some time even in the slowest variant.
            counts = {name: max(int(0.03 / time_of(call, 3)), 1) for name, call in calls.items()}
            times: dict[str, list[float]] = {name: [] for name in calls}
            for _ in range(options.rounds):
                for name, call in calls.items():
                    times[name].append(time_of(call, counts[name]))
        took = {name: min(all_of_one) * 1e6 for name, all_of_one in times.items()}
        for how in ("run", "callable"):
            theirs, in_place, own = (took[f"{name}, {how}"] for name in ("TensorFlow", "in its place", "levada"))
            what = graph.__doc__ if how == "run" else ""
            print(
                f"| {what} | `{how}` | {theirs:.1f} us | {in_place:.1f} us | {theirs / in_place:.1f}x | {own:.1f} us | "
                f"{theirs / own:.1f}x |",
                flush=True,
            )


if __name__ == "__main__":
    main()
