#!/usr/bin/env python3
"""Records the results of TensorFlow's partial runs, for `tests/partial_runs.rs`.

    pip install tensorflow-cpu
    python tests/partial/record.py

writes `cases.json` beside this file: for each case a graph, and for each partial run in it the setup and the calls with
their results.
"""

import json
import os
from pathlib import Path

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf
from google.protobuf import json_format
from tensorflow.core.protobuf import error_codes_pb2

v1 = tf.compat.v1
v1.disable_eager_execution()
v1.disable_control_flow_v2()
v1.logging.set_verbosity(v1.logging.ERROR)


def sums():
    a, b, c = (v1.placeholder(tf.float32, [], name) for name in "abc")
    x = tf.add(a, b, "x")
    tf.multiply(x, c, "y")
    tf.identity(a, "z")
    tf.constant(7.0, name="k")


def state():
    a = v1.placeholder(tf.float32, [], "a")
    v = v1.Variable(1.0, use_resource=False, name="v")
    tf.identity(v1.assign_add(v, a), "added")
    w = v1.Variable(1.0, use_resource=False, name="w")
    tf.group(v1.assign_add(w, 10.0), name="op")
    with tf.control_dependencies([a]):
        tf.constant(3.0, name="after_a")
        tf.identity(v1.placeholder(tf.float32, [], "b"), "b_after_a")


def branches():
    p = v1.placeholder(tf.bool, [], "p")
    a = v1.placeholder(tf.float32, [], "a")
    no, yes = tf.raw_ops.Switch(data=a, pred=p, name="s")
    tf.identity(yes, "yes")
    tf.raw_ops.Merge(inputs=[tf.negative(no), tf.identity(yes)], name="m")
    tf.raw_ops.Merge(inputs=[a, tf.negative(v1.placeholder(tf.float32, [], "b"))], name="first")


def loop():
    n = v1.placeholder(tf.int32, [], "n")
    i = tf.while_loop(lambda i: i < n, lambda i: i + 2, [tf.constant(0)])
    tf.add(i, v1.placeholder(tf.int32, [], "more"), "sum")
    tf.identity(i, "i")


def fails():
    a, b = (v1.placeholder(tf.int32, [], name) for name in "ab")
    tf.raw_ops.FloorDiv(x=a, y=b, name="bad")
    tf.raw_ops.AddV2(x=a, y=1, name="good")


