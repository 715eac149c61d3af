#!/usr/bin/env python3
"""Times Levada against TensorFlow on the same graphs, alternating, on this machine.

    pip install tensorflow-cpu
    cargo build --release
    python benches/against_tensorflow.py [--threads 1,2] [--rounds 5] [--json out.json] [--folder DIR] [NAME ...]

Both sides time a prepared callable: Levada through `levada bench --json`, TensorFlow through
`_make_callable_from_options`, the C API counterpart of `Session.make_callable`. The two sides alternate, so that other
load on the machine affects both. The table has the medians over the rounds, their spread (maximum divided by minimum),
and the ratio of TensorFlow to Levada: above 1 Levada is faster. `CPU` is the processor time of a step, summed over all
threads, which other load affects less. Results are compared before anything is timed. The limits of the machine are
measured in the same run.

The small graphs below run without TensorFlow's graph optimizer, which would merge their nodes away. With `--folder`,
each folder in DIR with a graph.json or graph.pb, a meta.json and arrays is also a graph: meta.json names `feeds`
(endpoint to file), `fetches`, `targets`, `init`, and `expect` (a file for each fetch), optionally with `rtol` and
`atol`. TensorFlow runs these both with and without its optimizer, and the faster one counts.
"""
import argparse
import concurrent.futures
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np

LEVADA = os.environ.get("LEVADA") or os.path.join(os.path.dirname(__file__), "..", "target", "release", "levada")
DT_FLOAT = 1


def node(graph, op, name, inputs=(), **attrs):
    n = graph.node.add()
    n.op, n.name = op, name
    n.input.extend(inputs)
    if op != "Placeholder" and op != "NoOp":
        n.attr["T"].type = DT_FLOAT
    for key, value in attrs.items():
        if isinstance(value, bytes):
            n.attr[key].s = value
        elif isinstance(value, list):
            n.attr[key].list.i.extend(value)
        else:
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


def constant(graph, name, value):
    from tensorflow.core.framework import tensor_shape_pb2

    n = graph.node.add()
    n.op, n.name = "Const", name
    n.attr["dtype"].type = DT_FLOAT
    tensor = n.attr["value"].tensor
    tensor.dtype = DT_FLOAT
    tensor.tensor_shape.CopyFrom(tensor_shape_pb2.TensorShapeProto(
        dim=[tensor_shape_pb2.TensorShapeProto.Dim(size=size) for size in value.shape]))
    tensor.tensor_content = value.astype(np.float32).tobytes()
    return name


def random(*shape):
    return np.random.default_rng(1).standard_normal(shape, dtype=np.float32)


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
    return random(512, 512), node(graph, "MatMul", "y", [x, x])


def dense128(graph):
    """A layer of 1024 units for 128 examples: product, bias, activation."""
    x = placeholder(graph, [128, 1024])
    product = node(graph, "MatMul", "p", [x, constant(graph, "w", random(1024, 1024) / 32)])
    biased = node(graph, "BiasAdd", "b", [product, constant(graph, "c", random(1024))])
    return random(128, 1024), node(graph, "Relu", "y", [biased])


def convolution(graph):
    """Eight 3 x 3 convolutions of 28 x 28 x 64, each with a bias and an activation."""
    y = placeholder(graph, [1, 28, 28, 64])
    for i in range(8):
        filter = constant(graph, f"w{i}", random(3, 3, 64, 64) / 24)
        y = node(graph, "Conv2D", f"p{i}", [y, filter], strides=[1, 1, 1, 1], padding=b"SAME")
        y = node(graph, "BiasAdd", f"b{i}", [y, constant(graph, f"c{i}", random(64))])
        y = node(graph, "Relu", f"y{i}", [y])
    return random(1, 28, 28, 64), y


def tanh1m(graph):
    """Tanh of a million floats."""
    x = placeholder(graph, [1 << 20])
    return random(1 << 20), node(graph, "Tanh", "y", [x])


GRAPHS = [tiny, chain10k, wide10k, alternate, matmul512, dense128, convolution, tanh1m]


