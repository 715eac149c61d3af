"""Records where TensorFlow places the nodes of small graphs: writes placements.jsonl beside this file.

Each line: {"name", "cpus", "soft", "graph" (GraphDef in protobuf's JSON mapping), "device": {node: "CPU:1", ...}} or, where
TensorFlow refuses, "error" (the status code's name) and "message". Run with a Python that has tensorflow-cpu.
"""

import json
import os
import random
import re
import tempfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "0"
import tensorflow as tf
from google.protobuf import json_format
from tensorflow.python.framework import importer

v1 = tf.compat.v1
v1.disable_eager_execution()
# The importer would overwrite devices with those of the nodes that `_class` names, before the placer sees them.
importer._ProcessNewOps = lambda graph: graph._add_new_tf_operations(compute_devices=False)
HERE = os.path.dirname(os.path.abspath(__file__))
LINES = []


def record(name, graph_def, cpus=3, soft=False):
    config = v1.ConfigProto(device_count={"CPU": cpus}, allow_soft_placement=soft)
    config.graph_options.optimizer_options.opt_level = v1.OptimizerOptions.L0
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.rewrite_options.disable_model_pruning = True
    line = {"name": name, "cpus": cpus, "soft": soft, "graph": json.loads(json_format.MessageToJson(graph_def, indent=None))}
    config.log_device_placement = True
    try:
        with tf.Graph().as_default() as graph:
            tf.import_graph_def(graph_def, name="")
            session = v1.Session(config=config, graph=graph)
            ran = None
            saved = os.dup(2)
            with tempfile.TemporaryFile() as log:
                os.dup2(log.fileno(), 2)
                try:
                    session.run(graph.get_operations()[0], options=v1.RunOptions(timeout_in_ms=3000))
                except tf.errors.OpError as e:
                    ran = e
                finally:
                    os.dup2(saved, 2)
                    os.close(saved)
                log.seek(0)
                text = log.read().decode()
            found = dict(re.findall(r"(\S+): \([^)]*\): \S*/device:(\S+)", text))
            names = [n.name for n in graph_def.node]
            if all(n in found for n in names):
                line["device"] = {n: found[n] for n in names}
            elif ran is None:
                raise RuntimeError(f"{name}: {[n for n in names if n not in found]} are not in the log")
            else:
                line["error"] = {3: "INVALID_ARGUMENT", 5: "NOT_FOUND", 12: "UNIMPLEMENTED", 13: "INTERNAL", 2: "UNKNOWN"}.get(ran.error_code, str(ran.error_code))
                line["message"] = ran.message[:300]
    except ValueError as e:
        print(name, "cannot be imported:", str(e)[:200])
        return
    LINES.append(line)


def build(name, make, devices={}, **kw):
    with tf.Graph().as_default() as graph:
        make()
    graph_def = graph.as_graph_def()
    for node in graph_def.node:
        node.device = devices.get(node.name, node.device)
    record(name, graph_def, **kw)
    if not kw.get("soft"):
        record(name + ", soft", graph_def, **{**kw, "soft": True})


def dev(d):
    return tf.device(d)


