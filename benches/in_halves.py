#!/usr/bin/env python3
"""Writes benchmark folders with float16 and bfloat16 versions of float32 graphs.

    python benches/in_halves.py DIR/NAME ... --out DIR

Each folder has the layout that against_tensorflow.py reads. Every float32 of a graph becomes a 16-bit float, except
feeds and fetches, which are cast, and the parts that FusedBatchNorm keeps in float32. The expected results are
TensorFlow's.
"""
import argparse
import json
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
import numpy as np
import tensorflow as tf
from google.protobuf import json_format

v1 = tf.compat.v1
FLOAT = tf.float32.as_datatype_enum
NORMS = ("FusedBatchNormV2", "FusedBatchNormV3")


def in_halves(graph, half, fetches):
    """The graph with another dtype; fetches keep their names."""
    kept = {name for node in graph.node if node.op in NORMS for name in node.input[1:]}
    fed = {node.name for node in graph.node if node.op == "Placeholder" and node.attr["dtype"].type == FLOAT}
    fetched = {fetch.split(":")[0] for fetch in fetches}
    renamed = {name: name + "/half" for name in fed | fetched}
    out = v1.GraphDef(versions=graph.versions)

    def cast(name, of, source, to):
        node = out.node.add(name=name, op="Cast", input=[of])
        node.attr["SrcT"].type, node.attr["DstT"].type = source.as_datatype_enum, to.as_datatype_enum

    for before in graph.node:
        node = out.node.add()
        node.CopyFrom(before)
        if node.name in fed:
            cast(renamed[node.name], node.name, tf.float32, half)
            continue
        for i, name in enumerate(node.input):
            node.input[i] = renamed.get(name, name)
        if node.name in fetched:
            node.name = renamed[node.name]
            cast(before.name, node.name, half, tf.float32)
        if node.name in kept:
            continue
        if node.op == "Const" and node.attr["dtype"].type == FLOAT:
            value = tf.make_ndarray(node.attr["value"].tensor).astype(half.as_numpy_dtype)
            node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(value))
        for key, attr in node.attr.items():
            if attr.type == FLOAT and not (node.op in NORMS and key == "U"):
                attr.type = half.as_datatype_enum
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("folder", nargs="+")
    args = parser.parse_args()
    for folder in args.folder:
        meta = json.load(open(os.path.join(folder, "meta.json")))
        graph = json_format.Parse(open(os.path.join(folder, "graph.json")).read(), v1.GraphDef())
        feeds = {name: np.load(os.path.join(folder, file)) for name, file in meta["feeds"].items()}
        for half, rtol in ((tf.float16, 0.02), (tf.bfloat16, 0.1)):
            new = in_halves(graph, half, meta["fetches"])
            to = os.path.join(args.out, f"{os.path.basename(folder.rstrip('/'))}_{half.name}")
            os.makedirs(to, exist_ok=True)
            with v1.Graph().as_default() as g:
                tf.import_graph_def(new, name="")
                with v1.Session(graph=g) as session:
                    results = session.run(meta["fetches"], feeds)
            expect = []
            for i, result in enumerate(results):
                expect.append(f"expect{i}.npy")
                np.save(os.path.join(to, expect[-1]), result)
            for name, file in meta["feeds"].items():
                np.save(os.path.join(to, file), feeds[name])
            limit = float(max(np.abs(r).max() for r in results)) * rtol
            meta.update(name=os.path.basename(to), expect=expect, rtol=rtol, atol=limit)
            json.dump(meta, open(os.path.join(to, "meta.json"), "w"), indent=1)
            open(os.path.join(to, "graph.json"), "w").write(json_format.MessageToJson(new))


if __name__ == "__main__":
    main()
