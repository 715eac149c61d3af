#!/usr/bin/env python3
"""Times Levada against PyTorch on the same graphs on an NVIDIA GPU, alternating.

    cargo build --release
    python benches/on_gpu.py [--rounds 3] [--seconds 0.5] [--json out.json] [--folder DIR] [NAME ...]

PyTorch (with CUDA) must be installed; TensorFlow need not be. PyTorch executes the nodes of the graph in order, one
call for each, as its users write it; images are in its `channels_last` format. `captured` is the same recorded as a
CUDA graph and replayed. If the graph trains variables, PyTorch differentiates the loss itself and takes its own
optimizer's step.

On both sides a step starts with the feeds in host memory and ends with the fetches there. The graphs below keep their
large inputs in variables, so that they measure the device and not the bus; they fetch a few values of the result. With
`--folder`, folders with graph.json and meta.json are graphs as well, as for against_tensorflow.py. Results of the first
step (the first five if variables are trained) are compared before anything is timed.
"""
import argparse
import base64
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
from torch.nn import functional

LEVADA = os.environ.get("LEVADA") or os.path.join(os.path.dirname(__file__), "..", "target", "release", "levada")
DEVICES = "gpu:1,cpu:1"
DEVICE = "cuda"
DTYPES = {
    "DT_FLOAT": torch.float32,
    "DT_DOUBLE": torch.float64,
    "DT_HALF": torch.float16,
    "DT_BFLOAT16": torch.bfloat16,
    "DT_INT32": torch.int32,
    "DT_INT64": torch.int64,
    "DT_BOOL": torch.bool,
}


class Writer:
    """A GraphDef in JSON, written node by node."""

    def __init__(self):
        self.nodes, self.init = [], []

    def add(self, op, name, inputs=(), **attrs):
        self.nodes.append({"op": op, "name": name, "input": list(inputs), "attr": attrs})
        return name

    def const(self, name, value):
        value = np.asarray(value)
        dtype = {"float32": "DT_FLOAT", "int32": "DT_INT32"}[value.dtype.name]
        dims = [{"size": str(size)} for size in value.shape]
        content = base64.b64encode(value.tobytes()).decode()
        tensor = {"dtype": dtype, "tensorShape": {"dim": dims}, "tensorContent": content}
        return self.add("Const", name, dtype={"type": dtype}, value={"tensor": tensor})

    def resident(self, name, shape, dtype="DT_FLOAT", scale=1.0):
        """A variable with values from -scale to scale, which look random and are the same everywhere."""
        floats, ints = {"T": {"type": "DT_FLOAT"}}, {"T": {"type": "DT_INT32"}}
        count = int(np.prod(shape))
        limits = [self.const(f"{name}/{part}", np.int32(n)) for part, n in (("from", 0), ("to", count), ("step", 1))]
        y = self.add("Range", f"{name}/range", limits, Tidx={"type": "DT_INT32"})
        y = self.add("Mul", f"{name}/times", [y, self.const(f"{name}/factor", np.int32(7919 + 2 * len(self.nodes)))], **ints)
        y = self.add("FloorMod", f"{name}/mod", [y, self.const(f"{name}/prime", np.int32(10007))], **ints)
        y = self.add("Cast", f"{name}/cast", [y], SrcT={"type": "DT_INT32"}, DstT={"type": "DT_FLOAT"})
        y = self.add("Mul", f"{name}/unit", [y, self.const(f"{name}/width", np.float32(2 * scale / 10007))], **floats)
        y = self.add("Sub", f"{name}/centred", [y, self.const(f"{name}/scale", np.float32(scale))], **floats)
        if dtype != "DT_FLOAT":
            y = self.add("Cast", f"{name}/narrow", [y], SrcT={"type": "DT_FLOAT"}, DstT={"type": dtype})
        shape_of = self.const(f"{name}/shape", np.array(shape, np.int32))
        y = self.add("Reshape", f"{name}/initial", [y, shape_of], T={"type": dtype}, Tshape={"type": "DT_INT32"})
        dims = {"shape": {"dim": [{"size": str(size)} for size in shape]}}
        handle = self.add("VarHandleOp", f"{name}/variable", dtype={"type": dtype}, shape=dims,
                          shared_name={"s": base64.b64encode(name.encode()).decode()})
        self.init.append(self.add("AssignVariableOp", f"{name}/assign", [handle, y], dtype={"type": dtype}))
        return self.add("ReadVariableOp", name, [handle], dtype={"type": dtype})

    def sample(self, x, dtype="DT_FLOAT"):
        """The first 16 values of a matrix of any size."""
        begin, size = self.const("begin", np.zeros(2, np.int32)), self.const("size", np.array([1, 16], np.int32))
        part = self.add("Slice", "part", [x, begin, size], T={"type": dtype}, Index={"type": "DT_INT32"})
        return self.add("Cast", "sample", [part], SrcT={"type": dtype}, DstT={"type": "DT_FLOAT"})

    def done(self):
        self.add("NoOp", "init", [f"^{name}" for name in self.init])
        return {"node": self.nodes, "versions": {"producer": 1087}}