ABC = ["a", "b", "c"]
# The graph, and partial runs in it: feeds, fetches and targets of the setup, and the calls: feeds and fetches.
CASES = {
    "one_by_one": (sums, [(ABC, ["x", "y", "z"], [], [
        ({"a": 1}, ["z"]), ({"b": 2}, ["x"]), ({"c": 3}, ["y"])])]),
    "all_at_once": (sums, [(ABC, ["x", "y"], [], [({"a": 1, "b": 2, "c": 3}, ["x", "y"])])]),
    "fed_before_it_is_fetched": (sums, [(ABC, ["x", "y"], [], [
        ({"c": 3}, []), ({"a": 1}, []), ({"b": 2}, []), ({}, ["y"]), ({}, ["x"])])]),
    "not_yet_to_be_computed": (sums, [(ABC, ["x", "y", "z"], [], [
        ({"a": 1}, ["x"]), ({}, ["z"]), ({"a": 1}, ["z"]), ({"b": 2}, ["y"]), ({"b": 2}, ["x"])])]),
    "fetched_twice": (sums, [(ABC, ["x", "y"], [], [({"a": 1, "b": 2}, ["x"]), ({}, ["x"]), ({"c": 1}, ["y"])])]),
    "fed_twice": (sums, [(ABC, ["x", "z"], [], [({"a": 1}, ["z"]), ({"a": 5}, []), ({"b": 5}, ["x"])])]),
    "not_in_the_setup": (sums, [(["a", "b"], ["x"], [], [
        ({"c": 1}, []), ({"a": 1}, ["z"]), ({"a": 1, "b": 2}, ["x"])])]),
    "over": (sums, [(["a", "b"], ["x"], [], [({"a": 1, "b": 2}, ["x"]), ({}, ["x"])])]),
    "a_feed_that_nothing_needs": (sums, [(ABC, ["x"], [], [
        ({"a": 1, "b": 1}, ["x"]), ({"c": 1}, []), ({"c": 1}, [])])]),
    "a_feed_is_fetched": (sums, [(["a", "x"], ["x", "a", "z"], [], [({"x": 4}, ["x"]), ({"a": 1}, ["a", "z"])])]),
    "a_constant": (sums, [(["a"], ["k", "z"], [], [({}, ["k"]), ({"a": 2}, ["z"])])]),
    "nothing_to_do": (sums, [(["a"], [], [], [])]),
    "two_in_turn": (sums, [
        (ABC, ["x", "y"], [], [({"a": 1, "b": 2}, ["x"])]), (ABC, ["x", "y"], [], [({"a": 5, "b": 6}, ["x"])])]),
    "state": (state, [(["a"], ["added"], ["op"], [({"a": 2}, ["added"])])]),
    "after_a_feed": (state, [(["a", "b"], ["after_a", "b_after_a"], [], [
        ({"b": 2}, []), ({"a": 1}, ["after_a", "b_after_a"])])]),
    "taken": (branches, [(["p", "a"], ["m", "yes"], [], [({"a": 3}, []), ({"p": True}, ["m", "yes"])])]),
    "not_taken": (branches, [(["p", "a"], ["m"], [], [({"p": False}, []), ({"a": 3}, ["m"])])]),
    "merge": (branches, [(["a", "b"], ["first"], [], [({"a": 3}, ["first"]), ({"a": 3, "b": 4}, [])])]),
    "loop": (loop, [(["n", "more"], ["i", "sum"], [], [({"n": 5}, ["i"]), ({"more": 10}, ["sum"])])]),
    "fails": (fails, [(["a", "b"], ["good", "bad"], [], [({"a": 1}, ["good"]), ({"b": 0}, ["bad"]), ({}, ["bad"])])]),
}


def caught(run):
    try:
        return {"expect": run()}
    except tf.errors.OpError as e:
        said = [line for line in e.message.split("\n") if line and line != "Graph execution error:"]
        return {"error": error_codes_pb2.Code.Name(e.error_code), "message": said[0][:120] if said else ""}


def record(build, runs):
    out = []
    with tf.Graph().as_default() as graph:
        build()
        init = v1.global_variables_initializer()
        with v1.Session(graph=graph, config=v1.ConfigProto(operation_timeout_in_ms=2000)) as session:
            tensor = lambda name: graph.get_tensor_by_name(name + ":0")
            session.run(init)
            for feeds, fetches, targets, calls in runs:
                handle = []
                asked = [tensor(f) for f in fetches] + [graph.get_operation_by_name(t) for t in targets]
                row = {"feeds": feeds, "fetches": fetches, "targets": targets, "calls": []}
                row |= caught(lambda: handle.append(session.partial_run_setup(asked, [tensor(f) for f in feeds])))
                for values, wanted in calls if handle else []:
                    run = lambda: session.partial_run(
                        handle[0], [tensor(f) for f in wanted], {tensor(f): v for f, v in values.items()})
                    said = caught(lambda: [np.asarray(v).item() for v in run()])
                    row["calls"].append({"feeds": values, "fetches": wanted} | said)
                out.append(row)
        return {"graph": json_format.MessageToDict(graph.as_graph_def()), "init": init.name, "runs": out}


path = Path(__file__).with_name("cases.json")
rows = {name: record(build, runs) for name, (build, runs) in CASES.items()}
path.write_text("{\n" + ",\n".join(f"{json.dumps(n)}: {json.dumps(r, sort_keys=True)}" for n, r in rows.items()) + "\n}\n")
