#!/usr/bin/env python3
"""The cost of the runtime itself in instructions: a step of graphs with trivial kernels, counted by Callgrind.

Times vary with other load on a machine; the number of instructions of one thread hardly does, so a change that makes
every node more expensive is detected. Small variations remain: costs that a session measures with the clock and the
cache sizes that a machine reports decide how nodes are grouped, and the counts of two machines have differed by a
fifth. So the limit is wider than that, and a count over the limit is repeated.

    cargo build --release
    python3 benches/instructions.py                 # counts, beside those in benches/instructions.json
    python3 benches/instructions.py --update        # writes them there
    python3 benches/instructions.py --check         # exit status 1 if one has grown by more than three tenths

A step is the difference between a run of many steps and one of few, divided by the difference in steps: loading and
compiling cancel out, and are the separate row "load". Valgrind emulates AVX2 but not AVX-512, so vector kernels are not
what is measured here.
"""

import argparse
import json
import math
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEPT = HERE / "instructions.json"
TOLERANCE = 0.30
ATTEMPTS = 3


def node(name, op, inputs=(), **attr):
    return {"name": name, "op": op, "input": list(inputs), "attr": attr}


def placeholder(name, shape):
    return node(name, "Placeholder", dtype="float32", shape=shape)


def fanned(width):
    """The elements of a vector as separate nodes."""
    nodes = [placeholder("x", [width]), node("u", "Unpack", ["x"], num=width, axis=0)]
    return nodes, [f"u:{i}" if i else "u" for i in range(width)]


def packed(nodes, values):
    nodes.append(node("y", "Pack", values, N=len(values), axis=0))
    return nodes


def tiny():
    """One addition."""
    return [placeholder("x", []), node("y", "AddV2", ["x", "x"])]


def chain(n=2000):
    """Consecutive ops of kinds that no rewrite joins."""
    nodes, values = fanned(4)
    y = values[0]
    for i in range(n):
        y = nodes.append(node(f"a{i}", ["AddV2", "Maximum", "Sub", "Minimum"][i % 4], [y, values[i % 4]])) or f"a{i}"
    nodes.append(node("y", "Identity", [y]))
    return nodes


def wide(n=45):
    """Ops that do not depend on each other."""
    nodes, values = fanned(2 * n)
    pairs = [(i, n + j) for i in range(n) for j in range(n)]
    nodes += [node(f"a{i}_{j}", "AddV2", [values[i], values[j]]) for i, j in pairs]
    return packed(nodes, [f"a{i}_{j}" for i, j in pairs])


def dag(width=100, layers=20):
    """Layers of ops with random inputs from the five layers before."""
    rng = random.Random(7)
    nodes, values = fanned(width)
    for layer in range(1, layers + 1):
        before = rng.sample(values[-width:], width)
        reach = values[-5 * width:]
        for i in range(width):
            inputs = [before[i]] + rng.choices(reach, k=rng.choice([0, 1, 1, 1, 1, 1, 2]))
            name = f"n{layer}_{i}"
            if len(inputs) == 1:
                nodes.append(node(name, rng.choice(["Neg", "Abs", "Relu"]), inputs))
            elif len(inputs) == 2:
                nodes.append(node(name, rng.choice(["AddV2", "Sub", "Maximum", "Minimum"]), inputs))
            else:
                nodes.append(node(name, "AddN", inputs, N=3))
            values.append(name)
    return packed(nodes, values[-width:])


def control(width=100, layers=20):
    """NoOps, ordered by control edges."""
    rng = random.Random(9)
    names = [f"n{i}" for i in range(width)]
    nodes = [node(name, "NoOp") for name in names]
    for i in range(width * layers):
        inputs = {names[-width], *rng.choices(names[-5 * width:], k=1)}
        names.append(f"n{width + i}")
        nodes.append(node(names[-1], "NoOp", sorted(f"^{name}" for name in inputs)))
    nodes.append(node("y", "NoOp", [f"^{name}" for name in names[-width:]]))
    return nodes