class Case:
    """A graph, its feeds, and its expected results."""

    def __init__(self, name, path, meta, folder):
        self.name, self.path, self.folder = name, path, folder
        self.feeds = {endpoint: os.path.join(folder, file) for endpoint, file in meta["feeds"].items()}
        self.fetches, self.targets, self.init = meta["fetches"], meta.get("targets", []), meta.get("init", [])
        self.devices = meta.get("devices", {"CPU": 1})
        self.tolerance = {"rtol": max(meta.get("rtol", 0), 1e-3), "atol": max(meta.get("atol", 0), 1e-5)}
        self.optimized = meta.get("optimized", True)

    def args(self):
        args = ["--devices", ",".join(f"{kind.lower()}:{count}" for kind, count in self.devices.items())]
        for endpoint, file in self.feeds.items():
            args += ["--feed", f"{endpoint}=@{file}"]
        for flag, names in (("--fetch", self.fetches), ("--target", self.targets), ("--init", self.init)):
            for name in names:
                args += [flag, name]
        return args


def own_case(make, folder):
    """Writes one of the graphs above."""
    from google.protobuf import json_format
    from tensorflow.core.framework import graph_pb2

    graph = graph_pb2.GraphDef()
    graph.versions.producer = 1087
    feed, fetch = make(graph)
    path = os.path.join(folder, "graph.json")
    with open(path, "w") as file:
        file.write(json_format.MessageToJson(graph, indent=None))
    np.save(os.path.join(folder, "x.npy"), feed)
    meta = {"feeds": {"x:0": "x.npy"}, "fetches": [f"{fetch}:0"], "devices": {"CPU": 2}, "optimized": False}
    return Case(make.__name__, path, meta, folder)


class TensorFlow:
    def __init__(self, case, threads, optimized):
        import tensorflow as tf
        from google.protobuf import json_format
        from tensorflow.core.framework import graph_pb2
        from tensorflow.core.protobuf import config_pb2

        v1 = tf.compat.v1
        config = v1.ConfigProto(intra_op_parallelism_threads=threads, inter_op_parallelism_threads=threads)
        for kind, count in case.devices.items():
            config.device_count[kind] = count
        if not optimized:
            config.graph_options.optimizer_options.opt_level = -1
            config.graph_options.rewrite_options.disable_meta_optimizer = True
        with open(case.path, "rb") as file:
            data = file.read()
        binary = case.path.endswith(".pb")
        graph_def = graph_pb2.GraphDef.FromString(data) if binary else json_format.Parse(data, graph_pb2.GraphDef())
        graph = v1.Graph()
        with graph.as_default():
            tf.import_graph_def(graph_def, name="")
        session = v1.Session(graph=graph, config=config)
        for name in case.init:
            session.run(graph.get_operation_by_name(name.split(":")[0]))
        options = config_pb2.CallableOptions(feed=list(case.feeds), fetch=case.fetches, target=case.targets)
        call, feeds = session._make_callable_from_options(options), [np.load(file) for file in case.feeds.values()]
        self.call = lambda: call(*feeds)

    def time(self, seconds):
        """Seconds and processor seconds of a step."""
        for _ in range(3):
            self.call()
        times, start, cpu = [], time.perf_counter(), time.process_time()
        while time.perf_counter() < start + seconds or len(times) < 5:
            before = time.perf_counter()
            self.call()
            times.append(time.perf_counter() - before)
        return statistics.median(times), (time.process_time() - cpu) / len(times)


def levada(verb, case, threads, *more):
    """The output of the command, and the processor time that it took."""
    command = [LEVADA, verb, case.path, "--threads", str(threads), *case.args(), *more]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{case.name}: {done.stderr}")
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def time_levada(case, threads, seconds):
    """As `TensorFlow.time`: the processor time of a long run less that of a short one."""
    median = json.loads(levada("bench", case, threads, "--json")[0])["median_us"] * 1e-6
    few = max(2, int(0.1 * seconds / median))
    many = few + max(20, int(seconds / median))
    cpu = [levada("bench", case, threads, "--json", "--steps", str(steps))[1] for steps in (few, many)]
    return median, (cpu[1] - cpu[0]) / (many - few)


def agree(case, peers, threads):
    """Compares the first results of both sides, if there are any.

    Deep models amplify rounding errors: if TensorFlow's own results with and without its optimizer differ by more than
    the tolerance, four times their distance is allowed.
    """
    if not case.fetches:
        return
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.npz")
        levada("run", case, threads, "--out", out)
        with np.load(out) as found:
            ours = [found[name] for name in found.files]
    for ours, theirs, *others in zip(ours, *(peer.call() for peer in peers)):
        is_float = theirs.dtype.kind == "f"
        # Sums that cancel are only as exact as their terms.
        size = np.abs(theirs).max(initial=0) if is_float else 0
        apart = [np.abs(theirs - other).max(initial=0) for other in others if is_float]
        tolerance = {**case.tolerance, "atol": max(case.tolerance["atol"], 1e-5 * size, *(4 * far for far in apart))}
        np.testing.assert_allclose(ours, theirs, err_msg=case.name, **tolerance)