def situations():
    const = lambda v=1.0: tf.constant(v)

    def generator_one_consumer():
        c = const()
        with dev("/cpu:1"):
            tf.identity(c, name="user")
    build("a generator goes to its only consumer", generator_one_consumer)

    def generator_two():
        c = const()
        with dev("/cpu:1"):
            tf.identity(c)
        with dev("/cpu:2"):
            tf.identity(c)
    build("a generator with consumers on two devices", generator_two)

    def generator_same():
        c = const()
        with dev("/cpu:2"):
            tf.identity(c)
            tf.negative(c)
    build("a generator with two consumers on one device", generator_same)

    def generator_chain():
        c = const()
        d = const(2.0)
        with tf.control_dependencies([c]):
            e = const(3.0)
        with dev("/cpu:1"):
            tf.add_n([d, e])
    build("a generator with a control edge to a generator", generator_chain)

    def generator_control_in():
        with dev("/cpu:1"):
            a = const()
        with tf.control_dependencies([a]):
            b = const()
        with dev("/cpu:2"):
            tf.identity(b)
    build("a generator that waits for a node", generator_control_in)

    def metadata():
        with dev("/cpu:1"):
            a = tf.random.uniform([3], seed=1)
            b = tf.identity(a)
        tf.raw_ops.Shape(input=b, name="shape")
        tf.raw_ops.Size(input=b, name="size")
        tf.raw_ops.Rank(input=b, name="rank")
        with dev("/cpu:2"):
            tf.raw_ops.Shape(input=b, name="shape2")
    build("metadata stays with its input", metadata)

    def unspecified():
        with dev("/cpu:1"):
            a = tf.identity(const())
        tf.negative(a)
    build("a node that asks for nothing is on the first device", unspecified)

    def ref_variable():
        with dev("/cpu:1"):
            v = v1.Variable(1.0, use_resource=False, name="v")
        v1.assign(v, 2.0)
        v1.assign_add(v, 2.0)
        tf.negative(v)
    build("users of a reference go to the variable", ref_variable)

    def ref_conflict():
        with dev("/cpu:1"):
            v = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32)
        with dev("/cpu:2"):
            with v1.get_default_graph()._attr_scope({}):
                tf.raw_ops.Assign(ref=v, value=1.0)
    build("an assign on another device than the variable", ref_conflict, {"Assign": "/cpu:2"})

    def ref_partial():
        with dev("/cpu:1"):
            v = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32)
        with dev("/job:localhost"):
            tf.raw_ops.Assign(ref=v, value=1.0)
    build("an assign with a partial device", ref_partial, {"Assign": "/job:localhost"})

    def ref_backwards():
        v = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32)
        with dev("/cpu:1"):
            tf.raw_ops.Assign(ref=v, value=1.0)
    build("a variable goes where its assign must be", ref_backwards, {"Assign": "/cpu:1"})

    def ref_identity():
        with dev("/cpu:1"):
            v = tf.raw_ops.VariableV2(shape=[], dtype=tf.float32)
        r = tf.raw_ops.RefIdentity(input=v)
        tf.raw_ops.Assign(ref=r, value=1.0)
        with dev("/cpu:2"):
            tf.identity(r)
    build("a reference passed on", ref_identity)

    def resource():
        with dev("/cpu:1"):
            h = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="r")
        tf.raw_ops.AssignVariableOp(resource=h, value=const())
        tf.raw_ops.ReadVariableOp(resource=h, dtype=tf.float32)
    build("users of a resource go to its handle", resource)

    def resource_conflict():
        with dev("/cpu:1"):
            h = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="r")
        with dev("/cpu:2"):
            tf.raw_ops.ReadVariableOp(resource=h, dtype=tf.float32)
    build("a reader on another device than the resource", resource_conflict, {"ReadVariableOp": "/cpu:2"})

    def resource_backwards():
        h = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="r")
        with dev("/cpu:2"):
            tf.raw_ops.ReadVariableOp(resource=h, dtype=tf.float32)
        tf.raw_ops.AssignVariableOp(resource=h, value=const())
    build("a handle goes where a reader must be", resource_backwards)

    def resource_identity():
        with dev("/cpu:1"):
            h = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="r")
        i = tf.identity(h)
        tf.raw_ops.ReadVariableOp(resource=i, dtype=tf.float32)
    build("a handle passed on", resource_identity)

    def resource_identity_elsewhere():
        with dev("/cpu:1"):
            h = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="r")
        with dev("/cpu:2"):
            i = tf.identity(h)
        tf.raw_ops.ReadVariableOp(resource=i, dtype=tf.float32)
    build("a handle passed on at another device", resource_identity_elsewhere, {"Identity": "/cpu:2"})

    build("a handle passed on with another type asked for", resource_identity, {"Identity": "/gpu:0"})
    build("a reader asks for another type", resource, {"ReadVariableOp": "/gpu:0"})
    build("a reader asks for another job", resource, {"ReadVariableOp": "/job:worker"})
    build("an assign asks for another type", ref_partial, {"Assign": "/gpu:0"})
    build("an assign asks for a device that does not exist", ref_partial, {"Assign": "/cpu:7"})

    def two_resources():
        with dev("/cpu:1"):
            g = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="r")
        with dev("/cpu:2"):
            h = tf.raw_ops.VarHandleOp(dtype=tf.float32, shape=[], shared_name="s")
        tf.raw_ops.IdentityN(input=[g, h])
    build("a node with handles of two devices", two_resources)

    def queue():
        with dev("/cpu:1"):
            q = v1.FIFOQueue(3, [tf.float32])
        q.enqueue([const()])
        with dev("/cpu:1"):
            x = q.dequeue()
        with dev("/cpu:2"):
            tf.negative(x)
        q.size()
    build("a queue and its users", queue)

    def queue_ref():
        with dev("/cpu:1"):
            q = tf.raw_ops.FIFOQueue(component_types=[tf.float32])
        tf.raw_ops.QueueSize(handle=q)
    build("a queue of the old kind", queue_ref)

    def colocated():
        with dev("/cpu:1"):
            a = tf.identity(const(), name="a")
        with v1.colocate_with(a):
            b = tf.negative(const())
        with v1.colocate_with(b):
            tf.exp(b)
    build("a chain of colocations", colocated)

    def raw(nodes):
        gd = tf.compat.v1.GraphDef()
        for name, op, device, cls, inputs in nodes:
            n = gd.node.add(name=name, op=op, device=device)
            n.input.extend(inputs)
            if op != "NoOp":
                n.attr["T"].type = 1
            if cls:
                n.attr["_class"].list.s.extend([c.encode() for c in cls])
        return gd

    def both(name, nodes, **kw):
        record(name, raw(nodes), **kw)
        record(name + ", soft", raw(nodes), soft=True, **kw)

    both("colocation that contradicts devices", [("a", "NoOp", "/cpu:1", [], []), ("b", "NoOp", "/cpu:2", ["loc:@a"], [])])
    both("colocation over three nodes that contradicts", [
        ("a", "NoOp", "/cpu:1", [], []), ("b", "NoOp", "", ["loc:@a"], []), ("c", "NoOp", "/cpu:0", ["loc:@b"], [])])
    both("colocation with a node that does not exist", [("b", "NoOp", "", ["loc:@zzz"], [])])
    both("colocation with itself", [("b", "NoOp", "/cpu:1", ["loc:@b"], [])])
    both("a class that is no colocation", [("b", "NoOp", "/cpu:1", ["foo"], [])])
    both("two colocations", [("a", "NoOp", "/cpu:1", [], []), ("b", "NoOp", "", [], []), ("c", "NoOp", "", ["loc:@a", "loc:@b"], [])])
    both("colocation of partial devices", [
        ("a", "NoOp", "/job:localhost", [], []), ("b", "NoOp", "/device:CPU:2", ["loc:@a"], [])])
    both("colocation of jobs that differ", [("a", "NoOp", "/job:localhost", [], []), ("b", "NoOp", "/job:worker", ["loc:@a"], [])])
    both("colocation with a type that does not exist", [("a", "NoOp", "/device:GPU:0", [], []), ("b", "NoOp", "/cpu:1", ["loc:@a"], [])])
    for device in ["", "/cpu:0", "/cpu:1", "/CPU:2", "/device:CPU:1", "/device:cpu:1", "/cpu:*", "/device:CPU:*", "/device:*", "/job:localhost",
                   "/job:localhost/replica:0/task:0", "/job:localhost/replica:0/task:0/cpu:2", "/job:localhost/replica:0/task:0/device:CPU:2",
                   "/replica:0/device:CPU:1", "/task:0", "/job:localhost/replica:0/task:*/cpu:1", "/device:CPU:1/job:localhost",
                   "/cpu:3", "/cpu:9", "/gpu:0", "/device:GPU:0", "/device:GPU:*", "/job:worker", "/job:worker/task:1/cpu:0", "/replica:1/cpu:0",
                   "/task:1/cpu:1", "/device:XPU:0", "CPU:1", "cpu:1", "/device:CPU", "/cpu", "/cpu:x", "foo", "/foo", "/foo:1", "/job:", "/job:localhost/job:worker",
                   "/job:localhost/", "//cpu:1", "/job:*/cpu:1", "/job:localhost/cpu:1/cpu:2", "/replica:*/task:*/device:*:*", "/device:*:1", "/cpu:-1", "/cpu:01", "/job:Local", "/device:CPU:1/task:0"]:
        both(f"device {device!r}", [("a", "NoOp", device, [], [])])

    def loop():
        with dev("/cpu:1"):
            n = const(10.0)
        def body(i, x):
            with dev("/cpu:1"):
                y = x * 2.0
            with dev("/cpu:2"):
                z = y + n
            return i + 1, z
        v1.disable_control_flow_v2()
        v1.while_loop(lambda i, x: i < 3, body, [tf.constant(0), const()])
    build("a loop across devices", loop)

    def cond():
        v1.disable_control_flow_v2()
        p = v1.placeholder_with_default(True, [])
        def yes():
            with dev("/cpu:1"):
                return const() + 1.0
        def no():
            with dev("/cpu:2"):
                return const() - 1.0
        v1.cond(p, yes, no)
    build("a conditional across devices", cond)

    def tensor_array():
        with dev("/cpu:1"):
            ta = tf.TensorArray(tf.float32, 2)
        ta = ta.write(0, 1.0).write(1, 2.0)
        ta.stack()
    build("a tensor array", tensor_array)

    def stack():
        with dev("/cpu:1"):
            s = tf.raw_ops.StackV2(max_size=3, elem_type=tf.float32)
        tf.raw_ops.StackPushV2(handle=s, elem=1.0)
    build("a stack", stack)

    def call():
        @tf.function
        def f(x):
            with dev("/cpu:1"):
                return x + 1.0
        with dev("/cpu:2"):
            x = tf.identity(const())
        f(x)
    build("a call of a function", call)

    def tables():
        with dev("/cpu:2"):
            t = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(tf.constant([1, 2]), tf.constant([3, 4])), -1)
        t.lookup(tf.constant([1]))
    build("a table", tables)

    def dataset():
        with dev("/cpu:1"):
            it = v1.data.make_initializable_iterator(tf.data.Dataset.range(3))
        it.initializer
        it.get_next()
    build("an iterator", dataset)

    def tensor_list():
        with dev("/cpu:1"):
            l = tf.raw_ops.EmptyTensorList(element_shape=tf.constant([], tf.int32), max_num_elements=3, element_dtype=tf.float32)
        m = tf.raw_ops.TensorListPushBack(input_handle=l, tensor=1.0)
        with dev("/cpu:2"):
            tf.raw_ops.TensorListPopBack(input_handle=m, element_shape=tf.constant([], tf.int32), element_dtype=tf.float32)
    build("a list of tensors", tensor_list)


