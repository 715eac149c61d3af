"""Records TensorFlow's answers to changed cases, to find differences that no written case has.

    pip install tensorflow-cpu
    python tests/golden/random_mutations.py mutations.jsonl --seed 0 --count 500 [FAMILY ...]
    levada verify mutations.jsonl

A mutation is a recorded case of this folder with one or two changes: values or the shape of a feed or a constant, a dtype
everywhere, an attr. It succeeds or fails as TensorFlow says. Left out are those that TensorFlow cannot build or has no
kernel for, those with other answers in a second session, and those that end the process: a new one goes on behind them.

Not every difference is a fault: TensorFlow's answers to NaN, infinities and sizes that do not match may come from memory
that it did not initialize, from the instructions of the machine, or from the order of nodes.
"""

import argparse
import copy
import json
import multiprocessing
import random
import signal
from pathlib import Path

FOLDER = Path(__file__).parent
# Files and threads of their own, or state that outlives a session.
LEFT_OUT = {"batching", "captured", "cardinalities", "collectives", "cudnn", "data", "data_devices", "devices", "pipelines",
            "queues", "random_ops", "readers", "session", "summary"}
SPECIAL = [0, 1, -1, 2, 3, 0.5, -0.0, 7, 100, 255, -128, 2**31 - 1, -(2**31), 1e30, -1e30, 1e-30, float("nan"),
           float("inf"), -float("inf")]
FLOATS = ["DT_FLOAT", "DT_DOUBLE", "DT_HALF", "DT_BFLOAT16"]
INTEGERS = ["DT_INT32", "DT_INT64", "DT_INT16", "DT_INT8", "DT_UINT8", "DT_UINT16", "DT_UINT32", "DT_UINT64"]
# Codes that depend on the machine and the build.
UNSTABLE = {"ABORTED", "DEADLINE_EXCEEDED", "INTERNAL", "NOT_FOUND", "RESOURCE_EXHAUSTED", "UNKNOWN"}
# Characters of a case, elements of a result, and seconds that it takes at most.
LARGEST, MOST, LONGEST = 60_000, 100_000, 40


