#!/usr/bin/env python3
"""Times Levada beside TensorFlow on the same graphs, in turns, on this machine.

    pip install tensorflow-cpu
    cargo build --release
    python benches/against_tensorflow.py [--threads 1,2] [--rounds 5] [NAME ...]

Both sides time a prepared callable: Levada through `levada bench --json`, TensorFlow through `Session.make_callable`'s
C API twin `_make_callable_from_options`, with the graph optimizer off (it would merge the small ops away). The two sides
take turns, so that whatever else the machine does falls on both; the table has the medians over the rounds. Outputs
are compared before anything is timed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np

LEVADA = os.environ.get("LEVADA") or os.path.join(os.path.dirname(__file__), "..", "target", "release", "levada")
DT_FLOAT = 1


def node(graph, op, name, inputs=(), **ints):
    n = graph.node.add()
    n.op, n.name = op, name
    n.input.extend(inputs)
    if op != "Placeholder" and op != "NoOp":
        n.attr["T"].type = DT_FLOAT
    for key, value in ints.items():
        n.attr[key].i = value
    return name


def placeholder(graph, shape):
    n = graph.node.add()
    n.op, n.name = "Placeholder", "x"
    n.attr["dtype"].type = DT_FLOAT
    n.attr["shape"].shape.SetInParent()
    for size in shape:
        n.attr["shape"].shape.dim.add().size = size
    return "x"


def tiny(graph):
    """One add of two scalars."""
    x = placeholder(graph, [])
    return np.float32(1), node(graph, "AddV2", "y", [x, x])


def chain10k(graph):
    """10,000 scalar adds, each waiting for the one before."""
    x = y = placeholder(graph, [])
    for i in range(10_000):
        y = node(graph, "AddV2", f"a{i}", [y, x])
    return np.float32(1), y


def wide10k(graph, n=100):
    """10,000 scalar adds that do not wait for each other, joined by a Pack."""
    x = placeholder(graph, [2 * n])
    node(graph, "Unpack", "u", [x], axis=0, num=2 * n)
    u = [f"u:{i}" if i else "u" for i in range(2 * n)]
    sums = [node(graph, "AddV2", f"a{i}_{j}", [u[i], u[n + j]]) for i in range(n) for j in range(n)]
    return np.arange(2 * n, dtype=np.float32), node(graph, "Pack", "y", sums, N=n * n, axis=0)


def alternate(graph):
    """2,000 scalar adds in a row, by turns on two CPU devices: what a hop costs."""
    x = y = placeholder(graph, [])
    for i in range(2_000):
        y = node(graph, "AddV2", f"a{i}", [y, x])
        graph.node[-1].device = f"/device:CPU:{i % 2}"
    return np.float32(1), y


def matmul512(graph):
    """A product of two 512 x 512 matrices."""
    x = placeholder(graph, [512, 512])
    return np.random.default_rng(1).random((512, 512), dtype=np.float32), node(graph, "MatMul", "y", [x, x])


def tanh1m(graph):
    """Tanh of a million floats."""
    x = placeholder(graph, [1 << 20])
    return np.random.default_rng(1).random(1 << 20, dtype=np.float32), node(graph, "Tanh", "y", [x])


GRAPHS = [tiny, chain10k, wide10k, alternate, matmul512, tanh1m]


class TensorFlow:
    def __init__(self, graph_def, fetch, threads):
        import tensorflow as tf
        from tensorflow.core.protobuf import config_pb2

        v1 = tf.compat.v1
        config = v1.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)
        config.device_count["CPU"] = 2
        config.graph_options.optimizer_options.opt_level = -1
        config.graph_options.rewrite_options.disable_meta_optimizer = True
        graph = v1.Graph()
        with graph.as_default():
            tf.import_graph_def(graph_def, name="")
        session = v1.Session(graph=graph, config=config)
        options = config_pb2.CallableOptions(feed=["x:0"], fetch=[f"{fetch}:0"])
        self.call = session._make_callable_from_options(options)

    def time(self, feed, seconds):
        for _ in range(3):
            self.call(feed)
        times, end = [], time.perf_counter() + seconds
        while time.perf_counter() < end or len(times) < 5:
            start = time.perf_counter()
            self.call(feed)
            times.append(time.perf_counter() - start)
        return statistics.median(times) * 1e6


def levada(verb, graph, feed, fetch, threads, *more):
    command = [LEVADA, verb, graph, "--feed", f"x=@{feed}", "--fetch", fetch, "--threads", str(threads), "--devices", "cpu:2", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="TensorFlow's time per round")
    args = parser.parse_args()
    from google.protobuf import json_format
    from tensorflow.core.framework import graph_pb2

    print(f"{'graph':12} {'threads':>7} {'Levada us':>12} {'TensorFlow us':>14} {'ratio':>7}")
    for make in GRAPHS:
        if args.names and make.__name__ not in args.names:
            continue
        graph_def = graph_pb2.GraphDef()
        graph_def.versions.producer = 1087
        feed, fetch = make(graph_def)
        with tempfile.TemporaryDirectory() as folder:
            graph, npy, out = (os.path.join(folder, name) for name in ("graph.json", "x.npy", "out.npz"))
            with open(graph, "w") as file:
                file.write(json_format.MessageToJson(graph_def, indent=None))
            np.save(npy, feed)
            for threads in map(int, args.threads.split(",")):
                peer = TensorFlow(graph_def, fetch, threads)
                levada("run", graph, npy, fetch, threads, "--out", out)
                ours = next(iter(np.load(out).values()))
                np.testing.assert_allclose(ours, peer.call(feed)[0], rtol=1e-4)
                times = []
                for _ in range(args.rounds):
                    ours = json.loads(levada("bench", graph, npy, fetch, threads, "--json"))["median_us"]
                    times.append((ours, peer.time(feed, args.seconds)))
                ours, theirs = (statistics.median(t[i] for t in times) for i in (0, 1))
                print(f"{make.__name__:12} {threads:7} {ours:12.2f} {theirs:14.2f} {ours / theirs:7.3f}", flush=True)


if __name__ == "__main__":
    main()