DEVICES = ["", "", "", "", "/cpu:1", "/cpu:2", "/device:CPU:*", "/job:localhost", "/cpu:0"]


def random_graphs(count):
    rng = random.Random(7)
    for number in range(count):
        gd = tf.compat.v1.GraphDef()
        floats, variables, resources, names = [], [], [], []
        clash = rng.random() < 0.4
        for i in range(rng.randint(3, 14)):
            kind = rng.choice(["Const", "Const", "NegX", "AddV2", "Identity", "Shape", "VariableV2", "VarHandleOp", "Assign", "ReadVariableOp", "NoOp", "Rand"])
            if kind in ("NegX", "AddV2", "Identity", "Shape") and not floats:
                kind = "Const"
            if kind == "Assign" and (not variables or not floats):
                kind = "VariableV2"
            if kind == "ReadVariableOp" and not resources:
                kind = "VarHandleOp"
            name = f"n{i}"
            op = {"NegX": "Neg", "Rand": "RandomUniform"}.get(kind, kind)
            if kind == "Rand":
                op = "Const"
            node = gd.node.add(name=name, op=op, device=rng.choice(DEVICES) if kind not in ("Assign", "ReadVariableOp") or clash else "")
            T = node.attr["T"] if op in ("Neg", "AddV2", "Identity", "Shape", "Assign") else None
            if T is not None:
                T.type = 1
            if op == "Const":
                node.attr["dtype"].type = 1
                node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(float(i)))
                floats.append(name)
            elif op in ("Neg", "Identity"):
                node.input.append(rng.choice(floats))
                floats.append(name)
            elif op == "AddV2":
                node.input.extend([rng.choice(floats), rng.choice(floats)])
                floats.append(name)
            elif op == "Shape":
                node.attr["out_type"].type = 3
                node.input.append(rng.choice(floats))
            elif op == "VariableV2":
                node.attr["dtype"].type = 1
                node.attr["shape"].shape.CopyFrom(tf.TensorShape([]).as_proto())
                variables.append(name)
            elif op == "VarHandleOp":
                node.attr["dtype"].type = 1
                node.attr["shape"].shape.CopyFrom(tf.TensorShape([]).as_proto())
                node.attr["shared_name"].s = name.encode()
                resources.append(name)
            elif op == "Assign":
                node.input.extend([rng.choice(variables), rng.choice(floats)])
            elif op == "ReadVariableOp":
                node.attr["dtype"].type = 1
                node.input.append(rng.choice(resources))
            if names and rng.random() < 0.25:
                node.input.append("^" + rng.choice(names))
            if names and rng.random() < (0.3 if clash else 0.12):
                node.attr["_class"].list.s.append(b"loc:@" + rng.choice(names).encode())
            names.append(name)
        record(f"random {number}", gd, soft=rng.random() < 0.3)


situations()
random_graphs(120)
with open(os.path.join(HERE, "placements.jsonl"), "w") as f:
    for line in LINES:
        f.write(json.dumps(line, separators=(",", ":")) + "\n")
print(len(LINES), "graphs,", sum("error" in l for l in LINES), "refused")
