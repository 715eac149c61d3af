"""Records TensorFlow's answers for the tests of one family of ops.

A family is a script `tests/golden/FAMILY.py` that ends in `write(__file__)`; running it writes `FAMILY.jsonl` beside it:

    pip install tensorflow-cpu
    python tests/golden/FAMILY.py

and `levada verify tests/golden/FAMILY.jsonl` replays it. `cargo test` replays every `.jsonl` in this folder.

A case is a function that builds a graph and returns the fetches. The graph is not modified: TensorFlow's optimizer is
off. Use `tf.raw_ops` to set every attr:

    from record import case, fed, step, write

    # Inputs as Const nodes: known to shape inference, may be folded before the run.
    case("Tile/const", lambda tf, v1: tf.raw_ops.Tile(input=[[1, 2]], multiples=[2, 2]))

    # Inputs from feeds: `fed` makes a placeholder of unknown shape (or of `shape`) and feeds it, so the kernel sees the
    # value at run time only. This is also how to reach a kernel's own errors, which shape inference would raise earlier.
    for dtype in ["float32", "int64", "bfloat16"]:
        case(f"Tile/{dtype}", lambda tf, v1, dtype=dtype: tf.raw_ops.Tile(input=fed([[1, 2]], dtype), multiples=fed([2, 2])))

    # A failure must be announced, with the code that TensorFlow must fail with.
    case("Tile/negative", lambda tf, v1: tf.raw_ops.Tile(input=fed([1, 2]), multiples=fed([-1])), error="INVALID_ARGUMENT")

    # Several outputs, several steps in one session, targets:
    def two_steps(tf, v1):
        x = v1.placeholder(tf.float32, [None], name="x")
        y = x + 1.0
        done = tf.no_op()
        return [step(y, {x: [1, 2]}), step([y, x, done], {x: [3]}), step(y, {y: [9]})]
    case("session/two_steps", two_steps)

    write(__file__)

`case(name, build, rtol=None, atol=None, error=None, config=None, deterministic=True)`: `build(tf, v1)` gets the
modules `tensorflow` and `tensorflow.compat.v1` inside of a fresh graph and returns a fetch, a list of fetches, or a list
of `step`s. Fetches are tensors; operations become targets. Tolerances default by the fetched dtypes: see `TOLERANCE`. The case
is replayed from the recorded JSON in a second session, which must agree. Names are `Op/what` by habit, unique in a file.
`error` names the code of the last step (earlier ones take it in `step(..., error=...)`). `same(name, feeds, ours, theirs)` is for ops
that TensorFlow does not run here: results are those of another graph.

Keep tensors small (a few elements where the rule shows) and the file too: below a few hundred KB. The bytes are the same
on every run of one TensorFlow version.
"""

import argparse
import json
import os
import re
import sys
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf
from google.protobuf import json_format
from tensorflow.core.protobuf import error_codes_pb2

v1 = tf.compat.v1
v1.disable_eager_execution()

# (rtol, atol) of the least precise dtype that a case fetches.
TOLERANCE = {
    "float64": (1e-10, 1e-12),
    "complex128": (1e-10, 1e-12),
    "float32": (1e-5, 1e-6),
    "complex64": (1e-5, 1e-6),
    "float16": (2e-3, 1e-3),
    "bfloat16": (1.6e-2, 1e-2),
}

TensorProto = type(tf.make_tensor_proto(0))

_written = {}
_feeds = None


def internal(op, inputs, types, attrs):
    """A node of an op that Python has no function for."""
    flat = [x for x in inputs if not isinstance(x, list)] + [x for xs in inputs if isinstance(xs, list) for x in xs]
    def value(v):
        if isinstance(v, bool):
            return v1.AttrValue(b=v)
        if isinstance(v, int):
            return v1.AttrValue(i=v)
        if isinstance(v, float):
            return v1.AttrValue(f=v)
        if isinstance(v, str):
            return v1.AttrValue(s=v.encode())
        if isinstance(v, tf.DType):
            return v1.AttrValue(type=v.as_datatype_enum)
        if isinstance(v[0], str):
            return v1.AttrValue(list=v1.AttrValue.ListValue(s=[x.encode() for x in v]))
        if isinstance(v[0], tf.DType):
            return v1.AttrValue(list=v1.AttrValue.ListValue(type=[x.as_datatype_enum for x in v]))
        return v1.AttrValue(list=v1.AttrValue.ListValue(i=v))
    node = v1.get_default_graph().create_op(
        op, flat, types, attrs={name: value(v) for name, v in attrs.items()}, name="fused", compute_device=False)
    return list(node.outputs)