def loop():
    """A while loop of a thousand iterations."""
    return [
        placeholder("x", []),
        node("zero", "Const", dtype="float32", value=0.0),
        node("one", "Const", ["^body"], dtype="float32", value=1.0),
        node("enter", "Enter", ["zero"], frame_name="loop"),
        node("limit", "Enter", ["x"], frame_name="loop", is_constant=True),
        node("merge", "Merge", ["enter", "next"], N=2),
        node("less", "Less", ["merge", "limit"]),
        node("cond", "LoopCond", ["less"]),
        node("switch", "Switch", ["merge", "cond"]),
        node("body", "Identity", ["switch:1"]),
        node("sum", "AddV2", ["body", "one"]),
        node("next", "NextIteration", ["sum"]),
        node("exit", "Exit", ["switch"]),
        node("y", "Identity", ["exit"]),
    ]


def queue():
    """An enqueue and a dequeue of an element."""
    return [
        placeholder("x", []),
        node("q", "FIFOQueueV2", component_types=["float32"], shapes=[[]], capacity=10),
        node("put", "QueueEnqueueV2", ["q", "x"]),
        node("y", "QueueDequeueV2", ["q", "^put"], component_types=["float32"]),
    ]


# Name: graph, the feed of `x`, steps.
GRAPHS = {
    "tiny": (tiny(), "1.5", 2000),
    "chain": (chain(), "[1.5, 0.25, 0.5, 100]", 20),
    "wide": (wide(), json.dumps(list(range(90))), 20),
    "dag": (dag(), json.dumps([i / 100 - 0.5 for i in range(100)]), 20),
    "control": (control(), None, 1000),
    "loop": (loop(), "1000", 20),
    "queue": (queue(), "1.5", 1000),
}


def count(levada, path, feed, steps):
    """Instructions of a whole command."""
    what = ["--target", "y"] if feed is None else ["--fetch", "y", "--feed", f"x={feed}"]
    command = [levada, "bench", path, *what, "--threads", "1", "--warm-up", "3", "--steps", str(steps), "--json"]
    run = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"{' '.join(map(str, command))}\n{run.stdout}{run.stderr}")
    return int(found[1])


def counts(levada, kept):
    """Instructions of a step by graph, and of the first run of "dag" as "load"; the minimum of several attempts if it
    is over the limit."""
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, (nodes, feed, steps) in GRAPHS.items():
            path = Path(folder) / f"{name}.json"
            path.write_text(json.dumps({"node": nodes}))
            for _ in range(ATTEMPTS):
                few, many = (count(levada, path, feed, n) for n in (1, 1 + steps))
                rows[name] = min(rows.get(name, math.inf), round((many - few) / steps))
                if not has_grown(rows[name], kept.get(name)):
                    break
            if name == "dag":
                rows["load"] = few
    return rows


def has_grown(now, before):
    return before is not None and now > before * (1 + TOLERANCE)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--levada", default=HERE.parent / "target/release/levada", help="the command [default: the release build]")
    arguments.add_argument("--check", action="store_true", help="fail if a count has grown by more than three tenths")
    arguments.add_argument("--update", action="store_true", help=f"write the counts to {KEPT.name}")
    given = arguments.parse_args()

    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    found = counts(given.levada, kept)
    print(f"{'graph':<10}{'kept':>12}{'now':>12}")
    grown = []
    for name, now in found.items():
        before = kept.get(name)
        change = f"{now / before - 1:+8.1%}" if before else ""
        print(f"{name:<10}{before or '':>12}{now:>12}{change}")
        if has_grown(now, before):
            grown.append(name)
    if given.update:
        KEPT.write_text(json.dumps(found, indent=2) + "\n")
    elif given.check and grown:
        sys.exit(f"more instructions than in {KEPT.name}: {', '.join(grown)}; if that is meant, --update")


if __name__ == "__main__":
    main()