class Mutator:
    """Changes cases; `pool` has the values that the cases have for each attr of each op."""

    def __init__(self, seed, pool):
        import numpy
        import record

        self.np, self.record, self.random, self.pool = numpy, record, random.Random(seed), pool

    def array(self, tensor):
        return self.record._ndarray(self.record.json_format.ParseDict(tensor, self.record.TensorProto()))

    def tensor(self, array, dtype):
        return self.record._tensor(array, self.record.tf.as_dtype(dtype))

    def changed(self, tensor):
        array = self.array(tensor)
        array = self.values(array) if self.random.random() < 0.55 else self.resized(array)
        return self.tensor(array, getattr(self.record.tf, self.record._DT[tensor["dtype"]]))

    def values(self, array):
        array = array.copy()
        flat, pick = array.reshape(-1), self.random.choice
        if flat.size == 0:
            return array
        if array.dtype == object:
            k = self.random.randrange(flat.size)
            s = flat[k] if isinstance(flat[k], bytes) else str(flat[k]).encode()
            flat[k] = pick([b"", s + s, s[:len(s) // 2], s[::-1], b" " + s, s + b"\xff", b"0", b"-1", b"nan", s.upper(), pick(flat)])
            return array
        how = self.random.randrange(6)
        if array.dtype == bool or how == 0:
            flat[:] = self.np.roll(flat, 1)
        elif how == 1 and array.dtype.kind in "ifc":
            flat[:] = -flat
        elif how == 2:
            flat[:] = pick(flat)
        else:
            for _ in range(self.random.randint(1, 3)):
                value = pick(SPECIAL)
                if array.dtype.kind in "iu":
                    info = self.np.iinfo(array.dtype)
                    value = int(min(max(value, info.min), info.max)) if value == value else 0
                flat[self.random.randrange(flat.size)] = value
        return array

    def resized(self, array):
        shape, how = list(array.shape), self.random.randrange(6)
        if shape and how < 4:
            k = self.random.randrange(len(shape))
            shape[k] = self.random.choice([0, 1, shape[k] + 1, max(0, shape[k] - 1), 2 * shape[k]])
        elif how == 4 or not shape:
            shape = [1] + shape
        else:
            shape = shape[1:]
        flat = array.reshape(-1) if array.size else self.np.array([b""] if array.dtype == object else [0], array.dtype)
        return self.np.resize(flat, shape).astype(array.dtype) if self.np.prod(shape) <= MOST else array

    def feed_or_constant(self, case):
        feeds = [(step["feeds"], name) for step in case["steps"] for name in step["feeds"]]
        constants = [(n["attr"]["value"], "tensor") for n in case["graph"].get("node", []) if n["op"] == "Const"]
        if feeds + constants:
            where, key = self.random.choice(feeds + constants)
            where[key] = self.changed(where[key])

    def dtype(self, case):
        kinds = self.random.choice([FLOATS, INTEGERS, FLOATS + INTEGERS + ["DT_COMPLEX64", "DT_BOOL"]])
        text = json.dumps(case["graph"])
        present = [d for d in kinds if f'"{d}"' in text]
        if not present:
            return
        old = self.random.choice(present)
        new = self.random.choice([d for d in kinds if d != old])
        to = getattr(self.record.tf, self.record._DT[new])

        def replaced(value):
            if isinstance(value, list):
                return [replaced(v) for v in value]
            if isinstance(value, dict):
                if value.get("dtype") == old and "tensorShape" in value:
                    return self.tensor(self.array(value).astype(to.as_numpy_dtype), to)
                return {k: replaced(v) for k, v in value.items()}
            return new if value == old else value

        case["graph"] = replaced(case["graph"])
        for step in case["steps"]:
            step["feeds"] = replaced(step["feeds"])

    def attr(self, case):
        nodes = [n for n in case["graph"].get("node", []) if n["op"] not in ("Placeholder", "Const")]
        attrs = [(n, a) for n in nodes for a, v in n.get("attr", {}).items()
                 if not a.startswith("_") and v.keys() & {"b", "i", "f", "s", "list"}]
        if not attrs:
            return
        node, name = self.random.choice(attrs)
        value, pick = copy.deepcopy(node["attr"][name]), self.random.choice
        others = [v for v in self.pool.get((node["op"], name), []) if v != value]
        if others and ("s" in value or self.random.random() < 0.5):
            value = pick(others)
        elif "b" in value:
            value = {"b": not value["b"]}
        elif "i" in value:
            n = int(value["i"])
            value = {"i": str(pick([0, 1, -1, 2, 3, n + 1, n - 1, 2 * n]))}
        elif "f" in value:
            value = {"f": pick([0.0, 1.0, -1.0, 0.5, 2.0, 1e-3])}
        elif value.get("list", {}).get("i"):
            numbers = value["list"]["i"]
            k = self.random.randrange(len(numbers))
            numbers[k] = str(pick([0, 1, 2, 3, -1, int(numbers[k]) + 1]))
        node["attr"][name] = value

    def mutated(self, case):
        case = copy.deepcopy(case)
        for _ in range(self.random.choice([1, 1, 1, 2])):
            how = self.random.random()
            (self.feed_or_constant if how < 0.5 else self.dtype if how < 0.7 else self.attr)(case)
        return case


def answers(record, case):
    """The steps with what TensorFlow says, or `None` if that says nothing about other runtimes."""
    v1 = record.v1
    graph_def = record.json_format.ParseDict(case["graph"], v1.GraphDef())
    with record.tf.Graph().as_default() as graph:
        record.tf.import_graph_def(graph_def, name="")
    steps = []
    with v1.Session(graph=graph, config=record._config(case.get("config"))) as session:
        for step in case["steps"]:
            feeds = {n: record._ndarray(record.json_format.ParseDict(t, record.TensorProto())) for n, t in step["feeds"].items()}
            out = {key: step[key] for key in ("feeds", "fetches", "targets")}
            try:
                got = session.run([step["fetches"], step["targets"]], feeds, options=v1.RunOptions(timeout_in_ms=8000))[0]
            except record.tf.errors.OpError as e:
                out["error"] = record.error_codes_pb2.Code.Name(e.error_code)
                out["message"] = record._said(e.message)
                if out["error"] in UNSTABLE or "No OpKernel" in out["message"]:
                    return None
            else:
                if any(record.np.size(value) > MOST for value in got):
                    return None
                out["expect"] = [record._tensor(value, graph.get_tensor_by_name(name).dtype)
                                 for value, name in zip(got, step["fetches"])]
            steps.append(out)
    return steps


def record_some(cases, pool, jobs, first, out, at):
    """Records the mutations of these jobs, from the `first` on; `at` says which one it is at."""
    import record

    with open(out, "a", encoding="utf-8") as lines:
        for at.value in range(first, len(jobs)):
            key, seed = jobs[at.value]
            case = cases[key]
            signal.alarm(LONGEST)
            try:
                mutation = Mutator(f"{seed}/{key}", pool).mutated(case)
                if mutation["graph"] == case["graph"] and mutation["steps"] == case["steps"]:
                    continue
                steps = answers(record, mutation)
                if steps is None or steps != answers(record, mutation):
                    continue
            except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError, record.tf.errors.OpError,
                    record.json_format.ParseError):
                continue
            finally:
                signal.alarm(0)
            rtol, atol = record._tolerance(steps)
            mutation.update(name=f"{key}#{seed}", steps=steps, rtol=max(rtol, case["rtol"]), atol=max(atol, case["atol"]))
            lines.write(json.dumps(mutation, separators=(",", ":"), ensure_ascii=False) + "\n")
            lines.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("out", help="the .jsonl to write")
    parser.add_argument("families", nargs="*", help="the families whose cases are changed [default: most]")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    args = parser.parse_args()
    files = sorted(FOLDER.glob("*.jsonl"))
    files = [f for f in files if (f.stem in args.families if args.families else f.stem not in LEFT_OUT)]
    cases, pool = {}, {}
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            if len(line) <= LARGEST:
                cases[f"{file.stem}/{case['name']}"] = case
            for node in case["graph"].get("node", []):
                for name, value in node.get("attr", {}).items():
                    if value.keys() & {"b", "i", "f", "s", "list"}:
                        pool.setdefault((node["op"], name), []).append(value)
    chosen = random.Random(args.seed)
    jobs = [(chosen.choice(list(cases)), args.seed + i) for i in range(args.count)]
    Path(args.out).write_text("", encoding="utf-8")
    context = multiprocessing.get_context("spawn")
    at, ends = context.Value("i", -1), 0
    while at.value + 1 < len(jobs):
        worker = context.Process(target=record_some, args=(cases, pool, jobs, at.value + 1, args.out, at))
        worker.start()
        worker.join()
        if worker.exitcode == 0:
            break
        print(f"TensorFlow ends at {jobs[at.value]}")
        ends += 1
    print(f"{args.count} mutations, {ends} of which end the process")


if __name__ == "__main__":
    main()