T = {"T": {"type": "DT_FLOAT"}}
REDUCE = {"T": {"type": "DT_FLOAT"}, "Tidx": {"type": "DT_INT32"}}


def product(size, dtype):
    def make(w):
        a, b = (w.resident(name, [size, size], dtype) for name in ("a", "b"))
        return w.sample(w.add("MatMul", "y", [a, b], T={"type": dtype}), dtype)
    return make


def elementwise(w):
    """12 ops over 16M floats."""
    x = y = w.resident("x", [4096, 4096])
    number = iter(range(20))
    binary = lambda op, x, value: w.add(op, f"y{next(number)}", [x, w.const(f"c{next(number)}", np.float32(value))], **T)
    unary = lambda op, x: w.add(op, f"y{next(number)}", [x], **T)
    y = binary("Mul", unary("Relu", binary("AddV2", binary("Mul", x, 1.5), 0.25)), 2)
    y = w.add("Sub", "difference", [y, unary("Tanh", x)], **T)
    y = binary("Minimum", binary("Maximum", binary("Mul", unary("Abs", y), 0.5), 0.1), 3)
    return w.sample(w.add("AddV2", "y", [unary("Sqrt", y), x], **T))


def softmax(w):
    return w.sample(w.add("Softmax", "y", [w.resident("x", [4096, 4096])], **T))


def mean(w, name, x, axis, op="Mean"):
    return w.add(op, name, [x, w.const(f"{name}/axis", np.array(axis, np.int32))], keep_dims={"b": True}, **REDUCE)


def layernorm(w):
    x = w.resident("x", [4096, 4096])
    centre = mean(w, "mean", x, [-1])
    variance = mean(w, "variance", w.add("SquaredDifference", "squares", [x, centre], **T), [-1])
    scale = w.add("Rsqrt", "scale", [w.add("AddV2", "above", [variance, w.const("e", np.float32(1e-5))], **T)], **T)
    y = w.add("Mul", "normal", [w.add("Sub", "centred", [x, centre], **T), scale], **T)
    y = w.add("Mul", "scaled", [y, w.const("gamma", np.linspace(0, 1, 4096, dtype=np.float32))], **T)
    return w.sample(w.add("AddV2", "y", [y, w.const("beta", np.linspace(1, 0, 4096, dtype=np.float32))], **T))


def transpose(w):
    x, to = w.resident("x", [4096, 4096]), w.const("to", np.array([1, 0], np.int32))
    return w.sample(w.add("Transpose", "y", [x, to], T={"type": "DT_FLOAT"}, Tperm={"type": "DT_INT32"}))


def sums(axis):
    def make(w):
        y = mean(w, "y", w.resident("x", [4096, 4096]), [axis], "Sum")
        shape = w.const("row", np.array([1, 4096], np.int32))
        return w.sample(w.add("Reshape", "flat", [y, shape], T={"type": "DT_FLOAT"}, Tshape={"type": "DT_INT32"}))
    return make