def fed(value, dtype=None, shape=None, name=None):
    """A placeholder that every step of the case being built feeds with `value`. `shape` is a list with None for sizes
    that are not known; without it nothing is known, not even the rank."""
    if dtype is not None:
        dtype = tf.as_dtype(dtype)
    elif not isinstance(value, np.ndarray):
        # Python numbers are int32 and float32, as in tf.constant.
        dtype = tf.as_dtype(tf.make_tensor_proto(value).dtype)
    array = _array(value, dtype)
    placeholder = v1.placeholder(dtype or tf.as_dtype(array.dtype), shape, name)
    _feeds[placeholder] = array
    return placeholder


def step(fetches, feeds=None, targets=(), error=None, timeout_ms=None):
    """One run: tensors to fetch, {tensor: value} to feed besides the feeds of `fed`, operations to run, and the name of
    the code that it must fail with."""
    fetches = list(fetches) if isinstance(fetches, (list, tuple)) else [fetches]
    targets = list(targets) + [f for f in fetches if isinstance(f, tf.Operation)]
    fetches = [f for f in fetches if not isinstance(f, tf.Operation)]
    return {"fetches": fetches, "feeds": dict(feeds or {}), "targets": targets, "error": error, "timeout_ms": timeout_ms}


def case(name, build, rtol=None, atol=None, error=None, config=None, deterministic=True):
    """Builds, runs and keeps a case; see the top of this file."""
    global _feeds
    if name in _written:
        raise ValueError(f"two cases are named {name}")
    _feeds = {}
    graph = tf.Graph()
    with graph.as_default():
        built = build(tf, v1)
    is_steps = isinstance(built, (list, tuple)) and built and all(isinstance(s, dict) for s in built)
    steps = list(built) if is_steps else [step(built)]
    if error is not None:
        steps[-1]["error"] = error
    graph_json = _message(graph.as_graph_def())
    with v1.Session(graph=graph, config=_config(config)) as session:
        recorded = [_run(name, session, s) for s in steps]
    row = {"name": name, "graph": graph_json, "steps": recorded, "ops": _ops(graph.as_graph_def())}
    row["rtol"], row["atol"] = _tolerance(recorded)
    if rtol is not None:
        row["rtol"] = rtol
    if atol is not None:
        row["atol"] = atol
    if config is not None:
        row["config"] = config
    if deterministic:
        _replay(row)
    _written[name] = row


def same(name, feeds, ours, theirs, rtol=None, atol=None):
    """A case of ops without TensorFlow kernels here: its graph is the result of `ours` on placeholders for the arrays
    `feeds`, its expected results are those of `theirs` on them."""
    if name in _written:
        raise ValueError(f"two cases are named {name}")
    built = []
    for build in (ours, theirs):
        graph = tf.Graph()
        with graph.as_default():
            given = [v1.placeholder(array.dtype, array.shape, f"x{i}") for i, array in enumerate(feeds)]
            built.append((graph, given, build(*given)))
    (graph, given, fetches), (other, places, wanted) = built
    with v1.Session(graph=other, config=_config(None)) as session:
        results = session.run(list(wanted), dict(zip(places, feeds)))
    recorded = {
        "feeds": {t.name: _tensor(array, t.dtype) for t, array in zip(given, feeds)},
        "fetches": [t.name for t in fetches], "targets": [],
        "expect": [_tensor(value, t.dtype) for value, t in zip(results, fetches)],
    }
    tolerance = _tolerance([recorded])
    _written[name] = {
        "name": name, "graph": _message(graph.as_graph_def()), "steps": [recorded], "ops": _ops(graph.as_graph_def()),
        "rtol": tolerance[0] if rtol is None else rtol, "atol": tolerance[1] if atol is None else atol}