def limits(threads):
    """The limits of this machine on this number of threads: the best of several tries."""
    parts = [(np.ones(1 << 24, np.float32), np.zeros(1 << 24, np.float32)) for _ in range(threads)]

    def timed(work):
        best = float("inf")
        for _ in range(5):
            start = time.perf_counter()
            work()
            best = min(best, time.perf_counter() - start)
        return best

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        copy = timed(lambda: list(pool.map(lambda part: np.copyto(part[1], part[0]), parts)))
        pages = timed(lambda: list(pool.map(lambda _: np.empty(1 << 26, np.uint8)[::4096].fill(1), parts)))
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(max(threads, 1))
    matrix = tf.random.normal([2048, 2048])
    product = timed(lambda: tf.linalg.matmul(matrix, matrix).numpy())
    return {
        "copy_gb_per_s": threads * 2 * 4 * (1 << 24) / copy * 1e-9,
        "fresh_page_ns": pages / (threads * (1 << 14)) * 1e9,
        "product_gflop_per_s": 2 * 2048**3 / product * 1e-9,
    }


def compare(case, threads, rounds, seconds):
    modes = [False, True] if case.optimized else [False]
    peers = [TensorFlow(case, threads, optimized) for optimized in modes]
    agree(case, peers, threads)
    times = []
    for _ in range(rounds):
        times.append((time_levada(case, threads, seconds), min(peer.time(seconds / len(peers)) for peer in peers)))
    row = {"graph": case.name, "threads": threads}
    for side, name in enumerate(("levada", "tensorflow")):
        wall = [t[side][0] for t in times]
        row[name] = {
            "us": statistics.median(wall) * 1e6,
            "spread": max(wall) / min(wall),
            "cpu_us": statistics.median(t[side][1] for t in times) * 1e6,
        }
    row["ratio"] = row["tensorflow"]["us"] / row["levada"]["us"]
    row["cpu_ratio"] = row["tensorflow"]["cpu_us"] / max(row["levada"]["cpu_us"], 1e-3)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=1.0, help="time of each side per round")
    parser.add_argument("--folder", help="graphs with meta.json")
    parser.add_argument("--json", help="where to write the rows and the limits")
    args = parser.parse_args()
    threads = [int(n) for n in args.threads.split(",")]
    found = {"limits": limits(max(threads)), "rows": []}
    given = sorted(os.listdir(args.folder)) if args.folder else []
    differing = []
    wanted = lambda name: not args.names or name in args.names
    print("machine: " + ", ".join(f"{name} {value:.1f}" for name, value in found["limits"].items()))
    head = "  ".join(f"{side:>11} {'spread':>6} {'CPU us':>11}" for side in ("Levada us", "TensorFlow"))
    print(f"{'graph':24} {'threads':>7}  {head}  {'ratio':>6} {'CPU':>6}")
    with tempfile.TemporaryDirectory() as scratch:
        makes = [lambda make=make: own_case(make, scratch) for make in GRAPHS if wanted(make.__name__)]
        for name in filter(wanted, given):
            folder = os.path.join(args.folder, name)
            if os.path.exists(os.path.join(folder, "meta.json")):
                with open(os.path.join(folder, "meta.json")) as file:
                    meta = json.load(file)
                files = [os.path.join(folder, f"graph.{kind}") for kind in ("pb", "json")]
                path = next(filter(os.path.exists, files))
                makes.append(lambda case=Case(name, path, meta, folder): case)
        for make in makes:
            case = make()
            for n in threads:
                try:
                    row = compare(case, n, args.rounds, args.seconds)
                except AssertionError as error:
                    differing.append(case.name)
                    print(f"{case.name:24} {n:7}  results differ:{error}", flush=True)
                    continue
                found["rows"].append(row)
                sides = [row["levada"], row["tensorflow"]]
                sides = "  ".join(f"{side['us']:11.1f} {side['spread']:6.2f} {side['cpu_us']:11.1f}" for side in sides)
                print(f"{case.name:24} {n:7}  {sides}  {row['ratio']:6.2f} {row['cpu_ratio']:6.2f}", flush=True)
    if args.json:
        with open(args.json, "w") as file:
            json.dump(found, file, indent=1)
    if differing:
        raise SystemExit("results differ: " + ", ".join(differing))


if __name__ == "__main__":
    main()