def convolution(w):
    """Four 3 x 3 convolutions of 32 images of 56 x 56 x 64, each with bias and ReLU."""
    y = w.resident("x", [32, 56, 56, 64])
    for i in range(4):
        filter = w.resident(f"w{i}", [3, 3, 64, 64], scale=0.07)
        y = w.add("Conv2D", f"p{i}", [y, filter], strides={"list": {"i": ["1"] * 4}}, padding={"s": "U0FNRQ=="}, **T)
        y = w.add("BiasAdd", f"b{i}", [y, w.const(f"c{i}", np.full(64, 0.01, np.float32))], **T)
        y = w.add("Relu", f"y{i}", [y], **T)
    shape = w.const("flat", np.array([32 * 56 * 56, 64], np.int32))
    return w.sample(w.add("Reshape", "y", [y, shape], T={"type": "DT_FLOAT"}, Tshape={"type": "DT_INT32"}))


def chain(w):
    """500 small products, additions and activations in a row: what a node costs."""
    x = y = w.resident("x", [64, 64])
    a = w.resident("a", [64, 64], scale=0.15)
    for i in range(500):
        y = w.add("AddV2", f"s{i}", [w.add("MatMul", f"p{i}", [y, a], **T), x], **T)
        y = w.add("Tanh", f"t{i}", [y], **T)
    return w.sample(y)


GRAPHS = {
    "matmul1024": product(1024, "DT_FLOAT"),
    "matmul4096": product(4096, "DT_FLOAT"),
    "matmul8192_f16": product(8192, "DT_HALF"),
    "matmul8192_bf16": product(8192, "DT_BFLOAT16"),
    "elementwise": elementwise,
    "softmax": softmax,
    "layernorm": layernorm,
    "transpose": transpose,
    "reduce_row": sums(1),
    "reduce_col": sums(0),
    "convolution": convolution,
    "chain": chain,
}


def strides_of(node):
    return [int(n) for n in node["attr"]["strides"]["list"]["i"]]


def text(node, attr, default=""):
    found = node["attr"].get(attr)
    return base64.b64decode(found["s"]).decode() if found else default


def flag(node, attr):
    return node["attr"].get(attr, {}).get("b", False)


def numbers(tensor):
    return [int(n) for n in tensor.flatten().tolist()]


def images(x):
    """An NHWC tensor as PyTorch sees images; no data moves."""
    return x.permute(0, 3, 1, 2)