def write(script):
    """Writes the cases kept so far to the `.jsonl` beside `script`."""
    path = Path(script).with_suffix(".jsonl")
    lines = [json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n" for row in _written.values()]
    path.write_text("".join(lines), encoding="utf-8")
    print(f"{path.name}: {len(lines)} cases, {path.stat().st_size / 1000:.0f} kB", file=sys.stderr)


def _run(name, session, s):
    feeds = {t: _array(v, t.dtype) for t, v in {**_feeds, **s["feeds"]}.items()}
    out = {
        "feeds": {t.name: _tensor(v, t.dtype) for t, v in feeds.items()},
        "fetches": [t.name for t in s["fetches"]],
        "targets": [t.name for t in s["targets"]],
    }
    if s["timeout_ms"]:
        out["timeoutMs"] = s["timeout_ms"]
    options = v1.RunOptions(timeout_in_ms=s["timeout_ms"] or 0)
    try:
        # A list of names keeps duplicates and is what the replay uses.
        results = session.run([s["fetches"], s["targets"]], feeds, options=options)[0]
    except tf.errors.OpError as e:
        code = error_codes_pb2.Code.Name(e.error_code)
        if s["error"] != code:
            raise AssertionError(f"{name}: expected {s['error'] or 'no error'}, got {code}: {e.message}") from e
        out["error"], out["message"] = code, _said(e.message)
    else:
        if s["error"]:
            raise AssertionError(f"{name}: expected {s['error']}, but it did not fail")
        out["expect"] = [_tensor(v, t.dtype) for v, t in zip(results, s["fetches"])]
    return out


def _said(message):
    """The message of a kernel, without the stack of the script that built the node, which names files of this
    machine."""
    found = re.search(r"^Node: '[^']*'\n(.*)", message, re.DOTALL | re.MULTILINE)
    said = found.group(1) if found else message
    said = re.split(r"\s*(?:\[\[\{\{node |Original stack trace for|Detected at node | defined at \(most recent)", said)[0]
    return said.replace(str(Path(__file__).resolve().parents[2]), "")[:200]


def _replay(row):
    """Runs a recorded case from its JSON and compares."""
    graph_def = json_format.ParseDict(row["graph"], v1.GraphDef())
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
    with v1.Session(graph=graph, config=_config(row.get("config"))) as session:
        for s in row["steps"]:
            feeds = {n: _ndarray(json_format.ParseDict(t, TensorProto())) for n, t in s["feeds"].items()}
            try:
                got = session.run([s["fetches"], s["targets"]], feeds)[0]
            except tf.errors.OpError as e:
                code = error_codes_pb2.Code.Name(e.error_code)
                assert s.get("error") == code, f"{row['name']}: the replay failed with {code}: {e.message}"
                continue
            assert "error" not in s, f"{row['name']}: the replay did not fail"
            for name, value, expect in zip(s["fetches"], got, s["expect"]):
                again = _tensor(value, graph.get_tensor_by_name(name).dtype)
                if again == expect:
                    continue
                want = _ndarray(json_format.ParseDict(expect, TensorProto()))
                np.testing.assert_allclose(np.asarray(value, want.dtype), want, row["rtol"], row["atol"],
                                           err_msg=f"{row['name']}: the replay differs")


def _ndarray(proto):
    """`tf.make_ndarray` for all dtypes."""
    if proto.float8_val:
        kind = tf.as_dtype(proto.dtype).as_numpy_dtype
        return np.frombuffer(proto.float8_val, kind).reshape([d.size for d in proto.tensor_shape.dim])
    return tf.make_ndarray(proto)


def write_random(kind, description, of_seed):
    """The command line of a script whose cases are random: `of_seed(seed)` returns the `build` of one and a dict of other
    arguments of `case`. Cases that TensorFlow refuses are left out."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("out", help="the .jsonl to write")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    args = parser.parse_args()
    for seed in range(args.seed, args.seed + args.count):
        build, more = of_seed(seed)
        try:
            case(f"{kind}/{seed}", build, **more)
        except (ValueError, TypeError, AssertionError, tf.errors.OpError) as error:
            print(f"{kind} {seed} is left out: {str(error).splitlines()[0][:120]}")
    write(args.out)


def _config(config):
    proto = v1.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
    if config:
        json_format.ParseDict(config, proto)
    proto.graph_options.rewrite_options.disable_meta_optimizer = True
    proto.graph_options.optimizer_options.opt_level = -1
    return proto


def _tolerance(steps):
    names = [_DT[t["dtype"]] for s in steps for t in s.get("expect", [])]
    found = [TOLERANCE[n] for n in names if n in TOLERANCE]
    return max(found, default=(0.0, 0.0))


def _ops(graph_def):
    nodes = list(graph_def.node) + [n for f in graph_def.library.function for n in f.node_def]
    functions = {f.signature.name for f in graph_def.library.function}
    return sorted({n.op for n in nodes} - functions)


def _array(value, dtype):
    if dtype is None:
        return np.asarray(value)
    if dtype == tf.string:
        return np.asarray(value, object)
    return np.asarray(value).astype(dtype.as_numpy_dtype) if not isinstance(value, np.ndarray) else value


def _message(message):
    """A protobuf message as JSON. Maps are sorted by key, because their order in memory is not fixed."""

    def ordered(value, is_map=False):
        if isinstance(value, list):
            return [ordered(v) for v in value]
        if isinstance(value, dict):
            keys = sorted(value) if is_map else value
            return {k: ordered(value[k], k in ("attr", "argAttr", "ret", "controlRet", "resourceArgUniqueId")
                               and isinstance(value[k], dict)) for k in keys}
        return value

    return ordered(json_format.MessageToDict(message))


_DT = {f"DT_{k}": k.lower() for k in
       ["INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64", "BOOL", "STRING", "BFLOAT16",
        "COMPLEX64", "COMPLEX128", "QINT8", "QUINT8", "QINT16", "QUINT16", "QINT32", "VARIANT", "RESOURCE", "INT4", "UINT4",
        "INT2", "UINT2", "FLOAT8_E5M2", "FLOAT8_E4M3FN", "FLOAT8_E4M3FNUZ", "FLOAT8_E4M3B11FNUZ", "FLOAT8_E5M2FNUZ",
        "FLOAT4_E2M1FN"]}
_DT.update({"DT_FLOAT": "float32", "DT_DOUBLE": "float64", "DT_HALF": "float16"})

_FIELDS = {
    "float32": "float_val", "float64": "double_val", "int64": "int64_val", "bool": "bool_val",
    "uint32": "uint32_val", "uint64": "uint64_val", "string": "string_val",
}


def _tensor(value, dtype):
    """A TensorProto as JSON, with its values spelt out where there are at most 1,000."""
    array = np.asarray(value, object if dtype == tf.string else None)
    if array.dtype.names:
        # NumPy's elements of a quantized type are records of one field.
        array = array[array.dtype.names[0]]
    proto = TensorProto()
    proto.dtype = dtype.base_dtype.as_datatype_enum
    proto.tensor_shape.CopyFrom(tf.TensorShape(array.shape).as_proto())
    name = dtype.base_dtype.name
    flat = array.reshape(-1)
    if name == "string":
        proto.string_val.extend(s if isinstance(s, bytes) else str(s).encode() for s in flat)
    elif array.size > 1000:
        proto.tensor_content = np.ascontiguousarray(array).tobytes()
    elif name in ("float16", "bfloat16"):
        proto.half_val.extend(int(b) for b in np.ascontiguousarray(flat).view(np.uint16))
    elif name == "complex64":
        proto.scomplex_val.extend(x for v in flat for x in (v.real, v.imag))
    elif name == "complex128":
        proto.dcomplex_val.extend(x for v in flat for x in (v.real, v.imag))
    elif name.startswith(("float8", "float4")):
        proto.float8_val = np.ascontiguousarray(flat).tobytes()
    elif name in _FIELDS:
        getattr(proto, _FIELDS[name]).extend(v.item() for v in flat)
    else:
        proto.int_val.extend(int(v) for v in flat)
    return _message(proto)