def same_padding(x, window, strides, value=0.0):
    """The image with the padding of SAME, and the padding that is left for the op itself."""
    pads = []
    for size, k, stride in zip(x.shape[2:], window, strides):
        whole = max((-(-size // stride) - 1) * stride + k - size, 0)
        pads.append((whole // 2, whole - whole // 2))
    if all(a == b for a, b in pads):
        return x, [a for a, _ in pads]
    (top, bottom), (left, right) = pads
    return functional.pad(x, (left, right, top, bottom), value=value), [0, 0]


def convolve(node, x, w):
    x, strides = images(x), strides_of(node)[1:3]
    depthwise = node["op"] != "Conv2D"
    w = w.permute(2, 3, 0, 1).flatten(0, 1).unsqueeze(1) if depthwise else w.permute(3, 2, 0, 1)
    pads = [0, 0]
    if text(node, "padding") == "SAME":
        x, pads = same_padding(x, w.shape[2:], strides)
    y = functional.conv2d(x, w.contiguous(memory_format=torch.channels_last), None, strides, pads,
                          groups=x.shape[1] if depthwise else 1)
    return y.permute(0, 2, 3, 1)


def max_pool(node, x):
    x, strides = images(x), strides_of(node)[1:3]
    window = [int(n) for n in node["attr"]["ksize"]["list"]["i"]][1:3]
    pads = [0, 0]
    if text(node, "padding") == "SAME":
        x, pads = same_padding(x, window, strides, float("-inf"))
    return functional.max_pool2d(x, window, strides, pads).permute(0, 2, 3, 1)


def batch_norm(node, x, scale, shift, mean, variance):
    epsilon = node["attr"].get("epsilon", {}).get("f", 1e-4)
    return functional.batch_norm(images(x), mean, variance, scale, shift, False, 0.0, epsilon).permute(0, 2, 3, 1)


def matmul(node, a, b):
    batched = node["op"] != "MatMul"
    if flag(node, "adj_x" if batched else "transpose_a"):
        a = a.transpose(-1, -2)
    if flag(node, "adj_y" if batched else "transpose_b"):
        b = b.transpose(-1, -2)
    return a @ b


def strided_slice(node, x, begin, end, step):
    masks = {mask: int(node["attr"].get(f"{mask}_mask", {}).get("i", 0)) for mask in ("begin", "end", "shrink_axis")}
    index = []
    for i, (first, last, by) in enumerate(zip(numbers(begin), numbers(end), numbers(step))):
        if masks["shrink_axis"] >> i & 1:
            index.append(first)
        else:
            index.append(slice(None if masks["begin"] >> i & 1 else first, None if masks["end"] >> i & 1 else last, by))
    return x[tuple(index)]


def reduction(of):
    return lambda node, x, axis: of(x, numbers(axis), flag(node, "keep_dims"))


def slice_of(node, x, begin, size):
    for axis, (first, count) in enumerate(zip(numbers(begin), numbers(size))):
        x = x.narrow(axis, first, count if count >= 0 else x.shape[axis] - first)
    return x


def squeeze(node, x):
    axes = [int(n) for n in node["attr"]["squeeze_dims"]["list"].get("i", [])]
    return x.squeeze(axes or list(range(x.ndim)))


def pad(node, x, paddings):
    return functional.pad(x, [n for pair in reversed(paddings.tolist()) for n in pair])


OPS = {
    "Abs": lambda node, x: x.abs(),
    "Add": lambda node, x, y: x + y,
    "AddV2": lambda node, x, y: x + y,
    "BatchMatMulV2": matmul,
    "BiasAdd": lambda node, x, b: x + b,
    "Cast": lambda node, x: x.to(DTYPES[node["attr"]["DstT"]["type"]]),
    "Conv2D": convolve,
    "DepthwiseConv2dNative": convolve,
    "FloorMod": lambda node, x, y: x % y,
    "FusedBatchNormV3": batch_norm,
    "GatherV2": lambda node, x, at, axis: functional.embedding(at, x),
    "Identity": lambda node, x: x,
    "MatMul": matmul,
    "MaxPool": max_pool,
    "Maximum": lambda node, x, y: torch.maximum(x, y),
    "Mean": reduction(torch.mean),
    "Minimum": lambda node, x, y: torch.minimum(x, y),
    "Mul": lambda node, x, y: x * y,
    "Pad": pad,
    "Range": lambda node, first, last, step: torch.arange(*numbers(first), *numbers(last), *numbers(step),
                                                          dtype=torch.int32, device=DEVICE),
    "ReadVariableOp": lambda node, x: x,
    "RealDiv": lambda node, x, y: x / y,
    "Relu": lambda node, x: functional.relu(x),
    "Relu6": lambda node, x: functional.relu6(x),
    "Reshape": lambda node, x, shape: x.reshape(numbers(shape)),
    "Rsqrt": lambda node, x: x.rsqrt(),
    "Slice": slice_of,
    "Softmax": lambda node, x: x.softmax(-1),
    "SparseSoftmaxCrossEntropyWithLogits": lambda node, x, t: functional.cross_entropy(x, t.long(), reduction="none"),
    "Split": lambda node, axis, x: x.chunk(int(node["attr"]["num_split"]["i"]), *numbers(axis)),
    "Sqrt": lambda node, x: x.sqrt(),
    "SquaredDifference": lambda node, x, y: (x - y) ** 2,
    "Squeeze": squeeze,
    "StopGradient": lambda node, x: x.detach(),
    "StridedSlice": strided_slice,
    "Sub": lambda node, x, y: x - y,
    "Sum": reduction(torch.sum),
    "Tanh": lambda node, x: x.tanh(),
    "Transpose": lambda node, x, to: x.permute(numbers(to)).contiguous(),
}


class PyTorch:
    """A graph as a PyTorch user would run it."""

    def __init__(self, path, meta, folder):
        with open(path) as file:
            self.nodes = {node["name"]: node for node in json.load(file)["node"]}
        self.folder, self.meta = folder, meta
        self.constants, self.variables = {}, {}
        self.feeds = {name.split(":")[0]: np.load(os.path.join(folder, file)) for name, file in meta["feeds"].items()}
        assigns = [n for n in self.nodes.values() if n["op"] in ("Assign", "AssignVariableOp")]
        fetches = [name.split(":")[0] for name in meta["fetches"]]
        wanted = self.order(fetches)
        for assign in assigns:
            variable, value = (name.split(":")[0] for name in assign["input"][:2])
            if variable in wanted and variable not in self.variables:
                with torch.no_grad():
                    self.variables[variable] = self.compute(self.order([value]), {})[value].clone()
        self.trained = self.optimizer(wanted)
        self.plan = [name for name in wanted if self.nodes[name]["op"] not in ("Const", "Placeholder")]
        self.plan = [name for name in self.plan if name not in self.variables]
        self.fetches = fetches

    def order(self, ends):
        """The nodes that the ends need, inputs first."""
        found, pending = {}, [(name, False) for name in ends]
        while pending:
            name, ready = pending.pop()
            if name in found:
                continue
            inputs = [i.split(":")[0] for i in self.nodes[name].get("input", []) if not i.startswith("^")]
            if ready or not inputs:
                found[name] = True
            else:
                pending.append((name, True))
                pending.extend((i, False) for i in inputs)
        return list(found)

    def constant(self, node):
        if node["name"] not in self.constants:
            tensor = node["attr"]["value"]["tensor"]
            dtype = {"DT_FLOAT": np.float32, "DT_INT32": np.int32, "DT_INT64": np.int64}[tensor["dtype"]]
            shape = [int(dim["size"]) for dim in tensor.get("tensorShape", {}).get("dim", [])]
            if "tensorContent" in tensor:
                value = np.frombuffer(base64.b64decode(tensor["tensorContent"]), dtype)
            else:
                # The last value stands for all that follow.
                values = [float(v) for key in ("floatVal", "intVal", "int64Val") for v in tensor.get(key, [])] or [0]
                value = np.array(values + values[-1:] * (int(np.prod(shape)) - len(values)), dtype)
            value = value.reshape(shape)
            # Values that ops need before they start stay in host memory.
            device = "cpu" if dtype != np.float32 else DEVICE
            self.constants[node["name"]] = torch.tensor(value).to(device)
        return self.constants[node["name"]]

    def compute(self, names, fed):
        values = dict(fed)
        for name in names:
            node = self.nodes[name]
            if node["op"] == "Const":
                values[name] = self.constant(node)
            elif name in self.variables:
                values[name] = self.variables[name]
            elif name not in fed:
                inputs = []
                for source in node.get("input", []):
                    if not source.startswith("^"):
                        source, _, port = source.partition(":")
                        value = values[source]
                        inputs.append(value[int(port or 0)] if isinstance(value, (tuple, list)) else value)
                values[name] = OPS[node["op"]](node, *inputs)
        return values

    def optimizer(self, wanted):
        updates = [n for n in self.nodes.values() if "Apply" in n["op"]]
        if not updates or not self.meta.get("targets"):
            return None
        for name in self.variables:
            self.variables[name].requires_grad_(True)
        op = updates[0]["op"]
        kind, rate = {"Adam": (torch.optim.Adam, 5), "GradientDescent": (torch.optim.SGD, 1)}[op.rpartition("Apply")[2]]
        rate = self.nodes[updates[0]["input"][rate].split(":")[0]]
        return kind(list(self.variables.values()), lr=float(self.constant(rate)), fused=True)

    def work(self, fed):
        if self.trained is None:
            with torch.no_grad():
                values = self.compute(self.plan, {**self.constants, **self.variables, **fed})
                return [values[name] for name in self.fetches]
        values = self.compute(self.plan, {**self.constants, **self.variables, **fed})
        loss = values[self.fetches[0]]
        self.trained.zero_grad(set_to_none=True)
        loss.backward()
        self.trained.step()
        return [loss.detach()]

    def prepare(self):
        """Moves constants to the device."""
        for name in self.order(self.fetches):
            if self.nodes[name]["op"] == "Const":
                self.constant(self.nodes[name])

    def eager(self):
        fed = {name: torch.from_numpy(value).to(DEVICE) for name, value in self.feeds.items()}
        return [value.float().cpu().numpy() for value in self.work(fed)]

    def captured(self):
        """The step as a CUDA graph; None if it trains, since capturing changes the initial state."""
        if self.trained is not None:
            return None
        places = {name: torch.from_numpy(value).to(DEVICE) for name, value in self.feeds.items()}
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.work(places)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            results = self.work(places)

        def step():
            for name, value in self.feeds.items():
                places[name].copy_(torch.from_numpy(value))
            graph.replay()
            return [value.float().cpu().numpy() for value in results]

        return step


def timed(call, seconds):
    for _ in range(5):
        call()
    times, start = [], time.perf_counter()
    while time.perf_counter() < start + seconds or len(times) < 5:
        before = time.perf_counter()
        call()
        times.append(time.perf_counter() - before)
    return statistics.median(times) * 1e6


def levada(verb, path, meta, folder, *more):
    command = [LEVADA, verb, path, "--devices", DEVICES, "--soft"]
    for endpoint, file in meta["feeds"].items():
        command += ["--feed", f"{endpoint}=@{os.path.join(folder, file)}"]
    options = {"--fetch": meta["fetches"], "--target": meta.get("targets", []), "--init": meta.get("init", [])}
    for option, names in options.items():
        for name in names:
            command += [option, name]
    done = subprocess.run([*command, *more], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[-2000:])
    return done.stdout


def own(name, folder):
    writer = Writer()
    fetch = GRAPHS[name](writer)
    path = os.path.join(folder, f"{name}.json")
    with open(path, "w") as file:
        json.dump(writer.done(), file)
    return path, {"feeds": {}, "fetches": [f"{fetch}:0"], "init": ["init"], "rtol": 2e-2 if "f16" in name else 1e-3}


def compare(name, path, meta, folder, rounds, seconds, more):
    peer = PyTorch(path, meta, folder)
    peer.prepare()
    first = peer.eager()
    with tempfile.TemporaryDirectory() as scratch:
        out = os.path.join(scratch, "out.npz")
        levada("run", path, meta, folder, "--out", out, *more)
        with np.load(out) as found:
            ours = [found[key].astype(np.float32) for key in found.files]
    apart = 0.0
    for ours, theirs in zip(ours, first):
        apart = max(apart, float(np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1e-30)))
    captured = peer.captured()
    rows = []
    for _ in range(rounds):
        theirs = timed(peer.eager, seconds)
        steps = str(max(20, int(seconds * 1e6 / theirs)))
        ours = json.loads(levada("bench", path, meta, folder, "--json", "--steps", steps, *more))
        rows.append((ours["median_us"], theirs, timed(captured, seconds) if captured else float("nan")))
    return [statistics.median(column) for column in zip(*rows)], apart


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--folder")
    parser.add_argument("--tf32", action="store_true", help="both sides may round factors of float32 to TF32")
    parser.add_argument("--json")
    args = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = args.tf32
    torch.backends.cudnn.benchmark = True
    more = ["--tf32"] if args.tf32 else []
    print(f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}{', TF32' if args.tf32 else ''}")
    print(f"{'graph':24} {'Levada us':>11} {'PyTorch':>11} {'captured':>11} {'ratio':>6} {'capt.':>6}  apart")
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        cases = [(name, lambda name=name: (*own(name, scratch), scratch)) for name in GRAPHS]
        for name in sorted(os.listdir(args.folder)) if args.folder else []:
            folder = os.path.join(args.folder, name)
            with open(os.path.join(folder, "meta.json")) as file:
                meta = json.load(file)
            cases.append((name, lambda folder=folder, meta=meta: (os.path.join(folder, "graph.json"), meta, folder)))
        for name, make in cases:
            if args.names and name not in args.names:
                continue
            try:
                (ours, eager, captured), apart = compare(name, *make(), args.rounds, args.seconds, more)
            except Exception as error:
                print(f"{name:24} {type(error).__name__}: {error}", flush=True)
                continue
            row = {"graph": name, "levada_us": ours, "pytorch_us": eager, "captured_us": captured, "apart": apart}
            found.append(row)
            print(f"{name:24} {ours:11.1f} {eager:11.1f} {captured:11.1f} {eager / ours:6.2f} {captured / ours:6.2f}"
                  f"  {apart:.1e}", flush=True)
    if args.json:
        with open(args.json, "w") as file:
            json.dump({"device": torch.cuda.get_device_name(), "tf32": args.tf32, "rows": found}, file, indent=1)


if __name__ == "__main__":
    sys.exit(main())
